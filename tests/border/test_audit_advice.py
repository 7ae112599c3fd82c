"""What an audit advises: nothing that would destroy labels on evidence against the ontology."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from tests.commands import call

FACETS = ("Operation", "Topic", "Data", "Format")
"""Top branches that exclude each other, as tools are described by one of each."""


def facets() -> str:
    """An ontology as OWL is often written: disjoint top branches, and restrictions across them."""
    head = "owl rdfs".split(), ("http://www.w3.org/2002/07/owl#", "http://www.w3.org/2000/01/rdf-schema#")
    lines = [f"@prefix {name}: <{iri}> ." for name, iri in zip(*head, strict=True)] + [
        "@prefix e: <urn:e#> ."
    ]
    lines += [f"e:{p} a owl:ObjectProperty ." for p in ("has_topic", "is_format_of")]
    for facet in FACETS:
        others = ", ".join(f"e:{other}" for other in FACETS if other != facet)
        lines.append(f'e:{facet} a owl:Class ; rdfs:label "{facet}" ; owl:disjointWith {others} .')
        for number in range(8):
            lines.append(f"e:{facet.lower()}_{number} a owl:Class ; rdfs:subClassOf e:{facet} .")
    for number in range(8):
        for one, relation, other in (("operation", "has_topic", "topic"), ("format", "is_format_of", "data")):
            some = (
                f"[ a owl:Restriction ; owl:onProperty e:{relation} ; owl:someValuesFrom e:{other}_{number} ]"
            )
            lines.append(f"e:{one}_{number} rdfs:subClassOf {some} .")
    lines.append("e:operation_gone a owl:Class ; owl:deprecated true .")
    return "\n".join(lines) + "\n"


def tools() -> str:
    """Forty tools, each with labels of all branches; two labels are wrong beyond doubt."""
    rows = []
    for number in range(40):
        labels = [f"operation_{number % 8}", f"topic_{number % 7}", f"data_{number % 5}"]
        labels += [f"format_{number % 8}"] * (number % 10 > 0) + ["operation_gone"] * (number == 7)
        rows.append(f"tool{number},{'|'.join([*labels, *['topic_99'] * (number == 9)])}\n")
    return "id,labels\n" + "".join(rows)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("facets.ttl").write_text(facets(), encoding="utf-8")
    Path("tools.csv").write_text(tools(), encoding="utf-8")
    return tmp_path


def findings(*arguments: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(call("audit", *arguments, "--format", "json").stdout)["findings"]
    return found


def rules(*arguments: object) -> set[str]:
    return {finding["rule"] for finding in findings(*arguments)}


TOOLS = "tools.csv", "--ontology", "facets.ttl"

# rules of the ontology ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_rules_that_no_label_set_can_satisfy_are_one_note_on_the_ontology() -> None:
    found = findings(*TOOLS)
    (note,) = (one for one in found if one["rule"] == "unmeetable")
    assert note["severity"] == "note"
    assert "No label set can satisfy 16 rules" in note["explanation"]
    assert (note["explanation"].count(" requires "), "and 11 more" in note["explanation"]) == (5, True)
    assert note["fix"].endswith("Do not delete labels.")
    assert "--axioms" in note["fix"]
    assert {one["rule"] for one in found if one["severity"] == "error"} == {"unknown", "deprecated"}
    assert not any("emove" in (one["fix"] or "") for one in found)


@pytest.mark.usefixtures("folder")
def test_a_rule_that_most_of_its_samples_break_is_a_question() -> None:
    asked = [one for one in findings(*TOOLS) if one["rule"] == "systematic-exclusion"]
    assert {one["severity"] for one in asked} == {"warning"}
    assert len(asked) == 6, "each pair of the four branches"
    assert all("Does this rule apply to labels?" in one["explanation"] for one in asked)
    assert not any("emove" in one["fix"] for one in asked)
    shown = call("audit", *TOOLS).stdout
    assert shown.count("Does the rule apply to labels?") == 1


def test_a_rule_that_few_of_its_samples_break_is_an_error() -> None:
    hierarchy = oe.Hierarchy.from_edges(
        [("pet", "cat"), ("pet", "dog"), ("all", "food")],
        exclusions=[oe.core.Exclusion("cat", "dog")],
        requirements=[oe.core.Requirement("pet", ("food",))],
    )

    def rules_of(rows: list[str]) -> set[str]:
        sets = oe.LabelSets.from_sets([row.split() for row in rows])
        return {one.rule for one in oe.audit_labels(sets, hierarchy) if one.severity != "note"}

    assert rules_of(["cat dog food"] * 3 + ["cat food", "dog food"] * 3) == {"exclusion"}
    assert rules_of(["cat dog food"] * 4 + ["cat food", "dog food"] * 3) == {"systematic-exclusion"}
    assert rules_of(["cat"] * 3 + ["dog food"] * 3) == {"requirement"}
    assert rules_of(["cat"] * 4 + ["dog food"] * 3) == {"systematic-requirement"}
    for relation in ("", "hasPersons", "is_identifier_of"):
        needs = [oe.core.Requirement("pet", ("food",), relation)]
        asking = oe.Hierarchy.from_edges([("pet", "cat"), ("all", "food")], requirements=needs)
        (found,) = oe.audit_labels([["cat"], ["cat", "food"]], asking).of("requirement")
        assert (found.severity == "warning") == (found.certainty == "question") == (relation[:2] == "is")


def test_an_exclusion_below_classes_whose_exclusion_is_a_question_is_one_too() -> None:
    hierarchy = oe.Hierarchy.from_edges(
        [("data", "report"), ("data", "identifier"), ("format", "xml"), ("pet", "cat"), ("pet", "dog")],
        exclusions=[oe.core.Exclusion(*pair) for pair in (("data", "format"), ("report", "identifier"))]
        + [oe.core.Exclusion("cat", "dog")],
    )
    both = ["report identifier", "cat dog"]
    rows = ["report xml"] * 6 + ["identifier xml"] * 6 + both + ["cat", "dog"] * 3
    found = {
        one.rule: one for one in oe.audit_labels(oe.LabelSets.from_sets(map(str.split, rows)), hierarchy)
    }
    below = found["doubtful-exclusion"]
    assert (below.concepts, below.count, below.severity) == (("identifier", "report"), 1, "warning")
    assert "classes whose exclusions most samples break ('data')" in below.explanation
    assert "emove" not in "".join([below.fix or "", *below.common])
    assert found["exclusion"].concepts == ("cat", "dog"), "not below such classes"
    few = [*rows, *["report", "xml"] * 40]
    rules = {one.rule: one for one in oe.audit_labels(oe.LabelSets.from_sets(map(str.split, few)), hierarchy)}
    assert "doubtful-exclusion" not in rules, "few samples break the exclusion above"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("axioms", "expected"),
    [
        ("all", {"systematic-exclusion", "unmeetable"}),
        ("exclusions", {"systematic-exclusion"}),
        ("off", set[str]()),
    ],
)
def test_rules_of_the_ontology_can_be_switched_off_for_labels(axioms: str, expected: set[str]) -> None:
    about_axioms = {
        "exclusion",
        "requirement",
        "systematic-exclusion",
        "systematic-requirement",
        "unmeetable",
    }
    assert rules(*TOOLS, "--axioms", axioms) & about_axioms == expected
    Path("rules.toml").write_text(f'[rules]\naxioms = "{axioms}"\n', encoding="utf-8")
    assert rules(*TOOLS, "--rules", "rules.toml") & about_axioms == expected
    assert rules(*TOOLS, "--rules", "rules.toml", "--axioms", "off") & about_axioms == set()
    found = oe.audit_labels("tools.csv", oe.read_ontology("facets.ttl"), axioms=axioms, separator="|")  # type: ignore[arg-type]
    assert {one.rule for one in found} & about_axioms == expected


@pytest.mark.usefixtures("folder")
def test_a_key_that_is_no_choice_of_axioms_is_refused() -> None:
    with pytest.raises(oe.errors.ParameterError, match="axioms='none'"):
        oe.audit_labels("tools.csv", oe.read_ontology("facets.ttl"), axioms="none")  # type: ignore[arg-type]
    Path("rules.toml").write_text("[rules]\naxioms = false\n", encoding="utf-8")
    with pytest.raises(oe.errors.InputError, match="axioms is False"):
        call("audit", *TOOLS, "--rules", "rules.toml")


@pytest.mark.usefixtures("folder")
def test_a_corrected_copy_keeps_labels_that_break_rules() -> None:
    call("audit", *TOOLS, "--fix", "fixed.csv")
    assert Path("fixed.csv").read_text(encoding="utf-8") == tools()


def test_the_systematic_error_of_the_imageclef_truth_is_one_finding(data: Path) -> None:
    folder = data / "imageclef2011"
    found = oe.audit_labels(
        folder / "truth.txt",
        oe.read_ontology(folder / "photo_tagging_2011.owl"),
        concepts=folder / "concepts.txt",
        concept_map=folder / "concept_map.csv",
    )
    (both,) = found.of("systematic-exclusion")
    assert (both.count, both.total) == (1254, 1254)
    assert "1,254 of 1,254 samples with 'female' have 'male' too" in both.explanation


# order ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_certain_findings_come_first_wherever_findings_are_shown() -> None:
    with Path("tools.csv").open("a", encoding="utf-8") as file:
        file.write("tool0,topic_1\ntool40,Operation|operation_1\n")
    ordered = [one["rule"] for one in findings(*TOOLS)]
    certain = {"unknown", "deprecated", "conflicting-sample", "redundant-ancestor"}
    assert set(ordered[:4]) == certain
    assert ordered.index("systematic-exclusion") < ordered.index("never-used")
    written = csv.DictReader(io.StringIO(call("audit", *TOOLS, "--format", "csv").stdout))
    assert [row["rule"] for row in written if row["count"]] == ordered
    call("audit", *TOOLS, "--sarif", "a.sarif", "--report", "a.html")
    log = json.loads(Path("a.sarif").read_text(encoding="utf-8"))
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ordered
    page = Path("a.html").read_text(encoding="utf-8")
    places = [page.index(f">{rule}</td>") for rule in dict.fromkeys(ordered)]
    assert places == sorted(places)
    shown = call("audit", *TOOLS).stdout
    places = [shown.index(f"  {rule}") for rule in dict.fromkeys(ordered)]
    assert places == sorted(places)


@pytest.mark.usefixtures("folder")
def test_the_screen_shows_a_few_findings_of_each_rule_and_counts_the_others() -> None:
    with Path("tools.csv").open("a", encoding="utf-8") as file:
        file.writelines(f"more{number},topic_1|strange{number}\n" for number in range(60))
    shown = call("audit", *TOOLS).stdout
    assert shown.count("'strange") + shown.count("'topic_99'") == 5
    assert "… and 56 more findings of this kind" in shown
    assert "systematic-exclusion" in shown, "although there are sixty findings before it"
    assert "57 findings not shown. Show more of each kind with --most NUMBER" in " ".join(shown.split())
    assert "not shown" not in call("audit", *TOOLS, "--most", "100").stdout


# conventions ----------------------------------------------------------------------------------------------

LINKS = "child,parent\ncar,vehicle\nboat,vehicle\nrock,music\njazz,music\noak,wood\nvehicle,\nmusic,\nwood,\n"


def corrected(rows: list[str], *options: str) -> tuple[list[dict[str, Any]], set[tuple[str, str]]]:
    """The findings on ancestors, and what a corrected copy would change."""
    Path("links.csv").write_text(LINKS, encoding="utf-8")
    text = "id,labels\n" + "".join(f"s{number},{row}\n" for number, row in enumerate(rows))
    Path("labels.csv").write_text(text, encoding="utf-8")
    audited = "labels.csv", "--ontology", "links.csv", *options
    found = [one for one in findings(*audited) if "ancestor" in one["rule"] or "convention" in one["rule"]]
    call("audit", *audited, "--fix", "fixed.csv")
    log = csv.DictReader(io.StringIO(Path("fixed.csv.log.csv").read_text(encoding="utf-8")))
    return found, {(row["change"], row["label"]) for row in log}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("present", "change"),
    [
        (10, {("remove", "vehicle")}),
        (11, set[tuple[str, str]]()),
        (89, set[tuple[str, str]]()),
        (90, {("add", "vehicle")}),
    ],
)
def test_a_copy_is_corrected_by_a_clear_convention_alone(present: int, change: set[tuple[str, str]]) -> None:
    rows = ["car;vehicle"] * present + ["car"] * (100 - present)
    found, changes = corrected(rows)
    assert changes == change
    (finding,) = found
    assert finding["fixable"] is bool(change)
    assert (finding["rule"] == "mixed-convention") is not bool(change)
    assert corrected(rows, "--convention", "closed")[1] == {("add", "vehicle")}
    assert corrected(rows, "--convention", "most-specific")[1] == {("remove", "vehicle")}


@pytest.mark.usefixtures("folder")
def test_ancestors_that_the_file_never_uses_do_not_count() -> None:
    found, changes = corrected(["car;vehicle"] * 20 + ["oak"] * 70)
    assert (found, changes) == ([], set())


@pytest.mark.usefixtures("folder")
def test_each_ancestor_is_judged_by_its_own_samples() -> None:
    found, changes = corrected(["car;vehicle"] * 49 + ["boat"] + ["rock"] * 49 + ["jazz;music"])
    assert {(one["rule"], *one["concepts"], one["count"]) for one in found} == {
        ("missing-ancestor", "boat", "vehicle", 1),
        ("redundant-ancestor", "music", 1),
    }
    assert changes == {("add", "vehicle"), ("remove", "music")}


@pytest.mark.usefixtures("folder")
def test_an_ancestor_that_most_samples_with_a_label_lack_is_a_question_and_no_error() -> None:
    rows = ["car;vehicle"] * 60 + ["boat"] * 3 + ["boat;vehicle"] * 2
    found, changes = corrected(rows)
    (boat,) = found
    assert (boat["rule"], boat["severity"], boat["count"], boat["total"]) == (
        "doubtful-ancestor",
        "warning",
        3,
        5,
    )
    assert "may be wrong for labels" in boat["explanation"]
    assert "If it is wrong, remove it. If not, add 'vehicle'" in boat["fix"]
    assert not changes
    (boat,), changes = corrected(rows, "--convention", "closed")
    assert (boat["rule"], boat["severity"], changes) == ("missing-ancestor", "error", {("add", "vehicle")})
    (boat,), _ = corrected([*rows, "boat;vehicle"])
    assert boat["rule"] == "missing-ancestor", "half of the samples are not most of them"


@pytest.mark.usefixtures("folder")
def test_ancestors_without_a_clear_convention_are_listed_by_descendant_with_samples() -> None:
    rows = ["car;vehicle"] * 30 + ["car"] * 10 + ["rock;music"] * 10 + ["rock"] * 30 + ["oak"] * 5 + ["wood"]
    found, changes = corrected(rows)
    assert {(one["rule"], *one["concepts"], one["count"], one["total"]) for one in found} == {
        ("mixed-convention", "car", "vehicle", 10, 40),
        ("mixed-convention", "rock", "music", 30, 40),
        ("mixed-convention", "oak", "wood", 5, 5),
    }
    (rock,) = (one for one in found if one["concepts"] == ["rock", "music"])
    assert rock["samples"][0] == "s50"
    assert "'music', 10 of 40 have it" in rock["explanation"]
    assert "the link in the ontology or the concept map" in rock["fix"]
    assert not changes


@pytest.mark.usefixtures("folder")
def test_ancestors_that_are_clear_are_judged_in_a_mixed_file_and_not_corrected() -> None:
    mixed = ["car;vehicle"] * 60 + ["car"] * 60
    found, changes = corrected([*mixed, *["rock;music"] * 19, "rock", *["oak"] * 19, "oak;wood"])
    assert {(one["rule"], *one["concepts"], one["count"]) for one in found} == {
        ("mixed-convention", "car", "vehicle", 60),
        ("missing-ancestor", "rock", "music", 1),
        ("redundant-ancestor", "wood", 1),
    }
    assert not changes, (
        "a file without a convention of its own is corrected by a convention that is asked for"
    )


def test_a_copy_of_audioset_is_not_changed_by_a_convention_that_it_does_not_have(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    segments = data / "labels" / "audioset_eval" / "eval_segments.csv"
    lines = [line for line in segments.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    rows = csv.reader(lines[1:], skipinitialspace=True)
    labels = [f"{row[0]}_{row[1]},{row[3].replace(',', '|')}\n" for row in rows]
    Path("labels.csv").write_text("id,labels\n" + "".join(labels), encoding="utf-8")
    audited = "labels.csv", "--ontology", data / "ontologies" / "audioset" / "ontology.json"
    found = findings(*audited, "--separator", "|")
    counts = Counter(one["rule"] for one in found if one["severity"] != "note")
    assert counts == {"missing-ancestor": 12, "redundant-ancestor": 25, "mixed-convention": 315}
    assert sum(one["count"] for one in found if one["rule"] == "missing-ancestor") == 28
    assert not any(one["fixable"] for one in found)
    call("audit", *audited, "--separator", "|", "--fix", "fixed.csv")
    assert Path("fixed.csv").read_bytes() == Path("labels.csv").read_bytes()


# samples --------------------------------------------------------------------------------------------------


def same_labels(sets: list[list[str]], edges: list[tuple[str, str]]) -> tuple[str, ...]:
    hierarchy = oe.Hierarchy.from_edges(edges, concepts=sorted({label for one in sets for label in one}))
    found = oe.audit_labels(oe.LabelSets.from_sets(sets), hierarchy).of("same-labels")
    return found[0].samples if found else ()


def test_samples_with_the_same_frequent_labels_are_not_reported() -> None:
    often = [["sky", "trees"], ["sky"], ["trees"]] * 40
    assert same_labels(often, []) == ()
    chain = [(f"c{number}", f"c{number + 1}") for number in range(30)]
    closed = [f"c{number}" for number in range(31)]
    assert same_labels([*often, closed, closed], chain) == (), "what is certain is no coincidence"


def test_samples_with_the_same_rare_labels_are_reported() -> None:
    often = [["sky", "trees"], ["sky"], ["trees"]] * 40
    rare = [f"rare{number}" for number in range(6)]
    alone = [[label] for label in rare] * 3
    assert same_labels([*often, *alone, rare, rare], []) == ("138", "139")


def test_many_copies_of_a_rare_set_are_reported_however_frequent_they_make_its_labels() -> None:
    others = [[f"tag{number % 40}", f"tag{(7 * number + 1) % 40}"] for number in range(300)]
    copies = [["tag0", "tag5", "tag9", "tag13", "tag22", "tag30"]] * 20
    assert len(same_labels([*others, *copies], [])) == 5, "examples"
    assert same_labels([*others, *copies], []) == tuple(map(str, range(300, 305)))
    assert same_labels(others, []) == (), "the clean twin"
    together, apart = [list("abcd")] * 20, [[label] for label in "abcd"] * 25
    often = [*together, *apart, *([] for _ in range(19_880))]
    assert same_labels(often, []) == (), "labels that go together repeat their set by themselves"


@pytest.mark.usefixtures("folder")
def test_a_name_beside_the_same_name_with_a_file_ending_is_told() -> None:
    names = ["img001.jpg", "img002.jpg", "img002.png", "img003", "x.1", "v", "v.2", "IMG003.JPG", "img004"]
    rows = "".join(f"{name},car\n" for name in names)
    Path("labels.csv").write_text("id,labels\n" + rows, encoding="utf-8")
    Path("links.csv").write_text(LINKS, encoding="utf-8")
    found = findings("labels.csv", "--ontology", "links.csv")
    (similar,) = (one for one in found if one["rule"] == "similar-sample")
    assert (similar["samples"], similar["count"]) == (["img003", "IMG003.JPG"], 2)
    assert "a file ending" in similar["explanation"]


PHOTOS = [f"photos/{number:03}.jpg" for number in range(30)]
LEAVES = [f"leaf {number}" for number in range(12)]
CLOSED, SPECIFIC = ["oak;wood"] * 30, ["oak"] * 30
SLIPS = {
    "a no-break space": (PHOTOS, [*["oak"] * 29, "oak\xa0"], ("spelling", "photos/029.jpg")),
    "zeros of a label": (PHOTOS, [*["7"] * 29, "0007"], ("spelling", "photos/029.jpg")),
    "zeros of a sample": ([*map(str, range(30)), "0007"], ["oak"] * 31, ("similar-sample", "7")),
    "a dot": ([*PHOTOS, "./photos/007.jpg"], ["oak"] * 31, ("similar-sample", "photos/007.jpg")),
    "no folder": ([*PHOTOS, "007.jpg"], ["oak"] * 31, ("similar-sample", "photos/007.jpg")),
    "all ticked": (PHOTOS, [*LEAVES, *LEAVES, *LEAVES[:5], ";".join(LEAVES)], ("all-labels", PHOTOS[29])),
    "a turn": (
        PHOTOS * 2,
        CLOSED + SPECIFIC,
        ("mixed-convention", "at sample 's030' (row 32): ancestors are"),
    ),
    "numbers": ([f"{number:04}" for number in range(30)], ["7", "8", "12"] * 10, None),
    "two folders": ([*PHOTOS, *(name[7:] for name in PHOTOS)], ["oak"] * 60, None),
    "names with dots": (["phylo", "phylo.io", "sbml", "sbml.jl", "a/1.5", "1.5"], ["oak"] * 6, None),
    "half ticked": (PHOTOS, [*LEAVES, *LEAVES, *LEAVES[:5], ";".join(LEAVES[:6])], None),
    "turn and turn about": (
        PHOTOS * 2,
        [*CLOSED[:15], *SPECIFIC, *CLOSED[15:]],
        ("mixed-convention", "whether it is there"),
    ),
}
"""Samples, labels, and the rule that they break with a part of its finding; None for clean twins."""


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("slip", SLIPS)
def test_slips_of_names_and_labels_are_found_and_clean_twins_are_not(slip: str) -> None:
    names, labels, wanted = SLIPS[slip]
    names = names if len({*names}) == len(names) else [f"s{number:03}" for number in range(len(names))]
    rows = "".join(f"{name},{label}\n" for name, label in zip(names, labels, strict=True))
    Path("labels.csv").write_text("id,labels\n" + rows, encoding="utf-8")
    links = "".join(f"{leaf},leaves\n" for leaf in [*LEAVES, "7", "8", "12"])
    Path("links.csv").write_text("child,parent\noak,wood\n" + links, encoding="utf-8")
    asked = [] if labels[0] == "7" else ["--ontology", "links.csv"]
    quiet = {"never-used", "used-once", "same-labels"}
    found = [one for one in findings("labels.csv", *asked) if one["rule"] not in quiet]
    if wanted is None:
        assert not found
    else:
        (one,) = found
        assert one["rule"] == wanted[0]
        assert wanted[1] in "; ".join([*one["samples"], one["explanation"]])
        assert ("convention changes" in one["explanation"]) == (slip == "a turn")


# replacements ---------------------------------------------------------------------------------------------

OBSOLETE = "format-version: 1.2\n\n[Term]\nid: T:2\nname: dog\n" + "".join(
    f"\n[Term]\nid: T:{number}\nname: {name}\nis_obsolete: true\n{other and f'replaced_by: {other}'}\n"
    for number, name, other in [
        (5, "sheep", "T:99"), (6, "goat", "T:5"), (7, "yak", ""), (8, "ox", "T:9"), (9, "cow", "T:8"),
    ]
)  # fmt: skip


def test_a_broken_replacement_is_named(tmp_path: Path) -> None:
    Path(tmp_path, "x.obo").write_text(OBSOLETE, encoding="utf-8")
    Path(tmp_path, "labels.csv").write_text("id,labels\np1,T:6\np2,T:5\np3,T:7\np4,T:8\n", encoding="utf-8")
    found = oe.audit_labels(tmp_path / "labels.csv", oe.read_ontology(tmp_path / "x.obo")).of("deprecated")
    assert {one.concepts[0]: one.explanation.partition("or leave it out. ")[2] for one in found} == {
        "T:6": "Its replacement 'T:5 (sheep)' is obsolete too.",
        "T:5": "Its replacement 'T:99' does not exist.",
        "T:7": "The ontology names no replacement.",
        "T:8": "Its replacement 'T:9 (cow)' leads back to it.",
    }
