"""Files that are scored in parts: the same results, remarks and refusals as of whole files."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import app
from ontoeval.errors import InputError, UnknownConceptError
from tests.commands import call, refusal

pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")

LINKS = "child,parent\nsky,scene\nsea,scene\nwaves,sea\n"
TRUTH = "id,labels\n" + "".join(f"p{n},{'sky;sea' if n % 3 else 'waves'}\n" for n in range(12))
RUN = "id,labels\n" + "".join(f"p{n},{'sky' if n % 2 else 'sea;waves'}\n" for n in reversed(range(12)))
LONG = "sample,concept\n" + "".join(f"p{n % 12},{'sky' if n < 12 else 'sea'}\n" for n in range(24))


def outcome(*arguments: object) -> tuple[int, Any]:
    """Exit code, and all that is printed but the line on parts; or the refusal."""
    done = CliRunner().invoke(app, [*map(str, arguments), "--format", "json", "--verbose"])
    if done.exit_code:
        return done.exit_code, str(done.exception)
    read = json.loads(done.stdout)
    return 0, {key: [one for one in lines if "cut by sample" not in one] for key, lines in read.items()}


CASES: dict[str, tuple[str | bytes, str | bytes, tuple[str, ...]]] = {
    "UTF-16": (TRUTH.encode("utf-16"), RUN, ()),
    "a byte order mark and carriage returns": ("\ufeff" + TRUTH.replace("\n", "\r\n"), RUN, ()),
    "semicolons, and labels with bars": (TRUTH.replace(";", "|").replace(",", ";"), RUN, ()),
    "the sample is not the first column": ("".join(f"{b},{a}\n" for a, b in map(str.split, LONG.replace(",", " ").splitlines())), RUN, ()),
    "rows of a sample far from each other": (LONG, RUN, ()),
    "the same row twice": (LONG + "p3,sky\n", RUN, ()),
    "a name with a comma and a newline": ('id,labels\n"a,\n b",sky\nc,sea\n', 'id,labels\nc,\n"a,\n b",sky\n', ()),
    "remarks, and a gene's columns": ("#made by hand\n#id\tlabels\np1\tsky\np2\tsea\n", "id,labels\np2,\np1,sky\n", ()),
    "columns by number": (LONG.split("\n", 1)[1], LONG.split("\n", 1)[1], ("--no-header", "--sample-column", "1", "--concept-column", "2")),
    "an unknown label": (TRUTH, RUN.replace("p2,sea", "p2,unicorn").replace("p7,", "p7,unicorn;faun;"), ()),
    "an unknown label, left out": (TRUTH, RUN.replace("p2,sea", "p2,unicorn"), ("--unknown", "drop")),
    "no label is known": (TRUTH, "id,labels\n" + "".join(f"p{n},x{n}\n" for n in range(12)), ()),
    "NA": (TRUTH, RUN.replace("p2,sea;waves", "p2,NA"), ()),
    "NA, no label": (TRUTH, RUN.replace("p2,sea;waves", "p2,NA"), ("--na", "empty")),
    "a sample twice": (TRUTH, RUN + "p7,sea\n", ()),
    "a sample without a name": (TRUTH, RUN + ",sea\n", ()),
    "a ragged row": (TRUTH, RUN + "p12,sea,sky\n", ()),
    "a quote that is not closed": (TRUTH, RUN + 'p12,"sea\n', ()),
    "the header again": (TRUTH, RUN + "id,labels\n", ()),
    "no row": (TRUTH, "id,labels\n", ()),
    "an empty file": (TRUTH, "", ()),
    "samples that a run lacks": (TRUTH + "q1,sky\nq2,sky\n", RUN + "z,sky\n", ()),
    "samples that count as empty": (TRUTH + "q1,sky\nq2,sky\n", RUN + "z,sky\n", ("--missing", "empty")),
    "samples that only look different": (TRUTH + "caf\u00e9,sky\n", RUN + "cafe\u0301,sky\n", ()),
    "ancestors": (TRUTH, RUN, ("--close",)),
    "scores": (TRUTH, "sample,concept,score\n" + "".join(f"p{n},sky,0.{n % 10}\n" for n in range(12)), ("--threshold", "0.5")),
    "scores without a threshold": (TRUTH, "sample,concept,score\np1,sky,0.5\n", ()),
    "two scores of one pair": (TRUTH, "sample,concept,score\np1,sky,0.5\np2,sky,.5\np1,sky,0.6\n", ("--threshold", "0.5")),
    "a score that is no number": (TRUTH, "sample,concept,score\np1,sky,0.5\np2,sky,high\n", ("--threshold", "0.5")),
    "a run without the column of a concept": (TRUTH, "id,sky,sea\n" + "".join(f"p{n},1,0\n" for n in range(12)), ()),
    "a run with a column of its own": ("id,sky,sea\n" + "".join(f"p{n},1,0\n" for n in range(12)), "id,sky,sae\n" + "".join(f"p{n},1,{n % 2}\n" for n in range(12)), ()),
    "all samples alike": (TRUTH, "id,labels\n" + "".join(f"p{n},sky\n" for n in range(12)), ()),
    "lists of Python and one cell of JSON": ('id,labels\na,"[\'sky\', \'sea\']"\nb,"[""sky""]"\n', "id,labels\nb,sky\na,sea\n", ()),
    "some cells of JSON": ('id,labels\na,"[""sky"", ""sea""]"\nb,sky\n', "id,labels\nb,sky;sea\na,sea\n", ()),
    "blanks between labels": ("id,labels\na,sky sea\nb,sea\n", "id,labels\nb,sky\na,sea\n", ()),
    "a label negated": ("sample,concept,negation\na,sky,NOT\nb,sea,\na,sea,\n", "id,labels\nb,sky\na,sea\n", ("--negation-column", "negation")),
    "vectors": ("id,labels\n" + "".join(f"p{n},0 1 1 0\n" for n in range(12)), "id,labels\n" + "".join(f"p{n},1 0 0 0\n" for n in range(12)), ()),
    "-1 fills up lists of class numbers": (TRUTH, "id,labels\n" + "".join(f"p{n},{n};{-1 if n else 7}\n" for n in range(12)), ()),
    "ranks": (TRUTH, "id,labels\n" + "".join(f"p{n},1. {'sky;2. sea' if n % 2 else 'sea;2. waves;3. sky'}\n" for n in range(12)), ()),
    "labels beside scores": (TRUTH, "sample,concept,score\n" + "".join(f"p{n},sky,0.{n % 10}\n" for n in range(12)), ("truth", "--threshold", "0.5")),
    "labels, where scores are": (TRUTH, RUN, ("--threshold", "0.5")),
}  # fmt: skip


@pytest.mark.parametrize(
    "known",
    [("--ontology", "links.csv"), ("--concepts", "names.txt"), ()],
    ids=["ontology", "concepts", "none"],
)
@pytest.mark.parametrize("case", CASES)
def test_parts_give_what_whole_files_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str, known: tuple[str, ...]
) -> None:
    truth, run, options = CASES[case]
    monkeypatch.chdir(tmp_path)
    files = {"truth": truth, "run": run, "links.csv": LINKS, "names.txt": "scene\nsky\nsea\nwaves\n"}
    for name, content in files.items():
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    Path("scratch").mkdir()
    given = ("score", "truth", "run", *known, *options)
    assert outcome(*given, "--parts", 4, "--scratch", "scratch") == outcome(*given)
    assert not [*Path("scratch").iterdir()]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Truth, two runs and an ontology, in the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("truth.csv").write_text(TRUTH)
    Path("runs").mkdir()
    Path("runs/one.csv").write_text(RUN)
    Path("runs/two.csv").write_text(TRUTH.replace("p4,sky;sea", "p4,scene"))
    Path("links.csv").write_text(LINKS)
    return "truth.csv", "runs", "--ontology", "links.csv"


def test_a_wrong_row_is_named_by_its_number_in_the_file(files: tuple[str, ...]) -> None:
    rows = "".join(f"p{n},1,{2 * (n == 9)}\n" for n in range(12))
    Path("runs/one.csv").write_text(f"id,sky,sea\n{rows}")
    _, message = outcome("score", *files, "--parts", 5)
    assert "one.csv, row 11: column 'sea' holds 2" in message


def test_workers_change_no_bit_and_parts_no_score(files: tuple[str, ...]) -> None:
    given = ("compare", *files, "-m", "F", "-m", "OS", "--resamples", "60", "--format", "json", "--verbose")
    whole, *cut = (
        json.loads(call(*given, *more).stdout)
        for more in ((), ("--parts", 3), ("--parts", 3, "--workers", 2))
    )
    assert cut[0] == cut[1]
    for rows in (whole["rows"], cut[0]["rows"]):
        kept = [row for row in rows if row["run"] in {"one", "two", "prior"}]
        rows[:] = [(row["run"], row["F"]["value"], row["OS"]["value"]) for row in kept]
    assert whole["rows"] == cut[0]["rows"]
    lines = " ".join(map(str, cut[0].values()))
    for line in (
        "read in 3 parts, cut by sample",
        "Poisson",
        "Paired bootstrap test of the whole measure, 60 times, two-sided; step-down max-T",
        "not shown: permuted",
    ):
        assert line in lines


def test_intervals_hardly_depend_on_the_number_of_parts(files: tuple[str, ...]) -> None:
    given = ("compare", *files, "-m", "F", "--resamples", "60", "--format", "json")
    found = [json.loads(call(*given, "--parts", parts).stdout)["rows"] for parts in (1, 7)]
    for rows in zip(*found, strict=True):
        for one, other in zip(*(row.values() for row in rows), strict=True):
            assert one == (other if isinstance(other, str | None) else pytest.approx(other, abs=1e-12))


def test_options_that_need_all_samples_are_refused(
    files: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = {
        "score": ("--per-sample", "--per-concept", "--sample-weights", "--groups", "--known"),
        "compare": ("--by", "--long", "--report"),
    }
    for command, options in cases.items():
        for option in options:
            message = refusal((command, *files, "--parts", "auto", option, "truth.csv"), capsys, monkeypatch)
            assert f"no {option} beside it, which needs all samples at once" in message
    for given, said in (
        (("score", *files, "--parts", 2, "--negative", 0), "no --negative beside it"),
        (("compare", *files, "--parts", 2, "--chance"), "no --chance beside it"),
        (("compare", *files, "--parts", 2, "--baseline", "permuted"), "others need all samples at once"),
        (("compare", *files, "--parts", 2, "--resamples", 10**9), "at most"),
        (("score", *files, "--parts", 2, "-m", "LRAP"), "LRAP: needs whole files of scores"),
        (("score", *files, "--parts", 0), "'auto', or a number from 1 to 200"),
        (("score", *files, "--parts", "two"), "'auto', or a number from 1 to 200"),
        (("score", *files, "--scratch", "."), "--parts beside it"),
        (("score", *files, "--parts", 2, "--scratch", "away"), "away: no folder can be made here"),
        (("score", *files, "--parts", 2, "--scheduler", "host"), "has no port"),
    ):  # fmt: skip
        assert said in refusal(given, capsys, monkeypatch)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ('{"id": "p1", "labels": ["sky"]}\n{"id": "p2", "labels": []}\n', "JSON Lines"),
        ("p1 1 0 1\np2 0 0 1\n", "ImageCLEF"),
        ("p1\tHP:0000118\t0.5\np2\tHP:0000118\t0.4\n", "CAFA"),
    ],
)
def test_other_formats_are_refused_by_name(files: tuple[str, ...], content: str, kind: str) -> None:
    Path("runs/one.csv").write_text(content)
    _, message = outcome("score", *files, "--parts", 2)
    assert re.search(f"one.csv: this is {kind}.*which is not cut into parts. Write it as Parquet", message)


def test_folders_of_parquet_files_are_label_files(files: tuple[str, ...]) -> None:
    sets = oe.read_labels("truth.csv", "links.csv")
    Path("truth.parquet").mkdir()
    for number, begin in enumerate((0, 5, 12)):  # Spark writes files without rows
        names = sets.samples[begin : (5, 12, 12)[number]]
        labels = pa.array([sets.labels_of(name) for name in names], pa.list_(pa.string()))
        rows = pa.table({"id": pa.array(names, pa.string()), "labels": labels})
        parquet.write_table(rows, f"truth.parquet/part.{number}.parquet")
    _, whole = outcome("score", *files)
    _, found = outcome("score", "truth.parquet", *files[1:], "--parts", 2)
    assert found["rows"] == whole["rows"]
    parquet.write_table(pa.table({"id": ["q"], "labels": ["sky"]}), "truth.parquet/part.9.parquet")
    _, message = outcome("score", "truth.parquet", *files[1:], "--parts", 2)
    assert "part.9.parquet: the columns differ" in message


N = [*range(9)]
TEXTS = [str(n) for n in N]
TABLES: dict[str, tuple[Any, tuple[str, ...]]] = {
    "whole numbers as samples": ({"id": N, "labels": ["sky"] * 9}, ()),
    "floats as samples": ({"id": [float(n) for n in N], "labels": ["sky"] * 9}, ("--missing", "empty")),
    "a null sample": ({"id": [None, *TEXTS[1:]], "labels": ["sky"] * 9}, ()),
    "numbered samples": ({"id": pa.array(TEXTS).dictionary_encode(), "labels": ["sky"] * 9}, ()),
    "a sample twice": ({"id": [*N, 3], "labels": ["sky"] * 10}, ()),
    "lists of two": ({"id": N, "labels": pa.array([["sky", "sea"]] * 9, pa.list_(pa.string(), 2))}, ()),
    "nulls in lists": ({"id": N, "labels": [["sky", None], None, []] * 3}, ()),
    "long, with nulls": ({"sample": [*N, 3], "concept": ["sky", None] * 5}, ()),
    "columns with nulls": (
        {"id": N, "sky": [0.9, None, 0] * 3, "sea": [1, 0.5, None] * 3},
        ("--threshold", "0.3"),
    ),
    "scores": ({"sample": N, "concept": ["sky"] * 9, "score": [n / 9 for n in N]}, ("--threshold", "0.3")),
    "logits": ({"id": N, "sky": [3.0 * n for n in N], "sea": [n - 4.0 for n in N]}, ("--threshold", "0.3")),
    "no logits": ({"id": N, "sky": [n / 9 for n in N], "sea": [n - 4.0 for n in N]}, ("--threshold", "0.3")),
}


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("case", TABLES)
def test_parts_of_parquet_give_what_whole_files_give(case: str) -> None:
    table, options = TABLES[case]
    Path("truth.csv").write_text("id,labels\n" + "".join(f" {n} ,sky\n" for n in N))
    parquet.write_table(pa.table(table), "run.parquet", row_group_size=4)
    given = ("score", "truth.csv", "run.parquet", *options)
    whole = outcome(*given)
    assert outcome(*given, "--parts", 5) == whole
    assert ("as logits are: 0.3 is no probability" in str(whole)) == (case == "logits")


def test_parts_need_pyarrow(files: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "Scoring in parts (--parts) needs pyarrow" in outcome("score", *files, "--parts", 2)[1]


@pytest.mark.usefixtures("files")
def test_a_benchmark_is_run_in_parts_and_verified() -> None:
    text = 'truth = "truth.csv"\nruns = "runs"\nontology = "links.csv"\nmeasures = "F"\nresamples = 40\n'
    Path("benchmark.toml").write_text(text)
    assert call("run", "--parts", 3).exit_code == 0
    assert json.loads(Path("results/recipe.json").read_text())["parts"] == "3"
    assert "Everything holds." in call("verify", "results").output
    for more, said in (('by = "branch"\n', "no by beside it"), ("[study]\n", "--part comparison beside it")):
        Path("benchmark.toml").write_text(text + more)
        assert said in outcome("run", "--parts", 3)[1]
    assert call("run", "--parts", "auto", "--part", "comparison").exit_code == 0


def test_a_secret_truth_stays_secret(files: tuple[str, ...]) -> None:
    given = ("score", *files, "--public", "--parts", 2)
    Path("truth.csv").write_text(TRUTH + "secret,sky\n")
    assert outcome(*given) == outcome(*given[:-2])
    Path("truth.csv").write_text(TRUTH.replace("p4,sky", "p4,secret"))
    _, message = outcome(*given)
    assert "secret" not in message
    assert "The reason is withheld" in message


ENDING = """
import os, sys, time
from dataclasses import dataclass
from ontoeval.measures.flat import F

@dataclass(frozen=True)
class Work:
    how: str
    def __call__(self, batch):
        if len(batch) and self.how == "exit":
            os._exit(9)
        if len(batch):
            time.sleep(600)
        return F().statistic(batch)

@dataclass(frozen=True)
class Ending(F):
    how: str = "exit"
    @property
    def statistic(self):
        return Work(self.how)
"""


def started(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    Path("ending.py").write_text(ENDING)
    Path("scratch").mkdir(exist_ok=True)
    environment = os.environ | {"PYTHONPATH": f"{Path(__file__).parents[2]}{os.pathsep}{Path.cwd()}"}
    command = [sys.executable, "-m", "ontoeval", *map(str, arguments), "--parts", "3", "--scratch", "scratch"]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True, **options)


@pytest.mark.no_cover
def test_a_lost_worker_is_an_error_that_leaves_nothing(files: tuple[str, ...]) -> None:
    with started("score", *files, "-m", "ending:Ending", "--workers", 2) as program:
        assert program.stderr is not None
        message = " ".join(program.stderr.read().split())
    assert "a worker process ended unexpectedly" in message
    assert "more and smaller parts (--parts)" in message
    assert not [*Path("scratch").iterdir()]


@pytest.mark.no_cover
@pytest.mark.skipif(os.name != "posix", reason="other systems have no such limit")
def test_a_full_disk_is_an_error_that_leaves_nothing(files: tuple[str, ...]) -> None:
    from resource import RLIMIT_FSIZE, setrlimit

    rows = "".join(f"sample{n * 7919 % 100_003},sky\n" for n in range(20_000))
    for path in ("truth.csv", "runs/one.csv", "runs/two.csv"):
        Path(path).write_text(f"id,labels\n{rows}")
    with started("score", *files, preexec_fn=lambda: setrlimit(RLIMIT_FSIZE, (2**14, 2**14))) as program:
        assert program.stderr is not None
        message = " ".join(program.stderr.read().split())
    assert re.search(r"scratch: the disk is full: parts of the files need about [\d.]+ [KM]iB here", message)
    assert not [*Path("scratch").iterdir()]


@pytest.mark.no_cover
@pytest.mark.skipif(os.name != "posix", reason="other systems have other signals")
@pytest.mark.parametrize("ended", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_only_a_killed_program_leaves_parts_which_the_next_one_names(
    files: tuple[str, ...], ended: str
) -> None:
    with started("score", *files, "-m", "ending:Ending(how='sleep')", start_new_session=True) as program:
        for _ in range(600):
            time.sleep(0.1)
            if [*Path("scratch").glob("*/*/*")]:
                break
        time.sleep(0.5)
        program.send_signal(getattr(signal, ended))
    left = [*Path("scratch").iterdir()]
    assert bool(left) == (ended == "SIGKILL")
    done = call("score", *files, "--parts", 2, "--scratch", "scratch")
    for folder in left:
        assert f"{folder}: parts that a killed program has left" in " ".join(done.stderr.split())


def test_a_cluster_scores_parts_with_the_same_bits(files: tuple[str, ...]) -> None:
    distributed = pytest.importorskip("distributed")
    given = ("compare", *files, "-m", "F", "-m", "OS", "--resamples", 40, "--parts", 3)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        found = outcome(*given, "--scheduler", cluster.scheduler_address)
    assert found == outcome(*given)
    assert found[0] == 0


def written(folder: Path, rows: list[list[str]]) -> Path:
    folder.mkdir()
    for number, some in enumerate(rows):
        (folder / f"part-{number}.csv").write_text("id,labels\n" + "".join(f"{row}\n" for row in some))
    return folder


def test_parts_that_another_engine_has_cut_are_scored(tmp_path: Path) -> None:
    cut = [[f"p{n},{'sky;sea' if n % 3 else 'sky'}" for n in range(part, 12, 3)] for part in range(3)]
    other = [[row.replace("p4,sky;sea", "p4,sea") for row in reversed(part)] for part in cut]
    truth, run = written(tmp_path / "truth", cut), written(tmp_path / "run", other)
    whole = [
        written(tmp_path / name, [[*chain(*rows)]]) / "part-0.csv"
        for name, rows in (("a", cut), ("b", other))
    ]
    measures = ["F", "F(average='macro')"]
    expected = oe.evaluate(*map(oe.read_labels, whole), measures=measures)
    drawn = oe.core.Bootstrap(resamples=50, weights="poisson")
    for workers in (1, 2):
        found = oe.score_parts(truth, {"run": run}, measures=measures, bootstrap=drawn, workers=workers)
        assert found["run"].scores == expected.scores
        assert "read in 3 parts" in found["run"].signature
        assert found["run"].interval("F")[0] < expected["F"] <= 1
    files = sorted(run.iterdir())
    assert oe.score_parts(truth, {"run": files}, measures="F")["run"].scores == {"F": expected["F"]}


def test_parts_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    known = oe.labels.LabelReading(oe.labels.NameOptions(concepts=["scene"]))
    truth = written(tmp_path / "truth", [["p1,sky", "p2,sky"], ["p3,sky"]])
    moved = written(tmp_path / "moved", [["p1,sky"], ["p3,sky", "p2,sky"]])
    single = written(tmp_path / "single", [["p1,sky", "p2,sky", "p3,sky"]])
    twice = written(tmp_path / "twice", [["p1,sky", "p2,sky"], ["p3,sky", "p1,sea"]])
    with pytest.raises(
        InputError, match=r"truth.part-0.csv and .*moved.part-0.csv: .*1 only in the truth \('p2'\)"
    ):
        oe.score_parts(truth, {"run": moved})
    with pytest.raises(InputError, match=r"single: 1 file of the run 'run', but 2 of the truth"):
        oe.score_parts(truth, {"run": single})
    with pytest.raises(
        InputError, match=r"twice.part-0.csv and .*part-1.csv: sample 'p1' is in both parts; 1 sample"
    ):
        oe.score_parts(twice, {"run": twice})
    with pytest.raises(
        UnknownConceptError, match=r"'sky' in row 2 of part-0.csv.*'sea' in row 3 of part-1.csv"
    ):
        oe.score_parts(twice, {"run": twice}, reading=known)
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="0 files of the truth"):
        oe.score_parts(tmp_path / "none", {"run": truth})
    (tmp_path / "none" / "part-0.jsonl").write_text('{"id": "a", "labels": ["sky"]}\n')
    (tmp_path / "none" / "part-1.jsonl").write_text('{"id": "b", "labels": "sky;sea"}\n')
    with pytest.raises(InputError, match="1 label with ';': 'sky;sea'"):
        oe.score_parts(tmp_path / "none", {"run": tmp_path / "none"})
