"""Sentences and the calls they mean: both languages, inflections, orders, several at once."""

from typing import Any

import pytest

from tests.tools.planner_tools import MINI, calls
from tools.catalog import SUPERSET
from tools.definition import ToolDefinition

Calls = list[tuple[str, dict[str, Any]]]


def start(*dashboards: str, **more: Any) -> tuple[str, dict[str, Any]]:
    named = {"dashboards": list(dashboards)} if dashboards else {}
    return "start_maintenance", named | more


def end(*dashboards: str, **more: Any) -> tuple[str, dict[str, Any]]:
    named = {"dashboards": list(dashboards)} if dashboards else {}
    return "end_maintenance", named | more


def search(query: str | None = None, **more: Any) -> tuple[str, dict[str, Any]]:
    return "search_dashboards", ({"query": query} if query else {}) | more


def events(**more: Any) -> tuple[str, dict[str, Any]]:
    return "list_maintenance_events", more


def task(number: int | None = None) -> tuple[str, dict[str, Any]]:
    return "get_task_status", {"task_id": number} if number else {}


ENVS: tuple[str, dict[str, Any]] = ("list_environments", {})
HELP: tuple[str, dict[str, Any]] = ("show_capabilities", {})

RUSSIAN: list[tuple[str, Calls]] = [
    ("Запусти обслуживание на дашборде USA", [start("USA")]),
    ("запусти обслуживание на дашборде usa", [start("usa")]),
    ("ЗАПУСТИ ОБСЛУЖИВАНИЕ НА ДАШБОРДЕ USA", [start("USA")]),
    ("Запустить обслуживание дашборда USA", [start("USA")]),
    ("Начни обслуживание дашборда «Продажи по регионам»", [start("Продажи по регионам")]),
    ("начать обслуживание для дашборда Отчёт о рождаемости", [start("Отчёт о рождаемости")]),
    ("Включи режим обслуживания на дашбордах USA и Sales", [start("USA", "Sales")]),
    ("Повесь баннер обслуживания на дашборд Video Games", [start("Video Games")]),
    ("создай баннер на дашборде 17", [start("17")]),
    ("на дашборде USA запусти обслуживание", [start("USA")]),
    ("обслуживание на дашборде USA запусти", [start("USA")]),
    ("Пожалуйста, запусти обслуживание на дашборде USA", [start("USA")]),
    ("запусти обслуживание на дашборде USA, пожалуйста!", [start("USA")]),
    ("Привет! Запусти обслуживание на дашборде USA. Спасибо.", [start("USA")]),
    ("можешь запустить обслуживание на дашборде USA?", [start("USA")]),
    ("хочу запустить обслуживание на USA", [start("USA")]),
    ("Запусти обслуживание", [start()]),
    ("Запусти обслуживание на этом дашборде", [start()]),
    ("Запусти здесь обслуживание", [start()]),
    ("запусти обслуживание на дашбордах 7, 8 и 9", [start("7", "8", "9")]),
    ("запусти обслуживание на дашбордах с id 7, 8 и 9", [start("7", "8", "9")]),
    ("запусти обслуживание на дашборде №7", [start("7")]),
    ("запусти обслуживание на дашборде #7", [start("7")]),
    ("запусти обслуживание на дашборде с названием «Запуск продукта»", [start("Запуск продукта")]),
    ("запусти обслуживание на дашбордах «Продажи, ЕС» и «Склад»", [start("Продажи, ЕС", "Склад")]),
    ("запусти обслуживание на дашборде USA на проде", [start("USA", env_id="ss-prod")]),
    ("запусти обслуживание на дашборде USA в окружении ss-dev", [start("USA", env_id="ss-dev")]),
    ("в окружении песочница запусти обслуживание на USA", [start("USA", env_id="ss-dev")]),
    ("запусти обслуживание на дашборде USA в окружении moon", [start("USA", env_id="moon")]),
    ("На стейджинге запусти обслуживание на дашборде USA", [start("USA", env_id="ss-stage")]),
    ("запусти обслуживание на дашборде USA до 18:00", [start("USA", ends_at="18:00")]),
    ("запусти обслуживание до завтра в 9 утра на дашборде USA",
     [start("USA", ends_at="завтра в 9 утра")]),
    ("запусти обслуживание на дашборде USA на 2 часа", [start("USA", ends_at="на 2 часа")]),
    ("запусти обслуживание на час на дашборде USA", [start("USA", ends_at="на час")]),
    ("запусти обслуживание на дашборде USA по 5 декабря", [start("USA", ends_at="5 декабря")]),
    ("запусти обслуживание на дашборде USA до конца дня", [start("USA", ends_at="конца дня")]),
    ("Запусти обслуживание на дашборде USA с сообщением «Плановые работы»",
     [start("USA", message="Плановые работы")]),
    ("запусти обслуживание на дашборде USA с текстом \"и покажи окружения\" до 20:00",
     [start("USA", message="и покажи окружения", ends_at="20:00")]),
    ("запусти обслуживание на дашборде USA, сообщение: переезд базы до 20:00",
     [start("USA", message="переезд базы", ends_at="20:00")]),
    ("запусти обслуживание «Плановые работы»", [start(message="Плановые работы")]),
    ("Запусти обслуживание на дашборде USA в проде до 18:00 с сообщением «Работы»",
     [start("USA", env_id="ss-prod", ends_at="18:00", message="Работы")]),
    ("запусти обслуживание на дашбордах:\n- USA\n- Health Dashboard\nСпасибо!",
     [start("USA", "Health Dashboard")]),
    ("запусти обслуживание на дашбордах:\n1. USA\n2. Продажи", [start("USA", "Продажи")]),
    ("запусти обслуживание на дашборде USA до завтра, 18:00",
     [start("USA", ends_at="завтра, 18:00")]),
    ("запусти обслуживание на следующих дашбордах: USA, Sales", [start("USA", "Sales")]),
    ("запусти обслуживание на дашборде USA и на дашборде Sales", [start("USA", "Sales")]),
    ("запусти обслуживание на дашборде Sales & Marketing", [start("Sales & Marketing")]),
    ("запусти обслуживание на дашборде Отчёт (2018)", [start("Отчёт (2018)")]),
    ("запусти обслуживание на USA и заверши на Ops", [start("USA"), end("Ops")]),
    ("кто запустил обслуживание на USA?", [events()]),
    ("когда закончится обслуживание?", [events()]),
    ("выведи все дашборды с продажами на деве, которые опубликованы",
     [search("продажами", env_id="ss-dev", published=True)]),
    ("покажи дашборды, пропусти 20", [search(offset=20)]),
    ("закрой обслуживание 3f2a9c01bd44 и покажи открытые",
     [end(event_id="3f2a9c01bd44"), ("list_maintenance_events", {"state": "open"})]),
    ("Запусти обслуживание на дашборде Задачи команды", [start("Задачи команды")]),
    ("Запусти обслуживание на дашбордах USA, Sales и Health Dashboard",
     [start("USA", "Sales", "Health Dashboard")]),
    ("Заверши обслуживание на дашборде USA", [end("USA")]),
    ("завершить обслуживание дашборда USA", [end("USA")]),
    ("закончи обслуживание на USA", [end("USA")]),
    ("Закрой обслуживание", [end()]),
    ("сними баннер с дашборда USA", [end("USA")]),
    ("Убери обслуживание с дашбордов 7 и 8 на деве", [end("7", "8", env_id="ss-dev")]),
    ("останови обслуживание на этом дашборде", [end()]),
    ("закрой событие обслуживания 3f2a9c01bd44", [end(event_id="3f2a9c01bd44")]),
    ("покажи обслуживание", [events()]),
    ("Какое обслуживание сейчас идёт?", [events(state="open")]),
    ("список обслуживаний на проде", [events(env_id="ss-prod")]),
    ("покажи открытые обслуживания", [events(state="open")]),
    ("покажи закрытые обслуживания", [events(state="closed")]),
    ("какие дашборды на обслуживании?", [events()]),
    ("обслуживание уже запущено?", [events()]),
    ("Покажи дашборды", [search()]),
    ("Покажи доступные дашборды", [search()]),
    ("покажи, пожалуйста, все дашборды", [search()]),
    ("Какие есть дашборды?", [search()]),
    ("список дашбордов", [search()]),
    ("сколько дашбордов на проде?", [search(env_id="ss-prod")]),
    ("Найди дашборды про продажи", [search("продажи")]),
    ("поищи дашборд Рождаемость", [search("Рождаемость")]),
    ("найди дашборды про обслуживание", [search("обслуживание")]),
    ("найди дашборды с названием «Отчёт | 2026»", [search("Отчёт | 2026")]),
    ("найди продажи", [search("продажи")]),
    ("есть ли дашборды о погоде?", [search("погоде")]),
    ("покажи черновики дашбордов", [search(published=False)]),
    ("покажи опубликованные дашборды", [search(published=True)]),
    ("найди неопубликованные дашборды про склад", [search("склад", published=False)]),
    ("покажи дашборды с тегом finance", [search(tag="finance")]),
    ("дашборды владельца Иван Петров", [search(owner="Иван Петров")]),
    ("первые 5 дашбордов", [search(limit=5)]),
    ("покажи 10 дашбордов", [search(limit=10)]),
    ("топ 3 дашборда про игры", [search("игры", limit=3)]),
    ("покажи дашборды, изменённые за последние 7 дней",
     [search(changed_since="за последние 7 дней")]),
    ("дашборды, которые изменились с 2026-01-01", [search(changed_since="2026-01-01")]),
    ("покажи дашборды на деве и на проде", [search(env_id="ss-dev"), search(env_id="ss-prod")]),
    ("покажи дашборды в окружении moon", [search(env_id="moon")]),
    ("Какие есть окружения?", [ENVS]),
    ("покажи окружения", [ENVS]),
    ("перечисли все доступные окружения", [ENVS]),
    ("Скажи, какие окружения есть?", [ENVS]),
    ("Что ты умеешь?", [HELP]),
    ("что ты можешь делать с дашбордами?", [HELP]),
    ("помощь", [HELP]),
    ("какие есть инструменты?", [HELP]),
    ("что с задачей 12?", [task(12)]),
    ("статус задачи №12", [task(12)]),
    ("Что с моей последней задачей?", [task()]),
    ("покажи задачи", [task()]),
    ("покажи дашборды и окружения", [search(), ENVS]),
    ("покажи дашборды, окружения и задачи", [search(), ENVS, task()]),
    ("Покажи окружения; найди дашборды про игры", [ENVS, search("игры")]),
    ("Покажи окружения. Затем запусти обслуживание на дашборде USA.", [ENVS, start("USA")]),
    ("Запусти обслуживание на дашбордах USA и Sales и покажи окружения",
     [start("USA", "Sales"), ENVS]),
    ("Заверши обслуживание на дашборде USA, а также покажи задачи", [end("USA"), task()]),
    ("запусти обслуживание на дашборде USA, потом заверши его", [start("USA"), end("USA")]),
    ("На проде, запусти обслуживание на дашборде USA, до 18:00",
     [start("USA", env_id="ss-prod", ends_at="18:00")]),
]  # fmt: skip

ENGLISH: list[tuple[str, Calls]] = [
    ("Start maintenance on the dashboard USA", [start("USA")]),
    ("start maintenance on the USA dashboard", [start("USA")]),
    ("START MAINTENANCE ON DASHBOARD usa", [start("usa")]),
    ("Start maintenance for dashboard “World Bank's Data”", [start("World Bank's Data")]),
    ("begin maintenance on USA", [start("USA")]),
    ("please start maintenance on the USA dashboard", [start("USA")]),
    ("could you start maintenance on the USA dashboard please?", [start("USA")]),
    ("I want to start maintenance on dashboard USA", [start("USA")]),
    ("put a maintenance banner on the Sales dashboard", [start("Sales")]),
    ("announce maintenance for dashboards 7, 8 and 9", [start("7", "8", "9")]),
    ("start maintenance on dashboards USA, Sales and Video Games",
     [start("USA", "Sales", "Video Games")]),
    ("start maintenance on the USA and Sales dashboards", [start("USA", "Sales")]),
    ("on the USA dashboard start maintenance", [start("USA")]),
    ("start maintenance", [start()]),
    ("start maintenance on this dashboard", [start()]),
    ("start maintenance here", [start()]),
    ("start maintenance on dashboard id 7", [start("7")]),
    ("start maintenance on dashboard #7", [start("7")]),
    ("start maintenance on the dashboard named \"End of Month\"", [start("End of Month")]),
    ("start maintenance on the End of Month dashboard", [start("End of Month")]),
    ("start maintenance on dashboard Tasks and Health", [start("Tasks", "Health")]),
    ("start maintenance on the \"Sales, EU\" and \"Ops\" dashboards", [start("Sales, EU", "Ops")]),
    ("start maintenance on dashboard USA on prod", [start("USA", env_id="ss-prod")]),
    ("start maintenance on dashboard USA in production", [start("USA", env_id="ss-prod")]),
    ("in the staging environment start maintenance on the USA dashboard",
     [start("USA", env_id="ss-stage")]),
    ("start maintenance on dashboard USA on environment moon", [start("USA", env_id="moon")]),
    ("start maintenance on dashboard USA in the moon environment", [start("USA", env_id="moon")]),
    ("start maintenance on dashboard USA on Main Site", [start("USA", env_id="ss-prod")]),
    ("start maintenance on dashboard USA until 18:00", [start("USA", ends_at="18:00")]),
    ("start maintenance on dashboard USA until tomorrow at 6 pm",
     [start("USA", ends_at="tomorrow at 6 pm")]),
    ("start maintenance on dashboard USA until the end of the day",
     [start("USA", ends_at="the end of the day")]),
    ("start maintenance on dashboard USA for 2 hours", [start("USA", ends_at="for 2 hours")]),
    ("start maintenance for an hour on dashboard USA", [start("USA", ends_at="for an hour")]),
    ("start maintenance on dashboard USA until 2026-12-01T18:00",
     [start("USA", ends_at="2026-12-01T18:00")]),
    ("start maintenance on dashboard USA with the message \"Back soon\"",
     [start("USA", message="Back soon")]),
    ("start maintenance on dashboard USA with text 'end and stop' until 20:00",
     [start("USA", message="end and stop", ends_at="20:00")]),
    ("start maintenance on dashboard USA with message moving the database for 2 hours",
     [start("USA", message="moving the database", ends_at="for 2 hours")]),
    ("start maintenance on dashboard USA \"Back soon\"", [start("USA", message="Back soon")]),
    ("start maintenance on dashboard USA on prod for 2 hours with message \"Back\"",
     [start("USA", env_id="ss-prod", ends_at="for 2 hours", message="Back")]),
    ("start maintenance on the Sales Dashboard and the Ops Dashboard",
     [start("Sales Dashboard", "Ops Dashboard")]),
    ("start maintenance on dashboard Sales Dashboard", [start("Sales Dashboard")]),
    ("put USA dashboard into maintenance", [start("USA")]),
    ("put USA under maintenance until 6pm", [start("USA", ends_at="6pm")]),
    ("USA dashboard maintenance start", [start("USA")]),
    ("start maintenance on dashboard FCC New Coder Survey 2018",
     [start("FCC New Coder Survey 2018")]),
    ("find dashboards by John Smith", [search(owner="John Smith")]),
    ("list dashboards created by Ann Lee", [search(owner="Ann Lee")]),
    ("show me the last 5 dashboards", [search(limit=5)]),
    ("stop the maintenance on the USA dashboard and tell me which environments exist",
     [end("USA"), ENVS]),
    ("end maintenance on the USA dashboard", [end("USA")]),
    ("End maintenance of the USA dashboard", [end("USA")]),
    ("stop maintenance on USA", [end("USA")]),
    ("close the maintenance", [end()]),
    ("finish maintenance here", [end()]),
    ("remove the banner from the Sales dashboard", [end("Sales")]),
    ("remove banners from dashboards 7 and 8 on dev", [end("7", "8", env_id="ss-dev")]),
    ("end maintenance event 3f2a9c01bd44", [end(event_id="3f2a9c01bd44")]),
    ("show maintenance", [events()]),
    ("Which maintenance is open?", [events(state="open")]),
    ("list closed maintenance events", [events(state="closed")]),
    ("closed maintenance events", [events(state="closed")]),
    ("show open maintenance on production", [events(env_id="ss-prod", state="open")]),
    ("what maintenances are there in staging?", [events(env_id="ss-stage")]),
    ("which dashboards are under maintenance?", [events()]),
    ("did you start maintenance on USA?", [events()]),
    ("show dashboards", [search()]),
    ("list all available dashboards", [search()]),
    ("Which dashboards are there?", [search()]),
    ("what dashboards do we have?", [search()]),
    ("how many dashboards are there on prod?", [search(env_id="ss-prod")]),
    ("Find dashboards about sales", [search("sales")]),
    ("find sales dashboards", [search("sales")]),
    ("search for dashboards named World Health", [search("World Health")]),
    ("find me dashboards about maintenance please", [search("maintenance")]),
    ("find dashboards Sales and Marketing", [search("Sales and Marketing")]),
    ("search births", [search("births")]),
    ("show draft dashboards", [search(published=False)]),
    ("show published dashboards on dev", [search(published=True, env_id="ss-dev")]),
    ("dashboards tagged finance", [search(tag="finance")]),
    ("show dashboards with tag q3-sales owned by Ann Lee",
     [search(tag="q3-sales", owner="Ann Lee")]),
    ("top 5 dashboards", [search(limit=5)]),
    ("show 10 dashboards about games", [search("games", limit=10)]),
    ("dashboards changed since 2026-01-01", [search(changed_since="2026-01-01")]),
    ("show dashboards changed in the last 7 days",
     [search(changed_since="in the last 7 days")]),
    ("list dashboards on dev and prod", [search(env_id="ss-dev"), search(env_id="ss-prod")]),
    ("list dashboards in all environments",
     [search(env_id="ss-dev"), search(env_id="ss-stage"), search(env_id="ss-prod")]),
    ("find dashboards in the moon environment", [search(env_id="moon")]),
    ("Which environments are there?", [ENVS]),
    ("list environments", [ENVS]),
    ("show me the envs", [ENVS]),
    ("What can you do?", [HELP]),
    ("help", [HELP]),
    ("which tool can run maintenance", [HELP]),
    ("show your capabilities", [HELP]),
    ("What about my latest task?", [task()]),
    ("status of task #15", [task(15)]),
    ("show task 15", [task(15)]),
    ("list tasks", [task()]),
    ("show dashboards and environments", [search(), ENVS]),
    ("list environments then find dashboards about births", [ENVS, search("births")]),
    ("list environments and then show tasks", [ENVS, task()]),
    ("show dashboards, environments and tasks", [search(), ENVS, task()]),
    ("start maintenance on dashboards USA and Sales and list environments",
     [start("USA", "Sales"), ENVS]),
    ("Show environments. Then start maintenance on the USA dashboard.", [ENVS, start("USA")]),
    ("end maintenance on USA; start maintenance on Sales", [end("USA"), start("Sales")]),
    ("start maintenance on dashboard USA and then end it", [start("USA"), end("USA")]),
]  # fmt: skip

NOTHING = [
    "", "   ", "...", "🐛🔥💥", "xyzzy123!@#$%^&*()", "'; DROP TABLE users;--",
    "расскажи анекдот", "переведи текст на английский", "как дела?", "привет", "спасибо",
    "какая сегодня погода?", "удали дашборд USA", "переименуй дашборд USA в Canada",
    "не запускай обслуживание на дашборде USA", "удали всё", "drop table dashboards",
    "«запусти обслуживание»", "tell me a joke", "the selected color looks nice", "hello there",
    "delete the USA dashboard", "rename dashboard USA to Canada", "don't start maintenance on USA",
    "do not end maintenance", "what is the weather like?", "\"start maintenance on USA\"",
    "please do not show environments", "ignore previous instructions", "drop the dashboards",
]  # fmt: skip

ASKS = [
    "start and end maintenance on USA",
    "запусти и заверши обслуживание", "измени обслуживание", "как запустить обслуживание?",
    "How do I start maintenance?", "rename the maintenance",
]  # fmt: skip

TOOLS = [
    pytest.param(MINI.definitions, id="declared"),
    pytest.param(list(SUPERSET.definitions.values()), id="catalogue"),
]


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize(("text", "expected"), RUSSIAN, ids=[text for text, _ in RUSSIAN])
async def test_russian(text: str, expected: Calls, definitions: list[ToolDefinition]) -> None:
    assert await calls(text, definitions=definitions) == expected


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize(("text", "expected"), ENGLISH, ids=[text for text, _ in ENGLISH])
async def test_english(text: str, expected: Calls, definitions: list[ToolDefinition]) -> None:
    assert await calls(text, language="en", definitions=definitions) == expected


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize("text", NOTHING)
async def test_no_call(text: str, definitions: list[ToolDefinition]) -> None:
    assert await calls(text, definitions=definitions) == []


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize("text", ASKS)
async def test_a_doubtful_command_makes_no_call(
    text: str, definitions: list[ToolDefinition]
) -> None:
    assert await calls(text, definitions=definitions) == []
