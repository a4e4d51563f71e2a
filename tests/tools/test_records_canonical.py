"""Canonical JSON and digests."""

import hashlib

import pytest

from tools.records import CanonicalError, canonical, digest
from tools.records.canonical import MAX_INTEGER, clean, parse, plain


def test_the_text_is_that_of_rfc_8785():
    value = {"ж": [1e30, 4.50, 2e-3, 1e-27], "b": "€$\x0f\nA'\"\\", "a": [None, True, False]}
    expected = '{"a":[null,true,false],"b":"€$\\u000f\\nA\'\\"\\\\","ж":[1e+30,4.5,0.002,1e-27]}'
    assert canonical(value) == expected
    assert digest(value) == hashlib.sha256(expected.encode()).hexdigest()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (7, "7"),
        (1, True),
        (0, False),
        (None, "null"),
        ([], {}),
        ([1, 2], [2, 1]),
        ({"a": None}, {}),
        ("е", "ё"),
        (7, 7.5),
    ],
)
def test_different_things_have_different_digests(one, other):
    assert digest(one) != digest(other)


@pytest.mark.parametrize(
    ("one", "other"), [({"a": 1, "b": 2}, {"b": 2, "a": 1}), ((1, 2), [1, 2]), (7.0, 7)]
)
def test_what_is_one_thing_in_json_has_one_digest(one, other):
    assert digest(one) == digest(other)


def deep(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"a": [0, MAX_INTEGER + 1]}, r"\$\.a\[1\]: a whole number beyond 2\^53 - 1"),
        ({"a": -MAX_INTEGER - 1}, r"\$\.a: a whole number"),
        ([float("nan")], r"\$\[0\]: nan is no number of JSON"),
        ([float("-inf")], r"\$\[0\]: -inf is no number"),
        ({"a": "\ud800"}, r"\$\.a: half a character"),
        ({"\ud800": 1}, r"\$: a key holds half a character"),
        ({1: 2}, r"\$: a key is int, keys must be text"),
        ({"a": {3}}, r"\$\.a: set is no type of JSON"),
        (b"x", r"\$: bytes is no type of JSON"),
        (deep(5000), "nested too deeply"),
    ],
)
def test_what_has_no_canonical_json_says_where_and_why(value, says):
    with pytest.raises(CanonicalError, match=says) as caught:
        digest(value)
    str(caught.value).encode()  # the text itself can be written


@pytest.mark.parametrize(
    "value", [MAX_INTEGER, -MAX_INTEGER, 1e20, -1e20, 1e300, 5e-324, 0.1, "\0", {"a": {"b": []}}]
)
def test_reading_and_writing_again_gives_the_same_text(value):
    written = canonical(value)
    assert canonical(parse(written)) == written
    assert parse(written) == value


def test_plain_leaves_good_values_alone_and_takes_everything():
    good = {"a": [1, 2.5, None, True, "ж"], "b": {}}
    assert plain(good) == good
    assert plain({1: {2}, "big": -(2**80)}) == {"1": "<set>", "big": str(-(2**80))}
    canonical(plain({"deep": deep(5000), "inf": float("inf"), "odd": object()}))


@pytest.mark.parametrize(
    ("words", "cleaned"),
    [
        ("plain", "plain"),
        ("ж😀", "ж😀"),
        ("a\0b", "a�b"),
        ("a\ud800b", "a�b"),
        ("\udc00", "�"),
        ("\ud83d\ude00", "😀"),
    ],
)
def test_clean_words_can_be_stored(words, cleaned):
    assert clean(words) == cleaned
