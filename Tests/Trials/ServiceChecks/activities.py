"""Decodes FIT files with Garmin's decoder, and compares totals with records."""

import pathlib
import sys

from garmin_fit_sdk import Decoder, Stream

paths = sorted(pathlib.Path(sys.argv[1]).glob("*.fit"))
assert paths, "no FIT files"
for path in paths:
    data = path.read_bytes()
    assert Decoder(Stream.from_byte_array(bytearray(data))).check_integrity(), f"{path.name}: damaged"
    messages, errors = Decoder(Stream.from_byte_array(bytearray(data))).read()
    assert not errors, errors
    (session,), (lap,), records = messages["session_mesgs"], messages["lap_mesgs"], messages["record_mesgs"]
    assert messages["file_id_mesgs"][0]["type"] == "activity"
    assert session["sport"] == lap["sport"] == "walking"
    assert abs(records[-1]["distance"] - session["total_distance"]) < 0.02, path.name
    times = [record["timestamp"] for record in records]
    assert times == sorted(times) and session["start_time"] == times[0] and session["timestamp"] == times[-1]
    elapsed = (times[-1] - times[0]).total_seconds()
    assert abs(elapsed - session["total_elapsed_time"]) <= 1, path.name
    cadence = [record["cadence"] + record["fractional_cadence"] for record in records]
    assert all(0 <= value < 255 for value in cadence)
    strides = session.get("total_strides", session.get("total_cycles"))
    print(f"OK  {path.name}: {strides} strides, {session['total_distance']} m, {elapsed:.0f} s, {max(cadence)} strides/min")
    # One wrong bit must be noticed.
    damaged = bytearray(data)
    damaged[len(data) // 2] ^= 4
    assert not Decoder(Stream.from_byte_array(damaged)).check_integrity(), "the decoder notices nothing"
