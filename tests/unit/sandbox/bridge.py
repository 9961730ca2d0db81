"""Connects a provider's code to its sandbox without a socket."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import httpx
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from infra.local.sandbox.corpus import Corpus


def over(sandbox: ModuleType, corpus: Corpus) -> Callable[[httpx.Request], httpx.Response]:
    """Return a transport's handler: the sandbox answers from this corpus."""

    def answer(request: httpx.Request) -> httpx.Response:
        builder = EnvironBuilder(
            request.url.path,
            method=request.method,
            query_string=request.url.query.decode(),
            data=request.content,
            headers=list(request.headers.items()),
        )
        given = sandbox.answer(Request(builder.get_environ()), corpus)
        return httpx.Response(given.status_code, content=given.get_data(), headers=dict(given.headers))

    return answer
