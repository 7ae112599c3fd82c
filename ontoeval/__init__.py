"""Ontology-aware and hierarchical evaluation of multi-label predictions.

The public names stand in the stub `__init__.pyi`; each is imported when it is first used, so that
importing the package costs next to nothing.
"""

import lazy_loader

_public, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used; the error for any other name lists similar names."""
    if name in __all__ or name.startswith("_"):
        return _public(name)
    from importlib import import_module
    from pathlib import Path

    from ontoeval.errors import habits, near_names

    if instead := habits()["functions"].get(name):
        message = f"No ontoeval attribute {name}: use ontoeval.{instead}"
        raise AttributeError(message)

    if why := habits()["absent"].get(name):
        message = f"No ontoeval attribute {name}. {why}"
        raise AttributeError(message)
    rooms = [room for room in __all__ if Path(__file__).with_name(room).is_dir()]
    places = {one: f"{room}.{one}" for room in rooms for one in import_module(f"ontoeval.{room}").__all__}
    places |= {one: one for one in __all__}
    found = [places[name]] if name in places else [places[one] for one in near_names(name, places)]
    hint = f": use {' or '.join(f'ontoeval.{place}' for place in found)}" if found else ""
    message = f"No ontoeval attribute {name}{hint}"
    raise AttributeError(message)
