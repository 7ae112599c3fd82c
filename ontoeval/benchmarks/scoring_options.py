"""Options of several commands: which runs are scored and compared, how, and how results are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ontoeval.comparison.plan import Plan
from ontoeval.core.choices import BRANCH, LEVEL, Best, Missing, OutsideRule, check_outside
from ontoeval.errors import InputError, ParameterError, did_you_mean, enumerate_some, pluralise
from ontoeval.labels.reading_options import ReadingOptions
from ontoeval.measures.presets import (
    DEFAULT_ONTOLOGY_MEASURES,
    WITH_SEVERAL_PARENTS,
    Preset,
    preset,
    usual_measures,
)
from ontoeval.options import Opt, flag
from ontoeval.plumbing.files import real_path, short_names

if TYPE_CHECKING:
    from ontoeval.comparison.result import RankedBy
    from ontoeval.comparison.sensitivity import Changes
    from ontoeval.concepts.information import LabelFrequencies
    from ontoeval.core.hierarchy import Hierarchy
    from ontoeval.core.table import Table
    from ontoeval.measures.label_costs import LabelCosts

DEFAULTS = ", ".join(DEFAULT_ONTOLOGY_MEASURES)

Negative = Literal["0", "-1"]
"""What marks an absent label in a file of verified ones."""

Format = Literal["table", "csv", "json", "latex", "markdown"]

output_option = partial(Opt, panel="Output")
_comparison = partial(Opt, panel="Comparison")
PartsBy = Annotated[
    tuple[str, ...],
    Opt(
        "Show parts alone, too: by a column of the truth or of a table of samples (all its columns, or "
        "COLUMN=FILE), the branches below the root, or the depth of labels (0: a root). Can be repeated. "
        "Samples that belong together are --groups.",
        metavar="COLUMN|FILE|branch|level",
        brief=True,
    ),
]
_study = partial(Opt, panel="Study")

TRUTH = Opt("File of the true labels.", metavar="TRUTH", positional=True)
RUNS = Opt(
    "Files of predicted labels, one for each run; a folder or a quoted glob stands for the runs in it.",
    metavar="RUN",
    positional=True,
)
AGREEMENT = Opt(
    "File of the annotators' agreement on each concept, in [0, 1]: concept,agreement.", brief=True
)
AGREEMENT_DEFAULT = Opt("Agreement on concepts that the agreement file lacks; by default they are refused.")
SAMPLE_WEIGHTS = Opt(
    "File of the weights of samples, numbers of at least 0: sample,weight. A weight of 2 is the same as the "
    "sample twice. The truth itself may have the column sample_weight: --sample-weights truth.csv."
)
GROUPS = Opt(
    "File of the groups that samples come from, such as sites or transects: sample,group. Each group "
    "weighs the same, so means over samples are means of group means; resamples and tests take whole groups."
)
MISSING = Opt(
    "Samples that only one file has: refuse them; or 'empty': those that a run lacks count as "
    "unlabelled there, and those that the truth lacks are left out.",
    brief=True,
)

Output = Annotated[Format, output_option("How to print results.", flags=("--format",), brief=True)]
Figures = Annotated[
    Path | None,
    output_option("Write figures for papers into this folder, as PDF, SVG and PNG.", metavar="FOLDER"),
]
OutputFolder = Annotated[
    Path | None,
    output_option(
        "Write all tables into this folder; or what --format prints into this .csv, .json, .md, .tex or "
        ".xlsx file.",
        metavar="FOLDER|FILE",
        flags=("--out", "-o"),
        brief=True,
    ),
]
Verbose = Annotated[bool, output_option("Print the whole recipe: all files, and all options of measures.")]


@dataclass(frozen=True, kw_only=True)
class PageOptions:
    """The page, and what stands at its head."""

    report: Annotated[
        Path | None, output_option("Write a report to this file: one HTML page.", brief=True)
    ] = None
    title: Annotated[
        str | None, output_option("Title of the report; by default made from its contents.", metavar="TEXT")
    ] = None
    description: Annotated[
        str | None,
        output_option("Text below the title; an empty line begins a new paragraph.", metavar="TEXT"),
    ] = None
    author: Annotated[
        str | None, output_option("Who publishes the report, shown below the title.", metavar="TEXT")
    ] = None

    @property
    def about(self) -> dict[str, str]:
        """Title, description, author and pictures, as far as they are given."""
        names = ("title", "description", "author", "images")
        given = {name: getattr(self, name, None) for name in names}
        return {name: text for name, text in given.items() if text is not None}

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages that write the page."""
        return () if self.report is None else ("jinja2",)

    def check_page(self) -> None:
        """Refuse words that no page would show."""
        for name, text in self.about.items():
            if self.report is None:
                raise ParameterError(flag(name), text, "a --report beside it, which shows it")
            if not text.strip():
                raise ParameterError(flag(name), text, "a text")


Images = Annotated[
    str | None,
    output_option(
        "Pictures of the samples, for the report: a folder, or an address with {sample} in it.",
        metavar="FOLDER|URL",
    ),
]


@dataclass(frozen=True, kw_only=True)
class DrawingOptions(PageOptions):
    """The page, and figures for papers."""

    figures: Figures = None

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages that write the page and the figures."""
        return (*super().packages, *("matplotlib",) * (self.figures is not None))


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoringOptions:
    """Which runs are scored, and by which measures; no file is read yet, but measures are checked."""

    truth: Annotated[Path, TRUTH]
    runs: Annotated[tuple[Path, ...], RUNS]
    measures: Annotated[
        tuple[str, ...],
        Opt(
            "Measure in its notation, see `ontoeval measures`; can be repeated. By default the usual flat "
            f"measures; with an ontology {DEFAULTS}, or {WITH_SEVERAL_PARENTS} in place of the first "
            "where a quarter of the labels have several parents, or lie below one that has.",
            metavar="NOTATION",
            flags=("--measure", "-m"),
            brief=True,
        ),
    ] = ()
    rank: Annotated[
        str | None,
        Opt(
            "Measure by which the runs are ranked; it becomes the first. By default the first measure ranks.",
            metavar="NOTATION",
        ),
    ] = None
    preset: Annotated[
        str | None,
        Opt(
            "Measures and conventions of a field, such as sklearn or cafa: `ontoeval measures --presets` "
            "lists them. Those of --measure come after.",
            metavar="PRESET",
            brief=True,
        ),
    ] = None
    agreement: Annotated[Path | None, AGREEMENT] = None
    agreement_default: Annotated[float | None, AGREEMENT_DEFAULT] = None
    weights: Annotated[
        tuple[str, ...],
        Opt(
            "File of the weights of all concepts, abstract ones too: concept,weight. Measures "
            "find it by its name: hF(weight='NAME'). Can be repeated.",
            metavar="NAME=FILE",
        ),
    ] = ()
    costs: Annotated[
        tuple[str, ...],
        Opt(
            "Table of costs of single labels: true,predicted,cost. Measures find it by its name: "
            "Cost(table='NAME'). Can be repeated.",
            metavar="NAME=FILE",
        ),
    ] = ()
    cost_groups: Annotated[
        Path | None, Opt("File of the groups of labels that tables of costs name: concept,group.")
    ] = None
    sample_weights: Annotated[Path | None, SAMPLE_WEIGHTS] = None
    groups: Annotated[Path | None, GROUPS] = None
    known: Annotated[
        Path | None,
        Opt(
            "File of labels that were known before: they and their ancestors are left out of truth and "
            "runs, as in CAFA's partial knowledge.",
            metavar="LABELS",
        ),
    ] = None
    only: Annotated[
        str | None,
        Opt(
            "Labels that count: 'leaves'; 'depth<=3', by the longest path from a root (0), also with >=, =; "
            "'below:CONCEPT', it and its descendants; or a file that lists them. Costs and added ancestors "
            "stay those of the whole hierarchy.",
            metavar="leaves|depth<=N|below:CONCEPT|FILE",
        ),
    ] = None
    outside: Annotated[
        OutsideRule,
        Opt("With --only, what other labels count as: their nearest ancestors that count, or nothing."),
    ] = "ancestor"
    information_from: Annotated[
        Path | None,
        Opt(
            "File of annotations, not those that are scored, from which information content ('ic') and "
            "accretion ('ia') are estimated: hF(weight='ia'), OS(cost='lin(ic)'), ICM; and frequencies "
            "of labels for PSPAt.",
            metavar="LABELS",
        ),
    ] = None
    decode: Annotated[
        Literal["own", "hF"] | None,
        Opt(
            "Make labels of probabilities, whose sum is 1, without a --threshold: for each measure those "
            "of which it expects most ('own'), or for all measures those of which hF expects most ('hF')."
        ),
    ] = None
    missing: Annotated[Missing, MISSING] = "refuse"
    names: Annotated[
        Path | None, Opt("Names, teams and, of seeds, systems of the runs: run,name,team,system.")
    ] = None
    negative: Annotated[
        Negative | None,
        Opt(
            "The truth holds verified labels, and this number marks an absent one; what was not verified "
            "counts neither way.",
            panel="Label files",
        ),
    ] = None
    public: Annotated[bool, Opt("Reveal only the scores and the number of samples of the truth.")] = False
    reading: ReadingOptions
    folder: Path | None = None
    """The folder of a benchmark file, which is left out of the paths in messages and recipes."""

    def __post_init__(self) -> None:
        """Refuse a misspelt measure before an hour of reading, and read scores as the preset has it."""
        _ = self.chosen_measures
        check_outside(self.outside, self.only)
        if self.decode is not None and self.reading.labels.threshold is not None:
            expected = "either this option or --threshold, not both: each makes labels of scores"
            raise ParameterError("--decode", self.decode, expected)
        chosen = self.chosen_preset
        if chosen is not None and chosen.groups and self.groups is None:
            expected = f"--groups FILE, a table sample,{chosen.groups}: its score is a mean of these"
            raise ParameterError("--preset", self.preset, expected)
        labels = self.reading.labels
        if chosen is not None and chosen.repeats != "refuse" and labels.repeats is None:
            labels = replace(labels, repeats=chosen.repeats)
            object.__setattr__(self, "reading", replace(self.reading, labels=labels))

    @property
    def chosen_preset(self) -> Preset | None:
        """The preset."""
        return None if self.preset is None else preset(self.preset)

    @cached_property
    def chosen_measures(self) -> tuple[Any, ...]:
        """The measure that ranks, and those of the preset and that are named."""
        from ontoeval.measures.catalogue import measures_of

        of_preset = () if self.chosen_preset is None else self.chosen_preset.measures
        notations = [*([] if self.rank is None else [self.rank]), *of_preset, *self.measures]
        return tuple(map(self._with_table, measures_of(notations).values())) if notations else ()

    @property
    def ranking(self) -> RankedBy:
        """Why the first measure ranks."""
        if self.rank is not None:
            return "by --rank"
        return "named first" if self.chosen_measures else "by default"

    def measures_over(self, hierarchy: Hierarchy | None, *, shares: bool = False) -> list[Any]:
        """List the chosen measures; where none or only the one that ranks is named, the usual ones, too."""
        from ontoeval.measures.base import info
        from ontoeval.measures.catalogue import measures_of

        chosen = self.chosen_measures
        scores = any(info(measure, "takes") == "scores" for measure in chosen)
        scores = scores and self.decode is None
        usual = (
            () if self.preset or self.measures else usual_measures(hierarchy, scores=scores, shares=shares)
        )
        return [self._decoded(one, hierarchy) for one in measures_of([*chosen, *usual]).values()]

    def _decoded(self, measure: Any, hierarchy: Hierarchy | None) -> Any:  # noqa: ANN401 - a measure of any class
        """Let a measure of label sets take probabilities, as --decode has it."""
        from ontoeval.measures.base import info
        from ontoeval.measures.decoding import DecodedMeasure, has_best_sets

        if self.decode is None or info(measure, "takes") == "scores":
            return measure
        if self.decode == "hF":
            return DecodedMeasure(measure, "hF")
        return DecodedMeasure(measure, "sets" if has_best_sets(measure, hierarchy) else "nodes")

    def _with_table(self, measure: Any) -> Any:  # noqa: ANN401 - a measure of any class
        """Give a measure the table of costs that it names, or the corpus that it needs."""
        if hasattr(measure, "decoder"):
            return replace(measure, measure=self._with_table(measure.measure))
        if self.information_from is not None and getattr(measure, "corpus", measure) is None:
            return replace(measure, corpus=self._frequencies)
        table = getattr(measure, "table", None)
        if isinstance(table, str) and table in self._cost_tables:
            return replace(measure, table=self._cost_tables[table])
        return measure

    def refuse_unused_costs(self) -> None:
        """Refuse a table of costs that no measure names."""
        named = [getattr(measure, "table", None) for measure in self.chosen_measures]
        used = {getattr(table, "name", table) for table in named}
        for text in self.costs:
            if (table := text.partition("=")[0]) not in used:
                expected = f'a measure beside it that names the table: -m "Cost(table={table!r})"'
                raise ParameterError("--costs", text, expected)

    @cached_property
    def _frequencies(self) -> LabelFrequencies:
        """How many samples of the corpus have each label."""
        from ontoeval.benchmarks.inputs import reader_of, withholding
        from ontoeval.concepts.information import LabelFrequencies
        from ontoeval.labels.reading import read_label_file

        path, labels = Path(self.information_from or ""), replace(self.reading.labels, threshold=None)
        with withholding(path, "the annotations cannot be used", public=self.public):
            sets = read_label_file(path, reader_of(self.reading).ontology, labels).sets
            return LabelFrequencies.from_labels(sets, name=self.without_folder(str(path)))

    @property
    def corpus_of_concepts(self) -> Path | None:
        """The annotations that weight concepts: none without an ontology where a measure counts labels."""
        counted = any(getattr(measure, "corpus", None) for measure in self.chosen_measures)
        return None if counted and self.reading.ontology is None else self.information_from

    @cached_property
    def _cost_tables(self) -> Mapping[object, LabelCosts]:
        """Tables of costs by name: those of files, and of the preset, whose groups must be there."""
        from ontoeval.labels.label_costs import read_label_costs, read_label_groups
        from ontoeval.measures.label_costs import ANY, LabelCosts

        groups = {} if self.cost_groups is None else read_label_groups(self.cost_groups)
        of_preset = {} if self.chosen_preset is None else self.chosen_preset.costs
        tables: dict[object, LabelCosts] = {}
        for name, rows in of_preset.items():
            needed = dict.fromkeys(cell for row in rows for cell in row[:2] if cell != ANY)
            if lacking := [cell for cell in needed if cell not in groups]:
                expected = f"a file concept,group with {enumerate_some(lacking)}, for --preset {self.preset}"
                raise ParameterError("--cost-groups", str(self.cost_groups or "not given"), expected)
            tables[name] = LabelCosts(rows, groups, name)
        for text in self.costs:
            name, equals, path = text.partition("=")
            if not (name and equals and path):
                raise ParameterError("--costs", text, "a name and a file: NAME=FILE")
            tables[name] = read_label_costs(path, self.cost_groups, name=name)
        return tables

    @cached_property
    def found_runs(self) -> Runs:
        """The runs."""
        return runs_of(
            self.runs,
            names=self.names,
            beside=[self.truth, *self._beside],
            input_format=self.reading.labels.layout.input_format,
            folder=self.folder,
        )

    @property
    def _beside(self) -> tuple[Path | None, ...]:
        """Files beside the truth and the runs."""
        return (
            self.cost_groups,
            self.agreement,
            self.information_from,
            self.sample_weights,
            self.groups,
            self.known,
            Path(self.only) if self.only is not None and Path(self.only).is_file() else None,
        )

    @property
    def files(self) -> dict[str, Path]:
        """All files that are read, by how messages name them; the truth first."""
        from ontoeval.benchmarks.inputs import files_of

        weights = (Path(text.partition("=")[2]) for text in (*self.weights, *self.costs))
        named = (self.names, *self._beside, *weights)
        paths = (path for path in (self.truth, *self.found_runs.paths, *named) if path is not None)
        files = {str(path): path for path in paths} | files_of(self.reading)
        return {self.without_folder(name): path for name, path in files.items()}

    def check_parts(self, by: Sequence[str]) -> None:
        """Refuse parts that need an ontology."""
        if {BRANCH, LEVEL} & set(by) and self.reading.ontology is None:
            expected = "an --ontology beside it, which has branches and levels"
            raise ParameterError("--by", list(by), expected)

    def files_of_parts(self, by: Sequence[str]) -> dict[str, Path]:
        """Tables of samples by which parts are cut; what is no file is a column of the truth."""
        paths = (Path(one) if Path(one).exists() else Path(one.partition("=")[2]) for one in by)
        return {self.without_folder(str(path)): path for path in paths if path.is_file()}

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
            "Baseline beside the runs, without a rank: empty, all, prior (the most frequent "
            "labels), random (at prior), permuted (the truth, permuted), or an oracle made of the truth: "
            "siblings (with all siblings) or top (the highest labels); can be repeated. By default prior "
            "and permuted, and with an ontology the oracles.",
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
    by: PartsBy = ()
    plan: Plan

    def __post_init__(self) -> None:
        """Refuse baselines that do not exist, and groups that need an ontology."""
        if self.baselines:
            from ontoeval.comparison.baselines import BASELINES

            for name in self.baselines:
                if name not in BASELINES or name in self.scoring.found_runs.names:
                    known = f"{', '.join(BASELINES)}{did_you_mean(name, BASELINES)}"
                    expected = f"one of {known}; every pair of runs is tested, see --pairs"
                    raise ParameterError("--baseline", name, expected)
            if self.no_baseline:
                raise ParameterError("--baseline", list(self.baselines), "no --no-baseline beside it")
        self.scoring.check_parts(self.by)

    @property
    def baseline_kinds(self) -> tuple[str, ...] | None:
        """The baselines; None: the usual ones. An empty list, in a benchmark file, means none."""
        return () if self.no_baseline else self.baselines

    @property
    def files(self) -> dict[str, Path]:
        """All files that are read, by how messages name them; the truth first."""
        return self.scoring.files | self.scoring.files_of_parts(self.by)


_CHANGES = {"kinds": "--kind", "rates": "--rate", "samples": "--samples"}
"""Options of the changes that a study tries."""

_NEEDED = {"a hierarchy": "--ontology FILE", "the annotators' agreement": "--agreement FILE"}
"""Options that give what a change needs."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyOptions:
    """Which measures are studied over which runs, and how; nothing is read yet."""

    scoring: ScoringOptions
    correlations: Annotated[
        tuple[str, ...],
        _study(
            "Coefficient that compares rankings: tau_b, tau_ap_b, weighted_tau, spearman, rbo or ks; "
            "can be repeated, and the first makes the table. By default all but weighted_tau.",
            flags=("--correlation",),
        ),
    ] = ()
    kinds: Annotated[
        tuple[str, ...],
        _study(
            "Change of labels that measures are tried on: drop, add, sibling, parent, random or annotator; "
            "can be repeated. By default all that the files allow.",
            flags=("--kind",),
        ),
    ] = ()
    rates: Annotated[
        tuple[float, ...],
        _study(
            "Share of labels that is changed, from 0 to 1; can be repeated. By default 0.05, 0.1, 0.2 "
            "and 0.4.",
            flags=("--rate",),
        ),
    ] = ()
    samples: Annotated[
        int | None, _study("Largest number of samples on which changes are tried; by default 1000.", least=1)
    ] = None
    no_changes: Annotated[bool, _study("Try no changes, which are most of the work.")] = False
    criterion: Annotated[
        Path | None,
        _study(
            "File of an external criterion of the runs, such as people's judgements: run,value or "
            "run,sample,value. The study shows which measures agree with it."
        ),
    ] = None
    criterion_best: Annotated[
        Best, _study("Whether the highest or the lowest numbers of the criterion are best.")
    ] = "highest"
    plan: Plan

    def __post_init__(self) -> None:
        """Refuse correlations that do not exist, and changes without the files that they need."""
        _ = self.chosen_correlations, self.changes

    @property
    def chosen_correlations(self) -> tuple[str, ...]:
        """The correlations."""
        from ontoeval.comparison.study import USUAL_CORRELATIONS, correlations_of

        return correlations_of(self.correlations or USUAL_CORRELATIONS, "--correlation")

    @property
    def changes(self) -> Changes | None:
        """The changes to try."""
        from ontoeval.comparison.sensitivity import Changes, missing_input

        given: dict[str, Any] = {name: value for name in _CHANGES if (value := getattr(self, name))}
        if self.no_changes:
            for name, value in given.items():
                shown = list(value) if isinstance(value, tuple) else value
                raise ParameterError(_CHANGES[name], shown, "either this option or --no-changes, not both")
            return None
        changes = Changes(**given)
        hierarchy, agreement = self.scoring.reading.ontology is not None, self.scoring.agreement is not None
        for kind in self.kinds:
            need = missing_input(kind, hierarchy=hierarchy, agreement=agreement)
            if need:
                raise ParameterError("--kind", kind, f"{_NEEDED[need]} beside it: {need}")
        return changes


_ROLES = {"run": {"run", "file"}, "name": {"name", "title"}, "team": {"team", "group"}, "system": {"system"}}


@dataclass(frozen=True)
class Runs:
    """Files of the runs, with their names and teams."""

    paths: tuple[Path, ...]
    names: tuple[str, ...]
    teams: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()

    @property
    def by_team(self) -> dict[str, str]:
        """Team of each run, by its name; empty without teams."""
        return dict(zip(self.names, self.teams, strict=True)) if self.teams else {}

    @property
    def by_system(self) -> dict[str, str]:
        """System of each run, by its name; empty where no two runs are seeds of one system."""
        return dict(zip(self.names, self.systems, strict=True)) if self.systems else {}

    def would_take(self, path: Path) -> bool:
        """Whether a file would be taken for a run if the runs were searched again."""
        from ontoeval.labels.paths import is_no_run

        among = real_path(path).parent in {real_path(folder) for folder in self.folders}
        return among and not is_no_run(path)

    def with_teams(self, table: Table, behind: str = "run") -> Table:
        """Add a column of teams behind a column of runs."""
        from ontoeval.reports.evaluation import with_teams

        return with_teams(table, self.by_team, behind)


def runs_of(
    paths: Iterable[Path],
    *,
    names: Path | None = None,
    beside: Iterable[Path | None] = (),
    input_format: str | None = None,
    folder: Path | None = None,
) -> Runs:
    """Find the runs of paths, folders and globs."""
    from ontoeval.labels.paths import runs_at

    left_out, folders, found = list[str](), list[Path](), list[Path]()
    others = {real_path(path) for path in (*beside, names) if path is not None}
    for path in paths:
        matching = list(runs_at(path, others, input_format, left_out))
        folders += [] if matching == [path] else dict.fromkeys(run.parent for run in matching)
        found += matching
    met: set[Path] = set()
    for path in found:
        if real_path(path) in met:
            raise InputError("this run is named twice", "Name each run once.", where=path)
        if len(found) > 1 and real_path(path) in others:
            raise InputError("this file is read as another one, too", "Leave it out of the runs.", where=path)
        met.add(real_path(path))
    told = [path if folder is None else Path(str(path).removeprefix(f"{folder}/")) for path in found]
    remarks = [f"left out what is no run: {enumerate_some(left_out)}"] if left_out else []
    runs = Runs(tuple(found), tuple(short_names(told)), remarks=tuple(remarks), folders=tuple(folders))
    return runs if names is None else _rename_runs(runs, names, told)


def _rename_runs(runs: Runs, names: Path, told: Sequence[Path]) -> Runs:
    """Give runs the names of a table, which must have a row for each of them and no other."""
    keys = [{path.stem, path.name, path.as_posix(), own} for path, own in zip(told, runs.names, strict=True)]
    shown: dict[int, tuple[str, str, str]] = {}
    for line, row in _read_name_table(names):
        matching = [number for number, known in enumerate(keys) if row["run"] in known]
        if len(matching) != 1:
            what = "names several runs" if matching else f"names no run{did_you_mean(row['run'], runs.names)}"
            raise InputError(
                f"{row['run']!r} {what}",
                f"The runs are {enumerate_some(path.as_posix() for path in runs.paths)}.",
                where=names,
                row=line,
            )
        name = row.get("name", runs.names[matching[0]])
        if matching[0] in shown or any(name == other for other, *_ in shown.values()):
            what = (
                f"the run {row['run']!r} has a row already" if matching[0] in shown else f"{name!r} is taken"
            )
            raise InputError(what, "Let each run have one row, and a name of its own.", where=names, row=line)
        shown[matching[0]] = name, row.get("team", ""), row.get("system", "")
    lacking = [path.as_posix() for number, path in enumerate(runs.paths) if number not in shown]
    if lacking:
        what = f"no row for {pluralise(len(lacking), 'run')}: {enumerate_some(lacking)}"
        raise InputError(what, "Give each run one.", where=names)
    called, teams, systems = zip(*(shown[number] for number in range(len(runs.paths))), strict=True)
    teams, systems = (some if any(some) else () for some in (teams, systems))
    return replace(runs, names=called, teams=teams, systems=systems)


def _read_name_table(names: Path) -> Sequence[tuple[int, dict[str, str]]]:
    """Read a table of names: a column of runs, and one or more of names, teams and systems."""
    from ontoeval.labels.name_resolution import rows_by_role
    from ontoeval.labels.sources import read_source
    from ontoeval.plumbing.column_titles import normalise_title

    source = read_source(names)
    header = {normalise_title(title) for title in source.first(source.delimiter or ",")}
    roles = {role: called for role, called in _ROLES.items() if role == "run" or header & called}
    rows = list(rows_by_role(source, roles))
    systems = {row.get("system") for _, row in rows}
    for _, row in rows if "system" in roles and len(systems) == len(rows) else ():
        row.setdefault("name", row.pop("system"))  # of one run each these are names
    return rows
