"""Figures for papers, drawn by matplotlib: each takes a result, and axes where it is to be part of more."""

from ontoeval.reports.figures.changes import sensitivity as sensitivity
from ontoeval.reports.figures.concepts import confusion as confusion
from ontoeval.reports.figures.concepts import icicle as icicle
from ontoeval.reports.figures.measures import agreement as agreement
from ontoeval.reports.figures.measures import power as power
from ontoeval.reports.figures.measures import stability as stability
from ontoeval.reports.figures.measures import swaps as swaps
from ontoeval.reports.figures.measures import winners as winners
from ontoeval.reports.figures.ranks import critical_difference as critical_difference
from ontoeval.reports.figures.runs import distribution as distribution
from ontoeval.reports.figures.runs import scores as scores
from ontoeval.reports.figures.saving import figures_of as figures_of
from ontoeval.reports.figures.saving import save_figures as save_figures
