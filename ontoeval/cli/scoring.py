"""``ontoeval score`` and ``ontoeval compare``: runs against the truth, alone and side by side."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, cast

from ontoeval.cli.chunked_scoring import ScannedDataset, refuse_beside_chunk
from ontoeval.cli.dataset import RunLeaderboard, read_dataset
from ontoeval.cli.scoring_options import (
    Chunk,
    ComparisonOptions,
    DrawingOptions,
    Output,
    OutputFolder,
    PageOptions,
    Runs,
    Scheduler,
    ScoringOptions,
    Verbose,
    cluster_at,
    output_option,
)
from ontoeval.comparison.plan import Progress, silent
from ontoeval.errors import ParameterError, enumerate_some, pluralise
from ontoeval.plumbing.writing import Content, Folder, refuse_overlaps, write_all
from ontoeval.reports.kinds import check_figures

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison
    from ontoeval.core.batch import Batch
    from ontoeval.core.table import Table
    from ontoeval.evaluation.scoring import Evaluation
    from ontoeval.plumbing.processes import Client
    from ontoeval.reports.figures import Result

RESULT_FILES = (
    "leaderboard.csv",
    "leaderboard.json",
    "leaderboard.tex",
    "per_sample.csv",
    "per_concept.csv",
    "recipe.txt",
)


def score(
    scoring: ScoringOptions,
    page: PageOptions,
    *,
    output: Output = "table",
    per_sample: Annotated[
        Path | None,
        output_option("Write the scores of every sample to this file, as CSV."),
    ] = None,
    per_concept: Annotated[
        Path | None,
        output_option("Write counts, P, R and F of every concept to this file, as CSV."),
    ] = None,
    out_dir: Annotated[
        Path | None,
        output_option("Write everything into this folder.", metavar="FOLDER", flags=("--out", "-o")),
    ] = None,
    verbose: Verbose = False,
    chunk: Chunk = None,
    scheduler: Scheduler = None,
) -> None:
    """Score one or more runs against the truth."""
    from ontoeval.cli.terminal import warn

    files = {"--per-sample": per_sample, "--per-concept": per_concept}
    for option, path in files.items():
        if scoring.public and path is not None:
            raise ParameterError(option, str(path), "no --public beside it: these tell the truth")
    if chunk is not None:
        refuse_beside_chunk(chunk, scoring, per_sample=per_sample, per_concept=per_concept)
    page.check_page()
    places = Destinations(out_dir, RESULT_FILES, page.report)
    places.check(scoring.files.values(), scoring.found, files)
    with cluster_at(scheduler, chunk) as cluster:
        result = scored(scoring, chunk, cluster)
    if per_concept is not None and not result.sets:
        raise ParameterError("--per-concept", str(per_concept), "a --threshold beside it, for runs of scores")
    contents: dict[Path, Content] = {}
    if per_sample is not None:
        contents[per_sample] = result.per_sample()
    if per_concept is not None:
        contents[per_concept] = result.per_concept()
    write = partial(result.page, page.about)
    remarks = places.write(result.texts, contents, page=write, public=scoring.public)
    result.show(result.board, output, verbose=verbose)
    warn(remarks)


@dataclass(frozen=True, eq=False)
class ScoredRuns(RunLeaderboard):
    """Runs that have been scored."""

    results: Mapping[str, Evaluation]

    @property
    def sets(self) -> dict[str, Batch]:
        """The label sets of the runs; of scores alone there are none, and nothing is counted."""
        return {run: result.sets for run, result in self.results.items() if result.sets is not None}

    def page(self, about: Mapping[str, Any]) -> str:
        """Write the page of all runs."""
        from ontoeval.reports.scores import page_of_runs

        dataset = self.dataset
        return page_of_runs(self.results, teams=dataset.runs.by_team, public=dataset.public, **about)

    def per_sample(self) -> str:
        """Write the scores of every sample."""
        from ontoeval.reports import evaluation as tables
        from ontoeval.reports.formats import to_csv

        return to_csv(self.dataset.runs.with_teams(tables.per_sample(self.results)))

    def per_concept(self) -> str:
        """Write the counts of every concept."""
        from ontoeval.confusion.one_vs_rest import counts_of
        from ontoeval.reports import evaluation as tables
        from ontoeval.reports.formats import to_csv

        counts = {run: counts_of(batch) for run, batch in self.sets.items()}
        return to_csv(self.dataset.runs.with_teams(tables.per_concept(counts)))

    def texts(self) -> dict[str, str]:
        """Make the files of a folder of results, without those that reveal a truth that is not public."""
        texts = super().texts()
        if not self.dataset.public and self.first.batch is not None:
            texts["per_sample.csv"] = self.per_sample()
            if self.sets:
                texts["per_concept.csv"] = self.per_concept()
        return texts


def scored(scoring: ScoringOptions, chunk: int | None = None, cluster: Client | None = None) -> ScoredRuns:
    """Read all files and evaluate every run; in chunks, if a size is given."""
    from ontoeval.cli.terminal import progress
    from ontoeval.reports.evaluation import leaderboard

    if chunk is not None:
        dataset, results = ScannedDataset.from_options(scoring, chunk, cluster).evaluate(progress)
    else:
        with progress("Scoring", 2 * len(scoring.found.paths) + 1) as step:
            dataset = read_dataset(scoring, step)
            results = dataset.evaluate(step)
    board, first = dataset.runs.with_teams(leaderboard(results)), next(iter(results.values()))
    if dataset.public:  # its notes are on the truth
        board = replace(board, notes=())
    return ScoredRuns(dataset, first, first.signature, board, results)


TABLES = (
    "leaderboard.csv",
    "leaderboard.json",
    "leaderboard.tex",
    "leaderboard.md",
    "leaderboard-by.csv",
    "scores.csv",
    "pairs.csv",
    "recipe.txt",
    "recipe.json",
)
"""Files that a folder of results may hold."""


def compare(
    options: ComparisonOptions,
    outputs: Outputs,
    *,
    pairs: Annotated[bool, output_option("Print the differences of all pairs of runs instead.")] = False,
    output: Output = "table",
    verbose: Verbose = False,
    chunk: Chunk = None,
    scheduler: Scheduler = None,
) -> None:
    """Compare runs: scores with bootstrap intervals, paired tests, groups that are not distinguishable."""
    from ontoeval.cli.terminal import progress, warn

    if chunk is not None:
        given = {"by": options.by, "chance": options.chance, "long": outputs.long, "report": outputs.report}
        refuse_beside_chunk(chunk, options.scoring, **given)
    outputs.check(options)
    with cluster_at(scheduler, chunk) as cluster:
        compared = compared_runs(options, progress, chunk, cluster)
    remarks = outputs.write(compared)
    if pairs:
        table = compared.pairs(by_parts=bool(compared.sliced))
    else:
        table = compared.board_by if compared.sliced else compared.board
    compared.show(table, output, verbose=verbose)
    warn(remarks)


@dataclass(frozen=True, kw_only=True)
class Outputs(DrawingOptions):
    """Where results are written, beside the table that is printed."""

    out: OutputFolder = None
    long: Annotated[
        Path | None,
        output_option(
            "Write all values of runs, concepts and samples to this file, .csv or .parquet: one in each row."
        ),
    ] = None
    images: Annotated[
        str | None,
        output_option(
            "Pictures of the samples, for the report: a folder, or an address with {sample} in it.",
            metavar="FOLDER|URL",
        ),
    ] = None

    @property
    def destinations(self) -> Destinations:
        """Where the tables, the page and the figures are written."""
        return Destinations(self.out, TABLES, self.report, self.figures)

    def check(self, options: ComparisonOptions, *, alone: bool = False) -> None:
        """Refuse what cannot be written, before an hour of reading."""
        from ontoeval.reports.evaluation import writer_of

        self.check_page()
        runs, read = Runs((), ()), list[Path]()
        if not alone:
            pictures = () if self.images is None else (Path(self.images),)
            runs, read = options.scoring.found, [*options.files.values(), *pictures]
        self.destinations.check(read, runs, {"--long": self.long})
        if self.long is not None:
            if options.scoring.public:
                raise ParameterError(
                    "--long", str(self.long), "no --public beside this option, which reveals the truth"
                )
            writer_of(self.long)
        if self.report is None and self.images is not None:
            raise ParameterError("--images", self.images, "a --report beside it, which shows them")

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages that write these files."""
        parquet = self.long is not None and self.long.suffix.lower() == ".parquet"
        return (*super().packages, *("pyarrow",) * parquet)

    def in_folder(self, folder: Path) -> Outputs:
        """Place everything in a folder."""
        wanted = {"long": self.long, "report": self.report, "figures": self.figures}
        placed: dict[str, Any] = {name: folder / path for name, path in wanted.items() if path is not None}
        return replace(self, out=folder, **placed)

    def write(self, compared: Compared, *, linked_from: Path | None = None) -> list[str]:
        """Write everything, or nothing; folders then hold nothing that an earlier call has left."""
        comparison, teams = compared.comparison, compared.dataset.runs.by_team

        def page() -> str:
            folder = linked_from or cast("Path", self.report).parent
            given: dict[str, Any] = {"teams": teams, "parts": compared.sliced, **self.about}
            return comparison.report(folder=folder, images=self.images, **given)

        contents: dict[Path, Content] = {} if self.long is None else {self.long: comparison.write_long}
        return self.destinations.write(
            compared.texts, contents, page=page, result=comparison, public=comparison.public
        )


WriteRecipe = Callable[[Mapping[Path, Content]], Mapping[Path, str]]
"""Makes the files of the recipe of what is written."""


@dataclass(frozen=True)
class Destinations:
    """Where the results of a command are written: tables, which have known names, a page, and figures."""

    out: Path | None
    names: Collection[str]
    report: Path | None = None
    figures: Path | None = None

    def check(self, read: Iterable[Path], runs: Runs, files: Mapping[str, Path | None]) -> None:
        """Refuse to write what cannot be made, or over anything that is read or written too."""
        check_figures(self.figures)
        folders = {"--out": (self.out, self.names), "--figures": (self.figures, ())}
        written = {**files, "--report": self.report}
        refuse_overlaps(written, (*read, *runs.folders), folders=folders, runs=runs.takes)

    def write(
        self,
        texts: Callable[[], Mapping[str, str]],
        contents: Mapping[Path, Content] = MappingProxyType({}),
        *,
        public: bool,
        page: Callable[[], str] = str,
        result: Result | None = None,
        recipe: WriteRecipe | None = None,
    ) -> list[str]:
        """Write all that is wanted, or nothing; folders hold nothing that an earlier call has left."""
        contents, folders = dict(contents), list[Folder]()
        if self.out is not None:
            contents |= {self.out / name: text for name, text in texts().items()}
            folders.append(Folder(self.out, self.names.__contains__))
        if self.report is not None:
            contents[self.report] = page()
        if self.figures is not None and result is not None:
            drawn, there = figures_in(self.figures, result)
            contents |= drawn
            folders.append(there)
        contents |= {} if recipe is None else recipe(contents)
        return write_all(contents, folders=folders, public=public)


def figures_in(folder: Path, result: Result) -> tuple[dict[Path, Content], Folder]:
    """Draw all figures of a result."""
    from ontoeval.reports.figures import drawn_files, is_figure

    contents: dict[Path, Content] = {folder / name: content for name, content in drawn_files(result)}
    return contents, Folder(folder, partial(is_figure, type(result)))


@dataclass(frozen=True, eq=False)
class Compared(RunLeaderboard):
    """Runs that have been compared, as a whole and in parts."""

    comparison: Comparison
    sliced: Mapping[tuple[str, str], Comparison]

    @property
    def parts(self) -> dict[tuple[str, str], Comparison]:
        """The comparison of everything, and those of the parts."""
        return {("", "all"): self.comparison, **self.sliced}

    @cached_property
    def board_by(self) -> Table:
        """The leaderboards of everything and of the parts, one below the other."""
        from ontoeval.comparison.result import behind_baselines
        from ontoeval.reports.comparison import by_part, leaderboard

        board = by_part("Leaderboards", {key: leaderboard(one) for key, one in self.parts.items()})
        behind = [part for (_, part), one in self.sliced.items() if behind_baselines(one)]
        if behind:
            lead = f"In {len(behind):,} of {pluralise(len(self.sliced), 'part')}"
            where = f"{lead} some runs do not beat the best baseline: {enumerate_some(behind)}."
            board = replace(board, head=f"{board.head} {where}")
        return self.dataset.runs.with_teams(board)

    def pairs(self, *, by_parts: bool) -> Table:
        """List the differences of all pairs of runs; in all parts, one below the other."""
        from ontoeval.reports.comparison import by_part, pairs_table

        table, with_teams = pairs_table(self.comparison), self.dataset.runs.with_teams
        if by_parts:
            tables = {key: pairs_table(comparison) for key, comparison in self.parts.items()}
            table = by_part("Differences of runs", tables)
        return with_teams(with_teams(table), "other")

    def texts(self) -> dict[str, str]:
        """Make the files of a folder of results."""
        from ontoeval.reports.comparison import long_table
        from ontoeval.reports.formats import to_csv, to_markdown

        texts = super().texts() | {
            "leaderboard.md": to_markdown(self.board),
            "scores.csv": to_csv(self.dataset.runs.with_teams(long_table(self.comparison))),
            "pairs.csv": to_csv(self.pairs(by_parts=False)),
        }
        return texts | ({"leaderboard-by.csv": to_csv(self.board_by)} if self.sliced else {})


def compared_runs(
    options: ComparisonOptions,
    progress: Progress = silent,
    chunk: int | None = None,
    cluster: Client | None = None,
) -> Compared:
    """Read all files and compare the runs; in chunks, if a size is given."""
    from ontoeval.comparison.baselines import chosen_baselines
    from ontoeval.comparison.plan import count_steps
    from ontoeval.reports.comparison import leaderboard

    if chunk is not None:
        scanned = ScannedDataset.from_options(options.scoring, chunk, cluster)
        dataset, whole = scanned.compare(options.plan, options.kinds, progress)
        board = dataset.runs.with_teams(leaderboard(whole))
        return Compared(dataset, whole.first, whole.signature, board, whole, {})
    with progress("Reading", len(options.scoring.found.paths) + 1) as step:
        dataset = read_dataset(options.scoring, step)
    slices = dataset.slices(options.by)
    parts = {(title, part.name): part for title, cut in slices.items() for part in cut}
    baselines = chosen_baselines(options.kinds, dataset.predictions, oracles=dataset.hierarchy is not None)
    each = count_steps(
        options.plan, len(dataset.predictions), baselines=len(baselines), chance=options.chance
    )
    with progress("Comparing", (1 + len(parts)) * each) as step:
        how: dict[str, Any] = {"baselines": options.kinds, "chance": options.chance}
        how["progress"] = lambda *_: nullcontext(step)
        whole = dataset.compare(options.plan, **how)
        sliced = {key: dataset.sliced(part).compare(options.plan, **how) for key, part in parts.items()}
        for key, part in sliced.items():  # what is told of the whole is not told again
            reasons = {kind: why for kind, why in part.left_out.items() if kind not in whole.left_out}
            sliced[key] = replace(part, left_out=reasons)
    board = dataset.runs.with_teams(leaderboard(whole))
    return Compared(dataset.with_remarks_on(slices), whole.first, whole.signature, board, whole, sliced)
