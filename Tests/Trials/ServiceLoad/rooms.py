"""Rooms full of walkers who tell how far they are and talk, some of whose connections are cut and made again: what they
miss or get twice, how long a frame takes, what it costs.

    rooms.py URL TOKEN PID [--rooms 50] [--walkers 20] [--cut 0.05] [--seconds 60]

Each walker hears the chat, watches the standings, tells a frame a second and says something now and then. Over the whole
time a share of the streams is cut without a word; a walker whose chat was cut comes back with `since` and `session`. Ends with 1 when a
walker missed a message, got one twice or out of order, when a frame did not come, when the 99th percentile is above
--limit, when something was refused, or when the memory grew.
"""

import argparse
import asyncio
import json
import random
import resource
import time
import urllib.parse

from usage import memory, processor


def now():
    return time.clock_gettime(time.CLOCK_MONOTONIC)


class Lines(asyncio.Protocol):
    """A stream of JSON lines, chunked or not, as bytes of the line."""

    def __init__(self, request, take, lost):
        self.request, self.take, self.lost = request, take, lost
        self.rest, self.status = b"", None

    def connection_made(self, transport):
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data):
        if self.status is None:
            self.status = data[9:12]
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            # Other lines are the head and the lengths of the chunks.
            if line[:1] == b"{":
                self.take(line)

    def connection_lost(self, error):
        self.lost(self)

    def cut(self):
        self.transport.abort()


class Posts(asyncio.Protocol):
    """One pipelined connection for all requests of a room's walkers; the answers arrive in order."""

    def __init__(self):
        self.answers, self.rest, self.waiting = {}, b"", 0

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        data = self.rest + data
        parts = data.split(b"HTTP/1.1 ")
        for part in parts[1:-1] + ([parts[-1]] if parts[-1][3:4] == b" " else []):
            self.answers[part[:3]] = self.answers.get(part[:3], 0) + 1
        self.rest = b"" if parts[-1][3:4] == b" " or len(parts) == 1 else b"HTTP/1.1 " + parts[-1]
        # The start of a status line may be incomplete.
        tail = data[-12:]
        if len(parts) == 1 or parts[-1][3:4] == b" ":
            for length in range(min(8, len(tail)), 0, -1):
                if b"HTTP/1.1 ".startswith(tail[-length:]):
                    self.rest = tail[-length:]
                    break


class Walker:
    def __init__(self, room, number, load):
        self.room, self.load = room, load
        self.name = f"walker {number}"
        self.seqs, self.session, self.frames, self.seq = [], None, 0, 0
        self.cuts, self.statuses = 0, set()
        self.wanted = True
        self.chat = self.live = None

    def query(self, path, **values):
        values = {"room": self.room.name, **values}
        return path + "?" + urllib.parse.urlencode(values, quote_via=urllib.parse.quote)

    async def listen(self):
        values = {"user": self.name}
        if self.seqs:
            values.update(since=self.seqs[-1], session=self.session)
        self.chat = await self.load.stream(self.room, self.query("/chat/room", **values), self.hear, self.chat_lost)

    async def watch(self):
        self.live = await self.load.stream(self.room, self.query("/race/live"), self.see, self.live_lost)

    def hear(self, line):
        value = json.loads(line)
        if "activeUsers" in value:
            self.session = value["session"]
        elif "seq" in value:
            self.seqs.append(value["seq"])

    def see(self, line):
        # {"distance":…,"nessieDistance":…,"state":…,"steps":…,"user":…}; the distance contains the time of sending.
        if line.startswith(b'{"distance":'):
            self.frames += 1
            if self.load.measuring:
                self.load.delays.append(now() - self.load.epoch - float(line[12 : line.index(b",")]))

    def chat_lost(self, stream):
        self.statuses.add(stream.status)
        if self.wanted and stream is self.chat:
            self.load.again(self.listen())

    def live_lost(self, stream):
        self.statuses.add(stream.status)
        if self.wanted and stream is self.live:
            self.load.again(self.watch())

    def tell(self):
        self.room.post(
            self.query("/race/status"),
            {"user": self.name, "state": "inProgress", "steps": self.seq, "goal": 100000,
             "distance": round(now() - self.load.epoch, 6), "nessieDistance": 1, "runner": 0.1, "nessie": 0.1,
             "seq": self.seq})
        self.seq += 1

    def say(self):
        self.room.post(self.query("/chat/say"), {"user": self.name, "message": f"{self.name} at {self.seq} \u2615"})
        self.room.said += 1


class Room:
    def __init__(self, number, load):
        self.name, self.load, self.said, self.told = f"room {number}", load, 0, 0
        # Each room has its own client address.
        self.source = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self.walkers = [Walker(self, n, load) for n in range(load.options.walkers)]

    async def connect(self):
        loop = asyncio.get_running_loop()
        _, self.posts = await loop.create_connection(Posts, *self.load.address, local_addr=(self.source, 0))

    def post(self, target, body):
        body = json.dumps(body).encode()
        self.posts.transport.write(
            (f"POST {target} HTTP/1.1\r\nHost: {self.load.host}\r\nAuthorization: Bearer {self.load.options.token}\r\n"
             f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body)
        self.told += 1


class Load:
    def __init__(self, options):
        url = urllib.parse.urlsplit(options.url)
        self.options, self.host, self.address = options, url.netloc, (url.hostname, url.port)
        self.epoch, self.delays, self.measuring = now(), [], False
        self.tasks, self.cuts = set(), 0
        self.rooms = [Room(number, self) for number in range(options.rooms)]
        self.walkers = [walker for room in self.rooms for walker in room.walkers]

    async def stream(self, room, target, take, lost):
        request = (f"GET {target} HTTP/1.1\r\nHost: {self.host}\r\n"
                   f"Authorization: Bearer {self.options.token}\r\n\r\n").encode()
        loop = asyncio.get_running_loop()
        _, protocol = await loop.create_connection(
            lambda: Lines(request, take, lost), *self.address, local_addr=(room.source, 0))
        return protocol

    def again(self, coroutine):
        task = asyncio.get_running_loop().create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def walk(self, walker, until):
        """Sends a frame per second at a random phase, and a message about every ten seconds."""
        await asyncio.sleep(random.random())
        start, count = now(), 0
        while now() < until:
            walker.tell()
            if random.random() < 0.1:
                walker.say()
            count += 1
            await asyncio.sleep(max(0, start + count - now()))

    async def cutting(self, until):
        """Cuts this many streams, evenly over the time."""
        streams = 2 * len(self.walkers)
        pause = self.options.seconds / max(1, streams * self.options.cut)
        while now() < until - 2:
            walker = random.choice(self.walkers)
            stream = random.choice([walker.chat, walker.live])
            if stream:
                stream.cut()
                self.cuts += 1
            await asyncio.sleep(pause)

    async def run(self):
        before, begun = memory(self.options.pid), now()
        for room in self.rooms:
            await room.connect()
            for walker in room.walkers:
                await walker.listen()
                await walker.watch()
        print(f"{self.options.rooms} rooms of {self.options.walkers}: {len(self.walkers) * 2 + len(self.rooms)} "
              f"connections in {now() - begun:.1f} s")
        await asyncio.sleep(3)
        self.measuring = True
        start, used, own = now(), processor(self.options.pid), time.process_time()
        until, sizes = start + self.options.seconds, []
        tasks = [asyncio.create_task(self.walk(walker, until)) for walker in self.walkers]
        tasks.append(asyncio.create_task(self.cutting(until)))
        while now() < until:
            await asyncio.sleep(1)
            sizes.append(memory(self.options.pid))
        used, own = processor(self.options.pid) - used, time.process_time() - own
        await asyncio.gather(*tasks)
        # Wait for data in transit, and for reconnections.
        await asyncio.sleep(3)
        return self.report(before, sizes, used, own)

    def report(self, before, sizes, used, own):
        told = sum(room.told for room in self.rooms)
        answers = {}
        for room in self.rooms:
            for status, count in room.posts.answers.items():
                answers[status.decode()] = answers.get(status.decode(), 0) + count
        refused = sum(count for status, count in answers.items() if status != "200") + sum(
            status not in (b"200", None) for walker in self.walkers for status in walker.statuses)
        missed, doubled, heard = 0, 0, 0
        mute = [walker for walker in self.walkers if not walker.seqs]
        if mute or not self.delays:
            print(f"{len(mute)} walkers received nothing, {len(self.delays)} frames were received; the streams' statuses: "
                  f"{set(w.chat.status for w in mute)}, those that ended: {set().union(*(w.statuses for w in mute))}; "
                  f"answers to {told} requests: {answers}")
            return 1
        for room in self.rooms:
            last = max(walker.seqs[-1] for walker in room.walkers)
            for walker in room.walkers:
                numbers = walker.seqs
                heard += len(numbers)
                doubled += len(numbers) != len(set(numbers))
                missed += numbers != list(range(numbers[0], last + 1)) and len(numbers) == len(set(numbers))
        delays = sorted(self.delays)
        share = lambda part: delays[min(len(delays) - 1, int(len(delays) * part))] * 1000
        third = len(sizes) // 3
        early, late = max(sizes[:third]), max(sizes[-third:])
        seconds = self.options.seconds
        print(f"posted: {told} ({told / seconds:.0f} per second), answers {answers}; streams cut and reopened: {self.cuts}")
        print(f"chat: {sum(room.said for room in self.rooms)} messages sent, {heard} received; walkers that missed any: "
              f"{missed}, that got one twice: {doubled}")
        print(f"frames: {len(delays)} received ({len(delays) / seconds:.0f} per second); delay: median {share(.5):.1f} ms, "
              f"99 % {share(.99):.1f} ms, 99.9 % {share(.999):.1f} ms, most {share(1):.1f} ms")
        print(f"memory: {before:.1f} MB before, at most {early:.1f} MB in the first third, {late:.1f} MB in the last")
        print(f"processor: {used / seconds * 100:.0f} % of one; this program {own / seconds * 100:.0f} %")
        unanswered = told - sum(answers.values())
        if unanswered:
            print(f"{unanswered} requests were not answered")
        frames = sum(walker.seq for walker in self.walkers) * self.options.walkers
        # Frames during a reconnection, and frames replaced by newer ones for a slow reader, are not received.
        few = len(delays) < frames * 0.98
        if few:
            print(f"only {len(delays)} of {frames} frames were received")
        return refused or missed or doubled or unanswered or few or share(.99) > self.options.limit \
            or late > early * 1.05 + 2


parser = argparse.ArgumentParser()
parser.add_argument("url")
parser.add_argument("token")
parser.add_argument("pid", type=int)
parser.add_argument("--rooms", type=int, default=50)
parser.add_argument("--walkers", type=int, default=20)
parser.add_argument("--cut", type=float, default=0.05, help="share of the streams that are cut over the time")
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("--limit", type=float, default=250, help="milliseconds")
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536), most))
raise SystemExit(bool(asyncio.run(Load(parser.parse_args()).run())))
