from . import figures as figures
from .comparison import leaderboard as leaderboard
from .comparison import long_table as long_table
from .comparison import to_latex as to_latex
from .kinds import report as report
from .kinds import tables as tables
from .tidy import columns_of as columns_of
from .tidy import write_tidy as write_tidy

__all__: list[str]  # noqa: PYI035 - the loader fills it
