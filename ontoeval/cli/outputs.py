"""Outputs: what is written of a comparison, and where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.cli.runs import Runs
from ontoeval.core.writing import Content, Folder, apart, write_all
from ontoeval.errors import ParameterError
from ontoeval.reports.kinds import check_figures, check_report

if TYPE_CHECKING:
    from ontoeval.cli.planned import Compared, Planned
    from ontoeval.reports.figures import Result

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
    """What is wanted beside a table."""

    out: Path | None = None
    long: Path | None = None
    report: Path | None = None
    images: str | None = None
    figures: Path | None = None

    def check(self, planned: Planned, *, alone: bool = False) -> None:
        """Refuse what cannot be written, before an hour of reading."""
        from ontoeval.reports.tidy import writer_of

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
