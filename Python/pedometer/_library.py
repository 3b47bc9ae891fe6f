"""The C library: its functions, structures and errors. pedometer.h has the documentation."""

from __future__ import annotations

import ctypes
import errno
import os
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path
from typing import Any, Optional

OK, USAGE, BAD_DATA, NO_INPUT, IO, BUSY, NO_PERMISSION = 0, 64, 65, 66, 74, 75, 77
FLOAT32, FLOAT64, INT64 = 1, 2, 3
CLOCKS = ("none", "local", "utc")


class Options(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("units", c_char_p),
        ("rate", c_double),
        ("height", c_double),
        ("step_length", c_double),
        ("input_format", c_char_p),
        ("columns", c_char_p),
        ("start", c_char_p),
        ("end", c_char_p),
        ("entry", c_char_p),
        ("gait", c_int32),
        ("profile", c_char_p),
        ("walking", c_int32),
    ]


class Samples(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("count", c_int64),
        ("times", c_void_p),
        ("times_stride", c_int64),
        ("xyz", c_void_p),
        ("row_stride", c_int64),
        ("axis_stride", c_int64),
        ("times_type", c_int32),
        ("xyz_type", c_int32),
    ]


class Total(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("steps", c_int64),
        ("distance_travelled", c_double),
        ("duration", c_double),
        ("walking_duration", c_double),
        ("mean_cadence", c_double),
        ("confidence", c_double),
        ("samples", c_int64),
        ("sampling_frequency", c_double),
        ("gaps", c_int64),
        ("origin", c_int64),
        ("warnings", c_int64),
    ]


class Description(ctypes.Structure):
    """pedometer_recording."""

    _fields_ = [
        ("size", c_size_t),
        ("clock", c_int32),
        ("has_utc_offset", c_int32),
        ("utc_offset", c_int64),
        ("samples", c_int64),
        ("samples_outside", c_int64),
        ("rows_skipped", c_int64),
        ("damaged_parts", c_int64),
        ("gaps", c_int64),
        ("gap_duration", c_double),
        ("nominal_frequency", c_double),
        ("sampling_frequency", c_double),
        ("range", c_double),
        ("fraction", c_double),
        ("format", c_char_p),
        ("unit", c_char_p),
        ("maker", c_char_p),
        ("model", c_char_p),
        ("serial", c_char_p),
        ("firmware", c_char_p),
        ("start", c_char_p),
        ("end", c_char_p),
        ("warnings", c_int64),
    ]


class Fit(ctypes.Structure):
    """pedometer_calibration."""

    _fields_ = [
        ("size", c_size_t),
        ("outcome", c_int32),
        ("intervals", c_int32),
        ("gain", c_double * 3),
        ("offset", c_double * 3),
        ("error_before", c_double),
        ("error_after", c_double),
    ]


def size_of(structure: "type[ctypes.Structure]") -> int:
    return ctypes.sizeof(structure)


class Error(Exception):
    """Something could not be counted.

    ``code`` is the exit code that the command ``pedometer count`` would end with: 64 usage, 65 not a recording that can
    be counted, 66 no such file, 74 read error, 75 the counter is used by another thread, 77 permission denied.
    """

    code: int = 0


class UsageError(Error, ValueError):
    """An argument is wrong; the message says what to give. (``code`` 64)"""

    code = USAGE


class RecordingError(Error, ValueError):
    """The data cannot be counted; the message says why. (``code`` 65)"""

    code = BAD_DATA


class BusyError(Error, RuntimeError):
    """Another thread is using this counter; give each thread its own. (``code`` 75)"""

    code = BUSY


class ReadError(Error, OSError):
    """Opening or reading failed. (``code`` 74)"""

    code = IO


class MissingError(Error, FileNotFoundError):
    """There is no such file. (``code`` 66)"""

    code = NO_INPUT


class DeniedError(Error, PermissionError):
    """The file may not be read. (``code`` 77)"""

    code = NO_PERMISSION


_errors = {
    USAGE: UsageError,
    BAD_DATA: RecordingError,
    NO_INPUT: MissingError,
    IO: ReadError,
    BUSY: BusyError,
    NO_PERMISSION: DeniedError,
}
_numbers = {NO_INPUT: errno.ENOENT, IO: errno.EIO, NO_PERMISSION: errno.EACCES}


def _load() -> Any:
    # Not PyDLL: the interpreter's lock is released while a function runs.
    library = ctypes.CDLL(os.fspath(Path(__file__).with_name("libpedometer.so")))
    handle, length = c_void_p, POINTER(c_int64)
    for name, result, arguments in [
        ("create", c_int32, [POINTER(Options), POINTER(c_void_p)]),
        ("destroy", None, [handle]),
        ("process", c_int32, [handle, POINTER(Samples)]),
        ("finish", c_int32, [handle]),
        ("count_file", c_int32, [handle, c_char_p]),
        ("totals", c_int32, [handle, POINTER(Total)]),
        ("steps", c_int32, [handle, c_void_p, c_void_p, c_int64, length]),
        ("epochs", c_int32, [handle, c_double, c_void_p, c_int64, length]),
        ("bouts", c_int32, [handle, c_void_p, c_int64, length]),
        ("gait_bouts", c_int32, [handle, c_void_p, c_int64, length]),
        ("gait_total", c_int32, [handle, c_void_p]),
        ("warning", c_char_p, [handle, c_int64]),
        ("start", c_char_p, [handle]),
        ("end", c_char_p, [handle]),
        ("origin", c_char_p, [handle]),
        ("open", c_int32, [POINTER(Options), c_char_p, POINTER(c_void_p)]),
        ("close", None, [handle]),
        ("read", c_int32, [handle, c_void_p, c_void_p, c_void_p, c_void_p, c_int64, length]),
        ("describe", c_int32, [handle, POINTER(Description)]),
        ("reader_warning", c_char_p, [handle, c_int64]),
        ("calibrate", c_int32, [c_void_p, c_void_p, c_void_p, c_void_p, c_int64, POINTER(Fit)]),
        ("wear", c_int32, [c_void_p, c_void_p, c_void_p, c_void_p, c_int64, c_void_p]),
        ("error", c_char_p, []),
        ("version", c_char_p, []),
    ]:
        function = getattr(library, "pedometer_" + name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()


def text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


def check(code: int) -> None:
    """Raises the error of a call that failed."""
    if code == OK:
        return
    message = text(library.pedometer_error()) or f"error {code}"
    kind = _errors.get(code, Error)
    raise kind(_numbers[code], message) if code in _numbers else kind(message)
