"""Runs side by side, with the uncertainty of their scores and of their differences."""

from ontoeval.comparison.comparing import compare as compare
from ontoeval.comparison.merits import merits_of as merits_of
from ontoeval.comparison.result import Comparison as Comparison
from ontoeval.plan import Plan as Plan
from ontoeval.plan import steps as steps
