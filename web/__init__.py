"""The HTTP door: what is refused before a run exists, and the page."""
