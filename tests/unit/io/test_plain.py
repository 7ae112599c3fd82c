"""Plain text is split at once, with exactly the rows that a parser of CSV finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.errors import InputError
from ontoeval.labels.sources import LabelSource, plain_blocks, plain_fields

Rows = list[tuple[int, list[str]]]

PIECES = [
    "a",
    "bé",
    " ",
    "",
    ",",
    ",",
    "\n",
    "\n",
    "\r\n",
    "\r",
    '"',
    '""',
    ";",
    "\u2028",
    "\x0b",
    "p1,sky\n",
]
SAME_WIDTH = st.lists(
    st.lists(st.sampled_from(["", "a", " b ", "é\u2028"]), min_size=3, max_size=3), min_size=1
)


def parsed(source: LabelSource) -> Rows | str:
    """The rows as a parser of CSV finds them one by one, or what is wrong with them."""
    try:
        return list(source.rows(","))
    except InputError as error:
        return str(error)


def in_batches(source: LabelSource, width: int) -> Rows | str:
    """The same as the formats get them."""
    rows: Rows = []
    try:
        for batch in source.batches(",", width):
            fields = [list(row) for row in zip(*batch.columns, strict=True)]
            rows += zip(batch.lines, fields, strict=True)
    except InputError as error:
        return str(error)
    # The parser drops blanks before a field; whoever uses a field drops those around it.
    return [(line, [field.lstrip(" ") for field in row]) for line, row in rows]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_whatever_a_text_contains_it_has_the_same_rows_and_errors(text: str) -> None:
    source = LabelSource("memory", text.encode(), "")
    expected = parsed(source)
    width = len(expected[0][1]) if expected and not isinstance(expected, str) else 2
    if isinstance(expected, str):  # the first row decides how many fields are too many
        try:
            width = len(source.first(","))
        except InputError:
            return
    assert in_batches(source, width) == expected


@given(SAME_WIDTH, st.sampled_from(["\n", "\r\n"]), st.sampled_from([0, 1]), st.integers(1, 40))
def test_blocks_of_any_size_give_all_rows(rows: list[list[str]], end: str, last: int, size: int) -> None:
    text = end.join(",".join(row) for row in rows) + end * last
    data = text.encode()
    blocks = list(plain_blocks(data, 0, ",", 3, size=size))
    assert [list(row) for _, columns in blocks for row in zip(*columns, strict=True)] == rows
    assert blocks[-1][0] == len(data)


@pytest.mark.parametrize(
    "block",
    [
        b"p1,sky,sea\np2",  # as many commas as there should be, in the wrong rows
        b"p1\np2,sky,sea",
        b"p1,sky\n\np2,sea",
        b"p1,sky\rp2,sea",
    ],
)
def test_what_is_not_plain_is_left_to_the_parser(block: bytes) -> None:
    assert plain_fields(block, ",", 2) is None


def test_a_text_with_quotes_is_left_to_the_parser() -> None:
    data = b'p1,sky\np2,"sea"\n'
    assert list(plain_blocks(data, 0, ",", 2)) == []
    assert list(plain_blocks(data, data.index(b"sea") + 5, ",", 2)) == []
    assert len(list(plain_blocks(data[:7], 0, ",", 2))) == 1
