"""Reads a Fieldbell study into tables whose types follow its codebook."""

from ._service import CutShortError, ProblemError
from ._study import Study

__all__ = ["CutShortError", "ProblemError", "Study"]
__version__ = "1.0.0"
