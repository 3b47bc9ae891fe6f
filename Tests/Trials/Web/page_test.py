"""The live page in a real Chromium against a real pedometerd: each test is a function whose name is the requirement."""

import datetime
import io
import json
import math
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.request
import zipfile
import gzip
import random

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ServiceChecks"))
from unsealed import unsealed  # noqa: E402

BINARIES = sys.argv[1]
PICTURES = ".build/web"
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Daemon:
    """A separate pedometerd with its own state folder, on a port that is the same after a restart."""

    def __init__(self, *options, source="synthetic:cadence=120,duration=7200", days=0):
        self.state = tempfile.mkdtemp(prefix="pedometer-web-")
        self.port = free_port()
        # Without a source, only phones send steps.
        self.options = [*(["--source", source] if source else []), *options]
        self.process = None
        self.start()
        if days:
            self.process.terminate()
            self.process.wait(timeout=20)
            remember(f"{self.state}/history.sqlite", days)
            self.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        log = open(os.path.join(self.state, "log"), "ab")
        self.process = subprocess.Popen(
            [f"{BINARIES}/pedometerd", "--listen", f"127.0.0.1:{self.port}", "--state", self.state, *self.options],
            stdout=log, stderr=log)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(self.url + "/health", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        raise AssertionError("pedometerd did not start:\n" + open(log.name).read())

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=20)
        shutil.rmtree(self.state, ignore_errors=True)

    def send(self, method, path, body):
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
        urllib.request.urlopen(request, timeout=10).close()

    def get(self, path, token=None):
        request = urllib.request.Request(self.url + path)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)


def remember(database, days):
    """Writes the walks of so many days up to yesterday into a history: 3,000 to 13,000 steps a day, with floors."""
    chance = random.Random(7)
    history = unsealed(database)
    midnight = int(time.time()) // 86_400 * 86_400
    quarters = {}
    for day in range(days, 0, -1):
        goal = chance.randrange(3000, 12_000)
        while goal > 0:
            minute = (midnight - day * 86_400) // 60 + chance.randrange(7 * 60, 22 * 60)
            steps, floors = chance.randrange(90, 120), int(chance.random() < 0.05)
            figures = (steps, steps * 720_000, steps * 520_000, floors, 0)
            if history.execute("INSERT OR IGNORE INTO minute (minute, source, steps, distance, active, ascended, descended) "
                               "VALUES (?, 77, ?, ?, ?, ?, ?)", (minute, *figures)).rowcount:
                goal -= steps
                quarter = quarters.setdefault(minute // 15, [0] * 5)
                for index, figure in enumerate(figures):
                    quarter[index] += figure
    history.executemany(
        "INSERT INTO quarter (quarter, steps, distance, active, ascended, descended) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (quarter) DO UPDATE SET steps = steps + excluded.steps",
        [(quarter, *figures) for quarter, figures in quarters.items()])
    history.commit()
    history.close()


def number(page, identifier):
    return int(re.sub(r"\D", "", page.inner_text(f"#{identifier}") if identifier else page.inner_text()) or 0)


def until(what, holds, seconds=30):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not in {seconds} s: {what}"
        time.sleep(0.1)


def no_serious_fault(page):
    found = Axe().run(page).response["violations"]
    serious = [(fault["id"], fault["nodes"][0]["html"][:120]) for fault in found
               if fault["impact"] in ("serious", "critical", "moderate")]
    assert not serious, serious


def go(page, view):
    """Shows a view of the page by its link."""
    page.click(f"#views [data-view={view}]")
    expect(page.locator(f"main > [data-view={view}]")).to_be_visible()


class Browser:
    """A page; errors in its console are failures."""

    def __init__(self, browser, daemon, **context):
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.faults = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda message: self.faults.append(message.text)
                     if message.type == "error" and "Failed to load resource" not in message.text
                     and "net::ERR" not in message.text else None)
        self.page.goto(daemon.url)

    def __enter__(self):
        return self.page

    def __exit__(self, kind, *_):
        self.context.close()
        if kind is None:
            assert not self.faults, self.faults


# MARK: the page

VIEWS = ["today", "history", "play", "people", "devices", "settings"]


def steps_rise_live_and_the_day_fills(browser):
    daemon = Daemon()
    try:
        with Browser(browser, daemon, viewport={"width": 1100, "height": 900}) as page:
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            until("steps rise", lambda: number(page, "steps") > 12)
            before = number(page, "steps")
            until("steps rise on", lambda: number(page, "steps") > before + 4)
            expect(page.locator("#cadence")).to_have_text(re.compile(r"^1[12]\d$"))
            expect(page.locator("#today-title")).to_have_text(re.compile(r"^Today · \w{3}, \w{3} \d+$"))
            until("the hour's bar is drawn", lambda: page.locator("#day .bar.now").get_attribute("height") not in (None, "0"))
            # The sensor is seen to live.
            expect(page.locator("#trace")).to_have_attribute("data-state", "alive")
            until("the trace is drawn", lambda: painted(page, "trace"))
            # The last bar of the day comes from the history, not from the page.
            page.reload()
            until("the hour's bar is drawn again", lambda: page.locator("#day .bar.now").count() == 1)
            shown = number(page, "steps")
            assert abs(shown - daemon.get("/api/today")["steps"]) <= 6
            page.screenshot(path=f"{PICTURES}/wide.png", full_page=True)
            no_serious_fault(page)
            # What counts, in words; its address and its rate are for those who ask.
            go(page, "devices")
            expect(page.locator("#sources li")).to_contain_text("synthetic: counting", timeout=15_000)
            expect(page.get_by_text("synthetic:cadence=120")).to_be_hidden()
            page.click("#sources summary")
            expect(page.locator("#sources")).to_contain_text(re.compile("synthetic:cadence=120.*50 samples a second"))
            # A week of which six days have no data, and a day that is not over.
            go(page, "history")
            expect(page.locator("#span .legend")).to_contain_text("Today so far")
            expect(page.locator("#span .legend")).to_contain_text("No data")
            expect(page.locator("#no-records")).to_have_text("Your records start after your first full day.")
            expect(page.locator("#best")).to_be_empty()
            expect(page.locator("#span .bar")).to_have_count(1)
            expect(page.locator("#span .empty")).to_have_count(6)
    finally:
        daemon.stop()


def a_reached_goal_is_celebrated_once(browser):
    for motion, animation in (("no-preference", "sparks"), ("reduce", "none")):
        daemon = Daemon()
        try:
            with Browser(browser, daemon, reduced_motion=motion) as page:
                until("steps rise", lambda: number(page, "steps") > 4)
                page.evaluate("""() => new MutationObserver((_, watch) => {
                  const { animationName } = getComputedStyle(document.querySelector(".ring"), "::after");
                  if (document.getElementById("today").classList.contains("celebrating")) window.seen = animationName;
                }).observe(document.getElementById("today"), { attributes: true })""")
                daemon.send("PUT", "/api/goal", {"goal": number(page, "steps") + 12})
                expect(page.locator("#cheer")).to_have_text("✓ Your goal is reached. Well walked!", timeout=60_000)
                until("it is celebrated", lambda: page.evaluate("window.seen") == animation)
                page.reload()
                expect(page.locator("#cheer")).to_have_text("✓ Your goal is reached.", timeout=15_000)
                expect(page.locator("#today")).not_to_have_class(re.compile("celebrating"))
        finally:
            daemon.stop()


COUNT = """() => {
  const steps = () => Number(document.getElementById("steps").textContent.replace(/\\D/g, ""));
  const isNew = !window.since;
  window.counted = { charts: 0, titles: 0, figures: 0, loch: 0, trace: 0 };
  window.begun = { steps: steps(), time: performance.now() };
  if (!isNew) return;
  window.since = () => ({ ...counted, steps: steps() - begun.steps, seconds: (performance.now() - begun.time) / 1000 });
  const count = (name, node, matters = () => true) =>
    new MutationObserver((all) => { counted[name] += all.filter(matters).length; }).observe(node, { childList: true });
  for (const id of ["day", "span", "course", "calendar"]) {
    count("charts", document.getElementById(id), ({ addedNodes }) => [...addedNodes].some((node) => node.localName === "svg"));
  }
  count("titles", document.querySelector("title"));
  for (const id of ["steps", "distance", "active", "cadence"]) count("figures", document.getElementById(id));
  // Each picture of these canvases has one of these.
  for (const [name, method, id] of [["trace", "clearRect", "trace"], ["loch", "drawImage", "track"]]) {
    const usual = CanvasRenderingContext2D.prototype[method];
    CanvasRenderingContext2D.prototype[method] = function (...parameters) {
      if (this.canvas.id === id) counted[name] += 1;
      return usual.apply(this, parameters);
    };
  }
}"""


def a_walk_is_painted_seldom(browser):
    """Pictures are counted instead of processor time, which other programs change: what the page draws in a second of its own clock."""
    daemon = Daemon(days=30)
    try:
        daemon.send("PUT", "/api/goal", {"goal": 8000})
        with Browser(browser, daemon, viewport={"width": 1280, "height": 900}) as page:
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            until("the hours are drawn", lambda: page.locator("#day .bar.now").count() == 1 and number(page, "steps") > 5)
            page.evaluate(COUNT)
            until("a walk", lambda: page.evaluate("since().steps") >= 30, 60)
            told = page.evaluate("since()")
            # Thirty steps change the bar of one hour: the chart stays in place. At the end of an hour it is drawn once more.
            assert told["charts"] <= 2, told
            assert told["titles"] <= told["seconds"] / 5 + 1, told
            assert told["figures"] <= 4 * (told["seconds"] + 2), told
            assert 1 < told["trace"] <= told["seconds"] + 2, told
            # Nor is the ring animated for a step, sixty times a second.
            assert page.evaluate("document.querySelector('.ring-value').style.transition").startswith("none")
            assert told["loch"] == 0, told
            # What is hidden is not drawn.
            page.evaluate(HIDE, True)
            page.evaluate(COUNT)
            before = daemon.get("/api/today")["steps"]
            until("a walk", lambda: daemon.get("/api/today")["steps"] > before + 10)
            told = page.evaluate("since()")
            assert told["charts"] == told["trace"] == 0, told
            page.evaluate(HIDE, False)
            # The history is not drawn at each step.
            go(page, "history")
            for span in ("week", "day", "year"):
                page.click(f"[data-span={span}]")
                expect(page.locator(f"[data-span={span}]")).to_have_attribute("aria-pressed", "true")
                expect(page.locator("#span svg")).to_be_visible()
                page.evaluate(COUNT)
                until("a walk", lambda: page.evaluate("since().steps") >= 10, 60)
                told = page.evaluate("since()")
                assert told["charts"] <= 3 * (told["seconds"] / 5 + 2) and told["trace"] == 0, (span, told)
            go(page, "play")
            page.fill("#chase-goal", "9000")
            page.click("#chase-button")
            expect(page.locator("#chase")).to_have_attribute("data-state", "inProgress", timeout=15_000)
            page.evaluate(COUNT)
            until("a walk", lambda: page.evaluate("since().steps") >= 10, 60)
            told = page.evaluate("since()")
            assert 1 < told["loch"] <= 3 * told["seconds"] + 3 and told["charts"] == told["trace"] == 0, told
    finally:
        daemon.stop()


def a_goal_is_set_by_keyboard_alone(browser):
    daemon = Daemon()
    try:
        with Browser(browser, daemon) as page:
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            # On the first day, and without a goal, the ring is empty.
            expect(page.locator("#goals")).to_contain_text("Pick a daily goal: 6,000 8,000 10,000 Other", use_inner_text=True)
            expect(page.locator("#ring-goal")).to_have_text("steps")
            expect(page.locator(".ring-value")).to_have_attribute("data-empty", "")
            page.focus("[data-goal='8000']")
            page.keyboard.press("Enter")
            expect(page.locator("#ring-goal")).to_have_text("of 8,000 steps", timeout=10_000)
            assert daemon.get("/api/today")["goal"] == 8000
            expect(page.locator("#goals")).to_be_hidden()
            assert page.evaluate("document.activeElement.id") == "today"
            page.goto(daemon.url + "/#/settings/goal")
            assert page.evaluate("document.activeElement.id") == "goal"
            page.goto(daemon.url + "/#/today")
            page.reload()
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            tab_to = lambda script: next(True for _ in range(60) if (page.keyboard.press("Tab"), page.evaluate(script))[1])
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.className") == "skip"
            tab_to("document.activeElement.dataset.view === 'settings'")
            page.keyboard.press("Enter")
            assert page.url.endswith("#/settings")
            tab_to("document.activeElement.id === 'goal'")
            page.keyboard.press("Control+a")
            page.keyboard.type("4321")
            page.keyboard.press("Enter")
            expect(page.locator("#ring-goal")).to_have_text("of 4,321 steps", timeout=10_000)
            assert daemon.get("/api/today")["goal"] == 4321
            go(page, "today")
            expect(page.locator("#ring")).to_be_visible()
            # The chase: its number and its button, with Tab and Enter only.
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("Home")
            tab_to("document.activeElement.dataset.view === 'play'")
            page.keyboard.press("Enter")
            tab_to("document.activeElement.id === 'chase-goal'")
            page.keyboard.press("Control+a")
            page.keyboard.type("200")
            page.keyboard.press("Enter")
            expect(page.locator("#chase-button")).to_have_text("Pause", timeout=10_000)
            until("the runner is on the way", lambda: "of 200" in page.inner_text("#chase-steps"))
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.id") == "chase-button"
            page.keyboard.press("Enter")
            expect(page.locator("#chase-button")).to_have_text("Resume", timeout=10_000)
            expect(page.locator("#chase-restart")).to_be_visible()
    finally:
        daemon.stop()


def a_cut_connection_is_told_and_comes_back(browser):
    daemon = Daemon()
    try:
        with Browser(browser, daemon) as page:
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            until("steps rise", lambda: number(page, "steps") > 8)
            before = number(page, "steps")
            daemon.kill()
            expect(page.locator("#connection")).to_contain_text("Disconnected", timeout=15_000)
            page.screenshot(path=f"{PICTURES}/not-connected.png")
            daemon.start()
            expect(page.locator("#connection")).to_have_text("Live", timeout=40_000)
            until("steps go on, none lost that was remembered", lambda: number(page, "steps") >= before)
            until("and rise", lambda: number(page, "steps") > before + 4)
    finally:
        daemon.stop()


def a_phone_in_the_dark_sees_everything(browser):
    daemon = Daemon()
    try:
        with Browser(browser, daemon, viewport={"width": 320, "height": 640}, color_scheme="dark", has_touch=True,
                     reduced_motion="reduce") as page:
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            until("steps rise", lambda: number(page, "steps") > 5)
            assert page.evaluate("document.documentElement.scrollWidth") <= 320
            ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert sum(map(int, re.findall(r"\d+", ground)[:3])) < 150, ground
            assert page.evaluate("getComputedStyle(document.querySelector('.ring-value')).transitionProperty") == "none"
            for view in VIEWS:
                go(page, view)
                assert page.evaluate("document.documentElement.scrollWidth") <= 320, view
                page.screenshot(path=f"{PICTURES}/phone-dark-{view}.png", full_page=True)
                no_serious_fault(page)
    finally:
        daemon.stop()


def a_token_is_asked_for_and_remembered(browser):
    folder = tempfile.mkdtemp(prefix="pedometer-token-")
    token = os.path.join(folder, "token")
    with open(token, "w") as file:
        file.write("correct-horse-battery\n")
    os.chmod(token, 0o600)
    daemon = None
    try:
        daemon = Daemon("--token-file", token)
        with Browser(browser, daemon) as page:
            expect(page.locator("#login")).to_be_visible(timeout=15_000)
            # A page by itself: nothing of a walk that is not known.
            assert page.locator("section:visible").count() == 1 and page.locator("#views").is_hidden()
            assert not re.search(r"\d", page.inner_text("body")), page.inner_text("body")
            page.screenshot(path=f"{PICTURES}/login.png")
            no_serious_fault(page)
            page.fill("#token", "wrong")
            page.keyboard.press("Enter")
            expect(page.locator("#login-error")).not_to_be_empty(timeout=10_000)
            page.fill("#token", "correct-horse-battery")
            page.keyboard.press("Enter")
            expect(page.locator("#login")).to_be_hidden(timeout=10_000)
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            expect(page.locator("#today")).to_be_visible()
            until("steps rise", lambda: number(page, "steps") > 3)
            assert "correct-horse-battery" not in page.content()
            # Nothing is reported without consent; then the viewed parts and the durations.
            reports = lambda: daemon.get("/api/analytics", token="correct-horse-battery")
            assert reports() == []
            go(page, "settings")
            page.check("#reports")
            for view in ("devices", "play"):
                go(page, view)
                time.sleep(1.5)
            page.goto("about:blank")
            until("the reports arrive", lambda: {"devicesShown", "chaseShown"} <= {r["name"] for r in reports()})
            assert all(r["type"] == "screenView" and r["duration"] >= 1 for r in reports()), reports()
        assert "correct-horse-battery" not in open(os.path.join(daemon.state, "log")).read()
    finally:
        if daemon:
            daemon.stop()
        shutil.rmtree(folder)


def painted(page, identifier):
    """Whether anything but its ground was drawn on a canvas."""
    return page.evaluate("""(id) => {
        const canvas = document.getElementById(id);
        const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        let count = 0;
        for (let index = 3; index < data.length; index += 4) if (data[index] > 0) count += 1;
        return count > 2 * canvas.width;
    }""", identifier)


def shown(page, chart):
    """The figures of a chart as its table tells them, the day's total, and what else must agree: read at one moment."""
    return page.evaluate("""(chart) => ({
        rows: [...document.querySelectorAll(`#${chart} .unseen td`)].map((cell) => cell.textContent),
        steps: document.getElementById("steps").textContent, distance: document.getElementById("distance").textContent,
    })""", chart)


def figures_agree_with_each_other(browser):
    daemon = Daemon(days=30)
    try:
        with Browser(browser, daemon, locale="de-DE", viewport={"width": 1700, "height": 900}) as page:
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            until("a walk begins", lambda: page.locator("#walks details").count() == 1, 60)
            # The walk, the week and the day are of one moment, whatever comes in between.
            for _ in range(8):
                told = page.evaluate("""() => [document.querySelector("#steps").textContent, document.querySelector("#walks .count").textContent,
                    [...document.querySelectorAll("#week .unseen td")].pop().textContent.split(",")[0]]
                    .map((text) => Number(text.replace(/\\D/g, "")))""")
                assert len(set(told)) == 1, told
                page.wait_for_timeout(900)
            expect(page.locator("#walks .length")).to_have_text("1 min, jetzt")
            told = page.evaluate("""import("/days.js").then(({ minutes }) => [0, 5, 89, 91, 179, 3569, 3571, 7170].map(minutes))""")
            told = [text.replace("\u00a0", " ") for text in told]
            assert told == ["0 min", "1 min", "1 min", "2 min", "3 min", "59 min", "1 h 00 min", "2 h 00 min"], told
            steps = lambda text: int(re.sub(r"\D", "", text.split("Schritt")[0]) or 0)
            for _ in range(5):
                go(page, "today")
                told = shown(page, "day")
                assert sum(steps(row) for row in told["rows"]) == steps(told["steps"]), told
                go(page, "history")
                expect(page.locator("#span .bar")).to_have_count(7, timeout=15_000)
                # The history follows a walk every five seconds, and then has what the day has.
                until("the week has the steps of today", lambda: steps((week := shown(page, "span"))["rows"][-1]) == steps(week["steps"]))
                week = shown(page, "span")
                assert sum(map(steps, week["rows"])) == number(page.locator("#sums dd").first, None)
                # Metres of today: those of its hours, however they grew.
                metres = lambda text: float(re.search(r"([\d.,]+) m", text).group(1).replace(".", "").replace(",", "."))
                assert abs(sum(metres(row) for row in told["rows"]) - metres(told["distance"])) <= len(told["rows"]) / 2, told
                page.wait_for_timeout(700)
            # A week as the history has it, with the reader's thousands separators; miles once they are chosen, and kept.
            week = daemon.get("/api/history?bucket=day")[-7:]
            expect(page.locator("#sums")).to_contain_text(re.compile(r"\d{2}\.\d{3}"))
            total = number(page.locator("#sums dd").first, None)
            assert 0 <= sum(day["steps"] for day in week) - total <= 12, (week, total)
            expect(page.locator("#sums")).to_contain_text(re.compile(r"\d\d,\d km"))
            told = page.evaluate("""import("/common.js").then(({ distance }) => [640, 9990, 50_040, 99_960].map(distance))""")
            assert told == ["640 m", "9,99 km", "50,0 km", "100 km"], told
            go(page, "settings")
            page.select_option("#units", "mi")
            go(page, "history")
            expect(page.locator("#sums")).to_contain_text(re.compile(r"\d\d,\d mi"))
            page.reload()
            expect(page.locator("#sums")).to_contain_text(re.compile(r"\d\d,\d mi"), timeout=15_000)
    finally:
        daemon.stop()


def today_is_compared_with_a_usual_day(browser):
    daemon = Daemon(days=30)
    try:
        with Browser(browser, daemon, locale="en-GB", timezone_id="UTC") as page:
            until("all is loaded", lambda: page.evaluate("import('/days.js').then(({ known }) => known.loadedIn !== null)"))
            # By hand: the steps of the 28 days by this minute, as if each hour were walked evenly.
            now = time.time()
            midnight = now // 86_400 * 86_400
            at = lambda seconds: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
            hours = daemon.get(f"/api/history?bucket=hour&from={at(midnight - 28 * 86_400)}&to={at(midnight)}")
            usual, hour, part = 0, int((now - midnight) // 3600), (now - midnight) % 3600 / 3600
            for bucket in hours:
                of = int(bucket["start"][11:13])
                usual += bucket["steps"] * (1 if of < hour else part if of == hour else 0) / 28
            # Without a goal the ring is full on an ordinary day.
            days = daemon.get(f"/api/history?bucket=day&from={at(midnight - 30 * 86_400)}&to={at(midnight)}")
            expect(page.locator("#ring-goal")).to_have_text(f"of your usual {sum(day['steps'] for day in days) / 30:,.0f}", timeout=15_000)
            expect(page.locator("#ring")).to_be_visible()
            walked = daemon.get("/api/today")["steps"]
            if usual < 90:
                return expect(page.locator("#usual")).to_be_empty()
            expect(page.locator("#usual")).to_have_text(re.compile("^About .*than usual by now\\.$|^About as many"), timeout=15_000)
            if usual > 200:
                assert abs(usual - walked - number(page, "usual")) <= 30, (usual, walked, page.inner_text("#usual"))
                expect(page.locator("#usual")).to_contain_text("fewer than usual")
            told = page.evaluate("""async () => {
              const { comparedWithUsual } = await import("/today.js");
              const course = Array.from({ length: 24 }, (_, hour) => 200 * (hour + 1));
              return [[1312, 4.5], [590, 4.5], [905, 4.5], [0, 0.2], [9000, 24]].map(([walked, hours]) => comparedWithUsual(course, walked, hours));
            }""")
            assert told == ["About 410 more than usual by now.", "About 310 fewer than usual by now.", "About as many steps as usual by now.", "",
                            "About 4,200 more than usual by now."], told
    finally:
        daemon.stop()
    # A day that begins at four has its first walks, after seven, in its fourth hour.
    daemon = Daemon("--day-start", "04:00", days=30)
    try:
        with Browser(browser, daemon) as page:
            until("all is loaded", lambda: page.evaluate("import('/days.js').then(({ known }) => known.loadedIn !== null)"))
            told = page.evaluate("import('/days.js').then(({ usualCourse, known }) => usualCourse(known.today.date))")
            assert told["days"] == 28 and told["course"][2] == 0 < told["course"][3], told
    finally:
        daemon.stop()
    # Four days are no habit.
    daemon = Daemon(days=4)
    try:
        with Browser(browser, daemon) as page:
            with page.expect_response(lambda answer: "bucket=hour&from" in answer.url):
                page.reload()
            expect(page.locator("#streak")).to_contain_text("average", timeout=15_000)
            expect(page.locator("#usual")).to_be_empty()
    finally:
        daemon.stop()


def is_used(page):
    """The views fill a wide window from edge to edge, a day is seen without scrolling, and lines stay short enough to be read."""
    for view in VIEWS:
        go(page, view)
        told = page.evaluate("""() => {
          const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
          const cards = [...document.querySelectorAll("main .card")].map((card) => card.getBoundingClientRect()).filter(({ width }) => width > 0);
          return {
            used: (Math.max(...cards.map(({ right }) => right)) - document.getElementById("views").getBoundingClientRect().left) / innerWidth,
            columns: new Set(cards.map(({ left }) => Math.round(left))).size, below: document.documentElement.scrollHeight - innerHeight,
            empty: 1 - Math.max(...cards.map(({ bottom }) => bottom)) / innerHeight,
            right: Math.max(...[...document.querySelectorAll("main .card > *")].map((part) => part.getBoundingClientRect().right)) / innerWidth,
            figures: [...document.querySelectorAll("#today .figures > :not([hidden])")].map((figure) => Math.round(figure.getBoundingClientRect().top)),
            longest: Math.max(0, ...[...document.querySelectorAll("main .view p:not(.legend)")].map((line) => line.getBoundingClientRect().width / rem)),
          };
        }""")
        assert told["used"] >= 0.88 and told["right"] >= 0.8, (view, told)
        assert told["longest"] <= 46, (view, told)
        assert view == "settings" or told["columns"] >= 2 or page.viewport_size["width"] < 1600, (view, told)
        if view == "today":
            assert told["below"] <= 0, told
            assert told["figures"].count(told["figures"][-1]) > 1, "no figure stands alone in its row"
        if view in ("today", "history", "play") and page.viewport_size["width"] >= 1600:
            assert told["empty"] <= 0.06 and told["below"] <= 0, (view, told)


# What is not over is compared with as much of the period before, and says so.
NAMES = {"day": r"on the \w+day before", "week": "by the same day of the week before",
         "month": r"by the same day of [A-Z]\w+( \d{4})?", "year": r"by the same day of \d{4}"}
# Without a day that is over there is nothing to compare, and with few of them one is told how many.
COMPARISONS = {span: re.compile(rf"^((About the same as|\d+ % (more|less) than) {name} \([\d,]+( a day)?\)\.|Only \d+ days? of .+ (is|are) here, too few to compare\.)?$")
               for span, name in NAMES.items()}


def every_view_of_a_year_fits_from_320_pixels_to_4k(browser):
    daemon = Daemon(days=400)
    try:
        for name, context in {
            "year-light": {"viewport": {"width": 1280, "height": 900}},
            "year-dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
            "year-phone": {"viewport": {"width": 390, "height": 800}},
            "year-320": {"viewport": {"width": 320, "height": 640}, "color_scheme": "dark", "reduced_motion": "reduce"},
            "year-4k": {"viewport": {"width": 3840, "height": 2160}},
        }.items():
            with Browser(browser, daemon, **context) as page:
                expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
                page.screenshot(path=f"{PICTURES}/{name}-today.png", full_page=True)
                go(page, "history")
                expect(page.locator("#span .bar")).to_have_count(7, timeout=15_000)
                for span, bars in (("day", 24), ("week", 7), ("month", None), ("year", time.gmtime().tm_mon)):
                    page.click(f"[data-span={span}]")
                    expect(page.locator(f"[data-span={span}]")).to_have_attribute("aria-pressed", "true")
                    if bars:
                        expect(page.locator("#span .bar")).to_have_count(bars)
                    expect(page.locator("#comparison")).to_have_text(COMPARISONS[span])
                    page.click("#earlier")
                    expect(page.locator("#later")).to_be_enabled()
                    expect(page.locator("#comparison")).not_to_contain_text("by the same day")
                    expect(page.locator("#sums dd").first).to_have_text(re.compile(r"[1-9]"))
                    fits(page)
                    labels_stand_clear_of_lines(page)
                    year_is_a_calendar(page, span)
                    page.locator("#history").screenshot(path=f"{PICTURES}/{name}-{span}.png")
                    page.click("#later")
                    expect(page.locator("#later")).to_be_disabled()
                page.click("[data-span=week]")
                # From the present year back to the present week.
                expect(page.locator("#later")).to_be_disabled()
                expect(page.locator("#comparison")).to_have_text(
                    re.compile(r"^(About the same as|\d+ % (more|less) than) by the same day of the week before \([\d,]+ a day\)\.$"))
                expect(page.locator("#span .legend")).to_contain_text("Daily average, without today")
                expect(page.locator("#best")).to_contain_text(re.compile(r"Best day[\d,]+ steps.*Best month[\d,]+ steps a day"))
                graphics_are_seen(page)
                page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)
                no_serious_fault(page)
                axes_have_whole_steps(page)
                for view in VIEWS:
                    go(page, view)
                    fits(page)
                    page.screenshot(path=f"{PICTURES}/{name}-{view}.png", full_page=True)
                if context["viewport"]["width"] >= 1280:
                    is_used(page)
                if name == "year-4k":
                    go(page, "today")
                    # Read from across the room.
                    digits = page.evaluate("parseFloat(getComputedStyle(document.getElementById('steps')).fontSize) / innerHeight")
                    assert digits >= 0.09, digits
                    page.set_viewport_size({"width": 1920, "height": 1080})
                    is_used(page)
        weights = {tag or "en": weight(daemon, *tag.split()) for tag in ("", "de", "fr")}
        print(f"# bytes gzipped: {weights}")
        assert weights["en"] <= 65_000 and max(weights.values()) <= 75_000, weights
    finally:
        daemon.stop()


def a_period_is_chosen_before_the_days_are_known(browser):
    daemon = Daemon(days=30)
    try:
        with Browser(browser, daemon) as page:
            page.goto("about:blank")
            held, is_held = [], True
            page.route("**/api/history*", lambda route: held.append(route) if is_held else route.continue_())
            page.goto(daemon.url + "/#/history")
            until("the days are asked for", lambda: page.evaluate("1") and held)
            page.click("[data-span=month]")
            for control in ("#earlier", "#later", "#date", "#export-csv"):
                expect(page.locator(control)).to_be_disabled()
            is_held = False
            for request in held:
                request.continue_()
            expect(page.locator("[data-span=month]")).to_have_attribute("aria-pressed", "true", timeout=15_000)
            page.click("#earlier")
            expect(page.locator("#later")).to_be_enabled()
    finally:
        daemon.stop()


def a_print_has_the_figures_and_nothing_to_press(browser):
    daemon = Daemon(days=30)
    try:
        # A day with many walks, on a wide window and on paper.
        with Browser(browser, daemon, viewport={"width": 1920, "height": 1080}) as page:
            go(page, "history")
            page.click("[data-span=day]")
            page.click("#earlier")
            expect(page.locator("#day-walks details")).not_to_have_count(0, timeout=15_000)
            assert page.evaluate("document.documentElement.scrollHeight") <= 1080
            assert page.evaluate("(list => list.scrollHeight > list.clientHeight)(document.getElementById('walks-part'))")
            page.emulate_media(media="print")
            page.set_viewport_size({"width": 720, "height": 1000})
            for part in ("#sums", "#span svg", "#course svg", "#day-walks", "#best"):
                expect(page.locator(part)).to_be_visible()
            for part in page.locator("button, form, #views, #connection").all():
                expect(part).to_be_hidden()
            assert page.evaluate("(list => list.scrollHeight <= list.clientHeight)(document.getElementById('walks-part'))")
            fits(page)
    finally:
        daemon.stop()


def axes_have_whole_steps(page):
    """The values of an axis are whole, evenly spaced and few, and reach the largest one that is drawn."""
    most = [1, 2, 3, 4, 7, 9, 10, 11, 20, 99, 101, 6_500, 123_456]
    axes = page.evaluate("async (most) => most.map((await import('/charts.js')).ticks)", most)
    for largest, values in zip(most, axes, strict=True):
        apart = {later - earlier for earlier, later in zip(values, values[1:])}
        assert values[0] == 0 and values[-1] >= largest and 2 <= len(values) <= 6, (largest, values)
        assert len(apart) == 1 and all(value == int(value) for value in values), (largest, values)


def graphics_are_seen(page):
    """What a graphic consists of stands out from its card at 3:1, as does the text of an empty field at 4.5:1."""
    told = page.evaluate("""() => {
      const shown = (colour) => {
        const context = document.createElement("canvas").getContext("2d");
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const contrast = (...colours) => { const [dark, light] = colours.map(shown).sort((a, b) => a - b); return (light + 0.05) / (dark + 0.05); };
      const style = (selector, part) => getComputedStyle(document.querySelector(selector), part);
      const card = style("#history").backgroundColor;
      return {
        bars: contrast(style("#span .bar:not(.now)").fill, card), drop: contrast(style("#drop").borderTopColor, card),
        now: contrast(style("#span .now").stroke, card), placeholder: contrast(style("#new-name", "::placeholder").color, style("#new-name").backgroundColor) - 1.5,
      };
    }""")
    assert min(told.values()) >= 3, told
    # Amber is for warnings.
    assert page.evaluate("getComputedStyle(document.querySelector('#span .now')).fill") != page.evaluate(
        "getComputedStyle(document.getElementById('banner')).borderTopColor")


def labels_stand_clear_of_lines(page):
    """No goal or average crosses the figure of a bar."""
    assert page.evaluate("""() => [...document.querySelectorAll("#span .top")].every((label) =>
        [...document.querySelectorAll("#span .mark")].every((line) => line.compareDocumentPosition(label) & Node.DOCUMENT_POSITION_FOLLOWING))""")
    crossed = page.evaluate("""() => [...document.querySelectorAll("#span .top")].filter((label) => {
        const { top, bottom, left, right } = label.getBoundingClientRect();
        return [...document.querySelectorAll("#span .mark")].some((line) => {
            const box = line.getBoundingClientRect();
            return box.left < right && box.right > left && box.top > top + 3 && box.top < bottom - 3;
        });
    }).map((label) => label.textContent)""")
    assert crossed == [], crossed


def year_is_a_calendar(page, span):
    """A year is shown day by day below its months, from the first data on; other periods are not."""
    if span != "year":
        expect(page.locator("#calendar")).to_be_hidden()
        return
    told = page.evaluate("""() => ({
        days: document.querySelectorAll("#calendar .day").length, months: document.querySelectorAll("#calendar .month").length,
        levels: new Set([...document.querySelectorAll("#calendar .day")].map((day) => getComputedStyle(day).fill)).size,
    })""")
    first = time.gmtime(time.time() - 400 * 86_400)
    shown = time.gmtime().tm_year - 1 if first.tm_year < time.gmtime().tm_year else first.tm_year
    begin = max(datetime.date(first.tm_year, first.tm_mon, first.tm_mday), datetime.date(shown, 1, 1))
    assert told["days"] == (datetime.date(shown, 12, 31) - begin).days + 1 and told["levels"] >= 3, told
    # Read by keyboard, a week at a time.
    page.focus("#calendar")
    page.keyboard.press("Home")
    expect(page.locator("#calendar .tip")).to_contain_text(begin.strftime("%B ") + str(begin.day))
    page.keyboard.press("ArrowRight")
    week = begin + datetime.timedelta(days=7)
    expect(page.locator("#calendar .tip")).to_contain_text(re.compile(week.strftime("%B ") + f"{week.day}.*(step|no data)"))
    page.keyboard.press("Escape")
    expect(page.locator("#calendar .tip")).to_be_hidden()


def the_page_is_painted_within_half_a_second(browser):
    daemon = Daemon(days=400)
    try:
        times = []
        for _ in range(5):
            with Browser(browser, daemon) as page:
                expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
                times.append(page.evaluate("""() => performance.getEntriesByType("paint")
                    .find((entry) => entry.name === "first-contentful-paint").startTime"""))
        print("# first contentful paint after " + ", ".join(f"{time:.0f}" for time in sorted(times)) + " ms")
        # The best of five: the page, and not what else this machine does.
        assert min(times) <= 500, times
        # Nothing is said aloud before somebody asks for it, and on a small phone the track is as high as two lines of text.
        with Browser(browser, daemon, viewport={"width": 320, "height": 640}) as page:
            go(page, "play")
            assert not page.is_checked("#speech")
            page.evaluate("""() => { window.said = []; speechSynthesis.speak = (one) => said.push(one.text); }""")
            page.fill("#chase-goal", "8")
            page.click("#chase-button")
            # A milestone takes the place of the headline.
            expect(page.locator("#chase-state.good")).to_have_text(re.compile("quarter|half|step", re.IGNORECASE), timeout=40_000)
            assert page.evaluate("window.said") == []
            expect(page.locator("#chase-button")).to_have_text("Again", timeout=60_000)
            # How it ended is seen: the gap over time, the walker fed to Nessie or on the shore.
            expect(page.locator("#gap-part")).to_be_visible()
            go(page, "settings")
            page.check("#speech")
            go(page, "play")
            page.click("#chase-button")
            until("an alert is said", lambda: page.evaluate("window.said.length > 0"), 60)
            assert page.locator("#track").bounding_box()["height"] >= 70
            # A page that is opened after the end shows the same course.
            expect(page.locator("#chase-button")).to_have_text("Again", timeout=60_000)
            expect(page.locator("#gap-part")).to_be_visible()
            points = page.get_attribute("#gap polyline", "points")
            axis = page.locator("#gap svg text").all_text_contents()
            assert sum(text.endswith(" ft") for text in axis) == 1 and 2 <= sum(":" in text for text in axis) <= 7, axis
            page.reload()
            expect(page.locator("#gap polyline")).to_have_attribute("points", points, timeout=15_000)
    finally:
        daemon.stop()


def weight(daemon, *texts):
    """Bytes of the page and all its parts, compressed, with the texts of other languages."""
    scripts = ["texts", "page", "views", "days", "today", "history", "play", "loch", "people", "devices", "doubts", "charts", "common", "room", "reports"]
    parts = ["/", "/page.css", "/icon.svg", "/scene.json", *(f"/{script}.js" for script in scripts), *(f"/texts-{tag}.json" for tag in texts)]
    return sum(len(gzip.compress(urllib.request.urlopen(daemon.url + part).read())) for part in parts)


def fits(page):
    """Nothing is wider than the window, charts fill their cards, and no label is smaller than 11 pixels."""
    told = page.evaluate("""() => ({
        over: document.documentElement.scrollWidth - innerWidth,
        charts: [...document.querySelectorAll(".chart svg")].filter((svg) => svg.getClientRects().length > 0).map((svg) =>
            svg.getBoundingClientRect().width / svg.parentElement.getBoundingClientRect().width),
        smallest: Math.min(...[...document.querySelectorAll("svg text, main p, main dt, main dd, main label, main button")]
            .filter((text) => text.getClientRects().length > 0).map((text) => parseFloat(getComputedStyle(text).fontSize))),
        broken: [...document.querySelectorAll(".hero dd")].filter((box) => box.getClientRects().length > 0
            && box.clientHeight > 1.9 * parseFloat(getComputedStyle(box).fontSize)).map((box) => box.textContent),
        clipped: [...document.querySelectorAll(".figures dd, .figures dt, button, #period, .note")]
            .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0).map((box) => box.textContent),
    })""")
    assert told["over"] <= 0, told
    assert all(0.97 <= share <= 1.001 for share in told["charts"]), told
    assert told["smallest"] >= 11, told
    assert told["clipped"] == [] and told["broken"] == [], told


def any_day_is_found_by_keyboard_and_exported(browser):
    daemon = Daemon(days=60)
    try:
        with Browser(browser, daemon) as page:
            go(page, "history")
            expect(page.locator("#span .bar")).to_have_count(7, timeout=15_000)
            page.focus("[data-span=month]")
            page.keyboard.press("Enter")
            expect(page.locator("[data-span=month]")).to_have_attribute("aria-pressed", "true")
            page.focus("#earlier")
            page.keyboard.press("Enter")
            page.fill("#date", page.evaluate("new Date(Date.now() - 9 * 864e5).toISOString().slice(0, 10)"))
            expect(page.locator("[data-span=day]")).to_have_attribute("aria-pressed", "true")
            expect(page.locator("#span .bar")).to_have_count(24)
            hours = shown(page, "span")["rows"]
            steps = lambda text: int(re.sub(r"\D", "", text.split("step")[0]) or 0)
            assert sum(map(steps, hours)) == number(page.locator("#sums dd").first, None) > 2000, hours
            with page.expect_download() as download:
                page.click("#export-csv")
            lines = open(download.value.path()).read().splitlines()
            assert len(lines) == 25 and lines[0].startswith("start,end,steps,"), lines[:2]
            assert sum(int(line.split(",")[2]) for line in lines[1:]) == sum(map(steps, hours))
            # On paper: the figures, and nothing to press.
            page.emulate_media(media="print")
            assert page.locator("#span svg").is_visible() and page.locator("#views").is_hidden()
            assert page.locator("button:visible").count() == 0
    finally:
        daemon.stop()


def views_have_addresses(browser):
    daemon = Daemon(days=60)
    try:
        with Browser(browser, daemon, viewport={"width": 1280, "height": 900}) as page:
            go(page, "history")
            expect(page.locator("#span .bar")).to_have_count(7, timeout=15_000)
            page.click("[data-span=month]")
            page.click("#earlier")
            address = page.url
            assert re.search(r"#/history/month/\d{4}-\d\d-\d\d$", address), address
            shown = page.inner_text("#period")
            # Back and forward, a reload and a link sent to another all lead to the same.
            page.click("#later")
            page.go_back()
            expect(page.locator("#period")).to_have_text(shown)
            page.reload()
            expect(page.locator("#period")).to_have_text(shown, timeout=15_000)
            expect(page.locator("#views [aria-current]")).to_have_text("History")
            go(page, "play")
            page.go_back()
            expect(page.locator("#period")).to_have_text(shown)
            page.goto(daemon.url + "/#/play/room/loch")
            expect(page.locator("#room-name")).to_have_value("loch")
            page.goto(daemon.url + "/#/nothing")
            expect(page.locator("#today")).to_be_visible()
    finally:
        daemon.stop()


def a_day_of_many_walks_is_folded(browser):
    daemon = Daemon(source=None, days=2)
    try:
        yesterday = int(time.time()) // 86_400 * 86_400 - 86_400
        for walk in range(60):
            start, end = (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(yesterday + walk * 1200 + extra)) for extra in (0, 240))
            daemon.send("POST", "/api/steps", {"source": "watch", "start": start, "end": end, "steps": 400})
        with Browser(browser, daemon, viewport={"width": 390, "height": 844}) as page:
            page.goto(daemon.url + f"/#/history/day/{time.strftime('%Y-%m-%d', time.gmtime(yesterday))}")
            more = page.locator("#day-walks .more > summary")
            expect(more).to_have_text(re.compile(r"^\d+ more walks$"), timeout=15_000)
            walks = page.locator("#day-walks details:not(.more)")
            assert walks.filter(visible=True).count() == 12
            assert walks.count() == 12 + number(more, None)
            page.screenshot(path=f"{PICTURES}/many-walks.png", full_page=True)
            more.focus()
            page.keyboard.press("Enter")
            expect(walks.last).to_be_visible()
            no_serious_fault(page)
    finally:
        daemon.stop()


def a_day_has_walks_a_course_and_its_own_goal(browser):
    daemon = Daemon(source=None, days=40)
    try:
        now = time.time()
        # Two walks of yesterday in hours that the history leaves empty.
        yesterday = int(now) // 86_400 * 86_400 - 86_400
        for begin, length, count in ((2 * 3600, 12, 1200), (4 * 3600, 5, 450)):
            start, end = (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(yesterday + begin + extra)) for extra in (0, length * 60))
            daemon.send("POST", "/api/steps", {"source": "watch", "start": start, "end": end, "steps": count})
        daemon.send("PUT", "/api/goal", {"goal": 100_000})
        with Browser(browser, daemon, locale="en-GB", viewport={"width": 1100, "height": 900}) as page:
            day = time.strftime("%Y-%m-%d", time.gmtime(yesterday))
            page.goto(daemon.url + f"/#/history/day/{day}")
            early = page.locator("#day-walks summary", has_text=re.compile("^2:|^02:"))
            # Newest first, so the early one is among the folded.
            page.locator("#day-walks .more > summary").click(timeout=15_000)
            expect(early).to_contain_text("12 min", timeout=15_000)
            expect(early).to_contain_text("1,200 steps")
            expect(early).to_contain_text("100 steps/min")
            early.click()
            # Twelve minutes, or thirteen that the walk touches.
            until("its minutes are shown", lambda: page.locator("#day-walks details[open] .bar").count() in (12, 13))
            # The course of the day beside an average one.
            expect(page.locator("#course .usual")).to_have_count(1)
            expect(page.locator("#best")).to_contain_text("Longest walk")
            # The tooltip by keyboard: the last hour has the whole day.
            page.focus("#course")
            page.keyboard.press("End")
            total = number(page.locator("#sums dd").first, None)
            expect(page.locator("#course .tip")).to_contain_text(re.compile(rf"{total:,} steps; an average day of the four weeks before: "))
            # A higher goal today does not take away what was reached.
            assert daemon.get("/api/history?bucket=day")[-2]["goal"] == 100_000
            daemon.send("PUT", "/api/goal", {"goal": 200_000})
            assert daemon.get("/api/history?bucket=day")[-2]["goal"] == 100_000
            no_serious_fault(page)
    finally:
        daemon.stop()


HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def a_room_is_told_who_is_away_and_where(browser):
    daemon = Daemon()
    place = {"latitude": 57.3229, "longitude": -4.4244}
    try:
        with Browser(browser, daemon, permissions=["geolocation"], geolocation=place) as page:
            page.clock.install()
            page.goto(daemon.url + "/#/play/room/loch")
            page.reload()
            page.fill("#name", "Ann")
            page.click("#join-button")
            messages = page.locator("#messages")
            expect(messages).to_contain_text("Ann connected", timeout=15_000)
            page.click("#place-button")
            expect(messages).to_contain_text("57.32290, -4.42440")
            # Another tab for a second is no absence.
            page.evaluate(HIDE, True)
            page.clock.fast_forward(1000)
            page.evaluate(HIDE, False)
            page.clock.fast_forward(10_000)
            page.evaluate(HIDE, True)
            page.clock.fast_forward(6000)
            expect(messages).to_contain_text("Ann went away")
            page.evaluate(HIDE, False)
            page.evaluate(HIDE, False)
            expect(messages).to_contain_text("Ann came back")
            text = messages.inner_text()
            assert text.count("went away") == 1 and text.count("came back") == 1, text
            # Inside there is nothing left to join; outside, the form is back.
            expect(page.locator("#join-form")).to_be_hidden()
            expect(page.locator("#room-where")).to_have_text("You are Ann in room loch.")
            page.set_viewport_size({"width": 320, "height": 640})
            fits(page)
            # Who is in a race looks at it first, and at the own chase again afterwards.
            is_first = "document.querySelector('#room').offsetTop < document.querySelector('#chase').offsetTop"
            assert page.evaluate(is_first)
            page.click("#leave-button")
            expect(page.locator("#room-inside")).to_be_hidden()
            assert not page.evaluate(is_first)
            expect(page.locator("#name")).to_be_focused()
            assert page.url.endswith("#/play"), page.url
        with Browser(browser, daemon) as page:
            page.goto(daemon.url + "/#/play/room/loch")
            page.fill("#name", "Bo")
            page.click("#join-button")
            expect(page.locator("#messages")).to_contain_text("Bo connected", timeout=15_000)
            page.click("#place-button")
            expect(page.locator("#room-error")).to_contain_text("Your place was not shared")
    finally:
        daemon.stop()


def without_a_sensor_the_page_says_what_to_do(browser):
    daemon = Daemon(source=None)
    try:
        with Browser(browser, daemon, viewport={"width": 390, "height": 800}) as page:
            expect(page.locator("#banner")).to_be_visible(timeout=15_000)
            expect(page.locator("#connection")).to_have_text("Nothing is counting yet")
            expect(page.locator("#banner-title")).to_have_text("Nothing is counting your steps yet")
            expect(page.locator("#banner li").first).to_contain_text("Use your phone")
            # No figure that looks as if it counted.
            expect(page.locator("#steps")).to_have_text("–")
            expect(page.locator("#ring-goal")).to_have_text("Not counting")
            expect(page.locator("#goals")).to_be_hidden()
            expect(page.locator("#day")).to_be_hidden()
            expect(page.locator("#day-note")).to_have_text("Your hours appear here once something is counting.")
            expect(page.locator("#trace")).to_be_hidden()
            expect(page.locator("#trace-note")).to_be_empty()
            assert page.locator("#banner").bounding_box()["y"] < page.locator("#today").bounding_box()["y"]
            no_serious_fault(page)
            page.screenshot(path=f"{PICTURES}/no-sensor.png", full_page=True)
            # The check is run, and says what helps.
            assert "pedometer doctor" not in page.inner_text("#banner")
            page.click("#banner >> text=Check this computer")
            expect(page.locator("#checks")).to_contain_text("no motion sensor found", timeout=15_000)
            expect(page.locator("#checks")).to_contain_text("What helps: plug in")
            assert page.evaluate("document.activeElement.id") == "sources-card"
            expect(page.locator("#sources li")).to_have_text(re.compile("^No sensor found. Still looking."))
            expect(page.locator("#sources details div").first).to_be_hidden()
            page.go_back()
            page.click("text=Add a phone")
            expect(page.locator("#phone-command")).to_be_visible()
            assert page.evaluate("document.activeElement.id") == "phone-card"
            # A command breaks before an option only, and is copied as one line.
            assert page.evaluate("""() => [...document.querySelectorAll("#phone-command span")].every((part) => part.getClientRects().length === 1)""")
            expect(page.locator("#phone-command code")).to_have_text(
                "[ -e token ] || (umask 077; openssl rand -hex 24 > token); "
                "pedometerd --listen 0.0.0.0:8443 --tls-self-signed --token-file token --invite")
            go(page, "play")
            expect(page.locator("#chase-state")).to_have_text("Nessie needs your steps. Connect a phone or a sensor first.")
            expect(page.locator("#chase-button")).to_be_disabled()
            # Elsewhere than on the first view the banner is short, and leads there.
            expect(page.locator("#banner ul")).to_be_hidden()
            page.click("text=What you can do")
            expect(page.locator("#banner ul")).to_be_visible()
            expect(page.locator("#cadence-figure")).to_be_hidden()
            go(page, "history")
            # One sentence and one thing to do, and no empty charts.
            expect(page.locator("#history-empty")).to_have_text("Nothing is counted yet. Add a phone")
            expect(page.locator("#span")).to_be_hidden()
            expect(page.locator("#no-records")).to_be_visible()
            expect(page.locator("#export-csv")).to_be_disabled()
            expect(page.locator("#sums")).not_to_contain_text("Days without data")
            # Steps that come from elsewhere are shown, and the chase waits for a source.
            end = int(time.time())
            start, end = (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at)) for at in (end - 60, end))
            daemon.send("POST", "/api/steps", {"source": "watch", "start": start, "end": end, "steps": 90})
            go(page, "today")
            page.reload()
            until("the steps are shown", lambda: number(page, "steps") > 0)
    finally:
        daemon.stop()


def days_without_data_are_dots_and_left_out(browser):
    daemon = Daemon(source=None)
    try:
        midnight = int(time.time()) // 86_400 * 86_400
        for day, count in ((5, 7000), (2, 5000), (1, 3000)):
            start, end = (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(midnight - day * 86_400 + at)) for at in (43_200, 46_800))
            daemon.send("POST", "/api/steps", {"source": "watch", "start": start, "end": end, "steps": count})
        with Browser(browser, daemon, locale="en-GB") as page:
            go(page, "history")
            expect(page.locator("#span .empty")).to_have_count(3, timeout=15_000)
            expect(page.locator("#sums")).to_contain_text("Daily average5,000")
            expect(page.locator("#sums")).to_contain_text("Days without data2")
            # Without a goal there is no ring; with one there is one for each day, and of the days at it today is one when it has reached it.
            expect(page.locator("#rings")).to_be_hidden()
            daemon.send("PUT", "/api/goal", {"goal": 5000})
            page.reload()
            expect(page.locator("#rings a")).to_have_count(7, timeout=15_000)
            shares = page.evaluate("""[...document.querySelectorAll("#rings a")].map((ring) => ring.style.getPropertyValue("--share"))""")
            assert shares == ["0%", "100%", "0%", "0%", "100%", "60%", "0%"], shares
            expect(page.locator("#rings a").nth(5)).to_have_attribute("aria-label", re.compile(": 3,000 of 5,000 steps$"))
            expect(page.locator("#sums")).to_contain_text("Days at the goal2 of 3")
            expect(page.locator("#comparison")).to_contain_text("to compare with yet")
            page.click("[data-span=day]")
            page.click("#earlier")
            # Three days of data are no month.
            expect(page.locator("#best")).to_contain_text("Best day")
            expect(page.locator("#best")).not_to_contain_text("Best month")
    finally:
        daemon.stop()


def files_of_other_counters_are_imported(browser):
    daemon = Daemon(source=None)
    try:
        midnight = int(time.time()) // 86_400 * 86_400 - 3 * 86_400
        rows = "".join(
            f' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" startDate="{at(start)}"'
            f' endDate="{at(start + 60)}" value="100"/>\n' for start in range(midnight + 36_000, midnight + 39_600, 60))
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en">\n{rows}</HealthData>\n'
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("apple_health_export/export.xml", text)
            # More than a part.
            archive.writestr("apple_health_export/export_cda.xml", os.urandom(1_200_000))
        with Browser(browser, daemon, locale="en-GB") as page:
            go(page, "devices")
            page.set_input_files("#import-file", [
                {"name": "export.zip", "mimeType": "application/zip", "buffer": packed.getvalue()},
                {"name": "note.txt", "mimeType": "text/plain", "buffer": b"hello"},
            ])
            entries = page.locator("#imported li")
            expect(entries).to_have_count(2, timeout=30_000)
            expect(entries.nth(0)).to_contain_text("export.zip: 6,000 steps added")
            expect(entries.nth(0)).to_contain_text("Watch (Apple Health): 6,000 of 6,000 steps are new")
            expect(entries.nth(1)).to_contain_text("Note.txt is not a file that can be imported")
            no_serious_fault(page)
            page.screenshot(path=f"{PICTURES}/import.png", full_page=True)
            # The same again adds nothing, dropped this time.
            transfer = page.evaluate_handle("""(bytes) => {
              const transfer = new DataTransfer();
              transfer.items.add(new File([Uint8Array.from(bytes)], "export.zip"));
              return transfer;
            }""", list(packed.getvalue()[:]))
            page.dispatch_event("#import-card", "drop", {"dataTransfer": transfer})
            expect(entries).to_have_count(1, timeout=30_000)
            expect(entries.nth(0)).to_contain_text("export.zip: 0 steps added")
            go(page, "history")
            expect(page.locator("#best")).to_contain_text("Best day6,000 steps", timeout=15_000)
            expect(page.locator("#best")).to_contain_text("Longest walk1 h 00 min 6,000 steps")
    finally:
        daemon.stop()


def at(seconds):
    return time.strftime("%Y-%m-%d %H:%M:%S +0000", time.gmtime(seconds))


def a_challenge_is_started_from_the_page(browser):
    daemon = Daemon()
    try:
        with Browser(browser, daemon, permissions=["clipboard-read", "clipboard-write"]) as page:
            go(page, "people")
            expect(page.locator("#new-button")).to_have_text("Start")
            expect(page.locator("#people-note")).to_have_text("Start a challenge and send the link. They join from their phones.")
            assert page.get_attribute("#new-name", "placeholder") == time.strftime("Steps in %B")
            page.fill("#new-name", "Steps & <b>more</b>")
            page.fill("#new-goal", "50000")
            page.click("#new-form button")
            expect(page.locator(".challenge h3")).to_have_text("Steps & <b>more</b>", timeout=10_000)
            # Nobody gets a link to an address that only this computer has.
            assert "127.0.0.1" not in page.inner_text(".challenge")
            expect(page.locator(".challenge .note a")).to_have_attribute("href", "#/devices/phone")
            expect(page.locator(".challenge .you")).to_have_count(1)
            page.fill("#own-name", "Zoë")
            page.click("#own-name-form button")
            expect(page.locator(".challenge .you")).to_contain_text("Zoë (you)")
            no_serious_fault(page)
            page.screenshot(path=f"{PICTURES}/people.png", full_page=True)
    finally:
        daemon.stop()


def the_chase_is_drawn_and_survives_a_reload(browser):
    daemon = Daemon()
    try:
        with Browser(browser, daemon, viewport={"width": 1100, "height": 900}) as page:
            go(page, "play")
            until("the loch is drawn", lambda: painted(page, "track"))
            page.click("#chase-button")
            expect(page.locator("#chase-button")).to_have_text("Pause", timeout=10_000)
            # What opens the page later knows that it goes on.
            page.reload()
            expect(page.locator("#chase-button")).to_have_text("Pause", timeout=15_000)
            expect(page.locator("#chase-gap")).to_contain_text(re.compile(r"\d"), timeout=20_000)
            until("the walker walks", lambda: "of 300" in page.inner_text("#chase-steps"))
            page.screenshot(path=f"{PICTURES}/chase.png")
            # The picture says the gap as the figure does, in the reader's units.
            page.evaluate("""() => {
              const usual = CanvasRenderingContext2D.prototype.fillText;
              window.written = [];
              CanvasRenderingContext2D.prototype.fillText = function (text, ...place) { written.push(text); return usual.call(this, text, ...place); };
            }""")
            until("the picture says the gap", lambda: page.evaluate("written.length > 0"))
            told = page.evaluate("[written.filter((text) => !text.endsWith('%')).pop(), document.getElementById('chase-gap').textContent]")
            assert told[0] == told[1] and told[0].endswith(" ft"), told
            # The share of a flag is not written over Nessie: with her at the walker's heels, and forty metres behind.
            told = page.evaluate("""async () => {
              const { Loch } = await import("/loch.js");
              const canvas = document.createElement("canvas");
              [canvas.style.width, canvas.style.height] = ["800px", "300px"];
              document.body.append(canvas);
              const said = [31, 1].map((nessieDistance) => {
                const loch = new Loch(canvas);
                loch.take("inProgress", { t: 1, steps: 30, goal: 80, distance: 21, nessieDistance, nessie: nessieDistance / 41 });
                written.length = 0;
                loch.show();
                return written.includes("25 %");
              });
              canvas.remove();
              return said;
            }""")
            assert told == [False, True], told
            page.click("#chase-button")
            expect(page.locator("#chase-button")).to_have_text("Resume", timeout=10_000)
            # The goal of the race stays in its field.
            page.evaluate("document.activeElement.blur()")
            page.reload()
            expect(page.locator("#chase-goal")).to_have_value("300", timeout=10_000)
            no_serious_fault(page)
    finally:
        daemon.stop()


def who_is_caught_is_seen_and_told_so(browser):
    daemon = Daemon(source="synthetic:cadence=60,duration=45")
    try:
        with Browser(browser, daemon, viewport={"width": 1100, "height": 900}) as page:
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            expect(page.locator("#cadence-figure")).to_be_visible(timeout=30_000)
            go(page, "play")
            page.fill("#chase-goal", "10000")
            page.click("#chase-button")
            expect(page.locator("#chase")).to_have_attribute("data-state", "caught", timeout=60_000)
            chase = daemon.get("/api/chase")
            expect(page.locator("#chase-state")).to_have_text(f"Nessie caught you after {chase['steps']} steps. Try again?")
            expect(page.locator("#chase-gap-name")).to_have_text("Caught after")
            expect(page.locator("#chase-gap")).to_have_text(f"{round(chase['course']['t'][-1])} s")
            # The way of the chase, a third of a metre and more for each step.
            assert 0.3 < chase["distance"] / chase["steps"] < 0.6, chase
            expect(page.locator("#chase-distance")).to_have_text(f"{round(chase['distance'] / 0.3048)} ft")
            # Held up whole: his hair, his face, his shirt and his shoes.
            scene = daemon.get("/scene.json")
            parts = {scene["letters"][letter] for letter in "".join(scene["sprites"]["fedHead"]).replace(".", "")}
            assert {"hair", "skin", "shirt", "trousers", "shoe"} <= parts, parts
            page.screenshot(path=f"{PICTURES}/caught.png")
            # The recording has ended: nobody walks, and nothing is said of a cadence.
            go(page, "today")
            expect(page.locator("#cadence-figure")).to_be_hidden(timeout=60_000)
            expect(page.locator("#banner-title")).to_have_text("Nothing is counting your steps now")
            assert number(page, "steps") > 30
    finally:
        daemon.stop()


# MARK: the race


class Walker:
    """A pedometer chase in a room; records its lines."""

    def __init__(self, daemon, name, cadence, goal, speed=1.3):
        self.out = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [f"{BINARIES}/pedometer", "chase", f"synthetic:cadence={cadence}", "--goal", str(goal),
             "--nessie-speed", str(speed), "--head-start", "14", "--room", daemon.url, "--name", name, "--format", "json"],
            stdout=self.out, stderr=subprocess.PIPE, text=True)

    def finish(self):
        try:
            code = self.process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self.out.seek(0)
        self.lines = [json.loads(line) for line in self.out]
        return code

    def messages(self):
        return {line["seq"]: (line["user"], line["text"]) for line in self.lines if line["type"] == "message"}


def two_walkers_and_a_browser_race(browser):
    daemon = Daemon()
    second = "Bøb & <i>+#</i> 😀 שלום"
    walkers = []
    try:
        with Browser(browser, daemon, viewport={"width": 1100, "height": 1000}) as page:
            go(page, "play")
            page.fill("#name", "Eve")
            page.click("#join-button")
            expect(page.locator("#messages")).to_contain_text("Eve connected", timeout=10_000)
            walkers = [Walker(daemon, "Ann", 130, 60), Walker(daemon, second, 80, 60)]
            expect(page.locator("#standings tbody tr")).to_have_count(2, timeout=20_000)
            page.set_viewport_size({"width": 320, "height": 640})
            frame = page.locator("#standings-frame")
            assert frame.evaluate("(frame) => frame.scrollWidth <= frame.clientWidth")
            page.locator("#room").screenshot(path=f"{PICTURES}/race-320.png")
            page.set_viewport_size({"width": 1100, "height": 1000})
            assert page.locator("#shore li").count() == 2
            page.fill("#say", "<img src=x onerror='document.title=1'> good luck \x1b[31m")
            page.keyboard.press("Enter")
            expect(page.locator("#messages")).to_contain_text("<img src=x", timeout=10_000)
            page.click("#countdown-button")
            for said in ("3...", "2...", "1...", "🎉 Go!"):
                expect(page.locator("#countdown")).to_have_text(said, timeout=10_000)
            way = page.locator("#standings tbody tr:has-text('Ann') progress")
            until("the standings move", lambda: float(way.get_attribute("value") or 0) > 0.2, 60)
            page.screenshot(path=f"{PICTURES}/race.png", full_page=True)
            lanes = page.eval_on_selector_all("#shore li", """lanes => lanes.map((lane) => [
                lane.dataset.colour, ...[".beast", ".walker"].map((part) => parseFloat(lane.querySelector(part).style.left))])""")
            assert len({colour for colour, _, _ in lanes}) == 2, lanes
            assert all(0 <= nessie <= walker <= 100 and walker > 12 for _, nessie, walker in lanes), lanes
            no_serious_fault(page)
            assert [walker.finish() for walker in walkers] == [0, 1], [w.process.stderr.read() for w in walkers]
            expect(page.locator("#messages")).to_contain_text("the race is over", timeout=10_000)
            expect(page.locator("#race-result")).to_have_text("Ann was the first to reach the goal.")
            # Whoever was caught is still seen.
            expect(page.locator("#shore li[data-state=caught] .walker")).to_be_visible()
            shown = {
                int(entry.get_attribute("data-seq")): entry.inner_text()
                for entry in page.locator("#messages p[data-seq]").all()}
            assert list(shown) == sorted(shown) and max(shown) - min(shown) + 1 == len(shown), list(shown)
            page.screenshot(path=f"{PICTURES}/race-over.png", full_page=True)
        begun = [next(line for line in walker.lines if line["type"] == "race" and line["race"] == "begun")
                 for walker in walkers]
        apart = abs(begun[0]["started"] - begun[1]["started"])
        assert begun[0]["start"] == begun[1]["start"] and apart <= 0.05, begun
        print(f"# the chases began {apart * 1000:.0f} ms apart, "
              f"{(begun[0]['started'] - begun[0]['start']) * 1000:.0f} ms after the room's instant")
        for walker in walkers:
            seqs = list(walker.messages())
            assert seqs == list(range(seqs[0], seqs[-1] + 1)), seqs
            for seq, (user, text) in walker.messages().items():
                if seq not in shown:
                    continue
                clean = lambda text: re.sub(r"[\x00-\x1f\x7f]", " ", text)
                expected = clean(text) if user is None else f"{user}: {clean(text)}"
                assert " ".join(shown[seq].split()) == " ".join(expected.split()), (shown[seq], expected)
        common = set(walkers[0].messages()) & set(walkers[1].messages())
        assert len(common) >= 6 and all(walkers[0].messages()[s] == walkers[1].messages()[s] for s in common)
    finally:
        for walker in walkers:
            if walker.process.poll() is None:
                walker.process.kill()
        daemon.stop()


# MARK: a phone without typing


def own_address():
    """An address of this computer other than the loopback one; `None` without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]


def the_command_for_phones_works_as_copied_and_a_phone_needs_no_typing(browser):
    folder = tempfile.mkdtemp(prefix="pedometer-phone-")
    port = free_port()
    daemon = Daemon(source=None)
    try:
        with Browser(browser, daemon) as page:
            go(page, "devices")
            expect(page.locator("#phone-ways")).to_be_visible()
            copied = page.locator("#phone-command code").text_content()
    finally:
        daemon.stop()
    # Only the port and the place of the history are this test's.
    command = copied.replace(":8443", f":{port}") + f" --state {folder}/state --source synthetic:cadence=120,duration=7200"
    path = f"{os.path.abspath(BINARIES)}:{os.environ['PATH']}"
    process = subprocess.Popen(["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path},
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        told = ""
        while "SHA-256" not in told:
            line = process.stdout.readline()
            assert line, told
            told += line
        assert oct(os.stat(f"{folder}/token").st_mode)[-3:] == "600"
        address = own_address()
        if address is None:
            return
        assert f"https://{address}:{port}/phone" in told or "/phone" in told, told
        assert "127.0.0.1" not in told and "#code" not in told, told
        context = browser.new_context(ignore_https_errors=True, viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(f"https://127.0.0.1:{port}")
        page.fill("#token", open(f"{folder}/token").read().strip())
        page.keyboard.press("Enter")
        expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
        go(page, "devices")
        # The page was opened at an address that only this computer has; the phone gets another one.
        expect(page.locator("#invitation")).to_have_attribute("src", re.compile("^data:image/svg"), timeout=15_000)
        link = page.locator("#phone-link code").text_content()
        assert re.fullmatch(r"https://(?!127\.)[^/]+/phone#code=[0-9a-f]{32}", link), link
        no_serious_fault(page)
        page.screenshot(path=f"{PICTURES}/phone-code.png", full_page=True)
        page.set_viewport_size({"width": 360, "height": 740})
        fits(page)
        page.screenshot(path=f"{PICTURES}/phone-code-360.png", full_page=True)
        phone = browser.new_context(ignore_https_errors=True, viewport={"width": 360, "height": 740}, has_touch=True)
        own = phone.new_page()
        own.goto(link)
        expect(own.locator("#connection")).to_have_text("Live", timeout=15_000)
        assert "#" not in own.url and own.locator("#login").is_hidden()
        # The owner sees who was let in, without asking again, and a code for the next one.
        # A browser that has sent the token is in the list, too.
        phones = page.locator("#phones li").filter(has_not_text="(this device)")
        expect(phones).to_contain_text(re.compile("Chrome, Linux.*Counts for you.*Let in on.*Last seen"), timeout=15_000)
        expect(page.locator("#phone-link code")).not_to_have_text(link)
        no_serious_fault(page)
        page.screenshot(path=f"{PICTURES}/phones-360.png", full_page=True)
        # Nobody has to give a name.
        own.click("#walk-button")
        expect(own.locator("#walk-button")).to_have_text("Stop")
        own.goto("about:blank")
        own.goto(link)
        expect(own.locator("#connection")).to_have_text("Live", timeout=15_000)
        other = browser.new_context(ignore_https_errors=True, viewport={"width": 360, "height": 740}).new_page()
        other.goto(link)
        expect(other.locator("#login-error")).to_contain_text("This code was used", timeout=15_000)
        expect(other.locator("#token")).to_be_hidden()
        assert "service" not in other.inner_text("main") and "file" not in other.inner_text("main")
        no_serious_fault(other)
        other.screenshot(path=f"{PICTURES}/phone-used-code.png")
        go(page, "people")
        expect(page.locator("#new-button")).to_have_text("Start and copy link")
        page.fill("#new-name", "Round the loch")
        page.click("#new-button")
        expect(page.locator(".challenge .command code")).to_have_text(re.compile(r"^https://(?!127\.)[^/]+/challenge#join="), timeout=10_000)
        # A phone that is removed needs a new code; without the confirmation it is not.
        go(page, "devices")
        page.once("dialog", lambda dialog: dialog.dismiss())
        phones.locator("button").click()
        expect(phones).to_have_count(1)
        page.once("dialog", lambda dialog: dialog.accept())
        phones.locator("button").click()
        expect(phones).to_have_count(0)
        own.reload()
        expect(own.locator("#login")).to_be_visible(timeout=15_000)
        context.close()
        phone.close()
    finally:
        process.terminate()
        process.wait(timeout=20)
        shutil.rmtree(folder, ignore_errors=True)


def the_live_page_is_installable_and_shows_its_day_without_a_network(browser):
    daemon = Daemon(days=40)
    try:
        context = browser.new_context(viewport={"width": 390, "height": 800}, locale="de-DE")
        page = context.new_page()
        page.goto(daemon.url)
        expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
        until("steps rise", lambda: number(page, "steps") > 3)
        manifest = json.loads(page.evaluate("fetch(document.querySelector('[rel=manifest]').href).then((answer) => answer.text())"))
        assert manifest["display"] == "standalone" and manifest["start_url"] == "/"
        assert any(icon["sizes"] == "512x512" and "maskable" in icon["purpose"] for icon in manifest["icons"])
        page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
        until("the page is kept", lambda: page.evaluate("caches.open('phone').then((cache) => cache.match('/page.js')).then(Boolean)"))
        until("the day is kept", lambda: page.evaluate("Boolean(localStorage.getItem('day'))"))
        page.reload()
        expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
        until("the day is kept", lambda: page.evaluate("JSON.parse(localStorage.getItem('day')).today.steps > 3"))
        daemon.kill()
        page.reload()
        expect(page.locator("#connection")).to_have_text(re.compile("^Offline; Stand "), timeout=15_000)
        assert number(page, "steps") > 3
        # In the reader's language.
        expect(page.locator("#views [data-view=today]")).to_have_text("Heute")
        expect(page.locator("#week-card, #hours").first).to_be_attached()
        page.screenshot(path=f"{PICTURES}/offline.png", full_page=True)
        daemon.start()
        expect(page.locator("#connection")).to_have_text("Live", timeout=60_000)
        context.close()
    finally:
        daemon.stop()


def received(page, work):
    """The bytes that a browser receives for the page and its figures, with their headers."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    total = [0]
    devtools.on("Network.loadingFinished", lambda event: total.__setitem__(0, total[0] + int(event["encodedDataLength"])))
    work()
    expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
    page.wait_for_load_state("load")
    until("the walks are shown", lambda: page.evaluate("document.querySelector('#walks details') !== null"))
    page.wait_for_timeout(1000)
    devtools.detach()
    return total[0]


def a_second_visit_costs_less_than_fifteen_kilobytes(browser):
    daemon = Daemon(days=400)
    try:
        context = browser.new_context(viewport={"width": 390, "height": 800}, service_workers="block")
        page = context.new_page()
        first = received(page, lambda: page.goto(daemon.url))
        page.goto("about:blank")
        second = received(page, lambda: page.goto(daemon.url))
        print(f"# first visit {first / 1000:.1f} kB, second visit {second / 1000:.1f} kB")
        assert first < 110_000 and second < 15_000, (first, second)
        context.close()
    finally:
        daemon.stop()


def movement_that_was_not_counted_is_asked_about(browser):
    # As of pedalling, once a second for three minutes; rest ends it.
    folder = tempfile.mkdtemp(prefix="pedometer-doubt-")
    with open(f"{folder}/ride.csv", "w") as file:
        file.write("t,x,y,z\n")
        for index in range(50 * 300):
            turn = 2 * math.pi * index / 50
            ride = (0.04 * math.cos(turn), 1 + 0.4 * math.sin(turn), 0.008 * math.sin(turn))
            x, y, z = ride if index < 50 * 180 else (0.01, 1 + 0.001 * (index % 3), 0.01)
            file.write(f"{index / 50},{x:.4f},{y:.4f},{z:.4f}\n")
    end = time.time()
    daemon = Daemon(source=f"exec:cat {folder}/ride.csv")
    try:
        until("it is asked about", lambda: len(daemon.get("/api/walks")) == 1)
        [asked] = daemon.get("/api/walks")
        assert asked["answer"] is None and asked["reason"] == "cycling" and 100 < asked["steps"] < 400, asked
        daemon.send("POST", "/api/steps", {"source": "watch", "start": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(end - 700)),
                                           "end": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(end - 400)), "steps": 500})
        with Browser(browser, daemon) as page:
            expect(page.locator("#doubts")).to_contain_text("cycling?", timeout=15_000)
            page.screenshot(path=f"{PICTURES}/doubt.png", full_page=True)
            no_serious_fault(page)
            before = daemon.get("/api/today")["steps"]
            page.click("#doubts >> text=Count it")
            expect(page.locator("#doubts")).to_contain_text("counted as a walk")
            until("it counts", lambda: number(page, "steps") == before + asked["steps"])
            expect(page.locator("#counted")).to_contain_text("the sensors counted")
            today = daemon.get("/api/today")
            assert today["steps"] == before and today["corrected"]["steps"] == before + asked["steps"], today
            assert sum(hour.get("corrected", hour)["steps"] for hour in daemon.get("/api/history?bucket=hour")) == before + asked["steps"]
            page.click("#doubts >> text=Undo")
            until("it does not count", lambda: number(page, "steps") == before)
            page.select_option("#doubts select", "cycling")
            expect(page.locator("#doubts")).to_contain_text("cycling, not counted")
            # A walk that was none.
            page.click("#walks details summary")
            page.click("#walks details[open] .quiet")
            expect(page.locator("#doubts")).to_contain_text("not a walk")
            until("it is left out", lambda: number(page, "steps") == before - 500)
            page.screenshot(path=f"{PICTURES}/answered.png", full_page=True)
            page.click("#doubts >> text=Undo >> nth=1")
            until("it counts again", lambda: number(page, "steps") == before)
            no_serious_fault(page)
    finally:
        daemon.stop()
        shutil.rmtree(folder, ignore_errors=True)


def a_walk_is_named_marked_and_deleted_with_undo(browser):
    daemon = Daemon(source=None)
    try:
        midnight = int(time.time()) // 86_400 * 86_400 - 86_400
        for hour, count in ((8, 2000), (15, 1000)):
            start, end = (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(midnight + hour * 3600 + at)) for at in (0, 1200))
            daemon.send("POST", "/api/steps", {"source": "watch", "start": start, "end": end, "steps": count})
        with Browser(browser, daemon, viewport={"width": 360, "height": 740}) as page:
            page.goto(daemon.url + "/#/history")
            page.click("[data-span=day]")
            page.click("#earlier")
            page.click("#day-walks details summary >> nth=1")
            walk = page.locator("#day-walks details").nth(1)
            walk.locator("input").fill("Round <b>the loch</b>")
            walk.locator("input").press("Enter")
            expect(walk.locator(".what")).to_have_text("Round <b>the loch</b>")
            walk.locator("select").select_option("hike")
            expect(walk.locator(".what")).to_have_text("Round <b>the loch</b>, hike")
            page.screenshot(path=f"{PICTURES}/named.png", full_page=True)
            no_serious_fault(page)
            fits(page)
            # Whoever writes a name is not disturbed by what comes in meanwhile, and a killed service forgets no name.
            daemon.kill()
            daemon.start()
            page.reload()
            expect(walk.locator(".what")).to_have_text("Round <b>the loch</b>, hike", timeout=15_000)
            [told] = daemon.get(f"/api/walks?from={time.strftime('%Y-%m-%dT00:00:00Z', time.gmtime(midnight))}")
            assert told["answer"] == "hike" and told["name"] == "Round <b>the loch</b>", told
            expect(page.locator("#day-doubts")).to_be_hidden()
            expect(page.locator("#best")).to_contain_text("Longest walk")
            # Its steps are left out of everything, and Undo is where the focus is.
            page.click("#day-walks details summary >> nth=1")
            walk.locator(".quiet").click()
            expect(page.locator("#day-doubts")).to_contain_text("Round <b>the loch</b>: not a walk. Its steps are left out.")
            expect(page.locator("#day-walks details")).to_have_count(1)
            expect(page.locator("#sums")).to_contain_text("Steps1,000")
            expect(page.locator("#sums")).to_contain_text("Counted by sensors3,000")
            longest = daemon.get("/api/records")["longestWalk"]
            assert longest["steps"] == 1000, longest
            until("Undo has the focus", lambda: page.evaluate("document.activeElement.textContent") == "Undo")
            page.keyboard.press("Enter")
            expect(walk.locator(".what")).to_have_text("Round <b>the loch</b>, hike")
            expect(page.locator("#sums")).to_contain_text("Steps3,000")
            # Without a name and a kind it is what it was.
            page.click("#day-walks details summary >> nth=1")
            walk.locator("select").select_option("walk")
            expect(walk.locator(".what")).to_have_text("Round <b>the loch</b>")
            walk.locator("input").fill("")
            walk.locator("input").press("Enter")
            expect(walk.locator(".what")).to_be_empty()
            until("nothing is said", lambda: daemon.get(f"/api/walks?from={time.strftime('%Y-%m-%dT00:00:00Z', time.gmtime(midnight))}") == [])
    finally:
        daemon.stop()


def settings_need_no_command_line(browser):
    daemon = Daemon(days=5)
    try:
        with Browser(browser, daemon, viewport={"width": 390, "height": 800}, locale="en-IE", permissions=["notifications"]) as page:
            go(page, "settings")
            expect(page.locator("#measure-note")).to_have_text("Distances are a guess: they need your height or step length.")
            page.select_option("#measure", "height")
            page.fill("#metres", "300")
            page.click("#walk-form button")
            expect(page.locator("#walk-error")).to_contain_text("'height' is in metres, from 0.5 to 2.6")
            page.fill("#metres", "180")
            page.fill("#day-start", "04:00")
            page.click("#walk-form button")
            expect(page.locator("#walk-error")).to_be_empty()
            until("they are set", lambda: daemon.get("/api/settings") == {"height": 1.8, "stepLength": None, "dayStart": "04:00"})
            expect(page.locator("#measure-note")).to_contain_text("right to about a tenth")
            daemon.kill()
            daemon.start()
            assert daemon.get("/api/settings")["dayStart"] == "04:00"
            assert "T04:00:00" in daemon.get("/api/history?bucket=day")[-1]["start"]
            # A goal for each weekday; days without one of their own have the goal of all.
            page.fill("#goal", "8000")
            page.click("#weekdays summary")
            page.fill("[aria-label=Saturday]", "12000")
            no_serious_fault(page)
            fits(page)
            page.screenshot(path=f"{PICTURES}/weekdays.png", full_page=True)
            page.click("#goal-form button")
            week = [8000] * 5 + [12_000, 8000]
            until("they are set", lambda: daemon.get("/api/goal")["goals"] == week)
            page.reload()
            expect(page.locator("[aria-label=Saturday]")).to_have_value("12000", timeout=15_000)
            expect(page.locator("#goal")).to_have_value("8000")
            expect(page.locator("[aria-label=Sunday]")).to_have_attribute("placeholder", "8000")
            day = datetime.date.fromisoformat(daemon.get("/api/today")["date"])
            assert daemon.get("/api/goal")["goal"] == daemon.get("/api/today")["goal"] == week[day.weekday()]
            go(page, "history")
            expect(page.locator("#span .legend")).to_contain_text(re.compile("Goal: 8,000|The goal of each day"), timeout=15_000)
            go(page, "settings")
            # The theme is this device's.
            ground = "getComputedStyle(document.body).backgroundColor"
            for theme, colour in (("dark", "rgb(15, 20, 18)"), ("light", "rgb(243, 246, 244)"), ("dark", "rgb(15, 20, 18)")):
                page.select_option("#theme", theme)
                until("the theme is seen", lambda: page.evaluate(ground) == colour)
                no_serious_fault(page)
            page.reload()
            until("the theme is kept", lambda: page.evaluate(ground) == "rgb(15, 20, 18)")
            page.screenshot(path=f"{PICTURES}/settings.png", full_page=True)
            page.select_option("#theme", "auto")
            until("the system's theme is back", lambda: page.evaluate(ground) == "rgb(243, 246, 244)")
            # Notifications are the browser's.
            page.check("#notify")
            page.reload()
            expect(page.locator("#notify")).to_be_checked()
            with page.expect_download() as download:
                page.click("#all-csv")
            with open(download.value.path()) as file:
                rows = file.read().splitlines()
            assert download.value.suggested_filename == "steps-all.csv" and len(rows) >= 6 and rows[0].startswith("start,end,steps"), rows
    finally:
        daemon.stop()


# MARK: languages


READ = """() => {
  const shown = [];
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (element.closest("code, noscript, script, option[lang]")) continue;
    if (node === element) {
      for (const name of ["aria-label", "alt", "placeholder"]) {
        const text = element.translate && element.getAttribute(name);
        if (text) shown.push({ text, where: `${element.localName}#${element.id} ${name}`, isWhole: true });
      }
    // Labels of charts are dates, hours and numbers, as is what their rows are called.
    } else if (node.data.trim() && !element.closest("svg, .unseen th, [translate=no]")) {
      shown.push({ text: node.data.trim(), where: `${element.localName}#${element.id}` });
    }
  }
  return shown;
}"""


def read(page, daemon):
    """All texts of all pages, shown and hidden, and what stands for them where nothing is seen."""
    told = []
    for view in VIEWS:
        go(page, view)
        if view == "history":
            expect(page.locator("#span .bar")).not_to_have_count(0, timeout=15_000)
            for span in ("day", "month", "year", "week"):
                page.click(f"[data-span={span}]")
                expect(page.locator(f"[data-span={span}]")).to_have_attribute("aria-pressed", "true")
                told += page.evaluate(READ)
        if view == "people":
            expect(page.locator(".challenge")).to_have_count(1, timeout=15_000)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, view
        told += page.evaluate(READ)
    for path in ("/phone", "/challenge"):
        page.goto(daemon.url + path)
        expect(page.locator("#connection")).to_have_attribute("data-state", "live", timeout=15_000)
        told += page.evaluate(READ)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
    page.goto(daemon.url)
    return told


def each_language_is_whole_and_fits_on_a_phone(browser):
    daemon = Daemon(days=40)
    try:
        daemon.send("PUT", "/api/goal", {"goal": 8000})
        daemon.send("POST", "/api/challenges", {"name": "42", "every": "week", "teams": True, "show": "days", "goal": 50_000})
        for tag, title in (("de", "Heute"), ("fr", "Aujourd’hui")):
            texts = daemon.get(f"/texts-{tag}.json")
            with Browser(browser, daemon, locale=tag, viewport={"width": 320, "height": 640}) as page:
                expect(page.locator("#connection")).to_have_attribute("data-state", "live", timeout=15_000)
                expect(page.locator("#today-title")).to_contain_text(title)
                assert page.evaluate("document.documentElement.lang") == tag
                # Whatever has the form of an English text is one that was not translated.
                forms = [form for key, value in texts.items() if value != key and re.sub(r"{\w+}|\W", "", key) for form in key.split("|")]
                english = re.compile("|".join(re.sub(r"\\{\w+\\}", ".+", re.escape(form)) for form in forms))
                told = read(page, daemon)
                left = [each for each in told if english.fullmatch(each["text"]) and each["text"] not in str(texts.values())]
                assert not left, left
                fits(page)
            # And with brackets around each translation nothing else has words, except for names, dates and units of length.
            marked = {key: {kind: f"⟦{form}⟧" for kind, form in value.items()} if isinstance(value, dict) else f"⟦{value}⟧"
                      for key, value in texts.items()}
            context = browser.new_context(locale=tag, service_workers="block")
            page = context.new_page()
            page.route(f"**/texts-{tag}.json", lambda route: route.fulfill(json=marked))
            page.goto(daemon.url)
            expect(page.locator("#connection")).to_have_attribute("data-state", "live", timeout=15_000)
            names = NAMES_OF_THE_TRIAL | set(re.findall(r"[^\W\d_]+", " ".join(page.evaluate(DATES, tag))))
            depth, loose = 0, []
            for each in read(page, daemon):
                outside = ""
                depth = 0 if each.get("isWhole") and depth == 0 else depth
                for sign in each["text"]:
                    depth += {"⟦": 1, "⟧": -1}.get(sign, 0)
                    outside += sign if depth == 0 and sign not in "⟦⟧" else " "
                if set(re.findall(r"[^\W\d_]{3,}", outside)) - names:
                    loose.append((each["where"], outside.strip()))
                assert "{" not in each["text"], each
            context.close()
            assert not loose, loose
    finally:
        daemon.stop()


# The words of dates, and what the test itself is called.
DATES = """(tag) => ["long", "short"].flatMap((form) => Array.from({ length: 12 }, (_, index) => [
  new Date(2026, 0, index + 1).toLocaleDateString(tag, { weekday: form }), new Date(2026, index, 1).toLocaleDateString(tag, { day: "numeric", month: form }),
])).flat()"""
NAMES_OF_THE_TRIAL = {"synthetic", "cadence", "duration", "Owner", "Pedometer"}


def a_language_is_chosen_and_kept_and_english_costs_nothing(browser):
    daemon = Daemon(days=3)
    try:
        with Browser(browser, daemon, locale="en-GB", service_workers="block") as page:
            asked = []
            page.on("request", lambda request: asked.append(request.url) if "/texts-" in request.url else None)
            page.reload()
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            assert asked == []
            go(page, "settings")
            expect(page.locator("#language")).to_have_value("en")
            page.select_option("#language", "fr")
            expect(page.locator("html")).to_have_attribute("lang", "fr", timeout=15_000)
            page.reload()
            expect(page.locator("#connection")).to_have_text("En direct", timeout=15_000)
            assert asked and all(url.endswith("/texts-fr.json") for url in asked), asked
            # The units are still those of where the reader is, and numbers those of the language.
            expect(page.locator("#units")).to_have_value("mi")
            told = page.evaluate("""Promise.all([import("/texts.js"), import("/days.js")]).then(([{ t, whole }, { steps, minutes }]) => [
                whole.format(12345), ...[0, 1, 2].map(steps), ...[1, 2].map((n) => t("{n} day left|{n} days left", { n })), minutes(4000), t("A later text: {n}", { n: 3 })])""")
            assert [re.sub(r"\s", " ", text) for text in told] == [
                "12 345", "0 pas", "1 pas", "2 pas", "encore 1 jour", "encore 2 jours", "1 h 07 min", "A later text: 3"], told
            # A text that is missing is shown in English, and so is all of it without the file.
            page.route("**/texts-fr.json", lambda route: route.fulfill(json={"History": "Historique"}))
            page.reload()
            expect(page.locator("#views [data-view=history]")).to_have_text("Historique")
            expect(page.locator("#views [data-view=today]")).to_have_text("Today")
            page.unroute("**/texts-fr.json")
            page.route("**/texts-fr.json", lambda route: route.abort())
            page.reload()
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            expect(page.locator("html")).to_have_attribute("lang", "en")
            assert page.is_visible("main")
        # A browser that prefers Swedish, then German.
        with Browser(browser, daemon, locale="sv-SE", service_workers="block") as page:
            expect(page.locator("html")).to_have_attribute("lang", "en")
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            assert page.evaluate("import('/texts.js').then(({ whole }) => whole.format(12345))") == "12\u00a0345"
    finally:
        daemon.stop()


# MARK: a phone


class Phone:
    """A page on a phone with virtual sensors: gravity, plus a walk."""

    RATE = 50

    def __init__(self, browser, daemon, name, path="/phone", **context):
        self.context = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True, **context)
        self.page = self.context.new_page()
        self.faults = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.devtools = self.context.new_cdp_session(self.page)
        for kind in ("accelerometer", "linear-acceleration", "gyroscope"):
            self.devtools.send("Emulation.setSensorOverrideEnabled", {"enabled": True, "type": kind})
            # The page uses acceleration with gravity; the others only have to exist.
            self.show(kind, 0, 0, 9.8 if kind == "accelerometer" else 0)
        self.name = name
        self.time = None
        self.page.goto(daemon.url + path)
        expect(self.page.locator("#connection")).to_have_text("Live", timeout=15_000)

    def start(self):
        self.page.fill("#name", self.name)
        self.page.click("#walk-button")
        expect(self.page.locator("#walk-button")).to_have_text("Stop")

    def sense(self, seconds):
        """The sensors at a time of the walk: a pocket at 110 steps per minute, with gravity before and after it."""
        x = y = z = 0.0
        if 0 <= seconds < self.length:
            turn = 2 * math.pi * seconds * 110 / 60
            z = 2.6 * math.sin(turn) + 0.9 * math.sin(2 * turn + 0.6)
            x = 1.2 * math.sin(turn / 2) + 0.4 * math.cos(turn)
            y = 0.5 * math.cos(turn / 2)
        self.show("accelerometer", x, y + 0.6, z + 9.79)

    def show(self, kind, x, y, z):
        self.devtools.send("Emulation.setSensorOverrideReadings", {
            "type": kind, "reading": {"xyz": {"x": x, "y": y, "z": z}}})

    def counted(self):
        return number(self.page, "steps")

    def close(self, failed):
        self.context.close()
        assert failed or not self.faults, self.faults


def walk(phones, steps, during=lambda seconds: None):
    """All phones walk this many steps at the same time, and then stand for twelve seconds, so that the last steps are confirmed."""
    for phone in phones:
        phone.length = steps * 60 / 110
    start = time.monotonic()
    while (seconds := time.monotonic() - start) < phones[0].length + 12:
        for phone in phones:
            phone.sense(seconds - 3)
        during(seconds)
        phones[0].page.wait_for_timeout(max(1, 1000 / Phone.RATE - (time.monotonic() - start - seconds) * 1000))


def a_phone_walks_a_hundred_steps_and_everything_shows_them(browser):
    daemon = Daemon(source=None)
    phone = None
    failed = True
    try:
        phone = Phone(browser, daemon, "Ann")
        phone.start()
        cut = []

        def during(seconds):
            if seconds > 1.5 and not cut:
                # A head start that covers the time without a network.
                phone.page.evaluate("""fetch("/api/chase", {method: "POST", headers: {"Content-Type": "application/json"},
                    body: JSON.stringify({action: "start", goal: 500, headStart: 300})})""")
                cut.append("chase")
            if seconds > 20 and len(cut) == 1:
                phone.context.set_offline(True)
                cut.append("offline")
            if seconds > 32 and len(cut) == 2:
                assert number(phone.page, "waiting") >= 8, phone.page.inner_text("#waiting")
                phone.context.set_offline(False)
                cut.append("online")

        walk([phone], 100, during)
        until("nothing is queued", lambda: phone.page.inner_text("#waiting") == "0 s")
        until("the page shows the steps", lambda: 97 <= phone.counted() <= 103)
        until("the day has them", lambda: 97 <= daemon.get("/api/today")["steps"] <= 103)
        sources = {source["uri"]: source for source in daemon.get("/health")["sources"]}
        assert 97 <= sources["client:Ann"]["steps"] <= 103, sources
        chase = daemon.get("/api/chase")
        phone.page.click("#chase summary")
        expect(phone.page.locator("#chase-steps")).to_have_text(f"{chase['steps']} of 500")
        assert 97 <= chase["steps"] <= 103, chase
        print(f"# page {phone.counted()}, day {daemon.get('/api/today')['steps']}, chase {chase['steps']} of 100 steps, 12 s without a network")
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320
        phone.page.screenshot(path=f"{PICTURES}/walk-with-phone.png", full_page=True)
        no_serious_fault(phone.page)
        failed = False
    finally:
        if phone:
            phone.close(failed)
        daemon.stop()


def a_fault_of_a_phone_is_gone_when_samples_come(browser):
    daemon = Daemon(source=None)
    phone = None
    failed = True
    try:
        phone = Phone(browser, daemon, "Ann")
        # The browser gives no samples, as before it has asked for permission.
        phone.page.evaluate("""() => {
          window.isSilent = true;
          addEventListener("devicemotion", (event) => { if (isSilent) event.stopImmediatePropagation(); });
        }""")
        phone.start()
        expect(phone.page.locator("#walk-error")).to_contain_text("No data from the motion sensor", timeout=15_000)
        phone.page.evaluate("window.isSilent = false")
        walk([phone], 20)
        expect(phone.page.locator("#walk-error")).to_have_text("")
        until("the steps are shown", lambda: phone.counted() > 10)
        failed = False
    finally:
        if phone:
            phone.close(failed)
        daemon.stop()


def a_six_minute_walk_counts_its_own_steps(browser):
    daemon = Daemon(source=None)
    phone = None
    failed = True
    try:
        phone = Phone(browser, daemon, "Ann")
        # Six minutes of the script's arithmetic, on a clock that is given: two steps a second, a rest of ten seconds, a late confirmation.
        told = phone.page.evaluate("""async () => {
          const { WalkTest } = await import("/walk-test.js");
          const test = new WalkTest();
          test.sync(100, 1000.5);
          test.step(99, 7);
          test.start(1001);
          test.step(100.2, 8);
          const calls = [];
          let total = 8;
          for (let time = 103; time < 480; time += 0.5) {
            if (time < 200 || time >= 210) test.step(time, ++total);
            const call = test.call(time + 901);
            if (call) calls.push([time, call]);
          }
          const early = new WalkTest();
          early.sync(100, 1000.5);
          early.start(1001);
          for (let time = 103; time < 143; time += 0.5) early.step(time, time * 2);
          const isOver = [test.isOver(1370), test.isOver(1375)];
          return { calls, isOver, ...test.result(1375), early: early.result(1047) };
        }""")
        # The rest begins with the last step before it.
        assert told["steps"] == 700 and told["minutes"] == [120, 100, 120, 120, 120, 120], told
        assert told["rests"] == 1 and abs(told["rested"] - 10.5) < 1e-6 and told["isComplete"], told
        assert told["isOver"] == [False, True] and [call for _, call in told["calls"]][0] == "5 minutes to go", told
        # Steps are confirmed some seconds late: that is no rest.
        assert told["early"]["rests"] == 0 and told["early"]["steps"] == 80 and not told["early"]["isComplete"], told
        assert len(told["calls"]) == 7 and told["calls"][-1][1].startswith("Stop"), told
        phone.page.click("#test summary")
        phone.page.click("#test-button")
        expect(phone.page.locator("#test-error")).to_have_text("Start your walk first.")
        phone.start()
        phone.page.click("#test-button")
        expect(phone.page.locator("#test-state")).to_have_text("Walk when you are ready.")
        walk([phone], 30)
        expect(phone.page.locator("#test-left")).to_have_text(re.compile("5:[0-5][0-9]"))
        phone.page.click("#test-button")
        expect(phone.page.locator("#test-state")).to_contain_text("of 6:00")
        assert 28 <= number(phone.page, "test-steps") <= 32, phone.page.inner_text("#test")
        expect(phone.page.locator("#test-rests")).to_have_text("none")
        phone.page.fill("#test-metres", "21")
        expect(phone.page.locator("#test-speed")).to_contain_text("m a step")
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320
        phone.page.screenshot(path=f"{PICTURES}/walk-test.png", full_page=True)
        no_serious_fault(phone.page)
        phone.page.emulate_media(media="print")
        assert not phone.page.is_visible("#walk") and phone.page.is_visible("#test-steps")
        failed = False
    finally:
        if phone:
            phone.close(failed)
        daemon.stop()


def two_phones_race_in_a_room(browser):
    daemon = Daemon(source=None)
    phones = []
    failed = True
    try:
        phones = [Phone(browser, daemon, "Ann", "/phone?room=loch"), Phone(browser, daemon, "Bo\u0308b", color_scheme="dark")]
        # Who was sent to the room finds it open.
        assert phones[0].page.locator("#race-button").is_visible()
        phones[1].page.click("#race summary")
        phones[1].page.fill("#room", "loch")
        for phone in phones:
            phone.start()
            phone.page.fill("#goal", "100000")
            phone.page.click("#race-button")
        for phone in phones:
            expect(phone.page.locator("#standings li")).to_have_count(2, timeout=10_000)
        phones[0].page.click("#countdown-button")
        for phone in phones:
            expect(phone.page.locator("#race-state")).to_have_text("Go! Nessie is behind you.", timeout=15_000)
        walk(phones, 100)
        steps = lambda: [int(re.search(r": (\d+) of", item.inner_text()).group(1))
                         for item in phones[1].page.locator("#standings li").all()]
        try:
            until("the standings show both", lambda: all(97 <= count <= 103 for count in steps()))
        except AssertionError:
            raise AssertionError((steps(), [phone.counted() for phone in phones], [
                (phone.page.inner_text("#race-state"), phone.page.inner_text("#walk-error")) for phone in phones],
                daemon.get("/health")["sources"]))
        print(f"# the room shows {steps()} of 100 steps each")
        # Only one walker counts at a time, however many phones are walking.
        assert 97 <= daemon.get("/api/today")["steps"] <= 103
        ground = phones[1].page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert sum(map(int, re.findall(r"\d+", ground)[:3])) < 150, ground
        phones[1].page.screenshot(path=f"{PICTURES}/race-of-phones.png", full_page=True)
        no_serious_fault(phones[1].page)
        failed = False
    finally:
        for phone in phones:
            phone.close(failed)
        daemon.stop()


def a_phone_keeps_the_page_without_a_network(browser):
    daemon = Daemon(source=None)
    failed = True
    phone = Phone(browser, daemon, "Ann")
    try:
        phone.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        phone.page.reload()
        manifest = daemon.get("/phone.webmanifest")
        assert manifest["start_url"] == "/phone" and manifest["icons"]
        daemon.kill()
        phone.page.reload()
        expect(phone.page.locator("h1")).to_have_text("Walk with this phone")
        expect(phone.page.locator("#connection")).to_contain_text("No connection", timeout=15_000)
        failed = False
    finally:
        phone.close(failed)
        daemon.stop()


TESTS = [
    a_phone_walks_a_hundred_steps_and_everything_shows_them,
    a_fault_of_a_phone_is_gone_when_samples_come,
    a_six_minute_walk_counts_its_own_steps,
    two_phones_race_in_a_room,
    a_room_is_told_who_is_away_and_where,
    a_phone_keeps_the_page_without_a_network,
    steps_rise_live_and_the_day_fills,
    a_reached_goal_is_celebrated_once,
    a_walk_is_painted_seldom,
    a_goal_is_set_by_keyboard_alone,
    a_cut_connection_is_told_and_comes_back,
    a_phone_in_the_dark_sees_everything,
    a_token_is_asked_for_and_remembered,
    figures_agree_with_each_other,
    today_is_compared_with_a_usual_day,
    every_view_of_a_year_fits_from_320_pixels_to_4k,
    a_print_has_the_figures_and_nothing_to_press,
    each_language_is_whole_and_fits_on_a_phone,
    a_language_is_chosen_and_kept_and_english_costs_nothing,
    a_period_is_chosen_before_the_days_are_known,
    the_page_is_painted_within_half_a_second,
    any_day_is_found_by_keyboard_and_exported,
    views_have_addresses,
    a_day_of_many_walks_is_folded,
    a_day_has_walks_a_course_and_its_own_goal,
    without_a_sensor_the_page_says_what_to_do,
    days_without_data_are_dots_and_left_out,
    the_command_for_phones_works_as_copied_and_a_phone_needs_no_typing,
    the_live_page_is_installable_and_shows_its_day_without_a_network,
    a_second_visit_costs_less_than_fifteen_kilobytes,
    movement_that_was_not_counted_is_asked_about,
    a_walk_is_named_marked_and_deleted_with_undo,
    settings_need_no_command_line,
    files_of_other_counters_are_imported,
    a_challenge_is_started_from_the_page,
    the_chase_is_drawn_and_survives_a_reload,
    who_is_caught_is_seen_and_told_so,
    two_walkers_and_a_browser_race,
]


def main():
    os.makedirs(PICTURES, exist_ok=True)
    chosen = sys.argv[2:]
    failed = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for test in TESTS:
            if chosen and test.__name__ not in chosen:
                continue
            name = test.__name__.replace("_", " ")
            try:
                test(browser)
                print(f"ok - {name}", flush=True)
            except Exception:
                failed += 1
                print(f"not ok - {name}\n{traceback.format_exc()}", flush=True)
        browser.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
