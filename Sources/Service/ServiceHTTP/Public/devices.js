// Devices: what counts, what is wrong with this computer, and how a phone and the days of another counter come in.
import { parts, t, words } from "/texts.js";
import { $, ask, clean, copy, isOwn, pause, phoneAddress, query, uuid, Refusal } from "/common.js";
import { onView, view } from "/views.js";
import { known, steps } from "/days.js";
import { loadHistory } from "/today.js";
import { made } from "/doubts.js";

const states = { counting: t("counting"), waiting: t("waiting"), lost: t("lost"), denied: t("not permitted"), ended: t("ended") };
let loaded = 0;

/** Whether the sources were asked for within the last seconds; where their figures are hidden, less often. Losses are told at once. */
export const isFresh = () => performance.now() - loaded < (view.name === "devices" ? 5000 : 20_000);

const line = (text) => made("div", { textContent: text });

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** What the service tells in fixed sentences is translated; what names a device or a file stays as it is. */
const said = (text) => text.split("; ").map((part) => (/[{|]/.test(part) ? part : t(part))).join("; ");

function remedyOf({ remedy }) { return remedy ? t("What helps: {remedy}", { remedy: said(remedy) }) : null; }

/** What a reader calls it: programs that send steps have a name of their own. */
const nameOfSource = ({ name, uri }) => (name ?? uri).replace(/^client:/, "");

/** Whether the service is still looking for any sensor. */
const isMissing = (source) => source.state === "waiting" && /cannot find a motion sensor/.test(source.reason ?? "");

/** Whether anything counts, and why not. */
function showBanner(sources) {
  const counts = sources.some((source) => source.state === "counting");
  const isNone = !counts && sources.every(isMissing);
  document.body.classList.toggle("sensorless", isNone);
  $("banner-title").textContent = isNone ? t("Nothing is counting your steps yet") : t("Nothing is counting your steps now");
  $("banner").toggleAttribute("hidden", counts);
  document.body.classList.toggle("idle", !counts);
  if (counts) return;
  const [source] = sources;
  // Without any sensor, what helps stands below.
  $("banner-reason").textContent = isNone ? ""
    : [t("{name}: {text}", { name: nameOfSource(source), text: states[source.state] ?? source.state }), source.reason && said(source.reason),
      remedyOf(source) ?? (source.reason ? null : t("It counts as soon as its first samples arrive"))]
      .filter(Boolean).map(sentence).join(" ");
}

export async function loadSources() {
  loaded = performance.now();
  const { sources = [], version } = await (await ask("/health")).json();
  document.documentElement.dataset.version = version;
  $("version").textContent = `Pedometer ${version}`;
  showBanner(sources);
  const open = new Set([...$("sources").querySelectorAll("details[open]")].map((each) => each.dataset.uri));
  const focus = $("sources").contains(document.activeElement) ? document.activeElement.closest("details")?.dataset.uri : undefined;
  $("sources").replaceChildren(...sources.map((source) => {
    const entry = made("li");
    const isNone = isMissing(source);
    if (isNone) entry.append(t("No sensor found. Still looking."));
    else {
      const state = made("span", { className: `state ${{ counting: "good", waiting: "" }[source.state] ?? "bad"}`, textContent: states[source.state] ?? source.state });
      entry.append(...parts("{name}: {text}", { name: nameOfSource(source), text: state }));
    }
    if (source.state === "counting") entry.append(line(t("{steps} since the pedometer started", { steps: steps(source.steps) })));
    const why = [source.reason && said(source.reason), remedyOf(source)].filter(Boolean).map(sentence);
    if (!isNone) entry.append(...why.map(line));
    // What only who set it up wants to know.
    const details = made("details", {}, made("summary", { textContent: t("Details") }), ...[
      source.uri, source.samplingFrequency && t("{count} samples a second", { count: Math.round(source.samplingFrequency) }), ...(isNone ? why : []),
    ].filter(Boolean).map(line));
    details.dataset.uri = source.uri;
    details.open = open.has(source.uri);
    entry.append(details);
    return entry;
  }));
  if (sources.length === 0) $("sources").replaceChildren(made("li", { textContent: t("No sensor is set up yet.") }));
  if (focus !== undefined) [...$("sources").querySelectorAll("details")].find((each) => each.dataset.uri === focus)?.firstChild.focus({ preventScroll: true });
}

// MARK: phones that were let in

const moment = (time) => new Date(time).toLocaleString(words, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });

/** A name for a browser by what it says of itself, such as "Firefox, Android". */
function nameOf(agent) {
  const first = (names) => names.find(([, pattern]) => pattern.test(agent ?? ""))?.[0];
  const system = first([["iPhone", /iPhone/], ["iPad", /iPad/], ["Android", /Android/], ["Mac", /Macintosh/], ["Windows", /Windows/], ["Linux", /Linux/]]);
  const browser = first([["Firefox", /Firefox|FxiOS/], ["Edge", /Edg/], ["Samsung Internet", /SamsungBrowser/], ["Chrome", /Chrome|CriOS/], ["Safari", /Safari/]]);
  return [browser, system].filter(Boolean).join(", ") || t("A phone");
}

/** A phone in its list, with buttons: the text of each, and what it does. */
function phoneEntry(name, lines, buttons) {
  return made("li", {}, made("div", {}, made("strong", { textContent: name }), ...lines.filter(Boolean).map(line)), ...buttons.map(([textContent, work]) => {
    const button = made("button", { type: "button", className: "quiet", textContent, ariaLabel: `${textContent}: ${name}` });
    button.addEventListener("click", async () => {
      $("phones-error").textContent = "";
      try { await work(); await loadPhones(); } catch (error) { $("phones-error").textContent = error.message; }
    });
    return button;
  }));
}

let shownPhones = "";

/** Shows the phones that ask to be let in, and those that were. */
async function loadPhones() {
  const [requests, phones] = await Promise.all(["/api/requests", "/api/phones"].map(async (path) => (await ask(path)).json()));
  const told = JSON.stringify([requests, phones]);
  if (told === shownPhones) return;
  // A phone that is new may have used the code.
  if (shownPhones && phones.some(({ id }) => !shownPhones.includes(id))) renewCode();
  shownPhones = told;
  $("phones-card").hidden = requests.length + phones.length === 0;
  $("requests").replaceChildren(...requests.map(({ id, walker, agent, since, isKnown }) => {
    const name = clean(walker);
    const answer = (admit) => () => ask("/api/requests", "PUT", { id, admit });
    return phoneEntry(t("{name} asks to be let in", { name }), [`${nameOf(agent)}, ${moment(since)}`, isKnown && t("Becomes a phone of {name}, who is let in already", { name })],
      [[t("Let in"), answer(true)], [t("Refuse"), answer(false)]]);
  }));
  $("phones").replaceChildren(...phones.map(({ id, walker, agent, since, seen, isThis }) => {
    const name = nameOf(agent);
    return phoneEntry(isThis ? t("{name} (this device)", { name }) : name, [
      walker === "Owner" ? t("Counts for you") : t("Counts for {name}", { name: clean(walker) }), since && t("Let in on {time}", { time: moment(since) }),
      seen && t("Last seen {time}", { time: moment(seen) }),
    ], [[t("Remove"), async () => {
      if (confirm(t("{name} then needs a new code. What it counted stays. Remove it?", { name }))) await ask(`/api/phones?${query({ id })}`, "DELETE");
    }]]);
  }));
}

async function check() {
  $("checks").replaceChildren(made("li", { textContent: t("Checking …") }));
  let lines;
  try { lines = await (await ask("/api/checks")).json(); } catch (error) { lines = [{ result: "failed", finding: error.message }]; }
  const wrong = lines.filter((line) => line.result === "failed");
  const told = wrong.length > 0 ? wrong : [{ result: "ok", finding: t("Everything looks fine.") }];
  const shown = (each) => {
    const entry = made("li", { className: each.result === "ok" ? "good" : "" });
    entry.textContent = each.check ? t("{name}: {text}", { name: said(each.check), text: said(each.finding) }) : each.finding;
    if (each.remedy) entry.append(line(remedyOf(each)));
    return entry;
  };
  $("checks").replaceChildren(...told.map(shown));
  // Modules, rules and groups are for who looks after this computer.
  const more = lines.filter((line) => !["ok", "failed"].includes(line.result)).map(shown);
  if (more.length === 0) return;
  $("checks").append(made("li", {}, made("details", {}, made("summary", { textContent: t("For the person who looks after this computer") }),
    made("ul", { className: "list" }, ...more))));
}
$("check").addEventListener("click", check);

const code = { ends: 0, timer: null };

/** Shows a code for one phone, or how to get an address that phones can use: they reach no loopback address, and feel no motion without HTTPS. */
async function showCode() {
  const address = await phoneAddress();
  const isReady = address.startsWith("https:");
  $("phone-code").hidden = !isReady;
  for (const id of ["phone-ways", "phone-later"]) $(id).hidden = isReady;
  if (!isReady) {
    $("phone-note").textContent = t("A phone needs a secure connection. Set it up once:");
    if (!isOwn(location.hostname)) $("phone-address").textContent = `https://${location.hostname}:8443`;
    return;
  }
  if (performance.now() < code.ends) return;
  const { url, seconds, svg } = await (await ask("/api/phone", "POST", {})).json();
  code.ends = performance.now() + 1000 * seconds;
  $("invitation").src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  $("phone-link").querySelector("code").textContent = url;
  $("phone-time").hidden = !url.includes("#");
  clearTimeout(code.timer);
  // Nobody scans a code that is over.
  code.timer = setTimeout(() => {
    if (isSeen()) showCode().catch(() => {});
    else [$("phone-code").hidden, code.ends] = [true, 0];
  }, 1000 * seconds - 5000);
}
function renewCode() {
  code.ends = 0;
  showCode().catch(() => {});
}
$("phone-again").addEventListener("click", renewCode);

const isSeen = () => view.name === "devices" && !document.hidden && !document.body.classList.contains("locked");
/** Phones come and go while the view is shown. */
const follow = () => { if (isSeen()) loadPhones().catch(() => {}); };
const resume = () => { if (isSeen()) showCode().then(follow).catch(() => {}); };
document.addEventListener("visibilitychange", resume);
setInterval(follow, 3000);

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
    $("import-note").textContent = isLast ? t("Reading {file} …", { file: file.name })
      : t("Sending {file}: {share} %", { file: file.name, share: Math.floor((100 * end) / file.size) });
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
    const entry = made("li");
    try {
      const { sources, notices } = await importFile(file);
      entry.textContent = sources.length === 0 ? t("{file}: no steps found", { file: file.name })
        : t("{file}: {steps} added", { file: file.name, steps: steps(sources.reduce((sum, each) => sum + each.newSteps, 0)) });
      for (const { name, steps: all, newSteps } of sources) entry.append(line(t("{name}: {added} of {all} steps are new", { name, added: newSteps, all })));
      for (const notice of notices) entry.append(line(sentence(notice)));
    } catch (error) {
      entry.className = "error";
      entry.textContent = error instanceof Refusal ? sentence(error.message) : t("{file} could not be read or sent.", { file: file.name });
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
  resume();
  if (part === "check") check();
  const card = { check: "sources-card", phone: "phone-card", import: "import-card" }[part];
  if (!card) return;
  $(card).scrollIntoView();
  $(card).focus({ preventScroll: true });
});
