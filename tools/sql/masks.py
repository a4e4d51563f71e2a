"""Templates and parameters put aside while a text is laid out, and put back as they were."""

import re
from dataclasses import dataclass

_PARTS = re.compile(
    # Bounded, so that many beginnings without an end take no time.
    r"(?P<block>\{%.{0,1000}?%\}|\{#.{0,1000}?#\})"
    r"|(?P<value>\{\{.{0,1000}?\}\}|\$\{[^}]{0,100}\}|%\([^)]{0,100}\)s)"
    r"|(?P<before>[=(,<>]\s{0,20})%s\b"
    # sqlglot writes a parameter of one dialect as another's; `a:b` and `a::b` are no parameters.
    r"|(?P<bind>(?<![\w:)\]\"'`]):[A-Za-z_]\w*)",
    re.DOTALL,
)
_WORD = "zq{salt}{number}qz"


@dataclass(frozen=True)
class Masked:
    """A text whose templates are words, or comments where they are no values.

    Attributes:
        text: The text to lay out.
        parts: What stood there, in its order.
        blocks: Whether some of it is no value, so that its place among the words matters.
    """

    text: str
    parts: tuple[str, ...]
    blocks: bool
    salt: str

    @property
    def masks(self) -> re.Pattern[str]:
        """Finds the masks, with the comments that some of them are."""
        word = _WORD.format(salt=self.salt, number="[0-9]+")
        return re.compile(rf"/\*\s*{word}\s*\*/|{word}")

    def restored(self, text: str) -> str | None:
        """The text with the templates back; None: not each is there once, in its order."""
        found = [re.sub(r"[/*\s]", "", match.group()) for match in self.masks.finditer(text)]
        wanted = [_WORD.format(salt=self.salt, number=n) for n in range(len(self.parts))]
        if found != wanted:
            return None
        parts = iter(self.parts)
        return self.masks.sub(lambda _: next(parts), text)


def mask(sql: str) -> Masked:
    """Put aside what a template engine or a driver reads; what SQL itself reads stays."""
    salt = "x"
    while f"zq{salt}" in sql:
        salt += "x"
    parts: list[str] = []
    blocks = False

    def hide(match: re.Match[str]) -> str:
        nonlocal blocks
        word = _WORD.format(salt=salt, number=len(parts))
        before = match["before"] or ""
        parts.append(match.group()[len(before) :])
        if match["block"] is None:
            return before + word
        blocks = True
        return f"/*{word}*/"

    return Masked(_PARTS.sub(hide, sql), tuple(parts), blocks, salt)
