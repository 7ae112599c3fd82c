"""Audits: what is wrong with label files and ontologies, as findings that can be acted on."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
