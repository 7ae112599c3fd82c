"""Portions that are scored apart give what all samples give together, bit for bit."""

from __future__ import annotations

import pytest

import ontoeval as oe
from ontoeval.evaluation.alignment import SideOptions
from ontoeval.evaluation.portions import PortionScoring, merge_in_tree

HIERARCHY = oe.Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers"), ("sky", "clouds")])
TRUTH = {f"p{n}": [["trees"], ["flowers", "clouds"], ["sky"], []][n % 4] for n in range(40)}
RUN = {f"p{n}": [["plants"], ["flowers"], ["clouds", "trees"]][n % 3] for n in range(40)}
MEASURES = ("F", "F(average='macro')", "hF", "OS", "tF", "tKappa")


@pytest.mark.parametrize("size", [1, 7, 40])
def test_portions_of_any_size_give_the_score_of_the_whole(size):
    scoring = PortionScoring.from_options(SideOptions(HIERARCHY), MEASURES)
    names = list(TRUTH)
    portions = [names[at : at + size] for at in range(0, len(names), size)]
    parts = (scoring.totals({n: TRUTH[n] for n in part}, {n: RUN[n] for n in part}) for part in portions)
    whole = oe.evaluate(TRUTH, RUN, hierarchy=HIERARCHY, measures=MEASURES)
    assert oe.score(merge_in_tree(parts)).scores == whole.scores


def test_portions_without_concepts_and_measures_of_all_samples_are_refused():
    with pytest.raises(oe.OntoevalError, match="classes= with all concepts"):
        PortionScoring.from_options(SideOptions(), "F")
    with pytest.raises(oe.OntoevalError, match="needs all samples at once"):
        PortionScoring.from_options(SideOptions(HIERARCHY), "AP")
