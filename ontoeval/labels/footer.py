"""What the footer of a Parquet file says that its columns hold.

pyarrow would tell it too, but ends the whole program where a footer is broken in some ways.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

_BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 3, 7, 8, 9, 10, 11, 12
_BOOLEANS = frozenset({1, 2})
_INTEGERS = frozenset({4, 5, 6})
_DEEPEST = 20
"""Footers are nested four or five times."""

# Numbers of the fields in Parquet's own description of its footer.
_ROW_GROUPS, _COLUMNS, _COLUMN, _PATH, _VALUES = 4, 1, 3, 3, 5


def values_in(footer: bytes, names: Collection[str]) -> int:
    """Count the values that a file says its columns hold."""
    try:
        told = _Thrift(footer).value(_STRUCT)
        columns = [column[_COLUMN] for group in told[_ROW_GROUPS] for column in group[_COLUMNS]]
        return sum(abs(column[_VALUES]) for column in columns if column[_PATH][0].decode() in names)
    except (IndexError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"its footer is broken ({type(error).__name__})") from error


class _Thrift:
    """The compact protocol of Thrift: numbers, texts, lists, and fields by their numbers."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0
        self._simple: dict[int, Callable[[], Any]] = {
            _BYTE: self._byte,
            _DOUBLE: lambda: self._bytes(8),
            _BINARY: lambda: self._bytes(self._varint()),
            **dict.fromkeys(_INTEGERS, self._integer),
            **dict.fromkeys(_BOOLEANS, self._byte),
        }
        self._nested: dict[int, Callable[[int], Any]] = {
            _LIST: self._list,
            _SET: self._list,
            _MAP: self._map,
            _STRUCT: self._struct,
        }

    def value(self, kind: int, depth: int = 0) -> Any:  # noqa: ANN401 - whatever it holds
        """Read a value of some kind."""
        if kind in self._simple:
            return self._simple[kind]()
        if kind in self._nested and depth < _DEEPEST:
            return self._nested[kind](depth + 1)
        raise ValueError(f"its footer is broken (kind {kind} at depth {depth})")

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, count: int) -> bytes:
        if self._at + count > len(self._data):
            raise IndexError
        self._at += count
        return self._data[self._at - count : self._at]

    def _integer(self) -> int:
        number = self._varint()
        return (number >> 1) ^ -(number & 1)

    def _varint(self) -> int:
        number, shift = 0, 0
        while True:
            byte = self._byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:  # noqa: PLR2004 - the highest bit says that more follows
                return number
            shift += 7

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size = head >> 4
        if size == 0xF:  # noqa: PLR2004 - too many for four bits
            size = self._varint()
        return [self.value(head & 0xF, depth) for _ in range(size)]

    def _map(self, depth: int) -> list[Any]:
        size = self._varint()
        kinds = self._byte() if size else 0
        return [(self.value(kinds >> 4, depth), self.value(kinds & 0xF, depth)) for _ in range(size)]

    def _struct(self, depth: int) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            kind = head & 0xF
            step = head >> 4
            number = number + step if step else self._integer()
            # Whether it is true, the kind of a field itself says.
            fields[number] = kind if kind in _BOOLEANS else self.value(kind, depth)
        return fields
