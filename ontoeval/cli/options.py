"""Options: those by which ontologies and label files are read, once for all commands that read some."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ontoeval.cli.asked import Asked
from ontoeval.cli.inputs import Inputs
from ontoeval.errors import ParameterError
from ontoeval.label_formats import LabelFormat
from ontoeval.ontology_formats import Backend, Direction, OntologyFormat

ONTOLOGY, LABELS = "Ontology", "Label files"
"""Under which headings the help lists them."""


def asked(  # noqa: PLR0913 - as many as there are options
    *,
    ontology: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Ontology file, or the name of a shipped one, such as photo.",
            rich_help_panel=ONTOLOGY,
        ),
    ] = None,
    root: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Use only this branch of the ontology; can be repeated.",
            rich_help_panel=ONTOLOGY,
        ),
    ] = None,
    relation: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Relation that makes links beside is-a, such as part_of: what it leads to is the parent; "
            "can be repeated.",
            rich_help_panel=ONTOLOGY,
        ),
    ] = None,
    imports: Annotated[
        list[str] | None,
        typer.Option(
            "--import",
            metavar="IRI=FILE",
            help="File of an ontology that the ontology imports by this IRI; or a catalogue of such, as "
            "Protégé's catalog-v001.xml; can be repeated.",
            rich_help_panel=ONTOLOGY,
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="TAG",
            help="Language of the labels by which concepts may be named, such as de; by default English.",
            rich_help_panel=ONTOLOGY,
        ),
    ] = None,
    abstract: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Concept that is never a label, beside those that are marked so; can be repeated.",
            rich_help_panel=ONTOLOGY,
        ),
    ] = None,
    concepts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File that lists the concepts that may be labels; all others are abstract.",
            rich_help_panel=ONTOLOGY,
        ),
    ] = None,
    ontology_format: Annotated[
        OntologyFormat | None,
        typer.Option(
            help="Format of the ontology file, where it is not to be recognised.", rich_help_panel=ONTOLOGY
        ),
    ] = None,
    direction: Annotated[
        Direction | None,
        typer.Option(
            help="What comes first in each link of the ontology file, where it does not say it.",
            rich_help_panel=ONTOLOGY,
        ),
    ] = None,
    backend: Annotated[
        Backend | None,
        typer.Option(
            help="What parses RDF; by default the fastest that is installed. They tell the same.",
            rich_help_panel=ONTOLOGY,
        ),
    ] = None,
    concept_map: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File that translates labels: label,concept.", rich_help_panel=LABELS
        ),
    ] = None,
    input_format: Annotated[
        LabelFormat | None,
        typer.Option(
            help="Format of the label files, where it is not to be recognised.", rich_help_panel=LABELS
        ),
    ] = None,
    separator: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="What separates the labels of a sample in wide files.",
            rich_help_panel=LABELS,
        ),
    ] = None,
    unknown: Annotated[
        Literal["error", "drop"],
        typer.Option(
            help="What to do with labels that are no concepts; what is dropped is counted.",
            rich_help_panel=LABELS,
        ),
    ] = "error",
    threshold: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER|FILE",
            help="Scores of the runs become labels from here on: a number, or a file concept,threshold.",
            rich_help_panel=LABELS,
        ),
    ] = None,
    close: Annotated[
        bool,
        typer.Option(
            "--close",
            help="Add the ancestors of each label, of those that may be labels.",
            rich_help_panel=LABELS,
        ),
    ] = False,
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


@wraps(asked)
def _read(**given: Any) -> Inputs:  # noqa: ANN401 - as various as the options
    return asked(**given).read()


def reads_labels(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options by which ontologies and label files are read, and what they make.

    Parameters
    ----------
    command
        A command with a parameter `inputs`, of the type `Inputs`, or `Asked` where it reads the
        ontology itself.

    Returns
    -------
    callable
        The command as typer sees it.
    """
    kind = inspect.signature(command, eval_str=True).parameters["inputs"].annotation
    return taking(command, inputs=_read if kind is Inputs else asked)


def taking(command: Callable[..., None], **makers: Callable[..., Any]) -> Callable[..., None]:
    """Give a command the options of functions, and hand it what these make of them.

    Parameters
    ----------
    command
        A command; an option that it has itself takes the shared one's place.
    **makers
        For some of its parameters the function that makes it, whose parameters become the command's.

    Returns
    -------
    callable
        The command as typer sees it.
    """
    own = inspect.signature(command, eval_str=True)
    shared = {name: inspect.signature(maker, eval_str=True).parameters for name, maker in makers.items()}
    mine = {name: parameter for name, parameter in own.parameters.items() if name not in makers}

    @wraps(command)
    def call(**given: Any) -> None:  # noqa: ANN401 - as various as the options
        made = {
            name: maker(**{option: given[option] for option in shared[name]})
            for name, maker in makers.items()
        }
        command(**made, **{name: given[name] for name in mine})

    parameters = dict(mine)
    for options in shared.values():
        parameters |= {name: option for name, option in options.items() if name not in mine}
    # What stands without a name comes first, the truth before the runs.
    ordered = sorted(parameters.values(), key=lambda parameter: parameter.kind)
    call.__signature__ = own.replace(parameters=ordered)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    del call.__wrapped__
    return call


def shipped_or_own(file: str) -> str | Path:
    """Take a path, or the name of a shipped ontology where no file has that name.

    Parameters
    ----------
    file
        What was written.

    Returns
    -------
    str or Path
        The path of the file.
    """
    from ontoeval import ontologies

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
