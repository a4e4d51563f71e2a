"""The one exception whose text is meant for the person at the terminal."""


class DemoError(Exception):
    """Something the person can act on; its text is one clear message, without a traceback."""
