"""Inputs: the options by which label files are read, once for all commands that read some."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ontoeval.errors import InputError, ParameterError, UnknownConceptError
from ontoeval.label_formats import LabelFormat
from ontoeval.ontology_formats import Direction, OntologyFormat

if TYPE_CHECKING:
    from ontoeval.hierarchy import Hierarchy
    from ontoeval.io import LabelFile
    from ontoeval.labels import LabelSets
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

    def unclosed(self, files: Sequence[LabelFile]) -> list[str]:
        """Say which files hold sets that lack ancestors of their labels.

        Parameters
        ----------
        files
            Files that have been read.

        Returns
        -------
        list of str
            One remark for each of them; none without an ontology, or where ancestors were added.
        """
        if self.ontology is None or self.reading.get("close"):
            return []
        vocabulary = files[0].sets.vocabulary
        hierarchy = self.ontology.hierarchy().with_labels(vocabulary)
        counts = {file.source: (int(file.sets.unclosed(hierarchy).sum()), len(file.sets)) for file in files}
        return [
            f"{source}: {count:,} of {total:,} sets are not closed upwards (--close adds the ancestors)"
            for source, (count, total) in counts.items()
            if count
        ]

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
            if default is not None:
                raise ParameterError("--agreement-default", default, "an --agreement file beside it")
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
    ontology_format: Annotated[
        OntologyFormat | None,
        typer.Option(help="Format of the ontology file, where it is not to be recognised."),
    ] = None,
    direction: Annotated[
        Direction | None,
        typer.Option(help="What comes first in each link of the ontology file, where it does not say it."),
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
        LabelFormat | None,
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
    close: Annotated[
        bool,
        typer.Option("--close", help="Add the ancestors of each label, of those that may be labels."),
    ] = False,
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
        "close": close or None,
    }
    reading = {name: value for name, value in given.items() if value is not None}
    if ontology is None:
        for name, value in (("--root", root), ("--language", language)):
            if value:
                raise ParameterError(name, value, "an --ontology beside it")
        return Inputs(None, reading)
    listed = None if concepts is None else read_concepts(concepts, concept_map=concept_map)
    try:
        read = shipped_or_read(
            ontology,
            roots=root,
            concepts=listed,
            language=language,
            input_format=ontology_format,
            direction=direction,
        )
    except UnknownConceptError as error:
        if concepts is None or "`concepts`" not in str(error):
            raise
        raise InputError(str(error).rstrip("."), f"The list of concepts is {concepts}.") from error
    return Inputs(read, reading)


def remarks_on(files: Sequence[LabelFile]) -> list[str]:
    """Say how files were read: their formats, those read alike in one line, and what was left out.

    Parameters
    ----------
    files
        The files.

    Returns
    -------
    list of str
        Sentences.
    """
    sources: dict[str, list[str]] = {}
    for file in files:
        sources.setdefault(str(file.format), []).append(str(file.source))
    formats = [f"{', '.join(alike)}: {form}" for form, alike in sources.items()]
    return [*formats, *(note for file in files for note in file.notes)]


def remarks_on_missing(path: Path, truth: LabelSets, run: LabelSets) -> list[str]:
    """Say what becomes of samples that only one side has, where they are not refused.

    Parameters
    ----------
    path
        The run's file.
    truth
        The true labels.
    run
        The predicted labels.

    Returns
    -------
    list of str
        Sentences.
    """
    lacking = sum(sample not in run.row for sample in truth.samples)
    beyond = sum(sample not in truth.row for sample in run.samples)
    sides = (
        (lacking, "samples of the truth that it lacks, which count as unlabelled"),
        (beyond, "samples that the truth lacks, which are left out"),
    )
    return [f"{path}: {count:,} {what}" for count, what in sides if count]


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
    input_format: OntologyFormat | None = None,
    direction: Direction | None = None,
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
    input_format
        The format of the file; by default it is recognised.
    direction
        What comes first in each link; by default parents, where the file does not say it.

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
    return read_ontology(
        source,
        root=roots or None,
        concepts=concepts,
        language=language,
        input_format=input_format,
        direction=direction,
    )


def _number_or_path(text: str) -> float | Path:
    try:
        return float(text)
    except ValueError:
        return Path(text)
