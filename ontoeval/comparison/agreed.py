"""What an agreement of annotators says about how often they err."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.concepts.weighting import AGREEMENT, agreement_of
from ontoeval.core.checks import by_name
from ontoeval.core.frames import by_names
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import ParameterError, one_of

Reading = Literal["majority", "pairwise"]
"""What an agreement is the share of: of annotators who say what most say, or of pairs who say the same."""


def error_rates(
    vocabulary: Vocabulary,
    agreement: Mapping[str, float] | None,
    hierarchy: Hierarchy | None,
    reading: Reading,
) -> NDArray[np.float64]:
    """Work out how often annotators err who agree so far; see `perturb` for the formula."""
    one_of("reading", reading, get_args(Reading))
    if agreement is None:
        if hierarchy is None or AGREEMENT not in hierarchy.weights:
            raise ParameterError("agreement", None, "one for each concept, or a hierarchy with it")
        agreement = dict(zip(hierarchy.vocabulary, hierarchy.weights[AGREEMENT].tolist(), strict=True))
    agreement = by_names("agreement", agreement)
    by_name("agreement", agreement)
    wanted = {concept: agreement[concept] for concept in vocabulary if concept in agreement}
    shares = np.maximum(agreement_of(vocabulary, wanted), 0.5)
    errors: NDArray[np.float64] = 1 - shares if reading == "majority" else (1 - np.sqrt(2 * shares - 1)) / 2
    return errors
