"""Columns of Arrow data by the Arrow C data interface, without copies and without pyarrow.

Source: https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html.
"""
from __future__ import annotations

import ctypes
from typing import Any, Container, Iterator

import numpy as np

from ._library import GaitError


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)), ("release", _RELEASE), ("private_data", ctypes.c_void_p)]
_Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))), ("dictionary", ctypes.POINTER(_Array)),
    ("release", _RELEASE), ("private_data", ctypes.c_void_p)]
_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_Stream._fields_ = [
    ("get_schema", _NEXT), ("get_next", _NEXT), ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
    ("release", _RELEASE), ("private_data", ctypes.c_void_p)]

_TYPES = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "e": "f2", "f": "f4",
          "g": "f8"}
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}

_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_capsule.restype, _capsule.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _dtype(text: str) -> str | None:
    if text.startswith("ts"):
        return f"datetime64[{_UNITS[text[2]]}]"
    return f"timedelta64[{_UNITS[text[2]]}]" if text.startswith("tD") else _TYPES.get(text)


class _Owner:
    """A batch's memory, released with the last array that uses it."""

    def __init__(self, array: _Array, capsules: Any = None) -> None:
        self._array, self._capsules = array, capsules

    def __del__(self) -> None:
        if self._capsules is None and self._array.release:
            self._array.release(ctypes.addressof(self._array))


def _array(address: int, size: int, kind: np.dtype[Any], owner: _Owner) -> np.ndarray[Any, Any]:
    """The array in `size` bytes at an address."""
    buffer: Any = (ctypes.c_char * size).from_address(address)
    buffer.owner = owner
    return np.frombuffer(buffer, kind)


def _column(schema: _Schema, array: _Array, offset: int, length: int, owner: _Owner) -> np.ndarray[Any, Any] | None:
    """A column as an array; None for a type that is not numeric. Nulls become NaN."""
    dtype = _dtype(schema.format.decode())
    if dtype is None or schema.dictionary:
        return None
    start, kind = array.offset + offset, np.dtype(dtype)
    if length == 0:
        return np.empty(0, kind)
    address = array.buffers[1] + start * kind.itemsize
    values = _array(address, length * kind.itemsize, kind, owner)
    if array.null_count == 0 or not array.buffers[0]:
        return values
    bits = _array(array.buffers[0], (start + length + 7) // 8, np.dtype(np.uint8), owner)
    valid = np.unpackbits(bits, bitorder="little")[start:start + length].astype(bool)
    if valid.all():
        return values
    if kind.kind in "mM":
        raise GaitError(f"the column {schema.name.decode()} has a time that is null; drop that row")
    return np.where(valid, values, np.nan).astype(np.float32 if kind.itemsize <= 4 and kind.kind == "f" else np.float64)


def _children(schema: _Schema, array: _Array, wanted: Container[str], owner: _Owner) -> dict[str, np.ndarray[Any, Any]]:
    if schema.format != b"+s":
        raise GaitError("the Arrow data is not a table; pass a table, a record batch or a data frame")
    columns = {}
    for index in range(schema.n_children):
        child = schema.children[index].contents
        values = _column(
            child, array.children[index].contents if array.length else _Array(), array.offset, array.length, owner)
        name = (child.name or b"").decode()
        if values is not None:
            columns[name] = values
        elif name in wanted:
            raise GaitError(
                f"the column {name} does not hold plain numbers (Arrow type {child.format.decode()}); cast it to float32")
    return columns


def batches(table: Any, wanted: Container[str]) -> Iterator[dict[str, np.ndarray[Any, Any]]]:
    """The numeric columns of each batch of an object with `__arrow_c_stream__` or `__arrow_c_array__`.

    Those in `wanted` must be numeric. A table without batches, as pyarrow's without rows, yields one batch without rows.
    The arrays keep the memory of their batch.
    """
    if hasattr(table, "__arrow_c_array__") and not hasattr(table, "__arrow_c_stream__"):
        capsules = table.__arrow_c_array__()
        schema = _Schema.from_address(_capsule(capsules[0], b"arrow_schema"))
        array = _Array.from_address(_capsule(capsules[1], b"arrow_array"))
        yield _children(schema, array, wanted, _Owner(array, capsules))
        return
    capsule = table.__arrow_c_stream__()
    stream = _Stream.from_address(_capsule(capsule, b"arrow_array_stream"))
    schema, is_empty = _Schema(), True
    _check(stream, stream.get_schema(ctypes.addressof(stream), ctypes.addressof(schema)))
    try:
        while True:
            array = _Array()
            _check(stream, stream.get_next(ctypes.addressof(stream), ctypes.addressof(array)))
            if array.release or is_empty:
                yield _children(schema, array, wanted, _Owner(array))
            if not array.release:
                return
            is_empty = False
    finally:
        schema.release(ctypes.addressof(schema))


def _check(stream: _Stream, code: int) -> None:
    if code != 0:
        text = stream.get_last_error(ctypes.addressof(stream))
        raise GaitError(f"the Arrow stream failed: {text.decode() if text else code}")
