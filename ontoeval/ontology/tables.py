"""Hierarchies in tables, read by the roles of their columns: parent, child, label, or a level each."""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import chain, filterfalse, islice, permutations
from typing import NamedTuple
from xml.parsers import expat

from ontoeval.core.dag import refuse_upward
from ontoeval.errors import InputError, ParameterError, enumerate_some
from ontoeval.ontology.file_formats import Direction
from ontoeval.ontology.raw_ontology import RawOntology
from ontoeval.ontology.safety import plain_xml
from ontoeval.ontology.triples import OWL
from ontoeval.plumbing.table_rows import parsed_rows
from ontoeval.plumbing.text_checks import LONGEST_FIELD, lines_of, ragged, refuse_long_row, repeated_header

# Titles by role, in lower case with underscores; the first of these wins.
PARENTS = (
    *("parent_id", "parentid", "parent_ids", "parent", "parents", "parent_name"),
    *("broader", "superclass", "superclasses", "super_class", "hypernym"),
    *("is_a", "subclass_of", "sub_class_of", "part_of", "belongs_to"),
)
CHILDREN = ("child_id", "childid", "child", "child_name", "narrower", "subclass", "hyponym")
_CONCEPTS = (  # children, where there is a column of parents
    *("id", "concept_id", "class_id", "node_id", "term_id", "taxon_id", "unique_id"),
    *("concept_uri", "class_uri", "uri", "iri", "item"),
    *("concept", "node", "term", "class", "category", "taxon", "code", "name", "label"),
)
_LABELS = ("child_name", "name", "preferred_label", "pref_label", "label", "title", "scientific_name")
_ACCEPTED, _STATUS = ("accepted_name_usage_id",), ("taxonomic_status",)  # of Darwin Core
_NOT_ACCEPTED = re.compile(r".*synonym.*|misapplied|invalid|unaccepted|not accepted")
_OBSOLETE = ("obsolete", "is_obsolete", "deprecated", "is_deprecated")
_SEVERAL = frozenset({"parents", "parent_ids", "superclasses"})
_ENDS = frozenset({"source", "target", "from", "to"})  # which name no parent
_OTHERS = ("labels", "concepts", "sample", "image", "file", "document", "score", "agreement", "threshold")
_TITLES = frozenset({*PARENTS, *CHILDREN, *_CONCEPTS, *_LABELS, *_ENDS, *_OTHERS})
_ABOVE = re.compile(r"(?:^|_)(?:parents?|broader|super_?class|hypernym)(?:_name_usage)?(?=_|$)")
_IDENTIFIER = re.compile(r"(?:.*_)?(?:ids?|uri|iri|code)")
_LONGEST_TITLE = 200
_APART = re.compile(  # titles of what is no concept, or no parent of the concept beside it
    rf"|{'|'.join((*_ENDS, *_OTHERS))}|.*(?:replac|accept|synonym|merge|redirect|alias|same|next|prev|see_"
    r"|supersed|success|equiv|opposite|nearest|similar|relat|new_|old_|current|cit(?:ed|ing)).*|en|de|fr|es|it"
)
_END = re.compile(r"(?:source|target|from|to|subject|object)(?:_.*)?")  # of any link, beside no usual parent
FOUND = "columns found by what they hold"

RANKS = ("domain", "kingdom", "phylum", "class", "order", "family", "genus", "species")
"""Taxonomic ranks, from the top."""

FEWEST_RANKS = 3
"""Ranks that identify a taxonomy: "class" does not, as many tables have such a column."""

_NUMBERED_LEVEL = re.compile(r"(level|tier|lvl|l|cat|category|layer)[ _-]?(\d)")

_NO_PARENT = frozenset(  # in lower case, where it is no concept of the table
    {"null", "nan", "none", "nil", "na", "n/a", "#n/a", "-", "-1", "\\n"}
    | {f"{OWL}thing", f"{OWL}deprecatedclass"}
)
_NO_ROW = _NO_PARENT | {"", "0", "0.0", "-1.0"}  # where other concepts have a row
_YES = frozenset({"true", "yes", "1", "t", "y"})
_SEPARATORS = ("|", ";", ",")
_INSTRUCTIONS = ("SC ", "A ", "AL ", "AT ", "EC ")  # of a template of ROBOT
_BULLETS = (["-"], ["*"], ["+"])
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d++)?|\.\d++)(?:[eE][+-]?\d++)?")
_LINK = re.compile(  # a row of the topics of RCV1, or of nodes.dmp of NCBI, whose root is its own parent
    r"^(?:parent:[ \t]*+(\S++)[ \t]++child:[ \t]*+(\S++)(?:[ \t]++child-description:[ \t]*+([^\n]*+))?"
    r"|(\d++)\t\|\t(?:\4|(\d++))\t\|\t[^\n]*+)$",
    re.MULTILINE,
)
_DELIMITERS = ("\t", ",", ";")  # else blanks
_LOOKED_AT = 50  # rows by which a table is recognised, and most columns
_PAIR = 2


# Rows -------------------------------------------------------------------------------------------------------


class TableRow(NamedTuple):
    """A row that is neither blank nor a comment."""

    number: int
    fields: Sequence[str]


TableRows = Sequence[TableRow]


def rows_of(content: str) -> Iterator[TableRow]:
    """Split a table into rows that are neither blank nor comments, within the bounds of all tables."""
    large = len(content) > LONGEST_FIELD
    for row in _split(content):
        if large:
            refuse_long_row(row.fields, row=row.number)
        yield row


def _refuse_inner_header(rows: Iterable[TableRow], header: Sequence[str]) -> Iterator[TableRow]:
    """Refuse a header among the rows of a table, which may have none of its own: files were joined."""
    wanted = sorted(map(str.casefold, header))
    for row in rows:
        first = row.fields[0].casefold()
        again = first in wanted and sorted(map(str.casefold, row.fields)) == wanted
        if again or (not wanted and first in _TITLES and has_titles(row.fields)):
            raise InputError(*repeated_header(row.fields, begins=bool(wanted)), row=row.number)
        yield row


def _split(content: str) -> Iterator[TableRow]:
    """Cut a table into rows; comments and rows without content are skipped."""
    delimiter = _delimiter_of(_lines(content, most=_LOOKED_AT))
    if delimiter is not None and '"' in content:
        for numbers, rows in parsed_rows(_without_comments(content), 1, delimiter):
            stripped = zip(numbers, ([*map(str.strip, fields)] for fields in rows), strict=True)
            yield from (TableRow(number, fields) for number, fields in stripped if any(fields))
    else:
        for number, line in enumerate(lines_of(content), 1):
            fields = _fields_in(line, delimiter)
            if any(fields) and not line.startswith("#"):
                yield TableRow(number, fields)


def _without_comments(content: str) -> Iterator[str]:
    """Lines of a table, empty where a comment is, whose quotes mean nothing."""
    quotes = 0
    for line in StringIO(content):
        quotes += line.count('"') * (is_row := quotes % 2 or not line.startswith("#"))
        yield line if is_row else "\n"


def _fields_in(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return line.split()
    fields = next(csv.reader([line], delimiter=delimiter)) if '"' in line else line.split(delimiter)
    return [*map(str.strip, fields)]


def _delimiter_of(lines: Sequence[str]) -> str | None:
    """Find the delimiter: in every row, or between titles."""
    for delimiter in _DELIMITERS:
        if lines and (all(delimiter in line for line in lines) or has_titles(lines[0].split(delimiter))):
            return delimiter
    return None


def _whole_lines(head: str) -> list[str]:
    """List the rows of a beginning, whose last may be cut off."""
    lines = _lines(head)
    return lines if len(lines) == 1 or head.endswith("\n") else lines[:-1]


def _lines(content: str, *, most: int | None = None) -> list[str]:
    lines = (line for line in StringIO(content) if line.strip() and not line.startswith("#"))
    return list(islice(lines, most))


# Roles of columns -------------------------------------------------------------------------------------------


class EdgeListColumns(NamedTuple):
    """Positions of the columns of an edge list, -1 for none."""

    parent: int
    child: int
    width: int
    titled: bool
    description: str
    label: int = -1
    parent_label: int = -1
    obsolete: int = -1
    accepted: int = -1
    status: int = -1
    several: bool = False
    by_label: bool = False
    unused: tuple[str, ...] = ()


def columns_of(
    first: Sequence[str], rows: TableRows, direction: Direction | None, *, row: int
) -> EdgeListColumns:
    """Find the roles of the columns by the first row, else by the others."""
    titles = [_title(field) for field in first]
    asked = direction is not None and len(first) == _PAIR
    parent, child = _parent_and_child(titles)
    source = f"the columns are called {enumerate_some(first)}"
    if not asked and min(parent, child) < 0 and (held := columns_by_content(first, rows)) is not None:
        parent, child = held
        source = f"{FOUND}: child {first[child]!r}, parent {first[parent]!r}"
    if parent >= 0 and child >= 0:
        _refuse_another(first, titles, (parent, child), row=row)
        if direction not in {None, "parent-child" if parent < child else "child-parent"}:
            raise ParameterError("direction", direction, f"no value, as {source}")
        own, above = (f"{titles[child]}_label", *_LABELS, "description"), (f"{titles[parent]}_label",)
        label = _find_title(own, [*titles[:child], "", *titles[child + 1 :]])
        roles = (above, _OBSOLETE, _ACCEPTED, _STATUS)
        upper, obsolete, accepted, status = (_find_title(names, titles) for names in roles)
        found = label, upper, obsolete, accepted, status
        unused = tuple(field for at, field in enumerate(first) if at not in {parent, child, *found})
        kinds = titles[parent] in _SEVERAL, titles[child] in _LABELS
        return EdgeListColumns(parent, child, len(first), True, source, *found, *kinds, unused)  # noqa: FBT003
    if not asked and (_TITLES.issuperset(titles) or parent >= 0 or _find_title(CHILDREN, titles) >= 0):
        raise InputError(
            f"the first row, {enumerate_some(first)}, does not say which column holds the parents",
            'Call the columns "parent" and "child". If the row is a link like the others, name the direction '
            "of the links: parent-child or child-parent.",
            row=row,
        )
    child = int(direction != "child-parent")
    order = "parents first" if child else "children first"
    source = f"{order}, {'as asked' if direction else 'as always without titles'}"
    return EdgeListColumns(1 - child, child, _PAIR, asked and _ENDS.issuperset(titles), source)


def columns_by_content(first: Sequence[str], rows: TableRows) -> tuple[int, int] | None:
    """Find the column of parents, and that of the concepts among which they are; refuses several."""
    columns = [[row.fields[at] if at < len(row.fields) else "" for row in rows] for at in range(len(first))]
    held, titles = {*chain(*columns)}, [*map(_title, first)]
    if len(first) > _LOOKED_AT or any(one in held or _NUMBER.fullmatch(one) for one in filter(None, first)):
        return None
    named, known = [one for one in titles if not _APART.fullmatch(one)], _find_title(PARENTS, titles)
    named = [one for one in named if known >= 0 or not _END.fullmatch(one)]
    if known >= 0 and len(named) == len(first) == _PAIR:
        return known, 1 - known
    found = dict[tuple[int, int], str]()
    for parent, child in permutations(map(titles.index, named), 2):
        # Depths and counts may be the numbers of concepts, too.
        sure = known == parent or titles[parent][-2:] == titles[child][-2:]
        if known in {-1, parent} and _may_link(columns[child], columns[parent], numbers=sure):
            found[parent, child] = f"{first[child]!r} → 'child', {first[parent]!r} → 'parent'"
    if len(found) > 1:
        remedy = f"Call two of them so: {' or '.join(islice(found.values(), 3))}."
        raise InputError("the columns may be a hierarchy in several ways", remedy)
    return next(iter(found), None)


def _may_link(children: Sequence[str], cells: Sequence[str], *, numbers: bool) -> bool:
    """Whether cells of a column may be parents of those of another: most are among these, and one recurs."""
    known = {*children}
    cells = [whole if (whole := cell.removesuffix(".0")) in known else cell for cell in cells]
    rows = {*zip(children, cells, strict=True)}
    unfit = "" in known or known.isdisjoint(cells) or len(rows) < len(cells)
    if unfit or not (numbers or any(_NUMBER.fullmatch(child) is None for child in known)):
        return False
    stated = {cell for cell in {*cells} if cell in known or cell.casefold() not in _NO_ROW}
    parts = {cell: [cell] if cell in known else re.split(r"\s*[|;,]\s*", cell) for cell in stated}
    links = [(child, parent) for child, cell in rows for parent in parts.get(cell, ())]
    others = [(child, parent) for child, parent in links if child != parent]
    lower, upper = {child for child, _ in others}, {parent for _, parent in others}
    # Other names of a concept stand beside it; a link from parent to child has more roots than leaves.
    wrong = len(others) < len(links) and upper.isdisjoint(lower)
    wrong = wrong or 0 < len(lower - upper) < len(upper - lower)
    return 2 * len(upper & known) >= len(upper) < len(others) and not wrong


def holds_links(content: str) -> bool:
    """Whether the columns of a table show by what they hold which of them are parents."""
    if len(content) > 2**26 or _delimiter_of(_lines(content, most=_LOOKED_AT)) is None:
        return False
    rows = [*rows_of(content)]
    return bool(rows) and columns_by_content(rows[0].fields, rows[1:]) is not None


def has_titles(first: Sequence[str]) -> bool:
    """Whether titles say which column holds the parents and which the children."""
    return min(_parent_and_child([_title(field) for field in first])) >= 0


def _refuse_another(first: Sequence[str], titles: Sequence[str], found: tuple[int, int], *, row: int) -> None:
    """Refuse a second column of parents or children: its entries would be lost."""
    for number in found:
        same = re.compile(re.escape(titles[number]) + r"(?:_?\d+)?")
        others = [field for field, title in zip(first, titles, strict=True) if same.fullmatch(title)]
        if len(others) > 1:
            raise InputError(
                f"the columns {enumerate_some(others)} hold the same, and one would be lost",
                "Write several parents into one cell, separated by |, or a row for each.",
                row=row,
            )


def _parent_and_child(titles: Sequence[str]) -> tuple[int, int]:
    """Find the columns of parent and child, also such as parent_taxon_id or broader_uri."""
    parent, child = _find_title(PARENTS, titles), _find_title(CHILDREN, titles)
    if parent >= 0 or child >= 0:
        return parent, child if child >= 0 else _find_title(_CONCEPTS, titles)
    above = [title for title in titles if _ABOVE.search(title)]
    above = [title for title in above if _IDENTIFIER.fullmatch(title)] or above
    if len(above) != 1:
        return -1, -1
    alike = _ABOVE.sub("", above[0]).strip("_")
    return titles.index(above[0]), _find_title(filter(None, (alike, *_CONCEPTS)), titles)


def _find_title(wanted: Iterable[str], titles: Sequence[str]) -> int:
    return next((titles.index(title) for title in wanted if title in titles), -1)


def _title(field: str) -> str:
    if len(field) > _LONGEST_TITLE:
        return ""
    name = re.sub(r"^(?:skos|rdfs|owl):", "", field.strip().strip('"').strip())
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return re.sub(r"[ _-]+", "_", apart).casefold()


# Edge lists: a parent and a child in each row ---------------------------------------------------------------


def is_edge_list(head: str) -> bool:
    """Whether a file begins like an edge list; an outline with bullets is none."""
    rows = _first_rows(head)
    if not rows or any(row[:1] in _BULLETS for row in rows):
        return False
    return names_parents(head) or all(len(_drop_trailing(row)) == _PAIR for row in rows)


def names_parents(head: str) -> bool:
    """Whether a table shows which of its names are parents, by titles or words."""
    rows = _first_rows(head)
    return bool(rows) and (has_titles(rows[0]) or _LINK.match(_whole_lines(head)[0]) is not None)


def _first_rows(head: str) -> list[list[str]]:
    lines = _whole_lines(head)[:_LOOKED_AT]
    delimiter = _delimiter_of(lines)
    return [_fields_in(line, delimiter) for line in lines]


def read_edges(content: str, *, direction: Direction | None = None) -> RawOntology:
    """Read rows of a parent and a child, as titles say, or the parent first; a parent may be missing."""
    named = _LINK.match(content) is not None
    rows = rows_of(_LINK.sub(r"\1\5\t\2\4\t\3", content) if named else content)
    first = next(rows, None)
    if first is None:
        return RawOntology("edge list")
    if named:
        rows, first = chain([first], rows), TableRow(0, ("parent", "child", "name"))
    others = [*rows]
    columns = columns_of(_drop_trailing(first.fields), others, direction, row=first.number)
    others = [*_refuse_inner_header(others, first.fields if columns.titled else ())]
    titles = direction is not None and not columns.titled and _stands_alone([first, *others])
    raw = RawOntology(f"edge list: {columns.description}{', below a row of titles' * titles}")
    if columns.titled:
        link_titled(raw, [_complete(row, columns) for row in others], columns)
        return raw
    for row in others if titles else [first, *others]:
        fields = _complete(row, columns).fields
        parent, child = fields[columns.parent], fields[columns.child]
        if parent:
            raw.add(parent, child, "edge list")
        else:
            raw.concepts.setdefault(child)
    if direction is None:
        _refuse_unclear(raw, content)
    return raw


_DIRECTION = (
    "If it is a hierarchy, say which end comes first, parent-child or child-parent: --direction, in Python "
    "read_ontology(path, direction=...)."
)


def refuse_turned(raw: RawOntology) -> None:
    """Refuse links that seem to run from child to parent."""
    parents, children = (dict.fromkeys(link[end] for link in raw.links) for end in (0, 1))
    roots, leaves = [one for one in parents if one not in children], children.keys() - parents
    refuse_upward(roots, sorted(leaves), _DIRECTION)


def _refuse_unclear(raw: RawOntology, content: str) -> None:
    """Refuse links without titles that stand alone, run upwards, or have several parents in one cell."""
    if _may_be_a_table_of_names(raw):
        problem = (
            f"in its {len(raw.links):,} rows no parent has a second child, or a parent itself: this may be a "
            "table of names, or of children before their parents"
        )
        raise InputError(problem, _DIRECTION)
    refuse_turned(raw)
    for cell in filter(_has_separator, raw.concepts):
        if "|" in cell or ";" in cell or raw.concepts.keys() >= set(map(str.strip, cell.split(","))):
            row = next(row.number for row in rows_of(content) if cell in row.fields)
            remedy = f"Write the titles child and parents above, or a row for each parent. {_DIRECTION}"
            raise InputError(f"{cell!r} may be one concept or several", remedy, row=row)
    if _stands_alone([*rows_of(content)]):
        named = enumerate_some(next(iter(raw.links)))
        problem = f"the first row, {named}, may be titles: no other row has these names"
        raise InputError(problem, f'If so, call the columns "parent" and "child". {_DIRECTION}')


def _stands_alone(rows: TableRows) -> bool:
    """Whether no other row has the names of the first one, but some those of the second."""
    times = Counter(chain.from_iterable(map(set, (row.fields for row in rows))))
    alone = [all(times[name] == 1 for name in row.fields) for row in rows[:2]]
    return alone == [True, False]


def _complete(row: TableRow, columns: EdgeListColumns) -> TableRow:
    """Complete a row that states a link, or names a root; an empty field stands at the end."""
    fields, width = row.fields, columns.width
    if len(fields) != width:
        fields = _drop_trailing(fields, width)
        if columns.titled:  # empty fields at the end are often omitted
            fields = [*fields, *[""] * (width - len(fields))]
    may_be_root = columns.titled or columns.child < columns.parent
    if len(fields) == width and fields[columns.child] and (fields[columns.parent] or may_be_root):
        return TableRow(row.number, [*fields, ""])  # for columns that are missing: -1
    due = f"{width} fields are due" if columns.titled else "a parent and a child are due"
    raise InputError(
        f"{len(list(filter(None, row.fields))):,} fields where {due}: {' '.join(row.fields[:9])[:40]!r}",
        "Correct the row.",
        row=row.number,
    )


def _may_be_a_table_of_names(raw: RawOntology) -> bool:
    """Whether no parent has two children and none is the child of another."""
    parents = [parent for parent, _ in raw.links]
    children = {child for parent, child in raw.links if child != parent}
    return len(parents) > 1 and len(set(parents)) == len(parents) and children.isdisjoint(parents)


def _drop_trailing(fields: Sequence[str], width: int = _PAIR) -> Sequence[str]:
    """Drop trailing fields: empty ones, and the attributes and weights of networkx."""
    rest = fields[width:]
    weighted = [_NUMBER.fullmatch(field) is not None for field in fields[:4]] == [False, False, True]
    if not any(rest) or (width == _PAIR and (rest[0].startswith("{") or weighted)):
        return fields[:width]
    return fields


# Tables with titles -----------------------------------------------------------------------------------------


def link_titled(raw: RawOntology, rows: TableRows, columns: EdgeListColumns) -> None:
    """Add the links of a table; a cell that is not a concept may hold several parents."""
    if rows and "ID" in rows[0].fields and any(field.startswith(_INSTRUCTIONS) for field in rows[0].fields):
        rows = rows[1:]
    if columns.unused:
        raw.unused["columns"] += columns.unused
    labels = dict[str, str]()
    rows, accepted = _without_synonyms(raw, rows, columns, labels)
    children = {row.fields[columns.child] for row in rows}
    known = children | {*filterfalse(_has_separator, {row.fields[columns.parent] for row in rows} - children)}
    none = _NO_PARENT if columns.label < 0 else _NO_ROW
    for row in rows:
        child, cell = row.fields[columns.child], row.fields[columns.parent]
        cell = whole if (whole := cell.removesuffix(".0")) in children else cell  # numbers with gaps
        raw.concepts.setdefault(child)
        parents = [cell]
        if cell not in children and cell not in accepted:
            parts = [] if cell.casefold() in none else _parents_in(cell, known, columns, row.number)
            parents = [part for part in parts if part in children or part.casefold() not in none]
            if len(parts) == 1 and _has_separator(cell):
                raw.unused[f"signs in {cell!r} that could separate parents"].append(child)
        if cell and not parents:
            raw.unused[f"{cell!r} as a parent, which stands for none"].append(child)
        raw.self_links |= {child}.intersection(parents)
        for parent in filter(child.__ne__, parents):
            raw.add(accepted.get(parent, parent), child, "edge list")
        _note_label(raw, labels, child, row.fields[columns.label])
        if len(parents) == 1:
            _note_label(raw, labels, parents[0], row.fields[columns.parent_label])
        if row.fields[columns.obsolete].casefold() in _YES:
            raw.deprecated.add(child)
    raw.labels = [(concept, label, "", 0) for concept, label in labels.items()]
    raw.undeclared |= raw.concepts.keys() - children if FOUND in raw.vocabulary else set()
    _refuse_other_names(raw, rows, columns)


def _note_label(raw: RawOntology, labels: dict[str, str], concept: str, label: str) -> None:
    if label and labels.setdefault(concept, label) != label:
        raw.unused["labels of a concept that has another"].append(concept)


def _without_synonyms(
    raw: RawOntology, rows: TableRows, columns: EdgeListColumns, labels: dict[str, str]
) -> tuple[TableRows, Mapping[str, str]]:
    """Note synonyms, as of Darwin Core; returns the other rows, and the accepted name for each."""
    if columns.accepted < 0 > columns.status:
        return rows, {}
    kept, instead = list[TableRow](), defaultdict[str, set[str]](set)
    for row in rows:
        wanted = columns.child, columns.accepted, columns.status
        own, accepted, status = (row.fields[column] for column in wanted)
        if accepted and accepted != own:
            instead[own].add(accepted)
            _note_label(raw, labels, own, row.fields[columns.label])
        elif not accepted and _NOT_ACCEPTED.fullmatch(status.casefold().replace("_", " ")):
            raw.unused[f"names without an accepted one: {status}"].append(own)
        else:
            kept.append(row)
    children = {row.fields[columns.child] for row in kept}
    for own in instead:
        names, met = instead[own], {own}
        while again := names & instead.keys() - met:  # synonyms of synonyms
            met |= again
            names = names.union(*map(instead.__getitem__, again))
        names = names - met
        called = [labels.pop(own)] if own in labels else []
        if not names or not names <= children:
            raw.unused["names whose accepted one is missing"].append(own)
        else:
            raw.note_replaced(own, names)
            for name in names:
                raw.synonyms.setdefault(name, []).extend(called)
    return kept, raw.replaced


def _has_separator(cell: str) -> bool:
    return "|" in cell or ";" in cell or "," in cell


def _parents_in(cell: str, known: Collection[str], columns: EdgeListColumns, row: int) -> list[str]:
    """Split a cell that is no concept of the table into parents."""
    for sign in _SEPARATORS:
        parts = [part for part in map(str.strip, cell.split(sign)) if part]
        if sign not in cell or not parts:
            continue
        met = [part for part in parts if part in known]
        alike = len({"://" in part for part in parts}) == 1  # an address may have a comma
        if sign == "|" or len(met) == len(parts) or (columns.several and alike):
            return parts
        if met:
            new = next(part for part in parts if part not in known)
            raise InputError(
                f"{cell!r} may be one parent or several: {met[0]!r} is in the table, {new!r} is not",
                "Separate several parents by |. If it is one, give it a row of its own, as a child without a "
                "parent.",
                row=row or None,
            )
    return [cell] if cell else []


def _refuse_other_names(raw: RawOntology, rows: TableRows, columns: EdgeListColumns) -> None:
    """Refuse parents that are named by labels, or by another column than the children."""
    concepts, texts = {label[0] for label in raw.labels}, {label[1] for label in raw.labels}
    named = [parent for parent, _ in raw.links if parent in texts and parent not in concepts]
    if named:
        raise InputError(
            f"the parents {enumerate_some(dict.fromkeys(named))} are labels, while the children have "
            "identifiers",
            "Give the parents by their identifiers, or remove one of the columns.",
            row=next((row.number for row in rows if row.fields[columns.parent] == named[0]), 0) or None,
        )
    parents = {parent for parent, _ in raw.links}
    if not parents or not columns.by_label or {row.fields[columns.child] for row in rows} & parents:
        return
    for number in set(range(columns.width)) - {columns.parent, columns.child}:
        if parents <= {row.fields[number] for row in rows}:
            raise InputError(
                f"the parents, such as {enumerate_some(sorted(parents)[:1])}, are named by column "
                f"{number + 1}, the children by column {columns.child + 1}",
                'Call the columns "parent" and "child" that name both in the same way.',
            )


# Levels: a column for each, such as kingdom, phylum, class and order ----------------------------------------


def is_level_table(head: str) -> bool:
    """Whether a file begins like a table of levels."""
    try:
        first = next(rows_of(head), None)
    except InputError:
        return False
    return first is not None and bool(_levels_in(first.fields)) and not has_titles(first.fields)


def read_levels(content: str) -> RawOntology:
    """Read a table of levels: each column is a level below the column before."""
    rows = rows_of(content)
    first = next(rows, None)
    titles = first.fields if first else []
    columns = _levels_in(titles) or list(range(len(titles)))
    raw = RawOntology(f"levels: the columns {enumerate_some(titles[column] for column in columns)}")
    missing = [""] * len(titles)  # empty fields at the end are often omitted
    levels = []
    for row in _refuse_inner_header(rows, titles):
        fields = _drop_trailing(row.fields, len(titles))
        if len(fields) > len(titles):
            delimiter = _delimiter_of(_lines(content, most=_LOOKED_AT))
            raise InputError(*ragged(len(fields), len(titles), delimiter), row=row.number)
        fields = [*fields, *missing]
        levels.append(row._replace(fields=[fields[column] for column in columns]))
    link_levels(raw, levels)
    return raw


def link_levels(raw: RawOntology, rows: Iterable[TableRow]) -> None:
    """Link the levels of each row, from top to bottom."""
    above: dict[str, str] = {}
    for row in rows:
        parent = ""
        for name in row.fields:
            if not name or name == parent:
                continue
            if above.setdefault(name, parent) != parent:
                both = [known or "nothing" for known in (above[name], parent)]
                raise InputError(
                    f"{name!r} stands below {both[0]!r} in one row and below {both[1]!r} in another",
                    "Give it a name of its own in each place, or write a table with the columns parent and "
                    "child if it has several parents.",
                    row=row.number or None,
                )
            raw.concepts.setdefault(name)
            if parent:
                raw.link(parent, name, "levels")
            parent = name


def _levels_in(titles: Sequence[str]) -> list[int]:
    """Find the columns that hold the levels of a hierarchy."""
    names = [title.strip().casefold() for title in titles]
    ranks = [names.index(rank) for rank in RANKS if rank in names]
    if len(ranks) >= FEWEST_RANKS:
        return ranks
    found = {column: match for column, name in enumerate(names) if (match := _NUMBERED_LEVEL.fullmatch(name))}
    kinds, digits = {match[1] for match in found.values()}, [int(match[2]) for match in found.values()]
    in_turn = any(digits == [*range(first, first + len(digits))] for first in (0, 1))
    return list(found) if len(found) > 1 and len(kinds) == 1 and in_turn else []


# Paths and tree numbers ------------------------------------------------------------------------------------

_BETWEEN = " > "  # of product taxonomies
_NUMBERED = re.compile(r"(\d+) - (.+)")
_HEADING = re.compile(r"\s*+(.+);[ \t]*+([A-Z]\d\d(?:\.\d+)*+)[ \t]*+")
_LONGEST = 2**28  # characters of all names together: a file of some megabytes could fill the memory


def are_paths(head: str) -> bool:
    """Whether a file begins like a list of paths whose parts are separated by ``>``."""
    lines = [path for line in head.split("\n") if (path := line.strip()) and not line.startswith("#")]
    numbered = [_NUMBERED.fullmatch(line) for line in lines[:_LOOKED_AT]]
    paths = [match[2] if match else line for line, match in zip(lines, numbered, strict=False)]
    first = [path.split(_BETWEEN)[0] for path in paths if _BETWEEN in path]
    if len(set(first)) == len(first):  # every row begins with something else, as rows of tables do
        return False
    *looked_at, last = paths
    return all(_BETWEEN in path or path in first for path in (looked_at or [last]))


def read_paths(content: str) -> RawOntology:
    """Read a path in each row, from the root down, its parts separated by ``/`` or by ``>`` with blanks."""
    rows = enumerate(content.split("\n"), 1)
    paths = {line.strip(): row for row, line in rows if line.strip() and not line.startswith("#")}
    separator = _BETWEEN if any(_BETWEEN in path for path in paths) else "/"
    found = {match[2]: match for path in paths if (match := _NUMBERED.fullmatch(path))}
    if separator == "/" or len(found) < len(paths):
        return from_paths(paths, separator=separator, rows=paths)
    numbered = {path: paths[match[0]] for path, match in found.items()}
    raw = from_paths(numbered, separator=separator, rows=numbered)
    names = {path: found[path][1] if path in found else path for path in raw.concepts}
    return RawOntology(
        f"{raw.vocabulary}, by number",
        plain=True,
        concepts=dict.fromkeys(names.values()),
        links={(names[parent], names[child]): kind for (parent, child), kind in raw.links.items()},
        labels=[(name, path, "", 0) for path, name in names.items() if name != path],
    )


def from_paths(paths: Iterable[str], *, separator: str, rows: Mapping[str, int] | None = None) -> RawOntology:
    """Make every prefix of a path a concept, below the prefix that is one part shorter."""
    if not isinstance(separator, str) or not separator:
        raise ParameterError("separator", separator, "the sign between the parts of a path, such as '/'")
    if isinstance(paths, str):
        raise ParameterError("paths", paths, "several paths, such as a list of them")
    raw = RawOntology(f"paths, separated by {separator!r}", plain=True)
    length = 0
    for path in paths:
        row = (rows or {}).get(path)
        if not isinstance(path, str):
            raise ParameterError("paths", path, "texts")
        concept, found = path, separator
        while found and concept not in raw.concepts:  # upwards, to the first known concept
            raw.concepts[concept] = None
            length += len(concept)
            above, found, part = concept.rpartition(separator)
            if not part.strip() or (found and not above.strip()):
                raise _refused(f"a part of the path {path[:80]!r} is empty", row)
            if length > _LONGEST:
                raise _refused(f"the path that begins with {path[:40]!r} is too deep to be followed", row)
            if found:
                raw.link(above, concept, "path")
            concept = above
    if not raw.concepts:
        raise _refused("there are no paths", None)
    return raw


def _refused(problem: str, row: int | None) -> InputError:
    return InputError(problem, "Write paths such as plants/trees, from the root down.", row=row)


# Tree numbers of MeSH ---------------------------------------------------------------------------------------


def read_nested_labels(content: str) -> RawOntology:
    """Read the elements of MULAN, each a label that holds those below it."""
    raw, within = RawOntology("nested labels of MULAN", plain=True), list[str]()

    def start(element: str, attributes: Mapping[str, str]) -> None:
        name = attributes.get("name", "").strip()
        if bool(within) != (element == "label") or bool(within) != bool(name):
            problem = f"the element {element!r} is no label with a name"
            raise InputError(problem, "Write <label name='a'>.", row=parser.CurrentLineNumber)
        if within:
            raw.concepts.setdefault(name)
        if within[1:]:
            raw.add(within[-1], name, "nested labels")
        within.append(name)

    data, parser = plain_xml(content.encode(), {}), expat.ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: within.pop()
    parser.Parse(data, True)  # noqa: FBT003 - the last piece
    return raw


def is_tree_numbers(head: str) -> bool:
    """Whether a file begins like the trees of MeSH."""
    lines = [line for line in head.split("\n")[:20] if line.strip()]
    return all(_HEADING.fullmatch(line) for line in (lines[:-1] or lines))  # the last may be cut off


def read_tree_numbers(content: str) -> RawOntology:
    """Read rows of a heading and one of its tree numbers, as ``mtrees2026.bin`` has them."""
    raw = RawOntology("tree numbers of MeSH", plain=True)
    headings: dict[str, str] = {}
    for row, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        match = _HEADING.fullmatch(line)
        if match is None:
            raise InputError(
                f"this row holds {line.strip()[:40]!r}, no heading and tree number",
                "Write a row such as: Breast;A01.236",
                row=row,
            )
        heading, number = match[1].strip(), match[2]
        if headings.setdefault(number, heading) != heading:
            raise InputError(
                f"the number {number} stands for {enumerate_some([headings[number], heading])}",
                "Keep one of the rows.",
                row=row,
            )
        raw.concepts.setdefault(heading)
    for number, heading in headings.items():
        above, _, _ = number.rpartition(".")
        if above in headings:
            raw.add(headings[above], heading, "tree numbers")
        elif above:
            raw.unused["tree numbers below one that is missing"].append(heading)
    return raw
