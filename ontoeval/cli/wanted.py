"""Wanted: the options of commands that score runs against a truth, and what they ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ontoeval.cli.asked import Asked
from ontoeval.cli.options import reads_labels, taking
from ontoeval.cli.public import Public, refuse_unless_public_concepts
from ontoeval.cli.runs import RunNames, RunPaths, Runs, runs_of
from ontoeval.presets import PRESETS, Preset
from ontoeval.presets import preset as preset_by_name

if TYPE_CHECKING:
    from ontoeval.cli.material import Material


@dataclass(frozen=True, eq=False)
class Wanted:
    """Which runs are to be scored by what; nothing but the names of files is known yet.

    Parameters
    ----------
    asked
        The ontology, and how label files are to be read.
    truth
        File of the true labels.
    paths
        The runs: files, folders and globs.
    measures
        The measures, those of the preset first; empty for the usual ones.
    preset
        The preset, if one was named.
    agreement
        File of the agreement, and the default of concepts that it does not name.
    weights
        Files of weights with their names, and the file of annotations that information comes from.
    missing
        What to do with samples that only one side has.
    names
        The table of what runs are called.
    public
        Whether nothing may be said of the truth but the scores.
    folder
        The folder that is left out where paths are told; None tells them as they are.
    """

    asked: Asked
    truth: Path
    paths: tuple[Path, ...]
    measures: tuple[Any, ...] = ()
    preset: tuple[str, Preset] | None = None
    agreement: tuple[Path | None, float | None] = (None, None)
    weights: tuple[Sequence[str], Path | None] = ((), None)
    missing: Literal["refuse", "empty"] = "refuse"
    names: Path | None = None
    public: bool = False
    folder: Path | None = None

    @cached_property
    def runs(self) -> Runs:
        """The runs that are meant."""
        return runs_of(
            self.paths,
            names=self.names,
            beside=[self.truth, self.agreement[0], self.weights[1]],
            input_format=self.asked.reading.get("input_format"),
            folder=self.folder,
        )

    @property
    def files(self) -> dict[str, Path]:
        """All files that are read, by how they are told; the truth first."""
        named = (self.names, self.agreement[0], self.weights[1])
        weights = (Path(text.partition("=")[2]) for text in self.weights[0])
        paths = [self.truth, *self.runs.paths, *(path for path in named if path is not None), *weights]
        return {self.told(str(path)): path for path in paths} | self.asked.files(self.told)

    def read(self, step: Callable[[], None] = lambda: None) -> Material:
        """Read all files.

        Parameters
        ----------
        step
            Called after each label file.

        Returns
        -------
        Material
            What is scored.
        """
        from ontoeval.cli.material import read_material

        inputs = replace(self.asked.read(), public=self.public)
        if self.public:
            refuse_unless_public_concepts(inputs)
        return read_material(self, inputs, step)

    def told(self, text: str) -> str:
        """Leave the folder out of the paths in a text.

        Parameters
        ----------
        text
            Any text.

        Returns
        -------
        str
            The same wherever the folder lies.
        """
        return text if self.folder is None else text.replace(f"{self.folder}/", "")


def wanted(
    truth: Annotated[Path, typer.Argument(help="File of the true labels.")],
    runs: RunPaths,
    *,
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NOTATION",
            help="Measure in its notation, see `ontoeval measures`; can be repeated. By default the usual "
            "flat ones, and with an ontology OS before them.",
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"Measures and conventions of a field: {', '.join(PRESETS)}. Further ones come after them; "
            "`ontoeval measures --preset NAME` says what they are.",
        ),
    ] = None,
    agreement: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File of the annotators' agreement on each concept, in [0, 1]: concept,agreement.",
        ),
    ] = None,
    agreement_default: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Agreement on concepts that the agreement file does not name."),
    ] = None,
    weights: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FILE",
            help="File of what each concept counts for, those that are no labels too: concept,weight. "
            "Measures find it by its name: hF(weight='NAME'). Can be repeated.",
        ),
    ] = None,
    information_from: Annotated[
        Path | None,
        typer.Option(
            metavar="LABELS",
            help="File of annotations, not those that are scored, which information content ('ic') and "
            "accretion ('ia') are estimated from: hF(weight='ia'), OS(cost='lin(ic)'), ICM.",
        ),
    ] = None,
    missing: Annotated[
        Literal["refuse", "empty"],
        typer.Option(help="What to do with samples that only one file has; 'empty' counts them unlabelled."),
    ] = "refuse",
    names: RunNames = None,
    public: Public = False,
    inputs: Asked,
) -> Wanted:
    """Keep the options, and refuse measures that there are not; nothing is read yet."""
    from ontoeval.measures.catalogue import measures_of

    named = None if preset is None else preset_by_name(preset)
    # A misspelt measure is refused before an hour of reading.
    notations = [*(named.measures if named else ()), *(measures or ())]
    chosen = tuple(measures_of(notations).values()) if notations else ()
    return Wanted(
        inputs,
        truth,
        tuple(runs),
        chosen,
        None if preset is None or named is None else (preset, named),
        (agreement, agreement_default),
        (weights or (), information_from),
        missing,
        names,
        public,
    )


def reads_runs(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the truth, the runs, and all options by which they are read and scored.

    Parameters
    ----------
    command
        A command with a parameter `wanted`.

    Returns
    -------
    callable
        The command as typer sees it.
    """
    return reads_labels(taking(command, wanted=wanted))
