"""Comparison: runs side by side, with the uncertainty of their scores and of their differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.comparison.baselines import BASELINES
from ontoeval.comparison.letters import letters_of
from ontoeval.comparison.merits import best_of, merits_of
from ontoeval.comparison.notes import against_baselines, notes_on
from ontoeval.comparison.plan import CHANCE_DRAWS, Plan
from ontoeval.core.files import FilePath
from ontoeval.core.showing import reports
from ontoeval.errors import ParameterError, counted
from ontoeval.evaluation.evaluating import Evaluation
from ontoeval.measures.base import Measure
from ontoeval.measures.catalogue import among

if TYPE_CHECKING:
    from ontoeval.core.table import Table

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Runs × measures, with intervals and tests.

    Parameters
    ----------
    evaluations
        The evaluation of each run by its name, baselines last.
    plan
        How the runs are compared.
    scores
        Runs × measures; nan where a measure is undefined.
    low, high
        Bounds of the intervals, runs × measures.
    replicates
        Scores of each bootstrap resample, the same for all runs: resamples × runs × measures.
    p_values
        Measures × runs × runs, symmetric; nan on the diagonal, where nothing was tested, as of baselines,
        and where a score is undefined.
    adjusted
        The same, adjusted for the number of pairs.
    baselines
        Which of the runs are baselines.
    chance
        One score per measure: that of labels at random; None where it was not asked for.
    public
        Whether nothing is said of the truth but the scores.

    See Also
    --------
    compare : Compute it.
    """

    evaluations: Mapping[str, Evaluation]
    plan: Plan
    scores: Numbers
    low: Numbers
    high: Numbers
    replicates: Numbers = field(repr=False)
    p_values: Numbers = field(repr=False)
    adjusted: Numbers = field(repr=False)
    baselines: tuple[str, ...] = ()
    chance: Numbers | None = None
    public: bool = False

    def __repr__(self) -> str:
        """Say what is compared."""
        numbers = {
            "run": int(self.competing.sum()),
            "baseline": len(self.baselines),
            "measure": len(self.measures),
        }
        return f"Comparison({', '.join(counted(number, noun) for noun, number in numbers.items() if number)})"

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs."""
        return tuple(self.evaluations)

    @property
    def first(self) -> Evaluation:
        """The evaluation of the first run: what is the same for all runs can be had from it."""
        return next(iter(self.evaluations.values()))

    @property
    def competing(self) -> NDArray[np.bool_]:
        """Which runs compete: all but the baselines; one mark per run."""
        return np.array([run not in self.baselines for run in self.runs])

    @property
    def measures(self) -> Mapping[str, Any]:
        """The measures by their notations."""
        return self.first.totals.measures

    def column(self, measure: str | Measure) -> int:
        """Find the position of a measure, by any of its notations.

        Parameters
        ----------
        measure
            One of the measures.

        Returns
        -------
        int
            Its position.

        Raises
        ------
        MeasureError
            If it was not compared.
        """
        return list(self.measures).index(among(measure, self.measures, "was not compared"))

    @cached_property
    def ranks(self) -> NDArray[np.intp]:
        """Ranks of the runs, runs × measures: 1 is best, ties share the lowest.

        Baselines, which do not compete, and runs whose score is undefined have 0.
        """
        from scipy.stats import rankdata

        ranks = np.zeros(self.scores.shape, dtype=np.intp)
        for column in range(self.scores.shape[1]):
            merit = self.merits[:, column]
            ranked = self.competing & ~np.isnan(merit)
            ranks[ranked, column] = rankdata(-merit[ranked], method="min")
        return ranks

    def order(self, measure: str | Measure | None = None) -> list[int]:
        """Put the runs and baselines in order, the best first.

        Parameters
        ----------
        measure
            One of the measures; by default the first, which ranks.

        Returns
        -------
        list of int
            Positions of the runs; those whose score is undefined come last.
        """
        merit = self.merits[:, 0 if measure is None else self.column(measure)]
        return [int(run) for run in np.argsort(np.where(np.isnan(merit), np.inf, -merit), kind="stable")]

    @cached_property
    def merits(self) -> Numbers:
        """Scores turned so that more is better, runs × measures, as `merits_of` turns them."""
        return merits_of(self.scores, self.measures.values())

    @property
    def replicated_merits(self) -> Numbers:
        """The same for every resample: resamples × runs × measures."""
        return merits_of(self.replicates, self.measures.values())

    @property
    def above_chance(self) -> Numbers | None:
        """How far each run has come from chance to the best value: 0 is chance, 1 the best; runs × measures.

        It is (score - chance) / (best - chance), undefined where chance is best, or no value is.
        """
        if self.chance is None:
            return None
        best = np.array([best_of(measure) for measure in self.measures.values()])
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = (self.scores - self.chance) / (best - self.chance)
        return np.where(np.isfinite(shares) & np.isfinite(best), shares, np.nan)

    @cached_property
    def duplicates(self) -> tuple[tuple[str, ...], ...]:
        """Runs that predict the same, together; in public without baselines, which tell of the truth."""
        alike: dict[str, list[str]] = {}
        for run, evaluation in self.evaluations.items():
            if evaluation.batch is not None and not (self.public and run in self.baselines):
                alike.setdefault(_digest(evaluation.batch.prediction.matrix), []).append(run)
        return tuple(tuple(runs) for runs in alike.values() if len(runs) > 1)

    def groups(self, measure: str | Measure) -> tuple[str, ...]:
        """Name the groups of runs that are not significantly different, by letters.

        Runs that share a letter are not distinguishable; the group of the best run is a. Baselines have none.

        Parameters
        ----------
        measure
            One of the measures.

        Returns
        -------
        tuple of str
            The letters of each run; empty where nothing was tested or its score is undefined.

        References
        ----------
        [piepho2004]_
        """
        column = self.column(measure)
        alike = self.adjusted[column] >= self.plan.alpha
        tested = np.isfinite(self.scores[:, column]) & (self.plan.test != "none") & (len(self.runs) > 1)
        tested &= np.isfinite(self.adjusted[column]).any(axis=1)
        return letters_of(alike, tested & self.competing, self.order(measure))

    @property
    def signature(self) -> str:
        """The recipe: that of the first run, and how the runs were compared."""
        return "\n".join([*self.first.signature.splitlines(), *self.lines])

    @property
    def lines(self) -> list[str]:
        """How the runs were compared."""
        lines = self.plan.lines if self.competing.sum() > 1 else self.plan.lines[:1]
        if self.baselines:
            named = (f"{kind} ({BASELINES[kind]})" for kind in self.baselines)
            lines.append(f"Baselines, without ranks and tests: {', '.join(named)}.")
        if self.chance is not None:
            lines.append(f"Chance is the mean score of {CHANCE_DRAWS} draws of labels at random.")
        return lines

    @property
    def against_baselines(self) -> str:
        """Whether the runs beat the best baseline by the first measure, in a sentence; empty without one."""
        return against_baselines(self)

    @property
    def notes(self) -> list[str]:
        """What a reader should know: duplicates, and what could not be computed."""
        return notes_on(self)

    def table(self) -> Table:
        """Make the leaderboard: scores, intervals and groups.

        Returns
        -------
        Table
            One row per run, the best by the first measure first.
        """
        return reports("leaderboard")(self)  # type: ignore[no-any-return]

    def tables(self) -> dict[str, Table]:
        """Make all tables of the comparison.

        Returns
        -------
        dict of str to Table
            The leaderboard, the scores one by one, and the pairs of runs.
        """
        return reports("tables")(self)  # type: ignore[no-any-return]

    def to_frame(self, backend: str = "pandas") -> Any:  # noqa: ANN401 - a frame of any library
        """Make a data frame, one row per run and measure.

        Parameters
        ----------
        backend
            Library of the frame: "pandas", "polars" or "pyarrow".

        Returns
        -------
        DataFrame
            Columns run, measure, score, low, high, rank, group, and above_chance where it is known.

        Raises
        ------
        InputError
            If the library is not installed.
        """
        from ontoeval.core.frames import frame_of

        return frame_of(reports("long_table")(self).by_title, backend)

    def to_long(self, backend: str = "pandas") -> Any:  # noqa: ANN401 - a frame of any library
        """Make a tidy data frame of the runs: one value per row, of a run, of a concept or of a sample.

        Parameters
        ----------
        backend
            Library of the frame: "pandas", "polars" or "pyarrow".

        Returns
        -------
        DataFrame
            Columns run, measure, parameters, concept, sample and value; no concept and no sample where the
            value is that of the run.

        Raises
        ------
        InputError
            If the library is not installed.
        ParameterError
            If nothing may be said of the truth but the scores.

        See Also
        --------
        write_long : Write it to a file, a part at a time.
        """
        from ontoeval.core.frames import frame_of

        self._refuse_if_public()
        return frame_of(reports("columns_of")(self._competitors), backend)

    def write_long(self, path: FilePath) -> None:
        """Write the tidy table of `to_long` to a file, a part at a time.

        Parameters
        ----------
        path
            A file whose name ends in .csv or .parquet.

        Raises
        ------
        InputError
            If its name ends otherwise.
        MissingExtraError
            If pyarrow is not installed, and Parquet is asked for.
        ParameterError
            If nothing may be said of the truth but the scores.
        """
        self._refuse_if_public()
        reports("write_tidy")(Path(path), self._competitors)

    @property
    def _competitors(self) -> dict[str, Evaluation]:
        """The evaluations of the runs, without those of baselines."""
        return {run: one for run, one in self.evaluations.items() if run not in self.baselines}

    def _refuse_if_public(self) -> None:
        if self.public:
            raise ParameterError("public", self.public, "False: values of samples tell the truth")

    def to_latex(self) -> str:
        """Write the leaderboard for LaTeX: the best in bold, groups as superscripts, the recipe below.

        Returns
        -------
        str
            A table environment for the booktabs package.
        """
        return reports("to_latex")(self)  # type: ignore[no-any-return]

    def report(self, **options: Any) -> str:  # noqa: ANN401 - those of the page
        """Write a report as one HTML page that needs nothing else.

        Parameters
        ----------
        **options
            Those of `ontoeval.reports.comparison.report`.

        Returns
        -------
        str
            The page.

        Raises
        ------
        MissingExtraError
            If the extra "report" is not installed.
        ParameterError
            If a section tells the truth of samples or concepts, and nothing may be said of it.
        """
        return reports("report")(self, **options)  # type: ignore[no-any-return]


def _digest(matrix: sparse.csr_array) -> str:
    places = (part.astype(np.int64) for part in (matrix.indptr, matrix.indices))  # alike, however wide
    parts = (*places, matrix.data)
    return sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()
