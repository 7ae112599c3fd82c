"""Score samples part by part and add the sums, as where all of them do not fit into memory.

python examples/merge_parts.py
"""

from __future__ import annotations

import csv
from itertools import islice

import ontoeval as oe

MEASURES = ("OS", "F", "F(average='macro')", "F(rule='mlcm')", "Jaccard", "Hamming")


def main() -> None:
    """Score a run in parts of 120 samples, and whole."""
    folder, hierarchy = oe.ontologies.benchmark(), oe.read_ontology("photo").hierarchy()
    paths = folder / "truth.csv", folder / "runs" / "near-miss.csv"
    with paths[0].open(encoding="utf-8") as truth, paths[1].open(encoding="utf-8") as run:
        sides, parts = (csv.DictReader(truth), csv.DictReader(run)), []
        # Both files have the same samples in the same order.
        while part := list(zip(*(islice(side, 120) for side in sides), strict=True)):
            true, predicted = (
                {row["id"]: row["labels"].split(";") for row in rows} for rows in zip(*part, strict=True)
            )
            parts.append(oe.collect(oe.align(true, predicted, hierarchy=hierarchy), MEASURES))
    merged = oe.score(oe.merge(*parts)).scores
    whole = oe.evaluate(
        *(oe.read_labels(path, "photo") for path in paths), hierarchy=hierarchy, measures=MEASURES
    )
    for measure, score in merged.items():
        print(f"{measure:<20}{score:>10.4f}{whole[measure]:>10.4f}")
    print(f"{len(parts)} parts have {'the same' if merged == whole.scores else 'other'} scores as the whole.")


if __name__ == "__main__":
    main()
