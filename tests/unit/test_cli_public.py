"""Under --public nothing that is printed or written says what the truth holds."""

from __future__ import annotations

import itertools
import re
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.benchmarks.inputs import withholding
from ontoeval.cli import main
from ontoeval.errors import InputError, ParameterError
from ontoeval.plumbing.writing import tells_the_truth

MARKS = ("qqtruthone", "qqtruthtwo", "qqtruththree", "qqsample", "qqsecond")
"""Words that only the truth uses: labels, and a sample."""

ONTOLOGY = """@prefix : <http://example.org/#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:top a owl:Class .
:a a owl:Class ; rdfs:subClassOf :top .
:b a owl:Class ; rdfs:subClassOf :top .
:qqtruthone a owl:Class ; rdfs:subClassOf :a ; owl:disjointWith :qqtruthtwo .
:qqtruthtwo a owl:Class ; rdfs:subClassOf :b .
:qqtruththree a owl:Class ; rdfs:subClassOf :b .
"""

RUN = "id,labels\n1,a\n2,b\n"
GOOD = "id,labels\n1,qqtruthone;a\n2,qqtruthtwo;qqtruthone\n"

TRUTHS = {
    "is fine": GOOD,
    "breaks rules": "id,labels\n1,qqtruthone;qqtruthtwo\n2,qqtruthone;qqtruthtwo\n",
    "has an unknown label": "id,labels\n1,qqtruthonee\n2,qqtruthtwo\n",
    "has an abstract label": "id,labels\n1,top;qqtruthone\n2,b\n",
    "has a sample twice": "id,labels\nqqsample,a\nqqsample,b\n",
    "has samples of its own": "id,labels\n1,qqtruthone\n2,b\nqqsample,b\n",
    "has other samples": "id,labels\nqqsample,b\nqqsecond,qqtruthone\n",
    "is no table": "qqtruthone qqtruthtwo\n",
    "has columns of its own": "id,labels,qqtruthone\n1,a,0\n2,b,1\n",
    "holds scores": "sample,concept,score\n1,qqtruthone,0.5\n2,b,0.5\n",
    "has a quote": 'id,labels\n1,"qqtruthone\n2,b\n',
    "repeats labels": "id,labels\n1,qqtruthone;qqtruthone\n2,b\n",
    "names a CURIE": "sample,concept\n1,http://example.org/#qqtruthone\n2,qqtruthtwo\n",
    "is empty": "",
}
OPTIONS = {
    "plain": [],
    "lenient": ["--missing", "empty", "--unknown", "drop"],
    "closed": ["--close", "--missing", "empty"],
    "single labels": ["-m", "Severity", "-m", "F(average='macro')"],
    "of pairs": ["-m", "OS", "-m", "hF", "-m", "ICM", "--information-from", "truth.csv"],
    "weighted": ["--agreement", "agreement.csv", "--agreement-default", "1", "-m", "OS"],
}
COMMANDS = {
    "score": [],
    "compare": ["--resamples", "5", "--baseline", "prior", "--by", "branch", "--by", "split.csv"],
}
FORMATS = ("table", "csv", "json", "latex", "markdown")

Call = Callable[..., tuple[int, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Call the command line in a folder, and give its exit code with all that it printed and wrote."""
    monkeypatch.chdir(tmp_path)
    Path("onto.ttl").write_text(ONTOLOGY, encoding="utf-8")
    Path("run.csv").write_text(RUN, encoding="utf-8")
    Path("agreement.csv").write_text("concept,agreement\na,0.5\n", encoding="utf-8")
    Path("concepts.txt").write_text("concept\na\nb\nqqtruthone\nqqtruthtwo\nqqtruththree\n", encoding="utf-8")

    Path("split.csv").write_text("id,split\n1,x\n2,y\n", encoding="utf-8")

    def run(truth: str, *arguments: str, command: str = "score") -> tuple[int, str]:
        Path("truth.csv").write_text(truth, encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["ontoeval", command, "truth.csv", "run.csv", *arguments])
        try:
            main()
            code = 0
        except SystemExit as ended:
            code = int(str(ended.code or 0))
        printed = capsys.readouterr()
        written = [path.read_text(encoding="utf-8") for path in sorted(Path().glob("out/*"))]
        return code, "\n".join([printed.out, printed.err, *written])

    return run


@pytest.mark.no_cover
@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_output_holds_a_label_or_a_sample_of_the_truth(
    truth: str, options: str, command: str, call: Call
) -> None:
    chosen = [
        "--ontology",
        "onto.ttl",
        "--abstract",
        "top",
        *OPTIONS[options],
        *COMMANDS[command],
        "--public",
    ]
    # The tables of a comparison are all in the folder, whatever is printed.
    for number, output in enumerate(FORMATS if command == "score" else ("table", "json")):
        code, said = call(TRUTHS[truth], *chosen, "--format", output, "-o", "out", command=command)
        assert not [mark for mark in MARKS if mark in said], said
        assert code in {0, 3}
        assert "Traceback" not in said
        if code:  # what is refused is refused in any format
            assert any(f"{name}.csv" in said for name in ("truth", "run", "split")), said
            assert number == 0
            break


@pytest.mark.no_cover
def test_without_it_the_same_truths_are_told(call: Call) -> None:
    """Or else the test above could not fail."""
    told = [
        truth
        for truth, options in itertools.product(TRUTHS, OPTIONS)
        for _, said in [call(TRUTHS[truth], "--ontology", "onto.ttl", "--abstract", "top", *OPTIONS[options])]
        if any(mark in said for mark in MARKS)
    ]
    assert {"breaks rules", "has an unknown label", "has a sample twice", "has other samples"} <= set(told)


def test_scores_of_a_public_leaderboard_are_those_of_any_other(call: Call) -> None:
    chosen = ["--ontology", "onto.ttl", "-m", "OS", "-m", "F", "--format", "csv"]
    code, said = call(GOOD, *chosen)
    public_code, public = call(GOOD, *chosen, "--public")
    assert code == public_code == 0
    assert public.splitlines()[:2] == said.splitlines()[:2]
    assert "truth.csv: the truth, which is not described" in public
    assert "run.csv: wide CSV" in public


def test_a_folder_of_public_results_holds_no_scores_of_samples_or_concepts(call: Call) -> None:
    assert call(GOOD, "--ontology", "onto.ttl", "--public", "-o", "out")[0] == 0
    names = {path.name for path in Path("out").iterdir()}
    assert names == {"leaderboard.csv", "leaderboard.json", "leaderboard.tex", "recipe.txt"}


def test_a_public_report_and_a_public_recipe_tell_nothing_of_the_truth(call: Call) -> None:
    chosen = ["--ontology", "onto.ttl", "--abstract", "top", "--resamples", "5", "--public", "-m", "OS"]
    for truth in ("is fine", "breaks rules"):
        code, said = call(TRUTHS[truth], *chosen, "--report", "out/report.html", command="compare")
        assert code == 0
        assert "<html" in said
        assert not [mark for mark in (*MARKS, "The truth breaks") if mark in said]


def test_groups_so_small_that_they_tell_single_scores_are_pooled(call: Call) -> None:
    rows = [f"{sample},qqtruthone" for sample in range(12)]
    Path("run.csv").write_text("\n".join(["id,labels", *(f"{s},a" for s in range(12))]) + "\n", "utf-8")
    groups = [f"{sample},{'large' if sample < 6 else f'single {sample}'}" for sample in range(11)]
    Path("split.csv").write_text("\n".join(["id,split", *groups]) + "\n", encoding="utf-8")
    options = ["--ontology", "onto.ttl", "--public", "--by", "split.csv", "--by", "level", "--resamples", "5"]
    code, said = call("\n".join(["id,labels", *rows]) + "\n", *options, "--format", "csv", command="compare")
    assert code == 0
    assert "split,large," in said
    assert 'split,"' in said
    assert "split,single" not in said
    assert "level,depth 1" not in said
    assert "by split, level: what has fewer than 5 members is pooled (--public)" in said


def test_a_list_of_concepts_is_enough(call: Call) -> None:
    code, said = call(GOOD, "--concepts", "concepts.txt", "--public")
    assert code == 0
    assert not [mark for mark in MARKS if mark in said]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "an --ontology or a list of --concepts beside it"),
        (["--ontology", "onto.ttl", "--per-sample", "x.csv"], "these tell the truth"),
        (["--ontology", "onto.ttl", "--per-concept", "x.csv"], "these tell the truth"),
    ],
)
def test_what_would_tell_the_truth_is_refused(options: list[str], message: str, call: Call) -> None:
    code, said = call(GOOD, "--public", *options)
    assert code == 3
    assert message in said
    assert not Path("x.csv").exists()


def test_samples_that_a_run_has_are_listed_and_those_of_the_truth_counted(call: Call) -> None:
    Path("run.csv").write_text("id,labels\n1,a\nmine,b\n", encoding="utf-8")
    code, said = call("id,labels\n1,a\nqqsample,b\n", "--ontology", "onto.ttl", "--public")
    assert code == 3
    assert "run.csv: 1 missing sample; 1 unknown sample ('mine')" in said
    assert "qqsample" not in said


def test_errors_of_the_run_are_told_whole(call: Call) -> None:
    Path("run.csv").write_text("id,labels\n1,aa\n2,b\n", encoding="utf-8")
    code, said = call(GOOD, "--ontology", "onto.ttl", "--public")
    assert code == 3
    assert "run.csv: 1 unknown concept: 'aa' in row 2" in said


def test_scores_are_ranked_in_public_as_well(call: Call) -> None:
    Path("run.csv").write_text("sample,concept,score\n1,a,0.9\n2,b,0.4\n", encoding="utf-8")
    options = ["--ontology", "onto.ttl", "-m", "AUC", "--format", "csv", "--public"]
    code, said = call(GOOD, *options)
    assert (code, said.splitlines()[0]) == (0, "run,AUC")
    assert not [mark for mark in MARKS if mark in said]
    code, said = call("qqtruthone", *options)
    assert (code, "truth.csv: the truth cannot be read as it is. The reason is withheld" in said) == (3, True)


def test_whatever_is_raised_is_withheld_and_no_traceback_shows_it() -> None:
    with (
        pytest.raises(InputError, match=r"^file: problem\. The reason is withheld") as caught,
        withholding("file", "problem", public=True),
    ):
        raise KeyError("secret")
    assert "secret" not in "".join(traceback.format_exception(caught.value))
    with pytest.raises(KeyError), withholding("file", "problem", public=False):
        raise KeyError("open")
    with withholding("file", "problem", public=True):
        pass


def test_nothing_that_is_not_public_stays_in_a_folder_of_results(call: Call) -> None:
    assert call(GOOD, "--ontology", "onto.ttl", "-o", "out")[0] == 0
    assert {"per_sample.csv", "per_concept.csv"} < {path.name for path in Path("out").iterdir()}
    Path("out/mine.txt").touch()
    for output in FORMATS:
        options = ["--ontology", "onto.ttl", "--public", "-o", "out", "--format", output]
        code, said = call(GOOD, *options)
        assert code == 0
        removed = "out: removed what an earlier call has left: 'per_concept.csv', 'per_sample.csv'"
        assert (removed in " ".join(said.split())) == (output == "table"), said
        assert "out: this call has not written 'mine.txt'; check whether these files reveal the truth" in said
        assert not [mark for mark in MARKS if mark in said]
    names = {path.name for path in Path("out").iterdir()}
    assert names == {"leaderboard.csv", "leaderboard.json", "leaderboard.tex", "recipe.txt", "mine.txt"}


@pytest.mark.no_cover
def test_no_figure_that_is_not_public_stays(call: Call) -> None:
    pytest.importorskip("matplotlib")
    options = ["--ontology", "onto.ttl", "-m", "F", "--resamples", "5", "--figures", "drawn"]
    assert call(GOOD, *options, command="compare")[0] == 0
    assert {"concepts.pdf", "confusion.png"} < {path.name for path in Path("drawn").iterdir()}
    Path("drawn/concepts-mine.pdf").touch()
    code, said = call(GOOD, *options, "--public", command="compare")
    assert code == 0
    assert "drawn: removed what an earlier call has left: 'concepts.pdf', 'concepts.png'" in said
    assert "drawn: this call has not written 'concepts-mine.pdf'" in " ".join(said.split())
    left = {path.name for path in Path("drawn").iterdir() if path.stem in {"concepts", "confusion"}}
    assert not left


@pytest.mark.no_cover
def test_nothing_that_tells_the_truth_stays_whatever_command_and_option_have_left_it(call: Call) -> None:
    pytest.importorskip("matplotlib")
    options = ["--ontology", "onto.ttl", "-m", "F"]
    quick = ["--resamples", "5"]
    assert call(GOOD, *options, "-o", "same")[0] == 0
    assert call(GOOD, *options, *quick, "--figures", "same", command="compare")[0] == 0
    everything = {path.name for path in Path("same").iterdir()}
    telling = {name for name in everything if name.startswith(("per_", "concepts", "confusion"))}
    assert len(telling) == 2 + 2 * 3
    code, said = call(GOOD, *options, *quick, "-o", "same", "--public", command="compare")
    assert code == 0
    assert "same: removed what an earlier call has left: 'concepts.pdf'" in " ".join(said.split())
    left = {path.name for path in Path("same").iterdir()}
    assert not telling & left
    assert everything - left == telling  # what says nothing of samples and concepts is another's to remove


@pytest.mark.no_cover
def test_what_is_written_but_in_public_has_a_name_that_is_known_to_tell_the_truth(call: Call) -> None:
    pytest.importorskip("matplotlib")
    options = ["--ontology", "onto.ttl", "-m", "F"]
    for folder, public in (("open", []), ("public", ["--public"])):
        assert call(GOOD, *options, *public, "-o", folder)[0] == 0
        more = ["--resamples", "5", "--figures", folder, "-o", folder]
        assert call(GOOD, *options, *public, *more, command="compare")[0] == 0
    names = {folder: {path.name for path in Path(folder).iterdir()} for folder in ("open", "public")}
    assert names["open"] - names["public"] == {name for name in names["open"] if tells_the_truth(name)}


def test_no_digest_is_made_of_information_that_comes_from_the_truth(call: Call) -> None:
    options = ["--ontology", "onto.ttl", "-m", "ICM", "--information-from", "truth.csv", "-o", "out"]
    for command, more in (("score", ()), ("compare", ("--resamples", "5"))):
        _, open_said = call(GOOD, *options, *more, command=command)
        other = GOOD.replace("2,qqtruthtwo;qqtruthone", "2,qqtruthtwo")
        digests = []
        for truth in (GOOD, other):
            code, said = call(truth, *options, *more, "--public", command=command)
            assert code == 0
            assert "truth.csv, 2 samples (digest withheld)" in said
            assert "truth.csv: information content and accretion come from the truth that is scored" in said
            digests.append(sorted(set(re.findall(r"sha256 (\w+)", said))))
        # The hierarchy carries the information, and its digest must not tell it either.
        assert digests[0] == digests[1]
        assert set(re.findall(r"truth.csv, 2 samples \((\w+)", open_said)) == {"sha256"}


def test_information_from_elsewhere_needs_no_remark(call: Call) -> None:
    Path("train.csv").write_text(GOOD, encoding="utf-8")
    options = ["--ontology", "onto.ttl", "-m", "ICM", "--information-from", "train.csv"]
    assert "come from the truth that is scored" not in call(GOOD, *options)[1]


def test_in_python_values_of_samples_are_refused_as_well(tmp_path: Path) -> None:
    found = oe.compare([["a"], ["b"]] * 4, {"run": [["a"], ["a"]] * 4}, measures="F", resamples=5)
    public = replace(found, public=True)
    for refused in (public.to_long, lambda: public.write_long(tmp_path / "long.csv")):
        with pytest.raises(ParameterError, match="public=True: expected False: values of samples"):
            refused()
    assert not list(tmp_path.iterdir())
    for sections in (["worst"], ["leaderboard", "concepts"]):
        with pytest.raises(
            ParameterError, match=r"expected none but leaderboard, .* others reveal the truth"
        ):
            public.report(sections=sections)
    assert "<html" in public.report()
    assert "<html" in public.report(sections=["leaderboard"])
