"""Names of scores that trackers of experiments accept."""

from __future__ import annotations

import re
from typing import Any

import pytest

import ontoeval as oe

TRUTH, RUN = [{"a", "b"}, {"b"}], [{"a"}, {"a", "b"}]
ACCEPTED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def grösse(truth, prediction):  # noqa: PLC2401 - as users may write
    return [len(true & predicted) for true, predicted in zip(truth, prediction, strict=True)]


def test_every_name_is_of_letters_digits_and_underscores() -> None:
    hierarchy = [("r", "a"), ("r", "b")]
    chosen: list[Any] = ["OS", "F", "F(beta=2)", "F(beta=0.5)", "F(average='macro')", "hF(level=1)", grösse]
    result = oe.evaluate([{"a"}], [{"b"}], hierarchy=hierarchy, measures=chosen)
    names = result.flat_names()
    assert all(map(ACCEPTED.fullmatch, names))
    assert len(names) == len(result.scores)
    assert list(names.values()) == pytest.approx(list(result.scores.values()), nan_ok=True)


def test_the_order_leads_back_to_the_notation() -> None:
    result = oe.evaluate(TRUTH, RUN, measures=["F", "F(average='macro', beta=0.5)"])
    assert dict(zip(result.flat_names(), result, strict=True)) == {
        "F": "F",
        "F_average_macro_beta_0_5": "F(average='macro', beta=0.5)",
    }


def test_names_that_would_be_alike_are_numbered_in_their_order() -> None:
    def f_beta_2(truth, prediction):
        return grösse(truth, prediction)

    def F_beta_2(truth, prediction):  # noqa: N802 - named like a measure
        return [float(len(one) > 0) for one, _ in zip(truth, prediction, strict=True)]

    result = oe.evaluate(TRUTH, RUN, measures=["F(beta=2)", F_beta_2, f_beta_2])
    assert list(result.flat_names()) == ["F_beta_2", "F_beta_2_2", "f_beta_2"]
    assert result.flat_names()["F_beta_2_2"] == 1.0
