"""Samples that the cells, bars and branches of figures lead to, as data of a page, bounded in number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.confusion.matrix import ConceptPairMasses, ConfusionMatrix
from ontoeval.core.batch import Batch, set_sizes
from ontoeval.core.table import cell_text
from ontoeval.plumbing.arrays import Places
from ontoeval.plumbing.sparse import row_of_entries, stored_columns
from ontoeval.reports.explanation import Pictures

PER_CELL = 12  # samples of a cell
REFERENCES = 24_000  # samples of all cells of a figure
LABELS = 60_000  # labels of all samples of a page, with this many more for each sample:
OWN = 4

MEANINGS = ("right", "true but not predicted", "predicted but not true")
"""What it means that a label is common, missed or false."""

Data = dict[str, Any]
"""What JSON can hold."""


class SamplePool:
    """The samples that figures of a page lead to, each with its labels once for each run."""

    def __init__(
        self,
        runs: Mapping[str, Batch] | None = None,
        pictures: Pictures | None = None,
        meanings: Sequence[str] = MEANINGS,
        unit: str = "sample",
    ) -> None:
        self._pictures, self._meanings, self._unit = pictures or Pictures(), meanings, unit
        self._samples: dict[str, int] = {}
        self._last: tuple[Batch, ConceptPairMasses] | None = None
        self.add(runs or {})

    def add(self, runs: Mapping[str, Batch]) -> None:
        """Register all runs, which share the bound on samples; the first run gets a larger share."""
        room = 3 * LABELS // 4 // max(1, len(runs))
        self._runs = dict(runs)
        self._left = {run: room if at else room + LABELS // 4 for at, run in enumerate(runs)}
        self._kept: dict[str, dict[int, None]] = {run: {} for run in runs}
        self._labels = {
            run: OWN + np.asarray(set_sizes(batch.truth.matrix) + set_sizes(batch.false), dtype=np.intp)
            for run, batch in runs.items()
        }

    def matrix(
        self,
        run: str,
        matrix: ConfusionMatrix,
        order: Places,
        *,
        views: int,
        sides: tuple[str, str] = ("true", "predicted"),
    ) -> Data:
        """Find the samples of the largest confusions of a matrix, which is drawn in some order."""
        drawn = sparse.csr_array(sparse.csr_array(matrix.matrix)[order][:, order])
        row, column = row_of_entries(drawn), drawn.indices.astype(np.intp)
        cells = np.flatnonzero((row != column) & (drawn.data > 0))
        there = cells.size
        cells = cells[np.lexsort((cells, -drawn.data[cells]))][: REFERENCES // views]
        row, column = row[cells], column[cells]
        masses = self._masses(matrix, order[row], order[column])
        found = self.add_cells(run, row * order.size + column, masses, views=views)
        return found | {"kind": "cell", "sides": list(sides), "there": there}

    def bars(
        self,
        run: str,
        matrix: ConfusionMatrix,
        bars: Sequence[tuple[str, ...]],
        *,
        views: int,
        sides: tuple[str, str] = ("true", "predicted"),
    ) -> Data:
        """Find the samples of bars, each the confusion of two concepts."""
        row, column = ({name: at for at, name in enumerate(side)} for side in (matrix.rows, matrix.columns))
        rows, columns = np.array([(row[one], column[other]) for one, other in bars], dtype=np.intp).T
        found = self.add_cells(run, np.arange(rows.size), self._masses(matrix, rows, columns), views=views)
        return found | {"kind": "bar", "sides": list(sides)}

    def branches(self, run: str, concepts: NDArray[np.intp], *, views: int) -> Data:
        """Find the samples with a missed or false label at or below some concepts of the hierarchy."""
        batch = self._runs[run]
        upwards = batch.any_hierarchy.label_ancestors.astype(np.int32)
        errors = (batch.missed.astype(np.int32) + batch.false.astype(np.int32)) @ upwards
        masses = sparse.csr_array(errors.T.tocsr()[concepts])
        return self.add_cells(run, np.arange(concepts.size), masses, views=views) | {"kind": "branch"}

    def add_cells(self, run: str, keys: Places, masses: sparse.csr_array, *, views: int) -> Data:
        """Keep the samples with most mass in each cell, a row of `masses`, up to the bound."""
        found: Data = {"run": list(self._runs).index(run), "keys": [], "n": [], "mass": [], "samples": []}
        totals = np.asarray(masses.sum(axis=1), dtype=np.float64)
        filled = np.flatnonzero(totals > 0)
        left, names = REFERENCES // views, self._runs[run].truth.samples
        for cell in filled[np.argsort(-totals[filled], kind="stable")].tolist():
            own = masses.data[masses.indptr[cell] : masses.indptr[cell + 1]]
            sample, real = stored_columns(masses, cell), np.count_nonzero(own > 0)
            best = sample[np.lexsort((sample, -own))][: min(real, PER_CELL)].tolist()
            new = [one for one in best if one not in self._kept[run]]
            cost = int(self._labels[run][new].sum())
            if len(best) > left or cost > self._left[run]:
                break
            left -= len(best)
            self._left[run] -= cost
            self._kept[run].update(dict.fromkeys(new))
            places = [self._samples.setdefault(names[one], len(self._samples)) for one in best]
            row = (int(keys[cell]), int(real), round(float(totals[cell]), 2), places)
            for part, value in zip(("keys", "n", "mass", "samples"), row, strict=True):
                found[part].append(value)
        return found | {"there": int(filled.size)}

    def _masses(self, matrix: ConfusionMatrix, rows: Places, columns: Places) -> sparse.csr_array:
        """Mass that each sample puts into some cells; what its run puts into pairs is computed once."""
        origin = matrix.origin
        if origin is None:
            return sparse.csr_array((rows.size, 0))
        if self._last is None or self._last[0] is not origin.batch:
            self._last = origin.batch, origin.pairs()
        return origin.of_cells(rows, columns, self._last[1])

    def content(self) -> Data | None:
        """Write names, pictures and labels of the samples that were kept; None where there are none."""
        if not self._samples:
            return None
        concepts: dict[str, int] = {}
        above: dict[str, list[int]] = {}
        runs = []
        for run, batch in self._runs.items():
            names, hierarchy = batch.truth.vocabulary, batch.any_hierarchy
            own: Data = {"name": cell_text(run), "samples": [], "truth": [], "wrong": []}
            for at in self._kept[run]:
                true, wrong = (
                    [
                        concepts.setdefault(names[int(label)], len(concepts))
                        for part in parts
                        for label in stored_columns(part, at)
                    ]
                    for parts in ((batch.truth.matrix,), (batch.missed, batch.false))
                )
                own["samples"].append(self._samples[batch.truth.samples[at]])
                own["truth"].append(true)
                own["wrong"].append(wrong)
            runs.append(own)
            for name in [one for one in concepts if one in names.index and one not in above]:
                ancestors = stored_columns(hierarchy.ancestors, hierarchy.vocabulary.index[name])
                above[name] = [
                    concepts.setdefault(hierarchy.vocabulary[int(one)], len(concepts)) for one in ancestors
                ]
        called = next(iter(self._runs.values())).any_hierarchy.vocabulary.names
        pictures = [self._pictures.find(sample, embed=False) for sample in self._samples]
        return {
            "names": list(map(cell_text, self._samples)),
            "concepts": [cell_text(called.display_name(concept)) for concept in concepts],
            "above": [above.get(name, []) for name in concepts],
            "meanings": list(self._meanings),
            "unit": self._unit,
            "runs": runs,
            **({"pictures": [list(one or ()) for one in pictures]} if any(pictures) else {}),
        }
