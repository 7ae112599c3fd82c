"""Measures where other libraries expect theirs: scikit-learn, torchmetrics, transformers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
