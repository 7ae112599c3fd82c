"""Measures of others, named by the module in which they are defined."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import MeasureError
from ontoeval.measures.base import info, measure_blamed
from ontoeval.measures.catalogue import full_name
from ontoeval.measures.notation import import_measure, notation_of
from ontoeval.reports.catalogue import one_measure
from ontoeval.reports.evaluation import best_end
from ontoeval.reports.formats import to_json

MEASURES = '''
from dataclasses import dataclass, field
from ontoeval.errors import ParameterError
from ontoeval.measures.counts import Overlap

@dataclass(frozen=True)
class Excess:
    """How many labels are predicted for each true one."""

    beta: float = 1.0
    among: tuple = field(default_factory=tuple)
    statistic = Overlap()
    source = "nowak2009"

    def __post_init__(self):
        if self.beta < 0:
            raise ParameterError("beta", self.beta, "at least 0")
        "text" + self.among[0] if self.among else None

    def formula(self, values):
        return self.beta * (values[..., 0] + values[..., 1]) / (values[..., 0] + values[..., 2])

@dataclass(frozen=True)
class Demanding:
    """Needs a value."""

    scale: float
    statistic = Overlap()

    def formula(self, values):
        return self.scale * values[..., 0]

@dataclass(frozen=True)
class Half:
    statistic = Overlap()

TWICE = Excess(beta=2)

def nothing():
    pass
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Write a module of a name of its own into the current folder."""

    def make(text: str) -> str:
        name = re.sub(r"\W", "_", f"own_{tmp_path.name}")
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        monkeypatch.delitem(sys.modules, name, raising=False)
        return name

    return make


def test_a_measure_is_imported_from_the_current_folder_and_its_notation_prints_back(
    module: Callable[[str], str],
) -> None:
    home, path = module(MEASURES), list(sys.path)
    measure = oe.measures.parse(f" {home} : Excess( beta=2.0 )")
    assert sys.path == path
    assert measure.beta == 2
    assert oe.measures.name(measure) == f"{home}:Excess(beta=2)"
    assert full_name(measure) == f"{home}:Excess(beta=2, among=())"
    assert oe.measures.parse(oe.measures.name(measure)) == oe.measures.parse(full_name(measure)) == measure
    assert oe.measures.name(oe.measures.parse(f"{home}:Excess")) == f"{home}:Excess"


def test_such_a_measure_is_evaluated_beside_the_others(module: Callable[[str], str]) -> None:
    home = module(MEASURES)
    result = oe.evaluate(
        [[1, 0], [1, 1]], [[1, 0], [1, 0]], measures=["F", f"{home}:Excess", f"{home}:TWICE"]
    )
    assert list(result) == ["F", f"{home}:Excess", f"{home}:Excess(beta=2)"]
    assert result[f"{home}:TWICE"] == result[f"{home}:Excess(beta=2.0)"] == pytest.approx(4 / 3)
    assert result.per_sample(f"{home}:Excess").tolist() == [1, 0.5]
    assert f"{home}:Excess(beta=2, among=())" in result.signature


def test_an_instance_may_be_given_other_options(module: Callable[[str], str]) -> None:
    home = module(MEASURES)
    assert oe.measures.name(oe.measures.parse(f"{home}:TWICE(beta=3)")) == f"{home}:Excess(beta=3)"


def test_options_without_default_must_be_given(module: Callable[[str], str]) -> None:
    home = module(MEASURES)
    assert oe.measures.name(oe.measures.parse(f"{home}:Demanding(scale=1)")) == f"{home}:Demanding(scale=1)"
    with pytest.raises(MeasureError, match="must say 'scale', which have no default"):
        oe.measures.parse(f"{home}:Demanding")


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("{}:Exces", r"has no 'Exces' \(near: 'Excess'\). Its measures are 'Excess', 'Demanding', 'TWICE'"),
        ("{}:Half", "has no 'formula'. A measure is a frozen dataclass"),
        ("{}:nothing", "nothing is no dataclass"),
        ("{}:Excess(betta=2)", r"Excess has no option 'betta' \(near: 'beta'\). Its options are beta, among"),
        ("{}:Excess(beta=open('x'))", r"open\('x'\) is no value"),
        ("{}:Excess(among=[1])", "refuses its options: TypeError: "),
        ("{}:Excess(2)", "Cannot read the measure"),
        ("{}:Excess.formula", "Cannot read the measure"),
        ("{}:", "Cannot read the measure"),
        ("no_such_module_anywhere:X", "there is no module 'no_such_module_anywhere'. Install it"),
        ("{}.inner:X", r"there is no module 'own_\w+.inner'"),
        ("this:Zen", r"module this \(.*this.py\) has no 'Zen'\. A measure is"),
        ("sys:Zen", r"module sys \(built in\) has no 'Zen'"),
    ],
)
def test_what_cannot_be_imported_is_explained(
    notation: str, message: str, module: Callable[[str], str]
) -> None:
    with pytest.raises(MeasureError, match=message):
        oe.measures.parse(notation.format(module(MEASURES)))


def test_a_measure_refuses_options_in_its_own_words(module: Callable[[str], str]) -> None:
    with pytest.raises(oe.OntoevalError, match=r"^beta=-1: expected at least 0\.$"):
        oe.measures.parse(f"{module(MEASURES)}:Excess(beta=-1)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import no_such_thing_at_all", "fails: ModuleNotFoundError: No module named 'no_such_thing_at_all'"),
        ("1 / 0", "fails: ZeroDivisionError: division by zero"),
        ("def (", "fails: SyntaxError: "),
        ("import sys; sys.path.clear(); 1 / 0", "fails: ZeroDivisionError"),
    ],
)
def test_a_module_that_fails_says_why(
    text: str, message: str, module: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(MeasureError, match=message):
        oe.measures.parse(f"{module(text)}:X")


def test_nothing_is_imported_for_a_notation_without_a_module(
    module: Callable[[str], str], tmp_path: Path
) -> None:
    module("")
    (tmp_path / "F.py").write_text("raise SystemExit", encoding="utf-8")
    for notation in ("F", "F(average='macro')"):
        assert oe.measures.parse(notation)
    with pytest.raises(MeasureError, match="Cannot read"):
        oe.measures.parse("F.F")
    assert "F" not in sys.modules


def test_a_file_in_the_current_folder_takes_the_place_of_no_installed_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "antigravity.py").write_text("raise SystemExit", encoding="utf-8")
    (tmp_path / "this.py").write_text("raise SystemExit", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MeasureError, match="has no 'X'"):
        oe.measures.parse("this:X")


def test_what_cannot_be_imported_again_has_no_notation() -> None:
    class Local:
        """Defined in a function."""

    module = ModuleType("__main__")
    assert notation_of(Local()) is None
    assert notation_of(module) is None
    assert notation_of(oe.CATALOGUE[0]) is None  # an option is no literal


def test_options_that_are_no_literals_cannot_be_written() -> None:
    assert notation_of(oe.core.Exclusion("a", "b")) is not None
    assert notation_of(oe.core.Exclusion("a", "b", Path("x"))) is None  # type: ignore[arg-type]
    assert notation_of(oe.core.Exclusion("a", "b", range(3))) is None  # type: ignore[arg-type]


def test_only_what_names_a_module_is_imported() -> None:
    with pytest.raises(MeasureError, match="'F' names no module"):
        import_measure("F")


def test_a_module_is_found_where_python_looks_for_it(
    module: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = module(MEASURES)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert oe.measures.parse(f"{home}:TWICE").beta == 2
    assert str(tmp_path) in sys.path


def test_everything_is_said_about_a_measure_of_ones_own(module: Callable[[str], str]) -> None:
    home = module(MEASURES)
    told: dict[Any, Any] = dict(cast("Any", one_measure(f"{home}:Excess(beta=2)").rows))
    assert told["name"] == told["summary"] == "How many labels are predicted for each true one."
    assert told["family"] == "a module of your own"
    assert told["status"] == "not of this package"
    assert str(told["source"]).startswith("Nowak, Lukashevich (2009)")
    assert one_measure(f"{home}:Demanding(scale=3)").rows[-1] == ("source", "–")


def test_where_a_measure_says_nothing_more_is_better(module: Callable[[str], str]) -> None:
    home = module(MEASURES)
    measure = oe.measures.parse(f"{home}:Excess(beta=100)")
    assert (info(measure, "best"), best_end(measure)) == (np.inf, "highest")
    truth = {"1": ["a"], "2": ["b"]}
    runs = {"less": truth, "more": {"1": ["a", "b"], "2": ["b"]}}
    found = oe.compare(truth, runs, measures=[measure], baselines=(), resamples=5, chance=True)
    assert found.ranks[:, 0].tolist() == [2, 1]
    assert found.above_chance is not None
    assert np.isnan(found.above_chance).all()


def test_one_of_both_ends_tells_the_other() -> None:
    loss, share, silent = (type("Own", (), facts)() for facts in ({"best": 0.0}, {"bounds": (0, 2)}, {}))
    assert (info(loss, "bounds"), best_end(loss)) == ((0, 1), "lowest")
    assert (info(share, "best"), best_end(share)) == (2, "highest")
    assert info(silent, "bounds") == (-np.inf, np.inf)
    assert best_end(type("Own", (), {"best": None})()) is None


BROKEN = """
from dataclasses import dataclass
from ontoeval.measures.counts import Overlap

@dataclass(frozen=True)
class Fails:
    def __call__(self, batch):
        raise KeyError("rows")

@dataclass(frozen=True)
class Broken:
    statistic = Overlap()
    def formula(self, values):
        raise ZeroDivisionError("by nothing")

@dataclass(frozen=True)
class Worse(Broken):
    statistic = Fails()
"""


@pytest.mark.parametrize(
    ("called", "message"),
    [
        ("Broken", r"own_\w+:Broken\(?\)? cannot be computed: it raises ZeroDivisionError: by nothing"),
        ("Worse", r"own_\w+:Fails\(?\)? cannot be computed: it raises KeyError: 'rows'"),
    ],
)
def test_a_measure_that_fails_is_named(called: str, message: str, module: Callable[[str], str]) -> None:
    measure = oe.measures.parse(f"{module(BROKEN)}:{called}")
    truth = [[1, 0], [0, 1]]
    with pytest.raises(MeasureError, match=message):
        oe.evaluate(truth, truth, measures=[measure]).scores  # noqa: B018 - computed when it is asked for
    with pytest.raises(MeasureError, match=message):
        oe.compare(truth, {"run": truth}, measures=[measure], resamples=5)


FORMULAS = """
from dataclasses import dataclass
import numpy as np
from ontoeval.measures.counts import Overlap

@dataclass(frozen=True)
class Own:
    what: str = ""
    statistic = Overlap()
    def formula(self, values):
        tp, fp = values[..., 0], values[..., 1]
        with np.errstate(all="ignore"):
            return {"one": 1.0, "three": np.zeros(3), "text": "x", "complex": 1j * tp, "odds": tp / fp}[self.what]

@dataclass(frozen=True)
class Said(Own):
    what: str = "odds"
    best: object = None
    bounds: object = (0, 1)
    takes: object = "sets"
"""


@pytest.mark.parametrize(
    ("what", "of", "given"),
    [
        ("one", "(5, 4)", "float64 of the shape ()"),
        ("three", "(4,)", "float64 of the shape (3,)"),
        ("text", "(4,)", "<U1 of the shape ()"),
        ("complex", "(4,)", "complex128 of the shape ()"),
    ],
)
def test_a_formula_that_does_not_give_a_real_number_for_each_total_is_named(
    what: str, of: str, given: str, module: Callable[[str], str]
) -> None:
    home, truth = module(FORMULAS), [[1, 0], [0, 1]]
    message = f"{home}:Own(what={what!r}) cannot be computed: of totals of the shape {of} its formula gives {given}. "
    with pytest.raises(MeasureError, match=re.escape(message)):
        oe.compare(truth, {"run": truth}, measures=[f"{home}:Own(what={what!r})"], resamples=5)


def test_what_is_infinite_is_undefined_in_every_output(module: Callable[[str], str]) -> None:
    odds = f"{module(FORMULAS)}:Own(what='odds')"
    truth, worse = [[1, 0], [0, 1]] * 5, [[1, 1], [0, 1]] * 5
    found = oe.compare(truth, {"perfect": truth, "worse": worse}, measures=[odds], baselines=(), resamples=5)
    assert np.isnan(found.scores[0, 0])
    assert found.scores[1, 0] == 2
    assert f"{odds} is undefined, or infinite, for 'perfect'." in found.notes
    assert np.isnan(found.evaluations["perfect"].per_sample(odds)).all()
    assert json.loads(to_json(found.table()))["rows"][1][odds]["value"] is None


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("best='highest'", "has best = 'highest': expected the best score, a number such as 1.0"),
        ("best=True", "has best = True: expected the best score"),
        ("bounds='01'", "has bounds = '01': expected the least and the greatest score"),
        ("bounds=(0, None)", r"has bounds = \(0, None\): expected the least and the greatest score"),
        ("bounds=(0, 1, 2)", r"has bounds = \(0, 1, 2\): expected the least and the greatest score"),
        ("takes='labels'", "has takes = 'labels': expected 'sets' or 'scores'"),
    ],
)
def test_a_measure_that_says_of_itself_what_cannot_be_is_refused_where_it_is_loaded(
    said: str, message: str, module: Callable[[str], str]
) -> None:
    with pytest.raises(MeasureError, match=message):
        oe.measures.parse(f"{module(FORMULAS)}:Said({said})")


def test_runs_ranked_by_a_measure_without_a_best_score_have_a_note(module: Callable[[str], str]) -> None:
    truth, odds = [[1, 0], [0, 1]] * 5, f"{module(FORMULAS)}:Said"
    found = oe.compare(truth, {"x": truth, "y": [[1, 0]] * 10}, measures=["F", odds], resamples=5)
    note = f"No score is known to be the best of {odds}: the higher one ranks first."
    assert note in found.notes
    assert note not in oe.compare(truth, {"x": truth}, measures=["F", odds], resamples=5).notes


def test_an_ontology_score_of_ones_own_that_fails_is_named_when_it_is_explained(
    module: Callable[[str], str],
) -> None:
    home = module(
        "from ontoeval.measures.ontology_score import OntologyScore\n"
        "class Score(OntologyScore):\n"
        "    def formula(self, values):\n"
        "        raise ZeroDivisionError('by nothing')\n"
    )
    hierarchy = oe.Hierarchy.from_edges([("plants", "trees")])
    with pytest.raises(MeasureError, match=f"{home}:Score.* cannot be computed: it raises ZeroDivisionError"):
        oe.explain({"1": ["trees"]}, {"1": []}, "1", hierarchy=hierarchy, measure=f"{home}:Score")


def test_what_the_package_itself_raises_is_left_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError), measure_blamed(oe.measures.parse("F")):
        raise ZeroDivisionError


def test_the_command_line_finds_modules_in_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MEASURES, encoding="utf-8")
    (tmp_path / "truth.csv").write_text("id,labels\n1,a\n2,a;b\n", encoding="utf-8")
    command = [str(Path(sys.executable).parent / "ontoeval"), "score", "truth.csv", "truth.csv"]
    done = subprocess.run(
        [*command, "-m", "mine:Excess(beta=2)", "--format", "csv"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == ["run,mine:Excess(beta=2)", "truth,2.0"], done.stderr


def test_the_example_is_named_as_it_says() -> None:
    examples = Path(__file__).parents[2] / "examples"
    text = (examples / "own_measure.py").read_text(encoding="utf-8")
    (notation,) = re.findall(r'-m "(own_measure:.*)"', text)
    command = [str(Path(sys.executable).parent / "ontoeval"), "measures", notation, "--format", "csv"]
    done = subprocess.run(command, cwd=examples, capture_output=True, encoding="utf-8", check=False)
    assert "  trees for flowers,0.6667" in done.stdout.splitlines(), done.stderr
