"""Audits of label files in chunks find what the audit of the whole file finds."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.audit.labels import RULES, resolve_labels

EDGES = [
    *(("living", one) for one in ("animal", "plant")),
    *(("animal", one) for one in ("dog", "cat")),
    *(("plant", one) for one in ("tree", "flower")),
    *(("tree", one) for one in ("oak", "beech")),
]
HIERARCHY = oe.Hierarchy.from_edges(
    EDGES,
    concepts=["indoor", "outdoor", "day", "night", "never"],
    exclusions=[
        oe.core.Exclusion("indoor", "outdoor"),
        oe.core.Exclusion("day", "night"),
        oe.core.Exclusion("oak", "plant"),
    ],
    requirements=[
        oe.core.Requirement("tree", ("outdoor",)),
        oe.core.Requirement("animal", ("day", "night")),
        oe.core.Requirement("flower", ("never",)),
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


def audits(
    path: Path, ontology: object, chunk: int, **options: object
) -> tuple[oe.audit.Findings, oe.audit.Findings]:
    audit = oe.audit_labels
    whole = audit(path, ontology, **options)  # type: ignore[arg-type]
    return whole, audit(path, ontology, chunk=chunk, **options)  # type: ignore[arg-type]


def assert_same(whole: oe.audit.Findings, parts: oe.audit.Findings) -> None:
    """All but the rules that do not say that they find in chunks."""
    expected = [finding for finding in whole if RULES[finding.rule].chunks]
    assert list(parts) == expected
    for one, other in zip(expected, parts, strict=True):
        assert (one.common, one.own, one.certainty) == (other.common, other.own, other.certainty)
    assert parts.facts == {**whole.facts, "not_checked": parts.facts["not_checked"]}
    assert list(parts.checks) == [rule for rule in whole.checks if RULES[rule].chunks]
    assert parts.branches == whole.branches or len(expected) < len(whole)


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
    # Rows that conflict say no set that another sample could repeat.
    rows += ["r400,oak;dog;indoor;flower", "r401,oak;dog", "r401,indoor;flower"]
    path.write_text("\n".join(["id,labels", *rows]) + "\n", encoding="utf-8")
    whole, parts = audits(path, HIERARCHY, 50)
    assert [finding.samples for finding in parts.of("same-labels")] == [("r3", "r390")]
    assert_same(whole, parts)


def test_the_kept_samples_stay_few(tmp_path: Path) -> None:
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


# rules that need all samples ------------------------------------------------------------------------------

OBSOLETE = """ontology: t

[Term]
id: T:1
name: living

[Term]
id: T:2
name: animal
is_a: T:1

[Term]
id: T:3
name: dog
is_a: T:2

[Term]
id: T:4
name: cat
alt_id: T:40
is_a: T:2
disjoint_from: T:3

[Term]
id: T:5
name: twin

[Term]
id: T:6
name: twin

[Term]
id: T:7
is_obsolete: true

[Term]
id: T:8
is_obsolete: true
replaced_by: T:3

[Term]
id: T:9
name: thing

[Term]
id: T:10
name: stone
is_a: T:9
"""
RARE = "T:2;T:3;T:5;T:6;T:10;gone"


def with_names() -> str:
    """A table with labels that are no concepts, and all that rows and names of samples can have wrong."""
    rows = [f"s{number},{('T:4', 'T:6;T:10', '', 'T:3', 'cat')[number % 5]}" for number in range(60)]
    rows += ["a,T:7", "b,T:8", "c,T:40", "d,twin", "e,gone", "f,thing", "g,T:3;T:3", "G,T:4"]
    rows += [f"r1,{RARE}", "h,T:4", "h,T:4", "i,T:4", "i,T:3", f"r2,{RARE}", "k,T:1;T:2;T:3;T:4", "k.jpg,T:3"]
    return "\n".join(["id,labels", *rows]) + "\n"


def test_every_rule_that_is_said_to_find_in_chunks_what_it_finds_in_the_whole_does_so(tmp_path: Path) -> None:
    (tmp_path / "t.obo").write_text(OBSOLETE, encoding="utf-8")
    ontology = oe.read_ontology(tmp_path / "t.obo", abstract=["thing"])
    facets = oe.Hierarchy.from_edges(
        [("data", "report"), ("data", "identifier"), ("format", "xml")],
        exclusions=[oe.core.Exclusion("data", "format"), oe.core.Exclusion("report", "identifier")],
    )
    tools = ["report;xml", "identifier;xml"] * 6 + ["report;identifier"]
    few = [*["day", "night", "tree;outdoor"] * 130, "tree", *["beech;cat;day;flower;indoor;unicorn"] * 2]
    clear = ["cat;animal"] * 19 + ["cat"] + ["oak"] * 19 + ["oak;tree"] + ["oak;tree;plant"] * 9
    doubt = ["cat;animal"] * 40 + ["dog"] * 3 + ["day"] * 3
    tables = [
        (with_names(), ontology),
        ("id,labels\n" + "".join(f"p{at},{row}\n" for at, row in enumerate(few)), HIERARCHY),
        (wide(1), HIERARCHY),
        ("id,labels\n" + "".join(f"p{at},{row}\n" for at, row in enumerate(tools)), facets),
        ("id,labels\n" + "".join(f"p{at},{row}\n" for at, row in enumerate([*tools, *clear])), HIERARCHY),
        ("id,labels\n" + "".join(f"p{at},{row}\n" for at, row in enumerate(doubt)), HIERARCHY),
        (
            "id,labels\n" + "".join(f"p{at},{'beech;night' if at % 3 else 'cat'}\n" for at in range(99)),
            HIERARCHY,
        ),
    ]
    found: set[str] = set()
    for number, (text, over) in enumerate(tables):
        path = tmp_path / f"{number}.csv"
        path.write_text(text, encoding="utf-8")
        for chunk in (11, 1_000):
            whole, parts = audits(path, over, chunk)
            assert_same(whole, parts)
        found |= {finding.rule for finding in whole}
    in_chunks = {name for name, rule in RULES.items() if rule.chunks}
    assert found & in_chunks == in_chunks


TOY = '''

def many(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find samples with far more labels than usual."""
    sizes = labels.sets.sizes
    rows = np.flatnonzero(sizes > 3 * max(1, float(np.median(sizes))))
    if rows.size:
        yield labels.finding("many-labels", rows)


_find = find


def find(labels: ResolvedLabels) -> Iterator[Finding]:
    yield from _find(labels)
    yield from many(labels)
'''
TEXTS = """
[labels.many-labels]
severity = "warning"
description = "Samples with far more labels than usual."
explanation = "{count:,} of {total:,} samples have far more labels than usual."
"""


def test_a_new_rule_that_says_nothing_of_chunks_is_named_as_not_checked(tmp_path: Path) -> None:
    package = tmp_path / "ontoeval"
    own = Path(oe.__file__).parent
    shutil.copytree(own, package, ignore=shutil.ignore_patterns("__pycache__"))
    if (shipped := own.with_name("ontologies")).is_dir():  # of a checkout
        shutil.copytree(shipped, tmp_path / shipped.name)
    for name, text in (("usage.py", TOY), ("rules.toml", TEXTS)):
        with (package / "audit" / name).open("a", encoding="utf-8") as file:
            file.write(text)
    rows = [f"p{number},{'a' if number < 20 else 'a;b;c;d;e;f'}" for number in range(21)]
    (tmp_path / "labels.csv").write_text("\n".join(["id,labels", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "links.csv").write_text(
        "child,parent\n" + "".join(f"{name},top\n" for name in "abcdef"), encoding="utf-8"
    )

    def audit(*options: str) -> dict[str, Any]:
        command = (sys.executable, "-m", "ontoeval", "audit", "labels.csv", "--ontology", "links.csv")
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(
            [*command, "--format", "json", *options],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        content: dict[str, Any] = json.loads(done.stdout)
        return content

    whole, parts = audit(), audit("--chunk", "5")
    assert "many-labels" in {finding["rule"] for finding in whole["findings"]}
    assert "many-labels" not in {finding["rule"] for finding in parts["findings"]}
    expected = "the rule many-labels (Samples with far more labels than usual)"
    assert parts["summary"]["not_checked"][0] == expected
