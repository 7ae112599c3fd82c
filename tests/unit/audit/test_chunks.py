"""Audits of label files in chunks find what the audit of the whole file finds."""

from __future__ import annotations

import gzip
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

import ontoeval as oe
from ontoeval.audit.findings import Findings
from ontoeval.audit.labels import resolve_labels
from ontoeval.core.rules import Exclusion, Requirement

EDGES = [
    *(("living", one) for one in ("animal", "plant")),
    *(("animal", one) for one in ("dog", "cat")),
    *(("plant", one) for one in ("tree", "flower")),
    *(("tree", one) for one in ("oak", "beech")),
]
HIERARCHY = oe.Hierarchy.from_edges(
    EDGES,
    concepts=["indoor", "outdoor", "day", "night", "never"],
    exclusions=[Exclusion("indoor", "outdoor"), Exclusion("day", "night"), Exclusion("oak", "plant")],
    requirements=[
        Requirement("tree", ("outdoor",)),
        Requirement("animal", ("day", "night")),
        Requirement("flower", ("never",)),
    ],
)
SPELLINGS = [*HIERARCHY.vocabulary, "treee", "dgo", "Oak", "unicorn"]


def wide(seed: int, samples: int = 300, least: int = 0) -> str:
    """A table with all kinds of mistakes; rows of a sample follow one another."""
    random, lines = Random(seed), ["id,labels"]  # noqa: S311
    for number in range(samples):
        name = f"p{number}" if random.random() < 0.95 else f"P{number - 1}"
        labels = random.sample(SPELLINGS[:-5], random.randint(least, 5))
        labels += random.sample(SPELLINGS[-5:], random.random() < 0.1)
        labels += random.choices(labels or ["day"], k=random.random() < 0.05)
        lines.append(f"{name},{';'.join(labels)}")
    return "\n".join(lines) + "\n"


def long(seed: int) -> str:
    rows = [row.split(",") for row in wide(seed, 150, 1).splitlines()[1:]]
    lines = [f"{name},{label}" for name, labels in rows for label in labels.split(";")]
    return "\n".join(["sample,concept", *lines]) + "\n"


def audits(path: Path, ontology: object, chunk: int, **options: object) -> tuple[Findings, Findings]:
    audit = oe.audit_labels
    whole = audit(path, ontology, **options)  # type: ignore[arg-type]
    return whole, audit(path, ontology, chunk=chunk, **options)  # type: ignore[arg-type]


def assert_same(whole: Findings, parts: Findings) -> None:
    assert parts.found == whole.found
    for one, other in zip(whole, parts, strict=True):
        assert (one.common, one.own, one.certainty) == (other.common, other.own, other.certainty)
    assert parts.facts == {**whole.facts, "not_checked": parts.facts["not_checked"]}
    assert (parts.checks, parts.branches) == (whole.checks, whole.branches)


@pytest.mark.parametrize(
    ("text", "chunk"),
    [(wide(2, 40), 1), (wide(1), 37), (wide(1), 299), (wide(1), 300), (wide(1), 5_000), (long(3), 29)],
    ids=["single samples", "wide", "all but one", "all", "more than all", "long"],
)
def test_chunks_of_any_size_have_the_findings_of_the_whole_file(
    tmp_path: Path, text: str, chunk: int
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(text, encoding="utf-8")
    whole, parts = audits(path, HIERARCHY, chunk)
    assert_same(whole, parts)
    assert len({finding.rule for finding in whole}) >= 7


@pytest.mark.parametrize(
    "options",
    [
        {"convention": "closed"},
        {"convention": "most-specific"},
        {"axioms": "exclusions"},
        {"severities": {"never-used": "off", "exclusion": "note"}},
    ],
    ids=str,
)
def test_options_hold_in_chunks_too(tmp_path: Path, options: dict[str, object]) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(wide(4), encoding="utf-8")
    assert_same(*audits(path, HIERARCHY, 50, **options))


@pytest.mark.parametrize("chunk", [50, 333, 10_000])
def test_the_shipped_truth_has_the_same_findings_in_chunks(chunk: int) -> None:
    truth = oe.ontologies.benchmark() / "truth.csv"
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    assert_same(*audits(truth, ontology, chunk))


def test_labels_always_together_are_found_over_chunks(tmp_path: Path) -> None:
    path, random = tmp_path / "labels.csv", Random(5)  # noqa: S311
    rows = [
        f"q{number},{'beech;night' if random.random() < 0.3 else random.choice(['', 'cat', 'night;cat'])}"
        for number in range(200)
    ]
    path.write_text("\n".join(["id,labels", *rows]) + "\n", encoding="utf-8")
    whole, parts = audits(path, HIERARCHY, 9)
    assert [finding.concepts for finding in whole.of("always-with")] == [("beech", "night")]
    assert_same(whole, parts)


def test_a_companion_that_is_missing_once_at_the_end_is_no_companion(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    rows = [f"q{number},{'beech;night' if number % 3 else 'cat'}" for number in range(200)]
    path.write_text("\n".join(["id,labels", *rows, "last,beech"]) + "\n", encoding="utf-8")
    whole, parts = audits(path, HIERARCHY, 20)
    assert "beech" not in {finding.concepts[0] for finding in parts.of("always-with")}
    assert_same(whole, parts)


def test_rare_label_sets_that_repeat_in_other_chunks_are_found(tmp_path: Path) -> None:
    path, random = tmp_path / "labels.csv", Random(6)  # noqa: S311
    rare = "beech;cat;day;flower;indoor;unicorn"
    rows = [f"r{number},{random.choice(['day', 'night', ''])}" for number in range(400)]
    rows[3], rows[390] = f"r3,{rare}", f"r390,{rare}"
    path.write_text("\n".join(["id,labels", *rows]) + "\n", encoding="utf-8")
    whole, parts = audits(path, HIERARCHY, 50)
    assert [finding.samples for finding in parts.of("same-labels")] == [("r3", "r390")]
    assert_same(whole, parts)


def test_the_kept_samples_stay_few(tmp_path: Path) -> None:
    from ontoeval.audit.labels import resolve_labels

    path = tmp_path / "labels.csv"
    rows = [f"r{number},{'day' if number % 2 else 'night;tree'}" for number in range(20_000)]
    path.write_text("\n".join(["id,labels", *rows]) + "\n", encoding="utf-8")
    labels = resolve_labels(path, HIERARCHY, chunk=1_000)
    assert labels.total == 20_000
    assert len(labels.raw.samples) < 1_100


def test_rows_of_a_sample_in_several_chunks_are_refused_with_a_way_out(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("id,labels\np1,day\np2,night\np1,night\n", encoding="utf-8")
    with pytest.raises(
        oe.OntoevalError, match=r"'p1'.* in several chunks of 2 samples.*audit the file whole"
    ):
        oe.audit_labels(path, HIERARCHY, chunk=2)
    assert oe.audit_labels(path, HIERARCHY, chunk=3).of("conflicting-sample")


def test_chunks_are_refused_where_the_whole_file_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("id,labels\np1,day\n", encoding="utf-8")
    with pytest.raises(oe.OntoevalError, match="chunk=5: expected None beside negative=0"):
        oe.audit_labels(path, HIERARCHY, chunk=5, negative=0)
    with pytest.raises(oe.OntoevalError, match="labels in memory"):
        oe.audit_labels(oe.LabelSets.from_sets([["day"]]), HIERARCHY, chunk=5)
    with pytest.raises(oe.OntoevalError, match="chunk=0"):
        oe.audit_labels(path, HIERARCHY, chunk=0)


@pytest.mark.parametrize("name", ["truth.csv", "truth.parquet", "truth.csv.gz"])
def test_progress_is_told_by_percent_unless_the_file_is_packed(tmp_path: Path, name: str) -> None:
    rows = [f"p{number},{('Cat', 'Dog')[number % 2]}" for number in range(200)]
    text = "\n".join(["sample,concept", *rows])
    path = tmp_path / name
    if name.endswith("parquet"):
        table = pytest.importorskip("pyarrow.csv").read_csv(BytesIO(text.encode()))
        pytest.importorskip("pyarrow.parquet").write_table(table, path)
    else:
        path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    told: list[None] = []
    resolve_labels(path, {"Pet": ["Cat", "Dog"]}, chunk=50, percent=lambda: told.append(None))
    assert len(told) == (0 if name.endswith("gz") else 100)


def test_a_folder_of_parquet_files_is_audited_as_one_file(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pytest.importorskip("pyarrow.csv").read_csv(BytesIO(wide(4).encode()))
    one, folder = tmp_path / "one.parquet", tmp_path / "many.parquet"
    parquet.write_table(table, one)
    folder.mkdir()
    for number, part in enumerate((table[:100], table[100:101], table[:0], table[101:])):
        parquet.write_table(part, folder / f"part.{number}.parquet")
    (folder / "_SUCCESS").touch()
    whole = oe.audit_labels(one, HIERARCHY)
    for chunk in (7, 1_000):
        parts = oe.audit_labels(folder, HIERARCHY, chunk=chunk)
        assert [str(finding) for finding in parts] == [str(finding) for finding in whole]
    with pytest.raises(oe.OntoevalError, match="in chunks"):
        oe.audit_labels(folder, HIERARCHY)
