"""Audits: errors in label files and ontologies, as findings with fixes."""

import sys
from types import ModuleType

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


class _Room(ModuleType):
    def __call__(self, *_: object, **__: object) -> None:
        """Say which functions audit."""
        from ontoeval.errors import InputError

        problem = "ontoeval.audit is a module, no function"
        raise InputError(
            problem, "Write ontoeval.audit_labels(labels, ontology), or audit_ontology(ontology)."
        )


sys.modules[__name__].__class__ = _Room
