"""The service that a command uses: the whole service in this process, or a deployed one over HTTPS.

--sandbox                    in this process, with the sandbox: no network
LITERATURE_SEARCH_URL=…      the service at that address, with LITERATURE_SEARCH_API_KEY
otherwise                    in this process, with the live APIs
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from infra.functions import provider_names
from infra.local.sandbox.faults import read_faults
from shared.client.transport import answer_of, read_answer, refuse_failed, send

if TYPE_CHECKING:
    from infra.local.machine import Machine
    from infra.local.sandbox.server import Sandbox
    from shared.json_types import JsonObject


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP response of a status 2xx; header names are in lower case."""

    body: str
    headers: Mapping[str, str]

    def json(self) -> JsonObject:
        """Parse the body."""
        return dict(json.loads(self.body))


class Service(Protocol):
    """A service that answers the API's requests."""

    def post(self, path: str, **fields: object) -> Answer:
        """Send a POST request with a JSON object. Raises ToolError for every status but 2xx, and without an answer."""

    def get(self, path: str, **parameters: object) -> Answer:
        """Send a GET request. Raises ToolError for every status but 2xx, and without an answer."""


@dataclass(frozen=True, slots=True)
class RemoteService:
    """The service at `LITERATURE_SEARCH_URL`."""

    def post(self, path: str, **fields: object) -> Answer:
        """Send the request over HTTPS."""
        return self._send("POST", path, fields)

    def get(self, path: str, **parameters: object) -> Answer:
        """Send the request over HTTPS."""
        return self._send("GET", path, parameters)

    def _send(self, method: str, path: str, fields: JsonObject) -> Answer:
        response = send(method, path, fields, {})
        refuse_failed(response.status_code, answer_of(response))
        return Answer(response.text, {name.lower(): value for name, value in response.headers.items()})


@dataclass(frozen=True, slots=True)
class LocalService:
    """The service in this process."""

    machine: Machine

    def post(self, path: str, **fields: object) -> Answer:
        """Invoke the function that answers the path with the request as an API Gateway event."""
        from infra.local.gateway import rest_event

        return self._invoke(rest_event("POST", path, body=json.dumps(fields)))

    def get(self, path: str, **parameters: object) -> Answer:
        """Invoke the function that answers the path with the request as an API Gateway event."""
        from infra.local.gateway import rest_event

        return self._invoke(rest_event("GET", path, query={name: [str(it)] for name, it in parameters.items()}))

    def _invoke(self, event: dict[str, Any]) -> Answer:
        response = self.machine.request(event)
        headers = {name.lower(): values[0] for name, values in response.get("multiValueHeaders", {}).items()}
        status = int(response["statusCode"])
        refuse_failed(status, read_answer(status, response["body"], headers))
        return Answer(response["body"], headers)


def is_remote(*, sandbox: bool) -> bool:
    """Whether the options and the environment select a service that goes on when the command has ended."""
    return bool(os.environ.get("LITERATURE_SEARCH_URL")) and not sandbox


@contextmanager
def open_service(*, sandbox: bool) -> Iterator[Service]:
    """Start or connect to the service that the options and the environment select."""
    if is_remote(sandbox=sandbox):
        yield RemoteService()
        return
    from infra.local.machine import machine

    with machine(sandbox=new_sandbox() if sandbox else None) as running:
        yield LocalService(running)


def new_sandbox() -> Sandbox:
    """Return a sandbox with the faults in SANDBOX_FAULTS. Raises ValueError if they are invalid."""
    from infra.local.sandbox.server import Sandbox

    return Sandbox(faults=read_faults(os.environ.get("SANDBOX_FAULTS"), provider_names()))
