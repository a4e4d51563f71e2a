"""Questions about health: of an environment, of a dashboard."""

from typing import Any

from tools.intent import Clause, Reading
from tools.intent.titles import Titles
from tools.intent.vocabulary import (
    ARTICLE,
    CHANGE,
    DASHBOARD,
    DASHBOARDS,
    ENVIRONMENT,
    EVERY,
    HERE,
    PRONOUN,
    READ,
    SEARCH,
    vocabulary,
)
from tools.models.nouns import BASE, CHART, DATA, environment

TOOL = "get_health_summary"
HEALTH = vocabulary("здоров* самочувств* диагност* diagnos* health healthy unhealthy")
_STATE = vocabulary("""
    статус* состояни* порядк* порядок работает работают работоспособ* жив жива живо живой нормально
    сломал* сломан* поломал* упал* упала лежит хорошо чувству* самочувств* в-порядке ошибк* битые
    битых неработающ* живое живые живут ошибок грузит* открывает* errors error load loads loading
    opens failing failed issues problems problem проблем*
    status state condition ok okay fine alright alive up down working works work broken wrong
    operational running shape doing feeling feels feel
    рабочий рабочая тормозит отвечает отвечают доступен доступна доступно отвалил*
    валидаци* гит гите git validation validated answer answers respond responds reachable
    responding loading
""")
_VERSION = vocabulary("верси* version versions")
_PLURAL = vocabulary(
    "installations instances servers supersets "
    "инсталляции инсталляций стенды стендов серверы серверов суперсеты суперсетов"
)
_CONDITION = HEALTH | vocabulary("статус* состояни* status state condition")
_CHANGED = vocabulary("""
    мен* измен* поменя* прав* редактир* отредактир* обнов* трогал*
    chang* edit* modif* updat* touch*
""")
_WHO = vocabulary("кто кем когда who when whom")
_WITH = vocabulary("с со with")
_ASKS = vocabulary("что чего what what's how how's как")
_ALIVE = vocabulary(
    "порядке доступн* отвечает отвечают живы жива живые связи "
    "fine okay respond responds answer answers reachable alive"
)
_PREDICATE = vocabulary("is are it been он она ли whether опубликован опубликована и and")
_SYSTEM = vocabulary("систем* system сервер* server superset суперсет* installation инсталляц*")
_OTHER = vocabulary("""
    задач* таск* task tasks job обслужив* баннер* плашк* maintenance banner* llm модел* model
    миграц* migration бэкап* backup окружени* environments
""")
_STOPS = (
    READ
    | SEARCH
    | vocabulary(
        "last latest последн* was were been is are this и and как ли всё все ok okay fine healthy "
        "doing up broken wrong now have has had own owns look looks any good shape in there"
    )
)


def checking(reading: Reading, clause: Clause) -> dict[str, Any] | None:
    """The arguments of the call that a clause asks for; None: it asks for something else."""
    words = {p: reading.word(p) for p in range(clause.start, clause.end)}
    changed = _asks_who_changed(list(words.values()))
    kinds = {p.kind for p in reading.phrases if clause.start <= p.start < clause.end}
    kinds -= {"published"} if _told(reading, clause) else set()
    if {"look", "able", "capable"} & set(words.values()) or kinds & {"owner", "tag", "published"}:
        return None
    if _versions(list(words.values())):
        return None
    banned = _OTHER | DATA if changed else CHANGE | SEARCH | _OTHER | DATA
    known = _environment_state(reading, clause)
    if any(word in _ALIVE for word in words.values()):  # «базы доступны?»
        banned = _OTHER
    if any(word in banned for p, word in words.items() if p not in known and not _env(reading, p)):
        return None
    nouns = [p for p, word in words.items() if word in DASHBOARD and not reading.spoken_for(p)]
    title = _title(reading, clause, nouns)
    inside = range(title[1], title[2]) if title else range(0)
    env_id = environment(reading, clause)
    charts = any(w in CHART for w in words.values())
    here = any(w in HERE for w in words.values())
    placed = (
        bool(nouns)
        or title is not None
        or charts
        or here
        or env_id is not None
        or any(w in _SYSTEM for w in words.values())
        or (any(w in _ALIVE for w in words.values()) and any(w in BASE for w in words.values()))
    )
    strong = any(
        word in HEALTH and p not in inside and reading.word(p + 1) not in DASHBOARDS
        for p, word in words.items()
    )
    told = _told(reading, clause)
    if not strong and not (placed and (changed or told or _weak(reading, clause, inside))):
        return None
    plural = bool(nouns) and reading.word(nouns[0]) in DASHBOARDS
    if changed and not strong and (plural or not (nouns or title)):
        return None
    if title is None and plural:
        return None
    made = {"dashboard": title[0] if title else None, "env_id": env_id}
    return {name: value for name, value in made.items() if value is not None}


def _env(reading: Reading, position: int) -> bool:
    """Whether a word belongs to the name of an environment: «с окружением «Склад»»."""
    phrase = reading.phrase_at.get(position)
    return phrase is not None and phrase.kind == "environment" and phrase.value is not None


def _told(reading: Reading, clause: Clause) -> bool:
    """«Дашборд 5 опубликован?», "is it published": asked of one that is named, not a filter."""
    places = range(clause.start, clause.end)
    nouns = [reading.word(p) for p in places if reading.word(p) in DASHBOARD]
    if any(word in DASHBOARDS for word in nouns):
        return False
    return any(
        phrase.kind == "published"
        and phrase.start in places
        and (
            reading.word(phrase.start - 1) in _PREDICATE
            or (phrase.start > 0 and reading.source.tokens[phrase.start - 1].kind == "quote")
            or reading.word(phrase.end) in ("ли", "and", "и", "или", "or", "?")
        )
        for phrase in reading.phrases
    )


def _versions(words: list[str]) -> bool:
    """Which versions run where is a question about all environments."""
    every = any(word in _VERSION for word in words) and any(word in EVERY for word in words)
    return every or any(word in _PLURAL for word in words)


def _environment_state(reading: Reading, clause: Clause) -> range:
    """Where "the state of the environment" is asked for, of one that is named."""
    if environment(reading, clause) is None:
        return range(0)
    for position in range(clause.start, clause.end - 1):
        near = reading.source.skip(position + 1, ARTICLE, vocabulary("of у"))
        if reading.word(position) in _CONDITION and reading.word(near) in ENVIRONMENT:
            return range(position, near + 1)
    return range(0)


def _asks_who_changed(words: list[str]) -> bool:
    """«Кто последний менял …», "when was … changed"."""
    return any(w in _WHO for w in words) and any(w in _CHANGED for w in words)


def _weak(reading: Reading, clause: Clause, inside: range) -> bool:
    """«Что с дашбордом …», "status of …", "is everything ok in dev"."""
    for position in range(clause.start, clause.end):
        if position in inside:
            continue
        word, following = reading.word(position), reading.word(position + 1)
        up = word == "up" and reading.word(position - 1) in PRONOUN  # "dig it up"
        if (word in _STATE and not up) or (word in _ASKS and following in _WITH):
            return True
        if (word, following) in (("off", "with"), ("не", "так")):
            return True
        if word in _ASKS and following in ("там", "дела", "is", "are", "about", "поживает"):
            return reading.word(position + 2) not in READ
    return False


def _title(reading: Reading, clause: Clause, nouns: list[int]) -> tuple[str, int, int] | None:
    """The dashboard that is named, and where its title stands."""

    def stop(position: int) -> bool:
        word = reading.word(position)
        stops = (_STOPS, _STATE, HEALTH, _ASKS, _WHO, _CHANGED)
        phrase = reading.phrase_at.get(position)
        told = phrase is not None and phrase.kind == "published"
        return told or any(word in words for words in stops)

    titles = Titles(reading, clause, stop)
    for noun in nouns:
        found = titles.behind(noun)
        if not found and reading.word(noun)[:1].isascii():
            found = titles.before(noun)
        if found:
            return found[0].text, found[0].start, found[0].end
    if nouns:
        return None
    for position in range(clause.start, clause.end):
        token = reading.source.tokens[position]
        if token.kind == "quote" and token.text and not _env(reading, position):
            return token.text, position, position + 1
    return None
