"""What is said beside coefficients of agreement."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.annotators import annotator_comparison, set_kappa
from ontoeval.annotators.agreement import DISPUTED, FEW_SAMPLES, RARER, doubtful, notes_on, similar_names
from ontoeval.annotators.annotator_comparison import annotator_details
from ontoeval.annotators.concept_agreement import estimates
from ontoeval.annotators.options import AgreementOptions
from ontoeval.annotators.votes import Votes
from ontoeval.errors import ParameterError, UnknownConceptError
from ontoeval.reports import agreement as tables


def said_of(
    samples: int, *, seen: int = 0, more: int = DISPUTED, names: tuple[str, ...] = ("A", "B", "C")
) -> oe.Annotations:
    """Annotators of a concept in the first samples, the first of whom sees it some times more."""
    return oe.Annotations.from_sets(
        {
            name: [["a"] if n < seen + more * (name == names[0]) else [] for n in range(samples)]
            for name in names
        },
        vocabulary=["a"],
    )


def notes(said: oe.Annotations, **options: object) -> str:
    return " | ".join(oe.agreement(said, resamples=40, **options).notes)  # type: ignore[arg-type]


def test_nothing_is_remarked_on_where_there_is_much() -> None:
    assert notes(said_of(40, seen=20)) == ""


def test_names_that_differ_in_case_or_blanks_alone_are_named() -> None:
    assert "count as different annotators: 'Ann', 'ann '" in notes(
        said_of(40, seen=20, names=("Ann", "Bob", "ann "))
    )
    assert similar_names(["A  b", "a b", "ab", "É", "é"]) == ["A  b", "a b", "É", "é"]
    assert similar_names(["a", "b"]) == []


def test_samples_in_which_nobody_decides_beside_another_are_counted() -> None:
    values = {"A": [1, 0, 1, None, None], "B": [1, 0, None, 1, None], "C": [None, None, None, None, 1]}
    positive = np.array([[value == 1] for row in values.values() for value in row])
    unknown = np.array([[value is None] for row in values.values() for value in row])
    said = oe.Annotations(
        sparse.csr_array(positive),
        sparse.csr_array(unknown),
        oe.Vocabulary(("a",)),
        tuple("01234"),
        tuple(values),
        np.tile(np.arange(5), 3),
        np.repeat(np.arange(3), 5),
    )
    text = notes(said)
    assert "not compared: 3 of 5 samples, in which no two annotators decide the same concept" in text
    assert text.count("sheet") == 1


def test_of_a_single_sample_it_is_said_that_there_is_no_interval() -> None:
    text = notes(said_of(1, seen=1))
    assert "no interval, since fewer than two samples have two annotators: 'a'" in text
    assert "too little data" not in text


def test_what_rests_on_little_is_said_once_with_all_reasons() -> None:
    text = notes(said_of(FEW_SAMPLES - 1, seen=2))
    assert text.startswith(f"too little data for 'a': fewer than {FEW_SAMPLES} samples with two annotators; ")
    assert f"; fewer than {RARER} samples with a majority for the rarer answer, or " in text
    assert "intervals of κ and α are probably too narrow" in text
    assert text.count("'a'") == 1


@pytest.mark.parametrize(
    ("seen", "more", "told"),
    [
        (RARER, DISPUTED, False),
        (RARER - 1, DISPUTED, True),
        (RARER - 1, 30, True),  # stray answers of one annotator make no sample one that the majority sees
        (RARER, DISPUTED - 1, True),
        (100 - RARER - DISPUTED, DISPUTED, False),
        (100 - RARER, DISPUTED, False),
        (101 - RARER, RARER - 1, True),  # the rarer answer is that it is not there
        (0, 0, False),  # of what nobody sees there are no such intervals
    ],
)
def test_intervals_may_be_too_narrow_where_few_samples_tell(seen: int, more: int, told: bool) -> None:  # noqa: FBT001
    said = said_of(100, seen=seen, more=more)
    found = estimates(said, Votes.from_annotations(said), AgreementOptions(resamples=5))
    assert doubtful(found).tolist() == [told]
    assert ("are probably too narrow" in notes(said)) == told


def test_of_how_many_concepts_a_reason_holds_is_said_where_it_does_not_hold_of_all() -> None:
    rows = [["a"] * (n < 20) + ["b"] * (n < 1) for n in range(30)]
    said = oe.Annotations.from_sets({"A": rows, "B": rows, "C": [[*row, "c"] for row in rows]})
    text = notes(said)
    assert (
        f"too little data for all 3 concepts ('a', 'b', 'c'): fewer than {RARER} samples with a majority"
        in text
    )
    assert "narrow; for 1 of them κ or α undefined in resamples, which are left out (up to " in text
    assert " of 40)" in text


def test_coefficients_that_are_undefined_are_called_as_in_tables() -> None:
    assert "undefined: Fleiss κ, α and Cohen κ" in notes(said_of(30, more=0))
    sets = [["a", "b"], ["a"], ["a"]]
    text = notes(oe.Annotations.from_sets({"A": sets, "B": sets}))
    assert "undefined, and left out of means, of 2 concepts: Fleiss κ, α and Cohen κ for 1" in text


def test_what_concepts_rest_on_is_counted() -> None:
    said = said_of(20, seen=4, more=2)
    basis = estimates(said, Votes.from_annotations(said), AgreementOptions(resamples=5)).basis
    assert [part.tolist() for part in basis[:-1]] == [[20], [60], [6], [4], [2]]


def test_intervals_along_derivatives_are_said() -> None:
    said = said_of(40, seen=20)
    found = estimates(said, Votes.from_annotations(said), AgreementOptions(resamples=5), exact=0)
    (note,) = notes_on(said, found, (), None, 5)
    assert note.startswith("intervals of Cohen κ by the infinitesimal jackknife")
    assert note.endswith("in every resample: 'a'")


def test_sheets_that_lack_ancestors_are_counted_and_another_hierarchy_is_refused() -> None:
    hierarchy = oe.Hierarchy.from_edges([("plants", "trees")])
    sets = {"A": [["trees"], ["plants"], []], "B": [["trees", "plants"], ["trees"], []]}
    said = oe.Annotations.from_sets(sets)
    text = notes(said, hierarchy=hierarchy)
    assert "2 of 6 sheets (what one annotator says of one sample): ancestors of labels are missing" in text
    assert "--close adds them" in notes(said, hierarchy=hierarchy)
    assert "ancestors" not in notes(said.closed(hierarchy), hierarchy=hierarchy)
    assert "ancestors" not in notes(said)
    other = oe.Hierarchy.from_edges([("x", "y")])
    with pytest.raises(UnknownConceptError, match="'plants'; 'trees'"):
        notes(said, hierarchy=other, sets=["exact"])


def test_an_ancestor_of_which_no_sheet_speaks_gets_no_agreement_by_closing_and_this_is_said() -> None:
    hierarchy = oe.Hierarchy.from_edges([("animal", "cat"), ("thing", "car")])
    vocabulary = oe.Vocabulary(("animal", "car", "cat", "thing"))
    cat = np.array([1, 1, 0, 1, 0, 0], dtype=bool)
    positive, unknown = np.zeros((6, 4), dtype=bool), np.ones((6, 4), dtype=bool)
    positive[:, 2], unknown[:, 1:3] = cat, False
    said = oe.Annotations(
        sparse.csr_array(positive),
        sparse.csr_array(unknown),
        vocabulary,
        tuple("abc"),
        ("A", "B"),
        np.repeat(np.arange(3), 2),
        np.tile(np.arange(2), 3),
    )
    plain, closed = (
        oe.agreement(some, hierarchy=hierarchy, resamples=5) for some in (said, said.closed(hierarchy))
    )
    assert plain.weights().keys() == closed.weights().keys() == {"car", "cat"}
    for found in (plain, closed):
        assert any("no sheet decides 1 ancestor of labels ('animal')" in note for note in found.notes)
        assert not any("ancestors of labels are missing" in note for note in found.notes)


@pytest.mark.parametrize("sets", [None, ["exact"]])
def test_costs_that_nothing_uses_are_refused(sets: list[str] | None) -> None:
    hierarchy = None if sets is None else oe.Hierarchy.flat(said_of(1, seen=1).vocabulary)
    with pytest.raises(ParameterError, match="cost='links': expected a hierarchical distance"):
        oe.agreement(said_of(3, seen=1), hierarchy=hierarchy, sets=sets, cost="links")


def test_the_table_of_concepts_tells_what_they_rest_on() -> None:
    said = said_of(20, seen=3, more=1)
    some = said.chosen(~((said.annotator == 2) & (said.sample == 19)))
    table = tables.per_concept(oe.agreement(some, resamples=5), "alpha")
    assert [column.title for column in table.columns[-6:]] == [
        "samples",
        "decisions",
        "positive samples",
        "rarer majority",
        "disputed samples",
        "undefined resamples",
    ]
    assert table.rows[0][-6:-1] == (20, 59, 4, 3, 1)


def test_even_numbers_of_annotators_are_explained_where_there_are_any() -> None:
    one, two = oe.annotators.sufficiency(said_of(4, seen=1), numbers=[1, 2])
    assert tables.fewer_annotators([one, two]).notes == (tables.EVEN,)
    assert tables.fewer_annotators([one]).notes == ()


def test_how_many_pairs_were_drawn_stands_in_the_table_only_where_any_were() -> None:
    said = said_of(30, seen=10)
    whole, drawn = (
        [
            column.title
            for column in tables.set_alphas_table(oe.agreement(said, resamples=5, most_sets=most)).columns
        ]
        for most in (10, 0)
    )
    assert whole == ["coefficient", "value", "low", "high", "sets", "distinct"]
    assert drawn == [*whole, "drawn", "standard error"]
    narrow = tables.brief(tables.set_alphas_table(oe.agreement(said, resamples=5, most_sets=0)))
    assert [column.title for column in narrow.columns] == [
        "coefficient",
        "value",
        "sets",
        "distinct",
        "drawn",
        "standard error",
    ]


def test_too_many_pairs_for_resamples_leave_kappa_of_sets_without_intervals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = said_of(30, seen=10)
    plain = oe.agreement(said, resamples=5)
    monkeypatch.setattr(set_kappa, "affordable", lambda *_: np.array([False]))
    monkeypatch.setattr(annotator_comparison, "_SUMS", 0)
    found = oe.agreement(said, resamples=5)
    assert [pair.set_kappa for pair in found.pairs] == [pair.set_kappa for pair in plain.pairs]
    assert np.isnan([pair.low for pair in found.pairs]).all()
    assert np.isfinite([pair.low for pair in plain.pairs]).all()
    remark = "set κ of pairs: no intervals"
    assert [any(remark in note for note in one.notes) for one in (plain, found)] == [False, True]
    assert np.isnan(annotator_details(said, found.options).scores["set_kappa"].low).all()
