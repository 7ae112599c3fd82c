"""Confusion matrices from files and frames: the default, what is paired, and arrays."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError
from tests.commands import call as run

Sets = dict[str, list[str]]

BOOKS = [("Fiction", "Crime"), ("Fiction", "Romance"), ("Facts", "History"), ("Facts", "Nature")]
PHOTOS = [("light", "day"), ("light", "night"), ("place", "indoor"), ("place", "outdoor")]
TRUTH = {"1": ["Crime", "Fiction"], "2": ["Crime", "Fiction"], "3": ["Facts", "History"]}
RUN = {"1": ["Facts", "Nature"], "2": ["Fiction", "Romance"], "3": ["Facts", "History"]}


def written(folder: Path, **sides: Sets) -> list[Path]:
    """Write label sets as CSV files."""
    for name, sets in sides.items():
        lines = ["id,labels", *(f"{sample},{';'.join(labels)}" for sample, labels in sets.items())]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [folder / f"{name}.csv" for name in sides]


def taken(matrix: oe.confusion.ConfusionMatrix) -> dict[tuple[str, str], float]:
    return {(one.true, one.predicted): one.mass for one in matrix.top()}


@pytest.mark.parametrize("top", [[], ["Books"], ["Things", "Books"]])
def test_groups_without_a_common_root_are_confused(top: list[str], tmp_path: Path) -> None:
    links = [*pairwise(top), *((top[-1], root) for root in ("Fiction", "Facts") if top)]
    hierarchy = oe.Hierarchy.from_edges([*links, *BOOKS], abstract=top)
    found = oe.confusion_matrix(TRUTH, RUN, hierarchy=hierarchy)
    assert taken(found) == {
        **dict.fromkeys([("Crime", "Romance")], 1.0),
        **{(true, predicted): 0.5 for true in ("Fiction", "Crime") for predicted in ("Facts", "Nature")},
    }
    groups = found.aggregated(hierarchy, cut=["Fiction", "Facts"])
    assert groups.to_numpy().tolist() == [[2, 2, 0], [0, 2, 0], [0, 0, 0]]
    assert groups.samples("Fiction", "Facts") == {"1": 2.0}
    truth, other = written(tmp_path, truth=TRUTH, run=RUN)
    (tmp_path / "links.csv").write_text(
        "parent\tchild\n" + "".join(f"{one}\t{two}\n" for one, two in [*links, *BOOKS]), encoding="utf-8"
    )
    if not top:  # a root from a file may be a label
        shown = run("confusion", truth, other, "--ontology", tmp_path / "links.csv", "--format", "json")
        content = json.loads(shown.stdout)
        assert (content["rule"], content["variant"]) == (found.rule, found.variant)
        place = [content["rows"].index(row) for row in found.rows]
        assert np.array_equal(np.array(content["matrix"])[np.ix_(place, place)], found)
        assert content["pairing"] == found.pairing


def test_facets_that_both_sides_have_stay_apart() -> None:
    truth, prediction = {"1": ["day", "indoor"]}, {"1": ["night", "day", "outdoor"]}
    found = oe.confusion_matrix(truth, prediction, hierarchy=PHOTOS)
    assert taken(found) == {("indoor", "outdoor"): 1.0}
    assert [one.concept for one in found.unmatched()] == ["night"]
    truth, prediction = {"1": ["day", "indoor"]}, {"1": ["day", "night"]}
    assert taken(oe.confusion_matrix(truth, prediction, hierarchy=PHOTOS)) == {}
    every = oe.confusion_matrix(truth, prediction, hierarchy=PHOTOS, rule="transport", variant="all given")
    assert taken(every) == {("indoor", "night"): 1.0}


def test_a_root_may_be_a_label() -> None:
    hierarchy = oe.Hierarchy.from_edges([("Books", "Fiction"), ("Books", "Facts"), *BOOKS])
    for truth, prediction in ((["Books"], ["Fiction"]), (["Crime"], ["History"]), (["Fiction"], ["Facts"])):
        found = oe.confusion_matrix([truth], [prediction], hierarchy=hierarchy)
        assert taken(found) == {(truth[0], prediction[0]): 1.0}
    found = oe.confusion_matrix([["Fiction"]], [["Facts"]], hierarchy=BOOKS)
    assert taken(found) == {("Fiction", "Facts"): 1.0}


def test_several_parents_in_facets_of_both_sides() -> None:
    links = [
        ("light", "sunset"),
        ("place", "sunset"),
        ("place", "indoor"),
        ("mood", "calm"),
        ("light", "night"),
    ]
    found = oe.confusion_matrix([["sunset"]], [["calm", "indoor"]], hierarchy=links)
    assert taken(found) == {("sunset", "indoor"): 1.0}
    found = oe.confusion_matrix([["sunset", "night"]], [["calm", "indoor"]], hierarchy=links)
    assert taken(found) == {("sunset", "indoor"): 1.0, ("night", "calm"): 1.0}


def test_the_default_rule_is_one_in_python_and_on_the_command_line(tmp_path: Path) -> None:
    truth, other = written(tmp_path, truth=TRUTH, run=RUN)
    content = json.loads(run("confusion", truth, other, "--format", "json").stdout)
    found = oe.confusion_matrix(TRUTH, RUN)
    assert (found.rule, content["rule"]) == ("krstinic", "krstinic")
    place = [content["rows"].index(row) for row in found.rows]
    assert np.array(content["matrix"])[np.ix_(place, place)].tolist() == found.to_numpy().tolist()
    assert oe.confusion_matrix(TRUTH, RUN, hierarchy=BOOKS).variant == "facets given"
    drawn = oe.compare(TRUTH, {"run": RUN}, measures=["F"], resamples=2, test="none").report()
    assert "by the rule of Krstinić" in drawn
    assert "unmatched" not in drawn.split('id="confusion"')[1].split("</section>")[0]


def test_wherever_a_matrix_is_shown_it_says_which_pairs_are_left_out(tmp_path: Path) -> None:
    truth, other = written(tmp_path, truth=TRUTH, run=RUN)
    (tmp_path / "links.csv").write_text("parent\tchild\n" + "".join(f"{a}\t{b}\n" for a, b in BOOKS), "utf-8")
    asked = ["confusion", truth, other, "--ontology", tmp_path / "links.csv"]
    found = oe.confusion_matrix(TRUTH, RUN, hierarchy=BOOKS)
    for words in ([], ["--level", "0"], ["--format", "markdown"], ["--format", "json"]):
        assert found.pairing in " ".join(run(*asked, *words).stdout.split())
    assert found.pairing in " ".join(run(*asked, "--format", "csv").stderr.split())
    page = oe.compare(TRUTH, {"run": RUN}, hierarchy=BOOKS, measures=["F"], resamples=2, test="none").report()
    assert found.pairing in page.split('id="confusion"')[1].split("</section>")[0]
    assert found.pairing in found._repr_html_()
    assert "some pairs left out: see .pairing" in repr(found)
    every = oe.confusion_matrix(TRUTH, RUN, hierarchy=BOOKS, rule="transport", variant="all given")
    assert "left out" not in repr(every)
    assert every.pairing == oe.confusion_matrix(TRUTH, RUN, rule="mlcm").pairing


def test_an_array_has_the_order_of_rows_and_columns() -> None:
    found = oe.confusion_matrix(TRUTH, RUN, hierarchy=BOOKS)
    array: Any = np.asarray(found)
    assert array.tolist() == found.to_numpy().tolist() == np.asarray(found.matrix).tolist()
    assert array.shape == (7, 7)
    assert np.asarray(found, dtype=np.float32).dtype == np.float32
    array[0, 0] = 9.0
    assert found.to_numpy()[0, 0] != 9.0
    row, column = found.rows.index("Crime"), found.columns.index("Romance")
    assert found.to_numpy()[row, column] == 1.0


def test_a_frame_of_a_matrix_is_wide_with_names_and_a_long_one_has_its_entries() -> None:
    pandas = pytest.importorskip("pandas")
    found = oe.confusion_matrix(TRUTH, RUN, hierarchy=BOOKS)
    wide, long = found.to_frame(), found.to_long()
    assert (wide.index.name, *wide.index) == ("true", *found.rows)
    assert (wide.columns.name, *wide.columns) == ("predicted", *found.columns)
    assert (wide == pandas.DataFrame(found.to_numpy(), wide.index, wide.columns)).all(axis=None)
    assert list(long.columns) == ["true", "predicted", "mass", "share of row"]
    assert all(wide.loc[row.true, row.predicted] == row.mass for row in long.itertuples())
    assert long["mass"].sum() == wide.to_numpy().sum()


def test_a_large_matrix_is_no_array() -> None:
    names = [f"c{at}" for at in range(2_001)]
    found = oe.confusion_matrix([["c0"]], [["c1"]], classes=names)
    for made in (found.to_numpy, lambda: np.asarray(found)):
        with pytest.raises(InputError, match=r"2,001 concepts, more than 2,000.*\.matrix"):
            made()


def germeval(data: Path) -> tuple[Sets, Sets, list[tuple[str, str]]]:
    """The truth, one run and the links of a campaign with eight roots."""
    folder = data / "labels" / "germeval2019"

    def sets(path: Path) -> Sets:
        found, inside = dict[str, list[str]](), False
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("subtask_"):
                inside = line.strip() == "subtask_b"
            elif inside and line.strip():
                sample, *labels = line.split("\t")
                found[sample] = [label for label in labels if label.strip()]
        return found

    truth = sets(folder / "blurbs_test_label.txt")
    run = sets(folder / "submissions" / "EricssonResearch__fconv_A6C1Y.txt")
    lines = (folder / "hierarchy.txt").read_text(encoding="utf-8").splitlines()
    parted = [line.partition("\t") for line in lines if line.strip()]
    links = [(parent, child) for parent, _, child in parted]
    return truth, {sample: run.get(sample, []) for sample in truth}, links


def test_books_in_a_wrong_group_are_found(data: Path) -> None:
    truth, prediction, links = germeval(data)
    above = {child: parent for parent, child in links}

    def group(label: str) -> str:
        return group(above[label]) if label in above else label

    counted: dict[tuple[str, str], set[str]] = defaultdict(set)
    for book, labels in truth.items():
        sides = {group(one) for one in labels}, {group(one) for one in prediction[book]}
        if len(sides[0]) == len(sides[1]) == 1:
            counted[sides[0].pop(), sides[1].pop()].add(book)
    single = set().union(*counted.values())
    wrong = {cell: books for cell, books in counted.items() if cell[0] != cell[1]}
    assert (len(single), sum(map(len, wrong.values()))) == (3837, 383)
    hierarchy = oe.Hierarchy.from_edges(links)
    matrix = oe.confusion_matrix(truth, prediction, hierarchy=hierarchy)
    groups = matrix.aggregated(hierarchy, level=0)
    names = groups.rows[:8]
    for true in names:
        for predicted in names:
            if true != predicted:
                behind = groups.samples(true, predicted)
                assert single & {*behind} == wrong.get((true, predicted), set())
    # Of the groups alone, with one each, the matrix is the table counted by hand.
    tops = [
        {book: sorted({group(one) for one in sets[book]}) for book in single} for sets in (truth, prediction)
    ]
    table = oe.confusion_matrix(*tops, hierarchy=hierarchy).aggregated(hierarchy, level=0).to_numpy()
    assert Counter({cell: len(books) for cell, books in counted.items()}) == Counter(
        {
            (true, other): int(table[row, at])
            for row, true in enumerate(names)
            for at, other in enumerate(names)
        }
    )
    assert matrix.top(1)[0][:2] == ("Sachbuch", "Literatur & Unterhaltung")
    # An abstract root above all eight changes nothing.
    rooted = oe.Hierarchy.from_edges([*links, *(("all", name) for name in names)], abstract=["all"])
    same = oe.confusion_matrix(truth, prediction, hierarchy=rooted)
    assert np.array_equal(same.to_numpy(), matrix.to_numpy())
    assert same.top(50) == matrix.top(50)


def exchanged(
    truth: Sets, hierarchy: oe.Hierarchy, samples: int, *, closed: bool
) -> tuple[Sets, Sets, set[tuple[str, str, str]]]:
    """Exchange one of five groups of each sample for another; leave labels of others out, and add some."""
    rng = np.random.default_rng(3)
    names, tops = hierarchy.label_vocabulary.concepts, hierarchy.roots.tolist()
    above = hierarchy.label_ancestors[:, tops].toarray().argmax(axis=1)
    group = {name: hierarchy.vocabulary[tops[at]] for name, at in zip(names, above.tolist(), strict=True)}
    inner = {names[at] for at in np.flatnonzero(hierarchy.below(~hierarchy.abstract)[hierarchy.labels] > 1)}
    leaves = {top: [one for one in names if group[one] == top and one not in inner] for top in group.values()}
    implied = {
        name: {hierarchy.vocabulary[int(at)] for at in hierarchy.label_ancestors[[row]].indices} & {*names}
        for row, name in enumerate(names)
    }
    known, sides = set(), (dict[str, list[str]](), dict[str, list[str]]())
    for at in rng.choice(len(truth), samples, replace=False).tolist():
        sample = [*truth][at]
        tops_here = sorted({group[one] for one in truth[sample]})
        free, kept = [top for top in sorted(leaves) if top not in tops_here], set[str]()
        for top in tops_here:
            own = [one for one in truth[sample] if group[one] == top]
            if free and rng.random() < 0.2:
                other = free.pop(rng.integers(len(free)))
                kept.add(leaves[other][rng.integers(len(leaves[other]))])
                known.add((sample, top, other))
                continue
            kept |= {one for one in own if rng.random() >= 0.15}
            if rng.random() < 0.15:
                kept.add(leaves[top][rng.integers(len(leaves[top]))])
        sides[0][sample] = truth[sample]
        sides[1][sample] = sorted(set().union(*(implied[one] for one in kept)) if closed else kept)
    return *sides, known


def found_exchanges(
    truth: Sets, hierarchy: oe.Hierarchy, samples: int, *, closed: bool
) -> dict[str, tuple[float, float]]:
    """Share of the exchanges that have mass, and of the mass between groups that is of an exchange."""
    true, predicted, known = exchanged(truth, hierarchy, samples, closed=closed)
    found, tops = {}, [hierarchy.vocabulary[at] for at in hierarchy.roots.tolist()]
    for variant in ("facets given", "all given", "related given"):
        matrix = oe.confusion_matrix(true, predicted, hierarchy=hierarchy, rule="transport", variant=variant)
        groups = matrix.aggregated(hierarchy, cut=tops)
        cells = {
            (sample, one, other): mass
            for one in groups.rows[:-1]
            for other in groups.columns[:-1]
            if one != other
            for sample, mass in groups.samples(one, other).items()
        }
        right = [mass for cell, mass in cells.items() if cell in known]
        found[variant] = len(right) / len(known), sum(right) / max(1e-9, sum(cells.values()))
    return found


def test_known_exchanges_of_groups_of_books_and_photos_are_found(data: Path) -> None:
    truth, _, links = germeval(data)
    folder = data / "imageclef2011"
    ontology = oe.read_ontology(folder / "photo_tagging_2011.owl")
    photos = oe.read_labels(
        folder / "truth.txt",
        ontology,
        concepts=folder / "concepts.txt",
        concept_map=folder / "concept_map.csv",
    )
    named = {sample: [*photos.labels_of(sample)] for sample in photos.samples[:4_000]}
    books = found_exchanges(truth, oe.Hierarchy.from_edges(links), 2_000, closed=True)
    images = found_exchanges(named, ontology.hierarchy(), 1_000, closed=False)
    for found in (books, images):
        assert [exchanges for exchanges, _ in found.values()] == [1, 1, 0]
    # The manual has these shares.
    shares = [[round(100 * share, 1) for _, share in found.values()] for found in (books, images)]
    assert shares == [[98.8, 96.8, 0], [68.8, 42.5, 0]]
