"""Where results are written: tables, a page, and figures, all of them or none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, cast

from ontoeval.benchmarks.scoring_options import (
    ComparisonOptions,
    DrawingOptions,
    Format,
    Images,
    OutputFolder,
    Runs,
    output_option,
)
from ontoeval.core.showing import page_of
from ontoeval.errors import ParameterError
from ontoeval.plumbing.checks import requires
from ontoeval.plumbing.writing import FileContent, Folder, check_folder_name, refuse_overlaps, write_all
from ontoeval.reports.formats import FORMATS, to_csv, to_excel
from ontoeval.reports.kinds import check_figures

if TYPE_CHECKING:
    from ontoeval.benchmarks.runs import ComparedRuns
    from ontoeval.core.table import Table
    from ontoeval.reports.figures import Result


SCORE_FILES = (
    "leaderboard.csv",
    "leaderboard.json",
    "leaderboard.tex",
    "leaderboard-by.csv",
    "per_sample.csv",
    "per_concept.csv",
    "recipe.txt",
)
"""Files that `score --out` may write."""

COMPARISON_FILES = (
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
"""Files that `compare --out` and `run --out` may write."""


Printed = Callable[[Format], str]
"""Gives what a command prints in a format."""


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
    images: Images = None

    @property
    def destinations(self) -> Destinations:
        """Where the tables, the page and the figures are written."""
        return Destinations(self.out, COMPARISON_FILES, self.report, self.figures)

    def check(self, options: ComparisonOptions, *, alone: bool = False) -> None:
        """Refuse what cannot be written, before an hour of reading."""
        from ontoeval.reports.evaluation import writer_of

        self.check_page()
        if self.long is not None:
            if options.scoring.public:
                raise ParameterError("--long", str(self.long), "no --public, as the file reveals the truth")
            writer_of(self.long)
        runs, read = Runs((), ()), list[Path]()
        if not alone:
            pictures = () if self.images is None else (Path(self.images),)
            runs, read = options.scoring.found_runs, [*options.files.values(), *pictures]
        self.destinations.check(read, runs, {"--long": self.long})

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

    def write(
        self, compared: ComparedRuns, *, linked_from: Path | None = None, printed: Printed | None = None
    ) -> list[str]:
        """Write everything, or nothing; folders then hold nothing that an earlier call has left."""
        comparison, teams = compared.comparison, compared.dataset.runs.by_team

        def page() -> str:
            folder = linked_from or cast("Path", self.report).parent
            given: dict[str, Any] = {"teams": teams, "inputs": compared.dataset.remarks, **self.about}
            return page_of(comparison, folder=folder, systems=compared.dataset.runs.by_system, **given)

        contents: dict[Path, FileContent] = {} if self.long is None else {self.long: comparison.write_long}
        return self.destinations.write(
            compared.texts, contents, page=page, result=comparison, public=comparison.public, printed=printed
        )


ENDINGS: Mapping[str, Format] = MappingProxyType(
    {".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex"}
)
"""Formats of a file of results, by its ending."""

EXCEL = ".xlsx"


def in_format_of(path: Path, table: Table) -> FileContent:
    """Write a table in the format of a file by its ending, or as CSV."""
    ending = path.suffix.lower()
    return to_excel(to_csv(table)) if ending == EXCEL else FORMATS[ENDINGS.get(ending, "csv")](table)


WriteRecipe = Callable[[Mapping[Path, FileContent]], Mapping[Path, str]]
"""Makes the files of the recipe of what is written."""


@dataclass(frozen=True)
class Destinations:
    """Where the results of a command are written: tables, which have known names, a page, and figures."""

    out: Path | None
    names: Collection[str]
    report: Path | None = None
    figures: Path | None = None

    @property
    def file_format(self) -> Format | None:
        """Format of the file that `out` is by its ending; None for a folder."""
        folder = self.out is None or self.out.is_dir()
        kinds: dict[str, Format] = {**ENDINGS, EXCEL: "csv"}
        return None if folder else kinds.get(cast("Path", self.out).suffix.lower())

    def check(self, read: Iterable[Path], runs: Runs, files: Mapping[str, Path | None]) -> None:
        """Refuse to write what cannot be made, or over anything that is read or written too."""
        check_figures(self.figures)
        folders: dict[str, tuple[Path | None, Collection[str]]] = {"--figures": (self.figures, ())}
        written = {**files, "--report": self.report}
        if self.file_format is not None:
            written["--out"] = self.out
        elif self.out is not None:
            expected = f"a folder, or a file that ends in one of {', '.join((*ENDINGS, EXCEL))}"
            check_folder_name("--out", self.out, expected=expected)
            folders["--out"] = self.out, self.names
        if any(path is not None and path.suffix.lower() == EXCEL for path in written.values()):
            requires("xlsxwriter", "excel", "Writing for Excel")
        refuse_overlaps(written, (*read, *runs.folders), folders=folders, runs=runs.would_take)

    def write(
        self,
        texts: Callable[[], Mapping[str, str]],
        contents: Mapping[Path, FileContent] = MappingProxyType({}),
        *,
        public: bool,
        page: Callable[[], str] = str,
        result: Result | None = None,
        recipe: WriteRecipe | None = None,
        printed: Printed | None = None,
    ) -> list[str]:
        """Write all that is wanted, or nothing; folders hold nothing that an earlier call has left."""
        contents, folders = dict(contents), list[Folder]()
        if self.out is not None and self.file_format is not None and printed is not None:
            text = printed(self.file_format)
            contents[self.out] = to_excel(text) if self.out.suffix.lower() == EXCEL else text
        elif self.out is not None:
            contents |= {self.out / name: text for name, text in texts().items()}
            folders.append(Folder(self.out, self.names.__contains__))
        if self.report is not None:
            contents[self.report] = page()
        if self.figures is not None and result is not None:
            from ontoeval.reports.figures import drawn_files, is_figure

            contents |= {self.figures / name: content for name, content in drawn_files(result)}
            folders.append(Folder(self.figures, partial(is_figure, type(result))))
        contents |= {} if recipe is None else recipe(contents)
        return write_all(contents, folders=folders, public=public)
