"""The environments of a deployment by the words people use for them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tools.intent.nearness import distance, swapped
from tools.intent.vocabulary import ENVIRONMENT, SITE, Vocabulary, vocabulary
from tools.intent.words import Token, plain, tokenise
from tools.settings import Stage

STAGES: dict[Stage, Vocabulary] = {
    "prod": vocabulary(
        "prod production prods live прод прода проде проду продом продовый продовом продового "
        "продовой продовую продакшен* продакшн* продуктив* боев* бой бою бое боя"
    ),
    "dev": vocabulary(
        "dev devs development дев дева деве деву девом девелоп* разработка разработке разработки "
        "разработку разработкой песочниц* sandbox playground"
    ),
    "staging": vocabulary(
        "staging stage preprod стейдж* стэйдж* стейджинг* препрод* предпрод* предпродакшен* "
        "приемк* предрелиз* uat rehearsal"
    ),
}
"""What people call the environments of a stage."""


_SORTS = vocabulary("""
    песочниц* приемк* приемоч* тест тесте теста тестов* полигон* пилот* учебн* рабоч* лаборатор*
    демо репетиц* обкатк* эксплуатац* экзамен*
    sandbox playground test testing rehearsal preview uat demo lab trial pilot training canary qa
    mirror replica main
""")
"""What else people call an environment, where one has such a word in its title."""


@dataclass(frozen=True)
class EnvironmentName:
    """An environment as the planner knows it."""

    id: str
    title: str
    stage: Stage


@dataclass(frozen=True)
class Named:
    """A name of an environment found in a text: what it means, and where it ends.

    Attributes:
        value: The id when it is unique, else the word as it was typed: the graph asks then.
        end: Position after its last token.
        sure: Whether it can hardly mean anything else: an id, or several words of a title.
    """

    value: str
    end: int
    sure: bool


class EnvironmentNames:
    """Finds the names of the deployment's environments in a text."""

    def __init__(self, environments: Iterable[EnvironmentName]) -> None:
        self.all = tuple(environments)
        self._names: dict[str, list[tuple[tuple[str, ...], EnvironmentName, bool]]] = {}
        for environment in self.all:
            for name, is_id in ((environment.id, True), (environment.title, False)):
                words = tuple(token.word for token in tokenise(name) if token.kind == "word")
                if words:
                    entry = (words, environment, is_id)
                    self._names.setdefault(words[0][:3], []).append(entry)

    @property
    def words(self) -> tuple[str, ...]:
        """Names that may end a sentence: ids, titles, and the English words for stages."""
        named = [name for one in self.all for name in (one.id, one.title)]
        return (*named, "prod", "production", "staging", "stage", "dev", "development")

    def at(self, text: str, tokens: Sequence[Token], position: int) -> Named | None:
        """The name that begins at a position: an id, else a title, else a word for a stage."""
        if position >= len(tokens):
            return None
        word = tokens[position].word
        found: Named | None = None
        for words, environment, is_id in self._names.get(word[:3], ()):
            end = position + len(words)
            if found is not None and end <= found.end:
                continue
            if is_id and _is_id(text, tokens, position, end, environment.id):
                found = Named(environment.id, end, sure=True)
            elif (
                not is_id
                and _alike(words, tokens[position:end])
                and not _glued(text, tokens, position, end)
            ):
                found = Named(self._titled(words), end, sure=len(words) > 1)
        if found is None and not _glued(text, tokens, position, position + 1):
            return self._called(tokens[position], position) or self._stage(
                tokens[position], position
            )
        return found

    def _called(self, token: Token, position: int) -> Named | None:
        """The only environment with such a word in its title: «на приёмке», "in the sandbox"."""
        if token.word not in _SORTS:
            return None
        stem = token.word[:4]
        fits = [
            one.id
            for one in self.all
            if any(t.word.startswith(stem) for t in tokenise(f"{one.title} {one.id}"))
        ]
        return Named(fits[0], position + 1, sure=False) if len(fits) == 1 else None

    def quoted(self, name: str) -> str:
        """The id of the environment with this id or title, else the name as it was typed."""
        wanted = plain(name)
        words = [token for token in tokenise(name) if token.kind == "word"]
        for one in self.all:
            if wanted in (plain(one.id), plain(one.title)):
                return one.id
        for one in self.all:
            if _alike([token.word for token in tokenise(one.title) if token.kind == "word"], words):
                return one.id
        return name

    def near(self, word: str) -> bool:
        """Whether a word is nearly an id, or the word for a stage: `ss-dve`, `prd`."""
        if any(len(one.id) > 3 and distance(word, one.id, 1) == 1 for one in self.all):
            return True
        for name in ("prod", "production", "stage", "staging", "dev"):
            ends = word[:1] == name[0] and word[-1:] == name[-1]
            shorter = ends and 3 <= len(word) < len(name) and distance(word, name, 1) == 1
            if shorter or swapped(word, name):
                return True
        return False

    def _titled(self, words: tuple[str, ...]) -> str:
        """The id of the only environment with this title, else the title."""
        entries = self._names[words[0][:3]]
        same = [item for found, item, is_id in entries if found == words and not is_id]
        return same[0].id if len(same) == 1 else same[0].title

    def _stage(self, token: Token, position: int) -> Named | None:
        for stage, names in STAGES.items():
            if token.word in names:
                there = [item.id for item in self.all if item.stage == stage]
                value = there[0] if len(there) == 1 else token.text
                return Named(value, position + 1, sure=False)
        return None


def _is_id(text: str, tokens: Sequence[Token], start: int, end: int, env_id: str) -> bool:
    """Whether these tokens are exactly the id, and not a part of something longer."""
    if end > len(tokens):
        return False
    first, last = tokens[start].start, tokens[end - 1].end
    around = text[max(0, first - 1) : first] + text[last : last + 1]
    return text[first:last].lower() == env_id and not any(c in "-_/" for c in around)


def _glued(text: str, tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether tokens are a part of a longer name: dev of `my-dev`, but not of `dev-environment`."""
    first, last = tokens[start].start, tokens[end - 1].end
    if text[max(0, first - 1) : first] in ("-", "_", "/"):
        return True
    following = tokens[end].word if end < len(tokens) else ""
    return text[last : last + 1] in ("-", "_", "/") and following not in ENVIRONMENT | SITE


def _alike(words: Sequence[str], tokens: Sequence[Token]) -> bool:
    """Whether tokens are these words, Russian endings aside."""
    return len(words) == len(tokens) and all(
        one == token.word or _inflected(one, token.word)
        for one, token in zip(words, tokens, strict=True)
    )


def _inflected(one: str, other: str) -> bool:
    """Whether two Russian words differ only in a short ending."""
    if not ("а" <= one[0] <= "я") or min(len(one), len(other)) < 4:
        return False
    common = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        common += 1
    return common >= 4 and max(len(one), len(other)) - common <= 3
