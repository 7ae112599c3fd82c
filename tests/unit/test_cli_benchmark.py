"""Benchmark files do it all again, bit for bit, and tell whether it still holds."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import Result

import ontoeval as oe
from ontoeval.benchmarks.benchmark_file import _by_keys, benchmark_of, keys, read_benchmark, template
from ontoeval.benchmarks.recipes import RECIPE_FILE as RECIPE
from ontoeval.benchmarks.results import Verdict
from ontoeval.errors import InputError
from ontoeval.options import flag
from tests.commands import call

SOURCE = oe.ontologies.benchmark()
BENCHMARK = """
truth = "truth.csv"
runs = ["runs/*.csv"]
ontology = "photo"
agreement = "agreement.csv"
names = "names.csv"
measures = ["OS", "F", "hF(weight='size')"]
baselines = ["prior"]
by = ["splits.csv"]
resamples = 30
long = "values.csv"
weights = { size = "weights.csv" }
"""
EVERYTHING = BENCHMARK.replace('by = ["splits.csv"]', 'by = ["splits.csv", "branch"]\nchance = true')


def laid_out(folder: Path) -> Path:
    """A benchmark of two runs."""
    (folder / "runs").mkdir(parents=True)
    for name in ("truth.csv", "agreement.csv", "runs/careful.csv", "runs/noisy.csv"):
        shutil.copy(SOURCE / name, folder / name)
    (folder / "benchmark.toml").write_text(BENCHMARK, encoding="utf-8")
    (folder / "names.csv").write_text("run,name,team\nruns/careful.csv,A,x\nnoisy,B,y\n", encoding="utf-8")
    hierarchy = oe.read_ontology(oe.ontologies.path("photo")).hierarchy()
    weights = "".join(f"{concept},{1 + place}\n" for place, concept in enumerate(hierarchy.vocabulary))
    (folder / "weights.csv").write_text(f"concept,weight\n{weights}", encoding="utf-8")
    samples = [line.split(",")[0] for line in (folder / "truth.csv").read_text("utf-8").splitlines()[1:]]
    splits = "".join(f"{sample},{'dev' if place % 3 else 'test'}\n" for place, sample in enumerate(samples))
    (folder / "splits.csv").write_text(f"sample,split\n{splits}", encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A benchmark in a folder with a hostile name."""
    return laid_out(tmp_path / "my [bench]*")


@pytest.fixture(scope="module")
def benchmark_that_was_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A benchmark with its results, which are the same wherever it lies: it is run once, and copied."""
    folder = laid_out(tmp_path_factory.mktemp("run") / "my [bench]*")
    oe.run_benchmark(folder)
    return folder


@pytest.fixture
def results(benchmark_that_was_run: Path, tmp_path: Path) -> Path:
    """The results in a copy of the benchmark that was run."""
    return shutil.copytree(benchmark_that_was_run, tmp_path / "my [bench]*") / "results"


@pytest.fixture(scope="module")
def everything_that_was_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A benchmark with everything, which takes seconds, and its results."""
    folder = laid_out(tmp_path_factory.mktemp("everything") / "my [bench]*")
    (folder / "benchmark.toml").write_text(EVERYTHING, encoding="utf-8")
    made = oe.run_benchmark(folder)
    assert made.folder == folder / "results"
    assert made.comparison.runs == ("A", "B", "prior")
    assert ("splits", "dev") in made.sliced
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def verdicts(shown: Result) -> dict[str, str]:
    return {row["name"]: row["finding"] for row in json.loads(shown.stdout)["rows"] if row["holds"] == "NO"}


@pytest.mark.no_cover
def test_a_benchmark_gives_the_same_bytes_wherever_it_lies(
    everything_that_was_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = files(everything_that_was_run / "results")
    elsewhere = shutil.copytree(everything_that_was_run, tmp_path / "elsewhere" / "deep")
    shutil.rmtree(elsewhere / "results")
    monkeypatch.chdir(elsewhere / "runs")
    shown = call("run", "../benchmark.toml", "--format", "csv")
    assert shown.exit_code == 0
    assert files(elsewhere / "results") == first
    assert shown.stdout == (elsewhere / "results" / "leaderboard-by.csv").read_text("utf-8")
    paths = (str(tmp_path).encode(), str(everything_that_was_run.parent).encode())
    assert not [name for name, content in first.items() if any(path in content for path in paths)]


def test_a_benchmark_that_is_run_again_gives_the_same_bytes_and_leaves_nothing_else(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, folder = files(results), results.parent
    monkeypatch.chdir(folder)
    shown = call("run")
    assert shown.exit_code == 0
    assert "`ontoeval verify results` repeats them" in shown.stdout
    assert files(results) == first
    assert {path.name for path in folder.iterdir() if path.name.startswith(".")} == set()


@pytest.mark.no_cover
def test_results_are_those_of_the_same_options_on_the_command_line(
    everything_that_was_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(everything_that_was_run, tmp_path / "copy"))
    options = "--ontology photo --agreement agreement.csv --names names.csv --baseline prior --chance -o out"
    more = "--by splits.csv --by branch --resamples 30 --weights size=weights.csv --long out/values.csv"
    measures = ("-m", "OS", "-m", "F", "-m", "hF(weight='size')")
    call("compare", "truth.csv", "runs/*.csv", *options.split(), *more.split(), *measures)
    expected = files(Path("results"))
    recipe = json.loads(expected.pop(RECIPE))
    assert files(Path("out")) == expected
    assert set(recipe["outputs"]) == set(expected)
    assert recipe["benchmark"] == EVERYTHING
    names = "truth.csv agreement.csv names.csv splits.csv weights.csv runs/careful.csv runs/noisy.csv"
    assert set(recipe["inputs"]) == {*names.split(), "photo (shipped)"}


def test_results_can_be_verified_in_python(results: Path, tmp_path: Path) -> None:
    folder, results = results.parent, shutil.copytree(results, tmp_path / "alone")
    said: list[tuple[str, int]] = []
    steps: list[None] = []

    @contextmanager
    def progress(description: str, total: int) -> Iterator[Callable[[], None]]:
        said.append((description, total))
        yield lambda: steps.append(None)

    found = oe.verify(results, source=folder, progress=progress)
    assert found.holds
    assert found.verdict == "Everything holds."
    assert [check.what for check in found.checks if check.name == "seed"] == ["recipe"]
    assert [description for description, _ in said] == [
        *("Reading", "Comparing", "Resampling", "Comparing parts")
    ]
    assert len(steps) == sum(total for _, total in said)
    (results / "pairs.csv").unlink()
    again = oe.verify(str(results), source=folder)
    assert not again.holds
    assert again.table().notes == (f"1 of {len(again.checks):,} do not hold.",)
    assert [check.name for check in again.checks if not check.holds] == ["pairs.csv"]


@pytest.mark.no_cover
def test_what_has_not_changed_holds(everything_that_was_run: Path) -> None:
    shown = call("verify", str(everything_that_was_run / "results"), "--format", "json")
    assert shown.exit_code == 0
    assert json.loads(shown.stdout)["verified"] is True


def test_what_has_not_changed_holds_in_words(results: Path) -> None:
    assert "Everything holds." in call("verify", str(results)).stdout


def test_changed_inputs_are_named_first_and_what_they_change(results: Path) -> None:
    run = results.parent / "runs" / "noisy.csv"
    run.write_text(re.sub(r"(?<=photo-000\d,).*", "", run.read_text("utf-8")), encoding="utf-8")
    shown = call("verify", str(results), "--format", "json")
    assert shown.exit_code == 1
    found = verdicts(shown)
    assert next(iter(found)) == "runs/noisy.csv"
    assert found["runs/noisy.csv"] == "has changed"
    assert re.match(r"[\d,]+ of [\d,]+ numbers differ", found["leaderboard.csv"])
    assert "splits.csv" not in found


def test_runs_that_come_and_go_are_named(results: Path) -> None:
    folder = results.parent
    (folder / "names.csv").write_text("run,name\ncareful,A\nthird,C\n", encoding="utf-8")
    (folder / "runs" / "noisy.csv").rename(folder / "runs" / "third.csv")
    found = verdicts(call("verify", str(results), "--format", "json"))
    assert found["runs/noisy.csv"] == "is no longer read"
    assert found["runs/third.csv"] == "is new"


def test_results_that_were_changed_by_hand_do_not_hold(results: Path) -> None:
    board = results / "leaderboard.csv"
    board.write_text(board.read_text("utf-8").replace("1,A", "1,B"), encoding="utf-8")
    (results / "pairs.csv").unlink()
    (results / "notes.txt").touch()
    found = verdicts(call("verify", str(results), "--format", "json"))
    assert found == {
        "leaderboard.csv": "was changed after it was written; other words, from line 2 on",
        "notes.txt": "is none of the results",
        "pairs.csv": "is missing",
    }


def test_a_benchmark_file_that_has_changed_is_told_and_the_recipe_counts(results: Path) -> None:
    (results.parent / "benchmark.toml").write_text(BENCHMARK + "seed = 1\n", encoding="utf-8")
    found = verdicts(call("verify", str(results), "--format", "json"))
    assert found == {"benchmark.toml": "has changed; what follows is by the recipe"}
    (results.parent / "benchmark.toml").unlink()
    assert not verdicts(call("verify", str(results), "--format", "json"))


def test_results_can_be_verified_elsewhere(results: Path, tmp_path: Path) -> None:
    folder, results = results.parent, shutil.copytree(results, tmp_path / "alone")
    found = verdicts(call("verify", str(results), "--format", "json"))
    assert next(iter(found.values())).startswith("nothing can be computed: ")
    shown = call("verify", str(results), "--from", str(folder), "--format", "json")
    assert not verdicts(shown)


def test_what_can_no_longer_be_computed_is_told(results: Path) -> None:
    (results.parent / "agreement.csv").write_text("concept,agreement\nsky,2\n", encoding="utf-8")
    shown = call("verify", str(results), "--format", "json")
    assert verdicts(shown)["everything"].startswith("cannot be computed: ")
    assert shown.exit_code == 1


def test_other_versions_are_told(results: Path) -> None:
    recipe = json.loads((results / RECIPE).read_text("utf-8"))
    recipe["versions"]["numpy"] = "1.0"
    (results / RECIPE).write_text(json.dumps(recipe), encoding="utf-8")
    shown = call("verify", str(results)).stdout
    assert "was 1.0 by the recipe: numbers may lie 1e-12 apart" in shown
    assert "Everything holds, but numbers to 1e-12 only: the recipe names other versions." in shown


def test_rounding_is_told(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rounded = Verdict(holds=True, finding="1 of 9 numbers differ, by at most 1.1e-16: rounding", exact=False)
    monkeypatch.setattr("ontoeval.benchmarks.results.compare_files", lambda *_: rounded)
    shown = call("verify", str(results))
    assert "Everything holds, but numbers to 1e-12 only: the last digits" in shown.stdout
    assert shown.exit_code == 0


def test_a_recipe_that_was_changed_by_hand_does_not_hold(results: Path) -> None:
    recipe = json.loads((results / RECIPE).read_text("utf-8"))
    recipe["seed"] = 99
    recipe["conventions"][1] = recipe["conventions"][1].replace("500", "501")
    (results / RECIPE).write_text(json.dumps(recipe), encoding="utf-8")
    shown = call("verify", str(results), "--format", "json")
    assert shown.exit_code == 1
    found = verdicts(shown)
    assert set(found) == {"seed", "conventions"}
    assert found["seed"] == "is 0"
    assert "501 is now 500" in found["conventions"]


def test_what_reads_and_writes_is_among_the_versions(folder: Path) -> None:
    pytest.importorskip("pyarrow")
    text = BENCHMARK.replace("values.csv", "values.parquet")
    (folder / "benchmark.toml").write_text(text, encoding="utf-8")
    results = oe.run_benchmark(folder).folder
    recipe = json.loads((results / RECIPE).read_text("utf-8"))
    assert {"rdflib", "pyarrow"} <= set(recipe["versions"])
    assert not {"matplotlib", "plotly"} & set(recipe["versions"])
    del recipe["versions"]["pyarrow"]
    recipe["versions"]["plotly"] = "1"
    (results / RECIPE).write_text(json.dumps(recipe), encoding="utf-8")
    rows = json.loads(call("verify", str(results), "--format", "json").stdout)["rows"]
    told = {row["name"].split()[0]: row["finding"][:15] for row in rows if row["what"] == "version"}
    assert told == {"pyarrow": "was not there b", "plotly": "was 1 by the re"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('long = "scores.csv"', r"benchmark.toml: long='scores.csv': expected another name: a table"),
        ('report = "Leaderboard.CSV"', "a table is written there"),
        ('figures = "scores.csv"', "a table is written there"),
        ('report = "recipe.json"', "a table is written there"),
        (
            'report = "figures"\nfigures = "figures"',
            "figures='figures': expected another name: what report names is written there",
        ),
    ],
)
def test_no_result_takes_the_name_of_another(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        benchmark_of(f"truth = 'no-such'\nruns = 'neither'\n{line}\n", tmp_path / "benchmark.toml")
    assert message in str(refused.value)


def test_measures_are_found_beside_the_benchmark_file(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "own_beside_the_file.py").write_text(
        "from dataclasses import dataclass\n"
        "from ontoeval.measures.flat import F\n"
        "@dataclass(frozen=True)\nclass Twice(F):\n    pass\n",
        encoding="utf-8",
    )
    (folder / "benchmark.toml").write_text(
        'truth = "truth.csv"\nruns = "runs"\nmeasures = "own_beside_the_file:Twice"\nresamples = 5\n', "utf-8"
    )
    monkeypatch.chdir(tmp_path)
    results = oe.run_benchmark(folder, trust=True).folder
    sys.modules.pop("own_beside_the_file")
    assert call("verify", str(results), "--trust").exit_code == 0
    assert str(folder) not in sys.path
    sys.modules.pop("own_beside_the_file")


def test_measures_of_ones_own_are_inputs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "own_measure_of_test.py").write_text(
        "from dataclasses import dataclass\n"
        "from ontoeval.measures.flat import F\n"
        "@dataclass(frozen=True)\nclass Twice(F):\n    pass\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(folder)
    Path("benchmark.toml").write_text(
        'truth = "truth.csv"\nruns = "runs"\nmeasures = "own_measure_of_test:Twice"\nresamples = 5\n', "utf-8"
    )
    results = oe.run_benchmark("benchmark.toml", trust=True).folder
    assert "module own_measure_of_test" in json.loads((results / RECIPE).read_text("utf-8"))["inputs"]
    sys.modules.pop("own_measure_of_test")


def test_a_public_recipe_withholds_the_digest_of_the_truth(folder: Path) -> None:
    text = BENCHMARK.replace('long = "values.csv"', "public = true")
    (folder / "benchmark.toml").write_text(text, encoding="utf-8")
    results = oe.run_benchmark(folder).folder
    assert json.loads((results / RECIPE).read_text("utf-8"))["inputs"]["truth.csv"] == "withheld"
    shown = call("verify", str(results), "--format", "json")
    assert shown.exit_code == 0
    (row,) = [row for row in json.loads(shown.stdout)["rows"] if row["name"] == "truth.csv"]
    assert (row["holds"], row["finding"]) == ("not checked", "withheld")
    assert (
        "Everything holds. Not checked, since no digest was made of it: 'truth.csv'."
        in call("verify", str(results)).stdout
    )


def test_results_behind_a_link_are_verified_there(folder: Path) -> None:
    (folder / "far" / "away").mkdir(parents=True)
    (folder / "out").symlink_to(folder / "far" / "away", target_is_directory=True)
    text = BENCHMARK.replace("resamples = 30", 'resamples = 5\nout = "out"')
    (folder / "benchmark.toml").write_text(text, encoding="utf-8")
    results = oe.run_benchmark(folder).folder
    assert results.is_symlink()
    assert oe.verify(results).holds
    assert oe.verify(folder / "far" / "away").holds


@pytest.mark.no_cover
def test_a_report_is_part_of_the_results(folder: Path) -> None:
    with (folder / "benchmark.toml").open("a", encoding="utf-8") as file:
        file.write('report = "report.html"\nimages = "https://example.org/{sample}.jpg"\n')
    results = oe.run_benchmark(folder).folder
    assert b"<html" in (results / "report.html").read_bytes()
    assert call("verify", str(results)).exit_code == 0


@pytest.mark.no_cover
def test_figures_are_part_of_the_results(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    text = 'truth = "truth.csv"\nruns = "runs"\nmeasures = "F"\nresamples = 5\nfigures = "figures"\n'
    (folder / "benchmark.toml").write_text(text, encoding="utf-8")
    for name in ("truth.csv", "runs/careful.csv", "runs/noisy.csv"):  # few labels are drawn in less time
        (folder / name).write_text("id,labels\np1,sky\np2,sky;trees\n", encoding="utf-8")
    for _ in range(2):  # what a benchmark has written is replaced
        results = oe.run_benchmark(folder).folder
    assert "figures/scores.pdf" in json.loads((results / RECIPE).read_text("utf-8"))["outputs"]
    (results / "figures" / "scores.svg").write_text("<svg/>", encoding="utf-8")
    (results / "figures" / "mine.svg").touch()
    found = verdicts(call("verify", str(results), "--format", "json"))
    assert set(found) == {"figures/mine.svg", "figures/scores.svg"}
    assert "drawn otherwise" in found["figures/scores.svg"]
    with pytest.raises(InputError, match=r"no benchmark has written: 'figures/mine\.svg'"):
        oe.run_benchmark(folder)


def test_other_folders_are_not_replaced(folder: Path) -> None:
    (folder / "benchmark.toml").write_text('truth = "truth.csv"\nruns = "runs"\nresamples = 5\n', "utf-8")
    results = folder / "results"
    results.mkdir()
    oe.run_benchmark(folder)  # into an empty one
    (results / "mine.txt").touch()
    with pytest.raises(InputError, match=r"holds what no benchmark has written: 'mine\.txt'"):
        oe.run_benchmark(folder)
    assert (results / "mine.txt").exists()
    shutil.rmtree(results)
    results.touch()
    with pytest.raises(InputError, match="this is a file"):
        oe.run_benchmark(folder)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("messures = ['F']", r"benchmark\.toml: unknown key 'messures' \(near: 'measures'\)"),
        ("[output]\nlong = 'x.csv'", "unknown key 'output'"),
        ("measures = 'Jacard'", r"benchmark\.toml: Unknown measure 'Jacard' \(near: 'Jaccard'"),
        ("measures = [1]", r"measures = 1\. Expected a text"),
        ("interval = 'bcaa'", r"interval = 'bcaa'\. Expected one of percentile, bca \(near: 'bca'\)"),
        ("resamples = 10.5", r"resamples = 10\.5\. Expected a whole number"),
        ("resamples = true", r"resamples = true\. Expected a whole number"),
        ("resamples = 0", r"benchmark\.toml: resamples=0"),
        ("level = '0.9'", r"level = '0\.9'\. Expected a number"),
        ("chance = 1", r"chance = 1\. Expected true or false"),
        ("names = ''", r"names = ''\. Expected a text"),
        ("agreement = ['a']", r"agreement = \['a'\]\. Expected a text"),
        ("weights = {size = 1}", r"weights = 1\. Expected a text"),
        ("long = '../values.csv'", r"long = '\.\./values\.csv'\. Expected the name of a file"),
        ("long = 'values.xlsx'", "Name a file .csv or .parquet"),
        ("seed = 1\n'seed' = 1", "this is no TOML"),
        ("agreement_default = 1\nagreement-default = 1", "the key 'agreement_default' is there twice"),
        ("truth", "this is no TOML"),
        ("by = ['branch']", r"by=\['branch'\]: expected an ontology beside it"),
        ("threshold = true", r"threshold = true\. Expected a number, or a file"),
    ],
)
def test_what_a_benchmark_file_cannot_say_is_refused_by_file_and_key(
    line: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        benchmark_of(f"truth = 'no-such'\nruns = 'neither'\n{line}\n", tmp_path / "benchmark.toml")


def test_what_must_be_there_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"benchmark\.toml: the key 'runs' is missing"):
        benchmark_of("truth = 'a'", tmp_path / "benchmark.toml")
    with pytest.raises(InputError, match=r"benchmark\.toml: there is no such file"):
        read_benchmark(tmp_path)
    (tmp_path / "benchmark.toml").write_bytes(b"truth = '\xff'")
    with pytest.raises(InputError, match="this is no text in UTF-8"):
        read_benchmark(tmp_path)


def test_paths_start_where_the_file_lies(tmp_path: Path) -> None:
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
    for name in ("here/a.csv", "here/own", "here/food.owl", "there/b.csv"):
        (tmp_path / name).touch()
    there = tmp_path / "there"
    tmp_path /= "here"
    text = f"""
        truth = "../truth.csv"
        runs = ["a.csv", "{there}/*.csv"]
        ontology = "own"
        imports = {{ "http://example.org/x=1" = "food.owl" }}
        threshold = "limits.csv"
        by = ["level", "split.csv"]
        images = "photos"
        report = "report.html"
        concepts = "concepts.txt"
        out = "out"
    """
    found = benchmark_of(text, tmp_path / "benchmark.toml")
    scoring = found.options.scoring
    assert scoring.truth == tmp_path / "../truth.csv"
    assert scoring.runs == (tmp_path / "a.csv", there / "*.csv")
    assert scoring.reading.ontology == str(tmp_path / "own")
    assert scoring.reading.imports == (f"http://example.org/x=1={tmp_path / 'food.owl'}",)
    assert scoring.reading.threshold == str(tmp_path / "limits.csv")
    assert found.options.by == ("level", str(tmp_path / "split.csv"))
    assert found.outputs.images == str(tmp_path / "photos")
    assert found.results == tmp_path / "out"
    told = "../truth.csv a.csv own food.owl concepts.txt limits.csv split.csv"
    assert set(found.options.files) == {*told.split(), str(there / "b.csv")}


def test_a_file_that_begins_with_a_byte_order_mark_is_read_and_verified(folder: Path) -> None:
    (folder / "benchmark.toml").write_text(BENCHMARK.replace("30", "5"), encoding="utf-8-sig")
    results = oe.run_benchmark(folder).folder
    assert oe.verify(results, source=folder / "benchmark.toml").holds


def test_numbers_may_be_thresholds(tmp_path: Path) -> None:
    found = benchmark_of("truth = 'a'\nruns = 'b'\nthreshold = 1", tmp_path / "benchmark.toml")
    assert found.options.scoring.reading.threshold == "1"


def test_init_fills_in_what_lies_there_and_overwrites_nothing(folder: Path) -> None:
    (folder / "benchmark.toml").unlink()
    (folder / "things.owl").touch()
    shown = call("init", str(folder)).stdout
    assert 'ontology = "things.owl"' in shown
    found = tomllib.loads((folder / "benchmark.toml").read_text("utf-8"))
    assert found == {
        "truth": "truth.csv",
        "runs": ["runs"],
        "agreement": "agreement.csv",
        "names": "names.csv",
        "ontology": "things.owl",
    }
    with pytest.raises(InputError, match=r"benchmark\.toml: this file is there already"):
        call("init", str(folder))


def test_init_says_what_lacks_before_the_benchmark_runs(tmp_path: Path) -> None:
    shown = " ".join(call("init", str(tmp_path)).stdout.split())
    assert "put truth and runs in their places, then `ontoeval run" in shown


def test_init_makes_a_folder_where_there_is_none(tmp_path: Path) -> None:
    call("init", str(tmp_path / "new"))
    assert set(tomllib.loads((tmp_path / "new" / "benchmark.toml").read_text("utf-8"))) == {"truth", "runs"}


def test_every_key_is_an_option_of_compare() -> None:
    words = set(re.findall(r"[\w-]+", call("compare", "--help").stdout))
    for key, option in keys().items():
        names = [option.metavar] if option.opt.positional else option.opt.flags or [flag(key)]
        assert names[0] in words


@pytest.mark.parametrize(
    ("message", "by_keys"),
    [
        (
            "a: pass --missing empty, or --agreement-default and --ontology FILE, but no --top",
            'a: pass missing = "empty", or agreement_default and ontology = "FILE", but no --top',
        ),
        (
            "name them (concepts=, --concepts FILE), or pass unknown='drop' (--unknown drop)",
            'name them (concepts = "FILE"), or pass unknown = "drop"',
        ),
    ],
)
def test_messages_name_keys_in_place_of_options(message: str, by_keys: str) -> None:
    assert _by_keys(message) == by_keys


def test_every_key_of_a_new_benchmark_file_can_be_used(tmp_path: Path) -> None:
    for package in ("pyarrow", "matplotlib"):
        pytest.importorskip(package)
    text = re.sub(r"^# (\w+ = .*|\[study\])$", r"\1", template({}), flags=re.MULTILINE)
    text = text.replace("no_changes = false", "")  # no changes of which kinds, rates and samples are named
    assert set(tomllib.loads(text)) == {*keys(), "study"}
    found = benchmark_of(text, tmp_path / "benchmark.toml")
    assert found.results == tmp_path / "results"
    assert found.options.plan == oe.Plan()


def test_a_public_recipe_makes_no_digest_of_information_from_the_truth(folder: Path) -> None:
    text = BENCHMARK.replace('long = "values.csv"', 'public = true\ninformation_from = "truth.csv"')
    (folder / "benchmark.toml").write_text(text.replace('"F", ', '"F", "ICM", '), encoding="utf-8")
    results = oe.run_benchmark(folder).folder
    for path in results.iterdir():
        assert not re.search(r"truth\.csv, \d+ samples \(sha256", path.read_text("utf-8"))
    recipe = json.loads((results / RECIPE).read_text("utf-8"))
    assert recipe["inputs"]["truth.csv"] == "withheld"
    assert any(
        re.search(r"truth\.csv, \d+ samples \(digest withheld\)", one) for one in recipe["conventions"]
    )
    assert "come from the truth that is scored" in (results / "recipe.txt").read_text("utf-8")
    assert call("verify", str(results)).exit_code == 0


def test_messages_of_a_benchmark_file_name_its_keys(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    start = 'truth = "truth.csv"\nruns = "runs"\nresamples = 5\n'
    (folder / "runs" / "third.csv").write_text("id,labels\n1,sky\n", encoding="utf-8")
    for line, message in (
        (
            'agreement = "agreement.csv"',
            r"benchmark\.toml: agreement='.*agreement\.csv': expected an ontology",
        ),
        (
            'information_from = "truth.csv"',
            r"benchmark\.toml: information_from='.*': expected an ontology beside",
        ),
        ("agreement_default = 1", r"agreement_default=1\.0: expected an agreement file beside it"),
        ('language = "de"', r"benchmark\.toml: language='de': expected an ontology beside it"),
        ('baselines = "some"', r"benchmark\.toml: baselines='some'"),
        ("", r'third\.csv: truth and prediction differ .* or pass missing = "empty" to count it as empty'),
        (
            'ontology = "photo"\nagreement = "few.csv"',
            r"few\.csv: .* or a default \(agreement_default\)",
        ),
        (
            'ontology = "photo"\nagreement = "few.csv"\nagreement_default = 2',
            r"benchmark\.toml: agreement_default=2\.0: expected a number in \[0, 1\]",
        ),
    ):
        (folder / "few.csv").write_text("concept,agreement\nsky,1\n", encoding="utf-8")
        (folder / "benchmark.toml").write_text(f"{start}{line}\n", encoding="utf-8")
        with pytest.raises(oe.OntoevalError, match=message):
            oe.run_benchmark(folder)
    assert not (folder / "results").exists()


def test_verify_names_keys_as_well(results: Path) -> None:
    (results.parent / "runs" / "noisy.csv").write_text("id,labels\n1,sky\n", encoding="utf-8")
    found = verdicts(call("verify", str(results), "--format", "json"))
    assert 'pass missing = "empty" to count' in found["everything"]


def test_a_new_benchmark_file_without_an_ontology_can_be_run(folder: Path) -> None:
    (folder / "benchmark.toml").unlink()
    (folder / "names.csv").unlink()
    shown = call("init", str(folder)).stdout
    assert 'agreement = "agreement.csv" is left out: it needs an ontology' in shown
    text = (folder / "benchmark.toml").read_text("utf-8")
    assert set(tomllib.loads(text)) == {"truth", "runs"}
    assert '\n# agreement = "agreement.csv"\n' in text
    assert call("run", str(folder)).exit_code == 0


def test_the_help_of_missing_says_what_becomes_of_either_side() -> None:
    shown = " ".join(call("score", "--help").stdout.replace("│", " ").split())
    assert (
        "those that a run lacks count as unlabelled there, and those that the truth lacks are left out"
        in shown
    )


def test_the_name_of_a_folder_does_not_steer_the_terminal(folder: Path) -> None:
    text = 'truth = "truth.csv"\nruns = "runs"\nresamples = 5\nout = "\\u001b[31mred"\n'
    (folder / "benchmark.toml").write_text(text, encoding="utf-8")
    shown = call("run", str(folder)).stdout
    assert r"\x1b[31mred" in shown
    assert "\x1b[31mred" not in shown
