"""Data frames are read by the names of their rows and columns, wherever labels and numbers are taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from tests.commands import call

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

TRUTH = pd.DataFrame(
    {"sky": [1, 0, 1, 0], "sea": [0, 1, 1, 0], "sun": [1, 1, 0, 1]}, index=["p1", "p2", "p3", "p4"]
)
SHUFFLED = TRUTH[["sun", "sky", "sea"]].loc[["p3", "p1", "p4", "p2"]]
HIERARCHY = oe.Hierarchy.from_edges(
    [("root", "plants"), ("plants", "trees"), ("plants", "flowers"), ("root", "mountains")]
)
LIBRARIES: Mapping[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}
FORMS = ("wide", "long", "long with values", "lists")


def framed(library: str, form: str, sets: Mapping[str, Any], concepts: list[str]) -> Any:
    """Write label sets as a frame, rows and columns in the order in which they are given."""
    columns: dict[str, list[Any]]
    if form == "wide":
        columns = {"id": list(sets)}
        columns |= {name: [int(name in labels) for labels in sets.values()] for name in concepts}
    elif form == "long":
        pairs = [(p, c) for p, labels in sets.items() for c in (sorted(labels) or [None])]
        columns = {"sample": [p for p, _ in pairs], "concept": [c for _, c in pairs]}
    elif form == "long with values":
        pairs = [(p, c) for p in sets for c in concepts]
        columns = {"sample": [p for p, _ in pairs], "concept": [c for _, c in pairs]}
        columns["value"] = [int(c in sets[p]) for p, c in pairs]
    else:
        columns = {"sample": list(sets), "labels": [sorted(labels) for labels in sets.values()]}
    if library == "polars" and form == "lists":
        return pl.DataFrame(columns, schema={"sample": pl.String, "labels": pl.List(pl.String)})
    if library == "pyarrow" and form == "lists":
        return pa.table(
            columns, schema=pa.schema([("sample", pa.string()), ("labels", pa.list_(pa.string()))])
        )
    if library == "polars" and form == "long":
        return pl.DataFrame(columns, schema={"sample": pl.String, "concept": pl.String})
    if library == "pyarrow" and form == "long":
        return pa.table(columns, schema=pa.schema([("sample", pa.string()), ("concept", pa.string())]))
    frame = LIBRARIES[library](columns)
    return frame.set_index("id") if library == "pandas" and form == "wide" else frame


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(oe.OntoevalError) as caught:
        call()
    return str(caught.value)


def by_name(truth: Any, prediction: Any, **options: Any) -> dict[Any, float]:
    """Scores, the scores of each sample by its name, and the confusion matrix by names."""
    result = oe.evaluate(truth, prediction, **options)
    matrix = oe.confusion_matrix(truth, prediction, hierarchy=options.get("hierarchy"))
    cells = {
        (row, column): float(value)
        for row, values in zip(matrix.rows, np.asarray(matrix.matrix).tolist(), strict=True)
        for column, value in zip(matrix.columns, values, strict=True)
    }
    samples = {
        (measure, name): score
        for measure in ("Jaccard", "F")
        for name, score in zip(result.samples, result.per_sample(measure).tolist(), strict=True)
    }
    return {**result.scores, **samples, **cells}


LABELS = sorted(HIERARCHY.label_vocabulary)
SETS = st.fixed_dictionaries({p: st.frozensets(st.sampled_from(LABELS)) for p in ("10", "p2", "3", "x")})


@pytest.mark.no_cover
@given(st.data(), SETS, SETS)
def test_the_order_of_rows_and_columns_and_the_form_of_frames_change_nothing(data, truth, prediction):
    expected = by_name(truth, prediction, hierarchy=HIERARCHY)

    def drawn(sets: Mapping[str, Any]) -> Any:
        rows = {p: sets[p] for p in data.draw(st.permutations(list(sets)))}
        library, form = data.draw(st.sampled_from(sorted(LIBRARIES))), data.draw(st.sampled_from(FORMS))
        return framed(library, form, rows, data.draw(st.permutations(LABELS)))

    found = by_name(drawn(truth), drawn(prediction), hierarchy=HIERARCHY)
    assert found == pytest.approx(expected, nan_ok=True, abs=1e-12)


@given(st.data(), SETS, SETS)
def test_without_a_hierarchy_the_order_of_rows_and_columns_changes_nothing(data, truth, prediction):
    first = framed("pandas", "wide", truth, LABELS), framed("pandas", "wide", prediction, LABELS)
    orders = [(data.draw(st.permutations(list(truth))), data.draw(st.permutations(LABELS))) for _ in first]
    second = [frame.loc[rows, columns] for frame, (rows, columns) in zip(first, orders, strict=True)]
    assert by_name(*second) == pytest.approx(by_name(*first), nan_ok=True, abs=1e-12)


def test_with_a_hierarchy_columns_are_found_by_name():
    frames = (pd.DataFrame({name: [1], "plants": [0]}, index=["x"]) for name in ("trees", "mountains"))
    found = oe.evaluate(*frames, hierarchy=HIERARCHY, measures="OS")["OS"]
    assert found == pytest.approx(1 / 6)
    assert found == oe.evaluate([["trees"]], [["mountains"]], hierarchy=HIERARCHY, measures="OS")["OS"]
    links = pd.DataFrame({"parent": [*"rss"], "child": [*"sab"]}, index=[3, 5, 6])
    for one in (links, links.reset_index(), links.set_index("child")):
        assert oe.evaluate([["a"]], [["b"]], hierarchy=one, measures="hF")["hF"] == 0.5
    wrong = pd.DataFrame({"treees": [0], "plants": [1]}, index=["x"])
    message = refused(lambda: oe.evaluate(wrong, wrong, hierarchy=HIERARCHY))
    assert "1 unknown concept: 'treees' in the columns (near: 'trees')" in message


def test_every_call_that_takes_labels_reads_names():
    names = (*TRUTH.columns, "unknown")
    assert oe.confusion_matrix(TRUTH, SHUFFLED).rows == names
    assert oe.confusion_tensor(TRUTH, SHUFFLED).recall_plane.rows == names
    assert oe.one_vs_rest(TRUTH, SHUFFLED).fp.tolist() == [0, 0, 0]
    assert oe.score(oe.collect(oe.align(TRUTH, SHUFFLED), "F"))["F"] == 1
    assert oe.comparison.baseline(SHUFFLED, "prior").samples == tuple(SHUFFLED.index)
    assert oe.comparison.perturb(SHUFFLED, "drop", 0, seed=1).labels_of("p2") == ("sun", "sea")
    assert not oe.audit.difference(TRUTH, SHUFFLED).by_concept()
    flat = oe.Hierarchy.flat(oe.Vocabulary(("sky", "sea", "sun")))
    assert oe.explain(TRUTH, SHUFFLED, sample="p4", hierarchy=flat).score == 1
    assert not oe.audit_labels(SHUFFLED, flat).of("unknown")
    assert oe.concepts.information_content(SHUFFLED, flat).round(3).tolist() == [1, 1, 0.415]
    found = oe.study(TRUTH, {"a": SHUFFLED, "b": 1 - TRUTH}, measures="F", resamples=20, changes=None)
    assert found.comparison.scores[:, 0].tolist() == [1, 0]


def test_labels_in_memory_are_audited_and_written(tmp_path):
    sets = {"p1": ["sky", "sea"], "p2": []}
    flat = oe.Hierarchy.flat(oe.Vocabulary(("sky", "sea")))
    found = [oe.audit_labels(labels, flat).found for labels in (sets, oe.LabelSets.from_sets(sets))]
    assert found[0] == found[1]
    assert oe.audit_labels([["skyy"]], flat).of("unknown")
    for labels in (sets, oe.LabelSets.from_sets(sets)):
        oe.write_labels(labels, tmp_path / "labels.csv")
        assert oe.evaluate(oe.read_labels(tmp_path / "labels.csv"), sets, measures="F")["F"] == 1


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("form", FORMS)
def test_forms_that_leave_no_doubt_are_read(library, form):
    sets = {"p1": {"sky", "sea"}, "p2": set(), "p3": {"sun"}}
    frame = framed(library, form, sets, ["sea", "sky", "sun"])
    assert by_name(frame, sets) == pytest.approx(by_name(sets, sets), nan_ok=True)


def test_series_of_lists_are_read():
    series = pd.Series([["sky"], ["sky", "sea"]], index=["a", "b"])
    assert oe.evaluate(series, series.iloc[::-1])["F"] == 1
    for lists in (pl.Series(series.tolist()), pa.chunked_array([series.tolist()])):
        assert oe.evaluate(lists, [["sky"], ["sea"]], measures="R")["R"] == pytest.approx(2 / 3)


# names and positions ----------------------------------------------------------------------------------------


def test_an_array_takes_the_names_of_a_frame_of_its_shape_and_the_recipe_says_so():
    result = oe.evaluate(SHUFFLED, SHUFFLED.to_numpy(), measures="F")
    assert result["F"] == 1
    assert result.samples == tuple(SHUFFLED.index)
    line = "arrays without names, in the order of the data frame's rows and columns: 'prediction'"
    assert line in result.signature.splitlines()
    assert "arrays" not in oe.evaluate(TRUTH, SHUFFLED, measures="F").signature
    assert "'truth'" in oe.evaluate(SHUFFLED.to_numpy(), SHUFFLED, measures="F").signature
    message = refused(lambda: oe.evaluate(TRUTH, TRUTH.to_numpy()[:2]))
    assert "array of shape (2, 3) beside a data frame of 4 rows and 3 concepts" in message


def test_an_array_takes_the_columns_of_a_frame_and_two_arrays_count_by_position():
    frame = pd.DataFrame({"trees": [1, 0], "mountains": [0, 1]}, index=["x", "y"])
    assert oe.evaluate(frame, frame.to_numpy(), hierarchy=HIERARCHY, measures="OS")["OS"] == 1
    assert oe.evaluate(TRUTH.to_numpy(), SHUFFLED.to_numpy()[:, [1, 2, 0]], measures="F")["F"] < 1


def test_runs_that_are_arrays_or_frames_are_compared_by_name():
    runs = {
        "frame": SHUFFLED,
        "array": TRUTH.to_numpy(),
        "polars": pl.from_pandas(SHUFFLED.reset_index(names="id")),
    }
    found = oe.compare(TRUTH, runs, measures="F", baselines=(), resamples=20)
    assert found.scores.ravel().tolist() == [1, 1, 1]
    assert "columns: 'array'" in found.signature
    bare = oe.compare(
        TRUTH.to_numpy(), {"a": TRUTH, "b": TRUTH.to_numpy()}, measures="F", baselines=(), resamples=20
    )
    assert bare.scores.ravel().tolist() == [1, 1]
    message = refused(lambda: oe.compare(TRUTH.to_numpy(), {"a": TRUTH, "b": SHUFFLED}, measures="F"))
    assert "data frames that differ in rows or columns" in message


def test_a_default_index_names_nothing():
    counted = TRUTH.reset_index(drop=True)
    assert oe.evaluate(counted, counted[["sun", "sky", "sea"]], measures="F")["F"] == 1
    assert oe.evaluate(pl.from_pandas(counted), counted, measures="F")["F"] == 1
    for other in (TRUTH, counted.sample(frac=1, random_state=1), oe.LabelSets.from_frame(TRUTH)):
        for sides in ((counted, other), (other, counted)):
            message = refused(partial(oe.evaluate, *sides))
            assert "have no names" in message
            assert "sample=" in message
            assert "set_index" in message
    shuffled = TRUTH.set_axis([3, 1, 0, 2])
    assert oe.evaluate(shuffled, shuffled.sort_index(), measures="F")["F"] == 1
    assert "the columns of the truth have no names" in refused(
        lambda: oe.evaluate(pd.DataFrame(TRUTH.to_numpy(), index=TRUTH.index), TRUTH)
    )


PAIRS = pd.DataFrame({"id": [*"aabc"], "label": [*"xyxz"]}, index=[3, 5, 7, 9])
CELLS = pd.crosstab(PAIRS["id"], PAIRS["label"]).rename_axis(columns=None)
BARE, GIVEN = CELLS.rename_axis(None), pd.DataFrame({"labels": [["x", "y"], ["x"], ["z"]]}, index=[*"abc"])
TEXTS = GIVEN["labels"].str.join(";").rename_axis("id").reset_index()
RATED = pd.DataFrame({"id": [*"aabb"], "rater": [*"pqpq"], "label": [*"xyxx"]}, index=[4, 5, 6, 7])
PATHS = pd.DataFrame({"id": [*"abc"], "l1": "r", "l2": [*"xyz"]}, index=[3, 5, 9])
INDEXED = (
    {"numbers": PAIRS, "names": PAIRS.set_axis([*"pqrs"]), "counted": PAIRS.reset_index(drop=True)}
    | {"samples": CELLS, "bare": BARE, "rows": BARE.set_axis([4, 6, 8]), "lists": GIVEN}
    | {"numbers beside": CELLS.reset_index(), "names beside": CELLS.reset_index().set_axis([*"pqr"])}
    | {"texts": TEXTS.set_axis([3, 5, 7]), "own titles": TEXTS.set_axis(["frame", "taxa"], axis=1)}
    | {"written twice": PAIRS.reset_index(names="Unnamed: 0").set_axis([2, 0, 1, 3])}
    | {"concept": BARE.rename(columns={"x": "Unnamed: 0"}), "rated": RATED, "paths": PATHS}
    | {"doubt": PAIRS.set_axis(["patient_id", "taxon"], axis=1)}
    | {"fish": PAIRS.set_axis(["fish_id", "taxon"], axis=1)}
    | {"tiles": CELLS.rename_axis("tile_id").reset_index().set_axis([4, 6, 8])}
)


@pytest.mark.parametrize("kind", INDEXED)
def test_an_index_is_read_alike_in_frames_in_files_and_where_it_became_a_column(kind, tmp_path):
    frame, csv, parquet = INDEXED[kind], tmp_path / "t.csv", tmp_path / "t.parquet"
    frame.to_csv(csv)
    frame.to_parquet(parquet)
    for side in (frame, csv, parquet, pd.read_csv(csv), pl.read_csv(csv), pl.read_parquet(parquet)):
        is_file = isinstance(side, Path)
        if kind == "rated":
            said = oe.read_annotations(side) if is_file else oe.Annotations.from_frame(side)
            assert oe.agreement(said, resamples=5).weights() == {"x": 0.75, "y": 0.75}
        elif kind == "paths":
            read = partial(oe.read_labels, input_format="paths") if is_file else oe.LabelSets.from_paths
            assert read(side).labels_of("b") == ("r", "y")
            parts = oe.evaluate(CELLS, CELLS, by=str(side) if is_file else side, measures="F").to_frame()
            assert {*parts["by"]} == {"", "l1", "l2"}
        elif kind == "doubt":  # the rows, which are numbered, may be samples, too
            assert re.search("plain|recognised|finite", refused(partial(oe.align, side, side)))
        else:
            found = oe.align(side, side).truth
            assert found.samples == tuple("468" if kind == "rows" else "abc")
            assert found.labels_of(found.samples[0]) == ("Unnamed: 0" if kind == "concept" else "x", "y")


def test_samples_that_only_one_side_has_are_refused_as_between_files():
    fewer = SHUFFLED.drop("p1")
    assert "1 only in the truth ('p1')" in refused(lambda: oe.evaluate(TRUTH, fewer))
    assert oe.evaluate(TRUTH, fewer, missing="empty", measures="P")["P"] == 1
    more = TRUTH.assign(moon=[1, 0, 0, 0])
    sets = oe.LabelSets.from_frame(TRUTH, vocabulary=list(TRUTH))
    assert "1 only in the prediction ('moon')" in refused(lambda: oe.evaluate(sets, more))
    assert "unknown concept: 'moon' in sample 'p1'" in refused(
        lambda: oe.evaluate(sets, {"p1": ["moon"], "p2": [], "p3": [], "p4": []})
    )


@pytest.mark.parametrize("index", [["7", "7"], [None, "b"]], ids=["twice", "missing"])
def test_samples_that_do_not_name_one_row_are_refused(index):
    frame = pd.DataFrame({"sky": [1, 0]}, index=index)
    assert "sample" in refused(lambda: oe.evaluate(frame, frame))


def test_columns_and_labels_that_are_numbers_are_names():
    assert oe.evaluate({"a": [3, 17], "b": [5]}, {"b": [5], "a": {17, 3}}, measures="F")["F"] == 1
    frame = pd.DataFrame({3: [1, 0], 1: [True, False]}, index=["a", "b"])
    assert oe.evaluate(frame, frame[[1, 3]], measures="F")["F"] == 1
    assert oe.confusion_matrix(frame, frame).rows == ("3", "1", "unknown")


# refusals ---------------------------------------------------------------------------------------------------

ONE = {"id": ["p1", "p2"]}


def test_the_calls_that_messages_name_work():
    texts = pd.DataFrame(ONE | {"label": ["sky;sea", "sky"]})
    assert ".str.split(';')" in refused(lambda: oe.LabelSets.from_frame(texts, sample="id", concept="label"))
    split = texts.assign(label=texts["label"].str.split(";"))
    assert oe.evaluate(split, split, measures="F")["F"] == 1
    numbers = pd.DataFrame(ONE | {"label": [0, 1]})
    assert oe.LabelSets.from_frame(numbers, sample="id", concept="label").vocabulary.concepts == ("0", "1")
    assert oe.LabelSets.from_frame(numbers, sample="id").labels_of("p2") == ("label",)
    known = oe.LabelSets.from_frame(pd.DataFrame(ONE | {"label": ["a|b", "c"]}), vocabulary=["a|b", "c"])
    assert known.labels_of("p1") == ("a|b",)
    beside = TRUTH.assign(split="train")
    assert oe.LabelSets.from_frame(beside, vocabulary=["sun", "sky"]).labels_of("p1") == ("sun", "sky")


def test_a_column_of_labels_is_separated_as_in_files_and_by_known_names():
    texts = pd.DataFrame(ONE | {"labels": ["fish, fried;sky", "sky"]})
    for side in (texts, pl.from_pandas(texts), texts.set_index("id")["labels"]):
        assert oe.LabelSets.from_frame(side).labels_of("p1") == ("fish, fried", "sky")
        assert oe.evaluate(side, texts, measures="F")["F"] == 1
    commas = pd.DataFrame(ONE | {"labels": ["fish, fried", "sky"]})
    assert "separator=','" in refused(lambda: oe.LabelSets.from_frame(commas))
    assert "separator=','" in refused(lambda: oe.evaluate(texts, commas))
    assert oe.LabelSets.from_frame(commas, vocabulary=["fish, fried", "sky"]).labels_of("p1") == (
        "fish, fried",
    )


@pytest.mark.parametrize("sign", [";", "|", ",", "\t", "\n", " & ", " "])
def test_texts_of_a_frame_are_read_or_refused_as_those_of_its_file(sign: str, tmp_path: Path) -> None:
    names = ["fish, fried", "sky", "sea", "night sky", "tree", "rough sea"]
    cells = [sign.join(names[at % 6 : at % 6 + 1 + at % 3]) for at in range(9)]
    texts = pd.DataFrame({"id": [f"p{at}" for at in range(9)], "labels": cells})
    texts.to_csv(tmp_path / "truth.csv", index=False)

    def read(side: object) -> object:
        try:
            return oe.align(side, side).truth.vocabulary.concepts
        except oe.OntoevalError:
            return "refused"

    found = read(texts)
    assert found in (["refused"] if sign not in ";|" else []) + [read(str(tmp_path / "truth.csv"))]


LINKS = [("root", name) for name in ("a", "b", "c", "x;y", "d", "e", "d;e")]
LISTS = [["a", "b"], ["c"], ["x;y"]]


@pytest.mark.parametrize("door", ["list", "dict", "array", "series", "frame", "label frame", "label file"])
@pytest.mark.parametrize(
    ("texts", "options", "found"),
    [
        (["a;b", "c", "x;y"], {"separator": ";", "hierarchy": LINKS}, LISTS),
        (["a;b", "c", "x;y"], {"hierarchy": LINKS}, "refused"),
        (["a;b", "c", "x;y;a"], {"separator": ";", "hierarchy": LINKS}, [*LISTS[:2], ["a", "x;y"]]),
        (["a;b", "c", "d;e"], {"separator": ";", "hierarchy": LINKS}, [*LISTS[:2], ["d;e"]]),
        (["a|b", "c", "x|y"], {"separator": ";"}, "refused"),
        (["a|b", "c", "a"], {"hierarchy": LINKS}, [*LISTS[:2], ["a"]]),
        (["a,b", "c", "a"], {"hierarchy": LINKS}, [*LISTS[:2], ["a"]]),
        (["a;b", "c", "a"], {"classes": ["a", "b", "c"]}, [*LISTS[:2], ["a"]]),
        (["a;b", "c", "a;z"], {"hierarchy": LINKS}, "refused"),
        (["a;b", "c", "x;y"], {"separator": ";"}, LISTS),
        (["a;b", "c", "a"], {}, [*LISTS[:2], ["a"]]),
    ],
)
def test_texts_are_split_at_a_separator_or_between_known_names(
    door: str, texts: list[str], options: dict[str, Any], found: Any, tmp_path: Path
) -> None:
    ids = ["p", "q", "r"]
    side: Any = {
        "list": texts,
        "array": np.array(texts),
        "series": pd.Series(texts, index=ids),
        "frame": pd.DataFrame({"id": ids, "labels": texts}),
        "label frame": pd.DataFrame({"id": ids, "label": texts}),
    }.get(door, dict(zip(ids, texts, strict=True)))
    if door == "label file":
        side = str(tmp_path / "labels.csv")
        pd.DataFrame({"id": ids, "label": texts}).to_csv(side, index=False)
    known = found if isinstance(found, list) else LISTS
    lists: Any = known if door in {"list", "array"} else dict(zip(ids, known, strict=True))
    if door == "frame" and options == {"hierarchy": LINKS} and "x;y" in texts:
        found = LISTS  # a plural title
    if door == "label file" and (not options or "classes" in options or "separator" in options):
        return  # which names how it is read
    try:
        result = oe.evaluate(side, lists, measures="ExactMatch", **options)
    except oe.OntoevalError:
        assert found == "refused"
    else:
        assert (found != "refused", result["ExactMatch"]) == (True, 1)


def test_a_separator_tears_no_known_name_of_a_file_and_no_name_of_lists(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,labels,scores\np,a;b,.9;.8\nq,x;y,.7\nr,a;x;y,.9;.6\n")
    path, wanted = tmp_path / "t.csv", {"p": ["a", "b"], "q": ["x;y"], "r": ["a", "x;y"]}
    found = oe.evaluate(wanted, path, hierarchy=LINKS, threshold=0.5, measures="ExactMatch", separator=";")
    assert found["ExactMatch"] == 1
    joined = [["a;b"], ["c"], ["a;c"], ["b;c"], ["b"], ["a"]]
    assert "3 labels with ';'" in refused(lambda: oe.evaluate(joined, joined, separator=";"))


def test_an_audit_in_memory_sees_labels_that_are_there_twice() -> None:
    sets, texts = {"p": ["a", "b", "a"], "q": ["c"]}, {"id": ["p", "q"], "labels": ["a;b;a", "c"]}
    long = {"id": ["p", "p", "p", "q"], "label": ["a", "b", "a", "c"]}
    for side in (sets, pd.Series(sets), pd.DataFrame(texts), pl.DataFrame(texts), pd.DataFrame(long)):
        found = oe.audit_labels(side).of("repeated-label")
        assert [(one.count, one.samples) for one in found] == [(1, ("p",))]


def test_texts_of_samples_that_repeat_are_refused_as_joined_and_beside_unread_numbers():
    joined = pd.DataFrame({"id": ["a", "b", "a"], "labels": ["sky;sea", "sea", "sky;sea"]})
    assert "separator=';'" in refused(lambda: oe.evaluate(joined, joined))
    long = pd.DataFrame({"id": ["a", "a"], "labels": ["sky", "sea"], "p": [0.9, 0.1]})
    assert "beside the numbers of 'p'" in refused(lambda: oe.evaluate(long, long))


def test_keywords_name_columns_of_sides_alone():
    side = pd.DataFrame({"photo": ["a", "b"], "label": ["red, dark", "sea"]})
    named: dict[str, Any] = {"measures": "F", "id_column": "photo", "label_col": "label"}
    assert oe.evaluate(side, side, **named).totals.vocabulary.concepts == ("red, dark", "sea")
    parts = pd.DataFrame({"photo": ["a", "b"], "id": ["x", "y"]}).set_index("photo")
    assert len(oe.evaluate(side, side, by=parts, **named).parts) == 2
    wide = pd.DataFrame({"photo": ["a", "b"], "id": [1, 0], "sea": [0, 1]})
    options: dict[str, Any] = {"id_column": "photo"}
    assert "'photo' and 'id'" in refused(lambda: oe.evaluate(wide, wide, **options))


TITLED = pd.DataFrame({"photo": ["p", "p", "q"], "what": ["a", "b", "c"]})
SETS_OF_TITLED = {"p": ["a", "b"], "q": ["c"]}


def titled(kind: str, folder: Path) -> Any:
    """A side whose columns are called photo and what."""
    lists = pd.DataFrame({"photo": [*SETS_OF_TITLED], "what": [*SETS_OF_TITLED.values()]})
    if kind in {"csv", "parquet"}:
        getattr(TITLED, f"to_{kind}")(folder / f"side.{kind}", index=False)
    elif kind in {"json", "jsonl"}:
        lists.to_json(folder / f"side.{kind}", orient="records", lines=kind == "jsonl")
    elif kind == "remark":
        (folder / "side.remark").write_text("#photo\twhat\np\ta\np\tb\nq\tc\n")
    else:
        texts = pd.Series({"p": "a;b", "q": "c"}, name="what").rename_axis("photo")
        spare = lists.assign(id=[1, 2], label="x")
        indexed = {"frame": TITLED, "index": lists.set_index("photo"), "series": texts, "spare": spare}
        return indexed[kind] if kind in indexed else lists.to_dict("records")
    return str(folder / f"side.{kind}")


KINDS = ["csv", "parquet", "json", "jsonl", "remark", "frame", "index", "series", "spare", "records"]


@pytest.mark.parametrize("kind", KINDS)
def test_columns_are_named_in_files_and_frames_alike(kind: str, tmp_path: Path) -> None:
    side, other = titled(kind, tmp_path), pd.DataFrame({"id": ["p", "p"], "label": ["a", "b"]})
    named: dict[str, Any] = {
        "id_column": "photo",
        "labels_column" if kind == "series" else "label_col": "what",
    }
    for truth, run in ((SETS_OF_TITLED, side), (side, TITLED), (side, side)):
        assert oe.evaluate(truth, run, measures="F", **named)["F"] == 1
    (tmp_path / "runs").mkdir()
    other.to_csv(tmp_path / "runs" / "other.csv", index=False)  # which lacks the columns
    (tmp_path / "runs" / "readme.md").write_text("Runs")
    for runs in (tmp_path / "runs", [tmp_path / "runs" / "other.csv"], {"other": other}):
        found = oe.compare(side, runs, measures="P", missing="empty", resamples=5, baselines=(), **named)
        assert found["other"]["P"] == 1
        assert ("readme.md" in found.signature) == isinstance(runs, Path)
    with pytest.raises(oe.OntoevalError, match="no data frame and no file has the column 'phot'"):
        oe.evaluate(side, other, **(named | {"id_column": "phot"}))


def test_an_audit_takes_its_columns_of_a_frame_and_sides_without_titles_have_none() -> None:
    options: dict[str, Any] = {"sample_column": "photo", "concept_column": "what"}
    assert oe.audit_labels(TITLED, **options).facts["samples"] == 2
    options = {"id_column": "photo"}
    assert "Give data frames or files" in refused(lambda: oe.evaluate([["a"]], [["a"]], **options))


def test_pipelines_of_transformers_give_scores():
    run = [[{"label": "sky", "score": 0.9}, {"label": "sea", "score": 0.2}], [{"label": "sea", "score": 0.4}]]
    assert oe.evaluate([["sky"], ["sea"]], run, threshold=0.3, measures="F")["F"] == 1


def test_names_are_not_lost_where_arrays_and_lists_are_taken():
    for door in (oe.LabelSets.from_array, oe.LabelScores.from_array, oe.VerifiedLabels.from_array):
        assert "from_frame(frame)" in refused(partial(door, TRUTH))
    assert "Give the data frame itself" in refused(
        lambda: oe.evaluate(TRUTH, [r for _, r in TRUTH.iterrows()])
    )
    assert "from_frame(frame)" in refused(lambda: oe.LabelSets.from_sets(pd.Series([["sky"]], index=["a"])))
    verified = oe.VerifiedLabels.from_frame(TRUTH.astype(float).replace(0, np.nan).assign(sky=[1, 0, 1, 0]))
    assert verified.negative.labels_of("p2") == ("sky",)


def test_a_long_frame_without_rows_is_a_run_that_predicts_nothing():
    nothing = pl.DataFrame(schema={"sample": pl.String, "concept": pl.String})
    assert oe.evaluate(TRUTH, nothing, missing="empty", measures="R")["R"] == 0


# scores, weights and annotations ----------------------------------------------------------------------------


def test_frames_of_scores_are_read_where_scores_are_asked_for():
    scores = SHUFFLED * 0.5 + 0.25
    assert oe.evaluate(TRUTH, scores, measures=["AP", "LRAP"]).scores == {"AP": 1, "LRAP": 1}
    assert oe.evaluate(TRUTH, TRUTH.to_numpy() * 0.5, measures="LRAP")["LRAP"] == 1
    assert oe.evaluate(TRUTH, scores, measures="F", threshold=0.5)["F"] == 1
    assert oe.evaluate(TRUTH, scores, measures="F", threshold=0.2)["F"] < 1
    limits = pd.Series({"sun": 0.5, "sea": 0.8, "sky": 0.5})
    assert oe.LabelScores.from_frame(scores).at(limits).labels_of("p3") == ("sky",)
    assert oe.curve(TRUTH, scores, thresholds=[0.5], propagate=False).f.tolist() == [1]
    assert oe.sweep(TRUTH, scores, measures="F", thresholds=[0.5])["F"].tolist() == [1]
    long = pl.DataFrame({"id": ["b", "a", "a"], "label": ["sky", "sea", "sky"], "score": [0.9, 0.8, 0.1]})
    truth = {"a": ["sea"], "b": ["sky"]}
    flat = oe.Hierarchy.flat(oe.Vocabulary(("sea", "sky")))
    assert oe.evaluate(truth, long, hierarchy=flat, measures="Fmax")["Fmax"] == 1
    assert "neither 0 nor 1" in refused(lambda: oe.evaluate(truth, long))
    compared = oe.compare(TRUTH, {"a": scores, "b": -scores + 1}, measures="LRAP", resamples=20)
    assert compared.scores[0, 0] == 1 > compared.scores[1, 0]


AGREEMENT = {"trees": 0.5, "mountains": 1.0, "flowers": 0.75, "plants": 0.9, "root": 1.0}


@pytest.mark.parametrize(
    "agreement",
    [
        pd.Series(AGREEMENT),
        pd.DataFrame({"concept": list(AGREEMENT), "agreement": list(AGREEMENT.values())}),
        pd.DataFrame({"agreement": AGREEMENT}),
        pl.DataFrame({"concept": list(AGREEMENT), "agreement": list(AGREEMENT.values())}),
    ],
    ids=["series", "frame", "frame with an index", "polars"],
)
def test_agreement_and_weights_are_read_by_name(agreement):
    sides = [["trees"], ["plants"]], [["flowers"], ["mountains"]]
    expected = oe.evaluate(*sides, hierarchy=HIERARCHY, agreement=AGREEMENT, measures="OS").scores
    assert oe.evaluate(*sides, hierarchy=HIERARCHY, agreement=agreement, measures="OS").scores == expected
    weights = HIERARCHY.with_weight("mine", agreement).weights["mine"]
    assert weights.tolist() == HIERARCHY.with_weight("mine", AGREEMENT).weights["mine"].tolist()
    assert oe.read_weights(agreement) == AGREEMENT


def test_a_series_without_concepts_as_its_index_is_refused():
    message = refused(lambda: HIERARCHY.with_weight("mine", pd.Series([1.0] * 5)))
    assert "not plain which weight belongs to which concept" in message
    misspelt = pd.Series({"treees": 1.0})
    assert "near: 'trees'" in refused(lambda: oe.concepts.with_agreement(HIERARCHY, misspelt))


def test_a_table_of_costs_is_read_by_name():
    names = list(HIERARCHY.label_vocabulary)
    table = pd.DataFrame(np.triu(np.full((5, 5), 0.5), 1) + np.tril(np.full((5, 5), 0.2), -1), names, names)
    expected = HIERARCHY.with_cost("mine", table.to_numpy()).costs["mine"]
    found = HIERARCHY.with_cost("mine", table.loc[names[::-1], sorted(names)]).costs["mine"]
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("library", LIBRARIES)
def test_annotations_are_read_from_frames(library):
    long = LIBRARIES[library]({"id": [*"ppqq"], "annotator": [*"ABBA"], "label": ["a", "a", "b", None]})
    wide = {"id": [*"qpqp"], "rater": [*"AABB"], "b": [0, 0, 1, 0], "a": [0, 1, 0, 1]}
    wide = LIBRARIES[library](wide)
    expected = {"a": 1.0, "b": 0.75}
    assert oe.agreement(long, resamples=10).weights() == expected
    assert oe.agreement(oe.Annotations.from_frame(wide), resamples=10).weights() == expected
    assert oe.annotators.consensus(wide).labels_of("p") == ("a",)
    assert "annotator=" in refused(lambda: oe.agreement(LIBRARIES[library]({"id": ["p1"], "label": ["a"]})))
    said = oe.Annotations.from_sets({"Ann": TRUTH, "Bob": SHUFFLED})
    assert set(oe.agreement(said, resamples=10).weights().values()) == {1.0}


def test_an_array_of_xarray_is_refused_with_the_frame_to_give():
    xarray = pytest.importorskip("xarray")
    truth = xarray.DataArray(TRUTH, dims=("sample", "concept"))
    assert "array.to_pandas()" in refused(lambda: oe.evaluate(truth, SHUFFLED, measures="F"))
    assert oe.evaluate(truth.to_pandas(), SHUFFLED, measures="F")["F"] == 1


def test_names_in_lists_that_differ_only_in_their_normal_form_are_refused() -> None:
    assert "normal form" in refused(lambda: oe.evaluate([["caf\u00e9"]], [["cafe\u0301"]], measures="F"))


# what looks like labels and is none -------------------------------------------------------------------------


def test_a_column_that_says_that_labels_are_absent_is_not_passed_over():
    long = pd.DataFrame({"id": ["a", "a"], "label": ["sky", "sea"], "value": [1, 0], "rater": ["Ann", "Bob"]})
    columns = {"sample": "id", "concept": "label"}
    message = refused(lambda: oe.LabelSets.from_frame(long, **columns))
    assert "the column 'value' holds 0 in 1 row" in message
    assert "value='value'" in message
    assert oe.LabelSets.from_frame(long, **columns, value="value").labels_of("a") == ("sky",)
    assert "frame[frame['value'] > 0]" in refused(
        lambda: oe.Annotations.from_frame(long, annotator="rater", **columns)
    )
    best = long.assign(value=[0.9, 0.2])
    assert oe.LabelSets.from_frame(best, **columns).labels_of("a") == ("sea", "sky")


def test_a_repeated_pair_is_refused_by_its_names():
    long = pd.DataFrame({"id": ["b", "a", "b"], "label": ["sky", "sea", "sky"], "score": [0.1, 0.2, 0.3]})
    assert "sample 'b' has two scores for 'sky'" in refused(lambda: oe.LabelScores.from_frame(long))
    assert "sample 'b' has two values for 'sky'" in refused(
        lambda: oe.LabelSets.from_frame(long.assign(score=1))
    )
    best = long.groupby(["id", "label"], as_index=False).max()
    assert oe.LabelScores.from_frame(best).at(0.3).labels_of("b") == ("sky",)


def test_a_molten_frame_is_read_by_the_column_of_its_values():
    molten = TRUTH.rename_axis("id").reset_index().melt(id_vars="id")
    assert oe.evaluate(molten, TRUTH, measures="F")["F"] == 1
    assert "neither 0 nor 1" in refused(lambda: oe.evaluate(molten.assign(value=0.4), TRUTH))


OWN = {"frame": ["d1", "d2", "d3", "d4"], "taxa": ["cod;crab", "cod", "kelp", "crab"]}
"""A table whose titles are a project's own."""


@pytest.mark.parametrize("first", ["frame", "fish_id", "x"])
@pytest.mark.parametrize("second", ["taxa", "y"])
def test_columns_with_own_titles_are_found_by_what_they_hold(first, second, tmp_path):
    frame = pd.DataFrame({first: OWN["frame"], second: OWN["taxa"]})
    lists = frame.assign(**{second: frame[second].str.split(";")})
    frame.to_csv(tmp_path / "t.csv", index=False)
    lists.to_json(tmp_path / "t.json", orient="records")
    lists.to_parquet(tmp_path / "t.parquet")
    truth = dict(zip(OWN["frame"], lists[second], strict=True))
    files = [tmp_path / f"t.{kind}" for kind in ("csv", "parquet", *(("json",) if first != "x" else ()))]
    for one in (frame, frame.iloc[::-1], lists, *files):
        assert oe.evaluate(truth, one, measures="F")["F"] == 1, one
    sea = [("sea", one) for one in ("cod", "crab", "kelp")]
    for one in (lists.explode(second), frame.assign(site="b", depth=3)):
        assert oe.evaluate(truth, one, hierarchy=sea, measures="F")["F"] == 1, one
    long = lists.explode(second, ignore_index=True)
    scores = (pd.crosstab(long[first], long[second]) * 0.9).reset_index()
    scores.to_csv(tmp_path / "s.csv", index=False)
    scores.to_parquet(tmp_path / "s.parquet")
    for one in (scores, tmp_path / "s.csv", tmp_path / "s.parquet"):
        assert oe.evaluate(truth, one, threshold=0.5, measures="F")["F"] == 1, one
    options = "--threshold", "0.5", "--sample-column", first, "--format", "csv", "-mF"
    assert call("score", tmp_path / "t.csv", tmp_path / "s.csv", *options).stdout.endswith("s,1.0\n")


@pytest.mark.parametrize(
    "text",
    [
        "child,parent\na,r\nb,r",  # links
        "subclass,superclass\na,r\nb,r",
        "id,site\na,r\nb,r",  # groups
        "run,team\na,r\nb,r",
        "image_id,caption\na,a dog\nb,a cat\nc,a dog",
        "image_id,date\na,2020-01-01\nb,2020-01-01",
        "image_id,is_sky\na,Y\nb,N\nc,Y",  # values of one concept
        "x,y\na,r\nb,s",  # either may be the samples
        "x,y\na,r\na,s\nb,s",
        "id,y\na,r;s\na,s",  # samples repeat beside lists
        "genreId,movieId\ng,m\ng,n\nh,m",  # both are identifiers
        "species,photo\nfox,f\nowl,f\nbear,g",
        "p1,car\np2,dog\np3,car",  # no header
        "p1,car;dog\np2,dog\np3,car",
        "image_id,label,status\na,fever,present\na,cough,excluded\nb,cough,present",  # absent labels
        "image_id,label,prob\na,fever,0.9\na,cough,0.01\nb,cough,0.3",
        "image_file,taxon_id,label\nf,t,cat\ng,u,dog\nh,t,cat",  # the identifier of the label
        "exam,patient_id,label\ne,a,x\nf,a,y\ng,b,x",  # that of a group
        "file,frame,label\na,1,x\na,2,y\nb,1,x",  # a key of two columns
        "tile_id,year,lat\na,2020,41.5\nb,2021,42",
        "tile_id,y_true,y_pred\na,1,0\nb,0,1",
        "run,F,P\na,0.5,0.5\nb,0.4,0.3",
        "tile_id,weight\na,0.5\nb,1",
        "tile_id,scene_id,sky\na,7,0\nb,8,1",
        "id,image_id,label\n1,a,sky\n2,a,sea\n3,b,sky",
        "shot,comment,species\ns,c,cat\ns,d,dog\nt,e,cat",
        'frame,taxa\na,"sky, sea"\nb,sky\nc,sea\nd,sky',  # names with commas, or several names
    ],
)
def test_columns_that_may_hold_two_things_are_refused(text, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text)
    for door in (lambda: oe.read_labels(path), lambda: oe.LabelSets.from_frame(pd.read_csv(path))):
        assert re.search("not plain which|not recognised|no finite number", refused(door))


def test_an_audit_beside_an_ontology_finds_columns_though_samples_repeat(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("plot,habitats,remark\na,cod|crab,dry\nb,cod,wet\nb,crab|kelp,\nc,krab,wet\n")
    edges = tmp_path / "o.csv"
    edges.write_text("parent,child\nsea,cod\nsea,crab\nsea,kelp\n")
    assert "conflicting-sample" in call("audit", path, "--ontology", edges).stdout


def test_values_of_one_concept_are_no_labels_and_numbered_rows_no_samples(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("image_id,sky\na,true\nb,false\n")
    assert oe.read_labels(path).labels_of("a") == ("sky",)
    findings = pd.DataFrame({"patient_id": ["a", "a", "b"], "finding": ["x", "y", "x"]}, index=[11, 12, 13])
    assert "'patient_id'" in refused(lambda: oe.LabelSets.from_frame(findings))


@pytest.mark.parametrize("kind", [str, "category"])
def test_texts_of_0_and_1_are_read_as_in_a_file(kind):
    assert oe.evaluate(TRUTH.astype(kind), TRUTH, measures="F")["F"] == 1
    assert oe.evaluate(TRUTH.astype(bool).astype(kind), TRUTH, measures="F")["F"] == 1


@pytest.mark.parametrize(
    "kind", [bool, float, object, "Int64", "boolean", pd.SparseDtype(int, 0), pd.SparseDtype(bool)]
)
def test_every_type_of_numbers_is_read(kind):
    assert oe.evaluate(TRUTH, SHUFFLED.astype(kind), measures="F")["F"] == 1


@pytest.mark.parametrize("counted", [SHUFFLED.reset_index(drop=True), SHUFFLED.to_numpy(), [["sky"]] * 4])
def test_annotators_without_samples_are_refused_beside_those_who_name_them(counted):
    message = refused(lambda: oe.agreement({"Ann": TRUTH, "Bob": SHUFFLED, "Cleo": counted}, resamples=10))
    assert "the samples of the annotator 'Cleo' have no names" in message


def test_an_array_beside_named_label_sets_is_refused_with_the_call_that_names_its_samples():
    truth = oe.LabelSets.from_frame(TRUTH)
    message = refused(lambda: oe.evaluate(truth, TRUTH.to_numpy(), missing="empty"))
    assert "LabelSets.from_array(array, vocabulary=[...], samples=[...])" in message
    named = oe.LabelSets.from_array(TRUTH.to_numpy(), vocabulary=truth.vocabulary, samples=truth.samples)
    assert oe.evaluate(truth, named, measures="F")["F"] == 1


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@pytest.mark.parametrize("list_of", [pa.list_, pa.large_list])
def test_lists_in_arrow_are_those_of_objects(kind, list_of):
    cells = [["x"], [], None, ["sea", "sky"], ["sun"], ["sky"], ["x"]]
    lists = pa.array(cells, list_of(kind))
    samples = pa.array([f"p{at}" for at in range(len(cells))])
    # Cut, so that chunks do not begin with their memory.
    table = pa.table({"sample": samples, "labels": lists})
    table = pa.concat_tables([table[1:3], table[3:6]])
    expected = oe.LabelSets.from_sets(
        {"p1": [], "p2": [], "p3": ["sea", "sky"], "p4": ["sun"], "p5": ["sky"]},
        vocabulary=["sea", "sky", "sun"],
    )
    for frame in (table, table.to_pandas(types_mapper=pd.ArrowDtype), pl.from_arrow(table)):
        found = oe.LabelSets.from_frame(frame, vocabulary=expected.vocabulary.concepts)
        assert found.samples == expected.samples
        assert found.matrix.toarray().tolist() == expected.matrix.toarray().tolist()


@pytest.mark.parametrize("backend", ["pandas", "pyarrow"])
def test_a_null_in_a_list_of_arrow_is_no_label(backend):
    table = pa.table({"sample": ["p1", "p2"], "labels": [["sky"], ["sea", None]]})
    frame = table.to_pandas(types_mapper=pd.ArrowDtype) if backend == "pandas" else table
    assert oe.LabelSets.from_frame(frame).labels_of("p2") == ("sea",)
    result = oe.evaluate({"p1": ["sky"], "p2": ["sea", None]}, frame, measures="F")
    assert result["F"] == 1
    assert result.notes == [
        f"1 null or empty text among the labels of '{side}', read as no label"
        for side in ("truth", "prediction")
    ]


class Stream:
    """Data by the protocol of Arrow, and nothing else."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __arrow_c_stream__(self, schema: Any = None) -> Any:
        return self.data.__arrow_c_stream__(schema)


class Tensor:
    """An array by DLPack, and nothing else."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


class Learning:
    """A tensor of bfloat16 that requires gradients, as torch has them: NumPy meets a TypeError."""

    dtype = "torch.bfloat16"

    def __init__(self, array: Any) -> None:
        self.array, self.shape = array, array.shape

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("Got unsupported ScalarType BFloat16")

    def detach(self) -> Learning:
        return self

    cpu = detach

    def float(self) -> Any:
        return self.array.astype(np.float32)


MARKS = np.array([[1, 0, 1], [0, 1, 0]])


@pytest.mark.parametrize(
    "data",
    [
        pa.array([["sky", "sea"], ["sun"]]),
        Stream(pa.chunked_array([[["sky", "sea"], ["sun"]]])),
        Stream(pa.table({"labels": [["sky", "sea"], ["sun"]]})),
        pa.RecordBatch.from_pydict({"labels": [["sky", "sea"], ["sun"]]}),
        (row for row in [("sky", "sea"), iter(["sun"])]),
    ],
    ids=["array", "stream", "stream of a table", "batch", "generator"],
)
def test_labels_come_by_the_protocol_of_arrow_and_from_generators(data: Any) -> None:
    assert oe.evaluate([["sky", "sea"], ["sun"]], data, measures="F")["F"] == 1


@pytest.mark.parametrize(
    "frame", [pa.table([[1], [0]], names=["sky", "sky"]), pd.DataFrame([[1, 0]], columns=["sky", "sky"])]
)
def test_columns_of_one_name_are_refused(frame: Any) -> None:
    with pytest.raises(oe.errors.InputError, match="whose columns have different names"):
        oe.evaluate([["sky"]], frame)


def test_scores_of_tensors_and_of_half_precision_are_taken() -> None:
    own = MARKS * 0.75
    for scores in (Tensor(own), Learning(own), own.astype("f2"), (list(row) for row in own)):
        assert oe.evaluate(MARKS, scores, threshold=0.7, measures="F")["F"] == 1


def test_scores_of_half_precision_are_taken_in_frames_and_by_name() -> None:
    half = (MARKS * 0.75).astype("f2")
    assert oe.LabelScores.from_array(half).matrix.toarray().tolist() == (MARKS * 0.75).tolist()
    frame = pd.DataFrame(half, columns=["a", "b", "c"], index=["x", "y"])
    truth = pd.DataFrame(MARKS, columns=["a", "b", "c"], index=["x", "y"])
    assert oe.evaluate(truth, frame, measures="AP")["AP"] == 1


def test_a_mask_is_not_lost() -> None:
    masked = np.ma.array(MARKS, mask=np.array([[False, False, True], [False, False, False]]))
    for door in (oe.LabelSets.from_array, oe.LabelScores.from_array, lambda one: oe.evaluate(MARKS, one)):
        with pytest.raises(oe.errors.InputError, match=r"1 masked value, .*filled\(0\)"):
            door(masked)
    assert oe.evaluate(MARKS, np.ma.array(MARKS), measures="F")["F"] == 1
