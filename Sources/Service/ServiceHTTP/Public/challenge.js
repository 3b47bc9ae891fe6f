// Challenges: the leader board, the walker's own steps, and invitations.
import { $, ask, clean, enter, fragment, lock, onSubmit, pause, query, Refusal, whole, words } from "/common.js";

const view = { id: "", code: "", role: "", isOn: false };

// MARK: text

/** Dates are the service's; noon of UTC is the same date nearly everywhere, and the format uses UTC. */
const dayFormat = new Intl.DateTimeFormat(words, { day: "numeric", month: "long", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat(words, { weekday: "short", day: "numeric", timeZone: "UTC" });
const date = (text) => new Date(`${text}T12:00:00Z`);
const day = (text) => dayFormat.format(date(text));
const span = (from, to) => (from === to ? day(from) : `${day(from)} to ${day(to)}`);
const days = (count) => (count === 1 ? "1 day" : `${whole.format(count)} days`);

function time(challenge) {
  if (challenge.every) {
    const end = challenge.to ? ` to ${day(challenge.to)}` : "";
    return `Every ${challenge.every} from ${day(challenge.from)}${end}`;
  }
  return span(challenge.from, challenge.to);
}

const states = {
  upcoming: (left) => (left === 1 ? "begins tomorrow" : `begins in ${days(left)}`),
  running: (left, length) => (length === 1 ? "today" : left === 1 ? "the last day" : `${days(left)} left`),
  settling: () => "ended; steps that arrive late still count",
  closed: () => "ended",
};

function cell(kind, text, name = "") {
  const cell = document.createElement(kind);
  if (kind === "th") cell.scope = "col";
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

/** A second line of a cell. */
function small(text) {
  const line = document.createElement("bdi");
  line.className = "small";
  line.textContent = clean(text);
  return line;
}

function row(cells) {
  const row = document.createElement("tr");
  row.append(...cells);
  return row;
}

// MARK: the board

function showBoard(told) {
  $("board-title").textContent = clean(told.name);
  const { period } = told;
  const length = Math.round((date(period.to) - date(period.from)) / 86_400_000) + 1;
  $("state").textContent = `${span(period.from, period.to)}: ${(states[period.state] ?? (() => ""))(period.daysLeft, length)}`;
  const hasDays = told.show === "days" && length > 1;
  const dates = hasDays
    ? Array.from({ length }, (_, index) => new Date(date(period.from).getTime() + index * 86_400_000)) : [];
  const isToCome = (index) => period.state === "upcoming" || (period.state === "running" && index > length - period.daysLeft);
  const hasRows = told.board.length > 0;
  $("frame").hidden = !hasRows;
  $("ranks").querySelector("thead").replaceChildren(row([
    cell("th", "Rank"), cell("th", "Walker"), cell("th", "Steps", "number"),
    ...dates.map((each) => cell("th", shortDay.format(each), "number")),
  ]));
  $("ranks").querySelector("tbody").replaceChildren(...told.board.map((line) => {
    const name = cell("td", line.you ? `${line.name} (you)` : line.name, "name");
    if (line.reached) {
      const mark = document.createElement("span");
      mark.className = "good";
      mark.textContent = " ✓ goal";
      name.append(mark);
    }
    if (line.team) name.append(small(line.team));
    const each = row([
      cell("td", line.rank), name, cell("td", whole.format(line.steps), "number"),
      ...(hasDays ? line.days.map((steps, index) => cell("td", isToCome(index) ? "" : whole.format(steps), "number")) : []),
    ]);
    if (line.you) each.className = "you";
    return each;
  }));
  $("team-frame").hidden = told.teamBoard.length === 0;
  $("team-ranks").querySelector("tbody").replaceChildren(...told.teamBoard.map((team) => {
    const name = cell("td", team.name, "name");
    const members = team.members === 1 ? "1 member" : `${whole.format(team.members)} members`;
    name.append(small(`${members}, ${whole.format(team.steps)} steps`));
    return row([cell("td", team.rank), name, cell("td", whole.format(team.average), "number")]);
  }));
  $("past-part").hidden = told.past.length === 0;
  $("past").replaceChildren(...told.past.map((former) => {
    const item = document.createElement("li");
    item.append(`${span(former.from, former.to)}${former.final ? "" : ", steps still arrive"}: `);
    if (former.winners.length === 0) item.append("no steps");
    else item.append(...names(former.winners), ` with ${whole.format(former.steps)} steps`);
    if (former.winningTeams.length > 0) item.append("; team ", ...names(former.winningTeams));
    return item;
  }));
  const goal = told.goal ? `The goal is ${whole.format(told.goal)} steps. ` : "";
  const shown = told.show === "days" ? "Everyone who takes part sees the steps of each day." : "No one sees the steps of single days.";
  $("board-note").textContent = hasRows ? goal + shown : "No one takes part yet.";
  $("leave").hidden = !told.takesPart;
}

async function refresh() {
  const me = await (await ask("/api/walker")).json();
  view.role = me.role;
  $("own-title").textContent = clean(`${me.name}: your steps`);
  // The owner's live page shows more, and the service counts with its own sensors.
  const { steps } = await (await ask("/api/today")).json();
  $("today").textContent = whole.format(steps);
  const now = new Date();
  const from = new Date(now.getTime() - 6 * 86_400_000);
  from.setHours(0, 0, 0, 0);
  const week = await (await ask(`/api/history?${query({ from: from.toISOString(), to: now.toISOString(), bucket: "day" })}`)).json();
  $("week").textContent = whole.format(week.reduce((sum, each) => sum + each.steps, 0));
  const list = await (await ask("/api/challenges")).json();
  if (!list.some((each) => each.id === view.id)) view.id = (list.find((each) => each.takesPart) ?? list[0])?.id ?? "";
  $("choice").hidden = list.length < 2;
  $("challenge").replaceChildren(...list.map((each) => new Option(clean(each.name), each.id, false, each.id === view.id)));
  if (view.id) {
    const told = await (await ask(`/api/challenge?${query({ id: view.id })}`)).json();
    // Another one may have been chosen meanwhile.
    if (told.id === view.id) showBoard(told);
  } else {
    $("board-title").textContent = "Challenge";
    $("state").textContent = "You are in no challenge yet. Ask for the link of one.";
    for (const id of ["frame", "team-frame", "past-part", "leave"]) $(id).hidden = true;
    $("board-note").textContent = "";
  }
  lock(false);
  tell("live", "Live");
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
        tell("lost", error instanceof Refusal ? error.message : "No connection; reconnecting");
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
    view.id = told.id;
    if (told.takesPart) return;
    $("invitation-title").textContent = clean(`Invitation to ${told.name}`);
    $("invitation-text").textContent = `${time(told)}${told.teams ? ", with teams" : ""}.`;
    $("invitation-shows").textContent = told.show === "days"
      ? "If you take part, the others see your name and your steps of each day, from the start of this period."
      : "If you take part, the others see your name and the sum of your steps, from the start of this period.";
    $("invitation").hidden = false;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) $("board-error").textContent = error.message;
  }
}

onSubmit($("join-form"), $("join-error"), async () => {
  await ask("/api/challenge/join", "POST", { code: view.code });
  $("invitation").hidden = true;
  view.code = "";
  await refresh();
});
$("decline").addEventListener("click", () => { $("invitation").hidden = true; });

$("leave").addEventListener("click", async () => {
  if (!confirm("Leave this challenge? The others no longer see your steps.")) return;
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
  view.code = join ?? "";
  if (token || code) {
    try { await enter({ token, code }); } catch (error) {
      lock(true);
      $("login-error").textContent = error instanceof Refusal ? "This link is no longer valid. Ask for a new one." : "Cannot reach the pedometer.";
      return;
    }
  }
  begin();
}

// A second link in the same tab changes only the fragment.
window.addEventListener("hashchange", start);
start();
