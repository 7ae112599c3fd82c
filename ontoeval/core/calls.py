"""Keywords of other libraries and functions, answered with what to write here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

_MEANT: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("metric", "metrics", "scoring"), ("measures", "measure")),
    **dict.fromkeys(("weights", "sample_weights"), ("sample_weight",)),
    **dict.fromkeys(("concepts", "labels", "target_names"), ("classes",)),
    "groups": ("group",),
    "hierarchy": ("ontology",),
    "n_jobs": ("workers",),
    "ontology": ("hierarchy",),
}
"""Parameters that are meant by keywords of other libraries and functions."""

_IN_MEASURE = {"average": "F(average='macro')", "zero_division": "F(undefined=0.0)"}
"""Options of scikit-learn that are parameters of a measure."""


def refuse_habits(called: str, keywords: Iterable[str], parameters: Collection[str]) -> None:
    """Refuse keywords of other libraries and functions that a function has not; Python refuses all others."""
    for name in keywords:
        if name in parameters:
            continue
        meant = [one for one in _MEANT.get(name, ()) if one in parameters]
        how = f"Write {meant[0]}=." if meant else ""
        if name in {"y_true", "y_pred"}:
            how = f"Write {called}({', '.join([*parameters][:2])}, ...): the truth comes first."
        if name in _IN_MEASURE and "measures" in parameters:
            how = f'Name it in the measure: measures="{_IN_MEASURE[name]}".'
        if how:
            message = f"{called}() has no {name!r}. {how}"
            raise TypeError(message)
