"""Files that are no ontologies, or none that is read: each with its error, and what the message says."""

from __future__ import annotations

import gzip
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import CycleError, InputError, OntoevalError, ParameterError
from tests.patience import SECONDS

TURTLE = """@prefix : <http://example.org/photo#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"'
    ' xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">\n'
)
CLASS = '<owl:Class rdf:about="http://example.org/sky"><rdfs:label>{}</rdfs:label></owl:Class></rdf:RDF>'
NESTED = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
CONVERT = "Convert it with: robot convert --input {path} --output {folder}/photo.ttl"

FILES: dict[str, tuple[str | bytes, str, list[str]]] = {
    "empty": ("", "photo.ttl", ["the file is empty"]),
    "only blanks": (" \n\n ", "photo.ttl", ["the file is empty"]),
    "only comments": ("# nothing\n# here\n", "photo.ttl", ["the file holds nothing but comments"]),
    "a web page": ("\n<!doctype HTML><html><body>404</body></html>", "photo.owl", ["web page (HTML)", "raw"]),
    "an XHTML page": (
        '<?xml version="1.0"?><!-- a --><!-- b --><html xmlns="http://www.w3.org/1999/xhtml"/>',
        "photo.owl",
        ["web page (HTML)"],
    ),
    "compressed and cut off": (b"\x1f\x8b\x08\x00", "photo.ttl.gz", ["this gzip file is cut off"]),
    "compressed twice": (
        gzip.compress(gzip.compress(b"<urn:a> <urn:b> <urn:c> .")),
        "photo.nt.gz",
        ["compressed (gzip)", "Unpack it first."],
    ),
    "binary": (b"\x00\x01\x02", "photo.owl", ["no text file"]),
    "a table": (
        "label,concept\nsky,Sky\n",
        "photo.csv",
        ["row 1: the first row, 'label', 'concept', does not say which column holds the parents"],
    ),
    "JSON": ('{"name": "sky"}', "photo.json", ["no hierarchy is recognised in this JSON"]),
    "other XML": ("<nodes><node/></nodes>", "photo.xml", ["XML, but not RDF/XML", "'nodes'"]),
    "other XML with attributes": ('<graph id="1"/>', "photo.xml", ["XML, but not RDF/XML", "'graph'"]),
    "OWL/XML": (
        '<?xml version="1.0"?><Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="urn:a"/>',
        "photo.owl",
        ["written in OWL/XML", CONVERT],
    ),
    "functional syntax": (
        "# by hand\nPrefix(:=<urn:a#>)\nOntology(<urn:a> Declaration(Class(:sky)))",
        "photo.owl",
        ["written in OWL functional syntax", CONVERT],
    ),
    "Manchester syntax": (
        "Prefix: : <urn:a#>\nOntology: <urn:a>\nClass: :sky\n",
        "photo.owl",
        ["written in OWL Manchester syntax", CONVERT],
    ),
    "functional syntax in a file for Turtle": (
        "Ontology(<urn:a>)",
        "photo.ttl",
        ["robot convert --input {path} --output {folder}/photo-converted.ttl"],
    ),
    "truncated Turtle": (
        TURTLE + ":sky a owl:Class ;\n rdfs:label ",
        "photo.ttl",
        ["photo.ttl, row 5: this is not valid Turtle", "Is the file complete?"],
    ),
    "brackets without a statement": ("[]", "photo.ttl", ["not valid Turtle: Unexpected end"]),
    "a question mark in N3": (
        TURTLE + "{ ?x a } => .",
        "photo.n3",
        ["photo.n3", "not valid Turtle"],
    ),
    "Turtle with an unknown prefix": (
        TURTLE + ":sky a owl:Class .\n:sea a rdf:Thing .",
        "photo.ttl",
        ["photo.ttl, row 5", "The prefix rdf: has not been declared"],
    ),
    "truncated N-Triples": (
        "<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b> <urn",
        "photo.nt",
        ["photo.nt, row 2: this is not valid N-Triples"],
    ),
    "truncated XML": (
        XML + "<owl:Class>",
        "photo.owl",
        ["photo.owl, row 2: this is not well-formed XML: no element found"],
    ),
    "XML without an element": ("<?xml version='1.0'?>", "photo.owl", ["not well-formed XML", "no element"]),
    "broken XML": (
        "<?xml version='1.0'?>\n<<",
        "photo.owl",
        ["photo.owl, row 2: this is not well-formed XML"],
    ),
    "wrong RDF/XML": (
        XML + '<rdf:li rdf:about="urn:a"/></rdf:RDF>',
        "photo.owl",
        ["photo.owl, row 2: this is XML, but not RDF/XML", "Invalid"],
    ),
    "truncated JSON-LD": (
        '{"@id": "urn:a",\n "@type": ',
        "photo.jsonld",
        ["photo.jsonld, row 2: this is not valid JSON-LD: Expecting value"],
    ),
    "Turtle in Latin-1": (
        (TURTLE + ':t a owl:Class ; rdfs:label "Bäume" .').encode("latin-1"),
        "photo.ttl",
        ["photo.ttl, row 4: the byte 0xE4 is not UTF-8", "iconv -f latin1"],
    ),
    "Turtle in UTF-32": (TURTLE.encode("utf-32"), "photo.ttl", ["the file is in UTF-32", "iconv -f utf-32"]),
    "XML in another encoding than it says": (
        (XML + CLASS.format("Bäume")).encode("latin-1"),
        "photo.owl",
        ["photo.owl, row 2: this is not well-formed XML", "encoding"],
    ),
    "no classes at all": (
        TURTLE + ":shows a owl:ObjectProperty . :photo1 a :Photo .",
        "photo.ttl",
        ["there are no concepts in it"],
    ),
    "nothing but deprecated classes": (
        TURTLE + ":sky a owl:Class ; owl:deprecated true .",
        "photo.ttl",
        ["none of its 1 concepts is left: 1 are deprecated"],
    ),
    "a mark that is neither true nor false": (
        TURTLE + ':sky a owl:Class ; <https://w3id.org/ontoeval/ns#abstract> "maybe" .',
        "photo.ttl",
        ["neither true nor false: 'maybe (http://example.org/photo#sky)'", "Write true"],
    ),
    "nothing but abstract concepts": (
        TURTLE + ":sky a owl:Class ; <https://w3id.org/ontoeval/ns#abstract> true .",
        "photo.ttl",
        ["photo.ttl: every concept is abstract"],
    ),
    "entities inside of entities": (
        f'<!DOCTYPE r [<!ENTITY l0 "ha">{NESTED}]>{XML}{CLASS.format("&l9;")}',
        "photo.owl",
        ["photo.owl, row 1: the entity 'l1' is made of other entities"],
    ),
    "a long entity": (
        f'<!DOCTYPE r [<!ENTITY l "{"a" * 100_000}">]>{XML}{CLASS.format("&l;" * 5000)}',
        "photo.owl",
        ["the entity 'l' stands for 100,000 characters, more than the 1,024 that are read"],
    ),
    "an external entity": (
        f'<!DOCTYPE r [<!ENTITY l SYSTEM "file:///etc/hostname">]>{XML}{CLASS.format("&l;")}',
        "photo.owl",
        ["the entity 'l' is external"],
    ),
    "a parameter entity": (
        f'<!DOCTYPE r [<!ENTITY % l "a">]>{XML}{CLASS.format("")}',
        "photo.owl",
        ["the entity 'l' is a parameter entity"],
    ),
    "an entity of another file": (
        f'<!DOCTYPE rdf:RDF SYSTEM "a.dtd">{XML}<owl:Class rdf:about="&base;sky"/></rdf:RDF>',
        "photo.owl",
        ["'base' would have to be declared in another file"],
    ),
    "an entity of another file, in UTF-16": (
        f'<!DOCTYPE rdf:RDF SYSTEM "a.dtd">{XML}{CLASS.format("&base;")}'.encode("utf-16"),
        "photo.owl",
        ["'base' would have to be declared in another file"],
    ),
    "an entity that nobody declares": (XML + CLASS.format("&l;"), "photo.owl", ["undefined entity"]),
    "a remote context": (
        '{"@context": "http://127.0.0.1:9/context", "@id": "urn:a"}',
        "photo.jsonld",
        ["the JSON-LD context 'http://127.0.0.1:9/context' lies outside the file"],
    ),
    "a context on the disk, deep inside": (
        '[{"@context": [{"a": {"@id": "urn:p", "@context": "file:///etc/hostname"}}], "@id": "urn:a"}]',
        "photo.jsonld",
        ["the JSON-LD context 'file:///etc/hostname' lies outside the file"],
    ),
    "an imported context": (
        '{"@context": {"@version": 1.1, "@import": "http://127.0.0.1:9/context"}, "@id": "urn:a"}',
        "photo.jsonld",
        ["the JSON-LD context 'http://127.0.0.1:9/context' lies outside the file"],
    ),
    "brackets nested too deeply": (
        TURTLE + ":sky rdfs:subClassOf " + "[ rdfs:subClassOf " * 5000 + ":sea" + " ]" * 5000 + " .",
        "photo.ttl",
        ["nested too deeply"],
    ),
    "JSON nested too deeply": (
        '{"@id": "urn:a", "urn:p": ' * 5000 + "1" + "}" * 5000,
        "photo.jsonld",
        ["nested too deeply"],
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_a_wrong_file_is_an_error_that_says_what_is_wrong(case: str, tmp_path: Path) -> None:
    content, name, parts = FILES[case]
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    begin = time.process_time()
    with pytest.raises(InputError) as error:
        oe.read_ontology(path)
    assert time.process_time() - begin < SECONDS
    message = str(error.value)
    assert message.startswith(str(path))
    for part in parts:
        assert part.format(path=path, folder=tmp_path) in message
    assert "Parser" not in message


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
