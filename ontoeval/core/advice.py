"""Keywords and functions of other libraries: they are understood, or answered by the call that is meant."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from inspect import signature, unwrap
from operator import attrgetter
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ontoeval.errors import InputError, habits
from ontoeval.plumbing.checks import as_list

Arguments = dict[str, Any]
AnyFunction = Callable[..., Any]
Instead = tuple[str, Arguments, str, str]
"""The function to call, or _ for the one that was; what is given to it; what stands behind; a remark."""

ANSWERS: dict[str, Callable[[Mapping[str, Any]], list[str]]] = {}
"""Measures that are meant by keywords that are parameters of a measure here, from the arguments of a call."""

_INSIDE = re.compile(r"{(\w+)\|(.*?)}")
"""An argument that is written inside a call, and what stands there without it."""

_MODULES = {"huggingface", "lightning", "metrics", "plot", "pytorch", "scikit_learn", "sklearn", "torch"}
_MODULES |= {"torchmetrics", "transformers"}
"""Rows that are modules of other libraries, with more names in them."""

_LONGEST = 256
"""Characters that no file's name has; of longer ones Python 3.11 raises an error."""

_MOST = 20
"""Most items of a list that are written out."""


class Code(str):
    """Code that stands for a value."""

    __slots__ = ()


def parsed_row(text: str) -> Instead:
    """Read a row: a remark, or a call and behind # a remark."""
    call, _, why = text.partition(" # ")
    met = re.match(r"""([\w.]+)\(((?:[^()'"]|'[^']*'|"[^"]*")*)\)""", call)
    if met is None:
        return "", {}, "", text
    parts = [one.strip().partition("=") for one in re.findall(r"""(?:[^,'"]|'[^']*'|"[^"]*")+""", met[2])]
    put = {name: Code(value) if value in {"", name} else ast.literal_eval(value) for name, _, value in parts}
    return met[1], put, call[met.end() :], why


def row_for(name: str) -> str:
    """Find the row of a name of another library; a class of torchmetrics may be called by its measure."""
    rows, bare = habits()["functions"], re.sub("_?(Metric|Score)$", "", name)
    words = re.sub(r"(?<=[a-z\d])(?=[A-Z])", "_", bare).lower()
    other = (rows.get(f"{words}_score") or habits()["refused"].get(words)) if name == f"{bare}Score" else ""
    if row := rows.get(name) or other:
        return str(row)
    call = _call_of(bare) or _call_of(words)
    metric = rows["Metric"].replace("measures", call[call.find("measures=") : -1])
    return metric if "prediction" in call else call


def _call_of(measure: str) -> str:
    """Write the call of a measure; the first name loads the room, which makes the module an attribute."""
    _, call_of = attrgetter("measures.parse", "measures.catalogue.call_of")(sys.modules["ontoeval"])
    return str(call_of(measure))


def keywords_of(verb: AnyFunction) -> set[str]:
    """Keywords of a public function, with those of its options."""
    return {*(getattr(verb, "keywords", ()) or signature(verb).parameters)}


def heard(verb: AnyFunction, given: Arguments, extra: Sequence[Any] = ()) -> Arguments:
    """Give keywords of other libraries their names here; refuse all others at once, with the call here."""
    called, known = verb.__qualname__.removesuffix(".__init__"), keywords_of(verb)
    found, rows = (given, {}) if given.keys() <= known else _translated([called, verb.__name__], given, known)
    wrong = f"{called} has no {', no '.join(map(repr, rows))}. " * bool(rows)
    if asked := [*rows.values(), *_placed(verb, found, extra := _other_than_files(found, extra))]:
        answer = _answer(verb, found, asked)
        raise TypeError(wrong + answer) if rows or extra else InputError("runs without names", answer)
    return _with_measures(found, known, typed=True)


def _translated(
    called: Sequence[str], given: Arguments, known: Collection[str]
) -> tuple[Arguments, dict[str, Instead]]:
    """Give keywords their names here; of the others say what is to be written in their place."""
    meant, table = habits()["parameters"], habits()["keywords"]
    known = {*known, *["run_names"] * ("runs" in known)}
    found, rows = {name: value for name, value in given.items() if name in known}, dict[str, Instead]()
    measured = {"measure", "measures"} & {*given}.union(*(meant.get(name, ()) for name in given))
    owners = [*(f"{one}." for one in called), *["measured."] * bool(measured), ""]
    for name in sorted((one for one in given if one not in known), key=lambda one: one.startswith("num_")):
        value, aliases = given[name], [name, *meant.get(name, ())]
        if name == "labels" and not isinstance(value, str | dict):
            truth, some = given.get("truth", given.get("y_true")), called[0] in habits()["functions"]
            some &= hasattr(truth, "columns") or not _shape(truth)
            aliases[:0] = ["only"] * (some or np.ravel(value).dtype.kind == "i")
        options = {*ANSWERS} - {name} if {"measure", "measures"} & known else set[str]()
        here = [one for one in aliases if one in known | options and one not in found]
        keys = [f"{owner}{one}" for owner in owners for one in aliases]
        exact = [f"{one}={value!r}" for one in keys] * isinstance(value, str | float | int | None)
        first = (*exact, *(f"{one}.{name}" for one in called), *keys * (not here))
        key = next((one for one in first if one in table), "")
        if key and table[key] and ("=" in key or not (value is None or value is False)):
            rows[key if key in {f"{one}={value!r}" for one in ANSWERS} else name] = parsed_row(
                table[key].replace("{}", _written(value, name))
            )
        elif not key and not here and {"truth", "prediction"} & {*aliases} & found.keys():
            rows[name] = parsed_row("The truth comes first, then the prediction; or name both.")
        elif not key:
            found[[*here, name][0]] = value
    return found, rows


def _needed(verb: AnyFunction) -> dict[str, bool]:
    """Name the parameters that a function cannot be called without, and whether each has a place."""
    parameters = [one for one in signature(verb).parameters.values() if one.name not in {"self", "cls"}]
    needed = (one for one in parameters if one.default is one.empty and one.kind != one.VAR_KEYWORD)
    return {one.name: one.kind < one.VAR_POSITIONAL for one in needed if one.kind != one.VAR_POSITIONAL}


def links_concepts(value: object) -> bool:
    """Whether a value may be a hierarchy, and no measure."""
    pairs = isinstance(value, list | tuple) and isinstance((*value, "")[0], tuple)
    pairs |= isinstance(value, str | PathLike) and Path(value).suffix in {".obo", ".owl", ".rdf", ".ttl"}
    return pairs or isinstance(value, Mapping) or hasattr(value, "edges") or hasattr(value, "hierarchy")


def holds_labels(value: object, truth: object = None) -> bool:
    """Whether a value is labels of samples, such as those of the truth, and no measure or hierarchy."""
    if isinstance(value, Mapping):
        return _shares_keys(value, truth) and not any(_may_be_run(one, truth) for one in value.values())
    if isinstance(value, str | PathLike):
        return _is_path(value) and Path(value).is_file() and not links_concepts(value)
    return _lists_sets(value) or hasattr(value, "shape") or hasattr(value, "samples")


def _lists_sets(value: object) -> bool:
    return isinstance(value, list | tuple) and isinstance([*value, ""][0], set | frozenset | list | Mapping)


def _shares_keys(value: object, other: object) -> bool:
    return isinstance(value, Mapping) and isinstance(other, Mapping) and not value.keys().isdisjoint(other)


def _is_path(value: object) -> bool:
    """Whether a value is a path; a text only with a suffix or a separator, which tell it from a measure."""
    text = isinstance(value, str) and len(Path(value).name) < _LONGEST and re.search(r"[/\\]|\.\w+$", value)
    return bool(text) or isinstance(value, PathLike)


def _may_be_run(value: object, truth: object) -> bool:
    """Whether a value in a dictionary may be a run, whose name may be that of a sample."""
    known = isinstance(value, Iterator) or hasattr(value, "shape") or hasattr(value, "samples")
    return known or _shares_keys(value, truth) or _is_path(value)


def _is_run(value: object, truth: object) -> bool:
    """Whether a value in a dictionary must be a run: it has samples of its own."""
    shaped = len(getattr(value, "shape", ())) > 1 or hasattr(value, "samples") or _lists_sets(value)
    return shaped or _shares_keys(value, truth)


def _holds_runs(value: object, truth: object) -> bool:
    """Whether a value is nothing but a dictionary of runs."""
    return isinstance(value, Mapping) and bool(value) and all(_is_run(one, truth) for one in value.values())


def _other_than_files(found: Arguments, extra: Sequence[Any]) -> Sequence[Any]:
    """Take a file for each annotator into the annotations, and leave the other values."""
    files = [one for one in extra if isinstance(one, str | PathLike)]
    if files and isinstance(found.get("annotations"), str | PathLike):
        found["annotations"] = [found["annotations"], *files]
        return [one for one in extra if not isinstance(one, str | PathLike)]
    return extra


def _placed(verb: AnyFunction, found: Arguments, extra: Sequence[Any]) -> list[Instead]:
    """Name runs that have no names, and values in a place too many."""
    several = "annotations" if "annotations" in found else "runs"
    first, names = found.get(several, found.get("prediction")), found.pop("run_names", ())
    truth, annotator = found.get("truth", found.get("batch")), several == "annotations"
    listed = first if isinstance(first, list | tuple) else [first]
    files = all(isinstance(one, str | PathLike) for one in listed)
    whole = isinstance(first, Mapping) and not holds_labels(first, truth)
    named = dict(first or {}) if whole and "runs" in found else {}
    put, beside, lost = dict[str, Any](), list[Any](), list[str]()
    further = [one for one in extra if named and _holds_runs(one, truth)]
    for key, run in (pair for one in further for pair in one.items()):
        named[f"{key} 2" if key in named else key] = run
    for one in (one for one in extra if not any(one is run for run in further)):
        apart = isinstance(one, str) or (links_concepts(one) and (files or not isinstance(one, Mapping)))
        if holds_labels(one, truth) or (annotator and not apart):
            beside.append(one)
        elif role := _role(verb, one, found | put):
            put[role] = [*as_list((found | put)[role]), *as_list(one)] if role in found | put else one
        else:
            lost.append(_written(one, type(one).__name__))
    labels = all(isinstance(one, list | set) and isinstance([*one, ""][0], str) for one in listed)
    each = annotator and bool(extra) and not files and listed is first
    each = each and all(holds_labels(one, listed[0]) for one in listed)
    whole_list = each or ("runs" in found and not labels)
    alone = [*([] if named else listed if whole_list else [first]), *beside]
    said = ["Other arguments are given by name."] * bool(put) + [f"Left out: {', '.join(lost)}."] * bool(lost)
    if "batch" in found and beside:
        sides = {"truth": found["batch"], "prediction": beside[0], **found, **put}
        known = keywords_of(align := _function("align"))
        put["batch"] = Code(_call(align, {name: one for name, one in sides.items() if name in known}))
    elif "runs" in found and _holds_runs(truth, first) and not _holds_runs(first, truth):
        put |= {"truth": first, "runs": truth}
        said.append("The truth comes first, then runs by name.")
    elif beside and not keywords_of(verb) & {"runs", "annotations", "only"}:
        said.append("Each prediction needs a call of its own.")
    elif beside or further or each or ("runs" in found and not (whole or files)):
        texts, kind = (_written(one, "") for one in alone), "annotator" if annotator else "run"
        names = names or [one if one.isidentifier() else f"{kind} {n}" for n, one in enumerate(texts, 1)]
        pairs = alone if all(isinstance(one, tuple) for one in alone) else zip(names, alone, strict=False)
        put[several] = alone if files and beside else named | dict(pairs)
        said.insert(0, f"{kind.capitalize()}s are given by name.")
    place = "_" if several in found or several not in put else "compare"
    return [(place, put, "", why) for why in said or [""] * bool(put)]


def _role(verb: AnyFunction, value: object, taken: Collection[str]) -> str:
    """Name the keyword of a value that has no place: the first that takes such values."""
    known = {*keywords_of(verb), *({"hierarchy", "classes"} if "batch" in taken else ())}
    known |= {"average"} if known & {"measures", "measure"} else set()
    roles = ["threshold"] * isinstance(value, float)
    if isinstance(value, list | tuple):
        measures = value and all(isinstance(one, str) and _call_of(one) for one in value)
        numbers = isinstance([*value, ""][0], float)
        roles = ["thresholds" if numbers else "measures" if measures else "classes"]
    if links_concepts(value):
        roles = ["hierarchy", "ontology"]
    elif isinstance(value, str):
        kinds = {name: str(one.annotation) for name, one in signature(verb).parameters.items()}
        named = unwrap(verb).__globals__
        roles = [name for name, kind in kinds.items() if repr(value) in str(named.get(kind, kind))]
        roles += ["average"] * (value in {"micro", "macro", "weighted", "samples"})
        roles += ["measures", "measure", "rule"] * (not _is_path(value) or bool(_call_of(value)))
    return next((one for one in roles if one in known and (one == "measures" or one not in taken)), "")


def _with_measures(found: Arguments, known: Collection[str], *, typed: bool = False) -> Arguments:
    """Take options of measures, such as average, into the measures."""
    key = "measures" if "measures" in known else "measure"
    options = [one for one in ANSWERS if one in found and one not in known and key in known]
    if not options:
        return found
    made = ANSWERS[options[0]]({**found, "measures": found.get(key), "typed": typed})
    rest = {name: one for name, one in found.items() if name not in options}
    return rest | {key: made if made[1:] else made[0]}


def of_first_labels(given: Mapping[str, Any], k: object) -> str:
    """Write the call that scores the sets of the first k labels of each sample; of runs, what makes them."""
    runs, classes = given.get("runs"), _written(given.get("classes"), "classes")
    side = given.get("prediction", next(iter(runs.values()), None) if isinstance(runs, Mapping) else runs)
    make = "frame({})" * hasattr(side, "columns") or "array({}, classes={})" * bool(_shape(side))
    make = f"ontoeval.{'read_scores({})' if isinstance(side, str | PathLike) else f'LabelScores.from_{make}'}"
    if (make := "{}" if hasattr(type(side), "top") else make).endswith("_"):
        return "Give scores as an array, a data frame, a file or LabelScores: sets of labels have no order."
    made = make.format(_written(given.get("prediction", Code("scores")), "scores"), classes)
    made = f"{made.replace(', classes=None', '')}.top({k})"
    given = {n: one for n, one in given.items() if one is not None and n not in {"k", "top_k", "threshold"}}
    if {"truth", "prediction"} <= given.keys():
        return _answer(OtherName, given, [("evaluate", {"prediction": Code(made)}, "", "")])
    return f"Give sets of labels: {made}." if "runs" in given else ""


def _answer(verb: AnyFunction, found: Arguments, rows: Sequence[Instead]) -> str:
    """Write the call that does what was asked, or one for each function that does a part of it."""
    calls = [_call(function, given) + after for function, given, after in _calls(verb, found, rows)]
    said = dict.fromkeys(why for *_, why in rows if why)
    return " ".join([f"Write {' and '.join(calls)}."] * bool(calls) + [*said])


def _calls(
    verb: AnyFunction, found: Arguments, rows: Sequence[Instead]
) -> Iterator[tuple[AnyFunction, Arguments, str]]:
    """Find the functions that do what was asked, with what is given to each and what stands behind it."""
    places = [place for place, *_ in rows if place]
    for place in dict.fromkeys(one for one in places if one != "_") or places[:1]:
        function, given = verb if place == "_" else _function(place), dict(found)
        for _, put, *_ in rows:
            given |= put
        known, own = keywords_of(function), {place, "_"} if unwrap(function) is unwrap(verb) else {place}
        if "runs" in known and "runs" not in given:
            given["runs"] = {"run": given.get("prediction", Code("prediction"))}
        order = [*dict.fromkeys(then for one, _, then, _ in rows if one in own)]
        order = [one for one in order if one == ".per_concept()"] or order  # which is no table
        given = {name: one for name, one in _with_measures(given, known).items() if name in known}
        each = given.get("measures") if order == [".per_concept()"] else None
        parts = [given | {"measures": one} for one in each] if isinstance(each, list) else [given]
        yield from ((function, one, after) for one in parts for after in _afters(order))


def _afters(order: Sequence[str]) -> Iterator[str]:
    """Join what changes a frame with each that ends its use; what has no frame stands behind a call alone."""
    alone = [one for one in order if re.match(r"\.(report|tables|top)\(", one)]
    ends = [one for one in order if re.search(r"dict|\.to_(csv|json)\(", one) and one not in alone]
    rest = [one for one in order if one not in {"", *alone, *ends}]
    ways = sorted(rest, key=lambda one: one.startswith(".to_frame()"))
    for end in ends or [""] * bool(ways or not alone):
        first, *more = "".join([*ways, end]).split(".to_frame()")
        yield first + ".to_frame()" * bool(more) + "".join(more)
    yield from alone


def _function(place: str) -> AnyFunction:
    found: AnyFunction = attrgetter(place)(sys.modules["ontoeval"])
    return found.__init__ if isinstance(found, type) else found  # type: ignore[misc]


def _call(verb: AnyFunction, given: Arguments) -> str:
    """Write a call with the names that its values have where it was written."""
    name, room = verb.__qualname__.removesuffix(".__init__"), ".".join(verb.__module__.split(".")[:2])
    public = [one for one in ("ontoeval", room) if name.partition(".")[0] in sys.modules[one].__all__]
    needed = _needed(verb)
    given = dict.fromkeys(needed, Code()) | given
    bare = {key for key, one in given.items() if isinstance(one, Code) and not one}.difference(needed)
    texts = {key: _written(one, key) for key, one in given.items() if key not in {"self", "cls", *bare}}
    first = [texts.pop(one) for one, placed in needed.items() if placed]
    listed = [*first, *map("=".join, texts.items())]
    owner = "result" if {"self"} & given.keys() and name == verb.__qualname__ else ""
    return f"{owner or [*public, verb.__module__][0]}.{verb.__name__ if owner else name}({', '.join(listed)})"


def _written(value: Any, name: str) -> str:  # noqa: ANN401 - as various as arguments
    """Write a value as code: a literal, the variable where the package was called, or else a name."""
    frame = sys._getframe()  # noqa: SLF001 - as tracebacks are made
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "ontoeval":
        frame = frame.f_back
    variables = {**frame.f_globals, **frame.f_locals}.items()
    if isinstance(value, str | float | int | None):
        return (
            (str(value) or name) if isinstance(value, Code) else re.sub(r"np.\w+\((.*)\)", r"\1", repr(value))
        )
    own = next((key for key, one in variables if one is value and key[0] != "_"), "")
    if own or not isinstance(value, dict | list | set | tuple) or len(value) > _MOST:
        return own or name
    if isinstance(value, dict):
        names = {key: str(key) if str(key).isidentifier() else name for key in value}
        return f"{{{', '.join(f'{key!r}: {_written(one, names[key])}' for key, one in value.items())}}}"
    if isinstance(value, set):
        return repr(value)
    texts = ", ".join(_written(one, name) for one in value)
    return f"({texts})" if isinstance(value, tuple) and len(value) > 1 else f"[{texts}]"


def advised(name: str, text: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    """Write the call that stands for one of another library, with its arguments."""
    return _answer(*_meant(name, text, args, keywords))


def _meant(
    name: str, text: str, args: Sequence[Any], keywords: Mapping[str, Any]
) -> tuple[AnyFunction, Arguments, list[Instead]]:
    """Find the function that does what one of another library does, and what is given to it."""
    slot = "k" if "{k|" in text else "beta" if "'fbeta'" in text else ""
    if slot or ".torchmetrics." in text:  # which has the task and numbers by place
        places = [slot] * bool(slot) + ["num_labels"] * ("Multi" in name) + ["threshold"]
        numbers = (one for one in args if isinstance(one, int | float))
        keywords = {**dict(zip(places, numbers, strict=False)), **keywords}
        args = [one for one in args if not isinstance(one, int | float) and str(one) != "multilabel"]
    inside = {key: keywords.get(key) or usual for key, usual in _INSIDE.findall(text)}
    inside = {key: "0.0" if one == "warn" else "None" if one != one else one for key, one in inside.items()}  # noqa: PLR0124 - nan
    place, put, then, why = parsed_row(_INSIDE.sub(lambda met: str(inside[met[1]]), text))
    if not place:
        return OtherName, {}, [("", {}, "", why)]
    verb, names = _function(place), [key for key, one in put.items() if isinstance(one, Code)]
    if any(hasattr(one, "label_ids") for one in args):
        args, why = (), "It makes the function that the Trainer takes."
    names = names[names[:1] in (["measures"], ["measure"]) and links_concepts([*args, ""][0]) :]
    unused = {*inside, *({"num_classes", "num_labels"} if place == "evaluate" else ())}
    given = {key: one for key, one in keywords.items() if key not in unused}
    given = dict(zip(names, args, strict=False)) | given
    found, rows = _translated([name, f"{name}_score", place], given, known := keywords_of(verb))
    if "only" in found or place == "one_vs_rest":
        found = _with_names(found, given)
    extra, shape = _other_than_files(found, args[len(names) :]), _shape(found.get("truth"))
    known = {*known, "run_names", *(ANSWERS if {"measure", "measures"} & known else ())}
    lost = sorted(one for one in found.keys() - known if str(found[one]) not in {"None", "False"})
    if place == "evaluate" and "average" in put and "average" not in given:
        why = "Name the average: there is none by default."
    elif slot == "beta" and "beta" not in found:
        why = "Name beta: there is none by default."
    elif "classification_report" in then and str(inside.get("zero_division", "0.0")) != "0.0":
        why = "scikit-learn has other averages over samples."
    elif shape[1:] == (1,) or (len(shape) == 1 and ("Hamming" in text or "classes" in found)):
        why = "scikit-learn reads one column as classes and counts 0 as a class, so its number differs."
    why = f"{', '.join(lost)}: left out. {why}".rstrip() if lost else why
    return verb, put | found, [("_", {}, then, why), *rows.values(), *_placed(verb, found, extra)]


def _with_names(found: Arguments, given: Arguments) -> Arguments:
    """Let names in labels= be all columns, or more than occur, which count as 0; titles are left out."""
    only = given.get("labels")
    titles: Any = given.get("target_names", ())
    if only is None or isinstance(only, str) or np.ravel(only).dtype.kind not in "UO":
        return found
    if "classes" in found and found["classes"] is titles:
        kept = {name: one for name, one in found.items() if name != "classes"}
        found = kept if np.array_equal(titles, only) else kept | {"target_names": titles}
    truth = found.get("truth")
    array = len(_shape(truth)) > 1 and not hasattr(truth, "columns")
    more = array or all(_names(found.get(side), {*only}) < {*only} for side in ("truth", "prediction"))
    return found | {"classes": [*only]} if more and "classes" not in found else found


def _names(side: Any, unknown: set[str]) -> set[str]:  # noqa: ANN401 - as various as arguments
    """Labels that occur, or are columns, where this is plain to see."""
    if (columns := getattr(side, "vocabulary", getattr(side, "columns", None))) is not None:
        return {*columns}
    if not isinstance(side, Mapping | list | tuple):
        return unknown
    rows = [
        [one] if isinstance(one, str) else one
        for one in (side.values() if isinstance(side, Mapping) else side)
    ]
    return {one for row in rows if isinstance(row, Iterable) for one in row if isinstance(one, str)}


def _shape(side: Any) -> tuple[int, ...]:  # noqa: ANN401 - as various as arguments
    """Shape of an array, of numbers in lists, or of one text for each sample; empty for sets and others."""
    if not isinstance(side, list | tuple):
        return getattr(side, "shape", ())
    try:
        array = np.asarray(side)
    except ValueError:  # lists of different lengths
        return ()
    return array.shape if array.dtype.kind in "biuf" or (array.dtype.kind, array.ndim) == ("U", 1) else ()


def _done(verb: AnyFunction, given: Arguments, after: str) -> Any:  # noqa: ANN401 - as various as results
    """Do what one call does, and give its scores as bare numbers, as other libraries do."""
    owner = attrgetter(verb.__qualname__.partition(".__init__")[0])(sys.modules[verb.__module__])
    made = (owner if isinstance(owner, type) else verb)(**given)
    notes = getattr(made, "cautions", getattr(made, "notes", ()))
    for note in (one for one in notes if not one.startswith("only ")):  # which was asked for
        warnings.warn(note, stacklevel=3)
    if isinstance(getattr(made, "scores", None), Mapping) and after in {"", ".per_concept()"}:
        each = made.per_concept() if after else made.scores
        ways = {"AUC": "left out; scikit-learn gives nan", "AP(undefined=0)": "each counts as 0"}
        for row in made.rows() if not after and ways.keys() & each else ():
            if row.undefined:
                some = f"{row.undefined} of {len(made.totals.vocabulary)} concepts: {ways[row.measure]}"
                warnings.warn(f"{row.measure} is undefined for {some}.", stacklevel=3)
        first = {one: each[one] for one in map(str, np.ravel(given.get("only", ()))) if one in each}
        numbers = [*(first | each).values()]
        return np.array(numbers) if after else numbers[0] if len(numbers) == 1 else tuple(numbers)
    return _with(made, ast.parse(f"_{after}", mode="eval").body)


def _with(made: Any, then: ast.expr) -> Any:  # noqa: ANN401 - as various as results
    """Take from a result what stands behind its call."""
    if isinstance(then, ast.Call):
        options = {one.arg: ast.literal_eval(one.value) for one in then.keywords if one.arg}
        return _with(made, then.func)(*map(ast.literal_eval, then.args), **options)
    if isinstance(then, ast.Subscript):
        places, names = ast.literal_eval(then.slice), [*map(str, getattr(made, "concepts", ()))]
        some = [names.index(one) if one in names else one for one in np.ravel(places)]
        return _with(made, then.value)[some if isinstance(places, list) else places]
    return getattr(_with(made, then.value), then.attr) if isinstance(then, ast.Attribute) else made


class OtherName:
    """What stands for a function or a module of another library."""

    def __init__(self, name: str, text: str) -> None:
        self.__name__, self._text, self.__doc__ = name, text, text

    def __repr__(self) -> str:
        return f"ontoeval.{self.__name__}"

    def __getattr__(self, name: str) -> object:
        """Take names of a module from the package; displays are made from predictions."""
        if name == "from_estimator":
            return OtherName(name, f"Predictions are drawn, no estimators: write ontoeval.{self._text}.")
        if name.startswith("_") or not (name.startswith("from_") or self.__name__ in _MODULES):
            raise AttributeError(f"{self!r} has no attribute {name!r}", name=name, obj=self)
        if name[:1].isupper() and ".torchmetrics." in self._text:
            return OtherName(name, row_for(name) or self._text)
        return self if name.startswith("from_") else getattr(sys.modules["ontoeval"], name)

    def __call__(self, *args: Any, **keywords: Any) -> Any:  # noqa: ANN401 - what the other takes and gives
        """Do what one call here does, or name the calls."""
        verb, found, asked = _meant(self.__name__, self._text, args, keywords)
        calls = [*_calls(verb, found, asked)]
        if len(calls) == 1 and not any(why for *_, why in asked):
            function, given, after = calls[0]
            given = {key: one for key, one in given.items() if not isinstance(one, Code)}
            if given.keys() >= _needed(function).keys():
                return _done(function, given, after)
        message = f"{self!r} is another call here. {_answer(verb, found, asked)}"
        raise TypeError(message)
