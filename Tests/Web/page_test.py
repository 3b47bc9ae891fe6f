"""The live page in a real Chromium against a real pedometerd: each test is a function, its name says what must hold."""

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

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

BINARIES = sys.argv[1]
PICTURES = ".build/web"
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Daemon:
    """A pedometerd of its own, with a state folder of its own, on a port that stays the same over a restart."""

    def __init__(self, *options, source="synthetic:cadence=120,duration=7200"):
        self.state = tempfile.mkdtemp(prefix="pedometer-web-")
        self.port = free_port()
        # Without a source nobody walks but phones.
        self.options = [*(["--source", source] if source else []), *options]
        self.process = None
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

    def get(self, path, token=None):
        request = urllib.request.Request(self.url + path)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)


def number(page, identifier):
    return int(re.sub(r"\D", "", page.inner_text(f"#{identifier}")) or 0)


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


class Browser:
    """One page; what the console complains of is a failure."""

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


def steps_rise_live_and_the_day_fills(browser):
    daemon = Daemon()
    try:
        with Browser(browser, daemon, viewport={"width": 1100, "height": 900}) as page:
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            until("steps rise", lambda: number(page, "steps") > 12)
            before = number(page, "steps")
            until("steps rise on", lambda: number(page, "steps") > before + 4)
            expect(page.locator("#cadence")).to_contain_text(re.compile(r"1[12]\d steps/min"))
            until("the hour's bar stands", lambda: page.locator("#day rect.now").get_attribute("height") not in (None, "0"))
            assert page.locator("#week rect").count() == 7, page.locator("#week rect").count()
            # The last bar of the day is what the history says, not what the page made up.
            page.reload()
            until("the hour's bar stands again", lambda: page.locator("#day rect.now").count() == 1)
            shown = number(page, "steps")
            assert abs(shown - daemon.get("/api/today")["steps"]) <= 6
            page.screenshot(path=f"{PICTURES}/wide.png", full_page=True)
            no_serious_fault(page)
    finally:
        daemon.stop()


def a_goal_is_set_by_keyboard_alone(browser):
    daemon = Daemon()
    try:
        with Browser(browser, daemon) as page:
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.className") == "skip"
            page.keyboard.press("Enter")
            for _ in range(3):
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.id") == "goal":
                    break
            assert page.evaluate("document.activeElement.id") == "goal"
            page.keyboard.press("Control+a")
            page.keyboard.type("4321")
            page.keyboard.press("Enter")
            expect(page.locator("#ring-goal")).to_have_text("of 4,321 steps", timeout=10_000)
            assert daemon.get("/api/today")["goal"] == 4321
            # And the chase: its number, its button, all by Tab and Enter.
            for _ in range(20):
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.id") == "chase-goal":
                    break
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
            assert page.evaluate("getComputedStyle(document.getElementById('runner')).transitionProperty") == "none"
            page.screenshot(path=f"{PICTURES}/phone-dark.png", full_page=True)
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
            page.fill("#token", "wrong")
            page.keyboard.press("Enter")
            expect(page.locator("#login-error")).not_to_be_empty(timeout=10_000)
            page.fill("#token", "correct-horse-battery")
            page.keyboard.press("Enter")
            expect(page.locator("#login")).to_be_hidden(timeout=10_000)
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
            until("steps rise", lambda: number(page, "steps") > 3)
            assert "correct-horse-battery" not in page.content()
            # Nothing is reported until somebody wants it; then what was looked at, and for how long.
            reports = lambda: daemon.get("/api/analytics", token="correct-horse-battery")
            assert reports() == []
            page.check("#reports")
            page.locator("#sources").scroll_into_view_if_needed()
            time.sleep(1.5)
            page.goto("about:blank")
            until("the reports arrive", lambda: {"devicesShown", "chaseShown"} <= {r["name"] for r in reports()})
            assert all(r["type"] == "screenView" and r["duration"] >= 1 for r in reports()), reports()
        assert "correct-horse-battery" not in open(os.path.join(daemon.state, "log")).read()
    finally:
        if daemon:
            daemon.stop()
        shutil.rmtree(folder)


# MARK: the race


class Walker:
    """A pedometer chase in a room; its lines are kept."""

    def __init__(self, daemon, name, cadence, goal):
        self.out = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [f"{BINARIES}/pedometer", "chase", f"synthetic:cadence={cadence}", "--goal", str(goal),
             "--nessie-speed", "1.3", "--head-start", "14", "--room", daemon.url, "--name", name, "--format", "json"],
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
            page.fill("#name", "Eve")
            page.click("#join-button")
            expect(page.locator("#messages")).to_contain_text("Eve connected", timeout=10_000)
            walkers = [Walker(daemon, "Ann", 130, 60), Walker(daemon, second, 80, 60)]
            expect(page.locator("#standings tbody tr")).to_have_count(2, timeout=20_000)
            page.fill("#say", "<img src=x onerror='document.title=1'> good luck \x1b[31m")
            page.keyboard.press("Enter")
            expect(page.locator("#messages")).to_contain_text("<img src=x", timeout=10_000)
            page.click("#countdown-button")
            for said in ("3...", "2...", "1...", "🎉 Go!"):
                expect(page.locator("#countdown")).to_have_text(said, timeout=10_000)
            way = page.locator("#standings tbody tr:has-text('Ann') progress")
            until("the standings move", lambda: float(way.get_attribute("value") or 0) > 0.2, 60)
            page.screenshot(path=f"{PICTURES}/race.png", full_page=True)
            no_serious_fault(page)
            assert [walker.finish() for walker in walkers] == [0, 1], [w.process.stderr.read() for w in walkers]
            expect(page.locator("#messages")).to_contain_text("the race is over", timeout=10_000)
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


# MARK: a phone


class Phone:
    """A page in a phone whose sensors are virtual: gravity, and a walk on it when it walks."""

    RATE = 50

    def __init__(self, browser, daemon, name, path="/phone", **context):
        self.context = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True, **context)
        self.page = self.context.new_page()
        self.faults = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.devtools = self.context.new_cdp_session(self.page)
        for kind in ("accelerometer", "linear-acceleration", "gyroscope"):
            self.devtools.send("Emulation.setSensorOverrideEnabled", {"enabled": True, "type": kind})
            # The page takes acceleration with gravity; the others only have to be there.
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
        """What the sensors show at a time of the walk: a pocket at 110 steps a minute; before it and after it, gravity."""
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
    """All phones walk so many steps at the same time, and then stand for twelve seconds: the last steps become certain."""
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
                # Far enough ahead to be without a network for a while.
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
        until("nothing waits", lambda: phone.page.inner_text("#waiting") == "0 s")
        until("the page shows the steps", lambda: 97 <= phone.counted() <= 103)
        until("the day has them", lambda: 97 <= daemon.get("/api/today")["steps"] <= 103)
        sources = {source["uri"]: source for source in daemon.get("/health")["sources"]}
        assert 97 <= sources["client:Ann"]["steps"] <= 103, sources
        chase = daemon.get("/api/chase")
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


def two_phones_race_in_a_room(browser):
    daemon = Daemon(source=None)
    phones = []
    failed = True
    try:
        phones = [Phone(browser, daemon, "Ann", "/phone?room=loch"), Phone(browser, daemon, "Bo\u0308b", color_scheme="dark")]
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
        # One walker at a time is counted, however many phones are on the way.
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
    two_phones_race_in_a_room,
    a_phone_keeps_the_page_without_a_network,
    steps_rise_live_and_the_day_fills,
    a_goal_is_set_by_keyboard_alone,
    a_cut_connection_is_told_and_comes_back,
    a_phone_in_the_dark_sees_everything,
    a_token_is_asked_for_and_remembered,
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
