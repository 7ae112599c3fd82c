"""Presets: the measures of a field, with the conventions of its programs."""

from __future__ import annotations

from dataclasses import dataclass

from ontoeval.core.checks import ScoreRepeats
from ontoeval.errors import one_of


@dataclass(frozen=True)
class Preset:
    """Measures that a field computes, as its own program does."""

    title: str
    measures: tuple[str, ...]
    conventions: tuple[str, ...]
    source: str
    repeats: ScoreRepeats = "refuse"


def _each(symbols: str, *options: str) -> tuple[str, ...]:
    """Write each symbol with each of some options."""
    return tuple(
        f"{symbol}({option})" if option else symbol for option in options for symbol in symbols.split()
    )


_ZERO = "undefined=0.0"
_CAFAEVAL = "thresholds='cafaeval', empty=0.0"
_HEMKIT = "average='samples', root='virtual'"
PRESETS = {
    "sklearn": Preset(
        "scikit-learn",
        (
            *_each("F P R", *(f"average={one!r}, {_ZERO}" for one in ("micro", "macro", "weighted"))),
            *_each("F P R Jaccard", f"average='samples', {_ZERO}, empty=0.0"),
            "Hamming",
            "ExactMatch",
        ),
        (
            "0/0 is 0, also where a sample has neither true nor predicted labels (zero_division=0).",
            "ExactMatch is accuracy_score, Hamming is hamming_loss.",
        ),
        "pedregosa2011",
    ),
    "cafa": Preset(
        "CAFA, as cafaeval computes it",
        (
            *_each("Fmax wFmax", f"{_CAFAEVAL}, {_ZERO}"),
            f"Smin({_CAFAEVAL}, uncovered=False)",
            f"Covered({_CAFAEVAL})",
            f"microFmax({_CAFAEVAL}, {_ZERO})",
        ),
        (
            "Scores are propagated to ancestors; thresholds are .01 to .99; the root counts.",
            "Some thresholds are a rounding error too large, as cafaeval's are: .57 is not reached by .57.",
            "Fmax is 0 where what is true weighs nothing (undefined=0.0).",
            "Smin: thresholds at which no sample has anything predicted do not count (uncovered=False).",
            "Information accretion needs a corpus: --information-from or ontoeval.concepts.with_information.",
            "cafaeval takes each namespace alone: use --root once for each.",
            "Of several scores of one (sample, concept) pair the highest counts; --repeats changes that.",
        ),
        "piovesan2024",
        "max",
    ),
    "hemkit": Preset(
        "HEMKit",
        (
            *_each("hF hP hR", _HEMKIT),
            *_each("LCaF LCaP LCaR", "root='virtual'"),
            "MGIA(connect_roots=True)",
        ),
        (
            "A node above all roots is added. Means are over samples.",
            "LCA: all shortest ways count, of which HEMKit keeps a few, chosen by the order of concepts.",
            "So LCaP, LCaR and LCaF can differ from HEMKit's by some hundredths on real data.",
            "MGIA: the cheapest pairs count, which HEMKit's greedy search can miss.",
        ),
        "kosmopoulos2015",
    ),
    "bioasq": Preset(
        "BioASQ, semantic indexing",
        (
            *_each("F P R", "", "average='macro'", "average='samples', empty=None"),
            "Jaccard(empty=None)",
            *_each("hF hP hR", _HEMKIT),
            *_each("LCaF LCaP LCaR", "root='virtual', max_distance=4"),
        ),
        (
            "F (micro) and LCaF rank the systems.",
            "Macro F: labels that are predicted but never true count, with F 0; BioASQ leaves them out.",
            "Ancestors farther than 4 links are cut in the LCA measures.",
        ),
        "kosmopoulos2015",
    ),
    "hiclass": Preset(
        "HiClass",
        _each("hF hP hR", "members='labels', root='in'", "members='labels', root='in', average='samples'"),
        (
            "Labels are compared as they are given: a path counts whole only if all its concepts are there.",
            "average='samples' is what HiClass calls macro.",
        ),
        "miranda2023",
    ),
    "icm": Preset(
        "the information contrast model, as PyEvALL computes it",
        ("ICM", "ICMnorm"),
        (
            "Information content needs a corpus: --information-from or ontoeval.concepts.with_information.",
            "PyEvALL takes the truth that is scored: give that file to have its numbers.",
            "Concepts without annotations have the content of one annotation.",
        ),
        "amigo2022",
    ),
    "imageclef2009": Preset(
        "ImageCLEF 2009, photo annotation",
        ("EER", "AUC", "OS"),
        (
            "EER and AUC need scores; OS needs a threshold, .5 in the task, the ontology and the agreement.",
            "The paper's ambiguities are decided as the options of OS say.",
        ),
        "nowak2010overview",
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
    >>> preset("sklearn").measures[0]
    "F(average='micro', undefined=0.0)"
    """
    one_of("preset", name, tuple(PRESETS))
    return PRESETS[name]
