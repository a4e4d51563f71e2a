"""What became of a write can be asked for, by the one who asked for the write."""

import json

from langchain_core.messages import AIMessage

from tests.agent import answers, asks, cards

START, STATUS = "start_maintenance", "get_task_status"
USA = {"dashboards": ["usa"], "env_id": "ss-dev"}


async def test_a_write_leaves_a_task_of_its_user(talk):
    conversation = talk(asks((START, USA)), AIMessage("ok"))
    assert cards(await conversation.say("go"))
    await conversation.approve()

    mine = talk(asks((STATUS, {})), AIMessage("ok"), thread="t2")
    [answer] = answers((await mine.say("go"))["messages"])
    [task] = json.loads(answer.text)
    assert (task["kind"], task["state"], task["environment"]) == (START, "done", "ss-dev")
    assert (task["progress"], task["total"]) == (1, 1)

    other = talk(asks((STATUS, {})), AIMessage("ok"), thread="t3", user_id="eve")
    assert json.loads(answers((await other.say("go"))["messages"])[0].text) == []
    named = talk(
        asks((STATUS, {"task_id": task["id"]})), AIMessage("ok"), thread="t4", user_id="eve"
    )
    assert answers((await named.say("go"))["messages"])[0].artifact["kind"] == "error"


async def test_tasks_are_told_in_the_language_of_the_question(talk):
    conversation = talk(asks((START, USA)), AIMessage("ok"))
    await conversation.say("go")
    await conversation.approve()
    for words, title in (("Что с моими задачами?", "Начать обслуживание"), ("My tasks?", "Start")):
        planner = talk(thread=words)
        planner.user_id = "olga"
        said = (await planner.say(words))["messages"][-1].text
        assert title in said
        assert "ss-dev" in said


async def test_a_migration_page_gives_the_number_of_its_task(talk):
    page = {"objectType": "migration", "objectId": "77", "contextVersion": 1}
    [answer] = answers(
        (await talk(asks((STATUS, {})), AIMessage("ok")).say("go", page))["messages"]
    )
    assert "77" in answer.text
