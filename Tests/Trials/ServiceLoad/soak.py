"""Watches a service for a long time. See Tests/Trials/ServiceLoad/soak.

    soak.py URL TOKEN PID STATE EXECUTABLE SOURCE [--minutes 60] [--readers 50]
"""

import argparse
import asyncio
import csv
import http.client
import io
import json
import os
import re
import signal
import subprocess
import time
import urllib.parse

from usage import memory


async def follow(url, token, ending, reader):
    """Follows the stream, and notes the latest total and lost lines."""
    stream, writer = await asyncio.open_connection(url.hostname, url.port, limit=1 << 20)
    writer.write(f"GET /api/live HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    while not ending.is_set():
        try:
            line = await asyncio.wait_for(stream.readline(), 5)
        except asyncio.TimeoutError:
            continue
        if not line:
            reader["closed"] = not ending.is_set()
            break
        reader["lines"] += 1
        # The day's figures follow each write to the history.
        if b'"type":"today"' in line:
            found = re.search(rb'"steps":(\d+)', line)
            if found:
                reader["steps"] = int(found.group(1))
    writer.close()


def get(url, token, path):
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    return json.loads(connection.getresponse().read())


def thirds(values):
    length = max(1, len(values) // 3)
    return values[:length], values[-length:]


async def main(options):
    url = urllib.parse.urlsplit(options.url)
    ending, begun = asyncio.Event(), time.monotonic()
    readers = [{"lines": 0, "steps": 0, "closed": False} for _ in range(options.readers)]
    tasks = [asyncio.create_task(follow(url, options.token, ending, reader)) for reader in readers]
    sizes, own, files = [], [], []
    state = "counting"
    while time.monotonic() - begun < options.minutes * 60 + 60 and state != "lost":
        await asyncio.sleep(2)
        if time.monotonic() - begun > 120 or options.minutes < 5:
            sizes.append(memory(options.pid))
            own.append(memory(options.pid, "RssAnon"))
            files.append(len(os.listdir(f"/proc/{options.pid}/fd")))
        source = (await asyncio.to_thread(get, url, options.token, "/health"))["sources"][0]
        state = source["state"]
    await asyncio.sleep(3)
    ending.set()
    os.kill(options.pid, signal.SIGTERM)
    while os.path.exists(f"/proc/{options.pid}") and open(f"/proc/{options.pid}/stat").read().split()[2] != "Z":
        await asyncio.sleep(0.2)
    await asyncio.gather(*tasks, return_exceptions=True)
    done = subprocess.run([options.executable, "export", "--state", options.state], capture_output=True, text=True, check=True)
    history = sum(int(row["steps"]) for row in csv.DictReader(io.StringIO(done.stdout)))
    counted = subprocess.run(
        f"'{options.executable}' simulate --cadence 110 --duration {options.minutes * 60} --rate 200 | "
        f"'{options.executable}' count - --format json", shell=True, capture_output=True, text=True)
    reference = json.loads(counted.stdout)["steps"] if counted.returncode == 0 else None
    first, last = thirds(sizes)
    growth = max(last) / max(first) - 1
    tenths = [len(own) * part // 10 for part in range(11)]
    print("own memory by tenths of the time, MB:",
          *(f"{max(own[begin:end]):.2f}" for begin, end in zip(tenths, tenths[1:]) if begin < end))
    lines = [reader["lines"] for reader in readers]
    shown = {reader["steps"] for reader in readers}
    print(f"{options.minutes} minutes at 200 Hz, {options.readers} readers: {source['steps']} steps counted, {history} in the "
          f"history, {reference} in the same recording; readers saw {sorted(shown)}, {min(lines)} to {max(lines)} lines, "
          f"{sum(reader['closed'] for reader in readers)} were cut off")
    print(f"memory: {max(first):.2f} MB in the first third, {max(last):.2f} MB in the last ({100 * growth:+.2f} %); "
          f"descriptors {min(files)} to {max(files)}, {files[0]} first and {files[-1]} last")
    good = (source["steps"] == history and reference in (None, history) and shown == {history} and growth <= 0.01
            and max(thirds(files)[1]) <= max(thirds(files)[0]) and not any(reader["closed"] for reader in readers))
    return 0 if good else 1


parser = argparse.ArgumentParser()
for name in ("url", "token"):
    parser.add_argument(name)
parser.add_argument("pid", type=int)
for name in ("state", "executable", "source"):
    parser.add_argument(name)
parser.add_argument("--minutes", type=int, default=60)
parser.add_argument("--readers", type=int, default=50)
raise SystemExit(asyncio.run(main(parser.parse_args())))
