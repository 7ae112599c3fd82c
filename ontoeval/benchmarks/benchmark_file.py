"""Benchmark files: the options of ``compare`` and ``study`` in TOML, read and written."""

from __future__ import annotations

import glob
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, ValidationError, convert

from ontoeval.benchmarks.destinations import Destinations, Outputs
from ontoeval.benchmarks.scoring_options import ComparisonOptions, DrawingOptions, Runs, StudyOptions
from ontoeval.core.choices import BRANCH, LEVEL
from ontoeval.errors import (
    InputError,
    MeasureError,
    OntoevalError,
    ParameterError,
    did_you_mean,
    enumerate_some,
    located,
    shortened,
)
from ontoeval.options import REQUIRED, Option, filled, flat, values_of
from ontoeval.plumbing.files import read_file, real_path

Toml = Any
"""Whatever a benchmark file can hold: texts, numbers, lists and tables of these."""

BENCHMARK_FILE = "benchmark.toml"

RESULTS = "results"

STUDY = "study"
"""The section of a study, and the folder of its results among those of the benchmark."""

Part = Literal["comparison", "study"]
"""A part of a benchmark that can be made alone."""

_INSIDE = ("figures", "long", "report")
"""Files that lie in the folder of results."""

_OPTION = re.compile(
    r"`ontoeval .*?`|--([a-z]+(?:-[a-z]+)*)(?: (empty|drop|long|break|[0-9.]*[0-9]|[A-Z]{4,}))?"
)
"""An option as messages name it, some with a value; or a command with its options."""

_PYTHON = re.compile(r"\b\w+=(?:, (?=--)|'\w+' \((--[^()]+)\))")
"""The name of an option in Python, which messages put before that of the command line."""

_REPEATED = {
    "measure": "measures",
    "baseline": "baselines",
    "import": "imports",
    "correlation": "correlations",
    "kind": "kinds",
    "rate": "rates",
}
"""Options whose keys, which have lists, have other names."""

_REQUIRED = {"truth": '"truth.csv"', "runs": '["runs"]'}
"""Examples of the keys without which there is nothing to compare."""

_NAMED_FILES = {"weights", "costs", "imports"}
"""Keys of files with a name each: NAME=FILE."""

_COMMENT = re.compile(
    r"""("{3}[\s\S]*?"{3}|'{3}[\s\S]*?'{3}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(?m:^[ \t]*#.*\n?)|[ \t]*#.*"""
)
"""A comment of TOML, or a text, in which `#` begins none."""


@dataclass(frozen=True, eq=False)
class StudySection:
    """The section [study] of a benchmark file."""

    options: StudyOptions
    drawing: DrawingOptions


@dataclass(frozen=True, eq=False)
class Benchmark:
    """A benchmark file as read, or the options of a command in that form."""

    path: Path
    text: str
    options: ComparisonOptions
    outputs: Outputs
    results: Path
    study: StudySection | None = None
    part: Part | None = None

    @property
    def published(self) -> str:
        """The text for a recipe: where the truth is not public without comments, which may tell of it."""
        public = self.options.scoring.public
        return _COMMENT.sub(lambda found: found[1] or "", self.text) if public else self.text

    def has_part(self, part: Part) -> bool:
        """Whether a part is made."""
        return self.part in {None, part} and (part == "comparison" or self.study is not None)

    def select_part(self, part: Part | None) -> Benchmark:
        """Keep one part, or all where none is named."""
        if part == "study" and self.study is None:
            remedy = f"Add a line [{STUDY}], and below it options of `ontoeval study`, or nothing."
            raise InputError("there is no section [study]", remedy, where=self.path)
        return replace(self, part=part)


def read_benchmark(path: Path, *, out: Path | None = None, trust: bool = False) -> Benchmark:
    """Read a benchmark file, or the one that lies in a folder; see `benchmark_of`."""
    path = path / BENCHMARK_FILE if path.is_dir() else path
    try:
        text = read_file(path).data.decode()
    except UnicodeDecodeError as error:
        problem = f"this is no text in UTF-8: {error.reason}"
        raise InputError(problem, "Save it as such.", where=path) from error
    benchmark = benchmark_of(text, path, trust=trust)
    return benchmark if out is None else replace(benchmark, results=out)


def benchmark_of(text: str, path: Path, *, trust: bool = False) -> Benchmark:
    """Parse the text of a benchmark file; only with `trust` it may name modules to import."""
    from ontoeval.measures.notation import modules_from
    from ontoeval.plumbing.toml_text import load_toml

    folder = real_path(path.parent)
    with located(path):
        content = load_toml(text)
        section = content.pop(STUDY, None)
        if not isinstance(section, dict | None):
            raise InputError(f"{STUDY} = {shortened(str(section))!r}", f"Write a section [{STUDY}].")
        hint = f"Keys are options of `ontoeval compare`; they stand above [{STUDY}], the only [table]."
        given = read_keys(content, keys(), folder, hint)
        for key, option in keys().items():
            if key not in given and option.default is REQUIRED:
                raise InputError(f"the key {key!r} is missing", f"Add it, such as {key} = {_REQUIRED[key]}.")
        hint = f"Keys of [{STUDY}] are options of `ontoeval study`."
        own = read_keys(section or {}, study_keys(), folder, hint)
        if not trust:
            named = [(*part.get("measures", ()), part.get("rank", "")) for part in (given, own)]
            _refuse_modules(chain(*named))
        results = given.pop("out", None) or _results_folder(folder, RESULTS)
    with naming_keys(path), modules_from(folder):
        options = filled(ComparisonOptions, {**given, "folder": folder})
        outputs = filled(Outputs, given)
        replace(outputs, out=Path()).check(options, alone=True)  # all names are of one folder
        study = None if section is None else _section({**given, "folder": folder}, own)
    return Benchmark(path, text, options, outputs, results, study)


def read_keys(
    content: Mapping[str, Any], known: Mapping[str, Option], folder: Path, hint: str
) -> dict[str, Any]:
    """Read the values of keys, which are options; paths start at the folder."""
    given: dict[str, Any] = {}
    for written, value in content.items():
        key = written.replace("-", "_")
        if key not in known:
            raise InputError(f"unknown key {shortened(written)!r}{did_you_mean(key, known)}", hint)
        if key in given:
            raise InputError(f"the key {key!r} is there twice", "Keep one.")
        given[key] = _Value(key, known[key], folder).read(value)
    return given


def _section(given: Mapping[str, Any], own: Mapping[str, Any]) -> StudySection:
    """Read the section [study]; missing keys are those of the main part, except page and figures."""
    options, drawing = filled(StudyOptions, {**given, **own}), filled(DrawingOptions, own)
    drawing.check_page()
    names = Destinations(Path(), (), drawing.report, drawing.figures)
    names.check((), Runs((), ()), {})
    return StudySection(options, drawing)


class UntrustedError(InputError):
    """A benchmark file names code that is not trusted."""


def _refuse_modules(measures: Iterable[str]) -> None:
    """Refuse measures whose module would be imported, and so run."""
    from ontoeval.measures.notation import names_a_module

    named = [notation for notation in measures if names_a_module(notation)]
    if named:
        raise UntrustedError(
            f"the measure {enumerate_some(named)} is defined in a module, which would be imported: its code "
            "runs on this machine, with your rights",
            "Read that code, and pass --trust (trust=True) if you trust its author.",
        )


def _results_folder(folder: Path, text: str) -> Path:
    """Place the folder of results inside of the benchmark's folder, wherever links lead."""
    place = folder / text
    if Path(text).is_absolute() or ".." in Path(text).parts or not real_path(place).is_relative_to(folder):
        raise InputError(
            f"out = {shortened(text)!r} lies outside the folder of the benchmark file",
            f'Name a folder inside: out = "{RESULTS}". To write elsewhere, pass --out FOLDER instead.',
        )
    return place


@contextmanager
def naming_keys(path: Path) -> Iterator[None]:
    """Replace options of the command line in errors by keys of a benchmark file."""
    try:
        yield
    except (MeasureError, ParameterError) as error:
        raise InputError(_by_keys(str(error)).rstrip("."), "Correct the file.", where=path) from error
    except OntoevalError as error:
        error.args = (_by_keys(str(error)),)
        raise


def _by_keys(text: str) -> str:
    def key(found: re.Match[str]) -> str:
        name = _REPEATED.get(found[1], (found[1] or "").replace("-", "_"))
        if name not in keys() and name not in study_keys():
            return found[0]
        value = found[2] if not found[2] or found[2][-1].isdigit() else f'"{found[2]}"'
        return f"{name} = {value}" if value else name

    return _OPTION.sub(key, _PYTHON.sub(r"\1", text))


@cache
def keys() -> Mapping[str, Option]:
    """List the keys of benchmark files: the options of a comparison and of its outputs."""
    return flat(ComparisonOptions) | flat(Outputs)


@cache
def study_keys() -> Mapping[str, Option]:
    """List the keys of the section of a study: its options, and those of its page and figures."""
    return flat(StudyOptions) | flat(DrawingOptions)


_Text = Annotated[str, Meta(min_length=1)]
_FileName = Annotated[str, Meta(pattern=r"^[^/\\]+$")]

_EXPECTED: dict[object, str] = {bool: "true or false", int: "a whole number", float: "a number"}


@dataclass(frozen=True)
class _Value:
    """Reads the value of a key of a TOML file in a folder."""

    key: str
    option: Option
    folder: Path

    def read(self, value: Toml) -> Toml:
        option = self.option
        if not option.several:
            return self._convert_item(value, option)
        if isinstance(value, dict) and self.key in _NAMED_FILES:
            value = [f"{name}={self._converted(file, _Text, 'a text')}" for name, file in value.items()]
        values = value if isinstance(value, list) else [value]
        return tuple(self._convert_item(one, option) for one in values)

    def _convert_item(self, value: Toml, option: Option) -> Toml:
        kind = option.item
        if self.key == "threshold" and type(value) in {int, float}:
            return repr(value)
        if self.key == "negative" and type(value) is int:
            value = repr(value)
        if kind in {Path, str}:
            expected = "a number, or a file" if self.key == "threshold" else "a text"
            text = self._converted(value, _Text, expected)
            return self._resolve_path(text) if kind is Path else self._resolve_inner_paths(text)
        any_of = f"one of {', '.join(option.choices)}{did_you_mean(str(value), option.choices)}"
        return self._converted(value, kind, _EXPECTED.get(kind, any_of))

    def _converted(self, value: Toml, kind: object, expected: str) -> Toml:
        try:
            return convert(value, kind)
        except ValidationError as error:
            shown = str(value).lower() if isinstance(value, bool) else repr(value)
            problem = f"{self.key} = {shortened(shown)}"
            raise InputError(problem, f"Expected {expected}.") from error

    def _resolve_path(self, text: str) -> Path:
        """Find a path from the folder of the file."""
        if self.key in _INSIDE:
            expected = "the name of a file, which is written into the folder of results"
            return Path(self._converted(text, _FileName, expected))
        if self.key == "out":
            return _results_folder(self.folder, text)
        placed = self.folder / text
        if self.key == "runs" and glob.has_magic(text) and not placed.exists():
            return Path(glob.escape(str(self.folder))) / text
        return placed

    def _resolve_inner_paths(self, text: str) -> str:
        """Find the paths inside compound options."""
        name, sign, file = text.rpartition("=") if self.key == "imports" else text.partition("=")
        if self.key in _NAMED_FILES:
            return f"{name}={self.folder / file}" if sign else str(self.folder / text)
        word = "/" not in text and "." not in text and not (self.folder / text).exists()
        if self.key == "by" and sign and not (self.folder / text).exists():
            return f"{name}={self.folder / file}"
        no_file = text in {BRANCH, LEVEL} or not (self.folder / text).exists()
        elsewhere = {"ontology": word, "by": no_file, "only": no_file, "images": "://" in text}
        if self.key == "threshold" or not elsewhere.get(self.key, True):
            return str(self.folder / text)
        return text


def as_benchmark(options: StudyOptions, drawing: DrawingOptions) -> str:
    """Write the options of a study as a benchmark file."""
    values = {name: _key_value(name, value) for name, value in values_of(options).items()}
    values |= {name: _key_value(name, value) for name, value in values_of(drawing).items()}
    own = {name for name in values if name not in keys()} | values_of(drawing).keys()
    above, below = (
        "".join(f"{name} = {to_toml(value)}\n" for name, value in values.items() if (name in own) is inside)
        for inside in (False, True)
    )
    return f"{above}\n[{STUDY}]\n{below}"


def _key_value(name: str, value: Toml) -> Toml:
    """Write the value of an option as that of a key."""
    if isinstance(value, tuple):
        return [_key_value(name, one) for one in value]
    return str(value) if isinstance(value, Path) else value


def to_toml(value: Toml) -> str:
    """Write a text, number or list as TOML: the same as JSON, except for the control character DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
