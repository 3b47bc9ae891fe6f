// Shared by the pages: requests, streams, formatting.
import { locale, t } from "/texts.js";

export const $ = (id) => document.getElementById(id);

// MARK: requests

/** A refusal by the service, with its reason and status. */
export class Refusal extends Error {
  constructor(status, reason) { super(reason); this.status = status; }
}

/** Shows the login and nothing else, or the page. */
export function lock(isLocked) {
  if (isLocked) { try { for (const key of ["day", "usual"]) localStorage.removeItem(key); } catch { /* no storage */ } }
  document.body.classList.toggle("locked", isLocked);
  $("login").hidden = !isLocked;
}

/** Sends a request to the service, with JSON or a part of a file; throws a Refusal unless it succeeds. */
export async function ask(path, method = "GET", body = undefined, signal = undefined) {
  const isFile = body instanceof Blob;
  const headers = body === undefined ? {} : { "Content-Type": isFile ? "application/octet-stream" : "application/json" };
  const answer = await fetch(path, {
    method, headers, signal, credentials: "same-origin", cache: "no-store",
    body: body === undefined || isFile ? body : JSON.stringify(body),
  });
  if (answer.status === 401) lock(true);
  if (!answer.ok) {
    const told = await answer.json().catch(() => ({}));
    throw new Refusal(answer.status, told.reason ?? t("The pedometer answered {status}.", { status: String(answer.status) }));
  }
  return answer;
}

/** The fields of the fragment, which is then removed: it may contain a token, which should not stay in the address bar. */
export function fragment() {
  const fields = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  return fields;
}

/** Logs in with the code of an invite link, which works once, or with a token; whoever was let in before still is. */
export async function enter({ code, token }) {
  try { await ask("/api/session", "POST", code ? { code } : { token }); } catch (error) {
    if (!code || !(error instanceof Refusal)) throw error;
    try { await ask("/api/walker"); } catch { throw error; }
    lock(false);
  }
}

/** Whether only this computer can open an address. */
export const isOwn = (host) => /^(localhost|127\.|\[::1\])/.test(host);

/** The address of the service for phones; empty if only this computer can reach it. */
export async function phoneAddress() {
  return isOwn(location.hostname) ? (await (await ask("/api/phone")).json()).address ?? "" : location.origin;
}

/** Handles a form on the page, and shows its errors below it. */
export function onSubmit(form, error, work) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    error.textContent = "";
    try { await work(event); } catch (reason) {
      error.textContent = reason instanceof Refusal ? reason.message : t("Cannot reach the pedometer.");
    }
  });
}

/** A random UUID. Without TLS, `crypto.randomUUID` is not available. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

// MARK: formatting

/** What the reader chose on this device. */
export const choice = (key, usual) => ({
  get value() { try { return localStorage.getItem(key) ?? usual; } catch { return usual; } },
  set value(chosen) { try { localStorage.setItem(key, chosen); } catch { /* for this page only */ } },
});

const chosenUnits = choice("units", "");
/** Miles where roads have them, unless the reader chose. */
export const units = {
  get value() {
    if (["km", "mi"].includes(chosenUnits.value)) return chosenUnits.value;
    let region;
    try { region = new Intl.Locale(navigator.language).region; } catch { /* a locale that is none */ }
    return ["US", "GB", "LR", "MM"].includes(region) ? "mi" : "km";
  },
  set value(chosen) { chosenUnits.value = chosen; },
};

const chosenTheme = choice("theme", "auto");
const schemes = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.media?.mediaText.includes("prefers-color-scheme"));
const bars = [...document.querySelectorAll("meta[media]")].map((meta) => [meta, meta.media.includes("dark") ? "dark" : "light"]);
/** Light or dark, or as the system. */
export const theme = {
  get value() { return chosenTheme.value; },
  set value(name) {
    chosenTheme.value = name;
    const isAuto = name === "auto";
    for (const rule of schemes) {
      rule.media.mediaText = isAuto ? "(prefers-color-scheme: dark)" : name === "dark" ? "all" : "not all";
      rule.parentStyleSheet.cssRules[0].style.colorScheme = isAuto ? "light dark" : name;
    }
    for (const [bar, of] of bars) bar.media = isAuto ? `(prefers-color-scheme: ${of})` : of === name ? "all" : "not all";
  },
};
if (theme.value !== "auto") theme.value = theme.value;

const notifies = choice("notify", "off");
/** Whether this browser notifies its reader; without HTTPS it may not. */
export const notifications = {
  get isPossible() { return "Notification" in window && Boolean(navigator.serviceWorker); },
  get isOn() { return this.isPossible && notifies.value === "on" && Notification.permission === "granted"; },
  async turn(isOn) {
    notifies.value = isOn && (await Notification.requestPermission()) === "granted" ? "on" : "off";
    return this.isOn;
  },
};
export async function notify(text) {
  if (notifications.isOn) (await navigator.serviceWorker.ready).showNotification("Pedometer", { body: text, icon: "/icon.png", tag: "goal" });
}

const formats = new Map();
/** A number with its unit. */
export function measured(value, unit, digits) {
  const name = `${unit} ${digits}`;
  const made = formats.get(name) ?? new Intl.NumberFormat(
    locale, { style: "unit", unit, minimumFractionDigits: digits, maximumFractionDigits: digits });
  formats.set(name, made);
  return made.format(value);
}

/** Two decimals below ten, one below a hundred, none above. */
const digits = (value) => (value < 9.995 ? 2 : value < 99.95 ? 1 : 0);

export function distance(metres) {
  if (units.value === "mi") {
    const miles = metres / 1609.344;
    return miles < 0.1 ? measured(Math.round(metres / 0.3048), "foot", 0) : measured(miles, "mile", digits(miles));
  }
  return metres < 999.5 ? measured(Math.round(metres), "meter", 0) : measured(metres / 1000, "kilometer", digits(metres / 1000));
}

/** Of metres a second. */
export const speed = (velocity) => (units.value === "mi" ? measured(velocity * 2.2369, "mile-per-hour", 1) : measured(velocity * 3.6, "kilometer-per-hour", 1));

// MARK: painting

const waiting = new Map();
const painted = new Map();
let next = null;

function awaitBeat() {
  clearTimeout(next);
  next = waiting.size === 0 ? null
    : setTimeout(paintDue, Math.max(0, Math.min(...[...waiting.values()].map(({ due }) => due)) - performance.now()));
}

function paintDue() {
  const now = performance.now() + 20;
  const ready = [...waiting].filter(([, { due }]) => due <= now);
  for (const [name, { due }] of ready) {
    waiting.delete(name);
    painted.set(name, due);
  }
  awaitBeat();
  for (const [, { paint }] of ready) paint();
}

/**
 * Calls `paint` at the next beat of the page's clock, once however often it was asked for; a beat is `every` so many milliseconds
 * long. A picture on the screen costs several milliseconds of processor time, whatever changed in it, and a walk changes something
 * ten times a second; so what moves is painted together.
 */
export function onBeat(name, paint, every = 1000) {
  const due = every * Math.ceil(performance.now() / every);
  // A timer may be a little early.
  waiting.set(name, { paint, due: painted.get(name) === due ? due + every : due });
  awaitBeat();
}

/** Calls `work` when the returned function is called, but not again within that time: what comes sooner waits for its end. */
export function atMostEvery(milliseconds, work) {
  let [timer, last] = [null, -Infinity];
  return () => {
    timer ??= setTimeout(() => {
      [timer, last] = [null, performance.now()];
      work();
    }, Math.max(0, last + milliseconds - performance.now()));
  };
}

/** Text that is already there is not written again. */
export function write(element, text) { if (element.textContent !== text) element.textContent = text; }

// MARK: line streams

/** The lines of a streamed answer, as objects. Chunks may split lines anywhere. */
export async function* lines(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) {
      if (!part.trim()) continue;
      try { yield JSON.parse(part); } catch { /* a line of a later version */ }
    }
  }
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
// Not URLSearchParams: it encodes a space as a plus, which the service does not decode.
export const query = (fields) =>
  Object.entries(fields).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");

/** Replaces control characters, including those that change the text direction. */
export const clean = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ");

/** Follows a stream until it is aborted; reconnects without missing lines. */
export async function follow(path, take, signal) {
  let wait = 500;
  while (!signal.aborted) {
    try {
      const answer = await ask(path(), "GET", undefined, signal);
      wait = 500;
      for await (const line of lines(answer)) take(line);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal && error.status >= 400 && error.status < 500 && error.status !== 429) throw error;
    }
    await pause(wait);
    wait = Math.min(15_000, wait * 2);
  }
}

/** Copies text; without TLS a browser may not, and then it is selected. */
export async function copy(text, button) {
  try { await navigator.clipboard.writeText(text); button.textContent = t("Copied"); } catch {
    getSelection().selectAllChildren(button.parentElement.querySelector("code"));
    button.textContent = t("Press Ctrl-C");
  }
  setTimeout(() => { button.textContent = t("Copy"); }, 3000);
}

/** A message of the room itself, or of a user. */
export const message = (text, user) => ({ id: uuid(), user, message: text, date: Date.now() / 1000 - 978307200 });

/** Announces in a room that this user has hidden the page for more than five seconds, and that it is shown again; in English, for all. */
export function announceAbsence(user, room, signal) {
  let [waiting, isAway] = [null, false];
  // If the room cannot be reached, it announces the lost connection itself.
  const tell = (what) => ask(`/chat/say?${query({ room })}`, "POST", message(`${user} ${what}`)).catch(() => {});
  signal.addEventListener("abort", () => clearTimeout(waiting));
  document.addEventListener("visibilitychange", () => {
    clearTimeout(waiting);
    if (document.hidden) {
      waiting = setTimeout(() => { isAway = true; tell("went away"); }, 5000);
    } else if (isAway) {
      isAway = false;
      tell("came back");
    }
  }, { signal });
}
