"""Many clients that ask for years of minutes, while one asks for today and a walker's steps are written.

    history.py URL TOKEN PID DATABASE [--clients 100] [--years 5] [--seconds 60]

The years before now are filled with minutes of walking first. A step's delay is the service's own figure,
pedometer_history_write_delay_seconds: from the first step that waits until it is safe. The recorder gathers steps for a
second, so a write is more than a second late when it takes more than two.

Ends with 1 when the 99th percentile of /api/today is above --limit milliseconds, a write is more than a second late, the
memory is above --memory MB, or a client is refused.
"""

import argparse
import asyncio
import http.client
import re
import sqlite3
import time
import urllib.parse

from usage import memory


def fill(path, years):
    """Walking in three hours of every day: 180 minutes of 110 steps."""
    database = sqlite3.connect(path, timeout=30)
    (source,) = database.execute("SELECT min(id) FROM source").fetchone()
    now = int(time.time()) // 60
    day, begun = now // 1440 - 2, time.monotonic()
    minutes = [
        (number * 1440 + hour * 60 + minute, source, 110, 77_000_000, 60_000_000)
        for number in range(day - int(years * 365), day)
        for hour in (7, 12, 18)
        for minute in range(60)
    ]
    with database:
        database.executemany("INSERT OR IGNORE INTO minute VALUES (?, ?, ?, ?, ?)", minutes)
    database.close()
    print(f"{len(minutes)} minutes of {years} years in {time.monotonic() - begun:.1f} s")


async def client(url, head, ending, tally):
    """Asks for years of minutes, one answer after the other, and takes all it gets."""
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
    """Asks for the day ten times a second, on one connection."""
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
    """Writes in all, and those beyond the recorder's second and another one."""
    count = lambda bound: after.get(bound, 0) - before.get(bound, 0)
    return count(float("inf")), count(float("inf")) - count(2.0)


async def main(options):
    url = urllib.parse.urlsplit(options.url)
    moment = lambda seconds: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
    request = lambda path: (
        f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {options.token}\r\n\r\n"
    ).encode()
    # The first step makes the table's source.
    while sqlite3.connect(options.database).execute("SELECT count(*) FROM source").fetchone()[0] == 0:
        await asyncio.sleep(0.2)
    fill(options.database, options.years)
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
parser.add_argument("url")
parser.add_argument("token")
parser.add_argument("pid", type=int)
parser.add_argument("database")
parser.add_argument("--clients", type=int, default=100)
parser.add_argument("--years", type=float, default=5)
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("--limit", type=float, default=50, help="milliseconds")
parser.add_argument("--memory", type=float, default=120, help="MB")
raise SystemExit(bool(asyncio.run(main(parser.parse_args()))))
