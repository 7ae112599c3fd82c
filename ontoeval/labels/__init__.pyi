from .annotations import AnnotationFiles as AnnotationFiles
from .annotations import read_annotation_files as read_annotation_files
from .formats import Layout as Layout
from .formats import Recognised as Recognised
from .label_costs import read_label_costs as read_label_costs
from .name_resolution import read_concept_map as read_concept_map
from .name_resolution import read_concepts as read_concepts
from .per_concept import ConceptValues as ConceptValues
from .per_concept import read_thresholds as read_thresholds
from .reading import read_label_file as read_label_file
from .reading import read_score_file as read_score_file
from .reading_options import AnnotationReading as AnnotationReading
from .reading_options import LabelReading as LabelReading
from .reading_options import NameOptions as NameOptions
from .recognition import recognise as recognise
from .resolved import LabelFile as LabelFile
from .resolved import ScoreFile as ScoreFile

__all__: list[str]  # noqa: PYI035 - the loader fills it
