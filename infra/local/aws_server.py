"""One emulated AWS for several processes: this process's moto answers what the botocore clients of others request.

Their botocore builds each request and reads each response, as always; `multiprocessing.connection` carries both, at a
tenth of what HTTP and a web framework would cost. Item operations of DynamoDB and files of S3 go straight to moto, as
they do within one process (`dynamodb_hook`, `s3_hook`). Only processes that have this one's `authkey`, as its children
do, can connect.
"""

from __future__ import annotations

import io
import json
import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import AuthenticationError, current_process
from multiprocessing.connection import Client, Connection, Listener
from queue import Empty, LifoQueue
from selectors import EVENT_READ, BaseSelector, DefaultSelector
from types import SimpleNamespace
from typing import Any, TypeAlias

import boto3
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders
from botocore.model import OperationModel
from moto.core.models import botocore_stubber

from infra.local.dynamodb_hook import LOCK, OPERATIONS, call, with_bytes
from infra.local.lambda_hook import new_response
from infra.local.s3_hook import OPERATIONS as FILE_OPERATIONS
from infra.local.s3_hook import answer as answer_file

BACKLOG = 128


@dataclass(frozen=True, slots=True)
class _ItemOperation:
    """An item operation of DynamoDB; `body` is its JSON."""

    name: str
    body: str
    headers: dict[str, str]
    region: str


@dataclass(frozen=True, slots=True)
class _FileOperation:
    """Reading or writing a file of S3; `body` is empty for reading."""

    name: str
    url: str
    body: bytes


@dataclass(frozen=True, slots=True)
class _HttpRequest:
    """Any other request to AWS."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes


_Request: TypeAlias = _ItemOperation | _FileOperation | _HttpRequest


@contextmanager
def answering_other_processes() -> Iterator[str]:
    """While inside, requests at the address that is returned are answered by moto, which must be active."""
    connections = DefaultSelector()
    with Listener(backlog=BACKLOG, authkey=current_process().authkey) as listener:
        threading.Thread(target=_accept, args=(listener, connections), name="aws-accept", daemon=True).start()
        threading.Thread(target=_answer_all, args=(connections,), name="aws", daemon=True).start()
        yield str(listener.address)


def _accept(listener: Listener, connections: BaseSelector) -> None:
    while True:
        try:
            connections.register(listener.accept(), EVENT_READ)
        except (AuthenticationError, EOFError, ConnectionError):
            continue
        except OSError:  # the listener was closed
            return


def _answer_all(connections: BaseSelector) -> None:
    """Answer the requests of all connections, one after the other.

    In one thread, since moto answers one request at a time: threads for each connection would wait for its lock, and
    spend their time on handing it over.
    """
    while True:
        for ready, _ in connections.select():  # it notices those that are added meanwhile
            connection: Any = ready.fileobj
            if not _answer_one(connection):
                connections.unregister(connection)
                connection.close()


def _answer_one(connection: Connection) -> bool:
    """Answer the next request of a connection; False if it has none, or none that moto can answer."""
    try:
        request = connection.recv()
        with LOCK:  # moto's answers may share parts with its tables: they must not change while they are written
            connection.send(_answered(request))
    except (EOFError, OSError):  # its process has closed it
        return False
    except Exception:  # of moto: it must not end the answers to others
        logging.getLogger(__name__).exception("a request to the emulated AWS failed")
        return False
    return True


def _answered(request: _Request) -> tuple[int, Any, Any]:
    """The status and the parsed answer of an operation, or the status, headers and body of any other request.

    A file operation has the file's bytes in place of the body, and the status 404 for a file that is not there.
    """
    if isinstance(request, _FileOperation):
        found = answer_file(request.name, {"url": request.url, "body": request.body})
        if found is None:
            return 404, None, None
        parsed = found[1]
        return 200, parsed, parsed.pop("Body", io.BytesIO()).read()
    if isinstance(request, _ItemOperation):
        model = boto3.client("dynamodb").meta.service_model.operation_model(request.name)
        response, parsed = call(model, with_bytes(json.loads(request.body)), request.headers, request.region)
        return response.status_code, parsed, None
    prepared = AWSPreparedRequest(request.method, request.url, _headers(request.headers), request.body, False)
    answer = botocore_stubber.process_request(prepared)
    if answer is None:
        return 501, {}, b"moto does not have this operation"
    status, headers, body = answer
    return status, dict(headers), body.encode() if isinstance(body, str) else body


def _headers(headers: Mapping[str, str]) -> HTTPHeaders:
    return HTTPHeaders.from_dict(dict(headers))


class _Connections:
    """Connections to the process at an address: as many as there are requests at the same time."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._idle: LifoQueue[Connection] = LifoQueue()

    def exchange(self, request: _Request) -> tuple[int, Any, Any]:
        """Send a request and return its answer. Raises EOFError or OSError when the other process has ended."""
        try:
            connection = self._idle.get_nowait()
        except Empty:
            connection = Client(self._address, authkey=current_process().authkey)
        connection.send(request)
        answer: tuple[int, Any, Any] = connection.recv()
        self._idle.put(connection)
        return answer


def forward_requests(session: boto3.Session, address: str) -> None:
    """From now on, clients of this session reach the emulated AWS at this address. Call it once for a session."""
    connections = _Connections(address)

    def operate(model: OperationModel, params: dict[str, Any], context: dict[str, Any], **_: Any) -> Any:
        if model.name not in OPERATIONS:
            return None
        body = params["body"]
        text = body.decode() if isinstance(body, bytes) else body
        request = _ItemOperation(model.name, text, dict(params["headers"]), context["client_region"])
        status, parsed, _none = connections.exchange(request)
        return SimpleNamespace(status_code=status), parsed

    def read_or_write(model: OperationModel, params: dict[str, Any], **_: Any) -> Any:
        if model.name not in FILE_OPERATIONS:
            return None
        status, parsed, content = connections.exchange(
            _FileOperation(model.name, params["url"], _bytes(params["body"]))
        )
        if status != 200:
            return None  # botocore sends the request, and moto says in S3's form what is missing
        body = {"Body": io.BytesIO(content)} if model.name == "GetObject" else {}
        return SimpleNamespace(status_code=status), {**parsed, **body}

    def send(request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        data = _bytes(request.body)
        headers = {name: _text(value) for name, value in request.headers.items()}
        status, answered, content = connections.exchange(_HttpRequest(str(request.method), request.url, headers, data))
        return new_response(request.url, status, content, answered)

    session.events.register_last("before-call.dynamodb", operate)
    session.events.register_last("before-call.s3", read_or_write)
    # The stub says that hooks return nothing; this event's may return the response.
    session.events.register_last("before-send", send)  # type: ignore[arg-type]


def _bytes(body: Any) -> bytes:
    """The body of a request, which may be a text or a stream."""
    if isinstance(body, str):
        return body.encode()
    return bytes(body.read() if hasattr(body, "read") else body or b"")


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
