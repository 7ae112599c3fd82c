"""Vocabularies: names and their columns."""

from __future__ import annotations

import pytest

from ontoeval import OntoevalError, Vocabulary


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


def test_equal_names_in_another_order_are_another_vocabulary() -> None:
    one, other = Vocabulary(("sky", "sea")), Vocabulary(("sea", "sky"))
    assert one != other
    assert one.digest != other.digest
    assert one.digest == Vocabulary(("sky", "sea")).digest


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
