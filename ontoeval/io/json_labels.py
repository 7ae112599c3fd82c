"""Label files in JSON: an object with the labels, or the scores of the labels, of each sample."""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain
from math import isfinite
from typing import Any

import numpy as np

from ontoeval.errors import InputError, listed
from ontoeval.io.entries import THRESHOLD_NEEDED, Codebook, Entries, entries_of, nameless
from ontoeval.io.tables import Source

LABELS = '{"sample": ["label", …], …}'
SCORES = '{"sample": {"label": 0.9, …}, …}'


def from_json(source: Source, *, scores: bool) -> Entries:
    """Take the entries from a label file in JSON.

    Parameters
    ----------
    source
        The file.
    scores
        Whether scores are wanted, instead of labels.

    Returns
    -------
    Entries
        The contents.

    Raises
    ------
    InputError
        If it is no JSON, has another shape, or a key is there twice.

    Examples
    --------
    >>> entries = from_json(Source("memory", b'{"p1": ["sky", "sea"], "p2": ["sea"]}', ""), scores=False)
    >>> entries.samples, entries.spellings, entries.code.tolist()
    (('p1', 'p2'), ('sky', 'sea'), [0, 1, 1])
    """
    content = _loaded(source)
    if not isinstance(content, dict) or not content:
        raise InputError(
            "this JSON is no object that holds samples",
            f"Write {SCORES if scores else LABELS}.",
            where=source.where,
        )
    for sample, labels in content.items():
        _check(sample, labels, scores=scores, where=source.where)
    samples = tuple(map(str.strip, content))
    _refuse_duplicates(list(samples), source.where)
    owner = np.repeat(np.arange(len(samples), dtype=np.int32), [len(labels) for labels in content.values()])
    spellings = Codebook()
    code = spellings.codes(chain.from_iterable(content.values()))
    values = chain.from_iterable(labels.values() for labels in content.values()) if scores else None
    return entries_of(
        samples,
        spellings,
        owner,
        code,
        place=lambda entry: f"sample {samples[owner[entry]]!r}",
        values=None if values is None else np.fromiter(values, dtype=np.float64),
    )


def _loaded(source: Source) -> Any:  # noqa: ANN401 - whatever JSON holds
    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        # Python's own reader keeps the last of several equal keys and says nothing.
        _refuse_duplicates([key for key, _ in pairs], source.where)
        return dict(pairs)

    try:
        return json.loads(source.data, object_pairs_hook=unique)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is no JSON: {error.msg} (column {error.colno:,})",
            "Correct it there.",
            where=source.where,
            row=error.lineno,
        ) from error
    except (RecursionError, ValueError) as error:
        # Nested a thousand times, or a number with thousands of digits.
        raise InputError(
            f"this JSON cannot be read: {error}", f"Write {LABELS}.", where=source.where
        ) from error


def _check(sample: str, labels: object, *, scores: bool, where: str) -> None:
    if not sample.strip():
        raise nameless(where, None)
    if isinstance(labels, dict):
        bad = [label for label, value in labels.items() if not _is_score(value)]
        if not bad and not scores:
            raise InputError(f"sample {sample!r} has scores, not labels", THRESHOLD_NEEDED, where=where)
        if bad and scores:
            raise InputError(
                f"sample {sample!r}: the score of {bad[0]!r} is {json.dumps(labels[bad[0]])[:80]}, "
                "which is no finite number",
                "Write a number.",
                where=where,
            )
    if isinstance(labels, list) and scores:
        raise InputError(
            f"sample {sample!r} has labels, not scores",
            f"Leave out the threshold, or write {SCORES}.",
            where=where,
        )
    if not isinstance(labels, dict if scores else list) or not all(isinstance(name, str) for name in labels):
        raise InputError(
            f"sample {sample!r} has {json.dumps(labels)[:80]}",
            f"Write {SCORES if scores else LABELS}; labels are texts.",
            where=where,
        )


def _is_score(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return isfinite(value)
    except OverflowError:
        return False


def _refuse_duplicates(keys: list[str], where: str) -> None:
    if len(set(keys)) < len(keys):
        twice = [key for key, count in Counter(keys).items() if count > 1]
        raise InputError(f"keys that are there twice: {listed(twice)}", "Keep one of each.", where=where)
