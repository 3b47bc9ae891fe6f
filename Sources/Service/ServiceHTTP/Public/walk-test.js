// A six-minute walk with the phone: the time begins with the first step and runs on during rests.
import { locale, t, whole, words } from "/texts.js";
import { $, onSubmit } from "/common.js";

export const LENGTH = 360;
/** A longer time without a step is a rest, in seconds. */
const REST = 2;
/** The service confirms a step within six seconds. */
const PATIENCE = 8;
const CALLS = [
  ...[5, 4, 3, 2, 1].map((n) => [60 * n, t("{n} minute to go|{n} minutes to go", { n })]),
  [15, t("15 seconds to go")], [0, t("Stop. The last steps are being counted.")],
];

/** Steps and the time. It has no clock: all times are given, in seconds. */
export class WalkTest {
  isOn = false;
  #steps = [];
  #before = null;
  #since = -Infinity;
  #ahead = Infinity;
  #called = 0;

  /** Steps that were taken before are confirmed later, and do not begin the test. */
  start(now) { [this.isOn, this.#steps, this.#called, this.#since] = [true, [], 0, now - this.#ahead]; }

  /** The service's time of the latest samples; the least delay tells how far this clock is ahead. */
  sync(time, now) { this.#ahead = Math.min(this.#ahead, now - time); }

  /** A confirmed step, with the number of all steps. */
  step(time, total) {
    const added = this.#before === null ? 1 : Math.max(0, total - this.#before);
    this.#before = total;
    if (!this.isOn || time < this.#since) return;
    if (this.#steps.length === 0 || time - this.#steps[0].time < LENGTH) this.#steps.push({ time, added });
  }

  elapsed(now) {
    return this.#steps.length === 0 ? null : Math.max(0, now - Math.min(this.#ahead, now - this.#steps.at(-1).time) - this.#steps[0].time);
  }

  /** What is to be called out, if anything; after a silence only the latest. */
  call(now) {
    const elapsed = this.elapsed(now);
    let call = null;
    while (elapsed !== null && this.#called < CALLS.length && elapsed >= LENGTH - CALLS[this.#called][0]) call = CALLS[this.#called++][1];
    return call;
  }

  /** Whether no step of the six minutes can still come. */
  isOver(now) { return (this.elapsed(now) ?? 0) >= LENGTH + PATIENCE; }

  result(now) {
    // Of a test that is ended early, the latest steps are not confirmed yet: it ends with the last one that is.
    const isComplete = (this.elapsed(now) ?? 0) >= LENGTH;
    const duration = isComplete ? LENGTH : this.#steps.length > 0 ? this.#steps.at(-1).time - this.#steps[0].time : 0;
    const minutes = Array(Math.max(1, Math.ceil(duration / 60))).fill(0);
    const result = { duration, minutes, steps: 0, rests: 0, rested: 0, isComplete };
    const [first] = this.#steps;
    this.#steps.forEach(({ time, added }, index) => {
      minutes[Math.min(Math.floor((time - first.time) / 60), minutes.length - 1)] += added;
      result.steps += added;
      const pause = (this.#steps[index + 1]?.time ?? first.time + duration) - time;
      if (pause > REST) [result.rests, result.rested] = [result.rests + 1, result.rested + pause];
    });
    const walked = duration - result.rested;
    result.cadence = walked > 0 ? (60 * result.steps) / walked : null;
    return result;
  }
}

// MARK: the page

const test = new WalkTest();
let timer = null;
let done = null;
const now = () => performance.now() / 1000;
const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

function say(sentence) {
  $("test-state").textContent = sentence;
  navigator.vibrate?.(300);
}

function show() {
  const elapsed = test.elapsed(now());
  $("test-left").textContent = minutes(Math.ceil(LENGTH - Math.min(LENGTH, elapsed ?? 0)));
  const call = test.call(now());
  if (call) say(call);
  else if (elapsed !== null && $("test-state").dataset.begun !== "true") say(t("Go! The six minutes have begun."));
  $("test-state").dataset.begun = String(elapsed !== null);
  if (test.isOver(now()) && !isWaiting()) finish();
}

/** Whether samples are still to be sent. */
let isWaiting = () => false;

function finish() {
  clearInterval(timer);
  done = test.result(now());
  test.isOn = false;
  $("test-button").textContent = t("Again");
  $("test-left").hidden = true;
  $("test-state").textContent = done.isComplete ? "" : done.steps > 0 ? t("Ended after {time} of 6:00.", { time: minutes(done.duration) }) : t("There was no step.");
  if (done.steps === 0) return;
  $("test-date").textContent = new Date().toLocaleString(words, { dateStyle: "medium", timeStyle: "short" });
  $("test-steps").textContent = whole.format(done.steps);
  $("test-cadence").textContent = done.cadence === null ? "–" : t("{count} steps/min", { count: Math.round(done.cadence) });
  $("test-rests").textContent = done.rests === 0 ? t("none") : t("{count}, {time} in all", { count: done.rests, time: minutes(done.rested) });
  $("test-minutes").replaceChildren(...[t("Minute"), t("Steps")].map((name, row) => {
    const line = document.createElement("tr");
    const head = Object.assign(document.createElement("th"), { textContent: name, scope: "row" });
    line.append(head, ...done.minutes.map((steps, index) => Object.assign(document.createElement("td"), { textContent: row === 0 ? index + 1 : steps })));
    return line;
  }));
  showDistance();
  $("test-result").hidden = false;
  // Printed alone.
  for (const id of ["walk", "race", "chase"]) $(id).classList.add("print-no");
}

const exact = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Nobody measures a distance by steps of unknown length: the walker may type in what the course says. */
function showDistance() {
  const metres = $("test-metres").valueAsNumber;
  $("test-speed").textContent = metres > 0 && done.duration > 0
    ? t("{metres} m, {speed} m/s, {length} m a step", { metres, speed: exact.format(metres / done.duration), length: exact.format(metres / done.steps) })
    : t("not measured");
}

/** Takes a line of the stream about this phone. */
export function takeTestLine(line) {
  if (line.type === "data") test.sync(line.t, now());
  if (line.type === "step" && line.confirmed) test.step(line.t, line.steps);
}

/** - walker: tells whether the phone counts, and whether samples are still to be sent. */
export function offerTest(walker) {
  isWaiting = walker.isWaiting;
  onSubmit($("test-form"), $("test-error"), () => {
    if (test.isOn) return finish();
    if (!walker.isOn()) {
      $("test-error").textContent = t("Start your walk first.");
      return undefined;
    }
    test.start(now());
    $("test-result").hidden = true;
    $("test-button").textContent = t("End");
    $("test-left").hidden = false;
    $("test-state").dataset.begun = "false";
    $("test-state").textContent = t("Walk when you are ready.");
    timer = setInterval(show, 250);
    show();
    return undefined;
  });
  $("test-metres").addEventListener("input", showDistance);
  $("test-print").addEventListener("click", () => window.print());
}
