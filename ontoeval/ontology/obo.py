"""OBO: terms, links, exact synonyms, disjointness and relations; definitions and instances are ignored."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, filterfalse

from ontoeval.core.names import OBO, scoped_synonym
from ontoeval.errors import InputError
from ontoeval.ontology.raw_ontology import REPEATED, RawOntology
from ontoeval.ontology.triples import Term, Text, is_blank
from ontoeval.plumbing.text_checks import lines_of

# Released files break the rules of their format in many ways, so this reader checks only what it needs.

_STANZA = re.compile(r"\[(\w+)\]")
# What may follow a value: {qualifier="…"} and ! a comment. Both are looked for from the left, in one pass.
_QUALIFIERS = re.compile(r'(?<!\\)\{[^\s{}="]+\s*="')
_COMMENT = re.compile(r"\s!")
_END = re.compile(r"(?<!\\)[{!]")
_IS_A = "is_a"
_PLAIN = re.compile(r"[^\s{!\\,]+")
_PLACES = {"is_a", "union_of", "intersection_of", "relationship"}
_TAGS = re.compile(  # of all versions of OBO; the others are counted
    r"id|name|namespace|alt_id|def|comment|subset|((exact|narrow|broad|related)_)?synonym|xref(_\w+)?|builtin"
    r"|property_value|is_a|is_anonymous|is_root|(intersection|union)_of|equivalent_to|disjoint_from|use_term"
    r"|relationship|(created|modified)_by|(creation|modification)_date|is_obsolete|replaced_by|consider"
)
_known_tag = lru_cache(maxsize=1000)(_TAGS.fullmatch)
_NOTED = {
    "name": "label",
    "def": "definition",
    "alt_id": "alternative id",
    "replaced_by": "replaced by",
    "is_a": "parent",
    "intersection_of": "definition part",
    "is_obsolete": "obsolete",
    "synonym": "synonym",
    "id": "id",
}

_WITH_COMMENT = {"is_a", "relationship", "intersection_of", "disjoint_from"}
_NAMED = re.compile(r"\s!\s+([^!]*\S)\s*\Z")
_IDENTIFIERS = {"alternative id", "replaced by", "parent", "id"}
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "W": " "}


Clause = tuple[int, str, str]  # row, tag and value


def text_of(value: str) -> str:
    """Return a value without qualifiers and comment."""
    for sign, what_follows in (("{", _QUALIFIERS), ("!", _COMMENT)):
        found = what_follows.search(value) if sign in value else None
        value = value[: found.start()] if found else value
    return _unescape(value.rstrip())


def words_of(value: str) -> list[str]:
    """Split a value into identifiers."""
    end = _END.search(value) if "!" in value or "{" in value else None
    return [*map(_unescape, (value[: end.start()] if end else value).split())]


def read_obo(content: str, *, annotated: bool = False) -> RawOntology:
    """Read the terms of an OBO file; parents are `is_a` and genus, children are the members of `union_of`."""
    raw = RawOntology("OBO terms", plain=False)
    reader = OboReader(raw)
    for row, kind, clauses in stanzas(content, raw):
        if not kind:
            reader.read_head(clauses)
        elif kind == "Term":
            term = reader.read_term(clauses, row)
            if annotated:
                reader.note(term, clauses)
        elif kind == "Typedef":
            reader.read_relation(clauses)
    for old, terms in sorted(reader.instead.items()):
        raw.note_replaced(old, terms)
    for end in filterfalse(raw.concepts.__contains__, chain.from_iterable(raw.links)):
        raw.note_use(end)
    raw.equivalents = {pair for pair in raw.equivalents if raw.concepts.keys() >= set(pair)}
    return raw


def stanzas(content: str, raw: RawOntology) -> Iterator[tuple[int, str, list[Clause]]]:
    """Split a file into stanzas, each with row and kind, "" for the header; comments are dropped."""
    first, name, clauses = 1, "", list[Clause]()
    begun = ""
    for row, line in enumerate(lines_of(content), 1):
        if not line and not begun:
            continue
        tag, colon, value = line.partition(":")
        if colon and not begun and tag.isidentifier() and line[-1] != "\\":  # as nearly all do
            clauses.append((row, tag, value.strip()))
            continue
        if line.endswith("\\") and not line.endswith("\\\\"):  # goes on in the next row
            begun += line[:-1]
            continue
        tag, colon, value = (begun + line).strip().partition(":")
        begun = ""
        if tag.startswith("[") and (kind := _STANZA.match(tag)):
            yield first, name, clauses
            first, name, clauses = row, kind[1], []
        elif colon and not tag.startswith("!"):
            clauses.append((row, tag, value.strip()))
        elif tag and not tag.startswith("!"):
            raw.unused["lines without a tag"].append(tag[:40])
    yield first, name, clauses


@dataclass(frozen=True)
class OboReader:
    """Fills a raw ontology; maps identifiers to IRIs and replacements."""

    raw: RawOntology
    iris: dict[str, str] = field(default_factory=dict)
    instead: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def read_head(self, clauses: list[Clause]) -> None:
        """Read the header."""
        raw = self.raw
        for _, tag, value in clauses:
            match tag:
                case "ontology":
                    name = text_of(value)
                    raw.iri = name if "://" in name or not name else f"{OBO}{name}.owl"
                case "data-version":
                    raw.version = text_of(value)
                case "import":
                    raw.imports = (*raw.imports, text_of(value))
                case "idspace" if len(words := words_of(value)) > 1:
                    raw.prefixes[words[0]] = words[1]

    def read_term(self, clauses: list[Clause], row: int) -> str:
        """Read the description of a term, and return its IRI."""
        raw = self.raw
        identifiers = [clause for clause in clauses if clause[1] == "id"]
        if not identifiers:
            raise InputError("this term has no id", "Give it one, or remove it.", row=row)
        term = self._term_iri(identifiers[0])
        if is_blank(term):
            raw.unused["terms without a name"].append(term)
            return term
        if term in raw.concepts:
            raw.unused["descriptions of a term that is described before"].append(term)
        raw.concepts[term] = None
        for clause in clauses:
            (self._read_place if clause[1] in _PLACES else self._read_mark)(term, clause)
        return term

    def note(self, term: str, clauses: list[Clause]) -> None:
        """Note the annotations of a term."""
        for _, tag, value in clauses:
            name, noted = self._annotation(_NOTED.get(tag, ""), value)
            if noted:
                said: Term = noted if name in _IDENTIFIERS else Text(noted)
                self.raw.noted.setdefault(name, {}).setdefault(term, []).append(said)
            if tag in _WITH_COMMENT and (comment := _NAMED.search(value)):
                named = Text(comment[1], self.iri_of(words_of(value)[-1]))
                self.raw.noted.setdefault("comment", {}).setdefault(term, []).append(named)

    def _annotation(self, name: str, value: str) -> tuple[str, str]:
        """Name of the annotation that a clause makes, and its value; "" where it makes none."""
        if name in _IDENTIFIERS:
            return name, self.iri_of(next(iter(words_of(value)), ""))
        if name == "synonym":
            text, scope = scoped_synonym(value) or ("", "")
            return {"EXACT": (name, text), "NARROW": (f"narrow {name}", text)}.get(scope, (name, ""))
        if name == "definition":
            return name, value.removeprefix('"').rpartition('"')[0]
        return name, (value if name == "label" else text_of(value)) if name else ""

    def read_relation(self, clauses: list[Clause]) -> None:
        """Read the names of a relation."""
        words = next((words_of(value) for _, tag, value in clauses if tag == "id"), [])
        if words:
            names = self.raw.called[words[0]]
            names.update([text_of(value) for _, tag, value in clauses if tag == "name"][:1])
            names.update(*(words_of(value)[:1] for _, tag, value in clauses if tag == "xref"))

    def _read_place(self, term: str, clause: Clause) -> None:
        _, tag, value = clause
        match tag:
            case "is_a":
                self._link(self._term_iri(clause), term, _IS_A)
            case "union_of":
                self._link(term, self._term_iri(clause), tag)
            case "intersection_of" if len(words_of(value)) == 1:
                self._link(self._term_iri(clause), term, tag)
            case "relationship" | "intersection_of":
                self._relate(term, clause)

    def _read_mark(self, term: str, clause: Clause) -> None:
        _, tag, value = clause
        match tag:
            case "name":
                self.raw.labels.append((term, text_of(value), "", 0))
            case "synonym" | "exact_synonym" | "narrow_synonym":
                self._read_synonym(term, tag, value)
            case "disjoint_from":
                self.raw.exclude([term], [self._term_iri(clause)], tag)
            case "equivalent_to" if (other := self._term_iri(clause)) != term:
                self.raw.equivalents.add((min(term, other), max(term, other)))
            case "is_obsolete" if value.lower().startswith("true"):
                self.raw.deprecated.add(term)
            case "alt_id":
                self.instead[self._term_iri(clause)].add(term)
            case "replaced_by":
                self.instead[term].add(self._term_iri(clause))
            case "consider":
                self.raw.considered[term].add(self._term_iri(clause))
            case _ if not _known_tag(tag):
                self.raw.unused[f"tag {tag!r}"].append(term)

    def _read_synonym(self, term: str, tag: str, value: str) -> None:
        scope = tag.upper().rpartition("_")[0]  # OBO 1.0 has the scope in the tag
        text, scope = scoped_synonym(value, scope) or ("", "")
        if not text:
            self.raw.unused["synonyms that are not understood"].append(term)
        elif (kept := {"EXACT": self.raw.synonyms, "NARROW": self.raw.narrow}.get(scope)) is not None:
            kept.setdefault(term, []).append(text)

    def _relate(self, term: str, clause: Clause) -> None:
        words = words_of(clause[2])
        if len(words) < 2:  # noqa: PLR2004 - a relation and a term
            raise self._unclear(clause, "a relation and a term")
        relation, target = words[:2]
        if relation == _IS_A:
            self._link(self.iri_of(target), term, relation)
        else:
            # Relations of parts do not decide which labels occur together.
            self.raw.require(term, [self.iri_of(target)], relation, precondition=False)

    def _link(self, parent: str, child: str, kind: str) -> None:
        if is_blank(parent) or is_blank(child):
            self.raw.unused["links of terms without a name"].append(parent if is_blank(child) else child)
        elif parent == child:
            self.raw.self_links.add(child)
        elif kind == _IS_A:  # stated links take precedence over definitions
            if self.raw.links.get((parent, child)) == kind:
                self.raw.unused[REPEATED].append(child)
            self.raw.links[parent, child] = kind
        else:
            self.raw.link(parent, child, kind)

    def _term_iri(self, clause: Clause) -> str:
        """IRI of the term that a clause names."""
        head, _, more = clause[2].partition(" ")
        if (not more or more[0] == "!") and (head in self.iris or _PLAIN.fullmatch(head)):  # as in nearly all
            return self.iri_of(head)
        words = words_of(clause[2])
        if not words:
            raise self._unclear(clause, "a term")
        if len(words) > 1:
            self.raw.unused[f"{clause[1]} beyond the first term"] += words[1:]
        return self.iri_of(words[0].rstrip(","))

    def iri_of(self, identifier: str) -> str:
        """IRI of an identifier."""
        if identifier in self.iris:
            return self.iris[identifier]
        prefix, colon, local = identifier.partition(":")
        if "://" in identifier or is_blank(identifier):
            iri = identifier
        elif prefix and colon:
            iri = self.raw.prefixes.setdefault(prefix, f"{OBO}{prefix}_") + local
        else:
            iri = f"{self.raw.iri.removesuffix('.owl') or OBO}#{identifier}"
        return self.iris.setdefault(identifier, iri) if _PLAIN.fullmatch(identifier) else iri

    def _unclear(self, clause: Clause, due: str) -> InputError:
        row, tag, value = clause
        problem = f"'{tag}: {value[:40]}', where {due} should stand"
        return InputError(problem, "Correct the row.", row=row)


def _unescape(text: str) -> str:
    """Undo escapes."""
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text) if "\\" in text else text
