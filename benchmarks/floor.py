"""The C floor: `floor.c`, compiled on the spot and called with numpy arrays."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable
from ctypes import POINTER, c_double, c_int64, c_void_p
from functools import cache, cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

import ontoeval as oe
from ontoeval.concepts.bits import Bits, Sizes
from ontoeval.concepts.costs import PathCosts, costs_by_name
from ontoeval.concepts.violations import ChosenRules
from ontoeval.measures.best_threshold import grid_of
from ontoeval.measures.hierarchical import Sets
from ontoeval.plumbing.sparse import choose_entries

SOURCE = Path(__file__).with_name("floor.c")
FLAGS = ("-std=c11", "-O2", "-shared", "-fPIC")


def compiler() -> str | None:
    """Find a C compiler: $CC, or the first of cc, gcc and clang."""
    named = (os.environ.get("CC"), "cc", "gcc", "clang")
    return next((found for name in named if name and (found := shutil.which(name))), None)


@cache
def library() -> ctypes.CDLL | None:
    """Compile and load the kernels; None without a compiler that can."""
    program = compiler()
    if program is None:
        return None
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        built = Path(folder, "floor.so")
        command = [program, *FLAGS, str(SOURCE), "-o", str(built)]
        if subprocess.run(command, check=False).returncode:  # noqa: S603 - the compiler of whoever calls
            return None
        loaded = ctypes.CDLL(str(built))
    for name in (
        *("micro_f", "macro_f", "fmax_on_grid"),
        *("hierarchical_f", "ontology_score", "ontology_score_by_paths"),
    ):
        getattr(loaded, name).restype = c_double
    return loaded


class _Csr(ctypes.Structure):
    _fields_ = (
        ("rows", c_int64),
        ("columns", c_int64),
        ("indptr", c_void_p),
        ("indices", c_void_p),
        ("data", c_void_p),
    )


class _Rules(ctypes.Structure):
    _fields_ = (("excludes", c_void_p), ("needs", POINTER(_Csr)), ("meets", c_void_p))


class _Curve(ctypes.Structure):
    _fields_ = tuple((name, c_void_p) for name in ("reached", "places", "hits", "all", "sums"))


class _Tree(ctypes.Structure):
    _fields_ = (("upward", POINTER(_Csr)), ("above", c_void_p), ("sizes", c_void_p))


class _Kept:
    """A CSR matrix as C takes it, and the arrays that it points to."""

    def __init__(self, matrix: sparse.csr_array) -> None:
        self.arrays = [np.ascontiguousarray(part, dtype=np.int32) for part in (matrix.indptr, matrix.indices)]
        self.arrays.append(np.ascontiguousarray(matrix.data, dtype=np.float64))
        self.csr = _Csr(*matrix.shape, *(part.ctypes.data for part in self.arrays))

    @property
    def at(self) -> Any:  # noqa: ANN401 - ctypes gives its pointers no public type
        """A pointer for one call."""
        return ctypes.byref(self.csr)


def _at(array: NDArray[Any]) -> c_void_p:
    return c_void_p(array.ctypes.data)


class Floor:
    """Kernels for one pair of label sets.

    What follows from the hierarchy alone is made before the clock runs, as ontoeval makes it once.
    """

    def __init__(
        self,
        truth: oe.LabelSets,
        prediction: oe.LabelSets | oe.LabelScores,
        hierarchy: oe.Hierarchy | None = None,
    ) -> None:
        found = library()
        if found is None:
            raise RuntimeError("No C compiler was found: install one, or set CC.")
        self.library, self.hierarchy = found, hierarchy
        self._truth, self._prediction = _Kept(truth.matrix), _Kept(prediction.matrix)
        self._sides = (self._truth.at, self._prediction.at)
        self._labels = len(truth.vocabulary)
        self._split = np.zeros(3 * (self._labels + 1), dtype=np.int32)

    def micro_f(self) -> float:
        """Count over all decisions."""
        return float(self.library.micro_f(*self._sides))

    def macro_f(self) -> float:
        """Average the F of the concepts, 0 for those that do not occur."""
        counts = np.empty(2 * self._labels, dtype=np.int64)
        return float(self.library.macro_f(*self._sides, _at(counts)))

    def macro_f_of_resamples(self, weights: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Average the F of the concepts in each resample, whose weights are given: resamples × samples."""
        counts, scores = np.empty(2 * self._labels, dtype=np.int64), np.empty(len(weights))
        drawn = _at(weights), c_int64(len(weights))
        self.library.macro_f_of_resamples(*self._sides, *drawn, _at(counts), _at(scores))
        return scores

    def krstinic(self) -> NDArray[np.float64]:
        """Fill a dense confusion matrix, with `unknown` last."""
        matrix = np.zeros((self._labels + 1, self._labels + 1))
        self.library.krstinic(*self._sides, _at(matrix), _at(self._split))
        return matrix

    def tensor(self) -> NDArray[np.float64]:
        """Fill both dense planes of the confusion tensor, with `unknown` last."""
        planes = np.zeros((2, self._labels + 1, self._labels + 1))
        self.library.tensor(*self._sides, *map(_at, planes), _at(self._split))
        return planes

    def transport(self) -> NDArray[np.float64]:
        """Fill a dense transport matrix, with what is not matched last."""
        matrix, concepts = np.zeros((self._labels + 1, self._labels + 1)), self._above.shape[1]
        room = (
            np.empty(concepts, dtype=np.int32),
            np.empty(2 * concepts, dtype=np.uint8),
            np.empty(6 * self._labels),
        )
        tree = ctypes.byref(_Tree(ctypes.pointer(self._informative.csr), _at(self._above), _at(self._sizes)))
        self.library.transport(*self._sides, tree, _at(matrix), _at(self._split), *map(_at, room))
        return matrix

    def fmax_on_grid(self) -> float:
        """Find the best of the thresholds .01, .02, … by F of precision and recall averaged over samples."""
        grid, width = np.array(grid_of(0.01)), self._closure.csr.columns
        of_grid, sums = np.empty((2, grid.size + 1), dtype=np.int64), np.empty(3 * grid.size)
        reached, places = np.zeros(width, dtype=np.int64), np.empty(width, dtype=np.int32)
        curve = _Curve(*(_at(room) for room in (reached, places, *of_grid, sums)))
        given = self._closure.at, _at(grid), ctypes.c_int(grid.size), ctypes.byref(curve)
        return float(self.library.fmax_on_grid(*self._sides, *given))

    def hierarchical_f(self) -> float:
        """Compare labels and ancestors."""
        seen = np.zeros(self._ancestors.csr.columns, dtype=np.int64)
        return float(self.library.hierarchical_f(*self._sides, self._ancestors.at, _at(seen)))

    def ontology_score(self, *, rules: bool = False) -> float:
        """Compute the ontology score by a table of all costs."""
        chosen = self._rules if rules else _Rules()
        return float(
            self.library.ontology_score(
                *self._sides, _at(self._table), ctypes.byref(chosen), _at(self._split)
            )
        )

    def ontology_score_by_paths(self) -> float:
        """Compute the ontology score without rules and without a table."""
        width = self._upward.csr.columns
        seen, least = np.zeros(width, dtype=np.int64), np.empty(width)
        return float(
            self.library.ontology_score_by_paths(
                *self._sides, self._upward.at, _at(self._split), _at(seen), _at(least)
            )
        )

    def prepared(self, name: str, **options: bool) -> Callable[[], object]:
        """Choose a kernel by name, and call it once, which prepares what it needs."""
        kernel = partial(getattr(self, name), **options)
        kernel()
        return kernel

    @cached_property
    def _ancestors(self) -> _Kept:
        hierarchy = self._required()
        kept = Sets().member_concepts(hierarchy)  # a root above everything is left out
        return _Kept(sparse.csr_array(hierarchy.label_ancestors[:, kept]))

    @cached_property
    def _closure(self) -> _Kept:
        return _Kept(self._required().label_ancestors)

    @cached_property
    def _informative(self) -> _Kept:
        above = self._required().label_ancestors
        bits = self._required().derive(Bits(agreement=None))
        return _Kept(choose_entries(above, bits[above.indices] > 0))

    @cached_property
    def _above(self) -> NDArray[np.uint8]:
        """Labels × concepts, as a table."""
        kept = self._informative
        rows = sparse.csr_array(
            (kept.arrays[2], kept.arrays[1], kept.arrays[0]), shape=(kept.csr.rows, kept.csr.columns)
        )
        return np.ascontiguousarray(rows.toarray(), dtype=np.uint8)

    @cached_property
    def _sizes(self) -> NDArray[np.float64]:
        return np.round(self._required().derive(Sizes(Bits(agreement=None))), 12)

    @cached_property
    def _costs(self) -> PathCosts:
        costs = costs_by_name(self._required(), "depth-weighted")
        assert isinstance(costs, PathCosts)  # noqa: S101
        return costs

    @cached_property
    def _table(self) -> NDArray[np.float64]:
        return np.ascontiguousarray(self._costs.table)

    @cached_property
    def _upward(self) -> _Kept:
        return _Kept(self._costs.upward)

    @cached_property
    def _rules(self) -> _Rules:
        """Rules, each side of which is the labels at or below some concepts, as tables of labels."""
        book = self._required().derive(ChosenRules())
        left, right = (book.sides[:, side].toarray().astype(np.uint8) for side in (book.left, book.right))
        one_way = left[:, book.excludes] @ right[:, book.excludes].T > 0
        self._excludes = np.ascontiguousarray(one_way | one_way.T, dtype=np.uint8)
        self._needs = _Kept(sparse.csr_array(left[:, ~book.excludes]))
        self._meets = np.ascontiguousarray(right[:, ~book.excludes].T)
        return _Rules(_at(self._excludes), ctypes.pointer(self._needs.csr), _at(self._meets))

    def _required(self) -> oe.Hierarchy:
        if self.hierarchy is None:
            raise ValueError("This kernel needs a hierarchy.")
        return self.hierarchy
