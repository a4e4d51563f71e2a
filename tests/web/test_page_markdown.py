"""The page's Markdown: the subset that answers use, and nothing that acts."""

import random
from typing import Any

import pytest

from tests.browser import Browser
from tests.web.conftest import Open
from tools.messages.markdown import escape, table

RENDER = """
const [texts, done] = arguments;
import("/agent/modules/markdown.js").then(({ render }) => done(texts.map((text) => {
  const box = document.createElement("div");
  box.append(render(text));
  return [box.innerHTML, box.textContent];
}))).catch((error) => done(String(error)));
"""
AUDIT = """
const [texts, done] = arguments;
import("/agent/modules/markdown.js").then(({ render }) => {
  const found = new Set();
  const start = performance.now();
  for (const text of texts) {
    const box = document.createElement("div");
    box.append(render(text));
    for (const node of box.querySelectorAll("*")) {
      found.add(node.tagName.toLowerCase());
      for (const { name, value } of node.attributes) found.add(`${name}=${value}`);
    }
  }
  done([[...found], performance.now() - start]);
}).catch((error) => done(String(error)));
"""
ELEMENTS = {
    *("p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "hr", "pre", "code"),
    *("strong", "em", "div", "table", "thead", "tbody", "tr", "th", "td", "a"),
}
"""All that may come of a text."""


@pytest.fixture
def browser(page: Open) -> Browser:
    return page(token=None)


def html(browser: Browser, *texts: str) -> list[str]:
    """What the page makes of texts."""
    made: Any = browser.driver.execute_async_script(RENDER, list(texts))
    assert isinstance(made, list), made
    return [markup for markup, _ in made]


CASES = {
    "plain": "<p>plain</p>",
    "one\ntwo": "<p>one\ntwo</p>",
    "one\n\ntwo": "<p>one</p><p>two</p>",
    "**bold** and *em* and _em_": "<p><strong>bold</strong> and <em>em</em> and <em>em</em></p>",
    "**a *b* c**": "<p><strong>a <em>b</em> c</strong></p>",
    "snake_case_name and 2*3*4 = 24 * 1": "<p>snake_case_name and 2<em>3</em>4 = 24 * 1</p>",
    "** no bold ** and **open": "<p>** no bold ** and **open</p>",
    "`a < b` and ``x`y``": "<p><code>a &lt; b</code> and <code>x`y</code></p>",
    r"\*not em\* \# \[a\]\(b\)": "<p>*not em* # [a](b)</p>",
    "# Head": "<h3>Head</h3>",
    "#no head": "<p>#no head</p>",
    "- a\n- b\n\n- c": "<ul><li>a</li><li>b</li><li>c</li></ul>",
    "1. a\n2. b": "<ol><li>a</li><li>b</li></ol>",
    "3) a": '<ol start="3"><li>a</li></ol>',
    "- a\n  - b\n    - c\n- d": (
        "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>"
    ),
    "- a\n  more\n\nafter": "<ul><li>a\nmore</li></ul><p>after</p>",
    "text\n- a": "<p>text</p><ul><li>a</li></ul>",
    "> quoted\n> more": "<blockquote><p>quoted\nmore</p></blockquote>",
    "a\n\n---\n\nb": "<p>a</p><hr><p>b</p>",
    "```sql\nselect 1 < 2\n```\nafter": (
        '<pre tabindex="0"><code>select 1 &lt; 2</code></pre><p>after</p>'
    ),
    "```\nnot closed **yet**": '<pre tabindex="0"><code>not closed **yet**</code></pre>',
    "| a | b |\n|---|:-:|\n| 1 | x\\|y |": (
        '<div class="table" tabindex="0"><table><thead><tr><th scope="col">a</th>'
        '<th scope="col">b</th></tr></thead><tbody><tr><td>1</td><td>x|y</td></tr></tbody>'
        "</table></div>"
    ),
    "a | b\n1 | 2": "<p>a | b\n1 | 2</p>",
    "[shown](https://example.org/a?b=1)": (
        '<p>shown (<a href="https://example.org/a?b=1" rel="noopener noreferrer" '
        'target="_blank">https://example.org/a?b=1</a>)</p>'
    ),
    "<https://example.org>": (
        '<p><a href="https://example.org/" rel="noopener noreferrer" target="_blank">'
        "https://example.org/</a></p>"
    ),
    "![secret](https://example.org/?q=1)": (
        '<p>secret (<a href="https://example.org/?q=1" rel="noopener noreferrer" '
        'target="_blank">https://example.org/?q=1</a>)</p>'
    ),
    "[https://bank.example](https://evil.example)": (
        '<p>https://bank.example (<a href="https://evil.example/" rel="noopener noreferrer" '
        'target="_blank">https://evil.example/</a>)</p>'
    ),
    "[a](javascript:alert(1))": "<p>a (javascript:alert(1))</p>",
    "[a](data:text/html,x) [b](/relative) [c](//host)": (
        "<p>a (data:text/html,x) b (/relative) c (//host)</p>"
    ),
    "https://example.org alone": "<p>https://example.org alone</p>",
    "<script>alert(1)</script><img src=x onerror=alert(1)>": (
        "<p>&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;</p>"
    ),
    "safe \u202etxt.exe `\u2066`": "<p>safe \ufffdtxt.exe <code>\ufffd</code></p>",
    "&lt;b&gt;": "<p>&amp;lt;b&amp;gt;</p>",
    "": "",
    " \n\t\n": "",
}


def test_the_subset(browser: Browser) -> None:
    made = html(browser, *CASES)
    assert dict(zip(CASES, made, strict=True)) == CASES


TITLES = [
    "Sales | 2026 *draft* _x_ `code` [a](https://example.org) <b> # 1. - + > ~~~ ![i](x)",
    "# Head",
    "1. one",
    "- item",
    "```",
    "a\\b",
    "www.example.org me@example.org",
    "Обзор «Продажи» & $x$",
]


def test_a_title_that_the_server_escaped_reads_as_it_is(browser: Browser) -> None:
    texts = [escape(title) for title in TITLES]
    texts.append(table(["Title"], [[title] for title in TITLES]))
    made: Any = browser.driver.execute_async_script(RENDER, texts)
    assert [text for _, text in made[:-1]] == TITLES
    assert made[-1][1] == "Title" + "".join(TITLES)
    for title, (markup, _) in zip(TITLES, made, strict=False):
        assert markup.count("<") == markup.count("<p>") * 2 == 2, title


def test_whatever_comes_makes_only_harmless_elements(browser: Browser) -> None:
    choice = random.Random(7)
    pieces = [*"*_`~#>|-+.\\ \n\n[]()!<&", "1. ", "- ", "  ", "```", "**", "|---|", "](", "a", "я"]
    pieces += ["<https://e.org>", "https://e.org", "javascript:x", "<img onerror=x>", " | ", "\t"]
    texts = ["".join(choice.choices(pieces, k=choice.randint(1, 60))) for _ in range(3000)]
    found, _ = browser.driver.execute_async_script(AUDIT, texts)
    elements = {name for name in found if "=" not in name}
    attributes = {name.partition("=")[0] for name in found if "=" in name}
    assert elements <= ELEMENTS
    assert {"a", "table", "li", "code", "strong"} <= elements  # the texts do reach them
    assert attributes <= {"href", "rel", "target", "scope", "start", "class", "tabindex"}
    addresses = {name for name in found if name.startswith("href=")}
    assert all(name.startswith(("href=http://", "href=https://")) for name in addresses)
    assert browser.complaints() == []


LONG = [
    *("[", "**a ", "_a ", "`", "`` ` ", "> ", "- ", "| ", "# ", " ", "*", "\\", "![", "](", "<"),
    *("- a\n", "  - a\n", "> a\n", "|a|\n", "a\n", "\n", "[a](", "**a** ", "~~~ ", "1. a\n "),
]


@pytest.mark.parametrize("piece", LONG, ids=repr)
def test_long_texts_take_no_long_time(browser: Browser, piece: str) -> None:
    texts = [(piece * 199_000)[:199_000], f"{(piece * 190_000)[:190_000]}](x)** `` _ \n\n|-|\n"]
    _, took = browser.driver.execute_async_script(AUDIT, texts)
    assert took < 3000  # milliseconds; each is of the length that is still rendered
