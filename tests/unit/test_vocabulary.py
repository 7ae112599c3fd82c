"""Vocabularies: names and their columns."""

from __future__ import annotations

import numpy as np
import pytest

from ontoeval import OntoevalError, Vocabulary
from ontoeval.errors import UnknownConceptError


def test_a_vocabulary_is_a_sequence_of_names() -> None:
    vocabulary = Vocabulary(("sky", "sea"))
    assert list(vocabulary) == ["sky", "sea"]
    assert (len(vocabulary), vocabulary[1], "sea" in vocabulary, "SEA" in vocabulary) == (
        2,
        "sea",
        True,
        False,
    )
    assert vocabulary.index == {"sky": 0, "sea": 1}


def test_lists_and_iterators_of_names_become_tuples() -> None:
    names = ["sky", "sea"]
    assert Vocabulary(names) == Vocabulary(iter(names)) == Vocabulary(("sky", "sea"))  # type: ignore[arg-type]
    assert hash(Vocabulary(names)) == hash(Vocabulary(("sky", "sea")))  # type: ignore[arg-type]


def test_equal_names_in_another_order_are_another_vocabulary() -> None:
    one, other = Vocabulary(("sky", "sea")), Vocabulary(("sea", "sky"))
    assert one != other
    assert one.digest != other.digest
    assert one.digest == Vocabulary(("sky", "sea")).digest


def test_a_digest_tells_where_a_name_ends() -> None:
    assert Vocabulary(("ab", "c")).digest != Vocabulary(("a", "bc")).digest


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("a", "b", "a", "b"), "concepts named twice: 'a', 'b'"),
        (("a", ""), "non-empty texts, not \"''\""),
        (("a", 1, None), "non-empty texts, not '1', 'None'"),
    ],
)
def test_bad_names_are_refused(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(OntoevalError, match=message):
        Vocabulary(names)


def test_positions_are_found_in_the_order_asked_for() -> None:
    vocabulary = Vocabulary(("0", "1", "2", "3"))
    assert vocabulary.positions(["3", "0", "3"]).tolist() == [3, 0, 3]
    assert vocabulary.positions([]).dtype == np.intp


def test_unknown_names_are_all_listed() -> None:
    with pytest.raises(UnknownConceptError, match=r"2 unknown concepts: 'tree' \(near: 'trees'\); 'x'"):
        Vocabulary(("trees", "sky")).positions(["sky", "tree", "x", "tree"])


def test_an_empty_vocabulary_is_one() -> None:
    assert len(Vocabulary(())) == 0
    assert Vocabulary(()).positions([]).tolist() == []
