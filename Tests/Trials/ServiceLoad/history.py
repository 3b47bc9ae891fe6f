"""Many clients request years of minutes, while one requests today and a walker's steps are written.

    history.py fill DATABASE [--years 5]
    history.py load URL TOKEN PID [--clients 100] [--years 5] [--seconds 60]

`fill` writes the previous years as minutes of walking, while the service is not running. The delay of a write is the service's metric
pedometer_history_write_delay_seconds: from the first queued step until it is safe. The recorder collects steps for a
second, so a write is more than a second late if it takes more than two.

Exits with 1 if the 99th percentile of /api/today is above --limit milliseconds, a write is more than a second late, the
memory is above --memory MB, or a client is refused.
"""

import argparse
import asyncio
import http.client
import os
import re
import sys
import time
import urllib.parse

from usage import memory

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ServiceChecks"))
from unsealed import SOURCE, unsealed  # noqa: E402


def fill(path, years):
    """Walking in three hours of every day: 180 minutes of 110 steps."""
    history, begun = unsealed(path), time.monotonic()
    day = int(time.time()) // 86_400 - 2
    minutes = [
        (number * 1440 + hour * 60 + minute, SOURCE, 110, 77_000_000, 60_000_000)
        for number in range(day - int(years * 365), day)
        for hour in (7, 12, 18)
        for minute in range(60)
    ]
    with history:
        history.executemany("INSERT INTO minute (minute, source, steps, distance, active) VALUES (?, ?, ?, ?, ?)", minutes)
        history.execute("INSERT OR REPLACE INTO quarter (quarter, steps, distance, active) SELECT minute / 15, sum(steps), "
                        "sum(distance), sum(active) FROM minute WHERE source = ? GROUP BY 1", (SOURCE,))
    history.close()
    print(f"{len(minutes)} minutes of {years} years in {time.monotonic() - begun:.1f} s")


async def client(url, head, ending, tally):
    """Requests years of minutes repeatedly, and reads the answers."""
    while not ending.is_set():
        reader, writer = await asyncio.open_connection(url.hostname, url.port, limit=1 << 20)
        writer.write(head)
        answer = await reader.read(65536)
        if not answer.startswith(b"HTTP/1.1 200"):
            tally["refused"] += 1
            tally["reason"] = answer[-120:]
        else:
            tally["answers"] += 1
        while answer and not ending.is_set():
            tally["bytes"] += len(answer)
            tail, answer = answer[-5:], await reader.read(65536)
            if not answer and tail != b"0\r\n\r\n" or answer.endswith(b"0\r\n\r\n"):
                break
        writer.close()


async def today(url, head, ending, times):
    """Requests the day ten times per second, on one connection."""
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    while not ending.is_set():
        begun = time.monotonic()
        writer.write(head)
        answer = await reader.readuntil(b"}")
        times.append(time.monotonic() - begun)
        assert answer.startswith(b"HTTP/1.1 200"), answer
        await asyncio.sleep(0.1)
    writer.close()


def metrics(url, token):
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {token}"})
    text = connection.getresponse().read().decode()
    buckets = re.findall(r'^pedometer_history_write_delay_seconds_bucket\{le="([^"]+)"\} (\d+)$', text, re.M)
    return {float(bound.replace("+Inf", "inf")): int(count) for bound, count in buckets}


def late(before, after):
    """The number of writes, and of those that were more than a second late."""
    count = lambda bound: after.get(bound, 0) - before.get(bound, 0)
    return count(float("inf")), count(float("inf")) - count(2.0)


async def main(options):
    url = urllib.parse.urlsplit(options.url)
    moment = lambda seconds: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
    request = lambda path: (
        f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {options.token}\r\n\r\n"
    ).encode()
    ending, times = asyncio.Event(), []
    tally = {"answers": 0, "refused": 0, "bytes": 0, "reason": b""}
    asker = asyncio.create_task(today(url, request("/api/today"), ending, times))
    await asyncio.sleep(5)
    alone, before = sorted(times), await asyncio.to_thread(metrics, url, options.token)
    times.clear()
    now = time.time()
    path = f"/api/history?bucket=minute&from={moment(now - options.years * 365 * 86400)}&to={moment(now)}"
    clients = [asyncio.create_task(client(url, request(path), ending, tally)) for _ in range(options.clients)]
    sizes, begun = [], time.monotonic()
    while time.monotonic() - begun < options.seconds:
        await asyncio.sleep(0.5)
        sizes.append(memory(options.pid))
    after = await asyncio.to_thread(metrics, url, options.token)
    ending.set()
    await asyncio.gather(asker, *clients, return_exceptions=True)
    loaded = sorted(times)
    share = lambda sizes, part: sizes[min(len(sizes) - 1, int(len(sizes) * part))] * 1000
    writes, behind = late(before, after)
    print(f"{options.clients} clients, {options.seconds:.0f} s: {tally['answers']} answers of {options.years} years of "
          f"minutes begun, {tally['refused']} refused {tally['reason']!r}, {tally['bytes'] / 1e6:.0f} MB taken")
    print(f"/api/today alone: median {share(alone, .5):.1f} ms, 99 % {share(alone, .99):.1f} ms; under load "
          f"({len(loaded)} answers): median {share(loaded, .5):.1f} ms, 99 % {share(loaded, .99):.1f} ms, "
          f"most {share(loaded, 1):.1f} ms")
    print(f"writes of steps: {writes}, of them more than a second late: {behind}")
    print(f"memory: at most {max(sizes):.1f} MB")
    return (
        tally["refused"] > 0 or tally["answers"] < options.clients or writes == 0 or behind > 0
        or share(loaded, 0.99) > options.limit or max(sizes) > options.memory
    )


parser = argparse.ArgumentParser()
tasks = parser.add_subparsers(dest="task", required=True)
filling, loading = tasks.add_parser("fill"), tasks.add_parser("load")
filling.add_argument("database")
loading.add_argument("url")
loading.add_argument("token")
loading.add_argument("pid", type=int)
for each in (filling, loading):
    each.add_argument("--years", type=float, default=5)
loading.add_argument("--clients", type=int, default=100)
loading.add_argument("--seconds", type=float, default=60)
loading.add_argument("--limit", type=float, default=50, help="milliseconds")
loading.add_argument("--memory", type=float, default=120, help="MB")
chosen = parser.parse_args()
if chosen.task == "fill":
    fill(chosen.database, chosen.years)
else:
    raise SystemExit(bool(asyncio.run(main(chosen))))
