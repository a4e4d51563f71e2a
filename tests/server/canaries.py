"""Finds a text in bytes however it was written: quoted, escaped, encoded, or compressed."""

import base64
import json
import re
import zlib
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

PACKED = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")
"""How a gzip or zlib stream begins."""

MOST = 2**26
EITHER = zlib.MAX_WBITS | 32


def holds(content: bytes, secret: str) -> bool:
    """Whether some form of a text stands in what `unpacked` gave."""
    return any(form in content for form in forms(secret))


def forms(secret: str) -> set[bytes]:
    """The ways in which a text may be written down."""
    raw = secret.encode()
    texts = {
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        repr(secret)[1:-1],
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
        raw.hex(),
    }
    return {raw, *(text.encode() for text in texts), *_in_base64(raw)}


def _in_base64(raw: bytes) -> Iterator[bytes]:
    """A text inside of a longer one has three forms: where it starts in a group of three bytes."""
    for shift in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            whole = encode(b"\0" * shift + raw)
            # The first and the last character hold bits of the neighbours as well.
            yield whole[-(-shift * 8 // 6) : (shift + len(raw)) * 8 // 6]


def unpacked(content: bytes) -> bytes:
    """The content, and behind it every compressed stream inside of it."""
    return b"\0".join([content, *_streams(content)])


def _streams(content: bytes) -> Iterator[bytes]:
    for found in PACKED.finditer(content):
        try:
            yield zlib.decompressobj(EITHER).decompress(content[found.start() :], MOST)
        except zlib.error:
            continue  # two bytes that only look like it
