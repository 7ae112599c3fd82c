from .agreement import AnnotatorAgreement as AnnotatorAgreement
from .annotator_comparison import annotator_confusion as annotator_confusion
from .consensus import consensus as consensus
from .simulation import sufficiency as sufficiency

__all__: list[str]  # noqa: PYI035 - the loader fills it
