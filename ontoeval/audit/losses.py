"""Losses: what a corrected copy of labels would lose."""

from __future__ import annotations

from ontoeval.audit.subject import Subject

_MORE_THAN_LABELS = frozenset({"arff", "annif"})
"""Formats whose samples have texts or features too."""


def loss(subject: Subject) -> str:
    """Say why label sets are not corrected, if they are not."""
    form = subject.written.form
    if subject.negative is not None:
        return "a file of verified labels is not corrected: what is absent has no place in label sets"
    if subject.written.scored:
        return "scores are not corrected: what is added has none"
    if form is not None and form.format in _MORE_THAN_LABELS:
        return f"this is {form}: a copy would lose what stands beside the labels"
    return ""
