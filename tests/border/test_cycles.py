"""Ontologies with cycles: refused, or broken by cutting links that are listed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import CycleError, ParameterError
from tests.commands import call, refusal

LINKS = ["plant,oak", "plant,moss", "moss,fern", "fern,moss", "x,y", "y,x"]


def write(folder: Path, links: list[str]) -> Path:
    """Write an edge list."""
    path = folder / "plants.csv"
    path.write_text("\n".join(["parent,child", *links, ""]), encoding="utf-8")
    return path


def test_cycles_are_refused_and_the_message_says_how_to_break_them(tmp_path: Path) -> None:
    path = write(tmp_path, LINKS)
    with pytest.raises(CycleError, match=r"cycles='break' \(--cycles break\)"):
        oe.read_ontology(path)
    with pytest.raises(ParameterError, match="cycles='merge'"):
        oe.read_ontology(path, cycles="merge")  # type: ignore[arg-type] # that is the test


def test_links_that_lead_back_up_are_cut_and_listed(tmp_path: Path) -> None:
    ontology = oe.read_ontology(write(tmp_path, LINKS), cycles="break")
    assert sorted(ontology.graph.edges) == [("moss", "fern"), ("plant", "moss"), ("plant", "oak"), ("x", "y")]
    assert ontology.report.cut.examples == ("moss -> fern", "x -> y")
    assert "links cut to break cycles" in str(ontology.report)
    # What `root` names is where the walk begins.
    assert sorted(oe.read_ontology(tmp_path / "plants.csv", root="fern", cycles="break").graph.edges) == [
        ("fern", "moss")
    ]


@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=25, unique=True),
    st.randoms(use_true_random=False),
)
def test_what_is_cut_is_needed_and_does_not_depend_on_the_order_of_rows(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[int, int]], order: Random
) -> None:
    links = [f"c{one},c{other}" for one, other in pairs if one != other]
    if not links:
        return
    folder = tmp_path_factory.getbasetemp()
    before: nx.DiGraph[str] = nx.DiGraph()
    before.add_edges_from((f"c{one}", f"c{other}") for one, other in pairs if one != other)
    ontology = oe.read_ontology(write(folder, links), cycles="break")
    cut = [tuple(reversed(text.split(" -> "))) for text in ontology.report.cut.examples]
    assert {*ontology.graph.edges} | {*cut} == {*before.edges}
    assert len(ontology.graph.edges) + len(cut) == len(before.edges)
    assert all(nx.has_path(ontology.graph, child, parent) for parent, child in cut)
    assert nx.is_directed_acyclic_graph(ontology.graph)
    order.shuffle(links)
    assert oe.read_ontology(write(folder, links), cycles="break").report.cut == ontology.report.cut


def test_a_cycle_of_many_concepts_is_broken_once(tmp_path: Path) -> None:
    names = [f"c{number:05}" for number in range(5_000)]
    links = [f"{one},{other}" for one, other in pairwise([*names, names[0]])]
    report = oe.read_ontology(write(tmp_path, links), cycles="break").report
    assert report.cut.examples == ("c00000 -> c04999",)


def test_commands_break_cycles_where_asked_and_say_what_was_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, truth = write(tmp_path, LINKS), tmp_path / "truth.csv"
    truth.write_text("id,labels\np1,oak;fern\np2,moss\n", encoding="utf-8")
    said = refusal(["score", truth, truth.with_name("truth.csv"), "--ontology", path], capsys, monkeypatch)
    assert "--cycles break" in said
    result = call("score", truth, truth, "--ontology", path, "--cycles", "break", "--format", "json")
    assert result.exit_code == 0, result.output
    assert "2 links were cut to break cycles, child -> parent: 'moss -> fern', 'x -> y'" in result.output
    table = call("ontology", path, "--cycles", "break")
    assert "links cut to break cycles" in table.output
    assert "moss -> fern, x -> y" in table.output
    audit = call("audit", path)
    assert "A cycle, child -> parent" in audit.output
    said = refusal(["score", truth, truth, "--cycles", "break"], capsys, monkeypatch)
    assert "--ontology beside it" in said
    (tmp_path / "benchmark.toml").write_text(
        'truth = "truth.csv"\nruns = "truth.csv"\nontology = "plants.csv"\nresamples = 5\n', encoding="utf-8"
    )
    assert 'cycles = "break"' in refusal(["run", tmp_path], capsys, monkeypatch)
