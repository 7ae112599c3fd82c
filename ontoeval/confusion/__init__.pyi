from .matrix import ConfusionMatrix as ConfusionMatrix
from .matrix import ConfusionTensor as ConfusionTensor
from .one_vs_rest import ConceptCounts as ConceptCounts

__all__: list[str]  # noqa: PYI035 - the loader fills it
