"""The options that several commands share: how runs are scored and compared, and how results are shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, Literal

from ontoeval.cli.runs import Runs, runs_of
from ontoeval.comparison.plan import Plan
from ontoeval.core.checks import Missing
from ontoeval.errors import ParameterError, one_of
from ontoeval.labels.options import ReadingOptions
from ontoeval.measures.presets import PRESETS, Preset, preset
from ontoeval.options import Opt

BRANCH, LEVEL = "branch", "level"
"""Values of `by` that are no files."""

Format = Literal["table", "csv", "json", "latex", "markdown"]

output_option = partial(Opt, panel="Output")
_comparison = partial(Opt, panel="Comparison")

TRUTH = Opt("File of the true labels.", metavar="TRUTH", positional=True)
RUNS = Opt(
    "Files of predicted labels, one for each run; a folder or a quoted glob stands for the runs in it.",
    metavar="RUN",
    positional=True,
)
AGREEMENT = Opt("File of the annotators' agreement on each concept, in [0, 1]: concept,agreement.")
AGREEMENT_DEFAULT = Opt("Agreement on concepts that the agreement file lacks.")
MISSING = Opt(
    "Samples that only one file has: refuse them; or 'empty': those that a run lacks count as "
    "unlabelled there, and those that the truth lacks are left out."
)

Output = Annotated[Format, output_option("How to print results.", flags=("--format",))]
Report = Annotated[Path | None, output_option("Write a report to this file: one HTML page.")]
Figures = Annotated[
    Path | None,
    output_option("Write figures for papers into this folder, as PDF, SVG and PNG.", metavar="FOLDER"),
]
OutputFolder = Annotated[
    Path | None,
    output_option("Write all tables into this folder.", metavar="FOLDER", flags=("--out", "-o")),
]
Verbose = Annotated[bool, output_option("Print the whole recipe: all files, and all options of measures.")]


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoringOptions:
    """Which runs are scored by what; nothing is read yet, but measures are known to exist."""

    truth: Annotated[Path, TRUTH]
    runs: Annotated[tuple[Path, ...], RUNS]
    measures: Annotated[
        tuple[str, ...],
        Opt(
            "Measure in its notation, see `ontoeval measures`; can be repeated. By default the usual "
            "flat ones, and with an ontology OS before them.",
            metavar="NOTATION",
            flags=("--measure", "-m"),
        ),
    ] = ()
    preset: Annotated[
        str | None,
        Opt(
            f"Measures and conventions of a field: {', '.join(PRESETS)}. Those of --measure come after "
            "them; `ontoeval measures --preset NAME` lists them."
        ),
    ] = None
    agreement: Annotated[Path | None, AGREEMENT] = None
    agreement_default: Annotated[float | None, AGREEMENT_DEFAULT] = None
    weights: Annotated[
        tuple[str, ...],
        Opt(
            "File of the weights of concepts, those that are no labels too: concept,weight. Measures "
            "find it by its name: hF(weight='NAME'). Can be repeated.",
            metavar="NAME=FILE",
        ),
    ] = ()
    information_from: Annotated[
        Path | None,
        Opt(
            "File of annotations, not those that are scored, from which information content ('ic') and "
            "accretion ('ia') are estimated: hF(weight='ia'), OS(cost='lin(ic)'), ICM.",
            metavar="LABELS",
        ),
    ] = None
    missing: Annotated[Missing, MISSING] = "refuse"
    names: Annotated[Path | None, Opt("Table of names of runs and their teams: run,name,team.")] = None
    public: Annotated[bool, Opt("Reveal only the scores and the number of samples of the truth.")] = False
    reading: ReadingOptions
    folder: Path | None = None
    """The folder of a benchmark file, which is left out of the paths in messages and recipes."""

    def __post_init__(self) -> None:
        """Refuse a misspelt measure before an hour of reading, and read scores as the preset has it."""
        _ = self.chosen
        chosen = self.chosen_preset
        if chosen is not None and chosen.repeats != "refuse" and self.reading.repeats is None:
            object.__setattr__(self, "reading", replace(self.reading, repeats=chosen.repeats))

    @property
    def chosen_preset(self) -> Preset | None:
        """The preset."""
        return None if self.preset is None else preset(self.preset)

    @cached_property
    def chosen(self) -> tuple[Any, ...]:
        """The measures of the preset and those that are named."""
        from ontoeval.measures.catalogue import measures_of

        of_preset = () if self.chosen_preset is None else self.chosen_preset.measures
        notations = [*of_preset, *self.measures]
        return tuple(measures_of(notations).values()) if notations else ()

    @cached_property
    def found(self) -> Runs:
        """The runs."""
        return runs_of(
            self.runs,
            names=self.names,
            beside=[self.truth, self.agreement, self.information_from],
            input_format=self.reading.input_format,
            folder=self.folder,
        )

    @property
    def files(self) -> dict[str, Path]:
        """All files that are read, by how messages name them; the truth first."""
        from ontoeval.cli.reading import files_of

        named = (self.names, self.agreement, self.information_from)
        weights = (Path(text.partition("=")[2]) for text in self.weights)
        paths = [self.truth, *self.found.paths, *(path for path in named if path is not None), *weights]
        return {self.without_folder(str(path)): path for path in paths} | {
            self.without_folder(name): path for name, path in files_of(self.reading).items()
        }

    @property
    def places(self) -> list[Path]:
        """Files and folders that are read: nothing may be written there."""
        return [*self.files.values(), *self.found.folders]

    def without_folder(self, text: str) -> str:
        """Leave the folder out of the paths in a text."""
        return text if self.folder is None else text.replace(f"{self.folder}/", "")


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparisonOptions:
    """Which runs are compared, and how; nothing is read yet."""

    scoring: ScoringOptions
    baselines: Annotated[
        tuple[str, ...] | None,
        _comparison(
            "Baseline beside the runs, without rank and tests: empty, all, prior (the most frequent "
            "labels), random (at prior), or permuted (the truth, permuted); can be repeated. By default "
            "prior and permuted.",
            flags=("--baseline",),
        ),
    ] = None
    no_baseline: Annotated[bool, _comparison("Show no baselines.")] = False
    chance: Annotated[
        bool,
        _comparison(
            "Show how far each score is above chance: above random labels, as frequent as true ones."
        ),
    ] = False
    by: Annotated[
        tuple[str, ...],
        _comparison(
            "Leaderboards for the groups of a file sample,group; for the branches below the root; or "
            "for the labels of each depth. Can be repeated.",
            metavar="FILE|branch|level",
        ),
    ] = ()
    plan: Plan

    def __post_init__(self) -> None:
        """Refuse baselines that do not exist, and groups that need an ontology."""
        if self.baselines:
            from ontoeval.comparison.baselines import BASELINES

            for name in self.baselines:
                one_of("--baseline", name, tuple(BASELINES))
            if self.no_baseline:
                raise ParameterError("--baseline", list(self.baselines), "no --no-baseline beside it")
        if {BRANCH, LEVEL} & set(self.by) and self.scoring.reading.ontology is None:
            raise ParameterError(
                "--by", list(self.by), "an --ontology beside it, which has branches and levels"
            )

    @property
    def kinds(self) -> tuple[str, ...] | None:
        """The baselines; None: the usual ones. An empty list, in a benchmark file, means none."""
        return () if self.no_baseline else self.baselines

    @property
    def files(self) -> dict[str, Path]:
        """All files that are read, by how messages name them; the truth first."""
        groups = [one for one in self.by if one not in {BRANCH, LEVEL}]
        return self.scoring.files | {self.scoring.without_folder(one): Path(one) for one in groups}

    @property
    def places(self) -> list[Path]:
        """Files and folders that are read: nothing may be written there."""
        return [*self.files.values(), *self.scoring.found.folders]
