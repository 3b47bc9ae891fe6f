// What the pages share: asking the service, following its streams, figures as text.

export const $ = (id) => document.getElementById(id);

// MARK: asking

/** What the service refused: its sentence and the status. */
export class Refusal extends Error {
  constructor(status, reason) { super(reason); this.status = status; }
}

/** Asks the service; an answer without success becomes a Refusal. */
export async function ask(path, method = "GET", body = undefined, signal = undefined) {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  const answer = await fetch(path, {
    method, headers, signal, credentials: "same-origin", cache: "no-store",
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (answer.status === 401) $("login").hidden = false;
  if (!answer.ok) {
    const told = await answer.json().catch(() => ({}));
    throw new Refusal(answer.status, told.reason ?? `The service answered ${answer.status}.`);
  }
  return answer;
}

/** Lets a form do its work without leaving the page, and says beneath it what went wrong. */
export function onSubmit(form, error, work) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    error.textContent = "";
    try { await work(event); } catch (reason) {
      error.textContent = reason instanceof Refusal ? reason.message : "Cannot reach the service.";
    }
  });
}

/** A random UUID, also where the page came without TLS and `crypto.randomUUID` is missing. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

// MARK: figures as text

export const whole = new Intl.NumberFormat("en");
export const distance = (metres) =>
  metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(2)} km`;

// MARK: streams of lines

/** The lines of an answer that goes on, as objects; a line may be cut anywhere. */
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
// Not URLSearchParams: its plus for a blank means a plus to the service.
export const query = (fields) =>
  Object.entries(fields).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");

/** Control characters have no business on a page, nor what turns the text that follows around. */
export const clean = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ");

/** Follows a stream until it is left; comes back by itself, and misses nothing. */
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
