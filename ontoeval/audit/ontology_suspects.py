"""Rules that the truth breaks so often that they probably mean something else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontoeval.audit.finding import EXAMPLES, Finding, Rule
from ontoeval.constraints import Exclusion
from ontoeval.hierarchy import Hierarchy
from ontoeval.labels import LabelSets
from ontoeval.violations import SUSPECT_SHARE, rule_book

SUSPECT = Rule(
    "suspect-rule",
    "warning",
    f"More than {SUSPECT_SHARE:.0%} of the label sets that a rule applies to break it.",
)


def about_use(hierarchy: Hierarchy, sets: LabelSets) -> Iterator[Finding]:
    """Look for rules that label sets break often.

    Parameters
    ----------
    hierarchy
        The hierarchy with the rules.
    sets
        Label sets, such as a truth.

    Yields
    ------
    Finding
        A rule, and how many of the sets that it applies to break it.
    """
    hierarchy = hierarchy.with_labels(sets.vocabulary)
    sets = sets.within(hierarchy.label_vocabulary)
    book = rule_book(hierarchy)
    there = (sets.matrix @ book.sides).tocsc()
    for number, breach in enumerate(book.breaches(sets.matrix)):
        if not breach.suspect:
            continue
        left, right = (
            there.indices[there.indptr[side] : there.indptr[side + 1]]
            for side in (book.left[number], book.right[number])
        )
        rule = breach.rule
        if isinstance(rule, Exclusion):
            rows = np.intersect1d(left, right)
            names: tuple[str, ...] = (rule.first, rule.second)
            how = f"that hold either of {rule.first} and {rule.second} hold both"
            why = f", although {rule}"
        else:
            rows, names = np.setdiff1d(left, right), (rule.concept, *rule.any_of)
            how = f"that hold {rule.concept} hold nothing of what it requires: {' or '.join(rule.any_of)}"
            why = ""
        yield Finding(
            SUSPECT.name,
            SUSPECT.severity,
            names,
            breach.broken,
            tuple(sets.samples[row] for row in rows[:EXAMPLES].tolist()),
            breach.applies,
            f"{breach.broken:,} of {breach.applies:,} label sets {how}{why}. Either the labels are wrong, or "
            "the rule does not say which labels go together.",
            "Correct the labels; or score without the rule (exclusions, requirements), or remove it.",
            rows=rows.astype(np.intp),
            key=(SUSPECT.name, str(rule)),
        )
