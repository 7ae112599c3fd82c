"""Wrong options of losses and of measures of single labels, each with the gist of the error."""

from __future__ import annotations

import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MeasureError, OntoevalError, ParameterError, UnknownConceptError

HIERARCHY = oe.Hierarchy.from_edges([("thing", "sky"), ("thing", "sea"), ("sky", "cloud")])

WRONG: dict[str, tuple[type[OntoevalError], str]] = {
    "HLoss(costs='flat')": (ParameterError, "costs='flat'.*'unit'.*'normalised'.*'depth'"),
    "HLoss(root='virtual')": (ParameterError, "root='virtual'"),
    "HLoss(costs='depth', base=0)": (ParameterError, "base=0.*above 0 and at most 1"),
    "HLoss(base=True)": (ParameterError, "base=True"),
    "SetDistance(base=1.5)": (ParameterError, "base=1.5.*above 0 and at most 1"),
    "SetDistance(root='virtual')": (ParameterError, "root='virtual'"),
    "ZeroOne(members='parents')": (ParameterError, "members='parents'"),
    "ZeroOne(level=-1)": (ParameterError, "level=-1"),
    "ZeroOne(branch='fog')": (UnknownConceptError, "'fog'"),
    "ZeroOne(level=7)": (InputError, "no concept is left.*depths 0 to 2"),
    "SymmetricDifference(weight='fog')": (OntoevalError, "'fog'"),
    "SymmetricDifference(root='virtual', weight='uniform')": (ParameterError, "root='virtual'"),
    "Distance(sides='left')": (ParameterError, "sides='left'.*'both'"),
    "Distance(per='day')": (ParameterError, "per='day'.*'mistake'"),
    "Distance(scaled=2)": (ParameterError, "scaled=2"),
    "Distance(cost='fog')": (ParameterError, r"cost='fog'.*'links'.*'geometric\(0.5\)'"),
    "Distance(cost='geometric(-1)')": (ParameterError, "a number r above 0 and of 1 at most"),
    "OS(cost='geometric(2)')": (ParameterError, "a number r above 0 and of 1 at most"),
    "nearP(form='angle')": (ParameterError, "form='angle'.*'distance'"),
    "nearP(acceptable=0)": (ParameterError, "acceptable=0.*above 0"),
    "nearR(mean_similarity=2)": (ParameterError, r"mean_similarity=2.*\[0, 1\]"),
    "nearR(undefined=-1)": (ParameterError, r"undefined=-1.*\[0, 1\]"),
    "nearR(average='samples')": (ParameterError, "average='samples'.*'micro'"),
    "iF(by='width')": (ParameterError, "by='width'.*'leaves'"),
    "Severity(k=3)": (MeasureError, "no option 'k'"),
}


@pytest.mark.parametrize(("notation", "expected"), WRONG.items())
def test_a_wrong_option_is_named(notation: str, expected: tuple[type[OntoevalError], str]) -> None:
    kind, gist = expected
    with pytest.raises(kind, match=gist):
        oe.evaluate([["sky"]], [["sea"]], hierarchy=HIERARCHY, measures=notation)


@pytest.mark.parametrize(
    "symbol", ["HLoss", "ZeroOne", "SymmetricDifference", "SetDistance", "Distance", "nearP"]
)
def test_a_hierarchy_is_needed(symbol: str) -> None:
    with pytest.raises(MeasureError, match="needs a hierarchy"):
        oe.evaluate([["sky"]], [["sea"]], measures=symbol)
