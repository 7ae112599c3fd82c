"""Leaderboards on disk: which run has which score, on one data set."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import nan
from pathlib import Path
from typing import NamedTuple

from ontoeval.errors import MOST_SHOWN, InputError, OntoevalError, did_you_mean, enumerate_some
from ontoeval.labels.cells import number
from ontoeval.labels.names import columns_by_role
from ontoeval.labels.sources import Source, read_source

NAME = "leaderboard.csv"
"""What the leaderboard in a folder of results is called."""

_BESIDE = frozenset({"rank", "run", "team"})
"""Columns that hold no scores."""


BASELINE = " (baseline)"
"""What the name of a baseline ends with."""


class Leaderboard(NamedTuple):
    """The scores of runs by one measure."""

    measure: str
    scores: dict[str, float]
    baselines: tuple[str, ...]


def read_leaderboard(path: Path, measure: str | None = None) -> Leaderboard:
    """Read the scores of runs by one measure."""
    source = read_source(path / NAME if path.is_dir() else path)
    delimiter = source.delimiter or ","
    header = [title.strip() for title in source.first(delimiter)]
    column = columns_by_role(source, header, {"run": {"run"}})["run"]
    scored = _column(source, header, measure)
    scores: dict[str, float] = {}
    for line, fields in source.below(delimiter).rows(delimiter):
        run = fields[column].strip()
        if run in scores:
            raise InputError(f"the run {run!r} is there twice", "Keep one row.", where=source.where, row=line)
        scores[run] = _score(source, line, fields[scored].strip())
    if not scores:
        raise InputError("no runs are there", "Write a row for each run.", where=source.where)
    baselines = tuple(run for run in scores if run.endswith(BASELINE))
    names = tuple(run.removesuffix(BASELINE) for run in baselines)
    runs = {run: score for run, score in scores.items() if run not in baselines}
    return Leaderboard(header[scored], runs, names)


def data_sets_of(paths: Sequence[Path]) -> list[str]:
    """Name data sets by the folders or files of their leaderboards."""
    names = [
        path.name
        if path.is_dir() or not path.suffix
        else path.parent.name
        if path.name == NAME
        else path.stem
        for path in paths
    ]
    return [
        name if name and names.count(name) == 1 else path.as_posix()
        for name, path in zip(names, paths, strict=True)
    ]


def runs_everywhere(boards: Mapping[str, Collection[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tell which runs are on all leaderboards, and which are not."""
    met = dict.fromkeys(run for runs in boards.values() for run in runs)
    lacks = {run: [name for name, runs in boards.items() if run not in runs] for run in met}
    everywhere = tuple(run for run, names in lacks.items() if not names)
    if not everywhere:
        nearest = sorted(lacks.items(), key=lambda item: len(item[1]))[:MOST_SHOWN]
        told = "; ".join(f"{run!r} is not in {enumerate_some(names)}" for run, names in nearest)
        raise InputError(
            f"no run is on all {len(boards):,} data sets: {told or 'there are none'}",
            "Name a run alike on all data sets, or leave out those that few runs are on.",
        )
    return everywhere, tuple(run for run, names in lacks.items() if names)


def _column(source: Source, header: list[str], measure: str | None) -> int:
    """Find the column of a measure, by its title or by what the title means."""
    titles = [title for title in header if title.lower() not in _BESIDE]
    same = [title for title in titles if measure in {None, title}]
    if measure is not None and not same:
        same = [title for title in titles if _meant(title) == _meant(measure)]
    if not same:
        raise InputError(
            f"no column {measure!r}{did_you_mean(measure, titles)}" if measure else "no column of scores",
            f"There are {enumerate_some(header)}.",
            where=source.where,
            row=1,
        )
    if header.count(same[0]) > 1:
        raise InputError(
            f"the column {same[0]!r} is there twice", "Keep one of them.", where=source.where, row=1
        )
    return header.index(same[0])


def _meant(notation: str) -> str:
    from ontoeval.measures.catalogue import name, parse

    try:
        return name(parse(notation))
    except OntoevalError:  # somebody else's measure
        return notation


def _score(source: Source, line: int, text: str) -> float:
    score = number(text) if text else nan
    if score is None:
        raise InputError(f"{text!r} is no score", "Write a number, or nothing.", where=source.where, row=line)
    return score
