"""Presets: the measures of a field, with the conventions of its programs."""

from __future__ import annotations

from dataclasses import dataclass

from ontoeval.errors import one_of


@dataclass(frozen=True)
class Preset:
    """Measures that a field computes, as its own program does.

    Parameters
    ----------
    title
        Whose they are.
    measures
        The measures in their notation, every convention in their options.
    conventions
        What the program does beside, and where it cannot be followed.
    source
        Key in the list of references.
    """

    title: str
    measures: tuple[str, ...]
    conventions: tuple[str, ...]
    source: str


def _each(symbols: str, *options: str) -> tuple[str, ...]:
    """Write each symbol with each of some options."""
    return tuple(f"{symbol}({option})" for option in options for symbol in symbols.split())


_ZERO = "undefined=0.0"
PRESETS = {
    "sklearn": Preset(
        "scikit-learn",
        (
            *_each("P R F", *(f"average={one!r}, {_ZERO}" for one in ("micro", "macro", "weighted"))),
            *_each("P R F Jaccard", f"average='samples', {_ZERO}, empty=0.0"),
            "Hamming",
            "ExactMatch",
        ),
        (
            "0/0 is 0, also where a sample has neither true nor predicted labels (zero_division=0).",
            "ExactMatch is accuracy_score, Hamming is hamming_loss.",
        ),
        "pedregosa2011",
    ),
    "hiclass": Preset(
        "HiClass",
        _each("hP hR hF", "members='labels', root='in'", "members='labels', root='in', average='samples'"),
        (
            "Labels are compared as they are given: a path counts whole only if all its concepts are there.",
            "average='samples' is what HiClass calls macro.",
        ),
        "miranda2023",
    ),
}
"""Every preset by name."""


def preset(name: str) -> Preset:
    """Look up a preset.

    Parameters
    ----------
    name
        A key of `PRESETS`, such as "sklearn".

    Returns
    -------
    Preset
        Its measures and conventions.

    Raises
    ------
    ParameterError
        If there is none by that name.

    Examples
    --------
    >>> preset("sklearn").measures[2]
    "F(average='micro', undefined=0.0)"
    """
    one_of("preset", name, tuple(PRESETS))
    return PRESETS[name]
