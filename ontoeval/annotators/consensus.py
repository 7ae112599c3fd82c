"""The consensus of annotators: majority, majority made consistent with the ontology, or Dawid and Skene."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logit

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.given import AnyAnnotations, annotations_of
from ontoeval.annotators.options import ConsensusMethod, TiedVotes
from ontoeval.annotators.votes import ConceptMatrices, Votes
from ontoeval.comparison.plan import Progress, silent
from ontoeval.concepts.violations import RuleBook, rule_book
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import ParameterError, enumerate_some, one_of, pluralise
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import (
    choose_entries,
    entries_at,
    entries_of_rows,
    pattern,
    pattern_at,
    row_of_entries,
    without_entries,
)

_SMOOTHING = 0.01
"""Right and wrong answers of either kind that are added, so that who was never wrong can be outvoted."""
_TOLERANCE = 1e-10
_LEAST = 1e-9
"""Smaller probabilities are kept as 0."""

_HALF = 0.5

_NAMED = 10
"""Most concepts whose prevalence is told before and after."""

_IDENTIFIED = 3
"""Fewest annotators for which the answers show who errs."""


class AnswerCounts(NamedTuple):
    """Counts of a concept: most annotators of a sample, samples with an answer, answers yes, all answers."""

    deciding: int
    samples: int
    yes: int
    decisions: int


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """The model fitted to each concept.

    Parameters
    ----------
    vocabulary
        The concepts.
    probability
        Samples × concepts: probability of the label; 0 where nobody answers.
    sensitivity, specificity
        Annotators × concepts: how likely an annotator says yes where the label is true, and no where it is
        not; nan for concepts without any yes.
    prevalence
        Probability of each label before anybody answers.
    iterations, converged
        Number of steps of each concept, and whether its fit converged.
    heard
        Numbers of answers on each concept that is mentioned, by its position.
    annotators, samples
        Their names.
    """

    vocabulary: Vocabulary
    probability: sparse.csr_array
    sensitivity: Numbers
    specificity: Numbers
    prevalence: Numbers
    iterations: NDArray[np.intp]
    converged: NDArray[np.bool_]
    heard: Mapping[int, AnswerCounts]
    annotators: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Concepts whose model is not to be trusted, in words."""
        likely = self.probability.indices[self.probability.data > _HALF]
        mistaken = np.mean((self.sensitivity < _HALF) | (self.specificity < _HALF), axis=0) >= _HALF
        found = np.bincount(likely, minlength=len(self.vocabulary)).tolist()
        given = {concept: heard for concept, heard in self.heard.items() if heard.yes}
        doubts: dict[str, Callable[[int, AnswerCounts], bool]] = {
            "the fit did not converge": (lambda concept, _: not self.converged[concept]),
            "at most two annotators of a sample decide, so that the result depends on the starting values; "
            "the majority is the safer consensus": (lambda _, heard: heard.deciding < _IDENTIFIED),
            "by the model half of the annotators or more are wrong more often than right (sensitivity or "
            "specificity below 0.5): either they share a mistake, or the model is wrong, and the answers "
            "cannot show which; the majority is the safer consensus": (lambda one, _: bool(mistaken[one])),
            "in no sample of the consensus, although annotators give the label": lambda concept, _: (
                not found[concept]
            ),
            "in every sample of the consensus, although annotators disagree": (
                lambda concept, heard: found[concept] == heard.samples and heard.yes < heard.decisions
            ),
        }
        named = {
            what: [self.vocabulary[concept] for concept, heard in given.items() if holds(concept, heard)]
            for what, holds in doubts.items()
        }
        return tuple(
            f"Dawid and Skene, {len(some):,} of {len(given):,} concepts ({enumerate_some(some)}): {what}"
            for what, some in named.items()
            if some
        )


def dawid_skene(annotations: Annotations, *, most: int = 1_000, progress: Progress = silent) -> DawidSkene:
    """Fit the model of Dawid and Skene [dawid1979]_ to each concept, by expectation maximisation.

    A label is true or not, independently in each sample; annotator and truth decide how likely a yes is,
    independently of the other annotators. The first probabilities are the shares of yes. From three
    annotators on it can be found out who of them errs; with two the same answers fit several models.

    Parameters
    ----------
    annotations
        The annotations.
    most
        Most steps of each concept; the fit ends when no probability changes by more than 1e-10.
    progress
        Progress callback, see `ontoeval.compare`: each concept is a step.

    Examples
    --------
    >>> usual, other = [["a"], [], ["a"]], [[], ["a"], []]
    >>> said = {"Ann": usual, "Bob": usual, "Eve": other}
    >>> model = dawid_skene(Annotations.from_sets(said))
    >>> model.probability.toarray().round(2).T.tolist()
    [[1.0, 0.0, 1.0]]
    >>> bool(model.sensitivity[2, 0] < 0.1)
    True
    """
    matrices = ConceptMatrices.from_annotations(annotations, dense=0)
    used = Votes.from_annotations(annotations).used_concepts
    number = len(annotations.vocabulary)
    rates, prevalence = np.full((2, len(annotations.annotators), number), np.nan), np.zeros(number)
    iterations, converged = np.zeros(number, dtype=np.intp), np.ones(number, dtype=bool)
    heard: dict[int, AnswerCounts] = {}
    rows, values = [np.empty(0, dtype=np.intp)], [np.empty(0)]
    with progress("Finding the consensus", used.size) as step:
        for concept in used.tolist():
            fit = _Fit(matrices.yes_answers(concept), matrices.known_answers(concept))
            steps, change = 0, np.inf
            while change > _TOLERANCE and steps < most:
                change, steps = fit.step(), steps + 1
            rates[:, :, concept], prevalence[concept] = fit.rates, fit.prevalence
            iterations[concept], converged[concept] = steps, change <= _TOLERANCE
            heard[concept] = fit.heard
            rows.append(np.flatnonzero(fit.probability > _LEAST))
            values.append(fit.probability[rows[-1]])
            step()
    places = np.concatenate(rows), np.repeat(used, [len(likely) for likely in rows[1:]])
    shape = len(annotations.samples), number
    probability = sparse.csr_array((np.concatenate(values), places), shape=shape)
    fitted = probability, rates[0], rates[1], prevalence, iterations, converged, MappingProxyType(heard)
    return DawidSkene(annotations.vocabulary, *fitted, annotations.annotators, annotations.samples)


class _Fit:
    """The model of one concept while it is fitted."""

    def __init__(self, yes: sparse.csr_array, known: sparse.csr_array) -> None:
        self._yes = yes.astype(np.float64)
        self._whole = known.nnz == known.shape[0] * known.shape[1]  # sums tell as much, and are fast
        self._known = known.astype(np.float64)
        self._yes_of, self._known_of = self._yes.T.tocsr(), self._known.T.tocsr()
        self._found, self._answers = self._yes.sum(axis=1), self._known.sum(axis=1)
        asked = np.asarray(known.sum(axis=0), dtype=np.float64)
        self._told = asked > 0
        self.heard = AnswerCounts(
            int(asked.max(initial=0)), int(self._told.sum()), int(yes.nnz), int(asked.sum())
        )
        self.probability: Numbers = np.asarray(yes.sum(axis=0)) / np.maximum(asked, 1)
        self._learn()

    def step(self) -> float:
        """Infer the probabilities, then learn the rates from them; return the largest change."""
        (sensitivity, specificity), before = self.rates, self.probability
        if_yes = np.log(sensitivity) - np.log1p(-specificity)
        if_no = np.log1p(-sensitivity) - np.log(specificity)
        evidence = self._yes_of @ (if_yes - if_no)
        evidence += if_no.sum() if self._whole else self._known_of @ if_no
        self.probability = np.where(self._told, expit(logit(self.prevalence) + evidence), 0.0)
        self._learn()
        return float(np.abs(self.probability - before).max(initial=0))

    def _learn(self) -> None:
        there, more = self.probability, _SMOOTHING
        right = self._yes @ there
        present = np.asarray(there.sum() if self._whole else self._known @ there)
        absent = np.maximum(self._answers - present, 0)
        rejected = np.maximum(absent - (self._found - right), 0)  # rounding must not leave less than nothing
        self.rates = np.stack(
            [(right + more) / (present + 2 * more), (rejected + more) / (absent + 2 * more)]
        )
        self.prevalence = float((there.sum() + more) / (self._told.sum() + 2 * more))


@dataclass(frozen=True, eq=False)
class Consensus:
    """A consensus with remarks.

    Parameters
    ----------
    sets
        One set for each sample of which an annotator decides anything.
    notes
        Decisions that nobody took, ties, what a model changes, and concepts whose model is not to be trusted.
    model
        The model by which the sets were found, if any.
    """

    sets: LabelSets
    notes: tuple[str, ...] = ()
    model: DawidSkene | None = None


@front_door
def consensus(
    annotations: AnyAnnotations,
    *,
    method: ConsensusMethod = "majority",
    hierarchy: AnyHierarchy | None = None,
    ties: TiedVotes = "absent",
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> LabelSets:
    """Combine the annotations into one label set per sample.

    Parameters
    ----------
    annotations
        Annotations, a data frame that `Annotations.from_frame` reads, or the labels of each annotator.
    method
        "majority": labels that more than half of the annotators give who decide. "consistent": the majority,
        made to fit the hierarchy: ancestors that may be labels are added; of two labels that exclude
        each other, the one that fewer annotators support goes, with all below it; then labels go that require
        another that is absent. "dawid-skene": labels that are more likely than not by the model of
        `dawid_skene`, in which each annotator has a sensitivity and a specificity for each concept.
    hierarchy
        Ancestors, exclusions and requirements, for "consistent".
    ties
        Whether a label that half of the annotators give is "absent" or "present".
    classes, separator
        See `evaluate`.

    Returns
    -------
    LabelSets
        One set for each sample of which an annotator decides anything; labels that nobody decides are absent,
        and counted by `consensus_with_notes`.

    Raises
    ------
    ParameterError
        If an option has no such value, or the hierarchy is missing.
    MisalignedError
        If a concept that is used is no label of the hierarchy.

    Examples
    --------
    >>> sheets = {"Ann": [["a", "b"]], "Bob": [["a"]], "Eve": [["b", "c"]]}
    >>> said = Annotations.from_sets(sheets)
    >>> consensus(said).labels_of("0")
    ('a', 'b')
    """
    said = annotations_of(annotations, LabelSyntax(classes, separator))
    if hierarchy is not None:
        said = said.named_by(hierarchy.vocabulary)
    return consensus_with_notes(said, method=method, hierarchy=hierarchy, ties=ties).sets


def consensus_with_notes(
    annotations: Annotations,
    *,
    method: ConsensusMethod = "majority",
    hierarchy: Hierarchy | None = None,
    ties: TiedVotes = "absent",
    progress: Progress = silent,
) -> Consensus:
    """Combine the annotations as `consensus` does, with remarks on how far to trust the result.

    Parameters
    ----------
    annotations
        The annotations.
    method, hierarchy, ties
        See `consensus`.
    progress
        Progress callback, see `ontoeval.compare`; each concept to which a model is fitted is a step.
    """
    one_of("method", method, get_args(ConsensusMethod))
    one_of("ties", ties, get_args(TiedVotes))
    if method == "consistent" and hierarchy is None:
        raise ParameterError("method", method, "an ontology beside it (--ontology, hierarchy=)")
    votes = Votes.from_annotations(annotations)
    seen, notes = _samples_with_decisions(annotations, votes)
    names = annotations.vocabulary, tuple(annotations.samples[row] for row in seen.tolist())
    if method == "dawid-skene":
        model = dawid_skene(annotations, progress=progress)
        likely = model.probability[seen]
        chosen = choose_entries(likely, likely.data >= _HALF if ties == "present" else likely.data > _HALF)
        sets, most = LabelSets(chosen, *names), LabelSets(majority(votes, ties)[seen], *names)
        return Consensus(sets, (*notes, _describe_changes(most, sets), *model.notes), model)
    sets = LabelSets(majority(votes, ties)[seen], *names)
    tied = majority(votes, "present").nnz - majority(votes, "absent").nnz
    if tied:
        told = "as many annotators for a label as against it"
        notes.append(f"{pluralise(tied, 'tie')}, {told}: {ties} (--ties)")
    if hierarchy is not None and method == "consistent":
        over = hierarchy.with_labels(annotations.vocabulary)
        inner = over.label_vocabulary
        shares = LabelScores(votes.yes_shares[seen], *names).within(inner)
        fitting = _consistent(sets.within(inner).matrix, shares.matrix, over)
        sets = LabelSets(fitting, inner, names[1]).within(annotations.vocabulary)
    return Consensus(sets, tuple(notes))


def _describe_changes(before: LabelSets, after: LabelSets) -> str:
    """Count the samples that a model changes, and name the concepts whose prevalence moves most."""
    sides = before.matrix, after.matrix
    differ = np.diff(sparse.csr_array(without_entries(*sides) + without_entries(*sides[::-1])).indptr) > 0
    was, now = (np.bincount(side.indices, minlength=len(before.vocabulary)) for side in sides)
    order = np.argsort(-np.abs(now - was), kind="stable")[:_NAMED].tolist()
    named = (
        f"{before.vocabulary[one]!r} {was[one]:,} -> {now[one]:,}" for one in order if was[one] != now[one]
    )
    text = (
        f"Dawid and Skene change {differ.sum():,} of {pluralise(len(after), 'sample')} against the majority"
    )
    return f"{text}; concepts by how many samples have them: {', '.join(named) or 'no change'}"


def _samples_with_decisions(annotations: Annotations, votes: Votes) -> tuple[NDArray[np.intp], list[str]]:
    """Find the samples with any decision; count undecided concepts in notes."""
    unknown = sparse.csr_array(votes.unknown)
    row = row_of_entries(unknown)
    gaps = np.bincount(row[unknown.data == votes.seen[row]], minlength=votes.seen.size)
    rows = np.flatnonzero((votes.seen > 0) & (gaps < max(len(annotations.vocabulary), 1)))
    asked, lost, notes = int(annotations.asked.sum()), gaps.size - rows.size, []
    if lost:
        notes.append(
            f"no consensus on {pluralise(lost, 'sample')}, where no annotator decides anything: left out"
        )
    open_ones = int(gaps[rows].sum()) - rows.size * (len(annotations.vocabulary) - asked)
    if open_ones:
        notes.append(
            f"no annotator takes {open_ones:,} of {rows.size * asked:,} decisions, one for each concept of "
            "each sample: absent in the consensus"
        )
    return rows, notes


def majority(votes: Votes, ties: TiedVotes = "absent") -> sparse.csr_array:
    """Mark the labels that more than half of the annotators give who decide, samples × concepts."""
    yes = sparse.csr_array(votes.yes)
    margin = sparse.csr_array(2 * yes + pattern(yes) * sparse.csr_array(votes.unknown))
    over = margin.data - votes.seen[row_of_entries(margin)]
    return choose_entries(margin, over >= 0 if ties == "present" else over > 0)


def _consistent(sets: sparse.csr_array, support: sparse.csr_array, hierarchy: Hierarchy) -> sparse.csr_array:
    """Add ancestors, and take labels away until no exclusion and no requirement is broken.

    A label is supported as much as any label below it. In each sample, of the broken exclusions, that comes
    first whose better supported side is supported best: the labels of the other side go, or both
    where they are supported alike. When no exclusion is broken, labels go whose requirement is absent.
    Ancestors of nothing that is left go with them.
    """
    upwards = hierarchy.labels_upward
    book = rule_book(hierarchy)
    # Above 0, so that a label without support differs from an absent one.
    own = sparse.csr_array(sets * support + sets.astype(np.float64))
    active, kept = np.arange(sets.shape[0]), own
    while active.size:
        gone = _sides_to_remove(_group_maxima(_group_maxima(kept[active], upwards), book.sides), book)
        lost = sparse.csr_array((gone @ book.sides.T.tocsr()) * pattern(kept[active]))
        changed = np.flatnonzero(np.diff(lost.indptr))
        active, lost = active[changed], lost[changed]
        taken = pattern_at(active[row_of_entries(lost)], lost.indices, kept.shape)
        kept = sparse.csr_array(kept * without_entries(pattern(kept), taken))
    return pattern(pattern(kept) @ upwards)


def _sides_to_remove(sides: sparse.csr_array, book: RuleBook) -> sparse.csr_array:
    """Choose the sides of rules that go from each sample, from the support of each side."""
    left, right = (sides[:, which[book.excludes]] for which in (book.left, book.right))
    both = sparse.csr_array(left * right)
    row, rule = row_of_entries(both), both.indices.astype(np.intp)
    one, other = (entries_at(sparse.csr_array(side), row, rule) for side in (left, right))
    better = np.maximum(one, other)
    best = np.zeros(sides.shape[0])
    np.maximum.at(best, row, better)
    first = better == best[row]
    weaker = [
        (row[first & chosen], which[book.excludes][rule[first & chosen]])
        for which, chosen in ((book.left, one <= other), (book.right, other <= one))
    ]
    requires = ~book.excludes
    there, met = (pattern(sides[:, which[requires]]) for which in (book.left, book.right))
    unmet = without_entries(there, met)
    row = row_of_entries(unmet)
    last = best[row] == 0  # requirements come when no exclusion is broken
    weaker.append((row[last], book.left[requires][unmet.indices[last]]))
    rows, columns = (np.concatenate(side) for side in zip(*weaker, strict=True))
    return pattern_at(rows, columns, sides.shape)


def _group_maxima(values: sparse.csr_array, members: sparse.csr_array) -> sparse.csr_array:
    """Take the largest value of the members of every group, row by row."""
    entries, lengths = entries_of_rows(members, values.indices)
    rows = np.repeat(row_of_entries(values), lengths)
    columns, data = members.indices[entries].astype(np.intp), np.repeat(values.data, lengths)
    order = np.lexsort((columns, rows))
    rows, columns, data = rows[order], columns[order], data[order]
    starts = np.flatnonzero((np.diff(rows, prepend=-1) != 0) | (np.diff(columns, prepend=-1) != 0))
    if starts.size:
        data = np.maximum.reduceat(data, starts)
    shape = values.shape[0], members.shape[1]
    return sparse.csr_array((data, (rows[starts], columns[starts])), shape=shape)
