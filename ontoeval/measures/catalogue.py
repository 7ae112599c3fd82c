"""The catalogue: every measure by its symbol, the notation that names its parameters, and its reference."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from importlib.resources import files
from inspect import isroutine
from itertools import chain
from math import isnan
from numbers import Real
from typing import Any

import numpy as np

from ontoeval._version import __version__
from ontoeval.core.advice import ANSWERS, of_first_labels
from ontoeval.errors import (
    MeasureError,
    ParameterError,
    did_you_mean,
    enumerate_some,
    habits,
    near_names,
    shortened,
)
from ontoeval.measures.base import AnyMeasure, Measure, Measures, info, name_in_messages, whole_or_none
from ontoeval.measures.best_threshold import Fmax, Smin
from ontoeval.measures.decoding import DecodedMeasure
from ontoeval.measures.first_k import (
    GainAt,
    HitAt,
    PrecisionAt,
    PropensityGainAt,
    PropensityPrecisionAt,
    RecallAt,
    ReciprocalRank,
)
from ontoeval.measures.flat import (
    Accuracy,
    AlphaEvaluation,
    ErrorRate,
    ExactMatch,
    F,
    FullyWrong,
    HammingLoss,
    Jaccard,
    PartlyCorrect,
    Precision,
    Recall,
)
from ontoeval.measures.functions import MeanOfFunction, OwnMeasure
from ontoeval.measures.hierarchical import (
    HierarchicalF,
    HierarchicalJaccard,
    HierarchicalPrecision,
    HierarchicalRecall,
)
from ontoeval.measures.information import InformationContrast, NormalisedInformationContrast
from ontoeval.measures.label_costs import LabelCost
from ontoeval.measures.levels import Inconsistency, LevelAccuracy
from ontoeval.measures.losses import (
    DistanceCost,
    EuclideanSetDistance,
    HLoss,
    SymmetricDifferenceLoss,
    ZeroOneLoss,
)
from ontoeval.measures.lowest_common_ancestors import (
    LowestCommonAncestorF,
    LowestCommonAncestorPrecision,
    LowestCommonAncestorRecall,
)
from ontoeval.measures.near_misses import PhysioNet, PrecisionWithNearMisses, RecallWithNearMisses
from ontoeval.measures.notation import (
    import_measure,
    names_a_module,
    notation_of,
    split,
    values_of,
    write_notation,
)
from ontoeval.measures.ontology_score import OntologyScore
from ontoeval.measures.operating_curve import HierarchicalArea, OperatingArea, RecallAtCorrect
from ontoeval.measures.pairing import GraphInducedAccuracy, GraphInducedError
from ontoeval.measures.paths import PathAccuracy, PathF, PathPrecision, PathRecall
from ontoeval.measures.prediction_sets import SetComplexity, SetCoverage, SetSize
from ontoeval.measures.rankings import (
    AreaUnderCurve,
    AveragePrecision,
    Coverage,
    DPrime,
    EqualErrorRate,
    LabelRankingAveragePrecision,
    OneError,
    RankingLoss,
)
from ontoeval.measures.risk_coverage import GeneralizedRiskCoverage, HierarchicalRiskCoverage
from ontoeval.measures.single_labels import (
    Correct,
    Deficiency,
    Excess,
    HierarchicalDistance,
    HierarchicalDistanceAt,
    InformationDistance,
    InformationF,
    InformationPrecision,
    InformationRecall,
    MistakeSeverity,
)
from ontoeval.measures.transport import (
    CountPreservingF,
    TransportF,
    TransportJaccard,
    TransportKappa,
    TransportPrecision,
    TransportRecall,
)
from ontoeval.plumbing.checks import as_list


@dataclass(frozen=True)
class Entry:
    """A named point among the measures."""

    symbol: str
    measure: Any
    title: str
    family: str
    cite: str | None = None

    @property
    def source(self) -> str:
        """Key in the list of references."""
        return self.cite or str(info(self.measure, "source"))

    @cached_property
    def parameters(self) -> dict[str, object]:
        """The parameters of the measure."""
        return {field.name: getattr(self.measure, field.name) for field in fields(self.measure)}

    @cached_property
    def own(self) -> dict[str, object]:
        """Parameters that are not those of the general entry of the class."""
        return _differences(self.measure, _OF_CLASS[type(self.measure)][0].parameters)


FAMILIES = {
    "ontology": "the ontology score",
    "flat": "sets of labels, without a hierarchy",
    "ancestors": "sets of labels and all above them",
    "descendants": "sets of labels and all below them",
    "lowest common ancestors": "sets of labels and what lies between them",
    "transport": "bits of label sets, each label used once",
    "pairs": "labels, each paired with one of the other set",
    "information": "information of label sets",
    "losses": "what is charged for differences between sets",
    "near misses": "decisions to which what is nearly right contributes",
    "single labels": "one true and one predicted label for each sample",
    "thresholds": "scores of labels, cut off at the best threshold",
    "rankings": "scores of labels, and how they order them",
    "rewards": "what predictions earn, by pairs of labels",
    "paths": "paths from the root to labels",
    "levels": "predictions made level by level",
}
"""Titles of the families, in the order in which they are listed."""

_BELOW: dict[str, Any] = {"members": "descendants", "average": "samples"}
"""View of Sokolova and Lapalme: the descendants of each label, sample by sample."""

_SOKOLOVA = "sokolova2009"
_LCA = "{} over lowest common ancestors"

CATALOGUE = (
    Entry("OS", OntologyScore(), "ontology score", "ontology"),
    Entry("P", Precision(), "precision", "flat"),
    Entry("R", Recall(), "recall", "flat"),
    Entry("F", F(), "F measure", "flat"),
    Entry("Jaccard", Jaccard(), "Jaccard index, example-based accuracy", "flat"),
    Entry("Accuracy", Accuracy(), "accuracy of decisions", "flat"),
    Entry("Error", ErrorRate(), "error rate of decisions", "flat"),
    Entry("Hamming", HammingLoss(), "Hamming loss", "flat"),
    Entry("ExactMatch", ExactMatch(), "exact match ratio, fully correct samples", "flat"),
    Entry("PartlyCorrect", PartlyCorrect(), "partly correct samples", "flat"),
    Entry("FullyWrong", FullyWrong(), "fully wrong samples", "flat"),
    Entry("Alpha", AlphaEvaluation(), "α-evaluation of Shen and Boutell", "flat"),
    Entry("hP", HierarchicalPrecision(), "hierarchical precision", "ancestors"),
    Entry("hR", HierarchicalRecall(), "hierarchical recall", "ancestors"),
    Entry("hF", HierarchicalF(), "hierarchical F measure", "ancestors"),
    Entry("hJaccard", HierarchicalJaccard(), "hierarchical Jaccard index", "ancestors"),
    Entry("dP", HierarchicalPrecision(**_BELOW), "precision over descendants, P↓", "descendants", _SOKOLOVA),
    Entry("dR", HierarchicalRecall(**_BELOW), "recall over descendants, R↓", "descendants", _SOKOLOVA),
    Entry("dF", HierarchicalF(**_BELOW), "F measure over descendants, F↓", "descendants", _SOKOLOVA),
    Entry("LCaP", LowestCommonAncestorPrecision(), _LCA.format("precision"), "lowest common ancestors"),
    Entry("LCaR", LowestCommonAncestorRecall(), _LCA.format("recall"), "lowest common ancestors"),
    Entry("LCaF", LowestCommonAncestorF(), _LCA.format("F measure"), "lowest common ancestors"),
    Entry("tP", TransportPrecision(), "transport precision", "transport"),
    Entry("tR", TransportRecall(), "transport recall", "transport"),
    Entry("tF", TransportF(), "transport F measure", "transport"),
    Entry("tJaccard", TransportJaccard(), "transport Jaccard index", "transport"),
    Entry("tKappa", TransportKappa(), "transport κ, corrected for chance", "transport"),
    Entry("CoPHE", CountPreservingF(), "count-preserving hierarchical F measure", "transport"),
    Entry("MGIA", GraphInducedAccuracy(), "multi-label graph-induced accuracy", "pairs"),
    Entry("GIE", GraphInducedError(), "graph-induced error", "pairs"),
    Entry("ICM", InformationContrast(), "information contrast model", "information"),
    Entry(
        "ICMnorm", NormalisedInformationContrast(), "information contrast model, normalised", "information"
    ),
    Entry("HLoss", HLoss(), "H-loss", "losses"),
    Entry("ZeroOne", ZeroOneLoss(), "zero-one loss over ancestors", "losses"),
    Entry(
        "SymmetricDifference", SymmetricDifferenceLoss(), "symmetric-difference loss over ancestors", "losses"
    ),
    Entry("SetDistance", EuclideanSetDistance(), "weighted Euclidean distance of sets", "losses"),
    Entry("Distance", DistanceCost(), "distance to the nearest label", "losses"),
    Entry("nearP", PrecisionWithNearMisses(), "precision with near misses, Sun and Lim", "near misses"),
    Entry("nearR", RecallWithNearMisses(), "recall with near misses, Sun and Lim", "near misses"),
    Entry("Severity", MistakeSeverity(), "mistake severity", "single labels"),
    Entry("hDistance", HierarchicalDistance(), "hierarchical distance of single labels", "single labels"),
    Entry("iP", InformationPrecision(), "information precision", "single labels"),
    Entry("iR", InformationRecall(), "information recall", "single labels"),
    Entry("iF", InformationF(), "information F measure", "single labels"),
    Entry("Correct", Correct(), "correct single labels, however specific", "single labels"),
    Entry("Excess", Excess(), "excess information", "single labels"),
    Entry("Deficient", Deficiency(), "deficient information", "single labels"),
    Entry("iDistance", InformationDistance(), "information distance", "single labels"),
    Entry(
        "hDistanceAt", HierarchicalDistanceAt(), "hierarchical distance of the best ranks", "single labels"
    ),
    Entry("Cost", LabelCost(), "cost of the predicted label", "single labels"),
    Entry("OperatingArea", OperatingArea(), "area below the operating curve", "single labels"),
    Entry("RecallAtCorrect", RecallAtCorrect(), "information recall with so much correct", "single labels"),
    Entry("hAURC", HierarchicalRiskCoverage(), "area of hierarchical risk over coverage", "single labels"),
    Entry("AUGRC", GeneralizedRiskCoverage(), "area of generalised risk over coverage", "single labels"),
    Entry("SetCoverage", SetCoverage(), "coverage of prediction sets", "single labels"),
    Entry("SetSize", SetSize(), "size of prediction sets", "single labels"),
    Entry("SetComplexity", SetComplexity(), "complexity of prediction sets", "single labels"),
    Entry("Fmax", Fmax(), "Fmax", "thresholds"),
    Entry("wFmax", Fmax(weight="ia"), "Fmax weighted with information accretion", "thresholds", "jiang2016"),
    Entry("microFmax", Fmax(average="micro"), "Fmax of all samples together", "thresholds", "piovesan2024"),
    Entry("Covered", Fmax(part="coverage"), "coverage at the threshold of Fmax", "thresholds", "jiang2016"),
    Entry("Smin", Smin(), "Smin", "thresholds"),
    Entry("OneError", OneError(), "one-error", "rankings"),
    Entry("Coverage", Coverage(), "coverage of a ranking", "rankings"),
    Entry("RankingLoss", RankingLoss(), "ranking loss", "rankings"),
    Entry("LRAP", LabelRankingAveragePrecision(), "label ranking average precision", "rankings"),
    Entry("AP", AveragePrecision(), "mean average precision of concepts", "rankings"),
    Entry("AUC", AreaUnderCurve(), "area under the ROC curve", "rankings"),
    Entry("dPrime", DPrime(), "d′, of the area under the ROC curve", "rankings"),
    Entry("EER", EqualErrorRate(), "equal error rate", "rankings"),
    Entry("hFArea", HierarchicalArea(), "area below precision over recall of nodes", "rankings"),
    Entry("PAt", PrecisionAt(), "precision at k", "rankings"),
    Entry("RAt", RecallAt(), "recall at k", "rankings"),
    Entry("nDCGAt", GainAt(), "normalised discounted gain at k", "rankings"),
    Entry("HitAt", HitAt(), "top-k accuracy", "rankings"),
    Entry("RR", ReciprocalRank(), "mean reciprocal rank, MRR", "rankings"),
    Entry("PSPAt", PropensityPrecisionAt(), "propensity-scored precision at k", "rankings"),
    Entry("PSnDCGAt", PropensityGainAt(), "propensity-scored nDCG at k", "rankings"),
    Entry("PhysioNet", PhysioNet(), "score of the PhysioNet challenges 2020 and 2021", "rewards"),
    Entry("pathP", PathPrecision(), "precision along paths", "paths"),
    Entry("pathR", PathRecall(), "recall along paths", "paths"),
    Entry("pathF", PathF(), "F measure along paths", "paths"),
    Entry("pathAccuracy", PathAccuracy(), "accuracy along paths", "paths"),
    Entry("LevelAccuracy", LevelAccuracy(), "mean accuracy of the levels", "levels"),
    Entry("HCA", LevelAccuracy(over="paths"), "hierarchical consistent accuracy", "levels", "wu2024"),
    Entry("Inconsistency", Inconsistency(), "inconsistency rate, TICE", "levels"),
)
"""Every measure that the package names."""

_BY_SYMBOL = {entry.symbol: entry for entry in CATALOGUE}

_OF_CLASS: dict[type, list[Entry]] = {}
"""Entries by the class of their measure, the general one first."""

for _entry in CATALOGUE:
    _OF_CLASS.setdefault(type(_entry.measure), []).append(_entry)


def entry(symbol: str) -> Entry:
    """Look up a symbol."""
    if symbol not in _BY_SYMBOL:
        if meanings := _alias("refused", symbol):
            raise MeasureError(f"{symbol!r} means several measures: {meanings}.")
        words = {one.title: one.symbol for one in reversed(CATALOGUE)} | {word: word for word in _BY_SYMBOL}
        found = dict.fromkeys(words[word] for word in near_names(symbol.replace("_", " "), words))
        if found:
            hint = f"(near: {enumerate_some(found)}). `ontoeval measures` lists all."
            raise MeasureError(f"Unknown measure {symbol!r} {hint}")
        raise MeasureError(f"Unknown measure {symbol!r}. `ontoeval measures` lists all.")
    return _BY_SYMBOL[symbol]


def _alias(kind: str, symbol: str) -> str:
    """Look up a name of other libraries: the measure that is the same, or what it may mean; "" if neither."""
    return str(habits()[kind].get(symbol.casefold().removesuffix("_score"), ""))


_STATED = re.compile(r"(?P<average>m[ia]cro|weighted|samples)|beta=(?P<beta>[\d.]+)|(?:\bk=|@)(?P<k>\d+)")
"""Where a notation has an option of scikit-learn."""


def _with_options_of_others(given: Mapping[str, Any]) -> list[str]:
    """Name the measures of a call with its options of scikit-learn, whose 0/0 is 0 unless it is given."""
    chosen, average = given.get("measures"), given.get("average", "")
    chosen = "F" if chosen is None or (isinstance(chosen, str | list) and not chosen) else chosen
    chosen = listed(chosen) if isinstance(chosen, str) or not isinstance(chosen, Iterable) else [*chosen]
    first = given.get(keyword := "top_k" if "top_k" in given else "k")
    first = whole_or_none(keyword, int(str(first)) if str(first).isdecimal() else first, least=1)
    texts = [
        name(one) if hasattr(one, "statistic") else str(one) for one in chosen * bool(given.get("typed"))
    ]
    for met in chain.from_iterable(map(_STATED.finditer, texts)):
        other = str({**given, "k": first}.get(key := str(met.lastgroup)))
        if other != "None" and met[key].removesuffix(".0") != other.removesuffix(".0"):
            raise MeasureError(f"{met.string!r} and {key}={other} contradict each other. Leave one out.")
    chosen = (f"{one}@{first}" if first and _alias("first_k", str(one)) else one for one in chosen)
    named = (f"{one}_{average}" if _alias("same", f"{one}_{average}") else one for one in chosen)
    measures = measures_of([*named]).values()
    known = [{one.name for one in fields(own)} if is_dataclass(own) else set() for own in measures]
    options: dict[str, Any] = {"average": average} if average else {}
    options |= {"beta": float(given["beta"])} if "beta" in given else {}
    options |= {} if first is None else {"k": first}
    without = [one for one, names in zip(measures, known, strict=True) if "k" in options.keys() - names]
    if lost := {keyword} if without else options.keys() - set().union(*known):
        instead = f" Measures of the first {first} labels are P@{first} and R@{first}." * (keyword in lost)
        if {info(one, "takes") for one in without} == {"sets"}:
            instead = f" {of_first_labels(given, first)}".rstrip() + instead
        lacking = enumerate_some(map(name, without or measures))
        raise MeasureError(f"{enumerate_some(lost)}: no option of {lacking}.{instead}")
    zero, notations = given.get("zero_division"), list[str]()
    for measure, names in zip(measures, known, strict=True):
        stated = {key: value for key, value in options.items() if key in names}
        over = stated.get("average", getattr(measure, "average", "samples"))
        what = "empty" if over == "samples" else "undefined"
        if what in names and (zero is not None or (average and {"rule", "mean"} & names)):
            value = 0.0 if zero in {None, "warn"} else float(zero)
            if value and over == "samples" and isinstance(measure, Precision | Recall):
                raise MeasureError(
                    f"zero_division={zero!r}: {name(measure)} of a sample without "
                    f"{'predicted' if isinstance(measure, Precision) else 'true'} labels is 0: leave it out."
                )
            stated[what] = None if isnan(value) else value
        notations.append(name(replace(measure, **stated)))
    return notations


ANSWERS.update(dict.fromkeys(("average", "zero_division", "beta", "k", "top_k"), _with_options_of_others))


def parse(notation: str) -> Any:  # noqa: ANN401 - a measure of any class
    """Read a measure in its notation.

    Parameters
    ----------
    notation
        A symbol, with options or without: "F(beta=2)"; the name of the same measure in scikit-learn:
        "f1_macro"; or the module and class of a measure of somebody else: "package.module:Measure(beta=2)".

    Raises
    ------
    MeasureError
        If the notation cannot be read, or what it names is no measure.

    Examples
    --------
    >>> parse("F(average='macro')").average
    'macro'
    """
    if notation in _BY_SYMBOL:
        return _BY_SYMBOL[notation].measure
    if names_a_module(notation):
        measure = import_measure(notation)
        _check_info(measure)
        return measure
    if why := _alias("absent", re.sub(r"@\d+\Z", "@k", notation)):
        raise MeasureError(f"Unknown measure {notation!r}. {why}")
    first_k = re.fullmatch(r"(\w+?)(?:@|\.|_|_at_|\()(k|[1-9]\d*)\)?", notation)
    if first_k is not None and (meant := habits()["first_k"].get(first_k[1].casefold())):
        if first_k[2] == "k":
            raise MeasureError(f"{notation!r}: write a number in place of k, such as {meant}(k=5).")
        notation = f"{meant}(k={first_k[2]})"
    words = re.split(r"[\s_-]+", notation.casefold().removesuffix("_score"))
    turns = (words[at:] + words[:at] for at in range(len(words)))
    if spoken := {"_".join(turn) for turn in turns} & habits()["same"].keys():
        notation = spoken.pop()
    symbol, keywords = split(notation, notation)
    same = _alias("same", symbol)
    default = parse(same) if same else entry(symbol).measure
    options = [field.name for field in fields(default)]
    options += ["decode"] * (info(default, "takes") == "sets")
    given = values_of(keywords, options, symbol, notation)
    decode: Any = given.pop("decode", None)
    if same:
        own, kept = split(same, same)
        if fixed := [one.arg for one in kept if one.arg in given]:
            raise MeasureError(
                f"{notation!r}: {symbol} has its own {enumerate_some(fixed)}. Write {own}(...)."
            )
    made = replace(default, **given) if given else default
    return made if decode is None else DecodedMeasure(made, decode)


def call_of(notation: str) -> str:
    """Write the call that computes a measure; empty if there is none of this name."""
    try:
        nearest = _nearest_entry(measure := parse(notation))
    except MeasureError:
        return ""
    sides = "truth, scores" if info(measure, "takes") == "scores" else "truth, prediction"
    above = nearest is not None and nearest[0].family not in {"flat", "rankings"}
    notation = nearest[0].symbol if nearest is not None and not nearest[1] else notation
    return f"evaluate({sides}{', hierarchy=hierarchy' * above}, measures={notation!r})"


def name(measure: Measure) -> str:
    """Write a measure in its notation; `parse` reads it back.

    Parameters
    ----------
    measure
        Any measure.

    Returns
    -------
    str
        Its symbol, or module and class, with the parameters that differ from the default.

    Examples
    --------
    >>> name(F(average="macro"))
    "F(average='macro')"
    """
    nearest = _nearest_entry(measure)
    if nearest is None:
        return notation_of(measure) or repr(measure)
    return write_notation(nearest[0].symbol, nearest[1])


def full_name(measure: Measure) -> str:
    """Write a measure with every parameter, as signatures do."""
    nearest, (plain, decoding) = _nearest_entry(measure), _split_decoding(measure)
    if nearest is None or not is_dataclass(plain):
        return notation_of(measure, in_full=True) or repr(measure)
    values = {field.name: getattr(plain, field.name) for field in fields(plain)}
    return write_notation(nearest[0].symbol, values | decoding)


def general_notation(measure: Measure) -> str:
    """Write a measure with the general symbol of its class, without short symbols such as dF or wFmax."""
    plain, decoding = _split_decoding(measure)
    general = _OF_CLASS[type(plain)][0]
    return write_notation(general.symbol, _differences(plain, general.parameters) | decoding)


def _split_decoding(measure: object) -> tuple[Any, dict[str, object]]:
    """Split a measure from how probabilities are decoded for it, as an option."""
    return (
        (measure.measure, {"decode": measure.decode})
        if isinstance(measure, DecodedMeasure)
        else (measure, {})
    )


def find_measure(measure: AnyMeasure, known: Collection[str], lacking: str) -> str:
    """Find a measure among some, by any of its notations."""
    if isinstance(measure, str) and measure in known:
        return measure
    notation = name(as_measure(measure))
    if notation not in known:
        raise MeasureError(
            f"{measure!r} {lacking}{did_you_mean(notation, known)}. There are: {', '.join(known)}."
        )
    return notation


def source_of(measure: Measure) -> str:
    """Key of the reference of a measure."""
    nearest = _nearest_entry(measure)
    return str(info(measure, "source")) if nearest is None else nearest[0].source


def as_measure(wanted: Any) -> Any:  # noqa: ANN401 - a notation, a function, or a measure of any class
    """Read a notation, and wrap a function."""
    if isinstance(wanted, str):
        return parse(wanted)
    return MeanOfFunction(wanted) if isroutine(wanted) else wanted


_COMMA = re.compile(r"\s*,\s*(?=(?:[^()]|\((?:[^()]|\([^()]*\))*\))*$)")
"""What stands between measures in one text: a comma outside all brackets."""


def listed(wanted: Any) -> list[Any]:  # noqa: ANN401 - a notation, a function, or a measure of any class
    """List the measures of a text."""
    return _COMMA.split(wanted) if isinstance(wanted, str) else [wanted]


def measures_of(wanted: Measures) -> dict[str, Any]:
    """Collect measures given as notations, as functions or as values."""
    measures, errors = [], list[MeasureError]()
    for one in (named := [*chain.from_iterable(map(listed, as_list(wanted)))]):
        try:
            measures.append(as_measure(one))
        except MeasureError as error:
            errors.append(error)
    if errors:
        means = (one for one in map(str, named) if "known here" in _alias("refused", one))
        macro = {one: f"{one.removesuffix('_score')}_macro" for one in means}
        call = f" For means over concepts write {','.join(macro.get(str(one), str(one)) for one in named)!r}."
        others = any(hasattr(one, "average") for one in measures)  # of which averages differ
        call *= len(errors) == len(macro) > 1 and not others
        raise errors[0] if len(errors) == 1 else MeasureError(" ".join(map(str, errors)) + call)
    wrong = [one for one in measures if not hasattr(one, "statistic") or not hasattr(one, "formula")]
    if not measures:
        raise MeasureError("No measure is asked for. Name one, such as 'F'.")
    if wrong:
        raise MeasureError(
            f"No measure: {enumerate_some(map(repr, wrong))}. Give notations such as 'F', functions "
            "(truth, prediction) -> numbers per sample, or objects with `statistic` and `formula`."
        )
    for measure in measures:
        if type(measure) not in _OF_CLASS:
            _check_info(measure)
    notations = [name(measure) for measure in measures]
    found = dict(zip(notations, measures, strict=True))
    for notation, measure in zip(notations, measures, strict=True):
        own = isinstance(measure, MeanOfFunction | OwnMeasure)
        if own and (found[notation] != measure or notation in _BY_SYMBOL):
            other = "a measure of the catalogue" if notation in _BY_SYMBOL else "another function"
            raise MeasureError(f"The function {notation!r} has the name of {other}. Rename it.")
    return found


def _nearest_entry(measure: object) -> tuple[Entry, dict[str, object]] | None:
    """Entry that a measure is written with, and its other parameters: the most special one that fits."""
    plain, decoding = _split_decoding(measure)
    same = _OF_CLASS.get(type(plain), ())
    others = ((entry, _differences(plain, entry.parameters) | decoding) for entry in same)
    fitting = [(one, other) for one, other in others if other.keys().isdisjoint(one.own)]
    return min(fitting, key=lambda found: len(found[1]), default=None)


def _differences(measure: object, default: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, one in default.items() if (value := getattr(measure, key)) != one}


def _check_info(measure: object) -> None:
    """Refuse a third party's measure with unusable attributes."""
    bounds = getattr(measure, "bounds", (0.0, 1.0))
    best, source = info(measure, "best"), info(measure, "source")
    two = isinstance(bounds, tuple | list) and len(bounds) == 2  # noqa: PLR2004 - two ends
    if not (two and all(map(_is_real, bounds))):
        raise _unusable(measure, "bounds", "the least and the greatest score, two numbers")
    if best is not None and not _is_real(best):
        raise _unusable(measure, "best", "the best score, a number such as 1.0, 0.0 or math.inf; or None")
    if info(measure, "takes") not in {"sets", "scores"}:
        raise _unusable(measure, "takes", "'sets' or 'scores'")
    if not isinstance(source, str) or (source and not is_known(source) and not is_entry(source)):
        raise _unusable(measure, "source", "an entry of BibTeX, '@article{key, ...}', or a key of ours")


def _is_real(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and not np.isnan(float(value))


def _unusable(measure: object, name: str, expected: str) -> MeasureError:
    found = shortened(repr(getattr(measure, name)))
    return MeasureError(f"{name_in_messages(measure)} has {name} = {found}: expected {expected}.")


_ENTRY = re.compile(r"\s*@\w+\s*\{\s*[^\s,{}]+\s*,.*\}\s*", re.DOTALL)


def bibtex(key: str) -> str:
    """Find the BibTeX entry of a key."""
    entries = _entries()
    if key not in entries:
        raise ParameterError("key", key, f"one of {', '.join(entries)}")
    return str(entries[key])


def entry_of(source: str) -> str:
    """Find the BibTeX entry of a source, which is a key or, in a third party's measure, the entry itself."""
    return source.strip() if is_entry(source) else bibtex(source)


def is_entry(source: str) -> bool:
    """Whether a source is an entry of BibTeX itself."""
    return _ENTRY.fullmatch(source) is not None


def _reference(source: str) -> dict[str, str]:
    """Read the fields of the BibTeX entry of a source as plain text."""
    return {
        name: " ".join(re.sub(r"[{}]|\\(?=&)", "", value).split())
        for name, value in re.findall(r"(?ms)^\s*(\w+)\s*=\s*\{(.*?)\},?$", bibtex(source))
    }


def citation(key: str) -> str:
    """Write a reference in one line."""
    fields = _reference(key)
    authors = ", ".join(author.partition(",")[0] for author in fields["author"].split(" and "))
    authors = authors.replace(", others", " et al.")
    place = fields.get("journal") or fields.get("booktitle") or fields.get("publisher") or ""
    parts = [f"{authors} ({fields['year']})", fields["title"], place, fields.get("doi", "")]
    return ". ".join(part for part in parts if part)


def link(key: str) -> str:
    """Address of a reference; "" where it has none."""
    servers = {"doi": "https://doi.org/", "eprint": "https://arxiv.org/abs/", "url": ""}
    fields = _reference(key)
    return next((server + fields[field] for field, server in servers.items() if field in fields), "")


def is_known(key: str) -> bool:
    """Whether there is an entry with this key."""
    return key in _entries()


def software() -> str:
    """Write the BibTeX entry of this version of the package."""
    return (
        "@misc{ontoeval,\n"
        "  author = {{ontoeval contributors}},\n"
        "  title = {ontoeval: evaluation of multi-label classification, flat and with an ontology},\n"
        f"  note = {{Version {__version__}, Python package ontoeval-metrics, Apache-2.0}},\n"
        "}"
    )


def _entries() -> dict[str, str]:
    text = files("ontoeval").joinpath("references.bib").read_text(encoding="utf-8")
    return {entry.split("{", 1)[1].split(",", 1)[0]: entry for entry in re.findall(r"(?ms)^@.*?^}", text)}


def asks_for_scores(chosen: Mapping[str, Any] | None) -> bool:
    """Whether predictions are scores by what a measure takes."""
    return any(info(one, "takes") == "scores" for one in (chosen or {}).values())
