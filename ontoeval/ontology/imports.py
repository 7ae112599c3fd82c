"""Imports of ontologies, from local files that the caller names."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from xml.parsers import expat

from ontoeval.core.files import FilePath, checked, read_file
from ontoeval.errors import InputError, OntoevalError, ParameterError
from ontoeval.ontology.safe_xml import guard, not_well_formed
from ontoeval.ontology.triples import OWL, TYPE, Text, Triples

Imports = Mapping[str, FilePath] | FilePath
"""Files by the IRIs by which they are imported; or a catalogue of such, as Protégé writes it."""

_OWN = (OWL + "imports", OWL + "versionIRI", OWL + "versionInfo")


class Followed(NamedTuple):
    """IRIs of the imports that were read, and of those that were not."""

    read: tuple[str, ...]
    missing: tuple[str, ...]


def follow(
    triples: Triples, where: str, imports: Imports | None, *, read: Callable[[str], Triples]
) -> Followed:
    """Add the triples of imported files, and of those that they import, each file once."""
    files = {} if imports is None else _files(imports)
    own = {*triples.of_type(OWL + "Ontology")}
    own.update(*(triples.nodes(iri, OWL + "versionIRI") for iri in list(own)))
    waiting = _wanted(triples)
    met = {Path(where).resolve()}
    done: dict[str, bool] = {}
    while waiting:
        iri = waiting.pop()
        if iri in done or iri in own:  # a circle leads back to the first
            continue
        file = files.get(iri) or files.get(iri.rstrip("#"))
        done[iri] = file is not None
        if file is None or Path(file).resolve() in met:
            continue
        met.add(Path(file).resolve())
        imported = read(file)
        waiting += _wanted(imported)
        _absorb(triples, imported, scope=str(len(met)))
    return Followed(
        tuple(sorted(iri for iri, found in done.items() if found)),
        tuple(sorted(iri for iri, found in done.items() if not found)),
    )


def read_catalogue(path: FilePath) -> dict[str, str]:
    """Read an XML catalogue: paths by IRI, of files that exist in its folder or below."""
    file = read_file(path)
    if not file.data.removeprefix(BOM_UTF8).lstrip().startswith(b"<"):
        raise InputError(
            "this is no catalogue, which is written in XML",
            "To import a file, name its IRI too: imports={iri: path}, --import IRI=FILE.",
            where=file.where,
        )
    folder = Path(file.where).resolve().parent
    found: dict[str, str] = {}
    bases: list[Path] = [folder]

    def begin(name: str, attributes: dict[str, str]) -> None:
        base = bases[-1] / (_local(attributes.get("xml:base", "")) or "")
        bases.append(base)
        kind = name.rpartition(":")[2]
        if len(bases) == 2 and kind != "catalog":  # noqa: PLR2004 - the first element
            raise InputError(
                f"this is no catalogue: its root element is {name!r}",
                "Name a catalogue such as Protégé's catalog-v001.xml, or give a mapping of IRIs to files.",
                where=file.where,
            )
        key = attributes.get({"uri": "name", "system": "systemId"}.get(kind, ""), "")
        path = _local(attributes.get("uri", ""))
        if key and path:
            try:
                target = (base / path).resolve()
                there = target.is_relative_to(folder) and target.is_file()
            except (OSError, RuntimeError):  # a name that is too long, or links in a circle
                return
            if there:
                found.setdefault(key, os.fspath(target))

    parser = expat.ParserCreate()
    guard(parser, where=file.where)
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _: bases.pop()
    try:
        parser.Parse(file.data, True)  # noqa: FBT003 - the last piece
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise not_well_formed(reason, where=file.where, row=error.lineno) from error
    except OntoevalError:
        raise
    except ValueError as error:  # a zero byte in a path, or an address that is none
        raise InputError(f"the catalogue names no file: {error}", "Correct it.", where=file.where) from error
    return found


def _files(imports: Imports) -> dict[str, str]:
    if isinstance(imports, str | os.PathLike):
        return read_catalogue(imports)
    if not isinstance(imports, Mapping):
        expected = "a mapping of IRIs to files, or the path of a catalogue such as catalog-v001.xml"
        raise ParameterError("imports", imports, expected)
    wrong = [iri for iri in imports if not isinstance(iri, str)]
    if wrong:
        raise ParameterError("imports", wrong[0], "IRIs, each with the path of a file")
    return {iri: checked(path) for iri, path in imports.items()}


def _local(uri: str) -> str | None:
    """Path of a file URL or relative URL; None for other URLs."""
    parts = urlsplit(uri)
    return unquote(parts.path) if parts.scheme in {"", "file"} and not parts.netloc else None


def _wanted(triples: Triples) -> list[str]:
    """IRIs of the imports; some files write them as literals."""
    return sorted(
        {
            term.text.strip() if isinstance(term, Text) else term
            for terms in triples.having(OWL + "imports").values()
            for term in terms
        },
        reverse=True,
    )


def _absorb(triples: Triples, imported: Triples, *, scope: str) -> None:
    """Add the triples of another file, with blank nodes renamed."""

    def renamed(node: str) -> str:
        return f"_:{scope}.{node[2:]}" if node.startswith("_:") else node

    for predicate, subjects in imported.objects.items():
        if predicate in _OWN:
            continue
        for subject, terms in subjects.items():
            kept = [renamed(term) if isinstance(term, str) else term for term in terms]
            if predicate == TYPE:
                kept = [term for term in kept if term != OWL + "Ontology"]
            if kept:
                triples.objects.setdefault(predicate, {}).setdefault(renamed(subject), []).extend(kept)
    for prefix, namespace in imported.prefixes.items():
        triples.prefixes.setdefault(prefix, namespace)
