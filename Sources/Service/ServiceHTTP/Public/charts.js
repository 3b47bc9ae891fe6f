// Charts as SVG, drawn in the pixels of their card, so that a label has the size that it says. Each is read with the pointer or
// the arrow keys; beside it is the same as a table, for those who listen.
import { locale, t, whole } from "/texts.js";
import { onBeat } from "/common.js";

const SVG = "http://www.w3.org/2000/svg";
const compact = new Intl.NumberFormat(locale, { notation: "compact", useGrouping: "always", maximumFractionDigits: 1 });

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Whole values of an axis up to at least `most`: 1, 2 or 5 times a power of ten apart, two to six of them. */
export function ticks(most) {
  if (!(most > 0)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [0.2, 0.5, 1, 2].map((part) => part * power).find((part) => part >= 1 && most / part <= 5) ?? 2 * power;
  const all = [];
  for (let value = 0; ; value += step) {
    all.push(value);
    if (value >= most) return all;
  }
}

const drawn = new Map();
const watcher = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const chart = drawn.get(target);
    if (!chart) continue;
    // A hidden one is drawn anew when it is shown: the window may have another size by then.
    if (contentRect.width === 0) { pictures.delete(target); continue; }
    const isOther = (now, then) => then !== undefined && Math.abs(now - then) >= 1;
    if (isOther(contentRect.width, chart.width) || isOther(contentRect.height, chart.height)) (chart.repaint ?? paint)(target, chart.options);
  }
});

/**
 * Gives a chart tooltips: for the mark under the pointer, or the one chosen with the arrow keys, which Enter opens.
 *   marks: { x, y, name, text, pick, row }, in the order of the keys; `row` is the mark that Down leads to
 */
function readable(target, caption, picture, marks) {
  const old = target.reading;
  const tip = document.createElement("p");
  tip.className = "tip";
  tip.hidden = true;
  const reading = { tip, marks, index: null, caption };
  target.reading = reading;
  if (!old) {
    target.tabIndex = 0;
    target.setAttribute("role", "group");
    const keys = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last" };
    target.addEventListener("keydown", (event) => {
      const { reading } = target;
      if (event.key === "Escape") return tell(target, null);
      const chosen = reading.marks[reading.index];
      if ((event.key === "Enter" || event.key === " ") && chosen?.pick) { event.preventDefault(); return chosen.pick(); }
      const key = keys[event.key];
      if (key === undefined || reading.marks.length === 0) return;
      event.preventDefault();
      const last = reading.marks.length - 1;
      const from = reading.index ?? (key === -1 ? last + 1 : -1);
      const step = reading.marks.step ?? 1;
      const to = key === "first" ? 0 : key === "last" ? last : key === "up" ? from - 1 : key === "down" ? from + 1 : from + key * step;
      tell(target, Math.min(last, Math.max(0, to)), true);
    });
    target.addEventListener("blur", () => tell(target, null));
    target.addEventListener("pointerleave", () => tell(target, null));
    const nearest = (event) => {
      const box = target.querySelector("svg").getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      let [best, least] = [null, Infinity];
      target.reading.marks.forEach((mark, index) => {
        const far = Math.abs(mark.x - x) + (target.reading.marks.isGrid ? Math.abs(mark.y - y) : 0);
        if (far < least) [best, least] = [index, far];
      });
      return best;
    };
    target.addEventListener("pointermove", (event) => { if (event.target.closest("svg")) tell(target, nearest(event)); });
    target.addEventListener("click", (event) => {
      if (!event.target.closest("svg")) return;
      const index = nearest(event);
      const mark = target.reading.marks[index];
      if (mark?.pick) mark.pick(); else tell(target, index);
    });
  }
  target.setAttribute("aria-label", t("{caption}. The arrow keys read it.", { caption }));
  return tip;
}

/** Shows what a chart says at a mark; `null` hides it. */
function tell(target, index, isKey = false) {
  const { reading } = target;
  reading.index = index;
  const mark = index === null ? null : reading.marks[index];
  reading.tip.hidden = !mark;
  for (const old of target.querySelectorAll(".chosen")) old.classList.remove("chosen");
  if (!mark) return;
  mark.shape?.classList.add("chosen");
  // Only what the keys choose is read aloud: the pointer passes over many.
  reading.tip.setAttribute("aria-live", isKey ? "polite" : "off");
  reading.tip.textContent = t("{name}: {text}", mark);
  const width = target.clientWidth;
  const half = reading.tip.offsetWidth / 2;
  reading.tip.style.left = `${Math.min(Math.max(mark.x, half), Math.max(half, width - half))}px`;
  reading.tip.style.top = `${Math.max(0, mark.y - reading.tip.offsetHeight - 8)}px`;
}

/** The same as a table. */
function table(caption, rows) {
  const unseen = document.createElement("div");
  unseen.className = "unseen";
  const table = document.createElement("table");
  unseen.append(table);
  table.createCaption().textContent = caption;
  for (const { name, text } of rows) {
    const row = table.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = name;
    row.append(head);
    row.insertCell().textContent = text;
  }
  return unseen;
}

/** What was drawn last in an element, as far as it can be changed in place. */
const pictures = new WeakMap();

/** Puts a chart in place; what was being read stays. */
function put(target, caption, picture, marks, legend, rows) {
  const index = target.reading?.index ?? null;
  const isKey = document.activeElement === target;
  const tip = readable(target, caption, picture, marks);
  target.replaceChildren(picture, tip, ...(legend ? [legend] : []), table(caption, rows));
  if (index !== null && index < marks.length) tell(target, index, isKey);
}

function legendOf(entries) {
  const legend = document.createElement("p");
  legend.className = "legend";
  for (const { name, kind } of entries) {
    const entry = document.createElement("span");
    [entry.className, entry.textContent] = [kind, name];
    legend.append(entry);
  }
  return legend;
}

/** Pixels of a chart's text, in sixteenths of it: it grows with the window. */
const unitOf = (target) => parseFloat(getComputedStyle(target).fontSize) / 16;

/** What all charts are drawn with: the size, the axis and its numbers. `usual` is the height where the window leaves it to the chart. */
function frame(target, most, usual, options, columns = 1) {
  const unit = unitOf(target);
  const width = Math.max(240, Math.floor(target.clientWidth));
  // In a wide window a chart is as high as there is room, its legend of one line included.
  const fills = getComputedStyle(target).contain === "size";
  const height = Math.round(fills ? Math.max(160 * unit, target.clientHeight - (options.hasLegend ? 30 * unit : 0)) : usual * unit);
  drawn.set(target, { ...options, width: target.clientWidth, height: fills ? target.clientHeight : undefined });
  const axis = ticks(most || 100);
  pictures.delete(target);
  // Thousands as K where there is little room, above the bars as beside them.
  const step = (width - 60 * unit) / columns;
  const number = most >= 10_000 && (width < 500 * unit || (step >= narrow * unit && step < 44 * unit)) ? compact : whole;
  // The unit stands at the top.
  const { measure } = options.options;
  const texts = axis.map((value) => (measure && value === axis[axis.length - 1] ? measure(value) : number.format(value)));
  const left = (12 + 7.5 * Math.max(...texts.map((text) => text.length))) * unit;
  const [top, foot, right] = [18 * unit, 24 * unit, 4];
  const scale = (height - top - foot) / axis[axis.length - 1];
  const floor = height - foot;
  const picture = element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  for (const [index, value] of axis.entries()) {
    const y = floor - value * scale;
    picture.append(
      element("line", { class: "grid", x1: left, x2: width - right, y1: y, y2: y }),
      // Without any steps there is nothing to measure.
      ...(most > 0 ? [element("text", { class: "value", x: left - 6, y: y + 4 * unit }, texts[index])] : []));
  }
  return { unit, width, height, left, right, floor, scale, picture, number };
}

/** Labels below columns, as many as there is room for. */
function label(picture, names, left, step, height, unit) {
  const widest = Math.max(1, ...names.map((name) => name.length)) * 7.5 * unit + 8;
  const every = [1, 2, 3, 4, 6, 7, 8, 12, 14, 30, 60].find((count) => count * step >= widest) ?? names.length;
  const end = picture.getAttribute("width") - widest / 2;
  names.forEach((name, index) => {
    if (index % every === 0) picture.append(element("text", { x: Math.min(left + (index + 0.5) * step, end), y: height - 7 * unit }, name));
  });
}

/** Columns, in units, that are too narrow for a figure above each. */
const narrow = 34;

/** What stands below bars: the lines, the bar that still grows, and the days without data. */
const keysOf = ({ bars, lines = [], nowName, note }) => [
  ...lines.map((line) => ({ name: line.name, kind: `key key-${line.kind ?? 0}` })),
  ...(nowName && bars.some((bar) => bar.isNow && bar.steps > 0) ? [{ name: nowName, kind: "swatch swatch-now" }] : []),
  ...(bars.some((bar) => bar.isEmpty) ? [{ name: t("No data"), kind: "swatch level-0" }] : []),
  ...(note ? [{ name: note, kind: "" }] : []),
];

/**
 * Draws bars into an element, and again when its width changes.
 *   bars: { label, name, text, steps, isNow, isFuture, isReached, isEmpty, pick }; an empty one had no data, and a bar's
 *   `pick` is called when it is clicked
 *   lines: { name, steps, from, to, pieces, kind }, dashed across the bars, `from` and `to` being the first and the last bar; `pieces` are
 *   steps for each bar instead
 *   nowName: what the bar is that still grows; note: a sentence after the legend
 */
export function draw(target, options) {
  if (!drawn.has(target)) watcher.observe(target);
  if (!grow(target, options, highest(options))) paint(target, options);
}

/** Everything of bars but how high they are and what is said of them. */
const outline = ({ caption, bars, lines = [] }, most) => JSON.stringify([
  caption, lines, ticks(most || 100), bars.map((bar) => [bar.label, bar.name, bar.isNow, bar.isFuture, bar.isReached, bar.isEmpty, bar.steps > 0])]);

/** Changes the bars that grew. Returns whether that was enough: a walk makes one bar grow, and all others stay as they are. */
function grow(target, options, most) {
  const picture = pictures.get(target);
  // The watcher draws again what has another size: to ask for the size here would lay out the page twice at each beat.
  if (!picture || picture.outline !== outline(options, most)) return false;
  drawn.get(target).options = options;
  const rows = target.querySelectorAll(".unseen td");
  let hasNewText = false;
  options.bars.forEach((bar, index) => {
    const { steps, text, mark, shape, figure } = picture.bars[index];
    if (mark) mark.pick = bar.pick;
    if (bar.steps === steps && bar.text === text) return;
    Object.assign(picture.bars[index], { steps: bar.steps, text: bar.text });
    if (mark) mark.text = bar.text;
    if (rows[index]) rows[index].textContent = bar.text;
    hasNewText = true;
    if (bar.isEmpty) return;
    const tall = tallness(bar, picture.scale);
    for (const [key, value] of Object.entries({ y: picture.floor - tall, height: tall })) shape.setAttribute(key, value);
    if (mark) mark.y = picture.floor - tall;
    if (figure) {
      figure.setAttribute("y", above(options.lines ?? [], index, picture.floor - tall - 5, picture.floor, picture.scale, picture.unit));
      figure.textContent = picture.number.format(bar.steps);
    }
  });
  const { index, tip } = target.reading;
  if (hasNewText && index !== null) tell(target, index, tip.getAttribute("aria-live") === "polite");
  return true;
}

const tallness = (bar, scale) => (bar.steps > 0 ? Math.max(1.5, bar.steps * scale) : 0);
/** The steps that the axis has room for: with less than a hundred it would change at every step of the first minute. */
const highest = ({ bars, lines = [] }) => {
  const most = Math.max(0, ...bars.map((bar) => bar.steps), ...lines.flatMap((line) => line.pieces ?? line.steps));
  return most > 0 ? Math.max(100, most) : 0;
};

function paint(target, options) {
  const { caption, bars, lines = [] } = options;
  const most = highest(options);
  const keys = keysOf(options);
  const { unit, width, height, left, right, floor, scale, picture, number } =
    frame(target, most, target.clientWidth < 400 * unitOf(target) ? 170 : 210, { options, hasLegend: keys.length > 0 }, Math.max(1, bars.length));
  const step = (width - left - right) / Math.max(1, bars.length);
  const room = Math.min(height > 400 * unit ? 128 * unit : 64 * unit, Math.max(1, step - Math.max(2, step * 0.28)));
  const marks = [];
  const parts = bars.map((bar, index) => {
    const middle = left + (index + 0.5) * step;
    const tall = tallness(bar, scale);
    const shape = bar.isEmpty
      ? element("circle", { class: "empty", cx: middle, cy: floor - 5 * unit, r: 2.5 * unit })
      : element("rect", {
        class: ["bar", bar.isNow && "now", bar.isReached && "reached"].filter(Boolean).join(" "),
        x: middle - room / 2, y: floor - tall, width: room, height: tall, rx: Math.min(3, room / 3),
      });
    picture.append(shape);
    const mark = bar.isFuture ? null : { x: middle, y: floor - tall, name: bar.name ?? bar.label, text: bar.text, pick: bar.pick, shape };
    if (mark) marks.push(mark);
    const figure = step >= narrow * unit && bar.steps > 0
      ? element("text", { class: "top", x: middle, y: above(lines, index, floor - tall - 5, floor, scale, unit) }, number.format(bar.steps)) : null;
    return { steps: bar.steps, text: bar.text, mark, shape, figure };
  });
  for (const { steps, pieces = [steps], from = 0, to = bars.length, kind = 0 } of lines) {
    pieces.forEach((each, index) => {
      const y = floor - each * scale;
      const [x1, x2] = (pieces.length > 1 ? [index, index + 1] : [from, to]).map((place) => left + place * step);
      picture.append(element("line", { class: `mark mark-${kind}`, x1, x2, y1: y, y2: y }));
    });
  }
  // No line runs through a figure.
  for (const { figure } of parts) if (figure) picture.append(figure);
  label(picture, bars.map((bar) => bar.label), left, step, height, unit);
  const legend = keys.length > 0 ? legendOf(keys) : null;
  put(target, caption, picture, marks, legend, bars.filter((bar) => !bar.isFuture).map((bar) => ({ name: bar.name ?? bar.label, text: bar.text })));
  pictures.set(target, { outline: outline(options, most), bars: parts, floor, scale, unit, number });
}

/**
 * Draws values as lines over the same columns.
 *   labels: a name for each column
 *   series: { name, values, kind }, the first of which is read
 *   unit: how a value is read; measure: how the largest of the axis is written; ticks: { share, text } instead of the labels
 */
export function drawCourse(target, options) {
  if (!drawn.has(target)) watcher.observe(target);
  paintCourse(target, options);
}

function paintCourse(target, options) {
  const { caption, labels, series, unit: of = (value) => t("{n} step|{n} steps", { n: Math.round(value) }) } = options;
  const most = Math.max(0, ...series.flatMap(({ values }) => values));
  const { unit, width, height, left, right, floor, scale, picture } =
    frame(target, most, 190, { options, repaint: paintCourse, hasLegend: series.length > 1 });
  const step = (width - left - right) / Math.max(1, labels.length);
  const place = (value, index) => [left + (index + 0.5) * step, floor - value * scale];
  const marks = [];
  for (const { values, kind } of [...series].reverse()) {
    picture.append(element("polyline", { class: `course ${kind}`, points: values.map((value, index) => place(value, index).join(",")).join(" ") }));
  }
  const [own] = series;
  own?.values.forEach((value, index) => {
    const [x, y] = place(value, index);
    const shape = element("circle", { class: "point", cx: x, cy: y, r: 4 });
    picture.append(shape);
    const others = series.slice(1).filter((other) => other.kind === "usual" && other.values[index] !== undefined)
      .map((other) => t("{name}: {text}", { name: other.name, text: of(other.values[index]) }));
    marks.push({ x, y, name: labels[index], text: [of(value), ...others].join("; "), shape });
  });
  if (options.ticks) {
    for (const { share, text } of options.ticks) {
      picture.append(element("text", { x: left + (0.5 + share * (labels.length - 1)) * step, y: height - 7 * unit }, text));
    }
  } else label(picture, labels, left, step, height, unit);
  const legend = series.length > 1 ? legendOf(series.map(({ name, kind }) => ({ name, kind: `key key-${kind}` }))) : null;
  put(target, caption, picture, marks, legend, marks);
}

/** Where a bar's figure stands: above its bar, and above each line that would cross it. */
function above(lines, index, y, floor, scale, unit) {
  const heights = lines.filter((line) => line.steps !== undefined && index >= (line.from ?? 0) && index < (line.to ?? Infinity))
    .map((line) => floor - line.steps * scale).sort((a, b) => b - a);
  for (const line of heights) if (line <= y + 5 && line >= y - 12 * unit) y = line - 4;
  return y;
}

/**
 * Draws days as a calendar: a column for each week, its first day at the top.
 *   days: { name, text, level, week, weekday, pick }, `level` from 0, without data, to 4
 *   months: { label, week }; weekdays: a name for each row; legend: a name for each level
 */
export function drawCalendar(target, options) {
  if (!drawn.has(target)) watcher.observe(target);
  paintCalendar(target, options);
}

function paintCalendar(target, options) {
  const { days, months, weekdays, legend: names } = options;
  const unit = unitOf(target);
  const width = Math.max(240, Math.floor(target.clientWidth));
  drawn.set(target, { width: target.clientWidth, options, repaint: paintCalendar });
  const left = 36 * unit;
  const weeks = 1 + Math.max(0, ...days.map((day) => day.week));
  // On a phone half a year in a row, so that a day can be touched.
  const rows = (width - left) / weeks < 9 * unit && weeks > 27 ? 2 : 1;
  const columns = Math.ceil(weeks / rows);
  // A few weeks do not fill a window.
  const step = Math.min((width - left) / columns, 32 * unit);
  const edge = step - Math.max(1, step * 0.12);
  const top = 18 * unit;
  const high = top + 7 * step;
  const place = (week) => [left + (week % columns) * step, Math.floor(week / columns) * high];
  const height = Math.ceil(rows * high);
  const picture = element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const isNarrow = step * 4.3 < 30 * unit;
  for (const month of months) {
    const [x, y] = place(month.week);
    picture.append(element("text", { class: "month", x, y: y + 12 * unit }, isNarrow ? month.label.slice(0, 1) : month.label));
  }
  // Every other one where rows are low.
  for (let block = 0; block < rows; block += 1) {
    weekdays.forEach((name, row) => {
      if (step >= 12 * unit || row % 3 === 0) {
        picture.append(element("text", { class: "value", x: left - 6, y: block * high + top + (row + 0.5) * step + 4 * unit }, isNarrow ? name.slice(0, 1) : name));
      }
    });
  }
  const marks = days.map((day) => {
    const [across, down] = place(day.week);
    const [x, y] = [across, down + top + day.weekday * step];
    // A day without data is a dot: what one has is what is seen.
    const size = day.level === 0 ? edge / 4 : edge;
    const off = (edge - size) / 2;
    const shape = element("rect", {
      class: `day level-${day.level}`, x: x + off, y: y + off, width: size, height: size, rx: day.level === 0 ? size / 2 : Math.min(3, edge / 4),
    });
    picture.append(shape);
    return { x: x + edge / 2, y: y + edge / 2, name: day.name, text: day.text, pick: day.pick, shape };
  });
  // Left and right lead to the next week, up and down to the next day.
  [marks.step, marks.isGrid] = [7, true];
  put(target, t("Steps of each day of the year"), picture, marks, legendOf(names.map((name, level) => ({ name, kind: `swatch level-${level}` }))), []);
}

/** A moving trace of numbers around one, on a canvas. */
export class Trace {
  /** Milliseconds between two answers of the service. */
  static interval = 2000;

  constructor(canvas) {
    this.canvas = canvas;
    this.points = [];
    this.seconds = 8;
    this.isCalm = matchMedia("(prefers-reduced-motion: reduce)");
    this.latest = null;
    this.isOnScreen = true;
    // Its box: the canvas itself is hidden while there is no signal.
    new IntersectionObserver(([entry]) => {
      this.isOnScreen = entry.isIntersecting;
      this.paint();
    }).observe(canvas.parentElement);
    // To ask for the size at each picture would lay out the page once more.
    this.size = [0, 0];
    new ResizeObserver(([{ contentRect }]) => {
      this.size = [contentRect.width, contentRect.height];
      this.paint();
    }).observe(canvas);
  }

  get isSeen() { return this.isOnScreen && !document.hidden; }

  /** Takes values that end at a time of the service, in seconds, and are `interval` apart. */
  take(end, interval, values) {
    const known = this.latest ?? -Infinity;
    values.forEach((value, index) => {
      const time = end - (values.length - 1 - index) * interval;
      if (time > known + interval / 2) this.points.push([time, value]);
    });
    if (end > known) {
      this.latest = end;
      this.arrival = performance.now();
    }
    this.points = this.points.filter(([time]) => time >= end - 2 * this.seconds);
    this.paint();
  }

  /** Whether something came within the last seconds. */
  get isAlive() { return this.latest !== null && performance.now() - this.arrival < 2 * Trace.interval; }

  /** Between two answers the trace moves on by the clock, unless it is hidden or scrolled away. */
  paint() {
    if (!this.isSeen) return;
    onBeat("trace", () => {
      if (!this.isSeen) return;
      this.show();
      if (!this.isCalm.matches && this.isAlive) this.paint();
    });
  }

  show() {
    const { canvas, size: [width, height] } = this;
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.strokeStyle = style.getPropertyValue("--line");
    context.beginPath();
    context.moveTo(0, height / 2);
    context.lineTo(width, height / 2);
    context.stroke();
    if (this.latest === null) return;
    const since = this.isCalm.matches ? 0 : Math.min(1.2 * Trace.interval, performance.now() - this.arrival) / 1000;
    // A little more than that behind, so that there is something to show until the next answer.
    const end = this.latest + since - (this.isCalm.matches ? 0 : 1.1 * Trace.interval / 1000);
    const most = Math.max(0.25, ...this.points.map(([, value]) => Math.abs(value - 1)));
    context.strokeStyle = style.color;
    context.lineWidth = 2;
    context.lineJoin = "round";
    context.beginPath();
    let last = null;
    for (const [time, value] of this.points) {
      const x = width * (1 - (end - time) / this.seconds);
      const y = height / 2 - (value - 1) / most * (height / 2 - 3);
      if (last === null || time - last > 0.5) context.moveTo(x, y); else context.lineTo(x, y);
      last = time;
    }
    context.stroke();
  }
}
