"""Reads the live stream like a browser: format, event IDs, and reconnection."""

import http.client
import json
import sys
import urllib.parse

url, token = urllib.parse.urlsplit(sys.argv[1]), sys.argv[2]


def events(last=None):
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    headers = {"Authorization": f"Bearer {token}"}
    if last:
        headers["Last-Event-ID"] = last
    connection.request("GET", "/api/live", headers=headers)
    response = connection.getresponse()
    assert response.status == 200, response.status
    assert response.getheader("Content-Type") == "text/event-stream"
    assert response.getheader("Cache-Control") == "no-store"
    number, data = None, []
    try:
        while True:
            line = response.readline().decode().rstrip("\n")
            name, _, value = line.partition(": ")
            if line == "":
                if data:
                    yield number, json.loads("\n".join(data))
                number, data = None, []
            elif name == "id":
                number = value
            elif name == "data":
                data.append(value)
            else:
                assert line.startswith(":") or name == "retry", line
    finally:
        connection.close()


stream = events()
number, first = next(stream)
assert number is None and first["type"] == "today" and first["steps"] >= 0, first
seen = [int(next(stream)[0]) for _ in range(4)]
stream.close()
assert seen == list(range(seen[0], seen[0] + 4)), seen
again = events(str(seen[1]))
assert [int(next(again)[0]) for _ in range(3)] == [seen[2], seen[3], seen[3] + 1]
again.close()
print("OK: today first, increasing numbers, resumed without loss")
