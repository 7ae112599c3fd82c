"""Outcomes: a digest of what was read, or the error's class and the gist of its message."""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import ontoeval as oe

GIST = 200
"""Characters of a message that are kept."""


def digest(*parts: object) -> str:
    """A short digest of values that `repr` tells apart."""
    return hashlib.sha256("\n".join(map(repr, parts)).encode(errors="surrogatepass")).hexdigest()[:12]


def ontology(read: Any) -> str:
    """Concepts, links, rules and names of an ontology."""
    graph = read.graph
    links = sorted(graph.edges)
    names = sorted((node, str(data.get("label"))) for node, data in graph.nodes(data=True))
    rules = sorted(map(str, (*read.exclusions, *read.requirements)))
    others = sorted(map(str, read.replaced.items()))
    found = digest(names, links, rules, others, read.hierarchy().digest)
    return f"{len(names)} concepts, {len(links)} links, {len(rules)} rules, {found}"


def matrix(read: Any) -> str:
    """Samples, concepts and values of labels."""
    values = read.matrix.tocoo()
    cells = sorted(zip(values.row.tolist(), values.col.tolist(), values.data.tolist(), strict=True))
    found = digest(read.samples, tuple(read.vocabulary), cells)
    return f"{len(read.samples)} samples, {len(read.vocabulary)} concepts, {len(cells)} labels, {found}"


def sheets(read: Any) -> str:
    """What each annotator says."""
    found = [(name, matrix(read.of(name))) for name in read.annotators]
    unknown = read.unknown.nnz
    return f"{len(found)} annotators, {unknown} unknown, {digest(found)}"


def numbers(read: Mapping[str, float]) -> str:
    """Numbers of concepts."""
    return f"{len(read)} numbers, {digest(sorted(read.items()))}"


NAMES = ("sky", "sea", "clouds")
READERS: Mapping[str, Callable[[Path], str]] = {
    "ontology of this format": lambda path: ontology(oe.read_ontology(path, input_format=form(path))),
    "labels of this format": lambda path: matrix(
        oe.read_labels(path, concepts=NAMES, unknown="drop", input_format=form(path))
    ),
    "scores of this format": lambda path: matrix(
        oe.read_scores(path, concepts=NAMES, unknown="drop", input_format=form(path))
    ),
    "ontology": lambda path: ontology(oe.read_ontology(path)),
    "labels": lambda path: matrix(oe.read_labels(path)),
    "labels of known concepts": lambda path: matrix(oe.read_labels(path, concepts=NAMES, unknown="drop")),
    "scores": lambda path: matrix(oe.read_scores(path)),
    "scores of known concepts": lambda path: matrix(oe.read_scores(path, concepts=NAMES, unknown="drop")),
    "agreement": lambda path: numbers(oe.read_agreement(path)),
    "annotations": lambda path: sheets(oe.read_annotations(path)),
}
"""Ways to read a file; each file of the corpus is read in all of them."""


def form(path: Path) -> Any:
    """Format of a file that the fuzzer made, by the reader that it was made for."""
    parts = path.parent.name.removeprefix("labels-").split("-")[0].split(".")
    return {"npy": "array", "npz": "array"}.get(parts[0], parts[0])


def outcome(reader: str, path: Path) -> str:
    """What one way makes of one file."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return f"read: {READERS[reader](path)}"
        except oe.OntoevalError as error:
            return refusal(type(error).__name__, str(error), path)
        except Exception as error:  # noqa: BLE001 - a defect, to be seen
            return refusal(f"DEFECT {type(error).__name__}", str(error), path)


def refusal(kind: str, message: str, path: Path) -> str:
    """An error without what differs between folders."""
    plain = " ".join(message.replace(str(path), path.name).split())
    return f"{kind}: {re.sub(r'0x[0-9a-f]{6,}', '0x', plain)[:GIST]}"
