"""The command line of one machine: demo, search, serve, event. Answers on stdout, everything else on stderr."""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import sys
from pathlib import Path
from typing import Any

from werkzeug.serving import make_server

from infra.functions import READS, provider_names, providers_for
from infra.local.demo import cite_in_debate, draw_graph, draw_network, posted, progress
from infra.local.gateway import AccessLog, application
from infra.local.machine import machine
from infra.local.sandbox.faults import read_faults
from infra.local.sandbox.server import Sandbox
from infra.local.show import console, show_answer, show_problem

DEMO_QUERY = "TREM2 microglia"
# What CloudFormation writes behind the name of a queue.
IN_A_STACK = r"([0-9A-F]{8}-\w+)?"


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is 0 only when it brought what was asked."""
    parser = argparse.ArgumentParser(prog="python -m infra.local", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("demo", "search"):
        command = commands.add_parser(name)
        command.add_argument("--query", default=DEMO_QUERY if name == "demo" else "")
        command.add_argument("--format", choices=("table", "json"), default="table")
    serve = commands.add_parser("serve")
    serve.add_argument("--port", type=int, default=8080)
    serve.add_argument("--sandbox", action="store_true")
    commands.add_parser("event").add_argument("path", type=Path, nargs="?")
    asked = parser.parse_args(arguments)
    if asked.command != "serve":
        os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "WARNING")
    logging.getLogger("botocore.credentials").setLevel(logging.WARNING)
    try:
        faults = read_faults(os.environ.get("SANDBOX_FAULTS"), provider_names())
    except ValueError as error:
        return _refuse(str(error))
    if asked.command in ("demo", "search"):
        live = asked.command == "search"
        return _search(asked.query, asked.format, sandbox=None if live else Sandbox(faults=faults))
    if asked.command == "serve":
        return _serve(asked.port, Sandbox(faults=faults) if asked.sandbox else None)
    return _event(asked.path, Sandbox(faults=faults))


def _refuse(message: str) -> int:
    console(stderr=True).print(f"error: {message}", markup=False)
    return 2


def _search(query: str, form: str, *, sandbox: Sandbox | None) -> int:
    """One whole search: gateway event, dispatcher, providers, merge, cache, queue, writer, graph."""
    if not query.strip():
        return _refuse('there is no query; write make search QUERY="TREM2 microglia"')
    with machine(sandbox=sandbox) as running:
        with progress(f"asking {len(providers_for('search'))} providers for “{query}” …"):
            whole = {} if form == "json" else {"detail": "full"}  # the table names everybody who found a paper
            response = running.invoke("dispatcher", posted("/v1/literature-search", query=query, **whole))
        answer = json.loads(response["body"])
        if response["statusCode"] != 200:
            show_problem(answer)
            return 1
        if form == "json":
            print(json.dumps(answer, ensure_ascii=False, indent=2))
            return 0
        show_answer(answer)
        if sandbox:
            draw_network(running, answer["results"])
            draw_graph(running, "demo-graph.svg", cite_in_debate(running, query, answer["results"]))
        else:
            draw_graph(running, "search-graph.svg")
    return 0


def _serve(port: int, sandbox: Sandbox | None) -> int:
    """The HTTP API until interrupted."""
    with machine(sandbox=sandbox) as running, running.writing(), running.schedules().running():
        server = make_server("127.0.0.1", port, application(running), threaded=True, request_handler=AccessLog)
        source = "the sandbox" if sandbox else "the live APIs"
        note = f"serving on http://127.0.0.1:{server.server_port} from {source}; stop with Ctrl-C"
        console(stderr=True).print(note, markup=False)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
        finally:
            server.server_close()
    return 0


def _event(path: Path | None, sandbox: Sandbox) -> int:
    """Invoke the function that an event is for, and print what it returns."""
    if path is None or not path.is_file():
        known = ", ".join(sorted(str(it) for it in Path("events").glob("*.json")))
        return _refuse(f"no event file {path or ''}; write make event EVENT=… with one of {known}")
    event = json.loads(path.read_text(encoding="utf-8"))
    function = function_for(event)
    if function is None:
        return _refuse(f"no function reads the queue of {path}; its eventSourceARN must name one of ours")
    with machine(sandbox=sandbox) as running:
        running.save(event.get("detail", {}))
        answer = running.invoke(function, event)
        running.drain_queue()
    print(json.dumps(answer, ensure_ascii=False, indent=2))
    return 0 if answer.get("statusCode", 200) < 400 and not answer.get("batchItemFailures") else 1


def function_for(event: dict[str, Any]) -> str | None:
    """The function that an event is for: who reads its queue, or whom it names; all else is for the dispatcher.

    None for messages of a queue that no function reads.
    """
    if "Records" in event:
        queue = event["Records"][0]["eventSourceARN"]
        return next((name for name, read in READS.items() if re.search(f"-{read.name}{IN_A_STACK}$", queue)), None)
    if event.get("path") == "/mcp":
        return "mcp_server"
    return str(event["provider"]) if "operation" in event else "dispatcher"


if __name__ == "__main__":
    sys.exit(main())
