"""A misspelt option of a public function or method is refused in its name, with the near option."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ontoeval as oe

OPTIONAL = {inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}
API = Path(__file__).parents[2].joinpath("docs", "api.md").read_text(encoding="utf-8")
METHODS = ("report", "plot", "from_array", "from_edges", "from_frame", "from_paths", "from_sets")
"""Methods with options that people type; of all others Python itself refuses what they do not have."""


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """All functions and classes that are public, by the names under which they are called."""
    if not hasattr(module, "__all__"):
        functions = inspect.getmembers(module, inspect.isfunction)
        yield from (
            (name, one) for name, one in functions if one.__module__ == module.__name__ and name in API
        )
        return
    for name in module.__all__:
        found = getattr(module, name)
        yield from public(found) if inspect.ismodule(found) else [(name, found)]


def verbs() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions and methods with options."""
    for name, found in public(oe):
        if inspect.isfunction(found):
            yield name, found
        elif inspect.isclass(found):
            for method in (method for method in METHODS if hasattr(found, method)):
                bound = isinstance(inspect.getattr_static(found, method), classmethod)
                yield f"{name}.{method}", getattr(found if bound else object.__new__(found), method)


def option_of(verb: Callable[..., Any]) -> str:
    """The option of a function that has the longest name; "" if it has none."""
    parameters = inspect.signature(verb).parameters.values()
    named = (one.name for one in parameters if one.kind in OPTIONAL and one.default is not one.empty)
    return max(named, key=len, default="")


VERBS = {f"{verb.__module__}:{name}": verb for name, verb in verbs() if option_of(verb)}


@pytest.mark.parametrize("place", VERBS)
def test_a_misspelt_option_of_a_public_verb_is_refused_with_the_near_option(place: str) -> None:
    verb, name = VERBS[place], place.partition(":")[2]
    option = option_of(verb)
    wrong = f"{option}{option[-1]}"
    with pytest.raises(oe.OntoevalError, match=rf"^{re.escape(name)} has no '{wrong}' \(near: .*'{option}'"):
        verb(**{wrong: 1})


@pytest.mark.parametrize("kind", ["report", "plot"])
def test_functions_for_all_results_refuse_the_misspelt_options_of_each(kind: str) -> None:
    result = oe.evaluate([["a"]], [["a"]])
    verb, near, called = {
        "report": (oe.reports.report, "author", "report"),
        "plot": (oe.reports.plot, "show", "Evaluation.plot"),
    }[kind]
    with pytest.raises(oe.OntoevalError, match=rf"^{called} has no '{near}s' \(near: '{near}'"):
        verb(result, **{f"{near}s": "Ann"})


PASSED_ON: dict[str, Callable[..., Any]] = {
    "seperator": oe.scan_labels,
    "treshold": oe.labels.read_label_file,
    "max_byte": oe.labels.read_score_file,
    "concept_mapp": oe.labels.read_label_chunks,
    "unknwon": oe.audit.validate,
    "anotator_column": oe.labels.read_annotation_files,
    "resample": oe.agreement,
    "levels": oe.compare,
    "measure_": oe.study,
}


@pytest.mark.parametrize("wrong", PASSED_ON)
def test_options_that_are_passed_on_are_refused_in_the_name_of_the_function_that_was_called(
    wrong: str,
) -> None:
    verb = PASSED_ON[wrong]
    with pytest.raises(oe.OntoevalError, match=rf"^{verb.__name__} has no '{wrong}' \(near: "):
        verb("labels.csv", **{wrong: 1})
