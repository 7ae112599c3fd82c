"""Measures by default, and whether measures take scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ontoeval.measures.base import info

DEFAULT_MEASURES = ("F", "P", "R", "F(average='macro')", "Jaccard", "Hamming", "ExactMatch")
"""Measures of sets by default, without a hierarchy. The first measure ranks the runs."""

DEFAULT_ONTOLOGY_MEASURES = ("tF", "OS", "tKappa", "F", "F(average='macro')")
"""Measures of sets by default, with a hierarchy."""

DEFAULT_SCORE_MEASURES = ("LRAP", "RankingLoss", "OneError", "AP", "AUC")
"""Measures of scores by default; with a hierarchy Fmax comes first."""


def usual_measures(*, hierarchy: bool, scores: bool) -> tuple[str, ...]:
    """Measures by default."""
    if scores:
        return ("Fmax",) * hierarchy + DEFAULT_SCORE_MEASURES
    return DEFAULT_ONTOLOGY_MEASURES if hierarchy else DEFAULT_MEASURES


def asks_for_scores(chosen: Mapping[str, Any] | None, threshold: object) -> bool:
    """Whether a frame of predictions is one of scores: by the threshold, or by what a measure takes."""
    return threshold is not None or any(info(one, "takes") == "scores" for one in (chosen or {}).values())
