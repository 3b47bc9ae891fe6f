// Devices: what counts, what is wrong with this machine, and how a phone and the days of another counter come in.
import { $, ask, copy, pause, query, uuid, whole, Refusal } from "/common.js";
import { onView, view } from "/views.js";
import { known, steps } from "/days.js";
import { loadHistory } from "/today.js";

const states = { counting: "counting", waiting: "waiting for a sensor", lost: "lost", denied: "not permitted" };
let loaded = 0;

/** Whether the sources were asked for within the last seconds; where their figures are hidden, less often. Losses are told at once. */
export const isFresh = () => performance.now() - loaded < (view.name === "devices" ? 5000 : 20_000);

function line(text) {
  const line = document.createElement("div");
  line.textContent = text;
  return line;
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

function remedyOf(source) { return source.remedy ? `What helps: ${source.remedy}` : null; }

/** Whether anything counts, and why not. */
function showBanner(sources) {
  const counts = sources.some((source) => source.state === "counting");
  $("banner").toggleAttribute("hidden", counts);
  document.body.classList.toggle("idle", !counts);
  if (counts) return;
  const [source] = sources;
  // Without any sensor, what helps stands below.
  const isNone = !source || /cannot find a motion sensor/.test(source.reason ?? "");
  $("banner-reason").textContent = isNone ? "No motion sensor was found on this machine."
    : [`${source.name ?? source.uri}: ${states[source.state] ?? source.state}`, source.reason, remedyOf(source) ?? (source.reason ? null : "It counts as soon as its first samples arrive")]
      .filter(Boolean).map(sentence).join(" ");
}

export async function loadSources() {
  loaded = performance.now();
  const { sources = [], version } = await (await ask("/health")).json();
  document.documentElement.dataset.version = version;
  $("version").textContent = `Pedometer ${version}`;
  showBanner(sources);
  $("sources").replaceChildren(...sources.map((source) => {
    const entry = document.createElement("li");
    const state = document.createElement("span");
    state.className = `state ${source.state === "counting" ? "good" : "bad"}`;
    state.textContent = states[source.state] ?? source.state;
    const name = source.name && source.name !== source.uri ? `${source.name} (${source.uri})` : source.uri;
    entry.append(`${name}: `, state);
    const figures = [`${steps(source.steps)} since the service started`,
      source.samplingFrequency && `${Math.round(source.samplingFrequency)} samples a second`].filter(Boolean).join(", ");
    for (const text of [source.state === "counting" && figures, source.reason, remedyOf(source)]) if (text) entry.append(line(text));
    return entry;
  }));
  if (sources.length === 0) $("sources").replaceChildren(Object.assign(document.createElement("li"), { textContent: "Nothing yet: no sensor was found, and none is configured." }));
}

async function check() {
  $("checks").replaceChildren(Object.assign(document.createElement("li"), { textContent: "Checking …" }));
  let lines;
  try { lines = await (await ask("/api/checks")).json(); } catch (error) { lines = [{ result: "failed", finding: error.message }]; }
  const wrong = lines.filter((line) => line.result !== "ok");
  const told = wrong.length > 0 ? wrong : [{ result: "ok", finding: "Everything looks fine." }];
  $("checks").replaceChildren(...told.map((each) => {
    const entry = document.createElement("li");
    entry.className = each.result === "ok" ? "good" : "";
    entry.textContent = each.check ? `${each.check}: ${each.finding}` : each.finding;
    if (each.remedy) entry.append(line(`What helps: ${each.remedy}`));
    return entry;
  }));
}
$("check").addEventListener("click", check);

// A phone cannot reach a loopback address, and browsers provide no motion data without HTTPS.
if (/^(localhost|127\.|\[::1\])/.test(location.hostname) || location.protocol !== "https:") {
  $("invitation").hidden = true;
  $("phone-command").hidden = false;
  $("phone-ways").hidden = false;
  $("phone-note").textContent = "A phone counts through an encrypted connection, with a token:";
}

// MARK: days of other counters

/** Bytes that the service takes at a time. */
const partLength = 512 * 1024;

/** Sends a file in parts. Returns what was added. */
async function importFile(file) {
  const upload = uuid();
  let offset = 0;
  for (;;) {
    const end = Math.min(offset + partLength, file.size);
    const isLast = end === file.size;
    $("import-note").textContent = isLast ? `Reading ${file.name} …` : `Sending ${file.name}: ${Math.floor((100 * end) / file.size)} %`;
    try {
      const answer = await ask(`/api/import/file?${query({ upload, offset, ...(isLast && { name: file.name }) })}`, "POST", file.slice(offset, end));
      if (isLast) return await answer.json();
      offset = end;
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 429)) throw error;
      await pause(1000);
    }
  }
}

async function importAll(files) {
  $("imported").replaceChildren();
  $("import-file").disabled = true;
  for (const file of files) {
    const entry = document.createElement("li");
    try {
      const { sources, notices } = await importFile(file);
      entry.textContent = sources.length === 0 ? `${file.name}: no steps found` : `${file.name}: ${steps(sources.reduce((sum, each) => sum + each.newSteps, 0))} added`;
      for (const { name, steps: all, newSteps } of sources) entry.append(line(`${name}: ${whole.format(newSteps)} of ${whole.format(all)} steps are new`));
      for (const notice of notices) entry.append(line(sentence(notice)));
    } catch (error) {
      entry.className = "error";
      entry.textContent = error instanceof Refusal ? sentence(error.message) : `${file.name} could not be read or sent.`;
    }
    $("imported").append(entry);
  }
  $("import-note").textContent = "";
  $("import-file").disabled = false;
  $("import-file").value = "";
  // All days may have changed.
  known.first = null;
  await loadHistory().catch(() => {});
}

$("import-file").addEventListener("change", () => { importAll([...$("import-file").files]); });
for (const type of ["dragenter", "dragover"]) {
  $("import-card").addEventListener(type, (event) => { event.preventDefault(); $("drop").classList.add("over"); });
}
$("import-card").addEventListener("dragleave", () => $("drop").classList.remove("over"));
$("import-card").addEventListener("drop", (event) => {
  event.preventDefault();
  $("drop").classList.remove("over");
  if (!$("import-file").disabled) importAll([...event.dataTransfer.files]);
});

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", () => copy($(button.dataset.copy).querySelector("code").textContent, button));
}

onView("devices", ([part]) => {
  if (!isFresh()) loadSources().catch(() => {});
  if (part === "check") check();
  const card = { check: "sources-card", phone: "phone-card", import: "import-card" }[part];
  if (!card) return;
  $(card).scrollIntoView();
  $(card).focus({ preventScroll: true });
});
