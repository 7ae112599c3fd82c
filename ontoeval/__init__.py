"""Ontology-aware and hierarchical evaluation of multi-label predictions.

The public names stand in the stub `__init__.pyi`; each is imported when it is first used, so that
importing the package costs next to nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
