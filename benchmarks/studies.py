"""Intervals, comparisons, studies, agreement of annotators and audits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
from scipy import sparse

import ontoeval as oe
from benchmarks import peers
from benchmarks.measuring import FLOOR, Effort, Prepare, Task, Work
from benchmarks.samples import Sides, documents, label_sets, links, photos

MEASURES = (
    *("OS", "OS(penalise='none')", "LCaF"),
    *("F", "F(average='macro')", "F(average='samples')", "P", "R", "Jaccard", "Hamming", "ExactMatch"),
    *("hF", "hP", "hR", "hF(average='samples')"),
)
KINDS = ("drop", "add", "sibling", "parent", "random")
RESAMPLES, RESCORED = 1000, 5
ANNOTATORS, ANNOTATED, FAULTY = 20, 0.1, 0.03
MISTAKES, RULES = 0.001, 500
"""Share of labels that an audit misses, and how many rules it checks."""


@dataclass(frozen=True)
class Runs:
    """A truth and runs that differ from it more and more."""

    truth: oe.LabelSets
    runs: dict[str, oe.LabelSets]
    hierarchy: oe.Hierarchy
    resamples: int

    @property
    def size(self) -> str:
        """Samples, concepts, runs and resamples."""
        shape = f"{len(self.truth):,} × {len(self.truth.vocabulary):,} concepts"
        return f"{shape}, {len(self.runs)} runs, {self.resamples:,} resamples"


@cache
def one_run(effort: Effort) -> Sides:
    """10,000 photos."""
    sides = photos(effort).first(effort.of(10_000))
    return replace(sides, concepts=f"{sides.concepts}, {RESAMPLES:,} resamples", hierarchy=None)


@cache
def many_concepts(effort: Effort) -> Sides:
    """10,000 documents."""
    sides = documents(effort)
    return replace(sides, concepts=f"{sides.concepts}, {RESAMPLES:,} resamples", hierarchy=None)


@cache
def ten_runs(effort: Effort) -> Runs:
    """2,000 photos."""
    return changed(photos(effort).first(effort.of(2_000)), 10, effort)


@cache
def long_runs(effort: Effort) -> Runs:
    """10,000 photos."""
    return changed(photos(effort).first(effort.of(10_000)), 10, effort)


@cache
def twenty_runs(effort: Effort) -> Runs:
    """4,000 photos."""
    return changed(photos(effort).first(effort.of(4_000)), 20, effort)


@cache
def runs_of_documents(effort: Effort) -> Runs:
    """10,000 documents."""
    return changed(documents(effort), 3, effort)


def changed(sides: Sides, runs: int, effort: Effort) -> Runs:
    """Change the labels of some samples in several ways."""
    assert sides.hierarchy is not None  # noqa: S101
    made = {
        f"run {run}": oe.comparison.perturb(
            sides.truth, KINDS[run % len(KINDS)], 0.05 + 0.04 * run, hierarchy=sides.hierarchy, seed=run
        )
        for run in range(max(3, effort.of(runs)))
    }
    return Runs(sides.truth, made, sides.hierarchy, effort.of(RESAMPLES))


def intervals(measure: str) -> Prepare:
    """Resample the samples of one run."""
    options: dict[str, Any] = {"measures": measure, "resamples": RESAMPLES, "test": "none", "baselines": ()}
    return lambda data: partial(oe.compare, data.truth, {"run": data.prediction}, **options)


def compared(measures: int | None = None) -> Prepare:
    """Compare all pairs, with intervals and tests, by the measures of this page or by those by default."""
    return lambda data: partial(oe.compare, data.truth, data.runs, **given(data, measures))


def studied(measures: int | None = None) -> Prepare:
    """Study measures by everything that a study has by default."""
    return lambda data: partial(oe.study, data.truth, data.runs, **given(data, measures))


def given(data: Runs, measures: int | None) -> dict[str, Any]:
    """Hierarchy, resamples and measures."""
    chosen = {} if measures is None else {"measures": MEASURES[:measures]}
    return {"hierarchy": data.hierarchy, "resamples": data.resamples, **chosen}


@dataclass(frozen=True)
class Annotated:
    """What annotators say of samples."""

    annotations: oe.Annotations
    size: str


@cache
def annotated(effort: Effort) -> Annotated:
    """Let annotators err at three decisions of a hundred."""
    rng, samples, concepts = np.random.default_rng(0), effort.of(2_000), 20
    truth = rng.random((samples, concepts)) < ANNOTATED
    said = {f"annotator {who}": truth ^ (rng.random(truth.shape) < FAULTY) for who in range(ANNOTATORS)}
    sets = {who: oe.LabelSets.from_array(one) for who, one in said.items()}
    size = f"{ANNOTATORS} annotators, {samples:,} samples × {concepts} concepts, {RESAMPLES:,} resamples"
    return Annotated(oe.Annotations.from_sets(sets), size)


def agreed(data: Annotated) -> Work:
    """Compute all coefficients of every concept with intervals."""
    return partial(oe.agreement, data.annotations, resamples=RESAMPLES)


@dataclass(frozen=True)
class Audited:
    """Closed label sets with mistakes."""

    sets: oe.LabelSets
    hierarchy: oe.Hierarchy

    @property
    def size(self) -> str:
        """Samples, concepts and labels."""
        labels = self.sets.matrix.nnz / len(self.sets)
        return f"{len(self.sets):,} × {len(self.hierarchy.vocabulary):,} concepts, {labels:.0f} labels each"


@cache
def audited(effort: Effort) -> Audited:
    """Close drawn sets upwards, and leave labels out."""
    rng, edges = np.random.default_rng(0), links(5_000, 5_000)
    names = sorted({name for link in edges for name in link})
    pairs = [
        (names[one], names[other]) for one, other in rng.integers(0, len(names), (RULES, 2)) if one != other
    ]
    hierarchy = oe.Hierarchy.from_edges(
        edges,
        exclusions=[oe.core.Exclusion(*pair) for pair in pairs[RULES // 5 :]],
        requirements=[oe.core.Requirement(one, (other,)) for one, other in pairs[: RULES // 5]],
    )
    closed = label_sets(effort.of(100_000), hierarchy.vocabulary, labels=6)[0].closed(hierarchy)
    kept = rng.random(closed.matrix.nnz) > MISTAKES
    matrix = sparse.csr_array((kept, closed.matrix.indices, closed.matrix.indptr), shape=closed.matrix.shape)
    return Audited(oe.LabelSets(matrix, hierarchy.vocabulary, closed.samples), hierarchy)


def audit(data: Audited) -> Work:
    """Look for everything that an audit looks for."""
    return partial(oe.audit_labels, data.sets, data.hierarchy)


TASKS = (
    Task(
        "interval of micro F",
        one_run,
        intervals("F"),
        {"scikit-learn": peers.resampled_by_scikit_learn(RESCORED, RESAMPLES)},
    ),
    Task(
        "interval of macro F",
        many_concepts,
        intervals("F(average='macro', undefined=0.0)"),
        {FLOOR: peers.resampled_floor(RESAMPLES)},
        lambda found: found.replicates.ravel(),
    ),
    Task(f"compare, {len(MEASURES)} measures", ten_runs, compared(len(MEASURES))),
    Task(f"study, {len(MEASURES)} measures", ten_runs, studied(len(MEASURES))),
    Task("compare, measures by default", long_runs, compared()),
    Task("study, measures by default", twenty_runs, studied()),
    Task("compare, measures by default", runs_of_documents, compared()),
    Task("agreement of annotators", annotated, agreed),
    Task("audit", audited, audit),
)
