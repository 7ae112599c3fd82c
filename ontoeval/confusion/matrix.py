"""Confusion matrices and the confusion tensor of label sets, by published rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.confusion.one_vs_rest import ConceptCounts
from ontoeval.core.batch import Batch
from ontoeval.core.choices import Missing
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels
from ontoeval.core.names import NO_NAMES, ConceptNames, Show
from ontoeval.core.sample_weights import SampleWeight
from ontoeval.core.showing import Plotted, Shown, axes_of, reports
from ontoeval.errors import InputError, did_you_mean, one_of
from ontoeval.evaluation.alignment import SideOptions, batch_of
from ontoeval.evaluation.groups import (
    RELATIONS,
    REST,
    Groups,
    Related,
    Relation,
    cells_of_groups,
    relation_of_pairs,
    sum_by_groups,
)
from ontoeval.measures.confusion_rules import RULES, Confusion, CountsPerConcept, Links, usual_rule
from ontoeval.measures.sums import with_sample_weights
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.checks import whole_number
from ontoeval.plumbing.sparse import row_of_entries

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DENSE = 2_000
"""Most concepts of a dense matrix."""

Normalise = Literal["true", "predicted", "all"]
"""What the entries of a matrix are divided by: the sums of rows, of columns, or of all."""

PARTS = {None: "of the row", "true": "of the row", "predicted": "of the column", "all": "of all"}
"""What shares are shares of; those of rows are shown where there are counts."""


class Taken(NamedTuple):
    """A true concept that was taken for another."""

    true: str
    predicted: str
    mass: float
    share: float


class Unmatched(NamedTuple):
    """A concept that was missed with nothing in its place, or predicted in the place of nothing."""

    concept: str
    missed: float
    false: float


class ConceptPairMasses(NamedTuple):
    """Mass by true and predicted concept and by sample: a row per pair that has mass, a column per sample."""

    row: NDArray[np.intp]
    column: NDArray[np.intp]
    mass: sparse.csr_array


@dataclass(frozen=True, eq=False)
class Origin:
    """The samples that a matrix is the sum of, what they add, and the groups its concepts were summed by."""

    batch: Batch
    links: Links
    groups: tuple[tuple[sparse.csr_array, sparse.csr_array], ...] = ()

    def grouped(self, rows: sparse.csr_array, columns: sparse.csr_array) -> Origin:
        """Sum rows and columns by groups, as `ConfusionMatrix.aggregated` does."""
        return replace(self, groups=(*self.groups, (rows, columns)))

    def pairs(self) -> ConceptPairMasses:
        """Find the mass that each sample puts into each pair of concepts, before these are grouped."""
        sample, row, column, mass = map(np.concatenate, zip(*self.links.entries(), strict=True))
        width = int(column.max(initial=0)) + 1
        codes, which = np.unique(row * width + column, return_inverse=True)
        shape = codes.size, len(self.batch)
        masses = sparse.coo_array((mass, (which, sample)), shape=shape).tocsr()
        return ConceptPairMasses(*np.divmod(codes, width), masses)

    def of_cells(
        self, rows: Places, columns: Places, pairs: ConceptPairMasses | None = None
    ) -> sparse.csr_array:
        """Mass that each sample puts into some distinct cells: a row per cell, a column per sample."""
        row, column, mass = self.pairs() if pairs is None else pairs
        which, share = np.arange(row.size), np.ones(row.size)
        for sides in self.groups:
            found, row, column, part = cells_of_groups(row, column, *sides)
            which, share = which[found], share[found] * part
        width = int(max(column.max(initial=0), columns.max(initial=0))) + 1
        codes, wanted = row * width + column, rows * width + columns
        order = np.argsort(wanted)
        place = np.searchsorted(wanted, codes, sorter=order)
        here = np.flatnonzero(place < wanted.size)
        here = here[wanted[order[place[here]]] == codes[here]]
        cells = order[place[here]], which[here]
        chosen = sparse.coo_array((share[here], cells), shape=(wanted.size, mass.shape[0]))
        return sparse.csr_array(chosen.tocsr() @ mass)


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrix(Plotted):
    """Which true concepts were taken for which predicted ones.

    Parameters
    ----------
    matrix
        Rows are true, columns predicted; an array up to 2,000 concepts, above that CSR.
    rows
        Names of the rows, pseudo-concepts last.
    columns
        Names of the columns, pseudo-concepts last.
    rule
        The rule that made it, see `confusion_matrix`.
    variant
        The rule's variant; by default its first.
    weight
        Sum of the sample weights; None where each sample counts once.
    names
        Labels and other names of the concepts.
    origin
        The samples that the entries come from; None for sums of matrices and for entries from elsewhere.
    shares
        What the entries were divided by, see `normalised`; None for counts.

    Raises
    ------
    InputError
        If the shape does not fit the names, or an entry is negative or not finite.
    ParameterError
        If there is no such rule or variant.

    Examples
    --------
    >>> matrix = confusion_matrix([["a", "b"]], [["a", "c"]], rule="krstinic")
    >>> matrix.rows, matrix.matrix.tolist()[1]
    (('a', 'b', 'c', 'unknown'), [0.0, 0.0, 1.0, 0.0])
    """

    matrix: NDArray[np.float64] | sparse.csr_array
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    rule: str
    variant: str | None = None
    weight: float | None = None
    names: ConceptNames = field(default=NO_NAMES, repr=False)
    origin: Origin | None = field(default=None, repr=False)
    shares: Normalise | None = None

    @property
    def _brief(self) -> str:
        variant = f" ({self.variant})" if self.rule == "transport" else ""
        partly = ", some pairs left out: see .pairing" * self.pairing.startswith("Not")
        divided = f", shares of {self.shares}" * bool(self.shares)
        return f"{len(self.rows):,} × {len(self.columns):,}, rule {self.rule!r}{variant}{divided}{partly}"

    @property
    def pairing(self) -> str:
        """Which missed and false labels are not paired, in words."""
        return Confusion(self.rule, self.variant).pairing

    def __post_init__(self) -> None:
        """Check that names and numbers fit."""
        object.__setattr__(self, "variant", Confusion(self.rule, self.variant).variant)
        matrix = self.matrix
        if not sparse.issparse(matrix):
            matrix = np.array(matrix, dtype=np.float64)
            matrix.flags.writeable = False
        if matrix.shape != (len(self.rows), len(self.columns)):
            raise InputError(
                f"a matrix of shape {matrix.shape} for {len(self.rows)} rows and {len(self.columns)} columns",
                "Name every row and every column.",
            )
        values = matrix.data if sparse.issparse(matrix) else matrix
        if not np.all(np.isfinite(values) & (values >= 0)):
            raise InputError("a confusion matrix with negative or undefined entries", "Give counts.")
        vars(self).update(matrix=matrix, rows=tuple(self.rows), columns=tuple(self.columns))

    @front_door
    def plot(
        self,
        *,
        level: int | str | None = None,
        hierarchy: AnyHierarchy | None = None,
        show: Show | None = None,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw what is taken for what, by matplotlib; see `ontoeval.figures.confusion`.

        Parameters
        ----------
        level
            A depth, of which a root has 0; or "labels"; by default the finest that a page holds.
        hierarchy
            The hierarchy of the concepts, which orders and collapses the matrix.
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
        return axes_of("confusion", self, level=level, hierarchy=hierarchy, show=show, ax=ax)

    def __add__(self, other: ConfusionMatrix) -> ConfusionMatrix:
        """Add the matrix of other samples over the same concepts."""
        alike = ("rows", "columns", "rule", "variant")
        self._refuse_shares(other)
        if any(getattr(self, name) != getattr(other, name) for name in alike):
            raise InputError(
                "confusion matrices over different concepts or by different rules", "Make both alike."
            )
        if (self.weight is None) != (other.weight is None):
            raise InputError(
                "confusion matrices of weighted and of unweighted samples",
                "Make both with sample_weight=, a weight of 1 where there is none, or both without.",
            )
        total: Any = self.matrix + other.matrix
        weight = None if self.weight is None or other.weight is None else self.weight + other.weight
        return replace(self, matrix=total, weight=weight, origin=None)

    def to_numpy(self) -> NDArray[np.float64]:
        """Copy the matrix, in the order of `rows` and `columns`; `numpy.asarray` does the same.

        Returns
        -------
        ndarray of float
            Rows are true, columns predicted.

        Raises
        ------
        InputError
            If there are more than 2,000 concepts.

        Examples
        --------
        >>> confusion_matrix([["a"]], [["b"]], rule="multiclass").to_numpy().tolist()
        [[0.0, 1.0], [0.0, 0.0]]
        """
        count = len(self._concepts[0])
        if count > DENSE:
            raise InputError(
                f"a dense confusion matrix of {count:,} concepts, more than {DENSE:,}",
                "Use .matrix, which is sparse, or .aggregated(hierarchy, level=1).to_numpy().",
            )
        return self._entries.toarray()

    def to_long(self, backend: str = "pandas") -> Any:  # noqa: ANN401 - a frame of any library
        """Make a tidy data frame: one entry that is not 0 per row.

        Parameters
        ----------
        backend
            Library of the frame: "pandas", "polars" or "pyarrow".

        Returns
        -------
        DataFrame
            Columns true, predicted, mass and share of row, and the labels of concepts where they have any.
        """
        return reports("entries")(self).to_frame(backend)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: ANN401, FBT001
        """Make an array of numpy."""
        if copy is False:
            raise ValueError("The array of a confusion matrix is a copy: use .matrix.")
        return self.to_numpy().astype(dtype or np.float64, copy=False)

    @cached_property
    def _entries(self) -> sparse.csr_array:
        return sparse.csr_array(self.matrix)

    def _refuse_shares(self, *others: ConfusionMatrix) -> None:
        if divided := [one.shares for one in (self, *others) if one.shares]:
            raise InputError(
                f"a confusion matrix of shares of {divided[0]!r}, which has no counts",
                "Use the matrix that it was made from, before .normalised() or normalise=.",
            )

    def normalised(self, by: Normalise) -> ConfusionMatrix:
        """Divide by the row sums ("true": a recall matrix), column sums ("predicted": precision), or the sum.

        Parameters
        ----------
        by
            "true", "predicted" or "all".

        Returns
        -------
        ConfusionMatrix
            Shares in [0, 1]; rows or columns that are all 0 stay 0. By Krstinić's rule the
            columns do not sum to the predicted counts, so "predicted" is only near to precision.

        Raises
        ------
        InputError
            If the matrix has shares already.
        ParameterError
            If `by` is something else.
        """
        other: Any = by
        by = "predicted" if str(other) == "pred" else "true" if other is True else by  # as elsewhere
        one_of("normalise", by, get_args(Normalise))
        self._refuse_shares()
        axis, shape = {"true": (1, (-1, 1)), "predicted": (0, (1, -1))}.get(by, (None, (1, 1)))
        sums = np.asarray(self.matrix.sum(axis=axis), dtype=np.float64).reshape(shape)
        factors = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)
        matrix = (
            self._entries.multiply(factors).tocsr() if sparse.issparse(self.matrix) else self.matrix * factors
        )
        return replace(self, matrix=matrix, shares=by)

    def top(self, number: int = 20) -> list[Taken]:
        """List the largest confusions: entries off the diagonal.

        By the rule "transport" only pairs of concepts; `unmatched` has the rest.

        Parameters
        ----------
        number
            Most confusions to list.

        Returns
        -------
        list of Taken
            Largest first; equal ones in the order of rows and columns.

        Raises
        ------
        ParameterError
            If the number is negative.
        """
        whole = as_shares(self)
        return [
            Taken(self.rows[row], self.columns[column], float(mass), float(whole.matrix[row, column]))
            for row, column, mass in zip(*self._largest(number), strict=True)
        ]

    def unmatched(self, number: int = 20) -> list[Unmatched]:
        """List the concepts that were missed, or predicted, with no counterpart.

        Parameters
        ----------
        number
            Most concepts to list.

        Returns
        -------
        list of Unmatched
            The largest sums of both first.

        Raises
        ------
        InputError
            If the matrix is by another rule than "transport", which alone keeps the two apart.
        ParameterError
            If the number is negative.

        Examples
        --------
        >>> confusion_matrix([["a", "b"]], [["c"]], rule="transport").unmatched(1)
        [Unmatched(concept='a', missed=0.5, false=0.0)]
        """
        self._refuse_shares()
        if self.rule != "transport":
            raise InputError(
                f"the rule {self.rule!r} does not keep labels without counterpart apart",
                'Make the matrix by rule="transport".',
            )
        number, concepts = whole_number("number", number), self._concepts[0]
        missed, false = (
            np.asarray(side.toarray(), dtype=np.float64).ravel()[: len(concepts)]
            for side in (self._entries[:, [-1]], self._entries[[-1]])
        )
        most = np.argsort(-(missed + false), kind="stable")[:number].tolist()
        found = (Unmatched(concepts[at], float(missed[at]), float(false[at])) for at in most)
        return [one for one in found if one.missed or one.false]

    def _largest(self, number: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
        """Rows, columns and masses of the largest confusions."""
        number, entries = whole_number("number", number), self._entries
        row, column, mass = row_of_entries(entries), entries.indices.astype(np.intp), entries.data
        # (NTL, NPL) is no confusion either: rightly nothing.
        off = (row != column) & (mass > 0)
        if self.rule == "transport":
            off &= np.maximum(row, column) < len(self._concepts[0])
        row, column, mass = row[off], column[off], mass[off]
        best = np.lexsort((column, row, -mass))[:number]
        return row[best], column[best], mass[best]

    def samples(self, true: str, predicted: str) -> dict[str, float]:
        """List the samples that put mass into one cell.

        Parameters
        ----------
        true
            Name of the row: a concept, a pseudo-concept, or a group of an aggregated matrix.
        predicted
            Name of the column.

        Returns
        -------
        dict of str to float
            Mass by sample, which sums to the entry of the cell; largest first, equal ones in the order of the
            samples.

        Raises
        ------
        InputError
            If there is no such row or column, or the matrix holds no samples: it is a sum of matrices, or
            was made from numbers.

        Examples
        --------
        >>> truth, run = {"p1": ["lake"], "p2": ["lake"]}, {"p1": ["river"], "p2": ["lake"]}
        >>> matrix = confusion_matrix(truth, run)
        >>> matrix.samples("lake", "river")
        {'p1': 1.0}
        """
        self._refuse_shares()
        places = []
        for side, name, names in (("row", true, self.rows), ("column", predicted, self.columns)):
            if name not in names:
                found = f"no {side} {name!r}{did_you_mean(name, names)}"
                raise InputError(found, f"Name a {side} of this confusion matrix.")
            places.append(names.index(name))
        if self.origin is None:
            raise InputError(
                "this confusion matrix holds no samples: it is a sum of matrices, or was made from numbers",
                "Make it from all samples at once, by ontoeval.confusion_matrix(truth, prediction).",
            )
        row, column = (np.array([place], dtype=np.intp) for place in places)
        mass = self.origin.of_cells(row, column).toarray()[0]
        names = self.origin.batch.truth.samples
        order = np.argsort(-mass, kind="stable")[: np.count_nonzero(mass > 0)]
        return {names[at]: float(mass[at]) for at in order.tolist()}

    def aggregated(
        self,
        hierarchy: Hierarchy,
        *,
        level: int | None = None,
        cut: Iterable[str] | None = None,
        branch: str | None = None,
    ) -> ConfusionMatrix:
        """Sum rows and columns by groups of concepts, by exactly one of the options.

        The diagonal also holds confusions within a group. A concept below several concepts of the cut is in
        several groups: its confusions with a concept of the same group stay in that group, and others are
        shared equally, so that the sum of all entries stays.

        Parameters
        ----------
        hierarchy
            The hierarchy of all concepts of the matrix.
        level
            One group for each concept of this depth, of which a root has 0, with all below it.
        cut
            One group for each of these concepts, with all below it that is not below another of them.
        branch
            Each concept at or below this one is a group.

        Returns
        -------
        ConfusionMatrix
            One row and column per group; one more, "(rest)", for concepts outside all groups if there are
            any; and the pseudo-concepts.

        Raises
        ------
        ParameterError
            If not exactly one of the three options is given.
        InputError
            If no concept is chosen.
        UnknownConceptError
            If the hierarchy lacks a concept.

        Examples
        --------
        >>> hierarchy = Hierarchy.from_edges([("x", "a"), ("x", "b"), ("y", "c")])
        >>> truth, run = [["a"], ["a"]], [["b"], ["c"]]
        >>> matrix = confusion_matrix(truth, run, rule="multiclass", hierarchy=hierarchy)
        >>> matrix.aggregated(hierarchy, level=0).matrix.tolist()
        [[1.0, 1.0], [0.0, 0.0]]
        """
        self._refuse_shares()
        concepts, rows, columns = self._concepts
        groups = Groups.from_hierarchy(hierarchy, concepts, level=level, cut=cut, branch=branch)
        sides = []
        for pseudo in (rows, columns):
            own = sparse.eye_array(len(pseudo), dtype=bool, format="csr")
            sides.append(sparse.csr_array(sparse.block_diag([groups.members, own], format="csr")))
        matrix = sum_by_groups(self._entries, *sides)
        return ConfusionMatrix(
            matrix if len(groups.names) > DENSE else matrix.toarray(),
            (*groups.names, *rows),
            (*groups.names, *columns),
            self.rule,
            self.variant,
            self.weight,
            self.names or hierarchy.vocabulary.names,
            None if self.origin is None else self.origin.grouped(*sides),
        )

    def relations(self, hierarchy: Hierarchy) -> list[Relation]:
        """Sum the entries by the relation of the predicted to the true concept.

        Parameters
        ----------
        hierarchy
            The hierarchy of all concepts of the matrix.

        Returns
        -------
        list of Relation
            One for each key of `ontoeval.evaluation.groups.RELATIONS`, in their order.

        Raises
        ------
        UnknownConceptError
            If the hierarchy lacks a concept.
        """
        self._refuse_shares()
        entries = self._entries
        relation, _ = self._related(hierarchy, row_of_entries(entries), entries.indices.astype(np.intp))
        whole = float(entries.data.sum())
        sums = {name: float(entries.data[relation == name].sum()) for name in RELATIONS}
        return [Relation(name, mass, mass / whole if whole else 0.0) for name, mass in sums.items()]

    def related(self, hierarchy: Hierarchy, number: int = 20) -> list[Related]:
        """List the largest confusions, as `top` does, with the relation of the two concepts.

        Parameters
        ----------
        hierarchy
            The hierarchy of all concepts of the matrix.
        number
            Most confusions to list.

        Returns
        -------
        list of Related
            Largest first.

        Raises
        ------
        ParameterError
            If the number is negative.
        UnknownConceptError
            If the hierarchy lacks a concept.
        """
        row, column, _ = self._largest(number)
        relation, links = self._related(hierarchy, row, column)
        found = zip(self.top(number), relation, links, strict=True)
        return [Related(*one, str(name), float(count)) for one, name, count in found]

    @property
    def _concepts(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """The concepts, and the pseudo-concepts of rows and of columns, which come last."""
        rule = RULES[self.rule]
        count = len(self.rows) - len(rule.rows)
        return self.rows[:count], self.rows[count:], self.columns[count:]

    def _related(self, hierarchy: Hierarchy, row: Places, column: Places) -> tuple[NDArray[np.str_], Numbers]:
        """Relations and links of the concepts of some entries; groups of the rest are no concepts."""
        concepts = self._concepts[0]
        real = concepts[: -1 if concepts[-1:] == (REST,) and REST not in hierarchy.vocabulary else None]
        position = np.full(max(self.matrix.shape), -1, dtype=np.intp)
        position[: len(real)] = hierarchy.vocabulary.positions(real)
        relation, links = relation_of_pairs(hierarchy, position[row], position[column])
        relation[row == column] = "same"  # also what is rightly nothing, or in the rest
        return relation, links

    def counts(self) -> ConceptCounts:
        """Count decisions per concept, by the equations of the rule's paper.

        TP is the diagonal, FN the rest of the row, FP the rest of the column. TN is the trace
        without TP for the MLCM (Heydarian eq. 18), and the rest of the matrix otherwise.

        Returns
        -------
        ConceptCounts
            One count per concept and pseudo-concept.

        Raises
        ------
        InputError
            If the matrix is one plane of the tensor, with only misses or only false labels; or is by the rule
            "transport", whose counts are those of each concept against the rest.
        """
        self._refuse_shares()
        if self.rule == "transport":
            raise InputError(
                "a matrix by the rule 'transport' does not hold the number of samples",
                "Use ontoeval.one_vs_rest(truth, prediction).",
            )
        if self.rule.startswith("tensor"):
            raise InputError(
                f"the rule {self.rule!r} gives one plane of the tensor, with only one side of the counts",
                "Use ontoeval.confusion_tensor(truth, prediction).counts().",
            )
        if len(self.rows) != len(self.columns):
            raise InputError("a matrix that is not square has no counts per concept", "Give a square one.")
        tp = np.asarray(self._entries.diagonal(), dtype=np.float64)
        fn = np.asarray(self.matrix.sum(axis=1), dtype=np.float64) - tp
        fp = np.asarray(self.matrix.sum(axis=0), dtype=np.float64) - tp
        tn = tp.sum() - tp if self.rule == "mlcm" else float(self.matrix.sum()) - tp - fn - fp
        names = tuple(
            row if row == column else f"{row}/{column}"
            for row, column in zip(self.rows, self.columns, strict=True)
        )
        return ConceptCounts(names, tp, fp, fn, tn, self.names)


@front_door
def confusion_matrix(
    truth: Labels,
    prediction: Labels,
    *,
    rule: str | None = None,
    variant: str | None = None,
    hierarchy: AnyHierarchy | None = None,
    normalise: Normalise | None = None,
    missing: Missing = "refuse",
    sample_weight: SampleWeight | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> ConfusionMatrix:
    """Make the confusion matrix of label sets by a rule that pairs missed and false labels.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    prediction
        What `evaluate` takes.
    rule
        "krstinic" [krstinic2020]_, "mlcm" [heydarian2022]_, "tensor-recall" or "tensor-precision"
        [krstinic2024]_, "transport", which pairs each missed label with at most one false one, the nearest in
        the hierarchy first, or "multiclass" where every sample has exactly one label. By default "transport"
        with a hierarchy and "krstinic" without.
    variant
        Of "mlcm": "paper", or "package" for what version 0.0.1 of the package of that name does;
        of the tensor: "unique" or "case"; of "transport": "facets given", which pairs two labels without a
        common ancestor only if neither has one with any label of the other side, "related given", which never
        pairs such labels, or "all given", which pairs all of them; "facets", "related" and "all" do so with
        the most specific labels of each set. By default the one that is named first. An abstract root of all
        labels counts as no ancestor.
    hierarchy
        The hierarchy of the concepts; the matrix has one row and column for each of its labels.
    normalise
        Divide by the sums of rows ("true"), of columns ("predicted") or of all entries ("all"), as
        `ConfusionMatrix.normalised` does.
    missing
        What to do with samples that only one side has: "refuse" or "empty", see `align`.
    sample_weight
        What each sample counts for, see `evaluate`.
    classes, separator
        See `evaluate`.

    Returns
    -------
    ConfusionMatrix
        Rows are true, columns predicted. Pseudo-concepts come last: `unknown` stands for an
        empty set, NTL for no true label, NPL for no predicted label.

    Raises
    ------
    ParameterError
        If there is no such rule or variant.
    InputError
        If the rule does not fit the sets.
    MisalignedError
        If samples or concepts differ.

    Examples
    --------
    >>> matrix = confusion_matrix([[1, 1, 0]], [[1, 0, 1]], rule="mlcm").matrix
    >>> matrix.astype(int).tolist()
    [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    """
    batch = batch_of(truth, prediction, SideOptions(hierarchy, missing, sample_weight, classes, separator))
    matrix = matrix_of(batch, Confusion(rule or usual_rule(batch.hierarchy), variant))
    return matrix if normalise is None else matrix.normalised(normalise)


def as_shares(matrix: ConfusionMatrix) -> ConfusionMatrix:
    """Divide by rows what is not divided yet."""
    return matrix if matrix.shares else matrix.normalised("true")


def matrix_of(batch: Batch, confusion: Confusion) -> ConfusionMatrix:
    """Make the confusion matrix of a batch; those of several batches can be added."""
    names, rule = batch.truth.vocabulary.concepts, RULES[confusion.rule]
    weights = batch.sample_weight
    links = confusion(batch).weighted(weights)
    matrix = links.matrix()
    return ConfusionMatrix(
        matrix if len(names) > DENSE else matrix.toarray(),
        (*names, *(_distinct_pseudo_concept(pseudo, names) for pseudo in rule.rows)),
        (*names, *(_distinct_pseudo_concept(pseudo, names) for pseudo in rule.columns)),
        confusion.rule,
        confusion.variant,
        None if weights is None else fsum(weights.tolist()),
        batch.vocabulary.names,
        Origin(batch, links),
    )


def _distinct_pseudo_concept(pseudo: str, names: tuple[str, ...]) -> str:
    """Rename a pseudo-concept that has the name of a concept."""
    return f"{pseudo} (no label)" if pseudo in names else pseudo


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionTensor(Shown):
    """The two planes of the confusion tensor.

    Parameters
    ----------
    recall_plane
        Where missed labels went; its row sums are the true counts.
    precision_plane
        Where false labels came from; its column sums are the predicted counts.
    samples
        Number of samples, or sum of their weights; where only some labels are known, one number per concept
        and for `unknown`.
    decisions
        Decisions about each concept, and about `unknown`, counted in the sets.

    Examples
    --------
    >>> tensor = confusion_tensor([["a", "b"]], [["a", "c"]])
    >>> tensor.recall_plane.matrix[1].tolist(), tensor.counts().recall.tolist()[:3]
    ([0.5, 0.0, 0.5, 0.0], [1.0, 0.0, nan])
    """

    recall_plane: ConfusionMatrix
    precision_plane: ConfusionMatrix
    samples: float | NDArray[np.float64]
    decisions: ConceptCounts

    @property
    def _brief(self) -> str:
        return f"{len(self.recall_plane.rows):,} × {len(self.recall_plane.columns):,} × 2"

    def counts(self) -> ConceptCounts:
        """Count the decisions about each concept.

        The misses of a concept are also the sum of its row of the recall plane without the diagonal, and its
        false labels that of its column of the precision plane, but for the rounding of fractions.

        Returns
        -------
        ConceptCounts
            The counts of each concept, and of `unknown`, in the sets; whole without sample weights.
        """
        return self.decisions


@front_door
def confusion_tensor(
    truth: Labels,
    prediction: Labels,
    *,
    variant: Literal["unique", "case"] = "unique",
    hierarchy: AnyHierarchy | None = None,
    missing: Missing = "refuse",
    sample_weight: SampleWeight | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> ConfusionTensor:
    """Make both planes of the multi-label confusion tensor [krstinic2024]_.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    prediction
        What `evaluate` takes.
    variant
        "unique" spreads a missed label over all predicted ones and a false one over all true
        ones; "case" over the false and the missed ones alone, where there are both.
    hierarchy
        The hierarchy of the concepts.
    missing
        What to do with samples that only one side has: "refuse" or "empty", see `align`.
    sample_weight
        What each sample counts for, see `evaluate`.
    classes, separator
        See `evaluate`.

    Returns
    -------
    ConfusionTensor
        The recall plane and the precision plane.

    Raises
    ------
    ParameterError
        If there is no such variant.
    MisalignedError
        If samples or concepts differ.
    """
    how = SideOptions(hierarchy, missing, sample_weight, classes, separator)
    return tensor_of(batch_of(truth, prediction, how), variant)


def tensor_of(batch: Batch, variant: str | None = None) -> ConfusionTensor:
    """Make both planes of the tensor of a batch, and count in its sets."""
    recall, precision = (Confusion(rule, variant) for rule in ("tensor-recall", "tensor-precision"))
    plane, counting = matrix_of(batch, recall), CountsPerConcept("tensor", variant)
    decisions = ConceptCounts(
        plane.rows,
        *counting.unpack(with_sample_weights(counting(batch), batch.sample_weight).total()),
        plane.names,
    )
    samples: float | NDArray[np.float64] = len(batch) if plane.weight is None else plane.weight
    if batch.known is not None:
        weights = np.ones(len(batch)) if batch.sample_weight is None else batch.sample_weight
        samples = np.append(weights @ batch.known, samples)
    return ConfusionTensor(plane, matrix_of(batch, precision), samples, decisions)
