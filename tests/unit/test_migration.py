"""Label sets moved from one version of an ontology to another, and the command that does it."""

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.audit.versions import Move, read_decisions
from ontoeval.errors import InputError, UnknownConceptError
from ontoeval.reports.audit import moves_table
from tests.commands import call, refusal

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str, name: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def read(write: Write) -> Callable[..., oe.Ontology]:
    numbers = iter(range(100))

    def read(*terms: str) -> oe.Ontology:
        return oe.read_ontology(write(obo(*terms), f"v{next(numbers)}.obo"))

    return read


Read = Callable[..., oe.Ontology]


def obo(*terms: str) -> str:
    """An OBO file: of each term "id name | clause | clause"."""
    stanzas = []
    for term in terms:
        head, *clauses = term.split(" | ")
        identifier, _, name = head.partition(" ")
        stanzas.append("\n".join(["[Term]", f"id: T:{identifier}", f"name: {name}", *clauses]))
    return "ontology: t\n\n" + "\n\n".join(stanzas) + "\n"


OLD = ("1 water", "2 lake | is_a: T:1", "3 pond | is_a: T:1", "4 sea | is_a: T:1", "5 tree")


def move_of(old: oe.Ontology, new: oe.Ontology, concept: str, **options: Any) -> Move:
    sets = oe.LabelSets.from_sets({"p1": [concept]}, vocabulary=old.hierarchy().label_vocabulary)
    (move,) = oe.audit.migrate(sets, old, new, **options).moves
    return move


def test_concepts_with_the_same_identifier_stay(read: Read) -> None:
    assert move_of(read(*OLD), read(*OLD), "T_2") == Move("T_2", "lake", "T_2", "same", 1)


def test_what_was_replaced_becomes_what_replaces_it(read: Read) -> None:
    new = read("1 water", "4 sea | is_obsolete: true | replaced_by: T:9", "9 ocean | is_a: T:1")
    assert move_of(read(*OLD), new, "T_4")[2:] == ("T_9", "replaced", 1, ())


def test_alternative_identifiers_are_merged_and_so_are_equal_concepts(read: Read) -> None:
    old = read(*OLD)
    assert move_of(old, read("1 water", "2 lake | alt_id: T:3 | is_a: T:1"), "T_3")[2:4] == ("T_2", "merged")
    new = read("1 water", "2 lake | is_a: T:1 | equivalent_to: T:3", "3 pond | is_a: T:1")
    assert move_of(old, new, "T_3")[2:4] == ("T_2", "merged")


def test_labels_that_become_one_are_one_label(read: Read) -> None:
    old, new = read(*OLD), read("1 water", "2 lake | alt_id: T:3 | is_a: T:1")
    sets = oe.LabelSets.from_sets(
        {"p1": ["T_2", "T_3"], "p2": []}, vocabulary=old.hierarchy().label_vocabulary
    )
    moved = oe.audit.migrate(sets, old, new).sets
    assert (moved.labels_of("p1"), moved.labels_of("p2")) == (("T_2",), ())


def test_a_concept_that_has_another_identifier_is_found_by_its_label(read: Read) -> None:
    move = move_of(read(*OLD), read("1 water", "15 Tree"), "T_5")
    assert move[2:4] == ("T_15", "same label")
    assert move.notes == ("it was found by its label alone",)


def test_a_label_of_several_concepts_is_ambiguous(read: Read) -> None:
    move = move_of(read(*OLD), read("1 water", "15 tree", "16 tree"), "T_5")
    assert (move.becomes, move.how, move.open) == ("", "ambiguous", True)
    assert move.notes == ("'T_15 (tree)', 'T_16 (tree)' have its label",)


def test_a_label_is_not_told_beside_a_name_that_says_the_same(write: Write) -> None:
    head = "@prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . "
    head += "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
    old = oe.read_ontology(write(head + ':a a owl:Class ; rdfs:label "old tree" .', "old.ttl"))
    two = ':b a owl:Class ; rdfs:label "Old tree" . :old_tree a owl:Class ; rdfs:label "old tree" .'
    new = oe.read_ontology(write(head + two, "new.ttl"))
    assert move_of(old, new, "a").notes == ("'b (Old tree)', 'old_tree' have its label",)


@pytest.mark.parametrize(
    "given_up",
    [
        "4 gone | is_obsolete: true | consider: T:8 | consider: T:9",
        "4 gone | is_obsolete: true | replaced_by: T:8 | replaced_by: T:9",
    ],
)
def test_what_was_split_needs_a_human_who_is_told_the_choices(read: Read, given_up: str) -> None:
    move = move_of(read(*OLD), read("1 water", given_up, "8 coast | is_a: T:1", "9 ocean | is_a: T:1"), "T_4")
    assert (move.becomes, move.how, move.open) == ("", "split", True)
    assert move.notes == ("the new version names 'T_8 (coast)', 'T_9 (ocean)' for it",)


def test_what_was_split_in_owl_names_its_choices(write: Write) -> None:
    head = (
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .\n@prefix : <http://a.org/x#> .\n"
    )
    old = oe.read_ontology(write(head + ":a a owl:Class . :b a owl:Class .", "old.ttl"))
    text = head + ':a a owl:Class ; owl:deprecated true ; oio:consider :b , "http://a.org/x#c" .'
    new = oe.read_ontology(write(text + ":b a owl:Class . :c a owl:Class .", "new.ttl"))
    assert new.considered["a"] == ("b", "c")
    assert move_of(old, new, "a").how == "split"


def test_what_is_gone_is_removed_and_says_why_where_the_new_version_does(read: Read) -> None:
    old = read(*OLD)
    assert move_of(old, read("1 water"), "T_4")[2:] == ("", "removed", 1, ())
    new = read("1 water", "4 sea of old | is_obsolete: true")
    assert move_of(old, new, "T_4").notes == ("the new version leaves it out: deprecated",)


def test_what_is_abstract_now_needs_a_human(read: Read, write: Write) -> None:
    old, path = read(*OLD), write(obo(*OLD), "new.obo")
    move = move_of(old, oe.read_ontology(path, abstract=["water"]), "T_1")
    assert (move.becomes, move.how, move.open) == ("", "abstract", True)
    assert "T_1 is abstract in the new version" in move.notes[0]


def test_a_concept_that_moved_is_noted(read: Read) -> None:
    new = read("1 water", "5 tree", "2 lake | is_a: T:5", "4 sea | is_a: T:1")
    move = move_of(read(*OLD), new, "T_2")
    assert (move.becomes, move.how, move.open) == ("T_2", "same", False)
    assert move.notes == ("it moved: no longer below 'T_1 (water)', now also below 'T_5 (tree)'",)


def test_a_new_concept_between_two_old_ones_moves_nothing(read: Read) -> None:
    new = read("1 water", "7 fresh water | is_a: T:1", "2 lake | is_a: T:7")
    assert move_of(read(*OLD), new, "T_2").notes == ()


def test_a_new_label_is_noted_and_so_is_who_has_the_old_one(read: Read) -> None:
    old = read(*OLD)
    renamed = move_of(old, read("1 water", "2 loch | is_a: T:1"), "T_2")
    assert renamed.notes == ("its label is 'loch' and was 'lake'",)
    taken = move_of(old, read("1 water", "2 loch | is_a: T:1", "3 lake | is_a: T:1"), "T_2")
    assert taken.notes == ("its label is 'loch' and was 'lake', which is that of 'T_3 (lake)' now",)


def test_the_same_name_and_label_under_another_address_is_the_same_concept(write: Write) -> None:
    text = (
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix : <http://a.org/{}#> .\n:sky a owl:Class ;"
        ' <http://www.w3.org/2000/01/rdf-schema#label> "Sky" .'
    )
    old, new = (oe.read_ontology(write(text.format(year), f"{year}.ttl")) for year in (2011, 2012))
    move = move_of(old, new, "sky")
    assert (move.becomes, move.how, move.notes) == ("sky", "same name", ())


def test_decisions_settle_what_is_open_and_change_what_is_not(read: Read) -> None:
    old, new = read(*OLD), read("1 water", "2 lake | is_a: T:1", "3 pond | is_a: T:1")
    assert move_of(old, new, "T_4", decisions={"sea": "water"})[2:] == ("T_1", "decided", 1, ())
    assert move_of(old, new, "T_4", decisions={"sea": ""})[2:] == ("", "decided", 1, ())
    assert move_of(old, new, "T_2", decisions={"lake": "pond"})[2:4] == ("T_3", "decided")
    assert move_of(old, new, "T_2", decisions={"lake": "lake"})[2:4] == ("T_2", "same")


def test_decisions_must_name_concepts_that_may_be_labels(read: Read, write: Write) -> None:
    old, path = read(*OLD), write(obo(*OLD), "new.obo")
    new = oe.read_ontology(path, abstract=["water"])
    for decisions in ({"sky": "lake"}, {"lake": "sky"}, {"lake": "water"}):
        with pytest.raises(UnknownConceptError, match="decisions"):
            move_of(old, new, "T_2", decisions=decisions)


def test_labels_that_neither_version_has_need_a_decision_and_can_get_one(read: Read) -> None:
    old, new = read(*OLD), read(*OLD)
    sets = oe.LabelSets.from_sets([["sky", "water"], ["sky"]])
    moved = oe.audit.migrate(sets, old, new)
    assert moved.open == (Move("sky", "", "", "unknown", 2, ("neither version has it",)),)
    assert moved.emptied == ("1",)
    decided = oe.audit.migrate(sets, old, new, decisions={"sky": "tree"})
    assert (decided.open, decided.sets.labels_of("1")) == ((), ("T_5",))


# A file of mixed versions: identifiers of the old one, of the new one, obsolete ones and others.

MIXED_OLD = (
    "1 water", "2 lake | is_a: T:1", "3 pond | is_a: T:1", "4 gone | is_obsolete: true | replaced_by: T:2",
    "5 gone too | is_obsolete: true", "6 old choice | is_obsolete: true | consider: T:2",
    "7 chained | is_obsolete: true | replaced_by: T:3", "9 plain",
)  # fmt: skip
MIXED_NEW = (
    "1 water", "2 lake | is_a: T:1", "4 back | is_a: T:1", "5 back too", "8 fresh", "9 plain",
    "3 pond | is_obsolete: true | consider: T:1 | consider: T:2", "10 dead | is_obsolete: true | consider: T:1",
    "11 dead too | is_obsolete: true | replaced_by: T:8",
)  # fmt: skip


def test_labels_that_are_live_in_the_target_stay_whatever_the_old_version_says(read: Read) -> None:
    old, new = read(*MIXED_OLD), read(*MIXED_NEW)
    labels = [f"T:{number}" for number in (1, 2, 4, 5, 8, 9)]
    moved = oe.audit.migrate(oe.LabelSets.from_sets({"p1": labels}), old, new)
    assert moved.open == ()
    assert moved.sets.labels_of("p1") == tuple(sorted(f"T_{number}" for number in (1, 2, 4, 5, 8, 9)))
    assert {move.concept: move.how for move in moved.moves} == {
        **dict.fromkeys(("T_1", "T_2", "T_9"), "same"),
        **dict.fromkeys(("T:4", "T:5", "T:8"), "new"),
    }


def test_replacements_come_next_and_all_else_needs_a_decision(read: Read) -> None:
    old, new = read(*MIXED_OLD), read(*MIXED_NEW)
    labels = [f"T:{number}" for number in (3, 6, 7, 10, 11, 99)]
    moved = oe.audit.migrate(oe.LabelSets.from_sets({"p1": labels, "p2": ["T:10"]}), old, new)
    assert moved.sets.labels_of("p1") == ("T_8",)
    how = {move.concept: (move.becomes, move.how, move.labels) for move in moved.moves}
    assert how == {
        "T:11": ("T_8", "replaced", 1),
        "T_3": ("", "split", 1),
        "T:7": ("", "split", 1),
        "T:6": ("", "split", 1),
        "T:10": ("", "split", 2),
        "T:99": ("", "unknown", 1),
    }
    notes = {move.concept: move.notes for move in moved.moves}
    assert notes["T:10"] == ("the new version names 'T_1 (water)' for it",), "one to consider is named alone"
    assert notes["T:6"] == ("the old version names 'T_2 (lake)' for it",)


def test_moves_are_listed_with_what_is_open_first(read: Read) -> None:
    old, new = read(*OLD), read("1 water", "2 loch | is_a: T:1", "3 pond | is_a: T:1")
    sets = oe.LabelSets.from_sets(
        [["T_1", "T_2", "T_4"], ["T_1", "T_3"]], vocabulary=old.hierarchy().vocabulary
    )
    moved = oe.audit.migrate(sets, old, new)
    assert [move.concept for move in moved.moves] == ["T_4", "T_2", "T_1", "T_3"]
    assert [move.concept for move in moved.open] == ["T_4"]
    assert [move.concept for move in moved.noted] == ["T_2"]
    assert [row[2] for row in moves_table(moved.moves).rows] == ["?", "T_2", "T_1", "T_3"]


def test_an_ontology_knows_the_choices(read: Read) -> None:
    new = read("1 water", "4 gone | is_obsolete: true | consider: T:1")
    assert new.considered["T:4"] == ("T_1",)


def test_decisions_are_read_from_a_log(write: Write) -> None:
    path = write("concept,label,becomes\na,A,b\nc,C,?\nd,D,-\na,A,b\n", "log.csv")
    assert read_decisions(path) == {"a": "b", "d": ""}
    with pytest.raises(InputError, match="row 3: 'a' becomes 'b' and 'c'"):
        read_decisions(write("concept,becomes\na,b\na,c\n", "log.csv"))


# The command line.


@pytest.fixture
def arguments(write: Write, tmp_path: Path) -> list[str]:
    labels = write("id,labels\np1,lake;pond\np2,sea\np3,\n", "labels.csv")
    old = write(obo(*OLD), "old.obo")
    new = write(obo("1 water", "2 lake | alt_id: T:3", "9 ocean | is_a: T:1"), "new.obo")
    return ["migrate", str(labels), "--from", str(old), "--to", str(new), "-o", str(tmp_path / "moved.csv")]


def test_the_command_writes_labels_and_a_log_and_touches_nothing_else(
    arguments: list[str], tmp_path: Path
) -> None:
    before = Path(arguments[1]).read_bytes()
    shown = call(*arguments).stdout
    assert "Needs a decision" in shown
    assert "To be looked at" in shown
    moved = (tmp_path / "moved.csv").read_text(encoding="utf-8")
    assert moved.splitlines() == ["id,labels", "p1,lake", "p2,", "p3,"]
    with (tmp_path / "moved.csv.log.csv").open(encoding="utf-8", newline="") as file:
        log = {row["concept"]: row for row in csv.DictReader(file)}
    assert (log["T_4"]["becomes"], log["T_4"]["how"]) == ("?", "removed")
    assert log["T_3"]["how"] == "merged"
    assert Path(arguments[1]).read_bytes() == before


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (".", "--out='.': expected the name of a file: this is a folder"),
        ("folder", "this is a folder"),
        ("moved.parquet", "expected a name for a table of text, such as moved.csv or moved.csv.gz"),
        ("moved.JSON.gz", "such as moved.csv or moved.csv.gz"),
        ("moved.tsv", "such as moved.csv"),
    ],
)
def test_a_name_that_promises_something_else_is_refused(
    name: str,
    problem: str,
    arguments: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    assert problem in refusal([*arguments[:-1], name], capsys, monkeypatch)
    assert sorted(tmp_path.iterdir()) == before


def test_blanks_between_labels_stay(arguments: list[str], tmp_path: Path) -> None:
    Path(arguments[1]).write_text("id,labels\np1,T:2 T:1\np2,T:1\n", encoding="utf-8")
    call(*arguments)
    moved = (tmp_path / "moved.csv").read_text(encoding="utf-8")
    assert moved.splitlines() == ["id,labels", "p1,T:1 T:2", "p2,T:1"]


def test_labels_are_packed_where_the_name_says_so(arguments: list[str], tmp_path: Path) -> None:
    call(*arguments[:-1], str(tmp_path / "moved.csv.gz"))
    with gzip.open(tmp_path / "moved.csv.gz", "rt") as file:
        assert file.read().splitlines() == ["id,labels", "p1,lake", "p2,", "p3,"]


def test_a_log_with_its_question_marks_replaced_settles_everything(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = refusal([*arguments, "--strict"], capsys, monkeypatch, code=1)
    assert "1 label of 1 concept ('T_4') would be lost, so nothing was written" in said
    assert not (tmp_path / "moved.csv").exists()
    call(*arguments, "--log", str(tmp_path / "log.csv"))
    log = (tmp_path / "log.csv").read_text(encoding="utf-8")
    (tmp_path / "decided.csv").write_text(log.replace("?", "ocean"), encoding="utf-8")
    decided = (
        *arguments,
        "--decisions",
        str(tmp_path / "decided.csv"),
        "--strict",
    )
    assert call(*decided).exit_code == 0
    moved = (tmp_path / "moved.csv").read_text(encoding="utf-8")
    assert moved.splitlines() == ["id,labels", "p1,lake", "p2,ocean", "p3,"]


@pytest.mark.parametrize(
    ("labels", "moved"),
    [
        ("id,labels\np1,T:2|T:1\np2,T:4\n", "id,labels\np1,T:1|T:2\np2,T:4\n"),
        ("sample,concept\np1,Lake\np2,sea\n", "sample,concept\np1,Lake\np2,sea\n"),
        ("sample,concept,score\np1,T_2,0.9\n", "sample,concept\np1,T_2\n"),
    ],
)
def test_labels_are_written_as_the_file_writes_them(
    labels: str, moved: str, arguments: list[str], tmp_path: Path
) -> None:
    Path(arguments[1]).write_text(labels, encoding="utf-8")
    scored = ["--threshold", "0.5"] if "score" in labels else []
    done = call(*arguments[:5], arguments[3], *arguments[6:], *scored)
    assert ("are written, without their scores" in done.output) == bool(scored)
    assert (tmp_path / "moved.csv").read_text(encoding="utf-8") == moved


def test_no_labels_are_written_where_the_log_cannot_be(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "this is a folder" in refusal([*arguments, "--log", str(tmp_path)], capsys, monkeypatch)
    assert not (tmp_path / "moved.csv").exists()


def test_the_command_prints_all_moves_as_json(arguments: list[str]) -> None:
    found = json.loads(call(*arguments, "--format", "json").stdout)
    assert {row["concept"]: row["how"] for row in found["rows"]} == {
        "T_2": "same",
        "T_3": "merged",
        "T_4": "removed",
    }


def test_between_equal_versions_nothing_vanishes_with_exit_code_0(write: Write, tmp_path: Path) -> None:
    labels = write("id,labels\np1,lake;T:10;T:99\np2,T:99\np3,T:11;T:8\n", "labels.csv")
    version, out = write(obo(*MIXED_NEW), "new.obo"), tmp_path / "moved.csv"
    done = call("migrate", labels, "--from", version, "--to", version, "-o", out)
    assert done.exit_code == 1
    shown = " ".join((done.stdout + done.stderr).split())
    assert "NOT in the new file, because no decision was made: 3 labels of 2 concepts" in shown
    assert "No label left in 1 sample: 'p2'" in shown
    assert "drop" not in shown
    assert out.read_text(encoding="utf-8").splitlines() == ["id,labels", "p1,lake", "p2,", "p3,T:8"]


@pytest.mark.parametrize("option", [("--unknown", "drop"), ("--close",), ("--repeats", "max")])
def test_options_that_change_labels_on_the_way_are_refused(
    option: tuple[str, ...],
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    message = refusal([*arguments, *option], capsys, monkeypatch)
    assert "labels are moved as they are, and unknown ones listed" in message


def test_spellings_of_one_concept_are_one_label(arguments: list[str], tmp_path: Path) -> None:
    Path(arguments[1]).write_text(
        "id,labels\np1,Lake;lake;T:2\np2,LAKE;ca\u0301\np3,c\u00e1\n", encoding="utf-8"
    )
    done = call(*arguments)
    assert (tmp_path / "moved.csv").read_text(encoding="utf-8").splitlines()[1] == "p1,LAKE"
    assert done.exit_code == 1


def test_samples_with_several_rows_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(arguments[1]).write_text("id,labels\np1,lake\np1,pond\n", encoding="utf-8")
    assert "1 sample with several rows: 'p1'" in refusal(arguments, capsys, monkeypatch)


@pytest.mark.parametrize("place", [1, 3, 5])
def test_the_command_never_writes_over_what_it_reads(
    arguments: list[str], place: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Path(arguments[place]).read_bytes()
    message = refusal([*arguments[:-1], arguments[place]], capsys, monkeypatch)
    assert "another name: a file that is read lies there" in message
    assert Path(arguments[place]).read_bytes() == before
