"""Imports are read from local files that the caller names, each once, and from nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.errors import InputError, ParameterError

HEAD = """@prefix : <http://example.org/photo#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
CATALOGUE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<catalog prefer="public" xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">
    <group id="Folder Repository, directory=, recursive=true" prefer="public" xml:base="">
        {}
    </group>
</catalog>
"""
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Give a function that writes an ontology that imports others."""

    def written(name: str, turtle: str, *imports: str) -> Path:
        wanted = "".join(f"<urn:{name}> owl:imports <{iri}> .\n" for iri in imports)
        path = tmp_path / f"{name}.ttl"
        path.write_text(f"{HEAD}<urn:{name}> a owl:Ontology .\n{wanted}{turtle}", encoding="utf-8")
        return path

    return written


def concepts(ontology: oe.Ontology) -> list[str]:
    return list(ontology.graph)


def test_what_is_imported_is_read_with_the_rest(write: Write) -> None:
    plants = write("plants", ":trees rdfs:subClassOf :plants .")
    photo = write("photo", ":plants rdfs:subClassOf :nature .", "urn:plants")
    ontology = oe.read_ontology(photo, imports={"urn:plants": plants})
    assert sorted(ontology.graph.edges) == [("nature", "plants"), ("plants", "trees")]
    assert (ontology.source.iri, ontology.source.path) == ("urn:photo", str(photo))
    assert ontology.report.imported.examples == ("urn:plants",)
    assert ontology.report.imports.count == 0


def test_without_a_file_it_is_counted(write: Write) -> None:
    photo = write("photo", ":sky a owl:Class .", "urn:plants", "urn:rocks")
    report = oe.read_ontology(
        photo, imports={"urn:plants": write("plants", ":trees a owl:Class .", "urn:soil")}
    ).report
    assert report.imported.examples == ("urn:plants",)
    assert report.imports.examples == ("urn:rocks", "urn:soil")


@pytest.mark.parametrize("length", range(1, 6))
def test_imports_may_run_in_circles_of_every_length(length: int, write: Write) -> None:
    files = {
        f"urn:o{number}": write(f"o{number}", f":c{number} a owl:Class .", f"urn:o{(number + 1) % length}")
        for number in range(length)
    }
    ontology = oe.read_ontology(files["urn:o0"], imports=files)
    assert concepts(ontology) == [f"c{number}" for number in range(length)]


def test_an_import_may_be_written_as_a_text_or_end_in_a_hash(write: Write) -> None:
    plants = write("plants", ":trees a owl:Class .")
    for written in ('"urn:plants"', "<urn:plants#>"):
        photo = write("photo", f":sky a owl:Class . <urn:photo> owl:imports {written} .")
        assert concepts(oe.read_ontology(photo, imports={"urn:plants": plants})) == ["sky", "trees"]


def test_nameless_nodes_of_two_files_are_not_mixed_up(tmp_path: Path) -> None:
    axiom = "<urn:{0}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> _:b .\n"
    axiom += "_:b <http://www.w3.org/2002/07/owl#onProperty> <urn:shows> .\n"
    axiom += "_:b <http://www.w3.org/2002/07/owl#someValuesFrom> <urn:{1}> .\n"
    axiom += "<urn:{1}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:all> .\n"
    wanted = "<urn:photo> <http://www.w3.org/2002/07/owl#imports> <urn:other> .\n"
    (tmp_path / "photo.nt").write_text(axiom.format("portrait", "person") + wanted, encoding="utf-8")
    (tmp_path / "other.nt").write_text(axiom.format("landscape", "land"), encoding="utf-8")
    ontology = oe.read_ontology(tmp_path / "photo.nt", imports={"urn:other": tmp_path / "other.nt"})
    assert list(map(str, ontology.requirements)) == ["landscape requires land", "portrait requires person"]


def test_the_version_is_that_of_the_file_itself(write: Write) -> None:
    plants = write("plants", ':trees a owl:Class . <urn:plants> owl:versionInfo "1" .')
    photo = write("photo", ':sky a owl:Class . <urn:photo> owl:versionInfo "2" .', "urn:plants")
    assert oe.read_ontology(photo, imports={"urn:plants": plants}).source.version == "2"


def test_a_catalogue_says_where_imports_lie(write: Write, tmp_path: Path) -> None:
    write("plants", ":trees a owl:Class .")
    photo = write("photo", ":sky a owl:Class .", "urn:plants", "urn:rocks")
    catalogue = tmp_path / "catalog-v001.xml"
    entry = '<uri id="by hand" name="urn:{0}" uri="{1}"/>'
    catalogue.write_text(
        CATALOGUE.format(entry.format("plants", "plants.ttl") + entry.format("rocks", "rocks.ttl")),
        encoding="utf-8",
    )
    ontology = oe.read_ontology(photo, imports=catalogue)
    assert concepts(ontology) == ["sky", "trees"]
    assert ontology.report.imports.examples == ("urn:rocks",)


@pytest.mark.parametrize(
    "uri",
    [
        "../outside.ttl",
        "{outside}",
        "file://{outside}",
        "http://127.0.0.1:9/outside.ttl",
        "//127.0.0.1/outside.ttl",
    ],
)
def test_a_catalogue_names_nothing_outside_of_its_folder(uri: str, write: Write, tmp_path: Path) -> None:
    outside = tmp_path / "outside.ttl"
    outside.write_text(HEAD + ":secret a owl:Class .", encoding="utf-8")
    (tmp_path / "inside").mkdir()
    catalogue = tmp_path / "inside" / "catalog-v001.xml"
    entry = f'<uri name="urn:secret" uri="{uri.format(outside=outside)}"/>'
    catalogue.write_text(CATALOGUE.format(entry), encoding="utf-8")
    ontology = oe.read_ontology(write("photo", ":sky a owl:Class .", "urn:secret"), imports=catalogue)
    assert concepts(ontology) == ["sky"]
    assert ontology.report.imports.examples == ("urn:secret",)


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "no catalogue": ("<ontologies/>", InputError, "no catalogue: its root element is 'ontologies'"),
    "broken XML": ("<catalog", InputError, "not well-formed XML"),
    "a number": (
        3,
        ParameterError,
        "imports=3: expected a mapping of IRIs to files, or the path of a catalogue",
    ),
    "no IRIs": ({3: "a.ttl"}, ParameterError, "imports=3: expected IRIs"),
    "an address": ({"urn:a": "http://127.0.0.1:9/a.ttl"}, InputError, "an address in the web"),
    "no such file": ({"urn:a": "none/such.ttl"}, InputError, "no such file"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_imports_are_errors(case: str, write: Write, tmp_path: Path) -> None:
    imports, kind, part = WRONG[case]
    if isinstance(imports, str):
        (tmp_path / "catalogue.xml").write_text(imports, encoding="utf-8")
        imports = tmp_path / "catalogue.xml"
    with pytest.raises(kind, match=part):
        oe.read_ontology(write("photo", ":sky a owl:Class ."), imports=imports)


def test_an_import_that_is_no_rdf_is_an_error_that_names_it(write: Write, tmp_path: Path) -> None:
    (tmp_path / "plants.obo").write_text("format-version: 1.2\n\n[Term]\nid: X:1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"plants.obo: imports are read from RDF only"):
        oe.read_ontology(
            write("photo", ":sky a owl:Class .", "urn:plants"),
            imports={"urn:plants": tmp_path / "plants.obo"},
        )


def test_what_is_no_rdf_has_no_imports(tmp_path: Path) -> None:
    (tmp_path / "plants.obo").write_text("format-version: 1.2\n\n[Term]\nid: X:1\n", encoding="utf-8")
    with pytest.raises(ParameterError, match=r"imports=.*OBO is read without imports"):
        oe.read_ontology(tmp_path / "plants.obo", imports={})


@pytest.mark.parametrize("first", ["wine.rdf", "food.owl"])
def test_two_published_ontologies_that_import_each_other_are_the_same_from_either_side(
    first: str, data: Path
) -> None:
    folder = data / "ontologies" / "wine_food"
    base = "http://www.w3.org/TR/2003/PR-owl-guide-20031209/"
    files = {base + "wine": folder / "wine.rdf", base + "food": folder / "food.owl"}
    report = oe.read_ontology(folder / first, imports=files).report
    assert sum(report.links.values()) == 15 + 64 + 35 + 26
    assert (report.imports.count, report.undeclared.count) == (0, 0)


@pytest.mark.parametrize("folder", ["imports", "importscyclic"])
def test_published_chains_of_imports_are_followed(folder: str, data: Path) -> None:
    files = {}
    for path in sorted((data / "ontologies" / "owlapi_tests" / folder).glob("[A-D].owl")):
        iri = "complexontologies" if path.stem == "B" else "compleximports"
        files[f"http://test.org/{iri}/{path.name}"] = path
    report = oe.read_ontology(files["http://test.org/compleximports/D.owl"], imports=files).report
    assert (report.imported.count, report.imports.count) == (3, 0)


def test_the_first_file_of_a_circle_is_not_missing(tmp_path: Path) -> None:
    head = "@prefix owl: <http://www.w3.org/2002/07/owl#> . "
    first, second = tmp_path / "a.ttl", tmp_path / "b.ttl"
    first.write_text(head + "<urn:a> a owl:Ontology ; owl:imports <urn:b> . <urn:a#sky> a owl:Class .")
    second.write_text(head + "<urn:b> a owl:Ontology ; owl:imports <urn:a> . <urn:b#sea> a owl:Class .")
    report = oe.read_ontology(first, imports={"urn:b": second}).report
    assert (report.imported.examples, report.imports.count) == (("urn:b",), 0)


def test_what_is_neither_mapping_nor_catalogue_is_refused_by_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text("@prefix : <urn:a#> . :a a <http://www.w3.org/2002/07/owl#Class> .")
    with pytest.raises(ParameterError, match=r"imports=.*expected a mapping of IRIs to files"):
        oe.read_ontology(path, imports=[path])  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"this is no catalogue, .* --import IRI=FILE"):
        oe.read_ontology(path, imports=path.with_name("a.ttl"))
