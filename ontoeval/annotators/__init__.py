"""Agreement: what several people say of the same samples, how far they agree, and what most of them say."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
