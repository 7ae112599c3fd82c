from .batch import ScoredBatch as ScoredBatch
from .resampling import Bootstrap as Bootstrap
from .rules import Exclusion as Exclusion
from .rules import Requirement as Requirement

__all__: list[str]  # noqa: PYI035 - the loader fills it
