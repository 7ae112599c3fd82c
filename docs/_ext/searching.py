"""What the search of the manual brings first: pages of users, and those of words that people search."""

from sphinx import addnodes

from ontoeval.cli import COMMANDS
from ontoeval.measures.catalogue import CATALOGUE

OF_CONTRIBUTORS = ("decisions",)
"""Folders of pages that the search leaves out."""

SEARCHED = {
    "agreement": ("annotator agreement", "Cohen's kappa", "Krippendorff's alpha", "consensus"),
    "audit": ("duplicate", "label errors", "clean labels"),
    "compare": ("confidence interval", "bootstrap", "significance", "leaderboard"),
    "confusion": ("confusion matrix", "confusion"),
    "hierarchical-measures": ("hierarchical F", "hierarchical precision", "hierarchical measures"),
    "integrations": ("scikit-learn", "torchmetrics", "Hugging Face", "transformers", "Keras"),
    "label-files": ("CSV", "JSON", "Parquet", "file formats"),
    "measures": ("macro", "micro", "sample weight", "sample weights", "zero division"),
    "ontologies": ("GO", "HPO", "MeSH", "OWL", "OBO", "SKOS", "Gene Ontology", "obsolete", "part_of"),
    "ontology-audit": ("migrate", "new version", "ontology version"),
    "ontology-score": ("ontology score", "OS"),
    "organisers": ("challenge", "competition", "Codabench"),
    "report": ("report", "HTML page"),
    "scale": ("larger than memory", "Dask", "Spark", "Ray", "parts"),
    "scores": ("threshold", "thresholds", "confidences", "probabilities"),
    "start": ("install", "installation"),
}
"""Words that people search, by the page that answers."""


def words_of(docname):
    """List the words for which a page comes first."""
    words = list(SEARCHED.get(docname, ()))
    for entry in CATALOGUE:
        if docname == f"reference/measures/{entry.symbol}":
            words += [entry.symbol, entry.title]
    words += [name for name in COMMANDS if docname == f"reference/cli/{name}"]
    return list(dict.fromkeys(words))


def add_words(app, doctree):
    """Add index entries, which the search ranks above titles and texts; leave out pages of contributors."""
    docname = app.env.docname
    if docname.partition("/")[0] in OF_CONTRIBUTORS:
        app.env.metadata[docname]["nosearch"] = ""
    entries = [("single", word, "", "main", None) for word in words_of(docname)]
    if entries:
        doctree.append(addnodes.index(entries=entries))


def setup(app):
    """Connect."""
    app.connect("doctree-read", add_words)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
