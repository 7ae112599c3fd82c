"""Data of the benchmarks: label sets drawn at random, a large hierarchy, and files of both."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

import ontoeval as oe
from benchmarks.floor import Floor
from benchmarks.measuring import Effort
from ontoeval.measures.hierarchical import Sets

MESH = Path("ontologies", "mesh_bioasq", "mesh_hierarchy.txt")
"""Lines of parent and child, 27,900 concepts, in the folder that ONTOEVAL_DATA names."""
CONCEPTS, LINKS = 27_900, 37_800


@dataclass(frozen=True)
class Sides:
    """True and predicted label sets, and what peers take in their place."""

    truth: oe.LabelSets
    prediction: oe.LabelSets
    concepts: str
    hierarchy: oe.Hierarchy | None = None

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def size(self) -> str:
        """Samples and concepts."""
        return f"{len(self):,} × {self.concepts}"

    def first(self, samples: int) -> Sides:
        """Keep the first samples."""
        if samples >= len(self):
            return self
        truth, prediction = (_first(side, samples) for side in self.both)
        return Sides(truth, prediction, self.concepts, self.hierarchy)

    @property
    def both(self) -> tuple[oe.LabelSets, oe.LabelSets]:
        """Truth and prediction."""
        return self.truth, self.prediction

    @cached_property
    def floor(self) -> Floor:
        """The kernels in C."""
        return Floor(self.truth, self.prediction, self.hierarchy)

    @cached_property
    def integers(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        """0 and 1 as sparse arrays."""
        return self.truth.matrix.astype(np.int64), self.prediction.matrix.astype(np.int64)

    @cached_property
    def members(self) -> tuple[NDArray[np.str_], NDArray[np.str_]]:
        """Labels with their ancestors: texts, samples × labels × ancestors, filled up by empty ones."""
        assert self.hierarchy is not None  # noqa: S101
        above = sparse.csr_array(self.hierarchy.label_ancestors[:, Sets().member_concepts(self.hierarchy)])
        paths = _filled(above.indptr, np.char.mod("%d", above.indices))
        nothing = np.append(paths, np.full((1, paths.shape[1]), "", paths.dtype), axis=0)
        sides = (_filled(side.matrix.indptr, side.matrix.indices, -1) for side in self.both)
        wide = [nothing[side] for side in sides]
        return wide[0], wide[1]


def _filled(
    indptr: NDArray[np.integer], values: NDArray[np.generic], filler: object = ""
) -> NDArray[np.generic]:
    """Write rows of different length below each other."""
    lengths = np.diff(indptr)
    table = np.full((lengths.size, lengths.max(initial=1)), filler, dtype=values.dtype)
    table[np.arange(table.shape[1]) < lengths[:, None]] = values
    return table


def _first(sets: oe.LabelSets, samples: int) -> oe.LabelSets:
    return oe.LabelSets(sets.matrix[:samples], sets.vocabulary, sets.samples[:samples])


@dataclass(frozen=True)
class Arrays:
    """A few samples as NumPy arrays of 0 and 1: what a call takes while a model is trained."""

    truth: NDArray[np.int64]
    prediction: NDArray[np.int64]

    @property
    def size(self) -> str:
        """What is small."""
        return "a small call, arrays of NumPy"

    @property
    def integers(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same arrays: other libraries take them as they are."""
        return self.truth, self.prediction


@cache
def arrays(samples: int, concepts: int) -> Arrays:
    """Draw arrays of 3 labels among 10."""
    random = np.random.default_rng(0)
    truth, prediction = (random.random((2, samples, concepts)) < 0.3).astype(np.int64)  # noqa: PLR2004
    return Arrays(truth, prediction)


@dataclass(frozen=True)
class ScoredSides:
    """True label sets and scores of labels."""

    truth: oe.LabelSets
    prediction: oe.LabelScores
    hierarchy: oe.Hierarchy
    size: str

    @cached_property
    def floor(self) -> Floor:
        """The kernels in C."""
        return Floor(self.truth, self.prediction, self.hierarchy)


@cache
def scored_documents(effort: Effort) -> ScoredSides:
    """3,000 documents with 13 headings of MeSH, and 20 scores, some of them of these headings."""
    hierarchy, name = large_hierarchy()
    random, vocabulary = np.random.default_rng(3), hierarchy.label_vocabulary
    truth, _ = label_sets(effort.of(3_000), vocabulary, labels=13)
    drawn, _ = label_sets(len(truth), vocabulary, labels=14, seed=4)
    found = truth.matrix.astype(np.float64)
    found.data *= random.random(found.nnz) < 0.5  # noqa: PLR2004
    scores = sparse.csr_array(drawn.matrix.astype(np.float64) + found)
    scores.data = np.round(random.uniform(0.011, 1, scores.nnz), 3)
    prediction = oe.LabelScores(scores, vocabulary, truth.samples)
    size = f"{len(truth):,} × {len(hierarchy.vocabulary):,} concepts {name}, 13 labels and 20 scores each"
    return ScoredSides(truth, prediction, hierarchy, size)


class ScoredTable(Arrays):
    """Truth and a score of each label as NumPy arrays."""

    @property
    def size(self) -> str:
        """Samples and labels."""
        return f"{len(self.truth):,} × {self.truth.shape[1]} concepts, 5 labels and all scores"


@cache
def scored_table(effort: Effort) -> ScoredTable:
    """5,000 samples with a score of each of 500 labels, 5 of which are true."""
    random, samples = np.random.default_rng(5), effort.of(5_000)
    truth = np.zeros((samples, 500), dtype=np.int64)
    np.put_along_axis(truth, random.permuted(np.tile(np.arange(500), (samples, 1)), axis=1)[:, :5], 1, axis=1)
    return ScoredTable(truth, np.round(random.uniform(0.001, 1, truth.shape), 3))


@cache
def ranked_table(effort: Effort) -> ScoredTable:
    """1,000 samples of these with scores of which none are tied."""
    truth, random = scored_table(effort).truth[: effort.of(1_000)], np.random.default_rng(6)
    return ScoredTable(truth, random.permuted(np.tile(np.arange(1, 501) / 500, (len(truth), 1)), axis=1))


@cache
def photos(effort: Effort) -> Sides:
    """100,000 photos and 53 concepts with rules, of the ontology that comes with the package."""
    hierarchy = oe.read_ontology(oe.ontologies.path("photo")).hierarchy()
    return Sides(
        *label_sets(effort.of(100_000), hierarchy.label_vocabulary), "53 concepts, 12 labels each", hierarchy
    )


@cache
def wide(effort: Effort) -> Sides:
    """100,000 samples and 5,000 concepts without a hierarchy."""
    names = oe.Vocabulary(tuple(map(str, range(5_000))))
    return Sides(*label_sets(effort.of(100_000), names), "5,000 concepts, 12 labels each")


@cache
def documents(effort: Effort) -> Sides:
    """10,000 documents with headings of MeSH, or of a drawn hierarchy of its size."""
    hierarchy, name = large_hierarchy()
    sides = label_sets(effort.of(10_000), hierarchy.label_vocabulary, labels=13)
    return Sides(*sides, f"{len(hierarchy.vocabulary):,} concepts {name}, 13 labels each", hierarchy)


@cache
def large_hierarchy() -> tuple[oe.Hierarchy, str]:
    """Read MeSH, or draw a hierarchy of its size."""
    published = Path(os.environ.get("ONTOEVAL_DATA", ""), MESH)
    if published.is_file():
        return oe.read_ontology(published).hierarchy(), "of MeSH"
    return oe.Hierarchy.from_edges(links(CONCEPTS, LINKS)), "drawn"


def links(concepts: int, number: int) -> list[tuple[str, str]]:
    """Draw links from parents to children; about ten concepts lie above each, as in MeSH."""
    random = np.random.default_rng(2)
    children = np.append(
        np.arange(1, concepts), random.integers(1, concepts, size=max(0, number - concepts + 1))
    )
    parents = (random.random(children.size) ** 2 * children).astype(int)
    return sorted({(f"c{parent}", f"c{child}") for parent, child in zip(parents, children, strict=True)})


def label_sets(
    samples: int, vocabulary: oe.Vocabulary, *, labels: int = 12, seed: int = 0
) -> tuple[oe.LabelSets, oe.LabelSets]:
    """Draw true sets of so many labels, and predicted ones of which about half is right."""
    random = np.random.default_rng(seed)
    shape, concepts = (samples, labels), len(vocabulary)
    # Sorted draws that are pushed apart are all different.
    truth = np.sort(random.integers(concepts - labels + 1, size=shape), axis=1) + np.arange(labels)
    prediction = np.where(random.random(shape) < 0.5, truth, random.integers(concepts, size=shape))  # noqa: PLR2004
    return _sets(truth, vocabulary), _sets(prediction, vocabulary)


def _sets(columns: NDArray[np.intp], vocabulary: oe.Vocabulary) -> oe.LabelSets:
    samples, labels = columns.shape
    indptr = np.arange(0, columns.size + 1, labels)
    matrix = sparse.csr_array(
        (np.ones(columns.size, dtype=bool), columns.ravel(), indptr), shape=(samples, len(vocabulary))
    )
    return oe.LabelSets.from_array(matrix, vocabulary=vocabulary)


@dataclass(frozen=True)
class Files:
    """Files in a folder that is deleted at the end."""

    folder: TemporaryDirectory[str]
    size: str

    def __truediv__(self, name: str) -> Path:
        return Path(self.folder.name, name)
