// Today: the ring, the hours, the walks, and what the sensor feels.
import { $, ask, atMostEvery, onBeat, onSubmit, whole, distance, write } from "/common.js";
import { draw, Trace } from "/charts.js";
import {
  known, changed, onChange, clockHour, loadBuckets, loadDays, addToHour, growth, sum, mean, streak, reaches, minutes, plural, usualCourse,
  steps, sentence, floorsText, shortDay, hourFormat, hourOf, timeOf, plus, datesFrom, walksIn, hasData,
} from "/days.js";
import { onView, view } from "/views.js";

// MARK: the ring

/** Takes the figures of the day so far. Returns whether hours and days must be asked for again. */
export function take(figures) {
  const before = known.today;
  known.today = figures;
  if (before === null || before.date !== figures.date || clockHour() !== known.loadedIn) {
    onBeat("today", show);
    return before !== null;
  }
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
  write($("cheer"), !isReached ? "" : isNew ? "✓ Your goal is reached. Well walked!" : $("cheer").textContent || "✓ Your goal is reached.");
  if (isNew) $("today").classList.add("celebrating");
}
$("today").addEventListener("animationend", (event) => {
  if (event.animationName === "sparks") $("today").classList.remove("celebrating");
});

// The title of a tab costs as much as a picture of the page.
const showTitle = atMostEvery(5000, () => { document.title = `${whole.format(known.today.steps)} steps – Pedometer`; });

/** What was shown last, to see when the goal is reached. */
let former = null;

function show() {
  const { today } = known;
  const before = former?.date === today.date ? former : null;
  former = today;
  write($("steps"), whole.format(today.steps));
  write($("distance"), distance(today.distanceTravelled));
  write($("active"), minutes(today.activeTime));
  // Without a barometer nothing is said of floors.
  $("floors-figure").toggleAttribute("hidden", today.floorsAscended === undefined);
  write($("floors"), floorsText(today) ?? "");
  write($("today-title"), `Today, ${shortDay(today.date).replace(",", "")}`);
  const { goal } = today;
  $("today").classList.toggle("goalless", !goal);
  const share = goal ? Math.min(100, (100 * today.steps) / goal) : 0;
  write($("ring-goal"), goal ? `of ${whole.format(goal)} steps` : "steps");
  const ring = document.querySelector(".ring-value");
  // A step moves the ring by less than anyone sees.
  const to = Math.floor(4 * share) / 4;
  // An animation has sixty pictures a second.
  ring.style.transition = Math.abs(to - (Number.parseFloat(ring.style.strokeDasharray) || 0)) < 2 ? "none" : "";
  ring.style.strokeDasharray = `${to} 100`;
  ring.toggleAttribute("data-empty", share === 0);
  const isReached = Boolean(goal) && today.steps >= goal;
  document.querySelector(".ring").classList.toggle("reached", isReached);
  $("ring").setAttribute("aria-label",
    goal ? `${whole.format(today.steps)} of ${whole.format(goal)} steps, ${Math.floor((100 * today.steps) / goal)} percent` : steps(today.steps));
  cheer(isReached, before !== null && goal && before.steps < goal, today.date);
  showTitle();
  if (goal && document.activeElement !== $("goal")) $("goal").value = goal;
}

/** Shows the figures again, for instance in other units. */
export const showAgain = () => { if (known.today) show(); };

export function showCadence(stepsPerSecond) {
  const standing = document.body.classList.contains("idle") ? "–" : "standing";
  const text = stepsPerSecond ? `${Math.round(stepsPerSecond * 60)} steps/min` : standing;
  onBeat("cadence", () => write($("cadence"), text));
}

onSubmit($("goal-form"), $("goal-error"), async () => {
  await ask("/api/goal", "PUT", { goal: $("goal").valueAsNumber });
  take(await (await ask("/api/today")).json());
  changed();
});

// MARK: the history behind it

/** Loads the hours, and the days that have changed or are not known. */
export async function loadHistory() {
  const [told, upToNow] = await Promise.all([
    ask("/api/today").then((answer) => answer.json()), ask("/api/history?bucket=hour").then((answer) => answer.json()),
  ]);
  const hour = clockHour();
  await loadDays(known.first === null ? plus(told.date, -400) : plus(told.date, -1), told.date);
  // Everything changes at once, so that figures agree with each other at every moment.
  const { today } = known;
  const newest = today && today.date === told.date && today.steps > told.steps ? today : told;
  [known.hours, known.loadedIn, known.today] = [upToNow, hour, newest];
  show();
  // What was walked between the answers.
  addToHour(growth(newest, sum(known.hours)));
  const offset = known.days.get(told.date)?.start.slice(19) ?? "";
  const own = -new Date().getTimezoneOffset();
  const theirs = offset === "Z" ? 0 : (offset[0] === "-" ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6)));
  const begins = upToNow.length > 0 ? `A day begins at ${timeOf(upToNow[0].start)}` : "";
  const elsewhere = offset && own !== theirs ? `, by the pedometer’s clock at UTC${offset === "Z" ? "" : offset}` : "";
  const option = document.createElement("code");
  option.textContent = "--day-start";
  if (begins) $("zone").replaceChildren(`${begins}${elsewhere}. The service’s option `, option, " changes it.");
  changed();
  await loadWalks();
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
  return [{ name: `Even pace to the goal: ${whole.format(Math.round(goal / wakingHours))} an hour`, steps: goal / wakingHours, from, to: from + wakingHours }];
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
  if (!goal) {
    const link = document.createElement("a");
    [link.href, link.textContent] = ["#/settings", "Set a daily goal"];
    $("pace").replaceChildren(link, " to see how far there is to go.");
    return;
  }
  const pace = hours.length > 0 && walked < goal ? neededPace(goal - walked, hours[0].start, Date.now()) : null;
  const text = walked >= goal ? (walked > goal ? `${steps(walked - goal)} beyond your goal.` : "")
    : pace !== null ? `${steps(goal - walked)} to go: ${whole.format(pace)} an hour until ${timeOf("2000-01-01T23:00:00")}.`
      : `${steps(goal - walked)} to go.`;
  write($("pace"), text);
}

function showStreak() {
  const row = streak();
  const average = mean(datesFrom(plus(known.today.date, -30), plus(known.today.date, -1)));
  const text = [
    row !== null && (row === 0 ? (known.days.size > 1 && hasData(plus(known.today.date, -1)) ? "Reach the goal today to begin a new row." : "")
      : row === 1 ? (reaches(known.today.date) ? "The first day in a row at your goal." : "Yesterday you reached your goal.")
        : `${plural(row, "day", "days")} in a row at your goal.`),
    average !== null && `Your average of the last 30 days: ${steps(Math.round(average))}.`,
  ].filter(Boolean).join(" ");
  write($("streak"), text);
}

/** Days of the last four weeks with data before anything is called usual. */
const enough = 5;
const usual = { of: null, days: 0, course: null };

/** How much more or less was walked than on an average day of the last four weeks by this time. */
function showUsual() {
  const { today, hours } = known;
  // Another day, or other days: an import changes them.
  const of = `${today.date} ${known.days.size} ${mean(datesFrom(plus(today.date, -28), plus(today.date, -1)))}`;
  if (usual.of !== of) {
    Object.assign(usual, { of, days: 0, course: null });
    usualCourse(today.date).then((told) => {
      if (usual.of !== of || !told) return;
      Object.assign(usual, told);
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
  return Math.abs(more) < byNow / 20 ? "About as many steps as usual by now."
    : `About ${whole.format(Math.abs(more))} ${more > 0 ? "more" : "fewer"} than usual by now.`;
}

function showHours() {
  const { today, hours } = known;
  // The figures may wait for the next beat; beside the hours they have the same steps.
  show();
  draw($("day"), { caption: "Steps by hour", bars: hourBars(hours, true, hourlyPace(today.goal)), lines: paceLine(hours, today.goal) });
  showPace();
}
const showWords = () => { showStreak(); showUsual(); };
const showWordsSoon = atMostEvery(5000, () => { if (view.name === "today") showWords(); });
onChange(() => { if (view.name === "today" && !document.hidden) { showHours(); showWordsSoon(); } });
onView("today", () => { if (known.today && known.loadedIn !== null) { showHours(); showWords(); } });

// MARK: walks

/** Shows walks as a list; each opens its minutes. */
export function showWalks(target, walks, none) {
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
    entry.dataset.start = walk.start;
    entry.open = open.has(walk.start);
    const summary = document.createElement("summary");
    for (const [name, text] of [
      ["when", timeOf(walk.start)], ["length", minutes(Math.max(1, walk.activeTime)) + (Date.now() - Date.parse(walk.end) < 60_000 ? ", now" : "")], ["count", steps(walk.steps)],
      ["rate", walk.activeTime > 0 ? `${Math.round((60 * walk.steps) / walk.activeTime)} steps/min` : ""],
    ]) {
      const part = document.createElement("span");
      [part.className, part.textContent] = [name, text];
      summary.append(part, " ");
    }
    const chart = document.createElement("div");
    chart.className = "chart";
    entry.append(summary, chart);
    const paint = () => {
      if (!entry.open) return;
      draw(chart, {
        caption: `Steps by minute from ${timeOf(walk.start)}`,
        bars: walk.minutes.map((minute) => ({ label: timeOf(minute.start), name: timeOf(minute.start), text: sentence(minute), steps: minute.steps })),
      });
    };
    entry.addEventListener("toggle", paint);
    if (entry.open) queueMicrotask(paint);
    return entry;
  });
  if (entries.length > 13) {
    const more = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = `${entries.length - 12} more walks`;
    more.className = more.dataset.start = "more";
    more.open = open.has("more");
    more.append(summary, ...entries.splice(12));
    entries.push(more);
  }
  target.replaceChildren(...entries);
  if (focus) target.querySelector(`[data-start="${focus}"] > summary`)?.focus({ preventScroll: true });
}

/** The minutes of today; only the last ones are asked for again. */
const walked = { date: null, minutes: [], loaded: 0 };

async function loadWalks() {
  const { today, hours } = known;
  if (hours.length === 0) return;
  walked.loaded = performance.now();
  if (walked.date !== today.date) [walked.date, walked.minutes] = [today.date, []];
  const last = walked.minutes[walked.minutes.length - 1];
  const from = last ? last.start : hours[0].start;
  const fresh = (await loadBuckets("minute", from, new Date().toISOString())).filter((minute) => minute.steps > 0);
  const kept = walked.minutes.filter((minute) => minute.start < from);
  walked.minutes = [...kept, ...fresh];
  showWalks($("walks"), walksIn(walked.minutes).reverse(), "No walk yet today.");
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
      const note = !signal ? "" : isAlive ? "Motion now" : "The sensor is silent.";
      write($("trace-note"), note);
      $("trace").dataset.state = isAlive ? "alive" : "silent";
      $("trace").toggleAttribute("hidden", !signal);
    } catch { wait = 5000; }
  }
  tracing = setTimeout(loadTrace, wait);
}
