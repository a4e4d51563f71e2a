"""One browser and one played server for all tests of the page; each test opens the page anew."""

from collections.abc import Callable, Iterator

import pytest

from tests.browser import Browser, chromium
from tests.web.played_server import TOKEN, Play, played

QUERY = "objectType=dashboard&objectId=3&envId=dev&contextVersion=1"
Open = Callable[..., Browser]


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, str, Play]]:
    with played() as (url, play), chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser, url, play


@pytest.fixture
def play(stage: tuple[Browser, str, Play]) -> Play:
    """The play, with nothing in it yet."""
    play = stage[2]
    play.reset()
    play.keeps()
    return play


@pytest.fixture
def page(stage: tuple[Browser, str, Play], play: Play) -> Open:
    """Open the page: `page(lang="ru", thread=...)`; signed in, unless `token` is None."""
    browser, url, _ = stage

    def open_page(
        query: str = QUERY,
        lang: str = "en",
        thread: str = "",
        token: str | None = TOKEN,
        path: str = "/agent",
    ) -> Browser:
        browser.driver.get("about:blank")  # a new fragment alone loads no page
        fragment = f"#thread={thread}" if thread else ""
        browser.driver.get(f"{url}{path}?{query}&lang={lang}{fragment}")
        browser.complaints()
        if token is not None:
            browser.sign_in(token)
        return browser

    return open_page
