"""What speaks for transport F and κ, and what against: ladders, chance, changed hierarchies, power.

Truths are changed by known amounts, so that the right order of the predictions is known, over the shipped
benchmark; and, where a folder of data holds them, over the truth of ImageCLEF 2011 and with the runs of the
campaign GermEval 2019 (task 1, subtask b)::

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
from numpy.typing import NDArray
from scipy import sparse

import ontoeval as oe

MICRO, SAMPLES = "average='micro'", "average='samples'"
FAMILIES = ("F", "hF", "LCaF", "tF")
"""Formulas that are there with both averages."""
MEASURES = (
    *("OS", "OS(penalise='none')", "ICMnorm", "Jaccard"),
    *(f"{family}({average})" for family in FAMILIES for average in (MICRO, SAMPLES)),
    *("tF(credit_from=0.25)", "tKappa"),
    *("CoPHE(members='given')", "CoPHE(members='most specific')"),
    *("CoPHE(weights='bits', members='given')", "CoPHE(weights='bits', members='most specific')"),
)
RATES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
DRAWN = 12
"""Samples of a draw, by which the predictions of a ladder are ranked."""
FEW = 150
"""Samples of each half, where halves are to rank the runs of a campaign alike."""
MOVED = 0.2
"""Share of the leaves that are moved."""

Ladders = Mapping[str, Sequence[oe.LabelSets]]
Runs = Mapping[str, oe.LabelSets]
Row = Mapping[str, object]


def ladders(truth: oe.LabelSets, hierarchy: oe.Hierarchy, again: int) -> Ladders:
    """Make predictions in their known order, the best first."""

    def changed(kind: str, rate: float, labels: oe.LabelSets = truth, seed: int = 1) -> oe.LabelSets:
        return oe.comparison.perturb(labels, kind, rate, hierarchy=hierarchy, seed=seed + 100 * again)

    def more(kind: str) -> list[oe.LabelSets]:
        # Each step changes other labels, so that a measure must find the order in the noise of few samples.
        return [changed(kind, rate, seed=at) for at, rate in enumerate(RATES)]

    def sets(matrix: sparse.csr_array) -> oe.LabelSets:
        return oe.LabelSets(matrix, truth.vocabulary, truth.samples)

    def both(labels: oe.LabelSets, more: oe.LabelSets, *, wrong: bool = False) -> oe.LabelSets:
        added = (more.matrix > truth.matrix) if wrong else more.matrix
        return sets(sparse.csr_array(labels.matrix + added))

    kin, noisy = changed("sibling", 0.3), changed("random", 0.3)
    share = np.random.default_rng(1 + 100 * again).random(len(truth))

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


def summed(
    weights: NDArray[np.float64], truth: oe.LabelSets, run: oe.LabelSets, hierarchy: oe.Hierarchy
) -> NDArray[np.float64]:
    """Score a run on several draws of samples, draws × measures."""
    batch = oe.align(truth, run, hierarchy=hierarchy)
    measures = [oe.measures.parse(symbol) for symbol in MEASURES]
    return np.stack([one.formula(weights @ batch.derive(one.statistic)) for one in measures], axis=-1)


def in_order(
    truth: oe.LabelSets, steps_of: Ladders, hierarchy: oe.Hierarchy, draws: int
) -> NDArray[np.float64]:
    """Compute the share of adjacent predictions in the right order, in percent, ladders × measures."""
    rng, count = np.random.default_rng(2), min(DRAWN, len(truth))
    drawn = np.zeros((draws, len(truth)))
    for marks in drawn:
        marks[rng.choice(len(truth), count, replace=False)] = 1
    shares = []
    for steps in steps_of.values():
        scores = np.stack([summed(drawn, truth, step, hierarchy) for step in steps])
        shares.append(100 * (scores[:-1] > scores[1:] + 1e-12).mean(axis=(0, 1)))
    return np.stack(shares)


def on_ladders(truth: oe.LabelSets, hierarchy: oe.Hierarchy, draws: int, seeds: int) -> Iterator[Row]:
    """Give the mean over the ladders, here and over moved leaves, and the ladder of the lowest share."""
    other = informed(with_leaves_moved(hierarchy, MOVED), truth)
    made = [ladders(truth, hierarchy, seed) for seed in range(seeds)]
    here, moved = (
        np.stack([in_order(truth, one, tree, draws) for one in made]) for tree in (hierarchy, other)
    )
    for at, measure in enumerate(MEASURES):
        of_ladders = here[..., at].mean(axis=0)
        least = int(of_ladders.argmin())
        yield {
            "measure": measure,
            "mean": plus_minus(here[..., at].mean(axis=1), 1),
            "mean, leaves moved": plus_minus(moved[..., at].mean(axis=1), 1),
            "lowest": plus_minus(here[:, least, at], 1),
            "on the ladder": list(made[0])[least],
        }


def plus_minus(values: NDArray[np.float64], digits: int) -> str:
    """Write the mean of the seeds, and the standard deviation of one seed."""
    mean = f"{float(values.mean()):.{digits}f}"
    return f"{mean} ± {float(values.std(ddof=1)):.{digits}f}" if len(values) > 1 else mean


def by_measure(columns: Mapping[str, Mapping[str, object]]) -> Iterator[Row]:
    """Turn the scores of several cases into one row per measure."""
    for measure in MEASURES:
        yield {"measure": measure, **{name: scores[measure] for name, scores in columns.items()}}


def at_chance(truth: oe.LabelSets, hierarchy: oe.Hierarchy) -> Iterator[Row]:
    """Score predictions that know nothing of the sample, or only its number of labels; and one that does."""
    kinds = {"nothing": "empty", "all labels": "all", "labels of most samples": "prior"}
    kinds |= {"random labels": "random", "truth of another sample": "permuted"}
    runs = {name: oe.comparison.baseline(truth, kind) for name, kind in kinds.items()}
    rng = np.random.default_rng(3)
    any_labels = np.zeros(truth.matrix.shape, dtype=int)
    for row, size in zip(any_labels, truth.sizes, strict=True):
        row[rng.choice(row.size, size, replace=False)] = 1
    runs["any, as many as are true"] = oe.LabelSets(
        sparse.csr_array(any_labels > 0), truth.vocabulary, truth.samples
    )
    runs["half exchanged for any"] = oe.comparison.perturb(truth, "random", 0.5, hierarchy=hierarchy, seed=1)
    return by_measure({name: scored(truth, run, hierarchy) for name, run in runs.items()})


def with_leaves_moved(hierarchy: oe.Hierarchy, share: float, seed: int = 4) -> oe.Hierarchy:
    """Hang a share of the leaves below a parent of other leaves, drawn at random."""
    rng, links = np.random.default_rng(seed), hierarchy.parents.tocoo()
    leaf = ~np.isin(links.row, links.col)
    moving = leaf & (rng.random(links.nnz) < share)
    parents = np.where(moving, rng.choice(np.unique(links.col[leaf]), links.nnz), links.col)
    return replace(hierarchy, parents=sparse.csr_array((links.data, (links.row, parents)), links.shape))


def informed(hierarchy: oe.Hierarchy, truth: oe.LabelSets) -> oe.Hierarchy:
    """Give the concepts the information of the truth itself."""
    return oe.concepts.with_information(hierarchy, truth, corpus="the truth itself")


def changed_hierarchies(
    truth: oe.LabelSets, runs: Runs, hierarchy: oe.Hierarchy, seeds: int
) -> Iterator[Row]:
    """Compare scores of runs over changed hierarchies, in units of the spread of the runs."""
    others: dict[str, list[oe.comparison.ChangedHierarchy]] = {
        "nodes inserted": [oe.comparison.insert_nodes(hierarchy, 0.2, seed=seed) for seed in range(seeds)],
        "level 1 out": [oe.comparison.collapse_level(hierarchy, 1)],
    }
    before = of_runs(truth, runs, hierarchy)
    moved = [informed(with_leaves_moved(hierarchy, MOVED, seed), truth) for seed in range(seeds)]
    found = {"leaves moved": [of_runs(truth, runs, tree) for tree in moved]}
    for name, changes in others.items():
        found[name] = []
        for change in changes:
            new = change.carry(truth)
            carried = {run: change.carry(labels) for run, labels in runs.items()}
            found[name].append(of_runs(new, carried, informed(change.hierarchy, new)))
    for at, measure in enumerate(MEASURES):
        spread = before[:, at].std(ddof=1)
        row: dict[str, object] = {"measure": measure, "spread": float(spread)}
        for name, several in found.items():
            moves = [np.abs(after[:, at] - before[:, at]).mean() / spread for after in several]
            pairs = [np.stack([before[:, at], after[:, at]], axis=1) for after in several]
            tau = [oe.comparison.correlation_matrix(pair)[0, 1] for pair in pairs]
            row[name] = plus_minus(np.array(moves), 2)
            row[f"τ, {name}"] = plus_minus(np.array(tau), 2)
        yield row


def of_runs(truth: oe.LabelSets, runs: Runs, hierarchy: oe.Hierarchy) -> NDArray[np.float64]:
    """Score runs by all measures, runs × measures."""
    return np.array([list(scored(truth, run, hierarchy).values()) for run in runs.values()])


def scored(truth: oe.LabelSets, run: oe.LabelSets, hierarchy: oe.Hierarchy) -> Mapping[str, float]:
    """Score a prediction by all measures."""
    found = oe.evaluate(truth, run, hierarchy=hierarchy, measures=MEASURES)
    return dict(zip(MEASURES, found.scores.values(), strict=True))


def told_apart(study: oe.comparison.Study) -> Iterator[Row]:
    """Give power and stability, the best run, and how many axioms hold in all cases."""
    power, stability, first = study.power, study.stability, study.winners.first
    for at, measure in enumerate(power.measures):
        trials = [one for one in study.behaviour.trials if one.measure == measure] if study.behaviour else []
        least, axiom = min((one.held / one.cases, one.axiom) for one in trials if one.cases)
        yield {
            "measure": MEASURES[at],
            "pairs told apart": f"{power.adjusted[at]:.1%}",
            "τ of halves": float(stability.halves[at]),
            "swaps": float(stability.swaps[at]),
            "first": ", ".join(first[at]),
            "axioms kept": f"{sum(one.holds for one in trials)} of {len(trials)}",
            "least often": f"{least:.0%}: {axiom}",
        }


def axioms(study: oe.comparison.Study) -> Iterator[Row]:
    """Give the share of the cases in which each axiom holds, in percent, for some measures."""
    rows = study.behaviour.rows() if study.behaviour is not None else []
    shares = dict(zip(MEASURES, rows, strict=True))
    some = [one for one in MEASURES if "samples" not in one and "given" not in one and one != "Jaccard"]
    for axiom in [name for name in rows[0] if name != "measure"]:
        yield {"axiom": axiom, **{one: 100 * float(shares[one][axiom] or 0) for one in some}}


def families(study: oe.comparison.Study) -> Iterator[Row]:
    """Compare formulas within an average, and averages of a formula."""
    tau = study.agreements["tau_b"].values
    for family in FAMILIES:
        row: dict[str, object] = {"formula": family}
        for average in (MICRO, SAMPLES):
            at = MEASURES.index(f"{family}({average})")
            others = {one: tau[at, MEASURES.index(f"{one}({average})")] for one in FAMILIES if one != family}
            row[f"within {average}: " + "lowest τ_b, with"] = "{1:.2f}, {0}".format(
                *min(others.items(), key=lambda one: one[1])
            )
        ends = (MEASURES.index(f"{family}({average})") for average in (MICRO, SAMPLES))
        row["between both averages: τ_b"] = float(tau[tuple(ends)])
        yield row


def few_samples(truth: oe.LabelSets, runs: Runs, hierarchy: oe.Hierarchy, draws: int) -> Iterator[Row]:
    """Correlate the rankings of runs by two times few samples."""
    rng, weights = np.random.default_rng(5), np.zeros((2, draws, len(truth)))
    for draw in range(draws):
        chosen = rng.choice(len(truth), 2 * FEW, replace=False)
        weights[0, draw, chosen[:FEW]] = weights[1, draw, chosen[FEW:]] = 1
    halves = (
        np.stack([summed(side, truth, run, hierarchy) for run in runs.values()], axis=1) for side in weights
    )
    one, two = (np.moveaxis(side, -1, 0) for side in halves)  # measures × draws × runs
    pairs = np.stack([one, two], axis=-1)
    tau = np.array([[oe.comparison.correlation_matrix(pair)[0, 1] for pair in some] for some in pairs])
    more = tau - tau[MEASURES.index(f"hF({MICRO})")]
    for measure, found, gain in zip(MEASURES, tau, more, strict=True):
        error = float(gain.std(ddof=1) / np.sqrt(draws))
        yield {
            "measure": measure,
            "τ_b": float(found.mean()),
            "more than hF": float(gain.mean()),
            "se": error,
        }


def exploits(truth: oe.LabelSets, runs: Runs, hierarchy: oe.Hierarchy) -> Iterator[Row]:
    """Rank predictions that no one wants among the runs."""
    parents = hierarchy.parents[hierarchy.labels]
    roots = np.asarray(parents.sum(axis=1)).ravel() == 0
    leaves = ~np.isin(hierarchy.labels, hierarchy.parents.tocoo().col)
    ends = truth.matrix @ sparse.diags_array(leaves.astype(float))
    kin = sparse.csr_array(truth.matrix + ends @ (parents @ parents.T) > 0)
    best = max(runs.values(), key=lambda run: oe.evaluate(truth, run, measures="F")["F"])
    columns = np.arange(roots.size)
    frequent = (columns == np.where(roots, truth.matrix.sum(axis=0), -1).argmax())[None]
    made = {
        "right paths, wrong ends": oe.comparison.perturb(truth, "sibling", 1.0, hierarchy=hierarchy, seed=1),
        "roots of the truth": sets_of(truth, truth.matrix @ sparse.diags_array(roots.astype(float))),
        "truth and all siblings": sets_of(truth, kin),
        "best run and the most frequent root": sets_of(
            truth, best.matrix + sparse.csr_array(frequent.repeat(len(truth), axis=0))
        ),
        "all labels": oe.comparison.baseline(truth, "all"),
    }
    real = of_runs(truth, runs, hierarchy)
    more = {name: list(scored(truth, one, hierarchy).values()) for name, one in made.items()}
    for at, measure in enumerate(MEASURES):
        yield {"measure": measure} | {
            name: 1 + int((real[:, at] > scores[at]).sum()) for name, scores in more.items()
        }


def most_specific(labels: oe.LabelSets, hierarchy: oe.Hierarchy) -> oe.LabelSets:
    """Leave out labels that another label of the sample is below."""
    above = labels.matrix.astype(int) @ hierarchy.labels_above
    return sets_of(labels, labels.matrix.astype(int) - labels.matrix.astype(int).multiply(above > 0))


def sets_of(truth: oe.LabelSets, matrix: sparse.csr_array) -> oe.LabelSets:
    """Make label sets of the samples of the truth."""
    return oe.LabelSets(sparse.csr_array(matrix) > 0, truth.vocabulary, truth.samples)


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


def markdown(title: str, rows: Iterable[Row], digits: int = 3) -> str:
    """Write a table in Markdown."""
    found = list(rows)
    texts = {
        name
        for row in found
        for name, cell in row.items()
        if name in {"measure", "formula", "axiom", "first"}
    }
    texts |= {"on the ladder", "least often"}
    lines = [list(found[0]), ["---" if name in texts else "---:" for name in found[0]]]
    lines += [
        [
            f"{round(cell, digits) + 0.0:.{digits}f}" if isinstance(cell, float) else str(cell)
            for cell in row.values()
        ]
        for row in found
    ]
    return f"**{title}**\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def studied(truth: oe.LabelSets, runs: Runs, hierarchy: oe.Hierarchy, resamples: int) -> oe.comparison.Study:
    """Study the measures over runs."""
    by = {"correlations": ["tau_b"], "changes": None, "resamples": resamples}
    return oe.study(truth, runs, hierarchy=hierarchy, measures=MEASURES, **by)  # type: ignore[arg-type]


UNITS = "mean change of the scores in standard deviations of the runs; and τ_b with the ranking before"


def tables(truth: oe.LabelSets, hierarchy: oe.Hierarchy, options: argparse.Namespace) -> Iterator[str]:
    """Make all tables of a truth."""
    hierarchy, runs = informed(hierarchy, truth), runs_of(truth, hierarchy)
    title = (
        f"Adjacent predictions in the right order, % of {options.draws} draws of {DRAWN} samples, "
        f"± over {options.seeds} seeds"
    )
    yield markdown(title, on_ladders(truth, hierarchy, options.draws, options.seeds))
    yield markdown("Predictions that know nothing of the sample", at_chance(truth, hierarchy))
    yield markdown(
        f"Twenty runs over other hierarchies: {UNITS}",
        changed_hierarchies(truth, runs, hierarchy, options.trees),
    )
    study = studied(truth, runs, hierarchy, options.resamples)
    yield markdown("Twenty runs: four kinds of change at five rates", told_apart(study))


def campaign_tables(
    truth: oe.LabelSets, runs: Runs, hierarchy: oe.Hierarchy, options: argparse.Namespace
) -> Iterator[str]:
    """Make all tables of the runs of a campaign."""
    hierarchy = informed(hierarchy, truth)
    study = studied(truth, runs, hierarchy, options.resamples)
    runs = {run: runs[run] for run in study.entrants.names}  # each prediction once
    yield markdown(f"{len(runs)} different runs", told_apart(study))
    yield markdown("Axioms, % of the cases in which they hold", axioms(study), 1)
    yield markdown("Formulas and averages", families(study))
    title = f"Rankings by two times {FEW} samples, {options.pairs} draws"
    yield markdown(title, few_samples(truth, runs, hierarchy, options.pairs))
    yield markdown(f"Place among {len(runs)} runs", exploits(truth, runs, hierarchy))
    some = truth.samples[: options.samples]
    ends = {run: most_specific(labels.take(some), hierarchy) for run, labels in runs.items()}
    title = f"Most specific labels of {len(some):,} samples over other hierarchies: {UNITS}"
    rows = changed_hierarchies(most_specific(truth.take(some), hierarchy), ends, hierarchy, options.trees)
    yield markdown(title, rows)


def campaign(folder: Path) -> tuple[oe.LabelSets, dict[str, oe.LabelSets], oe.Hierarchy]:
    """Read the truth, the runs and the hierarchy of GermEval 2019; samples that a run lacks are empty."""
    links = [line.split("\t") for line in lines_of(folder / "hierarchy.txt")]
    hierarchy = oe.Hierarchy.from_edges([(parent, child) for parent, child in links])
    true = answers(folder / "blurbs_test_label.txt")
    runs = {path.stem: answers(path) for path in sorted((folder / "submissions").glob("*.txt"))}
    labels = hierarchy.label_vocabulary
    sets = {
        name: oe.LabelSets.from_sets({key: run.get(key, []) for key in true}, vocabulary=labels)
        for name, run in runs.items()
        if run
    }
    return oe.LabelSets.from_sets(true, vocabulary=labels), sets, hierarchy


def lines_of(path: Path) -> list[str]:
    """Read the lines of a file that are not empty."""
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def answers(path: Path) -> dict[str, list[str]]:
    """Read the labels of subtask b."""
    found: dict[str, list[str]] = {}
    wanted = False
    for line in lines_of(path):
        if line.startswith("subtask_"):
            wanted = line.strip() == "subtask_b"
        elif wanted:
            sample, *labels = line.split("\t")
            found[sample] = [label for label in labels if label.strip()]
    return found


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
    parser.add_argument(
        "--samples",
        type=int,
        default=500,
        help="most samples of a truth, and of the campaign over other hierarchies",
    )
    parser.add_argument("--draws", type=int, default=200, help="draws of a few samples, for the ladders")
    parser.add_argument("--seeds", type=int, default=5, help="how often the ladders are made")
    parser.add_argument("--resamples", type=int, default=1_000, help="resamples of the studies of runs")
    parser.add_argument("--trees", type=int, default=3, help="how often a hierarchy is changed")
    parser.add_argument("--pairs", type=int, default=400, help=f"draws of two times {FEW} samples")
    options = parser.parse_args(arguments)
    for name, truth, hierarchy in truths(options.samples):
        print(f"### {name}: {len(truth):,} samples, {len(truth.vocabulary):,} labels\n")
        for table in tables(truth, hierarchy, options):
            print(table)
    folder = Path(os.environ.get("ONTOEVAL_DATA", ".")) / "labels" / "germeval2019"
    if folder.is_dir():
        truth, runs, hierarchy = campaign(folder)
        print(f"### GermEval 2019: {len(truth):,} samples, {len(truth.vocabulary):,} labels\n")
        for table in campaign_tables(truth, runs, hierarchy, options):
            print(table)


if __name__ == "__main__":
    main()
