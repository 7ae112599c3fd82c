"""What is wrong with the rules of an ontology: classes without instances, requirements nothing can meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.finding import Finding, Rule
from ontoeval.audit.ontology_material import Material
from ontoeval.audit.satisfiability import Sides, unmeetable
from ontoeval.core.constraints import Exclusion, Requirement
from ontoeval.core.csr import entries_at, line, pattern, without
from ontoeval.errors import counted, listed

UNSATISFIABLE = Rule("unsatisfiable", "error", "A concept lies below two that exclude each other.")
IMPOSSIBLE = Rule("impossible-requirement", "warning", "No label set can meet a requirement.")


def about_rules(material: Material) -> Iterator[Finding]:
    """Look at exclusions and requirements."""
    for reason in dict.fromkeys(reason for _, reason in material.empty):
        names = tuple(name for name, why in material.empty if why == reason)
        yield UNSATISFIABLE.found(
            names,
            len(names),
            explanation=f"{_none_of(material, names)}: {_REASONS.get(reason, reason)}.",
            fix="Remove the axiom, or the concept.",
            key=(UNSATISFIABLE.name, reason),
            cases=names,
        )
    yield from _unsatisfiable(material, Sides.of(material.kinship))
    if any(rule.precondition for rule in material.requirements):
        yield from _impossible(material, Sides.of(material.hierarchy))


def _unsatisfiable(material: Material, sides: Sides) -> Iterator[Finding]:
    """Find what lies below two concepts that exclude each other, and name what lies highest."""
    names = material.vocabulary
    members = sides.below.astype(np.intp)
    shared = entries_at(sparse.csr_array(members.T @ members), sides.left, sides.right)
    columns = sides.below.tocsc()
    parents = material.kinship.parents
    groups: defaultdict[tuple[str, ...], list[Exclusion]] = defaultdict(list)
    sizes: dict[tuple[str, ...], int] = {}
    for number in np.flatnonzero(shared).tolist():
        both = np.intersect1d(line(columns, sides.left[number]), line(columns, sides.right[number]))
        inside = np.zeros(len(names), dtype=bool)
        inside[both] = True
        lower = np.diff(np.append(0, np.cumsum(inside[parents.indices]))[parents.indptr]) > 0
        top = tuple(names[place] for place in both[~lower[both]].tolist())
        groups[top].append(material.exclusions[number])
        sizes[top] = int(both.size)
    for top, rules in groups.items():
        reasons = [_said(material, rule) for rule in rules[:3]]
        more = f", and {len(rules) - 3:,} more such pairs" if len(rules) > 3 else ""  # noqa: PLR2004 - as many as shown
        rest = sizes[top] - len(top)
        below = f" The same holds for {counted(rest, 'descendant')}." if rest else ""
        ends = dict.fromkeys(end for rule in rules for end in (rule.first, rule.second))
        lies = "it lies" if len(top) == 1 else "they lie"
        yield UNSATISFIABLE.found(
            (*top, *(end for end in ends if end not in top)),
            sizes[top],
            explanation=f"{_none_of(material, top)}: {lies} below both sides of {'; '.join(reasons)}{more}."
            f"{below}",
            fix="Remove the exclusion, or a link to one of its sides.",
            key=(UNSATISFIABLE.name, *top),
            cases=tuple(map(str, rules)),
        )


def _said(material: Material, rule: Exclusion) -> str:
    by = f" ({rule.source})" if rule.source else ""
    return f"{material.called(rule.first)} excludes {material.called(rule.second)}{by}"


def _impossible(material: Material, sides: Sides) -> Iterator[Finding]:
    """Find requirements whose every alternative is excluded, or holds nothing that may be a label."""
    rules = [rule for rule in material.requirements if rule.precondition]
    stated: defaultdict[str, int] = defaultdict(int)
    for rule in rules:
        stated[rule.relation] += 1
    groups: defaultdict[tuple[str, ...], list[_Unmet]] = defaultdict(list)
    for unmet in _unmet(material, sides, rules):
        apart = ("inherited",) * (unmet.bearer != unmet.rule.concept)
        groups[unmet.rule.relation, unmet.why, *apart].append(unmet)
    for key, several in groups.items():
        relation, why, *inherited = key
        some = "; ".join(map(str, several[:3])) + ("; …" if len(several) > 3 else "")  # noqa: PLR2004 - likewise
        by = f" by {relation}" if relation else ""
        what = f"{len(several):,} of {stated[relation]:,} requirements{by}"
        if inherited:
            what = counted(len(several), "inherited requirement") + by
        yield IMPOSSIBLE.found(
            tuple(dict.fromkeys(unmet.bearer for unmet in several)),
            len(several),
            total=None if inherited else stated[relation],
            explanation=f"{what} cannot be met by labels: {some}; but {why}.",
            fix="Read as rules for labels they contradict the ontology. Audit labels without requirements "
            "(--axioms exclusions), or correct the ontology. Do not delete labels.",
            key=(IMPOSSIBLE.name, *key),
            cases=tuple(map(str, several)),
        )


_REASONS = {
    "exclusions of a class by itself": "declared disjoint with itself",
    "owl:Nothing above a class, which then has no instances": "declared below owl:Nothing",
    "unions of nothing above a class": "declared below a union of no classes",
}
"""Why a class is empty, by what readers count such axioms as."""


def _none_of(material: Material, names: Sequence[str]) -> str:
    """Say that concepts have no instances."""
    shown = listed(map(material.called, names))
    return f"None of {shown} can have instances" if names[1:] else f"{shown} can have no instances"


class _Unmet(NamedTuple):
    """A requirement that no label meets beside a concept that states it or inherits it, and why."""

    rule: Requirement
    bearer: str
    why: str

    def __str__(self) -> str:
        """Say it in words."""
        return f"{self.rule}{f', inherited by {self.bearer}' * (self.bearer != self.rule.concept)}"


def _unmet(material: Material, sides: Sides, rules: list[Requirement]) -> Iterator[_Unmet]:
    """List the requirements that cannot be met, each with the highest concepts of which this holds."""
    names, hierarchy = material.vocabulary, material.hierarchy
    unmet, needs, sizes = unmeetable(hierarchy, rules, material.abstract, sides)
    highest = without(unmet, pattern(hierarchy.parents @ unmet)).tocsc()
    for place, rule in enumerate(rules):
        for bearer in line(highest, place).tolist():
            yield _Unmet(rule, names[bearer], _reason(material, sides, needs, rule, bearer, sizes))


def _reason(
    material: Material,
    sides: Sides,
    needs: sparse.csr_array,
    rule: Requirement,
    bearer: int,
    sizes: NDArray[np.intp],
) -> str:
    """Say why none of some alternatives can be there."""
    index = material.vocabulary.index
    reasons: dict[str, None] = {}
    for name in rule.any_of:
        at = [bearer, index[name]]
        direct, indirect = (_clash(sides, *some[at].toarray()) for some in (sides.below, needs))
        if direct is not None:
            reasons[_said(material, material.exclusions[direct])] = None
        elif indirect is not None:
            reasons[f"{_said(material, material.exclusions[indirect])}, and both follow from it"] = None
        elif sizes[index[name]]:
            reasons[f"each label at or below {name} is excluded"] = None
        else:
            reasons[f"nothing at or below {name} can be a label"] = None
    return _joined(list(reasons))


def _clash(sides: Sides, own: NDArray[np.bool_], other: NDArray[np.bool_]) -> int | None:
    """Find the first exclusion with one side among some, and the other among others."""
    clash = (own[sides.left] & other[sides.right]) | (own[sides.right] & other[sides.left])
    return int(np.flatnonzero(clash)[0]) if clash.any() else None


def _joined(texts: list[str]) -> str:
    """Join a few texts, and count the others."""
    more = [f"{len(texts) - 3:,} more"] if len(texts) > 3 else []  # noqa: PLR2004 - as many as are shown
    return ", and ".join([*texts[:3], *more])
