from .explanation import Explanation as Explanation
from .scoring import Evaluation as Evaluation
from .thresholds import ScoreCurve as ScoreCurve
from .thresholds import Sweep as Sweep
from .totals import Totals as Totals

__all__: list[str]  # noqa: PYI035 - the loader fills it
