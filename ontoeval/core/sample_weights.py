"""Sample weights: what each sample counts for, matched by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.core.label_sets import number_names
from ontoeval.errors import MOST_SHOWN, InputError, enumerate_some, pluralise
from ontoeval.plumbing.frames import by_names

Weights = NDArray[np.float64]

SampleWeight = Mapping[str, float] | ArrayLike | Any
"""Weights of samples: a mapping, a series or frame that names the samples, or numbers in their order."""


def weights_of(given: SampleWeight, samples: Sequence[str], *, where: object = "") -> Weights:
    """Weights of samples in their order; names must match, and numbers without names fit unnamed samples."""
    named = by_names("weight", given, of="sample", unnamed=True)
    if isinstance(named, Mapping):
        named = {str(sample): weight for sample, weight in named.items()}
        known = set(samples)
        sides = (
            ("without a weight", [sample for sample in samples if sample not in named]),
            ("with a weight but not in the truth", [sample for sample in named if sample not in known]),
        )
        problems = [
            f"{pluralise(len(found), 'sample')} {what}: {enumerate_some(found)}"
            for what, found in sides
            if found
        ]
        if problems:
            raise InputError(
                "; ".join(problems), "Give each sample of the truth one weight, and no other.", where=where
            )
        values: Any = [named[sample] for sample in samples]
    else:
        if tuple(samples) != number_names(len(samples)):
            raise InputError(
                f"the sample weights have no names, but the samples have: {enumerate_some(samples)}",
                "Name the samples: sample_weight=dict(zip(samples, weights)), or a series indexed by them.",
            )
        values = named
    weights = checked_weights(values, samples)
    if not weights.any():
        raise InputError("no sample has a weight above 0", "Give at least one sample a weight.", where=where)
    return weights


def checked_weights(values: SampleWeight, samples: Sequence[str]) -> Weights:
    """Read-only weights, one finite number of at least 0 for each sample."""
    try:
        weights = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"a sample weight that is no number ({error})", "Give numbers.") from error
    if weights.shape != (len(samples),):
        raise InputError(
            f"sample weights of shape {weights.shape} for {pluralise(len(samples), 'sample')}",
            "Give one number for each sample.",
        )
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if wrong.size:
        shown = [f"{samples[row]} ({weights[row]:g})" for row in wrong[:MOST_SHOWN]]
        raise InputError(
            f"{pluralise(wrong.size, 'sample weight')} below 0 or not finite: "
            f"{enumerate_some(shown, total=wrong.size)}",
            "Give finite numbers of at least 0.",
        )
    weights.flags.writeable = False
    return weights
