"""Numbers of the manual that may not rise, counted in what the build has written: see rules.toml."""

import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path

LIMITS = Path(__file__).with_name("rules.toml")
GENERATED = ("reference/",)
WIDEST = 84
"""Columns of code that a page of 1,400 pixels shows without scrolling."""
WORDS = 13
"""Words in a line of text of that page."""
LONG = 30
"""Words of the longest sentence that reads well."""


class Page(HTMLParser):
    """What the rules are about in a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.words, self.code, self.requests, self.unnamed, self.blocks = 0, [], [], [], 0
        self.open = {"article": 0, "pre": 0, "script": 0, "style": 0, "math": 0}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Note requests and pictures."""
        given = dict(attrs)
        if tag in self.open:
            self.open[tag] += 1
        if tag == "pre":
            self.code.append("")
        self.blocks += self.open["article"] and tag in {"tr", "li", "dt", "h2", "h3"}
        source = given.get("src") or (given.get("href") if tag == "link" else None) or ""
        rel = given.get("rel") or ""
        if re.match(r"(https?:)?//", source) and rel not in {"canonical", "license"}:
            self.requests.append(source)
        named = (given.get("alt") or given.get("aria-label") or given.get("aria-hidden") or "").strip()
        if self.open["article"] and tag in {"img", "svg"} and not named:
            self.unnamed.append(source or tag)

    def handle_endtag(self, tag):
        """Note the end."""
        if self.open.get(tag):
            self.open[tag] -= 1

    def handle_data(self, data):
        """Count words, and collect code."""
        if self.open["pre"]:
            self.code[-1] += data
        if self.open["article"] and not self.open["script"] and not self.open["style"]:
            self.words += len(data.split())

    @property
    def lines(self):
        """Lines of the page, about: those of code and of text, and one for each row, item and heading."""
        code = sum(text.count("\n") for text in self.code)
        words = self.words - sum(len(text.split()) for text in self.code)
        return round(code + self.blocks + words / WORDS)

    @property
    def width(self):
        """Columns of the widest line of code."""
        return max((len(line) for code in self.code for line in code.split("\n")), default=0)


def sentences(markdown):
    """Cut the prose of a page into sentences: no code, no tables, no headings."""
    text = re.sub(r"(?ms)^(```|~~~).*?^\1\s*$|^---$.*?^---$|<[^>]+>", "\n\n", markdown)
    text = re.sub(r"(?m)^\s*(\||#|>>>|\.\.\. ).*$", "\n\n", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`|\$[^$]+\$", "code", text)
    blocks = [" ".join(one.split()) for one in re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.)\s", text)]
    return [one for block in blocks for one in re.split(r"(?<=[.!?])\s+", block) if one]


def numbers(html, source):
    """Count in a folder of HTML, and in the pages that it is made from."""
    pages = {
        path.relative_to(html).as_posix(): Page(path.read_text(encoding="utf-8"))
        for path in sorted(html.rglob("*.html"))
        if "_static" not in path.parts
    }
    manual = {name: page for name, page in pages.items() if not name.startswith(GENERATED)}
    texts = [
        path.read_text(encoding="utf-8")
        for path in sorted(source.rglob("*.md"))
        if not path.relative_to(source).as_posix().startswith((*GENERATED, "_"))
    ]
    return {
        "words": sum(page.words for page in manual.values()),
        "words of a page": max(page.words for page in manual.values()),
        "words of a generated page": max(
            (page.words for name, page in pages.items() if name not in manual), default=0
        ),
        "lines of a page": max(page.lines for page in pages.values()),
        "wide blocks of code": sum(
            max(map(len, code.split("\n"))) > WIDEST for page in pages.values() for code in page.code
        ),
        "columns of the widest code": max(page.width for page in pages.values()),
        "network requests": sum(len(page.requests) for page in pages.values()),
        "pictures without a text": sum(len(page.unnamed) for page in pages.values()),
        "sentences over 30 words": sum(len(one.split()) > LONG for text in texts for one in sentences(text)),
    }


def broken(counted, limits):
    """Write a line for each number that is over its limit."""
    return [
        f"{name}: {number:,}, and the limit is {limits[name]:,}"
        for name, number in counted.items()
        if number > limits[name]
    ]


def ranked(index, query, stem):
    """Rank pages as the search of Sphinx does: by titles, index entries, objects and words."""
    scores = {}
    for file, score in (
        *of_titles(index, query.lower()),
        *of_objects(index, query.lower().split()),
        *of_words(index, {stem(word) for word in query.lower().split()}),
    ):
        scores[file] = max(scores.get(file, 0), score)
    return [index["docnames"][file] for file in sorted(scores, key=lambda file: -scores[file])]


def of_titles(index, query):
    """Score titles and index entries that hold the query and are at most twice as long."""
    for title, places in index["alltitles"].items():
        if query in title.lower() and len(query) >= len(title) / 2:
            for file, _ in places:
                yield file, round(15 * len(query) / len(title)) + (index["titles"][file] == title)
    for entry, places in index["indexentries"].items():
        if query in entry and len(query) >= len(entry) / 2:
            for file, _, main in places:
                yield file, round(100 * len(query) / len(entry)) if main else 0


def of_objects(index, terms):
    """Score objects whose name holds a term, and whose title, module or kind holds all others."""
    for prefix, objects in index["objects"].items():
        for file, kind, priority, _, name in objects:
            whole = f"{prefix} {name} {index['objnames'][kind][2]} {index['titles'][file]}".lower()
            if all(term in whole for term in terms):
                for term in terms:
                    exact = 11 if name.lower() == term else 6 if term in name.lower() else 0
                    if term in f"{prefix}.{name}".lower():
                        yield file, exact + {0: 15, 1: 5, 2: -5}.get(priority, 0)


def of_words(index, words):
    """Score pages that have all words, by the best place of any."""
    files = {}
    for word in words:
        for places, score in ((index["terms"].get(word, ()), 5), (index["titleterms"].get(word, ()), 15)):
            for file in [places] if isinstance(places, int) else places:
                files.setdefault(file, {})[word] = score
    for file, scores in files.items():
        if len(scores) == len(words):
            yield file, max(scores.values())


def check(app, exception):
    """Warn of numbers over their limits, and of words whose page the search does not find."""
    from searching import OF_CONTRIBUTORS, SEARCHED
    from sphinx.util import logging

    if exception or app.builder.name != "html":
        return
    warn = logging.getLogger(__name__).warning
    counted = numbers(Path(app.outdir), Path(app.srcdir))
    for line in broken(counted, tomllib.loads(LIMITS.read_text(encoding="utf-8"))):
        warn("%s (docs/_ext/rules.toml)", line)
    if not app.fresh_env_used:  # Sphinx has index entries of the pages alone that it has just read
        return
    index = app.builder.indexer.freeze()
    for page, words in SEARCHED.items():
        for word in words:
            first = ranked(index, word, lambda term: app.builder.indexer.lang.stem(term).lower())[:2]
            if page not in first:
                warn("the search for %r begins with %s, not with %s", word, first, page)
    named = [name for name, title in zip(index["docnames"], index["titles"], strict=True) if title]
    unwanted = [name for name in named if name.partition("/")[0] in OF_CONTRIBUTORS]
    if unwanted:
        warn("the search finds pages of contributors: %s", unwanted)


def setup(app):
    """Connect."""
    app.connect("build-finished", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
