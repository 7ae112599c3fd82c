"""Laws of annotator agreement, and equality with loops over annotators."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import sparse

import ontoeval as oe
from ontoeval.annotators.coefficients import COEFFICIENTS, nominal
from ontoeval.annotators.concept_agreement import estimates, single_label_estimates
from ontoeval.annotators.consensus import dawid_skene
from ontoeval.annotators.options import AgreementOptions
from ontoeval.annotators.pairwise_kappa import AnnotatorPairs, mean_of_pairs, resampled_means
from ontoeval.annotators.set_agreement import SetDistance, distinct_rows, set_alphas
from ontoeval.annotators.votes import ConceptMatrices, Votes
from ontoeval.concepts.violations import rule_book
from ontoeval.core.resampling import portions_of
from tests import strategies as some
from tests.oracles import agreement as oracle
from tests.oracles.ontology_score import Tree

FEW = AgreementOptions(resamples=5)
NAMES = ("majority", "pairwise", "unanimous", "fleiss", "randolph", "ac1", "alpha")


@dataclass(frozen=True)
class Said:
    """What annotators say: samples × annotators × concepts, 1, 0, or 2 where nothing is known; and who saw what."""

    states: NDArray[np.int8]
    seen: NDArray[np.bool_]

    @property
    def concepts(self) -> tuple[str, ...]:
        return some.NAMES[: self.states.shape[2]]

    @property
    def annotations(self) -> oe.Annotations:
        sample, annotator = np.nonzero(self.seen)
        sheets = self.states[sample, annotator]
        return oe.Annotations(
            sparse.csr_array(sheets == 1),
            sparse.csr_array(sheets == 2),
            oe.Vocabulary(self.concepts),
            tuple(f"sample {n}" for n in range(self.seen.shape[0])),
            tuple(f"annotator {n}" for n in range(self.seen.shape[1])),
            sample,
            annotator,
        )

    def units(self, concept: int) -> list[list[bool]]:
        """What those who say anything of a concept say, sample by sample."""
        return [
            [bool(state) for state, there in zip(row[:, concept], seen, strict=True) if there and state != 2]
            for row, seen in zip(self.states, self.seen, strict=True)
        ]

    def sets(self) -> list[list[frozenset[str]]]:
        """The label sets of each sample, of those who say something of every concept."""
        return [
            [
                frozenset(name for name, state in zip(self.concepts, sheet, strict=True) if state)
                for sheet, there in zip(row, seen, strict=True)
                if there and 2 not in sheet
            ]
            for row, seen in zip(self.states, self.seen, strict=True)
        ]


@st.composite
def opinions(draw: st.DrawFn, *, unknown: bool = True, missing: bool = True, least: int = 1) -> Said:
    """Up to five samples, four annotators and three concepts."""
    shape = draw(st.integers(1, 5)), draw(st.integers(least, 4)), draw(st.integers(1, 3))
    size = int(np.prod(shape))
    states = draw(
        st.lists(st.sampled_from([0, 0, 1, 1, 2] if unknown else [0, 1]), min_size=size, max_size=size)
    )
    count = shape[0] * shape[1]
    seen = draw(st.lists(st.booleans() if missing else st.just(value=True), min_size=count, max_size=count))
    return Said(np.array(states, dtype=np.int8).reshape(shape), np.array(seen, dtype=bool).reshape(shape[:2]))


def counts_of_items(*, most: int = 8) -> st.SearchStrategy[list[list[int]]]:
    """Items rated by the same number of annotators, by category."""
    return st.tuples(st.integers(2, 5), st.integers(2, 4)).flatmap(
        lambda size: st.lists(
            st.lists(st.integers(0, size[1] - 1), min_size=size[0], max_size=size[0]).map(
                lambda votes: [votes.count(k) for k in range(size[1])]
            ),
            min_size=1,
            max_size=most,
        )
    )


def same(found: object, expected: object) -> None:
    np.testing.assert_allclose(np.asarray(found, dtype=float), np.asarray(expected, dtype=float), atol=1e-6)


@given(opinions())
def test_coefficients_and_what_they_rest_on_are_those_of_the_loops(said: Said) -> None:
    whole = said.annotations
    found = estimates(whole, Votes.from_annotations(whole), FEW)
    assert set(found.concepts) == {*COEFFICIENTS, "cohen"}
    for concept in range(len(said.concepts)):
        units, answers = said.units(concept), [False, True]
        expected = {
            "majority": oracle.majority(units),
            "pairwise": oracle.pairwise(units),
            "unanimous": oracle.unanimous(units),
            "fleiss": oracle.fleiss(units, answers),
            "randolph": oracle.randolph(units, answers),
            "ac1": oracle.ac1(units, answers),
            "alpha": oracle.alpha(units, oracle.nominal),
        }
        same([found.concepts[name].value[concept] for name in expected], list(expected.values()))
        several = [unit for unit in units if len(unit) > 1]
        assert [int(side[concept]) for side in found.basis[:5]] == [
            len(several),
            sum(map(len, several)),
            sum(any(unit) for unit in several),
            min(sum(2 * unit.count(answer) > len(unit) for unit in several) for answer in answers),
            sum(len(set(unit)) > 1 for unit in several),
        ]
        for name, one in found.concepts.items():
            low, high = one.low[concept], one.high[concept]
            assert low <= high + 1e-12 if len(several) > 1 and np.isfinite(low) else np.isnan(high), name
    pooled = [unit for concept in range(len(said.concepts)) for unit in said.units(concept)]
    same(found.pooled["pairwise"].value, oracle.pairwise(pooled))
    same(found.pooled["fleiss"].value, oracle.fleiss(pooled, [False, True]))
    same(found.pooled["alpha"].value, oracle.alpha(pooled, oracle.nominal))
    every = zip(*(said.units(concept) for concept in range(len(said.concepts))), strict=True)
    assert found.compared == sum(any(len(unit) > 1 for unit in units) for units in every)
    if sum(len(said.units(0)[row]) > 1 for row in range(len(said.seen))) > 1:
        assert np.isfinite(found.mean["majority"].low)


@given(opinions(), st.sampled_from([0, 10**6]))
def test_cohens_kappa_of_pairs_is_that_of_the_loops_in_arrays_and_sparse(said: Said, dense: int) -> None:
    pairs = AnnotatorPairs.from_matrices(ConceptMatrices.from_annotations(said.annotations, dense=dense))
    met = [
        (one, other)
        for one, other in combinations(range(said.seen.shape[1]), 2)
        if (said.seen[:, one] & said.seen[:, other]).any()
    ]
    assert list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) == met
    for concept in range(len(said.concepts)):
        kappas = []
        for one, other in met:
            known = said.seen[:, [one, other]].all(axis=1) & (said.states[:, [one, other], concept] != 2).all(
                axis=1
            )
            chosen = said.states[known][:, [one, other], concept]
            kappas.append(oracle.cohen([tuple(row) for row in chosen.tolist()]))
        same(mean_of_pairs(pairs.compare_on_concept(concept).kappa), oracle.mean(kappas))


@given(opinions(), st.sampled_from([0, 10**6]))
def test_the_mean_of_cohens_kappa_in_resamples_is_that_of_annotations_drawn_again(
    said: Said, dense: int
) -> None:
    whole, drawing = said.annotations, oe.core.Bootstrap(resamples=6, seed=3)
    pairs = AnnotatorPairs.from_matrices(ConceptMatrices.from_annotations(whole, dense=dense))
    found = resampled_means(pairs, list(range(len(said.concepts))), whole.samples, drawing)
    ((_, portion),) = portions_of(whole.samples, 20_000)
    for resample, times in enumerate(drawing.draw(0, 6, portion).astype(int)):
        again = Said(np.repeat(said.states, times, axis=0), np.repeat(said.seen, times, axis=0))
        for concept in range(len(said.concepts)):
            kappas = []
            for one, other in combinations(range(said.seen.shape[1]), 2):
                states = again.states[:, [one, other], concept]
                known = again.seen[:, [one, other]].all(axis=1) & (states != 2).all(axis=1)
                kappas.append(oracle.cohen([tuple(row) for row in states[known].tolist()]))
            same(found[resample, concept], oracle.mean(kappas))


@given(opinions())
def test_alpha_of_sets_is_that_of_all_pairs(said: Said) -> None:
    found = set_alphas(
        said.annotations, tuple(SetDistance(kind) for kind in ("exact", "jaccard", "masi")), FEW
    )
    distances = (oracle.nominal, oracle.jaccard, oracle.masi)
    same([one.value for one in found], [oracle.alpha(said.sets(), distance) for distance in distances])


@given(opinions(unknown=False), some.graphs(max_nodes=6), st.data())
def test_the_hierarchical_alpha_is_that_of_all_pairs(
    said: Said, graph: some.Graph, data: st.DataObject
) -> None:
    hierarchy = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names)
    names = data.draw(
        st.lists(
            st.sampled_from(graph.names),
            min_size=len(said.concepts),
            max_size=len(said.concepts),
            unique=True,
        )
        if len(graph.names) >= len(said.concepts)
        else st.nothing()
    )
    whole = said.annotations
    renamed = oe.Annotations(
        whole.positive,
        whole.unknown,
        oe.Vocabulary(tuple(names)),
        whole.samples,
        whole.annotators,
        whole.sample,
        whole.annotator,
    )
    cost = Tree(graph.edges, graph.names).cost
    put = dict(zip(said.concepts, names, strict=True))
    sets = [[frozenset(put[name] for name in labels) for labels in row] for row in said.sets()]
    distance = SetDistance("hierarchical", hierarchy)
    (found,) = set_alphas(renamed, (distance,), FEW)
    same(found.value, oracle.alpha(sets, lambda a, b: oracle.hierarchical(a, b, cost)))
    flat = [labels for row in sets for labels in row]
    if flat:
        matrix = oe.LabelSets.from_sets(flat, vocabulary=renamed.vocabulary).matrix
        every = np.arange(len(flat))
        one, other = (side.ravel() for side in np.meshgrid(every, every, indexing="ij"))
        pairwise = distance.between(matrix[one], matrix[other], renamed.vocabulary)
        same(distance.table(matrix, renamed.vocabulary).ravel(), pairwise)


@given(opinions(unknown=False))
def test_without_links_the_hierarchical_distance_is_that_of_jaccard(said: Said) -> None:
    flat = oe.Hierarchy.flat(oe.Vocabulary(said.concepts))
    found = set_alphas(
        said.annotations,
        (SetDistance("hierarchical", flat), SetDistance("jaccard")),
        AgreementOptions(resamples=20),
    )
    same(found[0][1:4], found[1][1:4])


@given(some.class_arrays(max_samples=8), st.sampled_from(["no links", "a star"]))
def test_of_single_labels_in_a_flat_hierarchy_the_hierarchical_alpha_is_the_nominal_one(
    drawn: tuple[NDArray[np.intp], NDArray[np.intp], int], shape: str
) -> None:
    first, second, q = drawn
    names = some.NAMES[:q]
    hierarchy = oe.Hierarchy.flat(oe.Vocabulary(names))
    if shape == "a star":
        hierarchy = oe.Hierarchy.from_edges([("top", name) for name in names], abstract=["top"])
    said = oe.Annotations.from_sets(
        {who: [[names[k]] for k in side] for who, side in {"Ann": first, "Bob": second}.items()},
        vocabulary=names,
    )
    distances = SetDistance("hierarchical", hierarchy), SetDistance("exact")
    hierarchical, exact = (one.value for one in set_alphas(said, distances, FEW))
    same(hierarchical, exact)
    same(hierarchical, float(single_label_estimates(said, Votes.from_annotations(said), FEW)["alpha"].value))


@given(counts_of_items())
def test_complete_nominal_alpha_follows_from_fleiss(counts: list[list[int]]) -> None:
    found, number = nominal(counts), np.sum(counts)
    same(found["alpha"], 1 - (1 - found["fleiss"]) * (number - 1) / number)


@given(counts_of_items(), st.randoms(use_true_random=False))
def test_the_order_of_units_and_categories_says_nothing(counts: list[list[int]], random) -> None:
    order = list(range(len(counts[0])))
    random.shuffle(order)
    shuffled = [[row[k] for k in order] for row in counts]
    random.shuffle(shuffled)
    same(list(nominal(shuffled).values()), list(nominal(counts).values()))


@given(counts_of_items())
def test_units_taken_twice_change_all_but_alpha_nothing(counts: list[list[int]]) -> None:
    once, twice = nominal(counts), nominal(counts + counts)
    others = [name for name in once if name != "alpha"]
    same([twice[name] for name in others], [once[name] for name in others])


def test_units_taken_twice_can_change_alpha() -> None:
    counts = [[2, 0], [1, 1]]
    assert abs(nominal(counts + counts)["alpha"] - nominal(counts)["alpha"]) > 0.01


@given(counts_of_items())
def test_pairs_agree_at_most_as_much_as_the_majority(counts: list[list[int]]) -> None:
    found = nominal(counts)
    assert found["unanimous"] - 1e-12 <= found["pairwise"] <= found["majority"] + 1e-12


@given(counts_of_items())
def test_ac1_is_at_least_the_kappa_of_fleiss(counts: list[list[int]]) -> None:
    found = nominal(counts)
    assert np.isnan(found["fleiss"]) or found["ac1"] >= found["fleiss"] - 1e-12


@given(counts_of_items())
def test_no_coefficient_is_above_1(counts: list[list[int]]) -> None:
    assert all(np.isnan(value) or value <= 1 + 1e-12 for value in nominal(counts).values())


@given(opinions(), st.randoms(use_true_random=False))
def test_the_order_of_annotators_says_nothing(said: Said, random) -> None:
    order = list(range(said.seen.shape[1]))
    random.shuffle(order)
    results = []
    for one in (said, Said(said.states[:, order], said.seen[:, order])):
        whole = one.annotations
        results.append(estimates(whole, Votes.from_annotations(whole), FEW))
    for name in (*NAMES, "cohen"):
        same(results[0].concepts[name].value, results[1].concepts[name].value)
        same(results[0].concepts[name].low, results[1].concepts[name].low)


@given(opinions(unknown=False, missing=False, least=2))
def test_intervals_are_those_of_annotations_drawn_again(said: Said) -> None:
    assume(len(said.seen) > 1)
    whole, drawing = said.annotations, oe.core.Bootstrap(resamples=7, seed=3)
    found = estimates(whole, Votes.from_annotations(whole), AgreementOptions(resamples=7, seed=3, level=0.5))
    from ontoeval.core.resampling import interval

    ((_, portion),) = portions_of(whole.samples, 20_000)
    weights = drawing.draw(0, 7, portion).astype(int)
    again = []
    for row in weights:
        units = [unit for unit, times in zip(said.units(0), row.tolist(), strict=True) for _ in range(times)]
        again.append([oracle.majority(units), oracle.alpha(units, oracle.nominal)])
    value = np.array([found.concepts[name].value[0] for name in ("majority", "alpha")])
    low, high = interval(np.array(again), value, level=0.5)
    same([found.concepts[name].low[0] for name in ("majority", "alpha")], low)
    same([found.concepts[name].high[0] for name in ("majority", "alpha")], high)


@given(opinions())
def test_distinct_rows_are_those_of_the_array(said: Said) -> None:
    matrix = said.annotations.positive
    which, first = distinct_rows(matrix)
    rows = [tuple(row) for row in matrix.toarray().tolist()]
    distinct = list(dict.fromkeys(rows))
    assert which.tolist() == [distinct.index(row) for row in rows]
    assert first.tolist() == [rows.index(row) for row in distinct]


@given(opinions())
def test_each_annotator_is_compared_with_the_majority_of_the_rest(said: Said) -> None:
    from ontoeval.annotators.annotator_comparison import annotator_details, leave_one_out

    whole = said.annotations
    details = annotator_details(whole, FEW)
    for which, found in enumerate(leave_one_out(whole, Votes.from_annotations(whole))):
        pairs, apart = [], np.zeros((2, len(said.concepts)))
        for row, seen in zip(said.states, said.seen, strict=True):
            for concept in range(row.shape[1]):
                others = [
                    row[a, concept] for a in np.flatnonzero(seen) if a != which and row[a, concept] != 2
                ]
                if seen[which] and row[which, concept] != 2 and others:
                    pairs.append((bool(row[which, concept]), sum(others) * 2 > len(others)))
                    apart[:, concept] += pairs[-1][0] > pairs[-1][1], pairs[-1][0] < pairs[-1][1]
        tp = sum(mine and theirs for mine, theirs in pairs)
        assert [side.toarray()[which].tolist() for side in (details.more, details.fewer)] == apart.tolist()
        same(details.scores["agreement"].value[which], found.agreement)
        assert found.decisions == len(pairs)
        assert found.samples == said.seen[:, which].sum()
        same(found.agreement, oracle.mean([float(a == b) for a, b in pairs]))
        same(found.kappa, oracle.cohen(pairs))
        same(found.precision, tp / sum(a for a, _ in pairs) if any(a for a, _ in pairs) else np.nan)
        same(found.recall, tp / sum(b for _, b in pairs) if any(b for _, b in pairs) else np.nan)


@given(opinions(), st.sampled_from(["absent", "present"]))
def test_the_majority_is_what_more_than_half_say(said: Said, ties: str) -> None:
    sets = oe.annotators.consensus(said.annotations, ties=ties)  # type: ignore[arg-type]
    for row, sample in enumerate(said.annotations.samples):
        if any(said.units(concept)[row] for concept in range(len(said.concepts))):
            expected = set()
            for concept, name in enumerate(said.concepts):
                votes = said.units(concept)[row]
                if sum(votes) * 2 > len(votes) or (
                    ties == "present" and votes and sum(votes) * 2 == len(votes)
                ):
                    expected.add(name)
            assert set(sets.labels_of(sample)) == expected
        else:
            assert sample not in sets.row


@given(some.graphs(max_nodes=7), st.data())
def test_the_consistent_consensus_is_closed_and_keeps_every_rule(
    graph: some.Graph, data: st.DataObject
) -> None:
    pairs = data.draw(some.exclusions(graph))
    needs = data.draw(some.requirements(graph))
    hierarchy = oe.Hierarchy.from_edges(
        graph.edges,
        concepts=graph.names,
        exclusions=[oe.core.Exclusion(*pair) for pair in pairs],
        requirements=[oe.core.Requirement(concept, tuple(any_of)) for concept, any_of in needs],
    )
    said = oe.Annotations.from_sets(
        {
            f"annotator {n}": data.draw(st.lists(some.concept_sets(graph.names), min_size=3, max_size=3))
            for n in range(3)
        },
        vocabulary=hierarchy.label_vocabulary,
    )
    found = oe.annotators.consensus(said, method="consistent", hierarchy=hierarchy)
    assert not found.unclosed(hierarchy).any()
    assert not any(one.broken for one in rule_book(hierarchy).breaches(found.matrix))
    plain = oe.annotators.consensus(said)
    closed = plain.closed(hierarchy)
    offends = rule_book(hierarchy).offending_labels(plain.matrix, plain.matrix)
    fine = ~plain.unclosed(hierarchy)
    fine[plain.matrix.nonzero()[0][offends]] = False
    for sample, good in zip(said.samples, fine, strict=True):
        assert set(found.labels_of(sample)) <= set(closed.labels_of(sample))
        if good:
            assert found.labels_of(sample) == plain.labels_of(sample)


@given(opinions(), st.integers(1, 4))
def test_dawid_and_skene_is_the_loop(said: Said, steps: int) -> None:
    model = dawid_skene(said.annotations, most=steps)
    for concept in range(len(said.concepts)):
        answers = {
            (f"sample {s}", f"annotator {a}"): bool(said.states[s, a, concept])
            for s, a in zip(*np.nonzero(said.seen), strict=True)
            if said.states[s, a, concept] != 2
        }
        if not any(answers.values()):
            continue
        there, rates = oracle.dawid_skene(answers, steps=int(model.iterations[concept]))
        found = model.probability.toarray()[:, concept]
        same([found[int(name.split()[1])] for name in there], list(there.values()))
        for who, (sensitivity, specificity) in rates.items():
            row = int(who.split()[1])
            same(
                [model.sensitivity[row, concept], model.specificity[row, concept]], [sensitivity, specificity]
            )


@given(opinions(least=2), st.integers(1, 3))
def test_as_many_annotators_as_there_are_leave_nothing_to_compare(said: Said, number: int) -> None:
    most = int(said.seen.sum(axis=1).max())
    found = oe.annotators.sufficiency(said.annotations, numbers=[number], draws=3)
    assert len(found) == (number < most)
    assert all(0 <= one.low <= one.f <= one.high <= 1 and 0 <= one.decisions <= 1 for one in found)
