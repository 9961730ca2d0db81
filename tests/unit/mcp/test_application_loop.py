"""An ASGI application behind Lambda events: one loop, one lifespan, whichever thread calls."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from functions.mcp_server.application_loop import ApplicationLoop
from infra.local.gateway import rest_event


class Meeting:
    """An application in which two requests wait for each other."""

    def __init__(self) -> None:
        self.lifespans = 0
        self.threads: set[str] = set()
        self._both = asyncio.Event()
        self._waiting = 0
        routes = [Route(f"/{name}", getattr(self, name), methods=["POST"]) for name in ("meet", "echo", "fail")]
        self.loop = ApplicationLoop(Starlette(routes=routes, lifespan=self._lifespan))

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self.lifespans += 1
        yield

    async def meet(self, _: Request) -> PlainTextResponse:
        self.threads.add(threading.current_thread().name)
        self._waiting += 1
        if self._waiting == 2:
            self._both.set()
        await asyncio.wait_for(self._both.wait(), 5)
        return PlainTextResponse("met")

    async def echo(self, request: Request) -> PlainTextResponse:
        caller = request.scope["aws.event"]["requestContext"]["identity"].get("apiKeyId")
        return PlainTextResponse(f"{caller}: {(await request.body()).decode()}", headers={"X-Told": "yes"})

    async def fail(self, _: Request) -> PlainTextResponse:
        raise RuntimeError("inner words")

    def post(self, path: str, body: str | None = None, **wrapped: Any) -> dict[str, Any]:
        return self.loop.answer(rest_event("POST", path, body=body, **wrapped), None)


def test_requests_of_several_threads_are_answered_together_on_one_loop() -> None:
    meeting = Meeting()
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(meeting.post, ["/meet", "/meet"]))
    assert [(answer["statusCode"], answer["body"]) for answer in answers] == [(200, "met")] * 2
    assert (meeting.lifespans, meeting.threads) == (1, {"mcp"})


def test_a_request_brings_what_api_gateway_knows_of_its_caller() -> None:
    event = rest_event("POST", "/echo", body="héllo")
    event["requestContext"]["identity"]["apiKeyId"] = "key-1"
    answer = Meeting().loop.answer(event, None)
    assert answer["body"] == "key-1: héllo"
    assert answer["multiValueHeaders"]["x-told"] == ["yes"]
    assert answer["isBase64Encoded"] is False


def test_a_body_in_base64_is_decoded() -> None:
    assert Meeting().post("/echo", "aMOpbGxv", is_base64=True)["body"] == "None: héllo"


@pytest.mark.parametrize("wrapped", [{"is_base64": True}, {"headers": {"Host": "a:b"}}])
def test_an_event_that_cannot_be_unwrapped_is_a_400(wrapped: dict[str, Any]) -> None:
    assert Meeting().post("/echo", "a", **wrapped)["statusCode"] == 400


def test_a_fault_costs_its_own_request_alone() -> None:
    meeting = Meeting()
    broken = meeting.post("/fail")
    assert (broken["statusCode"], "inner words" in broken["body"]) == (500, False)
    assert meeting.post("/echo", "x")["statusCode"] == 200
