"""The page's files: closed headers, nothing inline or from elsewhere, both languages, small."""

import gzip
import json
import re
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from tools.messages import LANGUAGES, sources
from tools.settings import parse_settings
from web.app import make_app
from web.page import ASSETS, FILES, POLICY
from web.texts import page_texts

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
SCRIPTS = [name for name in ASSETS if name.endswith(".js")]
STYLES = [name for name in ASSETS if name.endswith(".css")]
PATHS = [*FILES, "/agent/"]


@pytest.fixture(scope="module")
def http() -> TestClient:
    return TestClient(make_app(parse_settings({})), follow_redirects=False)


def source(name: str) -> str:
    return (WEB / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_closed_headers(http: TestClient, path: str) -> None:
    answer = http.get(path)
    assert answer.status_code == (308 if path == "/agent/" else 200)
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-cache"
    assert "set-cookie" not in answer.headers
    assert http.head(path).status_code == answer.status_code


def test_the_policy_lets_in_only_our_own_files() -> None:
    parts = dict(part.split(" ", 1) for part in POLICY.split("; "))
    assert parts == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "img-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }


def test_each_file_comes_with_its_kind(http: TestClient) -> None:
    kinds = {path: http.get(path).headers["content-type"].split(";")[0] for path in FILES}
    assert kinds["/agent"] == "text/html"
    assert kinds["/agent/icon.svg"] == "image/svg+xml"
    assert {kinds[f"/agent/{name}"] for name in SCRIPTS} == {"text/javascript"}
    assert {kinds[f"/agent/{name}"] for name in STYLES} == {"text/css"}
    assert kinds["/agent/texts/ru.json"] == "application/json"


def test_a_file_that_has_not_changed_is_not_sent_again(http: TestClient) -> None:
    for encoding in ("gzip", "identity"):
        headers = {"accept-encoding": encoding}
        first = http.get("/agent/agent.js", headers=headers)
        tag = first.headers["etag"]
        again = http.get("/agent/agent.js", headers=headers | {"if-none-match": tag})
        assert (again.status_code, again.content) == (304, b"")
        assert first.text == source("agent.js")
        assert first.headers.get("content-encoding") == (encoding if encoding == "gzip" else None)
        assert first.headers["vary"] == "Accept-Encoding"


def test_a_slash_too_many_leads_to_the_page_with_its_context(http: TestClient) -> None:
    assert http.get("/agent/?objectId=3").headers["location"] == "../agent?objectId=3"
    assert http.get("/agent/").headers["location"] == "../agent"


@pytest.mark.parametrize(
    "path", ["/agent/app.py", "/agent/page.py", "/agent/../pyproject.toml", "/agent/%2e%2e/app.py"]
)
def test_nothing_else_is_served(http: TestClient, path: str) -> None:
    assert http.get(path).status_code == 404
    assert http.post("/agent").status_code == 405


def test_every_file_of_the_page_is_served() -> None:
    kept = {
        str(path.relative_to(WEB))
        for path in WEB.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc", ".typed")
    }
    assert kept == {*ASSETS, "agent.html"}


async def test_no_file_is_opened_while_a_request_is_served() -> None:
    app = make_app(parse_settings({}))  # under blockbuster: opening one would raise
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
        assert [(await client.get(path)).status_code for path in FILES] == [200] * len(FILES)


class Markup(HTMLParser):
    """What a page loads, and what stands in it as code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.inline: list[str] = []
        self.fields: dict[str, str] = {}
        self.labels: set[str] = set()
        self._script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = {name: value or "" for name, value in attrs}
        self._script = tag == "script"
        self.loaded += [facts[name] for name in ("src", "href") if name in facts]
        self.inline += [name for name in facts if name == "style" or name.startswith("on")]
        if tag == "style":
            self.inline.append(tag)
        if tag in ("input", "textarea"):
            self.fields[facts["id"]] = tag
        if tag == "label":
            self.labels.add(facts["for"])

    def handle_data(self, data: str) -> None:
        if self._script and data.strip():
            self.inline.append(data)


def test_the_html_holds_no_code_and_loads_only_our_own(http: TestClient) -> None:
    page = Markup(source("agent.html"))
    assert page.inline == []
    assert page.fields.keys() == page.labels
    for address in page.loaded:
        # Relative, so that the page works under any prefix of a proxy.
        assert not address.startswith(("/", "http")), address
        assert http.get(f"/{address}").status_code == 200


def test_the_checks_of_the_html_can_fail() -> None:
    page = Markup('<b style="x" onclick="y"></b><style></style><script>z</script><img src="/q">')
    assert page.inline == ["style", "onclick", "style", "z"]
    assert page.loaded == ["/q"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_makes_no_markup_of_text_and_keeps_nothing(name: str) -> None:
    dangers = r"""innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|
        localStorage|sessionStorage|indexedDB|document\.cookie|\bcaches\b|console\.(log|info|debug)|
        postMessage|setTimeout\(["'`]|https?://[\w.-]*\w\.\w"""
    assert re.findall(dangers, source(name), re.VERBOSE) == []


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_imports_only_what_is_served(name: str, http: TestClient) -> None:
    folder = f"/agent/{name}".rpartition("/")[0]
    for imported in re.findall(r'from "(\./[^"]+)"', source(name)):
        assert http.get(f"{folder}/{imported[2:]}").status_code == 200, imported
    assert not re.search(r"(?<!\{)\bimport\(", source(name))


TEXTS: dict[str, dict[str, str]] = {
    language: json.loads(page_texts(language)) for language in LANGUAGES
}


def test_both_languages_have_the_same_texts_with_the_same_slots() -> None:
    assert TEXTS["ru"].keys() == TEXTS["en"].keys()
    for key in TEXTS["ru"]:
        slots = [set(re.findall(r"\{(\w+)\}", TEXTS[language][key])) for language in LANGUAGES]
        assert slots[0] == slots[1], key
        assert "$" not in TEXTS["ru"][key]


def test_every_text_is_used_and_every_used_text_exists() -> None:
    files = [source(name) for name in (*SCRIPTS, "agent.html")]
    used = {key for text in files for key in re.findall(r"""["'](page-[a-z-]+[a-z])["']""", text)}
    starts = {key for text in files for key in re.findall(r"`(page-[a-z-]*-)\$\{", text)}
    have = {key for key in TEXTS["en"] if key.startswith("page-")}
    assert used - have == set()
    unused = have - used
    assert {key for key in unused if not key.startswith(tuple(starts))} == set()


def test_the_kinds_of_answers_and_refusals_have_texts() -> None:
    kinds = re.search(r"KINDS = \{(.*?)\}", source("modules/api.js"), re.DOTALL)
    assert kinds is not None
    failures = {*re.findall(r'"(\w+)"', kinds[1]), "network", "server"}
    tools = re.search(r"KINDS = \[(.*)\]", source("modules/conversation.js"))
    assert tools is not None
    states = {*re.findall(r'"(\w+)"', tools[1]), "waiting", "running", "open"}
    needed = {f"page-error-{kind}" for kind in failures} | {f"page-tool-{kind}" for kind in states}
    needed |= {f"page-card-risk-{risk}" for risk in ("safe", "guarded", "dangerous")}
    assert needed <= TEXTS["en"].keys()


def test_the_tools_have_their_names() -> None:
    names = {key for key in TEXTS["ru"] if key.startswith("tool-")}
    assert {"tool-start-maintenance", "tool-show-capabilities"} <= names
    assert "page.ftl" in sources("ru")


def test_the_page_is_small() -> None:
    whole = b"".join(plain for (plain, _), _ in FILES.values())
    assert len(gzip.compress(whole)) < 25_000
    visit = [small for path, (_, small) in FILES.items() if path != "/agent/texts/ru.json"]
    assert sum(len(body) for body, _ in visit) < 28_500  # each file compressed for itself


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_in_both_schemes(scheme: str) -> None:
    css = source("styles/page.css")
    light, dark = css.split("prefers-color-scheme: dark", 1)
    known = colours(light) if scheme == "light" else colours(light) | colours(dark)
    words = ("ink", "muted", "accent", "good", "warn", "bad")
    pairs = [(word, ground) for word in words for ground in ("ground", "surface")]
    pairs += [("ink", "raised"), ("muted", "raised"), ("on-accent", "accent"), ("on-bad", "bad")]
    weak = {pair: contrast(known[pair[0]], known[pair[1]]) for pair in pairs}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 4.5} == {}
    assert round(contrast("#ffffff", "#767676"), 2) == 4.54  # the formula is WCAG's


@pytest.mark.parametrize("name", STYLES)
def test_colours_are_named_once(name: str) -> None:
    css = source(name)
    if name == "styles/page.css":  # names them
        css = re.sub(r"--[a-z-]+:[^;]+;", "", css)
    assert re.findall(r"#[0-9a-f]{3,8}\b", css) == []


def test_every_style_is_used_and_loads_nothing() -> None:
    assert sorted(re.findall(r'href="agent/(.+\.css)"', source("agent.html"))) == STYLES
    assert re.findall(r"@import|url\(", "".join(map(source, STYLES))) == []


def test_the_wheel_holds_the_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    needed: Any = {f"web/{name}" for name in (*ASSETS, "agent.html")}
    needed |= {f"tools/messages/{language}/page.ftl" for language in LANGUAGES}
    assert needed <= names
