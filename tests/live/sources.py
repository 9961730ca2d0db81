"""Sends one request to each real source, with the keys and addresses in the environment."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from importlib import import_module
from types import TracebackType

import httpx

from infra.functions import provider_spec
from shared.aws.runtime.settings import base_url, contact, provider_key
from shared.providers.answering import answer_question
from shared.providers.connection_pool import new_http
from shared.providers.http_client import Client
from shared.providers.provider import ProviderReply, ProviderSpec
from shared.query.query import Query
from shared.query.question import Links, Lookup, Question, TextOf

QUERY = "TREM2 microglia"
# Stable examples: their sources have had them for years.
DOI = "doi:10.7554/elife.20391"
ARXIV_QUERY = "attention"
TEXTS = {  # a paper of each kind of name
    "pmcid": "pmcid:PMC5762154", "arxiv": "arxiv:2303.18223", "url": "url:https://www.bis.org/publ/work268.pdf",
}  # fmt: skip
TIMEOUT_S = 30.0
OnAnswer = Callable[[httpx.Response], None]


def question_for(spec: ProviderSpec) -> Question:
    """A search where the source offers one, else a lookup of one DOI, the references of one, or one full text."""
    if "search" in spec.operations:
        return Query(text=ARXIV_QUERY if spec.name == "arxiv" else QUERY, limit=5)
    if "lookup" in spec.operations:
        return Lookup((DOI,))
    if "references" in spec.operations:
        return Links("references", DOI, limit=5)
    (scheme,) = spec.operations["full_text"]
    return TextOf(TEXTS[scheme])


def missing(spec: ProviderSpec) -> str | None:
    """The environment variable that the source needs and that is not set."""
    if spec.needs_key and not provider_key(spec.name):
        return f"{spec.name.upper()}_API_KEY"
    return "CONTACT_EMAIL" if spec.name == "unpaywall" and not contact() else None


def ask(name: str, on_answer: OnAnswer | None = None) -> ProviderReply:
    """The reply of one source; `on_answer` sees each of its HTTP answers, read to the end."""
    module, spec = import_module(f"functions.providers.{name}"), provider_spec(name)
    started = time.monotonic()
    with _Connection(on_answer) as http:
        client = Client(
            title=spec.title,
            base_url=base_url(spec),
            http=http,
            time_left=lambda: started + TIMEOUT_S - time.monotonic(),
            sleep=time.sleep,
            jitter=random.random,
            now=lambda: datetime.now(UTC),
            key=provider_key(name),
            contact=contact(),
        )
        question = question_for(spec)
        work = getattr(module, question.operation)
        return answer_question(spec, work, question, client, lambda: time.monotonic() - started)


class _Connection(AbstractContextManager[httpx.Client]):
    """The production HTTP client, with a hook on its answers."""

    def __init__(self, on_answer: OnAnswer | None) -> None:
        self._http = new_http(contact())
        if on_answer:
            self._http.event_hooks = {"response": [httpx.Response.read, on_answer]}

    def __enter__(self) -> httpx.Client:
        return self._http

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()
