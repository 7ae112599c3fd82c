"""Ontology-aware and hierarchical evaluation of multi-label predictions.

The public names stand in the stub `__init__.pyi`; each is imported when it is first used, so that
importing the package costs next to nothing.
"""

import sys
from importlib import import_module
from types import ModuleType

import lazy_loader

_public, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


class _Room(ModuleType):
    def __reduce__(self) -> tuple[object, ...]:
        """Pickle a module by its name, as cloudpickle does with those of the plain type."""
        return import_module, (self.__name__,)

    def __call__(self, *args: object, **keywords: object) -> None:
        """Write the call that is meant by who calls a module."""
        from ontoeval.core.advice import advised
        from ontoeval.errors import InputError, habits

        name = self.__name__.removeprefix("ontoeval.")
        meant = advised(name, habits()["rooms"][name], args, keywords)
        raise InputError(f"ontoeval.{name} is a module, no function", meant)


class _Package(ModuleType):
    __reduce__ = _Room.__reduce__

    def __setattr__(self, name: str, value: object) -> None:
        """Let modules that people call like functions answer; Python sets each where it is imported."""
        if isinstance(value, ModuleType) and name in {"audit", "comparison", "confusion", "evaluation"}:
            value.__class__ = _Room
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


class _Elsewhere:
    """Finder that is asked last: it says where the names of modules are that other libraries have."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Refuse to import a module of the package that no other finder knows; importlib.util finds none."""
        owner, _, last = name.rpartition(".")
        if owner in {__name__, f"{__name__}.integrations"} and sys._getframe(2).f_code.co_name != "find_spec":  # noqa: SLF001
            from ontoeval.errors import habits

            place, _, call = habits()["functions"].get(last, "").rpartition(".")
            function, call = call.partition("(")[0], call.replace("(measures", "('hF'")
            names = "..." if owner == __name__ else " or ".join(import_module(owner).__all__)
            where = f"Names stand in {owner} itself: write from {owner} import {names}"
            if place.startswith("integrations."):
                where = f"Write from {__name__}.{place} import {function}, then {call}"
            raise ModuleNotFoundError(f"No module named {name!r}. {where}", name=name)


sys.meta_path[:] = [one for one in sys.meta_path if getattr(one, "__name__", "") != "_Elsewhere"]
sys.meta_path.append(_Elsewhere)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used; any other name is answered by the call that is meant."""
    from pathlib import Path

    here = Path(__file__)
    if name in __all__ or name.startswith("_") or here.with_name(f"{name}.py").exists():
        return _public(name)
    from ontoeval.core.advice import OtherName, row_for
    from ontoeval.errors import habits, near_names

    rows = habits()
    call = rows["functions"].get(name) or rows["functions"].get(f"{name}_score")
    if call := call or import_module("ontoeval.measures.catalogue").call_of(name) or row_for(name):
        return OtherName(name, call.replace("scores", "prediction") if call.startswith("evaluate") else call)
    rooms = [room for room in __all__ if here.with_name(room).is_dir()]
    places = {one: f"{room}.{one}" for room in rooms for one in import_module(f"ontoeval.{room}").__all__}
    places |= {one: one for one in __all__}
    found = [places[name]] if name in places else [places[one] for one in near_names(name, places)]
    hint = f": use {' or '.join(f'ontoeval.{place}' for place in found)}" if found else ""
    known = rows["refused"] | rows["absent"]
    why = known.get(name) or known.get(name.removesuffix("_score"))
    message = f"No ontoeval attribute {name}{f'. {why}' if why else hint}"
    asked = sys._getframe(1).f_code.co_name == "_handle_fromlist"  # noqa: SLF001 - import hides others
    raise ImportError(message) if asked and not here.with_name(name).exists() else AttributeError(message)
