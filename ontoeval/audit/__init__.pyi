from .differences import Difference as Difference
from .differences import difference as difference
from .findings import Finding as Finding
from .findings import Findings as Findings
from .migration import Migration as Migration
from .migration import migrate as migrate
from .validation import validate as validate

__all__: list[str]  # noqa: PYI035 - the loader fills it
