"""Calls of transport measures: streaming, comparisons, wrong options, and what has no score of single samples."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.comparison import replication
from ontoeval.concepts.bits import Sizes
from ontoeval.errors import MeasureError, ParameterError
from tests.commands import call

LINKS = [("plants", "trees"), ("plants", "flowers"), ("trees", "oak"), ("trees", "fir"), ("people", "group")]
TRUTH = [["oak"], ["fir", "group"], ["flowers"], ["group"]] * 6
RUNS = {
    "sibling": [["fir"], ["fir", "group"], ["flowers"], ["group"]] * 6,
    "constant": [["oak", "group"]] * 24,
    "reversed": TRUTH[::-1],
}
MEASURES = ["tF", "tKappa"]


def test_parts_are_merged() -> None:
    batch = oe.align(TRUTH, RUNS["sibling"], hierarchy=oe.Hierarchy.from_edges(LINKS))
    merged = oe.merge(*(oe.collect(chunk, MEASURES) for chunk in batch.chunks(5)))
    assert oe.score(merged).scores == oe.score(oe.collect(batch, MEASURES)).scores


def test_a_comparison_in_small_portions_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"hierarchy": LINKS, "measures": MEASURES, "resamples": 60, "interval": "bca"}
    whole = oe.compare(TRUTH, RUNS, **options)  # type: ignore[arg-type]
    monkeypatch.setattr(replication, "_HELD", 500)
    cut = oe.compare(TRUTH, RUNS, **options)  # type: ignore[arg-type]
    for name in ("scores", "low", "high", "replicates", "p_values", "adjusted"):
        np.testing.assert_allclose(getattr(cut, name), getattr(whole, name), atol=1e-12)
    assert np.isfinite(whole.low[:3]).all()
    column = whole.replicates[:, list(RUNS).index("constant"), MEASURES.index("tKappa")]
    assert np.nanmax(np.abs(column)) < 1e-9


def test_kappa_has_no_score_of_a_sample_and_no_axioms() -> None:
    result = oe.evaluate(TRUTH, RUNS["sibling"], hierarchy=LINKS, measures=MEASURES)
    assert np.isnan(result.per_sample("tKappa")).all()
    assert np.isfinite(result.per_sample("tF")).all()


def test_truth_and_run_that_are_the_same_constant_have_no_kappa() -> None:
    result = oe.evaluate([["oak"]] * 3, [["oak"]] * 3, hierarchy=LINKS, measures=MEASURES)
    assert result["tF"] == 1
    assert np.isnan(result["tKappa"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("credit_from=1", "credit_from=1.0: expected less than 1"),
        ("credit_from=0.5, weights='unit'", "0 with other weights than 'bits'"),
        ("weights=2", "weights=2: expected"),
        ("members='leaves'", "members='leaves'"),
    ],
)
def test_wrong_options_are_refused(options: str, message: str) -> None:
    for symbol in MEASURES:
        with pytest.raises(ParameterError, match=message):
            oe.measures.parse(f"{symbol}({options})")


def test_kappa_has_no_exclusions_and_none_works_without_a_hierarchy() -> None:
    with pytest.raises(MeasureError, match="tKappa has no option 'exclusions'"):
        oe.measures.parse("tKappa(exclusions='declared')")
    with pytest.raises(MeasureError, match="needs a hierarchy"):
        oe.evaluate([["a"]], [["a"]], measures="tF")


def test_all_weights_0_leave_nothing_to_be_told() -> None:
    nothing = oe.Hierarchy.from_edges(LINKS).with_weight("own", np.zeros(7))
    measures = ["tF(weights='own')", "tF(weights='own', average='samples')", "tKappa(weights='own')"]
    found = oe.evaluate(TRUTH, RUNS["sibling"], hierarchy=nothing, measures=measures).scores
    assert all(np.isnan(score) for score in found.values())


def test_credit_from_half_of_the_bits_ends_the_credit_of_far_kin() -> None:
    measures = ["tF", "tF(credit_from=0.5)"]
    far = oe.evaluate([["oak"]], [["flowers"]], hierarchy=LINKS, measures=measures)
    assert far["tF"] > far["tF(credit_from=0.5)"] == 0


def headings(data: Path) -> oe.Hierarchy:
    rows = (data / "ontologies" / "mesh_bioasq" / "mesh_hierarchy.txt").read_text(encoding="utf-8").split()
    return oe.Hierarchy.from_edges(list(zip(rows[::2], rows[1::2], strict=True)))


def test_no_heading_of_mesh_outweighs_five(data: Path) -> None:
    mesh = headings(data)
    children = {mesh.vocabulary[at] for at in mesh.parents.indices.tolist()}
    single = np.flatnonzero(np.diff(mesh.parents.indptr) == 1).tolist()
    light = [name for at in single if (name := mesh.vocabulary[at]) not in children][:5000:1000]
    truth = [*light, "D010845"]
    for predicted, expected in ((light, 10 / 11), (["D010845"], 2 / 7), ([*light[:2], "D010845"], 6 / 9)):
        found = oe.evaluate([truth], [predicted], hierarchy=mesh, measures="tF")["tF"]
        assert found == pytest.approx(expected, abs=1e-9)
    assert mesh.derive(Sizes()).max() <= 1 + 1e-12


def rows_of(labels: list[list[str]]) -> str:
    return "id,labels\n" + "".join(f"{at},{';'.join(some)}\n" for at, some in enumerate(labels))


def test_the_share_of_chance_stands_beside_kappa(tmp_path: Path) -> None:
    """One label of 95 in 100 samples: a constant is right in 95 %, and chance has as much."""
    (tmp_path / "links.csv").write_text("parent,child\nA,a1\nA,a2\nB,b1\nB,b2\n")
    runs = {"constant": [["a1"]] * 100, "mixed": [["a1"]] * 38 + [["b1"]] * 62}
    for name, labels in {"truth": [["a1"]] * 95 + [["b1"]] * 5, **runs}.items():
        (tmp_path / f"{name}.csv").write_text(rows_of(labels))
    paths = [str(tmp_path / f"{name}.csv") for name in ("truth", *runs)]
    options = ["--ontology", str(tmp_path / "links.csv"), "-m", "tF", "-m", "tKappa"]
    commands = ["score", *paths[:2]], ["score", *paths], ["compare", *paths, "--resamples", "20"]
    shown = [" ".join(call(*command, *options).output.split()) for command in commands]
    one, two, compared = shown
    assert (
        "Chance has 95 % of the bits of the truth (E / A of tKappa). The larger the share, the fewer samples decide"
        in one
    )
    for several in (two, compared):
        assert "Chance has 39 % ('mixed') to 95 % ('constant') of the bits of the truth" in several


def test_right_labels_can_lower_kappa_from_nearly_1_to_0() -> None:
    """The more labels, the larger the fall: the first run knows the numbers, the second is constant."""
    truth = [["y"], ["y", "z"]] * 3
    for labels in (4, 64, 4096):
        names = ["kind", "y", "z", *(f"x{at}" for at in range(labels - 2))]
        links = oe.Hierarchy.from_edges([("kind", "y"), ("kind", "z")], concepts=names, abstract=["kind"])
        before, after = (
            oe.evaluate(truth, run, hierarchy=links, measures=MEASURES)
            for run in ([["z"], ["y", "z"]] * 3, [["y", "z"]] * 6)
        )
        share = np.log(2) / np.log(labels)
        assert before["tKappa"] == pytest.approx((1 - share) / (1 + share))
        assert after["tKappa"] == pytest.approx(0, abs=1e-12)
        assert after["tF"] > before["tF"]


def test_masses_in_parts_are_merged_to_the_bit_and_rounded_for_chance() -> None:
    names = [f"x{at}" for at in range(40)]
    links = [(parent, name) for name in names for parent in ("P", "Q", "R")[: 1 + int(name[1:]) % 3]]
    hierarchy = oe.Hierarchy.from_edges(links)
    rng = np.random.default_rng(1)
    sides = [[rng.choice(names, size, replace=False).tolist() for size in range(1, 38)] for _ in range(2)]
    batch = oe.align(*sides, hierarchy=hierarchy)
    merged = oe.merge(*(oe.collect(chunk, MEASURES) for chunk in batch.chunks(5)))
    whole = oe.collect(batch, MEASURES)
    assert oe.score(merged).scores == oe.score(whole).scores
    exact, rounded = (whole.sums[oe.measures.parse(name).statistic] for name in MEASURES)
    assert rounded[1:4] == pytest.approx(exact, rel=0.03)
    assert oe.score(oe.collect(oe.align(sides[0], sides[0], hierarchy=hierarchy), MEASURES))["tKappa"] == 1
    constant = oe.collect(oe.align(sides[0], [sides[1][20]] * 37, hierarchy=hierarchy), "tKappa")
    assert oe.score(constant)["tKappa"] == pytest.approx(0, abs=1e-12)
