"""Counting steps in files and in arrays."""

from __future__ import annotations

import ctypes
import math
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Tuple, Union

from ._arguments import options, path_bytes, require_numpy
from ._library import FLOAT32, FLOAT64, INT64, Options, RecordingError, Samples, Total, check, library, size_of, text

if TYPE_CHECKING:
    import numpy as np
    import pandas
    from numpy.typing import ArrayLike, NDArray

_EPOCH = [("start", "f8"), ("steps", "i8"), ("distance_travelled", "f8"), ("cadence", "f8"), ("confidence", "f8")]
_BOUT = [("start", "f8"), ("end", "f8"), ("steps", "i8"), ("cadence", "f8"), ("confidence", "f8")]
_GAIT = [
    ("start", "f8"), ("end", "f8"), ("steps", "i8"), ("strides", "i8"), ("cadence", "f8"), ("cadence_deviation", "f8"),
    ("step_time", "f8"), ("step_time_deviation", "f8"), ("stride_time", "f8"), ("stride_time_deviation", "f8"),
    ("asymmetry", "f8"), ("step_regularity", "f8"), ("stride_regularity", "f8"),
]


class _Handle:
    """A handle of the library, freed with the last object that uses it."""

    def __init__(self, given: Options) -> None:
        # What ctypes passes to a function for this object.
        self._as_parameter_ = ctypes.c_void_p()
        check(library.pedometer_create(ctypes.byref(given), ctypes.byref(self._as_parameter_)))

    def __del__(self, destroy: Callable[..., None] = library.pedometer_destroy) -> None:
        # The destructor is an argument, because the module may be gone when the interpreter ends.
        destroy(self._as_parameter_)


class Walk:
    """What was counted. Times are in seconds since the recording's first sample.

    ``int(walk)`` is the number of steps. NaN stands for what is not known, such as the cadence without a step.

    Attributes
    ----------
    steps : int
        Steps of both feet.
    distance_travelled : float
        Metres.
    duration : float
        From the first sample to the last, in seconds.
    walking_duration : float
        The time in which the steps were taken, in seconds.
    mean_cadence : float
        Steps per second of walking.
    cadence_per_minute : float
        The same in steps a minute.
    confidence : float
        The mean probability that the steps were walking, 0 to 1.
    samples : int
        The number of samples.
    sampling_frequency : float
        Hz, without gaps.
    gaps : int
        Gaps in the times of more than a second.
    warnings : tuple of str
        What was doubtful or lost, one sentence each.
    start, end : str or None
        Times of the first and the last sample, in ISO 8601; ``None`` where the recording names no day, and for arrays.
    origin : float or numpy.datetime64
        The time of the first sample: seconds of the recording's clock, or ``numpy.datetime64`` if the times were.
    """

    steps: int
    distance_travelled: float
    duration: float
    walking_duration: float
    mean_cadence: float
    cadence_per_minute: float
    confidence: float
    samples: int
    sampling_frequency: float
    gaps: int
    warnings: Tuple[str, ...]
    start: Optional[str]
    end: Optional[str]
    origin: Any

    def __init__(self, handle: "_Handle", uses_datetimes: bool = False) -> None:
        total = Total(size=size_of(Total))
        check(library.pedometer_totals(handle, ctypes.byref(total)))
        for name in [
            "steps", "distance_travelled", "duration", "walking_duration", "mean_cadence", "confidence", "samples",
            "sampling_frequency", "gaps",
        ]:
            setattr(self, name, getattr(total, name))
        self.cadence_per_minute = self.mean_cadence * 60
        self.warnings = tuple(text(library.pedometer_warning(handle, i)) or "" for i in range(total.warnings))
        self.start = text(library.pedometer_start(handle))
        self.end = text(library.pedometer_end(handle))
        self._zero = text(library.pedometer_origin(handle))
        self.origin = total.origin / 1e9
        if uses_datetimes:
            import numpy as np

            self.origin = np.datetime64(total.origin, "ns")
        # Not arrays of NumPy, which counting files does not need.
        self._times, self._confidences = (ctypes.c_double * self.steps)(), (ctypes.c_double * self.steps)()
        count = ctypes.c_int64()
        check(
            library.pedometer_steps(handle, self._times, self._confidences, self.steps, ctypes.byref(count))
        )
        # The handle stays, for epochs.
        self._handle = handle

    @cached_property
    def step_times(self) -> "NDArray[np.float64]":
        """The time of each step in seconds: float64, shape (steps,)."""
        return _array(self._times, "Walk.step_times")

    @cached_property
    def step_confidences(self) -> "NDArray[np.float64]":
        """The probability that each step was walking, 0 to 1: float64, shape (steps,)."""
        return _array(self._confidences, "Walk.step_confidences")

    def __int__(self) -> int:
        return self.steps

    def __repr__(self) -> str:
        cadence = "" if math.isnan(self.mean_cadence) else f" at {self.cadence_per_minute:.0f} steps/min"
        return f"<Walk: {self.steps} steps, {self.distance_travelled:.0f} m{cadence}, {self.duration:.0f} s recorded>"

    def epochs(self, length: float) -> "NDArray[np.void]":
        """Consecutive intervals from the first sample to the last, which may be shorter.

        Parameters
        ----------
        length : float
            The length of an interval in seconds, at least 1.

        Returns
        -------
        numpy.ndarray
            A structured array of shape (n,) with the fields ``start`` (s), ``steps``, ``distance_travelled`` (m),
            ``cadence`` (steps per second of walking) and ``confidence`` (0 to 1); the last two are NaN without steps.

        Raises
        ------
        UsageError
            If the length is less than 1 s, or there would be more than ten million intervals.
        """
        return self._list(_EPOCH, lambda *place: library.pedometer_epochs(self._handle, length, *place))

    def bouts_array(self) -> "NDArray[np.void]":
        """Bouts of walking: steps no further apart than two seconds.

        Returns
        -------
        numpy.ndarray
            A structured array of shape (n,) with the fields ``start`` and ``end`` (s), ``steps``, ``cadence`` (steps
            per second; NaN for a single step) and ``confidence`` (0 to 1).
        """
        return self._list(_BOUT, lambda *place: library.pedometer_bouts(self._handle, *place))

    def gait_array(self) -> "NDArray[np.void]":
        """The gait of each bout with strides; empty unless it was asked for with ``gait=True``.

        Returns
        -------
        numpy.ndarray
            A structured array of shape (n,) with the fields ``start`` and ``end`` (s), ``steps``, ``strides``,
            ``cadence`` (steps per second), ``step_time`` and ``stride_time`` (s) with the standard deviations
            ``cadence_deviation``, ``step_time_deviation`` and ``stride_time_deviation``, ``asymmetry`` (percent of the
            step time), ``step_regularity`` and ``stride_regularity`` (at most 1; NaN below 8 strides in a row).
        """
        return self._list(_GAIT, lambda *place: library.pedometer_gait_bouts(self._handle, *place))

    def gait_total(self) -> "np.void":
        """The gait of all bouts.

        Returns
        -------
        numpy.void
            One record with the fields of :meth:`gait_array`; deviations are those within bouts.
        """
        require_numpy("Walk.gait_total")
        import numpy as np

        total: "NDArray[np.void]" = np.empty(1, np.dtype(_GAIT))
        check(library.pedometer_gait_total(self._handle, total.ctypes.data))
        record: "np.void" = total[0]
        return record

    def gait(self) -> "pandas.DataFrame":
        """The gait of each bout as a pandas frame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            The columns of :meth:`gait_array`, ``cadence_per_minute``, and ``time``, when each began, where the times of
            day are known.

        Raises
        ------
        ImportError
            Without pandas; :meth:`gait_array` needs none.
        """
        return self._frame(self.gait_array(), "start")

    def minutes(self, length: float = 60) -> "pandas.DataFrame":
        """The epochs as a pandas frame; needs pandas.

        Parameters
        ----------
        length : float, default 60
            The length of an interval in seconds, at least 1.

        Returns
        -------
        pandas.DataFrame
            The columns of :meth:`epochs`, ``cadence_per_minute``, and ``time`` where the times of day are known: local
            time of the recording, with its offset from UTC if that is known.

        Raises
        ------
        ImportError
            Without pandas; :meth:`epochs` needs none.
        """
        return self._frame(self.epochs(length), "start")

    def bouts(self) -> "pandas.DataFrame":
        """The bouts as a pandas frame; needs pandas.

        Returns
        -------
        pandas.DataFrame
            The columns of :meth:`bouts_array`, ``cadence_per_minute``, and ``time``, when each began, where the times of
            day are known.

        Raises
        ------
        ImportError
            Without pandas; :meth:`bouts_array` needs none.
        """
        return self._frame(self.bouts_array(), "start")

    def _list(self, fields: List[Tuple[str, str]], fill: Callable[..., int]) -> "NDArray[np.void]":
        require_numpy("an array of a walk")
        import numpy as np

        count = ctypes.c_int64()
        check(fill(None, 0, ctypes.byref(count)))
        found: "NDArray[np.void]" = np.empty(count.value, np.dtype(fields))
        check(fill(found.ctypes.data, count.value, ctypes.byref(count)))
        return found

    def _frame(self, array: "NDArray[np.void]", column: str) -> "pandas.DataFrame":
        import pandas

        frame = pandas.DataFrame(array)
        frame.insert(list(frame.columns).index("cadence") + 1, "cadence_per_minute", frame["cadence"] * 60)
        zero = self._zero if self._zero is not None else self.origin
        if not isinstance(zero, float):
            frame.insert(0, "time", pandas.Timestamp(zero) + pandas.to_timedelta(frame[column], unit="s"))
        return frame


class Counter:
    """Counts one recording, piece by piece. It belongs to one thread at a time.

    Parameters
    ----------
    units : str, default "auto"
        ``"g"``, ``"mg"``, ``"m/s2"`` or ``"raw=16384"`` with the counts per g; ``"auto"`` detects it, with a warning
        where it is doubtful.
    rate : float, optional
        Samples per second, 5 to 100000, of data without times.
    height : float, optional
        The walker's height in metres, 0.5 to 2.6; the step length is computed from it.
    step_length : float, optional
        The step length in metres, 0.1 to 3; it takes precedence over the height.
    input_format, columns, start, end, entry : str, optional
        Those of :func:`count`, for files.
    gait : bool, default False
        Whether steps are refined to some 3 ms and :meth:`Walk.gait` is measured.
    profile : str or os.PathLike, optional
        Also count what resembles a walk that ``pedometer learn`` has learned, by its name or file.
    walking : bool, default False
        Whether the recording is known to be a walk: all movement with the rhythm and strength of its steps is counted.

    Raises
    ------
    UsageError
        If a value is out of range.

    Examples
    --------
    >>> import numpy, pedometer
    >>> t = numpy.arange(3000) / 50
    >>> xyz = numpy.stack([0 * t, 0 * t, 1 + 0.3 * numpy.sin(11 * t)], axis=1)
    >>> counter = pedometer.Counter(units="g")
    >>> for piece in range(0, 3000, 1000):
    ...     counter.process(t[piece:piece + 1000], xyz[piece:piece + 1000])
    >>> counter.finish().samples
    3000
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
        profile: "Union[str, os.PathLike[str], None]" = None,
        walking: bool = False,
    ) -> None:
        self._handle = _Handle(
            options(
                units=units, rate=rate, height=height, step_length=step_length, input_format=input_format,
                columns=columns, start=start, end=end, entry=entry, gait=gait, profile=profile, walking=walking,
            )
        )
        self._uses_datetimes = False

    def process(self, t: "Optional[ArrayLike]", xyz: "ArrayLike") -> None:
        """Counts samples. All are checked first: if this raises, none of them is counted.

        Parameters
        ----------
        t : array_like or None
            Times, each later than the one before, shape (n,): seconds as float32 or float64, or datetime64; ``None`` if
            they are ``1 / rate`` apart. Seconds may have any origin. float32 is too coarse for Unix time.
        xyz : array_like
            Acceleration including gravity, shape (n, 3), float32 or float64, in the unit of the counter. Any strides, so
            slices, transposes and columns of frames are read in place.

        Raises
        ------
        TypeError
            For other types of numbers.
        ValueError
            For other shapes.
        RecordingError
            For values that are not finite, and times that do not rise, with their place.
        """
        require_numpy("counting arrays")
        import numpy as np

        values = np.asarray(xyz)
        if values.dtype not in (np.dtype(np.float32), np.dtype(np.float64)):
            raise TypeError(f"xyz is {values.dtype}; give float32 or float64, such as xyz.astype('float32')")
        if values.ndim != 2 or values.shape[1] != 3:
            hint = "; transpose it: xyz.T" if values.ndim == 2 and values.shape[0] == 3 else ""
            raise ValueError(f"xyz has the shape {values.shape}; give (n, 3), one row a sample{hint}")
        samples = Samples(
            size=size_of(Samples), count=values.shape[0], xyz=values.ctypes.data or None,
            row_stride=values.strides[0], axis_stride=values.strides[1],
            xyz_type=FLOAT32 if values.dtype == np.float32 else FLOAT64,
        )
        if t is not None:
            times = np.asarray(t)
            if times.dtype.kind == "M":
                if np.isnat(times).any():
                    raise RecordingError("a time is NaT; leave out rows without a time")
                times = times.astype("datetime64[ns]", copy=False)
                self._uses_datetimes, kind = True, INT64
            elif times.dtype == np.float64:
                kind = FLOAT64
            elif times.dtype == np.float32:
                kind = FLOAT32
            else:
                raise TypeError(f"t is {times.dtype}; give seconds as float64, or datetime64")
            if times.shape != values.shape[:1]:
                raise ValueError(f"t has the shape {times.shape}; give {values.shape[:1]}, one time for each row of xyz")
            samples.times, samples.times_stride, samples.times_type = times.ctypes.data or None, times.strides[0], kind
        if values.shape[0] == 0:
            raise RecordingError("the arrays are empty; give at least one sample")
        check(library.pedometer_process(self._handle, ctypes.byref(samples)))

    def finish(self) -> Walk:
        """Ends the recording; no samples may follow.

        Returns
        -------
        Walk
            What was counted.

        Raises
        ------
        RecordingError
            If no steps can be counted in it: no samples, most of them more than a second apart, less than 5 or more than
            100000 a second, or all the same.
        """
        check(library.pedometer_finish(self._handle))
        return Walk(self._handle, self._uses_datetimes)

    def so_far(self) -> Walk:
        """The walk up to now; the last 20 seconds may lack steps.

        Returns
        -------
        Walk
            What was counted so far.
        """
        return Walk(self._handle, self._uses_datetimes)


def steps(
    t: "Optional[ArrayLike]",
    xyz: "ArrayLike",
    *,
    units: str = "auto",
    rate: Optional[float] = None,
    height: Optional[float] = None,
    step_length: Optional[float] = None,
    gait: bool = False,
    profile: "Union[str, os.PathLike[str], None]" = None,
    walking: bool = False,
) -> Walk:
    """Counts the steps in arrays, without a copy of them.

    :meth:`Counter.process` and :meth:`Counter.finish` have the details.

    Parameters
    ----------
    t : array_like or None
        Times, shape (n,): seconds as float32 or float64, or datetime64; ``None`` with ``rate``.
    xyz : array_like
        Acceleration including gravity, shape (n, 3), float32 or float64.
    units : str, default "auto"
        ``"g"``, ``"mg"``, ``"m/s2"``, ``"raw=16384"`` or ``"auto"``.
    rate : float, optional
        Samples per second of data without times.
    height : float, optional
        The walker's height in metres, 0.5 to 2.6.
    step_length : float, optional
        The step length in metres, 0.1 to 3.
    gait : bool, default False
        Whether :meth:`Walk.gait` is measured, and step times are refined.
    profile : str or os.PathLike, optional
        Also count what resembles a walk that ``pedometer learn`` has learned, by its name or file.
    walking : bool, default False
        Whether the recording is known to be a walk: all movement with the rhythm and strength of its steps is counted.

    Returns
    -------
    Walk
        What was counted.

    Raises
    ------
    TypeError
        For other types of numbers.
    ValueError
        For other shapes; as :class:`UsageError` and :class:`RecordingError` for other faults.

    Examples
    --------
    >>> import numpy, pedometer
    >>> recording = pedometer.read("Fixtures/day-in-five-minutes.csv.gz")
    >>> xyz = numpy.stack([recording.x, recording.y, recording.z], axis=1)
    >>> pedometer.steps(recording.time, xyz, units="g").steps == pedometer.count("Fixtures/day-in-five-minutes.csv.gz").steps
    True
    """
    counter = Counter(
        units=units, rate=rate, height=height, step_length=step_length, gait=gait, profile=profile, walking=walking
    )
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
    profile: "Union[str, os.PathLike[str], None]" = None,
    walking: bool = False,
) -> Walk:
    """Counts the steps in a recording, as ``pedometer count`` does.

    Parameters
    ----------
    path : str, bytes or os.PathLike
        A file: CSV, JSON, or of an Axivity, ActiGraph, GENEActiv or Matrix device, plain, compressed or in an archive. Its
        format is detected.
    units : str, default "auto"
        ``"g"``, ``"mg"``, ``"m/s2"``, ``"raw=16384"`` or ``"auto"``.
    rate : float, optional
        Samples per second of a recording without times.
    height : float, optional
        The walker's height in metres, 0.5 to 2.6.
    step_length : float, optional
        The step length in metres, 0.1 to 3.
    input_format : str, default "auto"
        ``"auto"``, ``"csv"``, ``"jsonl"``, ``"cwa"``, ``"gt3x"``, ``"geneactiv"``, ``"matrix"`` or ``"iio"``.
    columns : str, optional
        Of text: time, x, y and z, or x, y and z, by name or number: ``"t,x,y,z"``.
    start : str, optional
        Earlier samples are left out: ISO 8601, or seconds from the first sample, such as ``"90"``.
    end : str, optional
        This and later samples are left out.
    entry : str, optional
        The file to read from an archive with several recordings.
    gait : bool, default False
        Whether :meth:`Walk.gait` is measured, and step times are refined.
    profile : str or os.PathLike, optional
        Also count what resembles a walk that ``pedometer learn`` has learned, by its name or file.
    walking : bool, default False
        Whether the recording is known to be a walk: all movement with the rhythm and strength of its steps is counted.

    Returns
    -------
    Walk
        What was counted.

    Raises
    ------
    UsageError
        If an argument is wrong, or one is missing.
    RecordingError
        If it is not a recording that can be counted.
    OSError
        If it cannot be read; ``FileNotFoundError`` and ``PermissionError`` in particular.

    Examples
    --------
    >>> import pedometer
    >>> walk = pedometer.count("Fixtures/day-in-five-minutes.csv.gz")
    >>> walk.samples
    15000
    """
    name = path_bytes(path)
    handle = _Handle(
        options(
            units=units, rate=rate, height=height, step_length=step_length, input_format=input_format, columns=columns,
            start=start, end=end, entry=entry, gait=gait, profile=profile, walking=walking,
        )
    )
    check(library.pedometer_count_file(handle, name))
    return Walk(handle)


def _array(numbers: "ctypes.Array[ctypes.c_double]", purpose: str) -> "NDArray[np.float64]":
    require_numpy(purpose)
    import numpy as np

    return np.frombuffer(memoryview(numbers), np.float64)
