"""How measures behave on axioms: unit tests for measures, on the hierarchy that they are to be used with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.axioms import AXIOMS, Axiom
from ontoeval.comparison.cases import Material, Sides
from ontoeval.comparison.chance import Seed, generator_of
from ontoeval.core.batch import Batch
from ontoeval.core.checks import several, whole_number
from ontoeval.core.coercion import check_hierarchy
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.showing import reports
from ontoeval.errors import OntoevalError, ParameterError, one_of
from ontoeval.measures.base import Measure, Measures, fact, shortfall
from ontoeval.measures.catalogue import measures_of
from ontoeval.measures.others import computed

if TYPE_CHECKING:
    from ontoeval.core.table import Table

ALIKE = 1e-9
"""Scores that differ by no more are equal."""

LITTLE = 0.05
"""A change is little that is at most this, or at most this share of a score above 1."""


class Scored(NamedTuple):
    """One side of a case."""

    truth: tuple[str, ...]
    prediction: tuple[str, ...]
    score: float


class Counterexample(NamedTuple):
    """A case in which an axiom does not hold."""

    first: Scored
    second: Scored


class Trial(NamedTuple):
    """An axiom, tried with a measure."""

    measure: str
    axiom: str
    cases: int
    held: int
    equal: int
    undefined: int
    example: Counterexample | None


@dataclass(frozen=True)
class Behaviour:
    """Which axioms hold for which measures, in how many of the cases that were tried.

    Parameters
    ----------
    trials
        One for each measure and axiom that could be tried.
    skipped
        Measures that were not tried at all, each with the reason.
    without_cases
        Axioms for which the hierarchy gives no case.
    """

    trials: tuple[Trial, ...]
    skipped: Mapping[str, str]
    without_cases: tuple[str, ...]

    def __getitem__(self, key: tuple[str, str]) -> Trial:
        """Look up the trial of a measure, by its notation, and an axiom."""
        found = {(trial.measure, trial.axiom): trial for trial in self.trials}
        if key not in found:
            raise ParameterError("trial", key, "a measure and an axiom that were tried together")
        return found[key]

    @property
    def cases(self) -> int:
        """How many cases of an axiom were tried at most."""
        return max((trial.cases + trial.undefined for trial in self.trials), default=0)

    def rows(self) -> list[dict[str, str | float | None]]:
        """List for each measure the share of cases in which each axiom holds.

        Returns
        -------
        list of dict
            One line per measure, with its notation as "measure" and one share per axiom; None where it was
            not tried.

        Examples
        --------
        >>> tree = Hierarchy.from_edges([("thing", "sky"), ("thing", "sea")])
        >>> behaviour("F", tree, axioms="adding a right label does not hurt").rows()
        [{'measure': 'F', 'adding a right label does not hurt': 1.0}]
        """
        measures = dict.fromkeys(trial.measure for trial in self.trials)
        axioms = dict.fromkeys(trial.axiom for trial in self.trials)
        shares = {
            (trial.measure, trial.axiom): trial.held / trial.cases for trial in self.trials if trial.cases
        }
        return [
            {"measure": measure} | {axiom: shares.get((measure, axiom)) for axiom in axioms}
            for measure in measures
        ]

    def table(self) -> Table:
        """Make a table of these shares.

        Returns
        -------
        Table
            One row per axiom and one column per measure.
        """
        return self.tables()["behaviour"]

    def counterexamples(self) -> Table:
        """Make a table of the counterexamples.

        Returns
        -------
        Table
            One row per axiom and measure for which there is one.
        """
        return self.tables()["counterexamples"]

    def tables(self) -> dict[str, Table]:
        """Make both tables.

        Returns
        -------
        dict of str to Table
            "behaviour", the shares, and "counterexamples".
        """
        return reports("tables")(self)  # type: ignore[no-any-return]


def behaviour(
    measures: Measures,
    hierarchy: Hierarchy,
    *,
    axioms: Iterable[str] | str = tuple(AXIOMS),
    cases: int = 200,
    seed: Seed = 0,
) -> Behaviour:
    """Try axioms on small cases made at random over a hierarchy, and count how often each holds.

    All measures see the same cases. A case is scored as a sample alone: what a mean over concepts says of
    a single sample tells little, so such measures are skipped, as are measures of scores, and those with
    no best value, of which one cannot say which of two scores is better. Measures of single labels are tried
    on the axioms that need one label alone. The rules of the hierarchy count as they do in any score: random
    sets may break them.

    Parameters
    ----------
    measures
        Notations or measures, or a single one.
    hierarchy
        The hierarchy to try them on, with the weights that they need.
    axioms
        Keys of `AXIOMS`; by default all.
    cases
        How many cases of each.
    seed
        A whole number, or a generator, which goes on from where it is.

    Returns
    -------
    Behaviour
        How often each axiom holds, with a counterexample.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    MeasureError
        If a measure cannot be read.

    Examples
    --------
    >>> plants = Hierarchy.from_edges(
    ...     [("thing", "plants"), ("thing", "sky"), ("plants", "trees"), ("plants", "flowers")]
    ... )
    >>> found = behaviour(["F", "OS"], plants)
    >>> [found[name, "a sibling costs less than a stranger"].held for name in ("F", "OS")]
    [0, 200]
    """
    check_hierarchy(hierarchy)
    cases = whole_number("cases", cases, 1)
    wanted = list(dict.fromkeys(several(axioms)))
    for axiom in wanted:
        one_of("axioms", axiom, tuple(AXIOMS))
    rng, chosen = generator_of(seed), measures_of(measures)
    # Each axiom has a stream of its own: what is tried beside it changes nothing.
    streams = dict(zip(AXIOMS, rng.integers(2**63, size=len(AXIOMS)).tolist(), strict=True))
    made = {
        axiom: AXIOMS[axiom].make(Material(hierarchy, np.random.default_rng(streams[axiom]), cases))
        for axiom in wanted
    }
    usable = {axiom: sides for axiom, sides in made.items() if len(sides.first)}
    trials, skipped = [], {}
    for notation, measure in chosen.items():
        reason = _unfit(measure)
        fitting = {
            axiom: sides
            for axiom, sides in usable.items()
            if AXIOMS[axiom].single or not fact(measure, "single")
        }
        try:
            tried = (
                []
                if reason
                else [_trial(notation, measure, axiom, sides) for axiom, sides in fitting.items()]
            )
        except OntoevalError as error:
            reason = str(error)
        if reason:
            skipped[notation] = reason
        else:
            trials += tried
    without = tuple(axiom for axiom in wanted if axiom not in usable)
    return Behaviour(tuple(trials), MappingProxyType(skipped), without)


def _unfit(measure: object) -> str:
    """Tell why a measure cannot be tried; nothing, if it can."""
    if fact(measure, "takes") == "scores":
        return "it takes scores, and cases are label sets"
    if fact(measure, "best") is None:
        return "it has no best value, so that neither of two scores is better"
    if getattr(measure, "average", "") in {"macro", "weighted"}:
        return "it is a mean over concepts, which says little of a single sample"
    return ""


def _trial(notation: str, measure: Measure, name: str, sides: Sides) -> Trial:
    first, second = (_per_sample(batch, measure) for batch in sides)
    defined = ~(np.isnan(first) | np.isnan(second))
    change = first - second
    holds = _holds(AXIOMS[name], measure, first, second) & defined
    broken = np.flatnonzero(defined & ~holds)
    example = None
    if broken.size:
        row = int(broken[0])
        one, other = (
            Scored(_names(batch, "truth", row), _names(batch, "prediction", row), float(scores[row]))
            for batch, scores in zip(sides, (first, second), strict=True)
        )
        example = Counterexample(one, other)
    equal = int(np.count_nonzero(np.abs(change[defined]) <= ALIKE))
    undefined = int(np.count_nonzero(~defined))
    return Trial(notation, name, int(defined.sum()), int(holds.sum()), equal, undefined, example)


def _holds(
    axiom: Axiom, measure: Measure, first: NDArray[np.float64], second: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Compare the scores of both sides as the axiom says."""
    change, gain = np.abs(first - second), shortfall(measure, second) - shortfall(measure, first)
    if axiom.relation == "better":
        return gain > ALIKE
    if axiom.relation == "no worse":
        return gain >= -ALIKE
    return change <= (ALIKE if axiom.relation == "alike" else LITTLE * np.maximum(1, np.abs(first)))


def _per_sample(batch: Batch, measure: Measure) -> NDArray[np.float64]:
    """Score every case alone; measures that need the same share it."""
    rows: Any = batch.once(measure.statistic)
    return np.concatenate([computed(measure, block) for block in rows.blocks()])


def _names(batch: Batch, side: str, row: int) -> tuple[str, ...]:
    labels: tuple[str, ...] = getattr(batch, side).labels_of(str(row))
    return labels
