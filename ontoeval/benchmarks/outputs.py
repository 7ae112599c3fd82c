"""Outputs: what is written of a comparison, and where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.benchmarks.runs import Runs
from ontoeval.errors import ParameterError
from ontoeval.report.packages import check_figures, check_report
from ontoeval.writing import Content, Folder, apart, write_all

if TYPE_CHECKING:
    from ontoeval.benchmarks.planned import Compared, Planned
    from ontoeval.report.figures.saving import Result

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
"""What a folder of results may hold."""


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

    def check(self, planned: Planned, *, alone: bool = False) -> None:
        """Refuse what cannot be written, before an hour of reading.

        Parameters
        ----------
        planned
            What is compared.
        alone
            Whether outputs are in a folder that is theirs: then none is written where something is read.

        Raises
        ------
        ParameterError
            If something tells the truth that is not public, an output lies where something is read, two
            have one name, or pictures have no report.
        InputError
            If the format of the long table is unknown.
        MissingExtraError
            If a package is not installed that writes the report, figures, or Parquet.
        """
        from ontoeval.report.tidy import writer_of

        runs, read = Runs((), ()), list[Path]()
        if not alone:
            pictures = () if self.images is None else (Path(self.images),)
            runs, read = planned.wanted.runs, [*planned.places, *pictures]
        apart(
            {"--long": self.long, "--report": self.report},
            read,
            folders={"--out": (self.out, TABLES), "--figures": (self.figures, ())},
            runs=runs.takes,
        )
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

    def write(self, compared: Compared, *, linked_from: Path | None = None) -> list[str]:
        """Write everything, or nothing; folders then hold nothing that an earlier call has left.

        Parameters
        ----------
        compared
            The comparison.
        linked_from
            The folder that the report will lie in, where that is another than it is written to.

        Returns
        -------
        list of str
            What was removed, and what else is there, as `write_all` tells it.
        """
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
    """Draw all figures of a result.

    Parameters
    ----------
    folder
        Where they are to lie.
    result
        A comparison, a study, or a test over data sets.

    Returns
    -------
    contents : dict of Path to bytes
        The files.
    folder : Folder
        The folder, for `write_all`.
    """
    from ontoeval.report.figures.saving import drawn_files, is_figure

    contents: dict[Path, Content] = {folder / name: content for name, content in drawn_files(result)}
    return contents, Folder(folder, partial(is_figure, type(result)))


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
