"""What `demo.main_job` says and understands, in both languages."""

from typing import Literal

Language = Literal["en", "ru"]

YES, NO = {"y", "yes", "д", "да"}, {"n", "no", "н", "нет"}
"""Answers of a person, in either language whatever the job speaks."""

TEXTS: dict[Language, dict[str, str]] = {
    "en": {
        "start": "Start maintenance on the dashboard USA",
        "end": "End maintenance on the dashboard USA",
        "approve": "Approve? [y/n] ",
        "go on": "End the maintenance? [y/n] ",
        "yes": "y",
        "unclear": "Please answer y or n.",
        "no answer": "There is nobody to answer: that is a no.",
        "card": "A card to decide on",
        "environment": "environment",
        "expires": "good until",
        "banner": "The banner, as Superset has it:",
        "no banner": "(no banner)",
        "before": "layout before",
        "now": "layout now",
        "after": "layout after",
        "same": "The layout is as it was.",
        "differs": "THE LAYOUT DIFFERS FROM WHAT IT WAS.",
        "unchanged": "The layout did not change: the agent's answer above says why.",
        "rejected": "You rejected it, so nothing was changed. Run the command again to try more.",
        "no card": "No card came, so nothing was changed; the agent's answer above says why.",
        "stays": "The maintenance goes on and its banner stays. To end it tell the agent: {end}",
        "failed": "The run failed",
        "no cards": "The agent waits for something that is no card.",
        "no demo": "The demo does not run: start it with `make demo`.",
    },
    "ru": {
        "start": "Запусти обслуживание на дашборде USA",
        "end": "Заверши обслуживание на дашборде USA",
        "approve": "Подтвердить? [д/н] ",
        "go on": "Завершить обслуживание? [д/н] ",
        "yes": "д",
        "unclear": "Ответьте, пожалуйста: д или н.",
        "no answer": "Отвечать некому: это значит «нет».",
        "card": "Карточка, нужно ваше решение",
        "environment": "среда",
        "expires": "действует до",
        "banner": "Баннер, каким его хранит Superset:",
        "no banner": "(баннера нет)",
        "before": "раскладка до",
        "now": "раскладка сейчас",
        "after": "раскладка после",
        "same": "Раскладка та же, что была.",
        "differs": "РАСКЛАДКА ОТЛИЧАЕТСЯ ОТ ПРЕЖНЕЙ.",
        "unchanged": "Раскладка не изменилась: почему, сказано выше в ответе агента.",
        "rejected": "Вы отказались, ничего не изменено. Повторите команду, чтобы попробовать.",
        "no card": "Карточки не было, ничего не изменено; почему, сказано выше в ответе агента.",
        "stays": "Обслуживание идёт, баннер остаётся. Чтобы завершить, скажите агенту: {end}",
        "failed": "Ошибка при выполнении",
        "no cards": "Агент ждёт чего-то, что не является карточкой.",
        "no demo": "Демо не запущено, запустите его: make demo",
    },
}
