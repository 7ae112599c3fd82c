from .catalogue import name as name
from .catalogue import parse as parse
from .first_k import PropensityGainAt as PropensityGainAt
from .first_k import PropensityPrecisionAt as PropensityPrecisionAt
from .label_costs import LabelCost as LabelCost
from .label_costs import LabelCosts as LabelCosts
from .presets import preset as preset

__all__: list[str]  # noqa: PYI035 - the loader fills it
