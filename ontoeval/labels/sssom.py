"""SSSOM: tables of mappings between two vocabularies, of which those of equal terms are read."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from ontoeval.core.names import OBO
from ontoeval.errors import InputError, enumerate_some, pluralise
from ontoeval.labels.sources import LabelSource

_COLUMNS = ("subject_id", "predicate_id", "object_id")
_EQUAL = re.compile(r"(?:skos:|\S+/skos/core#)exactMatch|(?:owl:|\S+/owl#)(?:equivalentClass|sameAs)")
_PREFIX = re.compile(r"""#\s+["']?([\w.-]+)["']?:\s*["']?(\w+:\S+?)["']?\s*""")


def sssom_below(file: LabelSource) -> LabelSource | None:
    """Table below the comments of a file of SSSOM; None for other files."""
    begin, line = file.begin, file.line
    while file.data[begin : begin + 1] == b"#":
        begin = file.data.find(b"\n", begin) + 1 or len(file.data)
        line += 1
    table = replace(file, begin=begin, line=line)
    return table if begin < len(file.data) and {*_COLUMNS} <= {*table.first(table.delimiter)} else None


def read_sssom(file: LabelSource, table: LabelSource) -> tuple[list[tuple[int, str, str]], Counter[str]]:
    """Line, subject or its label, and object of equal terms; and counts of the other predicates."""
    comments = file.data[file.begin : table.begin].decode(errors="replace").splitlines()
    spaces = {match[1]: match[2] for match in map(_PREFIX.fullmatch, comments) if match}
    delimiter, left_out = table.delimiter or "\t", Counter[str]()
    titles = table.first(delimiter)
    pairs: list[tuple[int, str, str]] = []
    for line, fields in table.without_header(delimiter).rows(delimiter):
        row = dict(zip(titles, fields, strict=True))
        predicate = f"{row.get('predicate_modifier', '')} {row['predicate_id']}".strip()
        if not _EQUAL.fullmatch(predicate):
            left_out[predicate] += 1
            continue
        prefix, colon, local = row["object_id"].partition(":")
        space = spaces.get(prefix, "") if colon else ""
        # A CURIE of OBO needs no declaration; others mean an IRI by the prefixes of this file.
        known = not space or space == f"{OBO}{prefix}_"
        meant = row["object_id"] if known else space + local
        pairs += [(line, own, meant) for own in (row["subject_id"], row.get("subject_label", "")) if own]
    if not pairs:
        counts = enumerate_some(f"{name} ({count:,})" for name, count in left_out.items())
        problem = f"none of its {pluralise(left_out.total(), 'mapping')} says that terms are equal: {counts}"
        remedy = "Give mappings by skos:exactMatch or owl:equivalentClass."
        raise InputError(problem, remedy, where=file.where)
    return pairs, left_out
