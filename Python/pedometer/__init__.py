"""Counts steps in accelerometer recordings and NumPy arrays.

The counts are those of the command ``pedometer count``, from the same code, on one thread and without a copy of the data::

    import pedometer

    walk = pedometer.count("week.cwa")            # a file: text or a research device's, plain, compressed or in an archive
    print(walk.steps, walk.mean_cadence * 60)
    walk.minutes().to_csv("minutes.csv")          # with pandas

    walk = pedometer.steps(t, xyz, units="m/s2")  # t in seconds (n,), xyz (n, 3)
    print(walk.step_times)

Functions may be called from several threads at once, and run in parallel: the interpreter's lock is released while they
count. A :class:`Counter` belongs to one thread at a time.
"""

from __future__ import annotations

import ctypes
import math
import os
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

import numpy as np

from . import _library as _c
from ._library import BusyError, DeniedError, Error, MissingError, ReadError, RecordingError, UsageError

if TYPE_CHECKING:
    import pandas
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "BusyError", "Counter", "DeniedError", "Error", "MissingError", "ReadError", "RecordingError", "UsageError", "Walk",
    "count", "steps",
]
for _kind in (BusyError, DeniedError, Error, MissingError, ReadError, RecordingError, UsageError):
    _kind.__module__ = __name__
__version__: str = _c.text(_c.library.pedometer_version()) or ""

_EPOCH = np.dtype(
    [("start", "f8"), ("steps", "i8"), ("distance_travelled", "f8"), ("cadence", "f8"), ("confidence", "f8")]
)
_BOUT = np.dtype([("start", "f8"), ("end", "f8"), ("steps", "i8"), ("cadence", "f8"), ("confidence", "f8")])
_GAIT = np.dtype(
    [("start", "f8"), ("end", "f8"), ("steps", "i8"), ("strides", "i8"), ("cadence", "f8"), ("cadence_deviation", "f8"),
     ("step_time", "f8"), ("step_time_deviation", "f8"), ("stride_time", "f8"), ("stride_time_deviation", "f8"),
     ("asymmetry", "f8"), ("step_regularity", "f8"), ("stride_regularity", "f8")]
)


class Walk:
    """What was counted. Times are in seconds since the recording's first sample.

    ``int(walk)`` is the number of steps. NaN stands for what is not known, such as the cadence without a step.
    """

    #: Steps of both feet.
    steps: int
    #: Metres.
    distance_travelled: float
    #: From the first sample to the last, in seconds.
    duration: float
    #: The time in which the steps were taken, in seconds.
    walking_duration: float
    #: Steps per second of walking.
    mean_cadence: float
    #: The mean probability that the steps were walking, 0 to 1.
    confidence: float
    #: The number of samples.
    samples: int
    #: Hz, without gaps.
    sampling_frequency: float
    #: Gaps in the times of more than a second.
    gaps: int
    #: What was doubtful or lost, one sentence each.
    warnings: Tuple[str, ...]
    #: Times of the first and the last sample, in ISO 8601; ``None`` where the recording names no day, and for arrays.
    start: Optional[str]
    end: Optional[str]
    #: The time of each step: float64, shape (steps,).
    step_times: "NDArray[np.float64]"
    #: The probability that each step was walking, 0 to 1: float64, shape (steps,).
    step_confidences: "NDArray[np.float64]"
    #: The time of the first sample: seconds of the recording's clock, or ``numpy.datetime64`` if the times were.
    origin: Any

    def __init__(self, counter: "Counter") -> None:
        handle, library = counter._handle, _c.library
        total = _c.Total(size=ctypes.sizeof(_c.Total))
        _c.check(library.pedometer_totals(handle, ctypes.byref(total)))
        for name in [
            "steps", "distance_travelled", "duration", "walking_duration", "mean_cadence", "confidence", "samples",
            "sampling_frequency", "gaps",
        ]:
            setattr(self, name, getattr(total, name))
        self.warnings = tuple(_c.text(library.pedometer_warning(handle, i)) or "" for i in range(total.warnings))
        self.start = _c.text(library.pedometer_start(handle))
        self.end = _c.text(library.pedometer_end(handle))
        self._zero = _c.text(library.pedometer_origin(handle))
        self.origin = (
            np.datetime64(total.origin, "ns") if counter._uses_datetimes else total.origin / 1e9
        )
        self.step_times = np.empty(self.steps)
        self.step_confidences = np.empty(self.steps)
        count = ctypes.c_int64()
        _c.check(
            library.pedometer_steps(
                handle, self.step_times.ctypes.data, self.step_confidences.ctypes.data, self.steps, ctypes.byref(count)
            )
        )
        # The handle stays, for epochs.
        self._counter = counter

    def __int__(self) -> int:
        return self.steps

    def __repr__(self) -> str:
        cadence = "" if math.isnan(self.mean_cadence) else f" at {self.mean_cadence * 60:.0f} steps/min"
        return f"<Walk: {self.steps} steps, {self.distance_travelled:.0f} m{cadence}, {self.duration:.0f} s recorded>"

    def epochs(self, length: float) -> "NDArray[np.void]":
        """Consecutive intervals from the first sample to the last, which may be shorter.

        :param length: of an interval, in seconds, at least 1.
        :returns: a structured array, shape (n,), with the fields ``start`` (s), ``steps``, ``distance_travelled`` (m),
            ``cadence`` (steps per second of walking) and ``confidence`` (0 to 1); the last two are NaN without steps.
        :raises UsageError: if the length is less than 1 s, or there would be more than ten million.
        """
        return self._list(_EPOCH, lambda *place: _c.library.pedometer_epochs(self._counter._handle, length, *place))

    def bouts_array(self) -> "NDArray[np.void]":
        """Bouts of walking: steps no further apart than two seconds.

        :returns: a structured array, shape (n,), with the fields ``start`` and ``end`` (s), ``steps``, ``cadence``
            (steps per second; NaN for a single step) and ``confidence`` (0 to 1).
        """
        return self._list(_BOUT, lambda *place: _c.library.pedometer_bouts(self._counter._handle, *place))

    def gait_array(self) -> "NDArray[np.void]":
        """The gait of each bout with strides; empty unless it was asked for with ``gait=True``.

        :returns: a structured array, shape (n,), with the fields ``start`` and ``end`` (s), ``steps``, ``strides``,
            ``cadence`` (steps per second), ``step_time`` and ``stride_time`` (s) with the standard deviations
            ``cadence_deviation``, ``step_time_deviation`` and ``stride_time_deviation``, ``asymmetry`` (percent of the
            step time), ``step_regularity`` and ``stride_regularity`` (at most 1; NaN below 8 strides in a row).
        """
        return self._list(_GAIT, lambda *place: _c.library.pedometer_gait_bouts(self._counter._handle, *place))

    def gait_total(self) -> "np.void":
        """The gait of all bouts: one record with the fields of :meth:`gait_array`; deviations are those within bouts."""
        total: "NDArray[np.void]" = np.empty(1, _GAIT)
        _c.check(_c.library.pedometer_gait_total(self._counter._handle, total.ctypes.data))
        record: "np.void" = total[0]
        return record

    def gait(self) -> "pandas.DataFrame":
        """The gait of each bout as a pandas frame; needs pandas.

        :returns: the columns of :meth:`gait_array`, and ``time``, when each began, where the times of day are known.
        :raises ImportError: without pandas; :meth:`gait_array` needs none.
        """
        return self._frame(self.gait_array(), "start")

    def minutes(self, length: float = 60) -> "pandas.DataFrame":
        """The epochs as a pandas frame; needs pandas.

        :param length: of an interval, in seconds, at least 1.
        :returns: the columns of :meth:`epochs`, and ``time`` where the times of day are known: local time of the
            recording, with its offset from UTC if that is known.
        :raises ImportError: without pandas; :meth:`epochs` needs none.
        """
        return self._frame(self.epochs(length), "start")

    def bouts(self) -> "pandas.DataFrame":
        """The bouts as a pandas frame; needs pandas.

        :returns: the columns of :meth:`bouts_array`, and ``time``, when each began, where the times of day are known.
        :raises ImportError: without pandas; :meth:`bouts_array` needs none.
        """
        return self._frame(self.bouts_array(), "start")

    def _list(self, dtype: "np.dtype[np.void]", fill: Any) -> "NDArray[np.void]":
        count = ctypes.c_int64()
        _c.check(fill(None, 0, ctypes.byref(count)))
        found: "NDArray[np.void]" = np.empty(count.value, dtype)
        _c.check(fill(found.ctypes.data, count.value, ctypes.byref(count)))
        return found

    def _frame(self, array: "NDArray[np.void]", column: str) -> "pandas.DataFrame":
        import pandas

        frame = pandas.DataFrame(array)
        zero = self._zero if self._zero is not None else self.origin
        if not isinstance(zero, float):
            frame.insert(0, "time", pandas.Timestamp(zero) + pandas.to_timedelta(frame[column], unit="s"))
        return frame


class Counter:
    """Counts one recording, piece by piece. It belongs to one thread at a time.

    ::

        counter = pedometer.Counter(units="g")
        for t, xyz in pieces:
            counter.process(t, xyz)
        walk = counter.finish()

    :param units: ``"g"``, ``"mg"``, ``"m/s2"`` or ``"raw=16384"`` with the counts per g; ``"auto"`` detects it, with a
        warning where it is doubtful.
    :param rate: samples per second, 5 to 100000, of data without times.
    :param height: the walker's height in metres, 0.5 to 2.6; the step length is computed from it.
    :param step_length: the step length in metres, 0.1 to 3; it takes precedence over the height.
    :param gait: whether steps are refined to some 3 ms and :meth:`Walk.gait` is measured.
    :raises UsageError: if a value is out of range.

    The other parameters are those of :func:`count`, for files.
    """

    def __init__(
        self,
        *,
        units: str = "auto",
        rate: Optional[float] = None,
        height: Optional[float] = None,
        step_length: Optional[float] = None,
        input_format: str = "auto",
        columns: Optional[str] = None,
        start: Optional[str] = None,
        end: Optional[str] = None,
        entry: Optional[str] = None,
        gait: bool = False,
    ) -> None:
        self._handle = ctypes.c_void_p()
        self._uses_datetimes = False
        options = _c.Options(
            size=ctypes.sizeof(_c.Options),
            units=_bytes("units", units),
            rate=_number("rate", rate),
            height=_number("height", height),
            step_length=_number("step_length", step_length),
            input_format=_bytes("input_format", input_format),
            columns=_bytes("columns", columns),
            start=_bytes("start", start),
            end=_bytes("end", end),
            entry=_bytes("entry", entry),
            gait=int(bool(gait)),
        )
        _c.check(_c.library.pedometer_create(ctypes.byref(options), ctypes.byref(self._handle)))

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        # The module may be gone when the interpreter ends.
        if handle and _c is not None:
            self._handle = ctypes.c_void_p()
            _c.library.pedometer_destroy(handle)

    def process(self, t: "Optional[ArrayLike]", xyz: "ArrayLike") -> None:
        """Counts samples. All are checked first: if this raises, none of them is counted.

        :param t: times, each later than the one before, shape (n,): seconds as float32 or float64, or datetime64;
            ``None`` if they are ``1 / rate`` apart. Seconds may have any origin. float32 is too coarse for Unix time.
        :param xyz: acceleration including gravity, shape (n, 3), float32 or float64, in the unit of the counter. Any
            strides, so slices, transposes and columns of frames are read in place.
        :raises TypeError: for other types of numbers.
        :raises ValueError: for other shapes.
        :raises RecordingError: for values that are not finite, and times that do not rise, with their place.
        """
        values = np.asarray(xyz)
        if values.dtype not in (np.float32, np.float64):
            raise TypeError(f"xyz is {values.dtype}; give float32 or float64, such as xyz.astype('float32')")
        if values.ndim != 2 or values.shape[1] != 3:
            hint = "; transpose it: xyz.T" if values.ndim == 2 and values.shape[0] == 3 else ""
            raise ValueError(f"xyz has the shape {values.shape}; give (n, 3), one row a sample{hint}")
        samples = _c.Samples(
            size=ctypes.sizeof(_c.Samples), count=values.shape[0], xyz=values.ctypes.data or None,
            row_stride=values.strides[0], axis_stride=values.strides[1],
            xyz_type=_c.FLOAT32 if values.dtype == np.float32 else _c.FLOAT64,
        )
        if t is not None:
            times = np.asarray(t)
            if times.dtype.kind == "M":
                if np.isnat(times).any():
                    raise RecordingError("a time is NaT; leave out rows without a time")
                times = times.astype("datetime64[ns]", copy=False)
                self._uses_datetimes, kind = True, _c.INT64
            elif times.dtype == np.float64:
                kind = _c.FLOAT64
            elif times.dtype == np.float32:
                kind = _c.FLOAT32
            else:
                raise TypeError(f"t is {times.dtype}; give seconds as float64, or datetime64")
            if times.shape != values.shape[:1]:
                raise ValueError(f"t has the shape {times.shape}; give {values.shape[:1]}, one time for each row of xyz")
            samples.times, samples.times_stride, samples.times_type = times.ctypes.data or None, times.strides[0], kind
        if values.shape[0] == 0:
            raise RecordingError("the arrays are empty; give at least one sample")
        _c.check(_c.library.pedometer_process(self._handle, ctypes.byref(samples)))

    def finish(self) -> Walk:
        """Ends the recording; no samples may follow.

        :raises RecordingError: if no steps can be counted in it: no samples, most of them more than a second apart, less
            than 5 or more than 100000 a second, or all the same.
        """
        _c.check(_c.library.pedometer_finish(self._handle))
        return Walk(self)

    def so_far(self) -> Walk:
        """The walk up to now; the last 20 seconds may lack steps."""
        return Walk(self)


def steps(
    t: "Optional[ArrayLike]",
    xyz: "ArrayLike",
    *,
    units: str = "auto",
    rate: Optional[float] = None,
    height: Optional[float] = None,
    step_length: Optional[float] = None,
    gait: bool = False,
) -> Walk:
    """Counts the steps in arrays, without a copy of them.

    ::

        t = np.arange(3000) / 50
        walk = pedometer.steps(t, xyz, units="g")

    :param t: times, shape (n,): seconds as float32 or float64, or datetime64; ``None`` with ``rate``.
    :param xyz: acceleration including gravity, shape (n, 3), float32 or float64.
    :param units: ``"g"``, ``"mg"``, ``"m/s2"``, ``"raw=16384"`` or ``"auto"``.
    :param rate: samples per second of data without times.
    :param height: in metres, 0.5 to 2.6.
    :param step_length: in metres, 0.1 to 3.
    :param gait: whether :meth:`Walk.gait` is measured, and step times are refined.
    :raises TypeError: for other types of numbers.
    :raises ValueError: for other shapes; as :class:`UsageError` and :class:`RecordingError` for other faults.

    :meth:`Counter.process` and :meth:`Counter.finish` have the details.
    """
    counter = Counter(units=units, rate=rate, height=height, step_length=step_length, gait=gait)
    counter.process(t, xyz)
    return counter.finish()


def count(
    path: "Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]",
    *,
    units: str = "auto",
    rate: Optional[float] = None,
    height: Optional[float] = None,
    step_length: Optional[float] = None,
    input_format: str = "auto",
    columns: Optional[str] = None,
    start: Optional[str] = None,
    end: Optional[str] = None,
    entry: Optional[str] = None,
    gait: bool = False,
) -> Walk:
    """Counts the steps in a recording, as ``pedometer count`` does.

    :param path: a file: CSV, JSON, or of an Axivity, ActiGraph, GENEActiv or Matrix device, plain, compressed or in an
        archive. Its format is detected.
    :param units: ``"g"``, ``"mg"``, ``"m/s2"``, ``"raw=16384"`` or ``"auto"``.
    :param rate: samples per second of a recording without times.
    :param height: in metres, 0.5 to 2.6.
    :param step_length: in metres, 0.1 to 3.
    :param input_format: ``"auto"``, ``"csv"``, ``"jsonl"``, ``"cwa"``, ``"gt3x"``, ``"geneactiv"``, ``"matrix"`` or
        ``"iio"``.
    :param columns: of text: time, x, y and z, or x, y and z, by name or number: ``"t,x,y,z"``.
    :param start: earlier samples are left out: ISO 8601, or seconds from the first sample, such as ``"90"``.
    :param end: this and later samples are left out.
    :param entry: the file to read from an archive with several recordings.
    :param gait: whether :meth:`Walk.gait` is measured, and step times are refined.
    :raises UsageError: if an argument is wrong, or one is missing.
    :raises RecordingError: if it is not a recording that can be counted.
    :raises OSError: if it cannot be read; ``FileNotFoundError`` and ``PermissionError`` in particular.
    """
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("the path contains a NUL character")
    counter = Counter(
        units=units, rate=rate, height=height, step_length=step_length, input_format=input_format, columns=columns,
        start=start, end=end, entry=entry, gait=gait,
    )
    _c.check(_c.library.pedometer_count_file(counter._handle, name))
    return Walk(counter)


def _bytes(name: str, value: Optional[str]) -> Optional[bytes]:
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(f"{name} is {type(value).__name__}; give a string")
    if "\0" in value:
        raise ValueError(f"{name} contains a NUL character")
    return value.encode("utf-8", "surrogateescape")


def _number(name: str, value: Optional[float]) -> float:
    if value is None:
        return 0.0
    number = float(value)
    if number == 0:
        raise UsageError(f"{name} is 0; leave it out, or give a value above zero")
    return number
