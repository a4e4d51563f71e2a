"""Phrases that narrow a search in a way that no tool knows: said back, and never searched for."""

from tools.intent.source import Phrase, Source
from tools.intent.vocabulary import ABOUT, ARTICLE, DASHBOARD, DASHBOARDS, vocabulary

_MINE = vocabulary("my mine мои моих моим моими наши наших own")
_WITHOUT = vocabulary("без without")
_MARKED = vocabulary("""
    certified favorite favorites favourite favourites popular unused starred
    сертифицирован* избранн* популярн* неиспользуем* любим*
""")
_WHO = vocabulary("who кто whose чей чьи чья чье")
_OWNS = vocabulary("""
    owns own owned created made changed edited updated
    владе* созда* измен* меня* автор* обнов*
""")
_BY = vocabulary("by пользователем")
_CHANGED = vocabulary("измен* обновлен* changed updated modified edited")


def other_at(source: Source, start: int) -> Phrase | None:
    """The filter that begins at a position, or None."""
    end = _ends(source, start)
    if end is None or end > len(source.tokens):
        return None
    value = source.text[source.tokens[start].start : source.tokens[end - 1].end]
    return Phrase("other", value, start, end, sure=False)


def _ends(source: Source, start: int) -> int | None:
    word, behind = source.word(start), source.word(start + 1)
    if word in _MINE and behind in DASHBOARDS:
        return start + 1
    if word in _WITHOUT and behind:
        return start + 2
    if word in _WHO and (behind in _OWNS or word in ("whose", "чей", "чьи", "чья", "чье")):
        return start + 1 + (behind in _OWNS)
    if word in _MARKED and _beside(source, start):
        return start + 1
    if word in _CHANGED and behind in _BY and source.word(start + 2):
        return start + 3
    if word in _CHANGED and behind.endswith(("ом", "ем", "ым")):
        return start + 2
    return None


def _beside(source: Source, position: int) -> bool:
    """Whether a word is said of dashboards: "certified dashboards", "dashboards are certified"."""
    before = source.word(position - 1) if position else ""
    earlier = source.word(position - 2) if position > 1 else ""
    if before in ABOUT or (before in ARTICLE and earlier in ABOUT):
        return False
    return any(word in DASHBOARD for word in (source.word(position + 1), before, earlier))
