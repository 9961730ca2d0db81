"""moto's DynamoDB and S3 behind a port of loopback, so that several processes share tables and files.

One thread answers one whole request after the other: nothing comes between a condition and its write, as in DynamoDB.
It runs as a process, sends its port through a connection, and ends with it.
"""

from __future__ import annotations

import asyncio
import os
import threading
from contextlib import suppress
from multiprocessing.connection import Connection

import boto3
from botocore.awsrequest import AWSPreparedRequest
from botocore.compat import HTTPHeaders
from moto import mock_aws
from moto.core.models import botocore_stubber

from infra.local.machine import CREDENTIALS
from infra.local.resources import REGION, create_resources, create_tables

# By these addresses moto knows which service is meant; a request to S3 names a bucket and a key in its path.
ADDRESS = f"https://dynamodb.{REGION}.amazonaws.com/"
FILES_ADDRESS = f"https://s3.{REGION}.amazonaws.com"
# Hundreds of threads may knock at the same moment; who is not let in line tries again after a whole second.
LINE = 1024


class _Connection(asyncio.Protocol):
    """One open connection of an AWS client: no more of HTTP than it uses, since all callers wait for this thread."""

    def __init__(self) -> None:
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, end, rest = self._received.partition(b"\r\n\r\n")
        if not end:
            return
        requested, *lines = head.decode("latin-1").split("\r\n")
        headers = HTTPHeaders()
        for line in lines:
            name, _, value = line.partition(":")
            headers[name] = value.strip()
        length = int(headers.get("Content-Length") or 0)
        if len(rest) >= length:
            self._received = rest[length:]
            self._transport.write(_answer(requested, headers, rest[:length]))
        elif headers.get("Expect") and not rest:
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")


def _answer(requested: str, headers: HTTPHeaders, body: bytes) -> bytes:
    method, path, _ = requested.split(" ")
    address = ADDRESS if path == "/" else f"{FILES_ADDRESS}{path}"
    reply = botocore_stubber.process_request(AWSPreparedRequest(method, address, headers, body, stream_output=False))
    assert reply is not None, "moto does not know its own address"
    status, answered, text = reply
    content = text.encode() if isinstance(text, str) else bytes(text)
    lines = [f"HTTP/1.1 {status} Answered", *(f"{name}: {value}" for name, value in answered.items())]
    if not any(line.lower().startswith("content-length:") for line in lines):
        lines.append(f"Content-Length: {len(content)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + content


def _end_with_parent(parent: Connection) -> None:
    """However the parent ends, its end of the connection closes, and this process ends as well."""
    with suppress(EOFError):
        parent.recv()
    os._exit(0)


async def _serve(parent: Connection) -> None:
    server = await asyncio.get_running_loop().create_server(_Connection, "127.0.0.1", 0, backlog=LINE)
    parent.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def main(parent: Connection) -> None:
    """Until the parent ends or kills it."""
    threading.Thread(target=_end_with_parent, args=(parent,), name="parent", daemon=True).start()
    os.environ.update(CREDENTIALS)
    with mock_aws():
        create_tables(boto3.Session(region_name=REGION))
        create_resources()
        asyncio.run(_serve(parent))
