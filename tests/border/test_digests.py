"""Digests: one of the ontology alone, which a reader can compute, and one for each weight."""

from __future__ import annotations

import re
import subprocess
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from tests.commands import call, refusal

LINKS = ["beech wood\ttree", "tree\tplant", "plant\tthing", "sky\tthing", "Ärger\tthing"]


@pytest.fixture
def task(tmp_path: Path) -> list[str]:
    """Files of a task with a table of links, agreement and weights; the arguments that score it."""
    lines = ["parent\tchild", *("\t".join(reversed(line.split("\t"))) for line in LINKS)]
    texts = {
        "links.tsv": "\n".join(lines),
        "truth.csv": "id,labels\n1,tree;sky\n2,plant",
        "run.csv": "id,labels\n1,plant;sky\n2,tree",
        "agreement.csv": "concept,agreement\nthing,1\nplant,1\ntree,0.5\nbeech wood,1\nsky,0.9\nÄrger,1",
        "other.csv": "concept,agreement\nthing,1\nplant,1\ntree,0.6\nbeech wood,1\nsky,0.9\nÄrger,1",
        "size.csv": "concept,weight\nthing,1\nplant,1\ntree,1\nbeech wood,1\nsky,2\nÄrger,1",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("truth.csv", "run.csv", "links.tsv")]
    return ["score", *files[:2], "--ontology", files[2], "-m", "F", "--verbose"]


def digests(output: str) -> dict[str, str]:
    """Digests in a recipe: that of the ontology, of the agreement, of each weight."""
    text = " ".join(output.split())
    named = {
        "ontology": r"hierarchy of [^(]*\(sha256 (\w+)\)",
        "agreement": r"agreement given \(sha256 (\w+)\)",
        "size": r"weight 'size': \S+; sha256 (\w+)",
    }
    return {name: found[1] for name, said in named.items() if (found := re.search(said, text))}


def test_the_digest_of_an_ontology_is_the_same_with_agreement_and_weights(
    task: list[str], tmp_path: Path
) -> None:
    plain = digests(call(*task).output)
    agreed, other = (
        digests(call(*task, "--agreement", tmp_path / name).output) for name in ("agreement.csv", "other.csv")
    )
    weighted = digests(call(*task, "--weights", f"size={tmp_path / 'size.csv'}").output)
    assert plain.keys() == {"ontology"}
    assert plain["ontology"] == agreed["ontology"] == other["ontology"] == weighted["ontology"]
    assert len({plain["ontology"], agreed["agreement"], other["agreement"], weighted["size"]}) == 4


def test_a_reader_computes_the_digest_of_a_table_of_links_with_tools_of_the_shell(
    task: list[str], tmp_path: Path
) -> None:
    links = tmp_path / "links.tsv"
    command = f"tail -n +2 '{links}' | LC_ALL=C sort -u | sha256sum"
    (shell,) = re.findall(r"^\w{64}", subprocess.check_output(["/bin/sh", "-c", command], text=True))
    assert shell.startswith(digests(call(*task).output)["ontology"])
    assert oe.read_ontology(links).hierarchy().digest == shell
    assert f"digest – sha256 {shell[:12]}" in " ".join(call("ontology", links).output.split())


def test_the_canonical_lines_have_the_digest_of_the_recipe_and_say_what_an_ontology_states(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = call("ontology", "photo", "--canonical").output
    digest = oe.read_ontology("photo").hierarchy().digest
    assert sha256(text.encode()).hexdigest() == digest
    lines = text.splitlines()
    assert lines == sorted(set(lines))
    stated = {"plants\ttrees", "scene\t\tabstract", "summer\twinter\texcludes"}
    assert stated | {"city_life\tbuildings\tvehicles\trequires depicts"} <= set(lines)
    file = sha256(oe.ontologies.path("photo").read_bytes()).hexdigest()
    shown = " ".join(call("ontology", "photo").output.split())
    assert f"digest – sha256 {digest[:12]} digest of the file – sha256 {file[:12]}" in shown
    call_of_both = ["ontology", "photo", "--canonical", "--tree"]
    assert "--canonical" in refusal(call_of_both, capsys, monkeypatch)


def test_the_order_of_concepts_changes_no_digest() -> None:
    links, table = [("a", "b"), ("a", "c")], np.array([[0.0, 0.2, 0.4], [0.1, 0.0, 0.5], [0.3, 0.6, 0.0]])
    one = oe.Hierarchy.from_edges(links, concepts=["a", "b", "c"])
    other = oe.Hierarchy.from_edges(links[::-1], concepts=["c", "b", "a"])
    assert one.vocabulary != other.vocabulary
    both = [
        some.with_weight("w", {"a": 1, "b": 2, "c": 3.5}).with_cost("k", cost)
        for some, cost in ((one, table), (other, table[::-1, ::-1]))
    ]
    assert both[0].digest == both[1].digest == one.digest
    assert dict(both[0].digests) == dict(both[1].digests)
    assert both[0].digests.keys() == {"weight 'w'", "cost 'k'"}
    turned = one.with_cost("k", table.T)
    assert turned.digests["cost 'k'"] != both[0].digests["cost 'k'"]


def test_totals_are_not_added_over_other_weights_costs_or_order() -> None:
    links = [("a", "b"), ("a", "c")]
    plain = oe.Hierarchy.from_edges(links)
    truth = oe.LabelSets.from_sets([["b"]], vocabulary=plain.label_vocabulary)
    weighted = plain.with_weight("w", [1, 2, 3])
    parts = [
        oe.evaluate(truth, truth, hierarchy=one, measures="F").totals
        for one in (plain, weighted, plain.with_weight("w", [1, 2, 4]), plain.with_weight("v", [1, 2, 3]))
    ]
    assert oe.merge(parts[1], parts[1]).samples == 2
    for other in (parts[0], *parts[2:]):
        with pytest.raises(oe.errors.InputError, match="totals over different hierarchies"):
            oe.merge(parts[1], other)
