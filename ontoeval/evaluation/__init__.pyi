from .explanation import Explanation as Explanation
from .scoring import Evaluation as Evaluation
from .sweeps import ScoreCurve as ScoreCurve
from .sweeps import Sweep as Sweep
from .totals import Totals as Totals
from .tuning import TunedThresholds as TunedThresholds

__all__: list[str]  # noqa: PYI035 - the loader fills it
