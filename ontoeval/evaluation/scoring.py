"""Scores and their recipe: collect, merge, score is the one path to a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval._version import __version__
from ontoeval.concepts.violations import SUSPECT, Breaches
from ontoeval.concepts.weighting import AGREEMENT
from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.choices import Missing, OutsideRule, Threshold
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.inputs import Labels
from ontoeval.core.label_sets import names_not_in
from ontoeval.core.names import Show, fold
from ontoeval.core.resampling import logit_interval
from ontoeval.core.sample_weights import SampleGroup, SampleWeight
from ontoeval.core.shares import ShareLevels
from ontoeval.core.showing import Answering, Paged, Plotted, TruthNote, axes_of, reports
from ontoeval.core.table import DIGITS, Table, cell_text
from ontoeval.core.vocabulary import VocabularyOrigin
from ontoeval.errors import (
    MOST_SHOWN,
    MeasureError,
    ParameterError,
    did_you_mean,
    enumerate_some,
    pluralise,
    unknown_attribute,
)
from ontoeval.evaluation.alignment import AlignedRuns, AlignKeywords, SideOptions
from ontoeval.evaluation.totals import KeptRows, Totals, refuse_others, totals_of, totals_of_both, unclosed_of
from ontoeval.measures.base import AnyMeasure, Measure, Measures, compute, info, measure_blamed
from ontoeval.measures.catalogue import (
    as_measure,
    asks_for_scores,
    call_of,
    find_measure,
    full_name,
    measures_of,
    name,
)
from ontoeval.measures.counts import fill_undefined
from ontoeval.measures.decoding import DecodedMeasure, probabilities
from ontoeval.measures.flat import EMPTY, Averaged, F, SampleMeans
from ontoeval.measures.notation import flat_names
from ontoeval.measures.operating_curve import ABOVE_1, ScoresOfConcepts
from ontoeval.measures.prediction_sets import SetCoverage
from ontoeval.measures.presets import usual_measures
from ontoeval.measures.transport import TransportKappa
from ontoeval.plumbing.checks import open_unit_interval
from ontoeval.plumbing.workers import checked_workers, using_workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ontoeval.evaluation.slices import OnlySpec, PartSpec

NONE_SHARED, ODD = "No label is on both sides. ", " in the prediction alone: "


class ScoreRow(NamedTuple):
    """One line of a result."""

    measure: str
    score: float
    undefined: int


class ConceptScores(Answering, dict[str, float]):
    """Scores by the names of concepts."""

    as_frame = "pandas.Series(scores)"


class SampleScores(Answering, np.ndarray[tuple[int], np.dtype[np.float64]]):
    """Scores of samples in the order of the truth, an array without their names."""

    as_frame = "result.to_frame(rows='sample')"

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - as of NumPy
        """Return numbers and plain arrays of what is computed."""
        return array[()] if array.ndim == 0 else array


ReportOrder = Literal["support", "concept", "precision", "recall", "f1-score"]
"""What sorts the rows of a classification report."""

_ORIGINS: Mapping[VocabularyOrigin, str] = {
    "list": "those of the list that was given",
    **dict.fromkeys(("hierarchy", "edges"), "those of the hierarchy that are not abstract"),
    **dict.fromkeys(("columns", "side", "sides"), "those of truth and runs"),
}
"""Which concepts may be labels, in words."""

_MUCH = 75
"""Percentage of chance above which tκ depends on few samples; photos with ten labels have 40 to 65."""


def notes_on_measures(results: Mapping[str, Evaluation]) -> Iterator[str]:
    """Remark on rules of measures, on labels that nobody uses, and on the bits that runs have by chance."""
    measures = next(iter(results.values())).totals.measures if results else {}
    names = [one.totals.vocabulary for one in results.values()][:1]
    rules = (one.remarks(*names) for one in measures.values() if hasattr(one, "remarks"))
    yield from dict.fromkeys(chain.from_iterable(rules))
    named = ", ".join(key for key, one in measures.items() if getattr(one, "weights", "") == "bits")
    sides = [one.columns_in_use for one in results.values()] if named else []
    if sides and all(sides):
        labels = len(next(iter(results.values())).totals.vocabulary)
        if unused := labels - len(set().union(*chain.from_iterable(sides))):
            yield (
                f"Neither truth nor runs use {unused:,} of {pluralise(labels, 'label')}, which count in the "
                f"bits of {named}. To leave them out, list the labels: classes= (--concepts)."
            )
    for key, measure in measures.items():
        if not isinstance(measure, TransportKappa):
            continue
        sums = {run: result.totals.sums[measure.statistic] for run, result in results.items()}
        shares = sorted(
            (round(100 * float(measure.chance(some) / some[3])), run) for run, some in sums.items() if some[3]
        )
        if shares:
            (low, first), (high, last) = shares[0], shares[-1]
            said = f"{low} % ({first!r}) to {high} % ({last!r})" if low < high else f"{high} %"
            much = (
                f" The larger the share, the fewer samples decide: {key} can rank a run with fewer "
                "right labels first, and right labels can lower it. Compare by hF or F, too."
            )
            yield f"Chance has {said} of the bits of the truth (E / A of {key}).{much * (high > _MUCH)}"


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Plotted, Paged, Mapping[str, float]):
    """Scores by the notations of their measures, with everything that they depend on.

    Parameters
    ----------
    totals
        The sums that the scores are computed from.
    batch
        The samples; None for scores of totals alone.
    threshold
        Makes label sets of scores, where measures of both were evaluated.
    sets
        The label sets; by default those of the batch, or of its scores at the threshold.
    reading
        Lines of the recipe about how the data were read.
    group
        The group of each sample; None without groups.
    sample_of
        The sample of each row, where a truth of several annotators repeats samples.
    used
        Columns of the labels that the truth and the run have, for scores of totals alone.
    unclosed
        How many true and predicted sets lack ancestors, for scores of totals alone.
    left_out
        Numbers of the predicted labels that ``only=`` leaves out, of runs that are scored together.
    parts
        The same for each part that ``by=`` cuts, by what cuts it and the name of the part.

    Examples
    --------
    >>> result = evaluate([[1, 0], [1, 1]], [[1, 0], [0, 1]], measures=["F", "Hamming"])
    >>> result["F"], result.scores
    (0.8, {'F': 0.8, 'Hamming': 0.25})
    """

    totals: Totals
    batch: Batch | ScoredBatch | None = field(default=None, repr=False)
    threshold: float | Mapping[str, float] | None = None
    sets: Batch | None = field(default=None, repr=False)
    reading: tuple[str, ...] = ()
    group: Mapping[str, str] | None = field(default=None, repr=False)
    sample_of: Mapping[str, str] | None = field(default=None, repr=False)
    used: Sequence[Sequence[int]] = field(default=(), repr=False)
    unclosed: Sequence[int] = field(default=(), repr=False)
    left_out: Sequence[int] = field(default=(), repr=False)
    parts: Mapping[tuple[str, str], Evaluation] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Find the label sets, and leave out notes on means over samples where there is none."""
        means = filter(_is_mean_of_samples, self.totals.measures.values())
        if not any(getattr(one, "empty", 1) == 1 for one in means):
            reading = tuple(note for note in self.reading if not note.endswith(EMPTY))
            object.__setattr__(self, "reading", reading)
        if self.sets is not None:
            return
        if isinstance(self.batch, Batch):
            object.__setattr__(self, "sets", self.batch)
        elif self.batch is not None and self.threshold is not None:
            object.__setattr__(self, "sets", self.batch.at(self.threshold))

    @front_door
    def plot(self, *, measure: str | None = None, show: Show | None = None, ax: Axes | None = None) -> Axes:
        """Draw the hierarchy, coloured by how well each concept is found; see `ontoeval.figures.icicle`.

        Parameters
        ----------
        measure
            One of the measures that are means over concepts; by default F of the branch.
        show
            How concepts are named: by "label", by name ("id"), or by "both".
        ax
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        Axes
            A notebook shows them as a picture.

        Raises
        ------
        MissingExtraError
            If the extra "figures" is not installed.
        """
        return axes_of("icicle", self, measure=measure, show=show, ax=ax)

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """Score of each measure by its notation."""
        sums, scores = self.totals.sums, dict[str, float]()
        for notation, measure in self.totals.measures.items():
            scores[notation] = float(compute(measure, sums[measure.statistic], infinite=True))
        return scores

    def flat_names(self) -> dict[str, float]:
        """Name the scores as MLflow, Weights & Biases and others accept it.

        A name has letters, digits and underscores of ASCII: ``F(average='macro')`` is ``F_average_macro``,
        and what would be alike is numbered in its order. The order is that of the measures, so
        ``dict(zip(result.flat_names(), result))`` leads back to the notations.

        Returns
        -------
        dict of str to float
            Score of each measure.

        Examples
        --------
        >>> measures = ["F", "F(beta=0.5)"]
        >>> result = evaluate([[1, 0], [1, 1]], [[1, 0], [0, 1]], measures=measures)
        >>> list(result.flat_names())
        ['F', 'F_beta_0_5']
        """
        return dict(zip(flat_names(self.scores), self.scores.values(), strict=True))

    @property
    def _brief(self) -> str:
        shown = [f"{name} {cell_text(score, DIGITS)}" for name, score in self.scores.items()][:MOST_SHOWN]
        more = len(self.scores) - len(shown)
        none = "no label on both sides; " * (NONE_SHARED in self.unshared)
        apart = f"; {pluralise(len(self.parts), 'part')}: print(result)" * bool(self.parts)
        if self.group is not None:
            each = ", by= scores each" * (not self.parts)
            apart += f"; {pluralise(len({*self.group.values()}), 'group')} of equal weight{each}"
        return f"{none}{', '.join(shown)}{f' and {more:,} more' * bool(more)}; {self.totals.counts}{apart}"

    def __getitem__(self, measure: AnyMeasure) -> float:
        """Look up a score, by any notation of its measure."""
        return self.scores[self._notation(measure)]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the notations of the measures."""
        return iter(self.totals.measures)

    def __array__(self, *_: object, **__: object) -> NDArray[np.float64]:
        """Refuse an array: that of a mapping has names alone."""
        raise unknown_attribute(self, "array(...)", error=TypeError)

    def __float__(self) -> float:
        """Give the score of the only measure."""
        return self.scores[self._only_measure()]

    def __len__(self) -> int:
        """Count the measures."""
        return len(self.totals.measures)

    def __contains__(self, measure: object) -> bool:
        """Whether a measure was evaluated, by any notation of it."""
        return self.get(measure) is not None  # type: ignore[arg-type]

    def _meant(self, name: str) -> str:
        """Name the score of a measure."""
        call = "" if name.startswith("_") else call_of(name)
        return f"result[{name!r}]" if call and name in self else f"ontoeval.{call}" * bool(call)

    def get(self, measure: AnyMeasure, default: Any = None) -> Any:  # noqa: ANN401 - as of any mapping
        """Look up a score, by any notation of its measure.

        Parameters
        ----------
        measure
            A notation or a measure.
        default
            What stands for a measure that was not evaluated.

        Returns
        -------
        float or object
            The score, or the default.
        """
        try:
            return self[measure]
        except (MeasureError, TypeError):
            return default

    __eq__, __hash__ = object.__eq__, object.__hash__  # each result is one of its own

    def per_sample(self, measure: AnyMeasure | None = None) -> NDArray[np.float64]:
        """Score every sample alone.

        Parameters
        ----------
        measure
            Any measure, evaluated or not; by default the one that was evaluated.

        Returns
        -------
        ndarray of float
            One score per sample, in the order of the truth; nan where undefined.

        Raises
        ------
        MeasureError
            If there are no samples, because the result was made from totals; or if several measures were
            evaluated, and none is named.
        """
        instead = "; or take all by to_frame(rows='sample')"
        measure = self._only_measure(instead) if measure is None else measure
        if isinstance(measure, list | tuple):
            frame = "Of all that were evaluated write result.to_frame(rows='sample')."
            raise MeasureError(f"per_sample scores one measure, not {len(measure)}. {frame}")
        chosen = self.totals.measures.get(measure, measure) if isinstance(measure, str) else measure
        chosen = as_measure(chosen)
        side = side_for(self, chosen)
        if info(chosen, "joint"):
            return np.full(len(side), np.nan).view(SampleScores)
        with measure_blamed(chosen):
            rows = side.derive(chosen.statistic)
        return np.concatenate([compute(chosen, block) for block in rows.blocks()]).view(SampleScores)

    def per_concept(self, measure: AnyMeasure | None = None) -> dict[str, float]:
        """Score every concept alone, with one of the measures that are means over concepts.

        Parameters
        ----------
        measure
            One of the measures that were evaluated; by default the only one.

        Returns
        -------
        dict of str to float
            One score per concept; where it is 0/0 the value of `undefined` of the measure, or else nan.

        Raises
        ------
        MeasureError
            If the measure is no mean over the concepts that are the labels; or if several measures were
            evaluated, and none is named.
        """
        notation = self._only_measure() if measure is None else self._notation(measure)
        chosen, concepts = self.totals.measures[notation], self.totals.vocabulary
        by_concept = getattr(chosen, "per_concept", None)
        macro = by_concept is not None and getattr(chosen, "average", "") in {"macro", "weighted"}
        values = by_concept(self.totals.sums[chosen.statistic]) if macro else np.empty(0)  # type: ignore[misc]
        if not macro or len(values) != len(concepts):
            raise MeasureError(
                f"{notation} is no mean over the concepts that are the labels. "
                "Such are F(average='macro'), AP and AUC; classification_report() has P, R and F of concepts."
            )
        filled = fill_undefined(values, getattr(chosen, "undefined", None))
        return ConceptScores(zip(concepts, filled.tolist(), strict=True))

    @front_door
    def to_dict(self) -> dict[str, float]:
        """Give the scores by the notations of their measures.

        Returns
        -------
        dict of str to float
            The same as ``dict(result)``.
        """
        return dict(self.scores)

    @front_door
    def classification_report(
        self, *, sort: ReportOrder = "support", undefined: float | None = None, empty: float | None = 1.0
    ) -> Table:
        """Make a table of precision, recall, F and support (true samples) of each concept, and of averages.

        Concepts that are neither true nor predicted have a row if `undefined` counts them. With
        ``undefined=0.0, empty=0.0`` the numbers are those of scikit-learn's ``classification_report``, whose
        names the rows and columns have.

        Parameters
        ----------
        sort
            "support", the largest first; "concept", in their order; or "precision", "recall" or "f1-score",
            the lowest first.
        undefined
            What stands for 0/0 of a concept; None leaves it out of averages.
        empty
            Value of a sample without labels on both sides, in the average over samples; None leaves it out.

        Returns
        -------
        Table
            One row for each concept, and one for each average: "micro avg", macro, weighted and samples;
            ``.to_frame()`` makes a data frame.

        Raises
        ------
        MeasureError
            If the evaluation has no label sets: scores without threshold, or totals alone.

        Examples
        --------
        >>> result = evaluate([["a"], ["a", "b"]], [["a"], ["a", "c"]])
        >>> result.classification_report(sort="f1-score").rows[0]
        ('b', nan, 0.0, 0.0, 1)
        """
        side_for(self, F())
        return cast("Table", reports("classification_report")(self, sort, undefined, empty))

    def interval(self, measure: AnyMeasure, *, level: float = 0.95) -> tuple[float, float]:
        """Bootstrap interval of a score: that of `compare`, but with the error of the resamples.

        Parameters
        ----------
        measure
            One of the measures.
        level
            Confidence level.

        Returns
        -------
        tuple of two floats
            Its bounds.

        Raises
        ------
        MeasureError
            If nothing was resampled: `collect` has an option for it, and `compare` does it.
        """
        notation = self._notation(measure)
        chosen = self.totals.measures[notation]
        if chosen.statistic not in self.totals.replicates:
            raise MeasureError(
                f"{notation} was not resampled. Use ontoeval.compare(truth, runs), or ontoeval.collect(..., "
                "bootstrap=ontoeval.core.Bootstrap()) for measures whose parts can be merged."
            )
        drawn = compute(chosen, self.totals.replicates[chosen.statistic])
        given = np.array([self.scores[notation]]), drawn[:, None], np.array([np.nan])
        units, level = self.totals.samples, open_unit_interval("level", level)
        bounds = logit_interval(*given, [info(chosen, "bounds")], units=units, level=level)
        return float(bounds.low[0]), float(bounds.high[0])

    @property
    def samples(self) -> tuple[str, ...]:
        """Identifiers of the samples; empty for scores of totals alone."""
        return () if self.batch is None else self.batch.truth.samples

    def rows(self) -> list[ScoreRow]:
        """List the scores as tuples.

        Returns
        -------
        list of Row
            Measure, score and number of undefined concepts.
        """
        return [
            ScoreRow(notation, self.scores[notation], self._undefined(measure))
            for notation, measure in self.totals.measures.items()
        ]

    @cached_property
    def breaches(self) -> list[Breaches]:
        """Counts, for each rule that a score uses, of the true sets that break it."""
        hierarchy, found = self.totals.hierarchy, {}
        for measure in self.totals.measures.values():
            check = getattr(measure, "truth_check", None)
            if check is not None and hierarchy is not None:
                found.update({b.rule: b for b in check.breaches(self.totals.sums[check], hierarchy)})
        return list(found.values())

    @cached_property
    def unshared(self) -> str:
        """Labels that only one side has, where no list of concepts decides between names; empty for none."""
        names, sides = self.totals.vocabulary, self.columns_in_use
        unlisted = sides and names.origin == "sides"
        return one_sided_labels(*([names[at] for at in side] for side in sides)) if unlisted else ""

    @cached_property
    def columns_in_use(self) -> Sequence[Sequence[int]]:
        """Columns of the labels that the truth has or knows, and that the run has; of some totals unknown."""
        if self.batch is None:
            return self.used
        known = getattr(self.batch, "known", None)
        sides = (self.batch.truth.matrix if known is None else known, self.batch.prediction.matrix)
        return [np.flatnonzero(np.bincount(side.indices)).tolist() for side in sides]

    @cached_property
    def ceilings(self) -> dict[str, float]:
        """Best score of label sets beside several annotators, of micro and macro averages of sets."""
        batch, sample_of = self.sets, self.sample_of
        if batch is None or sample_of is None or batch.sample_weight is None:
            return {}
        place = {sample: at for at, sample in enumerate(dict.fromkeys(sample_of.values()))}
        rows = [place[sample_of[row]] for row in batch.truth.samples]
        shape = len(place), len(rows)
        shares = sparse.csr_array((batch.sample_weight, (rows, np.arange(len(rows)))), shape=shape)
        found = dict[str, float]()
        for key, measure in self.totals.measures.items():
            if not isinstance(measure, Averaged) or not measure.of_shares:
                continue
            side: Batch = batch if measure.view is None else batch.derive(measure.view)
            of_concept = np.ones(len(side.truth.vocabulary)) if side.weights is None else side.weights
            cells = (shares @ side.truth.matrix.astype(np.float64)).tocoo()
            of_sample: NDArray[np.float64] = np.asarray(shares.sum(axis=1))
            weight = of_concept[cells.col]
            hits, predicted = cells.data * weight, of_sample[cells.row] * weight
            used = hits > 0
            best = measure.ceiling(hits[used], predicted[used], cells.col[used], of_sample.sum() * of_concept)
            found |= {key: best} if np.isfinite(best) else {}
        return found

    @property
    def of_ceilings(self) -> list[str]:
        """Notes on the truth: labels that do not count, and the best scores where annotators differ."""
        shown = [f"{key} {cell_text(best, DIGITS)}" for key, best in self.ceilings.items()]
        best = [f"Best crisp run, above which no label sets score: {', '.join(shown)}."] * bool(shown)
        return [*(note for note in self.reading if isinstance(note, TruthNote)), *best]

    @property
    def notes(self) -> list[str]:
        """What a reader should know: labels on one side alone, how data were read, suspect rules."""
        first, others = notes_of({"": self})
        return [*filter(None, (first,)), *others]

    @cached_property
    def lacking(self) -> Sequence[int]:
        """How many true and predicted sets lack ancestors; empty where none could."""
        return self.unclosed or unclosed_of(self.batch, self.sample_of)

    @property
    def cautions(self) -> list[str]:
        """Notes on the data, without those on what was asked for."""
        found = [*filter(None, (self.unshared,)), *self.of_ceilings, *self.reading, *self.suspect_rules]
        return [*dict.fromkeys(found), *notes_on_coverage({"": self}), *notes_on_left_out({"": self})]

    @property
    def suspect_rules(self) -> list[str]:
        """Rules that the truth itself breaks often, in sentences."""
        suspect = sorted((b for b in self.breaches if b.suspect), key=lambda b: (-b.broken, str(b.rule)))
        if not suspect or self.totals.hierarchy is None:
            return self._doubts
        called = self.totals.hierarchy.vocabulary.names.display_name
        shown = [
            f"The truth breaks '{b.rule.text(called)}' in {b.broken:,} of {b.applies:,} sets."
            for b in suspect[:MOST_SHOWN]
        ]
        more = len(suspect) - len(shown)
        return [*shown, *([f"So it does {more:,} more rules."] if more else []), SUSPECT, *self._doubts]

    @property
    def _doubts(self) -> list[str]:
        """Notes on scores and hierarchy: sums of probabilities above 1, and a chain upside down."""
        summed = any(getattr(one, "propagate", "") == "sum" for one in self.totals.measures.values())
        most = 0.0
        if summed and isinstance(self.batch, ScoredBatch):
            most = self.batch.derive(ScoresOfConcepts("sum")).data.max(initial=0.0)
        note = f"Probabilities sum to up to {most:.9g} below one concept, and are taken as rounded ones."
        return [*[note] * bool(most > 1 + ABOVE_1), *self._of_decoding, *self._upside_down, *self._uncut]

    @property
    def _uncut(self) -> Iterator[str]:
        """Note of measures that cut the ancestors, where the truth holds them all."""
        hierarchy, batch = self.totals.hierarchy, self.batch
        views = {key: getattr(one, "view", None) for key, one in self.totals.measures.items()}
        cut = [key for key, view in views.items() if getattr(view, "max_distance", None) is not None]
        if not cut or batch is None or hierarchy is None:
            return
        depth = hierarchy.depth[hierarchy.labels][batch.truth.matrix.indices]
        if depth.any() and not batch.truth.unclosed(hierarchy).any():
            note = f"The true sets are closed upwards, so {', '.join(cut)} cuts no ancestor (max_distance): "
            yield f"{note}give the most specific labels alone."

    @property
    def _of_decoding(self) -> Iterator[str]:
        """Notes on probabilities that are decoded."""
        decoded = {key: one for key, one in self.totals.measures.items() if isinstance(one, DecodedMeasure)}
        if decoded and isinstance(self.batch, ScoredBatch):
            yield from filter(None, (self.batch.derive(probabilities).note,))
        own = {key: one for key, one in decoded.items() if one.decode != "hF"}
        if others := [key for key, one in own.items() if one.decoder.measure != one.measure]:
            yield f"Decoded as if they were averages over samples: {', '.join(others)}."

    @property
    def _upside_down(self) -> list[str]:
        """Note of a chain, which reads alike in both directions, whose root is used as if most specific."""
        hierarchy, batch = self.totals.hierarchy, self.batch
        if hierarchy is None or batch is None or not 1 < hierarchy.levels == len(hierarchy.vocabulary):
            return []
        truth, root = batch.truth, hierarchy.vocabulary[int(hierarchy.roots[0])]
        if root not in truth.vocabulary.concepts:
            return []
        has_root = truth.matrix[:, [truth.vocabulary.concepts.index(root)]].toarray().ravel() > 0
        alone = int(np.count_nonzero(has_root & (truth.sizes == 1)))
        note = (
            f"The hierarchy is a chain, which reads alike in both directions, and its root {root!r} is the "
            f"only label of {pluralise(alone, 'true set')}. If {root!r} is the most specific concept, the "
            "links run from child to parent: turn them round."
        )
        return [note] * bool(alone)

    @property
    def signature(self) -> str:
        """The recipe: version, data, hierarchy, agreement, and every parameter of every measure."""
        totals = self.totals
        lines = [
            f"ontoeval {__version__}",
            (
                f"{pluralise(totals.samples, 'sample')}, {pluralise(len(totals.vocabulary), 'concept')} "
                f"(sha256 {totals.vocabulary.digest[:12]}): {_ORIGINS[totals.vocabulary.origin]}"
            ),
        ]
        if totals.weights is not None:
            lines.append(f"weighted samples: the weights sum to {totals.weight:.12g}")
        lines += self.reading
        if totals.verified is not None:
            lines.append(_known_labels(totals))
        hierarchy = totals.hierarchy
        if hierarchy is not None:
            lines.append(
                f"hierarchy of {pluralise(len(hierarchy.vocabulary), 'concept')}, "
                f"{pluralise(hierarchy.levels - 1, 'level')} of links, "
                f"{pluralise(len(hierarchy.roots), 'root')} (sha256 {hierarchy.digest[:12]})"
            )
            rootless = [one for one, its in totals.measures.items() if getattr(its, "root", None) == "out"]
            if rootless and len(hierarchy.roots) == 1 < hierarchy.levels:
                root = hierarchy.vocabulary.names.display_name(hierarchy.vocabulary[int(hierarchy.roots[0])])
                lines.append(f"{', '.join(rootless)}: the root {root!r} is no member (root='out')")
            agreed = f"weight {AGREEMENT!r}"
            if agreed not in hierarchy.given:
                lines.append("no agreement given: a = 1")
            for key in sorted(hierarchy.given, key=agreed.__ne__):
                source = hierarchy.sources.get(key) or "its source is not stated"
                digest = f"sha256 {hierarchy.digests.get(key, 'withheld')[:12]}"
                lines.append(f"agreement given ({digest})" if key == agreed else f"{key}: {source}; {digest}")
        if self.threshold is not None:
            one = isinstance(self.threshold, Mapping)
            shown = "one for each concept" if one else f"{self.threshold:g}"
            lines.append(f"threshold of measures of label sets: {shown}")
        lines += [
            full_name(measure) + " (emerging)" * info(measure, "emerging")
            for measure in totals.measures.values()
        ]
        return "\n".join(lines)

    def _only_measure(self, instead: str = "") -> str:
        """Notation of the only measure; of several an error, with what has them all."""
        first, *others = self.totals.measures
        if others:
            known = enumerate_some(self.totals.measures)
            raise MeasureError(f"{len(others) + 1} measures were evaluated. Name one: {known}{instead}.")
        return first

    def _notation(self, measure: AnyMeasure) -> str:
        return find_measure(measure, self.totals.measures, "was not evaluated")

    def _undefined(self, measure: Any) -> int:  # noqa: ANN401 - a measure of any class
        count = getattr(measure, "undefined_concepts", None)
        return count(self.totals.sums[measure.statistic]) if count else 0


def signature_of(result: Evaluation, *, public: bool) -> str:
    """Write the recipe; in public without lines that count what is true."""
    hidden = {one for one in result.reading if isinstance(one, TruthNote)} | {_known_labels(result.totals)}
    return "\n".join(one for one in result.signature.splitlines() if not (public and one in hidden))


def _known_labels(totals: Totals) -> str:
    every = totals.samples * len(totals.vocabulary)
    return f"{totals.verified or 0:,} of {every:,} labels of samples are known"


def side_for(result: Evaluation, measure: Measure) -> Batch | ScoredBatch:
    """Batch that a measure takes: the scores of labels, or the label sets at the threshold."""
    if result.batch is None:
        raise MeasureError("Totals hold no samples. For scores of single samples use ontoeval.evaluate(...).")
    side = result.sets if info(measure, "takes") == "sets" and result.sets is not None else result.batch
    refuse_others(side, {name(measure): measure})
    return side


def notes_of(results: Mapping[str, Evaluation]) -> tuple[str, list[str]]:
    """Join the notes of runs: for the first line those of runs that share no label with the truth; others."""
    apart = {run: one.unshared for run, one in results.items() if one.unshared}
    named = [f"{run}: {text}" if len(results) > 1 else text for run, text in apart.items()]
    first = [one for one in named if NONE_SHARED in one]
    some = [one for one in named if one not in first and (len(results) == 1 or ODD in one)]
    rest = len(named) - len(first) - len(some[:MOST_SHOWN])
    beside = "more run" if first or some else "run"
    more = [f"{pluralise(rest, beside)} with labels that only the truth, or only the run, has."]
    every = results.values()
    others = (text for one in every for text in (*one.of_ceilings, *one.reading, *one.suspect_rules))
    few = [*notes_on_undefined(results), *some[:MOST_SHOWN], *more * (rest > 0)]
    more = [*dict.fromkeys(others), *notes_on_outside(results), *notes_on_ancestors(results)]
    more += [*notes_on_coverage(results), *notes_on_infinite(results), *notes_on_left_out(results)]
    return " ".join(first[:MOST_SHOWN]), [*few, *more, *notes_on_measures(results)]


def notes_on_undefined(results: Mapping[str, Evaluation]) -> Iterator[str]:
    """Count the concepts that each measure finds undefined, and those of its mean where runs differ."""
    totals = [one.totals for one in results.values()]
    for rows in zip(*(one.rows() for one in results.values()), strict=True):
        key, counts = rows[0].measure, sorted(row.undefined for row in rows)
        if not (some := [*filter(None, counts)]):
            continue
        many = f"{some[0]:,} to " * (some[0] < some[-1]) + pluralise(some[-1], "concept")
        runs = f" in {len(some):,} of {len(rows):,} runs" * (len(rows) > 1)
        text, one = f"{key} found {many} undefined (0/0){runs}.", cast("Any", totals[0].measures[key])
        wanted = ("macro", None, "all")  # else 0/0 counts, or only some concepts do
        options = getattr(one, "average", ""), getattr(one, "undefined", 0), getattr(one, "labels", "all")
        if options == wanted and counts[0] < counts[-1]:
            size = one.per_concept(totals[0].sums[one.statistic]).size
            over = f"{size - counts[-1]:,} to {size - counts[0]:,} concepts, by run"
            text += f" Its mean is over {over}; undefined=0 counts 0/0 as 0 in all."
        elif options == wanted:
            text += " Its mean leaves 0/0 out; undefined=0 counts 0/0 as 0."
        elif options[0] == "macro" and (value := getattr(one, "undefined", None)) is not None:
            text += f" Its mean counts 0/0 as {value:g}; undefined=None leaves 0/0 out."
        yield text


LACKING = "Sets lacking ancestors"
"""How a note begins that holds for parts as for the whole."""


def notes_on_ancestors(results: Mapping[str, Evaluation], *, public: bool = False) -> Iterator[str]:
    """Count the sets that lack ancestors of their labels; in public not the true ones."""
    every = max((one.totals.samples for one in results.values()), default=0)
    both = {run: one.lacking for run, one in results.items()}
    counts = [("truth", one[0]) for one in [*filter(None, both.values())][: not public]]
    counts += [(run or "prediction", one[1]) for run, one in both.items() if one]
    found = [f"{some:,} of {every:,} in {side}" for side, some in counts if some]
    first, rest = ", ".join(found[:2]), len(found[2:])
    more = f" and others in {pluralise(rest, 'more run')}" * bool(rest)
    how = "hF adds them; for others --close or .closed()"
    yield from [f"{LACKING} ({how}): {first}{more}"] * bool(found)


def notes_in_public(results: Mapping[str, Evaluation]) -> list[str]:
    """Collect the notes that do not describe the truth."""
    return [*notes_on_ancestors(results, public=True), *notes_on_infinite(results)]


def notes_on_outside(results: Mapping[str, Evaluation]) -> Iterator[str]:
    """Count the predicted labels that `only=` leaves out."""
    counts = sorted({count for one in results.values() for count in one.left_out})
    if counts and counts[-1]:
        many = f"{counts[0]:,} to {counts[-1]:,}, by run" if len(counts) > 1 else f"{counts[0]:,}"
        yield f"Predicted labels that only= (--only) leaves out: {many}."


def notes_on_infinite(results: Mapping[str, Evaluation]) -> Iterator[str]:
    """Name the runs of infinite scores, and say what holds for these."""
    for key in next(iter(results.values())).scores if results else ():
        if runs := [run for run, one in results.items() if np.isinf(one.scores[key])]:
            named = f" for {enumerate_some(runs)}" * (len(results) > 1)
            yield f"{key} is infinite{named}: it ranks, has no interval and no test, and is null in JSON."


def notes_on_coverage(results: Mapping[str, Evaluation]) -> Iterator[str]:
    """Tell the interval of each coverage, and whether it has its target, where samples weigh the same."""
    for run, totals in ((run, one.totals) for run, one in results.items() if one.totals.weights is None):
        for key, one in totals.measures.items() if totals.samples else ():
            if isinstance(one, SetCoverage):
                yield f"{run}: " * (len(results) > 1) + f"{key} {one.verdict(totals.sums[one.statistic])}."


def _is_mean_of_samples(measure: Measure) -> bool:
    return isinstance(getattr(measure.statistic, "statistic", measure.statistic), SampleMeans)


def notes_on_left_out(results: Mapping[str, Evaluation]) -> Iterator[str]:
    """Count the samples that means over samples leave out, where samples weigh the same."""
    totals = [one.totals for one in results.values() if one.totals.weights is None]
    for key, one in totals[0].measures.items() if totals else ():
        if _is_mean_of_samples(one):
            out = sorted({every.samples - round(float(every.sums[one.statistic][1])) for every in totals})
            if out[-1] > 0:
                many = f"{out[0]:,} to " * (out[0] < out[-1]) + f"{out[-1]:,}"
                yield f"{key} is undefined for {many} of {totals[0].samples:,} samples, which are left out."


def one_sided_labels(truth: Sequence[str], run: Sequence[str]) -> str:
    """Sentence on the labels that occur in the truth alone, or in the prediction alone; empty for none."""
    if not (truth and run):
        return ""
    unmet, odd = names_not_in(truth, {*run}), names_not_in(run, {*truth})
    missed, alike = set(unmet), set(map(fold, odd))
    meant = [label for label in truth if label in missed or fold(label) in alike]
    folded = set(map(fold, meant))
    odd.sort(key=lambda label: fold(label) not in folded)  # what is spelt otherwise comes first
    near = [f"{label!r}{did_you_mean(label, meant)}" for label in odd[:MOST_SHOWN]]
    more = f" and {len(odd) - MOST_SHOWN:,} more" * (len(odd) > MOST_SHOWN)
    parts = [f"{pluralise(len(odd), 'label')}{ODD}{', '.join(near)}{more}"] * bool(odd)
    if unmet:
        parts.append(f"{pluralise(len(unmet), 'label')} in the truth alone: {enumerate_some(unmet)}")
    none = NONE_SHARED * (len(unmet) == len(truth))
    return f"{none}{'; '.join(parts)}. Names count as they are written." if parts else ""


@front_door
def evaluate(  # noqa: PLR0913 - each is an option
    truth: Labels,
    prediction: Labels,
    *,
    hierarchy: AnyHierarchy | None = None,
    agreement: Mapping[str, float] | None = None,
    measures: Measures | None = None,
    threshold: Threshold | None = None,
    missing: Missing = "refuse",
    sample_weight: SampleWeight | None = None,
    groups: SampleGroup | None = None,
    by: PartSpec | None = None,
    only: OnlySpec | None = None,
    outside: OutsideRule = "ancestor",
    known: Labels | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
    ignore_index: float | None = None,
    workers: int | None = None,
) -> Evaluation:
    """Score predicted against true labels.

    Parameters
    ----------
    truth
        Label sets; or a data frame, which is read by its names as `LabelSets.from_frame` does; or a 0/1
        array, dense or sparse, one row per sample; or a list of the labels of each sample, or a mapping from
        sample to labels: a collection of texts, or a text, which is one label unless there is a `separator`;
        or `VerifiedLabels`, whose unknown labels count neither way; or the path of a file of labels. An array
        takes the names of a frame of its shape on the other side; without one its rows and columns count by
        their order.
    prediction
        The predicted labels, likewise; or `LabelScores`, for measures of scores. A file, data frame or array
        holds scores where there is a threshold, or a measure of scores.
    hierarchy
        The hierarchy of the concepts: a `Hierarchy` or an `Ontology`; a path, or the name of a shipped
        ontology, such as "photo"; a graph of networkx; an ontology of pronto, nxontology or obonet; or edges,
        which run from parent to child, as pairs or as a dictionary of lists. Arrays without a frame beside
        them then have one column for each of its labels.
    agreement
        Agreement of annotators, in [0, 1], for every concept that may be a label.
    measures
        Notations, measures or functions, or a single one; by default F, P, R and the usual flat measures, or,
        where there is a hierarchy, hF, OS, F and its mean over concepts (LCaF in place of hF where at least a
        quarter of the labels have several parents, or lie below such a concept); of scores without a
        threshold Fmax, where there is a hierarchy, and measures of rankings. A function takes the true and
        the predicted labels, two lists with a set of names for each sample, and gives a number for each
        sample, nan where undefined; the score is their mean.
    threshold
        Makes label sets of scores for measures of sets: one for all concepts, or one for each, by name, in
        the order of the columns of the scores, or in a file. `tune_thresholds` chooses some.
    missing
        What to do with samples that only one side has: "refuse" or "empty", see `align`.
    sample_weight
        What each sample counts for, a number of at least 0: a mapping, a series indexed by the samples, a
        frame of two columns or a path to one, with a weight for each sample of the truth and no other; or,
        for samples without names, an array in their order. A weight of 2 is the same as the sample twice.
    groups
        The group of each sample, such as its site, patient or transect, in the forms of `sample_weight`. All
        groups weigh the same: a sample weighs w / (sum of w in its group), so a mean over samples is the mean
        of the means of the groups, where no sample is undefined. Other measures, such as the micro average,
        are of sums with these weights.
    by
        Cuts parts, each of which is scored alone: a column of a data frame that is the truth; a path to a
        table of samples, each other column of which cuts them, or "column=path" for one; such a data frame;
        a mapping from samples to values, or values in their order; of several also by title. Or "branch" or
        "level" of the hierarchy, for parts of the labels; a level is a depth, 0 at a root. Several are a
        tuple or a list.
        See `Evaluation.parts`; samples without a value are in no part.
    only
        The labels that count: "leaves", those without labels below; "depth<=3", by the longest path from a
        root (0), also with ">=" or "="; "below:concept", it and its descendants; a list, or a path to one.
        The hierarchy keeps the other concepts, so costs and ancestors stay as they are.
    outside
        What other labels count as, in truth and prediction: "ancestor", the nearest ancestors that count, or
        nothing without one, and a score as the largest for each; or "drop", nothing.
    known
        Labels that were known of samples before: with their ancestors they are left out of truth and
        prediction, as in CAFA's partial knowledge. Samples of which everything true was known are left out;
        those without a true label from the start remain, and what is predicted for them is false. Samples
        that the truth lacks may have known labels too.
    classes
        Names of all classes: of the columns of arrays without names, and of what whole numbers among the
        labels stand for, 0 for the first. The concepts are these, whether they occur or not; by default those
        of the truth where it is `LabelSets`, else those of the hierarchy, or else those of both sides.
    separator
        What stands between the labels of a text, such as ";"; in a data frame, under a title such as
        "labels", by default ";" or "|", or a comma between known names.
    ignore_index
        Number, such as -1, that marks labels in a truth of 0 and 1 that were not verified; then nan does so,
        too. They count neither way, as in `VerifiedLabels`.
    workers
        Number of threads that work at the same time, each on 20,000 samples; by default 1. The scores are
        the same to the last bit.

    Raises
    ------
    MisalignedError
        If samples or concepts differ.
    MeasureError
        If a measure cannot be read, needs a hierarchy and has none, or takes sets where there are scores, or
        the other way round.
    UnknownConceptError
        If a label, or a concept with an agreement, is not in the hierarchy.
    InputError
        If a side cannot be read, or a concept has no agreement, or a sample has no weight or no group.
    ParameterError
        If the number of workers is no whole number of at least 1.

    Examples
    --------
    >>> hierarchy = [("plants", "trees"), ("plants", "flowers")]
    >>> truth, run = [["trees"]], [["plants"]]
    >>> evaluate(truth, run, hierarchy=hierarchy, measures=["OS", "F"]).scores
    {'OS': 0.5, 'F': 0.0}
    """
    runs: dict[str, Any] = {"prediction": prediction}
    given = sample_weight, classes, separator, agreement, threshold, known, groups, ignore_index, by
    how = SideOptions(hierarchy, missing, *given, only, outside, soft=True)
    with using_workers(checked_workers(workers)):
        chosen = None if measures is None else measures_of(measures)
        sides = AlignedRuns.from_labels(truth, runs, how, scores=asks_for_scores(chosen))
        wanted = chosen or usual_for(sides)
        every = chain([sides], (part for _, part in sides.parts))
        whole, *parts = (evaluate_aligned(one, one.first, wanted) for one in every)
        return replace(whole, parts=dict(zip(sides.slices, parts, strict=True)))


def usual_for(given: AlignedRuns) -> Mapping[str, Any]:
    """Measures by default of aligned runs."""
    scores = given.threshold is None and isinstance(given.first, ScoredBatch)
    shares = isinstance(given.first.truth, ShareLevels)
    return measures_of(usual_measures(given.whole[1], scores=scores, shares=shares))


def evaluate_aligned(
    given: AlignedRuns, batch: Batch | ScoredBatch, chosen: Mapping[str, Any], kept: KeptRows | None = None
) -> Evaluation:
    """Score one of aligned runs, or another prediction beside their truth; keep the rows if asked."""
    totals, sets = totals_of_both(batch, given.threshold, chosen, partial(totals_of, kept=kept))
    if given.sample_of is not None:
        totals = replace(totals, samples=len({*given.sample_of.values()}))
    data = totals, batch, given.threshold, sets, given.notes, given.group, given.sample_of
    return Evaluation(*data, left_out=given.counts[3:])


class EvaluateKeywords(AlignKeywords, total=False):
    """Keywords that `evaluate` and others share."""

    agreement: Mapping[str, float] | None
    threshold: Threshold | None
    groups: SampleGroup | None
    only: OnlySpec | None
    outside: OutsideRule


@front_door
def score(
    totals: Totals | Labels,
    prediction: Labels | None = None,
    measures: Measures | None = None,
    by: PartSpec | None = None,
    **options: Unpack[EvaluateKeywords],
) -> Evaluation:
    """Compute the scores of totals; or of a truth and a prediction, as `evaluate` does.

    Parameters
    ----------
    totals
        Collected from a batch, or merged; or the truth.
    prediction, measures, by
        See `evaluate`.
    **options
        Other keywords of `evaluate`.
    """
    if isinstance(totals, Totals):
        if by is not None:
            raise ParameterError("by", by, "a truth and a prediction beside it: totals hold no samples")
        return Evaluation(totals)
    return evaluate(totals, prediction, measures=measures, by=by, **options)
