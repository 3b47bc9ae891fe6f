// The history: a day with its course and walks, a week, a month, a year, and records.
import { t, whole } from "/texts.js";
import { $, ask, atMostEvery, distance } from "/common.js";
import { draw, drawCalendar, drawCourse } from "/charts.js";
import { address, onView, view } from "/views.js";
import {
  known, onChange, loadBuckets, loadDays, loadAllDays, figuresOn, hasData, goalOn, reaches, beginning, mean, sum, keys, minutes, steps, sentence,
  floorsText, brisk, activeHours, plus, datesFrom, noon, weekday, weekdayName, longDay, mediumDay, mediumDays, monthName, longMonth, monthAndYear, usualCourse,
} from "/days.js";
import { answered, hourBars, hourlyPace, paceLine, showWalks } from "/today.js";
import { loadDoubts, made, showDoubts, walksOf } from "/doubts.js";

const spans = ["day", "week", "month", "year"];
const shown = { span: "week", anchor: null };
/** The hours and the walks of the day on the screen, and the mean course of the days before it. */
const details = { date: null, hours: [], minutes: [], walks: null, doubts: [], usual: null };

async function reload(date) {
  details.date = null;
  await answered(date);
  await load();
}

async function loadDay() {
  const { span, anchor } = shown;
  const { today } = known;
  if (span !== "day" || (details.date === anchor && anchor !== today.date)) return;
  const day = known.days.get(anchor);
  const isSame = details.date === anchor;
  const [hours, fine, doubts] = day ? await Promise.all([
    anchor === today.date ? known.hours : loadBuckets("hour", day.start, day.end), loadBuckets("minute", day.start, day.end, false),
    loadDoubts(day.start, day.end),
  ]) : [[], [], []];
  const usual = isSame ? details.usual : (await usualCourse(anchor))?.course ?? null;
  if (shown.anchor !== anchor) return;
  // The latest walk first, as today.
  Object.assign(details, { date: anchor, hours, minutes: fine, walks: walksOf(fine, doubts), doubts, usual });
}

// MARK: periods

/** The days of the period that is shown, and those before it to compare with. */
function period({ span, anchor } = shown) {
  switch (span) {
    case "day": {
      const weekday = weekdayName(anchor);
      return {
        dates: [anchor], former: [plus(anchor, -7)], name: longDay(anchor), before: t("the {weekday} before", { weekday }),
        than: t("on the {weekday} before", { weekday }),
      };
    }
    case "week": {
      const first = plus(anchor, -6);
      return {
        dates: datesFrom(first, anchor), former: datesFrom(plus(first, -7), plus(anchor, -7)),
        name: anchor === known.today?.date ? t("The last seven days: {days}", { days: mediumDays(first, anchor) }) : mediumDays(first, anchor),
        before: t("the week before"), than: t("the week before"),
      };
    }
    case "month": {
      const first = `${anchor.slice(0, 8)}01`;
      const next = `${plus(first, 31).slice(0, 8)}01`;
      const former = `${plus(first, -1).slice(0, 8)}01`;
      const before = former.slice(0, 4) === first.slice(0, 4) ? longMonth(former) : monthAndYear(former);
      return {
        dates: datesFrom(first, plus(next, -1)), former: datesFrom(former, plus(first, -1)), name: monthAndYear(anchor),
        before, than: t("in {month}", { month: before }),
      };
    }
    default: {
      const year = Number(anchor.slice(0, 4));
      const of = (number) => datesFrom(`${number}-01-01`, `${number}-12-31`);
      return { dates: of(year), former: of(year - 1), name: String(year), before: String(year - 1), than: t("in {year}", { year: String(year - 1) }) };
    }
  }
}

/** The same period earlier or later. */
function moved(direction) {
  const { span, anchor } = shown;
  if (span === "day") return plus(anchor, direction);
  if (span === "week") return plus(anchor, 7 * direction);
  if (span === "month") {
    const first = `${anchor.slice(0, 8)}01`;
    return direction < 0 ? plus(first, -1) : plus(first, 31);
  }
  return `${Number(anchor.slice(0, 4)) + direction}-${direction < 0 ? "12-31" : "01-01"}`;
}

/** Shows another period; what of it is not known yet is asked for. */
async function choose(span, anchor) {
  shown.span = span;
  // Before the days are known.
  if (anchor === null) return address(span);
  shown.anchor = anchor > known.today.date ? known.today.date : anchor;
  // From the present month or year the way to a week or a day leads to the present one.
  if (["month", "year"].includes(span) && period().dates.includes(known.today.date)) shown.anchor = known.today.date;
  address(span, ...(shown.anchor === known.today.date ? [] : [shown.anchor]));
  await load();
}

async function load() {
  $("history-error").textContent = "";
  try {
    await loadAllDays();
    const { dates, former } = period();
    const first = former[0] < dates[0] ? former[0] : dates[0];
    if (known.first !== null && first < known.first) await loadDays(first, plus(known.first, -1));
    await loadDay();
    show();
  } catch (error) { $("history-error").textContent = error.message; }
}

onView("history", (rest) => {
  const [span, anchor] = rest;
  if (spans.includes(span)) shown.span = span;
  shown.anchor = /^\d{4}-\d\d-\d\d$/.test(anchor ?? "") ? anchor : rest.length > 0 ? known.today?.date ?? null : shown.anchor;
  if (known.today && known.loadedIn !== null) {
    shown.anchor = shown.anchor && shown.anchor < known.today.date ? shown.anchor : known.today.date;
    load();
  }
});

for (const button of document.querySelectorAll("[data-span]")) {
  button.addEventListener("click", () => choose(button.dataset.span, shown.anchor));
}
$("earlier").addEventListener("click", () => choose(shown.span, moved(-1)));
$("later").addEventListener("click", () => choose(shown.span, moved(1)));
$("date").addEventListener("change", () => { if ($("date").value) choose("day", $("date").value); });
const open = (span, anchor) => () => {
  if (view.name === "history") choose(span, anchor); else location.hash = `#/history/${span}/${anchor}`;
};

// MARK: words

function showComparison({ dates, former, before, than }, today) {
  const over = dates.filter((date) => date < today.date);
  // As many days of the period before as of this one are over.
  const [now, then] = [mean(over), mean(former.slice(0, over.length))];
  // Of a month or a year that is not over, as much is compared.
  if (over.length < dates.length) than = t("by the same day of {before}", { before });
  let text = "";
  const counted = former.filter(hasData).length;
  if (now !== null && (then === null || former[0] < beginning())) {
    text = counted === 0 ? t("Nothing from {before} to compare with yet.", { before })
      : t("Only {n} day of {before} is here, too few to compare.|Only {n} days of {before} are here, too few to compare.", { n: counted, before });
  }
  else if (now !== null) {
    const change = Math.round((100 * (now - then)) / then);
    const usual = dates.length === 1 ? whole.format(then) : t("{count} a day", { count: Math.round(then) });
    text = Math.abs(change) <= 2 ? t("About the same as {than} ({usual}).", { than, usual })
      : change > 0 ? t("{share} % more than {than} ({usual}).", { share: change, than, usual })
        : t("{share} % less than {than} ({usual}).", { share: -change, than, usual });
  }
  $("comparison").textContent = text;
}

function showFigures(list, entries) {
  list.replaceChildren(...entries.filter(Boolean).map(([term, value, more, pick]) => {
    const [box, name, figure] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
    name.textContent = term;
    if (pick) {
      const link = document.createElement("a");
      [link.href, link.textContent] = [pick, value];
      figure.append(link);
    } else figure.textContent = value;
    if (more) figure.append(" ", Object.assign(document.createElement("small"), { textContent: more }));
    box.append(name, figure);
    return box;
  }));
}

function showSums(dates) {
  const total = sum(dates.map(figuresOn));
  const past = dates.filter((date) => date <= known.today.date);
  // Today may only just have begun: of the days at the goal it is one when it has reached it.
  const counted = past.filter((date) => hasData(date) && (date < known.today.date || reaches(date)));
  const missing = past.filter((date) => date < known.today.date && date > beginning() && !hasData(date)).length;
  const fast = dates.length === 1 && details.date === dates[0] ? brisk(details.minutes) : null;
  const isToday = dates[0] === known.today.date;
  const hours = dates.length === 1 && (isToday ? known.hours : details.date === dates[0] ? details.hours : null);
  const answeredDays = dates.some((date) => figuresOn(date).counted !== undefined);
  const sensed = dates.reduce((count, date) => count + (figuresOn(date).counted ?? figuresOn(date).steps), 0);
  const average = mean(dates);
  showFigures($("sums"), [
    [t("Steps"), whole.format(total.steps)],
    dates.length > 1 && average !== null && [t("Daily average"), whole.format(Math.round(average))],
    [t("Distance"), distance(total.distanceTravelled)], [t("Walking"), minutes(total.activeTime)],
    floorsText(total) && [t("Floors"), floorsText(total)], fast && [t("Brisk walking"), ...fast],
    hours && [t("Hours with 250 steps"), whole.format(activeHours(hours))],
    answeredDays && [t("Counted by sensors"), whole.format(sensed)],
    known.today.goal && dates.length > 1 && [t("Days at the goal"), t("{count} of {all}", { count: dates.filter(reaches).length, all: counted.length })],
    dates.length > 1 && missing > 0 && past.some(hasData) && [t("Days without data"), whole.format(missing)],
  ]);
}

/** The longest walk of the whole history, and for which past days it was asked: an import changes them. */
const longest = { walk: null, of: null };

async function loadLongest() {
  const past = `${known.today.date} ${[...known.days].reduce((sum, [date, figures]) => (date < known.today.date ? sum + figures.steps : sum), 0)}`;
  if (longest.of === past) return;
  longest.of = past;
  try { longest.walk = (await (await ask("/api/records")).json()).longestWalk; } catch { longest.of = null; }
  showRecords();
}

/** The best day and month of what is known, the longest walk, and that of the day on the screen. */
function showRecords() {
  const dates = [...known.days.keys(), known.today.date];
  const best = dates.reduce((best, date) => (figuresOn(date).steps > (best ? figuresOn(best).steps : 0) ? date : best), null);
  const months = new Map();
  for (const date of new Set(dates)) months.set(date.slice(0, 7), [...(months.get(date.slice(0, 7)) ?? []), date]);
  // By the average day, as the bars of the year; ten days make a month.
  const month = [...months].filter(([, list]) => list.filter(hasData).length >= 10).map(([name, list]) => [name, mean(list) ?? 0])
    .reduce((best, each) => (each[1] > best[1] ? each : best), [null, 0]);
  const walk = shown.span === "day" && details.date === shown.anchor
    ? details.walks?.reduce((best, each) => (each.activeTime > (best?.activeTime ?? 0) ? each : best), null) : null;
  // The first day is not over yet.
  const isFirst = best === null || beginning() === known.today.date;
  $("no-records").hidden = !isFirst;
  for (const name of ["export-csv", "export-json"]) $(name).disabled = best === null;
  showFigures($("best"), isFirst ? [] : [
    best && [t("Best day"), steps(figuresOn(best).steps), t("on {day}", { day: mediumDay(best) }), `#/history/day/${best}`],
    month[0] && [t("Best month"), t("{count} a day", { count: steps(Math.round(month[1])) }), t("in {month}", { month: monthAndYear(`${month[0]}-01`) }),
      `#/history/month/${month[0]}-01`],
    longest.walk && [t("Longest walk"), minutes(longest.walk.activeTime),
      t("{steps} on {day}", { steps: steps(longest.walk.steps), day: mediumDay(longest.walk.start.slice(0, 10)) }),
      `#/history/day/${longest.walk.start.slice(0, 10)}`],
    walk && [t("Longest walk of this day"), minutes(walk.activeTime), steps(walk.steps)],
  ]);
}

// MARK: charts

/** The goal of an average day. */
const usualGoal = (dates) => (known.today.goal ? dates.reduce((total, date) => total + goalOn(date), 0) / dates.length : undefined);

/** The goals of days as lines across their bars, with one name in the legend. */
function goalLines(dates) {
  if (!known.today.goal) return [];
  const goals = dates.map(goalOn);
  if (new Set(goals).size === 1) return [{ name: t("Goal: {count}", { count: goals[0] }), steps: goals[0] }];
  return [{ name: t("The goal of each day"), pieces: goals }];
}

function spanBars(dates, span = shown.span) {
  const { today } = known;
  if (span === "year") {
    const months = new Map();
    for (const date of dates) months.set(date.slice(0, 7), [...(months.get(date.slice(0, 7)) ?? []), date]);
    // Only what there may be data of.
    return [...months].filter(([month]) => month >= beginning().slice(0, 7) && month <= today.date.slice(0, 7)).map(([month, list]) => {
      const past = list.filter((date) => date <= today.date);
      const counted = past.filter(hasData);
      const total = sum(past.map(figuresOn));
      // A month that is not over: its complete days, as everywhere.
      const average = mean(list) ?? (counted.length > 0 ? total.steps / counted.length : 0);
      const first = `${month}-01`;
      return {
        label: monthName(first), name: monthAndYear(first), steps: average, isNow: month === today.date.slice(0, 7),
        isFuture: past.length === 0, isEmpty: past.length > 0 && counted.length === 0, isReached: average >= usualGoal(list),
        pick: open("month", past[past.length - 1] ?? first),
        text: counted.length === 0 ? t("no data") : [sentence(total), t("{count} a day", { count: steps(Math.round(average)) })].join(", "),
      };
    });
  }
  return dates.map((date) => {
    const figures = figuresOn(date);
    const isPast = date < today.date;
    return {
      label: span === "week" ? weekday(date) : String(Number(date.slice(8))), name: longDay(date), steps: figures.steps,
      isNow: date === today.date, isFuture: date > today.date, isReached: reaches(date), pick: open("day", date),
      isEmpty: isPast && !hasData(date), text: isPast && !hasData(date) ? t("no data") : sentence(figures),
    };
  });
}

/** The goals of a week as rings, each a link to its day. */
function showRings(dates) {
  $("rings").hidden = shown.span !== "week" || !known.today.goal || !dates.some(hasData);
  if ($("rings").hidden) return;
  $("rings").replaceChildren(...dates.map((date) => {
    const [goal, count] = [goalOn(date), figuresOn(date).steps];
    const ring = made("a", { href: `#/history/day/${date}`, textContent: weekday(date) });
    ring.style.setProperty("--share", `${Math.min(100, (100 * count) / goal)}%`);
    ring.setAttribute("aria-label", `${longDay(date)}: ${hasData(date) ? t("{count} of {all}", { count, all: steps(goal) }) : t("no data")}`);
    if (date === known.today.date) ring.setAttribute("aria-current", "date");
    return made("li", {}, ring);
  }));
}

/** Each day of the year in a colour by its share of its goal; without a goal, of the best day. */
function showCalendar(year) {
  const { today } = known;
  // The weeks from the first day with data.
  const first = plus(beginning(), -((noon(beginning()).getUTCDay() + 6) % 7));
  const dates = year.filter((date) => date >= first);
  const begins = beginning();
  // A few days are seen in the bars, too.
  $("calendar").hidden = shown.span !== "year" || dates.filter(hasData).length < 7;
  if ($("calendar").hidden) return;
  const best = Math.max(1, ...dates.map((date) => figuresOn(date).steps));
  // Weeks begin on Monday.
  const lead = (noon(dates[0]).getUTCDay() + 6) % 7;
  const level = (date) => {
    const goal = goalOn(date);
    const share = figuresOn(date).steps / (goal || best);
    const [most, much, half] = goal ? [1.5, 1, 0.5] : [0.75, 0.5, 0.25];
    return share >= most ? 4 : share >= much ? 3 : share >= half ? 2 : share > 0 ? 1 : 0;
  };
  drawCalendar($("calendar"), {
    days: dates.map((date, index) => ({ date, week: Math.floor((index + lead) / 7), weekday: (index + lead) % 7 }))
      .filter(({ date }) => date >= begins && date <= today.date)
      .map(({ date, week, weekday: row }) => ({
        week, weekday: row, level: level(date), name: longDay(date), text: hasData(date) ? sentence(figuresOn(date)) : t("no data"), pick: open("day", date),
      })),
    months: dates.map((date, index) => [date, Math.ceil((index + lead) / 7)])
      .filter(([date], index) => date.endsWith("-01") || (index === 0 && Number(date.slice(8)) < 16))
      .map(([date, week]) => ({ label: monthName(date), week })),
    // 2026-11-23 is a Monday.
    weekdays: datesFrom("2026-11-23", "2026-11-29").map(weekday),
    legend: today.goal ? [t("no data"), t("less than half of the goal"), t("half or more"), t("the goal"), t("half as much again")]
      : [t("no data"), t("less than a quarter of the best day"), t("a quarter or more"), t("half or more"), t("three quarters or more")],
  });
}

function showDay() {
  const { anchor } = shown;
  const { today } = known;
  const isDay = shown.span === "day";
  // What there is to say of a day on which nothing was counted stands above.
  $("day-part").hidden = !isDay || !hasData(anchor);
  $("walks-part").hidden = !isDay || (!hasData(anchor) && !details.doubts.length);
  $("day-doubts").hidden = true;
  if (!isDay || details.date !== anchor) return;
  const hours = anchor === today.date ? known.hours : details.hours;
  let total = 0;
  const course = hours.map((hour) => (total += hour.steps));
  drawCourse($("course"), {
    caption: t("Steps by the end of each hour, {day}", { day: longDay(anchor) }),
    labels: Array.from({ length: 24 }, (_, index) => hourBars(hours, true)[index]?.label ?? ""),
    series: [
      { name: anchor === today.date ? t("today") : mediumDay(anchor), values: course, kind: "own" },
      details.usual && { name: t("an average day of the four weeks before"), values: details.usual, kind: "usual" },
      goalOn(anchor) && { name: t("goal: {count}", { count: goalOn(anchor) }), values: Array(24).fill(goalOn(anchor)), kind: "goal" },
    ].filter(Boolean),
  });
  showWalks($("day-walks"), details.walks ?? [], t("No walk on this day."), reload);
  showDoubts($("day-doubts"), details.doubts, reload);
}

function show() {
  const { today } = known;
  if (!today || shown.anchor === null) return;
  const now = period();
  const { span, anchor } = shown;
  for (const button of document.querySelectorAll("[data-span]")) {
    button.setAttribute("aria-pressed", String(button.dataset.span === span));
  }
  for (const control of ["earlier", "date"]) $(control).disabled = false;
  $("date").value = anchor;
  $("date").max = today.date;
  $("later").disabled = now.dates[now.dates.length - 1] >= today.date;
  if ($("period").textContent !== now.name) $("period").textContent = now.name;
  const isEmpty = !now.dates.some(hasData);
  for (const part of ["sums", "span", "comparison"]) $(part).hidden = isEmpty;
  $("history-empty").hidden = !isEmpty;
  const isNew = beginning() === today.date && !hasData(today.date);
  $("history-empty").firstChild.textContent = `${isNew ? t("Nothing is counted yet.") : t("Nothing was counted then.")} `;
  const way = $("history-empty").querySelector("a");
  way.textContent = isNew ? t("Add a phone") : t("Show the latest days");
  way.href = isNew ? "#/devices/phone" : "#/history/week";
  showSums(now.dates);
  showComparison(now, today);
  showRings(now.dates);
  showCalendar(now.dates);
  showDay();
  showRecords();
  loadLongest();
  if (span === "day") {
    const isToday = anchor === today.date;
    const list = isToday ? known.hours : details.date === anchor ? details.hours : [];
    const goal = goalOn(anchor);
    draw($("span"), {
      caption: t("Steps by hour, {days}", { days: now.name }), bars: hourBars(list, isToday, hourlyPace(goal)), lines: paceLine(list, goal),
      nowName: t("This hour so far"),
    });
    return;
  }
  const average = mean(now.dates);
  const yearly = span === "year" ? usualGoal(now.dates.filter((date) => date <= today.date)) : undefined;
  const lines = [
    ...(yearly ? [{ name: t("Goal: {count}", { count: Math.round(yearly) }), steps: yearly }] : span === "year" ? [] : goalLines(now.dates)),
    ...(average !== null ? [{ name: t("Daily average, without today"), steps: average, kind: 1 }] : []),
  ];
  draw($("span"), {
    caption: span === "year" ? t("Steps by month, on an average day, {days}", { days: now.name }) : t("Steps by day, {days}", { days: now.name }),
    bars: spanBars(now.dates), lines, nowName: span === "year" ? t("This month so far") : t("Today so far"),
    note: span === "year" ? t("Each bar: steps a day in that month") : undefined,
  });
}

const isWide = matchMedia("(min-width: 100rem)");

/** The week beside today, where there is room for it. */
function showWeek() {
  if (!isWide.matches) return;
  const { today } = known;
  const dates = datesFrom(plus(today.date, -6), today.date);
  draw($("week"), {
    caption: t("Steps by day, the last seven days"), bars: spanBars(dates, "week"),
    lines: goalLines(dates), nowName: t("Today so far"),
  });
}
isWide.addEventListener("change", () => { if (known.today && known.loadedIn !== null && view.name === "today") showWeek(); });
onView("today", () => { if (known.today && known.loadedIn !== null) showWeek(); });
// With the other figures of today; it changes one bar.
onChange(() => { if (view.name === "today" && !document.hidden) showWeek(); });

onChange(atMostEvery(5000, () => {
  // A walk changes one figure of a week or a year: not all of it is drawn at each step, and none of it while it is hidden. Showing
  // the view draws it at once.
  if (document.hidden) return;
  if (view.name !== "history") return;
  if (shown.anchor === null || shown.anchor > known.today.date) shown.anchor = known.today.date;
  // The day on the screen may be one that was asked for before the days were known.
  if (shown.span === "day" && details.date !== shown.anchor) load(); else show();
}));

// MARK: files

/** Only the figures that a day of the history has, too. */
const figuresOf = (figures) => Object.fromEntries(keys.filter((key) => key in figures).map((key) => [key, figures[key]]));

/** What the history shows: hours of a day, days of anything longer. */
function shownRows() {
  const { dates } = period();
  const { span, anchor } = shown;
  const { today, days, hours } = known;
  const rows = span === "day" ? (anchor === today.date ? hours : details.hours)
    : dates.filter((date) => days.has(date) && date <= today.date).map((date) => ({ ...days.get(date), ...(date === today.date ? figuresOf(today) : {}) }));
  return [rows, `${span}-${dates[0]}`];
}

function save(kind, [rows, name]) {
  const columns = ["start", "end", "steps", "distanceTravelled", "cadence", "activeTime", "floorsAscended", "floorsDescended", "counted"];
  const text = kind === "json" ? rows.map((row) => `${JSON.stringify(row)}\n`).join("")
    : `${columns.join(",")}\n${rows.map((row) => `${columns.map((column) => row[column] ?? "").join(",")}\n`).join("")}`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind === "json" ? "application/jsonl" : "text/csv" }));
  link.download = `steps-${name}.${kind === "json" ? "jsonl" : "csv"}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

for (const kind of ["csv", "json"]) {
  $(`export-${kind}`).addEventListener("click", () => save(kind, shownRows()));
  $(`all-${kind}`).addEventListener("click", async () => {
    $("all-error").textContent = "";
    try { save(kind, [await loadBuckets("day", "2000-01-01T00:00:00Z", new Date().toISOString(), false), "all"]); } catch (error) { $("all-error").textContent = error.message; }
  });
}
$("print").addEventListener("click", () => window.print());
