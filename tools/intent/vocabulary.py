"""General words of commands in Russian and English: verbs, prepositions, fillers.

What the tools are about stands on their declarations; here is only the grammar around it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Vocabulary:
    """A set of plain words and of stems."""

    words: frozenset[str]
    stems: tuple[str, ...]

    def __contains__(self, word: object) -> bool:
        """Whether a plain word is one of these."""
        return isinstance(word, str) and (word in self.words or word.startswith(self.stems))

    def __or__(self, other: "Vocabulary") -> "Vocabulary":
        """The words of both."""
        return Vocabulary(self.words | other.words, self.stems + other.stems)


def vocabulary(entries: str) -> Vocabulary:
    """Make a vocabulary of words with spaces between them; `*` ends a stem."""
    items = entries.split()
    stems = tuple(item[:-1] for item in items if item.endswith("*"))
    return Vocabulary(frozenset(item for item in items if not item.endswith("*")), stems)


SHOW = vocabulary("""
    покажи покажите показать показывай показывайте покажешь покажете выведи* вывести перечисл*
    посмотр* глян* отобраз* дай дайте список списк* списоч* скажи* подскаж* расскаж* узна*
    провер* объясн* посчита* подсчита*
    pull explain count show list display print view see tell get give check
""")
"""Verbs that ask to be told something."""

READ = SHOW | vocabulary("""
    что чего как какой какая какое какие каких каком какую кто где когда сколько
    почему зачем есть ли
    what what's which who whose when where where's
    how why
""")
"""The same, and question words."""

SEARCH = vocabulary(
    "найд* найти отыска* поищ* поиск* ищи ищите ищу искать отыщ* разыщ* search* find"
)
"""Verbs that ask to find something by words."""

CHANGE = vocabulary("""
    удали* удаля* сотри* стереть переимен* измени измените изменить поменя* обнови обновите
    обновить запусти* запуск* начни* начать начинай* начина* стартуй* стартан* включи* выключи*
    отключи* останови* останавл* прекрати* заверши завершите завершить завершай* закончи
    закончите закончить заканчивай* закрой* закрыть закрывай* создай* создать создавай*
    опубликуй* опубликовать сними* снять снимай* убери* убрать копируй* скопируй* копировать
    дублируй* перенеси* перенести разверни* развернуть задеплой* закоммить* восстанови*
    отправь* отправить добавь* добавить поставь* поставить назначь* назначить отмени* отменить
    очисти* очистить запланир* продли* отлож* отсроч* отредактир* перезапус* приостанов* возобнов*
    клонир* склонир* закрываем переводим снимаем запускаем
    extend prolong postpone reschedule edit modify clone restart pause resume
    delete remove drop rename change update start launch begin stop finish end close create
    publish unpublish copy duplicate move deploy commit restore send add set enable disable
    cancel abort migrate erase clear
""")
"""Verbs that ask to change something."""

CONTRARY = vocabulary(
    "отмен* останови* останавл* прекрати* откати* cancel stop abort undo revert halt"
)
"""Verbs that undo what a tool does, unless the tool itself claims them."""

PLANNING = vocabulary("schedule plan запланир* отлож* отсроч* перенес* postpone reschedule")
"""Verbs that ask for something later; "plan" and "schedule" are nouns, too."""

GREETING = vocabulary("""
    привет здравствуй* здрасте хай добрый доброе день утро вечер
    hi hello hey good morning afternoon evening
""")
THANKS = vocabulary("спасибо благодарю спс thanks thank thx you большое very much")
NEGATION = vocabulary("не нельзя никогда not don't dont never")
HOW = vocabulary("как how")
MODAL = vocabulary("можешь можете можно сможешь сможете умеешь умеете умеет can could would will")
WHAT = vocabulary("что чем чего what")
PRONOUN = vocabulary("его ее их него нее него него это it them that this")

DASHBOARD = vocabulary(
    "дашборд* дэшборд* борд борда борду борде бордом борды бордов dashboard dashboards"
)
DASHBOARDS = vocabulary("дашборды дашбордов дашбордам дашбордах дашбордами dashboards")
DATASET = vocabulary("датасет* dataset datasets")
TABLE = DATASET | vocabulary("таблиц* table tables")
ENVIRONMENT = vocabulary("окружени* environment environments env envs")
SITE = vocabulary("среде среды среду среда стенд стенде стенда стенду контур* инстанс* instance")
"""Other words for an environment; they count only before a known one."""

USES = vocabulary(
    "использ* держится держатся стоят стоит построен* зависят зависит опира* основан* завяз* "
    "use uses using used depend depends depending built based rely relies relying "
    "stand stands standing sit sits sitting"
)
"""What is said of things that are made from something."""

ARTICLE = vocabulary("a an the")
HERE = vocabulary("""
    этом этот эта эту этого этому этой эти этих текущ* данн* мой моем моего моя мою тут здесь
    отсюда сюда
    this that these current my our here
""")
"""What points at the page."""

EVERY = vocabulary("все всех всем всеми каждом каждый каждого всю all every each both обоих обеих")
PREPOSITION = vocabulary("""
    на в во для с со у к ко из от по до о об обо про под при за
    on in at for from to of with by about under into within against as
""")
PARTICLE = PREPOSITION | vocabulary("off down out")
"""Words that make an action of a light verb: "take it off", «закрой на обслуживание»."""

LIGHT = vocabulary("""
    take takes taking turn turning switch switching put putting get bring close closing move send
    закрой закройте закрыть закрываем закрывай закрывайте переведи переведите перевести переводим
    выведи выведите вывести отправь отправьте отправить ставим поставим
""")
"""Verbs that say nothing by themselves."""

PLACE = vocabulary("на для у с со on off for from to of к над over against")
"""Prepositions that lead to what a command acts on."""

POLITE = vocabulary("""
    пожалуйста плиз пж спасибо благодарю please thanks thank kindly сейчас now срочно немедленно
    asap pls plz ка мне нам me us будь будьте добр добра добры любезны
""")
JOINING = vocabulary("и а and также also then потом затем далее")
"""Words between two clauses, or two entries of a list."""

AFTER = vocabulary("потом затем then далее")
"""Joining words that never stand inside a list."""

ABOUT = vocabulary(
    "про о об обо about containing contains contain named called titled matching mentioning"
)
LABEL = vocabulary("id ids ид айди номер* number numbers no № # named called titled uuid slug")
"""What stands between a noun and its name."""

LABELLED = vocabulary(
    "названием названиям* именем именами имени названию name names title titles id ids "
    "словом словами слову word words"
)
"""The same after "with" or "by"."""

FILLER = vocabulary("""
    доступн* имеющ* существующ* имеются существуют available existing exist exists есть ли нас
    been being were was
    there are is do does we have has any some you can could would
    last latest recent последн* недавн*
    список списк* list of названи* имен* name names superset суперсет* system систем*
    хочу хотел* нужен нужны нужно надо need want would like i я ты вы
    только лишь only just got
    поменял* поменяли* изменил* менял* обновил* changed updated modified
    everything anything something ones
    у все всех all every the a an мне нам me us какие какой какая каких сколько what which how
    many much котор* which that this эти этот там мои мой my our
""")
"""What says nothing about which dashboard is sought."""

YES = vocabulary("""
    да ага угу ок окей окэй хорошо ладно давай подтвержда* одобря* согласен согласна конечно
    yes yep yeah ok okay sure approve approved confirm confirmed agreed accept go ahead do it
    please пожалуйста
""")
NO = vocabulary(
    "нет не отмена отмени отмените отменить отменяй передумал* никакой no nope cancel nothing never"
)
NO_MORE = vocabulary("""
    надо нужно это этого ее его их карточк* операци* действи* пожалуйста спасибо
    that this it them the card action mind please thanks
""")
"""What may stand beside a no."""
