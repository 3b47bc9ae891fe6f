"""Counts steps in accelerometer recordings and NumPy arrays, and reads recordings into arrays.

The counts are those of the command ``pedometer count``, from the same code, on one thread and without a copy of the data::

    import pedometer

    walk = pedometer.count("week.cwa")            # a file: text or a research device's, plain, compressed or in an archive
    print(walk.steps, walk.cadence_per_minute)
    walk.minutes().to_csv("minutes.csv")          # with pandas

    walk = pedometer.steps(t, xyz, units="m/s2")  # t in seconds (n,), xyz (n, 3)
    print(walk.step_times)

    week = pedometer.read("week.cwa", calibrate=True, wear=True)
    print(week.time, week.x, week.y, week.z, week.wear, week.metadata.serial)

Functions may be called from several threads at once, and run in parallel: the interpreter's lock is released while they
count and read. A :class:`Counter` belongs to one thread at a time. Arrays need NumPy; counting files does not.
"""

from __future__ import annotations

from . import _library as _c
from ._counting import Counter, Walk, count, steps
from ._library import BusyError, DeniedError, Error, MissingError, ReadError, RecordingError, UsageError
from ._reading import Calibration, Metadata, Recording, read

__all__ = [
    "BusyError", "Calibration", "Counter", "DeniedError", "Error", "Metadata", "MissingError", "ReadError", "Recording",
    "RecordingError", "UsageError", "Walk", "count", "read", "steps",
]
# What users see and pickle is of this module.
for _item in (
    BusyError, Calibration, Counter, DeniedError, Error, Metadata, MissingError, ReadError, Recording, RecordingError,
    UsageError, Walk, count, read, steps,
):
    _item.__module__ = __name__
__version__: str = _c.text(_c.library.pedometer_version()) or ""
