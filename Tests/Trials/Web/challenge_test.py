"""The page of challenges in a real Chromium against a real pedometerd: each test is a function whose name is the requirement."""

import datetime
import json
import os
import subprocess
import sys
import tempfile
import traceback
import urllib.request

from playwright.sync_api import expect, sync_playwright

from page_test import BINARIES, CHROMIUM, PICTURES, Daemon, Phone, no_serious_fault, number, until, walk

OWNER = "correct-horse-battery"
# A zone in which it is noon or a little later, so that a walk of the last hour was always today.
AHEAD = 12 - datetime.datetime.now(datetime.timezone.utc).hour
ZONE = f"Etc/GMT{-AHEAD:+d}"


class Guarded(Daemon):
    """A service with a token, walkers, and a challenge."""

    def __init__(self, source=None):
        # mkstemp makes it readable for this user alone.
        descriptor, self.token = tempfile.mkstemp(prefix="pedometer-token-")
        with open(descriptor, "w") as file:
            file.write(OWNER)
        super().__init__("--token-file", self.token, "--time-zone", ZONE, source=source)

    def stop(self):
        super().stop()
        os.unlink(self.token)

    def command(self, *arguments):
        told = subprocess.run(
            [f"{BINARIES}/pedometerd", *arguments, "--state", self.state, "--config", "/dev/null", "--time-zone", ZONE,
             "--format", "json"],
            check=True, capture_output=True, text=True).stdout
        return json.loads(told)

    def add(self, name, *options):
        return self.command("walkers", "add", name, *options)["token"]

    def send(self, token, steps, days_ago=0, source="watch"):
        """Steps of the hour that ended a minute ago, or that many days earlier."""
        end = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=1, days=days_ago)
        body = {"source": source, "steps": steps, "end": end.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "start": (end - datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")}
        request = urllib.request.Request(
            self.url + "/api/steps", json.dumps(body).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
        urllib.request.urlopen(request, timeout=10).close()


class Page:
    """A page of a walker; errors in its console are failures."""

    def __init__(self, browser, url, width=390, **context):
        self.context = browser.new_context(viewport={"width": width, "height": 844}, **context)
        self.page = self.context.new_page()
        self.faults = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.goto(url)

    def __enter__(self):
        return self.page

    def __exit__(self, kind, *_):
        self.context.close()
        if kind is None:
            assert not self.faults, self.faults


def day(days_ago):
    """The date in the service's zone."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=AHEAD, days=-days_ago)).strftime("%Y-%m-%d")


def rows(page, table="ranks"):
    return page.locator(f"#{table} tbody").evaluate("(body) => [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent))")


def a_walker_opens_the_invite_link_and_sees_the_board(browser):
    daemon = Guarded()
    try:
        daemon.command("walkers", "owner", "--name", "Zoe", "--team", "Red")
        ann = daemon.add("Ann", "--team", "Red")
        ben = daemon.add("Benedikt Maximilian von Hohenstein-Berg", "--team", "Blue")
        omar = daemon.add("عمر", "--team", "Blue")
        for token, steps in ((ann, (9200, 11_050, 7400)), (ben, (8100, 11_050, 5000)), (omar, (12_000, 9000, 6650))):
            for days_ago, count in zip((2, 1, 0), steps):
                daemon.send(token, count, days_ago)
        options = ["--teams", "--goal", "25000", "--walker", "Ann", "--walker", "عمر",
                   "--walker", "Benedikt Maximilian von Hohenstein-Berg"]
        daemon.command("challenges", "add", "To the sea", "--from", day(2), "--days", "7", *options)
        daemon.command("challenges", "add", "Every day", "--from", day(2), "--every", "day", "--show", "days", *options)
        daemon.command("challenges", "add", "This week", "--from", day(3), "--days", "7", "--show", "days", *options)
        for scheme in ("light", "dark"):
            for width in (320, 390, 1280):
                with Page(browser, f"{daemon.url}/challenge#token={ann}", width, color_scheme=scheme) as page:
                    expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
                    assert ann not in page.url and ann not in page.content()
                    expect(page.locator("#own-title")).to_have_text("Ann: your steps")
                    assert number(page, "today") == 7400 and number(page, "week") == 27_650
                    for name in ("To the sea", "Every day", "This week"):
                        page.select_option("#challenge", label=name)
                        expect(page.locator("#board-title")).to_have_text(name)
                        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
                        assert page.locator("#frame").evaluate("(frame) => frame.scrollWidth <= frame.clientWidth"), (name, width)
                        no_serious_fault(page)
                        if width != 320:
                            page.screenshot(path=f"{PICTURES}/challenge-{width}-{scheme}-{name.replace(' ', '-').lower()}.png", full_page=True)
                    page.select_option("#challenge", label="To the sea")
                    expect(page.locator("#board-title")).to_have_text("To the sea")
                    told = rows(page)
                    assert [row[0] for row in told] == ["1", "1", "3", "4"], told
                    assert told[0][1].startswith("Ann (you)") and "goal" in told[0][1], told
                    assert page.locator("#ranks tr.you").count() == 1
                    assert [row[:2] for row in rows(page, "team-ranks")] == [
                        ["1", "Blue2 members, 51,800 steps"], ["2", "Red2 members, 27,650 steps"]]
        with Page(browser, f"{daemon.url}/challenge", 390) as page:
            expect(page.locator("#login")).to_be_visible(timeout=15_000)
            assert page.locator("section:visible").count() == 1
            page.screenshot(path=f"{PICTURES}/challenge-login.png")
            page.goto(f"{daemon.url}/challenge#token=wrong-token-of-some-length")
            expect(page.locator("#login-error")).to_contain_text("no longer valid", timeout=15_000)
            page.click("#login summary")
            page.fill("#token", ann)
            page.keyboard.press("Enter")
            expect(page.locator("#connection")).to_have_text("Live", timeout=15_000)
        assert ann not in open(os.path.join(daemon.state, "log")).read()
    finally:
        daemon.stop()


def an_invitation_says_what_others_will_see_and_can_be_declined(browser):
    daemon = Guarded()
    try:
        cid = daemon.add("Cid")
        daemon.send(cid, 4321)
        made = daemon.command("challenges", "add", "Every week", "--every", "week", "--show", "days")
        with Page(browser, f"{daemon.url}/challenge#token={cid}") as page:
            expect(page.locator("#state")).to_contain_text("You are in no challenge yet", timeout=15_000)
            page.goto(daemon.url + made["invitation"])
            expect(page.locator("#invitation-shows")).to_contain_text("your steps of each day", timeout=15_000)
            page.screenshot(path=f"{PICTURES}/challenge-invitation.png", full_page=True)
            no_serious_fault(page)
            page.click("#decline")
            expect(page.locator("#invitation")).to_be_hidden()
            assert "4,321" not in daemon_board(daemon, made["id"])
            page.goto("about:blank")
            page.goto(daemon.url + made["invitation"])
            page.click("#join-form button:not([type])")
            expect(page.locator("#board-title")).to_have_text("Every week", timeout=15_000)
            assert "4321" in daemon_board(daemon, made["id"])
            page.on("dialog", lambda dialog: dialog.accept())
            page.click("#leave")
            expect(page.locator("#state")).to_contain_text("You are in no challenge yet", timeout=15_000)
            assert "4321" not in daemon_board(daemon, made["id"])
    finally:
        daemon.stop()


def a_new_phone_asks_the_owner_and_goes_on_when_it_is_let_in(browser):
    daemon = Guarded()
    try:
        made = daemon.command("challenges", "add", "Every week", "--every", "week")
        link = daemon.url + made["invitation"]
        with Page(browser, daemon.url, 360) as owner, Page(browser, link, 360) as ann, Page(browser, link, 1280, color_scheme="dark") as ben:
            owner.fill("#token", OWNER)
            owner.keyboard.press("Enter")
            expect(owner.locator("#connection")).to_have_text("Nothing is counting yet", timeout=15_000)
            owner.click("#views [data-view=devices]")
            expect(owner.locator("#phones-card")).to_be_hidden()
            for page, name in ((ann, "Ann"), (ben, "Ben")):
                expect(page.locator("#login-note")).to_contain_text("Ask the person who sent you the link", timeout=15_000)
                assert "Every week" not in page.inner_text("body"), "a stranger learns nothing"
                no_serious_fault(page)
                page.screenshot(path=f"{PICTURES}/ask-{name}.png", full_page=True)
                page.fill("#ask-name", name)
                page.keyboard.press("Enter")
                expect(page.locator("#login-state")).to_contain_text("This page goes on", timeout=15_000)
                expect(page.locator("#ask-form")).to_be_hidden()
                no_serious_fault(page)
                page.screenshot(path=f"{PICTURES}/asked-{name}.png", full_page=True)
            # The page may be closed and opened again meanwhile.
            ann.reload()
            expect(ann.locator("#login-state")).to_contain_text("This page goes on", timeout=15_000)
            # The owner need not reload, either.
            expect(owner.locator("#requests li")).to_have_count(2, timeout=15_000)
            expect(owner.locator("#requests li").first).to_contain_text("Ann asks to be let in")
            no_serious_fault(owner)
            for width, scheme in ((360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")):
                owner.set_viewport_size({"width": width, "height": 844})
                owner.emulate_media(color_scheme=scheme)
                owner.screenshot(path=f"{PICTURES}/requests-{width}-{scheme}.png", full_page=True)
            owner.get_by_role("button", name="Refuse: Ben").click()
            expect(ben.locator("#login-error")).to_contain_text("You were not let in", timeout=15_000)
            expect(ben.locator("#ask-form")).to_be_visible()
            owner.get_by_role("button", name="Let in: Ann").click()
            expect(owner.locator("#requests li")).to_have_count(0)
            expect(ann.locator("#invitation-title")).to_have_text("Invitation to Every week", timeout=15_000)
            ann.click("#join-form button:not([type])")
            expect(ann.locator("#board-title")).to_have_text("Every week", timeout=15_000)
            expect(ann.locator("#ranks")).to_contain_text("Ann (you)")
            expect(owner.locator("#phones li").filter(has_text="Counts for Ann")).to_have_count(1, timeout=15_000)
            # Who asks with a name that is known is announced as such.
            ben.fill("#ask-name", "ann")
            ben.keyboard.press("Enter")
            expect(owner.locator("#requests li")).to_contain_text("Becomes a phone of ann, who is let in already", timeout=15_000)
            owner.get_by_role("button", name="Let in: ann").click()
            # This page was open all the time, and goes on by itself.
            expect(ben.locator("#own-title")).to_have_text("Ann: your steps", timeout=15_000)
            expect(ben.locator("#board-title")).to_have_text("Every week")
    finally:
        daemon.stop()


def the_board_of_the_challenge_that_was_joined_is_shown(browser):
    daemon = Guarded()
    try:
        ann = daemon.add("Ann")
        daemon.command("challenges", "add", "A former one", "--days", "7", "--walker", "Ann")
        made = daemon.command("challenges", "add", "The new one", "--days", "7")
        with Page(browser, f"{daemon.url}/challenge#token={ann}") as page:
            expect(page.locator("#board-title")).to_have_text("A former one", timeout=15_000)
            # The browser knows the walker, and opens the link anew.
            page.goto("about:blank")
            page.goto(daemon.url + made["invitation"])
            expect(page.locator("#invitation")).to_be_visible(timeout=15_000)
            expect(page.locator("#board-title")).to_have_text("A former one")
            page.click("#join-form button:not([type])")
            expect(page.locator("#board-title")).to_have_text("The new one", timeout=15_000)
            expect(page.locator("#ranks")).to_contain_text("Ann (you)")
            assert page.locator("#challenge option:checked").inner_text() == "The new one"
    finally:
        daemon.stop()


def daemon_board(daemon, identifier):
    return json.dumps(daemon.get(f"/api/challenge?id={identifier}", token=OWNER))


def a_walkers_phone_counts_for_the_walker_alone(browser):
    daemon = Guarded()
    failed = True
    phone = None
    try:
        ann = daemon.add("Ann")
        phone = Phone(browser, daemon, "Ann", f"/phone#token={ann}")
        assert ann not in phone.page.url
        assert phone.page.locator("#race").is_hidden() and phone.page.locator("#chase").is_hidden()
        assert phone.page.input_value("#name") == "Ann" and not phone.page.is_editable("#name")
        phone.page.click("#walk-button")
        expect(phone.page.locator("#walk-button")).to_have_text("Stop")
        walk([phone], 40)
        until("the page shows the walk", lambda: 37 <= phone.counted() <= 43)
        until("the day shows it", lambda: 37 <= number(phone.page, "today") <= 43)
        phone.page.screenshot(path=f"{PICTURES}/challenge-phone.png", full_page=True)
        assert daemon.get("/api/today", token=OWNER)["steps"] == 0
        assert 37 <= daemon.get("/api/today", token=ann)["steps"] <= 43
        assert daemon.get("/health", token=OWNER)["sources"] != [] and "client" not in json.dumps(
            daemon.get("/health", token=OWNER))
        failed = False
    finally:
        if phone:
            phone.close(failed)
        daemon.stop()


TESTS = [
    a_walker_opens_the_invite_link_and_sees_the_board,
    an_invitation_says_what_others_will_see_and_can_be_declined,
    a_new_phone_asks_the_owner_and_goes_on_when_it_is_let_in,
    the_board_of_the_challenge_that_was_joined_is_shown,
    a_walkers_phone_counts_for_the_walker_alone,
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
