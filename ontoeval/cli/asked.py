"""Asked: the files that one call names, before any of them is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.cli.inputs import Inputs
from ontoeval.core.choices import ScoreRepeats, Unknown
from ontoeval.core.label_formats import LabelFormat
from ontoeval.core.ontology_formats import Backend, Direction, OntologyFormat
from ontoeval.errors import InputError, ParameterError, UnknownConceptError

if TYPE_CHECKING:
    from ontoeval.ontology.draft import Draft
    from ontoeval.ontology.model import Ontology


@dataclass(frozen=True)
class Asked:
    """Which files one call names and how they are to be read, before any of them is."""

    file: str | Path | None
    choices: Mapping[str, Any]
    reading: Mapping[str, Any]

    def files(self, told: Callable[[str], str] = str) -> dict[str, Path]:
        """List the files that are named."""
        from ontoeval.ontology import ontologies

        found: dict[str, Path] = {}
        if self.file is not None:
            path = Path(self.file)
            shipped = path.parent == ontologies.path("photo").parent
            found[f"{path.stem} (shipped)" if shipped else told(str(path))] = path
        imports = self.choices.get("imports") or {}
        others = [
            *imports.values(),
            *(self.reading.get(key) for key in ("concepts", "concept_map", "threshold")),
        ]
        return found | {told(str(one)): Path(one) for one in others if isinstance(one, str | Path)}

    def draft(self) -> Draft | Ontology | None:
        """Read the file of the ontology, as far as cycles do no harm."""
        from ontoeval.labels.concept_lists import read_concepts
        from ontoeval.ontology.reading import read_draft

        if self.file is None:
            return None
        listed, concept_map = self.reading.get("concepts"), self.reading.get("concept_map")
        concepts = None if listed is None else read_concepts(listed, concept_map=concept_map)
        try:
            return read_draft(self.file, concepts=concepts, **self.choices)
        except UnknownConceptError as error:
            if concepts is None or "`concepts`" not in str(error):
                raise
            raise InputError(
                str(error).rstrip("."), f"The list of concepts is {listed} (--concepts)."
            ) from error

    def read(self) -> Inputs:
        """Read the ontology."""
        from ontoeval.ontology.model import Ontology, compile_draft

        draft = self.draft()
        ontology = draft if draft is None or isinstance(draft, Ontology) else compile_draft(draft)
        return Inputs(ontology, self.reading)


def asked(  # noqa: PLR0913 - as many as there are options
    *,
    ontology: str | None = None,
    root: list[str] | None = None,
    relation: list[str] | None = None,
    imports: list[str] | None = None,
    language: str | None = None,
    abstract: list[str] | None = None,
    concepts: Path | None = None,
    ontology_format: OntologyFormat | None = None,
    direction: Direction | None = None,
    backend: Backend | None = None,
    concept_map: Path | None = None,
    input_format: LabelFormat | None = None,
    separator: str | None = None,
    unknown: Unknown = "error",
    threshold: str | None = None,
    close: bool = False,
    repeats: ScoreRepeats | None = None,
) -> Asked:
    """Keep the options; nothing is read yet."""
    given = {
        "concepts": concepts,
        "concept_map": concept_map,
        "input_format": input_format,
        "separator": separator,
        "unknown": unknown,
        "threshold": None if threshold is None else _number_or_path(threshold),
        "close": close or None,
        "repeats": repeats,
    }
    reading = {name: value for name, value in given.items() if value is not None}
    if ontology is None:
        alone = {
            "--root": root,
            "--relation": relation,
            "--import": imports,
            "--language": language,
            "--abstract": abstract,
            "--ontology-format": ontology_format,
            "--direction": direction,
            "--backend": backend,
        }
        for name, value in alone.items():
            if value:
                raise ParameterError(name, value, "an --ontology beside it")
        return Asked(None, {}, reading)
    choices = {
        "root": root or None,
        "relations": relation or (),
        "imports": _files(imports) if imports else None,
        "language": language,
        "abstract": abstract or (),
        "input_format": ontology_format,
        "direction": direction,
        "backend": backend or "auto",
    }
    return Asked(shipped_or_own(ontology), choices, reading)


def shipped_or_own(file: str) -> str | Path:
    """Take a path, or the name of a shipped ontology where no file has that name."""
    from ontoeval.ontology import ontologies

    # A plain word that is no file can only be meant as the name of a shipped ontology.
    shipped = "/" not in file and "." not in file and not Path(file).exists()
    return ontologies.path(file) if shipped else file


def _files(imports: Sequence[str]) -> dict[str, str]:
    """Take files by the IRIs by which they are imported; what has no IRI is a catalogue of such."""
    from ontoeval.ontology.imports import read_catalogue

    files: dict[str, str] = {}
    for text in imports:
        iri, sign, path = text.partition("=")
        while sign and not Path(path).exists() and "=" in path:  # an IRI may hold the sign as well
            more, _, path = path.partition("=")
            iri = f"{iri}={more}"
        files.update({iri: path} if sign else read_catalogue(text))
    return files


def _number_or_path(text: str) -> float | Path:
    try:
        return float(text)
    except ValueError:
        return Path(text)
