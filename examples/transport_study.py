"""What speaks for transport F and κ, and what against: ladders, chance, changed hierarchies, power.

Truths are changed by known amounts, so that the right order of the predictions is known, over the shipped
benchmark; and over the truth of ImageCLEF 2011, where a folder of data holds it::

    python examples/transport_study.py > tables.md
    ONTOEVAL_DATA=DATA python examples/transport_study.py > tables.md

The tables are Markdown; the manual's page on this study shows them as they are printed.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import sparse

import ontoeval as oe

MEASURES = (
    *("OS", "OS(penalise='none')", "hF", "LCaF", "ICMnorm", "CoPHE", "tF", "tKappa"),
    *("F", "Jaccard"),
)
RATES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
SAMPLES = 12
"""Samples of a draw, by which the predictions of a ladder are ranked."""

Ladders = Mapping[str, Sequence[oe.LabelSets]]


def ladders(truth: oe.LabelSets, hierarchy: oe.Hierarchy) -> Ladders:
    """Make predictions in their known order, the best first."""

    def changed(kind: str, rate: float, labels: oe.LabelSets = truth, seed: int = 1) -> oe.LabelSets:
        return oe.comparison.perturb(labels, kind, rate, hierarchy=hierarchy, seed=seed)

    def more(kind: str) -> list[oe.LabelSets]:
        # Each step changes other labels, so that a measure must find the order in the noise of few samples.
        return [changed(kind, rate, seed=at) for at, rate in enumerate(RATES)]

    def sets(matrix: sparse.csr_array) -> oe.LabelSets:
        return oe.LabelSets(matrix, truth.vocabulary, truth.samples)

    def both(labels: oe.LabelSets, more: oe.LabelSets, *, wrong: bool = False) -> oe.LabelSets:
        added = (more.matrix > truth.matrix) if wrong else more.matrix
        return sets(sparse.csr_array(labels.matrix + added))

    kin, noisy = changed("sibling", 0.3), changed("random", 0.3)
    share = np.random.default_rng(1).random(len(truth))

    def nearer(near: float) -> oe.LabelSets:
        take = sparse.diags_array((share < near).astype(float)).tocsr()
        rest = sparse.diags_array((share >= near).astype(float)).tocsr()
        return sets(sparse.csr_array((take @ kin.matrix + rest @ noisy.matrix) > 0))

    added = (0.0, 0.25, 0.5, 1.0)
    all_kin = changed("sibling", 1.0)
    return {
        "more exchanged for any label": more("random"),
        "more exchanged for siblings": more("sibling"),
        "more missed": more("drop"),
        "more added, any label": more("add"),
        "more added, siblings": [both(truth, step) for step in more("sibling")],
        "30 % exchanged, fewer for siblings": [nearer(near) for near in (1, 0.75, 0.5, 0.25, 0)],
        "30 % wrong, then siblings added": [
            both(noisy, changed("sibling", rate, noisy), wrong=True) for rate in added
        ],
        "30 % wrong, then any label added": [
            both(noisy, changed("add", rate, noisy), wrong=True) for rate in added
        ],
        "30 % missed, or exchanged for any": [changed("drop", 0.3), noisy],
        "30 % exchanged: siblings, or any": [kin, noisy],
        "30 % added: siblings, or any": [both(truth, kin), both(truth, noisy)],
        "siblings, with or without the truth": [both(truth, all_kin), all_kin],
    }


def in_order(
    truth: oe.LabelSets, steps_of: Ladders, hierarchy: oe.Hierarchy, draws: int
) -> Iterator[dict[str, object]]:
    """Give the share of adjacent predictions in the right order, over draws of a few samples."""
    rng, count = np.random.default_rng(2), min(SAMPLES, len(truth))
    drawn = np.zeros((draws, len(truth)))
    for marks in drawn:
        marks[rng.choice(len(truth), count, replace=False)] = 1
    shares: list[list[float]] = []
    for steps in steps_of.values():
        batches = [oe.align(truth, step, hierarchy=hierarchy) for step in steps]
        shares.append([])
        for symbol in MEASURES:
            measure = oe.measures.parse(symbol)
            scores = np.stack([measure.formula(drawn @ measure.statistic(batch)) for batch in batches])
            shares[-1].append(100 * float((scores[:-1] > scores[1:] + 1e-12).mean()))
    shares.append(np.mean(shares, axis=0).tolist())
    for name, row in zip([*steps_of, "mean"], shares, strict=True):
        yield {"ladder": name, **dict(zip(MEASURES, row, strict=True))}


def at_chance(truth: oe.LabelSets, hierarchy: oe.Hierarchy) -> Iterator[dict[str, object]]:
    """Score predictions that know nothing of the sample, or only its number of labels; and one that does."""
    kinds = {"nothing": "empty", "all labels": "all", "the labels of at least half of the samples": "prior"}
    kinds |= {"labels at random, by their frequency": "random", "the truth of another sample": "permuted"}
    runs = {name: oe.comparison.baseline(truth, kind) for name, kind in kinds.items()}
    rng = np.random.default_rng(3)
    any_labels = np.zeros(truth.matrix.shape, dtype=int)
    for row, size in zip(any_labels, truth.sizes, strict=True):
        row[rng.choice(row.size, size, replace=False)] = 1
    runs["any labels, as many as are true"] = oe.LabelSets(
        sparse.csr_array(any_labels > 0), truth.vocabulary, truth.samples
    )
    half = oe.comparison.perturb(truth, "random", 0.5, hierarchy=hierarchy, seed=1)
    for name, run in (runs | {"the truth, half of it exchanged for any": half}).items():
        yield {"prediction": name, **scored(truth, run, hierarchy)}


def with_leaves_moved(hierarchy: oe.Hierarchy, share: float) -> oe.Hierarchy:
    """Hang a share of the leaves below a parent of other leaves, drawn at random."""
    rng, links = np.random.default_rng(4), hierarchy.parents.tocoo()
    leaf = ~np.isin(links.row, links.col)
    moving = leaf & (rng.random(links.nnz) < share)
    parents = np.where(moving, rng.choice(np.unique(links.col[leaf]), links.nnz), links.col)
    return replace(hierarchy, parents=sparse.csr_array((links.data, (links.row, parents)), links.shape))


def changed_hierarchies(truth: oe.LabelSets, hierarchy: oe.Hierarchy) -> Iterator[dict[str, object]]:
    """Score one prediction over changed hierarchies: with nodes inserted, a level less, siblings merged."""
    prediction = oe.comparison.perturb(truth, "sibling", 0.3, hierarchy=hierarchy, seed=1)
    yield {"hierarchy": "as it is", **scored(truth, prediction, hierarchy)}
    moved = oe.concepts.with_information(with_leaves_moved(hierarchy, 0.2), truth, corpus="the truth itself")
    yield {"hierarchy": "a fifth of the leaves elsewhere", **scored(truth, prediction, moved)}
    changes = {
        "abstract nodes on a fifth of the links": oe.comparison.insert_nodes(hierarchy, 0.2, seed=1),
        "without the concepts of level 1": oe.comparison.collapse_level(hierarchy, 1),
        "a fifth of the siblings merged": oe.comparison.merge_siblings(hierarchy, 0.2, seed=1),
    }
    for name, change in changes.items():
        new = oe.concepts.with_information(change.hierarchy, change.carry(truth), corpus="the truth itself")
        yield {"hierarchy": name, **scored(change.carry(truth), change.carry(prediction), new)}


def scored(truth: oe.LabelSets, run: oe.LabelSets, hierarchy: oe.Hierarchy) -> Mapping[str, float]:
    """Score a prediction by all measures."""
    return oe.evaluate(truth, run, hierarchy=hierarchy, measures=MEASURES).scores


def told_apart(study: oe.comparison.Study) -> Iterator[dict[str, object]]:
    """Give power, stability and the correlation with the ranking by OS."""
    power, stability, tau = study.power, study.stability, study.agreements["tau_b"]
    for at, measure in enumerate(power.measures):
        yield {
            "measure": measure,
            "pairs told apart": f"{power.adjusted[at]:.1%}",
            "τ of halves": float(stability.halves[at]),
            "τ_b with OS": float(tau.values[0, at]),
        }


def axioms(study: oe.comparison.Study) -> Iterator[dict[str, object]]:
    """Give the share of the cases in which each axiom holds, in percent."""
    found = study.behaviour.rows() if study.behaviour is not None else []
    for axiom in [name for name in found[0] if name != "measure"]:
        shares = {str(row["measure"]): row[axiom] for row in found}
        yield {
            "axiom": axiom,
            **{name: "–" if share is None else 100 * float(share) for name, share in shares.items()},
        }


def runs_of(truth: oe.LabelSets, hierarchy: oe.Hierarchy) -> dict[str, oe.LabelSets]:
    """Make twenty runs: four kinds of change at five rates."""
    return {
        f"{kind}-{rate:.0%}": oe.comparison.perturb(truth, kind, rate, hierarchy=hierarchy, seed=at)
        for at, (kind, rate) in enumerate(
            (kind, rate)
            for kind in ("drop", "add", "sibling", "random")
            for rate in (0.1, 0.15, 0.2, 0.25, 0.3)
        )
    }


def markdown(title: str, rows: Iterable[Mapping[str, object]], digits: int) -> str:
    """Write a table in Markdown."""
    found = list(rows)
    lines = [list(found[0]), ["---"] + ["---:"] * (len(found[0]) - 1)]
    lines += [
        [
            f"{round(cell, digits) + 0.0:.{digits}f}" if isinstance(cell, float) else str(cell)
            for cell in row.values()
        ]
        for row in found
    ]
    return f"**{title}**\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def tables(truth: oe.LabelSets, hierarchy: oe.Hierarchy, draws: int, resamples: int) -> Iterator[str]:
    """Make all tables of a truth."""
    hierarchy = oe.concepts.with_information(hierarchy, truth, corpus="the truth itself")
    steps_of, elsewhere = ladders(truth, hierarchy), with_leaves_moved(hierarchy, 0.2)
    title = f"Adjacent predictions in the right order, % over {draws} draws of {SAMPLES} samples"
    yield markdown(title, in_order(truth, steps_of, hierarchy, draws), 1)
    elsewhere = oe.concepts.with_information(elsewhere, truth, corpus="the truth itself")
    title = "The same predictions, scored over a hierarchy in which a fifth of the leaves hang elsewhere"
    yield markdown(title, in_order(truth, steps_of, elsewhere, draws), 1)
    yield markdown("Predictions that know nothing of the sample", at_chance(truth, hierarchy), 4)
    yield markdown(
        "One prediction (30 % exchanged for siblings), other hierarchies",
        changed_hierarchies(truth, hierarchy),
        4,
    )
    study = oe.study(
        truth,
        runs_of(truth, hierarchy),
        hierarchy=hierarchy,
        measures=MEASURES,
        correlations=["tau_b"],
        changes=None,
        resamples=resamples,
    )
    yield markdown("Twenty runs: four kinds of change at five rates", told_apart(study), 3)
    yield markdown("Axioms, % of the cases in which they hold", axioms(study), 1)


def truths(samples: int) -> Iterator[tuple[str, oe.LabelSets, oe.Hierarchy]]:
    """Read the shipped truth; and that of ImageCLEF 2011, where it is."""
    photo = oe.read_ontology("photo")
    truth = oe.read_labels(oe.ontologies.benchmark() / "truth.csv", photo)
    yield "The shipped benchmark", truth.rows(0, min(samples, len(truth))), photo.hierarchy()
    folder = Path(os.environ.get("ONTOEVAL_DATA", ".")) / "imageclef2011"
    if folder.is_dir():
        concepts = oe.labels.read_concepts(folder / "concepts.txt", concept_map=folder / "concept_map.csv")
        ontology = oe.read_ontology(folder / "photo_tagging_2011.owl", concepts=concepts)
        truth = oe.read_labels(
            folder / "truth.txt",
            ontology,
            concepts=folder / "concepts.txt",
            concept_map=folder / "concept_map.csv",
        )
        yield "ImageCLEF 2011", truth.rows(0, min(samples, len(truth))), ontology.hierarchy()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--samples", type=int, default=2_000, help="most samples of a truth")
    parser.add_argument("--draws", type=int, default=500, help="draws of a few samples, for the ladders")
    parser.add_argument("--resamples", type=int, default=1_000, help="resamples of the study of twenty runs")
    options = parser.parse_args(arguments)
    for name, truth, hierarchy in truths(options.samples):
        print(f"### {name}: {len(truth):,} samples, {len(truth.vocabulary):,} labels\n")
        for table in tables(truth, hierarchy, options.draws, options.resamples):
            print(table)


if __name__ == "__main__":
    main()
