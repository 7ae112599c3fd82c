"""Ontology-aware and hierarchical evaluation of multi-label predictions.

The public names stand in the stub `__init__.pyi`; each is imported when it is first used, so that
importing the package costs next to nothing.
"""

import lazy_loader

_public, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


_SCORED = dict.fromkeys(("f1", "precision", "recall", "jaccard"), "prediction, measures='{}_macro'")
_SCORED |= dict.fromkeys(("roc_auc", "average_precision"), "scores, measures='{}'")
_INSTEAD = {
    "accuracy_score": "evaluate(truth, prediction, measures='ExactMatch')",
    "classification_report": "evaluate(truth, prediction).classification_report()",
    "confidence_interval": "compare(truth, runs).intervals",
    "hamming_loss": "evaluate(truth, prediction, measures='Hamming')",
    "multilabel_confusion_matrix": "one_vs_rest(truth, prediction)",
    "precision_recall_curve": "curve(truth, scores, propagate=False, average='micro')",
    "tune_thresholds": "sweep(truth, scores, measures='F').best('F')",
    **{f"{name}_score": f"evaluate(truth, {how.format(name)})" for name, how in _SCORED.items()},
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
