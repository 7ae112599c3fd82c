"""From files to a leaderboard, and from there to what went wrong, in Python.

The shipped benchmark has a truth, four runs and an agreement table; with files of your own only the
paths change::

    python examples/score_runs.py
"""

from __future__ import annotations

import ontoeval as oe

MEASURES = ("OS", "OS(penalise='none')", "F", "F(average='macro')")


def main() -> None:
    """Score four runs, then look at the best sample by sample and concept by concept."""
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    hierarchy = ontology.hierarchy()
    folder = oe.ontologies.benchmark()
    truth = oe.read_labels(folder / "truth.csv", ontology)
    agreement = oe.read_agreement(folder / "agreement.csv", ontology)
    runs = {path.stem: oe.read_labels(path, ontology) for path in sorted(folder.glob("runs/*.csv"))}

    results = {
        name: oe.evaluate(truth, run, hierarchy=hierarchy, agreement=agreement, measures=MEASURES)
        for name, run in runs.items()
    }
    ranked = sorted(results, key=lambda name: -results[name]["OS"])
    print(f"{'run':<16}" + "".join(f"{measure:>22}" for measure in MEASURES))
    for name in ranked:
        print(f"{name:<16}" + "".join(f"{results[name][measure]:>22.4f}" for measure in MEASURES))

    # A number is worth little without the choices behind it: they go along.
    print(f"\n{results[ranked[0]].signature}")

    # Which rules of the ontology does a run break, and does the truth keep them?
    print(f"\nRules that the truth breaks: {sum(b.broken > 0 for b in results[ranked[0]].breaches)}")

    # The worst photo of the second run, label by label.
    second = ranked[1]
    scores = results[second].per_sample("OS")
    worst = truth.samples[int(scores.argmin())]
    print(f"\nThe worst photo of {second}:")
    print(oe.explain(truth, runs[second], worst, hierarchy=hierarchy, agreement=agreement))

    # What it takes for what, by one of the published confusion matrices.
    print(f"\nWhat {second} takes for what, most often:")
    for taken in oe.confusion_matrix(truth, runs[second], rule="krstinic").top(5):
        print(f"  {taken.true} -> {taken.predicted}: {taken.mass:.1f} ({taken.share:.0%} of {taken.true})")

    # Which concepts it finds worst.
    counts = oe.one_vs_rest(truth, runs[second])
    print(f"\nThe concepts that {second} finds worst:")
    for column in counts.recall.argsort()[:3]:
        print(
            f"  {counts.concepts[column]}: {counts.tp[column]:.0f} of {counts.support[column]:.0f} found, "
            f"{counts.fp[column]:.0f} false"
        )


if __name__ == "__main__":
    main()
