"""Allowed values of options of audits; the module loads without numpy."""

from __future__ import annotations

from typing import Literal

Severity = Literal["error", "warning", "note"]
"""Severity of a finding, the worst first."""

Axioms = Literal["all", "exclusions", "off"]
"""Rules of the ontology that label sets must keep: exclusions and requirements, exclusions, or none."""

ConventionName = Literal["closed", "most-specific", "mixed"]
"""Whether label sets hold the ancestors of their labels: all, none, or some."""

ConventionAsked = Literal["infer", ConventionName]
"""A convention, or "infer"."""
