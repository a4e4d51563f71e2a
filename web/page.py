"""The page at /agent: a few static files, read once, which anybody may fetch.

They hold no secret: the page asks for a token and sends it with each call of the server's API.
A route of this app is asked for no token unless it asks itself, as `web.approvals` does.
"""

import gzip
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tools.messages import LANGUAGES
from web.texts import page_texts

PAGE = "/agent"

ASSETS = (
    "agent.js",
    "icon.svg",
    "modules/address.js",
    "modules/api.js",
    "modules/card.js",
    "modules/conversation.js",
    "modules/dom.js",
    "modules/follow.js",
    "modules/inline.js",
    "modules/markdown.js",
    "modules/notice.js",
    "modules/peers.js",
    "modules/scroll.js",
    "modules/sse.js",
    "modules/strip.js",
    "modules/texts.js",
    "modules/turn.js",
    "styles/card.css",
    "styles/conversation.css",
    "styles/page.css",
)
"""Files beside this module, served under /agent/ by the same names."""

MEDIA = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Only our own files; and no string ever becomes markup or code, whoever wrote it."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    "Vary": "Accept-Encoding",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

Variant = tuple[bytes, dict[str, str]]
"""What is sent: a body and its headers."""

Endpoint = Callable[[Request], Awaitable[Response]]


def page_routes() -> list[Route]:
    """The routes of the page; each app needs its own, because the server wraps them."""
    routes = [Route(path, _serve(*file), methods=["GET"]) for path, file in FILES.items()]
    return [*routes, Route(f"{PAGE}/", _slash, methods=["GET"])]


def _serve(plain: Variant, small: Variant) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        body, headers = small if "gzip" in request.headers.get("accept-encoding", "") else plain
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers)

    return endpoint


async def _slash(request: Request) -> Response:
    """Lead /agent/ to /agent, by a relative address: a proxy may have put a prefix before it."""
    query = request.url.query
    return RedirectResponse(f"../agent?{query}" if query else "../agent", 308, HEADERS)


def _variants(name: str, content: bytes) -> tuple[Variant, Variant]:
    """A file as it is, and compressed."""
    small, more = gzip.compress(content, mtime=0), {"Content-Encoding": "gzip"}
    kind = {**HEADERS, "Content-Type": MEDIA[name.rpartition(".")[2]]}
    return (content, kind | _tag(content)), (small, kind | _tag(small) | more)


def _tag(body: bytes) -> dict[str, str]:
    return {"ETag": f'"{sha256(body).hexdigest()[:32]}"'}


def _read() -> dict[str, tuple[Variant, Variant]]:
    """The page's files by their path on the server."""
    names = {PAGE: "agent.html"} | {f"{PAGE}/{name}": name for name in ASSETS}
    found = {
        path: _variants(name, files("web").joinpath(name).read_bytes())
        for path, name in names.items()
    }
    for language in LANGUAGES:
        found[f"{PAGE}/texts/{language}.json"] = _variants("texts.json", page_texts(language))
    return found


FILES: Mapping[str, tuple[Variant, Variant]] = MappingProxyType(_read())
"""Read at import: no file is opened while a request is served."""
