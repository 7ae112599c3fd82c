"""Errors with messages: what was found, where, and what to do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any

LONGEST_SHOWN = 200
"""Characters of an item that a message shows."""
MOST_SHOWN = 5
"""Most items that a message lists; the rest is counted."""


CORRECT = "Correct the names."

_NUMBER = re.compile(r"\d+\Z")

_DIGIT = re.compile(r"\d")

_NUMBERED = re.compile(r".*[\W_]\d{3,}\Z")
"""What ends in the number of an identifier, such as operation_2946."""

MANY = 5_000
"""Size from which a vocabulary is too large to compare a misspelt name with every word."""

_NEAR = 3
"""Most near names that a message shows."""


@cache
def habits() -> dict[str, dict[str, Any]]:
    """Read what people write who know other libraries and programs, and what is written here."""
    return tomllib.loads(files("ontoeval").joinpath("habits.toml").read_text(encoding="utf-8"))


class Late:
    """A message that is written when it is read, since libraries ask in vain for many attributes."""

    def __init__(self, write: Callable[[], object]) -> None:
        self._write = write

    def __repr__(self) -> str:
        """Write the message."""
        return str(self._write())

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Hand the message to other processes as a text."""
        return str, (repr(self),)


def unknown_attribute(value: object, name: str, other: str = "", error: Any = AttributeError) -> Any:  # noqa: ANN401 - an error
    """Error for what a value has not: it names the call that gives this, or else attributes that are near."""
    kind, rows, frames = type(value), habits()["results"], habits()["frame"]
    own = (rows.get(f"{one.__name__}.{name}") for one in kind.__mro__)
    frame = getattr(kind, "as_frame", "to_frame()" * hasattr(kind, "to_frame"))
    use = next(filter(None, own), other) or rows.get(name)
    if not use and frame and name in frames["methods"] + frames["values"]:
        use = f"{frame}.{name}{'(...)' * (name in frames['methods'])}"
    near = did_you_mean(name, [one for one in dir(value) if one[0] != "_"] * (name[0] != "_"))
    said = f": use {use}" if use else near + f". {frame} makes a data frame" * bool(frame)
    return error(f"{kind.__name__!r} object has no {'attribute ' * (error is AttributeError)}{name!r}{said}")


def join_with_and(names: Sequence[str]) -> str:
    """List names as a sentence does: a, b and c."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def enumerate_some(items: Iterable[object], *, total: int | None = None) -> str:
    """Quote at most five items and count the others."""
    items = list(items)
    shown = ", ".join(repr(shortened(str(item))) for item in items[:MOST_SHOWN])
    rest = (len(items) if total is None else total) - min(len(items), MOST_SHOWN)
    return f"{shown} and {rest:,} more" if rest > 0 else shown


def pluralise(number: int, noun: str) -> str:
    """Write how many there are of something."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def pluralise_all(**counts: int) -> str:
    """Write how many there are of several things, each by its noun."""
    return ", ".join(pluralise(number, noun) for noun, number in counts.items())


def shortened(text: str) -> str:
    """Cut a text that is too long for a message."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Name the known words that a misspelt one resembles, as a remark in brackets."""
    found = near_names(name, known)
    return f" (near: {enumerate_some(found)})" if found else ""


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Find up to three known words that a misspelt one resembles, or of which one is part of the other.

    Of a mapping from words to what they mean, one word for each meaning.
    """
    wanted = name.lower()
    lowered = {word.lower(): word for word in known}
    if wanted in lowered:
        return [lowered[wanted]]
    longer = [word for word in lowered if _is_part(wanted, word)]
    if 0 < len(longer) <= MOST_SHOWN:  # a part of many words identifies none of them
        found = [word for word in longer if not any(_is_part(one, word) for one in longer)]
        return _first_of_each(map(lowered.__getitem__, found), known)
    shorter = max((word for word in lowered if _begins(word, wanted)), key=len, default="")
    if len(wanted) >= 2 * len(shorter) and wanted[len(shorter) :][:1] in {"_", ":", "/", "#", "-"}:
        shorter = ""  # the prefix of an identifier
    if len(lowered) > MANY:
        # Comparing with every word would take seconds: in large vocabularies the ends must agree.
        compared = [word for word in lowered if word[:1] == wanted[:1] and word[-1:] == wanted[-1:]]
    else:
        compared = list(lowered)
    compared = [word for word in compared if not _numbered_otherwise(wanted, word)]
    close = get_close_matches(wanted, compared, n=_NEAR**2, cutoff=0.7)
    found = [word for word in filter(None, (shorter, *close)) if not _numbered_otherwise(wanted, word)]
    return _first_of_each(map(lowered.__getitem__, found), known)


def _first_of_each(words: Iterable[str], known: Iterable[str]) -> list[str]:
    """Take at most three words, of those with one meaning the first."""
    found: dict[str, str] = {}
    for word in words:
        found.setdefault(known[word] if isinstance(known, Mapping) else word, word)
    return list(found.values())[:_NEAR]


def _is_part(short: str, long: str) -> bool:
    """Whether a text is the first or the last part of another, as of a path or of a file's name."""
    return _begins(short, long) or (
        0 < len(short) < len(long) and long.endswith(short) and not long[-len(short) - 1].isalnum()
    )


def _begins(short: str, long: str) -> bool:
    """Whether a text begins with another, which ends there at a word boundary."""
    return 0 < len(short) < len(long) and long.startswith(short) and not long[len(short)].isalpha()


def _numbered_otherwise(name: str, other: str) -> bool:
    """Whether two names end in different numbers, or only one is an identifier's: no slip, another thing."""
    if any(_NUMBERED.match(one) and not _DIGIT.search(two) for one, two in ((name, other), (other, name))):
        return True
    numbers = [_NUMBER.search(text) for text in (name, other)]
    return len({found[0].lstrip("0") for found in numbers if found is not None}) > 1


class OntoevalError(Exception):
    """Base class of all errors that the package raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes with the message as it is: it cannot be made again from itself."""
        return _restore, (type(self), self.args), self.__dict__


def _restore(kind: type[OntoevalError], args: tuple[Any, ...]) -> OntoevalError:
    return kind.__new__(kind, *args)


class ParameterError(OntoevalError, ValueError):
    """An option has an invalid value."""

    def __init__(self, name: str, value: object, expected: str) -> None:
        shown = "" if value is ... or (value is True and name.startswith("-")) else f"={value!r}"
        super().__init__(f"{name}{shown}: expected {expected}.")


def one_of(name: str, value: object, choices: Sequence[object]) -> None:
    """Refuse a value that is not among the choices."""
    # Numbers compare across types (True == 1): a choice counts only with its own type.
    # NumPy's texts are texts.
    kind = str if isinstance(value, str) else type(value)
    if not any(value is choice or (kind is type(choice) and value == choice) for choice in choices):
        texts = [choice for choice in choices if isinstance(choice, str)]
        hint = did_you_mean(value, texts) if isinstance(value, str) else ""
        raise ParameterError(name, value, f"one of {', '.join(map(repr, choices))}{hint}")


class _NameError(OntoevalError, KeyError):
    def __str__(self) -> str:
        """Show the message itself: KeyError would show its representation."""
        return str(self.args[0])


class UnknownConceptError(_NameError):
    """Names that are no concepts of the vocabulary."""

    def __init__(
        self, unknown: Mapping[str, str], known: Iterable[str] = (), *, where: str = "", remedy: str = CORRECT
    ) -> None:
        known = known if isinstance(known, Mapping) else list(known)
        self.remedy = remedy
        lines = [
            f"{shortened(name)!r}{f' in {place}' if place else ''}{did_you_mean(name, known)}"
            for name, place in islice(unknown.items(), MOST_SHOWN)
        ]
        more = len(unknown) - len(lines)
        self.problem = f"{'; '.join(lines)}{f'; and {more:,} more' if more else ''}"
        counts = f"{where + ': ' if where else ''}{pluralise(len(unknown), 'unknown concept')}"
        super().__init__(f"{counts}: {self.problem}. {remedy}")


class AmbiguousNameError(_NameError):
    """A name that several concepts have."""

    def __init__(
        self,
        name: str,
        candidates: Sequence[str],
        *,
        where: str = "",
        labels: Mapping[str, str] | None = None,
    ) -> None:
        called = [(labels or {}).get(one, "") for one in candidates[:MOST_SHOWN]]
        shown = [
            f"{shortened(one)!r}{f' ({shortened(label)})' if label not in {'', one, name} else ''}"
            for one, label in zip(candidates, called, strict=False)
        ]
        more = len(candidates) - len(shown)
        super().__init__(
            f"{where + ': ' if where else ''}{shortened(name)!r} is ambiguous: it names "
            f"{', '.join(shown)}{f' and {more:,} more' if more else ''}. Write one of these instead."
        )


class CycleError(OntoevalError, ValueError):
    """Concepts that are their own ancestors."""

    def __init__(self, cycles: Sequence[Sequence[str]], *, total: int, where: str = "") -> None:
        shown = "; ".join(
            " -> ".join([*cycle[:8], *(["…"] if len(cycle) > 8 else []), cycle[0]])  # noqa: PLR2004
            for cycle in cycles[:MOST_SHOWN]
        )
        super().__init__(
            f"{where + ': ' if where else ''}the hierarchy has {pluralise(total, 'cycle')}, "
            f"child -> parent: {shown}. A concept cannot be its own ancestor: remove one link of each."
        )


class InputError(OntoevalError, ValueError):
    """A file, or a table in memory, that cannot be used as it is."""

    def __init__(self, problem: str, remedy: str, *, where: object = "", row: int | None = None) -> None:
        super().__init__()
        self.problem, self.remedy, self.row, self._where = problem, remedy, row, ""
        self.locate(where)

    def locate(self, where: object = "", row: int | None = None) -> None:
        """Name the file and the row, unless the error names them already."""
        self._where, self.row = self._where or str(where), row if self.row is None else self.row
        place = f"{self._where}{f', row {self.row:,}' if self.row is not None else ''}"
        self.args = (f"{place}{': ' if place else ''}{self.problem}. {self.remedy}",)

    def add_remedy(self, remedy: str) -> None:
        """Say what else may help."""
        self.remedy += f" {remedy}" * bool(remedy)
        self.locate()


@contextmanager
def located(where: object, remedy: str = "") -> Iterator[None]:
    """Name the file that is read in errors that name no place, and what else may help."""
    try:
        yield
    except InputError as error:
        error.locate(where)
        error.add_remedy(remedy)
        raise


def run_named(name: str) -> str:
    """Name a run as the place of an error; empty for the truth and for the one prediction of a call."""
    return "" if name in {"", "prediction", "scores"} else f"run {name!r}"


@contextmanager
def of_run(name: str) -> Iterator[None]:
    """Name the run in errors that name no place."""
    try:
        with located(run_named(name)):
            yield
    except UnknownConceptError as error:
        error.args = (": ".join(filter(None, (run_named(name), str(error)))),)
        raise


class MisalignedError(OntoevalError, ValueError):
    """Truth and prediction over different samples or concepts."""

    def __init__(
        self,
        kind: str,
        only_truth: Sequence[str],
        only_prediction: Sequence[str],
        *,
        remedy: str,
        where: str = "",
    ) -> None:
        parts = [
            f"{len(names):,} only in the {side} ({enumerate_some(names)})"
            for side, names in (("truth", only_truth), ("prediction", only_prediction))
            if names
        ]
        difference = "; ".join(parts) or "the same, but in another order"
        sides = f"{where}: truth and prediction" if where else "Truth and prediction"
        super().__init__(f"{sides} differ in their {kind}: {difference}. {remedy}")


class MeasureError(OntoevalError, ValueError):
    """A measure that cannot be parsed, or cannot be computed from the given data."""


class WorkerError(OntoevalError, RuntimeError):
    """A worker that ended before its work was done."""


class MissingExtraError(OntoevalError, ImportError):
    """An optional package that a feature needs is not installed."""

    def __init__(self, package: str, extra: str, feature: str) -> None:
        super().__init__(
            f"{feature} needs {package}, which is not installed. "
            f"Install the extra {extra!r}: in a checkout python -m pip install '.[{extra}]'; "
            f"a release has it as ontoeval-metrics[{extra}]."
        )
