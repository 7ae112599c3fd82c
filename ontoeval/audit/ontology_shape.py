"""The shape of an ontology: how deep it is, and how it fans out."""

from __future__ import annotations

from typing import Any

import numpy as np

from ontoeval.audit.ontology_material import Material


def shape(material: Material) -> dict[str, Any]:
    """Measure how deep an ontology is, and how it fans out."""
    names, depth = material.vocabulary, material.hierarchy.depth
    children = np.bincount(material.parents.indices, minlength=len(names))
    parents = np.diff(material.parents.indptr)
    leaves = children == 0
    return {
        "concepts": len(names),
        "labels": int((~material.abstract).sum()),
        "abstract": int(material.abstract.sum()),
        "links": material.parents.nnz,
        "roots": int((parents == 0).sum()),
        "leaves": int(leaves.sum()),
        "depth": int(depth.max()),
        "deepest": names[int(depth.argmax())],
        "mean depth of leaves": float(depth[leaves].mean()) if leaves.any() else None,
        "children": int(children.max()),
        "most children": names[int(children.argmax())] if children.any() else "",
        "mean children of inner concepts": float(children[~leaves].mean()) if not leaves.all() else None,
        "with one child": int((children == 1).sum()),
        "with several parents": int((parents > 1).sum()),
        "parents": int(parents.max()),
        "most parents": names[int(parents.argmax())] if parents.max() > 1 else "",
        "exclusions": len(material.exclusions),
        "requirements": len(material.requirements),
    }
