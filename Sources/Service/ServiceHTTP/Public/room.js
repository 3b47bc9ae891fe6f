// The race room on the live page: messages, countdown, standings. Messages of walkers are inserted as text.
import { t } from "/texts.js";
import { $, ask, onSubmit, distance, message, query, clean, follow, announceAbsence } from "/common.js";
import { address, view } from "/views.js";

let user = null;
let room = "main";
let latest = null;
let leaving = null;
let winner = null;

function showMessage(message) {
  const log = $("messages");
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  const entry = document.createElement("p");
  if (message.user == null) {
    entry.className = "system";
    entry.textContent = clean(message.message);
  } else {
    const who = document.createElement("bdi");
    who.className = "who";
    who.textContent = clean(message.user);
    const text = document.createElement("bdi");
    text.textContent = clean(message.message);
    entry.append(who, ": ", text);
  }
  if (message.seq !== undefined) entry.dataset.seq = message.seq;
  log.append(entry);
  while (log.childElementCount > 200) log.firstElementChild.remove();
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}

const runners = new Map();
const states = {
  notStarted: t("waiting"), inProgress: t("walking"), paused: t("paused"), completed: t("made it"), caught: t("caught"),
};

function showStandings() {
  const rows = [...runners.values()].sort((a, b) => (b.runner ?? 0) - (a.runner ?? 0)).map((frame, index) => {
    const row = document.createElement("tr");
    row.insertCell().textContent = String(index + 1);
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = clean(frame.user);
    const bar = document.createElement("progress");
    bar.max = 1;
    bar.value = Math.min(1, Math.max(0, frame.runner ?? 0));
    bar.setAttribute("aria-label", t("Progress of {name}", { name: clean(frame.user) }));
    row.append(head);
    row.insertCell().textContent = states[frame.state] ?? clean(String(frame.state));
    row.insertCell().textContent = t("{count} of {all}", { count: frame.steps, all: frame.goal || "?" });
    row.insertCell().textContent = distance(frame.distance ?? 0);
    row.insertCell().append(bar);
    return row;
  });
  $("standings").tBodies[0].replaceChildren(...rows);
  showShore();
}

/** A drawing of the page's symbols. */
function figure(name, symbol) {
  const [svg, use] = ["svg", "use"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  svg.setAttribute("class", name);
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return svg;
}

/** All on the shore with Nessie behind, each on a lane; who is there already moves on instead of being drawn anew. */
function showShore() {
  const lanes = new Map([...$("shore").children].map((lane) => [lane.dataset.user, lane]));
  for (const frame of runners.values()) {
    let lane = lanes.get(frame.user);
    if (!lane) {
      lane = document.createElement("li");
      lane.dataset.user = frame.user;
      const name = document.createElement("bdi");
      name.textContent = clean(frame.user);
      const way = document.createElement("span");
      way.className = "way";
      way.append(figure("beast", "swimming"), figure("walker", "walking"));
      lane.append(name, way);
      lane.dataset.colour = $("shore").children.length % 4;
      $("shore").append(lane);
    }
    lane.dataset.state = frame.state;
    const part = (share) => Math.min(1, Math.max(0, share ?? 0));
    // The start is where there is room for Nessie behind it; her share is that of the way to the walker.
    const walker = 12 + 88 * part(frame.runner);
    lane.querySelector(".walker").style.left = `${walker}%`;
    lane.querySelector(".walker use").setAttribute("href", frame.state === "completed" ? "#cheering" : "#walking");
    lane.querySelector(".beast").style.left = `${frame.state === "caught" ? walker : walker * part(frame.nessie)}%`;
  }
  for (const [user, lane] of lanes) if (!runners.has(user)) lane.remove();
}

/** The first of the room to reach the goal has won. */
function showResult(line) {
  if (line.state === "notStarted") winner = null;
  if (line.state === "completed" && winner === null) winner = line.user;
  const states = [...runners.values()].map((frame) => frame.state);
  const isOver = states.length > 0 && states.every((state) => state === "completed" || state === "caught");
  const caught = states.filter((state) => state === "caught").length;
  $("race-result").textContent = winner !== null ? t("{name} was the first to reach the goal.", { name: clean(winner) })
    : isOver ? (caught === 1 ? t("Nessie caught the walker.") : t("Nessie caught everyone.")) : "";
  // The result takes the place of "Go!".
  if ($("race-result").textContent) $("countdown").textContent = "";
}

function takeRaceLine(line) {
  if (line.user && line.state) { runners.set(line.user, line); showStandings(); showResult(line); }
}

function takeRoomLine(line) {
  if (typeof line.message !== "string") return;
  if (line.seq !== undefined) {
    if (latest !== null && line.seq <= latest) return;
    latest = line.seq;
  }
  // The room posts the countdown: "3 …"
  if (line.user == null && /^(\d+\s*(…|\.\.\.)|🎉)/u.test(line.message)) $("countdown").textContent = clean(line.message);
  showMessage(line);
}

async function join() {
  closeRoom();
  leaving = new AbortController();
  const { signal } = leaving;
  [user, room, latest] = [$("name").value.trim(), $("room-name").value.trim(), null];
  runners.clear();
  winner = null;
  $("race-result").textContent = "";
  $("messages").replaceChildren();
  showStandings();
  showInside(true);
  $("room-where").textContent = t("You are {name} in room {room}.", { name: clean(user), room: clean(room) });
  address("room", room);
  const since = () => (latest === null ? {} : { since: latest });
  // A name that is taken, for one: then another can be tried.
  const told = (error) => { leave(); $("room-error").textContent = error.message; };
  follow(() => `/chat/room?${query({ user, room, ...since() })}`, takeRoomLine, signal).catch(told);
  follow(() => `/race/live?${query({ room })}`, takeRaceLine, signal).catch(told);
  announceAbsence(user, room, signal);
}

/** Shows the room or the form that leads to it, and moves the focus there. */
function showInside(isInside) {
  $("room-inside").hidden = !isInside;
  $("room-note").hidden = $("join-form").hidden = isInside;
  $(isInside ? "room-title" : "name").focus();
}

function leave() {
  closeRoom();
  $("room-error").textContent = "";
  showInside(false);
  if (view.name === "play") address();
}

/** Shares this device's place, once; the browser asks for permission. */
function sharePlace() {
  const say = (text) => { $("room-error").textContent = text; };
  say("");
  if (!navigator.geolocation || !window.isSecureContext) {
    return say(t("A browser shares your place with a page over HTTPS only."));
  }
  navigator.geolocation.getCurrentPosition(async ({ coords: { latitude, longitude } }) => {
    try { await ask(`/race/location?${query({ room })}`, "POST", { user, latitude, longitude }); } catch (error) {
      say(error.message);
    }
  }, (error) => say(error.code === error.PERMISSION_DENIED
    ? t("Your place was not shared. To share it, allow this page to use your location.")
    : t("This device does not know its place yet. Try again outdoors.")), { timeout: 30_000, maximumAge: 60_000 });
}

/** Ends the subscriptions. */
export function closeRoom() { leaving?.abort(); }

/** Makes the forms work. */
export function enterRoom() {
  onSubmit($("join-form"), $("room-error"), join);
  onSubmit($("say-form"), $("room-error"), async () => {
    await ask(`/chat/say?${query({ room })}`, "POST", message($("say").value, user));
    $("say").value = "";
  });
  $("leave-button").addEventListener("click", leave);
  $("place-button").addEventListener("click", sharePlace);
  $("countdown-button").addEventListener("click", async () => {
    try { await ask(`/race/countdown?${query({ room })}`, "POST", { text: "Go!", from: 3 }); } catch (error) {
      $("room-error").textContent = error.message;
    }
  });
}
