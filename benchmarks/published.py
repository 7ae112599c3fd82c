"""Published files that are not part of the project, in the folder that ONTOEVAL_DATA names."""

from __future__ import annotations

import os
from pathlib import Path

MESH = Path("ontologies", "mesh_bioasq", "mesh_hierarchy.txt")
"""Lines of parent and child, 27,900 concepts."""

SO_OBO = Path("ontologies", "so", "so.obo")
"""The Sequence Ontology, 2,404 concepts."""

SO_OWL = Path("ontologies", "so", "so.owl")
"""The same, in RDF/XML."""


def published(file: Path) -> Path | str:
    """Find a file; what comes instead of one that is not there says why its row is missing."""
    folder = os.environ.get("ONTOEVAL_DATA")
    if folder is None or not Path(folder, file).is_file():
        return f"skipped: no {file} in the folder that ONTOEVAL_DATA names"
    return Path(folder, file)
