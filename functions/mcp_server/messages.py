"""What is not a message of JSON-RPC 2.0 is refused with -32600, before the SDK reads it.

The SDK takes a request whose id is neither a text nor a whole number for a notification: it runs, and its answer is
lost. Specification: https://www.jsonrpc.org/specification, sections 4 and 5.1; MCP allows no null as an id.
"""

from __future__ import annotations

import json
from typing import Any

from mcp_types import INVALID_REQUEST

from shared.unique_json import RepeatedName, read_unique


def refusal(text: str) -> str | None:
    """The answer to a message that is refused; None for any other, also for a text that the SDK cannot read."""
    try:
        fault = _fault(read_unique(text))
    except RepeatedName as error:
        fault = str(error)
    except (ValueError, RecursionError):
        return None
    if fault is None:
        return None
    return refused(fault)


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
