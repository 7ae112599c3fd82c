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
    folder = oe.ontologies.benchmark()
    truth = oe.read_labels(folder / "truth.csv", ontology)
    run = oe.read_labels(folder / "runs" / "near-miss.csv", ontology)
    batch = oe.align(truth, run, hierarchy=ontology.hierarchy())

    # Each chunk could be read from a file of its own; of what was collected only a few sums are kept.
    parts = [oe.collect(chunk, MEASURES) for chunk in batch.chunks(SAMPLES_AT_ONCE)]
    streamed = oe.score(oe.merge(*parts))
    whole = oe.score(oe.collect(batch, MEASURES))

    print(f"{len(parts)} chunks of {', '.join(str(part.samples) for part in parts)} samples")
    print(f"{'measure':<20}{'chunks':>10}{'whole':>10}")
    for measure in MEASURES:
        print(f"{measure:<20}{streamed[measure]:>10.4f}{whole[measure]:>10.4f}")
    same = all(isclose(streamed[measure], whole[measure], rel_tol=1e-12) for measure in MEASURES)
    print("Chunks score what the whole scores." if same else "Chunks and whole differ!")


if __name__ == "__main__":
    main()
