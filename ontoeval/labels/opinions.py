"""What a file of annotations says, before its labels are looked up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontoeval.labels.annotator_cells import MISSING, nothing_in, read_as_nothing


@dataclass(frozen=True, eq=False, kw_only=True)
class Opinions:
    """What a file says."""

    where: str
    form: str
    samples: tuple[str, ...]
    annotators: tuple[str, ...]
    sample: NDArray[np.intp]
    annotator: NDArray[np.intp]
    spellings: tuple[str, ...]
    places: tuple[str, ...]
    sheet: NDArray[np.intp]
    code: NDArray[np.intp]
    state: NDArray[np.int8]
    line: NDArray[np.intp]
    header: bool = False
    asked: NDArray[np.intp] | None = None
    decisions: bool = False
    notes: tuple[str, ...] = ()
    guess: str = ""

    @property
    def positive(self) -> bool:
        """Whether nothing is said but that concepts are there, in labels or in values."""
        asked = 0 if self.asked is None else self.asked.size
        return bool((self.state == 1).all() and self.state.size >= self.sample.size * asked)

    def without_nothing(self, known: Callable[[Collection[str]], bool] | None) -> Opinions:
        """Leave out words that stand for an empty cell where labels are."""
        empty = [] if self.header else nothing_in(self.spellings, known)
        codes = [code for code, text in enumerate(self.spellings) if text in empty]
        lost = np.isin(self.code, codes)
        if not lost.any():
            return self
        kept = ~lost
        left = np.setdiff1d(np.arange(len(self.spellings)), codes)
        return replace(
            self,
            spellings=tuple(self.spellings[code] for code in left.tolist()),
            places=tuple(self.places[code] for code in left.tolist()),
            sheet=self.sheet[kept],
            code=np.searchsorted(left, self.code[kept]),
            state=self.state[kept],
            line=self.line[kept],
            notes=(*self.notes, read_as_nothing(empty, int(lost.sum()))),
        )


def settled(files: Sequence[Opinions]) -> tuple[list[Opinions], tuple[str, ...]]:
    """Decide what silence says in files of decisions: alike in all of them."""
    if not any(file.decisions for file in files):
        return list(files), ()
    only = all(file.positive for file in files)
    asked = None if only else np.empty(0, dtype=np.intp)
    note = (
        "all values are 1: what no row speaks of counts as not there"
        if only
        else "not all values are 1: what no row speaks of counts as unknown"
    )
    return [replace(file, asked=asked) if file.decisions else file for file in files], (note,)


def of_votes(
    state: NDArray[np.int8],
    lines: NDArray[np.intp],
    concepts: Sequence[str],
    *,
    where: str,
    form: str,
    names: tuple[tuple[str, ...], tuple[str, ...]],
    sheets: tuple[NDArray[np.intp], NDArray[np.intp]],
    guess: str = "",
) -> Opinions:
    """Take a row of values for each sheet; a row without any is a sample that has not been seen."""
    seen = np.flatnonzero((state != MISSING).any(axis=1))
    sheet, code = np.nonzero(state[seen])
    return Opinions(
        where=where,
        form=form,
        samples=names[0],
        annotators=names[1],
        sample=sheets[0][seen],
        annotator=sheets[1][seen],
        spellings=tuple(concepts),
        places=("row 1",) * len(concepts),
        sheet=sheet,
        code=code,
        state=state[seen][sheet, code],
        line=lines[seen][sheet],
        header=True,
        asked=np.arange(len(concepts)),
        guess=guess,
    )
