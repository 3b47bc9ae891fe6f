"""Judges MQTT messages, one per line as '1 TOPIC PAYLOAD', by Home Assistant's schemas and rules."""

import json
import re
import sys

from homeassistant.components.mqtt import binary_sensor, sensor
from homeassistant.components.sensor import const

SCHEMAS = {"sensor": sensor.DISCOVERY_SCHEMA, "binary_sensor": binary_sensor.DISCOVERY_SCHEMA}
# Home Assistant removes them before the schema sees them.
ORIGIN = {"origin"}

messages = {}
for line in open(sys.argv[1], encoding="utf-8"):
    retained, topic, payload = line.rstrip("\n").split(" ", 2)
    assert retained == "1", f"{topic} is not retained"
    messages[topic] = payload

state = json.loads(messages["check/state"])
assert messages["check/availability"] == "online", messages["check/availability"]
assert "sources" in json.loads(messages["check/sources"])

identifiers = set()
for topic, payload in sorted(messages.items()):
    if not topic.startswith("homeassistant/"):
        continue
    match = re.fullmatch(r"homeassistant/(\w+)/([a-zA-Z0-9_-]+)/([a-zA-Z0-9_-]+)/config", topic)
    assert match, f"{topic} is not a topic of discovery"
    given = json.loads(payload)
    judged = SCHEMAS[match[1]]({key: value for key, value in given.items() if key not in ORIGIN})
    # The schema drops unknown keys without a word.
    unknown = set(given) - set(judged) - ORIGIN
    assert not unknown, f"{topic}: unknown keys {unknown}"
    assert given["device"].keys() <= {"identifiers", "name", "manufacturer", "model", "sw_version"}
    assert given["unique_id"] not in identifiers, given["unique_id"]
    identifiers.add(given["unique_id"])
    device_class = given.get("device_class")
    if match[1] == "sensor" and device_class:
        units = const.DEVICE_CLASS_UNITS[const.SensorDeviceClass(device_class)]
        assert given["unit_of_measurement"] in units, f"{topic}: {given['unit_of_measurement']}"
        classes = const.DEVICE_CLASS_STATE_CLASSES[const.SensorDeviceClass(device_class)]
        assert const.SensorStateClass(given["state_class"]) in classes, f"{topic}: {given['state_class']}"
    # The template as Home Assistant renders it.
    value = judged["value_template"].template.strip("{} ").removeprefix("value_json.")
    assert value in state, f"{topic}: {value} is not in the state"
    print(f"OK  {match[1]:13} {match[3]:15} {state[value]}")
assert len(identifiers) == 10, identifiers
