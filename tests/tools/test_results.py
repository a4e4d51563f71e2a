import json

import pytest

from tools.results import shorten

LIMIT = 4000


@pytest.mark.parametrize("limit", [500, 1000, 4000, 16000])
@pytest.mark.parametrize(
    "value",
    [
        [{"id": n, "title": f"Отчёт {n}" * 3} for n in range(500)],
        {"total": 500, "items": [{"id": n, "text": "слово. " * 40} for n in range(500)]},
        {"a": {"b": [[n] * 50 for n in range(200)]}},
        {"text": "A sentence. " * 5000},
        [[list(range(100))] * 30] * 30,
        {f"key{n}": list(range(100)) for n in range(300)},
        ["🙂" * 3000, "\n" * 5000, '"' * 5000],
    ],
)
def test_structures_stay_valid_and_fit(value, limit):
    made = shorten(json.dumps(value, ensure_ascii=False), limit, "r1")
    assert len(made) <= limit
    assert json.loads(made)["result_id"] == "r1"


def test_first_items_are_kept_in_order_with_the_total():
    items = [{"id": n, "big": 2**60 + n} for n in range(1000)]
    made = json.loads(shorten(json.dumps(items), LIMIT, "r1"))
    assert made["total"] == 1000
    assert made["items"] == items[: made["shown"]]
    assert made["shown"] > 10


def test_short_results_are_untouched():
    assert shorten('{"a": 1}', LIMIT, "r1") == '{"a": 1}'


@pytest.mark.parametrize("content", ["One. Two! " * 2000, "x" * 9000, "слово " * 3000, "\n" * 9000])
def test_texts_end_with_a_sentence_and_fit(content):
    made = shorten(content, LIMIT, "r1")
    assert len(made) <= LIMIT
    told = json.loads(made)
    assert told["result_id"] == "r1"
    assert told["characters"] == len(content)
    assert told["text"].endswith("[...]")


def test_shortening_twice_fits_again():
    items = [{"id": n, "title": "t" * 50} for n in range(5000)]
    once = shorten(json.dumps(items), 16000, "r1")
    twice = json.loads(shorten(once, LIMIT, "r1"))
    assert twice["total"] == 5000
    assert twice["items"] == items[: twice["shown"]]
