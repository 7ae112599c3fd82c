from .cooccurrence import CoOccurrence as CoOccurrence
from .costs import cost_between as cost_between
from .costs import similarity as similarity
from .information import LabelFrequencies as LabelFrequencies
from .information import information_accretion as information_accretion
from .information import information_content as information_content
from .information import with_information as with_information
from .weighting import with_agreement as with_agreement

__all__: list[str]  # noqa: PYI035 - the loader fills it
