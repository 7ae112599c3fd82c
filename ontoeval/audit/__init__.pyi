from .findings import Finding as Finding
from .findings import Findings as Findings
from .ontology_changes import OntologyDifference as OntologyDifference
from .validation import validate as validate
from .versions import Difference as Difference
from .versions import Migration as Migration
from .versions import difference as difference
from .versions import migrate as migrate

__all__: list[str]  # noqa: PYI035 - the loader fills it
