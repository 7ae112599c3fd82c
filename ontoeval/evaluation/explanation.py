"""Explanation of the ontology score of one sample, label by label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from scipy import sparse

from ontoeval.concepts.costs import PathCosts, cheapest_path
from ontoeval.concepts.weighting import with_agreement_of
from ontoeval.core.batch import Batch, aligned
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.inputs import Labels, sides_of
from ontoeval.core.names import NO_NAMES, ConceptNames
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.sample_weights import SampleWeight, weights_of
from ontoeval.core.showing import Shown
from ontoeval.core.table import DIGITS
from ontoeval.errors import InputError, MeasureError, did_you_mean, pluralise
from ontoeval.measures.base import Measures, compute, info, measure_blamed
from ontoeval.measures.catalogue import full_name, measures_of
from ontoeval.measures.matching import Nearest
from ontoeval.measures.ontology_score import OntologyScore
from ontoeval.measures.presets import usual_measures
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import row_of_entries

Outcome = Literal["false", "missed", "common"]
PENALISED: dict[str, tuple[Outcome, ...]] = {
    "false positives": ("false",),
    "all predicted": ("false", "common"),
    "none": (),
}
"""Kinds of labels that are charged for breaking rules, by the score's option `penalise`."""


class Charge(NamedTuple):
    """The charge of one label."""

    label: str
    kind: Outcome
    matched: str | None
    path: tuple[str, ...]
    cost: float
    agreement: float
    charge: float
    rules: tuple[str, ...]
    ancestors: tuple[str, ...] = ()
    """Ancestors of a false or missed label that the other side has not, not as ancestors either."""


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
    """The ontology score of a sample, label by label.

    Parameters
    ----------
    sample
        Identifier of the sample.
    measure
        The notation of the score with all its parameters.
    charges
        The charge of each label; common labels come last.
    alpha
        The power of the score.
    score
        The score.
    sample_weight
        What the sample counts for among others, which changes nothing in its own score; None without weights.
    names
        Labels and other names of the concepts.
    scores
        The scores of the sample by the measure that ranks by default, or by all that were asked for.
    """

    sample: str
    measure: str
    charges: tuple[Charge, ...]
    alpha: float
    score: float
    sample_weight: float | None = None
    names: ConceptNames = field(default=NO_NAMES, repr=False)
    scores: Mapping[str, float] = field(default_factory=dict)

    @property
    def _brief(self) -> str:
        return f"{self.sample!r}: {self.scores_in_words}, {pluralise(len(self.charges), 'label')}"

    @property
    def scores_in_words(self) -> str:
        """The scores with their names."""
        scores = self.scores or {"OS": self.score}
        return ", ".join(f"{name} {score:.{DIGITS}f}" for name, score in scores.items())

    def __str__(self) -> str:
        """Write the scores, and the charges of OS, one label to a line."""
        weight = "" if self.sample_weight is None else f"  (sample weight {self.sample_weight:g})"
        lines, shown = [f"{self.sample}: {self.scores_in_words}{weight}"], self.names.display_name
        for charge in self.charges:
            because = (
                "; ".join(charge.rules)
                or " - ".join(map(shown, charge.path))
                or (f"matched to {shown(charge.matched)}" if charge.matched else "")
            )
            lines.append(
                f"  {charge.kind:<6} {shown(charge.label)}: {charge.charge:.4f}"
                + f"  ({because})" * bool(because)
            )
        return "\n".join([*lines, f"  OS: {self.derivation}"])

    @property
    def derivation(self) -> str:
        """The score as a formula of the charges."""
        total = sum(charge.charge for charge in self.charges)
        how = f"(1 - {total:.4f} / {len(self.charges)})^{self.alpha:g}"
        if all(charge.kind == "missed" for charge in self.charges) and self.score in {0, 1}:
            how = "nothing is predicted" if self.charges else "nothing is true or predicted"
        return f"{how} = {self.score:.4f}"


@front_door
def explain(
    truth: Labels,
    prediction: Labels,
    sample: str,
    *,
    hierarchy: AnyHierarchy,
    agreement: Mapping[str, float] | None = None,
    measure: Measures | None = None,
    sample_weight: SampleWeight | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> Explanation:
    """Explain the ontology score of one sample.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    prediction
        What `evaluate` takes.
    sample
        Identifier of the sample.
    hierarchy
        The hierarchy of the concepts.
    agreement
        Agreement of annotators, see `evaluate`.
    measure
        Measures of label sets; by default the one that ranks, hF or LCaF, and OS. An ontology score
        among them is explained, else OS.
    sample_weight
        What each sample counts for, see `evaluate`; the explanation names that of this sample.
    classes, separator
        See `evaluate`.

    Returns
    -------
    Explanation
        The charge of each label, with its path or rules, and the score.

    Raises
    ------
    InputError
        If there is no such sample.
    MeasureError
        If a measure is none of label sets.

    Examples
    --------
    >>> hierarchy = [("plants", "trees"), ("plants", "flowers")]
    >>> print(explain({"p1": ["trees"]}, {"p1": ["plants"]}, "p1", hierarchy=hierarchy))
    p1: hF 0.0000, OS 0.5000
      false  plants: 0.5000  (plants - trees)
      missed trees: 0.5000  (trees - plants)
      OS: (1 - 1.0000 / 2)^1 = 0.5000
    """
    sample = str(sample)  # samples of arrays are called by their numbers
    runs, reading = {"prediction": prediction}, LabelSyntax(classes, separator)
    true, (predicted,), hierarchy, *_ = sides_of(truth, runs, hierarchy, reading, only="sets")
    if sample not in true.row and sample not in predicted.row:
        raise InputError(f"no sample {sample!r}{did_you_mean(sample, true.samples)}", "Name a sample.")
    weight = None
    if sample_weight is not None and sample in true.row:
        weight = float(weights_of(sample_weight, true.samples)[true.row[sample]])
    agreed = with_agreement_of(hierarchy, agreement, true.vocabulary)
    (batch,) = aligned(true.take([sample]), {"": predicted.take([sample])}, agreed, "refuse")
    usual = [usual_measures(agreed, scores=False)[0], "OS"]
    chosen = measures_of(usual if measure is None else measure)
    for name, one in chosen.items():
        if info(one, "takes") != "sets":
            raise MeasureError(f"Measures of label sets are explained, and {name} takes scores.")
    ontology_scores = [one for one in chosen.values() if isinstance(one, OntologyScore)]
    (found,) = explain_samples(batch, *(ontology_scores or [OntologyScore()])[:1])
    rows = {name: np.concatenate([*one.statistic(batch).blocks()]) for name, one in chosen.items()}
    scores = {name: float(compute(one, rows[name])[0]) for name, one in chosen.items()}
    charges = tuple(_with_ancestors(batch, found.charges))
    return replace(found, sample_weight=weight, scores=scores, charges=charges)


def explain_samples(batch: Batch, measure: OntologyScore) -> list[Explanation]:
    """Explain the scores of all samples of a batch."""
    with measure_blamed(measure):
        rows = np.concatenate([*measure.statistic(batch).blocks()])
        scores, charges = compute(measure, rows).tolist(), _charges(batch, measure)
    notation, names = full_name(measure), batch.vocabulary.names
    return [
        Explanation(sample, notation, tuple(own), measure.alpha, score, names=names)
        for sample, own, score in zip(batch.truth.samples, charges, scores, strict=True)
    ]


def _with_ancestors(batch: Batch, charges: Sequence[Charge]) -> Iterator[Charge]:
    """Name the ancestors that only one side of a single sample has."""
    hierarchy = batch.required_hierarchy("An explanation")
    names, at = hierarchy.vocabulary, hierarchy.vocabulary.positions(charge.label for charge in charges)
    rows = hierarchy.ancestors_of(at)[at]
    above = [{*rows.indices[begin:end].tolist()} for begin, end in pairwise(rows.indptr.tolist())]
    sides = {
        kind: set[int]().union(*(a for a, one in zip(above, charges, strict=True) if one.kind != kind))
        for kind in ("false", "missed")
    }
    for charge, concepts, own in zip(charges, above, at.tolist(), strict=True):
        beyond = sorted(concepts - sides.get(charge.kind, concepts) - {own})
        yield charge._replace(ancestors=tuple(map(names.__getitem__, beyond)))


def _charges(batch: Batch, measure: OntologyScore) -> list[list[Charge]]:
    hierarchy = batch.required_hierarchy("An explanation")
    matching = replace(measure.matching, partners=True)
    matches, costs = batch.derive(matching), matching.costs(hierarchy)
    agreement = matching.agreement_of(hierarchy)
    labels, names = hierarchy.label_vocabulary, batch.vocabulary.names
    prediction = batch.prediction.matrix
    book = matching.rules(hierarchy)
    common = Nearest(np.zeros(batch.common.nnz), np.full(batch.common.nnz, -1))
    sides: tuple[tuple[Outcome, sparse.csr_array, Nearest, Numbers], ...] = (
        ("false", batch.false, matches.false, matches.false_cost),
        ("missed", batch.missed, matches.missed, matches.missed_cost),
        ("common", batch.common, common, matches.common_cost),
    )
    found: list[list[Charge]] = [[] for _ in range(len(batch))]
    for kind, matrix, nearest, amounts in sides:
        columns = row_of_entries(matrix), matrix.indices, nearest.cost, nearest.label, amounts
        for row, label, cost, partner, charged in zip(*(one.tolist() for one in columns), strict=True):
            penalised = kind in PENALISED[measure.penalise] and charged == 1
            rules = book.rules_broken_by(label, prediction[[row]]) if penalised else []
            matched = labels[partner] if partner >= 0 else None
            path: tuple[str, ...] = ()
            if matched is not None and isinstance(costs, PathCosts):
                path = cheapest_path(hierarchy, costs, labels[label], matched)[0]
            true = partner if kind == "false" else label
            weight = float(agreement[true]) if true >= 0 and kind != "common" and not rules else 1.0
            broken = tuple(rule.text(names.display_name) for rule in rules)
            charge = Charge(labels[label], kind, matched, path, cost, weight, charged, broken)
            found[row].append(charge)
    return found
