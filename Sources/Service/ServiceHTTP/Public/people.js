// People: the challenges of this pedometer, who is where, and a new one.
import { $, ask, isOwn, onSubmit, phoneAddress, whole, clean, copy, query, words } from "/common.js";
import { onView } from "/views.js";
import { plural, steps } from "/days.js";

const dayFormat = new Intl.DateTimeFormat(words, { day: "numeric", month: "long", timeZone: "UTC" });
const day = (text) => dayFormat.format(new Date(`${text}T12:00:00Z`));

function time({ from, to, state, daysLeft }) {
  const dates = from === to ? day(from) : `${day(from)} to ${day(to)}`;
  const left = { upcoming: daysLeft === 1 ? "begins tomorrow" : `begins in ${plural(daysLeft, "day", "days")}`,
    running: from === to ? "today" : daysLeft === 1 ? "the last day" : `${plural(daysLeft, "day", "days")} left`,
    settling: "over; steps that arrive late still count", closed: "over" }[state];
  return `${dates}: ${left}`;
}

/** Where one is, in words: "2,100 behind Ann". */
function standing(board) {
  const own = board.findIndex((line) => line.you);
  if (own < 0 || board.length < 2) return "";
  const { steps: mine } = board[own];
  const equal = board.filter((line) => !line.you && line.steps === mine);
  if (equal.length > 0) return `You and ${equal.length === 1 ? clean(equal[0].name) : plural(equal.length, "other", "others")} have as many.`;
  const [ahead, behind] = [board[own - 1], board[own + 1]];
  return ahead ? `You are ${whole.format(ahead.steps - mine)} behind ${clean(ahead.name)}.`
    : `You lead, ${whole.format(mine - behind.steps)} ahead of ${clean(behind.name)}.`;
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
    const name = made("bdi", "name", line.you ? (line.name === "Owner" ? "You" : `${clean(line.name)} (you)`) : clean(line.name));
    entry.append(made("span", "rank", String(line.rank)), name, made("span", "count", whole.format(line.steps)));
    const bar = made("span", "bar");
    bar.style.width = `${most > 0 ? Math.max(1, (100 * line.steps) / most) : 0}%`;
    if (line.team) bar.dataset.colour = [...line.team].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 4;
    entry.append(bar);
    const team = line.team === line.name ? null : line.team;
    if (team || line.reached) entry.append(made("bdi", "small", [team && clean(team), line.reached && "✓ goal reached"].filter(Boolean).join(", ")));
    list.append(entry);
  }
  return list;
}

/** The address of the service for others; empty if only this computer can reach it. */
let base = isOwn(location.hostname) ? "" : location.origin;

/** The link of a challenge, or how to get one that others can open. */
function invitation(path) {
  if (!base) {
    const note = made("p", "note", "Others cannot reach this computer yet. ");
    const way = made("a", "", "Get an address for their phones");
    way.href = "#/devices/phone";
    note.append(way);
    return note;
  }
  const row = made("p", "command");
  const code = made("code", "", base + path);
  const button = made("button", "", "Copy");
  button.type = "button";
  button.addEventListener("click", () => copy(code.textContent, button));
  row.append(code, " ", button);
  return row;
}

function show(challenge) {
  const part = made("article", "challenge");
  part.dataset.id = challenge.id;
  part.append(made("h3", "", clean(challenge.name)), made("p", "note", time(challenge.period)));
  const words = standing(challenge.board);
  if (words) part.append(made("p", "lead", words));
  if (challenge.board.length > 0) part.append(boardOf(challenge.board, Math.max(...challenge.board.map((line) => line.steps))));
  else part.append(made("p", "note", "No one takes part yet. Send the link below."));
  if (challenge.teamBoard.length > 0) {
    part.append(made("h4", "", "Teams, by steps per member"), boardOf(challenge.teamBoard.map((team) => ({
      rank: team.rank, name: team.name, steps: team.average, team: team.name,
    })), Math.max(...challenge.teamBoard.map((team) => team.average))));
  }
  const [last] = challenge.past;
  if (last && last.winners.length > 0) part.append(made("p", "note", `Last time ${last.winners.map(clean).join(" and ")} won with ${steps(last.steps)}.`));
  if (challenge.invitation) {
    if (base) part.append(made("p", "note", "Whoever opens this link on a phone takes part:"));
    part.append(invitation(challenge.invitation));
  }
  const row = made("p", "row");
  const link = made("a", "", "The whole leader board");
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
    $("new-button").textContent = base && navigator.clipboard ? "Start and copy link" : "Start";
    $("new-part").hidden = me.role !== "owner";
    $("own-name-form").hidden = me.role !== "owner";
    if (document.activeElement !== $("own-name")) $("own-name").value = me.name === "Owner" ? "" : clean(me.name);
    const boards = await Promise.all(list.map(async (each) => ({ ...each, ...(await (await ask(`/api/challenge?${query({ id: each.id })}`)).json()) })));
    $("challenges").replaceChildren(...boards.map(show));
    $("people-note").textContent = list.length > 0 ? ""
      : me.role === "owner" ? "Start a challenge and send the link. They join from their phones."
        : "You are in no challenge yet. Ask for the link of one.";
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

$("new-name").placeholder = `Steps in ${new Intl.DateTimeFormat(words, { month: "long" }).format()}`;

let timer = null;
onView("people", () => {
  load();
  clearInterval(timer);
  timer = setInterval(() => { if (document.body.dataset.view === "people" && !document.hidden) load(); }, 30_000);
});
