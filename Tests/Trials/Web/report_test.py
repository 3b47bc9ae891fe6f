"""The report of a study with 1,000 participants in a real Chromium, offline: what it shows, and what axe finds."""

import copy
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

PEDOMETER = os.path.abspath(sys.argv[1]) + "/pedometer"
PICTURES = os.path.abspath(".build/web")
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
PARTICIPANTS = 1000


def run(*words, codes=(0,)):
    done = subprocess.run([PEDOMETER, *words], capture_output=True, text=True)
    assert done.returncode in codes, (words, done.returncode, done.stderr)
    return done.stdout


def study(folder):
    """One real result, and a thousand that are made from it with other figures."""
    os.chdir(folder)
    run("simulate", "--program", "walking:600,typing:1800,walking:300", "--rate", "20", "-o", "p.csv")
    run("study", "p.csv", "-o", "one", "--valid-day", "0", "--keep-going")
    template = json.load(open("one/p.csv/summary.json"))
    heading = [line for line in open("one/p.csv/days.csv") if not line.startswith("#")][0]
    columns = heading.strip().split(",")
    chance = random.Random(16)
    with open("manifest.csv", "w") as manifest:
        manifest.write("id,path\n")
        for number in range(1, PARTICIPANTS + 1):
            name = f"p{number:04}"
            manifest.write(f"{name},recordings/site{number % 7}/{name}.cwa\n")
            if number % 200 == 7:
                continue
            record = copy.deepcopy(template)
            record["id"] = name
            record["provenance"]["path"] = f"recordings/site{number % 7}/{name}.cwa"
            os.makedirs(f"out/{name}")
            if number % 50 == 3:
                code, message = chance.choice([
                    (65, "is empty; check the program that wrote it, and record again"),
                    (66, "No such file or directory"), (77, "Permission denied")])
                record = {"id": name, "exitCode": code, "provenance": record["provenance"],
                          "message": f"recordings/site{number % 7}/{name}.cwa: {message}"}
            else:
                days, usual = [], chance.lognormvariate(8.9, 0.45)
                for day in range(chance.choice([7, 7, 7, 7, 8, 6, 3])):
                    hours = chance.choice([24, 24, 23.5, 22, 17, 15, 12, 6.5, 3])
                    valid = hours >= 10
                    row = dict.fromkeys(columns, "0")
                    row.update(day=f"2026-05-{4 + day:02}", start=f"2026-05-{4 + day:02}T00:00:00+02:00", hours="24",
                               wear_hours=str(hours), valid=str(int(valid)),
                               steps=str(int(usual * chance.uniform(0.3, 1.7) * (1 if valid else 0.2))))
                    days.append(row)
                with open(f"out/{name}/days.csv", "w") as table:
                    table.write(heading + "".join(",".join(row[c] for c in columns) + "\n" for row in days))
                good = [row for row in days if row["valid"] == "1"]
                mean = lambda key: sum(float(row[key]) for row in good) / len(good) if good else None
                record.update(days=len(days), validDays=len(good), stepsPerValidDay=mean("steps"),
                              wearHoursPerValidDay=mean("wear_hours"), peak30Cadence=chance.uniform(40, 115),
                              warnings=["2 gaps of 3 h 12 min in all"] if number % 9 == 0 else [])
            json.dump(record, open(f"out/{name}/summary.json", "w"))
    run("study", "collate", "manifest.csv", "-o", "out", "--report", "out/report.html", codes=(75,))
    html = open("out/report.html").read()
    for word in ("http:", "https:", "<script", "<link", "@import"):
        assert word not in html, word
    print(f"# {len(html) // 1024} KiB")
    return "file://" + os.path.abspath("out/report.html")


def faults(page):
    found = Axe().run(page).response["violations"]
    return [(f["id"], f["impact"], f["nodes"][0]["html"][:200]) for f in found
            if f["impact"] in ("moderate", "serious", "critical")]


def main():
    os.makedirs(PICTURES, exist_ok=True)
    failed = 0

    def check(name, holds, detail=""):
        nonlocal failed
        failed += not holds
        print(f"{'ok' if holds else 'not ok'} - {name}{'' if holds else f': {detail}'}", flush=True)

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        address = study(folder)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for scheme, width in (("light", 1280), ("dark", 1280), ("light", 320), ("dark", 390)):
            context = browser.new_context(offline=True, color_scheme=scheme, viewport={"width": width, "height": 900})
            page = context.new_page()
            requests = []
            page.on("request", lambda request: requests.append(request.url))
            complaints = []
            page.on("console", lambda message: complaints.append(message.text))
            page.goto(address)
            name = f"{scheme}, {width} pixels wide"
            check(f"{name}: it loads nothing but itself", requests == [address], requests)
            check(f"{name}: the console is silent", not complaints, complaints)
            found = faults(page)
            check(f"{name}: axe finds nothing moderate or worse", not found, found)
            wide = page.evaluate("document.documentElement.scrollWidth")
            check(f"{name}: the page does not scroll sideways", wide <= width, wide)
            results = PARTICIPANTS - PARTICIPANTS // 200 - PARTICIPANTS // 50
            strips = page.locator("svg[aria-label^='Steps by day']").count()
            check(f"{name}: there is a strip for each participant", strips == results, strips)
            check(f"{name}: each failure is named with what to do",
                  page.locator("[aria-label=Failures] tbody tr").count() == PARTICIPANTS // 50)
            page.evaluate("[...document.querySelectorAll('details')].slice(0, 12).forEach(e => { e.open = true })")
            wide = page.evaluate("[...document.querySelectorAll('main *')].reduce((most, e) => Math.max(most, e.getBoundingClientRect().right), 0)")
            check(f"{name}: opened participants fit as well", wide <= width, wide)
            found = faults(page)
            check(f"{name}: axe finds nothing in opened participants", not found, found)
            page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = e === document.querySelector('.person') })")
            page.screenshot(path=f"{PICTURES}/report-{scheme}-{width}.png")
            page.locator("h3", has_text="Failures").scroll_into_view_if_needed()
            page.screenshot(path=f"{PICTURES}/report-{scheme}-{width}-failures.png")
            page.locator("h2", has_text="Participants").evaluate("e => e.scrollIntoView()")
            page.screenshot(path=f"{PICTURES}/report-{scheme}-{width}-participants.png")
            context.close()
        browser.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
