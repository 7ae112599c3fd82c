"""Confusion matrices and the confusion tensor of label sets, by published rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.confusion.one_vs_rest import ConceptCounts
from ontoeval.core.batch import Batch, batch_of
from ontoeval.core.checks import Missing, whole_number
from ontoeval.core.coercion import Labels
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.sparse import row_of_entries
from ontoeval.errors import InputError, one_of
from ontoeval.evaluation.groups import RELATIONS, REST, Groups, Related, Relation, grouped, related
from ontoeval.measures.confusion_rules import RULES, Confusion, CountsPerConcept

DENSE = 2_000
"""Most concepts of a dense matrix."""


class Taken(NamedTuple):
    """A true concept that was taken for another."""

    true: str
    predicted: str
    mass: float
    share: float


@dataclass(frozen=True, eq=False)
class ConfusionMatrix:
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
            raise InputError("a confusion matrix with negative or undefined entries", "Entries count.")
        object.__setattr__(self, "matrix", matrix)
        object.__setattr__(self, "rows", tuple(self.rows))
        object.__setattr__(self, "columns", tuple(self.columns))

    def __add__(self, other: ConfusionMatrix) -> ConfusionMatrix:
        """Add the matrix of other samples over the same concepts."""
        alike = ("rows", "columns", "rule", "variant")
        if any(getattr(self, name) != getattr(other, name) for name in alike):
            raise InputError(
                "confusion matrices over different concepts or by different rules", "Make them alike."
            )
        total: Any = self.matrix + other.matrix
        return ConfusionMatrix(total, self.rows, self.columns, self.rule, self.variant)

    @cached_property
    def _entries(self) -> sparse.csr_array:
        return sparse.csr_array(self.matrix)

    def normalised(self, by: Literal["true", "predicted"]) -> NDArray[np.float64] | sparse.csr_array:
        """Divide by the row sums ("true": a recall matrix) or column sums ("predicted": precision).

        Parameters
        ----------
        by
            "true" or "predicted".

        Returns
        -------
        ndarray or csr_array of float
            Shares in [0, 1]; rows or columns that are all 0 stay 0. By Krstinić's rule the
            columns do not sum to the predicted counts, so "predicted" is only near to precision.
        """
        one_of("by", by, ("true", "predicted"))
        axis = 1 if by == "true" else 0
        sums = np.asarray(self.matrix.sum(axis=axis), dtype=np.float64)
        inverse = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)
        factors = inverse[:, None] if by == "true" else inverse[None, :]
        if sparse.issparse(self.matrix):
            return sparse.csr_array(self.matrix.multiply(factors))
        return self.matrix * factors

    def top(self, number: int = 20) -> list[Taken]:
        """List the largest confusions: entries off the diagonal.

        Parameters
        ----------
        number
            Most confusions to list.

        Returns
        -------
        list of Taken
            Largest first; equal ones in the order of rows and columns.
        """
        sums = np.asarray(self._entries.sum(axis=1), dtype=np.float64)
        return [
            Taken(self.rows[row], self.columns[column], float(mass), float(mass / sums[row]))
            for row, column, mass in zip(*self._largest(number), strict=True)
        ]

    def _largest(self, number: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
        """Rows, columns and masses of the largest confusions."""
        number, entries = whole_number("number", number), self._entries
        row, column, mass = row_of_entries(entries), entries.indices.astype(np.intp), entries.data
        # (NTL, NPL) is no confusion either: rightly nothing.
        off = (row != column) & (mass > 0)
        row, column, mass = row[off], column[off], mass[off]
        best = np.lexsort((column, row, -mass))[:number]
        return row[best], column[best], mass[best]

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
            One group for each concept of this depth, with all below it.
        cut
            One group for each of these concepts, with all below it that is not below another of them.
        branch
            Each concept at or below this one is a group.

        Returns
        -------
        ConfusionMatrix
            One row and column per group; one more, "(rest)", for concepts outside all groups if there are
            any; and the pseudo-concepts.

        Examples
        --------
        >>> hierarchy = Hierarchy.from_edges([("x", "a"), ("x", "b"), ("y", "c")])
        >>> matrix = confusion_matrix([["a"], ["a"]], [["b"], ["c"]], rule="multiclass", hierarchy=hierarchy)
        >>> matrix.aggregated(hierarchy, level=0).matrix.tolist()
        [[1.0, 1.0], [0.0, 0.0]]
        """
        concepts, rows, columns = self._concepts
        groups = Groups.of(hierarchy, concepts, level=level, cut=cut, branch=branch)
        sides = []
        for pseudo in (rows, columns):
            own = sparse.eye_array(len(pseudo), dtype=bool, format="csr")
            sides.append(sparse.csr_array(sparse.block_diag([groups.members, own], format="csr")))
        matrix = grouped(self._entries, *sides)
        return ConfusionMatrix(
            matrix if len(groups.names) > DENSE else matrix.toarray(),
            (*groups.names, *rows),
            (*groups.names, *columns),
            self.rule,
            self.variant,
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
        """
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

    def _related(
        self, hierarchy: Hierarchy, row: NDArray[np.intp], column: NDArray[np.intp]
    ) -> tuple[NDArray[np.str_], NDArray[np.float64]]:
        """Relations and links of the concepts of some entries; groups of the rest are no concepts."""
        concepts = self._concepts[0]
        real = concepts[: -1 if concepts[-1:] == (REST,) and REST not in hierarchy.vocabulary else None]
        position = np.full(max(self.matrix.shape), -1, dtype=np.intp)
        position[: len(real)] = hierarchy.vocabulary.positions(real)
        relation, links = related(hierarchy, position[row], position[column])
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
        """
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
        return ConceptCounts(names, tp, fp, fn, tn)


def confusion_matrix(
    truth: Labels,
    prediction: Labels,
    *,
    rule: str = "krstinic",
    variant: str | None = None,
    hierarchy: Hierarchy | None = None,
    missing: Missing = "refuse",
) -> ConfusionMatrix:
    """Make the confusion matrix of label sets by a published rule.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    prediction
        What `evaluate` takes.
    rule
        "krstinic" [krstinic2020]_, "mlcm" [heydarian2022]_, "tensor-recall" or "tensor-precision"
        [krstinic2024]_, or "multiclass" where every sample bears exactly one label.
    variant
        Of "mlcm": "paper", or "package" for what version 0.0.1 of the package of that name does;
        of the tensor: "unique" or "case".
    hierarchy
        The hierarchy of the concepts; the matrix has one row and column for each of its labels.
    missing
        What to do with samples that only one side has: "refuse" or "empty", see `align`.

    Returns
    -------
    ConfusionMatrix
        Rows are true, columns predicted. Pseudo-concepts come last: `unknown` stands for an
        empty set, NTL for no true label, NPL for no predicted label.

    Examples
    --------
    >>> confusion_matrix([[1, 1, 0]], [[1, 0, 1]], rule="mlcm").matrix.astype(int).tolist()
    [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    """
    return matrix_of(batch_of(truth, prediction, hierarchy, missing), Confusion(rule, variant))


def matrix_of(batch: Batch, confusion: Confusion) -> ConfusionMatrix:
    """Make the confusion matrix of a batch; those of several batches can be added."""
    names, rule = batch.truth.vocabulary.concepts, RULES[confusion.rule]
    matrix = confusion(batch).matrix()
    return ConfusionMatrix(
        matrix if len(names) > DENSE else matrix.toarray(),
        (*names, *(_unlike(pseudo, names) for pseudo in rule.rows)),
        (*names, *(_unlike(pseudo, names) for pseudo in rule.columns)),
        confusion.rule,
        confusion.variant,
    )


def _unlike(pseudo: str, names: tuple[str, ...]) -> str:
    """Rename a pseudo-concept that has the name of a concept."""
    return f"{pseudo} (no label)" if pseudo in names else pseudo


@dataclass(frozen=True, eq=False)
class ConfusionTensor:
    """The two planes of the confusion tensor.

    Parameters
    ----------
    recall_plane
        Where missed labels went; its row sums are the true counts.
    precision_plane
        Where false labels came from; its column sums are the predicted counts.
    samples
        Number of samples; where only some labels are known, one number per concept and for `unknown`.
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
    samples: int | NDArray[np.float64]
    decisions: ConceptCounts

    def counts(self) -> ConceptCounts:
        """Count the decisions about each concept.

        The misses of a concept are also the sum of its row of the recall plane without the diagonal, and its
        false labels that of its column of the precision plane, but for the rounding of fractions.

        Returns
        -------
        ConceptCounts
            The counts of each concept, and of `unknown`, in the sets: whole numbers.
        """
        return self.decisions


def confusion_tensor(
    truth: Labels,
    prediction: Labels,
    *,
    variant: Literal["unique", "case"] = "unique",
    hierarchy: Hierarchy | None = None,
    missing: Missing = "refuse",
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
    """
    return tensor_of(batch_of(truth, prediction, hierarchy, missing), variant)


def tensor_of(batch: Batch, variant: str | None = None) -> ConfusionTensor:
    """Make both planes of the tensor of a batch, and count in its sets."""
    recall, precision = (Confusion(rule, variant) for rule in ("tensor-recall", "tensor-precision"))
    plane, counting = matrix_of(batch, recall), CountsPerConcept("tensor", variant)
    decisions = ConceptCounts(plane.rows, *counting.unpack(counting(batch).total()))
    known = batch.known
    samples = len(batch) if known is None else np.append(known.sum(axis=0), float(len(batch)))
    return ConfusionTensor(plane, matrix_of(batch, precision), samples, decisions)
