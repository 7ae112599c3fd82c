"""Outputs: what is written of a comparison, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontoeval.cli.reports import check_figures, check_report
from ontoeval.cli.terminal import write_all
from ontoeval.errors import ParameterError

if TYPE_CHECKING:
    from ontoeval.cli.planned import Compared, Planned

OUTPUT = "Output"
"""Under which heading the help lists them."""

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
"""What a folder of results holds in any case, or may hold."""


@dataclass(frozen=True)
class Outputs:
    """What is wanted beside a table.

    Parameters
    ----------
    out
        Folder for all tables.
    long
        File for all values.
    report
        File for the report.
    images
        Pictures of the samples, which the report shows.
    figures
        Folder for figures.
    """

    out: Path | None = None
    long: Path | None = None
    report: Path | None = None
    images: str | None = None
    figures: Path | None = None

    def check(self, planned: Planned, *, read: Iterable[Path] = ()) -> None:
        """Refuse what cannot be written, before an hour of reading.

        Parameters
        ----------
        planned
            What is compared.
        read
            Files that nothing may be written to.

        Raises
        ------
        ParameterError
            If something tells the truth that is not public, two outputs have one name, or pictures have no
            report.
        InputError
            If the format of the long table is unknown.
        MissingExtraError
            If a package is not installed that writes the report, figures, or Parquet.
        """
        from ontoeval.report.tidy import writer_of

        self._refuse_one_place_for_two(read)
        if self.long is not None:
            if planned.wanted.public:
                raise ParameterError("--long", str(self.long), "no --public beside it: it tells the truth")
            writer_of(self.long)
        check_report(self.report)
        if self.report is None and self.images is not None:
            raise ParameterError("--images", self.images, "a --report beside it, which shows them")
        check_figures(self.figures)

    @property
    def packages(self) -> tuple[str, ...]:
        """The optional packages that write what is wanted."""
        wanted = {
            "jinja2": self.report is not None,
            "plotly": self.report is not None,
            "matplotlib": self.figures is not None,
            "pyarrow": self.long is not None and self.long.suffix.lower() == ".parquet",
        }
        return tuple(package for package, wants in wanted.items() if wants)

    def _refuse_one_place_for_two(self, read: Iterable[Path]) -> None:
        # Names that differ in their case alone are one file on many machines.
        there = {_place(path): "a file that is read lies there" for path in read}
        if self.out is not None:
            there |= {_place(self.out / name): "a table is written there" for name in TABLES}
        for option, path in (("--long", self.long), ("--report", self.report), ("--figures", self.figures)):
            if path is None:
                continue
            if (taken := there.get(_place(path))) is not None:
                raise ParameterError(option, str(path), f"another name: {taken}")
            there[_place(path)] = f"what {option} names is written there"

    def write(self, compared: Compared, *, linked_from: Path | None = None) -> None:
        """Write everything, each file whole or not at all.

        Parameters
        ----------
        compared
            The comparison.
        linked_from
            The folder that the report will lie in, where that is another than it is written to.
        """
        from ontoeval.io import write_aside
        from ontoeval.report.tidy import write_tidy

        texts: dict[Path, str] = {}
        if self.out is not None:
            texts = {self.out / name: text for name, text in compared.texts().items()}
        if self.report is not None:
            folder = linked_from or self.report.parent
            texts[self.report] = compared.report(folder=folder, images=self.images)
        write_all(texts)
        if self.long is not None:
            with write_aside(self.long) as aside:
                write_tidy(aside, compared.comparison.evaluations)
        if self.figures is not None:
            from ontoeval.report.figures.saving import save_figures

            save_figures(compared.comparison, self.figures)


def _place(path: Path) -> str:
    return str(path.resolve()).casefold()


def outputs(
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="Write all tables into this folder.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    long: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write all values, of runs, concepts and samples, to this file, .csv or .parquet: one in "
            "each row.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a report to this file: one HTML page.", rich_help_panel=OUTPUT
        ),
    ] = None,
    images: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER|URL",
            help="Pictures of the samples, for the report: a folder, or an address with {sample} in it.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write figures for papers into this folder, as PDF, SVG and PNG.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
) -> Outputs:
    """Keep the options."""
    return Outputs(out, long, report, images, figures)
