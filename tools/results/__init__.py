"""Long results: smaller ones for the model, and the whole in pages."""

from tools.results.lists import items_of, total_of
from tools.results.paging import PageError, page
from tools.results.sentences import cut
from tools.results.shortening import MINIMUM, shorten
from tools.results.writing import LONG, dumped, parsed, size, whole

__all__ = [
    "LONG",
    "MINIMUM",
    "PageError",
    "cut",
    "dumped",
    "items_of",
    "page",
    "parsed",
    "shorten",
    "size",
    "total_of",
    "whole",
]
