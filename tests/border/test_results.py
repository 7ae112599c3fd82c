"""Tables and pages of any result, through the public API."""

from __future__ import annotations

import pytest

import ontoeval as oe


def test_what_is_no_result_has_no_tables_and_a_behaviour_no_page() -> None:
    behaviour = oe.comparison.behaviour(["F"], oe.Hierarchy.from_edges([("a", "b"), ("a", "c")]), cases=2)
    assert oe.reports.tables(behaviour).keys() == behaviour.tables().keys()
    for shown, result in ((oe.reports.tables, [["a"]]), (oe.reports.report, behaviour)):
        with pytest.raises(oe.OntoevalError, match="a comparison, a study, findings or an agreement"):
            shown(result)


def test_an_explanation_pairs_each_missed_label_with_at_most_one_false_one() -> None:
    hierarchy = [("plants", "oak"), ("plants", "fir"), ("people", "one"), ("people", "two")]
    found = oe.explain({"p": ["oak", "one", "two"]}, {"p": ["fir", "one"]}, "p", hierarchy=hierarchy)
    assert [tuple(pair) for pair in found.pairs] == [("oak", "fir", 1), ("two", None, 1)]
