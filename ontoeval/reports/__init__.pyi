from . import figures as figures
from .comparison import leaderboard as leaderboard
from .comparison import to_latex as to_latex
from .confusion import entries as entries
from .evaluation import classification_report as classification_report
from .evaluation import columns_of as columns_of
from .evaluation import write_tidy as write_tidy
from .kinds import report as report
from .kinds import tables as tables
from .notebook import frame as frame
from .notebook import html as html
from .notebook import table_framed as table_framed
from .notebook import text as text
from .terminal import on_terminal as on_terminal
from .versions import release_notes as release_notes

__all__: list[str]  # noqa: PYI035 - the loader fills it
