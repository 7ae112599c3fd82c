"""A run without errors is read and scored, and one with errors is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe

LABELS = st.sampled_from(["a", "b", "c", "d", "nothing", ""])


@given(
    st.lists(st.tuples(st.sampled_from("p1 p2 p3 p4".split()), st.lists(LABELS, max_size=3)), max_size=6),
    st.sets(st.sampled_from("p1 p2 p3 p4 p5".split())),
)
def test_a_run_without_errors_is_read_and_one_with_errors_is_refused(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], samples: set[str]
) -> None:
    hierarchy, run = (tmp_path_factory.getbasetemp() / name for name in ("hierarchy.csv", "validated.csv"))
    hierarchy.write_text("parent,child\n,a\na,b\na,c\nc,d\n", encoding="utf-8")
    lines = "".join(f"{name},{';'.join(labels)}\n" for name, labels in rows)
    run.write_text(f"id,labels\n{lines}", encoding="utf-8")
    ontology = oe.read_ontology(hierarchy)
    refused = oe.audit.validate(run, ontology, samples=sorted(samples)).fails("error")
    truth = oe.LabelSets.from_sets({name: ["a"] for name in sorted(samples)}, vocabulary=["a", "b", "c", "d"])
    try:
        prediction = oe.read_labels(run, ontology)
        oe.evaluate(truth, prediction, hierarchy=ontology.hierarchy(), measures="F")
    except oe.OntoevalError:
        assert refused
    else:
        assert not refused
