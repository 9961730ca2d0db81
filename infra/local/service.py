"""Which service a command asks: the whole service in this process, or a deployed one over HTTPS.

--sandbox                    in this process, against the sandbox: no network
LITERATURE_SEARCH_URL=…      the service at that address, with LITERATURE_SEARCH_API_KEY
otherwise                    in this process, against the live APIs
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

if TYPE_CHECKING:
    from infra.local.machine import Machine
    from infra.local.sandbox.server import Sandbox


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer; the names of its headers are in lower case."""

    status: int
    body: str
    headers: Mapping[str, str]

    @property
    def ok(self) -> bool:
        """Whether the body holds what was requested, not a problem object."""
        return self.status == 200

    def json(self) -> dict[str, Any]:
        """The body as a JSON object."""
        return dict(json.loads(self.body))


class Service(Protocol):
    """Something that answers the API's requests."""

    def post(self, path: str, **fields: Any) -> Answer:
        """POST a JSON object. Raises ToolError when the service cannot be reached."""


@dataclass(frozen=True, slots=True)
class RemoteService:
    """The service at `LITERATURE_SEARCH_URL`."""

    def post(self, path: str, **fields: Any) -> Answer:
        """POST over HTTPS."""
        from shared.client.transport import send

        response = send("POST", path, fields, {})
        return Answer(response.status_code, response.text, {name.lower(): it for name, it in response.headers.items()})


@dataclass(frozen=True, slots=True)
class LocalService:
    """The service of a machine in this process."""

    machine: Machine

    def post(self, path: str, **fields: Any) -> Answer:
        """Invoke the dispatcher with the event of a request."""
        from infra.local.gateway import rest_event

        told = self.machine.invoke("dispatcher", rest_event("POST", path, body=json.dumps(fields)))
        headers = {name.lower(): values[0] for name, values in told.get("multiValueHeaders", {}).items()}
        return Answer(int(told["statusCode"]), told["body"], headers)


@contextmanager
def opened(*, sandbox: bool) -> Iterator[Service]:
    """The service to ask."""
    if os.environ.get("LITERATURE_SEARCH_URL") and not sandbox:
        yield RemoteService()
        return
    from infra.local.machine import machine

    with machine(sandbox=new_sandbox() if sandbox else None) as running:
        yield LocalService(running)


def new_sandbox() -> Sandbox:
    """A sandbox with the faults in SANDBOX_FAULTS. Raises ValueError when they cannot be read."""
    from infra.local.sandbox.server import Sandbox

    return Sandbox(faults=read_faults(os.environ.get("SANDBOX_FAULTS"), provider_names()))
