"""Repeats: labels that rows give again, and whether these rows say something of their own elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.labels.formats import Recognised
from ontoeval.labels.sources import Source
from ontoeval.labels.statements import Statements


class Repeats(NamedTuple):
    """What rows say again."""

    labels: sparse.csr_array
    kept: sparse.csr_array
    apart: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        entries: Statements,
        chosen: NDArray[np.bool_],
        matrix: sparse.csr_array,
        rows: Source,
        form: Recognised,
    ) -> Repeats:
        """Find out what the rows of a file say again."""
        names = dict.fromkeys(entries.samples)
        long, number = form.format == "long", None
        differ = np.zeros(len(names), dtype=bool)
        found = beside(rows, form) if long or len(names) < len(entries.samples) else None
        if found is not None and long:
            number = found[0][found[1]]
            differ = apart(number, entries.sample, len(names))
            number = number[chosen]
        elif found is not None:
            place = dict(zip(names, range(len(names)), strict=True))
            sample = np.fromiter(map(place.__getitem__, entries.samples), dtype=np.intp)
            differ = apart(found[0], sample, len(names))
        row, code = entries.sample[chosen], entries.concept[chosen]
        if row.size == matrix.nnz:  # each is given once
            row, code, number = row[:0], code[:0], None
        return cls(*given_again(row, code, number, matrix.shape), differ)

    def alone(self) -> Repeats:
        """Leave columns that are not read out of account."""
        every = sparse.csr_array(self.labels + self.kept)
        return Repeats(every, sparse.csr_array(every[:, :0]), np.zeros_like(self.apart))


def beside(rows: Source, form: Recognised) -> tuple[NDArray[np.int64], NDArray[np.bool_]] | None:
    """Tell rows of a table apart by what they say in columns that are not read."""
    others = sorted(set(range(form.width)) - {form.sample, form.concept, form.score})
    if form.format not in {"wide", "long"} or not form.is_table or not others:
        return None
    numbers, labelled = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=bool)]
    for batch in rows.batches(form.delimiter, form.width):
        texts = zip(*(batch.columns[column] for column in others), strict=True)
        # They are only compared: which numbers they are is of no account.
        numbers.append(np.fromiter(map(hash, texts), dtype=np.int64, count=len(batch.lines)))
        labels = map(str.strip, batch.columns[form.concept or 0])
        labelled.append(np.fromiter(map(bool, labels), dtype=bool, count=len(batch.lines)))
    return np.concatenate(numbers), np.concatenate(labelled)


def apart(number: NDArray[np.int64], sample: NDArray[np.integer], count: int) -> NDArray[np.bool_]:
    """Mark the samples whose rows differ."""
    first = np.zeros(count, dtype=np.int64)
    first[sample[::-1]] = number[::-1]
    differ: NDArray[np.bool_] = np.bincount(sample[number != first[sample]], minlength=count) > 0
    return differ


def given_again(
    row: NDArray[np.integer],
    code: NDArray[np.integer],
    number: NDArray[np.int64] | None,
    shape: tuple[int, int],
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Count how often labels are given again."""
    # Most labels are given once: what repeats none is left out early.
    every = row.astype(np.int64) * shape[1] + code
    order = np.argsort(every, kind="stable")
    same = every[order[1:]] == every[order[:-1]]
    several = np.zeros(row.size, dtype=bool)
    several[order[1:]] |= same
    several[order[:-1]] |= same
    pairs = every[several]
    numbers = np.zeros_like(pairs) if number is None else number[several]
    different = np.unique(np.stack([pairs, numbers], axis=1), axis=0)[:, 0]
    again = _counted(pairs, shape) - _counted(different, shape)
    kept = _counted(different, shape) - _counted(np.unique(pairs), shape)
    for counts in (again, kept):
        counts.eliminate_zeros()
    return again, kept


def _counted(pairs: NDArray[np.int64], shape: tuple[int, int]) -> sparse.csr_array:
    ends: Sequence[NDArray[np.int64]] = np.divmod(pairs, shape[1])
    return sparse.csr_array((np.ones(pairs.size, dtype=np.int32), tuple(ends)), shape=shape)
