"""``--by``: what a leaderboard is cut by."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ontoeval.cli.public import withholding
from ontoeval.errors import InputError, ParameterError, listed

if TYPE_CHECKING:
    from ontoeval.cli.material import Material
    from ontoeval.evaluation.slices import Slice

BRANCH, LEVEL = "branch", "level"
"""What is no file."""

_GROUP = frozenset({"group", "split", "fold", "part", "subset", "set"})


def slices_of(by: Sequence[str], material: Material) -> dict[str, list[Slice]]:
    """Find what each leaderboard is of."""
    from ontoeval.evaluation.slices import branches, levels, pooled

    found: dict[str, list[Slice]] = {}
    for one in by:
        title = one if one in {BRANCH, LEVEL} else Path(one).stem
        if title in found:
            raise ParameterError("--by", one, f"something else: {title!r} is there already")
        if one not in {BRANCH, LEVEL}:
            groups = _groups(Path(one))
            with withholding(one, "these groups do not fit the samples of the truth", public=material.public):
                found[title] = _splits(Path(one), groups, material)
        else:
            assert material.hierarchy is not None  # noqa: S101 - an ontology was named, or this was refused
            cut = branches if one == BRANCH else levels
            found[title] = cut(material.hierarchy, material.truth.vocabulary)
        if material.public:
            found[title] = pooled(found[title])
    return found


def remarks_on(slices: dict[str, list[Slice]], material: Material) -> list[str]:
    """Say what is in no slice."""
    from ontoeval.evaluation.slices import LEAST

    remarks = []
    if slices and material.public:
        remarks.append(f"by {', '.join(slices)}: what has fewer than {LEAST} members is pooled (--public)")
    for title, parts in slices.items():
        members = {sample for part in parts for sample in part.samples or material.truth.samples}
        if lacking := len(material.truth) - len(members):
            remarks.append(f"by {title}: {lacking:,} of {len(material.truth):,} samples are in no group")
    return remarks


def _splits(path: Path, groups: dict[str, dict[str, int]], material: Material) -> list[Slice]:
    """Cut the samples; a remainder so small that it must not be told by subtraction is a slice as well."""
    from ontoeval.evaluation.slices import LEAST, Slice, splits

    line = {sample: row for members in groups.values() for sample, row in members.items()}
    unknown = [sample for sample in line if sample not in material.truth.row]
    if unknown:
        raise InputError(
            f"the truth does not have {listed(unknown)}",
            "Name samples of the truth.",
            where=path,
            row=line[unknown[0]],
        )
    rest = tuple(sample for sample in material.truth.samples if sample not in line)
    small = material.public and 0 < len(rest) < LEAST
    return splits(groups, material.truth.samples) + [Slice("no group", samples=rest)] * small


def _groups(path: Path) -> dict[str, dict[str, int]]:
    """Read which samples are in which group, and where that is said."""
    from ontoeval.core.roles import SAMPLE
    from ontoeval.labels.concept_lists import rows_by_role
    from ontoeval.labels.sources import read_source

    source = read_source(path)
    groups: dict[str, dict[str, int]] = {}
    for line, row in rows_by_role(source, {"sample": SAMPLE, "group": _GROUP}):
        members = groups.setdefault(row["group"], {})
        if row["sample"] in members:
            raise InputError(
                f"{row['sample']!r} is in {row['group']!r} already, by row {members[row['sample']]:,}",
                "Let each sample be in a group once.",
                where=path,
                row=line,
            )
        members[row["sample"]] = line
    if not groups:
        raise InputError("there are no groups", "Write a row sample,group for each sample.", where=path)
    return groups
