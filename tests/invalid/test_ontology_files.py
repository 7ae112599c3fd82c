"""Paths and syntaxes that are no ontology's; wrong files are in `tests/border/sessions/wrong_ontology_files.md`."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import CycleError, InputError, OntoevalError, ParameterError

TURTLE = """@prefix : <http://example.org/photo#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""

PATHS: dict[str, tuple[Callable[[Path], Any], type[OntoevalError], str]] = {
    "an address": (lambda _: "http://example.org/photo.ttl", InputError, "an address in the web"),
    "an address of a file": (lambda path: path.as_uri(), InputError, "an address in the web"),
    "an address made a path": (lambda _: Path("https://example.org/a"), InputError, "an address in the web"),
    "a folder": (lambda path: path, InputError, "this is a folder"),
    "no file": (lambda path: path / "fotos.ttl", InputError, r"no such file \(near: 'photos.ttl'\)"),
    "no folder": (lambda path: path / "none" / "photo.ttl", InputError, "no such file"),
    "a device": (lambda _: "/dev/null", InputError, "no ordinary file"),
    "a path with a zero byte": (lambda _: "photo\0.ttl", InputError, "cannot be read"),
    "several lines": (lambda _: "parent,child\na,b\n", InputError, r"io.StringIO\(text\)"),
    "an empty text": (lambda _: io.StringIO(""), InputError, "a text in memory: the file is empty"),
    "numbers": (lambda _: io.BytesIO(b"\x00\x01\x02"), InputError, "a text in memory"),
    "bytes": (lambda _: b"photo.ttl", ParameterError, "the path of a local file"),
    "nothing": (lambda _: None, ParameterError, "the path of a local file"),
}


@pytest.mark.parametrize("case", PATHS)
def test_a_wrong_path_is_an_error_that_says_what_is_wrong(case: str, tmp_path: Path) -> None:
    source, kind, part = PATHS[case]
    (tmp_path / "photos.ttl").write_text(TURTLE)
    with pytest.raises(kind, match=part):
        oe.read_ontology(source(tmp_path))


def test_a_cycle_is_an_error_that_names_the_file_and_the_members(tmp_path: Path) -> None:
    path = tmp_path / "photo.ttl"
    path.write_text(
        TURTLE
        + ":a rdfs:subClassOf :b . :b rdfs:subClassOf :c . :c rdfs:subClassOf :a . :d rdfs:subClassOf :a ."
    )
    with pytest.raises(
        CycleError, match=r"photo.ttl: the hierarchy has 1 cycle, .*a -> b -> c -> a"
    ) as error:
        oe.read_ontology(path)
    assert "'d'" not in str(error.value)


def test_a_cycle_of_transitive_links_is_found_as_well(tmp_path: Path) -> None:
    path = tmp_path / "photo.ttl"
    transitive = "<http://www.w3.org/2004/02/skos/core#broaderTransitive>"
    path.write_text(TURTLE + f":a {transitive} :b , :c . :b {transitive} :a , :c . :c {transitive} :a , :b .")
    with pytest.raises(CycleError, match="1 cycle"):
        oe.read_ontology(path)


def test_a_syntax_that_there_is_not_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "photo.ttl"
    path.write_text(TURTLE + ":sky a owl:Class .")
    with pytest.raises(ParameterError, match=r"input_format='turtel'.*'turtle'"):
        oe.read_ontology(path, input_format="turtel")  # type: ignore[arg-type]


def test_a_file_in_another_syntax_than_is_said_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "photo.ttl"
    path.write_text(TURTLE + ":sky a owl:Class .")
    for syntax in ("rdfxml", "jsonld", "ntriples"):
        with pytest.raises(InputError, match="row 1"):
            oe.read_ontology(path, input_format=syntax)


def test_what_a_parser_remarks_on_does_not_get_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "photo.ttl"
    integer = '"many"^^<http://www.w3.org/2001/XMLSchema#integer>'
    path.write_text(TURTLE + f":sky a owl:Class ; rdfs:label {integer} ; rdfs:seeAlso <a b> , {integer} .")
    assert list(oe.read_ontology(path).graph) == ["sky"]
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")


def test_arrays_of_numpy_are_no_ontology(tmp_path: Path) -> None:
    path = tmp_path / "photo.npy"
    np.save(path, np.eye(3))
    with pytest.raises(InputError, match=r"photo\.npy: "):
        oe.read_ontology(path)
