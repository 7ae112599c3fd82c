from .axioms import AXIOMS as AXIOMS
from .axioms import Behaviour as Behaviour
from .axioms import behaviour as behaviour
from .baselines import BASELINES as BASELINES
from .baselines import baseline as baseline
from .changed_hierarchies import ChangedHierarchy as ChangedHierarchy
from .changed_hierarchies import collapse_level as collapse_level
from .changed_hierarchies import insert_nodes as insert_nodes
from .changed_hierarchies import merge_siblings as merge_siblings
from .error_kinds import ERROR_KINDS as ERROR_KINDS
from .error_kinds import ErrorsByKind as ErrorsByKind
from .perturbations import PERTURBATIONS as PERTURBATIONS
from .perturbations import perturb as perturb
from .perturbations import perturbable as perturbable
from .pitfalls import PITFALLS as PITFALLS
from .pitfalls import PLAINLY_BETTER as PLAINLY_BETTER
from .pitfalls import Pitfall as Pitfall
from .pitfalls import PitfallSearch as PitfallSearch
from .rank_correlation import CORRELATIONS as CORRELATIONS
from .rank_correlation import correlation_matrix as correlation_matrix
from .result import Comparison as Comparison
from .sensitivity import Changes as Changes
from .study import Study as Study
from .study import study_of as study_of

__all__: list[str]  # noqa: PYI035 - the loader fills it
