"""What is found out about annotators: one call, one result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ontoeval.agreements.annotations import Annotations
from ontoeval.agreements.coefficients import COEFFICIENTS, rows_of, sums_in
from ontoeval.agreements.estimates import NAMES, Estimate, Estimates, estimates
from ontoeval.agreements.rest import Annotator, against_rest
from ontoeval.agreements.set_alpha import MOST_SETS, PAIRS, SetAlpha, alphas
from ontoeval.agreements.sets import COUNTED, HIERARCHICAL, SetDistance
from ontoeval.agreements.votes import Votes
from ontoeval.errors import InputError, ParameterError, one_of
from ontoeval.hierarchy import Hierarchy
from ontoeval.intervals import interval
from ontoeval.resampling import Bootstrap, chunks, portions_of

_NUMBERS = 4_000_000


class PairAgreement(tuple[str, str, int, float]):
    """..."""
