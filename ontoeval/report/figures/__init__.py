"""Figures for papers, drawn by matplotlib: each takes a result, and axes where it is to be part of more."""

from ontoeval.report.figures.changes import sensitivity as sensitivity
from ontoeval.report.figures.concepts import confusion as confusion
from ontoeval.report.figures.concepts import icicle as icicle
from ontoeval.report.figures.measures import agreement as agreement
from ontoeval.report.figures.measures import power as power
from ontoeval.report.figures.measures import stability as stability
from ontoeval.report.figures.measures import swaps as swaps
from ontoeval.report.figures.measures import winners as winners
from ontoeval.report.figures.ranks import critical_difference as critical_difference
from ontoeval.report.figures.runs import distribution as distribution
from ontoeval.report.figures.runs import scores as scores
from ontoeval.report.figures.saving import figures_of as figures_of
from ontoeval.report.figures.saving import save_figures as save_figures
