"""Outputs: what is written of a comparison, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.errors import ParameterError
from ontoeval.report.packages import check_figures, check_report
from ontoeval.writing import apart, write_all

if TYPE_CHECKING:
    from ontoeval.benchmarks.planned import Compared, Planned

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

        tables = () if self.out is None else [self.out / name for name in TABLES]
        apart({"--long": self.long, "--report": self.report, "--figures": self.figures}, read, tables=tables)
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

    def within(self, folder: Path) -> Outputs:
        """Place everything in a folder.

        Parameters
        ----------
        folder
            The folder.

        Returns
        -------
        Outputs
            All tables, and what is wanted beside them.
        """
        wanted = {"long": self.long, "report": self.report, "figures": self.figures}
        placed: dict[str, Any] = {name: folder / path for name, path in wanted.items() if path is not None}
        return replace(self, out=folder, **placed)

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


def outputs(
    *,
    out: Path | None = None,
    long: Path | None = None,
    report: Path | None = None,
    images: str | None = None,
    figures: Path | None = None,
) -> Outputs:
    """Keep the options."""
    return Outputs(out, long, report, images, figures)
