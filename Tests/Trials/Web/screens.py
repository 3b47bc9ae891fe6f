"""Pictures of every view of the live page, by state, width and theme, for looking at; and what the page costs while someone walks.

usage: python Tests/Trials/Web/screens.py BINARIES OUT     (in the environment of `make test-web`)
"""

import glob
import os
import sys
import time

from playwright.sync_api import sync_playwright

import page_test
from page_test import CHROMIUM, VIEWS, Daemon, Walker, go

SIZES = {"390": (390, 844), "768": (768, 1024), "1280": (1280, 800), "4k": (3840, 2160)}


def take(browser, daemon, state, views, out, before=lambda page: None, settle=1.5):
    for size, (width, height) in SIZES.items():
        for theme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
            page = context.new_page()
            page.goto(daemon.url)
            page.wait_for_selector("#views")
            before(page)
            for view in views:
                go(page, view)
                page.wait_for_timeout(settle * 1000)
                page.screenshot(path=f"{out}/{state}-{view}-{size}-{theme}.png", full_page=size != "4k")
            context.close()


def chase_until(browser, daemon, goal, ending):
    """Plays a chase to its end, from another page than those that are looked at."""
    page = browser.new_page()
    page.goto(daemon.url)
    go(page, "play")
    page.fill("#chase-goal", str(goal))
    page.click("#chase-button")
    page.wait_for_selector(f"#chase[data-state={ending}]", timeout=300_000)
    page.close()


def processor_time():
    """Seconds that Chromium has used: the processes with its name among those that were started here."""
    parents, used = {}, {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                head, _, tail = file.read().rpartition(")")
                name = head.partition("(")[2]
        except OSError:
            continue
        number, fields = int(head.split()[0]), tail.split()
        parents[number] = int(fields[1])
        if name.startswith("chrom"):
            used[number] = int(fields[11]) + int(fields[12])

    def belongs(number):
        while number not in (0, os.getpid()):
            number = parents.get(number, 0)
        return number != 0

    return sum(ticks for number, ticks in used.items() if belongs(number)) / os.sysconf("SC_CLK_TCK")


def cost(playwright, daemon, view, seconds=30):
    """The part of a core that Chromium uses for a view (Play: during a chase), beyond what it uses for an empty page."""
    shares = []
    for url in ("about:blank", daemon.url):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(url)
        if url == daemon.url:
            go(page, view)
            if view == "play":
                page.click("#chase-button")
                page.wait_for_selector("#chase[data-state=inProgress]", timeout=60_000)
        time.sleep(5)
        begin = processor_time()
        time.sleep(seconds)
        shares.append((processor_time() - begin) / seconds)
        browser.close()
    return shares[1] - shares[0]


def main():
    out = sys.argv[2]
    os.makedirs(out, exist_ok=True)
    with sync_playwright() as playwright:
        walking = Daemon(days=400)
        try:
            for view in ("today", "play"):
                print(f"{view} while {'chased' if view == 'play' else 'walking'}: {100 * cost(playwright, walking, view):.1f} % of a core")
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            take(browser, walking, "year", VIEWS, out)

            def show(span):
                return lambda page: (go(page, "history"), page.click(f"[data-span={span}]"))

            for span in ("day", "week", "month", "year"):
                take(browser, walking, span, ["history"], out, show(span))
            # A day with walks and floors, a goal with its ring, and a challenge that runs.
            take(browser, walking, "past-day", ["history"], out, lambda page: (
                go(page, "history"), page.click("[data-span=day]"), page.click("#earlier"), page.wait_for_selector("#day-walks details")))
            walking.send("PUT", "/api/goal", {"goal": max(500, 2 * walking.get("/api/today")["steps"])})
            walking.send("PUT", "/api/walker", {"name": "Ann"})
            walking.send("POST", "/api/challenges", {"name": "Round the loch", "every": "week", "teams": False, "show": "totals", "goal": 50_000})
            take(browser, walking, "goal", ["today", "people"], out)
            take(browser, walking, "goal-year", ["history"], out, show("year"))
        finally:
            walking.stop()
        for state, daemon in {"none": Daemon(source=None), "first": Daemon()}.items():
            try:
                take(browser, daemon, state, VIEWS, out)
            finally:
                daemon.stop()
        daemon = Daemon()
        walkers = []
        try:
            walkers = [Walker(daemon, name, cadence, 2000, speed=0.9) for name, cadence in (("Ann", 130), ("Bob", 110))]

            def join(page):
                page.goto(daemon.url + "/#/play/room/main")
                page.fill("#name", f"Eve {time.monotonic():.0f}")
                page.click("#join-button")
                page.wait_for_selector("#standings tbody tr:nth-child(2)")

            opener = browser.new_page()
            opener.goto(daemon.url)
            join(opener)
            opener.click("#countdown-button")
            # A chase of one's own beside it.
            opener.fill("#chase-goal", "400")
            opener.click("#chase-button")
            opener.wait_for_timeout(30_000)
            opener.close()
            take(browser, daemon, "race", ["play"], out, join)
            take(browser, daemon, "chase", ["play"], out)
        finally:
            for walker in walkers:
                walker.process.kill()
            daemon.stop()
        for ending, cadence, goal in (("caught", 60, 10_000), ("completed", 120, 30)):
            daemon = Daemon(source=f"synthetic:cadence={cadence},duration=7200")
            try:
                chase_until(browser, daemon, goal, ending)
                take(browser, daemon, ending, ["play"], out)
            finally:
                daemon.stop()
        browser.close()


if __name__ == "__main__":
    main()
