"""`ontoeval init`: the benchmark file of what lies in a folder runs, or says why it does not yet."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.commands import call

UPWARD = "animals,things\ndog,animals\ncat,animals\nplants,things\noak,plants\n"


def lay(folder: Path, **files: str) -> None:
    """Write files; two underscores in a name stand for a folder, one before the suffix for a dot."""
    for name, text in files.items():
        stem, _, suffix = name.rpartition("_")
        path = folder / f"{stem.replace('__', '/')}.{suffix}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def keys_after_init(folder: Path) -> tuple[dict[str, object], str]:
    told = " ".join(call("init", folder).stdout.split())
    return tomllib.loads((folder / "benchmark.toml").read_text("utf-8")), told


def test_it_names_hierarchy_concepts_map_agreement_and_missing_samples_and_the_file_runs(
    tmp_path: Path,
) -> None:
    lay(
        tmp_path,
        hierarchy_csv=UPWARD,
        concepts_txt="dog\ncat\noak\n",
        concept_map_csv="label,concept\nHund,dog\nKatze,cat\nEiche,oak\n",
        agreement_csv="concept,agreement\ndog,0.9\ncat,0.8\noak,1\n",
        gold_csv="id,labels\np1,Hund\np2,Katze\np3,Eiche\np4,Hund\n",
        submissions__first_csv="id,labels\np1,Hund\np2,Katze\np3,Hund\n",
        submissions__second_csv="id,labels\np1,Katze\np2,Katze\np3,Eiche\np4,Eiche\n",
    )
    keys, told = keys_after_init(tmp_path)
    assert keys == {
        "truth": "gold.csv",
        "runs": ["submissions"],
        "ontology": "hierarchy.csv",
        "concepts": "concepts.txt",
        "concept_map": "concept_map.csv",
        "agreement": "agreement.csv",
        "direction": "child-parent",
        "missing": "empty",
    }
    assert "only in this direction it is a tree" in told
    assert "1 only in the truth ('p4')" in told
    assert call("run", tmp_path).exit_code == 0


@pytest.mark.parametrize("titles", ["parent,child\n", "child,parent\n", ""])
def test_a_hierarchy_that_can_be_read_gets_no_direction(tmp_path: Path, titles: str) -> None:
    lay(tmp_path, taxonomy_csv=titles + "a,b\nb,c\n")
    keys, _ = keys_after_init(tmp_path)
    assert "direction" not in keys


def test_what_does_not_run_and_what_is_ambiguous_is_told(tmp_path: Path) -> None:
    lay(
        tmp_path,
        hierarchy_csv="child,parent\n" + UPWARD,
        truth_csv="id,labels\np1,dog\n",
        reference_csv="id,labels\np1,cat\n",
        runs__one_csv="id,labels\np1,doog\n",
    )
    _, told = keys_after_init(tmp_path)
    assert "truth is left open: it may be 'reference.csv', 'truth.csv'" in told
    (tmp_path / "reference.csv").unlink()
    (tmp_path / "benchmark.toml").unlink()
    keys, told = keys_after_init(tmp_path)
    assert "missing" not in keys
    assert "It does not run yet: " in told
    assert "'doog'" in told
    assert call("init", tmp_path / "empty").exit_code == 0
