"""Ontologies written as texts in the tests themselves."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe

PREFIXES = """
@prefix : <http://example.org/photo#> .
@prefix other: <http://example.org/other#> .
@prefix oe: <https://w3id.org/ontoeval/ns#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""

Read = Callable[..., oe.Ontology]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Give a function that reads Turtle, whose prefixes need not be written."""

    def read_turtle(turtle: str, **options: Any) -> oe.Ontology:
        path = tmp_path / "photo.ttl"
        path.write_text(PREFIXES + turtle, encoding="utf-8")
        return oe.read_ontology(path, **options)

    return read_turtle


@pytest.fixture
def read_text(tmp_path: Path) -> Read:
    """Give a function that reads a text in any format."""

    def read_any(content: str, **options: Any) -> oe.Ontology:
        path = tmp_path / "photo"
        path.write_text(content, encoding="utf-8", newline="")
        return oe.read_ontology(path, **options)

    return read_any
