"""Which measure can rank runs: where predictions that no one wants stand among them.

Two oracles are made of the truth of each sample: all siblings beside it, or the highest labels alone. They
win a measure where they stand above most of the runs that have a higher F of closed sets. Data are the
shipped benchmark, and where a folder of data holds these, ImageCLEF 2011 with made runs, the runs of GermEval
2019, and sets of MeSH whose labels have several parents::

    python examples/ranking_study.py > tables.md
    ONTOEVAL_DATA=DATA python examples/ranking_study.py > tables.md

The tables are Markdown.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import ontoeval as oe

MEASURES = (
    *("OS", "OS(penalise='none')", "hF", "hF(average='samples')", "hF(average='macro')"),
    *("LCaF", "LCaF(average='micro')", "ICMnorm", "CoPHE"),
    *("tF", "tF(credit_from=0.25)", "tF(average='samples')", "tKappa"),
    *("F", "F(average='samples')", "F(average='macro')", "Jaccard"),
)
WHOLE = ("hF(average='macro')", "F(average='macro')", "tKappa", "ICMnorm")
"""Measures that score no single sample, or need the frequencies of a corpus."""

BASELINES = ("siblings", "top", "prior", "permuted")
MADE = tuple((kind, rate) for kind in ("drop", "add", "sibling", "parent", "random") for rate in (0.2, 0.5))
HEAVY = "18070"
"""A heading of MeSH (D010845) below several unrelated ones, so that it has many ancestors."""

DRAWN = 2_000
"""Random sets of six headings of MeSH."""

Runs = Mapping[str, oe.LabelSets]


def made_runs(truth: oe.LabelSets, hierarchy: oe.Hierarchy) -> Runs:
    """Make ten runs: five kinds of error, each at two rates."""
    return {
        f"{kind} {rate:.0%}": oe.comparison.perturb(truth, kind, rate, hierarchy=hierarchy, seed=at)
        for at, (kind, rate) in enumerate(MADE)
    }


def leaves_and_siblings(truth: oe.LabelSets, hierarchy: oe.Hierarchy) -> oe.LabelSets:
    """Form the oracle `siblings` of the most specific labels alone, as a file without ancestors has them."""
    above = hierarchy.labels_above
    lowest = truth.matrix.astype(int) - ((truth.matrix.astype(int) @ above.astype(int)) > 0)
    leaves = oe.LabelSets(lowest > 0, truth.vocabulary, truth.samples)
    return oe.comparison.baseline(leaves, "siblings", hierarchy=hierarchy)


def ranks(
    truth: oe.LabelSets, runs: Runs, hierarchy: oe.Hierarchy, measures: Sequence[str]
) -> Iterator[dict[str, object]]:
    """Give the place of each baseline among the runs, 1 above all, and whether nonsense wins."""
    hierarchy = oe.concepts.with_information(hierarchy, truth, corpus="the truth itself")
    beside = {kind: oe.comparison.baseline(truth, kind, hierarchy=hierarchy) for kind in BASELINES}
    beside["leaves and siblings"] = leaves_and_siblings(truth, hierarchy)
    entered = {**runs, **beside}
    found = {
        name: oe.evaluate(truth, run, hierarchy=hierarchy, measures=measures).scores
        for name, run in entered.items()
    }
    closed = {name: closed_f(truth, run, hierarchy) for name, run in entered.items()}
    oracles = [name for name in ("siblings", "leaves and siblings", "top") if changes(truth, beside[name])]
    for measure in measures:
        scores = [found[run][measure] for run in runs]
        places = {
            name: 1 + sum(score > found[name][measure] for score in scores)
            for name in (*oracles, "prior", "permuted")
        }
        won = []
        for name in oracles:
            better = [found[run][measure] for run in runs if closed[run] > closed[name]]
            won += [name] * (2 * sum(score < found[name][measure] for score in better) > len(better))
        yield {
            "measure": measure,
            **{f"{name} ({found[name]['F']:.2f})": place for name, place in places.items()},
            "won by nonsense": ", ".join(won) or "no",
        }


def closed_f(truth: oe.LabelSets, run: oe.LabelSets, hierarchy: oe.Hierarchy) -> float:
    """Compute F of closed sets."""
    sides = (side.closed(hierarchy) for side in (truth, run))
    return oe.evaluate(*sides, hierarchy=hierarchy, measures="F")["F"]


def changes(truth: oe.LabelSets, oracle: oe.LabelSets) -> bool:
    """Check whether an oracle changes at least half of the sets."""
    different = abs(truth.matrix.astype(int) - oracle.matrix.astype(int)).sum(axis=1) > 0
    return bool(2 * np.count_nonzero(different) >= len(truth))


def several_parents(hierarchy: oe.Hierarchy, measures: Sequence[str]) -> Iterator[dict[str, object]]:
    """Score five of six right labels, and one of many ancestors; then four and two of six at random."""
    rng, names = np.random.default_rng(0), hierarchy.vocabulary
    single = np.diff(hierarchy.ancestors.indptr) == hierarchy.depth + 1
    leaves = hierarchy.leaves[single[hierarchy.leaves]]
    ordinary = [names[at] for at in rng.choice(leaves, 5, replace=False)]
    drawn = [[names[at] for at in rng.choice(len(names), 6, replace=False)] for _ in range(DRAWN)]
    truth = [[*ordinary, HEAVY], *drawn]
    steps = ([ordinary, *(six[:4] for six in drawn)], [[HEAVY], *(six[4:] for six in drawn)])
    each = [measure for measure in measures if measure not in WHOLE]
    found = [oe.evaluate(truth, step, hierarchy=hierarchy, measures=each) for step in steps]
    for measure in each:
        more, less = (one.per_sample(measure) for one in found)
        yield {
            "measure": measure,
            "five of six": float(more[0]),
            "one of six": float(less[0]),
            "right order": "yes" if more[0] > less[0] else "no",
            "four of six at random above the other two, %": 100 * float((more[1:] > less[1:]).mean()),
        }


def data_sets() -> Iterator[tuple[str, oe.LabelSets, Runs, oe.Hierarchy]]:
    """Read the shipped benchmark; ImageCLEF 2011 and GermEval 2019, where they are."""
    photo, folder = oe.read_ontology("photo"), oe.ontologies.benchmark()
    truth, hierarchy = oe.read_labels(folder / "truth.csv", photo), photo.hierarchy()
    runs = {path.stem: oe.read_labels(path, photo) for path in sorted((folder / "runs").glob("*.csv"))}
    yield "The shipped benchmark", truth, runs, hierarchy
    yield "The shipped benchmark, made runs", truth, made_runs(truth, hierarchy), hierarchy
    data = Path(os.environ.get("ONTOEVAL_DATA", "."))
    folder = data / "imageclef2011"
    if folder.is_dir():
        names, meant = folder / "concepts.txt", folder / "concept_map.csv"
        concepts = oe.labels.read_concepts(names, concept_map=meant)
        ontology = oe.read_ontology(folder / "photo_tagging_2011.owl", concepts=concepts)
        truth = oe.read_labels(folder / "truth.txt", ontology, concepts=names, concept_map=meant)
        hierarchy = ontology.hierarchy()
        yield "ImageCLEF 2011, made runs", truth, made_runs(truth, hierarchy), hierarchy
        bare = replace(hierarchy, exclusions=(), requirements=())
        yield "The same without rules", truth, made_runs(truth, bare), bare
    folder = data / "labels" / "germeval2019"
    if folder.is_dir():
        lines = (folder / "hierarchy.txt").read_text(encoding="utf-8").splitlines()
        links = [line.split("\t") for line in lines if line.strip()]
        hierarchy = oe.Hierarchy.from_edges([(parent, child) for parent, child in links])
        sets = genres(folder / "blurbs_test_label.txt")
        found = {path.stem: genres(path) for path in sorted((folder / "submissions").glob("*.txt"))}
        entered = {name: of(run, sets, hierarchy) for name, run in found.items() if run}
        yield "GermEval 2019, subtask b", of(sets, sets, hierarchy), entered, hierarchy


def genres(path: Path) -> dict[str, list[str]]:
    """Read the labels of subtask b of a file of GermEval 2019."""
    text = path.read_text(encoding="utf-8")
    lines = text.partition("subtask_b")[2].partition("subtask_")[0].splitlines()
    cells = [[cell.strip() for cell in line.split("\t")] for line in lines]
    return {name: [label for label in labels if label] for name, *labels in cells if name}


def of(sets: Mapping[str, list[str]], samples: Iterable[str], hierarchy: oe.Hierarchy) -> oe.LabelSets:
    """Make label sets of all samples; those that a run lacks have none."""
    return oe.LabelSets.from_sets(
        {sample: sets.get(sample, []) for sample in samples}, vocabulary=hierarchy.label_vocabulary
    )


def markdown(title: str, rows: Iterable[Mapping[str, object]]) -> str:
    """Write a table in Markdown."""
    found = list(rows)
    lines = [list(found[0]), ["---"] + ["---:"] * (len(found[0]) - 1)]
    lines += [
        [f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row.values()] for row in found
    ]
    return f"**{title}**\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--measure", action="append", help="a measure in place of the usual ones; repeatable")
    measures = parser.parse_args(arguments).measure or MEASURES
    measures = tuple(dict.fromkeys([*measures, "F"]))
    for name, truth, runs, hierarchy in data_sets():
        title = f"{name}: {len(truth):,} samples, {len(runs)} runs; places of baselines (F) among the runs"
        print(markdown(title, ranks(truth, runs, hierarchy, measures)))
    mesh = Path(os.environ.get("ONTOEVAL_DATA", "."), "ontologies", "mesh_bioasq", "mesh_hiearchy_int.txt")
    if mesh.is_file():
        rows = [line.split() for line in mesh.read_text(encoding="utf-8").splitlines() if line.strip()]
        hierarchy = oe.Hierarchy.from_edges([(parent, child) for parent, child in rows])
        print(markdown("MeSH, several parents", several_parents(hierarchy, measures)))


if __name__ == "__main__":
    main()
