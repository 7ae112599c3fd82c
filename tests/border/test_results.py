"""Tables and pages of any result, through the public API."""

from __future__ import annotations

import pytest

import ontoeval as oe


def test_what_is_no_result_has_no_tables_and_a_behaviour_no_page() -> None:
    behaviour = oe.comparison.behaviour(["F"], oe.Hierarchy.from_edges([("a", "b"), ("a", "c")]), cases=2)
    assert oe.reports.tables(behaviour).keys() == behaviour.tables().keys()
    for shown, result in ((oe.reports.tables, oe.evaluate([["a"]], [["a"]])), (oe.reports.report, behaviour)):
        with pytest.raises(oe.OntoevalError, match="a comparison, a study, findings or an agreement"):
            shown(result)
