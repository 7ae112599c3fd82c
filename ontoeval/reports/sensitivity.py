"""What changes of labels and ontologies do to measures, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ontoeval.errors import counted
from ontoeval.reports.results import numeric_columns
from ontoeval.reports.table import Cell, Table

if TYPE_CHECKING:
    from ontoeval.comparison.sensitivity import Sensitivity


def sensitivity(found: Sensitivity) -> Table:
    """List what becomes of each measure when labels or the ontology are changed more and more."""
    titles = ("changed", "kind", "amount", "measure", "score", "difference", "τ_b")
    rows: list[tuple[Cell, ...]] = []
    for curve in found.curves:
        start = found.perfect if curve.changed == "prediction" else found.unchanged
        for amount, scores, taus in zip(curve.amounts, curve.scores, curve.tau, strict=True):
            for measure, score, before, tau in zip(found.measures, scores, start, taus, strict=True):
                values = (float(score), float(score - before), float(tau))
                rows.append((curve.changed, curve.kind, amount, measure, *values))
    count = counted(found.samples, "sample")
    notes = [
        f"On {count}. prediction: the truth, changed, is scored against the truth.",
        "truth, ontology: all runs are scored against a changed truth, or with a changed ontology.",
        "amount: share of the labels that are hit, or of the links that get a node; or the level taken out.",
        *on_labels(found),
        "score: mean of what is scored. difference, τ_b: from the score, and with the ranking, before.",
        *_skipped(found),
    ]
    return Table(
        "Sensitivity", numeric_columns(titles, 4, counts=("amount",)), tuple(rows), tuple(notes), keys=4
    )


def most_changed(found: Sensitivity) -> Table:
    """Show what becomes of each measure where most is changed."""
    rows: list[tuple[Cell, ...]] = []
    for curve in found.curves:
        shown, values = ("score", curve.scores) if curve.changed == "prediction" else ("τ_b", curve.tau)
        largest = slice(None) if curve.by_level else slice(-1, None)
        for amount, row in list(zip(curve.amounts, values.tolist(), strict=True))[largest]:
            rows.append((curve.changed, curve.kind, amount, shown, *row))
    count = counted(found.samples, "sample")
    notes = [
        f"On {count}, at the largest rate; the table sensitivity has all, and scores.",
        "prediction: the score of the truth, changed. truth, ontology: τ_b with the ranking before.",
        *on_labels(found),
        *_skipped(found),
    ]
    titles = ("changed", "kind", "amount", "shown", *found.measures)
    return Table("What changes do", numeric_columns(titles, 4), tuple(rows), tuple(notes), keys=4)


def on_labels(found: Sensitivity) -> list[str]:
    """Say whether sets stay closed, and which kinds of change cannot change all labels that they hit."""
    said = [found.convention] if found.convention else []
    shares = [f"{kind} {share:.2%}" for kind, share in found.able.items() if share < 1]
    if shares:
        said.append(
            f"Of the labels that are hit only some can be changed, the others stay: {', '.join(shares)}."
        )
    return said


def _skipped(found: Sensitivity) -> list[str]:
    return [f"Not tried, {what}: {reason.removesuffix('.')}." for what, reason in found.skipped.items()]
