from . import ontologies as ontologies
from .report import ReadingReport as ReadingReport
from .report import Source as Source

__all__: list[str]  # noqa: PYI035 - the loader fills it
