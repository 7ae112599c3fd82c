"""The shape of an ontology: how deep it is, and how it fans out."""

from __future__ import annotations

from ontoeval.audit.findings import Findings
from ontoeval.reports.table import Column, Table


def shape_table(findings: Findings) -> Table:
    """Show the shape of an ontology that was audited."""
    rows = dict(findings.facts["shape"])
    where = {of: rows.pop(name) for of, name in _WHERE.items()}
    columns = (Column("what"), Column("value", mixed=True), Column("where"))
    return Table("Shape", columns, tuple((name, value, where.get(name, "")) for name, value in rows.items()))


_WHERE = {"depth": "deepest", "children": "most children", "parents": "most parents"}
"""Of the largest numbers what the concept is called that has them."""
