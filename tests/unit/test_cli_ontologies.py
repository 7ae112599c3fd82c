"""How the commands read ontologies: every option of `read_ontology`, and saving."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ontoeval.cli import app
from ontoeval.errors import InputError, ParameterError

PREFIXES = """
@prefix : <https://example.org/plants#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
PLANTS = f"""{PREFIXES}
:plant a owl:Class ; rdfs:label "Pflanze"@de .
:tree rdfs:subClassOf :plant ; rdfs:label "Baum"@de, "tree"@en .
:leaf a owl:Class ; rdfs:label "leaf"@en ; rdfs:subClassOf
    [ a owl:Restriction ; owl:onProperty :part_of ; owl:someValuesFrom :tree ] .
"""
GARDEN = f"{PREFIXES} <https://example.org/garden?v=2> owl:imports <https://example.org/plants?v=2> ."
HEDGE = f"{GARDEN} :hedge rdfs:subClassOf :plant ."


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(
        app, [str(argument) for argument in arguments], catch_exceptions=False, env={"COLUMNS": "200"}
    )


def counts(*arguments: str | Path) -> dict[str, Any]:
    rows = json.loads(call("ontology", *arguments, "--format", "json").stdout)["rows"]
    return {row["what"]: row["count"] for row in rows}


@pytest.fixture
def plants(tmp_path: Path) -> Path:
    return written(tmp_path / "plants.ttl", PLANTS)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_further_relations_become_links(plants: Path) -> None:
    assert "links from part_of" not in counts(plants)
    assert counts(plants, "--relation", "part_of")["links from part_of"] == 1
    with pytest.raises(ParameterError, match=r"'parts_of': expected a relation by which .* links concepts"):
        call("ontology", plants, "--relation", "parts_of")


def test_imports_are_read_from_the_files_that_are_named(tmp_path: Path, plants: Path) -> None:
    hedge = written(tmp_path / "hedge.ttl", HEDGE)
    alone = counts(hedge)
    assert (alone["concepts"], alone["imports not read"]) == (2, 1)
    # The IRI holds the sign that separates it from the file.
    together = counts(hedge, "--import", f"https://example.org/plants?v=2={plants}")
    assert (together["concepts"], together["imports read"]) == (4, 1)


def test_imports_are_read_from_the_files_of_a_catalogue(tmp_path: Path, plants: Path) -> None:
    hedge = written(tmp_path / "hedge.ttl", HEDGE)
    entry = f'<uri name="https://example.org/plants?v=2" uri="{plants.name}"/>'
    names = "urn:oasis:names:tc:entity:xmlns:xml:catalog"
    catalogue = written(tmp_path / "catalog-v001.xml", f'<catalog xmlns="{names}">{entry}</catalog>')
    assert counts(hedge, "--import", catalogue)["imports read"] == 1


def test_an_import_that_is_not_there_is_refused(plants: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.ttl: there is no such file"):
        call("ontology", plants, "--import", "https://example.org/plants?v=2=nowhere.ttl")


def test_scores_say_which_imports_were_not_read(tmp_path: Path) -> None:
    hedge, truth = written(tmp_path / "hedge.ttl", HEDGE), written(tmp_path / "t.csv", "id,labels\n1,hedge\n")
    shown = call("score", truth, truth, "--ontology", hedge).stdout
    note = f"{hedge}: an ontology that it imports is not read: 'https://example.org/plants?v=2' (--import"
    # Lines are wrapped according to the terminal and the length of the path.
    assert "".join(note.split()) in "".join(shown.split())


def test_a_file_that_only_imports_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no concepts in it, but it imports .*plants\?v=2.*--import"):
        call("ontology", written(tmp_path / "garden.ttl", GARDEN))


def test_labels_are_those_of_the_language_that_is_asked_for(tmp_path: Path, plants: Path) -> None:
    truth = written(tmp_path / "truth.csv", "id,labels\n1,Baum\n")  # read in any language
    for language, label in (("en", "tree"), ("de", "Baum")):
        options = ("--ontology", plants, "--language", language, "--per-concept", tmp_path / "counts.csv")
        assert call("score", truth, truth, *options).exit_code == 0
        assert label in (tmp_path / "counts.csv").read_text()


def test_concepts_can_be_named_that_are_never_labels(plants: Path) -> None:
    assert counts(plants, "--abstract", "plant", "--abstract", "leaf")["of these labels"] == 1


OPTIONS = {
    "--root": "plant",
    "--relation": "part_of",
    "--import": "catalog-v001.xml",
    "--language": "de",
    "--abstract": "plant",
    "--ontology-format": "turtle",
    "--direction": "parent-child",
}


@pytest.mark.parametrize("option", OPTIONS)
def test_what_is_said_of_an_ontology_needs_one(tmp_path: Path, option: str) -> None:
    truth = written(tmp_path / "truth.csv", "id,labels\n1,tree\n")
    with pytest.raises(ParameterError, match=f"{option}=.*: expected an --ontology beside it"):
        call("score", truth, truth, option, OPTIONS[option])


def test_help_names_every_option_of_reading_an_ontology_under_a_heading() -> None:
    for command in ("score", "confusion", "explain", "ontology"):
        shown = call(command, "--help").stdout
        assert "─ Ontology ─" in shown
        assert "─ Label files ─" in shown
        assert all(option in shown for option in OPTIONS)
