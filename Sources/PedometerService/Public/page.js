// The live page: today, the day, the week, the chase and the sources. Everything that comes from the service is put in
// place as text, never as markup.
import { $, ask, onSubmit, whole, distance } from "/common.js";
import { enterRoom, closeRoom } from "/room.js";
import { watchScreens } from "/reports.js";

const SVG = "http://www.w3.org/2000/svg";

// MARK: figures as text

const minutes = (seconds) =>
  seconds < 3600 ? `${Math.floor(seconds / 60)} min`
    : `${Math.floor(seconds / 3600)} h ${String(Math.floor(seconds / 60) % 60).padStart(2, "0")} min`;

// MARK: today

let today = null;

function showToday(figures) {
  const grown = today && today.date === figures.date ? figures.steps - today.steps : 0;
  const isNewDay = today && today.date !== figures.date;
  today = { ...today, ...figures };
  const { steps, goal } = today;
  $("steps").textContent = whole.format(steps);
  $("distance").textContent = distance(today.distanceTravelled);
  $("active").textContent = minutes(today.activeTime);
  $("ring-steps").textContent = whole.format(steps);
  $("ring-goal").textContent = goal ? `of ${whole.format(goal)} steps` : "steps";
  const share = goal ? Math.min(100, (100 * steps) / goal) : 0;
  const ring = document.querySelector(".ring-value");
  ring.style.strokeDasharray = `${share} 100`;
  ring.toggleAttribute("data-empty", share === 0);
  $("ring").setAttribute("aria-label",
    goal ? `${whole.format(steps)} of ${whole.format(goal)} steps, ${Math.floor(share)} percent` : `${whole.format(steps)} steps`);
  document.title = `${whole.format(steps)} steps – Pedometer`;
  if (goal && document.activeElement !== $("goal")) $("goal").value = goal;
  if (isNewDay) loadCharts(); else if (grown > 0) growCharts(grown);
}

function showCadence(stepsPerSecond) {
  $("cadence").textContent = stepsPerSecond ? `${Math.round(stepsPerSecond * 60)} steps/min` : "standing";
}

onSubmit($("goal-form"), $("goal-error"), async () => {
  await ask("/api/goal", "PUT", { goal: $("goal").valueAsNumber });
  await loadToday();
});

async function loadToday() { showToday(await (await ask("/api/today")).json()); }

// MARK: charts

const charts = { day: [], week: [] };

/** The service's own clock and zone: what its times say, not what this browser's clock does. */
const hourOf = (time) => time.slice(11, 13);
const dayName = (time) =>
  new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" }).format(new Date(`${time.slice(0, 10)}T12:00:00Z`));

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** A chart for those who see, and the same figures as a table for those who listen. */
function draw(id, caption, bars) {
  const [width, height, foot] = [480, 150, 18];
  const most = Math.max(1, ...bars.map((bar) => bar.steps));
  const step = width / Math.max(1, bars.length);
  const picture = element("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  bars.forEach((bar, index) => {
    const high = (bar.steps / most) * (height - foot - 16);
    const rect = element("rect", {
      x: index * step + step * 0.12, y: height - foot - high, width: step * 0.76, height: high, rx: 2,
      class: index === bars.length - 1 ? "now" : "",
    });
    rect.append(element("title", {}, `${bar.label}: ${whole.format(bar.steps)} steps`));
    picture.append(rect);
    if (bars.length <= 8 || index % 3 === 0) {
      picture.append(element("text", { x: (index + 0.5) * step, y: height - 4 }, bar.label));
    }
    if (bars.length <= 8 && bar.steps > 0) {
      picture.append(element("text", { x: (index + 0.5) * step, y: height - foot - high - 4 }, whole.format(bar.steps)));
    }
  });
  picture.append(element("line", { class: "axis", x1: 0, x2: width, y1: height - foot, y2: height - foot }));
  const table = document.createElement("table");
  table.className = "unseen";
  table.createCaption().textContent = caption;
  for (const bar of bars) {
    const row = table.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = bar.label;
    row.append(head);
    row.insertCell().textContent = `${whole.format(bar.steps)} steps, ${distance(bar.distanceTravelled)}`;
  }
  $(id).replaceChildren(picture, table);
}

function drawCharts() {
  draw("day", "Steps by hour", charts.day);
  draw("week", "Steps by day", charts.week);
}

async function loadCharts() {
  const [day, week] = await Promise.all(
    ["hour", "day"].map(async (bucket) => (await ask(`/api/history?bucket=${bucket}`)).json()));
  charts.day = day.map((bucket) => ({ ...bucket, label: hourOf(bucket.start) }));
  charts.week = week.slice(-7).map((bucket) => ({ ...bucket, label: dayName(bucket.start) }));
  drawCharts();
}

/** New steps belong to the bars of now, until the next look at the history. */
function growCharts(steps) {
  for (const bars of [charts.day, charts.week]) {
    if (bars.length > 0) bars[bars.length - 1].steps += steps;
  }
  drawCharts();
}

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

function showChase() {
  const { state, frame } = chase;
  $("chase").dataset.state = state;
  $("chase-state").textContent = says[state];
  $("chase-button").textContent = buttons[state];
  $("chase-restart").hidden = state !== "paused";
  $("chase-goal").disabled = state === "inProgress" || state === "paused";
  const at = frame ? places(frame) : { runner: 70, nessie: 0 };
  $("runner").style.transform = `translateX(${at.runner}px)`;
  $("nessie").style.transform = `translateX(${Math.max(0, Math.min(at.nessie, at.runner) - 50)}px)`;
  if (!frame) return;
  const gap = frame.nessie > 0 ? Math.max(0, frame.nessieDistance / frame.nessie - frame.nessieDistance) : null;
  $("chase-steps").textContent = `${whole.format(frame.steps)} of ${whole.format(frame.goal ?? 0)}`;
  $("chase-gap").textContent = gap === null ? "–" : `${gap.toFixed(0)} m`;
  $("chase-distance").textContent = distance(frame.distance);
  $("track").setAttribute("aria-label",
    `${frame.steps} of ${frame.goal ?? 0} steps` + (gap === null ? "" : `, Nessie ${gap.toFixed(0)} metres behind`));
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

async function loadSources() {
  const { sources, version } = await (await ask("/health")).json();
  document.documentElement.dataset.version = version;
  $("sources").replaceChildren(...sources.map((source) => {
    const entry = document.createElement("li");
    const state = document.createElement("span");
    state.className = `state ${source.state === "counting" ? "good" : "bad"}`;
    state.textContent = states[source.state] ?? source.state;
    const name = source.name && source.name !== source.uri ? `${source.name} (${source.uri})` : source.uri;
    entry.append(`${name}: `, state);
    for (const text of [source.reason, source.remedy && `To do: ${source.remedy}`]) {
      if (!text) continue;
      const line = document.createElement("div");
      line.textContent = text;
      entry.append(line);
    }
    return entry;
  }));
  if (sources.length === 0) $("sources").textContent = "No source configured and no sensor found.";
}

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
  await Promise.all([loadToday(), loadCharts(), loadChase(), loadSources()]);
}

function takeLine(line) {
  switch (line.type) {
    case "today": showToday(line); break;
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
    const since = new Date().toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });
    if ($("connection").dataset.state !== "lost") tell("lost", `Disconnected since ${since}; reconnecting`);
    // The browser tries again by itself unless it was refused.
    if (stream.readyState === EventSource.CLOSED) {
      attempt += 1;
      // A stream does not say why it is refused; this asks for the token where that is what is missing.
      loadToday().catch(() => {});
      retry = setTimeout(connect, Math.min(30_000, 1000 * 2 ** Math.min(attempt, 5)));
    }
  });
}

onSubmit($("login-form"), $("login-error"), async () => {
  await ask("/api/session", "POST", { token: $("token").value });
  $("token").value = "";
  $("login").hidden = true;
  connect();
});

// A phone cannot come to an address that means this machine alone, and gets no motion without HTTPS.
if (/^(localhost|127\.|\[::1\])/.test(location.hostname) || location.protocol !== "https:") {
  $("invitation").hidden = true;
  $("phone-note").append(" For phones, start the service with --listen 0.0.0.0:8443 --tls-self-signed and a token.");
}
enterRoom();
watchScreens();
window.addEventListener("pagehide", () => { stream?.close(); closeRoom(); });
window.addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
window.addEventListener("online", connect);
// Sources that nobody tells of, and bars of a new hour.
setInterval(() => { loadSources().catch(() => {}); loadCharts().catch(() => {}); }, 60_000);
connect();
