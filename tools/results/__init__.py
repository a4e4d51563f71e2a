"""Long results: smaller ones for the model, and the whole in pages."""

from tools.results.fitting import dumped
from tools.results.paging import PageError, page
from tools.results.shortening import MINIMUM, parsed, shorten

__all__ = ["MINIMUM", "PageError", "dumped", "page", "parsed", "shorten"]
