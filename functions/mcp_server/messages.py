"""What is not a message of JSON-RPC 2.0 is refused with -32600, and what lacks a parameter with -32602, before the SDK.

The SDK takes a request whose id is neither a text nor a whole number for a notification: it runs, and its answer is
lost; and it does not say which parameter is wrong.
Specification: https://www.jsonrpc.org/specification, sections 4 and 5.1; MCP allows no null as an id.
"""

from __future__ import annotations

import json
from typing import Any

from mcp_types import INVALID_PARAMS, INVALID_REQUEST

from shared.unique_json import RepeatedName, read_unique

VALUE_CHARS = 100  # of a wrong value
# The parameters that a method cannot do without; an object comes before what it has.
_NEEDED: dict[str, dict[str, type]] = {
    "initialize": {
        "protocolVersion": str, "capabilities": dict, "clientInfo": dict, "clientInfo.name": str,
        "clientInfo.version": str,
    },
    "tools/call": {"name": str},
    "prompts/get": {"name": str},
    "resources/read": {"uri": str},
}  # fmt: skip
_KINDS: dict[type, str] = {str: "a text", dict: "an object"}


def refusal(text: str) -> tuple[int, str] | None:
    """The status and the answer of a message that is refused; None for any other, also for one that is not JSON."""
    try:
        message = read_unique(text)
        fault = _fault(message)
    except RepeatedName as error:
        fault = str(error)
    except (ValueError, RecursionError):
        return None
    if fault is not None:
        return 400, refused(fault)
    fault = _fault_of_parameters(message)
    if fault is None or "id" not in message:
        return None
    content = {"code": INVALID_PARAMS, "message": f"{message['method']}: {fault}"}
    return 200, json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": content})


def refused(fault: str) -> str:
    """The answer to a message with this fault."""
    content = {"code": INVALID_REQUEST, "message": f"Invalid Request: {fault}"}
    return json.dumps({"jsonrpc": "2.0", "id": None, "error": content})


def _fault(message: Any) -> str | None:
    """What is wrong with a message, if anything is; answers of a client are left to the SDK."""
    if not isinstance(message, dict):
        return "must be one JSON object: batches are not supported"
    if message.get("jsonrpc") != "2.0":
        return 'jsonrpc must be "2.0"'
    if "method" not in message:
        return None if {"result", "error"} & message.keys() else "method is required"
    if not isinstance(message["method"], str):
        return "method must be a text"
    if not isinstance(message.get("params", {}), dict):
        return "params must be an object"
    if "id" in message and (isinstance(message["id"], bool) or not isinstance(message["id"], str | int)):
        return "id must be a text or a whole number"
    return None


def _fault_of_parameters(message: dict[str, Any]) -> str | None:
    """What is wrong with the parameters of a message that is one, if anything is."""
    parameters = message.get("params", {})
    if not isinstance(parameters.get("_meta") or {}, dict):
        return f"_meta must be an object, not {_shown(parameters['_meta'])}"
    needed = _NEEDED.get(message.get("method", ""))
    if needed is None:
        return None
    for name, kind in needed.items():
        if not isinstance(value := _named(parameters, name), kind):
            return f"{name} must be {_KINDS[kind]}, not {_shown(value)}"
    arguments = parameters.get("arguments")
    if arguments is not None and not isinstance(arguments, dict):
        return f"arguments must be an object, not {_shown(arguments)}"
    if message["method"] == "prompts/get":  # MCP has texts alone there
        for name, value in (arguments or {}).items():
            if not isinstance(value, str):
                return f"arguments.{name[:VALUE_CHARS]} must be a text, not {_shown(value)}"
    return None


def _named(parameters: dict[str, Any], name: str) -> Any:
    value: Any = parameters
    for part in name.split("."):
        value = value.get(part)
    return value


def _shown(value: Any) -> str:
    return json.dumps(value)[:VALUE_CHARS]
