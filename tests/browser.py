"""A real browser for tests of the page: headless Chromium, driven by Selenium."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

FLAGS = (
    "headless",
    "no-sandbox",
    "disable-gpu",
    "disable-dev-shm-usage",
    "disable-quic",
    "no-first-run",
    "disable-background-networking",
    "disable-component-update",
    "disable-sync",
    "window-size=1000,900",
    "lang=en",
)
"""What Chromium needs as root and in a container, and what keeps it from calling home."""

PATIENCE = 30.0
"""Seconds until something is said to be missing on the page."""


class Browser:
    """The page as a person sees it, and what the browser noticed."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver
        self._events: list[dict[str, Any]] = []

    def find(self, css: str) -> WebElement:
        """The one visible element; it is waited for."""
        return self.until(lambda: self._visible(css), f"nothing to see of {css}")

    def all(self, css: str) -> list[WebElement]:
        """The elements there are now."""
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def text(self, css: str = "body") -> str:
        """What can be read in an element that is there."""
        return self.driver.find_element(By.CSS_SELECTOR, css).text

    def until(self, check: Callable[[], Any], why: str, seconds: float = PATIENCE) -> Any:
        """Wait for a true value."""
        return WebDriverWait(self.driver, seconds, 0.03).until(lambda _: check(), why)

    def says(self, css: str, words: str) -> None:
        """Wait until words can be read in an element."""
        self.until(lambda: words in self.text(css), f"{css} does not say {words!r}")

    def idle(self) -> None:
        """Wait until the page is done with what it does."""
        script = "return !document.body.classList.contains('busy')"
        self.until(lambda: self.run(script), "the page is busy")

    def run(self, script: str, *values: Any) -> Any:
        """The value of a script in the page."""
        return self.driver.execute_script(script, *values)

    def command(self, name: str, **values: Any) -> Any:
        """A command of Chrome's DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, values)

    def sign_in(self, token: str) -> None:
        """Type a token, as a person does."""
        self.find("#token").send_keys(token, "\n")
        self.idle()

    def say(self, words: str) -> None:
        """Type a message and send it."""
        self.find("#message").send_keys(words, "\n")

    def press(self, css: str) -> None:
        """Press a button."""
        self.find(css).click()

    @property
    def focused(self) -> WebElement:
        """Where the keyboard is."""
        return self.driver.switch_to.active_element

    def complaints(self) -> list[str]:
        """What stands on the console since the last look: errors, warnings, refused content."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Every address of a network that was asked for since the start, and every redirect."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                self._events.append(message["params"])
        addresses = [event.get("url") or event["request"]["url"] for event in self._events]
        # Chromium's own first tab is made of chrome: and data:, which leave no machine.
        return [url for url in addresses if not url.startswith(("chrome", "data:", "blob:"))]

    def _visible(self, css: str) -> WebElement | None:
        shown = [element for element in self.all(css) if element.is_displayed()]
        return shown[0] if shown else None


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """Start a browser with a fresh profile in a folder."""
    options = webdriver.ChromeOptions()
    options.binary_location = _program("chromium", "chromium-browser", "google-chrome")
    for flag in (*FLAGS, f"user-data-dir={profile}"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # Named programs: Selenium would look for others on the network.
    service = webdriver.ChromeService(_program("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield Browser(driver)
    finally:
        driver.quit()


def _program(*names: str) -> str:
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise RuntimeError(f"There is no {names[0]} here: run sh scripts/test_tools.sh")
    return found
