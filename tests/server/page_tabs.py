"""Not a test: the page at /agent in tabs of one real browser."""

from tests.browser import Browser
from tests.server.deployment import token_for
from tests.server_process import Server

TYPED = "return document.getElementById('message').value"
CARDS = """
return [...document.querySelectorAll("#cards .card")].map((card) => [
  card.dataset.card, card.querySelector(".digest").textContent.split(" ").pop()
]);
"""


class Tabs:
    """The page in tabs of one browser.

    Attributes:
        browser: Acts in the tab that is in front.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser = browser
        self.server = server

    def open(self, thread: str = "", language: str = "en") -> str:
        """Open one more, on a conversation, and sign in; returns its handle."""
        self.browser.driver.switch_to.new_window("tab")
        fragment = f"#thread={thread}" if thread else ""
        self.browser.driver.get(f"{self.server.url}/agent?lang={language}{fragment}")
        self.browser.sign_in(token_for(self.server, "operator"))
        return str(self.browser.driver.current_window_handle)

    def show(self, tab: str) -> None:
        """Bring one to the front."""
        self.browser.driver.switch_to.window(tab)

    def say(self, words: str) -> None:
        """Type a message and wait for the end of its turn."""
        self.browser.say(words)
        self.browser.until(lambda: not self.browser.run(TYPED), "the message is not sent")
        self.browser.idle()

    def unsent(self, words: str) -> None:
        """Type a message where the page sends none, because it waits; it stays in its box."""
        assert self.browser.find("#send").get_attribute("disabled")
        self.browser.say(words)
        assert self.browser.run(TYPED) == words

    def say_in_vain(self, words: str) -> None:
        """Type a message that is refused; it stays in its box."""
        self.browser.say(words)
        self.browser.find("#notice p")
        assert self.browser.run(TYPED) == words

    def approve(self) -> None:
        """Press the one card's button, and wait for what comes of it."""
        self.browser.press(".approve")
        self.browser.idle()

    @property
    def thread(self) -> str:
        """The conversation of the tab in front."""
        return str(self.browser.run("return location.hash")).removeprefix("#thread=")

    @property
    def cards(self) -> list[tuple[str, str]]:
        """Id and digest of each card that is shown."""
        return [tuple(one) for one in self.browser.run(CARDS)]
