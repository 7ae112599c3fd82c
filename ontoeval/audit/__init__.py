"""Audits: what is wrong with label files and ontologies, as findings that can be acted on."""
