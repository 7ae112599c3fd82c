"""An audit of an ontology: what is wrong with its links, rules and names."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from ontoeval.audit.findings import Findings, Rule, branches_of, check_severities, graded
from ontoeval.audit.ontology_material import Material
from ontoeval.audit.ontology_rules import (
    CYCLE,
    DEPRECATED,
    DUPLICATE_LABEL,
    IMPOSSIBLE,
    MISSING_LABEL,
    ORPHAN,
    REDUNDANT,
    SELF_LINK,
    SEVERAL_ROOTS,
    SUSPECT,
    UNDECLARED,
    UNSATISFIABLE,
    about_links,
    about_names,
    about_rules,
    about_use,
)
from ontoeval.audit.ontology_shape import shape
from ontoeval.core.choices import Severity
from ontoeval.core.coercion import Labels, sets_of
from ontoeval.core.files import FilePath
from ontoeval.core.limits import reading_at_most
from ontoeval.ontology.assembly import Draft
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.reading import read_draft

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.name: rule
        for rule in (
            CYCLE,
            UNSATISFIABLE,
            IMPOSSIBLE,
            SUSPECT,
            REDUNDANT,
            ORPHAN,
            DEPRECATED,
            UNDECLARED,
            DUPLICATE_LABEL,
            MISSING_LABEL,
            SEVERAL_ROOTS,
            SELF_LINK,
        )
    }
)
"""What an audit of an ontology looks for."""


def audit_ontology(
    ontology: Ontology | Draft | FilePath,
    *,
    labels: Labels | None = None,
    severities: Mapping[str, Severity | Literal["off"]] | None = None,
    max_bytes: int | None = None,
) -> Findings:
    r"""Find what is wrong with an ontology.

    Parameters
    ----------
    ontology
        An ontology, or the file of one. Cycles, and concepts that were given up and are still in
        use, are only found in a file: an ontology that was read is without them.
    labels
        Label sets, such as a truth, or what `evaluate` takes for some, to find the rules that they break
        often.
    severities
        For some rules another severity, or "off".
    max_bytes
        How large the file, and each that it imports, may be, unpacked; by default 2 GiB.

    Returns
    -------
    Findings
        What is wrong, and in its facts the shape of the ontology.

    Raises
    ------
    InputError
        If a file cannot be read.
    ParameterError
        If there is no such rule or severity.
    CycleError
        If labels are given, and the file has cycles.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "plants.csv")
    >>> _ = path.write_text("child,parent\noak,tree\ntree,plant\noak,plant\n")
    >>> [finding.explanation for finding in audit_ontology(path)]
    ['oak lies below plant through tree already.']
    """
    check_severities(severities or {}, RULES)
    labels = None if labels is None else sets_of(labels)
    with reading_at_most(max_bytes):
        draft = ontology if isinstance(ontology, Ontology | Draft) else read_draft(ontology)
    known = isinstance(draft, Ontology)
    material = Material.of_ontology(draft) if isinstance(draft, Ontology) else Material.of_draft(draft)
    found = [*about_links(material), *about_rules(material), *about_names(material)]
    if labels is not None:
        found += about_use((draft if isinstance(draft, Ontology) else draft.ontology()).hierarchy(), labels)
    source = material.source
    facts = {
        "source": source.path,
        "format": source.format,
        "iri": source.iri,
        "version": source.version,
        "digest": source.digest,
        "label_sets": None if labels is None else len(labels),
        "notes": [_AS_READ] if known else [],
        "shape": shape(material),
    }
    found = graded(found, severities or {})
    concerned = (concept for finding in found for concept in finding.concepts)
    branches = branches_of(material.hierarchy, concerned)
    called = {name: material.called(name) for some in branches.values() for name in some}
    return Findings(found, branches, facts, hierarchy=material.hierarchy, called=called)


_AS_READ = (
    "An ontology that was read has neither cycles nor deprecated concepts: only an audit of its file "
    "finds them."
)
