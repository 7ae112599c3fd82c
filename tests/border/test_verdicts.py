"""The first sentences of pages: what they say of a result, and that clean results are no empty pages."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.measures.flat import F
from ontoeval.reports.verdicts import of_study

MACRO = "F(average='macro')"
TRUTH = {f"s{at}": ["a"] if at % 2 else ["a", "b"] for at in range(40)}


def head(page: str) -> str:
    """Find the first sentences of a page."""
    return html.unescape(re.search(r'<p class="head">(.*?)</p>', page, re.DOTALL)[1])  # type: ignore[index]


def spoilt(every: int) -> dict[str, list[str]]:
    """Predict 'c' in the place of the truth for some samples."""
    return {sample: ["c"] if at % every == 0 else labels for at, (sample, labels) in enumerate(TRUTH.items())}


def compared(runs: dict[str, dict[str, list[str]]], **options: object) -> str:
    """Compare runs, and find what their page says first."""
    return head(oe.compare(TRUTH, runs, measures=["F"], resamples=200, **options).report())  # type: ignore[arg-type]


def test_a_comparison_names_the_best_run_its_lead_the_test_and_the_baselines_above():
    found = oe.compare(TRUTH, {"one": TRUTH, "two": spoilt(4)}, measures=["F"], resamples=200)
    other = float(found.scores[1, 0])
    assert head(found.report()) == (
        f"'one' is the best of 2 runs (F 1.0000), {1 - other:.4f} ahead of 'two'; the difference is "
        f"significant (adjusted p {'= 0.01' if found.adjusted[0, 0, 1] < 0.013 else 'unlike'}). {found.against_baselines}"
    )
    assert "significant (" not in compared({"one": TRUTH, "two": spoilt(4)}, test="none")
    assert "is not significant (adjusted p > 0.99)" in compared({"one": TRUTH, "two": spoilt(40)})
    said = compared({"one": spoilt(2)}, baselines=["prior"])
    assert said.startswith("The run 'one' has F 0.")
    assert said.endswith("The run does not beat the baseline 'prior' (F 0.8571).")


def test_a_baseline_that_no_run_beats_is_named_by_every_measure_but_those_that_correct_for_chance():
    hierarchy = {"r": ["A", "B"], "A": ["a", "b"], "B": ["c", "d"]}
    truth = [[label] for label in "aaaaaaabbc" * 4]
    run = [[label] for label in "aaaadddbbc" * 4]
    given: Any = {"hierarchy": hierarchy, "baselines": ["prior"], "resamples": 50}
    found = oe.compare(truth, {"near": run}, measures=["tF", "OS", "tKappa"], **given)
    assert found.against_baselines == (
        f"The run does not beat the baseline 'prior' (tF {found.scores[1, 0]:.4f}). By score alone, "
        "baselines stand above runs: OS ('prior' 1 of 1)."
    )
    assert abs(found.scores[1, found.column("tKappa")]) < 1e-12 < found.scores[0, found.column("tKappa")]
    board = found.table()
    assert not any("-0.0000" in cell for row in board.rows for cell in board.text(row))
    alone = oe.compare(truth, {"near": run}, measures="OS", **given)
    assert alone.against_baselines.endswith("(OS 0.8333).")


def test_a_run_at_chance_is_named_even_where_it_beats_the_baselines():
    hierarchy = {"r": ["A", "B"], "A": ["a", "b"], "B": ["c", "d"]}
    truth = [[label] for label in "aaaabbccdd" * 4]
    runs = {"same": [["a"]] * 40, "near": [[label] for label in "aaaabbcccc" * 4]}
    given: Any = {"hierarchy": hierarchy, "baselines": ["all"], "resamples": 50}
    said = oe.compare(truth, runs, measures=["tF", "tKappa", MACRO], **given).against_baselines
    assert said.startswith("Both runs beat the baseline 'all' (tF ")
    assert " By tKappa, 'same' is at chance (within 0.05 of 0). " in said
    assert said.endswith(" By score alone, baselines stand above runs: F(average='macro') ('all' 1 of 2).")


def test_true_labels_of_other_samples_beat_no_baseline():
    labels = {f"s{at}": [name] for at, name in enumerate("aaaabbccdd" * 10)}
    random = np.random.default_rng(1)
    for _ in range(8):
        order = random.permutation([*labels])
        shuffled = {sample: labels[str(other)] for sample, other in zip(labels, order, strict=True)}
        said = oe.compare(labels, {"run": shuffled}, measures="F", resamples=200).against_baselines
        assert "beat" not in said or "not beat" in said
        assert "The run" in said


def test_a_study_of_random_runs_says_that_they_hardly_differ():
    random = np.random.default_rng(3)
    labels = [["a", "b", "c"][at] for at in random.integers(0, 3, 60)]
    runs = {f"r{at}": [[str(one)] for one in random.permutation(labels)] for at in range(12)}
    runs["r0"] = [[one] if at < 40 else ["a"] for at, one in enumerate(labels)]  # one that differs from some
    study = oe.study([[one] for one in labels], runs, measures=["F", "Jaccard"], resamples=200, changes=None)
    assert "of 66 pairs of runs apart (adjusted p < 0.05); within two standard errors" in of_study(study)
    del runs["r0"]
    study = oe.study([[one] for one in labels], runs, measures=["F", "Jaccard"], resamples=200, changes=None)
    said = of_study(study)
    assert "no two runs differ significantly" in said or "Hardly any runs differ significantly" in said
    assert "This study recommends no measure" in said
    assert "first" not in said


EQUAL = np.random.default_rng(11)


def equal(runs: int, samples: int) -> tuple[Any, dict[str, Any]]:
    """Draw runs that are equally good."""
    truth = EQUAL.random((samples, 6)) < 0.3
    return truth, {f"n{at}": truth ^ (EQUAL.random(truth.shape) < 0.2) for at in range(runs)}


@pytest.mark.parametrize(("runs", "samples"), [(12, 60), (2, 30), (3, 2), (16, 8)])
def test_a_study_of_equal_runs_names_no_winner_and_recommends_nothing(runs: int, samples: int) -> None:
    truth, named = equal(runs, samples)
    for given in (truth, np.zeros_like(truth)):  # all truths empty
        study = oe.study(
            given, named, measures=["F", "Jaccard", "Hamming", "F(beta=2)"], resamples=99, changes=None
        )
        said = of_study(study)
        assert "This study recommends no measure" in said
        assert "first" not in said
        assert "most" not in said.replace("at most", "")


def test_two_winners_are_named_where_each_is_significantly_ahead_by_its_measure() -> None:
    # One run misses most labels, the other has each false label: precise and sensitive.
    truth = EQUAL.random((80, 6)) < 0.5
    runs = {
        "precise": truth & (EQUAL.random(truth.shape) < 0.5),
        "sensitive": truth | (EQUAL.random(truth.shape) < 0.7),
    }
    study = oe.study(truth, runs, measures=["F(beta=0.6)", "F(beta=2)", "F"], resamples=200, changes=None)
    advice, *_ = of_study(study).split("\n")
    assert advice.startswith(
        "The choice decides who is first: by F(beta=0.6) 'precise' is significantly ahead of 'sensitive', by "
        "F(beta=2) 'sensitive' of 'precise'. Report one measure of each group: F(beta=0.6)"
    )
    few = oe.study(
        truth[:9],
        {name: run[:9] for name, run in runs.items()},
        measures=["F(beta=0.6)", "F(beta=2)"],
        resamples=20,
        changes=None,
    )
    assert "first" not in of_study(few)


def test_two_runs_are_called_so() -> None:
    truth = [["a"], ["b"], ["a", "b"]] * 10
    said = of_study(
        oe.study(truth, {"right": truth, "all": [["a", "b"]] * 30}, measures="F", resamples=99, changes=None)
    )
    assert said.startswith("F tells the two runs apart (adjusted p < 0.05).")
    assert "1 pair" not in said


def test_runs_that_tie_are_named_together():
    said = compared({"one": TRUTH, "two": TRUTH, "three": spoilt(4)})
    assert said.startswith("'one', 'two' tie as the best of 3 runs (F 1.0000).")
    assert "May be first" not in said
    near = {sample: ["c"] if sample == "s4" else labels for sample, labels in TRUTH.items()}
    said = compared({"one": TRUTH, "two": TRUTH, "near": near})
    assert "tie as the best of 3 runs (F 1.0000). May be first: 'one', 'two' and 'near'." in said
    assert "ahead of 'two', 'three'; " in compared({"one": TRUTH, "two": spoilt(4), "three": spoilt(4)})


TWO = {f"s{at}": ["A", "b"] if at % 2 else ["C", "d"] for at in range(40)}
NEAR = {sample: [labels[0], "a" if labels[1] == "b" else "c"] for sample, labels in TWO.items()}
SHORT = {sample: labels if at % 5 < 3 else [] for at, (sample, labels) in enumerate(TWO.items())}
LINKS = {"A": ["a", "b"], "C": ["c", "d"]}


def test_where_default_measures_put_different_runs_first_the_head_asks_and_names_no_winner():
    given: Any = {"hierarchy": LINKS, "resamples": 200}
    found = oe.compare(TWO, {"near": NEAR, "short": SHORT, "again": SHORT}, **given)
    assert found.ranking == "by default"
    said = head(found.report())
    assert said.startswith(
        "The default measures put different runs first: 'short', 'again' by hF, F and F(average='macro'); 'near' "
        "by OS. The difference is significant by hF"
    )
    assert " Choose the measure that ranks before you publish (--rank)." in said
    assert said == found.table().head
    assert "first by hF" not in found.report()
    assert ">hF (by default)<" in found.report()
    said = head(oe.compare(TWO, {"near": NEAR, "short": SHORT}, test="none", **given).report())
    assert "; 'near' by OS. The difference was not tested. Choose" in said
    few = {f"s{at}": TWO[f"s{at}"] for at in range(6)}
    runs = {
        name: {sample: sets[sample] for sample in few} for name, sets in (("near", NEAR), ("short", SHORT))
    }
    assert "The difference is significant by OS" not in head(oe.compare(few, runs, **given).report())
    named = oe.compare(TWO, {"near": NEAR, "short": SHORT}, measures=[*found.measures], **given)
    assert head(named.report()).startswith("'short' is the best of 2 runs (hF ")
    assert ">hF (named first)<" in named.report()


def test_an_audit_counts_errors_and_the_samples_that_show_them():
    hierarchy = oe.Hierarchy.from_edges([("top", "a"), ("top", "b")])
    sets = {f"s{at}": ["top", "a"] for at in range(20)} | {"x": ["none"], "y": ["none", "nought"]}
    said = head(oe.audit_labels(sets, hierarchy).report())
    assert said.startswith("2 errors in 2 of 22 samples, all by the rule 'unknown'; 0 warnings and ")


def test_a_clean_ontology_has_a_page_of_what_was_checked_and_its_picture(tmp_path):
    path = tmp_path / "ontology.csv"
    path.write_text("child,parent\noak,tree\nelm,tree\ntree,plant\nmoss,plant\n", encoding="utf-8")
    findings = oe.audit_ontology(path)
    page = findings.report()
    assert not len(findings)
    assert head(page) == "Passed 13 checks: nothing was found among 5 concepts."
    assert '"icicle"' in page

    without = oe.audit_ontology(path, severities={"cycle": "off"})
    assert "Passed 12 checks" in head(without.report())


def test_agreement_and_studies_say_what_they_come_to():
    from tests.other_pages import annotators, measures

    found = annotators()
    values = found.estimates.concepts["alpha"].value
    least = found.concepts[int(values.argmin())]
    said = head(found.report())
    assert said.startswith(
        f"5 annotators agree with a mean α of {found.estimates.mean['alpha'].value:.3f} over"
    )
    assert f"; least on '{least}' ({values.min():.3f}), " in said
    study = measures()
    said = of_study(study)
    best = study.power.measures[int(study.power.adjusted.argmax())]
    assert best in said
    assert f"{study.power.adjusted.max():.1%} of 15" in said


TREE = {"1": ["a", "b"], "a": ["aa", "ab", "ac"], "b": ["ba", "bb"], "2": ["c", "d"], "c": ["ca", "cb"]}


def studied(measures: Any) -> list[str]:  # names or measures
    """Find the sentences of the page of a study."""
    page = html.unescape(study_of(measures).report())
    return re.findall(r'<p class="head">(.*?)</p>', page, re.DOTALL)


def study_of(measures: Any) -> oe.comparison.Study:
    """Study runs with errors of four kinds over closed sets."""
    hierarchy = oe.Hierarchy.from_edges([(parent, one) for parent, some in TREE.items() for one in some])
    rng, names = np.random.default_rng(1), np.array(hierarchy.label_vocabulary)
    drawn = {f"s{at}": rng.choice(names, 2, replace=False).tolist() for at in range(60)}
    truth = oe.LabelSets.from_sets(drawn, vocabulary=hierarchy.label_vocabulary).closed(hierarchy)
    runs = {
        f"{kind} {rate}": oe.comparison.perturb(truth, kind, rate, hierarchy=hierarchy, seed=at)
        for at, kind in enumerate(("drop", "add", "sibling", "random"))
        for rate in (0.1, 0.2, 0.4, 0.6)
    }
    given: Any = {"hierarchy": hierarchy, "resamples": 40, "changes": None, "correlations": ["tau_b"]}
    return oe.study(truth, runs, measures=measures, **given)


@dataclass(frozen=True)
class Constant:
    """A number that no prediction changes."""

    @property
    def statistic(self) -> Any:
        return F().statistic

    def formula(self, values: Any) -> Any:
        return np.ones(values.shape[:-1])


@dataclass(frozen=True)
class Predicted(Constant):
    """How many labels are predicted, which tells runs apart very well."""

    best = None

    def formula(self, values: Any) -> Any:
        counts = self.statistic.unpack(values)
        return counts.tp + counts.fp


@pytest.mark.parametrize("measures", [
    ["P", "R"],
    ["P", "R", "tP", "hF", "PartlyCorrect"],
    ["P(average='macro', undefined=0)", "R(average='macro', undefined=0)", "F(average='macro')"],
    ["hP(average='samples')", "hR", "LCaP", "F"],
    ["ExactMatch", "F", "F(beta=1000)"],
    [Constant(), "F", Predicted()],
    ["hF", "tF"],
])  # fmt: skip
def test_a_study_recommends_nothing_where_errors_lower_fewer_than_two_groups(measures: list[Any]) -> None:
    choice, *_ = studied(measures)
    assert choice.startswith("This study recommends no measure: ")
    assert "enough" not in choice
    assert "first" not in choice


def test_measures_are_parted_only_where_they_order_runs_oppositely() -> None:
    measures = ["R", "P", "F", "F(beta=0.7)", "tF", "F(beta=2)", "OS", "ExactMatch"]
    study = study_of(measures)
    choice, found, caveat = studied(measures)
    opposite = {
        (one, other)
        for u, one in enumerate(measures)
        for v, other in enumerate(measures)
        if (study.ahead[u] & study.ahead[v].T).any()
    }
    assert ("F", "OS") in opposite
    named = re.search(r"by F '(.+?)' is significantly ahead of '(.+?)', by OS '\2' of '\1'\.", choice)
    assert named
    compared, (a, b) = study.comparison, (study.entrants.names.index(name) for name in named.groups())
    assert compared.adjusted[measures.index("F"), a, b] < 0.05
    assert compared.merits[a, measures.index("OS")] < compared.merits[b, measures.index("OS")]
    groups = re.search(r"one measure of each group: (.+?)\. Not", choice)[1].split("; ")  # type: ignore[index]
    for group in groups:
        together = re.split(r", | and ", group)
        assert not opposite & set(product(together, together))
    hardly = "Not to be chosen, since a second missed or false label of a sample hardly counts: R (false), P (missed) "
    assert hardly in choice
    assert "of the measures that missed and false labels lower, tells" in found
    kept = sum(t.holds for t in study.behaviour.trials if t.measure == "tF")  # type: ignore[union-attr]
    assert f"{kept} of 14 by tF" in caveat


def test_a_power_that_two_measures_share_within_its_error_is_no_superlative() -> None:
    study = study_of(["tF", "F", "F(beta=2)"])
    power = study.power
    first = int(power.adjusted.argmax())
    for at, name in enumerate(power.measures):
        near = power.adjusted[first] - power.adjusted[at] <= 2 * power.errors[first, at]
        assert (name in studied(["tF", "F", "F(beta=2)"])[1].partition(";")[2].partition("apart")[2]) == (
            near and at != first
        )
    assert np.allclose(power.errors, power.errors.T)
    assert (np.diag(power.errors) == 0).all()


def test_the_sentence_on_axioms_has_measures_that_compare_samples() -> None:
    *_, caveat = studied(["tKappa", "OS"])
    assert re.search(
        r"axioms that hold in all cases tried, and not by ties, are \d+ of 1\d by tKappa", caveat
    )


def test_measures_that_are_one_number_are_called_so_with_the_reason() -> None:
    choice, found, _ = studied(["F", "hF"])
    assert found.startswith(
        "F and hF are one number for all 16 runs, whose sets hold all ancestors of their labels: "
        "this is no agreement of measures."
    )
    assert " alike" not in found
    assert choice.startswith("This study recommends no measure: no two of F and hF order a pair of runs ")
    _, other, _ = studied(["F", "F(beta=2)"])
    assert "one number" not in other
    _, third, _ = studied(["OS", "OS(penalise='none')"])  # alike without exclusions, closed or not
    assert third.startswith("OS and OS(penalise='none') are one number for all 16 runs: this is no ")
