"""``ontoeval compare``: runs side by side, with the uncertainty of their scores."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ontoeval.cli.options import (
    ComparisonOptions,
    Figures,
    Format,
    Output,
    OutputFolder,
    Report,
    Verbose,
    output_option,
)
from ontoeval.cli.runs import Runs
from ontoeval.comparison.plan import Progress, silent
from ontoeval.core.writing import Content, Folder, refuse_overlaps, write_all
from ontoeval.errors import ParameterError, enumerate_some, pluralise
from ontoeval.reports.kinds import check_figures, check_report

if TYPE_CHECKING:
    from ontoeval.cli.dataset import Dataset
    from ontoeval.comparison.result import Comparison
    from ontoeval.core.table import Table
    from ontoeval.reports.figures import Result

WHOLE = ("", "all")
"""The key of the comparison of everything among those of parts."""

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
) -> None:
    """Compare runs: scores with bootstrap intervals, paired tests, groups that are not distinguishable."""
    from ontoeval.cli.terminal import progress, warn

    outputs.check(options)
    compared = compared_runs(options, progress)
    remarks = outputs.write(compared)
    if pairs:
        table = compared.pairs_by if compared.sliced else compared.pairs
    else:
        table = compared.board_by if compared.sliced else compared.board
    show_compared(compared, table, output, verbose=verbose)
    warn(remarks)


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """Where results are written, beside the table that is printed."""

    out: OutputFolder = None
    long: Annotated[
        Path | None,
        output_option(
            "Write all values of runs, concepts and samples to this file, .csv or .parquet: one in each row."
        ),
    ] = None
    report: Report = None
    images: Annotated[
        str | None,
        output_option(
            "Pictures of the samples, for the report: a folder, or an address with {sample} in it.",
            metavar="FOLDER|URL",
        ),
    ] = None
    figures: Figures = None

    def check(self, options: ComparisonOptions, *, alone: bool = False) -> None:
        """Refuse what cannot be written, before an hour of reading."""
        from ontoeval.reports.evaluation import writer_of

        runs, read = Runs((), ()), list[Path]()
        if not alone:
            pictures = () if self.images is None else (Path(self.images),)
            runs, read = options.scoring.found, [*options.places, *pictures]
        refuse_overlaps(
            {"--long": self.long, "--report": self.report},
            read,
            folders={"--out": (self.out, TABLES), "--figures": (self.figures, ())},
            runs=runs.takes,
        )
        if self.long is not None:
            if options.scoring.public:
                raise ParameterError("--long", str(self.long), "no --public beside it: it tells the truth")
            writer_of(self.long)
        check_report(self.report)
        if self.report is None and self.images is not None:
            raise ParameterError("--images", self.images, "a --report beside it, which shows them")
        check_figures(self.figures)

    @property
    def packages(self) -> tuple[str, ...]:
        """The optional packages that write these files."""
        wanted = {
            "jinja2": self.report is not None,
            "plotly": self.report is not None,
            "matplotlib": self.figures is not None,
            "pyarrow": self.long is not None and self.long.suffix.lower() == ".parquet",
        }
        return tuple(package for package, wants in wanted.items() if wants)

    def within(self, folder: Path) -> Outputs:
        """Place everything in a folder."""
        wanted = {"long": self.long, "report": self.report, "figures": self.figures}
        placed: dict[str, Any] = {name: folder / path for name, path in wanted.items() if path is not None}
        return replace(self, out=folder, **placed)

    def write(self, compared: Compared, *, linked_from: Path | None = None) -> list[str]:
        """Write everything, or nothing; folders then hold nothing that an earlier call has left."""
        comparison, contents, folders = compared.comparison, dict[Path, Content](), list[Folder]()
        if self.out is not None:
            contents |= {self.out / name: text for name, text in compared.texts().items()}
            folders.append(Folder(self.out, TABLES.__contains__))
        if self.report is not None:
            folder = linked_from or self.report.parent
            contents[self.report] = compared.report(folder=folder, images=self.images)
        if self.long is not None:
            contents[self.long] = comparison.write_long
        if self.figures is not None:
            drawn, there = figures_in(self.figures, comparison)
            contents |= drawn
            folders.append(there)
        return write_all(contents, folders=folders, public=comparison.public)


def figures_in(folder: Path, result: Result) -> tuple[dict[Path, Content], Folder]:
    """Draw all figures of a result."""
    from ontoeval.reports.figures import drawn_files, is_figure

    contents: dict[Path, Content] = {folder / name: content for name, content in drawn_files(result)}
    return contents, Folder(folder, partial(is_figure, type(result)))


@dataclass(frozen=True, eq=False)
class Compared:
    """Runs that have been compared, as a whole and in parts."""

    dataset: Dataset
    comparison: Comparison
    sliced: Mapping[tuple[str, str], Comparison]

    @property
    def parts(self) -> dict[tuple[str, str], Comparison]:
        """The comparison of everything, and those of the parts."""
        return {WHOLE: self.comparison, **self.sliced}

    @cached_property
    def board(self) -> Table:
        """The leaderboard."""
        from ontoeval.reports.comparison import leaderboard

        return self.dataset.runs.with_teams(leaderboard(self.comparison))

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

    @cached_property
    def pairs(self) -> Table:
        """The differences of all pairs of runs."""
        from ontoeval.reports.comparison import pairs_table

        return self._of_two_teams(pairs_table(self.comparison))

    @cached_property
    def pairs_by(self) -> Table:
        """The differences in everything and in the parts, one below the other."""
        from ontoeval.reports.comparison import by_part, pairs_table

        tables = {key: pairs_table(comparison) for key, comparison in self.parts.items()}
        return self._of_two_teams(by_part("Differences of runs", tables))

    def captioned(self, table: Table) -> Table:
        """Add the caption that a paper needs: versions and digests, too."""
        from ontoeval.reports.evaluation import captioned

        return captioned(table, self.comparison.signature, self.comparison.measures.values())

    def _of_two_teams(self, pairs: Table) -> Table:
        with_teams = self.dataset.runs.with_teams
        return with_teams(with_teams(pairs), "other")

    def report(self, **options: Any) -> str:  # noqa: ANN401 - those of the page
        """Write the report, with the teams and the parts."""
        return self.comparison.report(teams=self.dataset.runs.by_team, parts=self.sliced, **options)

    @property
    def recipe(self) -> dict[str, Any]:
        """The recipe of the scores, as JSON holds it."""
        return {"inputs": list(self.dataset.remarks), "recipe": self.comparison.signature.splitlines()}

    @property
    def brief(self) -> dict[str, list[str]]:
        """The recipe in short, for a terminal."""
        from ontoeval.reports.evaluation import short_recipe

        lines = short_recipe(self.comparison.signature, self.comparison.first, self.board.notes)
        return {"inputs": list(self.dataset.brief), "recipe": lines}

    def texts(self) -> dict[str, str]:
        """Make the files of a folder of results."""
        from ontoeval.reports.comparison import long_table
        from ontoeval.reports.formats import to_csv, to_json, to_latex, to_markdown

        board, recipe = self.board, self.recipe
        notes = [note for note in board.said if note not in recipe["recipe"]]
        said = (recipe["inputs"], notes, recipe["recipe"])
        texts = {
            "leaderboard.csv": to_csv(board),
            "leaderboard.json": to_json(board, **recipe),
            "leaderboard.tex": to_latex(self.captioned(board)),
            "leaderboard.md": to_markdown(board),
            "scores.csv": to_csv(self.dataset.runs.with_teams(long_table(self.comparison))),
            "pairs.csv": to_csv(self.pairs),
            "recipe.txt": "".join(f"{line}\n" for lines in said for line in lines),
        }
        return texts | ({"leaderboard-by.csv": to_csv(self.board_by)} if self.sliced else {})


def compared_runs(options: ComparisonOptions, progress: Progress = silent) -> Compared:
    """Read all files and compare the runs."""
    from ontoeval.cli.dataset import read_dataset
    from ontoeval.comparison.baselines import chosen_baselines
    from ontoeval.comparison.plan import steps

    with progress("Reading", len(options.scoring.found.paths) + 1) as step:
        dataset = read_dataset(options.scoring, step)
    slices = dataset.slices(options.by)
    parts = {(title, part.name): part for title, cut in slices.items() for part in cut}
    baselines = chosen_baselines(options.kinds, dataset.predictions)
    each = steps(options.plan, len(dataset.predictions), baselines=len(baselines), chance=options.chance)
    with progress("Comparing", (1 + len(parts)) * each) as step:
        how: dict[str, Any] = {"baselines": options.kinds, "chance": options.chance}
        how["progress"] = lambda *_: nullcontext(step)
        whole = dataset.compare(options.plan, **how)
        sliced = {key: dataset.sliced(part).compare(options.plan, **how) for key, part in parts.items()}
    return Compared(dataset.with_remarks_on(slices), whole, sliced)


def show_compared(compared: Compared, table: Table, output: Format, *, verbose: bool = False) -> None:
    """Print one of the tables of a comparison, and its recipe."""
    from ontoeval.cli.terminal import present

    shown = compared.captioned(table) if output == "latex" else table
    present([shown], output, compared.recipe, None if verbose else compared.brief)
