"""The ontologies and the small benchmark that come with the package, as files."""

from __future__ import annotations

from pathlib import Path

from ontoeval.errors import OntoevalError, did_you_mean, enumerate_some

__all__ = ["benchmark", "names", "path"]

_PACKAGE = Path(__file__).parent.parent
# A wheel carries the folders inside the package; a checkout, and an editable install of one, beside it.
_SHIPPED = _PACKAGE / "_shipped"
_ONTOLOGIES, _BENCHMARK = (
    (_SHIPPED / "ontologies", _SHIPPED / "benchmark")
    if _SHIPPED.is_dir()
    else (_PACKAGE.parent / "ontologies", _PACKAGE.parent / "examples" / "benchmark")
)
_SUFFIX = ".ttl"


def names() -> tuple[str, ...]:
    """List the ontologies that come with the package."""
    return tuple(sorted(file.stem for file in _ONTOLOGIES.glob(f"*{_SUFFIX}")))


def path(name: str) -> Path:
    """Locate an ontology that comes with the package.

    Parameters
    ----------
    name
        One of `names`, with or without the suffix of its file.

    Returns
    -------
    Path
        The ontology's file, to be read with `read_ontology` like any other.

    Raises
    ------
    OntoevalError
        If no ontology of that name comes with the package.

    Examples
    --------
    >>> from ontoeval import ontologies
    >>> ontologies.path("photo").name
    'photo.ttl'
    """
    known = names()
    stem = name.removesuffix(_SUFFIX)
    if stem not in known:
        raise OntoevalError(
            f"No ontology named {name!r} comes with ontoeval{did_you_mean(stem, known)}. Choose one of "
            f"{enumerate_some(known)}; a file of your own is given by its path: './{name}'."
        )
    return _ONTOLOGIES / f"{stem}{_SUFFIX}"


def benchmark() -> Path:
    """Locate the small benchmark that comes with the package.

    Returns
    -------
    Path
        A folder of label files in CSV.
    """
    return _BENCHMARK
