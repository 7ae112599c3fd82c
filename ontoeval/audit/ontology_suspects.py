"""Rules that the truth breaks so often that they probably mean something else."""

from __future__ import annotations

from collections.abc import Iterator

from ontoeval.audit.finding import EXAMPLES, Finding, Rule
from ontoeval.concepts.violations import SUSPECT_SHARE, rule_book
from ontoeval.core.constraints import Exclusion
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets

SUSPECT = Rule(
    "suspect-rule",
    "warning",
    f"More than {SUSPECT_SHARE:.0%} of the label sets that a rule applies to break it.",
)


def about_use(hierarchy: Hierarchy, sets: LabelSets) -> Iterator[Finding]:
    """Look for rules that label sets break often."""
    hierarchy = hierarchy.with_labels(sets.vocabulary)
    sets = sets.within(hierarchy.label_vocabulary)
    book = rule_book(hierarchy)
    there = (sets.matrix @ book.sides).tocsc()
    for number, breach in enumerate(book.breaches(sets.matrix)):
        if not breach.suspect:
            continue
        rule, rows = breach.rule, book.breaking(there, number)
        if isinstance(rule, Exclusion):
            names: tuple[str, ...] = (rule.first, rule.second)
            how = f"that hold either of {rule.first} and {rule.second} hold both"
            why = f", although {rule}"
        else:
            names = (rule.concept, *rule.any_of)
            how = f"that hold {rule.concept} hold nothing of what it requires: {' or '.join(rule.any_of)}"
            why = ""
        yield SUSPECT.found(
            names,
            breach.broken,
            tuple(sets.samples[row] for row in rows[:EXAMPLES].tolist()),
            breach.applies,
            f"{breach.broken:,} of {breach.applies:,} label sets {how}{why}. Either the labels are wrong, or "
            "the rule does not say which labels go together.",
            "Correct the labels; or score without the rule (exclusions, requirements), or remove it.",
            rows=rows,
            key=(SUSPECT.name, str(rule)),
        )
