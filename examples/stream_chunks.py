"""Score samples a few at a time, as where all of them do not fit into memory.

Every measure is a formula on sums over samples. So the sums of parts can be collected one after the
other, added in any order, and scored once::

    python examples/stream_chunks.py
"""

from __future__ import annotations

from math import isclose

import ontoeval as oe

MEASURES = ("OS", "F", "F(average='macro')", "F(rule='mlcm')", "Jaccard", "Hamming")
SAMPLES_AT_ONCE = 120


def main() -> None:
    """Score a run whole and in chunks, and compare."""
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    folder, hierarchy = oe.ontologies.benchmark(), ontology.hierarchy()
    truth, run = folder / "truth.csv", folder / "runs" / "near-miss.csv"

    # Both files have their samples in the same order; of what is read only a few sums are kept.
    chunks = zip(
        oe.labels.read_label_chunks(truth, ontology, chunk=SAMPLES_AT_ONCE),
        oe.labels.read_label_chunks(run, ontology, chunk=SAMPLES_AT_ONCE),
        strict=True,
    )
    parts = [oe.collect(oe.align(*pair, hierarchy=hierarchy), MEASURES) for pair in chunks]
    streamed = oe.score(oe.merge(*parts))
    batch = oe.align(oe.read_labels(truth, ontology), oe.read_labels(run, ontology), hierarchy=hierarchy)
    whole = oe.score(oe.collect(batch, MEASURES))

    print(f"{len(parts)} chunks of {', '.join(str(part.samples) for part in parts)} samples")
    print(f"{'measure':<20}{'chunks':>10}{'whole':>10}")
    for measure in MEASURES:
        print(f"{measure:<20}{streamed[measure]:>10.4f}{whole[measure]:>10.4f}")
    same = all(isclose(streamed[measure], whole[measure], rel_tol=1e-12) for measure in MEASURES)
    print("Chunks score what the whole scores." if same else "Chunks and whole differ!")


if __name__ == "__main__":
    main()
