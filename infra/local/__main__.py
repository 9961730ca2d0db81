"""The command line: `literature-search COMMAND`, or `python -m infra.local COMMAND` in a checkout.

Answers go to stdout, everything else to stderr. Exit status: 0 answered, 1 no answer, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import sys
from pathlib import Path
from typing import Any, TypeAlias

from infra.functions import READS, provider_names
from infra.local.commands import FILE_FORMATS, export, resolve, search
from infra.local.sandbox.faults import read_faults
from infra.local.service import new_sandbox
from infra.local.show import console, progress, show_answer, show_problem
from shared.client.errors import ToolError
from shared.version import VERSION

DEMO_QUERY = "TREM2 microglia"
# What CloudFormation writes behind the name of a queue.
IN_A_STACK = r"([0-9A-F]{8}-\w+)?"
SANDBOX = "ask the built-in sandbox: no network, no keys"
FILTERS = ("max_results", "date_from", "date_to", "author", "journal", "providers", "sort")
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status."""
    options = _parser().parse_args(arguments)
    if options.command != "serve":
        os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "WARNING")
    logging.getLogger("botocore.credentials").setLevel(logging.WARNING)
    try:
        read_faults(os.environ.get("SANDBOX_FAULTS"), provider_names())
    except ValueError as error:
        return _refuse(str(error))
    try:
        return _run(options)
    except ToolError as error:
        show_problem(error.problem)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    prog = "literature-search" if Path(sys.argv[0]).stem == "literature-search" else "python -m infra.local"
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Search the scientific literature in seven sources at once.",
        epilog="Without --sandbox, search, resolve, export and mcp ask the service at LITERATURE_SEARCH_URL or, if "
        "it is not set, the live APIs. Exit status: 0 answered, 1 no answer, 2 wrong usage, 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_questions(commands)
    _add_machines(commands)
    return parser


def _add_questions(commands: Commands) -> None:
    """The commands that ask one question."""
    found = commands.add_parser("search", help="search all sources; one merged, ranked list")
    found.add_argument("words", nargs="?", metavar="QUERY", help='words, "phrases", AND OR NOT, parentheses')
    found.add_argument("--query", default="", help="the same, as an option")
    found.add_argument("--format", choices=("table", "json", *FILE_FORMATS), default="table")
    for name in FILTERS:
        kind: type = int if name == "max_results" else str
        found.add_argument(f"--{name.replace('_', '-')}", type=kind, help=f"the API's field {name}")
    found.add_argument("--pictures", type=Path, metavar="FOLDER", help="draw the graph of the papers found into it")

    resolved = commands.add_parser("resolve", help="find the paper that a reference means")
    resolved.add_argument("references", nargs="*", metavar="REFERENCE", help="default: the lines of stdin")
    resolved.add_argument("--format", choices=("table", "json"), default="table")

    exported = commands.add_parser("export", help="write known papers in a citation format")
    exported.add_argument("ids", nargs="+", metavar="ID", help="a DOI, PMID:…, PMC…, arXiv:… or another id")
    exported.add_argument("--format", choices=FILE_FORMATS, default="bibtex")

    for command in (found, resolved, exported):
        command.add_argument("--sandbox", action="store_true", help=SANDBOX)


def _add_machines(commands: Commands) -> None:
    """The commands that run the service."""
    served = commands.add_parser("serve", help="the HTTP API on loopback")
    served.add_argument("--port", type=int, default=8080)
    mcp = commands.add_parser("mcp", help="an MCP server over stdio")
    for command in (served, mcp):
        command.add_argument("--sandbox", action="store_true", help=SANDBOX)
    demo = commands.add_parser("demo", help="one whole search with its graph, against the sandbox")
    demo.add_argument("--query", default=DEMO_QUERY)
    demo.add_argument("--format", choices=("table", "json"), default="table")
    demo.add_argument("--pictures", type=Path, metavar="FOLDER", default=Path(".build"), help="default: ./.build")
    event = commands.add_parser("event", help="invoke the function that an event file is for, against the sandbox")
    event.add_argument("path", type=Path, nargs="?", help="default: list the examples of a checkout")


def _run(options: argparse.Namespace) -> int:
    if options.command == "search":
        query = options.words or options.query
        if not query.strip():
            return _refuse(
                'there is no query; write: search "TREM2 microglia" (or make search QUERY="TREM2 microglia")'
            )
        filters = {name: value for name in FILTERS if (value := getattr(options, name)) is not None}
        return search(query, options.format, filters, sandbox=options.sandbox, pictures=options.pictures)
    if options.command == "resolve":
        references = options.references or _lines_of_stdin()
        if not references:
            return _refuse(
                'there is no reference; write: resolve "Vaswani A. et al. (2017). Attention is all you need."'
            )
        return resolve(references, options.format, sandbox=options.sandbox)
    if options.command == "export":
        return export(options.ids, options.format, sandbox=options.sandbox)
    if options.command == "serve":
        return _serve(options.port, sandbox=options.sandbox)
    if options.command == "mcp":
        from infra.local.mcp import main as serve_mcp

        return serve_mcp(["--sandbox"] if options.sandbox else [])
    return _demo(options) if options.command == "demo" else _event(options.path)


def _refuse(message: str) -> int:
    console(stderr=True).print(f"error: {message}", markup=False)
    return 2


def _lines_of_stdin() -> list[str]:
    return [] if sys.stdin.isatty() else [line.strip() for line in sys.stdin if line.strip()]


def _demo(options: argparse.Namespace) -> int:
    """One whole search: gateway event, dispatcher, providers, merge, cache, queue, writer, graph."""
    from infra.local.demo import cite_in_debate, draw_graph, draw_network, posted
    from infra.local.machine import machine

    if options.format == "json":
        return search(options.query, "json", {}, sandbox=True)
    with machine(sandbox=new_sandbox()) as running:
        with progress(f"searching for “{options.query}” …"):
            response = running.invoke("dispatcher", posted("/v1/literature-search", query=options.query, detail="full"))
        answer = json.loads(response["body"])
        if response["statusCode"] != 200:
            show_problem(answer)
            return 1
        show_answer(answer)
        draw_network(running, answer["results"], options.pictures / "demo-network.svg")
        written = cite_in_debate(running, options.query, answer["results"])
        draw_graph(running, options.pictures / "demo-graph.svg", written)
    return 0


def _serve(port: int, *, sandbox: bool) -> int:
    """The HTTP API until interrupted."""
    from werkzeug.serving import make_server

    from infra.local.gateway import AccessLog, application
    from infra.local.machine import machine

    source = new_sandbox() if sandbox else None
    with machine(sandbox=source) as running, running.writing(), running.schedules().running():
        server = make_server("127.0.0.1", port, application(running), threaded=True, request_handler=AccessLog)
        name = "the sandbox" if sandbox else "the live APIs"
        note = f"serving on http://127.0.0.1:{server.server_port} from {name}; stop with Ctrl-C"
        console(stderr=True).print(note, markup=False)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
        finally:
            server.server_close()
    return 0


def _event(path: Path | None) -> int:
    """Invoke the function that an event is for, and print what it returns."""
    if path is None or not path.is_file():
        known = ", ".join(sorted(str(it) for it in Path("events").glob("*.json")))
        where = (
            f"write make event EVENT=… with one of {known}" if known else "the examples are in events/ of a checkout"
        )
        return _refuse(f"no event file {path or ''}; {where}")
    event = json.loads(path.read_text(encoding="utf-8"))
    function = function_for(event)
    if function is None:
        return _refuse(f"no function reads the queue of {path}; its eventSourceARN must name one of ours")
    from infra.local.machine import machine

    with machine(sandbox=new_sandbox()) as running:
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
