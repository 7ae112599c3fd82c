"""What predictions score that know nothing of the sample.

Three of them: no label at all, every label there is, and the true labels of the sample before. They
are scored with the shipped benchmark, or with a truth and an ontology of your own::

    python examples/baselines.py
    python examples/baselines.py truth.csv --ontology my.owl --root Animals --root Plants

A score says little before one knows what these score on the same data. `READING` says why they come
out as they do.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import ontoeval as oe
from ontoeval.concepts.violations import Breaches

MEASURES = ("OS", "OS(penalise='all predicted')", "OS(penalise='none')", "F", "Jaccard")

READING = """\
Why nothing scores 0: there is no label to match to, and the score says 0 where something is true.

Why the others score so much, far above their F: the ontology score gives credit for what lies near.
"Everything" misses no label. Its false labels mostly cost a fraction of 1, since something true lies in
their branch, and the sum is divided by the number of all labels. Labels of another sample are right by
chance where they are frequent, and where they are wrong a sibling is often true: another season,
another number of people.

Why penalties change this: without them the ontology score can hardly tell the two apart. "Everything"
breaks every exclusion, so with penalties each false label that stands in one costs 1, and with
penalties on all predicted labels the true ones that stand in one cost 1 as well. Labels of another
sample go together as well as the truth does, and keep nearly all of their score.

A system is to be compared with these scores, not with 0.
"""


def baselines(truth: oe.LabelSets) -> dict[str, oe.LabelSets]:
    """Predict nothing, everything, and for each sample the true labels of the one before it."""
    before = truth.matrix[np.roll(np.arange(len(truth)), 1)]
    return {
        "nothing": oe.comparison.baseline(truth, "empty"),
        "everything": oe.comparison.baseline(truth, "all"),
        "another sample's": oe.LabelSets(before, truth.vocabulary, truth.samples),
    }


def evaluated(truth: oe.LabelSets, hierarchy: oe.Hierarchy) -> dict[str, oe.evaluation.Evaluation]:
    """Score the baselines, all annotators agreeing."""
    return {
        name: oe.evaluate(truth, prediction, hierarchy=hierarchy, measures=MEASURES)
        for name, prediction in baselines(truth).items()
    }


def show(results: Mapping[str, oe.evaluation.Evaluation]) -> None:
    """Print the scores, and how to read them."""
    print(f"{'predicted labels':<30}" + "".join(f"{name:>18}" for name in results))
    for measure in MEASURES:
        print(f"{measure:<30}" + "".join(f"{result[measure]:>18.4f}" for result in results.values()))
    print(f"\n{READING}")


def show_rules(breaches: Sequence[Breaches]) -> None:
    """Print how many sets of the truth break the rules, the most often broken first."""
    broken = sorted((b for b in breaches if b.broken), key=lambda b: (-b.broken, str(b.rule)))
    print(f"The truth breaks {len(broken)} of {len(breaches)} rules.")
    for breach in broken:
        doubt = "  (suspect)" if breach.suspect else ""
        print(f"{breach.broken:>6,} of {breach.applies:>6,} sets: {breach.rule}{doubt}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("truth", type=Path, nargs="?", help="file of the true labels")
    parser.add_argument("--ontology", type=Path, metavar="FILE")
    parser.add_argument("--root", action="append", metavar="NAME", help="keep only this branch; repeatable")
    parser.add_argument("--concepts", type=Path, metavar="FILE", help="the concepts that may be labels")
    parser.add_argument("--concept-map", type=Path, metavar="FILE", help="what the labels stand for")
    options = parser.parse_args(arguments)
    if (options.truth is None) != (options.ontology is None):
        parser.error("a truth of your own needs --ontology, and the other way round")
    ontology = oe.read_ontology(options.ontology or oe.ontologies.path("photo"), root=options.root)
    truth = oe.read_labels(
        options.truth or oe.ontologies.benchmark() / "truth.csv",
        ontology,
        concepts=options.concepts,
        concept_map=options.concept_map,
    )
    results = evaluated(truth, ontology.hierarchy())
    show(results)
    show_rules(next(iter(results.values())).breaches)


if __name__ == "__main__":
    main()
