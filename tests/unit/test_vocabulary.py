"""Vocabularies: names and their columns."""

from __future__ import annotations

import pytest

from ontoeval import OntoevalError, Vocabulary


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
