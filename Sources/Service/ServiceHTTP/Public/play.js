// The chase: its picture, its buttons, its alerts, and what became of the gap.
import { t } from "/texts.js";
import { $, ask, onBeat, onSubmit, distance, measured, speed, units, write } from "/common.js";
import { drawCourse } from "/charts.js";
import { Loch } from "/loch.js";
import { minutes, steps } from "/days.js";
import { onView } from "/views.js";

const chase = { state: "notStarted", frame: null, course: null, alert: null };
const says = {
  inProgress: t("Go! Nessie is behind you."),
  paused: t("Paused; Nessie is asleep."), completed: t("You made it. Nessie goes home hungry."), caught: t("Nessie caught you."),
};
const buttons = { notStarted: t("Start"), inProgress: t("Pause"), paused: t("Resume"), completed: t("Again"), caught: t("Again") };
const actions = { notStarted: "start", inProgress: "pause", paused: "resume", completed: "restart", caught: "restart" };
const loch = new Loch($("track"));
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
const lasting = (seconds) => (seconds < 99.5 ? t("{count} s", { count: Math.round(seconds) }) : minutes(seconds));

/** Says an alert, if the reader has asked for it. */
function speak(text) {
  if (!$("speech").checked) return;
  speechSynthesis.cancel();
  speechSynthesis.speak(new SpeechSynthesisUtterance(text));
}
$("speech-choice").hidden = !("speechSynthesis" in window);
$("speech").addEventListener("change", () => { if (!$("speech").checked) speechSynthesis.cancel(); });

export function showChase() {
  const { state, frame } = chase;
  $("chase").dataset.state = state;
  // The latest milestone or warning takes the place of the headline until something else is to say.
  const alert = state === "inProgress" ? chase.alert : null;
  const isIdle = document.body.classList.contains("idle");
  const text = alert?.text
    ?? (state === "caught" && frame ? t("Nessie caught you after {steps}. Try again?", { steps: steps(frame.steps) }) : says[state])
    ?? (isIdle ? t("Nessie needs your steps. Connect a phone or a sensor first.")
      : t("Reach the goal before Nessie reaches you. She starts {distance} behind you and swims as fast as a brisk walk; if you stop, she gains.",
        { distance: distance(loch.headStart) }));
  write($("chase-state"), text);
  $("chase-state").classList.toggle("good", alert?.severity === "good");
  $("chase-state").classList.toggle("bad", Boolean(alert) && alert.severity !== "good");
  $("chase-button").disabled = isIdle && state !== "inProgress";
  $("chase-restart").disabled = isIdle;
  $("chase-figures").hidden = !frame;
  // "Again" is the same race.
  if (frame?.goal && document.activeElement !== $("chase-goal")) $("chase-goal").value = frame.goal;
  write($("chase-button"), buttons[state]);
  $("chase-restart").hidden = state !== "paused";
  // The way is as long as it was at the start.
  const isOn = state === "inProgress" || state === "paused";
  $("chase-goal").disabled = $("chase-goal").hidden = $("chase-form").querySelector("label").hidden = isOn;
  $("chase-progress").hidden = !frame;
  if (frame) $("chase-progress").value = frame.runner;
  showGaps();
  const { gap } = loch;
  $("chase-steps").textContent = frame ? t("{count} of {all}", { count: frame.steps, all: frame.goal ?? 0 }) : "–";
  const isCaught = state === "caught";
  write($("chase-gap-name"), isCaught ? t("Caught after") : t("Gap to Nessie"));
  const times = chase.course?.t ?? [];
  const figure = isCaught ? lasting(times[times.length - 1] ?? frame?.t ?? 0) : gap === null ? "–" : distance(gap);
  write($("chase-gap"), figure);
  // The picture says the same.
  loch.say(state === "inProgress" && gap !== null ? figure : "");
  $("chase-distance").textContent = frame ? distance(frame.distance) : "–";
  write($("chase-time"), frame ? clock(frame.elapsed) : "–");
  const isOver = state === "completed" || isCaught;
  write($("chase-speed"), frame?.elapsed > 0 ? speed(isOver ? frame.distance / frame.elapsed : frame.velocity) : "–");
  write($("nessie-speed"), frame?.elapsed > 0 ? speed(frame.nessieDistance / frame.elapsed) : "–");
  $("track").setAttribute("aria-label", !frame ? t("The chase has not started") : [
    t("{steps} of {goal} steps", { steps: frame.steps, goal: frame.goal ?? 0 }),
    ...(gap === null ? [] : [isCaught ? t("caught") : t("Nessie {distance} behind", { distance: distance(gap) })]),
  ].join(", "));
}

/** At the end, the gap over time as the service remembers it. */
function showGaps() {
  const times = chase.course?.t ?? [];
  $("gap-part").hidden = times.length < 2;
  if (times.length < 2) return;
  const last = times[times.length - 1];
  // No two points have the same second in their label.
  const count = Math.min(40, times.length, Math.floor(last) + 1);
  const at = Array.from({ length: count }, (_, index) => (last * index) / (count - 1));
  const near = (time) => times.reduce((best, each, index) => (Math.abs(each - time) < Math.abs(times[best] - time) ? index : best), 0);
  const [unit, length, caption] = units.value === "mi" ? ["foot", 0.3048, t("Gap to Nessie in feet")] : ["meter", 1, t("Gap to Nessie in metres")];
  const apart = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].find((seconds) => last / seconds <= 6) ?? last / 6;
  drawCourse($("gap"), {
    caption, labels: at.map(clock), unit: (value) => distance(value * length), measure: (value) => measured(value, unit, 0),
    ticks: Array.from({ length: Math.floor(last / apart) + 1 }, (_, index) => ({ share: (index * apart) / last, text: clock(index * apart) })),
    series: [{ name: caption, values: at.map((time) => chase.course.gap[near(time)] / length), kind: "own" }],
  });
}

export function takeChaseLine(line) {
  if (line.type === "state") {
    if (line.state === "notStarted") chase.frame = null;
    // A change by the button is reported twice; only a new state clears the alert.
    if (line.state !== chase.state) chase.alert = null;
    chase.state = line.state;
    chase.course = null;
    if (line.state === "completed" || line.state === "caught") loadChase().catch(() => {});
  } else if (line.type === "chase") {
    chase.frame = line;
    if (line.state) [chase.state, chase.course] = [line.state, line.course];
  } else {
    chase.alert = { ...line, text: t(line.text) };
    speak(chase.alert.text);
  }
  loch.take(chase.state, chase.frame);
  // While it goes on, with the next picture of the loch; the beginning and the end at once.
  if (line.type === "chase" && $("chase").dataset.state === chase.state) onBeat("chase", showChase); else showChase();
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

export async function loadChase() {
  const line = await (await ask("/api/chase")).json();
  if (line.type) takeChaseLine(line);
}

// #/play/room/loch is a link to a race.
onView("play", ([kind, name]) => {
  loch.run();
  if (kind !== "room" || !name) return;
  $("room-name").value = name.slice(0, 40);
  $("room").scrollIntoView();
  $("name").focus({ preventScroll: true });
});
