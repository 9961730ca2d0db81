"""The command line of one machine: demo, search, serve, event. Answers on stdout, everything else on stderr."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3
from werkzeug.serving import make_server

from infra.functions import provider_names, providers_for
from infra.local.gateway import application, rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.faults import read_faults
from infra.local.sandbox.server import Sandbox
from infra.local.show import console, show_answer, show_graph, show_network, show_problem
from shared.aws.graph_store import GraphStore
from shared.graph.exports import Graph, joined, page_of
from shared.graph.messages import belongs, citation_messages
from shared.graph.picture import svg
from shared.provider import timestamp

DEMO_QUERY = "TREM2 microglia"
DEMO_DEBATE = {"type": "debate", "id": "demo"}
NETWORK_SEEDS = 5
PICTURES = Path(".build")


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


@contextmanager
def _progress(message: str) -> Iterator[None]:
    """A spinner on a terminal, one line elsewhere."""
    err = console(stderr=True)
    if err.is_terminal:
        with err.status(message):
            yield
    else:
        err.print(message, markup=False)
        yield


def _search(query: str, form: str, *, sandbox: Sandbox | None) -> int:
    """One whole search: gateway event, dispatcher, providers, merge, cache, queue, writer, graph."""
    if not query.strip():
        return _refuse('there is no query; write make search QUERY="TREM2 microglia"')
    with machine(sandbox=sandbox) as running:
        with _progress(f"asking {len(providers_for('search'))} providers for “{query}” …"):
            whole = {} if form == "json" else {"detail": "full"}  # the table names everybody who found a paper
            response = running.invoke("dispatcher", _search_event(query=query, **whole))
        answer = json.loads(response["body"])
        if response["statusCode"] != 200:
            show_problem(answer)
            return 1
        if form == "json":
            print(json.dumps(answer, ensure_ascii=False, indent=2))
            return 0
        show_answer(answer)
        if sandbox:
            _network(running, [result["key"] for result in answer["results"][:NETWORK_SEEDS]])
            _debate(running, query, answer["results"])
        _look_at_graph(running, f"{'demo' if sandbox else 'search'}-graph.svg")
    return 0


def _search_event(**fields: Any) -> dict[str, Any]:
    return rest_event("POST", "/v1/literature-search", body=json.dumps(fields))


def _network(running: Machine, seeds: list[str]) -> None:
    """Who cites whom around the first papers found: told, and drawn into a file."""
    if not seeds:
        return
    wanted = {"seeds": seeds, "depth": 2, "cite_in_kg": False}
    shown, drawn = (
        rest_event("POST", "/v1/citation-network", body=json.dumps({**wanted, "format": form}))
        for form in ("json", "svg")
    )
    with _progress(f"following the citations of {len(seeds)} papers …"):
        told = running.invoke("dispatcher", shown)
        picture = running.invoke("dispatcher", drawn)
    answer = json.loads(told["body"])
    if (told["statusCode"], picture["statusCode"]) != (200, 200):
        console().print(f"\nNo network: {answer.get('detail')}", markup=False)
        return
    show_network(answer)
    _write("demo-network.svg", picture["body"])


def _debate(running: Machine, query: str, results: list[dict[str, Any]]) -> None:
    """What makes a graph of the demo's papers: a debate cites the first two, and its agent reads on in the others."""
    from shared.aws.citation_queue import send  # makes the logger, which reads its level from the environment

    running.invoke("dispatcher", _search_event(query=query, max_results=50))
    cited = [{"id": result["key"], "where": None, "text": None} for result in results if belongs(result)][:2]
    told = citation_messages(DEMO_DEBATE, cited, "make demo", timestamp(datetime.now(UTC)))
    send(boto3.client("sqs"), os.environ["CITATIONS_QUEUE_URL"], told)


def _look_at_graph(running: Machine, picture: str) -> None:
    """The messages go to the writer; what the graph then holds is told, and drawn into a file."""
    messages = running.drain_queue()
    store = running.graph_store()
    graph = _whole(store)
    show_graph(store, graph, messages)
    _write(picture, svg(graph))


def _write(picture: str, text: str) -> None:
    """A picture that cannot be written is told, and is no failure."""
    try:
        PICTURES.mkdir(exist_ok=True)
        (PICTURES / picture).write_text(text, encoding="utf-8")
    except OSError as error:
        console(stderr=True).print(f"the picture could not be written: {error}", markup=False)
    else:
        console().print(f"Picture: {PICTURES / picture}", markup=False)


def _whole(store: GraphStore) -> Graph:
    """All of the graph, which on one machine is small."""
    graph, cursor = page_of(store, None, 100)
    parts = [graph]
    while cursor:
        graph, cursor = page_of(store, cursor, 100)
        parts.append(graph)
    return joined(parts)


def _serve(port: int, sandbox: Sandbox | None) -> int:
    """The HTTP API until interrupted."""
    with machine(sandbox=sandbox) as running, running.writing(), running.schedules().running():
        server = make_server("127.0.0.1", port, application(running), threaded=True)
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
    with machine(sandbox=sandbox) as running:
        running.save(event.get("detail", {}))
        answer = running.invoke(_function_for(event), event)
        running.drain_queue()
    print(json.dumps(answer, ensure_ascii=False, indent=2))
    return 0 if answer.get("statusCode", 200) < 400 and not answer.get("batchItemFailures") else 1


def _function_for(event: dict[str, Any]) -> str:
    """SQS events go to the writer, `/mcp` to its server, operations to the provider they name, all else to the door."""
    if "Records" in event:
        return "citation_writer"
    if event.get("path") == "/mcp":
        return "mcp_server"
    return str(event["provider"]) if "operation" in event else "dispatcher"


if __name__ == "__main__":
    sys.exit(main())
