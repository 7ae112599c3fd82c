"""Results as tables, for people and for programs; knows nothing of measures."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
