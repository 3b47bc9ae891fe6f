// The live page: today, the history, the chase and the sources. Everything that comes from the service is put in place as
// text, never as markup.
import { $, ask, lock, onSubmit, whole, distance, words, units } from "/common.js";
import { draw, drawCalendar, Trace } from "/charts.js";
import { enterRoom, closeRoom } from "/room.js";
import { watchScreens } from "/reports.js";

// MARK: formatting

const minutes = (seconds) =>
  seconds > 0 && seconds < 60 ? `${Math.ceil(seconds)} s`
    : seconds < 3600 ? `${Math.floor(seconds / 60)} min`
    : `${Math.floor(seconds / 3600)} h ${String(Math.floor(seconds / 60) % 60).padStart(2, "0")} min`;
const plural = (count, one, many) => `${whole.format(count)} ${count === 1 ? one : many}`;

// MARK: days, as the service names them: YYYY-MM-DD in its own time zone

const noon = (date) => new Date(`${date}T12:00:00Z`);
const nameOf = (moment) => moment.toISOString().slice(0, 10);
const plus = (date, days) => nameOf(new Date(noon(date).getTime() + days * 86_400_000));
const dayFormat = (options) => {
  const format = new Intl.DateTimeFormat(words, { ...options, timeZone: "UTC" });
  return (date) => format.format(noon(date));
};
const weekday = dayFormat({ weekday: "short" });
const longDay = dayFormat({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const mediumDay = dayFormat({ day: "numeric", month: "short", year: "numeric" });
const monthName = dayFormat({ month: "short" });
const monthAndYear = dayFormat({ month: "long", year: "numeric" });
/** The hour that a time of the service shows on the service's clock, as the reader writes hours. */
const hourFormat = new Intl.DateTimeFormat(words, { hour: "numeric", timeZone: "UTC" });
const hourOf = (time) => hourFormat.format(new Date(`${time.slice(0, 19)}Z`));

/** Every day from one to another. */
function datesFrom(first, last) {
  const all = [];
  for (let date = first; date <= last; date = plus(date, 1)) all.push(date);
  return all;
}

// MARK: figures

const nothing = { steps: 0, distanceTravelled: 0, activeTime: 0 };
const keys = ["steps", "distanceTravelled", "activeTime", "floorsAscended", "floorsDescended"];

/** The sum of figures; floors only where some have them. */
function sum(all) {
  const total = { ...nothing };
  for (const figures of all) {
    for (const key of keys) if (figures[key] !== undefined) total[key] = (total[key] ?? 0) + figures[key];
  }
  return total;
}

/** What one has more than the other. */
function growth(later, former) {
  const more = {};
  for (const key of keys) if (later[key] !== undefined) more[key] = later[key] - (former[key] ?? 0);
  return more;
}

const floorsText = (figures) =>
  figures.floorsAscended === undefined ? null
    : `${whole.format(figures.floorsAscended)} up, ${whole.format(figures.floorsDescended ?? 0)} down`;

const sentence = (figures) =>
  [plural(figures.steps, "step", "steps"), distance(figures.distanceTravelled), `${minutes(figures.activeTime)} walking`,
    floorsText(figures) && `floors: ${floorsText(figures)}`].filter(Boolean).join(", ");

// MARK: today

let today = null;
/** The hours of today up to now, whose sum is today; and the days of the history by their names. */
let hours = [];
const days = new Map();
/** The first day that was asked for. */
let known = null;
let loadedIn = null;

const clockHour = () => Math.floor(Date.now() / 3_600_000);

function showToday(figures) {
  const isNewDay = today !== null && today.date !== figures.date;
  const more = today && !isNewDay ? growth(figures, today) : null;
  const hadReached = today !== null && !isNewDay && today.goal && today.steps >= today.goal;
  const isFirst = today === null;
  today = figures;
  const { steps, goal } = today;
  $("steps").textContent = whole.format(steps);
  $("distance").textContent = distance(today.distanceTravelled);
  $("active").textContent = minutes(today.activeTime);
  // Without a barometer nothing is said of floors.
  $("floors-figure").hidden = figures.floorsAscended === undefined;
  $("floors").textContent = floorsText(today) ?? "";
  $("today-title").textContent = `Today, ${longDay(today.date)}`;
  const share = goal ? Math.min(100, (100 * steps) / goal) : 0;
  $("ring-goal").textContent = goal ? `of ${whole.format(goal)} steps` : "steps";
  const ring = document.querySelector(".ring-value");
  ring.style.strokeDasharray = `${share} 100`;
  ring.toggleAttribute("data-empty", share === 0);
  const isReached = Boolean(goal) && steps >= goal;
  document.querySelector(".ring").classList.toggle("reached", isReached);
  $("ring").setAttribute("aria-label",
    goal ? `${whole.format(steps)} of ${whole.format(goal)} steps, ${Math.floor((100 * steps) / goal)} percent` : plural(steps, "step", "steps"));
  $("cheer").textContent = !isReached ? "" : hadReached || isFirst
    ? "✓ The goal is reached." : "✓ The goal is reached. Well walked!";
  document.title = `${whole.format(steps)} steps – Pedometer`;
  if (goal && document.activeElement !== $("goal")) $("goal").value = goal;
  if (isFirst) return;
  // New steps belong to this hour until the next look at the history, so hours always add up to the day.
  if (isNewDay || clockHour() !== loadedIn) loadHistory().catch(() => {});
  else if (more && hours.length > 0) {
    hours[hours.length - 1] = { ...hours[hours.length - 1], ...sum([hours[hours.length - 1], more]) };
    showCharts();
  }
}

function showCadence(stepsPerSecond) {
  $("cadence").textContent = stepsPerSecond ? `${Math.round(stepsPerSecond * 60)} steps/min` : "standing";
}

onSubmit($("goal-form"), $("goal-error"), async () => {
  await ask("/api/goal", "PUT", { goal: $("goal").valueAsNumber });
  await loadToday();
  showCharts();
});

async function loadToday() { showToday(await (await ask("/api/today")).json()); }

// MARK: the sensor's signal

const trace = new Trace($("trace"));
let tracing = null;

async function loadTrace() {
  clearTimeout(tracing);
  let wait = trace.isCalm.matches ? 1000 : 500;
  if (!document.hidden && !document.body.classList.contains("locked")) {
    try {
      const signals = await (await ask("/api/signal")).json();
      const signal = signals.find((one) => one.values.length > 0);
      if (signal) trace.take(signal.t, signal.interval, signal.values);
      else wait = 3000;
      const isAlive = trace.isAlive;
      const note = !signal ? "No sensor sends samples: a step counter, a phone that rests, or nothing."
        : isAlive ? "What the sensor feels" : "The sensor is silent.";
      if ($("trace-note").textContent !== note) $("trace-note").textContent = note;
      $("trace").dataset.state = isAlive ? "alive" : "silent";
      $("trace").hidden = !signal;
    } catch { wait = 5000; }
  }
  tracing = setTimeout(loadTrace, wait);
}

// MARK: the history

const history = { span: "week", anchor: null };
let dayHours = { date: null, hours: [] };

const moment = (date, days) => `${plus(date, days)}T00:00:00Z`;
const loadBuckets = async (bucket, from, to) =>
  (await ask(`/api/history?bucket=${bucket}&from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`)).json();

/** Days are asked for with a day to spare, because the first of an answer may be a part of one. */
async function loadDays(first, last) {
  for (const bucket of await loadBuckets("day", moment(first, -2), moment(last, 3))) {
    const date = bucket.start.slice(0, 10);
    if (date >= first && date <= last) days.set(date, bucket);
  }
  if (known === null || first < known) known = first;
}

async function loadHistory() {
  const [told, upToNow] = await Promise.all([
    ask("/api/today").then((answer) => answer.json()), ask("/api/history?bucket=hour").then((answer) => answer.json()),
  ]);
  const hour = clockHour();
  await loadDays(known === null ? plus(told.date, -400) : plus(told.date, -1), told.date);
  history.anchor ??= told.date;
  await loadDayHours(told.date);
  // Everything changes at once, so that figures agree with each other at every moment.
  const newest = today && today.date === told.date && today.steps > told.steps ? today : told;
  [hours, loadedIn, today] = [upToNow, hour, null];
  showToday(newest);
  // What was walked between the answers.
  const more = growth(newest, sum(hours));
  if (hours.length > 0) hours[hours.length - 1] = { ...hours[hours.length - 1], ...sum([hours[hours.length - 1], more]) };
  const offset = days.get(told.date)?.start.slice(19) ?? "";
  const own = -new Date().getTimezoneOffset();
  const theirs = offset === "Z" ? 0 : (offset[0] === "-" ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6)));
  $("zone").textContent = offset && own !== theirs ? `Days and hours are those of the pedometer, at UTC${offset === "Z" ? "" : offset}.` : "";
  showCharts();
}

/** The hours of the day that the history shows, if it is not today. */
async function loadDayHours(present) {
  const { span, anchor } = history;
  if (span !== "day" || anchor === present || dayHours.date === anchor) return;
  const day = days.get(anchor);
  dayHours = { date: anchor, hours: day ? await loadBuckets("hour", day.start, day.end) : [] };
}

const dayFigures = (date) => (today && date === today.date ? today : days.get(date) ?? nothing);
const isGoal = (steps) => Boolean(today.goal) && steps >= today.goal;

/** The 24 hours of a day, those to come without steps. */
function hourBars(list, isToday) {
  const bars = list.map((hour, index) => ({
    label: hourOf(hour.start), name: hourOf(hour.start), text: sentence(hour), title: `${hourOf(hour.start)}: ${sentence(hour)}`,
    steps: hour.steps, isNow: isToday && index === list.length - 1,
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

function goalLine(list) {
  if (!today.goal || list.length === 0) return [];
  const from = Math.max(0, 7 - Number(list[0].start.slice(11, 13)));
  return [{ name: `Even pace to the goal: ${whole.format(Math.round(today.goal / wakingHours))} an hour`, steps: today.goal / wakingHours, from, to: from + wakingHours }];
}

function showPace() {
  const { steps, goal } = today;
  // Beyond 24 in the last hours of a day that begins at four.
  const hour = hours.length > 0 ? Number(hours[0].start.slice(11, 13)) + hours.length - 1 : 0;
  const left = 23 - Math.max(7, hour);
  $("pace").textContent = !goal ? "Set a daily goal to see how far there is to go."
    : steps >= goal ? `${plural(steps - goal, "step", "steps")} beyond the goal.`
      : left > 0 ? `${plural(goal - steps, "step", "steps")} to go: ${whole.format(Math.ceil((goal - steps) / left))} an hour until ${hourFormat.format(Date.UTC(2000, 0, 1, 23))}.`
        : `${plural(goal - steps, "step", "steps")} to go.`;
}

/**
 * Days in a row up to yesterday at the goal of today, and today where it is reached already. The history has no goals of
 * former days, and the page says so by its words.
 */
function streak() {
  if (!today.goal) return null;
  let count = isGoal(today.steps) ? 1 : 0;
  for (let date = plus(today.date, -1); isGoal(dayFigures(date).steps); date = plus(date, -1)) count += 1;
  return count;
}

/** The days of the period that is shown, and those before it to compare with. */
function period() {
  const { span, anchor } = history;
  switch (span) {
    case "day": return { dates: [anchor], former: [plus(anchor, -7)], name: longDay(anchor), before: `the ${dayFormat({ weekday: "long" })(anchor)} before` };
    case "week": {
      const first = plus(anchor, -6);
      return {
        dates: datesFrom(first, anchor), former: datesFrom(plus(first, -7), plus(anchor, -7)),
        name: `${mediumDay(first)} – ${mediumDay(anchor)}`, before: "the week before",
      };
    }
    case "month": {
      const first = `${anchor.slice(0, 8)}01`;
      const next = `${plus(first, 31).slice(0, 8)}01`;
      const former = `${plus(first, -1).slice(0, 8)}01`;
      return {
        dates: datesFrom(first, plus(next, -1)), former: datesFrom(former, plus(first, -1)), name: monthAndYear(anchor),
        before: "the month before",
      };
    }
    default: {
      const year = Number(anchor.slice(0, 4));
      const of = (number) => datesFrom(`${number}-01-01`, `${number}-12-31`);
      return { dates: of(year), former: of(year - 1), name: String(year), before: "the year before" };
    }
  }
}

/** The same period earlier or later. */
function moved(direction) {
  const { span, anchor } = history;
  if (span === "day") return plus(anchor, direction);
  if (span === "week") return plus(anchor, 7 * direction);
  if (span === "month") {
    const first = `${anchor.slice(0, 8)}01`;
    return direction < 0 ? plus(first, -1) : plus(first, 31);
  }
  return `${Number(anchor.slice(0, 4)) + direction}-${direction < 0 ? "12-31" : "01-01"}`;
}

/** The first day on which anything was walked. */
function beginning() {
  let first = today.date;
  for (const [date, figures] of days) if (figures.steps > 0 && date < first) first = date;
  return first;
}

/** The mean of days that are over: today is not yet, and what was before the first step counts no day. */
function mean(dates) {
  const first = beginning();
  const over = dates.filter((date) => date < today.date && date >= first);
  return over.length > 0 ? sum(over.map(dayFigures)).steps / over.length : null;
}

function showComparison({ dates, former, before }) {
  const over = dates.filter((date) => date < today.date);
  // As many days of the period before as of this one are over.
  const [now, then] = [mean(over), mean(former.slice(0, over.length))];
  if (now === null) $("comparison").textContent = "";
  else if (then === null || former[0] < beginning()) $("comparison").textContent = `There is no record of all of ${before} to compare with.`;
  else {
    const change = Math.round((100 * (now - then)) / then);
    const day = dates.length === 1 ? "" : " a day";
    $("comparison").textContent = `${whole.format(Math.round(now))} steps${day}: `
      + (change === 0 ? "as many as" : `${whole.format(Math.abs(change))} % ${change > 0 ? "more" : "fewer"} than`)
      + ` ${dates.length === 1 ? "on" : "in"} ${before} (${whole.format(Math.round(then))}${over.length < dates.length && dates.length > 1 ? ", complete days compared" : ""}).`;
  }
}

function showSums(dates) {
  const total = sum(dates.map(dayFigures));
  const reached = dates.filter((date) => isGoal(dayFigures(date).steps)).length;
  const average = mean(dates);
  const past = dates.filter((date) => date <= today.date).length;
  const entries = [
    ["Steps", whole.format(total.steps)],
    dates.length > 1 && average !== null && ["Average of complete days", whole.format(Math.round(average))],
    ["Distance", distance(total.distanceTravelled)], ["Walking", minutes(total.activeTime)],
    floorsText(total) && ["Floors", floorsText(total)],
    today.goal && dates.length > 1 && ["Days at this goal", `${whole.format(reached)} of ${whole.format(past)}`],
  ].filter(Boolean);
  $("sums").replaceChildren(...entries.map(([term, value]) => {
    const [box, name, figure] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
    [name.textContent, figure.textContent] = [term, value];
    box.append(name, figure);
    return box;
  }));
}

const open = (span, anchor) => () => choose(span, anchor);

function spanBars(dates) {
  const { span } = history;
  if (span === "year") {
    const months = Map.groupBy ? Map.groupBy(dates, (date) => date.slice(0, 7)) : dates.reduce(
      (all, date) => all.set(date.slice(0, 7), [...(all.get(date.slice(0, 7)) ?? []), date]), new Map());
    return [...months].map(([month, list]) => {
      const past = list.filter((date) => date <= today.date);
      const total = sum(past.map(dayFigures));
      const average = past.length > 0 ? total.steps / past.length : 0;
      const first = `${month}-01`;
      return {
        label: monthName(first), name: monthAndYear(first), steps: average, isNow: month === today.date.slice(0, 7),
        isFuture: past.length === 0, isReached: isGoal(average), pick: open("month", past[past.length - 1] ?? first),
        text: `${sentence(total)}, ${plural(Math.round(average), "step", "steps")} a day`,
        title: `${monthAndYear(first)}: ${sentence(total)}, ${plural(Math.round(average), "step", "steps")} a day`,
      };
    });
  }
  return dates.map((date) => {
    const figures = dayFigures(date);
    return {
      label: span === "week" ? weekday(date) : String(Number(date.slice(8))), name: longDay(date), steps: figures.steps,
      isNow: date === today.date, isFuture: date > today.date, isReached: isGoal(figures.steps), pick: open("day", date),
      text: sentence(figures), title: `${longDay(date)}: ${sentence(figures)}`,
    };
  });
}

/** Each day of the year in a colour by its share of the goal; without a goal, of the best day. */
function showCalendar(dates) {
  $("calendar").hidden = history.span !== "year";
  if ($("calendar").hidden) return;
  const most = today.goal || Math.max(1, ...dates.map((date) => dayFigures(date).steps));
  // Weeks begin on Monday.
  const lead = (noon(dates[0]).getUTCDay() + 6) % 7;
  const level = (steps) => (steps >= most ? 3 : 2 * steps >= most ? 2 : steps > 0 ? 1 : 0);
  drawCalendar($("calendar"), {
    days: dates.map((date, index) => ({ date, week: Math.floor((index + lead) / 7), weekday: (index + lead) % 7 }))
      .filter(({ date }) => date <= today.date)
      .map(({ date, week, weekday }) => ({
        week, weekday, level: level(dayFigures(date).steps), title: `${longDay(date)}: ${sentence(dayFigures(date))}`, pick: open("day", date),
      })),
    months: dates.map((date, index) => [date, Math.ceil((index + lead) / 7)]).filter(([date]) => date.endsWith("-01"))
      .map(([date, week]) => ({ label: monthName(date), week })),
    legend: today.goal ? ["no steps", "less than half of this goal", "half or more", "the goal"]
      : ["no steps", "less than half of the best day", "half or more", "the best day"],
  });
}

function showHistory() {
  const now = period();
  const { span, anchor } = history;
  for (const button of document.querySelectorAll("[data-span]")) {
    button.setAttribute("aria-pressed", String(button.dataset.span === span));
  }
  $("date").value = anchor;
  $("date").max = today.date;
  $("later").disabled = now.dates[now.dates.length - 1] >= today.date;
  if ($("period").textContent !== now.name) $("period").textContent = now.name;
  showSums(now.dates);
  showComparison(now);
  showCalendar(now.dates);
  if (span === "day") {
    const isToday = anchor === today.date;
    const list = isToday ? hours : dayHours.date === anchor ? dayHours.hours : [];
    draw($("span"), { caption: `Steps by hour, ${now.name}`, bars: hourBars(list, isToday), lines: goalLine(list) });
    return;
  }
  const average = mean(now.dates);
  const lines = [
    today.goal && { name: `Goal: ${whole.format(today.goal)}`, steps: today.goal },
    average !== null && { name: `Average of complete days: ${whole.format(Math.round(average))}`, steps: average },
  ].filter(Boolean);
  if (span === "year") lines.push({ name: "Bars: the average day of a month" });
  draw($("span"), { caption: `Steps by ${span === "year" ? "month, on an average day" : "day"}, ${now.name}`, bars: spanBars(now.dates), lines });
}

/** Draws what has changed. */
function showCharts() {
  if (!today || history.anchor === null) return;
  const row = streak();
  $("streak").textContent = row === null ? "no goal yet" : plural(row, "day", "days");
  draw($("day"), { caption: "Steps by hour", bars: hourBars(hours, true), lines: goalLine(hours), fills: true });
  showPace();
  showHistory();
}

/** Shows another period; what of it is not known yet is asked for. */
async function choose(span, anchor) {
  history.span = span;
  history.anchor = anchor > today.date ? today.date : anchor;
  // From the present month or year the way to a week or a day leads to the present one.
  if (["month", "year"].includes(span) && period().dates.includes(today.date)) history.anchor = today.date;
  $("history-error").textContent = "";
  try {
    const { dates, former } = period();
    const first = former[0] < dates[0] ? former[0] : dates[0];
    if (known !== null && first < known) await loadDays(first, plus(known, -1));
    await loadDayHours(today.date);
    showCharts();
  } catch (error) { $("history-error").textContent = error.message; }
}

for (const button of document.querySelectorAll("[data-span]")) {
  button.addEventListener("click", () => choose(button.dataset.span, history.anchor));
}
$("earlier").addEventListener("click", () => choose(history.span, moved(-1)));
$("later").addEventListener("click", () => choose(history.span, moved(1)));
$("date").addEventListener("change", () => { if ($("date").value) choose("day", $("date").value); });

/** What the history shows, as a file: hours of a day, days of anything longer. */
function save(kind) {
  const { dates } = period();
  const { span, anchor } = history;
  const rows = span === "day" ? (anchor === today.date ? hours : dayHours.hours)
    : dates.filter((date) => days.has(date) && date <= today.date).map((date) => ({ ...days.get(date), ...(date === today.date ? figuresOf(today) : {}) }));
  const columns = ["start", "end", "steps", "distanceTravelled", "cadence", "activeTime", "floorsAscended", "floorsDescended"];
  const text = kind === "json" ? rows.map((row) => `${JSON.stringify(row)}\n`).join("")
    : `${columns.join(",")}\n${rows.map((row) => `${columns.map((column) => row[column] ?? "").join(",")}\n`).join("")}`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind === "json" ? "application/jsonl" : "text/csv" }));
  link.download = `steps-${span}-${dates[0]}.${kind === "json" ? "jsonl" : "csv"}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Only the figures that a day of the history has, too. */
const figuresOf = (figures) => Object.fromEntries(keys.filter((key) => key in figures).map((key) => [key, figures[key]]));

$("export-csv").addEventListener("click", () => save("csv"));
$("export-json").addEventListener("click", () => save("json"));
$("print").addEventListener("click", () => window.print());

$("units").value = units.value;
$("units").addEventListener("change", () => {
  units.value = $("units").value;
  if (today) showToday(today);
  showCharts();
  showChase();
});

// MARK: the chase

const chase = { state: "notStarted", frame: null };
const says = {
  notStarted: "Reach the goal before Nessie reaches you.", inProgress: "Go! Nessie is behind you.",
  paused: "Paused; Nessie is asleep.", completed: "You made it.", caught: "Nessie caught you.",
};
const buttons = { notStarted: "Start", inProgress: "Pause", paused: "Resume", completed: "Start Over", caught: "Try Again" };
const actions = { notStarted: "start", inProgress: "pause", paused: "resume", completed: "restart", caught: "restart" };

/** Where runner and Nessie stand on the track; the head start lies before the runner's own way. */
export function places(frame, start = 70, end = 590) {
  const runner = start + (end - start) * Math.min(1, Math.max(0, frame.runner));
  return { runner, nessie: runner * Math.min(1, Math.max(0, frame.nessie)) };
}

/** A narrow window has a shorter track, so that the figures on it are as large as in a wide one. */
const trackWidth = () => ($("track").clientWidth < 480 ? 340 : 640);
new ResizeObserver(() => { if (Number($("track").getAttribute("viewBox").split(" ")[2]) !== trackWidth()) showChase(); }).observe($("track"));

/** Says an alert, if the reader has asked for it. */
function speak(text) {
  if (!$("speech").checked) return;
  speechSynthesis.cancel();
  speechSynthesis.speak(new SpeechSynthesisUtterance(text));
}
$("speech-choice").hidden = !("speechSynthesis" in window);
$("speech").addEventListener("change", () => { if (!$("speech").checked) speechSynthesis.cancel(); });

function showChase() {
  const { state, frame } = chase;
  $("chase").dataset.state = state;
  $("chase-state").textContent = says[state];
  $("chase-button").textContent = buttons[state];
  $("chase-restart").hidden = state !== "paused";
  $("chase-goal").disabled = state === "inProgress" || state === "paused";
  const width = trackWidth();
  $("track").setAttribute("viewBox", `0 0 ${width} 100`);
  $("finish").setAttribute("transform", `translate(${width - 640} 0)`);
  const at = frame ? places(frame, 70, width - 50) : { runner: 70, nessie: 0 };
  $("runner").style.transform = `translateX(${at.runner}px)`;
  $("nessie").style.transform = `translateX(${Math.max(0, Math.min(at.nessie, at.runner) - 68)}px)`;
  if (!frame) return;
  const gap = frame.nessie > 0 ? Math.max(0, frame.nessieDistance / frame.nessie - frame.nessieDistance) : null;
  $("chase-steps").textContent = `${whole.format(frame.steps)} of ${whole.format(frame.goal ?? 0)}`;
  $("chase-gap").textContent = gap === null ? "–" : distance(gap);
  $("chase-distance").textContent = distance(frame.distance);
  $("track").setAttribute("aria-label",
    `${whole.format(frame.steps)} of ${whole.format(frame.goal ?? 0)} steps` + (gap === null ? "" : `, Nessie ${distance(gap)} behind`));
}

function takeChaseLine(line) {
  if (line.type === "state") {
    if (line.state === "notStarted") { chase.frame = null; $("alerts").replaceChildren(); }
    chase.state = line.state;
  } else if (line.type === "chase") {
    chase.frame = line;
    if (line.state) chase.state = line.state;
  } else {
    const entry = document.createElement("p");
    entry.className = line.severity === "good" ? "good" : "bad";
    entry.textContent = line.text;
    $("alerts").prepend(entry);
    speak(line.text);
  }
  showChase();
}

async function steer(action) {
  const body = action === "start" ? { action, goal: $("chase-goal").valueAsNumber } : { action };
  const told = await (await ask("/api/chase", "POST", body)).json();
  takeChaseLine({ type: "state", state: told.state });
}

onSubmit($("chase-form"), $("chase-error"), () => steer(actions[chase.state]));
$("chase-restart").addEventListener("click", () => steer("restart").catch((error) => {
  $("chase-error").textContent = error.message;
}));

async function loadChase() {
  const line = await (await ask("/api/chase")).json();
  if (line.type) takeChaseLine(line);
}

// MARK: sources

const states = { counting: "counting", waiting: "waiting for the sensor", lost: "lost", denied: "permission denied" };

let sourcesLoaded = 0;

async function loadSources() {
  sourcesLoaded = performance.now();
  const { sources = [], version } = await (await ask("/health")).json();
  document.documentElement.dataset.version = version;
  $("sources").replaceChildren(...sources.map((source) => {
    const entry = document.createElement("li");
    const state = document.createElement("span");
    state.className = `state ${source.state === "counting" ? "good" : "bad"}`;
    state.textContent = states[source.state] ?? source.state;
    const name = source.name && source.name !== source.uri ? `${source.name} (${source.uri})` : source.uri;
    entry.append(`${name}: `, state);
    const figures = [plural(source.steps, "step", "steps") + " since the service started",
      source.samplingFrequency && `${Math.round(source.samplingFrequency)} samples a second`].filter(Boolean).join(", ");
    for (const text of [source.state === "counting" && figures, source.reason, source.remedy && `To do: ${source.remedy}`]) {
      if (!text) continue;
      const line = document.createElement("div");
      line.textContent = text;
      entry.append(line);
    }
    return entry;
  }));
  if (sources.length === 0) $("sources").textContent = "No source configured and no sensor found.";
}

$("check").addEventListener("click", async () => {
  $("checks").replaceChildren();
  let lines;
  try { lines = await (await ask("/api/checks")).json(); } catch (error) { lines = [{ result: "failed", finding: error.message }]; }
  const wrong = lines.filter((line) => line.result !== "ok");
  const told = wrong.length > 0 ? wrong : [{ result: "ok", finding: "Everything is as it should be." }];
  $("checks").replaceChildren(...told.map((line) => {
    const entry = document.createElement("li");
    entry.className = line.result === "ok" ? "good" : "";
    entry.textContent = [line.check && `${line.check}: ${line.finding}`, !line.check && line.finding].find(Boolean);
    if (line.remedy) {
      const remedy = document.createElement("div");
      remedy.textContent = `To do: ${line.remedy}`;
      entry.append(remedy);
    }
    return entry;
  }));
});

// MARK: the connection

let stream = null;
let attempt = 0;
let retry = null;

function tell(state, text) {
  if ($("connection").dataset.state === state && $("connection").textContent === text) return;
  $("connection").dataset.state = state;
  $("connection").textContent = text;
  document.body.classList.toggle("stale", state === "lost");
}

async function loadAll() {
  await Promise.all([loadHistory(), loadChase(), loadSources()]);
}

function takeLine(line) {
  switch (line.type) {
    case "today":
      showToday(line);
      // The sources' own figures follow, some seconds apart.
      if (performance.now() - sourcesLoaded > 5000) loadSources().catch(() => {});
      break;
    case "data": showCadence(line.cadence); break;
    case "event":
      if (["sourceLost", "sourceBack", "started", "stopped"].includes(line.event)) loadSources().catch(() => {});
      if (line.event === "paused") showCadence(null);
      if (line.event === "gap" && line.missed) loadAll().catch(() => {});
      break;
    case "state": case "chase": case "alert": takeChaseLine(line); break;
  }
}

function connect() {
  clearTimeout(retry);
  stream?.close();
  stream = new EventSource("/api/live");
  stream.addEventListener("open", () => {
    attempt = 0;
    tell("live", "Live");
    loadAll().catch(() => {});
  });
  stream.addEventListener("message", (event) => {
    try { takeLine(JSON.parse(event.data)); } catch { /* a line of a later version */ }
  });
  stream.addEventListener("error", () => {
    const since = new Date().toLocaleTimeString(words, { hour: "numeric", minute: "2-digit" });
    if ($("connection").dataset.state !== "lost") tell("lost", `Disconnected since ${since}; reconnecting`);
    // The browser reconnects by itself unless it was refused.
    if (stream.readyState === EventSource.CLOSED) {
      attempt += 1;
      // A stream does not report why it was refused; this request asks for the token if it is missing.
      loadToday().catch(() => {});
      retry = setTimeout(connect, Math.min(30_000, 1000 * 2 ** Math.min(attempt, 5)));
    }
  });
}

onSubmit($("login-form"), $("login-error"), async () => {
  await ask("/api/session", "POST", { token: $("token").value });
  $("token").value = "";
  lock(false);
  connect();
});

// A phone cannot reach a loopback address, and browsers provide no motion data without HTTPS.
if (/^(localhost|127\.|\[::1\])/.test(location.hostname) || location.protocol !== "https:") {
  $("invitation").hidden = true;
  $("phone-note").append(" For phones, start the service with --listen 0.0.0.0:8443 --tls-self-signed and a token.");
}
enterRoom();
watchScreens();
window.addEventListener("pagehide", () => { stream?.close(); closeRoom(); });
window.addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
window.addEventListener("online", connect);
// Refreshes sources without events, and the bars of a new hour.
setInterval(() => { loadSources().catch(() => {}); loadHistory().catch(() => {}); }, 60_000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) loadTrace(); });
connect();
loadTrace();
