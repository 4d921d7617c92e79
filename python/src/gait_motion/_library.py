"""The C interface (gait.h) by ctypes."""
from __future__ import annotations

import ctypes
import json
import os
import pathlib
import re
import sys
import threading
import time
import warnings
from threading import get_ident
from typing import Any, Callable, Sequence, TypeVar

import numpy as np

from ._types import Floats

Result = TypeVar("Result")

#: The kinds of results and arguments by a letter: handle, 64-bit integer, 32-bit integer, mask, real, text and pointer.
_KINDS = {"h": ctypes.c_uint64, "i": ctypes.c_int64, "s": ctypes.c_int32, "m": ctypes.c_uint32, "r": ctypes.c_double,
          "t": ctypes.c_char_p, "p": ctypes.c_void_p}
#: The functions with the kinds of the result and the arguments.
_FUNCTIONS: dict[str, str] = {name: kinds for name, kinds in re.findall(r"(\w+) (\w:\w*)", """
    gait_abi_version m:                   gait_error i:pi                    gait_release s:h
    gait_describe i:hpi                   gait_recording_copy i:hiipipi
    gait_recording_read h:tt              gait_blocks_open h:tt              gait_blocks_next i:hp
    gait_recording_create h:trimppiiiis   gait_recording_create_columns h:trimppis
    gait_plan_create h:trrr               gait_model_load h:t                gait_model_parse h:tit
    gait_model_seal h:tit
    gait_model_json i:hpi                 gait_model_export i:httpi          gait_model_probabilities i:hpiipi
    gait_stream_create h:hrimt            gait_track_create h:hrimt          gait_stream_push i:hppiiii
    gait_stream_push_columns i:hppi       gait_stream_push_recording i:hh    gait_track_push_recording i:hhtt
    gait_stream_pull i:hipipp             gait_stream_bridged i:h            gait_stream_check s:h
    gait_findings i:hpi""")}


class GaitError(ValueError):
    """Bad input: one sentence with the problem and the cure, the sentence of the command.

        >>> try:
        ...     gait.read_recording("missing.csv")
        ... except gait.GaitError as error:
        ...     print(error)
        cannot read missing.csv: there is no such file; check the path and its permissions.
    """


class GaitWarning(UserWarning):
    """One sentence about suspect samples, or about a repair by a reader. Warnings can be made errors.

        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("error", gait.GaitWarning)
        ...     gait.Features().transform(np.ones((1, 12)), sample_rate=50)
        Traceback (most recent call last):
        gait_motion._library.GaitWarning: recording: there are no windows, as 0.02 s of samples are shorter than one of 2.56 s
    """


class _Gate:
    """Counts the calls in progress. A fork waits until there are none: the child would inherit the locks of threads
    that it does not have."""

    def __init__(self) -> None:
        #: How deep the calls of each thread are nested.
        self._depths: dict[int, int] = {}
        self._forking: int | None = None
        self._fork_lock, self._opened = threading.Lock(), threading.Event()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._close, after_in_parent=self._open, after_in_child=self._begin_child)

    def __enter__(self) -> None:
        thread, depths = get_ident(), self._depths
        if thread in depths:
            depths[thread] += 1
            return
        while True:
            # First the call is counted, then the fork is checked. A fork first announces itself, then reads the counts.
            depths[thread] = 1
            if self._forking is None or self._forking == thread:
                return
            del depths[thread]
            self._opened.wait()

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        thread, depths = get_ident(), self._depths
        if depths[thread] == 1:
            del depths[thread]
        else:
            depths[thread] -= 1

    def _close(self) -> None:
        thread = get_ident()
        self._fork_lock.acquire()
        self._opened.clear()
        self._forking = thread
        while any(other != thread for other in list(self._depths)):
            time.sleep(0.0002)

    def _open(self) -> None:
        self._forking = None
        self._opened.set()
        self._fork_lock.release()

    def _begin_child(self) -> None:
        # In a child, locks that other threads held would stay locked, so they are made again.
        self._fork_lock, self._opened, self._forking = threading.Lock(), threading.Event(), None


gate = _Gate()


def _gated(function: Callable[..., int]) -> Callable[..., int]:
    def call(*arguments: Any) -> int:
        with gate:
            return function(*arguments)
    return call


class _Library:
    """The functions of the library by name."""

    def __init__(self, library: ctypes.CDLL) -> None:
        #: The functions without the gate, for callers that have entered it.
        self.ungated: dict[str, Callable[..., int]] = {}
        for name, kinds in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = _KINDS[kinds[0]], [_KINDS[kind] for kind in kinds[2:]]
            setattr(self, name, _gated(function))
            self.ungated[name] = function

    def __getattr__(self, name: str) -> Callable[..., int]:
        raise AttributeError(name)


def _load() -> _Library:
    path = os.environ.get("GAIT_LIBRARY") or str(pathlib.Path(__file__).with_name("libgait.so"))
    if not os.path.exists(path):
        raise ImportError(
            f"there is no {path}; install a wheel, which `make wheel` builds in Gait's repository, or set "
                          "GAIT_LIBRARY to the library that `make c-library` builds")
    library = _Library(ctypes.CDLL(path))
    if library.gait_abi_version() != 1:
        raise ImportError(f"{path} has version {library.gait_abi_version()} of the C interface; this package needs 1")
    return library


lib = _load()


def written(call: Callable[[int, int], int]) -> bytes:
    """The bytes that a C function writes. `call` is given a buffer and its capacity."""
    size = 2000
    while True:
        buffer = ctypes.create_string_buffer(size + 1)
        length = call(ctypes.addressof(buffer), size + 1)
        if length <= size:
            return buffer.raw[:check(length)]
        size = length


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a file, whole or not at all."""
    file = os.fspath(path)
    folder = os.path.dirname(file) or "."
    if not os.path.isdir(folder):
        raise GaitError(f"cannot write {file}: the folder {folder} does not exist; create it first.")
    draft = f"{file}.{os.getpid()}.draft"
    try:
        with open(draft, "wb") as written_file:
            written_file.write(data)
        os.replace(draft, file)
    except OSError as problem:
        raise GaitError(f"cannot write {file}: {problem.strerror}; choose another file.") from None
    finally:
        if os.path.exists(draft):
            os.unlink(draft)


def error() -> GaitError:
    """The error of the last call."""
    buffer = ctypes.create_string_buffer(lib.gait_error(None, 0) + 1)
    lib.gait_error(ctypes.addressof(buffer), len(buffer))
    return GaitError(buffer.value.decode())


def check(result: int) -> int:
    """The result of a C function; a failure, -1, raises its error."""
    if result < 0:
        raise error()
    return result


def interruptible(call: Callable[[], Result], rows: int) -> Result:
    """The result of a call that may be long. Ctrl-C raises an error at once, while the call ends in the background."""
    if rows < 1 << 17 or threading.current_thread() is not threading.main_thread():
        return call()
    results: list[Result] = []
    errors: list[BaseException] = []
    finished = threading.Event()

    def run() -> None:
        try:
            results.append(call())
        except BaseException as problem:
            errors.append(problem)
        finished.set()

    threading.Thread(target=run, daemon=True).start()
    finished.wait()
    if errors:
        raise errors[0]
    return results[0]


def warn(name: str, sentences: Sequence[str]) -> None:
    """Warns of repairs and findings. The warnings name the line of the caller's program."""
    if not sentences:
        return
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(__package__):
        level, frame = level + 1, frame.f_back
    for sentence in sentences:
        warnings.warn(f"{name}: {sentence}", GaitWarning, stacklevel=level)


class Handle:
    """An object of the library. It is released when this one is freed."""

    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value = value
        if value == 0:
            raise error()

    def __reduce__(self) -> str:
        raise TypeError("streams and plans of gait_motion cannot be pickled; pickle Features, Model or Recording")

    def __del__(self, release: Callable[[int], int] = lib.gait_release) -> None:
        if self.value:
            release(self.value)

    def describe(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(written(lambda buffer, size: lib.gait_describe(self.value, buffer, size)))
        return facts

    def findings(self) -> list[str]:
        """What is wrong with the samples of a recording or a stream. The first minute is judged."""
        if check(lib.gait_findings(self.value, None, 0)) == 0:
            return []
        return written(lambda buffer, size: lib.gait_findings(self.value, buffer, size)).decode().splitlines()

    def json(self) -> str:
        return written(lambda buffer, size: lib.gait_model_json(self.value, buffer, size)).decode()


def options(values: dict[str, Any]) -> bytes:
    """Options as lines for C. Options that are None or False are left out: that is the default."""
    def text(value: Any) -> str:
        if value is True:
            return "true"
        return ",".join(value) if isinstance(value, (list, tuple)) else str(value)
    lines = [f"{key}={text(value)}" for key, value in values.items() if value is not None and value is not False]
    if any(len(line.splitlines()) != 1 for line in lines):
        raise GaitError("an option contains a line end")
    return "\n".join(lines).encode()


def path_bytes(path: str | os.PathLike[str]) -> bytes:
    """A path for C."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise GaitError("the path contains a zero byte")
    return name


#: The memory of a contiguous and writable array for C. It is quicker than `ndarray.ctypes`.
memory: Callable[[Any], Any] = (ctypes.c_char * 0).from_buffer


def floats(values: Any, name: str = "the array") -> Floats:
    """Numbers as float32; masked ones become NaN."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float32), np.nan)
    try:
        kind = np.asarray(values).dtype.kind
        if kind in "cUS" or kind == "O" and any(isinstance(value, str) for value in np.ravel(values)):
            raise TypeError("they are complex" if kind == "c" else "they are texts")
        # A number too large for float32 becomes infinite. As in files, an infinite value counts as missing.
        with np.errstate(over="ignore"):
            return np.asarray(values, np.float32)
    except (TypeError, ValueError) as problem:
        raise GaitError(f"{name} does not hold plain numbers: {problem}") from None


def pointer(array: np.ndarray[Any, Any] | None) -> int | None:
    """The address of an array's first value; None for no array or an empty one."""
    return None if array is None or array.size == 0 else array.ctypes.data
