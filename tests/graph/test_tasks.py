"""What became of a write can be asked for, by the one who asked for the write."""

import json
from datetime import timedelta

from langchain_core.messages import AIMessage

from tests.agent import answers, asks, cards
from tools.catalog import SUPERSET
from tools.connect import LOST, Services, utc_now

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


async def test_write_whose_process_is_gone_is_unknown_not_running(talk, services):
    conversation = talk(asks((START, USA)), AIMessage("ok"))
    await conversation.say("go")

    def die(records):
        [row] = records.approvals.for_call("t1", "c1")
        records.approvals.approve(row.id, row.digest, "olga", services.clock())
        records.approvals.begin(
            "t1", "c1", tool=START, requested=USA, user_id="olga",
            policy_version=row.policy_version, now=services.clock(),
        )  # fmt: skip
        records.tasks.start(
            START, env_id="ss-dev", thread_id="t1", user_id="olga", title="x", total=1,
            now=services.clock(),
        )  # fmt: skip

    await services.store(die)
    later = Services(services.settings, clock=lambda: utc_now() + timedelta(minutes=11))
    asked = talk(asks((STATUS, {})), AIMessage("ok"), thread="t9")
    asked.services = later
    [answer] = answers((await asked.say("go"))["messages"])
    assert json.loads(answer.text)[0]["state"] == "unknown"
    [row] = await later.store(lambda records: records.approvals.for_call("t1", "c1"))
    assert row.state == "unknown"
    await later.aclose()


async def test_every_tool_is_given_up_long_before_its_write_counts_as_lost():
    limits = [one.timeout or 0 for one in SUPERSET.definitions.values()]
    assert max(limits) * 2 < LOST.total_seconds()


async def test_user_of_one_environment_sees_no_task_of_another(talk):
    conversation = talk(asks((START, USA)), AIMessage("ok"))
    await conversation.say("go")
    await conversation.approve()
    narrow = talk(asks((STATUS, {})), AIMessage("ok"), thread="t5")
    narrow.environments = frozenset({"ss-prod"})
    [answer] = answers((await narrow.say("go"))["messages"])
    assert json.loads(answer.text) == []
