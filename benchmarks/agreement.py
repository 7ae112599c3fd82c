"""Agreement of annotators: all coefficients of all concepts with intervals, and alpha of whole label sets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy import sparse

import ontoeval as oe
from benchmarks.measuring import Bar, Comparison, Cost, Effort, Peer, cost, seconds
from ontoeval.annotators.concept_agreement import Estimates, estimates
from ontoeval.annotators.options import AgreementOptions
from ontoeval.annotators.pairwise_kappa import Pairs
from ontoeval.annotators.set_agreement import SetDistance, set_alphas
from ontoeval.annotators.set_kappa import pair_kappas
from ontoeval.annotators.votes import ConceptMatrices, Votes

ANNOTATORS, SAMPLES, CONCEPTS = 100, 10_000, 100
LABELS, ERRORS = 0.1, 0.03


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Compare a hundred annotators."""
    samples, annotators = effort.of(SAMPLES), max(5, effort.of(ANNOTATORS))
    said = drawn(samples, annotators, CONCEPTS)
    size = f"{annotators} × {samples:,} × {CONCEPTS}"
    yield Comparison(
        "all coefficients with intervals", size, cost(partial(_estimates, said), effort), bar=Bar(seconds=30)
    )
    yield Comparison("κ of sets, all pairs", size, cost(partial(_kappas, said), effort))
    few = drawn(effort.of(5_000), 4, 12)
    size = f"4 × {len(few.samples):,} × 12"
    yield Comparison("α of sets, 4 distances, with intervals", size, cost(partial(_alphas, few), effort))
    yield beside_krippendorff(effort)


def beside_krippendorff(effort: Effort) -> Comparison:
    """Compute all coefficients of every concept, beside a package that computes one of them."""
    samples = effort.of(2_000)
    size = f"20 × {samples:,} × 20"
    said = drawn(samples, 20, 20)
    try:
        import krippendorff
    except ImportError:
        return Comparison("all coefficients, beside α", f"{size}, skipped: krippendorff is not installed")
    states = said.positive.toarray().reshape(samples, 20, 20).astype(float)

    def theirs() -> list[float]:
        return [
            krippendorff.alpha(
                reliability_data=states[:, :, concept].T,
                level_of_measurement="nominal",
                value_domain=[0.0, 1.0],
            )
            for concept in range(20)
            if states[:, :, concept].any()
        ]

    ours = partial(_estimates, said, 1)
    found = ours().concepts["alpha"].value
    np.testing.assert_allclose(found[np.isfinite(found)], theirs(), atol=1e-9)
    peer = Peer("krippendorff", Cost(seconds(theirs, effort)))
    return Comparison("all coefficients, beside α", size, cost(ours, effort), peer)


def _estimates(said: oe.Annotations, resamples: int = 1000) -> Estimates:
    return estimates(said, Votes.from_annotations(said), AgreementOptions(resamples=resamples))


def _alphas(said: oe.Annotations) -> None:
    flat = oe.Hierarchy.flat(said.vocabulary)
    distances = tuple(SetDistance(kind, flat) for kind in ("exact", "jaccard", "masi", "hierarchical"))
    set_alphas(said, distances, AgreementOptions())


def _kappas(said: oe.Annotations) -> None:
    pairs = Pairs.from_matrices(ConceptMatrices.from_annotations(said))
    names = list(said.vocabulary)
    links = [(names[at // 2], name) for at, name in enumerate(names) if at]
    pair_kappas(said, oe.Hierarchy.from_edges(links, concepts=names), pairs, AgreementOptions())


def drawn(samples: int, annotators: int, concepts: int) -> oe.Annotations:
    """Draw annotators who see a truth with a tenth of the labels, and err at three decisions of a hundred."""
    rng = np.random.default_rng(0)
    truth = rng.random((samples, concepts)) < LABELS
    sheets = [sparse.csr_array(truth ^ (rng.random(truth.shape) < ERRORS)) for _ in range(annotators)]
    positive = sparse.csr_array(sparse.vstack(sheets, format="csr"))
    return oe.Annotations(
        positive,
        sparse.csr_array((positive.shape[0], concepts), dtype=bool),
        oe.Vocabulary(tuple(map(str, range(concepts)))),
        tuple(map(str, range(samples))),
        tuple(map(str, range(annotators))),
        np.tile(np.arange(samples), annotators),
        np.repeat(np.arange(annotators), samples),
    )
