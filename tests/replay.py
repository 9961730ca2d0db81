"""Send recorded answers through a provider's own code, over a fake transport and with a clock that never runs out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx

from shared.providers.answering import answer_question
from shared.providers.http_client import Client
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.question import Lookup, Question

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
RECORDINGS = Path(__file__).parents[2] / "shared" / "recordings"
OWN_RECORDINGS = Path(__file__).parent / "recorded"

CONTENT_TYPES = {".json": "application/json", ".xml": "text/xml; charset=UTF-8", ".txt": "text/plain"}


def client_for(
    module: ModuleType, answer: Callable[[httpx.Request], httpx.Response], *, key: str | None = "secret-key"
) -> Client:
    """A client whose every request is answered by `answer`; waiting costs nothing."""
    return Client(
        title=module.SPEC.title,
        base_url="http://provider.test",
        http=httpx.Client(transport=httpx.MockTransport(answer)),
        time_left=lambda: 15.0,
        sleep=lambda seconds: None,
        jitter=lambda: 0.0,
        now=lambda: NOW,
        key=key,
        contact="dev@example.org",
    )


def replay(
    module: ModuleType,
    *bodies: bytes | str | dict[str, Any] | Path,
    status: int = 200,
    content_type: str | None = None,
    query: Question | None = None,
    headers: dict[str, str] | None = None,
) -> ProviderReply:
    """The leg that a provider makes of these bodies, one for each request (the last one is repeated)."""
    waiting = list(bodies)

    def answer(request: httpx.Request) -> httpx.Response:
        body = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        content, kind = _content(body)
        return httpx.Response(
            status, content=content, headers={"content-type": content_type or kind, **(headers or {})}
        )

    return ask(module, answer, query)


def ask(
    module: ModuleType,
    answer: Callable[[httpx.Request], httpx.Response],
    query: Question | None = None,
    *,
    key: str | None = "secret-key",
) -> ProviderReply:
    """The leg that a provider makes when `answer` answers its requests."""
    client = client_for(module, answer, key=key)
    question = query or Query(text="test")
    work = getattr(module, question.operation)
    return answer_question(module.SPEC, work, question, client, lambda: 0.25)


def named(*dois: str) -> Lookup:
    """The question for these DOIs."""
    return Lookup(tuple(f"doi:{doi}" for doi in dois))


def requests_of(
    module: ModuleType, query: Question, bodies: Sequence[dict[str, Any] | str | bytes]
) -> list[httpx.Request]:
    """The requests that a provider sends for a question, when answered with these bodies in turn."""
    sent: list[httpx.Request] = []
    waiting = list(bodies)

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        content, kind = _content(waiting.pop(0) if len(waiting) > 1 else waiting[0])
        return httpx.Response(200, content=content, headers={"content-type": kind})

    ask(module, answer, query)
    return sent


def _content(body: bytes | str | dict[str, Any] | Path) -> tuple[bytes, str]:
    if isinstance(body, Path):
        return body.read_bytes(), CONTENT_TYPES[body.suffix]
    if isinstance(body, dict):
        return json.dumps(body).encode(), "application/json"
    text = body.encode() if isinstance(body, str) else body
    return text, "application/json" if text.lstrip()[:1] in (b"{", b"[") else "text/xml; charset=UTF-8"
