"""Ontologies that are saved and loaded again: all as it was, or a clear refusal."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ontoeval.errors import InputError, ParameterError, UnknownConceptError
from ontoeval.ontology import ontologies
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.reading import read_ontology
from ontoeval.ontology.saved import _digest

TURTLE = """@prefix : <http://example.org/photo#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://example.org/photo> a owl:Ontology ; owl:versionInfo "2" ; owl:imports <urn:more> .
:sky a owl:Class ; rdfs:label "Himmel"@de ; owl:equivalentClass :heaven ; owl:disjointWith :sea .
:heaven a owl:Class . :clouds rdfs:subClassOf :sky . :sea a owl:Class .
:ship rdfs:subClassOf [ owl:onProperty :on ; owl:someValuesFrom [ owl:unionOf ( :sea :sky ) ] ] .
:old a owl:Class ; owl:deprecated true ; <http://purl.obolibrary.org/obo/IAO_0100001> :sea .
:older a owl:Class ; owl:deprecated true . :photo <https://w3id.org/ontoeval/ns#abstract> true ; a owl:Class .
"""
PARTS = ("iris", "labels", "kinds", "source", "report", "prefixes", "left_out", "replaced", "same")


@pytest.fixture
def ontology(tmp_path: Path) -> Ontology:
    path = tmp_path / "photo.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return read_ontology(path)


@pytest.fixture
def saved(ontology: Ontology, tmp_path: Path) -> Path:
    path = tmp_path / "photo.npz"
    ontology.save(path)
    return path


def test_what_is_loaded_is_what_was_saved(ontology: Ontology, saved: Path) -> None:
    loaded = read_ontology(saved)
    for part in PARTS:
        assert getattr(loaded, part) == getattr(ontology, part), part
    assert loaded.hierarchy().digest == ontology.hierarchy().digest
    assert loaded.hierarchy().vocabulary == ontology.hierarchy().vocabulary
    assert (loaded.exclusions, loaded.requirements) == (ontology.exclusions, ontology.requirements)
    assert list(loaded.graph.nodes(data=True)) == list(ontology.graph.nodes(data=True))
    assert list(loaded.graph.edges(data=True)) == list(ontology.graph.edges(data=True))
    assert [loaded.resolve(name) for name in ("Himmel", "sky", "old")] == ["heaven", "heaven", "sea"]


@pytest.mark.parametrize("name", ontologies.names())
def test_every_shipped_ontology_can_be_saved(name: str, tmp_path: Path) -> None:
    ontology = read_ontology(ontologies.path(name))
    ontology.save(tmp_path / "saved")
    loaded = read_ontology(tmp_path / "saved")
    assert loaded.report == ontology.report
    assert loaded.hierarchy().digest == ontology.hierarchy().digest


def test_the_same_ontology_makes_the_same_file(ontology: Ontology, saved: Path, tmp_path: Path) -> None:
    ontology.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == saved.read_bytes()


def test_what_may_be_a_label_can_still_be_said(saved: Path) -> None:
    chosen = read_ontology(saved, concepts=["sky", "clouds"])
    assert chosen.hierarchy().label_vocabulary.concepts == ("clouds", "heaven")
    assert chosen.report.abstract.count == 3
    marked = read_ontology(saved, abstract=["sea"])
    assert marked.hierarchy().label_vocabulary.concepts == ("clouds", "heaven", "ship")
    with pytest.raises(ParameterError, match="no concepts that are in `concepts`"):
        read_ontology(saved, concepts=["sky"], abstract="sky")
    with pytest.raises(UnknownConceptError, match="clods"):
        read_ontology(saved, concepts=["clods"])


@pytest.mark.parametrize(
    "option",
    [
        {"root": "sky"},
        {"language": "en"},
        {"input_format": "turtle"},
        {"direction": "parent-child"},
        {"relations": "on"},
        {"imports": {}},
    ],
    ids=lambda option: next(iter(option)),
)
def test_what_reading_decided_cannot_be_decided_again(option: dict[str, Any], saved: Path) -> None:
    with pytest.raises(ParameterError, match=f"{next(iter(option))}=.*stays as it was read"):
        read_ontology(saved, **option)


def test_a_place_where_nothing_can_be_written_is_an_error(ontology: Ontology, tmp_path: Path) -> None:
    (tmp_path / "none").touch()
    with pytest.raises(InputError, match=r"cannot be written.*name another place"):
        ontology.save(tmp_path / "none" / "photo.npz")


def rewritten(path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None], *, sign: bool) -> None:
    """Change what a file holds, and its digest with it as an attacker would."""
    with np.load(path) as opened:
        parts = dict(opened)
    digest = parts.pop("digest")
    document = json.loads(parts["text"].tobytes())
    change(parts, document)
    parts["text"] = np.frombuffer(json.dumps(document).encode(), dtype=np.uint8)
    np.savez(path, **parts, digest=np.frombuffer(_digest(parts), dtype=np.uint8) if sign else digest)


CHANGES: dict[str, Callable[[dict[str, Any], dict[str, Any]], Any]] = {
    "another link": lambda parts, _: parts.update(indices=parts["indices"] * 0),
    "a link to nowhere": lambda parts, _: parts.update(indices=parts["indices"] + 10**6),
    "a link before the first": lambda parts, _: parts.update(indices=parts["indices"] - 10**6),
    "links of too many": lambda parts, _: parts.update(indptr=np.append(parts["indptr"], 5)),
    "links that run backwards": lambda parts, _: parts.update(indptr=parts["indptr"][::-1].copy()),
    "kinds of nothing": lambda parts, _: parts.update(kinds=parts["kinds"] + 99),
    "too few marks": lambda parts, _: parts.update(abstract=parts["abstract"][1:]),
    "marks that are numbers in two dimensions": lambda parts, _: parts.update(abstract=np.zeros((2, 2))),
    "all abstract": lambda parts, _: parts.update(abstract=np.ones(5, dtype=bool)),
    "a name twice": lambda _, document: document["names"].__setitem__(0, document["names"][1]),
    "a name that is none": lambda _, document: document["names"].__setitem__(0, None),
    "too few labels": lambda _, document: document["labels"].pop(),
    "no names": lambda _, document: document.pop("names"),
    "a rule about nothing": lambda _, document: document["exclusions"].append(["a", "b", ""]),
    "a rule of another form": lambda _, document: document["requirements"].append("abc"),
    "a source of another form": lambda _, document: document["source"].update(more=1),
    "a report of another form": lambda _, document: document["report"].update(more=1),
    "a mapping that is a list": lambda _, document: document.update(prefixes=[1]),
    "another format": lambda _, document: document.update(format="ontoeval ontology 99"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_file_that_was_changed_is_refused(case: str, saved: Path) -> None:
    original = saved.read_bytes()
    rewritten(saved, CHANGES[case], sign=False)
    with pytest.raises(InputError, match=r"not as it was written|too much|no ontology"):
        read_ontology(saved)
    if case == "another link":  # which may well be one that an ontology has
        return
    saved.write_bytes(original)
    rewritten(saved, CHANGES[case], sign=True)
    with pytest.raises(InputError, match=r"photo.npz.*no ontology.*save it again"):
        read_ontology(saved)


def test_a_file_of_which_any_byte_is_lost_or_changed_is_refused_or_loaded_whole(saved: Path) -> None:
    original, digest = saved.read_bytes(), read_ontology(saved).hierarchy().digest
    for position in range(0, len(original), len(original) // 150):
        for damaged in (
            original[:position],
            original[:position] + bytes([original[position] ^ 0xFF]) + original[position + 1 :],
        ):
            saved.write_bytes(damaged)
            try:
                loaded = read_ontology(saved)
            except InputError:
                continue
            assert loaded.hierarchy().digest == digest  # what zip archives keep twice


def test_pickled_objects_are_never_loaded(saved: Path) -> None:
    np.savez(saved, text=np.array([{"a": 1}], dtype=object))
    with pytest.raises(InputError, match="pickled objects, which could run any program"):
        read_ontology(saved)


def test_arrays_that_are_no_ontology_are_refused(saved: Path) -> None:
    np.savez(saved, matrix=np.eye(3))
    with pytest.raises(InputError, match=r"no ontology that was saved.*ontology\.save"):
        read_ontology(saved)


def test_an_array_that_claims_to_be_larger_than_the_memory_is_refused(saved: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<i8", "fortran_order": False, "shape": (2**50,)})
    with zipfile.ZipFile(saved, "w") as archive:
        archive.writestr("text.npy", header.getvalue())
    with pytest.raises(InputError, match="0 bytes follow"):
        read_ontology(saved)


def test_an_archive_that_unpacks_to_too_much_is_refused(saved: Path) -> None:
    with (
        zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("text.npy", "w") as member,
    ):
        for _ in range(3):
            member.write(bytes(2**20))
    with pytest.raises(InputError, match="unpacks to more than"):
        read_ontology(saved, max_bytes=2**21)
