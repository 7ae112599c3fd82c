"""Files in and out: label files, concept lists and maps, agreements, thresholds and weights."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
