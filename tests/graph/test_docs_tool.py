"""The tools that docs/adding-a-tool.md builds run as they stand there, on a real Superset."""

import re
import sys
from importlib.util import module_from_spec, spec_from_loader

import pytest
from fluent.runtime import FluentBundle, FluentResource
from langchain_core.messages import AIMessage

from scripts.layout import ROOT
from tests.agent import Conversation, answers, asks, cards, planner
from tests.doubles import ScriptedChatModel
from tools import messages
from tools.catalog import Catalog
from tools.connect import Services

PAGE = (ROOT / "docs" / "adding-a-tool.md").read_text(encoding="utf-8")
TEXTS = {language: messages.sources(language) for language in messages.LANGUAGES}


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def catalog(monkeypatch: pytest.MonkeyPatch) -> Catalog:
    """The catalogue of the page's toolset, with the page's texts."""
    bundles: dict[str, FluentBundle] = {}
    for content in blocks("ftl"):
        language = content.split()[1]
        bundles[language] = FluentBundle([language], use_isolating=False)
        for source in (*TEXTS[language].values(), content):
            bundles[language].add_resource(FluentResource(source))
    monkeypatch.setattr(messages, "_BUNDLES", bundles)
    module = module_from_spec(spec_from_loader("tools_of_the_page", loader=None))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile("\n\n".join(blocks("python")), module.__name__, "exec"), module.__dict__)
    return Catalog.of(module.TITLES)


@pytest.mark.parametrize(
    ("words", "said"),
    [("Сколько черновиков в ss-dev?", "чернов"), ("How many drafts are there in ss-dev?", "draft")],
)
async def test_the_read_answers_in_both_languages(
    catalog: Catalog, services: Services, words: str, said: str
) -> None:
    talk = Conversation(services, planner(services.settings), catalog=catalog, role="admin")
    state = await talk.say(words)
    dev = services.superset("ss-dev", "admin")
    drafts = [row async for row in dev.rows("dashboard", ["id", "published"])]
    expected = sum(not row["published"] for row in drafts)
    assert expected > 1
    assert f"{expected} {said}" in state["messages"][-1].text


async def test_the_write_asks_first_and_changes_exactly_that(
    catalog: Catalog, services: Services
) -> None:
    dev = services.superset("ss-dev", "admin")
    usa = await dev.dashboard("usa")
    arguments = {"env_id": "ss-dev", "dashboard": "usa", "title": "Births"}
    model = ScriptedChatModel(steps=[asks(("rename_dashboard", arguments)), AIMessage("Done.")])
    talk = Conversation(services, model, catalog=catalog, role="admin")
    (card,) = cards(await talk.say("Rename it"))
    assert usa.title in card["differences"][0]
    assert (await dev.dashboard("usa")).title == usa.title
    await talk.approve()
    assert (await dev.dashboard(usa.id)).title == "Births"


async def test_without_the_right_it_is_denied(catalog: Catalog, services: Services) -> None:
    arguments = {"env_id": "ss-dev", "dashboard": "usa", "title": "Births"}
    model = ScriptedChatModel(steps=[asks(("rename_dashboard", arguments)), AIMessage("Done.")])
    talk = Conversation(services, model, catalog=catalog, role="viewer")
    state = await talk.say("Rename it")
    (answer,) = answers(state["messages"])
    assert answer.artifact["kind"] == "denied"
    assert (await services.superset("ss-dev", "admin").dashboard("usa")).title != "Births"
