"""An audit of an ontology: what is wrong with its links, rules and names."""

from __future__ import annotations

from collections.abc import Mapping

from ontoeval.audit import ontology_rules
from ontoeval.audit.findings import Findings, Rule, Severities
from ontoeval.audit.ontology_material import Material
from ontoeval.audit.settings import check_severities, graded
from ontoeval.core.coercion import Labels, sets_of
from ontoeval.core.files import FilePath
from ontoeval.core.limits import reading_at_most
from ontoeval.ontology.assembly import Draft
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.reading import read_draft

RULES: Mapping[str, Rule] = {rule.name: rule for rule in ontology_rules.RULES}
"""What an audit of an ontology looks for, by name."""

_AS_READ = (
    "An ontology that was read has neither cycles nor deprecated concepts: only an audit of its file "
    "finds them."
)


def audit_ontology(
    ontology: Ontology | Draft | FilePath,
    *,
    labels: Labels | None = None,
    severities: Severities | None = None,
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
    found = list(ontology_rules.find(material))
    if labels is not None:
        read = draft if isinstance(draft, Ontology) else draft.ontology()
        found += ontology_rules.suspects(read.hierarchy(), labels)
    facts = {
        "source": material.source.path,
        **{name: getattr(material.source, name) for name in ("format", "iri", "version", "digest")},
        "label_sets": None if labels is None else len(labels),
        "notes": [_AS_READ] if known else [],
        "shape": material.shape,
    }
    return Findings.over(material.hierarchy, graded(found, severities or {}), material.called, facts=facts)
