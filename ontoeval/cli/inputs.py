"""Inputs: the options by which label files are read, once for all commands that read some."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ontoeval.errors import ParameterError

if TYPE_CHECKING:
    from ontoeval.hierarchy import Hierarchy
    from ontoeval.io import LabelFile
    from ontoeval.ontology import Ontology


@dataclass(frozen=True)
class Inputs:
    """How the files of one call are read.

    Parameters
    ----------
    ontology
        The ontology, if one was named.
    reading
        Options of the label files.
    """

    ontology: Ontology | None
    reading: Mapping[str, Any]

    @property
    def hierarchy(self) -> Hierarchy | None:
        """The hierarchy of the ontology, if there is one."""
        return None if self.ontology is None else self.ontology.hierarchy()

    def labels(self, *paths: Path, step: Callable[[], None] = lambda: None) -> list[LabelFile]:
        """Read label files.

        Parameters
        ----------
        *paths
            The files; of several the first is the truth, to which no threshold applies.
        step
            Called after each file.

        Returns
        -------
        list of LabelFile
            All over the same concepts: without an ontology these are the labels of all files.
        """
        from ontoeval.io import read_label_file
        from ontoeval.vocabulary import Vocabulary

        files: list[LabelFile] = []
        for path in paths:
            truth = len(paths) > 1 and not files
            reading = {key: value for key, value in self.reading.items() if not truth or key != "threshold"}
            files.append(read_label_file(path, self.ontology, **reading))
            step()
        vocabularies = {file.sets.vocabulary for file in files}
        if len(vocabularies) > 1:
            shared = Vocabulary(tuple(sorted({name for v in vocabularies for name in v})))
            files = [replace(file, sets=file.sets.within(shared)) for file in files]
        return files

    def agreement(self, path: Path | None, default: float | None) -> Mapping[str, float] | None:
        """Read the annotators' agreement, if a file of it was named.

        Parameters
        ----------
        path
            The file.
        default
            The agreement of concepts that it does not name.

        Returns
        -------
        mapping of str to float, or None
            One number per concept that may be a label.

        Raises
        ------
        ParameterError
            If there is no ontology whose score it could weight.
        """
        from ontoeval.io import read_agreement

        if path is None:
            return None
        if self.ontology is None:
            raise ParameterError("--agreement", str(path), "an --ontology beside it, whose score it weights")
        named = {key: value for key, value in self.reading.items() if key in {"concepts", "concept_map"}}
        return read_agreement(path, self.ontology, default=default, **named)


def _inputs(
    *,
    ontology: Annotated[
        str | None, typer.Option(help="Ontology file, or the name of a shipped one, such as photo.")
    ] = None,
    root: Annotated[
        list[str] | None, typer.Option(help="Use only this branch of the ontology; can be repeated.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="Language of the ontology's labels by which concepts may be named.")
    ] = None,
    concepts: Annotated[
        Path | None,
        typer.Option(help="File that lists the concepts that may be labels; all others are abstract."),
    ] = None,
    concept_map: Annotated[
        Path | None, typer.Option(help="File that translates labels: label,concept.")
    ] = None,
    input_format: Annotated[
        Literal["wide", "long", "columns", "json", "imageclef"] | None,
        typer.Option(help="Format of the label files, where it is not to be recognised."),
    ] = None,
    separator: Annotated[
        str | None, typer.Option(help="What separates the labels of a sample in wide files.")
    ] = None,
    unknown: Annotated[
        Literal["error", "drop"],
        typer.Option(help="What to do with labels that are no concepts; what is dropped is counted."),
    ] = "error",
    threshold: Annotated[
        str | None,
        typer.Option(
            help="Scores of the runs become labels from here on: a number, or a file concept,threshold."
        ),
    ] = None,
) -> Inputs:
    """Read the ontology and keep the options."""
    from ontoeval.io import read_concepts

    given = {
        "concepts": concepts,
        "concept_map": concept_map,
        "input_format": input_format,
        "separator": separator,
        "unknown": unknown,
        "threshold": None if threshold is None else _number_or_path(threshold),
    }
    reading = {name: value for name, value in given.items() if value is not None}
    if ontology is None:
        return Inputs(None, reading)
    listed = None if concepts is None else read_concepts(concepts, concept_map=concept_map)
    return Inputs(shipped_or_read(ontology, roots=root, concepts=listed, language=language), reading)


def reads_labels(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `_inputs`, and hand it what they make.

    Parameters
    ----------
    command
        A command with a parameter `inputs`; an option that it has itself takes the shared one's
        place.

    Returns
    -------
    callable
        The command as typer sees it.
    """
    own = inspect.signature(command, eval_str=True)
    shared = inspect.signature(_inputs, eval_str=True).parameters
    mine = {name: parameter for name, parameter in own.parameters.items() if name != "inputs"}

    @wraps(command)
    def call(**given: Any) -> None:  # noqa: ANN401 - as various as the options
        inputs = _inputs(**{name: given[name] for name in shared})
        command(inputs=inputs, **{name: given[name] for name in mine})

    parameters = {**mine, **{name: shared[name] for name in shared if name not in mine}}
    call.__signature__ = own.replace(parameters=list(parameters.values()))  # type: ignore[attr-defined]
    call.__annotations__ = {name: parameter.annotation for name, parameter in parameters.items()}
    del call.__wrapped__
    return call


def shipped_or_read(
    file: str,
    *,
    roots: Sequence[str] | None = None,
    concepts: Sequence[str] | None = None,
    language: str | None = None,
) -> Ontology:
    """Read an ontology file, or a shipped ontology where no file has that name.

    Parameters
    ----------
    file
        A path, or the name of a shipped ontology.
    roots
        The branches to keep; by default all.
    concepts
        The concepts that may be labels; by default all that are not marked abstract.
    language
        The language of the labels; by default English.

    Returns
    -------
    Ontology
        What was read.
    """
    from ontoeval import ontologies
    from ontoeval.ontology import read_ontology

    # A plain word that is no file can only be meant as the name of a shipped ontology.
    shipped = "/" not in file and "." not in file and not Path(file).exists()
    source = ontologies.path(file) if shipped else file
    return read_ontology(source, root=roots or None, concepts=concepts, language=language or "en")


def _number_or_path(text: str) -> float | Path:
    try:
        return float(text)
    except ValueError:
        return Path(text)
