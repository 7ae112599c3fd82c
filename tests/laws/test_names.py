"""However the concepts of some labels are spelt, the scores are the same."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe

SKOS = """@prefix : <http://purl.obolibrary.org/obo/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:X_0 a skos:Concept ; skos:prefLabel "plants"@en ; skos:notation "1" .
:X_1 a skos:Concept ; skos:broader :X_0 ; skos:prefLabel "spruce"@en , "Fichte"@de ; skos:altLabel "Picea" .
:X_2 a skos:Concept ; skos:broader :X_0 ; skos:prefLabel "pine"@en ; skos:altLabel "Kiefer"@de , "Spruce" .
:X_3 a skos:Concept ; skos:prefLabel "Sky, above"@en .
"""
SPELLINGS = {
    "X_0": ("X_0", "X:0", "http://purl.obolibrary.org/obo/X_0", "Plants", "1", "mine"),
    "X_1": ("X_1", "X:1", "<http://purl.obolibrary.org/obo/X_1>", "SPRUCE", "fichte", "picea"),
    "X_2": ("X_2", "X:2", "http://purl.obolibrary.org/obo/X_2", "pine", " Pine", "kiefer"),
    "X_3": ("X_3", "X:3", "x_3", "sky, above", "Sky, above"),
}
EVERY = tuple(text for spellings in SPELLINGS.values() for text in spellings)
MEASURES = ["OS", "F(average='macro')", "ExactMatch"]


@cache
def ontology() -> oe.Ontology:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.ttl")
        path.write_text(SKOS, encoding="utf-8")
        return oe.read_ontology(path)


def long_frame(rows: dict[str, list[str]]) -> Any:
    pandas = pytest.importorskip("pandas")
    pairs: list[tuple[str, str | None]] = []
    for sample, labels in rows.items():
        pairs += [(sample, label) for label in labels] or [(sample, None)]
    return pandas.DataFrame(pairs, columns=["id", "label"])


def label_file(rows: dict[str, list[str]]) -> oe.LabelSets:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "labels.csv")
        lines = [f'{sample},"{";".join(labels)}"' for sample, labels in rows.items()]
        path.write_text("\n".join(["id,labels", *lines]), encoding="utf-8")
        return oe.read_labels(path, ontology(), separator=";", concept_map={"mine": "X:0"})


FORMS: dict[str, Any] = {
    "mapping": dict,
    "list": lambda rows: list(rows.values()),
    "frame": long_frame,
    "file": label_file,
    "label sets": lambda rows: oe.LabelSets.from_sets(rows, vocabulary=EVERY),
}

names = st.lists(st.lists(st.sampled_from(sorted(SPELLINGS)), max_size=3), min_size=1, max_size=4)


@pytest.mark.parametrize("form", FORMS)
@given(names, names, st.data())
def test_spelling_changes_no_score(
    form: str, truth: list[list[str]], run: list[list[str]], data: st.DataObject
) -> None:
    hierarchy = ontology().hierarchy().with_names({"mine": "X:0"})
    count = min(len(truth), len(run))
    sides: list[dict[str, list[str]]] = [
        {str(number): labels for number, labels in enumerate(side[:count])} for side in (truth, run)
    ]
    spelt = [
        {
            sample: [data.draw(st.sampled_from(SPELLINGS[name])) for name in labels]
            for sample, labels in side.items()
        }
        for side in sides
    ]
    expected, found = (
        oe.evaluate(*map(FORMS[form], both), hierarchy=hierarchy, measures=MEASURES).scores
        for both in (sides, spelt)
    )
    assert str(found) == str(expected)
