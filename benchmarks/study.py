"""A study of many measures over many runs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from scipy import sparse

import ontoeval as oe
from benchmarks.measuring import Bar, Comparison, Cost, Effort, seconds

MEASURES = (
    *("OS", "OS(penalise='none')", "LCaF"),
    *("F", "F(average='macro')", "F(average='samples')", "P", "R", "Jaccard", "Hamming", "ExactMatch"),
    *("hF", "hP", "hR", "hF(average='samples')"),
)
RUNS, RESAMPLES = 20, 1000
KINDS = ("drop", "add", "sibling", "parent", "random")
LEAST, STEP = 0.05, 0.04
"""How much the first run is changed, and how much more each other one."""


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Study 15 measures over 20 runs, with everything that a study has by default."""
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    hierarchy = ontology.hierarchy()
    shipped = oe.read_labels(oe.ontologies.benchmark() / "truth.csv", ontology)
    samples = effort.of(4000)
    repeated = sparse.vstack([shipped.matrix] * (samples // len(shipped) + 1), format="csr")[:samples]
    truth = oe.LabelSets.from_array(repeated, vocabulary=shipped.vocabulary)
    number = max(3, effort.of(RUNS))
    runs = {
        str(run): oe.comparison.perturb(
            truth, KINDS[run % len(KINDS)], LEAST + STEP * run, hierarchy=hierarchy, seed=run
        )
        for run in range(number)
    }
    resamples = max(20, round(effort.share * RESAMPLES))
    size = f"{samples:,} × {len(truth.vocabulary)}, {number} runs, {len(MEASURES)} measures"
    work = partial(oe.study, truth, runs, hierarchy=hierarchy, measures=MEASURES, resamples=resamples)
    yield Comparison(
        "study",
        f"{size}, {resamples:,} resamples",
        Cost(seconds(work, effort)),
        bar=Bar(seconds=60),
    )
