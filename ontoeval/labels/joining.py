"""Entries of the parts of a file, put together and cut into chunks of so many samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError
from ontoeval.labels.entries import ONE_ROW_EACH, Entries

Number = TypeVar("Number", np.float64, np.int32)

SORT = "Sort the rows by sample, or read the file whole with read_labels."


def chunks_of(parts: Iterable[tuple[str, Entries]], size: int) -> Iterator[Entries]:
    """Cut the entries of a file's parts into chunks."""
    met = _Met()
    waiting: Entries | None = None
    for where, part in parts:
        again = met.again(part.samples)
        if again is None and waiting is not None and not part.several_rows:
            again = next(iter(set(waiting.samples).intersection(part.samples)), None)
        if again is not None:
            problem = "goes on, but was complete before" if part.several_rows else "is there already"
            remedy = SORT if part.several_rows else ONE_ROW_EACH
            raise InputError(f"sample {again!r} {problem}", remedy, where=where)
        *chunks, waiting = cut(part if waiting is None else joined(waiting, part), size)
        for chunk in chunks:
            met.add(chunk.samples)
            yield chunk
    if waiting is not None:
        yield waiting


def joined(first: Entries, second: Entries) -> Entries:
    """Put the entries of two parts together."""
    samples, row = _united(first.samples, second.samples)
    spellings, code = _united(first.spellings, second.spellings)
    places = dict(zip((*second.spellings, *first.spellings), (*second.places, *first.places), strict=True))
    return replace(
        first,
        samples=samples,
        spellings=spellings,
        places=tuple(places[text] for text in spellings),
        row=np.concatenate([first.row, row[second.row]]),
        code=np.concatenate([first.code, code[second.code]]),
        values=_both(first.values, second.values),
        lines=_both(first.lines, second.lines),
        starts=None,
    )


def cut(entries: Entries, size: int) -> list[Entries]:
    """Cut entries into chunks."""
    if len(entries.samples) <= size:
        return [entries]
    order = np.argsort(entries.row, kind="stable")
    begins = range(0, len(entries.samples), size)
    ends = np.searchsorted(entries.row[order], [*begins, len(entries.samples)])
    return [
        _part(entries, begin, min(begin + size, len(entries.samples)), order[ends[n] : ends[n + 1]])
        for n, begin in enumerate(begins)
    ]


def _part(entries: Entries, begin: int, end: int, chosen: NDArray[np.intp]) -> Entries:
    code, names, places = entries.code[chosen], entries.spellings, entries.places
    if not entries.header:
        used, inverse = np.unique(code, return_inverse=True)
        code = inverse.astype(np.int32)
        names, places = tuple(names[n] for n in used), tuple(places[n] for n in used)
    return replace(
        entries,
        samples=entries.samples[begin:end],
        spellings=names,
        places=places,
        row=entries.row[chosen] - begin,
        code=code,
        values=None if entries.values is None else entries.values[chosen],
        lines=None if entries.lines is None else entries.lines[chosen],
        starts=None,
    )


def _united(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Unite two lists of names, and tell where those of the second are."""
    names = dict.fromkeys((*first, *second))
    position = dict(zip(names, range(len(names)), strict=True))
    return tuple(names), np.array([position[name] for name in second], dtype=np.int32)


def _both(first: NDArray[Number] | None, second: NDArray[Number] | None) -> NDArray[Number] | None:
    return None if first is None or second is None else np.concatenate([first, second])


class _Met:
    """The samples of chunks that are complete, in eight bytes each."""

    def __init__(self) -> None:
        self._hashes = np.empty(0, dtype=np.int64)

    def add(self, names: Sequence[str]) -> None:
        """Remember some samples."""
        # Two runs that are sorted are merged in one pass.
        self._hashes = np.sort(np.concatenate([self._hashes, np.sort(_hashes(names))]), kind="stable")

    def again(self, names: Sequence[str]) -> str | None:
        """Find a name that has been met; that one of a million is mistaken has odds of 1 to ten millions."""
        if not self._hashes.size:
            return None
        hashes = _hashes(names)
        at = np.minimum(np.searchsorted(self._hashes, hashes), self._hashes.size - 1)
        found = np.flatnonzero(self._hashes[at] == hashes)
        return names[int(found[0])] if found.size else None


def _hashes(names: Sequence[str]) -> NDArray[np.int64]:
    return np.fromiter(map(hash, names), dtype=np.int64, count=len(names))
