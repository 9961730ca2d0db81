"""Messages that JSON-RPC 2.0 or MCP do not allow: refused with -32600, and never run as a notification.

https://www.jsonrpc.org/specification, sections 4 and 5.1; https://modelcontextprotocol.io/specification, Base Protocol.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine

VERSION = '"protocolVersion": "2025-11-25"'
SEARCH = '"method": "tools/call", "params": {"name": "literature_search", "arguments": {"query": "TREM2"}}'


def post(local: Machine, body: str, *, is_base64: bool = False) -> tuple[int, Any]:
    headers = {
        "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25", "Host": "abc.execute-api.eu-central-1.amazonaws.com",
    }  # fmt: skip
    answer = local.invoke("mcp_server", rest_event("POST", "/mcp", headers=headers, body=body, is_base64=is_base64))
    return answer["statusCode"], json.loads(answer["body"]) if answer["body"] else None


REFUSED = {
    "an id with a fraction": f'{{"jsonrpc": "2.0", "id": 1.5, {SEARCH}}}',
    "an id that is null": f'{{"jsonrpc": "2.0", "id": null, {SEARCH}}}',
    "an id that is an object": f'{{"jsonrpc": "2.0", "id": {{}}, {SEARCH}}}',
    "an id that is an array": f'{{"jsonrpc": "2.0", "id": [], {SEARCH}}}',
    "an id that is a flag": f'{{"jsonrpc": "2.0", "id": true, {SEARCH}}}',
    "another version": '{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
    "no method": '{"jsonrpc": "2.0", "id": 1}',
    "a method that is a number": '{"jsonrpc": "2.0", "id": 1, "method": 5}',
    "parameters that are a number": '{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": 5}',
    "a batch": '[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]',
    "a text": '"ping"',
    "an id that is given twice": '{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}',
    "an argument that is given twice": f'{{"jsonrpc": "2.0", "id": 1, {SEARCH[:-2]}, "query": "tau"}}}}}}',
}


@pytest.mark.parametrize("is_base64", [False, True], ids=["text", "base64"])
@pytest.mark.parametrize("name", REFUSED)
def test_a_message_that_is_no_request_is_refused_without_an_id(running: Machine, name: str, is_base64: bool) -> None:
    body = base64.b64encode(REFUSED[name].encode()).decode() if is_base64 else REFUSED[name]
    status, answer = post(running, body, is_base64=is_base64)
    assert (status, answer["id"], answer["error"]["code"]) == (400, None, -32600)
    assert answer["error"]["message"].startswith("Invalid Request: ")


@pytest.mark.parametrize("identifier", ['"a"', "7", "-1", "0", '""'])
def test_a_text_and_a_whole_number_are_ids(running: Machine, identifier: str) -> None:
    status, answer = post(running, f'{{"jsonrpc": "2.0", "id": {identifier}, "method": "ping"}}')
    assert (status, answer) == (200, {"jsonrpc": "2.0", "id": json.loads(identifier), "result": {}})


def test_a_request_without_an_id_is_a_notification(running: Machine) -> None:
    assert post(running, '{"jsonrpc": "2.0", "method": "notifications/initialized"}') == (202, None)


def test_a_text_that_is_no_json_is_a_parse_error(running: Machine) -> None:
    status, answer = post(running, "{")
    assert (status, answer["error"]["code"]) == (400, -32700)


def test_a_byte_order_mark_before_a_message_is_no_part_of_it(running: Machine) -> None:
    assert post(running, '\ufeff{"jsonrpc": "2.0", "id": 1, "method": "ping"}')[0] == 200


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('"method": "tools/call", "params": {"arguments": {}}', "tools/call: name must be a text, not null"),
        ('"method": "tools/call", "params": {"name": "fetch", "arguments": ["a"]}',
         'tools/call: arguments must be an object, not ["a"]'),
        ('"method": "resources/read", "params": {"uri": 1}', "resources/read: uri must be a text, not 1"),
        ('"method": "resources/read"', "resources/read: uri must be a text, not null"),
        ('"method": "initialize"', "initialize: protocolVersion must be a text, not null"),
        (f'"method": "initialize", "params": {{{VERSION}}}', "initialize: capabilities must be an object, not null"),
        (f'"method": "initialize", "params": {{{VERSION}, "capabilities": {{}}, "clientInfo": {{"name": "a"}}}}',
         "initialize: clientInfo.version must be a text, not null"),
        ('"method": "prompts/get", "params": {}', "prompts/get: name must be a text, not null"),
        ('"method": "prompts/get", "params": {"name": "literature_review", "arguments": {"since": 2020}}',
         "prompts/get: arguments.since must be a text, not 2020"),
        ('"method": "tools/list", "params": {"_meta": 5}', "tools/list: _meta must be an object, not 5"),
    ],
)  # fmt: skip
def test_a_parameter_that_a_method_needs_is_named(running: Machine, call: str, said: str) -> None:
    status, answer = post(running, f'{{"jsonrpc": "2.0", "id": "a", {call}}}')
    assert (status, answer) == (200, {"jsonrpc": "2.0", "id": "a", "error": {"code": -32602, "message": said}})
