"""The benchmarks run, and what they compare with computes the same; how long it takes is no test."""

import json
import re

import pytest

from benchmarks import measuring, page, simulation, studies
from benchmarks.__main__ import TASKS, chosen, main
from benchmarks.measuring import FLOOR, Effort, Peer, Ratio, Result, Task, measure

TINY = Effort(0.001, 1)


@pytest.mark.no_cover
@pytest.mark.parametrize("task", TASKS, ids=[f"{task.name}-{at}" for at, task in enumerate(TASKS)])
def test_a_benchmark_runs_and_agrees_with_its_peers(task, tmp_path, monkeypatch):
    monkeypatch.setenv("ONTOEVAL_DATA", str(tmp_path))  # published files are large
    monkeypatch.setattr(measuring, "LEAST", 0)
    monkeypatch.setattr(studies, "MEASURES", studies.MEASURES[:3])
    if task.needs:
        pytest.importorskip(task.needs)
    result = measure(task, TINY)
    assert result.seconds > 0
    assert result.ratios.keys() == task.peers.keys()


def test_numbers_that_differ_stop_a_benchmark():
    task = Task("sum", lambda _: "data", lambda _: lambda: 1.0, {FLOOR: Peer(lambda _: lambda: 2.0)})
    with pytest.raises(AssertionError, match="Not equal"):
        measure(task, TINY)


def test_what_a_peer_does_in_part_is_scaled_to_the_whole():
    class Data(list[int]):
        size = "ten"

        def first(self, samples):
            return Data(self[:samples])

    calls = []
    peer = Peer(lambda data: lambda: calls.append(len(data)), samples=5, part=0.01, differs="counts")
    task = Task("count", lambda _: Data(range(10)), lambda _: lambda: None, {FLOOR: peer})
    ratio = measure(task, TINY).ratios[FLOOR]
    assert set(calls) == {5}
    assert ratio is not None
    assert ratio.scaled
    assert ratio.middle > 10  # both take about as long, and 200 is the scale


RESULT = Result(
    "F",
    "10 × 2",
    0.5,
    3.2,
    {
        "scikit-learn": Ratio(3.14, 2.9, 3.4),
        "pandas": Ratio(0.1, 0.1, 0.1, checked=False),
        FLOOR: Ratio(0.1, 0.05, 0.2, scaled=True),
    },
)


def test_a_row_has_ratios_with_their_spread():
    assert page.cells(RESULT) == [
        "F",
        "0.500",
        "3",
        "3.1 × (2.9–3.4)",
        "",
        "pandas 0.10 × (0.10–0.10)",
        "~10 × (5.0–20)",
    ]


def test_what_is_not_compared_leaves_its_cell_empty():
    assert page.cells(RESULT._replace(ratios={"scikit-learn": None, FLOOR: None}))[3:] == ["", "", "", ""]


def test_a_page_has_the_table_and_what_it_means():
    written = page.as_page([RESULT, RESULT._replace(task="P")], [], 0.05)
    assert written.count("**10 × 2**") == 1
    assert "| F | 0.500 | 3 | 3.1 × (2.9–3.4) |" in written
    assert "For the same results scikit-learn takes 3.1 times as long as ontoeval." in written
    assert "ontoeval takes 10 times as long as a C program that" in written
    assert not re.search(r"[{}]", written)


def test_rows_are_chosen_by_a_part_of_their_names(capsys):
    assert {task.name for task in chosen(["os w", "hf"])} == {"OS without rules", "OS with rules", "hF"}
    assert chosen(None) == list(TASKS)
    with pytest.raises(SystemExit):
        main(["--only", "nothing"])
    assert "no row has ['nothing'] in its name" in capsys.readouterr().err


def test_the_command_prints_a_table_and_writes_a_page_and_json(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("benchmarks.__main__.QUICK", TINY)
    wanted = ["--write", str(tmp_path / "page.md"), "--json", str(tmp_path / "all.json")]
    main(["--quick", "--only", "hF", *wanted])
    said = capsys.readouterr()
    assert "2 of 2" in said.err
    assert len(re.findall(r"^\W*hF\b", said.out, re.MULTILINE)) == 2
    assert (tmp_path / "page.md").read_text(encoding="utf-8").startswith("# Benchmarks")
    found = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert [one["task"] for one in found["results"]] == ["hF"] * 2


def test_a_simulation_counts_intervals_and_errors():
    held = list(simulation.coverage(3, 30))
    assert {one.measure for one in held} == set(simulation.MEASURES)
    assert simulation.as_table(iter(held)).row_count == 2 * len(simulation.MEASURES)
    wrong = [one for scenario in simulation.NULLS for one in simulation.errors(2, 30, scenario)]
    told = [one for scenario in simulation.BETTER for one in simulation.power(2, 30, scenario)]
    assert {one.measure for one in [*wrong, *told]} == set(simulation.TESTED)
    assert all(one.share in {0, 0.5, 1} for one in [*wrong, *told])


@pytest.mark.no_cover
def test_a_simulation_of_rare_labels_counts_intervals_and_notes():
    held = list(simulation.coverage_of_rare(2, 200))
    assert {one.measure for one in held} == set(simulation.RARE_MEASURES)
    assert any(one.share == 1 for one in held if "note" in one.what and one.measure == "AP")


def test_a_simulation_of_annotators_counts_intervals_and_notes(monkeypatch):
    monkeypatch.setattr(simulation, "SEEN", ((0.02, 0.8, 0.99), (0.3, 0.8, 0.9)))
    held = list(simulation.coverage_of_agreement(3, 100))
    assert len(held) == len(simulation.ANNOTATORS) * 2 * 3
    rare, frequent = ([one.share for one in held if "note" in one.what][at::2] for at in (0, 1))
    assert min(rare) > 0.5
    assert max(frequent) == 0
