// Runs GNOME Shell with the extension and pedometerd in a private session, and compares what the top bar shows with the figures on
// the bus. `run` starts it, with a session bus and a system bus of its own.
//
// usage: gjs -m session.js PEDOMETERD FOLDER
//
// FOLDER gets the pictures and the logs. Ends with 1 at the first difference.

import Gio from "gi://Gio";
import GLib from "gi://GLib";
import System from "system";

const [pedometerd, folder] = ARGV;
const [uuid, name, path] = ["pedometer@org.pedometer", "org.pedometer.Pedometer1", "/org/pedometer/Pedometer1"];
const session = Gio.DBus.session;
const running = new Set();
let checks = 0;

function end(status) {
  for (const process of running) process.force_exit();
  System.exit(status);
}

function check(title, isTrue, detail) {
  if (!isTrue) {
    print(`not ok - ${title}: ${JSON.stringify(detail)}`);
    end(1);
  }
  checks += 1;
  print(`ok - ${title}`);
}

/** Asks until the answer is true, for at most two minutes. */
function until(title, question) {
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      const answer = question();
      if (answer) return answer;
    } catch (error) {
      if (attempt === 599) print(`# ${error.message}`);
    }
    GLib.usleep(200_000);
  }
  check(title, false, "not within two minutes");
  return null;
}

function start(log, environment, ...command) {
  const launcher = new Gio.SubprocessLauncher({flags: Gio.SubprocessFlags.NONE});
  launcher.set_stdout_file_path(`${folder}/${log}.log`);
  launcher.set_stderr_file_path(`${folder}/${log}.log`);
  for (const [variable, value] of Object.entries(environment)) launcher.setenv(variable, value, true);
  const process = launcher.spawnv(command);
  running.add(process);
  return process;
}

function stop(process) {
  process.send_signal(15);
  process.wait(null);
  running.delete(process);
}

const call = (bus, owner, object, method, parameters) => {
  const at = method.lastIndexOf(".");
  return bus.call_sync(
    owner, object, method.slice(0, at), method.slice(at + 1), parameters, null, Gio.DBusCallFlags.NO_AUTO_START, 60_000, null)
    .recursiveUnpack();
};

/** The value of an expression in the Shell. */
function shell(expression) {
  const [isDone, value] = call(
    session, "org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell.Eval", new GLib.Variant("(s)", [expression]));
  if (!isDone) throw new Error(`${expression}: ${value}`);
  return value === "" ? null : JSON.parse(value);
}

const indicator = `Main.panel.statusArea["${uuid}"]`;

/** What the top bar and the menu show. */
function shown() {
  return shell(`(() => {
    const it = ${indicator}, text = label => label.visible ? label.text : "";
    return {
      panel: text(it._steps), title: text(it._title), lines: it._lines.map(text).filter(line => line), share: it._ring._share,
      warning: it._warning.visible, problem: text(it._problem), command: text(it._command), canOpen: it._open.visible,
      page: it._page, accessible: it.accessible_name,
    };
  })()`);
}

const figures = (bus = session) =>
  call(bus, name, path, "org.freedesktop.DBus.Properties.GetAll", new GLib.Variant("(s)", [name]))[0];

const digits = text => text.replace(/[^0-9]/g, "");

/** What is shown, with the figures that were on the bus before and after, which were the same. */
function compared(bus = session) {
  return until("what is shown is what is on the bus", () => {
    const [before, view, after] = [figures(bus), shown(), figures(bus)];
    if (before.StepsToday === after.StepsToday && digits(view.panel) === `${before.StepsToday}`) return {view, figures: after};
    throw new Error(`'${view.panel}' is shown, and ${before.StepsToday} to ${after.StepsToday} are on the bus`);
  });
}

function picture(file) {
  shell(`${indicator}.menu.open()`);
  GLib.usleep(1_000_000);
  const [isDone] = call(
    session, "org.gnome.Shell", "/org/gnome/Shell/Screenshot", "org.gnome.Shell.Screenshot.Screenshot",
    new GLib.Variant("(bbs)", [false, false, `${folder}/${file}.png`]));
  check(`there is a picture, ${file}.png`, isDone, file);
  shell(`${indicator}.menu.close()`);
}

function style(scheme) {
  shell(`new Gio.Settings({schema_id: "org.gnome.desktop.interface"}).set_string("color-scheme", "prefer-${scheme}")`);
}

function service(bus, ...options) {
  const state = GLib.dir_make_tmp("pedometer-XXXXXX");
  return start(
    "pedometerd", {XDG_RUNTIME_DIR: state}, pedometerd, "--state", `${state}/state`, "--dbus", bus, "--goal", "8000", ...options);
}

/** A time zone in which it is about noon, so that a day's steps fit before now. */
function noonZone() {
  const ahead = 12 - GLib.DateTime.new_now_utc().get_hour();
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

// What is hard to bring about: the texts alone.
const {wording} = await import(`file://${folder}/../data/gnome-shell/extensions/${uuid}/wording.js`);
const words = (figures, state = {}) => wording({isRunning: true, refusal: null, figures, ...state}, "en");
const day = {
  StepsToday: 7999, DistanceToday: 999.4, Goal: 8000, Cadence: 0, Walking: false, Problem: "", Page: "https://ann.example/",
};
const goalless = words({...day, Goal: 0});
const almost = words(day), reached = words({...day, StepsToday: 9000}), unknown = words({Problem: "the history cannot be read"});
check(
  "a goal that is almost reached is not called reached",
  almost.lines.join("; ") === "99% of the goal of 8,000; 999 m; Not walking", almost);
check("a goal that is reached", reached.lines[0] === "Goal of 8,000 reached (112%)" && reached.share > 1, reached);
check("the page is that of the service", almost.page === day.Page, almost);
check("without a goal, there is no ring", goalless.share === null && goalless.lines.length === 2, goalless);
check(
  "unknown steps are not zero", unknown.panel === "" && unknown.title === "Steps unknown" && unknown.lines.length === 0, unknown);
check("a reason is a sentence", unknown.problem === "The history cannot be read", unknown);
const denied = words(null, {refusal: "denied"}), refused = words(null, {refusal: "it hangs"});
check("a user who is not in the group gets the command", denied.command.includes("--groups pedometer") && !denied.panel, denied);
check("another refusal is shown", refused.problem === "It hangs" && refused.page === null, refused);
check("a service without figures is starting", words({}).title === "The service is starting", words({}));

start(
  "shell", {}, "gnome-shell", "--headless", "--wayland", "--no-x11", "--virtual-monitor", "640x320", "--unsafe-mode");
until("GNOME Shell starts", () => shell("!Main.layoutManager._startingUp"));
shell("Main.overview.hide()");
const [version] = call(
  session, "org.gnome.Shell", "/org/gnome/Shell", "org.freedesktop.DBus.Properties.Get",
  new GLib.Variant("(ss)", ["org.gnome.Shell", "ShellVersion"]));
const info = shell(`(() => { const it = Main.extensionManager.lookup("${uuid}"); return {state: it.state, error: it.error}; })()`);
check(`GNOME Shell ${version} enables the extension`, info.state === 1, info);

let view = shown();
check("without the service, it says how to start it", view.title.includes("not running") && view.command.includes("systemctl"), view);
check("without the service, there is no figure and no page", view.panel === "" && !view.canOpen, view);
picture("stopped-dark");

const listener = new Gio.SocketListener();
const address = `127.0.0.1:${listener.add_any_inet_port(null)}`;
listener.close();
let daemon = service(
  "session", "--listen", address, "--time-zone", noonZone(), "--source", "synthetic:cadence=110,duration=3600");
until("the service has steps", () => figures().StepsToday > 0);
const now = GLib.DateTime.new_now_utc();
const body = JSON.stringify({
  source: "watch", start: now.add_seconds(-3 * 3600).format_iso8601(), end: now.add_seconds(-2 * 3600).format_iso8601(), steps: 6210,
});
const curl = start(
  "curl", {}, "curl", "-sS", "-f", "-H", "Content-Type: application/json", "--data", body, `http://${address}/api/steps`);
check("the service takes steps of a watch", curl.wait_check(null), body);
until("they are on the bus", () => figures().StepsToday > 6210);
let pair = compared();
check(`the top bar shows the service's steps (${pair.view.panel})`, digits(pair.view.panel) === `${pair.figures.StepsToday}`, pair);
check("the ring is the share of the goal", Math.abs(pair.view.share - pair.figures.StepsToday / 8000) < 1e-9, pair);
check(
  `the menu has goal, distance and cadence (${pair.view.lines.join("; ")})`,
  pair.view.lines.length === 3 && pair.view.lines[0].includes("goal of 8,000") && pair.view.lines[1].endsWith(" km")
    && Math.abs(parseFloat(pair.view.lines[1]) - pair.figures.DistanceToday / 1000) < 0.02, pair);
until("the walk is noticed", () => figures().Walking && shown().lines[2].startsWith("Walking, 1"));
check("the page is the service's", pair.view.page === `http://${address}/` && pair.view.canOpen, pair);
check("without a problem, there is no warning", !pair.view.warning && pair.view.problem === "", pair);
check("a reader hears the same", pair.view.accessible.includes(pair.view.title), pair);
const first = pair.figures.StepsToday;
until("the figures move by themselves", () => compared().figures.StepsToday > first);
picture("walking-dark");
style("light");
picture("walking-light");
style("dark");
stop(daemon);
until("a service that has ended is noticed", () => shown().title.includes("not running") && shown().panel === "");

daemon = service("session", "--listen", "127.0.0.1:0", "--source", "evdev:/dev/input/by-id/none");
view = until("a sensor that is not read is noticed", () => shown().problem !== "" && shown());
check(
  `the reason is the service's (${view.problem})`, view.warning && view.problem.toLowerCase() === figures().Problem.toLowerCase(), view);
picture("problem-dark");
style("light");
picture("problem-light");
stop(daemon);
until("and that it has ended", () => shown().title.includes("not running"));
picture("stopped-light");
style("dark");

daemon = service("system", "--listen", "127.0.0.1:0", "--source", "synthetic:cadence=110,duration=3600");
until("the service of the machine has steps", () => figures(Gio.DBus.system).StepsToday > 0);
pair = compared(Gio.DBus.system);
check(`a service on the system bus is shown as well (${pair.view.panel})`, pair.view.panel !== "", pair);

/** The rules by which the Shell listens on the session bus. */
const rules = () => {
  const ask = (method, parameters) => call(
    session, "org.freedesktop.DBus", "/org/freedesktop/DBus", `org.freedesktop.DBus.${method}`, parameters);
  const [owner] = ask("GetNameOwner", new GLib.Variant("(s)", ["org.gnome.Shell"]));
  const [all] = ask("Debug.Stats.GetAllMatchRules", null);
  return (all[owner] ?? []).filter(rule => rule.includes(name)).length;
};
const before = rules();
const extensions = method => call(
  session, "org.gnome.Shell", "/org/gnome/Shell", `org.gnome.Shell.Extensions.${method}`, new GLib.Variant("(s)", [uuid]));
for (let round = 0; round < 5; round++) {
  extensions("DisableExtension");
  until("it is disabled", () => shell(`!${indicator}`));
  check("nothing is left after it is disabled", rules() === 0 && before > 0, [before, rules()]);
  extensions("EnableExtension");
  until("it is enabled again", () => shown().panel !== "");
}
check("it listens as often as at first", rules() === before, [before, rules()]);
stop(daemon);
const [, log] = GLib.file_get_contents(`${folder}/shell.log`);
const errors = new TextDecoder().decode(log).split("\n").filter(line => /pedometer/i.test(line));
check("the Shell's log has no word of it", errors.length === 0, errors);
print(`# ${checks} checks passed on GNOME Shell ${version}`);
end(0);
