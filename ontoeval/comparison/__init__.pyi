from .axioms import AXIOMS as AXIOMS
from .axioms import Behaviour as Behaviour
from .axioms import behaviour as behaviour
from .baselines import BASELINES as BASELINES
from .baselines import baseline as baseline
from .changed_hierarchies import ChangedHierarchy as ChangedHierarchy
from .changed_hierarchies import collapse_level as collapse_level
from .changed_hierarchies import insert_nodes as insert_nodes
from .changed_hierarchies import merge_siblings as merge_siblings
from .criterion import CriterionAgreement as CriterionAgreement
from .perturbations import PERTURBATIONS as PERTURBATIONS
from .perturbations import perturb as perturb
from .perturbations import perturbable as perturbable
from .rank_correlation import CORRELATIONS as CORRELATIONS
from .rank_correlation import correlation_matrix as correlation_matrix
from .result import Comparison as Comparison
from .seeds import corrected_t_test as corrected_t_test
from .seeds import scores_of_systems as scores_of_systems
from .sensitivity import Changes as Changes
from .study import Study as Study
from .study import study_of as study_of
from .taxonomies import LinkCounts as LinkCounts
from .taxonomies import TaxonomyComparison as TaxonomyComparison

__all__: list[str]  # noqa: PYI035 - the loader fills it
