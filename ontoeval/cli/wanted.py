"""Wanted: the options of commands that score runs against a truth, and what they ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.cli.asked import Asked
from ontoeval.cli.public import refuse_unless_public_concepts
from ontoeval.cli.runs import Runs, runs_of
from ontoeval.core.choices import Missing
from ontoeval.measures.presets import Preset
from ontoeval.measures.presets import preset as preset_by_name

if TYPE_CHECKING:
    from ontoeval.cli.material import Material


@dataclass(frozen=True, eq=False)
class Wanted:
    """Which runs are to be scored by what; nothing but the names of files is known yet."""

    asked: Asked
    truth: Path
    paths: tuple[Path, ...]
    measures: tuple[Any, ...] = ()
    preset: tuple[str, Preset] | None = None
    agreement: tuple[Path | None, float | None] = (None, None)
    weights: tuple[Sequence[str], Path | None] = ((), None)
    missing: Missing = "refuse"
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

    @property
    def places(self) -> list[Path]:
        """What is read, files and folders: nothing may be written there."""
        return [*self.files.values(), *self.runs.folders]

    def read(self, step: Callable[[], None] = lambda: None) -> Material:
        """Read all files."""
        from ontoeval.cli.material import read_material

        inputs = replace(self.asked.read(), public=self.public)
        if self.public:
            refuse_unless_public_concepts(inputs)
        return read_material(self, inputs, step)

    def told(self, text: str) -> str:
        """Leave the folder out of the paths in a text."""
        return text if self.folder is None else text.replace(f"{self.folder}/", "")


def wanted(
    truth: Path,
    runs: list[Path],
    *,
    measures: list[str] | None = None,
    preset: str | None = None,
    agreement: Path | None = None,
    agreement_default: float | None = None,
    weights: list[str] | None = None,
    information_from: Path | None = None,
    missing: Missing = "refuse",
    names: Path | None = None,
    public: bool = False,
    inputs: Asked,
) -> Wanted:
    """Keep the options, and refuse measures that there are not; nothing is read yet."""
    from ontoeval.measures.catalogue import measures_of

    named = None if preset is None else preset_by_name(preset)
    # A misspelt measure is refused before an hour of reading.
    notations = [*(named.measures if named else ()), *(measures or ())]
    chosen = tuple(measures_of(notations).values()) if notations else ()
    if named is not None and named.repeats != "refuse":
        inputs = replace(inputs, reading={"repeats": named.repeats, **inputs.reading})
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
