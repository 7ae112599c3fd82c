"""Annotations, and what is found out about annotators, where laws and papers do not say it."""

from __future__ import annotations

import copy
import tracemalloc
from typing import Any, Literal

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.annotators import concept_agreement
from ontoeval.annotators.annotator_comparison import annotator_details, leave_one_out
from ontoeval.annotators.coefficients import alpha, cohen, nominal, rows_of
from ontoeval.annotators.concept_agreement import NAMES, estimates
from ontoeval.annotators.consensus import consensus_with_notes, dawid_skene
from ontoeval.annotators.options import AgreementOptions
from ontoeval.annotators.pairwise_kappa import CONCEPTS, EXACT, AnnotatorPairs, affordable
from ontoeval.annotators.set_agreement import MOST_CONCEPTS, SetDistance, set_alphas
from ontoeval.annotators.votes import ConceptMatrices, Patterns, Votes, only_no
from ontoeval.errors import InputError, OntoevalError, ParameterError, UnknownConceptError
from tests.progress import Bars

THREE = oe.Annotations.from_sets(
    {
        "Ann": {"p1": ["sky", "sea"], "p2": [], "p3": ["sun"]},
        "Bob": {"p1": ["sky"], "p2": ["sea"], "p3": ["sun"]},
        "Eve": {"p1": ["sky"], "p3": []},
    }
)
FEW = AgreementOptions(resamples=10)
METHODS: tuple[Literal["majority", "dawid-skene"], ...] = ("majority", "dawid-skene")


def same(one: sparse.csr_array, other: sparse.csr_array) -> bool:
    return bool((one.toarray() == other.toarray()).all())


def drawn(
    samples: int, annotators: int, concepts: int, *, errors: float = 0.1, seed: int = 1
) -> tuple[Any, oe.Annotations]:
    """A truth, and annotators who err alike."""
    rng = np.random.default_rng(seed)
    truth = rng.random((samples, concepts)) < 0.3
    said = [truth ^ (rng.random(truth.shape) < errors) for _ in range(annotators)]
    names = [str(n) for n in range(concepts)]
    return truth, oe.Annotations.from_sets(
        {f"annotator {n}": oe.LabelSets.from_array(one, vocabulary=names) for n, one in enumerate(said)}
    )


def test_sheets_are_sorted_by_sample_and_annotator_and_cannot_be_changed() -> None:
    shuffled = THREE.chosen(np.array([4, 2, 0, 6, 1, 3, 5, 7]))
    assert same(shuffled.positive, THREE.positive)
    assert shuffled.sample.tolist() == [0, 0, 0, 1, 1, 2, 2, 2]
    assert shuffled.annotator.tolist() == [0, 1, 2, 0, 1, 0, 1, 2]
    with pytest.raises(ValueError, match="read-only"):
        THREE.sample[0] = 2


def test_a_copy_is_made_of_the_same_parts() -> None:
    again = copy.deepcopy(THREE)
    assert again.of("Eve").labels_of("p1") == ("sky",)
    assert again.samples == THREE.samples


EMPTY = sparse.csr_array((1, 1), dtype=bool)
FULL = sparse.csr_array(np.ones((1, 1), dtype=bool))
NONE = np.zeros(1, dtype=np.intp)
WRONG: dict[str, tuple[Any, type[OntoevalError], str]] = {
    "a sample twice": (
        lambda: oe.Annotations(EMPTY, EMPTY, oe.Vocabulary(("a",)), ("p", "p"), ("A",), NONE, NONE),
        InputError,
        "samples that occur twice: 'p'",
    ),
    "shapes that do not fit": (
        lambda: oe.Annotations(EMPTY, EMPTY, oe.Vocabulary(("a", "b")), ("p",), ("A",), NONE, NONE),
        InputError,
        "sheets of shapes (1, 1) and (1, 1)",
    ),
    "two sheets": (
        lambda: THREE.chosen(np.array([0, 0])),
        InputError,
        "two sheets of 'Ann' for sample 'p1'",
    ),
    "there and unknown": (
        lambda: oe.Annotations(FULL, FULL, oe.Vocabulary(("a",)), ("p",), ("A",), NONE, NONE),
        InputError,
        "both there and unknown",
    ),
    "an unknown label": (
        lambda: oe.Annotations.from_sets({"A": [["x"]]}, vocabulary=["a"]),
        UnknownConceptError,
        "'x' in sample '0' of 'A'",
    ),
    "no such annotator": (lambda: THREE.of("Anne"), InputError, "no annotator 'Anne' (near: 'Ann')"),
    "nothing shared": (
        lambda: oe.agreement(oe.Annotations.from_sets({"A": [["a"]]})),
        InputError,
        "no sample has two annotators (1 sample of 'A')",
    ),
    "no concepts": (
        lambda: oe.agreement(oe.Annotations.from_sets({"A": [[]], "B": [[]]})),
        InputError,
        "no concept in the annotations of 1 sample by 'A', 'B'. ",
    ),
    "no hierarchy for a distance": (
        lambda: oe.agreement(THREE, sets=["hierarchical"]),
        ParameterError,
        "a hierarchy beside it",
    ),
    "no such distance": (lambda: oe.agreement(THREE, sets=["hamming"]), ParameterError, "sets='hamming'"),
    "no pairs": (lambda: oe.agreement(THREE, drawn_pairs=0), ParameterError, "drawn_pairs=0"),
    "no such coefficient": (
        lambda: oe.agreement(THREE, resamples=5).weights("kappa"),
        ParameterError,
        "coefficient='kappa'",
    ),
    "no share": (
        lambda: oe.agreement(THREE, resamples=5).weights(undefined=2),
        ParameterError,
        "undefined=2",
    ),
    "no such consensus": (
        lambda: oe.annotators.consensus(THREE, method="mean"),  # type: ignore[arg-type]
        ParameterError,
        "method='mean'",
    ),
    "no such ties": (
        lambda: oe.annotators.consensus(THREE, ties="drop"),  # type: ignore[arg-type]
        ParameterError,
        "ties='drop'",
    ),
    "consistent with what": (
        lambda: oe.annotators.consensus(THREE, method="consistent"),
        ParameterError,
        "a hierarchy beside it",
    ),
    "no smoothing": (lambda: dawid_skene(THREE, smoothing=0), ParameterError, "smoothing=0"),
    "no annotators": (lambda: oe.annotators.sufficiency(THREE, numbers=[0]), ParameterError, "numbers=0: "),
    "no draws": (lambda: oe.annotators.sufficiency(THREE, draws=0), ParameterError, "draws=0: "),
    "no weight": (
        lambda: oe.annotators.sufficiency(THREE, coefficient="cohen"),
        ParameterError,
        "coefficient='cohen'",
    ),
    "nobody to confuse": (
        lambda: oe.annotators.annotator_confusion(THREE, "Ida"),
        InputError,
        "no annotator 'Ida'",
    ),
    "nobody to compare": (
        lambda: oe.annotators.annotator_confusion(
            oe.Annotations.from_sets({"A": {"p": []}, "B": {"q": []}}), "A", "B"
        ),
        InputError,
        "no two of these annotators",
    ),
    "no counts": (lambda: nominal([[0.5, 1]]), InputError, "whole numbers"),
    "no table of counts": (lambda: nominal([1, 2]), InputError, "counts of shape (2,)"),
    "infinite counts": (lambda: nominal([[np.inf, 1]]), InputError, "counts with inf in it"),
    "no categories": (lambda: nominal([[]]), InputError, "counts of shape (1, 0)"),
    "rows of two lengths": (lambda: nominal([[1], [1, 2]]), InputError, "no numbers in rows of one length"),
    "a table that is not square": (
        lambda: cohen([[1, 2, 3], [3, 4, 5]]),
        InputError,
        "table of shape (2, 3). Give one row and one column per category",
    ),
    "a row for a table": (lambda: cohen([1, 2]), InputError, "table of shape (2,)"),
    "less than never": (lambda: cohen([[1, -2], [3, 4]]), InputError, "table with -2 in it"),
    "never a number": (lambda: cohen([[1.0, np.nan], [3.0, 4.0]]), InputError, "table with nan in it"),
    "words for values": (
        lambda: alpha([["a", "b"], ["a", "b"]]),
        InputError,
        "values that are no numbers in rows of one length. Give one row per annotator",
    ),
    "an infinite value": (lambda: alpha([[1.0, np.inf], [1.0, 2.0]]), InputError, "values with inf in them"),
    "no such weights": (lambda: cohen([[1]], weights="cubic"), ParameterError, "weights='cubic'"),
    "no such level": (lambda: alpha([[1]], distance="metric"), ParameterError, "distance='metric'"),
    "no table of values": (lambda: alpha([1, 2]), InputError, "values of shape (2,)"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_call_is_an_error_that_says_why(case: str) -> None:
    call, kind, message = WRONG[case]
    with pytest.raises(kind) as error:
        call()
    assert message in str(error.value)


def test_nothing_is_computed_of_units_that_nobody_shares() -> None:
    assert all(np.isnan(value) for value in nominal([[1, 0], [0, 1]]).values())
    assert np.isnan(alpha([[1, np.nan], [np.nan, 2]]))


def test_ratio_distances_of_zeros_are_none() -> None:
    assert alpha([[0, 1], [0, 1]], distance="ratio") == 1


def test_the_cells_of_a_result_are_in_the_tables() -> None:
    found = oe.agreement(THREE, hierarchy=oe.Hierarchy.flat(THREE.vocabulary), resamples=50, seed=4)
    concepts, overall, sets, people, pairs = found.tables().values()
    assert [row[0] for row in concepts.rows] == ["sea", "sky", "sun"]
    assert concepts.rows[0][1] == found.weights()["sea"]
    assert len(overall.rows) == len(NAMES)
    assert [row[0] for row in sets.rows][-2:] == [
        "α, hierarchical (depth-weighted)",
        "set κ, mean over pairs",
    ]
    assert [row[0] for row in people.rows] == ["Ann", "Bob", "Eve"]
    assert [row[:3] for row in pairs.rows] == [("Ann", "Bob", 3), ("Ann", "Eve", 2), ("Bob", "Eve", 2)]
    assert "seed 4" in concepts.notes[-1]


def test_notes_say_what_was_left_out_and_what_was_drawn() -> None:
    said = oe.Annotations.from_sets({"A": {"p": ["a"], "q": []}, "B": {"p": ["a"]}}, vocabulary=["a", "b"])
    unknown = oe.Annotations(
        said.positive,
        sparse.csr_array(np.array([[False, True], [False, False], [False, False]])),
        said.vocabulary,
        said.samples,
        said.annotators,
        said.sample,
        said.annotator,
    )
    notes = " | ".join(oe.agreement(unknown, resamples=5, sets=["exact"]).notes)
    assert "not compared: 1 of 2 samples, in which no two annotators decide the same concept" in notes
    assert "1 of 3 sheets (what one annotator says of one sample): left out of whole sets" in notes
    assert (
        "left out of means, of 2 concepts: majority, pairwise, unanimous, Randolph κ and AC1 for 1; Fleiss κ, α and Cohen κ for 2"
        in notes
    )
    notes = " | ".join(oe.agreement(THREE, resamples=5, most_sets=1, drawn_pairs=50).notes)
    assert "α of sets, masi: from 50 pairs that were drawn, standard error 0.0" in notes


def test_intervals_are_the_same_again_and_others_with_another_seed() -> None:
    _, said = drawn(30, 4, 3)
    one, again, other = (oe.agreement(said, resamples=50, seed=seed) for seed in (1, 1, 2))
    bounds = [found.estimates.concepts["alpha"].low.tolist() for found in (one, again, other)]
    assert bounds[0] == bounds[1] != bounds[2]
    assert one.sets == again.sets


def test_intervals_whose_bias_is_corrected_lie_more_evenly_about_alpha() -> None:
    _, said = drawn(25, 4, 2, errors=0.15)
    bounds = {}
    methods: tuple[Literal["percentile", "bca"], ...] = ("percentile", "bca")
    for method in methods:
        found = oe.agreement(said, resamples=400, sets=["jaccard"], interval=method)
        one = found.sets[0]
        bounds[method] = (one.high - one.value) / (one.high - one.low)
        assert f"{method} intervals" in found.tables()["concepts"].notes[-1]
    assert bounds["percentile"] < bounds["bca"]
    with pytest.raises(ParameterError, match="interval='exact'"):
        oe.agreement(said, resamples=5, interval="exact")  # type: ignore[arg-type]


@pytest.mark.parametrize("exact", [0, EXACT])
def test_intervals_of_cohens_kappa_are_near_to_those_of_annotations_drawn_again(exact: int) -> None:
    _, said = drawn(150, 4, 1, errors=0.15)
    both = estimates(said, Votes.from_annotations(said), AgreementOptions(resamples=400, seed=5), exact=exact)
    assert both.linear.tolist() == [exact == 0]
    found = both.concepts["cohen"]
    rng = np.random.default_rng(6)
    states = said.positive.toarray()[:, 0].reshape(150, 4)
    again = []
    for _ in range(400):
        rows = states[rng.integers(0, 150, 150)].astype(int)
        tables = []
        for one in range(4):
            for other in range(one + 1, 4):
                table = np.zeros((2, 2))
                np.add.at(table, (rows[:, one], rows[:, other]), 1)
                tables.append(table)
        again.append(cohen(np.array(tables)).mean())
    low, high = np.quantile(again, [0.025, 0.975])
    assert found.low[0] == pytest.approx(low, abs=0.03)
    assert found.high[0] == pytest.approx(high, abs=0.03)


def rare(seen: int) -> oe.Annotations:
    """Six annotators of a hundred samples, who find a concept in seven of ten samples where it is."""
    rng = np.random.default_rng(4)
    there = [(np.arange(100) < seen) & (rng.random(100) < 0.7) for _ in range(6)]
    return oe.Annotations.from_sets(
        {str(who): [["a"] * int(n) for n in row] for who, row in enumerate(there)}
    )


def test_the_interval_of_cohens_kappa_of_a_rare_concept_reaches_as_low_as_that_of_alpha() -> None:
    said = rare(4)
    votes, options = Votes.from_annotations(said), AgreementOptions(resamples=500)
    anew, linear = (estimates(said, votes, options, exact=most).concepts for most in (EXACT, 0))
    assert anew["cohen"].low[0] < anew["alpha"].low[0] < linear["cohen"].low[0]


def test_means_are_computed_anew_of_the_rarest_concepts_as_long_as_that_is_affordable() -> None:
    pairs = AnnotatorPairs.from_matrices(ConceptMatrices.from_annotations(rare(4)))
    assert pairs.first.size == 15
    samples = np.array([100, 10, 51, 10])
    least = 250 * 15 * 50
    for most, expected in ((least - 1, [0, 0, 0, 0]), (least, [0, 1, 0, 1]), (2 * least, [1, 1, 1, 1])):
        assert affordable(pairs, samples, 5, most).tolist() == [bool(one) for one in expected]
    many = affordable(pairs, np.full(CONCEPTS + 3, 50), 250, least)
    assert many.tolist() == [True] * CONCEPTS + [False] * 3
    gaps = AnnotatorPairs.from_matrices(
        ConceptMatrices.from_annotations(said := rare(4).chosen(np.arange(599)))
    )
    assert len(said.samples) == 100
    assert not affordable(gaps, samples, 5, least).any()
    assert affordable(gaps, samples, 5, least + 250 * 15 * 5).tolist() == [False, True, False, True]


def test_resamples_without_a_coefficient_are_counted() -> None:
    for seen, expected in ((1, range(1, 10)), (20, [0])):
        said = rare(seen)
        assert estimates(said, Votes.from_annotations(said), FEW).basis.undefined[0] in expected


def test_no_sets_are_compared_where_no_distance_is_asked_for() -> None:
    assert oe.agreement(THREE, resamples=5, sets=[]).sets == ()


def test_where_only_one_sample_is_shared_nothing_has_an_interval() -> None:
    said = oe.Annotations.from_sets({"A": {"p": ["a"], "q": ["b"]}, "B": {"p": ["a"], "r": ["a"]}})
    found = oe.agreement(said, resamples=20)
    every = [*found.estimates.concepts.values(), *found.estimates.mean.values(), *found.single.values()]
    every += found.estimates.pooled.values()
    assert all(np.isnan([one.low, one.high]).all() for one in every)
    assert all(np.isnan([one.low, one.high]).all() for one in found.sets)
    scores = annotator_details(said, FEW).scores
    assert all(np.isnan([one.low, one.high]).all() for one in scores.values())
    assert float(found.estimates.mean["majority"].value) == 1


@pytest.mark.parametrize("kind", ["exact", "jaccard", "masi", "hierarchical"])
def test_alpha_from_pairs_that_are_drawn_is_near_and_says_how_near(kind: str) -> None:
    _, said = drawn(60, 5, 6)
    distance = SetDistance(kind, oe.Hierarchy.flat(said.vocabulary))
    (exact,) = set_alphas(said, (distance,), AgreementOptions(resamples=200))
    (some,) = set_alphas(said, (distance,), AgreementOptions(resamples=200, most_sets=3, drawn_pairs=20_000))
    assert exact.pairs is None
    assert exact.standard_error == 0
    assert some.pairs == 20_000
    assert 0 < some.standard_error < 0.02
    assert abs(some.value - exact.value) < 4 * some.standard_error
    assert some.low == pytest.approx(exact.low, abs=0.03)
    assert some.high == pytest.approx(exact.high, abs=0.03)


def test_where_all_sets_are_the_same_alpha_is_undefined_also_from_pairs() -> None:
    said = oe.Annotations.from_sets({"A": [["a"], ["a"]], "B": [["a"], ["a"]]})
    for most in (10, 0):
        (found,) = set_alphas(
            said, (SetDistance("jaccard"),), AgreementOptions(resamples=10, most_sets=most, drawn_pairs=10)
        )
        assert np.isnan(found.value)
        assert found.standard_error == 0


def test_a_table_of_too_many_concepts_is_not_made() -> None:
    wide = sparse.csr_array(np.ones((1, MOST_CONCEPTS + 1), dtype=bool))
    assert not SetDistance("hierarchical").tabled(wide)
    assert SetDistance("jaccard").tabled(wide)


def test_no_sets_are_compared_where_none_is_known() -> None:
    unknown = oe.Annotations(
        sparse.csr_array((2, 1), dtype=bool),
        sparse.csr_array(np.ones((2, 1), dtype=bool)),
        oe.Vocabulary(("a",)),
        ("p",),
        ("A", "B"),
        np.zeros(2, dtype=np.intp),
        np.arange(2),
    )
    (found,) = set_alphas(unknown, (SetDistance("exact"),), FEW)
    assert (found.sheets, found.distinct) == (0, 0)
    assert np.isnan(found.value)
    assert all(np.isnan(one.agreement) for one in leave_one_out(unknown, Votes.from_annotations(unknown)))
    assert [one.f for one in oe.annotators.sufficiency(unknown)] == [1.0]


def test_concepts_that_nobody_uses_have_the_coefficients_of_one_of_them() -> None:
    vocabulary = [*THREE.vocabulary, *(f"unused {n}" for n in range(50))]
    said = oe.Annotations.from_sets({who: THREE.of(who) for who in THREE.annotators}, vocabulary=vocabulary)
    found = oe.agreement(said, resamples=5)
    assert set(found.weights().values()) == {*oe.agreement(THREE, resamples=5).weights().values(), 1.0}
    assert found.estimates.undefined["alpha"] == 50
    assert float(found.estimates.mean["unanimous"].value) == pytest.approx(
        (50 + 1 / 3 + 1 + 2 / 3) / 53, abs=0.02
    )


def test_annotators_who_never_meet_are_no_pair() -> None:
    said = oe.Annotations.from_sets({"A": {"p": ["a"]}, "B": {"p": [], "q": ["a"]}, "C": {"q": ["a"]}})
    assert [(pair.first, pair.second) for pair in oe.agreement(said, resamples=5).pairs] == [
        ("A", "B"),
        ("B", "C"),
    ]


def test_a_careless_annotator_is_found_out_and_outvoted() -> None:
    truth, said = drawn(400, 6, 2, errors=0.05)
    rng = np.random.default_rng(9)
    names = said.vocabulary.concepts
    sets = {who: said.of(who) for who in said.annotators}
    for who in ("annotator 0", "annotator 1", "annotator 2"):
        wild = rng.random(truth.shape) < 0.5
        sets[who] = oe.LabelSets.from_array(wild, vocabulary=names)
    mixed = oe.Annotations.from_sets(sets)
    model = dawid_skene(mixed)
    assert model.converged.all()
    assert model.sensitivity[3:].min() > 0.9
    assert model.sensitivity[:3].max() < 0.7
    right = oe.LabelSets.from_array(truth, vocabulary=names)
    wrong = {
        method: int(
            (oe.annotators.consensus(mixed, method=method).matrix.toarray() != right.matrix.toarray()).sum()
        )
        for method in METHODS
    }
    assert 3 * wrong["dawid-skene"] < wrong["majority"]


def test_ties_of_the_model_go_where_those_of_votes_go() -> None:
    said = oe.Annotations.from_sets({"A": [["a"], []], "B": [[], ["a"]]})
    for ties, expected in (("absent", ()), ("present", ("a",))):
        sets = oe.annotators.consensus(said, method="dawid-skene", ties=ties)  # type: ignore[arg-type]
        assert sets.labels_of("0") == expected


def test_the_model_says_where_it_did_not_stand_still() -> None:
    _, said = drawn(30, 3, 2, errors=0.3)
    model = dawid_skene(said, most=1)
    assert not model.converged.any()
    assert model.iterations.tolist() == [1, 1]


def test_a_model_that_is_not_to_be_trusted_says_so() -> None:
    rng = np.random.default_rng(2)
    sets = {who: [["a"] if yes else [] for yes in rng.random(300) < 0.1] for who in ("A", "B")}
    two = consensus_with_notes(oe.Annotations.from_sets(sets), method="dawid-skene")
    text = " | ".join(two.notes)
    assert "1 of 1 concepts ('a'): at most two annotators of a sample decide" in text
    assert "'a'): in no sample of the consensus, although annotators give the label" in text
    assert "1 of 1 concepts ('a'): the fit did not converge" in text
    model = dawid_skene(oe.Annotations.from_sets(sets), most=2)
    assert "1 of 1 concepts ('a'): the fit did not converge" in model.notes[0]
    _, said = drawn(100, 5, 3)
    (told,) = consensus_with_notes(said, method="dawid-skene").notes
    assert told.startswith("Dawid and Skene change 3 of 100 samples against the majority"), "no warning"
    assert consensus_with_notes(said).notes == ()


def test_a_concept_that_the_model_has_everywhere_is_named() -> None:
    sets = [["a"]] * 20
    said = oe.Annotations.from_sets({"A": sets, "B": sets, "C": sets, "D": [*sets[:-2], [], []]})
    _, note = dawid_skene(said).notes  # the first says that the model overrules most annotators
    assert note.endswith("('a'): in every sample of the consensus, although annotators disagree")


def test_fitting_tells_each_concept_that_is_done() -> None:
    bars = Bars()
    dawid_skene(drawn(20, 3, 4)[1], progress=bars)
    assert bars.done == bars.announced == 4


def test_the_side_that_fewer_see_goes_with_all_below_it() -> None:
    hierarchy = oe.Hierarchy.from_edges(
        [("season", "summer"), ("season", "winter"), ("summer", "heat"), ("winter", "ice")],
        abstract=["season"],
        exclusions=[oe.core.Exclusion("summer", "winter")],
        requirements=[oe.core.Requirement("ice", ("winter",)), oe.core.Requirement("heat", ("summer",))],
    )
    answers = [["heat", "ice"], ["heat", "ice"], ["heat"]]
    said = oe.Annotations.from_sets(
        {str(n): [one] for n, one in enumerate(answers)}, vocabulary=hierarchy.label_vocabulary
    )
    assert oe.annotators.consensus(said).labels_of("0") == ("heat", "ice")
    assert oe.annotators.consensus(said, method="consistent", hierarchy=hierarchy).labels_of("0") == (
        "summer",
        "heat",
    )
    even = oe.Annotations.from_sets(
        {"A": [["heat", "ice"]], "B": [["heat", "ice"]]}, vocabulary=said.vocabulary
    )
    assert oe.annotators.consensus(even, method="consistent", hierarchy=hierarchy).labels_of("0") == ()


def test_the_best_supported_label_comes_first() -> None:
    hierarchy = oe.Hierarchy.from_edges(
        [], concepts="abc", exclusions=[oe.core.Exclusion("a", "b"), oe.core.Exclusion("b", "c")]
    )
    answers = [["a", "b", "c"], ["a", "b", "c"], ["a", "b", "c"], ["a", "b"], ["a"]]
    said = oe.Annotations.from_sets(
        {str(n): [one] for n, one in enumerate(answers)}, vocabulary=["a", "b", "c"]
    )
    assert oe.annotators.consensus(said, method="consistent", hierarchy=hierarchy).labels_of("0") == (
        "a",
        "c",
    )


def test_what_requires_something_that_is_not_there_goes_and_what_requires_that() -> None:
    hierarchy = oe.Hierarchy.from_edges(
        [],
        concepts="abc",
        requirements=[oe.core.Requirement("a", ("b",)), oe.core.Requirement("b", ("c",))],
    )
    said = oe.Annotations.from_sets({"A": [["a", "b"]], "B": [["a", "b"]]}, vocabulary=["a", "b", "c"])
    assert oe.annotators.consensus(said, method="consistent", hierarchy=hierarchy).labels_of("0") == ()


def many_rare_labels(concepts: int, samples: int) -> oe.Annotations:
    """Two annotators of many concepts, each of which somebody sees in one sample."""
    rows: list[list[str]] = [[] for _ in range(samples)]
    for n in range(concepts):
        rows[n % samples].append(f"c{n}")
    return oe.Annotations.from_sets({"A": rows, "B": [row[::2] for row in rows], "C": rows[:-1]})


def test_estimates_are_the_same_whatever_is_computed_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    said = many_rare_labels(30, 6)
    found = []
    for most, exact in ((10**7, 10**7), (1, 10**7), (10**7, 0), (1, 0)):
        monkeypatch.setattr(concept_agreement, "_NUMBERS", most)
        one = concept_agreement.estimates(
            said, Votes.from_annotations(said), AgreementOptions(resamples=20), exact=exact
        )
        found.append((np.stack(list(one.concepts.values())), np.stack(list(one.mean.values()))))
    for whole, parts in (found[:2], found[2:]):
        for left, right in zip(whole, parts, strict=True):
            np.testing.assert_allclose(left, right, atol=1e-6)


def test_resamples_of_many_concepts_are_not_held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concept_agreement, "_NUMBERS", 25_000)
    said, resamples = many_rare_labels(400, 6), 200
    tracemalloc.start()
    try:
        concept_agreement.estimates(said, Votes.from_annotations(said), AgreementOptions(resamples=resamples))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < resamples * 400 * len(concept_agreement.NAMES) * 8 / 2


def test_sums_by_patterns_of_answers_are_those_over_all_samples() -> None:
    said = of_values({"A": [[1, 0], [-1, 1], [0, 0]], "B": [[1, -1], [-1, 0], [0, 0]], "C": [[0, 1]] * 3})
    votes = Votes.from_annotations(said.chosen(np.arange(8)))
    columns = np.array([1, 0])
    yes, unknown = (side.toarray()[:, columns] for side in (votes.yes, votes.unknown))
    dense = rows_of(np.stack([votes.seen[:, None] - yes - unknown, yes], axis=-1))
    patterns = Patterns.from_votes(votes)
    np.testing.assert_allclose(patterns.sums(columns, rows_of), dense.sum(axis=0))
    split, weights = patterns.split(columns, rows_of), np.array([[2.0, 0.0, 3.0]])
    silence = weights @ rows_of(only_no(patterns.seen))
    again = silence + (weights @ split.samples @ split.rows).reshape(2, -1)
    np.testing.assert_allclose(again, np.einsum("s,scw->cw", weights[0], dense))
    assert patterns.compared == 3


def test_numbers_that_make_no_sense_are_refused() -> None:
    for wrong in ({"samples": -1}, {"samples": 0}, {"seed": -1}):
        with pytest.raises(ParameterError, match=f"{next(iter(wrong))}={next(iter(wrong.values()))}"):
            oe.annotators.sufficiency(THREE, **wrong)  # type: ignore[arg-type]
    for name, value in (("smoothing", float("inf")), ("tolerance", float("inf")), ("most", 1.5)):
        with pytest.raises(ParameterError, match=name):
            dawid_skene(THREE, **{name: value})  # type: ignore[arg-type]


def test_a_lone_distance_is_one() -> None:
    (one,) = oe.agreement(THREE, sets="jaccard", resamples=5).sets
    assert one.distance == "jaccard"


def of_values(values: dict[str, list[list[int]]]) -> oe.Annotations:
    """What annotators say of the concepts a and b, sample by sample: 1, 0, or -1 for nothing."""
    cells = np.array([row for rows in values.values() for row in rows])
    number = len(cells) // len(values)
    return oe.Annotations(
        sparse.csr_array(cells == 1),
        sparse.csr_array(cells == -1),
        oe.Vocabulary(("a", "b")),
        tuple(map(str, range(number))),
        tuple(values),
        np.tile(np.arange(number), len(values)),
        np.repeat(np.arange(len(values)), number),
    )


@pytest.mark.parametrize("method", ["majority", "consistent", "dawid-skene"])
def test_the_consensus_leaves_out_undecided_samples_and_says_what_nobody_decided(method: str) -> None:
    said = of_values({"A": [[1, 0], [-1, -1], [-1, 1]], "B": [[1, 0], [-1, -1], [-1, 1]]})
    found = consensus_with_notes(said, method=method, hierarchy=oe.Hierarchy.flat(said.vocabulary))  # type: ignore[arg-type]
    assert found.sets.samples == ("0", "2")
    assert [found.sets.labels_of(name) for name in found.sets.samples] == [("a",), ("b",)]
    assert found.notes[0] == "no consensus on 1 sample, where no annotator decides anything: left out"
    assert found.notes[1].startswith(
        "no annotator takes 1 of 4 decisions, one for each concept of each sample: "
    )


def test_concepts_of_which_nobody_was_asked_are_no_decisions_that_nobody_took() -> None:
    assert consensus_with_notes(of_values({"A": [[1, -1], [0, -1]], "B": [[1, -1], [0, -1]]})).notes == ()


@pytest.mark.parametrize("ties", ["absent", "present"])
def test_ties_are_counted_with_what_becomes_of_them(ties: str) -> None:
    said = of_values({"A": [[1, 0], [1, 1]], "B": [[0, 0], [0, -1]]})
    (note,) = consensus_with_notes(said, ties=ties).notes  # type: ignore[arg-type]
    assert note == f"2 ties, as many annotators for a label as against it: {ties} (--ties)"


def test_closing_upwards_tells_what_is_unknown() -> None:
    hierarchy = oe.Hierarchy.from_edges([("plants", "trees")])
    said = oe.Annotations(
        sparse.csr_array(np.array([[False, True], [False, False]])),
        sparse.csr_array(np.array([[True, False], [False, False]])),
        hierarchy.vocabulary,
        ("p",),
        ("A", "B"),
        np.array([0, 0]),
        np.array([0, 1]),
    )
    closed = said.closed(hierarchy)
    assert closed.of("A").labels_of("p") == ("plants", "trees")
    assert closed.complete.all()


def test_confusions_of_two_annotators_are_those_of_their_label_sets() -> None:
    shared = ["p1", "p3"]
    sides = THREE.of("Ann").take(shared), THREE.of("Eve").take(shared)
    expected = oe.confusion_matrix(*sides, rule="transport", variant="all given")
    found = oe.annotators.annotator_confusion(THREE, "Ann", "Eve")
    np.testing.assert_array_equal(found.matrix, expected.matrix)


def test_confusions_of_all_are_those_of_every_pair_both_ways() -> None:
    found = np.array(oe.annotators.annotator_confusion(THREE, rule="tensor-recall").matrix)
    parts = [
        np.array(oe.annotators.annotator_confusion(THREE, one, other, rule="tensor-recall").matrix)
        for one in THREE.annotators
        for other in THREE.annotators
        if one != other
    ]
    np.testing.assert_allclose(found, np.sum(parts, axis=0))
    of_ann = np.array(oe.annotators.annotator_confusion(THREE, "Ann", rule="tensor-recall").matrix)
    np.testing.assert_allclose(of_ann, np.sum(parts[:2], axis=0))


def test_of_many_pairs_some_are_drawn() -> None:
    _, said = drawn(50, 5, 3)
    found = oe.annotators.annotator_confusion(said, most=100, rule="tensor-recall")
    assert 0 < found.matrix.sum() < oe.annotators.annotator_confusion(said, rule="tensor-recall").matrix.sum()


def test_more_annotators_come_nearer_to_all() -> None:
    _, said = drawn(200, 9, 4, errors=0.2)
    curve = oe.annotators.sufficiency(said, numbers=[1, 3, 5, 7], draws=5)
    assert [one.annotators for one in curve] == [1, 3, 5, 7]
    assert sorted(one.f for one in curve) == [one.f for one in curve]
    assert np.isnan(curve[0].weight)
    assert curve[1].weight > curve[3].weight > 0
    assert [one.samples for one in oe.annotators.sufficiency(said, numbers=[3], samples=50)] == [50]


def test_where_nobody_says_anything_no_two_sets_differ() -> None:
    said = oe.Annotations.from_sets({"A": [[], []], "B": [[], []]}, vocabulary=["a"])
    flat = oe.Hierarchy.flat(said.vocabulary)
    (found,) = set_alphas(said, (SetDistance("hierarchical", flat),), FEW)
    assert found.distinct == 1
    assert np.isnan(found.value)
    rows = said.positive[np.zeros(2, dtype=np.intp)]
    assert SetDistance("hierarchical", flat).table(rows, said.vocabulary).tolist() == [[0, 0], [0, 0]]


def test_what_others_simulate_can_be_compared() -> None:
    said = oe.Annotations.from_sets(
        oe.annotators.simulate_annotators([["a", "b"], ["b"]] * 5, 3, accuracy=0.9, seed=1)
    )
    assert len(oe.agreement(said, resamples=5).annotators) == 3


def test_the_mean_of_cohens_kappa_is_exact_however_coarse_its_derivatives_are() -> None:
    rng = np.random.default_rng(5)
    said = {who: [["a"] if yes else [] for yes in rng.random(40) < 0.3] for who in ("A", "B", "C")}
    annotations = oe.Annotations.from_sets(said, vocabulary=["a"])
    found = oe.agreement(annotations, resamples=5)
    expected = np.mean([pair.kappa for pair in found.pairs])
    assert found.estimates.concepts["cohen"].value[0] == pytest.approx(expected, abs=1e-12)


def test_units_of_one_annotator_do_not_move_the_kappa_of_fleiss() -> None:
    compared = [[1, 1], [1, 1]]
    assert nominal(compared)["fleiss"] == -1
    found = nominal([*compared, *[[1, 0]] * 20])
    assert found["fleiss"] == -1
    assert found["ac1"] != nominal(compared)["ac1"]


def test_what_cannot_be_compared_says_which_it_is() -> None:
    alone = oe.Annotations.from_sets({"A": {"p": ["sky"]}, "B": {"q": ["sky"]}})
    with pytest.raises(InputError, match=r"no sample has two annotators \(2 samples of 'A', 'B'\)"):
        oe.agreement(alone)
