"""How families of measures compare: their rankings of runs, their power, stability and sensitivity."""

from ontoeval.studies.changes import Changes as Changes
from ontoeval.studies.entrants import Entrants as Entrants
from ontoeval.studies.power import Power as Power
from ontoeval.studies.rankings import RankAgreement as RankAgreement
from ontoeval.studies.result import Study as Study
from ontoeval.studies.sensitivity import Curve as Curve
from ontoeval.studies.sensitivity import Sensitivity as Sensitivity
from ontoeval.studies.stability import Stability as Stability
from ontoeval.studies.studying import study as study
from ontoeval.studies.studying import study_of as study_of
from ontoeval.studies.studying import study_steps as study_steps
from ontoeval.studies.winners import Winners as Winners
