// Walk with this phone: reads the motion sensor, sends the samples to the service, and shows the steps that the service
// detects. It can join a race room and drive the chase.
import { parts, t, whole } from "/texts.js";
import { $, ask, enter, fragment, lock, onSubmit, uuid, distance, query, clean, follow, pause, Refusal, announceAbsence } from "/common.js";
import { offerTest, takeTestLine } from "/walk-test.js";

const GRAVITY = 9.80665;

// MARK: the walker

const remember = (key, value) => { try { localStorage.setItem(key, value); } catch { /* private browsing */ } };
const remembered = (key) => { try { return localStorage.getItem(key); } catch { return null; } };

/** A source's name: letters, digits and hyphens. Other letters become a number that is always the same. */
export function sourceName(name) {
  const plain = name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  const words = plain.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);
  if (/^[A-Za-z0-9._ -]*$/.test(plain) && words) return words;
  let hash = 2166136261;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return `${words || "phone"}-${hash.toString(36)}`;
}

// MARK: sending

/** Messages of half a second, sent in their order, each until the service has it. */
const outbox = {
  messages: [], session: "", next: 0, isSending: false,
  /** At most so many samples are kept without a network: about 25 minutes; then the oldest go. */
  most: 90_000,
  dropped: 0,
};

const now = () => performance.now() / 1000;
const waitingSamples = () => outbox.messages.reduce((sum, message) => sum + message.samples.length, 0);

function add(samples) {
  const last = outbox.messages.at(-1);
  // A message may grow until it is first sent; then its number stands for the same samples.
  if (last && !last.isTried && last.samples.length < 300) last.samples.push(...samples);
  else outbox.messages.push({ number: outbox.next++, samples, isTried: false });
  while (waitingSamples() > outbox.most && outbox.messages.length > 1) {
    outbox.dropped += outbox.messages.splice(outbox.messages[0].isTried ? 1 : 0, 1)[0].samples.length;
  }
}

async function send() {
  if (outbox.isSending) return;
  outbox.isSending = true;
  let wait = 500;
  while (outbox.messages.length > 0) {
    const message = outbox.messages[0];
    message.isTried = true;
    const { session } = outbox;
    const sent = now().toFixed(4);
    try {
      const path = `/api/samples?${query({ source: walk.source, session, seq: message.number, sent })}`;
      const answer = await ask(path, "POST", message.samples, AbortSignal.timeout(10_000));
      const told = await answer.json();
      if (outbox.messages[0] === message) outbox.messages.shift();
      count(told.steps);
      wait = 500;
      showSending();
    } catch (error) {
      showSending();
      if (error instanceof Refusal && [400, 403, 409, 413, 415].includes(error.status)) {
        if (outbox.messages[0] === message) outbox.messages.shift();
        stopWalking();
        $("walk-error").textContent = error.message;
        break;
      }
      await pause(wait);
      wait = Math.min(5_000, wait * 2);
    }
  }
  outbox.isSending = false;
}

function showSending() {
  const samples = waitingSamples();
  const seconds = samples > 0 && walk.rate > 0 ? samples / walk.rate : 0;
  $("waiting").textContent = t("{count} s", { count: seconds < 2 ? 0 : Math.round(seconds) });
  if (outbox.dropped > 0) $("walk-error").textContent = t("{n} sample was lost; steps are missing.|{n} samples were lost; steps are missing.", { n: outbox.dropped });
}

// MARK: the sensor

const walk = {
  isOn: false, source: "", user: "", samples: [], latest: 0, timer: null, lock: null, began: 0, events: 0, rate: 0, isSilent: false,
  /** The service's number of this source's steps, what the walk began at, and what was counted before the service was started anew. */
  total: null, base: 0, carried: 0, distance: null, distanceBase: 0,
};

/** The day in the ring: all that was counted today, whatever counted it. */
function showDay({ steps: all, goal }) {
  $("today").textContent = whole.format(all);
  $("today-goal").textContent = goal ? t("of {n} step today|of {n} steps today", { n: goal }) : t("step today|steps today", { n: all });
  const ring = document.querySelector(".ring-value");
  const share = goal ? Math.min(100, (100 * all) / goal) : 0;
  ring.style.strokeDasharray = `${share} 100`;
  ring.toggleAttribute("data-empty", share === 0);
  document.querySelector(".ring").classList.toggle("reached", share === 100);
}

const steps = () => (walk.total === null ? 0 : walk.carried + walk.total - walk.base);

/** Updates the steps from an answer or from the stream. */
function count(total) {
  if (!walk.isOn && walk.total === null) return;
  if (walk.total === null) walk.base = total;
  // The service was restarted and counts from zero.
  else if (total < walk.total - 20) [walk.carried, walk.base] = [steps(), 0];
  else if (total < walk.total) return;
  walk.total = total;
  $("steps").textContent = whole.format(steps());
  runOn();
}

function takeMotion(event) {
  const full = event.accelerationIncludingGravity;
  const hasGravity = full && full.x !== null && full.y !== null && full.z !== null;
  const value = hasGravity ? full : event.acceleration;
  if (!value || value.x === null || value.y === null || value.z === null) return;
  // The event's time is closer to the sample's, if the browser reports it on the page's clock.
  const stamp = event.timeStamp / 1000;
  const time = Math.abs(stamp - now()) < 1 ? stamp : now();
  if (time <= walk.latest) return;
  walk.latest = time;
  walk.events += 1;
  const round = (number) => Math.round((number / GRAVITY) * 1e5) / 1e5;
  const t = Math.round(time * 1e4) / 1e4;
  const [x, y, z] = [round(value.x), round(value.y), round(value.z)];
  walk.samples.push(hasGravity ? { t, x, y, z } : { t, lin_x: x, lin_y: y, lin_z: z });
}

function everyHalfSecond() {
  const passed = now() - walk.began;
  if (passed > 1) walk.rate = walk.events / passed;
  if (walk.events === 0 && passed > 3) {
    walk.isSilent = true;
    $("walk-error").textContent = isSecureContext
      ? t("No data from the motion sensor. Allow motion sensors for this page in the browser’s settings, and start again.")
      : t("Phones show their motion only to pages whose address begins with https. On the computer, Devices says how to get one.");
  } else if (walk.events > 0) {
    // What was missing is there: the browser may have asked the user meanwhile.
    if (walk.isSilent) $("walk-error").textContent = "";
    walk.isSilent = false;
    $("sensor").textContent = t("The sensor delivers {count} samples per second.", { count: Math.round(walk.rate) });
  }
  // The rate is known after four samples.
  if (walk.samples.length >= 4) {
    add(walk.samples);
    walk.samples = [];
  }
  showSending();
  send();
}

async function keepAwake() {
  if (!walk.isOn || document.visibilityState !== "visible") return;
  try { walk.lock = await navigator.wakeLock?.request("screen"); } catch { /* battery saver */ }
}

async function startWalking() {
  const user = $("name").value.trim() || $("name").placeholder;
  // iOS asks the user, and only after a tap.
  if (typeof DeviceMotionEvent?.requestPermission === "function") {
    if ((await DeviceMotionEvent.requestPermission()) !== "granted") {
      $("walk-error").textContent = t("Motion is not allowed. Close this page, open it again and allow it.");
      return;
    }
  }
  remember("name", user);
  Object.assign(walk, {
    isOn: true, user, source: sourceName(user), samples: [], latest: 0, began: now(), events: 0, total: null, base: 0, carried: 0,
    distance: null,
  });
  Object.assign(outbox, { messages: [], session: uuid(), next: 0, dropped: 0 });
  $("steps").textContent = "0";
  $("walk-button").textContent = t("Stop");
  $("name").disabled = true;
  window.addEventListener("devicemotion", takeMotion);
  walk.timer = setInterval(everyHalfSecond, 500);
  keepAwake();
}

function stopWalking() {
  window.removeEventListener("devicemotion", takeMotion);
  clearInterval(walk.timer);
  if (walk.samples.length >= 4) add(walk.samples);
  walk.samples = [];
  walk.isOn = false;
  walk.lock?.release().catch(() => {});
  $("walk-button").textContent = t("Start");
  $("name").disabled = false;
  send();
}

onSubmit($("walk-form"), $("walk-error"), async () => { if (walk.isOn) stopWalking(); else await startWalking(); });
document.addEventListener("visibilitychange", keepAwake);
window.addEventListener("online", () => { send(); connect(); });

offerTest({ isOn: () => walk.isOn, isWaiting: () => outbox.messages.length > 2 });

// MARK: the race

/** As in a chase without other settings: metres a second, and metres of head start. */
const nessie = { speed: 1.25, headStart: 20 };
const race = { user: "", room: "", goal: 0, leaving: null, phase: "unknown", state: "notStarted", start: 0, swum: 0, base: 0, distanceBase: 0, seq: 0, timer: null, runners: new Map() };
const says = { notStarted: t("waiting"), inProgress: t("running"), paused: t("paused"), completed: t("made it"), caught: t("caught") };

function frame() {
  const run = Math.max(0, steps() - race.base);
  const walked = race.state === "notStarted" ? 0 : Math.max(0, (walk.distance ?? 0) - race.distanceBase);
  const swum = race.state === "notStarted" ? 0 : race.swum;
  return {
    user: race.user, state: race.state, steps: race.state === "notStarted" ? 0 : run, goal: race.goal, distance: walked,
    nessieDistance: swum, runner: race.state === "notStarted" ? 0 : Math.min(1, run / race.goal),
    nessie: Math.min(1, swum / (walked + nessie.headStart)), seq: race.seq++,
  };
}

async function report() {
  try { await ask(`/race/status?${query({ room: race.room })}`, "POST", frame()); } catch (error) {
    if (error instanceof Refusal && error.status !== 429) $("race-error").textContent = error.message;
  }
}

function runOn() {
  if (race.state !== "inProgress") return;
  race.swum = Math.floor((performance.now() - race.start) / 1000) * nessie.speed;
  const walked = Math.max(0, (walk.distance ?? 0) - race.distanceBase);
  if (steps() - race.base >= race.goal) race.state = "completed";
  else if (race.swum >= walked + nessie.headStart) race.state = "caught";
  if (race.state !== "inProgress") {
    clearInterval(race.timer);
    report();
    $("race-state").textContent = race.state === "completed" ? t("You made it.") : t("Nessie caught you.");
  }
}

/** All start at one instant of the service's clock; the line that says so may be late. */
function begin(line) {
  const late = line.start === undefined ? 0 : Math.max(0, line.time - line.start);
  Object.assign(race, { state: "inProgress", start: performance.now() - late * 1000, base: steps(), distanceBase: walk.distance ?? 0, swum: 0 });
  $("race-state").textContent = t("Go! Nessie is behind you.");
  clearInterval(race.timer);
  race.timer = setInterval(() => { runOn(); if (race.state === "inProgress") report(); }, 500);
}

function takeRaceLine(line) {
  if (line.race) {
    const former = race.phase;
    race.phase = line.race;
    if (line.race === "running" && race.state === "notStarted") {
      if (former === "unknown") $("race-state").textContent = t("A race is in progress; you will start in the next one.");
      else begin(line);
    }
    if (line.race === "counting") {
      if (["completed", "caught"].includes(race.state)) { race.state = "notStarted"; report(); }
      $("race-state").textContent = t("Get ready …");
    }
    $("countdown-button").hidden = ["counting", "running"].includes(line.race);
  } else if (line.user && line.state) {
    race.runners.set(line.user, line);
    const rows = [...race.runners.values()].sort((a, b) => (b.runner ?? 0) - (a.runner ?? 0)).map((runner) => {
      const row = document.createElement("li");
      const who = document.createElement("bdi");
      who.textContent = clean(runner.user);
      row.append(...parts("{name}: {steps} of {goal} steps, {state}", {
        name: who, steps: runner.steps, goal: runner.goal || "?", state: says[runner.state] ?? clean(String(runner.state)),
      }));
      return row;
    });
    $("standings").replaceChildren(...rows);
  }
}

function leaveRace() {
  race.leaving?.abort();
  clearInterval(race.timer);
  Object.assign(race, { leaving: null, state: "notStarted", phase: "unknown" });
  race.runners.clear();
  $("standings").replaceChildren();
  $("race-button").textContent = t("Join");
  $("race-state").textContent = "";
  $("countdown-button").hidden = true;
}

async function joinRace() {
  if (!walk.isOn) {
    $("race-error").textContent = t("Start your walk first.");
    return;
  }
  leaveRace();
  race.leaving = new AbortController();
  const { signal } = race.leaving;
  Object.assign(race, { user: walk.user, room: $("room").value.trim(), goal: $("goal").valueAsNumber, seq: 0, swum: 0 });
  $("race-button").textContent = t("Leave");
  $("race-state").textContent = t("Waiting for the countdown.");
  $("countdown-button").hidden = false;
  const told = (error) => { $("race-error").textContent = error.message; };
  const { user, room } = race;
  let latest = null;
  follow(() => `/chat/room?${query({ user, room, ...(latest === null ? {} : { since: latest }) })}`, (line) => {
    if (line.seq !== undefined) latest = Math.max(latest ?? 0, line.seq);
    if (line.message && line.user == null && race.phase === "counting") $("race-state").textContent = clean(line.message);
  }, signal).catch(told);
  follow(() => `/race/live?${query({ room })}`, takeRaceLine, signal).catch(told);
  announceAbsence(user, room, signal);
  await report();
}

onSubmit($("race-form"), $("race-error"), async () => { if (race.leaving) leaveRace(); else await joinRace(); });
$("countdown-button").addEventListener("click", async () => {
  try { await ask(`/race/countdown?${query({ room: race.room })}`, "POST", { text: "Go!", from: 3 }); } catch (error) {
    $("race-error").textContent = error.message;
  }
});

// MARK: the chase

const chase = { state: "notStarted" };
const chaseSays = {
  notStarted: t("Reach the goal before Nessie reaches you."), inProgress: t("Go! Nessie is behind you."),
  paused: t("Paused; Nessie is asleep."), completed: t("You made it."), caught: t("Nessie caught you."),
};
const buttons = { notStarted: t("Start"), inProgress: t("Pause"), paused: t("Resume"), completed: t("Start over"), caught: t("Try again") };
const actions = { notStarted: "start", inProgress: "pause", paused: "resume", completed: "restart", caught: "restart" };

function takeChaseLine(line) {
  if (line.state) chase.state = line.state;
  $("chase").dataset.state = chase.state;
  $("chase-state").textContent = chaseSays[chase.state] ?? chase.state;
  $("chase-button").textContent = buttons[chase.state] ?? t("Start");
  $("chase-goal").disabled = ["inProgress", "paused"].includes(chase.state);
  if (line.type !== "chase") return;
  const gap = line.nessie > 0 ? Math.max(0, line.nessieDistance / line.nessie - line.nessieDistance) : null;
  $("chase-steps").textContent = t("{count} of {all}", { count: line.steps, all: line.goal ?? 0 });
  $("chase-gap").textContent = gap === null ? "–" : distance(gap);
}

onSubmit($("chase-form"), $("chase-error"), async () => {
  const action = actions[chase.state];
  const body = action === "start" ? { action, goal: $("chase-goal").valueAsNumber } : { action };
  takeChaseLine({ type: "state", state: (await (await ask("/api/chase", "POST", body)).json()).state });
});

// MARK: the connection

let stream = null;
let retry = null;

function tell(state, text) {
  $("connection").dataset.state = state;
  if ($("connection").textContent !== text) $("connection").textContent = text;
}

function takeLine(line) {
  const isOurs = walk.source && line.source === `client:${walk.source}`;
  switch (line.type) {
    case "today": showDay(line); break;
    case "step": case "data":
      if (!isOurs) break;
      takeTestLine(line);
      if (line.type === "data") {
        walk.distance = line.distanceTravelled ?? walk.distance;
        $("cadence").textContent = line.cadence ? t("{count} steps/min", { count: Math.round(line.cadence * 60) }) : t("standing");
      }
      if (line.steps !== undefined && line.confirmed !== false) count(line.steps);
      break;
    case "event":
      if (isOurs && line.event === "warning") $("walk-error").textContent = line.message;
      break;
    case "state": case "chase": takeChaseLine(line); break;
  }
}

/** A walker with a token of their own has neither the owner's stream nor rooms and chase: the day is read at intervals. */
const guest = { isOn: false, timer: null };

async function becomeGuest(name) {
  guest.isOn = true;
  stream?.close();
  for (const id of ["test", "race", "chase"]) $(id).hidden = true;
  // The stream tells the cadence.
  $("cadence").parentElement.hidden = true;
  document.querySelector("footer p").replaceChildren(Object.assign(document.createElement("a"), { href: "/challenge", textContent: t("Your challenges") }));
  $("name").value = clean(name);
  $("name").readOnly = true;
  await readDay();
}

async function readDay() {
  clearTimeout(guest.timer);
  try {
    showDay(await (await ask("/api/today")).json());
    tell("live", t("Live"));
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 401)) tell("lost", walk.isOn ? t("No connection; your walk is stored and sent later") : t("No connection; reconnecting"));
  }
  guest.timer = setTimeout(readDay, 5_000);
}

let invited = fragment();

/** Finds out who walks here; without a network, the stream is tried, and then this again. */
async function arrive() {
  try {
    if (invited.code || invited.token) await enter(invited);
    invited = {};
    const me = await (await ask("/api/walker")).json();
    if (me.role === "walker") return becomeGuest(me.name);
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) {
      if (invited.code) $("login-error").textContent = t("This code was used, or is older than ten minutes. Scan the one that the computer shows now.");
      invited = {};
      lock(true);
      return;
    }
  }
  connect();
}

function connect() {
  if (guest.isOn) {
    readDay();
    return;
  }
  clearTimeout(retry);
  stream?.close();
  stream = new EventSource("/api/live");
  stream.addEventListener("open", async () => {
    tell("live", t("Live"));
    try { takeChaseLine(await (await ask("/api/chase")).json()); } catch { /* the stream tells */ }
  });
  stream.addEventListener("message", (event) => {
    try { takeLine(JSON.parse(event.data)); } catch { /* a line of a later version */ }
  });
  stream.addEventListener("error", () => {
    tell("lost", walk.isOn ? t("No connection; your walk is stored and sent later") : t("No connection; reconnecting"));
    if (stream.readyState !== EventSource.CLOSED) return;
    // A stream does not report why it was refused; this request asks for the token if it is missing.
    ask("/api/today").catch(() => {});
    retry = setTimeout(arrive, 3000);
  });
}

onSubmit($("login-form"), $("login-error"), async () => {
  try { await enter({ token: $("token").value.trim() }); } catch (error) {
    throw error instanceof Refusal && error.status === 401 ? new Refusal(401, t("This is not the token. Scan the code that the computer shows instead.")) : error;
  }
  $("token").value = "";
  lock(false);
  arrive();
});

$("name").value = remembered("name") ?? "";
const invitedTo = new URLSearchParams(location.search).get("room");
$("room").value = invitedTo || "main";
// Whoever was sent to a room came to race.
$("race").open = Boolean(invitedTo);
window.addEventListener("pagehide", () => { stream?.close(); race.leaving?.abort(); });
window.addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
arrive();
navigator.serviceWorker?.register("/phone-worker.js").catch(() => {});
