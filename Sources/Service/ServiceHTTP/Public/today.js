// Today: the ring, the hours, the walks, and what the sensor feels.
import { parts, t, whole } from "/texts.js";
import { $, ask, atMostEvery, clean, notify, onBeat, onSubmit, distance, write } from "/common.js";
import { draw, Trace } from "/charts.js";
import {
  known, changed, onChange, clockHour, loadBuckets, loadDays, loadAllDays, addToHour, growth, sum, mean, streak, reaches, minutes, usualCourse,
  usualDay, enough, steps, sentence, settled, brisk, activeHours, floorsText, shortDay, hourFormat, hourOf, timeOf, plus, datesFrom, hasData, weekday,
  weekdayName,
} from "/days.js";
import { onView, view } from "/views.js";
import { answerWalk, deleteWalk, kinds, loadDoubts, made, none as isNone, showDoubts, walksOf } from "/doubts.js";

// MARK: the ring

/** Takes the figures of the day so far. Returns whether hours and days must be asked for again. */
export function take(told) {
  const [figures, before] = [settled(told), known.today];
  known.today = figures;
  if (before === null || before.date !== figures.date || clockHour() !== known.loadedIn) {
    onBeat("today", show);
    return before !== null;
  }
  // An answer changes other hours, too.
  const byAnswers = ({ steps: count, counted = count }) => count - counted;
  if (byAnswers(figures) !== byAnswers(before)) return true;
  addToHour(growth(figures, before));
  onBeat("today", () => { show(); changed(); });
  if (view.name === "today" && performance.now() - walked.loaded > 20_000) loadWalks().catch(() => {});
  return false;
}

/** Says that the goal is reached, and celebrates it once. */
function cheer(isReached, isLive, date) {
  let isNew = false;
  if (isReached) {
    try {
      isNew = isLive && localStorage.getItem("celebrated") !== date;
      localStorage.setItem("celebrated", date);
    } catch { isNew = isLive; }
  }
  write($("cheer"), !isReached ? "" : isNew ? t("✓ Your goal is reached. Well walked!") : $("cheer").textContent || t("✓ Your goal is reached."));
  if (!isNew) return;
  $("today").classList.add("celebrating");
  notify(t("✓ Your goal is reached. Well walked!"));
}
$("today").addEventListener("animationend", (event) => {
  if (event.animationName === "sparks") $("today").classList.remove("celebrating");
});

// The title of a tab costs as much as a picture of the page.
const showTitle = atMostEvery(5000, () => { document.title = isWaiting() ? "Pedometer" : `${steps(known.today.steps)} – Pedometer`; });

/** Without a sensor and without a step, there is nothing to tell of today. */
const isWaiting = () => document.body.classList.contains("sensorless") && known.today.steps === 0;

/** What was shown last, to see when the goal is reached. */
let former = null;

function show() {
  const { today } = known;
  const before = former?.date === today.date ? former : null;
  former = today;
  const waits = isWaiting();
  $("today").classList.toggle("waiting", waits);
  const figure = waits ? "–" : whole.format(today.steps);
  if ($("steps").textContent.length !== figure.length) $("steps").style.setProperty("--digits", figure.length);
  write($("steps"), figure);
  write($("distance"), distance(today.distanceTravelled));
  write($("active"), minutes(today.activeTime));
  // Without a barometer nothing is said of floors.
  $("floors-figure").toggleAttribute("hidden", today.floorsAscended === undefined);
  write($("floors"), floorsText(today) ?? "");
  write($("counted"), today.counted === undefined ? "" : t("With your answers; the sensors counted {steps}.", { steps: steps(today.counted) }));
  write($("today-title"), t("Today · {day}", { day: shortDay(today.date) }));
  const { goal } = today;
  $("today").classList.toggle("goalless", !goal);
  $("goals").hidden = Boolean(goal) || waits;
  // Without a goal, an ordinary day is what there is to compare with; on the first days the ring is empty.
  const ordinary = goal ? null : usualDay();
  const aim = goal ?? ordinary;
  const share = aim && !waits ? Math.min(100, (100 * today.steps) / aim) : 0;
  const of = goal ? t("of {n} step|of {n} steps", { n: goal }) : ordinary !== null ? t("of your usual {count}", { count: ordinary })
    : t("step|steps", { n: today.steps });
  write($("ring-goal"), waits ? t("Not counting") : of);
  const ring = document.querySelector(".ring-value");
  // A step moves the ring by less than anyone sees.
  const to = Math.floor(4 * share) / 4;
  // An animation has sixty pictures a second.
  ring.style.transition = Math.abs(to - (Number.parseFloat(ring.style.strokeDasharray) || 0)) < 2 ? "none" : "";
  ring.style.strokeDasharray = `${to} 100`;
  ring.toggleAttribute("data-empty", share === 0);
  const isReached = Boolean(goal) && today.steps >= goal;
  document.querySelector(".ring").classList.toggle("reached", isReached);
  $("ring").setAttribute("aria-label", waits ? t("Not counting") : !aim ? steps(today.steps)
    : t("{steps} {aim}, {share} percent", { steps: figure, aim: of, share: Math.floor((100 * today.steps) / aim) }));
  cheer(isReached, before !== null && goal && before.steps < goal, today.date);
  showTitle();
}

/** Shows the figures again, for instance in other units. */
export const showAgain = () => { if (known.today) show(); };

/** How long a cadence stays without a newer one, in milliseconds: steps arrive some seconds late. */
const cadenceStays = 5000;
let standing = null;

/** The cadence of who walks; nothing is said of it otherwise. */
export function showCadence(stepsPerSecond) {
  if (stepsPerSecond) {
    clearTimeout(standing);
    standing = null;
    onBeat("cadence", () => {
      write($("cadence"), whole.format(Math.round(stepsPerSecond * 60)));
      $("cadence-figure").hidden = false;
    });
  }
  standing ??= setTimeout(() => { onBeat("cadence", () => { $("cadence-figure").hidden = true; }); }, cadenceStays);
}

async function setGoal(goal) {
  take(await (await ask("/api/goal", "PUT", goal)).json());
  // The bars and rings of this day have another goal.
  await loadDays(known.today.date, known.today.date);
  changed();
}

/** A field for each weekday, from Monday; an empty one has the goal of the other days. */
// 2026-11-23 is a Monday.
const fields = datesFrom("2026-11-23", "2026-11-29").map((date) => {
  const { min, max, step, type, inputMode } = $("goal");
  const field = made("input", { min, max, step, type, inputMode, ariaLabel: weekdayName(date) });
  $("weekdays").lastElementChild.append(made("label", {}, weekday(date), field));
  return field;
});
const showUsualGoal = () => { for (const field of fields) field.placeholder = $("goal").value; };
$("goal").addEventListener("input", showUsualGoal);

async function loadGoals() {
  const { goals } = await (await ask("/api/goal")).json();
  const count = (goal) => goals.filter((each) => each === goal).length;
  const usual = goals.reduce((best, goal) => (count(goal) > count(best) ? goal : best), goals[0]);
  $("goal").value = usual ?? "";
  fields.forEach((field, index) => { field.value = goals[index] === usual ? "" : goals[index]; });
  showUsualGoal();
  if (fields.some((field) => field.value)) $("weekdays").open = true;
}

onSubmit($("goal-form"), $("goal-error"), async () => {
  const usual = $("goal").valueAsNumber;
  await setGoal(fields.some((field) => field.value) ? { goals: fields.map((field) => (field.value ? field.valueAsNumber : usual)) } : { goal: usual });
  await loadGoals();
});
for (const button of document.querySelectorAll("[data-goal]")) {
  button.textContent = whole.format(button.dataset.goal);
  button.addEventListener("click", async () => {
    $("pick-error").textContent = "";
    try {
      await setGoal({ goal: Number(button.dataset.goal) });
      // The buttons are gone.
      $("today").focus({ preventScroll: true });
    } catch (error) { $("pick-error").textContent = error.message; }
  });
}
onView("settings", ([part]) => {
  loadGoals().catch((error) => { $("goal-error").textContent = error.message; });
  if (part === "goal") $("goal").focus();
});

// MARK: the history behind it

let loading = null;
/** Loads the hours, and the days that have changed or are not known; once at a time. */
export function loadHistory() {
  loading ??= loadNow().finally(() => { loading = null; });
  return loading;
}

async function loadNow() {
  const [told, upToNow] = await Promise.all([
    ask("/api/today").then((answer) => answer.json()).then(settled),
    ask("/api/history?bucket=hour").then((answer) => answer.json()).then((all) => all.map(settled)),
  ]);
  const hour = clockHour();
  await loadDays(known.first === null ? plus(told.date, -62) : plus(told.date, -1), told.date);
  // Everything changes at once, so that figures agree with each other at every moment.
  const { today } = known;
  // An answer may have taken steps away.
  const newest = today && today.date === told.date && today.steps > told.steps && today.counted === told.counted ? today : told;
  [known.hours, known.loadedIn, known.today] = [upToNow, hour, newest];
  show();
  // What was walked between the answers.
  addToHour(growth(newest, sum(known.hours)));
  const offset = known.days.get(told.date)?.start.slice(19) ?? "";
  const own = -new Date().getTimezoneOffset();
  const theirs = offset === "Z" ? 0 : (offset[0] === "-" ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6)));
  write($("zone"), offset && own !== theirs ? t("By the pedometer’s clock, at {zone}.", { zone: `UTC${offset === "Z" ? "" : offset}` }) : "");
  changed();
  await loadWalks();
  keep();
}

/** Keeps what is shown on this device, for when the service cannot be reached; a month of days are enough for every line of the view. */
function keep() {
  const { today, hours, loadedIn } = known;
  try {
    localStorage.setItem("day", JSON.stringify({
      today, hours, loadedIn, days: [...known.days].slice(-62), minutes: walked.minutes, at: Date.now(),
    }));
  } catch { /* no storage */ }
}

/** Shows what was kept, if nothing else is known. Returns when that was, or `null`. */
export function recall() {
  if (known.today) return null;
  try {
    const { days, minutes, at, ...rest } = JSON.parse(localStorage.getItem("day"));
    Object.assign(known, rest, { days: new Map(days) });
    Object.assign(walked, { date: rest.today.date, minutes, isKnown: true });
    show();
    changed();
    return at;
  } catch { return null; }
}

// MARK: hours

/** The 24 hours of a day, those to come without steps. */
export function hourBars(list, isToday, pace = null) {
  const bars = list.map((hour, index) => ({
    label: hourOf(hour.start), name: hourOf(hour.start), text: sentence(hour), steps: hour.steps,
    isNow: isToday && index === list.length - 1, isReached: pace !== null && hour.steps >= pace,
  }));
  const last = list[list.length - 1];
  if (isToday && last) {
    const start = Date.parse(`${last.start.slice(0, 19)}Z`);
    const first = Date.parse(`${list[0].start.slice(0, 19)}Z`);
    for (let time = start + 3_600_000; time < first + 86_400_000; time += 3_600_000) {
      bars.push({ label: hourFormat.format(time), steps: 0, isFuture: true });
    }
  }
  return bars;
}

/** Hours from seven in which the goal is to be walked. */
const wakingHours = 16;
export const hourlyPace = (goal) => (goal ? goal / wakingHours : null);

export function paceLine(list, goal) {
  if (!goal || list.length === 0) return [];
  const from = Math.max(0, 7 - Number(list[0].start.slice(11, 13)));
  return [{ name: t("Even pace to the goal: {count} an hour", { count: Math.round(goal / wakingHours) }), steps: goal / wakingHours, from, to: from + wakingHours }];
}

/** The steps an hour that reach a goal by eleven in the evening, counted by the minute. */
export function neededPace(left, start, now) {
  // The first hour of a day is by the service's clock; eleven in the evening is so many hours later.
  const first = Number(start.slice(11, 13));
  const hours = (Date.parse(start) - now) / 3_600_000 + 23 - first;
  const rest = Math.min(wakingHours, hours);
  return rest >= 0.5 ? Math.ceil(left / rest) : null;
}

function showPace() {
  const { today: { steps: walked, goal }, hours } = known;
  if (!goal) return write($("pace"), "");
  const pace = hours.length > 0 && walked < goal ? neededPace(goal - walked, hours[0].start, Date.now()) : null;
  const text = walked >= goal ? (walked > goal ? t("{steps} beyond your goal.", { steps: steps(walked - goal) }) : "")
    : pace === null ? t("{steps} to go.", { steps: steps(goal - walked) })
      : t("{steps} to go: {pace} an hour until {time}.", { steps: steps(goal - walked), pace, time: timeOf("2000-01-01T23:00:00") });
  write($("pace"), text);
}

function showStreak() {
  const { goal } = known.today;
  const row = streak();
  // All days that are known, and perhaps more.
  if (known.first !== null && row >= known.days.size - 1 && known.first > plus(known.today.date, -400)) loadAllDays().then(showStreak).catch(() => {});
  const average = mean(datesFrom(plus(known.today.date, -30), plus(known.today.date, -1)));
  const text = [
    row !== null && (row === 0 ? (known.days.size > 1 && hasData(plus(known.today.date, -1)) ? t("Reach the goal today to start a new streak.") : "")
      : row === 1 ? (reaches(known.today.date) ? t("The first day in a row at your goal.") : t("Yesterday you reached your goal."))
        : t("{n} day in a row at your goal.|{n} days in a row at your goal.", { n: row })),
    average !== null && (goal || usualDay() === null) && t("Your average of the last 30 days: {steps}.", { steps: steps(Math.round(average)) }),
  ].filter(Boolean).join(" ");
  write($("streak"), text);
}

const usual = { of: null, days: 0, course: null };

/** How much more or less was walked than on an average day of the last four weeks by this time. */
function showUsual() {
  const { today, hours } = known;
  // Another day, or other days: an import changes them.
  const of = `${today.date} ${mean(datesFrom(plus(today.date, -28), plus(today.date, -1)))}`;
  if (usual.of !== of) {
    Object.assign(usual, { of, days: 0, course: null });
    // A month of hours is asked for once a day.
    const kept = (() => { try { return JSON.parse(localStorage.getItem("usual")); } catch { return null; } })();
    if (kept?.of === of) Object.assign(usual, kept);
    else usualCourse(today.date).then((told) => {
      if (usual.of !== of || !told) return;
      Object.assign(usual, told);
      try { localStorage.setItem("usual", JSON.stringify(usual)); } catch { /* no storage */ }
      showUsual();
    }).catch(() => { usual.of = null; });
  }
  write($("usual"), usual.days >= enough && hours.length > 0 ? comparedWithUsual(usual.course, today.steps, (Date.now() - Date.parse(hours[0].start)) / 3_600_000) : "");
}

/** `hours` after the day began. Within an hour the average day walks evenly, so the number is a round one. */
export function comparedWithUsual(course, walked, hours) {
  const hour = Math.min(23, Math.floor(hours));
  const before = hour > 0 ? course[hour - 1] : 0;
  const byNow = before + (course[hour] - before) * Math.min(1, hours - hour);
  // In the small hours nothing is usual yet.
  if (byNow < 100) return "";
  const more = 10 * Math.round((walked - byNow) / 10);
  return Math.abs(more) < byNow / 20 ? t("About as many steps as usual by now.")
    : more > 0 ? t("About {count} more than usual by now.", { count: more }) : t("About {count} fewer than usual by now.", { count: -more });
}

function showHours() {
  const { today, hours } = known;
  // The figures may wait for the next beat; beside the hours they have the same steps.
  show();
  const waits = isWaiting();
  $("day").hidden = waits;
  $("day-note").hidden = !waits;
  const active = activeHours(hours);
  write($("active-hours"), active > 0 ? t("{name}: {text}", { name: t("Hours with 250 steps"), text: active }) : "");
  if (!waits) {
    draw($("day"), {
      caption: t("Steps by hour"), bars: hourBars(hours, true, hourlyPace(today.goal)), lines: paceLine(hours, today.goal), nowName: t("This hour so far"),
    });
  }
  showPace();
}
const showWords = () => { showStreak(); showUsual(); };
const showWordsSoon = atMostEvery(5000, () => { if (view.name === "today") showWords(); });
onChange(() => { if (view.name === "today" && !document.hidden) { showHours(); showWalksNow(); showWordsSoon(); } });
onView("today", () => { if (known.today && known.loadedIn !== null) { showHours(); showWalksNow(); showWords(); } });

// MARK: walks

const goesOn = (walk) => Date.now() - walk.end < 60_000;
const lasts = (walk) => minutes(Math.max(1, walk.activeTime));

/** What a walk's line says. */
const told = (walk) => [
  ["when", timeOf(walk.start)], ["length", goesOn(walk) ? t("{time}, now", { time: lasts(walk) }) : lasts(walk)], ["count", steps(walk.steps)],
  ["what", [walk.said?.name, walk.said && walk.said.answer !== "walk" && (kinds[walk.said.answer] ?? walk.said.answer)].filter(Boolean).map(clean).join(", ")],
  ["rate", walk.activeTime > 0 ? t("{count} steps/min", { count: Math.round((60 * walk.steps) / walk.activeTime) }) : ""],
];

/** Changes the lines of walks that are in place already. Returns whether that was enough. */
function renew(target, walks) {
  const entries = [...target.querySelectorAll("details:not(.more)")];
  if (walks.length === 0 || entries.length !== walks.length || entries.some((entry, index) => entry.dataset.start !== walks[index].start)) return false;
  walks.forEach((walk, index) => entries[index].take(walk));
  return true;
}

/** Shows walks as a list; each opens its minutes. */
export function showWalks(target, walks, none, done) {
  if (renew(target, walks)) return;
  // Nor is a name drawn over that someone is writing.
  const written = target.contains(document.activeElement) && document.activeElement.localName === "input"
    && document.activeElement.closest("details").dataset.start;
  if (written && walks.some(({ start }) => start === written)) return;
  const open = new Set([...target.querySelectorAll("details[open]")].map((each) => each.dataset.start));
  const focus = target.contains(document.activeElement) && document.activeElement.closest("details")?.dataset.start;
  if (walks.length === 0) {
    const note = document.createElement("p");
    [note.className, note.textContent] = ["note", none];
    target.replaceChildren(note);
    return;
  }
  const entries = walks.map((walk) => {
    const entry = document.createElement("details");
    let [now, isOn] = [walk, goesOn(walk)];
    entry.dataset.start = walk.start;
    entry.open = open.has(walk.start);
    const summary = document.createElement("summary");
    for (const [name, text] of told(walk)) {
      const part = document.createElement("span");
      [part.className, part.textContent] = [name, text];
      summary.append(part, " ");
    }
    const chart = document.createElement("div");
    chart.className = "chart";
    const labelled = (element, what) => {
      element.setAttribute("aria-label", `${what}, ${timeOf(walk.start)}`);
      return element;
    };
    const name = labelled(made("input", { maxLength: 40, placeholder: t("Name") }), t("Name"));
    const answers = Object.entries({ ...kinds, [isNone]: t("not a walk") });
    const kind = labelled(made("select", {}, ...answers.map(([answer, text]) => new Option(text, answer))), t("Kind"));
    const fill = () => {
      const { said } = now;
      if (document.activeElement !== name) name.value = said?.name ?? "";
      kind.value = said?.answer ?? "walk";
    };
    const error = made("p", { className: "error" });
    error.setAttribute("role", "alert");
    const say = async (work) => {
      error.textContent = "";
      try { await work(); await done(walk.start.slice(0, 10)); } catch (reason) { error.textContent = reason.message; }
    };
    const leaveOut = () => say(() => deleteWalk(now)).then(() => target.parentElement.querySelector(`[data-start="${Date.parse(walk.start)}"] button`)?.focus());
    // A walk without a name is what it was before.
    const tell = () => say(async () => {
      const isPlain = kind.value === "walk" && !name.value.trim();
      if (!isPlain || now.said) await answerWalk(isPlain ? now.said : now, isPlain ? null : kind.value, name.value.trim());
    });
    name.addEventListener("change", tell);
    kind.addEventListener("change", () => { if (kind.value === isNone) leaveOut(); else tell(); });
    const remove = labelled(made("button", { type: "button", textContent: t("Delete"), className: "quiet" }), t("Delete"));
    remove.addEventListener("click", leaveOut);
    entry.append(summary, chart, made("p", { className: "row edit" }, name, kind, remove, error));
    fill();
    const paint = () => {
      // One or two bars say no more than the line above them.
      chart.hidden = now.minutes.length < 3;
      if (!entry.open || chart.hidden) return;
      draw(chart, {
        caption: t("Steps by minute from {time}", { time: timeOf(walk.start) }),
        bars: now.minutes.map((minute) => ({ label: timeOf(minute.start), name: timeOf(minute.start), text: sentence(minute), steps: minute.steps })),
      });
    };
    entry.take = (later) => {
      const isSame = later.steps === now.steps && later.activeTime === now.activeTime && later.end === now.end && !isOn;
      [now, isOn] = [later, goesOn(later)];
      told(now).forEach(([, text], index) => write(summary.children[index], text));
      fill();
      if (!isSame) paint();
    };
    entry.addEventListener("toggle", paint);
    if (entry.open) queueMicrotask(paint);
    return entry;
  });
  if (entries.length > 13) {
    const more = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = t("{n} more walk|{n} more walks", { n: entries.length - 12 });
    more.className = more.dataset.start = "more";
    more.open = open.has("more");
    more.append(summary, ...entries.splice(12));
    entries.push(more);
  }
  target.replaceChildren(...entries);
  if (focus) target.querySelector(`[data-start="${focus}"] > summary`)?.focus({ preventScroll: true });
}

/** The minutes of today; only the last ones are asked for again. */
const walked = { date: null, minutes: [], doubts: [], loaded: 0, isKnown: false };

async function loadWalks() {
  const { today, hours } = known;
  if (hours.length === 0) return;
  walked.loaded = performance.now();
  if (walked.date !== today.date) [walked.date, walked.minutes, walked.isKnown] = [today.date, [], false];
  const last = walked.minutes[walked.minutes.length - 1];
  const from = last ? last.start : hours[0].start;
  const now = new Date().toISOString();
  const [minutes, doubts] = await Promise.all([loadBuckets("minute", from, now, false), loadDoubts(hours[0].start, now)]);
  const fresh = minutes.filter((minute) => minute.steps > 0);
  walked.doubts = doubts;
  const kept = walked.minutes.filter((minute) => minute.start < from);
  walked.minutes = [...kept, ...fresh];
  walked.isKnown = true;
  // With all other figures, so that they agree.
  changed();
}

/** Steps that are no walk of some seconds, but days of another counter that were imported. */
const tooMany = 120;

/** The minutes of today, of the moment of the day's figures, so that walks always add up to the day. */
function minutesNow() {
  const { today, hours } = known;
  const more = growth(today, sum(walked.minutes));
  if (more.steps === 0) return walked.minutes;
  if (more.steps > tooMany) { walked.date = null; return walked.minutes; }
  const last = walked.minutes[walked.minutes.length - 1];
  // The minutes may be newer than the day.
  if (more.steps < 0 && !(last?.steps > -more.steps)) return walked.minutes;
  if (last && Date.now() - Date.parse(last.start) < 120_000) return [...walked.minutes.slice(0, -1), { ...last, ...sum([last, more]) }];
  // The present minute, as the service's clock shows it.
  const { start } = hours[0];
  const ahead = Date.parse(`${start.slice(0, 19)}Z`) - Date.parse(start);
  const minute = new Date(60_000 * Math.floor((Date.now() + ahead) / 60_000)).toISOString().slice(0, 19);
  return [...walked.minutes, { start: `${minute}${start.slice(19)}`, ...more }];
}

/** Shows what follows from an answer about a walk of a day. */
export async function answered(date) {
  walked.date = null;
  await loadDays(date, date);
  await loadHistory();
}

function showWalksNow() {
  if (!walked.isKnown || walked.date !== known.today.date || known.hours.length === 0) return;
  const all = minutesNow();
  showWalks($("walks"), walksOf(all, walked.doubts), t("No walk yet today."), answered);
  showDoubts($("doubts"), walked.doubts, answered);
  const fast = brisk(all);
  $("brisk-figure").hidden = fast === null;
  if (fast) {
    write($("brisk"), fast[0]);
    write($("very-brisk"), fast[1]);
  }
}

// MARK: the sensor's signal

const trace = new Trace($("trace"));
let tracing = null;

export async function loadTrace() {
  clearTimeout(tracing);
  let wait = Trace.interval;
  if (trace.isSeen && !document.body.classList.contains("locked")) {
    try {
      const signals = await (await ask("/api/signal")).json();
      const signal = signals.find((one) => one.values.length > 0);
      if (signal) trace.take(signal.t, signal.interval, signal.values);
      else wait = 3000;
      const isAlive = trace.isAlive;
      const isSeen = trace.points.length > 1;
      write($("trace-note"), !isSeen ? "" : isAlive ? t("Motion now") : t("The sensor is silent."));
      $("trace").dataset.state = isAlive ? "alive" : "silent";
      $("trace").toggleAttribute("hidden", !signal || !isSeen);
    } catch { wait = 5000; }
  }
  tracing = setTimeout(loadTrace, wait);
}
