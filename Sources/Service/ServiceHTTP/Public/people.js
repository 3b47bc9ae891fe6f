// People: the challenges of this pedometer, who is where, and a new one.
import { t, whole, words } from "/texts.js";
import { $, ask, isOwn, onSubmit, phoneAddress, clean, copy, query } from "/common.js";
import { onView } from "/views.js";
import { steps } from "/days.js";

const dayFormat = new Intl.DateTimeFormat(words, { day: "numeric", month: "long", timeZone: "UTC" });
const day = (text) => dayFormat.format(new Date(`${text}T12:00:00Z`));

function time({ from, to, state, daysLeft }) {
  const dates = from === to ? day(from) : t("{from} to {to}", { from: day(from), to: day(to) });
  const left = { upcoming: daysLeft === 1 ? t("begins tomorrow") : t("begins in {n} day|begins in {n} days", { n: daysLeft }),
    running: from === to ? t("today") : daysLeft === 1 ? t("the last day") : t("{n} day left|{n} days left", { n: daysLeft }),
    settling: t("over; steps that arrive late still count"), closed: t("over") }[state];
  return t("{name}: {text}", { name: dates, text: left });
}

/** Where one is, in words: "2,100 behind Ann". */
function standing(board) {
  const own = board.findIndex((line) => line.you);
  if (own < 0 || board.length < 2) return "";
  const { steps: mine } = board[own];
  const equal = board.filter((line) => !line.you && line.steps === mine);
  if (equal.length === 1) return t("You and {name} have as many.", { name: clean(equal[0].name) });
  if (equal.length > 1) return t("You and {count} others have as many.", { count: equal.length });
  const [ahead, behind] = [board[own - 1], board[own + 1]];
  const away = (ahead ?? behind).steps - mine;
  const name = clean((ahead ?? behind).name);
  return ahead ? t("You are {count} behind {name}.", { count: away, name }) : t("You lead, {count} ahead of {name}.", { count: -away, name });
}

function made(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Names in any direction of writing, each with a bar of its steps. */
function boardOf(lines, most) {
  const list = made("ol", "bars");
  for (const line of lines) {
    const entry = made("li", line.you ? "you" : "");
    const name = made("bdi", "name", line.you ? (line.name === "Owner" ? t("You") : t("{name} (you)", { name: clean(line.name) })) : clean(line.name));
    entry.append(made("span", "rank", String(line.rank)), name, made("span", "count", whole.format(line.steps)));
    const bar = made("span", "bar");
    bar.style.width = `${most > 0 ? Math.max(1, (100 * line.steps) / most) : 0}%`;
    if (line.team) bar.dataset.colour = [...line.team].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 4;
    entry.append(bar);
    const team = line.team === line.name ? null : line.team;
    if (team || line.reached) entry.append(made("bdi", "small", [team && clean(team), line.reached && t("✓ goal reached")].filter(Boolean).join(", ")));
    list.append(entry);
  }
  return list;
}

/** The address of the service for others; empty if only this computer can reach it. */
let base = isOwn(location.hostname) ? "" : location.origin;

/** The link of a challenge, or how to get one that others can open. */
function invitation(path) {
  if (!base) {
    const note = made("p", "note", `${t("Others cannot reach this computer yet.")} `);
    const way = made("a", "", t("Get an address for their phones"));
    way.href = "#/devices/phone";
    note.append(way);
    return note;
  }
  const row = made("p", "command");
  const code = made("code", "", base + path);
  const button = made("button", "", t("Copy"));
  button.type = "button";
  button.addEventListener("click", () => copy(code.textContent, button));
  row.append(code, " ", button);
  return row;
}

function show(challenge) {
  const part = made("article", "challenge");
  part.dataset.id = challenge.id;
  part.append(made("h3", "", clean(challenge.name)), made("p", "note", time(challenge.period)));
  const place = standing(challenge.board);
  if (place) part.append(made("p", "lead", place));
  if (challenge.board.length > 0) part.append(boardOf(challenge.board, Math.max(...challenge.board.map((line) => line.steps))));
  else part.append(made("p", "note", t("No one takes part yet. Send the link below.")));
  if (challenge.teamBoard.length > 0) {
    part.append(made("h4", "", t("Teams, by steps per member")), boardOf(challenge.teamBoard.map((team) => ({
      rank: team.rank, name: team.name, steps: team.average, team: team.name,
    })), Math.max(...challenge.teamBoard.map((team) => team.average))));
  }
  const [last] = challenge.past;
  if (last && last.winners.length > 0) {
    const names = new Intl.ListFormat(words).format(last.winners.map(clean));
    part.append(made("p", "note", t("Last time {names} won with {steps}.", { names, steps: steps(last.steps) })));
  }
  if (challenge.invitation) {
    if (base) part.append(made("p", "note", t("Send this link. A phone that is new here asks you under Devices.")));
    part.append(invitation(challenge.invitation));
  }
  const row = made("p", "row");
  const link = made("a", "", t("The whole leader board"));
  link.href = "/challenge";
  row.append(link);
  part.append(row);
  return part;
}

async function load() {
  $("people-error").textContent = "";
  try {
    const [me, list] = await Promise.all(["/api/walker", "/api/challenges"].map(async (path) => (await ask(path)).json()));
    base = await phoneAddress();
    $("new-button").textContent = base && navigator.clipboard ? t("Start and copy link") : t("Start");
    $("new-part").hidden = me.role !== "owner";
    $("own-name-form").hidden = me.role !== "owner";
    if (document.activeElement !== $("own-name")) $("own-name").value = me.name === "Owner" ? "" : clean(me.name);
    const boards = await Promise.all(list.map(async (each) => ({ ...each, ...(await (await ask(`/api/challenge?${query({ id: each.id })}`)).json()) })));
    $("challenges").replaceChildren(...boards.map(show));
    $("people-note").textContent = list.length > 0 ? ""
      : me.role === "owner" ? t("Start a challenge and send the link. They join from their phones.")
        : t("You are in no challenge yet. Ask for the link of one.");
  } catch (error) { $("people-error").textContent = error.message; }
}

onSubmit($("own-name-form"), $("own-name-error"), async () => {
  await ask("/api/walker", "PUT", { name: $("own-name").value.trim() });
  $("own-name").blur();
  await load();
});

onSubmit($("new-form"), $("new-error"), async () => {
  const length = $("new-length").value;
  const plan = { name: $("new-name").value.trim(), teams: $("new-teams").checked, show: $("new-days").checked ? "days" : "totals" };
  if (["week", "day"].includes(length)) plan.every = length; else plan.days = Number(length);
  if ($("new-goal").value) plan.goal = $("new-goal").valueAsNumber;
  const made = await (await ask("/api/challenges", "POST", plan)).json();
  $("new-form").reset();
  await load();
  $("challenges").lastElementChild?.scrollIntoView();
  const link = [...$("challenges").children].find((each) => each.dataset.id === made.id)?.querySelector(".command");
  if (link && navigator.clipboard) await copy(link.querySelector("code").textContent, link.querySelector("button"));
});

$("new-name").placeholder = t("Steps in {month}", { month: new Intl.DateTimeFormat(words, { month: "long" }).format() });

let timer = null;
onView("people", () => {
  load();
  clearInterval(timer);
  timer = setInterval(() => { if (document.body.dataset.view === "people" && !document.hidden) load(); }, 30_000);
});
