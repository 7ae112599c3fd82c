"""References: what the keys in docstrings and measures stand for."""

from __future__ import annotations

import re
from importlib.resources import files

from ontoeval.errors import ParameterError


def bibtex(key: str) -> str:
    """Give the BibTeX entry of a key.

    Parameters
    ----------
    key
        A key, such as "nowak2009".

    Returns
    -------
    str
        The entry.

    Raises
    ------
    ParameterError
        If there is no such key.

    Examples
    --------
    >>> bibtex("nowak2009").splitlines()[0]
    '@inproceedings{nowak2009,'
    """
    text = files("ontoeval").joinpath("references.bib").read_text(encoding="utf-8")
    entries = {entry.split("{", 1)[1].split(",", 1)[0]: entry for entry in re.findall(r"(?ms)^@.*?^}", text)}
    if key not in entries:
        raise ParameterError("key", key, f"one of {', '.join(entries)}")
    return str(entries[key])


def citation(key: str) -> str:
    """Write a reference in one line.

    Parameters
    ----------
    key
        A key, such as "nowak2009".

    Returns
    -------
    str
        Authors, year, title, where it appeared, and its DOI.

    Raises
    ------
    ParameterError
        If there is no such key.

    Examples
    --------
    >>> citation("boutell2004")[:60]
    'Boutell, Luo, Shen, Brown (2004). Learning multi-label scene'
    """
    fields = {
        name: " ".join(re.sub(r"[{}]|\\(?=&)", "", value).split())
        for name, value in re.findall(r"(?ms)^\s*(\w+)\s*=\s*\{(.*?)\},?$", bibtex(key))
    }
    authors = ", ".join(author.partition(",")[0] for author in fields["author"].split(" and "))
    authors = authors.replace(", others", " et al.")
    place = fields.get("journal") or fields.get("booktitle") or fields.get("publisher") or ""
    parts = [f"{authors} ({fields['year']})", fields["title"], place, fields.get("doi", "")]
    return ". ".join(part for part in parts if part)
