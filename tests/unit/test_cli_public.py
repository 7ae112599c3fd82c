"""Under --public nothing that is printed or written says what the truth holds; see sessions/public.md too."""

from __future__ import annotations

import itertools
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


def test_a_public_report_and_a_public_recipe_tell_nothing_of_the_truth(call: Call) -> None:
    chosen = ["--ontology", "onto.ttl", "--abstract", "top", "--resamples", "5", "--public", "-m", "OS"]
    for truth in ("is fine", "breaks rules"):
        code, said = call(TRUTHS[truth], *chosen, "--report", "out/report.html", command="compare")
        assert code == 0
        assert "<html" in said
        assert not [mark for mark in (*MARKS, "The truth breaks") if mark in said]


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
