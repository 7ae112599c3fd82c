"""Files that are read in chunks give what they give when they are read whole."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.labels import sources

LABELS = [f"c{number}" for number in range(12)]
HIERARCHY = oe.Hierarchy.from_edges([(f"c{(number - 1) // 3}", f"c{number}") for number in range(1, 12)])
MEASURES = ("OS", "F", "F(average='macro')", "hF", "tKappa")
COUNT = 120


def labels_of(seed: int, count: int = COUNT) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    return {
        f"p{sample}": [LABELS[at] for at in np.flatnonzero(rng.random(12) < 0.2)] for sample in range(count)
    }


def wide(sets):
    return "id,labels\n" + "".join(f"{sample},{';'.join(labels)}\n" for sample, labels in sets.items())


def quoted(sets):
    rows = (f'"{sample}","{f";{chr(10)}".join(labels)}"\n' for sample, labels in sets.items())
    return "id,labels\n" + "".join(rows)


def long(sets):
    rows = (f"{sample},{label}\n" for sample, labels in sets.items() for label in labels or [""])
    return "sample,concept\n" + "".join(rows)


def columns(sets):
    rows = (
        f"{sample},{','.join(str(int(name in labels)) for name in LABELS)}\n"
        for sample, labels in sets.items()
    )
    return f"id,{','.join(LABELS)}\n" + "".join(rows)


def lines(sets):
    return "".join(json.dumps({"id": sample, "labels": labels}) + "\n" for sample, labels in sets.items())


TEXTS = {"wide": wide, "quoted": quoted, "long": long, "columns": columns, "jsonl": lines}


def written(path, sets, form="wide"):
    path.write_text(TEXTS[form](sets), encoding="utf-8")
    return path


def parquet(path, sets, form="lists", rows=20):
    arrow, writer = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    if form == "lists":
        table = {"id": list(sets), "labels": arrow.array(list(sets.values()), arrow.list_(arrow.string()))}
    else:
        pairs = [(sample, label) for sample, labels in sets.items() for label in labels or [None]]
        names, found = zip(*pairs, strict=True)
        table = {"sample": list(names), "concept": arrow.array(found, arrow.string())}
    writer.write_table(arrow.table(table), path, row_group_size=rows)
    return path


def scanned(*paths, chunk=50, **options):
    return [oe.scan_labels(path, concepts=LABELS, chunk=chunk, **options) for path in paths]


def score(*paths, chunk=50, workers=1, **options):
    truth, run = scanned(*paths, chunk=chunk)
    return oe.evaluate(truth, run, hierarchy=HIERARCHY, measures=MEASURES, workers=workers, **options)


@pytest.fixture(scope="module")
def whole():
    truth, run = (oe.LabelSets.from_sets(labels_of(seed), vocabulary=LABELS) for seed in (1, 2))
    return oe.evaluate(truth, run, hierarchy=HIERARCHY, measures=MEASURES)


@pytest.mark.parametrize("form", TEXTS)
@pytest.mark.parametrize("chunk", [9, COUNT, 1_000])
def test_text_gives_the_bits_of_the_whole_file(tmp_path: Path, whole, form, chunk):
    paths = [written(tmp_path / f"{seed}.txt", labels_of(seed), form) for seed in (1, 2)]
    found = score(*paths, chunk=chunk)
    assert found.scores == whole.scores
    assert found.signature == whole.signature


@pytest.mark.parametrize("form", ["lists", "long"])
@pytest.mark.parametrize("rows", [3, 40, 10_000])
@pytest.mark.parametrize("chunk", [11, COUNT])
def test_parquet_of_any_row_groups_gives_the_bits_of_the_whole_file(tmp_path: Path, whole, form, rows, chunk):
    paths = [parquet(tmp_path / f"{seed}.parquet", labels_of(seed), form, rows) for seed in (1, 2)]
    assert score(*paths, chunk=chunk).scores == whole.scores


def test_worker_processes_change_no_bit(tmp_path: Path):
    truth, first = (written(tmp_path / f"{seed}.csv", labels_of(seed)) for seed in (1, 2))
    second = parquet(tmp_path / "3.parquet", labels_of(3), "long")
    runs = dict(zip(("first", "second"), (first, second), strict=True))
    results = []
    with ThreadPoolExecutor(2) as threads:
        for workers in (1, 2, threads):
            scans = dict(zip(runs, scanned(*runs.values(), chunk=40), strict=True))
            results.append(
                oe.compare(
                    scanned(truth, chunk=40)[0],
                    scans,
                    measures=MEASURES,
                    hierarchy=HIERARCHY,
                    resamples=60,
                    workers=workers,
                )
            )
    one, *others = results
    for other in others:
        for name in ("scores", "replicates", "low", "high", "adjusted"):
            np.testing.assert_array_equal(getattr(other, name), getattr(one, name))
        assert other.signature == one.signature


def test_comparison_of_scans_is_that_in_memory_but_for_the_resamples(tmp_path: Path):
    paths = [written(tmp_path / f"{seed}.csv", labels_of(seed)) for seed in (1, 2, 3)]
    truth, *runs = scanned(*paths)
    found = oe.compare(truth, dict(zip("ab", runs, strict=True)), measures=MEASURES, hierarchy=HIERARCHY)
    truth, *runs = (oe.read_labels(path, concepts=LABELS) for path in paths)
    how: dict[str, Any] = {
        "measures": MEASURES,
        "hierarchy": HIERARCHY,
        "test": "bootstrap",
        "baselines": ["prior"],
    }
    whole = oe.compare(truth, dict(zip("ab", runs, strict=True)), **how)
    assert found.runs == whole.runs == ("a", "b", "prior")
    np.testing.assert_array_equal(found.scores, whole.scores)
    width = whole.high - whole.low
    assert (np.abs(found.low - whole.low) <= 0.2 * width + 1e-12).all()
    assert (np.abs(found.high - whole.high) <= 0.2 * width + 1e-12).all()
    assert np.nanmax(np.abs(found.p_values - whole.p_values)) < 0.1
    assert "a Poisson number for each sample" in found.signature


def test_samples_in_another_order_wait_for_each_other(tmp_path: Path, whole):
    rng, run = np.random.default_rng(0), labels_of(2)
    near = sorted(run, key=lambda sample: int(sample[1:]) + rng.integers(0, 40))
    path = written(tmp_path / "run.csv", {sample: run[sample] for sample in near})
    truth = written(tmp_path / "truth.csv", labels_of(1))
    for chunk in (10, 50):
        assert score(truth, path, chunk=chunk).scores == whole.scores
    far = rng.permutation(list(run)).tolist()
    path = written(tmp_path / "far.csv", {sample: run[sample] for sample in far})
    assert score(truth, path, chunk=50).scores == whole.scores
    with pytest.raises(oe.OntoevalError, match=r"different orders, .*Sort all files by sample"):
        score(truth, path, chunk=2)


def test_missing_samples_are_refused_or_empty_as_in_memory(tmp_path: Path):
    sets, run = labels_of(1), labels_of(2)
    for sample in ("p3", "p77", "p78"):
        del run[sample]
    run["other"] = ["c1"]
    paths = written(tmp_path / "truth.csv", sets), written(tmp_path / "run.csv", run)
    memory = [oe.read_labels(path, concepts=LABELS) for path in paths]
    how: dict[str, Any] = {"hierarchy": HIERARCHY, "measures": MEASURES}
    with pytest.raises(oe.OntoevalError) as refused:
        oe.evaluate(*memory, **how)
    whole = oe.evaluate(*memory, missing="empty", **how)
    for chunk in (25, 500):
        with pytest.raises(type(refused.value)) as found:
            score(*paths, chunk=chunk)
        assert str(found.value).lower() == f"{paths[1]}: {refused.value}".lower(), "of many runs, this one"
        assert score(*paths, chunk=chunk, missing="empty").scores == whole.scores


@pytest.mark.parametrize("form", ["wide", "jsonl", "long", "parquet"])
@pytest.mark.parametrize("side", [0, 1])
def test_repeated_samples_are_found_across_parts(tmp_path: Path, monkeypatch, form, side):
    monkeypatch.setattr(sources, "PIECE", 100)
    paths = []
    for number, seed in enumerate((1, 2)):
        sets = labels_of(seed)
        path = tmp_path / str(seed)
        if form == "parquet":
            again = {**sets, "p5 ": ["c1"]} if number == side else sets
            paths.append(parquet(path, again))
        else:
            text = TEXTS[form](sets)
            more = TEXTS[form]({"p5": ["c1"]}).splitlines(keepends=True)[-1]
            path.write_text(text + more * (number == side), encoding="utf-8")
            paths.append(path)
    for chunk in (17, 40):
        with pytest.raises(oe.OntoevalError, match=f"{paths[side].name}.*sample 'p5'"):
            score(*paths, chunk=chunk)


def test_a_sample_that_both_files_repeat_is_refused(tmp_path: Path):
    paths = [written(tmp_path / str(seed), labels_of(seed)) for seed in (1, 2)]
    for path in paths:
        path.write_text(path.read_text() + "p5,c1\n")
    with pytest.raises(oe.OntoevalError, match="sample 'p5' is there already"):
        score(*paths, chunk=23)


def test_a_folder_of_parquet_files_is_one_data_set(tmp_path: Path, whole):
    for name, seed, parts in (("truth.parquet", 1, 12), ("run", 2, 3)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "_SUCCESS").touch()
        sets = list(labels_of(seed).items())
        for number, part in enumerate(np.array_split(np.arange(COUNT), parts)):
            parquet(folder / f"part.{number}.parquet", dict(sets[at] for at in part.tolist()))
    for chunk in (19, 1_000):
        assert score(tmp_path / "truth.parquet", tmp_path / "run", chunk=chunk).scores == whole.scores
    with pytest.raises(oe.OntoevalError, match="read in chunks"):
        oe.read_labels(tmp_path / "run")
    parquet(tmp_path / "run" / "part.9.parquet", {"q": ["c1"]}, "long")
    with pytest.raises(oe.OntoevalError, match=r"part.9.parquet: the columns differ"):
        scanned(tmp_path / "run")


@pytest.mark.parametrize("chunk", [1, 30, COUNT])
def test_parts_without_rows_count_nothing(tmp_path: Path, whole, chunk):
    folder, sets = tmp_path / "truth", list(labels_of(1).items())
    folder.mkdir()
    for number, some in enumerate((sets[:60], [], sets[60:])):  # Spark writes files without rows
        parquet(folder / f"part.{number}.parquet", dict(some))
    run = tmp_path / "run.csv"
    run.write_text(wide(labels_of(2)).replace("p7,", "\n" * 90 + "p7,") + "\n\r\n", encoding="utf-8")
    assert score(folder, run, chunk=chunk).scores == whole.scores
    with pytest.raises(oe.OntoevalError, match="no row"):
        scanned(parquet(tmp_path / "none.parquet", {}))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_the_separator_is_that_of_the_file_not_of_the_part(tmp_path: Path, form):
    labels, fields = ["Cats", "Wild", "Cats, Wild"], ["Cats;Wild", "Cats, Wild", "Wild"]
    path = tmp_path / f"truth.{form}"
    if form == "csv":
        rows = "".join(f"p{number}\t{field}\n" for number, field in enumerate(fields))
        path.write_text(f"id\tlabels\n{rows}")
    else:
        arrow, writer = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        writer.write_table(arrow.table({"id": ["p0", "p1", "p2"], "labels": fields}), path)
    scan = oe.scan_labels(path, concepts=labels, chunk=1)
    found = [scan.read(part.content)[0].matrix.toarray() for part in scan.parts(1)]
    np.testing.assert_array_equal(np.concatenate(found), [[1, 1, 0], [0, 0, 1], [0, 1, 0]])
    whole = oe.read_labels(path, concepts=labels)
    np.testing.assert_array_equal(np.concatenate(found), whole.matrix.toarray())


def test_an_error_in_a_folder_names_the_file_of_the_row(tmp_path: Path):
    for number, labels in enumerate((["c1"], ["c2"], ["what"])):
        parquet(tmp_path / f"part.{number}.parquet", {f"p{number}": labels})
    (scan,) = scanned(tmp_path, chunk=1)
    with pytest.raises(oe.OntoevalError, match=r"part\.2\.parquet: 1 unknown concept: 'what' in row 1"):
        oe.evaluate(scan, scan, measures="F")
    (scan,) = scanned(tmp_path)
    with pytest.raises(oe.OntoevalError, match=r"part\.0\.parquet to part\.2\.parquet: 1 unknown concept"):
        oe.evaluate(scan, scan, measures="F")


def test_what_a_scan_does_not_hold_is_refused_with_a_remedy(tmp_path: Path):
    truth, run = (written(tmp_path / str(seed), labels_of(seed)) for seed in (1, 2))
    scans = scanned(truth, run)
    result = oe.evaluate(*scans, measures="F")
    with pytest.raises(oe.OntoevalError, match="read_labels"):
        result.per_sample("F")
    with pytest.raises(oe.OntoevalError, match="read_labels"):
        oe.confusion_matrix(*scans)
    memory = oe.read_labels(run, concepts=LABELS)
    with pytest.raises(oe.OntoevalError, match="a scan of a file beside labels in memory"):
        oe.evaluate(scans[0], memory)
    with pytest.raises(oe.OntoevalError, match="sample_weight"):
        oe.evaluate(*scans, sample_weight={"p1": 2.0})
    runs = {"run": scans[1]}
    for options in (
        {"test": "randomisation"},
        {"interval": "bca"},
        {"baselines": ["permuted"]},
        {"chance": True},
    ):
        with pytest.raises(oe.OntoevalError, match=next(iter(options))):
            oe.compare(scans[0], runs, **options)
    with pytest.raises(oe.OntoevalError, match=r"resamples=.*at most"):
        oe.compare(scans[0], runs, resamples=10**8)
    with pytest.raises(oe.OntoevalError, match="concepts"):
        oe.scan_labels(truth)


def test_an_error_in_a_worker_names_the_row(tmp_path: Path):
    sets = labels_of(1)
    truth = written(tmp_path / "truth.csv", sets)
    run = written(tmp_path / "run.csv", {**sets, "p100": ["nothing"]})
    for workers in (1, 2):
        with pytest.raises(oe.OntoevalError, match=r"run.csv.*'nothing' in row 102"):
            score(truth, run, chunk=60, workers=workers)


def test_a_worker_that_dies_is_an_error_with_a_remedy(tmp_path: Path):
    paths = [written(tmp_path / str(seed), labels_of(seed)) for seed in (1, 2)]
    ending = "def ending(truth, prediction):\n    import os\n    os._exit(9)\n"
    script = (
        f"{ending}\nimport ontoeval as oe\n"
        f"scans = [oe.scan_labels(path, concepts={LABELS!r}, chunk=40) for path in {list(map(str, paths))!r}]\n"
        "def harmless(truth, prediction):\n"
        "    if truth:\n        ending(truth, prediction)\n    return []\n"
        "try:\n    oe.evaluate(*scans, measures=[harmless], workers=2)\n"
        "except oe.OntoevalError as error:\n    print(type(error).__name__, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "WorkerError a worker process ended" in done.stdout, done.stderr
    assert "fewer workers" in done.stdout


@pytest.mark.no_cover
def test_memory_does_not_grow_with_the_samples(tmp_path: Path):
    script = (
        "import resource, sys, ontoeval as oe\n"
        "scans = [oe.scan_labels(path, concepts=sys.argv[3].split(), chunk=2000) for path in sys.argv[1:3]]\n"
        "oe.evaluate(*scans, measures=['F', 'Jaccard'])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    pytest.importorskip("resource")
    peaks = []
    for count in (15_000, 60_000):
        truth = written(tmp_path / f"{count}.csv", labels_of(1, count))
        run = parquet(tmp_path / f"{count}.parquet", labels_of(2, count), rows=2_000)
        given = [sys.executable, "-c", script, str(truth), str(run), " ".join(LABELS)]
        peaks.append(int(subprocess.run(given, capture_output=True, text=True, check=True).stdout))
    assert peaks[1] < 1.3 * peaks[0]
