from . import ontologies as ontologies
from .model import Ontology as Ontology
from .reading import read_ontology as read_ontology
from .report import ReadingReport as ReadingReport
from .report import Source as Source
