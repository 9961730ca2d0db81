"""How the groups send requests, make sources fail, and receive webhooks."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import boto3
import httpcore
from standardwebhooks import Webhook

from tests.compatibility import http_cases as cases
from tests.compatibility.recording import Recorder, readable

NAMES = {
    "arxiv": "arxiv:1706.03762", "doi": "doi:10.1098/rsif.2017.0387", "pmid": "pmid:29618526",
    "pmcid": "pmcid:PMC5938574", "openalex": "openalex:W2963403868",
    "s2": "s2:204e3073870fae3d05bcbc2f6a8e263d9b72e776", "nct": "nct:NCT99163818",
}  # fmt: skip
UNKNOWN = {"doi": "doi:10.9999/none", "pmid": "pmid:999999999", "nct": "nct:NCT99999999"}
VASWANI: dict[str, Any] = {
    "title": "Attention is all you need", "authors": ["Vaswani A"], "year": 2017, "journal": None, "volume": None,
    "pages": None, "text": None,
}  # fmt: skip
RSIF = {
    "title": "Opportunities and obstacles for deep learning in biology and medicine", "authors": ["Ching T"],
    "year": 2018, "journal": "Journal of The Royal Society Interface", "volume": "15", "pages": "20170387",
    "text": None,
}  # fmt: skip
HOST, PUBLIC = "hooks.example.org", "93.184.215.14"
MCP = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def http(it: Recorder, given: Iterable[cases.Case], key: str | None = None) -> None:
    """The cases; `key` is the API key of those that name none."""
    for name, method, path, more in given:
        it.http(name, method, path, **{"key": key, **more})


def rpc(it: Recorder, method: str, parameters: dict[str, Any], saved_as: str = "") -> Any:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
    return it.http(
        saved_as, "POST", "/mcp", message, headers=MCP, key="caller", function="mcp_server", keep=bool(saved_as)
    )


def tool(description: Mapping[str, Any]) -> dict[str, Any]:
    """A tool without its prose: the names of its fields, and those of its parameters."""
    shown: dict[str, Any] = {"name": description.get("name"), "fields": list(description)}
    for field, value in description.items():
        if isinstance(value, Mapping):
            schema = value.get("properties") or value
            shown[field] = list(schema) if "properties" in value else {**tool(value), "fields": list(value)}
    return shown


@contextmanager
def faulty(it: Recorder, faults: Mapping[str, Any]) -> Iterator[None]:
    it.sandbox.faults.update(faults)
    yield
    it.sandbox.faults.clear()


def schedules() -> list[dict[str, Any]]:
    """Every schedule but for its dates of creation."""
    client, group = boto3.client("scheduler"), os.environ["SCHEDULE_GROUP"]
    names = [schedule["Name"] for schedule in client.list_schedules(GroupName=group)["Schedules"]]
    stored_schedules = [client.get_schedule(GroupName=group, Name=name) for name in sorted(names)]
    dates = ("ResponseMetadata", "CreationDate", "LastModificationDate")
    return [{part: it for part, it in one.items() if part not in dates} for one in stored_schedules]


def run(it: Recorder, name: str, search_id: str, due: str) -> None:
    """A run of a saved search, by the event that its schedule sends."""
    group = os.environ["SCHEDULE_GROUP"]
    text = boto3.client("scheduler").get_schedule(GroupName=group, Name=search_id)["Target"]["Input"]
    words = {"schedule-arn": "arn", "scheduled-time": due, "execution-id": "e1", "attempt-number": "1"}
    for word, value in words.items():
        text = text.replace(f"<aws.scheduler.{word}>", value)
    it.event(name, "saved_search_runner", json.loads(text))


@contextmanager
def internet() -> Iterator[list[bytes]]:
    """In which the host of the webhook has a public address, where a receiver answers 200; what it was sent, whole."""
    posts: list[bytes] = []

    class Receiver(httpcore.NetworkStream):
        def __init__(self) -> None:
            self.answer = [b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", b""]
            posts.append(b"")

        def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
            return self.answer.pop(0)

        def write(self, buffer: bytes, timeout: float | None = None) -> None:
            posts[-1] += buffer

        def close(self) -> None:
            pass

        def start_tls(self, *args: Any, **kwargs: Any) -> httpcore.NetworkStream:
            return self

        def get_extra_info(self, info: str) -> Any:
            return self if info == "socket" else None

        def settimeout(self, seconds: float) -> None:
            pass

        def recv(self, size: int) -> bytes:
            return self.read(size)

        def send(self, buffer: bytes) -> int:
            self.write(buffer)
            return len(buffer)

    look_up, connect = socket.getaddrinfo, httpcore.SyncBackend.connect_tcp

    def looked_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        return [(2, 1, 6, "", (PUBLIC, 443))] if host == HOST else look_up(host, *args, **kwargs)

    def connected(backend: httpcore.SyncBackend, host: str, *args: Any, **kwargs: Any) -> httpcore.NetworkStream:
        return Receiver() if host == PUBLIC else connect(backend, host, *args, **kwargs)

    with patch("socket.getaddrinfo", looked_up), patch("httpcore.SyncBackend.connect_tcp", connected):
        yield posts


def signed(post: bytes, secret: str) -> dict[str, Any]:
    """A webhook's request, with the judgement of the specification's own library on its signature."""
    head, _, body = post.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
    Webhook(secret).verify(body.decode(), headers)  # raises when it is not valid
    return {"head": lines, "body": readable(body.decode())}


def questions(name: str, operation: str, schemes: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Events of an operation, by a label."""
    text = "attention" if name == "arxiv" else "TREM2"
    if operation == "search":
        yield "search", {"query": {"text": text, "limit": 2}}
        yield "search filtered", {"query": {"text": text, "limit": 1, "date_from": "2015", "sort": "date"}}
        yield "search nothing", {"query": {"text": "xyzzyplugh", "limit": 2}}
    elif operation == "match":
        yield "match", {"citations": [VASWANI, RSIF]}
        yield "match nothing", {"citations": [{**VASWANI, "title": "Xyzzyplugh", "authors": [], "year": None}]}
    for scheme in schemes:
        known, unknown = NAMES.get(scheme), UNKNOWN.get(scheme)
        for label, paper in {"": known, " unknown": unknown}.items():
            if paper:
                names = {"names": [paper]} if operation in ("lookup", "similar") else {"name": paper, "limit": 2}
                yield f"{operation} {scheme}{label}", names
