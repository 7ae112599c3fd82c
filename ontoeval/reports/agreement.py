"""What is found out about annotators, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import nan

from ontoeval.annotators.agreement import AnnotatorAgreement as Agreement
from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.concept_agreement import NAMES, TITLES, Estimate
from ontoeval.annotators.sufficiency import Sufficiency
from ontoeval.confusion.matrix import ConfusionMatrix
from ontoeval.errors import counted
from ontoeval.reports.table import Cell, Column, Table

DIGITS = 3

NOTHING = "(nothing)"
"""What stands where an annotator says nothing in place of a label of another."""

EVEN = (
    "A label that half of the annotators see is not there: even numbers lose labels by such ties, which odd "
    "ones do not have, and can fall below these"
)
"""Why more annotators can seem to be worse."""


def per_concept(agreement: Agreement, coefficient: str = "majority", *, intervals: bool = False) -> Table:
    """List the coefficients of each concept."""
    order = (coefficient, *(name for name in NAMES if name != coefficient))
    titles: list[Column] = [Column("concept")]
    columns: list[Iterable[float]] = []
    for name in order:
        one = agreement.estimates.concepts[name]
        titles.append(Column(TITLES[name], DIGITS))
        columns.append(one.value.tolist())
        if intervals or name == coefficient:
            titles += [Column(f"{TITLES[name]} {end}", DIGITS) for end in ("low", "high")]
            columns += [one.low.tolist(), one.high.tolist()]
    basis = agreement.estimates.basis
    counts = {
        "samples": basis.samples,
        "decisions": basis.decisions,
        "positive samples": basis.positive,
        "rarer majority": basis.rarer,
        "disputed samples": basis.disputed,
        "undefined resamples": basis.undefined,
    }
    titles += map(Column, counts)
    rows = tuple(zip(agreement.concepts, *columns, *(side.tolist() for side in counts.values()), strict=True))
    said = agreement.annotations
    title = (
        f"Agreement of {counted(len(said.annotators), 'annotator')} on "
        f"{counted(len(said.samples), 'sample')}, {counted(len(agreement.concepts), 'concept')}"
    )
    return Table(title, tuple(titles), rows, (*agreement.notes, _resampled(agreement)))


def overall(agreement: Agreement) -> Table:
    """List the coefficients of all concepts together."""
    found = agreement.estimates
    parts: dict[str, Mapping[str, Estimate]] = {"mean": found.mean, "all decisions": found.pooled}
    if agreement.single:
        parts["categories"] = agreement.single
    titles = [Column("coefficient"), Column("undefined")]
    titles += [Column(text, DIGITS) for part in parts for text in (part, f"{part} low", f"{part} high")]
    rows: list[tuple[Cell, ...]] = [
        (
            TITLES[name],
            found.undefined[name],
            *(float(number) for part in parts.values() for number in part.get(name, _NOTHING)),
        )
        for name in NAMES
    ]
    return Table("Agreement, all concepts together", tuple(titles), tuple(rows))


def of_sets(agreement: Agreement) -> Table:
    """List alpha of whole label sets."""
    titles = ("distance", "α", "low", "high", "sets", "distinct")
    columns = [Column(text, DIGITS if text in titles[1:4] else None) for text in titles]
    drawn = any(one.pairs is not None for one in agreement.sets)
    if drawn:
        columns += [Column("drawn"), Column("standard error", 4)]
    rows: list[tuple[Cell, ...]] = [
        (
            f"{one.distance} ({agreement.options.cost})" if one.distance == "hierarchical" else one.distance,
            one.value,
            one.low,
            one.high,
            one.sheets,
            one.distinct,
            *((one.pairs, one.standard_error) if drawn else ()),
        )
        for one in agreement.sets
    ]
    return Table("Agreement on whole label sets", tuple(columns), tuple(rows))


def annotators(agreement: Agreement) -> Table:
    """List each annotator beside the majority of the rest."""
    counts, shares = ("samples", "decisions"), ("labels per sample", "open", "same", "κ", "P", "R", "F")
    titles = ("annotator", counts[0], *shares[:2], counts[1], *shares[2:])
    columns = tuple(Column(text, DIGITS if text in shares else None) for text in titles)
    return Table("Each annotator against the majority of the rest", columns, _rows(agreement.annotators))


def pairs(agreement: Agreement) -> Table:
    """List how every two annotators agree."""
    columns = (
        Column("first"),
        Column("second"),
        Column("samples"),
        Column("decisions"),
        Column("Cohen κ", DIGITS),
    )
    return Table("Pairs of annotators", columns, _rows(agreement.pairs), keys=2)


def fewer_annotators(curve: Sequence[Sufficiency]) -> Table:
    """List what fewer annotators would say."""
    titles = (
        "annotators",
        "samples",
        "same decisions",
        "F",
        "F, lowest",
        "F, highest",
        "change of the weight",
    )
    columns = tuple(Column(text, None if text in titles[:2] else DIGITS) for text in titles)
    even = any(one.annotators % 2 == 0 for one in curve)
    return Table(
        "The majority of fewer annotators beside that of all", columns, _rows(curve), (EVEN,) if even else ()
    )


def confusions(annotations: Annotations, matrix: ConfusionMatrix, number: int) -> Table:
    """List the largest confusions of annotators."""
    known = set(annotations.vocabulary)
    rows: list[tuple[Cell, ...]] = []
    for taken in matrix.top(number):
        row, column, *numbers = taken
        rows.append((*(name if name in known else NOTHING for name in (row, column)), *numbers))
    return Table(
        f"Top confusions of annotators, rule {matrix.rule}",
        (Column("one says"), Column("another says"), Column("mass", 2), Column("share of row", DIGITS)),
        tuple(rows),
        keys=2,
    )


def weights(values: Mapping[str, float]) -> Table:
    """List weights of concepts, as `ontoeval.read_agreement` reads them."""
    return Table("", (Column("concept"), Column("agreement", DIGITS)), tuple(values.items()))


_NOTHING = (nan, nan, nan)


def _rows(values: Iterable[tuple[Cell, ...]]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(value) for value in values)


def _resampled(agreement: Agreement) -> str:
    drawn = agreement.options.bootstrap
    how = f"{agreement.options.level:.0%} {agreement.options.interval} intervals"
    return (
        f"low and high, or in brackets: {how}, {counted(drawn.resamples, 'bootstrap resample')} of the "
        f"samples, seed {drawn.seed}"
    )
