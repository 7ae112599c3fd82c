"""Planned: the options by which runs are compared, and what comes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.cli.progress import Progress, silent
from ontoeval.cli.slicing import BRANCH, LEVEL, remarks_on, slices_of
from ontoeval.cli.wanted import Wanted
from ontoeval.comparison.plan import Plan, plan_of, steps
from ontoeval.core.choices import Correction, IntervalMethod, TestMethod
from ontoeval.errors import ParameterError, counted, listed, one_of

if TYPE_CHECKING:
    from ontoeval.cli.material import Material
    from ontoeval.comparison.result import Comparison
    from ontoeval.core.table import Table

WHOLE = ("", "all")
"""What the leaderboard of everything is cut by, and called."""


@dataclass(frozen=True, eq=False)
class Planned:
    """Which runs are to be compared, and how; nothing is read yet."""

    wanted: Wanted
    plan: Plan
    baselines: tuple[str, ...] | None = None
    chance: bool = False
    by: tuple[str, ...] = ()

    @property
    def files(self) -> dict[str, Path]:
        """All files that are read, by how they are told; the truth first."""
        groups = (Path(one) for one in self.by if one not in {BRANCH, LEVEL})
        return self.wanted.files | {self.wanted.told(str(path)): path for path in groups}

    @property
    def places(self) -> list[Path]:
        """What is read, files and folders: nothing may be written there."""
        return [*self.files.values(), *self.wanted.runs.folders]

    def compare(self, progress: Progress = silent) -> Compared:
        """Read all files and compare the runs."""
        from ontoeval.comparison.baselines import chosen_baselines

        with progress("Reading", len(self.wanted.runs.paths) + 1) as step:
            material = self.wanted.read(step)
        slices = slices_of(self.by, material)
        parts = {(title, part.name): part for title, cut in slices.items() for part in cut}
        baselines = chosen_baselines(self.baselines, material.predictions)
        each = steps(self.plan, len(material.predictions), baselines=len(baselines), chance=self.chance)
        with progress("Comparing", (1 + len(parts)) * each) as step:
            whole = self._compared(material, step)
            sliced = {key: self._compared(material.sliced(part), step) for key, part in parts.items()}
        more = remarks_on(slices, material)
        material = replace(material, remarks=(*material.remarks, *more), brief=(*material.brief, *more))
        return Compared(material, whole, sliced)

    def _compared(self, material: Material, step: Callable[[], None]) -> Comparison:
        return material.compare(self.plan, baselines=self.baselines, chance=self.chance, step=step)


@dataclass(frozen=True, eq=False)
class Compared:
    """Runs that have been compared."""

    material: Material
    comparison: Comparison
    sliced: Mapping[tuple[str, str], Comparison]

    @property
    def parts(self) -> dict[tuple[str, str], Comparison]:
        """The comparison of everything, and those of the slices."""
        return {WHOLE: self.comparison, **self.sliced}

    @cached_property
    def board(self) -> Table:
        """The leaderboard."""
        from ontoeval.reports.comparison import leaderboard

        return self.material.runs.with_teams(leaderboard(self.comparison))

    @cached_property
    def board_by(self) -> Table:
        """The leaderboards of everything and of the slices, one below the other."""
        from ontoeval.comparison.result import behind_baselines
        from ontoeval.reports.comparison import by_part, leaderboard

        board = by_part("Leaderboards", {key: leaderboard(one) for key, one in self.parts.items()})
        behind = [part for (_, part), one in self.sliced.items() if behind_baselines(one)]
        if behind:
            lead = f"In {len(behind):,} of {counted(len(self.sliced), 'part')}"
            where = f"{lead} some runs do not beat the best baseline: {listed(behind)}."
            board = replace(board, head=f"{board.head} {where}")
        return self.material.runs.with_teams(board)

    @cached_property
    def scores(self) -> Table:
        """The scores, one row per run and measure."""
        from ontoeval.reports.comparison import long_table

        return self.material.runs.with_teams(long_table(self.comparison))

    @cached_property
    def pairs(self) -> Table:
        """The differences of all pairs of runs."""
        from ontoeval.reports.comparison import pairs_table

        return self._of_two_teams(pairs_table(self.comparison))

    @cached_property
    def pairs_by(self) -> Table:
        """The same of everything and of the slices, one below the other."""
        from ontoeval.reports.comparison import by_part, pairs_table

        tables = {key: pairs_table(comparison) for key, comparison in self.parts.items()}
        return self._of_two_teams(by_part("Differences of runs", tables))

    def captioned(self, table: Table) -> Table:
        """Add what a paper should say of a table: versions and digests, too."""
        from ontoeval.reports.evaluation import captioned

        return captioned(table, self.comparison.signature, self.comparison.measures.values())

    def _of_two_teams(self, pairs: Table) -> Table:
        with_teams = self.material.runs.with_teams
        return with_teams(with_teams(pairs), "other")

    def report(self, **options: Any) -> str:  # noqa: ANN401 - those of the page
        """Write the report, with the teams and the slices."""
        return self.comparison.report(teams=self.material.runs.by_team, parts=self.sliced, **options)

    @property
    def recipe(self) -> dict[str, Any]:
        """How the scores came about, as JSON holds it."""
        return {"inputs": list(self.material.remarks), "recipe": self.comparison.signature.splitlines()}

    @property
    def brief(self) -> dict[str, list[str]]:
        """The same in short, for a terminal."""
        from ontoeval.reports.evaluation import short_recipe

        lines = short_recipe(self.comparison.signature, self.comparison.first, self.board.notes)
        return {"inputs": list(self.material.brief), "recipe": lines}

    def texts(self) -> dict[str, str]:
        """Write everything."""
        from ontoeval.reports.formats import to_csv, to_json, to_latex, to_markdown

        board, recipe = self.board, self.recipe
        notes = [note for note in board.said if note not in recipe["recipe"]]
        said = (recipe["inputs"], notes, recipe["recipe"])
        texts = {
            "leaderboard.csv": to_csv(board),
            "leaderboard.json": to_json(board, **recipe),
            "leaderboard.tex": to_latex(self.captioned(board)),
            "leaderboard.md": to_markdown(board),
            "scores.csv": to_csv(self.scores),
            "pairs.csv": to_csv(self.pairs),
            "recipe.txt": "".join(f"{line}\n" for lines in said for line in lines),
        }
        if self.sliced:
            texts["leaderboard-by.csv"] = to_csv(self.board_by)
        return texts


def planned(
    *,
    baselines: list[str] | None = None,
    no_baseline: bool = False,
    chance: bool = False,
    by: list[str] | None = None,
    resamples: int = Plan.resamples,
    seed: int = Plan.seed,
    level: float = Plan.level,
    interval: IntervalMethod = Plan.interval,
    test: TestMethod = Plan.test,
    correction: Correction | None = None,
    alpha: float = Plan.alpha,
    wanted: Wanted,
) -> Planned:
    """Keep the options, and refuse what is no plan; nothing is read yet."""
    from ontoeval.comparison.baselines import BASELINES

    for name in baselines or ():
        one_of("--baseline", name, tuple(BASELINES))
    if baselines and no_baseline:
        raise ParameterError("--baseline", baselines, "no --no-baseline beside it")
    if {BRANCH, LEVEL} & set(by or ()) and wanted.asked.file is None:
        raise ParameterError("--by", by, "an --ontology beside it, which has branches and levels")
    plan = plan_of(
        resamples=resamples,
        seed=seed,
        level=level,
        interval=interval,
        test=test,
        alpha=alpha,
        **({"correction": correction} if correction else {}),
    )
    # An empty list, which only a benchmark file can hold, means none.
    kinds = () if no_baseline else baselines
    return Planned(wanted, plan, None if kinds is None else tuple(kinds), chance, tuple(by or ()))
