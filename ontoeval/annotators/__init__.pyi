from .agreement import AnnotatorAgreement as AnnotatorAgreement
from .annotator_confusion import annotator_confusion as annotator_confusion
from .consensus import consensus as consensus
from .simulation import simulate_annotators as simulate_annotators
from .sufficiency import sufficiency as sufficiency

__all__: list[str]  # noqa: PYI035 - the loader fills it
