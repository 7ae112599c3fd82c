"""Citations as BibTeX: the sources of measures and of their options, and the package itself."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ontoeval.core.checks import as_list
from ontoeval.measures.base import Measure, Measures
from ontoeval.measures.catalogue import entry_of, measures_of, software, source_of
from ontoeval.measures.presets import preset as preset_by_name

PARTS = {
    "batet": "batet2011",
    "cafaeval": "piovesan2024",
    "ia": "clark2013",
    "jiang-conrath": "jiang1997",
    "krstinic": "krstinic2020",
    "leacock-chodorow": "leacock1998",
    "lin": "lin1998",
    "mlcm": "heydarian2022",
    "resnik": "resnik1999",
    "sanchez": "sanchez2011",
    "seco": "seco2004",
    "tensor": "krstinic2024",
    "wu-palmer": "wu1994",
    "zhou": "zhou2008",
}
"""Who is to be cited for what options name."""

_NAMING = ("cost", "information", "rule", "thresholds", "weight")
"""Options whose values name what somebody published."""


def cite(measures: Measures = (), *, preset: str | None = None) -> str:
    """Write the BibTeX entries of whatever a result rests on.

    Parameters
    ----------
    measures
        Notations or measures, or a single one.
    preset
        A preset whose measures are cited as well, and its program.

    Returns
    -------
    str
        One entry for each source, below a comment that says what it is cited for; the package comes last.

    Raises
    ------
    MeasureError
        If a notation cannot be read.
    ParameterError
        If there is no such preset.

    Examples
    --------
    >>> [line for line in cite("OS(cost='lin(seco)')").splitlines() if line.startswith("@")]
    ['@inproceedings{nowak2009,', '@inproceedings{lin1998,', '@inproceedings{seco2004,', '@misc{ontoeval,']
    """
    wanted = as_list(measures)
    used: dict[str, list[str]] = {}
    if preset is not None:
        named = preset_by_name(preset)
        used[named.source] = [f"the preset {preset}"]
        wanted = [*named.measures, *wanted]
    for notation, measure in (measures_of(wanted) if wanted else {}).items():
        for source in sources_of(measure):
            used.setdefault(source, []).append(notation)
    unstated = used.pop("", [])
    # Measures of others may say an entry of their own instead of a key.
    parts = [f"{_comment(notations)}{entry_of(source)}\n" for source, notations in used.items()]
    if unstated:
        parts.append(f"{_comment(unstated)}% (no source is stated)\n")
    return "\n".join([*parts, f"{_comment(['the package that computed it'])}{software()}\n"])


def sources_of(measure: Measure) -> list[str]:
    """List the sources of a measure."""
    values = [getattr(measure, option, None) for option in _NAMING]
    words = [
        word
        for value in values
        if isinstance(value, str)
        for word in re.findall(r"[a-z]+(?:-[a-z]+)*", value.replace("tensor-", "tensor "))
    ]
    return list(dict.fromkeys([source_of(measure), *(PARTS[word] for word in words if word in PARTS)]))


def _comment(lines: Iterable[str]) -> str:
    # BibTeX passes over what stands between entries, but an @ would begin one.
    return "".join(f"% {' '.join(line.split()).replace('@', '(at)')}\n" for line in lines)
