"""A page for each measure, written from the catalogue when the manual is built."""

import inspect
import re
import tomllib
from dataclasses import fields
from pathlib import Path

from numpydoc.docscrape import NumpyDocString
from trees import described, draw, figure

import ontoeval as oe
from ontoeval.comparison.pitfalls import PITFALLS, find_pitfalls
from ontoeval.errors import OntoevalError
from ontoeval.measures.base import LAWS, info, laws_of
from ontoeval.measures.catalogue import CATALOGUE, FAMILIES
from ontoeval.reports.catalogue import EXAMPLES, one_measure
from ontoeval.reports.notebook import links

FOLDER = "reference/measures"
FORMULAS = tomllib.loads(Path(__file__).with_name("formulas.toml").read_text(encoding="utf-8"))
SMALL_TREE = list(zip("aabbccddf", "bcdefghij", strict=True))
BRANCH = [
    ("landscape_element", "mountains"),
    ("landscape_element", "plants"),
    ("plants", "flowers"),
    ("plants", "trees"),
]
"""The branch of the shipped ontology `photo` that the cases are of."""

CASES_HERE = """
One sample, with a branch of the shipped [ontology](../../ontologies.md) `photo`: ✓ right, ○ missed, ✗ false.
Predicted labels have the score 0.9. Where the measure needs weights, `ia` is 1, and 0 for the root;
`ic` is the depth.
"""
PITFALLS_HERE = """
The cases below are the smallest [pitfalls](../../study.md#pitfalls) found, on a small tree.
Not every axiom is wanted of every measure.
"""

SYMBOLS = {
    r"\b[Yy]\b": "$Y$: true labels of a sample ($y$ is one of them)",
    r"\b[Zz]\b": "$Z$: predicted labels ($z$ is one of them)",
    "↑": "$Y^\\uparrow$: $Y$ with all ancestors",
    r"\bTP\b.*\bF[PN]\b|TN": "TP, FP, FN, TN: numbers of true and false positives and negatives",
    "τ": "$\\tau$: threshold",
    r"\bI\(": "$I$: information of a concept",
    r"\bh\(": "$h$: height of a concept",
    r"\bf\(": "$f$: score of a label",
    "Δ": "$\\triangle$: symmetric difference",
    r"\bm_Y": "$m_Y$, $m_Z$, $f$: masses of true, predicted and false labels at or below a concept",
    r"Σ v": "$v$: weight of a concept",
    "β²": "$\\beta$: option `beta`",
    r"\bN\b|\{N": "$N$: number of samples that count",
    r"\bq\)": "$q$: number of labels",
}
"""What letters of formulas stand for, by the text that has them."""


NO_EXPLANATION = ["api", "command-line", "errata", "index", "references"]
"""Pages that name measures and explain none."""


def cell(text):
    """Write a text as a cell of a table."""
    return str(text).replace("|", "\\|").replace("*", "\\*")


def table(titles, rows):
    """Write a table."""
    lines = (f"| {' | '.join(row)} |" for row in (titles, ["---"] * len(titles), *rows))
    return "\n".join(lines) + "\n"


def link(symbol):
    """Write a link to the page of a measure, from another such page."""
    return f"[`{symbol}`]({symbol}.md)"


def formula_of(entry):
    """Write the formula, and what its letters stand for."""
    kind, text = type(entry.measure), info(entry.measure, "formula_text")
    doc = NumpyDocString(inspect.getdoc(kind) or "")
    more = "\n".join(doc["Extended Summary"])
    more = cited(more, ":cite:%s:`%s`")
    typeset = "" if ".. math::" in more else FORMULAS[text]
    parts = [f"```{{eval-rst}}\n{more}\n```\n"] if more else []
    meanings = [meaning for letters, meaning in SYMBOLS.items() if re.search(letters, text + typeset)]
    return "\n".join([typeset, *parts, f"{'; '.join(meanings)}.\n" if meanings else ""])


def cited(text, role):
    """Let `[nowak2009]_`, which reads well in a terminal, refer to that entry of references.bib.

    Authors are named where the sentence needs them, as after "by"; elsewhere their names stand before it.
    """
    sign = r"(\A|\n\n|[.:]\s+|\b(?:after|as|by|of|see)\s+)?\[([a-z]+\d{4}[a-z]?)\]_"
    return re.sub(sign, lambda key: (key[1] or "") + role % ("p" if key[1] is None else "t", key[2]), text)


def call(entry, truth, prediction, score):
    """Write a call that gives the score of a case, if the shipped ontology has all that the measure needs."""
    scored = info(entry.measure, "takes") == "scores"
    if score == "–":
        return ""
    true, guess = sorted(truth), prediction if scored else sorted(prediction)
    sides = f"truth, guess = [{true}], [{guess}]".replace("'", '"')
    line = 'oe.evaluate(truth, guess, hierarchy="photo", measures=measure)[measure]'
    try:
        given = {"oe": oe, "truth": [true], "guess": [guess], "measure": entry.symbol}
        value = f"{eval(line, given):.4g}"  # noqa: S307 - the line above
    except OntoevalError:
        return ""
    if value != score:
        raise OntoevalError(f"{line} gives {value}, and the catalogue {score}.")
    lines = [
        "import ontoeval as oe",
        sides,
        f'measure = "{entry.symbol}"',
        f"score = {line}",
        'f"{score:.4g}"',
    ]
    code = "\n".join(f">>> {one}" for one in lines)
    return f"```python\n{code}\n'{value}'\n\n```\n"


def cases(scores):
    """Draw the cases of the catalogue with their scores."""
    names = ["landscape_element", "mountains", "plants", "flowers", "trees"]
    for (title, (truth, prediction)), score in zip(EXAMPLES.items(), scores, strict=True):
        alt = f"{described(truth, prediction)} Score: {score}."
        yield figure([draw(BRANCH, names, truth, prediction, alt)], f"{title}: <strong>{score}</strong>")


def short(scores):
    """Write scores of cases; a case that the measure refuses has its reason elsewhere."""
    return ["refused" if " " in score else score for score in scores]


def pitfalls(symbol):
    """Draw the smallest case that is found against each axiom, and name the axioms without one."""
    try:
        search = find_pitfalls(symbol, hierarchy=SMALL_TREE, axioms=PITFALLS)
    except OntoevalError as error:
        yield f"No cases are searched for this measure. {str(error).partition(': ')[2] or error}\n"
        return
    for one in sorted(search.pitfalls, key=lambda one: (len(one.truth), len(one.hierarchy.vocabulary))):
        names = sorted(one.hierarchy.vocabulary)
        tree = sorted((parent, child) for child, parent in links(one.hierarchy).rows if parent)
        yield f"**{one.axiom[0].upper()}{one.axiom[1:]}**: broken\n"
        sides = []
        for side, word, score in (
            (one.worse, "worse prediction", one.worse_score),
            (one.better, "better prediction", one.better_score),
        ):
            sets = [(set(one.truth.labels_of(at)), set(side.labels_of(at))) for at in one.truth.samples]
            drawn = [draw(tree, names, *both, f"{word}. {described(*both)}") for both in sets]
            sides.append(figure(drawn, f"{word}: <strong>{score:.4g}</strong>"))
        yield f'<div class="row">{"".join(sides)}</div>\n'
    broken = {one.axiom for one in search.pitfalls}
    rest = [f"*{axiom}* ({number:,} cases)" for axiom, number in search.tried.items() if axiom not in broken]
    if rest:
        yield f"No case was found against {', '.join(rest)}. A search is no proof.\n"


def explained(source):
    """Find the page that explains each family: it names all of its measures, most often in code spans."""
    texts = {
        path.stem: path.read_text(encoding="utf-8")
        for path in sorted(source.glob("*.md"))
        if path.stem not in NO_EXPLANATION
    }
    pages = {}
    for family in FAMILIES:
        symbols = [entry.symbol for entry in CATALOGUE if entry.family == family]
        fitting = {
            stem: sum(len(re.findall(rf"`{symbol}\b", text)) for symbol in symbols)
            for stem, text in texts.items()
            if all(re.search(rf"\b{symbol}\b", text) for symbol in symbols)
        }
        pages[family] = max(fitting, key=fitting.__getitem__)
    return pages | {"ontology": "ontology-score", "rewards": "hierarchical-measures"}


def page(entry, scores, pages):
    """Write the page of a measure."""
    rows = dict(one_measure(entry.symbol).rows)
    symbol, score = entry.symbol, scores[entry.symbol]
    summary, takes = rows["summary"], rows["measures"].removeprefix("label ")
    family = [one for one in CATALOGUE if one.family == entry.family]
    given = {field.name: getattr(entry.measure, field.name) for field in fields(entry.measure)}
    options = [(f"`{name}`", f"`{value!r}`", cell(rows[f"  {name}"])) for name, value in given.items()]
    first = next(iter(EXAMPLES.values()))
    facts = [
        ("measures", f"label {takes} of each sample"),
        ("range", rows["range"]),
        ("best", rows["best"]),
        ("status", rows["status"]),
        ("totals of parts can be merged", rows["parts can be merged"]),
    ]
    if "stands for" in rows:
        facts.insert(0, ("stands for", f"`{rows['stands for']}`"))
    kept, denied = laws_of(entry.measure), info(entry.measure, "denied_laws")
    return "\n".join(
        [
            f"---\norphan: true\n---\n\n# `{symbol}`: {entry.title}\n",
            f"{summary}\n",
            formula_of(entry),
            table(("property", "value"), [(name, cell(value)) for name, value in facts]),
            f"Explained in {{doc}}`/{pages[entry.family]}`. Other measures: [by question](index.md).\n",
            "## Worked cases\n",
            CASES_HERE,
            f'<div class="row">{"".join(cases(short(score)))}</div>\n',
            *(f"Refused: {cell(reason)}.\n" for reason in dict.fromkeys(score) if " " in reason),
            call(entry, *first, score[0]),
            "On the command line, with files of your own:\n",
            f"```console\n$ ontoeval score truth.csv run.csv --ontology my.owl -m {symbol}\n```\n",
            *(["## Options\n", table(("option", "default", "meaning"), options)] if options else []),
            "## Laws and pitfalls\n",
            *(f"- holds: {LAWS[law]}" for law in sorted(kept)),
            *(f"- does not hold: {LAWS[law]}" for law in sorted(denied)),
            PITFALLS_HERE,
            *pitfalls(symbol),
            "## Neighbours\n",
            f"Measures of {FAMILIES[entry.family]}, with their scores in the worked cases:\n",
            table(
                ("measure", *EXAMPLES),
                [(f"{link(one.symbol)} {one.title}", *short(scores[one.symbol])) for one in family],
            ),
            "## Source\n",
            f"{cell(rows['source'])}\n",
            f"`ontoeval measures {symbol} --bibtex` prints BibTeX.\n",
        ]
    )


def write_if_new(path, text):
    """Write a page only where it changes, so that Sphinx reads it again only then."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def remove_others(folder, names):
    """Remove generated pages of what is there no more."""
    for path in folder.glob("*.md"):
        if path.stem not in {"index", *names}:
            path.unlink()


def write_pages(app):
    """Write the page of every measure, and the table of all families for the index."""
    source = Path(app.srcdir)
    scores = {
        entry.symbol: [dict(one_measure(entry.symbol).rows)[f"  {case}"] for case in EXAMPLES]
        for entry in CATALOGUE
    }
    pages = explained(source)
    remove_others(source / FOLDER, scores)
    for entry in CATALOGUE:
        write_if_new(source / FOLDER / f"{entry.symbol}.md", page(entry, scores, pages))
    parts = []
    for family, what in FAMILIES.items():
        members = [one for one in CATALOGUE if one.family == family]
        formulas = {info(one.measure, "formula_text"): one for one in reversed(members)}
        rows = [
            (
                link(one.symbol),
                one.title,
                cell(text) if formulas[text] is one else f"as `{formulas[text].symbol}`",
            )
            for one in members
            for text in (info(one.measure, "formula_text"),)
        ]
        parts.append(f"## Measures of {what}\n\n{table(('measure', 'title', 'formula'), rows)}")
    write_if_new(source / FOLDER / "families.txt", "\n".join(parts))


def setup(app):
    """Write the pages before Sphinx looks for pages."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
