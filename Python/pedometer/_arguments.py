"""Arguments of callers, as the C library takes them."""

from __future__ import annotations

import os
from typing import Optional, Union

from ._library import Options, UsageError, size_of


def options(
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
) -> Options:
    """The options of a handle or a reader."""
    return Options(
        size=size_of(Options),
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
        profile=None if profile is None else path_bytes(profile),
        walking=int(bool(walking)),
    )


def path_bytes(path: "Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]") -> bytes:
    """A file's name in the file system's encoding."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("the path contains a NUL character")
    return name


def require_numpy(purpose: str) -> None:
    """Says what to install where NumPy is missing."""
    try:
        import numpy  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError as error:
        raise ImportError(f"{purpose} needs NumPy; install it with: pip install numpy") from error


def _bytes(name: str, value: Optional[str]) -> Optional[bytes]:
    if value is None:
        return None
    # Callers without a type checker.
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
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
