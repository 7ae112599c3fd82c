"""The two parsers of RDF: pyoxigraph, with rdflib for what it refuses, and rdflib alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ontoeval.ontology import rdf
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.reading import read_ontology

PARSERS = ("oxigraph", "rdflib")


@contextmanager
def parsing_with(parser: str) -> Iterator[None]:
    """Read with a parser, within the `with`."""
    with pytest.MonkeyPatch.context() as patch:
        if parser == "rdflib":
            patch.setattr(rdf, "_parse_with_oxigraph", lambda *_, **__: False)
        yield


def read_with(parser: str, path: Path, **options: Any) -> Ontology:
    """Read an ontology with a parser."""
    with parsing_with(parser):
        return read_ontology(path, **options)
