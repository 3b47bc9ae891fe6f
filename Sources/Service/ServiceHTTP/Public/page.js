// The live page: its connection to the service, and what goes where. Everything that comes from the service is put in place as
// text, never as markup.
import { choose, language, languages, t, words } from "/texts.js";
import { $, ask, lock, Refusal, notifications, onSubmit, theme, units } from "/common.js";
import { followAddress, onView } from "/views.js";
import { changed, known } from "/days.js";
import { take, loadHistory, loadTrace, recall, showAgain, showCadence } from "/today.js";
import "/history.js";
import { loadChase, showChase, takeChaseLine } from "/play.js";
import { isFresh, loadSources } from "/devices.js";
import "/people.js";
import { enterRoom, closeRoom } from "/room.js";
import { watchScreens } from "/reports.js";

let stream = null;
let attempt = 0;
let retry = null;

function tell(state, text) {
  if ($("connection").dataset.state === state && $("connection").textContent === text) return;
  $("connection").dataset.state = state;
  $("connection").textContent = text;
  document.body.classList.toggle("stale", state === "lost");
}

/** Live is only what counts. */
function showLive() {
  if (stream?.readyState !== EventSource.OPEN) return;
  if (document.body.classList.contains("idle")) tell("idle", t("Nothing is counting yet")); else tell("live", t("Live"));
}
async function sources() {
  const before = document.body.className;
  try { await loadSources(); } catch { return; }
  showLive();
  if (document.body.className === before) return;
  // What is said without a sensor is said no longer, or from now on.
  showAgain();
  changed();
  showChase();
}

async function loadAll() { await Promise.all([loadHistory(), loadChase(), sources()]); }

function takeLine(line) {
  switch (line.type) {
    case "today":
      if (take(line)) loadHistory().catch(() => {});
      // The sources' own figures follow, some seconds apart.
      if (!isFresh()) sources();
      break;
    case "data": showCadence(line.cadence); break;
    case "event":
      if (["sourceLost", "sourceBack", "started", "stopped"].includes(line.event)) sources();
      if (line.event === "paused") showCadence(null);
      if (line.event === "gap" && line.missed) loadAll().catch(() => {});
      break;
    case "state": case "chase": case "alert": takeChaseLine(line); break;
  }
}

function connect() {
  clearTimeout(retry);
  stream?.close();
  stream = new EventSource("/api/live?steps=false");
  stream.addEventListener("open", () => {
    attempt = 0;
    showLive();
    loadAll().catch(() => {});
  });
  stream.addEventListener("message", (event) => {
    try { takeLine(JSON.parse(event.data)); } catch { /* a line of a later version */ }
  });
  stream.addEventListener("error", () => {
    const clock = (moment, day) => new Date(moment).toLocaleString(words, { ...day, hour: "numeric", minute: "2-digit" });
    const kept = recall();
    if (kept !== null) tell("lost", t("Offline; as of {time}", { time: clock(kept, { weekday: "short" }) }));
    else if ($("connection").dataset.state !== "lost") tell("lost", t("Disconnected since {time}; reconnecting", { time: clock(Date.now()) }));
    // The browser reconnects by itself unless it was refused.
    if (stream.readyState === EventSource.CLOSED) {
      attempt += 1;
      // A stream does not report why it was refused; this request asks for the token if it is missing. The page is its owner's.
      ask("/api/signal").catch((error) => { if (error instanceof Refusal && error.status === 403) location.replace("/challenge"); });
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

// MARK: settings

/** Centimetres or inches, in metres. */
const part = () => (units.value === "mi" ? 0.0254 : 0.01);
let own = { height: null, stepLength: null };

function showMeasure() {
  const key = $("measure").value;
  $("metres-part").hidden = !key;
  $("metres").required = Boolean(key);
  $("metres").value = own[key] ? Math.round((10 * own[key]) / part()) / 10 : "";
  $("metres-unit").textContent = units.value === "mi" ? t("inches") : t("cm");
  $("measure-note").textContent = { "": t("Distances are a guess: they need your height or step length."),
    height: t("Your distances are right to about a tenth. Days that are over keep theirs."), stepLength: t("Days that are over keep their distances.") }[key];
}

function showOwn(settings) {
  own = settings;
  $("measure").value = own.stepLength ? "stepLength" : own.height ? "height" : "";
  $("day-start").value = own.dayStart;
  showMeasure();
}
$("measure").addEventListener("change", showMeasure);
onView("settings", async () => { try { showOwn(await (await ask("/api/settings")).json()); } catch (error) { $("walk-error").textContent = error.message; } });
onSubmit($("walk-form"), $("walk-error"), async () => {
  const key = $("measure").value;
  const changes = { dayStart: $("day-start").value, ...(key && { [key]: Math.round(1000 * part() * $("metres").valueAsNumber) / 1000 }) };
  showOwn(await (await ask("/api/settings", "PUT", changes)).json());
  // Other days may begin at other times.
  known.first = null;
  known.days.clear();
  await loadHistory();
});

$("theme").value = theme.value;
$("theme").addEventListener("change", () => { theme.value = $("theme").value; });

$("notify").checked = notifications.isOn;
$("notify").disabled = !notifications.isPossible;
if (!notifications.isPossible) $("notify-note").textContent = t("Notifications need a page that was opened with https, or on the computer that counts.");
$("notify").addEventListener("change", async () => {
  const wanted = $("notify").checked;
  $("notify").checked = await notifications.turn(wanted);
  $("notify-note").textContent = wanted && !$("notify").checked ? t("The browser does not allow it; its settings of this page do.") : "";
});

$("units").value = units.value;
$("units").addEventListener("change", () => {
  units.value = $("units").value;
  showMeasure();
  showAgain();
  changed();
  showChase();
});

for (const [tag, name] of Object.entries(languages)) {
  $("language").append(Object.assign(new Option(name, tag, false, tag === language), { lang: tag }));
}
$("language").addEventListener("change", () => choose($("language").value));

enterRoom();
watchScreens();
followAddress();
window.addEventListener("pagehide", () => { stream?.close(); closeRoom(); });
window.addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
window.addEventListener("online", connect);
// Refreshes sources without events, and the bars of a new hour.
setInterval(() => { sources(); loadHistory().catch(() => {}); }, 60_000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) { loadTrace(); changed(); } });
connect();
loadTrace();
navigator.serviceWorker?.register("/phone-worker.js").catch(() => {});
