"""Benchmark files: the options of ``ontoeval compare``, written down in TOML."""

from __future__ import annotations

import glob
import inspect
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from ontoeval.cli.asked import asked
from ontoeval.cli.outputs import Outputs, outputs
from ontoeval.cli.planned import Planned, planned
from ontoeval.cli.slicing import BRANCH, LEVEL
from ontoeval.cli.wanted import wanted
from ontoeval.core.encodings import MARK
from ontoeval.core.files import read_file
from ontoeval.core.json_text import reason_of
from ontoeval.errors import InputError, OntoevalError, ParameterError, listed, near, shortened
from ontoeval.measures.notation import modules_from, names_a_module

FILE = "benchmark.toml"
"""What a benchmark file is called where nothing else is said."""

RESULTS = "results"
"""The folder of the results, likewise."""

_INSIDE = ("figures", "long", "report")
"""Files that lie in the folder of results."""

_MADE = {"inputs", "wanted", "planned"}
"""Parameters that are no options."""

_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)(?: (empty|drop|long|[0-9.]*[0-9]|[A-Z]{4,}))?")
"""An option as messages name it, some with a value."""

_PYTHON = re.compile(r"\b\w+=(?:, (?=--)|'\w+' \((--[^()]+)\))")
"""What messages call an option in Python, before they name the option."""

_REPEATED = {"measure": "measures", "baseline": "baselines", "import": "imports"}
"""Options whose keys, which have lists, are called otherwise."""


@dataclass(frozen=True, eq=False)
class Benchmark:
    """A benchmark file that has been read."""

    path: Path
    text: str
    planned: Planned
    outputs: Outputs
    results: Path


def read_benchmark(path: Path, *, trust: bool = False) -> Benchmark:
    """Read a benchmark file, or the one that lies in a folder; see `benchmark_of`."""
    path = path / FILE if path.is_dir() else path
    try:
        text = read_file(path).data.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"this is no text in UTF-8: {error.reason}", "Save it as such.", where=path
        ) from error
    return benchmark_of(text, path, trust=trust)


def benchmark_of(text: str, path: Path, *, trust: bool = False) -> Benchmark:
    """Understand a benchmark file that lies at a path; only with `trust` it may name modules to import."""
    try:
        content = tomllib.loads(text.removeprefix(MARK))
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no TOML: {reason_of(error)}", "Correct it there.", where=path) from error
    folder = path.parent.resolve()
    given: dict[str, Any] = {}
    for written, value in content.items():
        key = written.replace("-", "_")
        if key not in keys():
            hint = "Keys are options of `ontoeval compare`; they stand above all [tables]."
            raise InputError(f"unknown key {shortened(written)!r}{near(key, keys())}", hint, where=path)
        if key in given:
            raise InputError(f"the key {key!r} is there twice", "Keep one.", where=path)
        given[key] = _Value(path, written, key, folder).read(value)
    for key, parameter in keys().items():
        if key not in given and parameter.default is inspect.Parameter.empty:
            raise InputError(f"the key {key!r} is missing", "Add it: `ontoeval init` shows how.", where=path)
    if not trust:
        _refuse_modules(given.get("measures", ()), path)
    results = given.pop("out", None) or _inside(folder, RESULTS, path)
    try:
        with naming_keys(path):
            with modules_from(folder):
                wants = wanted(**_of(wanted, given), inputs=asked(**_of(asked, given)))
            plans = planned(**_of(planned, given), wanted=replace(wants, folder=folder))
            writes = outputs(**_of(outputs, given))
            replace(writes, out=Path()).check(plans, alone=True)  # all names are of one folder
    except InputError:
        raise
    except OntoevalError as error:  # a value, which the message names
        raise InputError(str(error).rstrip("."), "Correct it there.", where=path) from error
    return Benchmark(path, text, plans, writes, results)


class UntrustedError(InputError):
    """A benchmark file names code that is not trusted."""


def _refuse_modules(measures: Iterable[str], path: Path) -> None:
    """Refuse measures whose module would be imported, and so run."""
    named = [notation for notation in measures if names_a_module(notation)]
    if named:
        raise UntrustedError(
            f"the measure {listed(named)} is defined in a module, which would be imported: its code runs on "
            "this machine, with your rights",
            "Read that code, and pass --trust (trust=True) if you trust its author.",
            where=path,
        )


def _inside(folder: Path, text: str, path: Path) -> Path:
    """Place the folder of results inside of the benchmark's folder, wherever links lead."""
    place = folder / text
    if Path(text).is_absolute() or ".." in Path(text).parts or not place.resolve().is_relative_to(folder):
        raise InputError(
            f"out = {shortened(text)!r} lies outside the folder of the benchmark file",
            f'Name a folder inside: out = "{RESULTS}". Move the results by hand once they are written.',
            where=path,
        )
    return place


@contextmanager
def naming_keys(path: Path) -> Iterator[None]:
    """Let errors name the keys of a benchmark file, where they name options of the command line."""
    try:
        yield
    except ParameterError as error:
        raise InputError(_by_keys(str(error)).rstrip("."), "Correct it there.", where=path) from error
    except OntoevalError as error:
        error.args = (_by_keys(str(error)),)
        raise


def _by_keys(text: str) -> str:
    """Write keys for options.

    >>> _by_keys("a: pass --missing empty, or --agreement-default and --ontology FILE, but no --top")
    'a: pass missing = "empty", or agreement_default and ontology = "FILE", but no --top'
    >>> _by_keys("name them (concepts=, --concepts FILE), or pass unknown='drop' (--unknown drop)")
    'name them (concepts = "FILE"), or pass unknown = "drop"'
    """

    def key(found: re.Match[str]) -> str:
        name = _REPEATED.get(found[1], found[1].replace("-", "_"))
        if name not in keys():
            return found[0]
        value = found[2] if not found[2] or found[2][-1].isdigit() else f'"{found[2]}"'
        return f"{name} = {value}" if value else name

    return _OPTION.sub(key, _PYTHON.sub(r"\1", text))


@cache
def keys() -> Mapping[str, inspect.Parameter]:
    """List the keys of benchmark files: parameters of the commands' options."""
    return {
        name: parameter
        for maker in (wanted, asked, planned, outputs)
        for name, parameter in inspect.signature(maker, eval_str=True).parameters.items()
        if name not in _MADE
    }


def _of(maker: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    names = inspect.signature(maker).parameters
    return {name: value for name, value in given.items() if name in names}


@dataclass(frozen=True)
class _Value:
    """Reads the value of a key."""

    path: Path
    written: str
    key: str
    folder: Path

    def read(self, value: Any) -> Any:  # noqa: ANN401 - whatever TOML can hold
        kind = keys()[self.key].annotation
        kind = next(one for one in alternatives(kind) if one is not type(None))
        if get_origin(kind) is not list:
            return self._one(value, kind)
        (item,) = get_args(kind)
        if isinstance(value, dict) and self.key in {"weights", "imports"}:
            value = [f"{name}={self._text(file)}" for name, file in value.items()]
        return [self._one(one, item) for one in (value if isinstance(value, list) else [value])]

    def _one(self, value: Any, kind: Any) -> Any:  # noqa: ANN401 - whatever TOML can hold
        if get_origin(kind) is Literal:
            if value not in get_args(kind):
                raise self._wrong(
                    value, f"one of {', '.join(get_args(kind))}{near(str(value), get_args(kind))}"
                )
            return value
        if kind is bool:
            if not isinstance(value, bool):
                raise self._wrong(value, "true or false")
            return value
        if kind in {int, float}:
            fits = isinstance(value, int | float) and not isinstance(value, bool)
            if not fits or (kind is int and not isinstance(value, int)):
                raise self._wrong(value, "a whole number" if kind is int else "a number")
            return kind(value)
        if self.key == "threshold" and isinstance(value, int | float) and not isinstance(value, bool):
            return repr(value)
        text = self._text(value)
        return self._placed(text) if kind is Path else self._located(text)

    def _placed(self, text: str) -> Path:
        """Find a path from the folder of the file."""
        if self.key in _INSIDE:
            if Path(text).name != text:
                raise self._wrong(text, "the name of a file, which is written into the folder of results")
            return Path(text)
        if self.key == "out":
            return _inside(self.folder, text, self.path)
        placed = self.folder / text
        if self.key == "runs" and glob.has_magic(text) and not placed.exists():
            return Path(glob.escape(str(self.folder))) / text
        return placed

    def _located(self, text: str) -> str:
        """Find the paths in options that are more than a path."""
        name, sign, file = text.rpartition("=") if self.key == "imports" else text.partition("=")
        if self.key in {"weights", "imports"}:
            return f"{name}={self.folder / file}" if sign else str(self.folder / text)
        word = "/" not in text and "." not in text and not (self.folder / text).exists()
        elsewhere = {"ontology": word, "by": text in {BRANCH, LEVEL}, "images": "://" in text}
        if self.key == "threshold" or not elsewhere.get(self.key, True):
            return str(self.folder / text)
        return text

    def _text(self, value: object) -> str:
        if not isinstance(value, str) or not value:
            raise self._wrong(value, "a number, or a file" if self.key == "threshold" else "a text")
        return value

    def _wrong(self, value: object, expected: str) -> InputError:
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
        return InputError(f"{self.written} = {shortened(shown)}", f"Expected {expected}.", where=self.path)


def alternatives(kind: Any) -> tuple[Any, ...]:  # noqa: ANN401 - an annotation
    """Split what an option can be."""
    return get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,)
