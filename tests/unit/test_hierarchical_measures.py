"""Measures of ancestors, descendants and leaves: worked values, and numbers of other programs."""

import pytest

import ontoeval as oe
from ontoeval.errors import InputError, ParameterError, UnknownConceptError

TREE = [
    *[("R", "A"), ("R", "B"), ("A", "A1"), ("A", "A2"), ("A1", "a"), ("A1", "b"), ("A2", "c")],
    *[("B", "B1"), ("B", "B2"), ("B1", "d"), ("B1", "e")],
]
TOY = oe.Hierarchy.from_edges(TREE)
LINES = [
    *[("a", "a"), ("a", "b"), ("a", "c"), ("a", "d"), ("a", "A1"), ("a", "A"), ("A1", "a")],
    *[("a d", "b d"), ("a d", "a"), ("a", "a d"), ("a c", "b d"), ("a", "")],
]
"""True and predicted labels of the table of the toy tree."""


def scored(
    *measures: str, truth: str = "a", prediction: str = "b", hierarchy: oe.Hierarchy = TOY
) -> list[float]:
    result = oe.evaluate([truth.split()], [prediction.split()], hierarchy=hierarchy, measures=measures)
    return list(result.scores.values())


def test_averages_over_the_toy_table():
    sides = [[line[side].split() for line in LINES] for side in (0, 1)]
    names = ("hP", "hR", "hF")
    micro = oe.evaluate(*sides, hierarchy=TOY, measures=names).scores.values()
    assert list(micro) == pytest.approx([0.615385, 0.558140, 0.585366], abs=5e-7)
    by_sample = [f"{name}(average='samples')" for name in names]
    samples = oe.evaluate(*sides, hierarchy=TOY, measures=by_sample).scores.values()
    assert list(samples) == pytest.approx([0.611111, 0.561111, 0.552525], abs=5e-7)


def test_a_virtual_root_gives_the_numbers_of_hemkit():
    # It adds a node above the real root: a and d share two of five nodes.
    assert scored("hF(root='virtual')", truth="a", prediction="d") == pytest.approx([0.4])
    forest = oe.Hierarchy.from_edges([edge for edge in TREE if edge[0] != "R"])
    assert scored("hF(root='virtual')", truth="a", prediction="d", hierarchy=forest) == [0.25]
    assert scored("hF(root='in')", truth="a", prediction="d", hierarchy=forest) == [0]


def test_leaves_levels_and_branches_keep_their_own():
    def both(*measures: str) -> list[float]:
        return scored(*measures, truth="a B", prediction="a A")

    assert both("F", "hF(members='leaves')") == [0.5, 1]
    assert both("hF(level=1)", "hF(level=3)") == pytest.approx([2 / 3, 1])
    assert both("hF(branch='B')", "hF(branch='A')") == [0, 1]
    assert both("hF(level=0, root='in')") == [1]


def test_weights_are_those_that_the_hierarchy_carries():
    weighted = TOY.with_weight("deep", TOY.depth)
    # Shared: A and A1, of depths 1 and 2; besides them a and b, of depth 3.
    assert scored("hF(weight='deep')", hierarchy=weighted) == pytest.approx([3 / 6])
    assert scored("hF(weight='uniform')") == scored("hF")
    with pytest.raises(ParameterError, match="weight='deep': expected one of 'uniform'"):
        scored("hF(weight='deep')")


def test_of_several_roots_none_is_left_out():
    forest = oe.Hierarchy.from_edges([("x", "y")], concepts=["lonely"])
    assert scored("hF", truth="y", prediction="x", hierarchy=forest) == pytest.approx([2 / 3])
    assert scored("hF", truth="lonely", prediction="lonely", hierarchy=forest) == [1]


@pytest.mark.parametrize(
    ("notation", "error", "message"),
    [
        ("hF(root='yes')", ParameterError, "root='yes': expected one of 'out', 'in', 'virtual'"),
        ("hF(level=True)", ParameterError, "level=True"),
        ("hF(root='virtual', level=1)", ParameterError, "root='virtual': expected 'out' or 'in' unless"),
        ("hF(average='macro', weight='uniform')", ParameterError, "weight='uniform': expected None with"),
        ("hF(level=9)", InputError, "no concept is left to compare .*level=9.*depths 0 to 3"),
        ("hF(level=0)", InputError, "root='in' to keep the root"),
        ("hF(branch='none')", UnknownConceptError, "'none'"),
    ],
)
def test_what_cannot_be_compared_is_said(notation, error, message):
    with pytest.raises(error, match=message):
        scored(notation)
