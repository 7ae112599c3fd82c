"""Ontologies from files: RDF, OBO, JSON and tables, read into an Ontology."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
