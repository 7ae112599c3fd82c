"""Saved ontologies: what was read once, as arrays that are loaded within milliseconds.

A file is an archive of arrays, as NumPy writes it, one of them the text of a JSON document. Nothing
is pickled; a digest tells whether all is as it was written, and everything is checked as if it came
from strangers, since it may.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from hashlib import sha256
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.atomic import write_aside
from ontoeval.core.constraints import Exclusion, Requirement
from ontoeval.core.files import File, FilePath
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.npy import parse_array
from ontoeval.core.packed import members, packing
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, OntoevalError, ParameterError
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.report import ReadingReport, Source, Tally

_FORMAT = "ontoeval ontology 1"
_ARRAYS = ("text", "indptr", "indices", "kinds", "abstract")
_AGAIN = "Read the ontology from the file that it came from, and save it again."


def save(ontology: Ontology, path: FilePath) -> None:
    """Write an ontology to a file."""
    arrays = ontology.arrays
    kinds = sorted(set(ontology.kinds))
    code = {kind: number for number, kind in enumerate(kinds)}
    document = {
        "format": _FORMAT,
        "names": arrays.vocabulary.concepts,
        "iris": ontology.iris,
        "labels": ontology.labels,
        "kinds": kinds,
        "exclusions": [[rule.first, rule.second, rule.source] for rule in arrays.exclusions],
        "requirements": [
            [rule.concept, rule.any_of, rule.relation, rule.precondition] for rule in arrays.requirements
        ],
        "source": asdict(ontology.source),
        "report": {
            field.name: _plain(getattr(ontology.report, field.name)) for field in fields(ReadingReport)
        },
        "prefixes": dict(ontology.prefixes),
        "left_out": dict(ontology.left_out),
        "replaced": dict(ontology.replaced),
        "same": dict(ontology.same),
        "considered": dict(ontology.considered),
        "dead_ends": dict(ontology.dead_ends),
    }
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    parts: dict[str, NDArray[Any]] = {
        "text": np.frombuffer(text, dtype=np.uint8),
        "indptr": arrays.parents.indptr.astype("<i8"),
        "indices": arrays.parents.indices.astype("<i8"),
        "kinds": np.array([code[kind] for kind in ontology.kinds], dtype="<i8"),
        "abstract": arrays.abstract,
    }
    file = BytesIO()
    parts["digest"] = np.frombuffer(_digest(parts), dtype=np.uint8)
    savez: Any = np.savez  # its types take any name of an array for that of a flag
    savez(file, **parts)
    with write_aside(path) as aside:
        aside.write_bytes(file.getvalue())


def is_saved(file: File) -> bool:
    """Tell whether a file holds arrays, as saved ontologies do."""
    return packing(file.data) == "zip"


def load(file: File, *, abstract: Sequence[str] = (), concepts: Sequence[str] | None = None) -> Ontology:
    """Load an ontology that was saved."""
    where = file.where
    parts = {
        name.removesuffix(".npy"): parse_array(data, f"{where}, {name}", _AGAIN)
        for name, data in members(file.data, where).items()
    }
    if set(parts) != {*_ARRAYS, "digest"}:
        raise InputError(
            "these are arrays, but no ontology that was saved",
            "An ontology is saved with ontology.save(path).",
            where=where,
        )
    if parts.pop("digest").tobytes() != _digest(parts):
        raise InputError("the file is not as it was written: its digest differs", _AGAIN, where=where)
    try:
        ontology = _built(parts)
    except OntoevalError as error:
        raise InputError(f"this is no ontology: {error}", _AGAIN, where=where) from error
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise InputError(
            f"this is no ontology that this version can load: {error!r}", _AGAIN, where=where
        ) from error
    return ontology if concepts is None and not abstract else _marked(ontology, abstract, concepts)


def _marked(ontology: Ontology, abstract: Sequence[str], concepts: Sequence[str] | None) -> Ontology:
    """Say anew what is abstract."""
    arrays = ontology.arrays
    marks = np.array(arrays.abstract)
    if concepts is not None:
        places = dict.fromkeys(concepts, "`concepts`")
        marks[:] = True
        marks[arrays.vocabulary.positions(ontology.resolve_all(places).values())] = False
    places = dict.fromkeys(abstract, "`abstract`")
    never = arrays.vocabulary.positions(ontology.resolve_all(places).values())
    if concepts is not None and not marks[never].all():
        raise ParameterError("abstract", list(abstract), "no concepts that are in `concepts`")
    marks[never] = True
    counted = Tally.of(arrays.vocabulary[position] for position in np.flatnonzero(marks).tolist())
    return replace(
        ontology,
        arrays=replace(arrays, abstract=marks),
        report=replace(ontology.report, abstract=counted),
    )


def _built(parts: Mapping[str, NDArray[Any]]) -> Ontology:
    document = json.loads(parts["text"].tobytes())
    if document["format"] != _FORMAT:
        raise ValueError(document["format"])
    vocabulary = Vocabulary(tuple(document["names"]))
    count, links = len(vocabulary), parts["indices"].size
    parents = sparse.csr_array(
        (np.ones(links, dtype=bool), parts["indices"], parts["indptr"]), shape=(count, count)
    )
    parents.check_format(full_check=True)
    kinds = document["kinds"]
    iris, labels = (tuple(map(str, document[name])) for name in ("iris", "labels"))
    arrays = Hierarchy(
        vocabulary,
        parents,
        parts["abstract"],
        tuple(Exclusion(*rule) for rule in document["exclusions"]),
        tuple(
            Requirement(concept, tuple(any_of), *rest) for concept, any_of, *rest in document["requirements"]
        ),
    )
    if not len(iris) == len(labels) == count or not arrays.parents.nnz == parts["kinds"].size == links:
        raise ValueError(links)
    return Ontology(
        arrays,
        iris,
        labels,
        tuple(kinds[number] for number in parts["kinds"].tolist()),
        Source(**document["source"]),
        _report(document["report"]),
        document["prefixes"],
        document["left_out"],
        document["replaced"],
        {iri: (name, label) for iri, (name, label) in document["same"].items()},
        # What was saved before this was read has none.
        {text: tuple(map(str, names)) for text, names in document.get("considered", {}).items()},
        document.get("dead_ends", {}),
    )


def _digest(parts: Mapping[str, NDArray[Any]]) -> bytes:
    digest = sha256()
    for name in _ARRAYS:
        array = np.ascontiguousarray(parts[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\0".encode())
        digest.update(array.data if array.size else b"")
    return digest.digest()


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [value.count, *value.examples] if isinstance(value, Tally) else value


def _report(document: Mapping[str, Any]) -> ReadingReport:
    def tallied(value: Any) -> Any:  # noqa: ANN401 - numbers and texts stay what they are
        if isinstance(value, Mapping):
            return {key: tallied(item) for key, item in value.items()}
        return Tally(value[0], tuple(value[1:])) if isinstance(value, list) else value

    return replace(ReadingReport(), **{name: tallied(value) for name, value in document.items()})
