"""Runs the MCP server over stdio, for a client on this machine: `python -m infra.local.mcp [--sandbox]` or `make mcp`.

It uses the API at `LITERATURE_SEARCH_URL`, with `LITERATURE_SEARCH_API_KEY`. If that is not set, it runs the whole
service in this process, with the live APIs or the sandbox. Messages go to stdout, everything else to stderr.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from typing import Any

import anyio
from mcp.server.stdio import stdio_server

from infra.functions import provider_names, providers_for
from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.faults import read_faults
from infra.local.sandbox.server import Sandbox
from shared.client.transport import Api, as_parameters, over_https, read_answer


def main(arguments: list[str] | None = None) -> int:
    """Serve until the client disconnects."""
    parser = argparse.ArgumentParser(prog="python -m infra.local.mcp", description=__doc__)
    parser.add_argument("--sandbox", action="store_true", help="use the sandbox: no network, no keys")
    options = parser.parse_args(arguments)
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "WARNING")
    if os.environ.get("LITERATURE_SEARCH_URL"):
        anyio.run(_serve, over_https)
        return 0
    try:
        faults = read_faults(os.environ.get("SANDBOX_FAULTS"), provider_names())
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    with machine(sandbox=Sandbox(faults=faults) if options.sandbox else None) as running, running.writing():
        anyio.run(_serve, _in_process(running))
    return 0


async def _serve(api: Api) -> None:
    from functions.mcp_server.server import new_server  # imported late: the machine reloads the functions' modules

    server = new_server(lambda _: api, providers_for("search"))
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def _in_process(running: Machine) -> Api:
    """Return an Api that calls the service in this process."""

    def call(method: str, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        if method == "GET":
            event = rest_event(method, path, headers=headers, query=as_parameters(body))
        else:
            event = rest_event(method, path, headers=headers, body=json.dumps(body))
        answer = running.invoke("dispatcher", event)
        answered = {name: values[0] for name, values in answer["multiValueHeaders"].items()}
        status = int(answer["statusCode"])
        return status, read_answer(status, answer["body"], answered)

    return call


if __name__ == "__main__":
    sys.exit(main())
