"""Errors write messages that quote what was found, list at most five, and say what to do."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from ontoeval.errors import (
    AmbiguousNameError,
    CycleError,
    InputError,
    MeasureError,
    MisalignedError,
    MissingExtraError,
    OntoevalError,
    ParameterError,
    UnknownConceptError,
    did_you_mean,
    enumerate_some,
    one_of,
)


def test_at_most_five_offenders_are_listed() -> None:
    assert enumerate_some("abcde") == "'a', 'b', 'c', 'd', 'e'"
    assert enumerate_some("abcdefg") == "'a', 'b', 'c', 'd', 'e' and 2 more"
    assert enumerate_some(range(2_000)).endswith("and 1,995 more")
    assert enumerate_some([]) == ""


def test_near_names_are_found_whatever_the_case() -> None:
    assert did_you_mean("TREE", ["Trees", "sky"]) == " (near: 'Trees')"
    assert did_you_mean("xyz", ["Trees", "sky"]) == ""


def test_another_number_at_the_end_is_no_misspelling() -> None:
    assert did_you_mean("T:99", ["T:9"]) == ""
    assert did_you_mean("GO:0008151", ["GO:0008150", "GO:0008150x"]) == " (near: 'GO:0008150x')"
    assert did_you_mean("GO:8150", ["GO:0008150"]) == " (near: 'GO:0008150')"
    assert did_you_mean("GOO:0008150", ["GO:0008150"]) == " (near: 'GO:0008150')"
    assert did_you_mean("trees2", ["trees"]) == " (near: 'trees')"


@pytest.mark.parametrize("wanted", ["data_XYZ", "data:format-of-text", "operation_99999", "topic:0003"])
def test_a_prefix_in_common_is_no_near_name(wanted: str) -> None:
    assert did_you_mean(wanted, ["Data", "Operation", "Topic", "Data format"]) == ""


@pytest.mark.parametrize(
    ("wanted", "near"), [("sky.jpg", "sky"), ("sky_1", "sky"), ("operation_12x", "operation_12")]
)
def test_a_name_with_something_added_is_near(wanted: str, near: str) -> None:
    assert did_you_mean(wanted, [near, "unlike"]) == f" (near: {near!r})"


def test_in_large_vocabularies_near_names_begin_and_end_alike() -> None:
    known = [f"concept{number}" for number in range(50_000)] + ["trees"]
    assert did_you_mean("treez", ["trees"]) == " (near: 'trees')"
    assert did_you_mean("treez", known) == ""
    assert did_you_mean("tres", known) == " (near: 'trees')"


def test_a_choice_counts_only_with_its_own_type() -> None:
    one_of("option", None, (None, "include"))
    one_of("option", 1, (1, 2))
    one_of("option", np.str_("include"), (None, "include"))
    for value in (True, 1.0, "1"):
        with pytest.raises(ParameterError, match=r"option=.*expected one of 1, 2"):
            one_of("option", value, (1, 2))


def test_a_misspelt_choice_is_shown_its_neighbour() -> None:
    with pytest.raises(ParameterError, match=r"average='mikro'.*\(near: 'micro'\)"):
        one_of("average", "mikro", ("micro", "macro", None))


def test_unknown_concepts_are_quoted_with_place_and_neighbour() -> None:
    error = UnknownConceptError({"tree": "sample 'p1'"}, ["trees"], where="a.csv")
    assert str(error) == (
        "a.csv: 1 unknown concept: 'tree' in sample 'p1' (near: 'trees'). Correct the names."
    )


def test_many_unknown_concepts_are_counted() -> None:
    error = UnknownConceptError(dict.fromkeys("abcdefg", ""), remedy="Mend them.")
    assert str(error) == "7 unknown concepts: 'a'; 'b'; 'c'; 'd'; 'e'; and 2 more. Mend them."


def test_an_ambiguous_name_is_shown_with_its_bearers() -> None:
    error = AmbiguousNameError("bank", ["Bank_river", "Bank_money"], where="a.csv, row 3")
    assert str(error) == (
        "a.csv, row 3: 'bank' is ambiguous: it names 'Bank_river', 'Bank_money'. Write one of these instead."
    )
    assert str(AmbiguousNameError("x", ["y"])).startswith("'x' is ambiguous")


def test_long_cycles_are_cut() -> None:
    error = CycleError([[str(member) for member in range(20)]], total=1, where="a.ttl")
    assert str(error).startswith(
        "a.ttl: the hierarchy has 1 cycle, child -> parent: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> … -> 0."
    )


def test_an_input_error_names_file_and_row() -> None:
    assert str(InputError("no header", "Add one.", where="a.csv", row=1_000)) == (
        "a.csv, row 1,000: no header. Add one."
    )
    assert str(InputError("no header", "Add one.")) == "no header. Add one."


def test_misaligned_sides_are_told_apart() -> None:
    both = MisalignedError("samples", ["p1"], ["p2", "p3"], remedy="Mend them.")
    assert str(both) == (
        "Truth and prediction differ in their samples: 1 only in the truth ('p1'); "
        "2 only in the prediction ('p2', 'p3'). Mend them."
    )
    order = MisalignedError("samples", [], [], remedy="Sort them.")
    assert str(order) == (
        "Truth and prediction differ in their samples: the same, but in another order. Sort them."
    )


@pytest.mark.parametrize(
    "error",
    [
        ParameterError("average", "mikro", "one of 'micro', 'macro'"),
        UnknownConceptError({"tree": "row 3"}, ["trees"], where="a.csv"),
        AmbiguousNameError("oil", ["food", "fuel"]),
        CycleError([("a", "b")], total=1),
        InputError("the row is empty", "Fill it.", where="a.csv", row=3),
        MisalignedError("samples", ["p1"], [], remedy="Predict it."),
        MeasureError("No measure is asked for."),
        MissingExtraError("pyarrow", "arrow", "Reading Parquet"),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("copied", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy])  # noqa: S301
def test_an_error_of_another_process_arrives_as_it_was(
    error: OntoevalError, copied: Callable[[OntoevalError], OntoevalError]
) -> None:
    again = copied(error)
    assert type(again) is type(error)
    assert str(again) == str(error)


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (ParameterError, ValueError),
        (UnknownConceptError, KeyError),
        (AmbiguousNameError, KeyError),
        (CycleError, ValueError),
        (InputError, ValueError),
        (MisalignedError, ValueError),
        (MissingExtraError, ImportError),
    ],
)
def test_errors_are_children_of_one_class_and_of_a_builtin_one(
    error: type[Exception], builtin: type[Exception]
) -> None:
    assert issubclass(error, OntoevalError)
    assert issubclass(error, builtin)
