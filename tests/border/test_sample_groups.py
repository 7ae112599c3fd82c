"""Groups of samples, from arrays, names and files, in scores, intervals and tests."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.core.resampling import Bootstrap, Portion, Swaps
from ontoeval.errors import InputError, MeasureError
from ontoeval.measures.sums import Rows
from tests.commands import call, refusal

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

# Scores of the samples: 1, 1/2 and 0 in one group, 1 in the other.
TRUTH = [["a"], ["a", "b", "c"], ["b"], ["a"]]
RUN = [["a"], ["a"], ["a"], ["a"]]
GROUP = ["x", "x", "x", "y"]
NAMED = {f"s{place}": name for place, name in enumerate(GROUP)}
MEAN = "F(average='samples')"

RNG = np.random.default_rng(7)
LABELS = RNG.random((60, 4)) < 0.4
RUNS = {
    name: LABELS ^ (RNG.random((60, 4)) < share) for name, share in zip("ABC", (0.2, 0.25, 0.3), strict=True)
}
SITES = [f"site {number}" for number in RNG.integers(0, 12, 60)]
MEASURES = ["F", MEAN, "F(average='macro', undefined=0.0)"]


def named(labels: list[list[str]]) -> dict[str, list[str]]:
    return {f"s{place}": some for place, some in enumerate(labels)}


def test_each_group_weighs_the_same() -> None:
    found = oe.evaluate(TRUTH, RUN, measures=[MEAN, "P"], groups=GROUP)
    assert found[MEAN] == pytest.approx(0.75)
    assert oe.evaluate(TRUTH, RUN, measures=MEAN)[MEAN] == pytest.approx(0.625)
    assert found["P"] == pytest.approx((2 / 3 + 1) / 2)  # of sums in which each group has a weight of 1
    assert (
        "2 groups of samples, of equal weight: means over samples are means of group means" in found.signature
    )


def test_weights_count_within_their_group() -> None:
    found = oe.evaluate(TRUTH, RUN, measures=MEAN, groups=GROUP, sample_weight=[1, 0, 1, 7])
    assert found[MEAN] == pytest.approx((0.5 + 1) / 2)


FORMS: dict[str, Any] = {
    "mapping": NAMED,
    "series": pd.Series(NAMED).sample(frac=1, random_state=0),
    "frame": pd.DataFrame({"site": GROUP, "sample": list(NAMED)}),
    "frame of polars": pl.DataFrame({"sample": list(NAMED), "site": GROUP}),
    "numbers": pd.Series({sample: ord(name) for sample, name in NAMED.items()}),
}


@pytest.mark.parametrize("form", FORMS)
def test_named_groups_are_matched_by_name(form: str) -> None:
    found = oe.evaluate(named(TRUTH), named(RUN), measures=MEAN, groups=FORMS[form])
    assert found[MEAN] == pytest.approx(0.75)


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series, pd.Categorical], ids=str)
def test_groups_without_names_fit_samples_without_names(kind: Any) -> None:
    assert oe.evaluate(TRUTH, RUN, measures=MEAN, groups=kind(GROUP))[MEAN] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("group", "message"),
    [
        (GROUP, "the sample groups have no names, but the samples have: 's0'"),
        ({**NAMED, "s9": "x"}, "1 sample with a group but not in the truth: 's9'"),
        ({"s0": "x", "s1": "x"}, "2 samples without a group: 's2', 's3'"),
        (NAMED | {"s1": None}, "1 sample without a group: 's1'"),
        (NAMED | {"s1": float("nan"), "s2": " "}, "2 samples without a group: 's1', 's2'"),
        ("site", "site: there is no such file.*score parts, give by= "),
        (pd.DataFrame({"a": GROUP, "b": GROUP}), "not plain which group belongs to which sample"),
    ],
)
def test_groups_that_do_not_fit_are_refused(group: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        oe.evaluate(named(TRUTH), named(RUN), measures=MEAN, groups=group)


def test_a_group_that_weighs_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="all samples of a group weigh 0: 'y'"):
        oe.evaluate(TRUTH, RUN, measures=MEAN, groups=GROUP, sample_weight=[1, 1, 1, 0])


def test_a_group_all_of_whose_labels_were_known_is_left_out() -> None:
    hierarchy = oe.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("r", "c")])
    how: dict[str, Any] = {"hierarchy": hierarchy, "known": {"s3": ["a"]}, "groups": NAMED}
    truth, run = named(TRUTH), named(RUN)
    found = oe.evaluate(truth, run, measures="P", **how)
    assert found["P"] == pytest.approx(2 / 3)
    assert "1 group of samples" in found.signature


def test_measures_without_sums_of_samples_are_refused_or_weighted() -> None:
    class Longest:
        """Largest number of true labels."""

        mergeable = False

        @property
        def statistic(self) -> Any:
            return lambda batch: Rows(batch.truth.sizes[:, None].max(axis=0, keepdims=True))

        def formula(self, values: Any) -> Any:
            return values[..., 0]

    with pytest.raises(MeasureError, match=r"not defined for weighted samples.*no group \(--groups\)"):
        oe.evaluate(TRUTH, RUN, measures=Longest(), groups=GROUP)


# intervals and tests, held against every resample scored by itself -------------------------------------------


def scores_of(run: Any, counts: Any = None) -> list[float]:
    """Score labels with groups by sample weights that are made here, each group as often as it is drawn."""
    sizes = {site: SITES.count(site) for site in SITES}
    weights = [(1 if counts is None else counts[site]) / sizes[site] for site in SITES]
    return list(oe.evaluate(LABELS, run, measures=MEASURES, sample_weight=weights).scores.values())


NAMES = tuple(sorted(sorted(set(SITES)), key=len))
ALL = Portion(0, len(NAMES), NAMES)


@pytest.fixture(scope="module")
def compared() -> oe.comparison.Comparison:
    return oe.compare(LABELS, RUNS, measures=MEASURES, groups=SITES, resamples=60, baselines=())


def test_resamples_draw_whole_groups(compared: oe.comparison.Comparison) -> None:
    drawn = Bootstrap(resamples=60).draw(0, 60, ALL)
    for at in range(0, 60, 7):
        counts = dict(zip(NAMES, drawn[at], strict=True))
        for place, run in enumerate(RUNS.values()):
            assert compared.replicates[at, place] == pytest.approx(scores_of(run, counts))


def test_tests_exchange_whole_groups(compared: oe.comparison.Comparison) -> None:
    swaps = Swaps(resamples=60).draw(0, 60, ALL)
    places = np.array([NAMES.index(site) for site in SITES])
    whole = np.array([scores_of(run) for run in RUNS.values()])
    for first, second in combinations(range(3), 2):
        a, b = list(RUNS.values())[first], list(RUNS.values())[second]
        beyond = 1
        for row in swaps:
            mask = row[places][:, None] == 1
            found = np.subtract(scores_of(np.where(mask, b, a)), scores_of(np.where(mask, a, b)))
            beyond = beyond + (np.abs(found) >= np.abs(whole[first] - whole[second]) - 1e-12)
        assert compared.p_values[:, first, second] == pytest.approx(beyond / 61)


def test_the_jackknife_leaves_out_whole_groups() -> None:
    how: dict[str, Any] = {"measures": MEASURES, "groups": SITES, "resamples": 200, "baselines": ()}
    found, number = oe.compare(LABELS, RUNS, **how), len(NAMES)
    away = np.array([scores_of(RUNS["A"], {one: one != out for one in NAMES}) for out in NAMES])
    assert found.errors[0] == pytest.approx(away.std(axis=0) * np.sqrt(number - 1))


def test_measures_without_sums_draw_whole_groups() -> None:
    scores = {name: oe.LabelScores.from_array(RNG.random((60, 4))) for name in "AB"}
    how: dict[str, Any] = {"measures": "AUC", "resamples": 20, "baselines": ()}
    found = oe.compare(LABELS, scores, groups=SITES, **how)
    drawn = Bootstrap(resamples=20).draw(0, 20, ALL)
    sizes = {site: SITES.count(site) for site in SITES}
    for at in range(20):
        counts = dict(zip(NAMES, drawn[at], strict=True))
        weights = [counts[site] / sizes[site] for site in SITES]
        again = oe.evaluate(LABELS, scores["A"], measures="AUC", sample_weight=weights)
        assert found.replicates[at, 0, 0] == pytest.approx(again["AUC"])


def test_few_groups_are_noted_and_recipes_name_groups(compared: oe.comparison.Comparison) -> None:
    assert "60 resamples of whole groups (11), seed 0." in compared.signature
    assert "Paired randomisation test of whole groups" in compared.signature
    assert not any("too narrow, and" in note for note in compared.notes)
    few = oe.compare(LABELS, RUNS, measures="F", groups=[site[-1] for site in SITES], resamples=20)
    assert not any("too narrow, and" in note for note in few.notes)  # ten
    seven = [min(site[-1], "6") for site in SITES]
    few = oe.compare(LABELS, RUNS, measures="F", groups=seven, resamples=20)
    small = "intervals may be too narrow, and tests find large differences alone"
    assert f"With 7 groups {small}: fewer than 10 groups are drawn." in few.notes


def test_one_group_has_no_interval_and_no_test() -> None:
    found = oe.compare(LABELS, RUNS, groups=["x"] * 60, measures=["F", MEAN], resamples=20)
    for undefined in (found.low, found.high, found.p_values, found.adjusted, found.replicates):
        assert np.isnan(undefined).all()
    assert not any(found.groups("F"))
    assert "Intervals and tests are left out: all samples are in one group." in found.notes
    assert found.scores[0, 0] == pytest.approx(oe.evaluate(LABELS, RUNS["A"], measures="F")["F"])
    assert np.isnan(np.array(found.tables()["pairs"].rows[0][4:6], dtype=float)).all()


def numbered(values: Any) -> list[dict[str, float]]:
    return [{str(at): float(value) for at, value in enumerate(row)} for row in values]


def test_halves_of_a_study_are_halves_of_the_groups() -> None:
    how: dict[str, Any] = {"measures": ["F", MEAN], "resamples": 20, "changes": None}
    twice = np.repeat(LABELS, 2, axis=0), {name: np.repeat(run, 2, axis=0) for name, run in RUNS.items()}
    judged = RNG.random((3, 60))
    once, again = (
        oe.study(*sides, groups=group, criterion=criterion, **how)
        for sides, group, criterion in (
            ((LABELS, RUNS), SITES, dict(zip(RUNS, numbered(judged), strict=True))),
            (
                twice,
                np.repeat(SITES, 2),
                dict(zip(RUNS, numbered(np.repeat(judged, 2, axis=1)), strict=True)),
            ),
        )
    )
    means = [[row[np.array(SITES) == site].mean() for site in NAMES] for row in judged]
    assert once.criterion is not None
    assert again.criterion is not None
    assert once.criterion.values == pytest.approx(np.mean(means, axis=1))
    assert again.criterion.accuracy == pytest.approx(once.criterion.accuracy)
    assert once.stability.halves == pytest.approx(again.stability.halves)
    assert once.stability.tau == pytest.approx(again.stability.tau)


# files and commands ------------------------------------------------------------------------------------------

Refused = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, sets in (("truth", TRUTH), ("run", RUN), ("other", [*TRUTH[:3], ["b"]])):
        rows = [
            f"s{place},{','.join(str(int(label in one)) for label in 'abc')}\n"
            for place, one in enumerate(sets)
        ]
        (tmp_path / f"{name}.csv").write_text("sample,a,b,c\n" + "".join(rows))
    table = "".join(f"{sample},{name}\n" for sample, name in NAMED.items())
    (tmp_path / "sites.csv").write_text(f"id,site\n{table}s0,x\n")
    (tmp_path / "concepts.txt").write_text("a\nb\nc\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def refused(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    assert folder.exists()
    return lambda *more: refusal(("score", "truth.csv", "run.csv", *more), capsys, monkeypatch)


@pytest.mark.usefixtures("folder")
def test_commands_take_a_file_of_groups() -> None:
    how = ("-m", MEAN, "--groups", "sites.csv")
    assert "0.7500" in (text := call("score", "truth.csv", "run.csv", *how).stdout)
    assert "2 groups of samples" in text
    text = call("compare", "truth.csv", "run.csv", "other.csv", *how, "--verbose").stdout
    assert "resamples of whole groups (2)" in " ".join(text.split())
    study = call("study", "truth.csv", "run.csv", "other.csv", *how, "--no-changes", "--verbose")
    assert study.exit_code == 0
    assert "whole groups (2)" in study.stdout


def test_parts_of_the_samples_keep_their_groups(folder: Path) -> None:
    (folder / "split.csv").write_text("id,split\ns0,dev\ns1,dev\ns2,test\ns3,test\n")
    how = ("-m", MEAN, "--groups", "sites.csv", "--by", "split.csv", "--no-baseline", "--format", "csv")
    lines = call("compare", "truth.csv", "run.csv", *how).stdout.splitlines()
    found = [line.split(",") for line in lines[1:]]
    # Of the part dev there is one group, and so no interval.
    assert [[row[1], float(row[6])] for row in found] == [["all", 0.75], ["dev", 0.75], ["test", 0.5]]
    assert [row[7:9] for row in found][1] == ["", ""]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,site\ns0,x\ns0,y\n", "sites.csv, row 3: 's0' has the group y, and x in row 2. Keep one."),
        ("id,site\ns0,x\n", "sites.csv: 3 samples without a group: 's1', 's2', 's3'."),
        ("id,site\ns0,x\ns1,\n", "sites.csv, row 3: the group is empty. Fill it in."),
        ("id,place\ns0,x\n", "sites.csv, row 1: no columns for the group among 'id', 'place'."),
    ],
)
def test_files_of_groups_that_do_not_fit_are_refused(
    folder: Path, refused: Refused, text: str, message: str
) -> None:
    (folder / "sites.csv").write_text(text)
    assert message in refused("--groups", "sites.csv")


def test_a_secret_truth_is_not_described_by_its_groups(folder: Path, refused: Refused) -> None:
    (folder / "sites.csv").write_text("id,site\ns0,x\n")
    said = refused("--groups", "sites.csv", "--public", "--concepts", "concepts.txt")
    assert "the groups do not fit the samples of the truth" in said
    assert "s1" not in said


def test_a_preset_of_groups_refuses_to_score_without_them(refused: Refused) -> None:
    expected = "expected --groups FILE, a table sample,transect"
    assert expected in refused("--preset", "plantclef2025")
    how = ("--preset", "plantclef2025", "--groups", "sites.csv", "--format", "csv")
    assert call("score", "truth.csv", "run.csv", *how).stdout.splitlines()[1] == "run,0.75"


def test_a_benchmark_file_takes_groups(folder: Path) -> None:
    text = 'truth = "truth.csv"\nruns = ["run.csv", "other.csv"]\nmeasures = ["F"]\ngroups = "sites.csv"\n'
    (folder / "ontoeval.toml").write_text(text)
    call("run", "ontoeval.toml")
    assert "whole groups (2)" in (folder / "results" / "recipe.txt").read_text()
