"""Which run is first where nothing is said, and the baselines beside which runs are compared."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from examples import ranking_study as study
from ontoeval.errors import InputError, ParameterError
from tests.commands import call

LABELS = ["sky", "sea", "sun", "sand"]
TRUTH = {f"p{at}": ["sky", "sea"] if at % 2 else ["sun", "sand"] for at in range(24)}
GOOD = {name: labels if at % 6 else ["sky", "sand"] for at, (name, labels) in enumerate(TRUTH.items())}
SHY = {name: labels[:1] if at % 2 else [] for at, (name, labels) in enumerate(TRUTH.items())}
RUNS = {"shy": SHY, "good": GOOD}
QUICK = ("--resamples", "30")


def write(path: str, sets: Mapping[str, list[str]]) -> None:
    lines = [f"{name},{';'.join(labels)}\n" for name, labels in sets.items()]
    Path(path).write_text("".join(["id,labels\n", *lines]), encoding="utf-8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Truth and two runs in files: one of high precision that misses most, and one of higher F."""
    monkeypatch.chdir(tmp_path)
    write("truth.csv", TRUTH)
    Path("runs").mkdir()
    for name, sets in RUNS.items():
        write(f"runs/{name}.csv", sets)
    Path("concepts.txt").write_text("\n".join(["concept", *LABELS]) + "\n", encoding="utf-8")
    return tmp_path


def printed(*arguments: str, command: str = "compare") -> str:
    shown = call(command, *arguments)
    assert shown.exit_code == 0, shown.output
    return shown.stdout


def as_json(*arguments: str, truth: str = "truth.csv", runs: str = "runs") -> Any:
    return json.loads(printed(truth, runs, *QUICK, "--format", "json", *arguments))


# F comes first ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "more"), [("score", ()), ("compare", (*QUICK, "--no-baseline"))])
def test_the_run_with_the_best_f_is_first_where_no_measure_is_named(
    command: str, more: tuple[str, ...]
) -> None:
    rows = list(
        csv.DictReader(io.StringIO(printed("truth.csv", "runs", *more, "--format", "csv", command=command)))
    )
    assert [row["run"] for row in rows] == ["good", "shy"]
    assert float(rows[0]["P"]) < float(rows[1]["P"])
    titles = [title for title in rows[0] if title in {"P", "R", "F", "Jaccard"}]
    assert titles == ["F", "P", "R", "Jaccard"]


def test_presets_that_hold_f_and_precision_put_f_first() -> None:
    for name in ("sklearn", "hemkit", "bioasq", "hiclass"):
        first = oe.measures.preset(name).measures[0]
        assert first.partition("(")[0] in {"F", "hF"}, name


# baselines stand beside the runs ------------------------------------------------------------------------------


def test_baselines_stand_in_every_comparison_without_rank_group_or_test() -> None:
    found = as_json("-m", "F", "-m", "Hamming")
    ranks = {(row["run"], row["kind"]): row["rank"] for row in found["rows"]}
    baselines = dict.fromkeys([("prior", "baseline"), ("permuted", "baseline")])
    assert ranks == {("good", "run"): 1, ("shy", "run"): 2} | baselines
    assert all("group" not in row["F"] or not row["F"]["group"] for row in found["rows"] if not row["rank"])
    pairs = as_json("-m", "F", "--pairs")["rows"]
    assert [(row["run"], row["other"]) for row in pairs] == [("good", "shy")]


def test_what_is_said_of_the_runs_is_the_same_with_and_without_baselines() -> None:
    alone, beside = (
        oe.compare(TRUTH, RUNS, measures=["F", "P"], resamples=50, baselines=chosen)
        for chosen in ((), ["prior", "permuted", "all"])
    )
    for part in ("scores", "low", "high", "ranks"):
        assert np.array_equal(getattr(alone, part), getattr(beside, part)[:2]), part
    kept = beside.p_values[:, :2, :2]
    assert np.array_equal(alone.p_values, kept, equal_nan=True)
    tested = np.isfinite(beside.adjusted[:, 2:, :2])
    assert tested[:, [0, 2]].all()
    assert not tested[:, 1].any()
    assert np.isnan(beside.adjusted[:, 2:, 2:]).all()
    assert alone.groups("F") == beside.groups("F")[:2]
    assert beside.groups("F")[2:] == ("", "", "")


def test_baselines_that_are_named_replace_the_usual_ones_and_there_need_be_none() -> None:
    for arguments, expected in (
        ((), {"prior", "permuted"}),
        (("--baseline", "random"), {"random"}),
        (("--no-baseline",), set()),
    ):
        rows = as_json("-m", "F", *arguments)["rows"]
        assert {row["run"] for row in rows if row["kind"] == "baseline"} == expected
    with pytest.raises(ParameterError, match="no --no-baseline beside it"):
        call("compare", "truth.csv", "runs", "--baseline", "all", "--no-baseline")


@pytest.mark.parametrize("line", ["no_baseline = true", "baselines = []"])
def test_a_benchmark_file_has_baselines_unless_it_wants_none(line: str) -> None:
    for more, expected in (("", 4), (line, 2)):
        text = f'truth = "truth.csv"\nruns = "runs"\nmeasures = "F"\nresamples = 20\n{more}\n'
        Path("benchmark.toml").write_text(text, encoding="utf-8")
        printed(".", command="run")
        assert len(Path("results/leaderboard.csv").read_text(encoding="utf-8").splitlines()) == 1 + expected


# the head says whether runs beat them -------------------------------------------------------------------------


def test_the_head_says_that_all_runs_beat_the_baselines() -> None:
    write("runs/shy.csv", GOOD)
    said = "Both runs beat the baseline 'prior' (F 0.6667)."
    assert as_json("-m", "F")["notes"][0] == f"'good', 'shy' tie as the best of 2 runs (F 0.9167). {said}"
    shown = printed("truth.csv", "runs", "-m", "F", *QUICK)
    assert shown.index(said) < shown.index("rank ")  # above the table
    one = printed("truth.csv", "runs/good.csv", "-m", "F", *QUICK, "--baseline", "all")
    assert "The run beats the baseline 'all' (F " in one


def test_the_head_names_the_runs_that_do_not() -> None:
    write("runs/lazy.csv", {name: ["sand"] for name in TRUTH})
    head = as_json("-m", "F", "--baseline", "all")["notes"][0]
    assert head.endswith(" 2 of 3 runs do not beat the baseline 'all' (F 0.6667): 'shy', 'lazy'.")
    head = as_json("-m", "R", "--baseline", "all")["notes"][0]
    assert head.endswith(" No run beats the baseline 'all' (R 1.0000).")
    # what is smaller is better, and who ties does not beat
    head = as_json("-m", "Hamming", "--baseline", "all")["notes"][0]
    assert head.endswith(" 1 of 3 runs does not beat the baseline 'all' (Hamming 0.5000): 'lazy'.")


def test_the_page_says_it_below_its_title() -> None:
    page = oe.compare(TRUTH, RUNS, measures="F", resamples=20, baselines=["all"]).report()
    said = "1 of 2 runs does not beat the baseline &#39;all&#39; (F 0.6667): &#39;shy&#39;."
    assert said in page
    assert page.index("<h1>") < page.index(said) < page.index("<section")


def test_the_page_says_wherever_a_baseline_is_drawn_beside_runs_that_it_is_one() -> None:
    page = oe.compare(TRUTH, RUNS, measures="Jaccard", resamples=20, baselines=["all"]).report()
    assert re.search(r"all \(baseline\)\S+ of samples near", page)


def test_leaderboards_of_parts_have_baselines_of_their_own_and_the_head_names_the_parts() -> None:
    groups = [f"{name},{'land' if at % 2 else 'water'}\n" for at, name in enumerate(TRUTH)]
    Path("where.csv").write_text("".join(["id,group\n", *groups]), encoding="utf-8")
    found = as_json("-m", "F", "--by", "where.csv")
    scores = {(row["part"], row["run"]): row["F"]["value"] for row in found["rows"]}
    # within a part all true sets are the same, and so are the prior and the permuted truth
    assert scores["land", "prior"] == scores["water", "permuted"] == 1
    said = "In 2 of 2 tested parts some runs do not beat the best baseline: 'group: water', 'group: land'."
    assert said in found["notes"][0]


# where a baseline is not there ----------------------------------------------------------------------------------


def test_a_run_may_be_called_like_a_usual_baseline_which_is_then_left_out() -> None:
    found = oe.compare(TRUTH, {"prior": GOOD}, measures="F", resamples=20)
    assert found.runs == ("prior", "permuted")
    assert found.baselines == ("permuted",)
    assert "The baseline 'prior' is not shown: a run has this name." in found.notes
    with pytest.raises(InputError, match="a run is called 'prior' like a baseline"):
        oe.compare(TRUTH, {"prior": GOOD}, measures="F", resamples=20, baselines=["prior"])
    with pytest.raises(ParameterError, match="baselines='none'"):
        oe.compare(TRUTH, RUNS, baselines="none")


def test_verified_labels_have_the_prior_of_what_is_known_and_no_permuted_truth() -> None:
    known = oe.VerifiedLabels.from_sets(
        {"p1": ["sky"], "p2": ["sky"], "p3": [], "p4": ["sea"]},
        {"p1": ["sea"], "p2": [], "p3": ["sea"], "p4": []},
        vocabulary=["sky", "sea"],
    )
    found = oe.compare(
        known, {"mine": {name: ["sky"] for name in known.positive.samples}}, measures="F", resamples=9
    )
    assert found.baselines == ("prior",)
    assert "The baseline 'permuted' is not shown: it is not defined for verified labels." in found.notes
    # all of what is known of the sky is true, a third of what is known of the sea
    prior = found.evaluations["prior"].sets
    assert prior is not None
    assert prior.prediction.labels_of("p1") == ("sky",)


def test_rankings_have_baselines_too() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random((30, 4)) < 0.4
    scores = oe.LabelScores.from_array(truth + rng.normal(0, 0.3, truth.shape))
    found = oe.compare(truth, {"mine": scores}, resamples=20)
    assert found.baselines == ("prior", "permuted")
    assert found.against_baselines.startswith("The run beats the baseline 'prior' (")


def test_studies_have_no_baselines() -> None:
    found = oe.study(
        TRUTH, {**RUNS, "all": dict.fromkeys(TRUTH, LABELS)}, measures=["F", "P"], resamples=20, changes=None
    )
    assert found.comparison.baselines == ()


# in public nothing per sample tells the truth -------------------------------------------------------------------


SECRET = {f"p{at}": ["qqone", "qqtwo"] if at % 3 else ["qqthree"] for at in range(12)}


@pytest.fixture
def secret() -> tuple[str, ...]:
    """A truth of labels that nothing else uses, and a run that is its prior."""
    write("secret.csv", SECRET)
    write("mine.csv", {name: ["b"] for name in SECRET})
    write("majority.csv", {name: ["qqone", "qqtwo"] for name in SECRET})
    Path("names.txt").write_text("concept\nqqone\nqqtwo\nqqthree\nb\n", encoding="utf-8")
    return ("--concepts", "names.txt", "--public", "-m", "F", "-m", "Jaccard", *QUICK)


def test_in_public_no_output_holds_what_a_baseline_predicts(secret: tuple[str, ...]) -> None:
    outputs = ("-o", "out", "--report", "out.html")
    shown = call("compare", "secret.csv", "mine.csv", *secret, *outputs)
    assert shown.exit_code == 0, shown.output
    everything = {
        path.name: path.read_text(encoding="utf-8") for path in [*Path("out").iterdir(), Path("out.html")]
    }
    everything["the screen"] = shown.output
    assert "prior,baseline," in everything["leaderboard.csv"]
    for name, text in everything.items():
        assert not any(mark in text for mark in ("qqone", "qqtwo", "qqthree")), name
        # a row for each sample would say so by its name
        assert "p11" not in text, name


def test_in_public_it_is_not_said_which_run_predicts_what_a_baseline_does(secret: tuple[str, ...]) -> None:
    same = "These runs predict the same: majority, prior."
    shown = printed("secret.csv", "majority.csv", "--concepts", "names.txt", "-m", "F", *QUICK)
    assert same in shown
    hidden = printed("secret.csv", "majority.csv", *secret)
    assert "predict the same" not in hidden


def test_values_of_samples_are_those_of_runs_alone_and_refused_in_public(secret: tuple[str, ...]) -> None:
    with pytest.raises(ParameterError, match="as the file reveals the truth"):
        call("compare", "secret.csv", "mine.csv", *secret, "--long", "long.csv")
    assert not Path("long.csv").exists()
    printed("truth.csv", "runs", "-m", "Jaccard", *QUICK, "--long", "long.csv")
    rows = list(csv.DictReader(io.StringIO(Path("long.csv").read_text(encoding="utf-8"))))
    assert {row["run"] for row in rows} == set(RUNS)


# oracles: what is made of the truth and yet poor shows which measures rank by nonsense ---------------------------


GENRES = [*("ABC"), *(a + b for a in "ABC" for b in "xyz")]
TREE = [(name[:-1], name) for name in GENRES if len(name) > 1]
TREE += [(name, f"{name}{at}") for name in GENRES if len(name) == 2 for at in range(6)]
LEAVES = [child for _, child in TREE if len(child) == 3]
BOOKS = {f"b{at}": [leaf[0], leaf[:2], leaf] for at, leaf in enumerate(LEAVES * 2)}
ELSEWHERE = {name: BOOKS[f"b{(at * 7 + 3) % len(BOOKS)}"] for at, name in enumerate(BOOKS)}


def system(every: int) -> dict[str, list[str]]:
    """Predict the labels of another book for some books."""
    return {
        name: ELSEWHERE[name] if at % every == 0 else labels
        for at, (name, labels) in enumerate(BOOKS.items())
    }


SYSTEMS = {"good": system(3), "fair": system(2)}


def of_systems(systems: Mapping[str, Mapping[str, list[str]]] = SYSTEMS, **options: Any) -> Any:
    return oe.compare(BOOKS, dict(systems), hierarchy=TREE, resamples=20, test="none", **options)


def test_oracles_stand_in_every_comparison_with_a_hierarchy_and_name_the_measures_that_nonsense_wins() -> (
    None
):
    found = of_systems()
    assert found.baselines == ("prior", "permuted", "siblings", "top")
    assert next(iter(found.measures)) == "hF"
    assert found.won_by_nonsense == {"siblings": {"OS": (2, 2)}, "top": {"OS": (2, 2)}}
    said = (
        "Won by nonsense: on closed sets (ancestors added) the truth with all siblings of its labels ('siblings') stands above "
        "runs that have a higher F: 2 of 2 by OS. On closed sets (ancestors added) a run that names only the top of each true label "
        "('top') stands above runs that have a higher F: 2 of 2 by OS."
    )
    assert found.against_baselines.endswith(said)
    assert said in found.table().head
    page = found.report()
    assert "Won by nonsense" in page
    assert '<span class="tag">oracle</span>' in page


def test_the_verdict_on_nonsense_is_the_same_for_files_that_are_closed_or_not() -> None:
    leaves = {name: labels[-1:] for name, labels in BOOKS.items()}
    opened = {run: {name: labels[-1:] for name, labels in sets.items()} for run, sets in SYSTEMS.items()}
    for measures in (None, ["OS", "R", "F", "hF"], ["tF", "LCaF", "P"]):
        given: Any = {"hierarchy": TREE, "resamples": 20, "test": "none", "measures": measures}
        closed = oe.compare(BOOKS, SYSTEMS, **given)
        for truth, runs in ((leaves, opened), (BOOKS, opened), (leaves, SYSTEMS)):
            found = oe.compare(truth, runs, **given)
            assert found.won_by_nonsense == closed.won_by_nonsense
            assert found.oracles == closed.oracles
    assert closed.won_by_nonsense == {"top": {"P": (2, 2)}}


def test_a_run_that_is_nearly_the_truth_silences_no_warning_and_few_samples_give_none() -> None:
    nearly = {name: labels[:-1] if name == "b0" else labels for name, labels in BOOKS.items()}
    alone, beside = of_systems({"good": system(3)}), of_systems({"good": system(3), "leaked": nearly})
    assert beside.won_by_nonsense == alone.won_by_nonsense
    assert alone.won_by_nonsense["siblings"]["OS"] == (1, 1)
    assert "'leaked' and the truth differ in 1 label (F above 0.995)" in " ".join(beside.notes)
    few = {name: BOOKS[name] for name in list(BOOKS)[:5]}
    runs = {run: {name: sets[name] for name in few} for run, sets in SYSTEMS.items()}
    found = oe.compare(few, runs, hierarchy=TREE, resamples=20, baselines=["siblings", "prior"])
    assert found.won_by_nonsense
    assert "nonsense" not in found.against_baselines


def test_the_advice_names_no_measure_that_nonsense_wins_or_that_turns_the_order_of_the_runs_round() -> None:
    def advice(*measures: str) -> Any:
        return of_systems(measures=measures).against_baselines.partition("Rank by ")[2]

    assert advice("OS", "R", "F", "hF") == "F (--rank)."
    assert advice("OS", "P", "hF") == "hF (--rank)."
    assert advice("hF", "OS") == advice("OS", "R") == ""
    unlike = {
        "high": {name: [labels[0], labels[1]] for name, labels in BOOKS.items()},
        "leaf": {name: labels[-1:] if at % 2 else [] for at, (name, labels) in enumerate(BOOKS.items())},
    }
    leaves = {name: labels[-1:] for name, labels in BOOKS.items()}
    found = oe.compare(leaves, unlike, hierarchy=TREE, measures=["R", "F"], resamples=20)
    flat, closed = found.merits[:2, 1], found.on_closed_sets[:2, -1]
    assert flat[0] < flat[1]
    assert closed[0] > closed[1]
    assert found.won_by_nonsense["siblings"] == {"R": (2, 2)}
    assert "Rank by" not in found.against_baselines


def test_the_command_marks_oracles_and_tells_what_nonsense_wins() -> None:
    write("books.csv", BOOKS)
    Path("systems").mkdir()
    for name, sets in SYSTEMS.items():
        write(f"systems/{name}.csv", sets)
    Path("tree.csv").write_text("parent,child\n" + "".join(f"{a},{b}\n" for a, b in TREE), encoding="utf-8")
    arguments = ("books.csv", "systems", "--ontology", "tree.csv", *QUICK)
    shown = printed(*arguments, "-m", "OS")
    assert "siblings (oracle)" in shown
    assert "Won by nonsense: on closed sets (ancestors added) the truth with all siblings" in " ".join(
        shown.split()
    )
    assert "oracle" not in printed(*arguments, "-m", "OS", "--no-baseline")
    rows = json.loads(printed(*arguments, "--format", "json"))["rows"]
    assert [row["rank"] for row in rows if row["kind"] == "oracle"] == [None, None]
    assert [title for title in rows[0] if title in {"OS", "hF", "F"}] == ["hF", "OS", "F"]


def test_oracles_are_the_siblings_of_the_most_specific_labels_and_the_highest_labels() -> None:
    def labels(kind: str, truth: list[list[str]], **options: Any) -> list[tuple[str, ...]]:
        made = oe.comparison.baseline(truth, kind, **{"hierarchy": TREE, **options})
        return [made.labels_of(sample) for sample in made.samples]

    family = tuple(f"Ax{at}" for at in range(6))
    assert labels("siblings", [["Ax0"], []]) == [family, ()]
    assert labels("siblings", [["A", "Ax", "Ax0"]]) == [("A", "Ax", *family)]
    assert labels("top", [["Ax0", "By1"], ["C"], []]) == [("A", "B"), ("C",), ()]
    abstract = oe.Hierarchy.from_edges(TREE, abstract=["A", "B", "C"])
    assert labels("top", [["Ax0"]], hierarchy=abstract) == [("Ax",)]
    large = [("r", str(at)) for at in range(101)]
    assert labels("siblings", [["7"]], hierarchy=large) == [("7",)]
    assert len(labels("siblings", [["7"]], hierarchy=large[:100])[0]) == 100
    with pytest.raises(ParameterError, match="of which oracles are made"):
        oe.comparison.baseline([["a"]], "top")


def test_an_oracle_that_is_nearly_the_truth_or_better_than_the_runs_is_left_out_and_it_is_said_why() -> None:
    flat = oe.compare(TRUTH, RUNS, hierarchy=[("r", label) for label in LABELS], resamples=20)
    assert "top" in flat.baselines
    chain = oe.compare([["a", "b"]] * 9, {"one": [["a"]] * 9}, hierarchy=[("a", "b")], resamples=20)
    assert "The oracle 'siblings' is left out: it changes 0 of 9 true sets, fewer than half." in chain.notes
    copy = {name: [leaf[0]] for name, (_, _, leaf) in BOOKS.items()}
    alone = of_systems({"copy": copy})
    assert alone.baselines == ("prior", "permuted")
    assert (
        "The oracle 'top' is left out: no run is better by F of closed sets (its own is 0.5000)."
        in alone.notes
    )
    known = oe.compare(
        BOOKS,
        SYSTEMS,
        hierarchy=TREE,
        measures=["hF", "F"],
        resamples=20,
        known={name: labels[:1] for name, labels in BOOKS.items()},
    )
    assert (
        f"The oracle 'top' is left out: it empties {len(BOOKS)} of {len(BOOKS)} sets, more than a tenth."
        in known.notes
    )
    assert "top" in of_systems(baselines=["top"]).baselines


def test_a_run_that_copies_an_oracle_does_not_hide_what_nonsense_wins() -> None:
    siblings = {
        name: [*labels[:2], *(f"{labels[1]}{at}" for at in range(6))] for name, labels in BOOKS.items()
    }
    found = of_systems({**SYSTEMS, "copy": siblings})
    best = found.scores[found.competing, found.column("OS")].max()
    assert best == found.scores[found.runs.index("siblings"), found.column("OS")]
    assert found.won_by_nonsense["siblings"] == {"OS": (2, 2)}


def test_runs_that_are_no_better_than_baselines_show_nothing_of_a_measure() -> None:
    found = of_systems({"lost": ELSEWHERE, "mute": {name: [] for name in BOOKS}})
    assert set(found.oracles) == {"top"} or not found.oracles
    assert found.won_by_nonsense == {}


def test_there_are_no_oracles_without_a_hierarchy_of_rankings_of_verified_labels_and_in_studies() -> None:
    assert oe.compare(TRUTH, RUNS, measures="F", resamples=9).oracles == ()
    rng = np.random.default_rng(0)
    truth = rng.random((30, 3)) < 0.4
    scores = oe.LabelScores.from_array(rng.random(truth.shape), vocabulary=["a", "b", "c"])
    given = oe.LabelSets.from_array(truth, vocabulary=["a", "b", "c"])
    found = oe.compare(given, {"mine": scores}, hierarchy=[("a", "b"), ("a", "c")], resamples=9)
    assert found.baselines == ("prior", "permuted")
    links, labels = [("a", "b"), ("a", "c"), ("c", "d")], [["b"], ["c"], ["d"], ["b"]]
    alone = oe.compare(
        labels, {"r": labels[1:] + labels[:1]}, measures="SetCoverage", hierarchy=links, resamples=9
    )
    assert (alone.oracles, alone.won_by_nonsense) == ((), {})


def test_the_head_names_every_other_measure_by_which_a_baseline_beats_a_run() -> None:
    found = oe.compare(TRUTH, RUNS, measures=["P", "F", "R"], resamples=20, baselines=["all", "prior"])
    assert (
        "By score alone, baselines stand above runs: F ('all' 1 of 2, 'prior' 1 of 2), R ('all' 2 of 2"
        in (found.against_baselines)
    )


def test_the_default_ranking_is_won_by_nonsense_on_no_data_at_hand(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONTOEVAL_DATA", str(data))
    for name, truth, runs, hierarchy in study.data_sets():
        rows = {row["measure"]: row for row in study.ranks(truth, runs, hierarchy, ["hF", "OS", "F"])}
        (won,) = (title for title in rows["OS"] if title.startswith("won by nonsense"))
        assert rows["hF"][won] == "no", name
        assert (rows["OS"][won] == "no") == (name != "GermEval 2019, subtask b"), name


def test_the_measures_by_default_are_told_in_their_order() -> None:
    usual = oe.evaluate(BOOKS, ELSEWHERE, hierarchy=TREE).scores
    assert [*usual] == ["hF", "OS", "F", "F(average='macro')"]
    said = f"with an ontology {', '.join(usual)}, or LCaF in place of the first"
    assert said in " ".join(printed("--help").replace("│", " ").split())


def test_lcaf_ranks_where_a_quarter_of_the_labels_have_several_parents_or_lie_below_one_that_has() -> None:
    def first(*more: tuple[str, str]) -> str:
        leaves = [(parent, f"{parent}{at}") for parent in "ab" for at in range(4)]
        return next(iter(oe.evaluate([["b1"]], [["b2"]], hierarchy=[("r", "a"), ("r", "b"), *leaves, *more])))

    redundant = [("r", f"a{at}") for at in range(4)]
    assert {first(), first(*redundant), first(("a", "b1"), ("a", "b2"))} == {"hF"}
    assert {first(("a", "b1"), ("a", "b2"), ("a", "b3")), first(("q", "b"))} == {"LCaF"}
    write("one.csv", {"p": ["b1"]})
    links = ["r,a", "r,b", "q,b", *(f"b,b{at}" for at in range(4))]
    Path("links.csv").write_text("\n".join(["parent,child", *links]), encoding="utf-8")
    parts = [("score", ("--parts", "1"))] * (find_spec("pyarrow") is not None)
    for command, more in (("score", ()), ("compare", QUICK), *parts):
        rows = printed(
            "one.csv", "one.csv", "--ontology", "links.csv", "--format", "json", *more, command=command
        )
        measures = [
            title for title in json.loads(rows)["rows"][0] if title.startswith(("LCaF", "hF", "OS", "F"))
        ]
        assert measures == ["LCaF", "OS", "F", "F(average='macro')"]


def test_weak_runs_a_perfect_one_and_copies_change_nothing_of_what_nonsense_wins() -> None:
    alone = of_systems().won_by_nonsense
    nothing: dict[str, list[str]] = {name: [] for name in BOOKS}
    tops = {name: labels[:1] for name, labels in BOOKS.items()}
    weak = {f"weak-{at}": sets for at, sets in enumerate((nothing, ELSEWHERE, tops) * len(SYSTEMS))}
    perfect = {name: list(sets) for name, sets in BOOKS.items()}
    for more in (weak, {"perfect": perfect}, {f"good-{at}": SYSTEMS["good"] for at in range(5)}):
        assert of_systems({**SYSTEMS, **more}).won_by_nonsense == alone
    named = of_systems({**SYSTEMS, "top": next(iter(SYSTEMS.values()))})
    assert "The oracle 'top' is not shown: a run has this name." in named.notes
    useless = of_systems({name: sets for name, sets in weak.items() if sets is not tops})
    assert not useless.oracles
    assert any(
        note.startswith("The oracle 'siblings' is left out: no run is better") for note in useless.notes
    )
    assert not of_systems({"perfect": perfect}, measures=["R", "F"]).won_by_nonsense
