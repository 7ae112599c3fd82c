"""Notation of measures: a symbol and named options, all of them literals; nothing is evaluated."""

from __future__ import annotations

import ast
import os
import re
import sys
import unicodedata
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from importlib import import_module, invalidate_caches
from itertools import chain, count
from types import ModuleType
from typing import Any

import numpy as np

from ontoeval.errors import MeasureError, OntoevalError, did_you_mean, enumerate_some
from ontoeval.plumbing.files import FilePath


def split(notation: str, written: str) -> tuple[str, list[ast.keyword]]:
    """Split a notation into its symbol and its options."""
    try:
        tree = ast.parse(notation.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # the last two where it is nested deeply
        tree = None
    if isinstance(tree, ast.Name):
        return tree.id, []
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)) or tree.args:
        raise MeasureError(
            f"Cannot read the measure {written!r}. Write a symbol and named options, such as "
            "F(average='macro') or OS(alpha=2); see `ontoeval measures`."
        )
    return tree.func.id, tree.keywords


def values_of(
    keywords: Sequence[ast.keyword], options: Sequence[str], symbol: str, written: str
) -> dict[str, object]:
    """Read the values of options."""
    given: dict[str, object] = {}
    for keyword in keywords:
        name = str(keyword.arg)  # None, where something is unpacked, is no option
        if name not in options:
            known = f"Its options are {', '.join(options)}" if options else "It has no options"
            raise MeasureError(
                f"{symbol} has no option {keyword.arg!r}{did_you_mean(name, options)}. {known}."
            )
        if name in given:
            raise MeasureError(f"{written!r} gives {name!r} twice. Give it once.")
        try:
            given[name] = as_tuples(ast.literal_eval(keyword.value))
        except (ValueError, TypeError):
            text = ast.unparse(keyword.value)
            raise MeasureError(f"{written!r}: {text} is no value. Quote texts: {name}={text!r}.") from None
    return given


def as_tuples(value: object) -> object:
    """Turn lists into tuples, however deep, so that a measure that holds them can be hashed."""
    return tuple(map(as_tuples, value)) if isinstance(value, list | tuple) else value


def write_notation(symbol: str, options: Mapping[str, object]) -> str:
    """Write a symbol with options."""
    # A number of NumPy's is written as Python writes it: its own representation could not be read back.
    plain = {key: value.item() if isinstance(value, np.generic) else value for key, value in options.items()}
    texts = (
        f"{key}={int(value) if isinstance(value, float) and value.is_integer() else value!r}"
        for key, value in plain.items()
    )
    return f"{symbol}({', '.join(texts)})" if options else symbol


_OTHER_SIGNS = re.compile(r"[^a-z0-9]+", re.IGNORECASE)


def flat_names(notations: Iterable[str]) -> list[str]:
    """Write notations with letters, digits and underscores only; equal results are numbered."""
    taken: dict[str, None] = {}
    for notation in notations:
        text = re.sub(r"(?<![\w.])-(?=\d)", "minus", unicodedata.normalize("NFKD", notation))
        name = _OTHER_SIGNS.sub("_", text.encode("ascii", "ignore").decode()).strip("_") or "measure"
        name = f"_{name}" if name[0].isdigit() else name
        numbered = (f"{name}_{number}" for number in count(2))
        taken[next(one for one in chain([name], numbered) if one not in taken)] = None
    return list(taken)


_PLACE = re.compile(r"\s*([^\W\d]\w*(?:\.[^\W\d]\w*)*)\s*:(.*)", re.DOTALL)

HOW = "A measure is a frozen dataclass with `statistic` and `formula`: see examples/own_measure.py."

_FOLDERS: ContextVar[tuple[str, ...]] = ContextVar("folders", default=())


@contextmanager
def modules_from(folder: FilePath) -> Iterator[None]:
    """Allow measures to be imported from a folder, after installed modules and before the current folder."""
    token = _FOLDERS.set((*_FOLDERS.get(), os.fspath(folder)))
    try:
        yield
    finally:
        _FOLDERS.reset(token)


def names_a_module(notation: str) -> bool:
    """Whether a notation names the module of its measure."""
    return _PLACE.fullmatch(notation) is not None


def import_measure(notation: str) -> Any:  # noqa: ANN401 - a measure of any class
    """Import a third party's measure, and give it its options."""
    place = _PLACE.fullmatch(notation)
    if place is None:
        raise MeasureError(f"{notation!r} names no module. Write package.module:Measure.")
    symbol, keywords = split(place[2], notation)
    module = _module(place[1], notation)
    if not hasattr(module, symbol):
        there = [
            name for name, value in vars(module).items() if is_dataclass(value) and hasattr(value, "formula")
        ]
        hint = (
            f"{did_you_mean(symbol, there)}. Its measures are {enumerate_some(there)}."
            if there
            else f". {HOW}"
        )
        file = getattr(module, "__file__", None) or "built in"
        raise MeasureError(f"{notation!r}: the module {place[1]} ({file}) has no {symbol!r}{hint}")
    found = getattr(module, symbol)
    if not is_dataclass(found):
        raise MeasureError(f"{notation!r}: {symbol} is no dataclass. {HOW}")
    options = [field.name for field in fields(found) if field.init]
    given = values_of(keywords, options, symbol, notation)
    measure = _make_measure(found, given, notation)
    lacking = [member for member in ("statistic", "formula") if not hasattr(measure, member)]
    if lacking:
        raise MeasureError(f"{notation!r} has no {' and no '.join(map(repr, lacking))}. {HOW}")
    return measure


def notation_of(measure: object, *, in_full: bool = False) -> str | None:
    """Write where a measure is defined, with its options; `import_measure` reads it back."""
    kind = type(measure)
    home = sys.modules.get(kind.__module__)
    elsewhere = kind.__module__ == "__main__" or getattr(home, kind.__qualname__, None) is not kind
    if elsewhere or not is_dataclass(measure):
        return None
    options = {
        field.name: getattr(measure, field.name)
        for field in fields(measure)
        if field.init and (in_full or getattr(measure, field.name) != _default(field))
    }
    try:
        if any(literal_eval(repr(value)) != value for value in options.values()):
            return None
    except (ValueError, SyntaxError):
        return None
    return write_notation(f"{kind.__module__}:{kind.__qualname__}", options)


def _make_measure(found: Any, given: dict[str, object], notation: str) -> object:  # noqa: ANN401 - a class, or a measure of it
    if isinstance(found, type):
        required = [field.name for field in fields(found) if field.init and _default(field) is MISSING]
        lacking = [name for name in required if name not in given]
        if lacking:
            raise MeasureError(f"{notation!r} must say {enumerate_some(lacking)}, which have no default.")
    try:
        return found(**given) if isinstance(found, type) else replace(found, **given)
    except OntoevalError:
        raise
    except Exception as error:  # whatever somebody else's class raises
        raise MeasureError(f"{notation!r} refuses its options: {_reason(error)}") from error


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _module(name: str, notation: str) -> ModuleType:
    try:
        with _also_from_here():
            return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise MeasureError(f"{notation!r}: importing {name} fails: {_reason(error)}") from error
        raise MeasureError(
            f"{notation!r}: there is no module {error.name!r}. Install it, or work in the folder that "
            "holds it: the current one is searched last."
        ) from error
    except Exception as error:  # whatever somebody else's module raises
        raise MeasureError(f"{notation!r}: importing {name} fails: {_reason(error)}") from error


@contextmanager
def _also_from_here() -> Iterator[None]:
    """Let modules be found in the current folder, too: a console script does not look there.

    Such folders come last: a file that happens to lie there can take the place of no installed module.
    """
    here = () if "" in sys.path else (os.getcwd(),)  # noqa: PTH109 - a text, as sys.path holds them
    added = [folder for folder in (*_FOLDERS.get(), *here) if folder not in sys.path]
    sys.path.extend(added)
    invalidate_caches()
    try:
        yield
    finally:
        for folder in added:
            with suppress(ValueError):  # the module may have changed the path itself
                sys.path.remove(folder)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
