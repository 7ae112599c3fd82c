"""Ontology-aware and hierarchical evaluation of multi-label predictions.

The public names stand in the stub `__init__.pyi`; each is imported when it is first used, so that
importing the package costs next to nothing.
"""

import lazy_loader

_public, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


_SCORES = "evaluate(truth, prediction, measures=...)"
_INSTEAD = {
    "classification_report": "evaluate(truth, prediction).classification_report()",
    "confidence_interval": "compare(truth, runs).intervals",
    **dict.fromkeys(("accuracy_score", "f1_score", "hamming_loss", "jaccard_score"), _SCORES),
}
"""Functions of other libraries, and the calls that do their work."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first used; the error for any other name lists similar names."""
    if name in __all__ or name.startswith("_"):
        return _public(name)
    if name in _INSTEAD:
        message = f"No ontoeval attribute {name}: use ontoeval.{_INSTEAD[name]}"
        raise AttributeError(message)
    from importlib import import_module
    from pathlib import Path

    from ontoeval.errors import near_names

    rooms = [room for room in __all__ if Path(__file__).with_name(room).is_dir()]
    places = {one: f"{room}.{one}" for room in rooms for one in import_module(f"ontoeval.{room}").__all__}
    places |= {one: one for one in __all__}
    found = [places[name]] if name in places else [places[one] for one in near_names(name, places)]
    hint = f": use {' or '.join(f'ontoeval.{place}' for place in found)}" if found else ""
    message = f"No ontoeval attribute {name}{hint}"
    raise AttributeError(message)
