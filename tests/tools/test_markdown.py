"""Hostile titles: what a Markdown reader makes of them is their own text."""

import re

import pytest
from markdown_it import MarkdownIt

from tools.messages.markdown import code, escape, table

HOSTILE = [
    "[click](https://evil.example)",
    "![x](https://evil.example/p.png)",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "a | b | c",
    "**bold** _it_ ~~gone~~ `code`",
    "# heading",
    "- item",
    "+ item",
    "1. item",
    "2) item",
    "> quote",
    "---",
    "===",
    "&lt;b&gt; &amp; &#124;",
    "back\\slash \\[x\\]",
    "[ref]: https://evil.example",
    "<https://evil.example>",
    "$x$ and snake_case_name",
    "Отчёт «Продажи» | 2026 | 100%",
    "'; DROP TABLE users;--",
    "https://evil.example/path",
]


def shown(markdown: str) -> str:
    """The text a reader sees; anything but one plain paragraph fails."""
    tokens = MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(markdown)
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    children = tokens[1].children or []
    assert {child.type for child in children} <= {"text", "text_special"}
    return "".join(child.content for child in children)


@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_is_shown_as_it_is(title: str) -> None:
    assert shown(escape(title)) == title


@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_stays_in_its_cell(title: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(table(["id", "title"], [(7, title)]))
    cells = [token for token in tokens if token.type == "inline"]
    assert len(cells) == 4
    children = cells[-1].children or []
    assert "".join(child.content for child in children) == title
    assert {child.type for child in children} <= {"text", "text_special"}


def test_lines_and_hidden_characters() -> None:
    assert escape("one\n\n# two\r\n\tthree") == "one # two three"
    assert escape("a\u202eb\u200bc\x00d") == "abcd"
    assert escape("USA Births Names") == "USA Births Names"


def test_a_table_has_a_row_each() -> None:
    written = table(["a", "b"], [(1, None), (True, "x\ny")])
    assert written.split("\n") == ["| a | b |", "| --- | --- |", "| 1 |  |", "| True | x y |"]
    assert not re.search(r"\n\n", written)


@pytest.mark.parametrize("row", [("a",), ("a", "b", "c")])
def test_a_row_of_another_length_is_a_mistake(row):
    with pytest.raises(ValueError, match="2 columns"):
        table(["x", "y"], [row])


@pytest.mark.parametrize("text", ["www.evil.example", "WWW.evil.example/x", "a@evil.example"])
def test_nothing_is_left_for_readers_that_find_links_by_themselves(text):
    written = escape(text)
    assert text not in written
    assert MarkdownIt().render(written) == f"<p>{text}</p>\n"


@pytest.mark.parametrize("mark", ["\u061c", "\U000e0041", "\u202e", "\u200b"])
def test_invisible_marks_are_dropped(mark):
    assert escape(f"a{mark}b") == "ab"


@pytest.mark.parametrize(
    "words", ["plain", "``` ends", "````\n<b>x</b>\n```", "![x](https://evil.example)", "~~~", "\n"]
)
def test_code_is_one_block_whatever_is_in_it(words: str) -> None:
    tokens = MarkdownIt("commonmark").parse(f"before\n\n{code(words, 'sql')}\n\nafter")
    (block,) = [token for token in tokens if token.type == "fence"]
    assert (block.content, block.info) == (f"{words}\n", "sql")
    assert [token.type for token in tokens].count("paragraph_open") == 2


def test_code_hides_nothing_and_turns_nothing_around() -> None:
    assert code("a\u202eb\x07c\n\td") == "```\nabc\n\td\n```"
