from . import sklearn as sklearn
from . import torchmetrics as torchmetrics
from . import transformers as transformers

__all__: list[str]  # noqa: PYI035 - the loader fills it
