"""Asked: the files that one call names, before any of them is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.cli.inputs import Inputs
from ontoeval.errors import InputError, UnknownConceptError

if TYPE_CHECKING:
    from ontoeval.ontology import Ontology
    from ontoeval.ontology.assembly import Draft


@dataclass(frozen=True)
class Asked:
    """Which files one call names and how they are to be read, before any of them is.

    Parameters
    ----------
    file
        The file of the ontology, if one was named.
    choices
        Options of the ontology.
    reading
        Options of the label files.
    """

    file: str | Path | None
    choices: Mapping[str, Any]
    reading: Mapping[str, Any]

    def files(self, told: Callable[[str], str] = str) -> dict[str, Path]:
        """List the files that are named.

        Parameters
        ----------
        told
            Makes of a path how it is told.

        Returns
        -------
        dict of str to Path
            The files by how they are told; a shipped ontology by its name.
        """
        from ontoeval import ontologies

        found: dict[str, Path] = {}
        if self.file is not None:
            path = Path(self.file)
            shipped = path.parent == ontologies.path("photo").parent
            found[f"{path.stem} (shipped)" if shipped else told(str(path))] = path
        imports = self.choices.get("imports") or {}
        others = [
            *imports.values(),
            *(self.reading.get(key) for key in ("concepts", "concept_map", "threshold")),
        ]
        return found | {told(str(one)): Path(one) for one in others if isinstance(one, str | Path)}

    def draft(self) -> Draft | Ontology | None:
        """Read the file of the ontology, as far as cycles do no harm.

        Returns
        -------
        Draft, Ontology or None
            What is to become the ontology, or is it already; None where no file was named.
        """
        from ontoeval.io import read_concepts
        from ontoeval.ontology.reading import read_draft

        if self.file is None:
            return None
        listed, concept_map = self.reading.get("concepts"), self.reading.get("concept_map")
        concepts = None if listed is None else read_concepts(listed, concept_map=concept_map)
        try:
            return read_draft(self.file, concepts=concepts, **self.choices)
        except UnknownConceptError as error:
            if concepts is None or "`concepts`" not in str(error):
                raise
            raise InputError(str(error).rstrip("."), f"The list of concepts is {listed}.") from error

    def read(self) -> Inputs:
        """Read the ontology.

        Returns
        -------
        Inputs
            The ontology, and how label files are to be read.
        """
        from ontoeval.ontology import Ontology

        draft = self.draft()
        ontology = draft if draft is None or isinstance(draft, Ontology) else draft.ontology()
        return Inputs(ontology, self.reading)
