"""Transport F and tκ: bits that true and predicted labels share, each predicted label used once.

S(c), FP(c) and FN(c) compare how many true and how many predicted labels lie at or below a concept c. In a
tree their weighted sums are those of the best one-to-one pairing of true and predicted labels. A label with
several parents is split among these, and S is at most that of the best pairing.

In trees the size of a concept is known as hierarchical coverage ([goren2024]_), and tF of single leaves is
the F measure of their information ([valmadre2022]_).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.bits import Bits, Sizes
from ontoeval.concepts.flow import MassLevels, PossibleMasses, flow_of
from ontoeval.concepts.violations import ChosenRules
from ontoeval.concepts.weighting import AGREEMENT
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import ParameterError
from ontoeval.measures.ancestor_counts import (
    BITS,
    MASK,
    PREDICTED,
    TRUE,
    AncestorCounts,
    Closure,
    as_concept_columns,
    concepts_in_use,
    sum_at_ancestors,
    with_short_positions,
)
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, Beta, MeasureInfo, NameOrNone, ShareOrNone
from ontoeval.measures.counts import Counts, FRatio, Ratio, divide, jaccard, precision, recall
from ontoeval.measures.flat import SampleMeans
from ontoeval.measures.sums import Rows, Statistic, addends, exact_product
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.checks import unit_interval
from ontoeval.plumbing.memory import require
from ontoeval.plumbing.sparse import ranges, stored_in, with_data

CountedLabels = Literal["most specific", "given"]


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """Masses of the true, predicted and false labels of each sample at or below each concept.

    The arrays are aligned with the entries of `places`, samples × concepts, which holds every concept with
    a true or predicted label at or below it. Masses are counts where no label has several parents.
    """

    places: sparse.csr_array
    ruled_out: sparse.csr_array
    """Predicted labels that a true label excludes, samples × concepts; they are counted nowhere else."""
    true: NDArray[Any]
    predicted: NDArray[Any]
    false: NDArray[Any]
    """Mass of the labels that are neither true nor above a true label."""

    @cached_property
    def parts(self) -> tuple[NDArray[Any], ...]:
        """Masses of right, false and true labels at each of the places."""
        true = self.true
        return np.minimum(true, self.predicted), np.maximum(self.false - true, 0), true

    def amounts(self, hierarchy: Hierarchy, bits: Bits) -> Numbers:
        """S, FP and A of each sample."""
        values = hierarchy.derive(bits)
        # Masses times bits, summed sample by sample.
        right, false, true = (with_data(self.places, part.astype(np.float64)) @ values for part in self.parts)
        if self.ruled_out.nnz:
            false = false + self.ruled_out @ hierarchy.derive(Sizes(bits))
        return np.stack([right, false, true], axis=-1)


@dataclass(frozen=True)
class Counting:
    """Counts the labels at or below each concept, as a view of a batch."""

    members: CountedLabels = "most specific"
    exclusions: Literal["none", "declared"] = "none"
    flows: bool = True
    """Whether labels are split among several parents; else each parent counts all of them."""
    excused: bool = True
    """Whether predicted labels that are true, or above a true label, are never false."""

    def __call__(self, batch: Batch) -> LabelCounts:
        """Count all labels at their ancestors, which shows which of them count; then those."""
        hierarchy = batch.required_hierarchy("A measure of transport")
        found = batch.derive(AncestorCounts())
        entries = np.flatnonzero(found.data >= TRUE)
        numbers = found.data[entries]
        true, predicted = numbers & TRUE > 0, numbers & PREDICTED > 0
        if self.members == "most specific":
            true &= numbers & MASK == 1
            predicted &= (numbers >> BITS) & MASK == 1
        false = predicted & (numbers & MASK == 0) if self.excused else predicted.copy()
        ruled_out = sparse.csr_array(found.shape, dtype=bool)
        if self.exclusions == "declared":
            candidates = _entries_of(found, entries[false])
            book = hierarchy.derive(ChosenRules("declared", "none"))
            ruled_out = as_concept_columns(
                book.labels_excluded(batch.truth.matrix, candidates[:, hierarchy.labels]), hierarchy
            )
            stay = ~stored_in(candidates, ruled_out)
            predicted[false] = false[false] = stay
        chosen = _entries_of(
            found, entries, true + (predicted << BITS) + (false.astype(np.int64) << 2 * BITS)
        )
        if hierarchy.derive(MassLevels(self.flows)).whole.all():
            places = sum_at_ancestors(chosen, batch.derive(Closure()))
            return LabelCounts(places, ruled_out, *_fields(places))
        large = hierarchy.large
        flow = flow_of(hierarchy, concepts_in_use(batch)) if large else hierarchy.derive(flow_of)
        places, *masses = _masses(chosen, flow)
        return LabelCounts(places, ruled_out, *masses)


def _fields(counts: sparse.csr_array) -> tuple[NDArray[np.int64], ...]:
    """Unpack the counts of true, predicted and false labels."""
    return tuple(counts.data >> at * BITS & MASK for at in range(3))


def _masses(chosen: sparse.csr_array, flow: sparse.csr_array) -> tuple[Any, ...]:
    """Places, and the masses of true, predicted and false labels there.

    Each label is true or predicted, so that both sums have their entries at the same places; as sums of
    parts of labels they are exact, and their differences too.
    """
    true, predicted, false = _fields(chosen)
    places = sum_at_ancestors(with_data(chosen, true + 1j * predicted), flow)
    all_three = sum_at_ancestors(with_data(chosen, (true + predicted + false).astype(np.float64)), flow).data
    both = places.data.real.copy(), places.data.imag.copy()
    return with_data(places, both[0]), *both, all_three - both[0] - both[1]


def _entries_of(
    matrix: sparse.csr_array, entries: Places, numbers: NDArray[np.int64] | None = None
) -> sparse.csr_array:
    """Take some entries of a matrix, in order, with other numbers than those they have; leave zeros out."""
    if numbers is None:
        numbers = np.ones(entries.size, dtype=bool)
    entries, numbers = entries[numbers != 0], numbers[numbers != 0]
    indptr = np.searchsorted(entries, matrix.indptr)
    return sparse.csr_array((numbers, matrix.indices[entries], indptr), shape=matrix.shape)


class BitsOfConcept(NamedTuple):
    """Bits of a concept that are right, false and missed."""

    right: float
    false: float
    missed: float


@dataclass(frozen=True)
class TransportBits:
    """Right bits (S), false ones (FP) and those of the truth (A), of each sample."""

    bits: Bits
    counting: Counting

    def __call__(self, batch: Batch) -> Rows:
        """Compute S, FP and A of each sample."""
        hierarchy = batch.required_hierarchy("A measure of transport")
        counts = (piece.derive(self.counting) for piece in _pieces(batch))
        return Rows(np.concatenate([one.amounts(hierarchy, self.bits) for one in counts]))


_MOST_LABELS = 100_000
"""Most true and predicted labels whose masses at all ancestors are held at a time: 35 MB."""


def _pieces(batch: Batch) -> Iterator[Batch]:
    """Cut a batch of many labels into some samples at a time."""
    piece = np.cumsum(batch.truth.sizes + batch.prediction.sizes) // _MOST_LABELS
    ends = [0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), len(batch)]
    return (batch.rows(*some) if len(ends) > 2 else batch for some in pairwise(ends))  # noqa: PLR2004


@dataclass(frozen=True)
class _SampleRatio:
    """A ratio of the bits of each sample."""

    sums: TransportBits
    ratio: Ratio
    empty: float | None

    def __call__(self, batch: Batch) -> Numbers:
        """Compute the ratio of each sample, nan where it is 0/0 though neither set is empty."""
        values = self.ratio(_counts(np.asarray(batch.derive(self.sums).values)))
        lacking = [side.sizes == 0 for side in (batch.truth, batch.prediction)]
        values = np.where(np.isnan(values) & (lacking[0] | lacking[1]), 0.0, values)
        return np.where(lacking[0] & lacking[1], np.nan if self.empty is None else self.empty, values)


def _counts(values: Numbers) -> Counts:
    """Write S, FP and A as decisions."""
    right, false, true = np.moveaxis(values, -1, 0)
    return Counts(right, false, np.maximum(true - right, 0.0), np.zeros_like(right))


def _name(name: str, value: object) -> object:
    if not isinstance(value, str):
        raise ParameterError(name, value, '"bits", "halving", "unit", or the name of a weight')
    return value


WeightName = Annotated[str, _name]


@dataclass(frozen=True, kw_only=True)
class WeighedConcepts(MeasureInfo):
    """Options that say what concepts are worth, and which labels count.

    Parameters
    ----------
    weights
        What each concept adds to its parents: "bits", as a share of those that name a label; "halving",
        twice the link costs of the ontology score; "unit", 1 but for a single root; or a named weight of
        the hierarchy, such as "ia".
    members
        Labels that count: the "most specific" ones of each set, or all that are "given".
    agreement
        The hierarchy's weight that holds the agreement, which multiplies what labels add; None, or no
        such weight, stands for full agreement.
    credit_from
        Share of the bits of a label, below 1, from which two labels share something; for "bits" alone.
    """

    weights: WeightName = "bits"
    members: CountedLabels = "most specific"
    agreement: NameOrNone = AGREEMENT
    credit_from: Annotated[float, unit_interval] = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.credit_from == 1:
            raise ParameterError("credit_from", self.credit_from, "less than 1")
        if self.credit_from and self.weights != "bits":
            raise ParameterError("credit_from", self.credit_from, "0 with other weights than 'bits'")

    @property
    def bits(self) -> Bits:
        """What each concept adds, as a view of a hierarchy."""
        return Bits(weights=self.weights, agreement=self.agreement, credit_from=self.credit_from)

    @property
    def counting(self) -> Counting:
        """How labels are counted at their ancestors."""
        return Counting(self.members, flows=self.bits.flows)


@dataclass(frozen=True, kw_only=True)
class BitsRatio(WeighedConcepts):
    """A ratio of bits, and how it is averaged.

    Parameters
    ----------
    average
        "micro": of the sums over samples; "samples": mean over samples.
    empty
        Value of a sample without true and predicted labels, for average "samples"; None leaves it out.
        Where only one of the sets is empty the value is 0.
    """

    average: Literal["micro", "samples"] = "micro"
    empty: ShareOrNone = 1.0

    laws = USUAL_LAWS
    ratio: ClassVar[Ratio]

    @property
    def sums(self) -> TransportBits:
        """Sums of bits of each sample."""
        return TransportBits(self.bits, self.counting)

    @property
    def statistic(self) -> Statistic:
        """Sums of bits, or the ratio of each sample."""
        return self.sums if self.average == "micro" else self._means

    @property
    def _means(self) -> SampleMeans:
        return SampleMeans((_SampleRatio(self.sums, self.ratio, self.empty),))

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the ratio from totals."""
        if self.average == "samples":
            return self._means.unpack(values)[0]
        return self.ratio(_counts(values))


@dataclass(frozen=True, kw_only=True)
class TransportRatio(BitsRatio):
    """A ratio of the right bits, the false ones and those of the truth.

    Parameters
    ----------
    exclusions
        "declared": a predicted label that a true label excludes shares nothing; "none": exclusions do not
        matter.
    """

    exclusions: Literal["none", "declared"] = "none"

    source = "ontoevaltransport"

    @property
    def counting(self) -> Counting:
        """How labels are counted at their ancestors."""
        return replace(super().counting, exclusions=self.exclusions)

    def by_concept(self, batch: Batch) -> dict[str, BitsOfConcept]:
        """Divide the sums over the samples among the concepts, abstract ones too.

        Parameters
        ----------
        batch
            True and predicted labels.

        Returns
        -------
        dict of str to BitsOfConcept
            Bits of each concept; their sums are S, FP and A - S, but for labels that exclusions rule out,
            which add to FP alone.

        Examples
        --------
        >>> from ontoeval import Hierarchy, align
        >>> links = Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers")], abstract=["plants"])
        >>> TransportF().by_concept(align([["trees"]], [["flowers"]], hierarchy=links))["flowers"]
        BitsOfConcept(right=0.0, false=1.0, missed=0.0)
        """
        hierarchy = batch.required_hierarchy("A measure of transport")
        counts, bits = batch.derive(self.counting), hierarchy.derive(self.bits)
        weights = np.ones(len(batch)) if batch.sample_weight is None else batch.sample_weight
        of_entry = np.repeat(weights, np.diff(counts.places.indptr))
        right, false, true = counts.parts
        each = [
            (bits * np.bincount(counts.places.indices, part * of_entry, bits.size)).tolist()
            for part in (right, false, true - right)
        ]
        return {name: BitsOfConcept(*some) for name, *some in zip(hierarchy.vocabulary, *each, strict=True)}


@dataclass(frozen=True, kw_only=True)
class TransportPrecision(TransportRatio):
    """Share of the predicted bits that are right, each label used once."""

    formula_text = "tP = S / (S + FP), S = Σ v min(m_Y, m_Z), FP = Σ v max(0, f - m_Y)"
    ratio = staticmethod(precision)


@dataclass(frozen=True, kw_only=True)
class TransportRecall(TransportRatio):
    """Share of the bits of the truth that are predicted, each label used once."""

    formula_text = "tR = S / A, S = Σ v min(m_Y, m_Z), A = Σ v m_Y"
    ratio = staticmethod(recall)


@dataclass(frozen=True, kw_only=True)
class TransportF(TransportRatio):
    r"""F measure of bits: how much true and predicted labels share, each predicted label used once.

    With m_Y, m_Z and f the masses of true, of predicted and of false labels at or below a concept, and v
    the bits that it adds to naming a label:

    .. math:: tF_\beta = \frac{(1 + \beta^2) S}{S + FP + \beta^2 A} \qquad
              S = \sum_c v \min(m_Y, m_Z) \qquad FP = \sum_c v \max(0, f - m_Y) \qquad A = \sum_c v\,m_Y

    In a tree masses are numbers of labels. One unit of each label is split equally among several parents,
    with weights "bits"; with other weights each parent has all of it. For single leaves of a tree, bits are
    the information of [valmadre2022]_ and tF is iF; the size of a concept is the coverage of [goren2024]_.

    Labels that nobody uses count among those that bits tell apart: more of them can change the first run.

    Parameters
    ----------
    beta
        How many times as much recall counts as precision.
    """

    beta: Beta = 1.0

    formula_text = "tF = (1 + β²) S / (S + FP + β² A), S = Σ v min(m_Y, m_Z), FP = Σ v max(0, f - m_Y)"

    @property
    def ratio(self) -> Ratio:  # type: ignore[override]
        """The F measure."""
        return FRatio(self.beta)


@dataclass(frozen=True, kw_only=True)
class TransportJaccard(TransportRatio):
    """Share of right bits among those of the truth and of false labels, each label used once."""

    formula_text = "tJaccard = S / (A + FP), S = Σ v min(m_Y, m_Z), FP = Σ v max(0, f - m_Y)"
    ratio = staticmethod(jaccard)


@dataclass(frozen=True, kw_only=True)
class CountPreservingF(BitsRatio):
    """F measure of the counts of labels at or below each concept: CoPHE.

    The symmetric neighbour of transport F: every predicted label beyond the number of true ones counts as
    false, right ones too. Its authors label documents with codes of leaves. So labels that others of the same
    set imply are left out, which would be counted again at their ancestors; members="given" counts all.

    Parameters
    ----------
    beta
        How many times as much recall counts as precision; 0 gives precision.
    """

    weights: WeightName = "unit"
    agreement: NameOrNone = None
    beta: Beta = 1.0

    laws = USUAL_LAWS | SYMMETRY
    source = "falis2021"
    formula_text = (
        "F = (1 + β²) TP / ((1 + β²) TP + β² FN + FP), TP = Σ min(m_Y, m_Z), FP = Σ max(m_Z - m_Y, 0)"
    )

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that these parameters break."""
        return super().denied_laws | (SYMMETRY if self.beta != 1 else frozenset())

    @property
    def counting(self) -> Counting:
        """How labels are counted at their ancestors: beyond the true ones every predicted label is false."""
        return replace(super().counting, excused=False)

    @property
    def ratio(self) -> Ratio:  # type: ignore[override]
        """The F measure."""
        return FRatio(self.beta)


# chance -----------------------------------------------------------------------------------------------------


_A_LEVEL = 100
"""Least bytes for each level of each concept."""

_WITHOUT_CHANCE = "Take measures other than tκ, or read a part of the hierarchy (root=, --root)."


@dataclass(frozen=True)
class JointCounts:
    """What chance agreement needs: samples whose labels reach each level of each concept, on both sides.

    A row has a 1, S, FP and A of the sample, then [m_Y(c) ≥ t] v(c) dt for each concept c and level t, then
    [m_Z(c) ≥ t]. The levels are those of the hierarchy, so that rows of any samples add up: as many as
    labels at or below c, or, where labels are split, few levels to which the masses are rounded.
    """

    bits: Bits
    counting: Counting

    @property
    def beside(self) -> TransportBits:
        """What a batch keeps along with these: both count the same labels."""
        return TransportBits(self.bits, self.counting)

    def __call__(self, batch: Batch) -> ReachedCounts:
        """Mark the levels that each sample reaches."""
        hierarchy = batch.required_hierarchy("tκ")
        levels, bits = hierarchy.derive(MassLevels(self.counting.flows)), hierarchy.derive(self.bits)
        columns = np.where(bits > 0, levels.number, 0)
        require(_A_LEVEL * int(columns.sum()), "Counting the labels below each concept", _WITHOUT_CHANCE)
        concepts = np.repeat(np.arange(columns.size), columns)
        scale = bits[concepts] * levels.steps(concepts, ranges(np.zeros_like(columns), columns))
        pieces = [self._reached(piece, levels, columns) for piece in _pieces(batch)]
        exact, sums, *sides = zip(*pieces, strict=True)
        batch.keep(self.beside, Rows(np.concatenate(exact)))
        highest = [with_short_positions(sparse.vstack(side, format="csr")) for side in sides]
        return ReachedCounts(columns, scale, np.concatenate(sums), highest)

    def _reached(self, batch: Batch, levels: PossibleMasses, columns: Places) -> tuple[Any, ...]:
        """S, FP and A, also of rounded masses, and the last column that each place marks, on both sides."""
        hierarchy, counts = batch.required_hierarchy("tκ"), batch.derive(self.counting)
        at, sides = counts.places.indices, (counts.true, counts.predicted)
        sums = exact = counts.amounts(hierarchy, self.bits)
        if not levels.whole.all():
            masses, sides = zip(*(levels.reached(at, one) for one in (*sides, counts.false)), strict=True)
            counts = LabelCounts(counts.places, counts.ruled_out, *masses)
            sums = counts.amounts(hierarchy, self.bits)
        found: list[Any] = [exact, np.insert(sums, 0, 1.0, axis=1)]
        before = np.cumsum(columns) - columns - 1
        for numbers in sides[:2]:
            marks = np.flatnonzero(numbers * (columns > 0)[at])
            highest, ends = before[at[marks]] + numbers[marks], np.searchsorted(marks, counts.places.indptr)
            entries = np.ones(marks.size, dtype=bool), highest, ends
            found.append(sparse.csr_array(entries, shape=(len(batch), columns.sum())))
        return tuple(found)


class ReachedCounts(Rows):
    """Rows of `JointCounts`, made only on request: their sum is found without them."""

    columns: NDArray[np.intp]
    """Columns of each concept."""
    scale: Numbers
    """Bits of each column."""
    sums: Numbers
    highest: Sequence[sparse.csr_array]
    """Last column of each concept that a sample marks, of truth and prediction."""

    def __init__(self, columns: Places, scale: Numbers, sums: Numbers, highest: Sequence[Any]) -> None:
        self.__dict__.update(columns=columns, scale=scale, sums=sums, highest=highest)

    def __len__(self) -> int:
        return len(self.sums)

    @property
    def ends(self) -> NDArray[np.intp]:
        """The column after the last one of the concept of each column."""
        return np.repeat(np.cumsum(self.columns), self.columns)

    def split(self, few: int, parts: int) -> tuple[Numbers, list[sparse.csr_array]]:
        """Separate the numbers from the marks of both sides, of which the highest stand for those below."""
        if parts != len(self.highest):
            return super().split(few, parts)
        return self.sums, [sparse.csc_array(marks).T for marks in self.highest]

    @property
    def values(self) -> sparse.csr_array:
        """One row per sample."""
        blocks, begin = [sparse.csr_array(self.sums)], self.ends - np.repeat(self.columns, self.columns)
        for marks, scale in zip(self.highest, (self.scale, np.ones(self.scale.size)), strict=True):
            first = begin[marks.indices]
            ends = np.append(0, np.cumsum(marks.indices - first + 1))[marks.indptr]
            marked = ranges(first, marks.indices - first + 1)
            blocks.append(sparse.csr_array((scale[marked], marked, ends), shape=(len(self), scale.size)))
        return sparse.csr_array(sparse.hstack(blocks, format="csr"))

    def addends(self) -> Numbers:
        """Find few rows that add up to exactly the sum over the samples, from histograms of the counts."""
        end, sides = self.ends, []
        for marks in self.highest:
            exactly = np.bincount(marks.indices, minlength=end.size)
            above = np.append(np.cumsum(exactly[::-1])[::-1], 0)
            sides.append((above[:-1] - above[end]).astype(np.float64))
        sums = addends(self.sums)
        found = np.zeros((max(len(sums), 2), 4 + 2 * end.size))
        found[: len(sums), :4] = sums
        found[:2, 4 : 4 + end.size] = exact_product(sides[0], self.scale)
        found[0, 4 + end.size :] = sides[1]
        return found


@dataclass(frozen=True, kw_only=True)
class TransportKappa(WeighedConcepts):
    r"""Right bits beyond chance, as a share of what is possible beyond chance.

    S, FP and A are those of `TransportF`, and E is the mean of S over all permutations of the predicted
    sets. Every constant prediction scores 0, the truth 1; for single labels without links this is Cohen's κ:

    .. math:: t\kappa = \frac{S - E}{D - E} \qquad
              E = \frac{1}{N} \sum_c v \sum_k |\{i : m_Y \ge k\}| \, |\{i : m_Z \ge k\}| \qquad
              D = \frac{A + \max(S + FP, E)}{2}

    All samples are compared with each other: a single one has no score. Where labels have several
    parents, the mass at a concept is rounded to twelfths of a label, from 4 labels to quarters, from 8 to
    halves and from 16 to whole ones, so that parts of the samples can be merged.

    Do not rank by it where chance, E / A, has most of the bits: where one label is frequent, a run with fewer
    right labels can be ahead, and right labels that make a prediction more alike for all samples lower it.
    Labels that nobody uses count among those that bits tell apart: more of them can change the first run.
    """

    bounds = (-np.inf, 1.0)
    joint = True
    laws = USUAL_LAWS - {"alone"}
    source = "ontoevaltransport"
    formula_text = "tκ = (S - E) / (D - E), E the mean of S over permutations, D = (A + max(S + FP, E)) / 2"

    @property
    def statistic(self) -> JointCounts:
        """Bits of each sample, and the counts that it reaches."""
        return JointCounts(self.bits, self.counting)

    concept_columns = (4, 2)

    def terms(self, values: NDArray[np.float64]) -> tuple[Numbers, ...]:
        """Compute what each level of a concept adds to N E."""
        reached, predicted = np.split(values[..., 4:], 2, axis=-1)
        return (reached * predicted,)

    @staticmethod
    def _sum_of_terms(values: NDArray[np.float64]) -> Numbers:
        reached, predicted = np.split(values[..., 4:], 2, axis=-1)
        return np.asarray(np.einsum("...i,...i->...", reached, predicted))

    def chance(self, values: NDArray[np.float64]) -> Numbers:
        """Compute E, the mean of S over all permutations of the predicted sets, from totals."""
        return divide(self._sum_of_terms(values), values[..., 0])

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the coefficient from totals, nan where nothing is possible beyond chance."""
        return self.of_sums(values, self._sum_of_terms(values))

    def of_sums(self, values: NDArray[np.float64], expected: Numbers) -> Numbers:
        """Compute the coefficient from the numbers before the columns, and the sum of the terms."""
        samples, right, false, true = np.moveaxis(values[..., :4], -1, 0)
        chance = divide(expected, samples)
        whole = (true + np.maximum(right + false, chance)) / 2
        beyond = whole - chance
        return divide(right - chance, np.where(beyond > 1e-12 * whole, beyond, np.nan))
