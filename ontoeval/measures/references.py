"""References: what the keys in docstrings and measures stand for."""

from __future__ import annotations

import re
from importlib.resources import files

from ontoeval._version import __version__
from ontoeval.errors import ParameterError

_ENTRY = re.compile(r"\s*@\w+\s*\{\s*[^\s,{}]+\s*,.*\}\s*", re.DOTALL)


def bibtex(key: str) -> str:
    """Find the BibTeX entry of a key."""
    entries = _entries()
    if key not in entries:
        raise ParameterError("key", key, f"one of {', '.join(entries)}")
    return str(entries[key])


def entry_of(source: str) -> str:
    """Find the BibTeX entry of a source: a key, or an entry itself, as measures of others may state it."""
    return source.strip() if is_entry(source) else bibtex(source)


def is_entry(source: str) -> bool:
    """Whether a source is an entry of BibTeX itself."""
    return _ENTRY.fullmatch(source) is not None


def citation(key: str) -> str:
    """Write a reference in one line."""
    fields = {
        name: " ".join(re.sub(r"[{}]|\\(?=&)", "", value).split())
        for name, value in re.findall(r"(?ms)^\s*(\w+)\s*=\s*\{(.*?)\},?$", bibtex(key))
    }
    authors = ", ".join(author.partition(",")[0] for author in fields["author"].split(" and "))
    authors = authors.replace(", others", " et al.")
    place = fields.get("journal") or fields.get("booktitle") or fields.get("publisher") or ""
    parts = [f"{authors} ({fields['year']})", fields["title"], place, fields.get("doi", "")]
    return ". ".join(part for part in parts if part)


def is_known(key: str) -> bool:
    """Whether there is an entry with this key."""
    return key in _entries()


def software() -> str:
    """Write the BibTeX entry of this version of the package."""
    return (
        "@misc{ontoeval,\n"
        "  author = {{ontoeval contributors}},\n"
        "  title = {ontoeval: evaluation of multi-label classification, flat and with an ontology},\n"
        f"  note = {{Version {__version__}, Python package ontoeval-metrics, Apache-2.0}},\n"
        "}"
    )


def _entries() -> dict[str, str]:
    text = files("ontoeval").joinpath("references.bib").read_text(encoding="utf-8")
    return {entry.split("{", 1)[1].split(",", 1)[0]: entry for entry in re.findall(r"(?ms)^@.*?^}", text)}
