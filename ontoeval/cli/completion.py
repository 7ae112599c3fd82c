"""Values that shells complete, by the placeholder of the option: measures, presets and concepts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import typer

from ontoeval.errors import OntoevalError


def _measures() -> Iterable[tuple[str, str]]:
    from ontoeval.measures.catalogue import CATALOGUE

    return [(entry.symbol, entry.title) for entry in CATALOGUE]


def _presets() -> Iterable[tuple[str, str]]:
    from ontoeval.measures.presets import PRESETS

    return [(name, "") for name in PRESETS]


def _concepts(ctx: typer.Context) -> Iterable[tuple[str, str]]:
    """List the concepts of the ontology that the line names before."""
    from ontoeval.ontology.reading import read_ontology

    try:
        graph = read_ontology(ctx.params["ontology"]).graph
    except (KeyError, OntoevalError):
        return []
    return [(name, node["label"] or "") for name, node in graph.nodes.items()]


COMPLETIONS: Mapping[str, Callable[..., Any]] = {
    "NOTATION": _measures,
    "PRESET": _presets,
    "CONCEPT": _concepts,
}
