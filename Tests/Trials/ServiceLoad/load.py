"""Many readers of the live stream, some of which stall: lost lines, delays, and cost.

    load.py URL TOKEN PID [--readers 1000] [--stalled 0.1] [--seconds 60] [--goals 0]

A line's delay counts from its "sent". The lines of pedometerd itself have no such thing: with --goals it is told so many
goals a second, each another one, and a delay counts from the request to the line that tells the new goal.

Ends with 1 when a healthy reader missed a line, the 99th percentile is above --limit, or the memory grew.
"""

import argparse
import asyncio
import http.client
import resource
import socket
import threading
import time
import urllib.parse

from usage import memory, processor


# The time at which each goal was sent.
goals = {}


def steer(url, token, rate, ending):
    """Sets a series of goals."""
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=10)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    goal = 100_000
    while not ending.wait(1 / rate):
        goal += 1
        goals[goal] = time.clock_gettime(time.CLOCK_MONOTONIC)
        connection.request("PUT", "/api/goal", f'{{"goal":{goal}}}', headers)
        response = connection.getresponse()
        assert response.status == 200, response.status
        response.read()


class Reader(asyncio.Protocol):
    """A reader that reads everything, and records the number and the delay of every line."""

    def __init__(self, request):
        self.request, self.rest = request, b""
        self.numbers, self.delays = [], []
        self.status, self.lost, self.gaps, self.goal = None, False, 0, None

    def connection_made(self, transport):
        self.transport = transport
        transport.write(self.request)

    def connection_lost(self, error):
        self.lost = True

    def data_received(self, data):
        now = time.clock_gettime(time.CLOCK_MONOTONIC)
        if self.status is None:
            self.status = data[9:12]
        blocks = (self.rest + data).split(b"\n\n")
        self.rest = blocks.pop()
        for block in blocks:
            start = block.find(b"id: ")
            if start < 0:
                continue
            self.numbers.append(int(block[start + 4 : block.index(b"\n", start)]))
            if b'"event":"gap"' in block:
                self.gaps += 1
            sent = block.find(b'"sent":')
            if sent >= 0:
                end = min(i for i in (block.find(b",", sent), block.find(b"}", sent)) if i >= 0)
                self.delays.append(now - float(block[sent + 7 : end]))
            told = block.find(b'"goal":') if goals else -1
            if told >= 0:
                goal = int(block[told + 7 :].split(b",")[0].split(b"}")[0].replace(b"null", b"0"))
                # The day is published with every step; only the first line with a new goal counts.
                if goal != self.goal and goal in goals:
                    self.delays.append(now - goals[goal])
                self.goal = goal


class Stalled(Reader):
    """A client that sends a request and reads nothing."""

    def connection_made(self, transport):
        super().connection_made(transport)
        transport.pause_reading()


async def connect(loop, kind, request, address, narrow):
    connection = socket.socket()
    connection.setblocking(False)
    if narrow:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    await loop.sock_connect(connection, address)
    _, protocol = await loop.create_connection(lambda: kind(request), sock=connection)
    return protocol


async def main(options):
    url = urllib.parse.urlsplit(options.url)
    request = (
        f"GET /api/live HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {options.token}\r\n\r\n"
    ).encode()
    loop, address = asyncio.get_running_loop(), (url.hostname, url.port)
    stalled_count = int(options.readers * options.stalled)
    before, begun = memory(options.pid), time.monotonic()
    healthy, stalled = [], []
    for index in range(options.readers):
        is_stalled = index < stalled_count
        kind = Stalled if is_stalled else Reader
        (stalled if is_stalled else healthy).append(await connect(loop, kind, request, address, is_stalled))
    print(f"{options.readers} connections in {time.monotonic() - begun:.1f} s")
    ending = threading.Event()
    if options.goals:
        threading.Thread(target=steer, args=(url, options.token, options.goals, ending), daemon=True).start()
    await asyncio.sleep(5)
    for reader in healthy:
        reader.delays.clear()
    start, used = time.monotonic(), processor(options.pid)
    sizes = []
    while time.monotonic() - start < options.seconds:
        await asyncio.sleep(1)
        sizes.append(memory(options.pid))
    used = processor(options.pid) - used
    ending.set()
    # Wait for data in transit; then all must have received the same last line.
    await asyncio.sleep(0.5)
    mute = sum(not reader.numbers for reader in healthy)
    if mute:
        print(f"{mute} readers received nothing: statuses {set(r.status for r in healthy if not r.numbers)}, "
              f"{sum(r.lost for r in healthy)} connections were lost")
        return 1
    last = min(reader.numbers[-1] for reader in healthy)
    return report(options, healthy, stalled, before, sizes, used, last)


def report(options, healthy, stalled, before, sizes, used, last):
    refused = sum(reader.status != b"200" for reader in healthy)
    missed = sum(
        reader.lost or reader.gaps > 0 or reader.numbers != list(range(reader.numbers[0], reader.numbers[-1] + 1))
        for reader in healthy
    )
    newest = max(reader.numbers[-1] for reader in healthy)
    delays = sorted(delay for reader in healthy for delay in reader.delays)
    share = lambda part: delays[min(len(delays) - 1, int(len(delays) * part))] * 1000
    third = len(sizes) // 3
    early, late = max(sizes[:third]), max(sizes[-third:])
    print(f"readers: {len(healthy)} healthy, {len(stalled)} stalled, {refused} refused, {options.seconds:.0f} s")
    print(f"lines: {last - healthy[0].numbers[0]} to each, {len(delays)} in all, "
          f"{len(delays) / options.seconds:.0f} a second; readers that missed any: {missed}, "
          f"furthest behind at the end: {newest - last} lines")
    print(f"delay: median {share(.5):.1f} ms, 99 % {share(.99):.1f} ms, 99.9 % {share(.999):.1f} ms, maximum {share(1):.1f} ms")
    print(f"memory: {before:.1f} MB before, at most {early:.1f} MB in the first third, {late:.1f} MB in the last")
    print(f"processor: {used / options.seconds * 100:.0f} % of one")
    return refused or missed or newest - last > 2 or share(.99) > options.limit or late > early * 1.03 + 1


parser = argparse.ArgumentParser()
parser.add_argument("url")
parser.add_argument("token")
parser.add_argument("pid", type=int)
parser.add_argument("--readers", type=int, default=1000)
parser.add_argument("--stalled", type=float, default=0.1)
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("--goals", type=float, default=0, help="a second")
parser.add_argument("--limit", type=float, default=250, help="milliseconds")
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536), most))
raise SystemExit(bool(asyncio.run(main(parser.parse_args()))))
