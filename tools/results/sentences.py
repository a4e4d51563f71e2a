"""Cut a text where a sentence ends."""

import re
from bisect import bisect_right

from tools.results.writing import dumped

MARK = "[...]"
"""Where something was left out."""

_END = re.compile(r"[.!?…][\"'»”)\]]*(?=\s)|[。！？]|\n")
_SPACE = re.compile(r"\s")


def cut(words: str, limit: int) -> str:
    """The first sentences of a text that fit into so many characters.

    Where not even one fits, the first words; of a text without spaces its first characters.
    """
    if len(words) <= limit:
        return words
    return marked(words, _end(words[: max(limit - len(MARK) - 1, 0)], words))


def fitted(words: str, room: int) -> tuple[str, int]:
    """The first sentences whose JSON fits, and how many characters of the text they are.

    JSON may need six characters for one.
    """
    head = words[:room]
    if len(words) <= room and len(dumped(words)) <= room:
        return words, len(words)
    lengths = range(len(head) + 1)
    most = bisect_right(lengths, room, key=lambda n: len(dumped(f"{head[:n]} {MARK}"))) - 1
    kept = _end(head[: max(most, 0)], words)
    return marked(words, kept), kept


def marked(words: str, kept: int) -> str:
    """The first characters of a text, and the mark that says that there is more."""
    return f"{words[:kept]} {MARK}".strip()


def _end(head: str, words: str) -> int:
    """Where the last whole sentence of a text's beginning ends, else the last word."""
    ends = [match.end() for match in _END.finditer(head)]
    if ends:
        return len(head[: ends[-1]].rstrip())
    if words[len(head) : len(head) + 1].isspace():
        return len(head)
    spaces = [match.start() for match in _SPACE.finditer(head)]
    return spaces[-1] if spaces else len(head)
