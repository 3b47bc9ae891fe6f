// Bar charts as SVG, drawn in the pixels of their card, so that a label has the size that it says. Beside each is the same
// as a table, for those who listen.
import { whole } from "/common.js";

const SVG = "http://www.w3.org/2000/svg";

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
    if (chart && Math.abs(contentRect.width - chart.width) >= 1) (chart.repaint ?? paint)(target, chart.options);
  }
});

/**
 * Draws bars into an element, and again when its width changes.
 *   bars: { label, title, text, steps, isNow, isFuture, pick }; a bar's `pick` is called when it is clicked
 *   lines: { name, steps, from, to }, for the legend and, with steps, dashed across the bars, `from` and `to` being the first and the last bar
 */
export function draw(target, options) {
  if (!drawn.has(target)) watcher.observe(target);
  paint(target, options);
}

function paint(target, options) {
  const { caption, bars, lines = [], fills = false } = options;
  // Beside a taller card the chart is as high as there is room, its legend of one line included.
  const isWide = fills && matchMedia("(min-width: 62rem)").matches;
  // Everything grows with the font of the page.
  const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const usual = 210 * unit;
  const height = Math.round(isWide ? Math.min(2 * usual, Math.max(usual, target.clientHeight - 32 * unit)) : usual);
  const width = Math.max(240, Math.floor(target.clientWidth));
  drawn.set(target, { width: target.clientWidth, options });
  const most = Math.max(0, ...bars.map((bar) => bar.steps), ...lines.map((line) => line.steps ?? 0));
  const axis = ticks(most || 100);
  const compact = most >= 10_000 && width < 500 * unit;
  const number = compact ? new Intl.NumberFormat(navigator.language, { notation: "compact" }) : whole;
  const left = (12 + 7.5 * Math.max(...axis.map((value) => number.format(value).length))) * unit;
  const [top, foot, right] = [18 * unit, 24 * unit, 4];
  const scale = (height - top - foot) / axis[axis.length - 1];
  const floor = height - foot;
  const step = (width - left - right) / Math.max(1, bars.length);
  const picture = element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  for (const value of axis) {
    const y = floor - value * scale;
    picture.append(
      element("line", { class: "grid", x1: left, x2: width - right, y1: y, y2: y }),
      element("text", { class: "value", x: left - 6, y: y + 4 * unit }, number.format(value)));
  }
  const widest = Math.max(1, ...bars.map((bar) => bar.label.length)) * 7.5 * unit + 8;
  const every = [1, 2, 3, 4, 6, 7, 8, 12, 14].find((count) => count * step >= widest) ?? bars.length;
  const room = Math.min(64 * unit, Math.max(1, step - Math.max(2, step * 0.28)));
  const [columns, labels] = [element("g", {}), element("g", {})];
  bars.forEach((bar, index) => {
    const middle = left + (index + 0.5) * step;
    const high = bar.steps > 0 ? Math.max(1.5, bar.steps * scale) : 0;
    const classes = ["bar", bar.isNow && "now", bar.isReached && "reached"].filter(Boolean).join(" ");
    const rect = element("rect", {
      class: classes, x: middle - room / 2, y: floor - high, width: room, height: high, rx: Math.min(3, room / 3),
    });
    picture.append(rect);
    if (bar.isFuture !== true) {
      // The whole column takes the pointer, so that small bars can be hit.
      const column = element("rect", { class: bar.pick ? "column pick" : "column", x: left + index * step, y: top, width: step, height: floor - top });
      column.append(element("title", {}, bar.title));
      if (bar.pick) column.addEventListener("click", bar.pick);
      columns.append(column);
    }
    if (index % every === 0) labels.append(element("text", { x: middle, y: height - 7 * unit }, bar.label));
    if (step >= 50 * unit && bar.steps > 0) {
      labels.append(element("text", { class: "top", x: middle, y: above(lines, index, floor - high - 5, floor, scale, unit) }, whole.format(bar.steps)));
    }
  });
  lines.forEach((line, index) => {
    if (line.steps === undefined) return;
    const y = floor - line.steps * scale;
    picture.append(element("line", {
      class: `mark mark-${index}`, x1: left + (line.from ?? 0) * step, x2: left + (line.to ?? bars.length) * step, y1: y, y2: y,
    }));
  });
  picture.append(labels, columns);
  const legend = document.createElement("p");
  legend.className = "legend";
  lines.forEach((line, index) => {
    const entry = document.createElement("span");
    entry.className = line.steps === undefined ? "" : `key key-${index}`;
    entry.textContent = line.name;
    legend.append(entry);
  });
  const unseen = document.createElement("div");
  unseen.className = "unseen";
  const table = document.createElement("table");
  unseen.append(table);
  table.createCaption().textContent = caption;
  for (const bar of bars) {
    if (bar.isFuture) continue;
    const row = table.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = bar.name ?? bar.label;
    row.append(head);
    row.insertCell().textContent = bar.text;
  }
  target.replaceChildren(picture, ...(lines.length > 0 ? [legend] : []), unseen);
}

/** Where a bar's figure stands: above its bar, and above each line that would cross it. */
function above(lines, index, y, floor, scale, unit) {
  const heights = lines.filter((line) => line.steps !== undefined && index >= (line.from ?? 0) && index < (line.to ?? Infinity))
    .map((line) => floor - line.steps * scale).sort((a, b) => b - a);
  for (const line of heights) if (line <= y + 3 && line >= y - 12 * unit) y = line - 4;
  return y;
}

/**
 * Draws days as a calendar: a column for each week, its first day at the top.
 *   days: { title, level, week, weekday, pick }, `level` from 0 to 3
 *   months: { label, week }
 *   legend: a name for each level
 */
export function drawCalendar(target, options) {
  if (!drawn.has(target)) watcher.observe(target);
  paintCalendar(target, options);
}

function paintCalendar(target, options) {
  const { days, months, legend: names } = options;
  const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const width = Math.max(240, Math.floor(target.clientWidth));
  drawn.set(target, { width: target.clientWidth, options, repaint: paintCalendar });
  const step = width / (1 + Math.max(0, ...days.map((day) => day.week)));
  const edge = step - Math.max(1, step * 0.12);
  const top = 18 * unit;
  const height = Math.ceil(top + 7 * step);
  const picture = element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const isNarrow = step * 4.3 < 30 * unit;
  for (const month of months) {
    picture.append(element("text", { class: "month", x: month.week * step, y: 12 * unit }, isNarrow ? month.label.slice(0, 1) : month.label));
  }
  for (const day of days) {
    const cell = element("rect", {
      class: `day level-${day.level}`, x: day.week * step, y: top + day.weekday * step, width: edge, height: edge, rx: Math.min(3, edge / 4),
    });
    cell.append(element("title", {}, day.title));
    if (day.pick) cell.addEventListener("click", day.pick);
    picture.append(cell);
  }
  const legend = document.createElement("p");
  legend.className = "legend";
  names.forEach((name, level) => {
    const entry = document.createElement("span");
    entry.className = `swatch level-${level}`;
    entry.textContent = name;
    legend.append(entry);
  });
  target.replaceChildren(picture, legend);
}

/** A moving trace of numbers around one, on a canvas. */
export class Trace {
  constructor(canvas) {
    this.canvas = canvas;
    this.points = [];
    this.seconds = 8;
    this.isCalm = matchMedia("(prefers-reduced-motion: reduce)");
    this.latest = null;
    this.hasFrame = false;
  }

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
  get isAlive() { return this.latest !== null && performance.now() - this.arrival < 3000; }

  paint() {
    if (this.hasFrame) return;
    this.hasFrame = true;
    requestAnimationFrame(() => {
      this.hasFrame = false;
      this.show();
      // Between two answers the trace moves on by the clock.
      if (!this.isCalm.matches && this.isAlive && !document.hidden) setTimeout(() => this.paint(), 40);
    });
  }

  show() {
    const { canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
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
    const since = this.isCalm.matches ? 0 : Math.min(1.5, (performance.now() - this.arrival) / 1000);
    // A second behind, so that there is something to show until the next answer.
    const end = this.latest + since - (this.isCalm.matches ? 0 : 0.7);
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
