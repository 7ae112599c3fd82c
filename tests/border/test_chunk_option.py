"""``score`` and ``compare`` with --chunk: files larger than memory on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ontoeval as oe
from tests.commands import call, refusal

FOLDER = oe.ontologies.benchmark()
FILES = (FOLDER / "truth.csv", FOLDER / "runs", "--ontology", "photo", "-m", "OS", "-m", "F(average='macro')")


def table(*arguments: object) -> list[dict[str, object]]:
    done = call(*arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    rows: list[dict[str, object]] = json.loads(done.stdout)["rows"]
    return rows


@pytest.mark.parametrize("workers", [1, 2])
def test_score_by_chunks_prints_the_scores_of_whole_files(workers: int) -> None:
    whole = table("score", *FILES)
    assert table("score", *FILES, "--chunk", 120, "--workers", workers) == whole


def test_compare_by_chunks_writes_tables_with_the_same_scores(tmp_path: Path) -> None:
    done = call("compare", *FILES, "--chunk", 150, "--resamples", 100, "-o", tmp_path / "parts")
    assert done.exit_code == 0, done.output
    assert call("compare", *FILES, "--resamples", 100, "-o", tmp_path / "whole").exit_code == 0
    scores, apart = {}, {"permuted", "siblings", "top"}  # these need all samples
    for name in ("parts", "whole"):
        rows = (tmp_path / name / "scores.csv").read_text().splitlines()[1:]
        scores[name] = {
            tuple(row.split(",")[:2]): row.split(",")[2] for row in rows if not apart & {row.split(",")[0]}
        }
    assert scores["parts"] == scores["whole"]
    recipe = (tmp_path / "parts" / "recipe.txt").read_text()
    assert "the randomisation test needs all samples at once" in recipe
    assert "a Poisson number for each sample" in recipe


def test_what_was_not_read_as_written_is_counted_over_all_parts(tmp_path: Path) -> None:
    run = tmp_path / "run.csv"
    lines = (FOLDER / "runs" / "noisy.csv").read_text().splitlines()
    run.write_text("\n".join([lines[0], *(f"{line};Nessie" for line in lines[1:])]))
    more = ("--unknown", "drop", "--verbose")
    done = call("score", FOLDER / "truth.csv", run, *FILES[2:], "--chunk", 90, *more)
    assert f"{len(lines) - 1} labels that are no concepts, left out" in " ".join(done.output.split())


def test_a_run_without_the_column_of_a_concept_is_noted_in_chunks_too(tmp_path: Path) -> None:
    truth, run, concepts = (tmp_path / name for name in ("truth.csv", "run.csv", "concepts.txt"))
    truth.write_text("id,sky,sea,cat\np1,1,0,1\np2,0,1,0\n")
    run.write_text("id,sky,sea\np1,1,0\np2,1,1\n")
    concepts.write_text("sky\nsea\ncat\n")
    for chunks in ((), ("--chunk", 1)):
        done = call("score", truth, run, "--concepts", concepts, "-m", "F", *chunks)
        assert "no column for 1 concept, counted as absent: 'cat'" in " ".join(done.output.split())


def test_missing_samples_are_counted_over_all_parts(tmp_path: Path) -> None:
    run = tmp_path / "run.csv"
    lines = (FOLDER / "runs" / "noisy.csv").read_text().splitlines()
    run.write_text("\n".join([*lines[:30], *lines[33:]]))
    done = call(
        "score", FOLDER / "truth.csv", run, *FILES[2:], "--chunk", 90, "--missing", "empty", "--verbose"
    )
    assert "3 samples of the truth that it lacks, counted as unlabelled" in " ".join(done.output.split())


def test_options_that_need_all_samples_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    refused = {
        "score": ("--per-sample", "--per-concept", "--sample-weights", "--known"),
        "compare": ("--by", "--long", "--report"),
    }
    for command, options in refused.items():
        for option in options:
            given = (command, *FILES, "--chunk", 100, option, tmp_path / "file.csv")
            message = refusal(given, capsys, monkeypatch)
            assert f"no {option} beside it, which needs all samples at once" in message
    message = refusal(("score", *FILES[:2], "--chunk", 100), capsys, monkeypatch)
    assert "an --ontology or a list of --concepts beside it" in message
    scores = ("score", *FILES, "-m", "LRAP", "--chunk", 100)
    assert "those of scores (LRAP) need whole files" in refusal(scores, capsys, monkeypatch)


def test_a_secret_truth_stays_secret(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    truth = tmp_path / "truth.csv"
    truth.write_text((FOLDER / "truth.csv").read_text() + "secret-sample,sky\n")
    given = ("score", truth, *FILES[1:], "--chunk", 100, "--public")
    message = refusal(given, capsys, monkeypatch)
    assert "secret-sample" not in message
    assert "The reason is withheld" in message


def test_a_folder_of_parquet_files_is_one_run_among_others(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow as pa
    from pyarrow import parquet

    sets = oe.read_labels(FOLDER / "runs" / "noisy.csv", "photo")
    labels = [list(sets.labels_of(sample)) for sample in sets.samples]
    runs = tmp_path / "runs"
    for number, begin in enumerate(range(0, len(labels), 170)):
        part = slice(begin, begin + 170)
        rows = pa.table({"id": list(sets.samples[part]), "labels": labels[part]})
        (runs / "noisy.parquet").mkdir(parents=True, exist_ok=True)
        parquet.write_table(rows, runs / "noisy.parquet" / f"part.{number}.parquet")
    (runs / "careful.csv").write_bytes((FOLDER / "runs" / "careful.csv").read_bytes())
    found = table("score", FOLDER / "truth.csv", runs, *FILES[2:], "--chunk", 100)
    whole = table("score", *FILES)
    assert found == [row for row in whole if row["run"] in {"noisy", "careful"}]
