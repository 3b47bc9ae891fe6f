// Today, the hours and the days, as the service has them; and how they are written.
import { t, whole, words } from "/texts.js";
import { ask, distance, query } from "/common.js";

// MARK: words

/** To the nearest minute, and at least one of any walk. */
export const minutes = (seconds) => {
  const count = seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0;
  return count < 60 ? t("{m} min", { m: count }) : t("{h} h {m} min", { h: Math.floor(count / 60), m: String(count % 60).padStart(2, "0") });
};
export const steps = (n) => t("{n} step|{n} steps", { n });

// MARK: dates, as the service names them: YYYY-MM-DD in its own time zone

export const noon = (date) => new Date(`${date}T12:00:00Z`);
const nameOf = (moment) => moment.toISOString().slice(0, 10);
export const plus = (date, days) => nameOf(new Date(noon(date).getTime() + days * 86_400_000));
const dayFormat = (options) => {
  const format = new Intl.DateTimeFormat(words, { ...options, timeZone: "UTC" });
  return (date) => format.format(noon(date));
};
export const weekday = dayFormat({ weekday: "short" });
export const weekdayName = dayFormat({ weekday: "long" });
export const shortDay = dayFormat({ weekday: "short", day: "numeric", month: "short" });
export const longDay = dayFormat({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const mediumDayFormat = new Intl.DateTimeFormat(words, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
export const mediumDay = (date) => mediumDayFormat.format(noon(date));
export const mediumDays = (first, last) => mediumDayFormat.formatRange(noon(first), noon(last));
export const monthName = dayFormat({ month: "short" });
export const longMonth = dayFormat({ month: "long" });
export const monthAndYear = dayFormat({ month: "long", year: "numeric" });
/** The hour and the time that the service's clock shows, as the reader writes them. */
export const hourFormat = new Intl.DateTimeFormat(words, { hour: "numeric", timeZone: "UTC" });
const timeFormat = new Intl.DateTimeFormat(words, { hour: "numeric", minute: "2-digit", timeZone: "UTC" });
const onTheClock = (time) => new Date(`${time.slice(0, 19)}Z`);
export const hourOf = (time) => hourFormat.format(onTheClock(time));
export const timeOf = (time) => timeFormat.format(onTheClock(time));

/** Every day from one to another. */
export function datesFrom(first, last) {
  const all = [];
  for (let date = first; date <= last; date = plus(date, 1)) all.push(date);
  return all;
}

// MARK: figures

export const nothing = { steps: 0, distanceTravelled: 0, activeTime: 0 };
export const keys = ["steps", "distanceTravelled", "activeTime", "floorsAscended", "floorsDescended"];

/** The sum of figures; floors only where some have them. */
export function sum(all) {
  const total = { ...nothing };
  for (const figures of all) {
    for (const key of keys) if (figures[key] !== undefined) total[key] = (total[key] ?? 0) + figures[key];
  }
  return total;
}

/** What one has more than the other. */
export function growth(later, former) {
  const more = {};
  for (const key of keys) if (later[key] !== undefined) more[key] = later[key] - (former[key] ?? 0);
  return more;
}

export const floorsText = ({ floorsAscended: up, floorsDescended: down }) =>
  up === undefined ? null : down ? t("{up} up, {down} down", { up, down }) : whole.format(up);

export const sentence = (figures) =>
  [steps(figures.steps), distance(figures.distanceTravelled), t("{time} walking", { time: minutes(figures.activeTime) }),
    floorsText(figures) && t("floors: {floors}", { floors: floorsText(figures) })].filter(Boolean).join(", ");

// MARK: what is known

/** `today` is the day so far, `hours` its hours up to now, whose sum is today, and `days` the days by their names. */
export const known = { today: null, hours: [], days: new Map(), first: null, loadedIn: null };

export const clockHour = () => Math.floor(Date.now() / 3_600_000);

const listeners = new Set();
/** Calls `draw` whenever any of it has changed. */
export function onChange(draw) { listeners.add(draw); }
export function changed() { if (known.today && known.loadedIn !== null) for (const draw of listeners) draw(); }

const moment = (date, days) => `${plus(date, days)}T00:00:00Z`;
/** Figures with the walker's answers, where there are any; `counted` keeps the steps of the sensors. */
export const settled = ({ corrected, ...figures }) => (corrected ? { ...figures, ...corrected, counted: figures.steps } : figures);
/** @param empty whether those without steps are listed: a day has 1440 minutes. */
export const loadBuckets = async (bucket, from, to, empty = true) =>
  (await (await ask(`/api/history?${query({ bucket, from, to, ...(!empty && { empty }) })}`)).json()).map(settled);

/** Days are asked for with a day to spare, because the first of an answer may be a part of one. */
export async function loadDays(first, last) {
  for (const bucket of await loadBuckets("day", moment(first, -2), moment(last, 3))) {
    const date = bucket.start.slice(0, 10);
    if (date >= first && date <= last) known.days.set(date, bucket);
  }
  if (known.first === null || first < known.first) known.first = first;
}

/** The days that records, years and long streaks need; today does with the last two months. */
export async function loadAllDays() {
  const first = plus(known.today.date, -400);
  if (known.first !== null && first < known.first) await loadDays(first, plus(known.first, -1));
}

/** Adds what was walked since the hours were asked for to the present hour, so that hours always add up to the day. */
export function addToHour(more) {
  const { hours } = known;
  if (hours.length > 0) hours[hours.length - 1] = { ...hours[hours.length - 1], ...sum([hours[hours.length - 1], more]) };
}

export const figuresOn = (date) => (known.today && date === known.today.date ? known.today : known.days.get(date) ?? nothing);
/** A day without a step is a day on which nothing counted, and no mean has it. */
export const hasData = (date) => figuresOn(date).steps > 0;
/** The goal that a day had. */
export const goalOn = (date) => (date === known.today.date ? known.today.goal : known.days.get(date)?.goal ?? known.today.goal);
export const reaches = (date) => Boolean(goalOn(date)) && figuresOn(date).steps >= goalOn(date);

/**
 * An average day of the four weeks before a date: how many days with data they have, and the steps by the end of each hour.
 * `null` without any.
 */
export async function usualCourse(date) {
  const [first, last] = [plus(date, -28), plus(date, -1)];
  // The hours of a day as the service counts them, which may begin at four in the morning.
  const begins = known.hours.length > 0 ? onTheClock(known.hours[0].start).getTime() % 86_400_000 : 0;
  const days = new Map();
  for (const hour of await loadBuckets("hour", moment(first, -1), moment(last, 3), false)) {
    const time = new Date(onTheClock(hour.start).getTime() - begins);
    const name = nameOf(time);
    if (name < first || name > last) continue;
    if (!days.has(name)) days.set(name, Array(24).fill(0));
    days.get(name)[time.getUTCHours()] += hour.steps;
  }
  const counted = [...days.values()].filter((all) => all.some((count) => count > 0));
  if (counted.length === 0) return null;
  let total = 0;
  return { days: counted.length, course: Array.from({ length: 24 }, (_, hour) => (total += counted.reduce((sum, all) => sum + all[hour], 0) / counted.length)) };
}

/** The first day on which anything was walked. */
export function beginning() {
  let first = known.today.date;
  for (const [date, figures] of known.days) if (figures.steps > 0 && date < first) first = date;
  return first;
}

/** Days of the last four weeks with data before anything is called usual. */
export const enough = 5;

/** The steps of an average day of the last thirty, once enough of them have data; `null` before. */
export function usualDay() {
  const past = datesFrom(plus(known.today.date, -30), plus(known.today.date, -1));
  return past.filter(hasData).length >= enough ? Math.round(mean(past)) : null;
}

/** The mean steps of days that are over and have data; `null` without any. */
export function mean(dates) {
  const over = dates.filter((date) => date < known.today.date && hasData(date));
  return over.length > 0 ? sum(over.map(figuresOn)).steps / over.length : null;
}

/** Days in a row up to yesterday at the goal that each had, and today where it is reached already. */
export function streak() {
  const { today } = known;
  if (!today.goal) return null;
  let count = reaches(today.date) ? 1 : 0;
  for (let date = plus(today.date, -1); reaches(date); date = plus(date, -1)) count += 1;
  return count;
}

// MARK: walks

/** Minutes of brisk walking, from 100 steps a minute, and of these the very brisk ones, from 130 (Tudor-Locke). */
export function brisk(all) {
  const count = (least) => all.filter((minute) => minute.steps >= least).length;
  const [some, most] = [count(100), count(130)];
  return some === 0 ? null : [minutes(60 * some), most > 0 ? t("{time} at 130 or more", { time: minutes(60 * most) }) : ""];
}

/** How many hours have 250 steps, which is a few minutes of walking. */
export const activeHours = (hours) => hours.filter((hour) => hour.steps >= 250).length;

/** The walks among minutes: at least a minute's steps, no more than two minutes apart. */
export function walksIn(all) {
  const walks = [];
  for (const minute of all) {
    if (!(minute.steps > 0)) continue;
    const start = Date.parse(minute.start);
    const last = walks[walks.length - 1];
    if (last && start - last.end <= 120_000) {
      last.minutes.push(minute);
      last.end = start + 60_000;
    } else {
      walks.push({ start: minute.start, end: start + 60_000, minutes: [minute] });
    }
  }
  return walks.map((walk) => ({ ...walk, ...sum(walk.minutes) })).filter((walk) => walk.steps >= 30);
}
