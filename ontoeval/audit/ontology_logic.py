"""What is wrong with the rules of an ontology: classes without instances, requirements nothing can meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.finding import Finding, Rule
from ontoeval.audit.ontology_material import Material
from ontoeval.constraints import Exclusion, Requirement
from ontoeval.csr import choose_entries, entries_at, line, pattern, row_of_entries, without
from ontoeval.errors import counted, listed

UNSATISFIABLE = Rule("unsatisfiable", "error", "A concept lies below two that exclude each other.")
IMPOSSIBLE = Rule("impossible-requirement", "warning", "No label set can meet a requirement.")

_BLOCK = 4_000_000
"""Most pairs of a requirement and a concept that are looked at at a time."""


def about_rules(material: Material) -> Iterator[Finding]:
    """Look at exclusions and requirements.

    Parameters
    ----------
    material
        The ontology.

    Yields
    ------
    Finding
        What is wrong.
    """
    for reason in dict.fromkeys(reason for _, reason in material.empty):
        names = tuple(name for name, why in material.empty if why == reason)
        yield UNSATISFIABLE.found(
            names,
            len(names),
            explanation=f"Nothing can be {listed(map(material.called, names))}: {reason}.",
            fix="Remove the axiom, or the concept.",
            key=(UNSATISFIABLE.name, reason),
            cases=names,
        )
    yield from _unsatisfiable(material, _Sides.of(material, material.kinship.ancestors))
    if any(rule.precondition for rule in material.requirements):
        yield from _impossible(material, _Sides.of(material, material.hierarchy.ancestors))


class _Sides(NamedTuple):
    """The concepts of exclusions, each once.

    Parameters
    ----------
    left
        For each exclusion the number of its first concept.
    right
        The same of its second one.
    below
        Boolean, concepts × these: which lies at or below which.
    """

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    below: sparse.csr_array

    @classmethod
    def of(cls, material: Material, ancestors: sparse.csr_array) -> _Sides:
        index = material.vocabulary.index
        ends = np.array(
            [(index[rule.first], index[rule.second]) for rule in material.exclusions], dtype=np.intp
        ).reshape(-1, 2)
        columns, numbers = np.unique(ends, return_inverse=True)
        left, right = numbers.reshape(-1, 2).T
        return cls(left, right, pattern(ancestors[:, columns]))

    def needs(self, material: Material, rules: list[Requirement]) -> sparse.csr_array:
        """Tell of which sides something must be there beside a concept, by what it requires in turn.

        Parameters
        ----------
        material
            The ontology.
        rules
            Requirements; of several alternatives, what all of those need that are not excluded is demanded.

        Returns
        -------
        csr_array of bool
            Concepts × sides.
        """
        index, ancestors = material.vocabulary.index, material.hierarchy.ancestors
        which, choice = _alternatives(material, rules)
        concept = np.array([index[rule.concept] for rule in rules], dtype=np.intp)
        shape, every = (len(index), len(rules)), np.arange(len(rules))
        bearer = sparse.csr_array((np.ones(every.size, dtype=bool), (concept, every)), shape=shape)
        several = np.flatnonzero(np.bincount(which, minlength=every.size)[which] > 1)
        left = np.ones(which.size, dtype=bool)
        found, size = self.below, -1
        while found.nnz > size:
            size = found.nnz
            barred = pattern(found[concept[which[several]]] @ self.foes)
            left[several] = np.asarray(barred.multiply(found[choice[several]]).sum(axis=1)).ravel() == 0
            some = np.bincount(which, left, minlength=every.size) > 0
            picked = np.flatnonzero(left | ~some[which])
            ones = np.ones(picked.size, dtype=np.intp)
            either = sparse.csr_array((ones, (which[picked], choice[picked])), shape=shape[::-1])
            # What every alternative needs, is needed.
            needed = sparse.csr_array(either @ found.astype(np.intp))
            needed = choose_entries(needed, needed.data == either.sum(axis=1)[row_of_entries(needed)])
            found = pattern(found + ancestors @ (bearer @ needed))
        return found

    @property
    def foes(self) -> sparse.csr_array:
        """Boolean, sides × sides: which exclude each other."""
        count = self.below.shape[1]
        ends = np.concatenate([self.left, self.right]), np.concatenate([self.right, self.left])
        return pattern(sparse.csr_array((np.ones(ends[0].size, dtype=bool), ends), shape=(count, count)))


def _unsatisfiable(material: Material, sides: _Sides) -> Iterator[Finding]:
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
        below = f" Nor can anything be one of the {rest:,} concepts below." if rest else ""
        ends = dict.fromkeys(end for rule in rules for end in (rule.first, rule.second))
        what = f"{listed(map(material.called, top))}, which {'lies' if len(top) == 1 else 'each lie'}"
        yield UNSATISFIABLE.found(
            (*top, *(end for end in ends if end not in top)),
            sizes[top],
            explanation=f"Nothing can be {what} below both sides of {'; '.join(reasons)}{more}.{below}",
            fix="Remove the exclusion, or a link to one of its sides.",
            key=(UNSATISFIABLE.name, *top),
            cases=tuple(map(str, rules)),
        )


def _said(material: Material, rule: Exclusion) -> str:
    by = f" ({rule.source})" if rule.source else ""
    return f"{material.called(rule.first)} excludes {material.called(rule.second)}{by}"


def _impossible(material: Material, sides: _Sides) -> Iterator[Finding]:
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
            fix="One of them is not meant of labels: score with other requirements or exclusions, or mend "
            "the ontology.",
            key=(IMPOSSIBLE.name, *key),
            cases=tuple(map(str, several)),
        )


class _Unmet(NamedTuple):
    """A requirement that no label meets beside a concept that states it or inherits it, and why."""

    rule: Requirement
    bearer: str
    why: str

    def __str__(self) -> str:
        """Say it in words."""
        return f"{self.rule}{f', inherited by {self.bearer}' * (self.bearer != self.rule.concept)}"


def _unmet(material: Material, sides: _Sides, rules: list[Requirement]) -> Iterator[_Unmet]:
    """List the requirements that cannot be met, each with the highest concepts of which this holds."""
    names, index = material.vocabulary, material.vocabulary.index
    ancestors, below, needs = material.hierarchy.ancestors, sides.below, sides.needs(material, rules)
    clashes = np.asarray((below @ sides.foes).multiply(below).sum(axis=1)).ravel() > 0
    possible = sparse.csr_array(sparse.diags_array(~material.abstract & ~clashes, dtype=np.intp))
    labels = sparse.csr_array(possible @ ancestors.astype(np.intp))
    sizes = np.asarray(labels.sum(axis=0)).ravel()
    inherits = sparse.csr_array(ancestors[:, [index[rule.concept] for rule in rules]])
    inherits = choose_entries(inherits, sizes[row_of_entries(inherits)] > 0)
    row = row_of_entries(inherits)
    # Concepts that exclude the same are judged together.
    barred = pattern(needs @ sides.foes)
    bearers = np.unique(row)
    groups: dict[bytes, int] = {}
    group = np.zeros(len(names), dtype=np.intp)
    for bearer in bearers.tolist():
        group[bearer] = groups.setdefault(line(barred, bearer).tobytes(), len(groups))
    firsts = bearers[np.unique(group[bearers], return_index=True)[1]]
    closed = _closed(barred[firsts], needs, labels, _alternatives(material, rules))
    unmet = choose_entries(inherits, entries_at(closed, group[row], inherits.indices))
    highest = without(unmet, pattern(material.hierarchy.parents @ unmet)).tocsc()
    for place, rule in enumerate(rules):
        for bearer in line(highest, place).tolist():
            yield _Unmet(rule, names[bearer], _reason(material, sides, needs, rule, bearer, sizes))


def _alternatives(material: Material, rules: list[Requirement]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List what requirements name: for each of it the position of the requirement, and its own."""
    index = material.vocabulary.index
    ends = [(rule, index[name]) for rule, one in enumerate(rules) for name in dict.fromkeys(one.any_of)]
    which, choice = np.array(ends, dtype=np.intp).reshape(-1, 2).T
    return which, choice


def _closed(
    barred: sparse.csr_array,
    needs: sparse.csr_array,
    labels: sparse.csr_array,
    alternatives: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> sparse.csr_array:
    """Tell for which requirements every label that would do needs one of some sides: groups × these."""
    which, choice = alternatives
    sizes = np.asarray(labels.sum(axis=0)).ravel()[choice]
    begins = np.flatnonzero(np.diff(which, prepend=-1))
    step = max(1, _BLOCK // max(labels.shape[0], choice.size))
    found = []
    for begin in range(0, max(1, barred.shape[0]), step):
        beside = pattern(barred[begin : begin + step] @ needs.T).astype(np.intp)
        every = sparse.csr_array(beside @ labels)[:, choice].toarray() == sizes
        found.append(sparse.csr_array(np.logical_and.reduceat(every, begins, axis=1)))
    return sparse.csr_array(sparse.vstack(found, format="csr"))


def _reason(
    material: Material,
    sides: _Sides,
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


def _clash(sides: _Sides, own: NDArray[np.bool_], other: NDArray[np.bool_]) -> int | None:
    """Find the first exclusion with one side among some, and the other among others."""
    clash = (own[sides.left] & other[sides.right]) | (own[sides.right] & other[sides.left])
    return int(np.flatnonzero(clash)[0]) if clash.any() else None


def _joined(texts: list[str]) -> str:
    """Join a few texts, and count the others."""
    more = [f"{len(texts) - 3:,} more"] if len(texts) > 3 else []  # noqa: PLR2004 - as many as are shown
    return ", and ".join([*texts[:3], *more])
