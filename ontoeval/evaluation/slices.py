"""Slices: some of the samples, or some of the labels, scored alone."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.choices import BRANCH, LEVEL, OutsideRule
from ontoeval.core.frames import by_names, columns_of, is_frame
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import NamedMatrix
from ontoeval.core.rows import is_whole, number_names
from ontoeval.core.rules import Requirement
from ontoeval.core.showing import TruthNote
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, ParameterError, did_you_mean, enumerate_some, pluralise
from ontoeval.measures.flat import EMPTY
from ontoeval.plumbing.column_titles import index_width, sample_titles
from ontoeval.plumbing.sparse import largest_of_products, pattern, without_entries

MOST_PARTS = 500
"""Most parts of one kind: a column with more values than that has one for each sample, or numbers."""

PartSpec = str | os.PathLike[str] | Mapping[str, Any] | tuple[Any, ...] | ArrayLike | Any
"""What cuts samples or labels into parts: see `evaluate`."""

OnlySpec = str | os.PathLike[str] | Iterable[str]
"""What chooses the labels that count: see `evaluate`."""

LEAVES = "leaves"

PART = "part"
"""Title of values that have none."""

LEAST = 5
"""Fewest members of a slice where scores of single samples or labels are secret."""

_MANY = 20
"""A share of samples without true label above 1 / _MANY is remarked on."""

_Side = TypeVar("_Side", bound=NamedMatrix)


@dataclass(frozen=True)
class Slice:
    """Some of the samples, or some of the labels."""

    name: str
    samples: tuple[str, ...] | None = None
    labels: tuple[str, ...] | None = None
    outside: OutsideRule = "drop"
    rule: str = ""
    """Line of the recipe: which labels count, and what others count as; empty where all count."""

    def restrict(self, batch: Batch | ScoredBatch) -> Any:  # noqa: ANN401 - a batch of the same kind
        """Keep the samples or the labels of the slice."""
        if self.samples is not None:
            return batch.take([sample for sample in self.samples if sample in batch.truth.row])
        own, known = batch.truth.vocabulary, getattr(batch, "known", None)
        columns = np.sort(own.positions(self.labels or ()))
        names = replace(own, concepts=tuple(own[place] for place in columns.tolist()))

        way = self.way(batch.hierarchy, columns)

        def cut(side: _Side) -> _Side:
            if way is None:
                matrix = sparse.csr_array(side.matrix[:, columns])
            else:
                matrix = largest_of_products(side.matrix, way)
            return side.remade(matrix.astype(side.matrix.dtype), vocabulary=names)

        hierarchy = None if batch.hierarchy is None else self.restrict_hierarchy(batch.hierarchy)
        kept: dict[str, Any] = {"truth": cut(batch.truth), "hierarchy": hierarchy}
        if isinstance(batch, Batch):
            if known is not None:  # that a label is absent says nothing of its ancestors
                kept["known"] = pattern(known[:, columns] + kept["truth"].matrix)
            return replace(batch, prediction=cut(batch.whole_prediction), **kept)
        return replace(batch, prediction=cut(batch.prediction), **kept)

    def way(self, hierarchy: Hierarchy | None, columns: NDArray[np.intp]) -> sparse.csr_array | None:
        """Labels × labels of the slice: which of these each counts as; None where others are dropped."""
        if hierarchy is None or self.outside == "drop":
            return None
        above = hierarchy.labels_upward[:, columns]
        own = sparse.csr_array(sparse.eye_array(columns.size, dtype=bool))
        return without_entries(pattern(above), pattern(above @ without_entries(pattern(above[columns]), own)))

    def left_out(self, batches: Sequence[Any]) -> list[int]:
        """Count the labels that count as nothing: of the truth, and of each run that has label sets."""
        truth = batches[0].truth
        columns, lost = truth.vocabulary.positions(self.labels or ()), np.ones(len(truth.vocabulary), bool)
        way = self.way(batches[0].hierarchy, np.sort(columns))
        lost[columns if way is None else np.diff(way.indptr) > 0] = False
        sides = [truth, *(one.prediction for one in batches if isinstance(one, Batch))]
        return [int(lost[side.matrix.indices].sum()) for side in sides]

    def notes(self, counts: Sequence[int]) -> Iterator[str]:
        """Lines of the recipe, with numbers of samples, of those without true label, and of labels lost."""
        samples, empty, lost = counts[:3]
        if self.rule:
            yield self.rule
        if _MANY * empty > samples:
            few = f"{empty:,} of {pluralise(samples, 'sample')} have no true label there"
            yield TruthNote(f"only {self.name}: {few}. {EMPTY}")
        if lost:
            are = "is" if lost == 1 else "are"
            yield TruthNote(f"only {self.name}: {pluralise(lost, 'true label')} {are} left out")

    def repeated(self, rows: Mapping[str, tuple[str, ...]]) -> Slice:
        """Take all rows of each sample."""
        samples = self.samples and tuple(row for sample in self.samples for row in rows[sample])
        return replace(self, samples=samples)

    def restrict_hierarchy(self, hierarchy: Hierarchy) -> Hierarchy:
        """Restrict the labels of a hierarchy to the slice, without requirements that others could fulfil."""
        if self.labels is None:
            return hierarchy
        outside = np.ones(len(hierarchy.vocabulary), dtype=bool)
        outside[hierarchy.vocabulary.positions(self.labels)] = False
        outside &= ~hierarchy.abstract
        below = hierarchy.ancestors.T.tocsr()

        def fulfilled_outside(rule: Requirement) -> bool:
            positions = hierarchy.vocabulary.positions(rule.any_of)
            return bool(outside[below[positions].indices].any())

        kept = tuple(rule for rule in hierarchy.requirements if not fulfilled_outside(rule))
        return replace(hierarchy.with_labels(self.labels), requirements=kept)


_DEPTH = re.compile(r"depth\s*(<=|>=|=)\s*(\d+)")
_COMPARED = MappingProxyType({"<=": np.less_equal, ">=": np.greater_equal, "=": np.equal})


def slice_of_labels(
    only: OnlySpec, outside: OutsideRule, hierarchy: Hierarchy | None, labels: Vocabulary
) -> Slice:
    """Find the labels that count alone; in the name of the slice how they are chosen, for the recipe."""
    text = os.fspath(only) if isinstance(only, str | os.PathLike) else ""
    depth, below = _DEPTH.fullmatch(text), text.startswith("below:")
    if (text == LEAVES or depth or below) and hierarchy is None:
        raise ParameterError("only", text, "a hierarchy (hierarchy=, --ontology), or a list of labels")
    if text == LEAVES and hierarchy is not None:
        inside = np.bincount(hierarchy.labels_above.indices, minlength=len(labels)) == 0
    elif depth and hierarchy is not None:
        inside = _COMPARED[depth[1]](hierarchy.depth[hierarchy.labels], int(depth[2]))
    elif below and hierarchy is not None:
        top = hierarchy.vocabulary.positions([text.removeprefix("below:")])
        inside = hierarchy.ancestors[hierarchy.labels][:, top].toarray().ravel()
    else:
        if text and not Path(text).is_file():
            kinds = (LEAVES, "depth<=3", "below:CONCEPT")
            expected = f"one of {enumerate_some(kinds)}, a list of labels, or a FILE of them"
            raise ParameterError("only", text, f"{expected}{did_you_mean(text, kinds)}")
        names: Any = import_module("ontoeval.labels.per_sample").read_listed(text) if text else only
        names = [str(one) if is_whole(one) else one for one in names]
        if not all(isinstance(one, str) for one in names):
            expected = "names; of a mask [name for name, kept in zip(classes, mask) if kept]"
            raise ParameterError("only", names, expected)
        inside = np.zeros(len(labels), dtype=bool)
        inside[labels.positions(names)] = True
        text = text and Path(text).name
    if not inside.any():
        raise ParameterError("only", text or [], "a choice that leaves at least one label")
    chosen = tuple(labels[place] for place in np.flatnonzero(inside).tolist())
    name, others = text or "listed labels", "counted as their nearest ancestors, or left out without one"
    others = "left out" if hierarchy is None or outside == "drop" else others
    rule = f"only {name}: {len(chosen):,} of {len(labels):,} labels; others are {others}"
    rule *= not inside.all()
    return Slice(name, labels=chosen, outside=outside, rule=rule)


class Cuts(dict[str, "list[Slice]"]):
    """The parts, by what cuts them."""


def pool_small(slices: Sequence[Slice], samples: Sequence[str], least: int = LEAST) -> list[Slice]:
    """Merge small slices, and what is in none, so that no score is of a few samples or labels alone."""
    inside = set(_union(slices))
    rest = tuple(one for one in samples if one not in inside and slices[0].samples is not None)
    slices = [*slices, *[Slice("no part", samples=rest)] * (0 < len(rest) < least)]
    sizes = [len(part.samples or part.labels or ()) for part in slices]
    by_size = sorted(range(len(slices)), key=sizes.__getitem__)
    small = sum(size < least for size in sizes)
    if not small:
        return list(slices)
    while small < len(slices) and len(_union(slices[which] for which in by_size[:small])) < least:
        small += 1
    chosen = set(by_size[:small])
    pool = [part for which, part in enumerate(slices) if which in chosen]
    given: dict[str, Any] = {"labels" if pool[0].samples is None else "samples": _union(pool)}
    together = Slice(enumerate_some(part.name for part in pool), **given)
    return [part for which, part in enumerate(slices) if which not in chosen] + [together]


def _union(slices: Iterable[Slice]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(member for part in slices for member in part.samples or part.labels or ()))


def _slices_of_hierarchy(kind: str, hierarchy: Hierarchy, labels: Vocabulary) -> list[Slice]:
    """Slice labels by depth, the links on the longest path from a root; or by branch.

    A branch is below each root, or each child of a single root, which is in no slice.
    """
    if kind == LEVEL:
        depth = hierarchy.depth[hierarchy.vocabulary.positions(tuple(labels))]
        parts = [(f"depth {one}", np.flatnonzero(depth == one).tolist()) for one in np.unique(depth)]
    else:
        from ontoeval.evaluation.groups import Groups

        groups = Groups.branches(hierarchy, tuple(labels))
        alone = len(hierarchy.roots) == 1 < len(labels)
        root = hierarchy.vocabulary[int(hierarchy.roots[0])] if alone else ""
        found = zip(groups.names, groups.members.T.tolil().rows, strict=True)
        parts = [(name, rows) for name, rows in found if name != root]
    return [Slice(name, labels=tuple(labels[row] for row in rows)) for name, rows in parts if rows]


class ValueColumns(dict[str, Iterable[tuple[Any, Any]]]):
    """Samples and their values, by the titles of columns."""


def slices_of(
    by: PartSpec, samples: Sequence[str], labels: Vocabulary, hierarchy: Hierarchy | None, notes: list[str]
) -> Cuts:
    """Cut samples or labels into parts, by what cuts them; add notes on samples that are in none."""
    if isinstance(by, Cuts):
        return by
    found = Cuts()
    for one in by if isinstance(by, tuple) else (by,):
        if isinstance(one, str) and one in {BRANCH, LEVEL}:
            if hierarchy is None:
                expected = "a hierarchy beside it (hierarchy=, --ontology), which has branches and levels"
                raise ParameterError("by", one, expected)
            cuts = {one: _slices_of_hierarchy(one, hierarchy, labels)}
        else:
            columns = one if isinstance(one, ValueColumns) else _columns(one, samples)
            unnamed = f"{PART} {len(found) + 1}" if PART in found else PART
            called = ((unnamed if title == PART else title, pairs) for title, pairs in columns.items())
            cuts = {title: _by_value(title, pairs, samples, notes) for title, pairs in called}
        for title, parts in cuts.items():
            if title in found or len(parts) > MOST_PARTS:
                many = f"at most {MOST_PARTS} parts, not {len(parts):,}: choose a column, or join values"
                raise ParameterError("by", title, "each column once" if title in found else many)
            found[title] = parts
    titles = [title for title in found if title not in {BRANCH, LEVEL}]
    if len(titles) > 1:
        one = "each column makes its own parts; for combinations join the values in one column"
        notes.append(f"{', '.join(titles)}: {one}")
    return found


def as_tuple(by: PartSpec, titles: Collection[str]) -> PartSpec:
    """Make a tuple of a list of what cuts parts, which has other members than a value for each sample."""
    if not isinstance(by, list) or len({*map(str, by)}) < len(by):
        return by
    known = {BRANCH, LEVEL, *titles}
    named = (_is_listed(one) or (isinstance(one, str) and (one in known or Path(one).exists())) for one in by)
    return tuple(by) if any(named) else by


def _is_listed(value: object) -> bool:
    """Whether a value is one for each sample, or a table of several."""
    return hasattr(value, "__len__") and not isinstance(value, str | tuple)


def is_column(spec: object, titles: Collection[str] | None) -> bool:
    """Whether a text names a column of the truth; without titles, one that is neither a file nor COLUMN=FILE.

    A text that names both a column and a file is refused.
    """
    if not isinstance(spec, str) or spec in {BRANCH, LEVEL}:
        return False
    if titles is None:
        return "=" not in spec and not Path(spec).exists()
    if spec in titles and Path(spec).exists():
        expected = f"'./{spec}', the file, or '{spec}=TRUTH', the column of the truth: both have this name"
        raise ParameterError("by", spec, expected)
    return spec in titles


def _columns(given: Any, samples: Sequence[str]) -> ValueColumns:  # noqa: ANN401 - see `PartSpec`
    """Find the values of samples."""
    if isinstance(given, str | os.PathLike):
        return _of_file(os.fspath(given), samples)
    if is_frame(given) and hasattr(given, "columns"):
        return _of_table(columns_of(given), samples, "the data frame")
    title = str(getattr(given, "name", None) or PART)
    values = by_names("part", given, of="sample", unnamed=True, texts=True)
    if isinstance(values, Mapping):
        named = (
            isinstance(one, Mapping) or len(one) == len(samples) for one in values.values() if _is_listed(one)
        )
        if not any(named):
            return ValueColumns({title: values.items()})
        columns = {str(key): [*_columns(one, samples).values()] for key, one in values.items()}
        if several := [key for key, some in columns.items() if len(some) > 1]:
            raise InputError(f"by= has several columns for {enumerate_some(several)}", "Name one of each.")
        return ValueColumns({key: own for key, (own,) in columns.items()})
    one_each = isinstance(values, Iterable) and getattr(values, "ndim", 1) == 1
    values = list(values) if one_each else []
    if len(values) != len(samples):
        problem = f"by= has {pluralise(len(values), 'value')} for {pluralise(len(samples), 'sample')}"
        how = "Give one for each sample, or a mapping from samples to values; of several parts a tuple."
        raise InputError(problem, f"{how} Samples that belong together are groups=.")
    return ValueColumns({title: zip(samples, values, strict=True)})


def column_and_file(text: str) -> tuple[str, str]:
    """Split COLUMN=FILE, or FILE, whose column is empty; refuse what is no file."""
    title, _, path = ("", "", text) if Path(text).exists() else text.partition("=")
    if not (path and Path(path).exists()):
        if path or Path(text).suffix:
            raise InputError("there is no such file", "Correct the path of --by (by=).", where=path or text)
        kinds = f"{BRANCH!r}, {LEVEL!r}, a column of the truth, a FILE, or COLUMN=FILE"
        near = did_you_mean(text, (BRANCH, LEVEL))
        expected = f"one of {kinds}{near}. Samples that belong together are groups= (--groups)"
        raise ParameterError("by", text, expected)
    return title, path


def _of_file(text: str, samples: Sequence[str]) -> ValueColumns:
    """Read one column of a table, COLUMN=FILE, or all."""
    title, path = column_and_file(text)
    columns = import_module("ontoeval.labels.per_sample").read_columns(path)
    found = _of_table(columns, samples, path)
    if title and title not in found:
        problem = f"no column {title!r}{did_you_mean(title, [*found])} beside that of the samples"
        raise InputError(problem, f"Choose one of {enumerate_some(found)}.", where=path)
    return ValueColumns({title: found[title]}) if title else found


def _of_table(columns: Mapping[str, Sequence[Any]], samples: Sequence[str], where: str) -> ValueColumns:
    """Find the column that holds samples of the truth, by title and content, and the values of others."""
    titles, known = [*columns], set(samples)
    usual = {*sample_titles(titles), ""}
    shared = {title: len(known.intersection(map(str, cells))) for title, cells in columns.items()}
    unnamed = tuple(samples) == number_names(len(samples))
    if unnamed:  # so any column of numbers has some
        shared = {one: some * (one in usual or some == len(known)) for one, some in shared.items()}
    own = max(titles, key=lambda title: (shared[title] > 0, title in usual, shared[title]))
    if unnamed and usual.isdisjoint(titles) and not shared[own] and len(columns[own]) == len(samples):
        return ValueColumns({title: zip(samples, cells, strict=True) for title, cells in columns.items()})
    if not shared[own]:
        problem = f"none of the columns {enumerate_some(titles)} has a sample of the truth"
        raise InputError(problem, "Name samples in a column as the truth does.", where=where)
    others = [one for one in titles if one not in {own, *titles[: index_width(titles)]}]
    return ValueColumns({one: zip(columns[own], columns[one], strict=True) for one in others})


def _by_value(
    title: str, pairs: Iterable[tuple[Any, Any]], samples: Sequence[str], notes: list[str]
) -> list[Slice]:
    """Slice samples by their values; a sample may have several, or none."""
    parts, outside, lacking = dict[str, dict[str, None]](), set[str](), dict.fromkeys(samples)
    known = lacking.copy()
    for sample, value in pairs:
        text, name = _part_name(value), str(sample)
        if name not in known:
            outside.add(name)
        elif text:
            parts.setdefault(text, {})[name] = None
            lacking.pop(name, None)
    if not parts:
        problem = f"no sample of the truth has a value of {title!r}"
        how = "Check how samples are named; samples that belong together are groups= (--groups)."
        raise InputError(problem, how)
    whole, beside = pluralise(len(samples), "sample"), pluralise(len(outside), "sample")
    notes += [f"by {title}: {len(lacking):,} of {whole} are in no part"] * bool(lacking)
    notes += [f"by {title}: {beside} that the truth lacks, left out"] * bool(outside)
    return [Slice(name, samples=tuple(own)) for name, own in parts.items()]


def _part_name(value: Any) -> str:  # noqa: ANN401 - whatever a column holds
    """Write a value as a file has it: whole numbers and dates of frames as such; empty without a value."""
    if value is None or value != value:  # noqa: PLR0124 - nan
        return ""
    whole = isinstance(value, float | np.floating) and float(value).is_integer()
    return str(int(value) if whole else value).strip().removesuffix(" 00:00:00")
