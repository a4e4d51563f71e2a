"""Whether Markdown that holds others' texts does nothing."""

from markdown_it import MarkdownIt


def inert(markdown: str) -> None:
    """Nothing in an answer is a link, an image or markup of its own."""
    flat = MarkdownIt("commonmark").enable("table").parse(markdown)
    tokens = [*flat, *(child for token in flat for child in token.children or [])]
    kinds = {token.type for token in tokens}
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "heading_open"}, kinds
