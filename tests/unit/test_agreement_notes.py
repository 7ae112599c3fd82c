"""What is said beside coefficients of agreement."""

from __future__ import annotations

import pytest

import ontoeval as oe
from ontoeval.agreements.estimates import estimates
from ontoeval.agreements.notes import FEW_SAMPLES, RARE, alike, notes_on
from ontoeval.agreements.votes import Votes
from ontoeval.errors import ParameterError
from ontoeval.report import agreement as tables
from ontoeval.resampling import Bootstrap


def said_of(samples: int, *, seen: int = 0, names: tuple[str, ...] = ("A", "B", "C")) -> oe.Annotations:
    """Annotators of a concept in the first samples, the first of whom sees it once more."""
    return oe.Annotations.from_sets(
        {name: [["a"] if n < seen + (name == names[0]) else [] for n in range(samples)] for name in names}
    )


def notes(said: oe.Annotations, **options: object) -> str:
    return " | ".join(oe.agreement(said, resamples=40, **options).notes)  # type: ignore[arg-type]


def test_nothing_is_remarked_on_where_there_is_much() -> None:
    assert notes(said_of(2 * RARE, seen=RARE)) == ""


def test_names_that_differ_in_case_or_blanks_alone_are_named() -> None:
    assert "count as several: 'Ann', 'ann '" in notes(said_of(40, seen=20, names=("Ann", "Bob", "ann ")))
    assert alike(["A  b", "a b", "ab", "É", "é"]) == ["A  b", "a b", "É", "é"]
    assert alike(["a", "b"]) == []


def test_of_a_single_sample_it_is_said_that_there_is_no_interval() -> None:
    text = notes(said_of(1, seen=1))
    assert "no interval, since fewer than two samples have two annotators: 1 of 1 concepts ('a')" in text
    assert "samples have two annotators: 1 of 1" not in text.replace("fewer than two samples", "")


def test_few_samples_and_rare_answers_are_said() -> None:
    text = notes(said_of(FEW_SAMPLES - 1, seen=2))
    assert f"fewer than {FEW_SAMPLES} samples have two annotators: 1 of 1 concepts ('a')" in text
    assert f"given in fewer than {RARE} samples: 1 of 1 concepts ('a')" in text
    text = notes(said_of(FEW_SAMPLES, seen=2))
    assert "samples have two annotators" not in text
    assert "too narrow" in notes(said_of(2 * RARE, seen=RARE - 2))
    assert "too narrow" in notes(said_of(2 * RARE, seen=RARE + 2))


def test_resamples_without_a_coefficient_are_said() -> None:
    found = oe.agreement(said_of(30, seen=1), resamples=50)
    (number,) = found.estimates.basis.undefined.tolist()
    assert 0 < number < 50
    assert any(f"up to {number} of 50: 1 of 1 concepts ('a')" in note for note in found.notes)


def test_intervals_along_derivatives_are_said() -> None:
    said = said_of(2 * RARE, seen=RARE)
    found = estimates(said, Votes.of(said), bootstrap=Bootstrap(resamples=5), exact=0)
    (note,) = notes_on(said, found, (), None, 5)
    assert note.startswith("intervals of Cohen κ along its derivatives")
    assert note.endswith("1 of 1 concepts ('a')")


def test_sheets_that_lack_ancestors_are_counted_unless_the_hierarchy_is_another() -> None:
    hierarchy = oe.Hierarchy.from_edges([("plants", "trees")])
    sets = {"A": [["trees"], ["plants"], []], "B": [["trees", "plants"], ["trees"], []]}
    said = oe.Annotations.from_sets(sets)
    assert "2 of 6 sheets lack ancestors of their labels" in notes(said, hierarchy=hierarchy)
    assert "--close adds them" in notes(said, hierarchy=hierarchy)
    assert "lack ancestors" not in notes(said.closed(hierarchy), hierarchy=hierarchy)
    assert "lack ancestors" not in notes(said)
    other = oe.Hierarchy.from_edges([("x", "y")])
    assert "lack ancestors" not in notes(said, hierarchy=other, sets=["exact"])


@pytest.mark.parametrize("sets", [None, ["exact"]])
def test_costs_that_nothing_uses_are_refused(sets: list[str] | None) -> None:
    hierarchy = None if sets is None else oe.Hierarchy.flat(said_of(1, seen=1).vocabulary)
    with pytest.raises(ParameterError, match="cost='links': expected a hierarchical distance"):
        oe.agreement(said_of(3, seen=1), hierarchy=hierarchy, sets=sets, cost="links")


def test_the_table_of_concepts_tells_what_they_rest_on() -> None:
    said = said_of(20, seen=3)
    some = said.chosen(~((said.annotator == 2) & (said.sample == 19)))
    table = tables.per_concept(oe.agreement(some, resamples=5), "alpha")
    assert [column.title for column in table.columns[-4:]] == [
        "samples",
        "decisions",
        "positive samples",
        "undefined resamples",
    ]
    assert table.rows[0][-4:-1] == (20, 59, 4)


def test_even_numbers_of_annotators_are_explained_where_there_are_any() -> None:
    one, two = oe.sufficiency(said_of(4, seen=1), numbers=[1, 2])
    assert tables.fewer_annotators([one, two]).notes == (tables.EVEN,)
    assert tables.fewer_annotators([one]).notes == ()
