"""Measures where other libraries expect theirs: scikit-learn, torchmetrics, transformers."""

import lazy_loader

_public, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """Import a module when it is first used; the name of another library is answered by the call here."""
    from ontoeval.core.advice import OtherName, row_for

    text = "" if name in __all__ else row_for(name)
    return OtherName(name, text) if text else _public(name)
