"""Where ontologies come from: files in RDF, OBO, JSON and tables, read into an Ontology."""

from ontoeval.ontology.model import Ontology as Ontology
from ontoeval.ontology.reading import read_ontology as read_ontology
from ontoeval.ontology.report import ReadingReport as ReadingReport
from ontoeval.ontology.sources import Source as Source
