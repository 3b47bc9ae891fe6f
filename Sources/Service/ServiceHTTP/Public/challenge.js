// Challenges: the leader board, the walker's own steps, and invitations.
import { parts, t, whole, words } from "/texts.js";
import { $, ask, choice, clean, enter, fragment, lock, onSubmit, pause, query, Refusal } from "/common.js";

/** `wanted` is the challenge of the link, which is shown as soon as the walker may see it. */
const view = { id: "", wanted: "", code: "", role: "", isOn: false };
/** The code that lets this phone in once the owner agrees, and that of the link: the page may be opened again meanwhile. */
const asked = choice("asked", "");

// MARK: text

/** Dates are the service's; noon of UTC is the same date nearly everywhere, and the format uses UTC. */
const format = (fields) => new Intl.DateTimeFormat(words, { ...fields, timeZone: "UTC" });
const dayFormat = format({ day: "numeric", month: "long" });
const shortDay = format({ weekday: "short", day: "numeric" });
const date = (text) => new Date(`${text}T12:00:00Z`);
const day = (text) => dayFormat.format(date(text));
const span = (from, to) => (from === to ? day(from) : t("{from} to {to}", { from: day(from), to: day(to) }));

function time(challenge) {
  if (!challenge.every) return span(challenge.from, challenge.to);
  const fields = { from: day(challenge.from), to: challenge.to && day(challenge.to) };
  if (challenge.every === "day") return challenge.to ? t("Every day from {from} to {to}", fields) : t("Every day from {from}", fields);
  return challenge.to ? t("Every week from {from} to {to}", fields) : t("Every week from {from}", fields);
}

const states = {
  upcoming: (n) => (n === 1 ? t("begins tomorrow") : t("begins in {n} day|begins in {n} days", { n })),
  running: (n, length) => (length === 1 ? t("today") : n === 1 ? t("the last day") : t("{n} day left|{n} days left", { n })),
  settling: () => t("over; steps that arrive late still count"),
  closed: () => t("over"),
};

function cell(kind, text, name = "") {
  const cell = document.createElement(kind);
  if (kind === "th") cell.scope = "col";
  // On a phone a row is a grid, and would no longer be one for screen readers.
  cell.setAttribute("role", kind === "th" ? "columnheader" : "cell");
  if (name) cell.className = name;
  const content = document.createElement("bdi");
  content.textContent = clean(String(text));
  cell.append(content);
  return cell;
}

/** Names in any direction of writing, with commas. */
function names(all) {
  return all.flatMap((name, index) => {
    const one = document.createElement("bdi");
    one.textContent = clean(name);
    return index === 0 ? [one] : [", ", one];
  });
}

const steps = (n) => t("{n} step|{n} steps", { n });

/** A second line of a cell. */
function small(text) {
  const line = document.createElement("bdi");
  line.className = "small";
  line.textContent = clean(text);
  return line;
}

function row(cells) {
  const row = document.createElement("tr");
  row.setAttribute("role", "row");
  row.append(...cells);
  return row;
}

// MARK: the board

function showBoard(told) {
  $("board-title").textContent = clean(told.name);
  const { period } = told;
  const length = Math.round((date(period.to) - date(period.from)) / 86_400_000) + 1;
  $("state").textContent = t("{name}: {text}", {
    name: span(period.from, period.to), text: (states[period.state] ?? (() => ""))(period.daysLeft, length),
  });
  const hasDays = told.show === "days" && length > 1;
  const dates = hasDays
    ? Array.from({ length }, (_, index) => new Date(date(period.from).getTime() + index * 86_400_000)) : [];
  // What stands above each number on a phone.
  const mark = format(length > 7 ? { day: "numeric" } : { weekday: "short" });
  const isToCome = (index) => period.state === "upcoming" || (period.state === "running" && index > length - period.daysLeft);
  const hasRows = told.board.length > 0;
  $("frame").hidden = !hasRows;
  $("ranks").querySelector("thead").replaceChildren(row([
    cell("th", t("Rank")), cell("th", t("Walker")), cell("th", t("Steps"), "number"),
    ...dates.map((each) => cell("th", shortDay.format(each), "number")),
  ]));
  $("ranks").querySelector("tbody").replaceChildren(...told.board.map((line) => {
    const name = cell("td", line.you ? t("{name} (you)", { name: line.name }) : line.name, "name");
    if (line.reached) {
      const reached = document.createElement("span");
      reached.className = "good";
      reached.textContent = ` ${t("✓ goal")}`;
      name.append(reached);
    }
    if (line.team) name.append(small(line.team));
    const each = row([
      cell("td", line.rank), name, cell("td", whole.format(line.steps), "number"),
      ...(hasDays ? line.days.map((count, index) => {
        const each = cell("td", isToCome(index) ? "" : whole.format(count), "number of-day");
        each.dataset.day = mark.format(dates[index]);
        return each;
      }) : []),
    ]);
    if (line.you) each.className = "you";
    return each;
  }));
  $("team-frame").hidden = told.teamBoard.length === 0;
  $("team-ranks").querySelector("tbody").replaceChildren(...told.teamBoard.map((team) => {
    const name = cell("td", team.name, "name");
    name.append(small(`${t("{n} member|{n} members", { n: team.members })}, ${steps(team.steps)}`));
    return row([cell("td", team.rank), name, cell("td", whole.format(team.average), "number")]);
  }));
  $("past-part").hidden = told.past.length === 0;
  $("past").replaceChildren(...told.past.map((former) => {
    const item = document.createElement("li");
    const period = span(former.from, former.to);
    item.append(...parts("{name}: {text}", {
      name: former.final ? period : t("{period}, steps still arrive", { period }),
      text: former.winners.length === 0 ? t("no steps") : parts("{names} with {steps}", { names: names(former.winners), steps: steps(former.steps) }),
    }));
    if (former.winningTeams.length > 0) item.append("; ", ...parts("team {names}", { names: names(former.winningTeams) }));
    return item;
  }));
  const goal = told.goal ? t("The goal is {steps}.", { steps: steps(told.goal) }) : "";
  const shown = told.show === "days" ? t("Everyone who takes part sees the steps of each day.") : t("No one sees the steps of single days.");
  $("board-note").textContent = hasRows ? `${goal} ${shown}`.trim() : t("No one takes part yet.");
  $("leave").hidden = !told.takesPart;
}

async function refresh() {
  const me = await (await ask("/api/walker")).json();
  view.role = me.role;
  $("own-title").textContent = clean(t("{name}: your steps", { name: me.name }));
  // The owner's live page shows more, and the service counts with its own sensors.
  $("today").textContent = whole.format((await (await ask("/api/today")).json()).steps);
  const now = new Date();
  const from = new Date(now.getTime() - 6 * 86_400_000);
  from.setHours(0, 0, 0, 0);
  const week = await (await ask(`/api/history?${query({ from: from.toISOString(), to: now.toISOString(), bucket: "day" })}`)).json();
  $("week").textContent = whole.format(week.reduce((sum, each) => sum + each.steps, 0));
  const list = await (await ask("/api/challenges")).json();
  // A list may be older than the click on the button.
  if (list.some((each) => each.id === view.wanted)) [view.id, view.wanted] = [view.wanted, ""];
  if (!list.some((each) => each.id === view.id)) view.id = (list.find((each) => each.takesPart) ?? list[0])?.id ?? "";
  $("choice").hidden = list.length < 2;
  $("challenge").replaceChildren(...list.map((each) => new Option(clean(each.name), each.id, false, each.id === view.id)));
  if (view.id) {
    const told = await (await ask(`/api/challenge?${query({ id: view.id })}`)).json();
    // Another one may have been chosen meanwhile.
    if (told.id === view.id) showBoard(told);
  } else {
    $("board-title").textContent = t("Challenge");
    $("state").textContent = t("You are in no challenge yet. Ask for the link of one.");
    for (const id of ["frame", "team-frame", "past-part", "leave"]) $(id).hidden = true;
    $("board-note").textContent = "";
  }
  lock(false);
  tell("live", t("Live"));
}

function tell(state, text) {
  $("connection").dataset.state = state;
  if ($("connection").textContent !== text) $("connection").textContent = text;
}

/** Boards change slowly, so they are read twice a minute, while the page is visible. */
async function follow() {
  if (view.isOn) return;
  view.isOn = true;
  for (;;) {
    if (document.visibilityState === "visible") {
      try { await refresh(); } catch (error) {
        if (error instanceof Refusal && [401, 403].includes(error.status)) break;
        tell("lost", error instanceof Refusal ? error.message : t("No connection; reconnecting"));
      }
    }
    await pause($("connection").dataset.state === "live" ? 30_000 : 3_000);
  }
  view.isOn = false;
}

// MARK: invitations

async function showInvitation() {
  if (!view.code) return;
  try {
    const told = await (await ask("/api/challenge/invitation", "POST", { code: view.code })).json();
    [view.wanted, asked.value] = [told.id, ""];
    if (told.takesPart) return;
    $("invitation-title").textContent = clean(t("Invitation to {name}", { name: told.name }));
    $("invitation-text").textContent = told.teams ? t("{time}, with teams.", { time: time(told) }) : `${time(told)}.`;
    $("invitation-shows").textContent = told.show === "days"
      ? t("If you take part, the others see your name and your steps of each day, from the start of this period.")
      : t("If you take part, the others see your name and the sum of your steps, from the start of this period.");
    $("invitation").hidden = false;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) $("board-error").textContent = error.message;
    else if (asked.value) awaitAnswer();
    else showRequest();
  }
}

// MARK: a phone that is new here

/** With the link of a challenge, a phone may ask the owner to be let in. */
function showRequest() {
  $("login-note").textContent = t("This phone is new here. Ask the person who sent you the link.");
  $("ask-form").hidden = false;
  $("login-state").textContent = "";
}

onSubmit($("ask-form"), $("login-error"), async () => {
  const { code } = await (await ask("/api/requests", "POST", { code: view.code, name: $("ask-name").value.trim() })).json();
  asked.value = `${code} ${view.code}`;
  awaitAnswer();
});

/** Goes on by itself when the owner has answered. */
async function awaitAnswer() {
  $("login-note").textContent = "";
  $("ask-form").hidden = true;
  $("login-state").textContent = t("You have asked. This page goes on when you are let in, which the owner does under Devices.");
  for (;;) {
    try {
      if ((await ask("/api/session", "POST", { code: asked.value.split(" ")[0] })).status !== 202) break;
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) {
        asked.value = "";
        showRequest();
        $("login-error").textContent = t("You were not let in. You may ask again.");
        return;
      }
    }
    await pause(3000);
  }
  lock(false);
  begin();
}

onSubmit($("join-form"), $("join-error"), async () => {
  view.wanted = (await (await ask("/api/challenge/join", "POST", { code: view.code })).json()).id;
  $("invitation").hidden = true;
  view.code = "";
  await refresh();
});
$("decline").addEventListener("click", () => { $("invitation").hidden = true; view.wanted = ""; });

$("leave").addEventListener("click", async () => {
  if (!confirm(t("Leave this challenge? The others no longer see your steps."))) return;
  try {
    await ask("/api/challenge/leave", "POST", { id: view.id });
    view.id = "";
    await refresh();
  } catch (error) { $("board-error").textContent = error.message; }
});

$("challenge").addEventListener("change", async () => {
  view.id = $("challenge").value;
  $("board-error").textContent = "";
  try { await refresh(); } catch (error) { $("board-error").textContent = error.message; }
});

// MARK: the start

async function begin() {
  await showInvitation();
  follow();
}

onSubmit($("login-form"), $("login-error"), async () => {
  await ask("/api/session", "POST", { token: $("token").value.trim() });
  $("token").value = "";
  lock(false);
  begin();
});

async function start() {
  const { token, join, code } = fragment();
  view.code = join ?? asked.value.split(" ")[1] ?? "";
  if (token || code) {
    try { await enter({ token, code }); } catch (error) {
      lock(true);
      $("login-error").textContent = error instanceof Refusal ? t("This link is no longer valid. Ask for a new one.") : t("Cannot reach the pedometer.");
      return;
    }
  }
  begin();
}

// A second link in the same tab changes only the fragment.
window.addEventListener("hashchange", start);
start();
