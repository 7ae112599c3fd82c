"""The transport confusion matrix of one sample, label by label in plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

UNMATCHED = "unmatched"


def transport_matrix(
    truth: AbstractSet[str],
    prediction: AbstractSet[str],
    above: Mapping[str, AbstractSet[str]],
    size: Mapping[str, float],
    *,
    unrelated: str = "all",
    given: bool = False,
) -> dict[tuple[str, str], float]:
    """Pair what is left at the concepts of the largest size first; `size` has those that bear bits."""
    if not given:
        truth, prediction = _most_specific(truth, above), _most_specific(prediction, above)
    if not truth and not prediction:
        return {(UNMATCHED, UNMATCHED): 1.0}
    found: dict[tuple[str, str], float] = defaultdict(float)
    found.update(((one, one), 1.0) for one in truth & prediction)
    left = [dict.fromkeys(sorted(truth - prediction), 1.0), dict.fromkeys(sorted(prediction - truth), 1.0)]
    for level in sorted(set(size.values()), reverse=True):
        groups = [
            {label for label in above if concept in above[label]}
            for concept in size
            if size[concept] == level
        ]
        _pair(left, [group for group in groups if all(_mass(side, group) > 1e-12 for side in left)], found)
    groups = [
        {
            one
            for one in side
            if unrelated == "all"
            or (unrelated == "facets" and not any(above[one] & above[its] & set(size) for its in other))
        }
        for side, other in ((left[0], prediction), (left[1], truth))
    ]
    if all(_mass(side, group) > 1e-12 for side, group in zip(left, groups, strict=True)):
        _pair(left, [groups[0] | groups[1]], found)
    for label, mass in left[0].items():
        found[label, UNMATCHED] += mass
    for label, mass in left[1].items():
        found[UNMATCHED, label] += mass
    return found


def _pair(left: list[dict[str, float]], groups: list[set[str]], found: dict[tuple[str, str], float]) -> None:
    shares = Counter(label for group in groups for label in group)
    sides = [{label: mass / max(shares[label], 1) for label, mass in side.items()} for side in left]
    for group in groups:
        most = max(_mass(side, group) for side in sides)
        for one, first in sides[0].items():
            for other, second in sides[1].items():
                if one in group and other in group:
                    paired = first * second / most
                    found[one, other] += paired
                    left[0][one] -= paired
                    left[1][other] -= paired
    for side in left:
        side.update({label: 0.0 for label, mass in side.items() if mass < 1e-12})


def _mass(side: Mapping[str, float], group: Iterable[str]) -> float:
    return sum(side.get(label, 0.0) for label in group)


def _most_specific(labels: AbstractSet[str], above: Mapping[str, AbstractSet[str]]) -> AbstractSet[str]:
    return {one for one in labels if not any(one in above[other] - {other} for other in labels)}
