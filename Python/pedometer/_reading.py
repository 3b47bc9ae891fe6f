"""Reading recordings into arrays."""

from __future__ import annotations

import ctypes
import datetime
import math
import os
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

from ._arguments import options, path_bytes, require_numpy
from ._library import CLOCKS, Description, Fit, Options, UsageError, check, library, size_of, text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Calibration:
    """What the calibration of a recording found.

    At rest the acceleration is 1 g in any orientation. The gains and offsets are those that bring the means of quiet
    intervals of 10 s closest to 1 g [1]_, without the temperature, as in ``pedometer study --autocalibrate``.

    Attributes
    ----------
    applied : bool
        Whether the samples are calibrated.
    reason : str
        Why they are not; empty where they are.
    gain, offset : tuple of float
        A calibrated value is gain * value + offset, for x, y and z; offsets in g.
    error_before, error_after : float or None
        The mean distance of the quiet intervals from 1 g before and after, in g; ``None`` where nothing was fitted.
    intervals : int
        The number of quiet intervals.

    References
    ----------
    .. [1] van Hees VT et al. "Autocalibration of accelerometer data for free-living physical activity assessment using
       local gravity and temperature". J Appl Physiol 117 (2014) 738-744.
    """

    applied: bool
    reason: str
    gain: Tuple[float, float, float]
    offset: Tuple[float, float, float]
    error_before: Optional[float]
    error_after: Optional[float]
    intervals: int


@dataclass(frozen=True)
class Metadata:
    """What is known about a recording. ``None`` stands for what it does not state.

    Attributes
    ----------
    format : str
        ``"csv"``, ``"jsonl"``, ``"cwa"``, ``"gt3x"``, ``"geneactiv"``, ``"matrix"`` or ``"iio"``.
    unit : str or None
        The unit of the values in the recording, as for the parameter ``units``; samples are in g.
    clock : str
        What :attr:`Recording.time` is: ``"utc"``, ``"local"`` for local time of an unknown zone, or ``"none"`` for seconds
        since the first sample, because the recording names no day.
    utc_offset : int or None
        How far the recorder's clock was ahead of UTC at the first sample, in seconds.
    time_zone : str or None
        The zone that was given as ``tz``.
    start, end : str or None
        The local times of the first and of the last sample in ISO 8601, with their offset from UTC where it is known.
    nominal_frequency : float or None
        Samples per second that the recording states.
    sampling_frequency : float or None
        Samples per second as measured, without gaps.
    samples : int
        The number of samples.
    samples_outside : int
        Samples before ``start`` and from ``end`` on, as far as they were read.
    rows_skipped : int
        Rows or samples that were left out because they were damaged; :attr:`Recording.warnings` has the reasons.
    damaged_parts : int
        Parts of a device's file that were lost to damage.
    gaps : int
        Gaps in the times of more than a second.
    gap_duration : float
        Their sum in seconds.
    maker, model, serial, firmware : str or None
        The device.
    range : float or None
        The upper limit of its range, in g.
    calibration : Calibration or None
        What ``calibrate=True`` did; ``None`` where it was not asked for.
    """

    format: str
    unit: Optional[str]
    clock: str
    utc_offset: Optional[int]
    time_zone: Optional[str]
    start: Optional[str]
    end: Optional[str]
    nominal_frequency: Optional[float]
    sampling_frequency: Optional[float]
    samples: int
    samples_outside: int
    rows_skipped: int
    damaged_parts: int
    gaps: int
    gap_duration: float
    maker: Optional[str]
    model: Optional[str]
    serial: Optional[str]
    firmware: Optional[str]
    range: Optional[float]
    calibration: Optional[Calibration]


@dataclass(frozen=True, eq=False, repr=False)
class Recording:
    """The samples of a recording; n is their number, and ``len(recording)``.

    The arrays are contiguous and belong to the caller. The reader has filled them without a copy.

    Attributes
    ----------
    time : numpy.ndarray
        The time of each sample, each later than the one before, shape (n,). datetime64[ns] where the recording names the
        day: UTC, or local time if its zone is unknown, as ``metadata.clock`` says. Otherwise float64: seconds since the
        recording's first sample.
    x, y, z : numpy.ndarray
        Acceleration including gravity along the sensor's axes, in g: float32, shape (n,).
    wear : numpy.ndarray or None
        Whether the sensor was worn: bool, shape (n,); ``None`` where it was not asked for.
    metadata : Metadata
        What is known about the recording.
    warnings : tuple of str
        What was doubtful or lost, one sentence each.
    """

    time: "Union[NDArray[np.datetime64], NDArray[np.float64]]"
    x: "NDArray[np.float32]"
    y: "NDArray[np.float32]"
    z: "NDArray[np.float32]"
    wear: "Optional[NDArray[np.bool_]]"
    metadata: Metadata
    warnings: Tuple[str, ...]

    def __len__(self) -> int:
        return len(self.x)

    def __repr__(self) -> str:
        known = self.metadata
        rate = "" if known.sampling_frequency is None else f" at {known.sampling_frequency:.4g} Hz"
        start = "" if known.start is None else f" from {known.start}"
        return f"<Recording: {len(self)} samples{rate}{start}, {known.format}>"


def read(
    path: "Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]",
    *,
    calibrate: bool = False,
    wear: bool = False,
    tz: "Union[str, datetime.tzinfo, None]" = None,
    units: str = "auto",
    rate: Optional[float] = None,
    input_format: str = "auto",
    columns: Optional[str] = None,
    start: Optional[str] = None,
    end: Optional[str] = None,
    entry: Optional[str] = None,
) -> Recording:
    """Reads the samples of a recording that :func:`count` can count.

    They are not resampled or interpolated; gaps remain gaps. A file that is damaged is read up to the damage or around it,
    with a warning.

    Parameters
    ----------
    path : str, bytes or os.PathLike
        A file: CSV, JSON, or of an Axivity, ActiGraph, GENEActiv or Matrix device, plain, compressed or in an archive. Its
        format is detected.
    calibrate : bool, default False
        Whether to calibrate gain and offset of each axis by the sensor's rest. ``metadata.calibration`` says what was
        done; where nothing can be fitted the samples stay as they are, with a warning.
    wear : bool, default False
        Whether to find when the sensor was worn, as ``pedometer study`` does, to a quarter of an hour [1]_.
    tz : str or datetime.tzinfo, optional
        The zone of the wearer, such as ``"Europe/Berlin"`` or ``"+02:00"``. Local times of an unknown zone become UTC: by the
        offset at the first sample, since recorders do not change their clock. ``metadata.start`` and ``end`` are in this
        zone. Other recordings have UTC or no day, and keep their times.
    units : str, default "auto"
        ``"g"``, ``"mg"``, ``"m/s2"``, ``"raw=16384"`` or ``"auto"``.
    rate : float, optional
        Samples per second of a recording without times.
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

    Returns
    -------
    Recording
        Arrays of shape (n,): ``time``, ``x``, ``y`` and ``z`` in g, and ``wear``; metadata and warnings.

    Raises
    ------
    ImportError
        Without NumPy.
    TypeError
        For arguments of other types.
    UsageError
        If an argument is wrong, such as an unknown time zone, or one is missing.
    RecordingError
        If it is no recording, or none that can be used as a whole.
    OSError
        If it cannot be read; ``FileNotFoundError`` and ``PermissionError`` in particular.

    References
    ----------
    .. [1] van Hees VT et al. "Separating movement and gravity components in an acceleration signal and implications for the
       assessment of human daily physical activity". PLoS ONE 8 (2013) e61691.

    Examples
    --------
    >>> import pedometer
    >>> day = pedometer.read("Fixtures/day-in-five-minutes.csv.gz")
    >>> day
    <Recording: 15000 samples at 50 Hz, csv>
    >>> day.time[:3]
    array([0.  , 0.02, 0.04])
    >>> day.x.dtype, day.metadata.unit, day.metadata.rows_skipped
    (dtype('float32'), 'g', 0)

    A sensor that did not rest in all orientations cannot be calibrated:

    >>> pedometer.read("Fixtures/day-in-five-minutes.csv.gz", calibrate=True).metadata.calibration.applied
    False
    """
    require_numpy("pedometer.read")
    import numpy as np

    _check_flag("calibrate", calibrate)
    _check_flag("wear", wear)
    zone = None if tz is None else _zone(tz)
    name = path_bytes(path)
    given = options(
        units=units, rate=rate, input_format=input_format, columns=columns, start=start, end=end, entry=entry
    )
    times, x, y, z, metadata, warnings = _samples(name, given)
    axes = [x, y, z]
    calibration: Optional[Calibration] = None
    if calibrate:
        calibration = _calibrate(times, axes)
        if not calibration.applied:
            warnings.append(f"not calibrated: {calibration.reason}")
    worn: "Optional[NDArray[np.bool_]]" = None
    if wear:
        worn = np.empty(len(x), np.bool_)
        check(library.pedometer_wear(*(_place(a) for a in [times, *axes]), len(x), _place(worn)))

    metadata = replace(metadata, calibration=calibration)
    if metadata.clock == "local" and len(times) > 0:
        offset = metadata.utc_offset
        if offset is None and zone is not None:
            offset = _offset_showing(zone, int(times[0]))
        if offset is not None:
            times -= offset * 1_000_000_000
            metadata = replace(metadata, clock="utc", utc_offset=offset)
    if zone is not None:
        metadata = replace(metadata, time_zone=str(tz))
        if metadata.clock == "none":
            warnings.append("tz was not used, because the recording names no day")
        elif metadata.clock == "utc" and len(times) > 0:
            first, last = (_clock_text(zone, int(moment)) for moment in (times[0], times[-1]))
            metadata = replace(metadata, start=first, end=last)
    time: "Union[NDArray[np.datetime64], NDArray[np.float64]]"
    time = times / 1e9 if metadata.clock == "none" else times.view(np.dtype("datetime64[ns]"))
    return Recording(time=time, x=x, y=y, z=z, wear=worn, metadata=metadata, warnings=tuple(warnings))


# As many samples are read in a call; between calls Ctrl-C is noticed.
_PIECE = 1 << 20


def _samples(
    name: bytes, given: Options
) -> "Tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], Metadata, list[str]]":
    """All samples of a recording, what is known about it, and the warnings."""
    import numpy as np

    reader = ctypes.c_void_p()
    try:
        check(library.pedometer_open(ctypes.byref(given), name, ctypes.byref(reader)))
        times, axes = np.empty(_PIECE // 16, np.int64), [np.empty(_PIECE // 16, np.float32) for _ in range(3)]
        filled, count, known = 0, ctypes.c_int64(), Description(size=size_of(Description))
        while True:
            if filled == len(times):
                check(library.pedometer_describe(reader, ctypes.byref(known)))
                size = _expected(filled, known.fraction)
                # Memory that is not written yet costs nothing, and large arrays move without a copy.
                for array in [times, *axes]:
                    array.resize(size, refcheck=False)
            places = [array.ctypes.data + filled * array.itemsize for array in [times, *axes]]
            check(library.pedometer_read(reader, *places, min(_PIECE, len(times) - filled), ctypes.byref(count)))
            if count.value == 0:
                break
            filled += count.value
        for array in [times, *axes]:
            array.resize(filled, refcheck=False)
        check(library.pedometer_describe(reader, ctypes.byref(known)))
        warnings = [text(library.pedometer_reader_warning(reader, i)) or "" for i in range(known.warnings)]
        return times, axes[0], axes[1], axes[2], _metadata(known), warnings
    finally:
        library.pedometer_close(reader)


def _metadata(known: Description) -> Metadata:
    """What the library knows. Its strings are copied, since they belong to the reader."""
    return Metadata(
        format=text(known.format) or "", unit=text(known.unit), clock=CLOCKS[int(known.clock)],
        utc_offset=known.utc_offset if known.has_utc_offset else None, time_zone=None, start=text(known.start),
        end=text(known.end), nominal_frequency=_known(known.nominal_frequency),
        sampling_frequency=_known(known.sampling_frequency), samples=known.samples,
        samples_outside=known.samples_outside, rows_skipped=known.rows_skipped, damaged_parts=known.damaged_parts,
        gaps=known.gaps, gap_duration=known.gap_duration, maker=text(known.maker), model=text(known.model),
        serial=text(known.serial), firmware=text(known.firmware), range=_known(known.range), calibration=None,
    )


def _expected(filled: int, fraction: float) -> int:
    """How many samples a recording probably has, of which so many are this part; more than that in any case."""
    if 0 < fraction <= 1:
        return max(int(filled / fraction * 1.02), filled + filled // 8) + _PIECE // 16
    return 2 * filled


def _calibrate(times: "NDArray[np.int64]", axes: "list[NDArray[np.float32]]") -> Calibration:
    fit = Fit(size=size_of(Fit))
    places = [_place(array) for array in [times, *axes]]
    check(library.pedometer_calibrate(*places, len(times), ctypes.byref(fit)))
    gain, offset = list(fit.gain), list(fit.offset)
    return Calibration(
        applied=fit.outcome == 0, reason=_obstacles.get(fit.outcome, "no reason is known"),
        gain=(gain[0], gain[1], gain[2]), offset=(offset[0], offset[1], offset[2]),
        error_before=_known(fit.error_before), error_after=_known(fit.error_after), intervals=fit.intervals,
    )


_obstacles = {
    0: "",
    1: "the sensor rested in fewer than ten intervals of 10 s; give a longer recording, best of a day or more",
    2: "the sensor did not rest in both directions of every axis; give a longer recording, best of a day or more",
    3: "no gain and offset of a sensor bring its rest closer to 1 g; check the unit and that gravity is included",
}


def _place(array: "NDArray[Any]") -> int:
    return array.ctypes.data


def _known(number: float) -> Optional[float]:
    return None if math.isnan(number) else number


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"{name} is {type(value).__name__}; give True or False")


def _zone(tz: "Union[str, datetime.tzinfo]") -> datetime.tzinfo:
    if isinstance(tz, datetime.tzinfo):
        return tz
    # Callers without a type checker.
    if not isinstance(tz, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"tz is {type(tz).__name__}; give a name such as 'Europe/Berlin', or a tzinfo")
    fixed = re.fullmatch(r"([+-])(\d\d):?([0-5]\d)", tz)
    if fixed and int(fixed[2]) < 24:
        ahead = datetime.timedelta(hours=int(fixed[2]), minutes=int(fixed[3]))
        return datetime.timezone(-ahead if fixed[1] == "-" else ahead)
    if tz in ("Z", "UTC"):
        return datetime.timezone.utc
    try:
        import zoneinfo
    except ImportError as error:
        raise ImportError("tz by name needs Python 3.9 or later; give an offset such as +02:00") from error
    try:
        return zoneinfo.ZoneInfo(tz)
    # A KeyError for unknown names; the others for what is no name, such as a folder of the database.
    except (KeyError, ValueError, OSError) as error:
        remedy = "give one such as Europe/Berlin or +02:00"
        if not zoneinfo.available_timezones():
            remedy = "this machine has no time zones; install them with: pip install tzdata"
        raise UsageError(f"tz {tz!r} is unknown; {remedy}") from error


_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def _local(zone: datetime.tzinfo, seconds: int) -> datetime.datetime:
    return (_EPOCH + datetime.timedelta(seconds=seconds)).astimezone(zone)


def _offset(zone: datetime.tzinfo, seconds: int) -> int:
    ahead = _local(zone, seconds).utcoffset()
    return 0 if ahead is None else round(ahead.total_seconds())


def _offset_showing(zone: datetime.tzinfo, shown: int) -> int:
    """The offset from UTC when local clocks show a time, in nanoseconds since 1970; as ``pedometer study`` finds it."""
    seconds = shown // 1_000_000_000
    before, after = _offset(zone, seconds - 86_400), _offset(zone, seconds + 86_400)
    # Of a time that is shown twice, the first one.
    if before == after or _offset(zone, seconds - before) == before:
        return before
    # Never shown, since clocks are set ahead over it: one that is not goes on.
    return after if _offset(zone, seconds - after) == after else before


def _clock_text(zone: datetime.tzinfo, moment: int) -> str:
    """Local time in ISO 8601 with milliseconds, unless they are zero."""
    milliseconds = (moment + 500_000) // 1_000_000
    local = _local(zone, milliseconds // 1000) + datetime.timedelta(milliseconds=milliseconds % 1000)
    return local.isoformat(timespec="milliseconds" if milliseconds % 1000 else "seconds")
