"""How families of measures compare: their rankings of runs, their power, stability and sensitivity."""

from ontoeval.study.power import Power as Power
from ontoeval.study.rankings import RankAgreement as RankAgreement
from ontoeval.study.sensitivity import Sensitivity as Sensitivity
from ontoeval.study.stability import Stability as Stability
from ontoeval.study.studying import Study as Study
from ontoeval.study.studying import study as study
from ontoeval.study.studying import study_of as study_of
from ontoeval.study.winners import Winners as Winners
