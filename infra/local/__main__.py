"""The command line: `literature-search COMMAND`, or `python -m infra.local COMMAND` in a checkout.

Results go to stdout, everything else to stderr. Exit status: 0 success, 1 no answer, or not all of
it could be printed, 2 wrong usage, which includes a value that the API refuses, 130 interrupted.

The folder `infra/local` runs the whole service on one machine, without an AWS account:

- `machine`: the real handlers, with moto in place of AWS. It uses `resources` (creates tables, queues and the topic,
  and sets the functions' environment), `clients` (the boto3 session), `lambda_hook` (`lambda.invoke` reaches the
  handlers of this process), `schedules` (fires EventBridge schedules), `background` (threads) and `threaded_resolver`
  (Powertools' resolver, made safe for threads).
- `sandbox/`: the providers' APIs on loopback, one file per provider. They serve the papers of `sandbox/papers.jsonl` in
  the wire format of each API (`corpus` searches them, `faults` makes them fail, `server` is the HTTP server).
- `gateway`: HTTP requests as API Gateway events, for `serve`, which runs in several processes (`serve`,
  `worker_processes`) that share one emulated AWS (`aws_server`). `mcp`: the MCP server over stdio.
- `service`: the service that a command uses, in this process or deployed. `commands`: search, resolve and export.
  `demo`: what `demo` does after its search. `show`: tables for the terminal. `next_commands`: what may help next.
  `exit_status`: how a command ends.
- `dead_letters`: a command of its own, which lists or redrives a deployed queue's dead letters.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from pathlib import Path
from typing import TypeAlias

from infra.functions import provider_names
from infra.local.check_references import check_references
from infra.local.commands import FILE_FORMATS, export, resolve, search
from infra.local.event_routing import function_for
from infra.local.exhaustive import add_exhaustive, exhaustive
from infra.local.exit_status import exit_status
from infra.local.next_commands import FILTERS, FLAGS, ON_A_SERVICE, program
from infra.local.passages import add_passages, passages
from infra.local.sandbox.faults import read_faults
from infra.local.service import is_remote, new_sandbox
from infra.local.show import console, progress, readable_json, show_answer, show_problem
from infra.local.similar import add_similar, similar
from shared.documents.document import TEXT_FORMATS
from shared.version import VERSION

DEMO_QUERY = "TREM2 microglia"
SANDBOX_HELP = "use the built-in sandbox: no network, no keys"
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
    return exit_status(lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program(),
        description="Search scientific literature in several sources at once.",
        epilog="Without --sandbox, every command but serve, demo and event uses the service at LITERATURE_SEARCH_URL "
        "or, if it is not set, queries the live APIs. Exit status: 0 success, 1 no answer, 2 wrong usage, "
        "130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_query_commands(commands)
    _add_service_commands(commands)
    return parser


def _add_query_commands(commands: Commands) -> None:
    """Add the commands that send one request."""
    search_command = commands.add_parser("search", help="search all sources; one merged, ranked list")
    search_command.add_argument("words", nargs="?", metavar="QUERY", help='words, "phrases", AND OR NOT, parentheses')
    search_command.add_argument("--query", default="", help="the query, as an option instead")
    search_command.add_argument(
        "--format", choices=("table", "json", *FILE_FORMATS), default="table", help="default: table"
    )
    for name, text in FILTERS.items():
        option = f"--{name.replace('_', '-')}"
        if name in FLAGS:
            search_command.add_argument(option, action="store_const", const=True, help=text)
        else:
            kind: type = int if name == "max_results" else str
            search_command.add_argument(option, type=kind, metavar=name.upper(), help=text)
    search_command.add_argument(
        "--pictures", type=Path, metavar="FOLDER", help="write an SVG of the papers' graph here"
    )

    resolve_command = commands.add_parser("resolve", help="find the paper that a reference refers to")
    resolve_command.add_argument("references", nargs="*", metavar="REFERENCE", help="default: one per line of stdin")
    resolve_command.add_argument("--format", choices=("table", "json"), default="table", help="default: table")

    check = commands.add_parser("check-references", help="check the references of a document")
    check.add_argument("path", type=Path, metavar="FILE", help=f"{TEXT_FORMATS}, or a .docx")
    check.add_argument("--format", choices=("table", "json"), default="table", help="default: table")
    check.add_argument("--output", type=Path, metavar="FILE", help="write the corrected document here")

    export_command = commands.add_parser("export", help="print papers, given by id, in a citation format")
    export_command.add_argument("ids", nargs="+", metavar="ID", help="a DOI, PMID:…, PMC…, arXiv:… or another id")
    export_command.add_argument("--format", choices=FILE_FORMATS, default="bibtex", help="default: bibtex")

    added = (add_exhaustive(commands), add_passages(commands), add_similar(commands))
    for command in (search_command, resolve_command, check, export_command, *added):
        command.add_argument("--sandbox", action="store_true", help=SANDBOX_HELP)


def _add_service_commands(commands: Commands) -> None:
    """Add the commands that run the service."""
    serve = commands.add_parser("serve", help="serve the HTTP API on 127.0.0.1")
    serve.add_argument("--port", type=int, default=8080, help="default: 8080; 0: any free port")
    serve.add_argument(
        "--processes", type=int, choices=range(1, 9), metavar="1-8", help="default: one for each processor"
    )
    mcp = commands.add_parser("mcp", help="run an MCP server over stdio")
    for command in (serve, mcp):
        command.add_argument("--sandbox", action="store_true", help=SANDBOX_HELP)
    demo = commands.add_parser("demo", help="run a search in the sandbox; show its citation network and graph")
    demo.add_argument("--query", default=DEMO_QUERY, help=f"default: {DEMO_QUERY}")
    demo.add_argument("--format", choices=("table", "json"), default="table", help="default: table")
    demo.add_argument("--pictures", type=Path, metavar="FOLDER", default=Path(".build"), help="default: ./.build")
    event = commands.add_parser("event", help="invoke a Lambda function with an event file, using the sandbox")
    event.add_argument(
        "path", type=Path, nargs="?", help="a JSON file; if missing, the examples of a checkout are listed"
    )


def _run(options: argparse.Namespace) -> int:
    if options.command == "search":
        return _search(options)
    if options.command == "resolve":
        references = options.references or _lines_of_stdin()
        if not references:
            return _refuse(
                'the reference is missing; for example: resolve "Vaswani A. et al. (2017). Attention is all you need."'
            )
        return resolve(references, options.format, sandbox=options.sandbox)
    if options.command == "check-references":
        if not options.path.is_file():
            return _refuse(f"there is no file {options.path}")
        if not options.path.stat().st_size:
            return _refuse(f"the file {options.path} is empty")
        return check_references(options.path, options.format, sandbox=options.sandbox, output=options.output)
    added = {"exhaustive": exhaustive, "passages": passages, "similar": similar}
    if options.command in added:
        return added[options.command](options)
    if options.command == "export":
        return export(options.ids, options.format, sandbox=options.sandbox)
    if options.command == "serve":
        from infra.local.serve import default_processes
        from infra.local.serve import serve as serve_http

        return serve_http(options.port, sandbox=options.sandbox, processes=options.processes or default_processes())
    if options.command == "mcp":
        from infra.local.mcp import main as serve_mcp

        return serve_mcp(["--sandbox"] if options.sandbox else [])
    return _demo(options) if options.command == "demo" else _event(options.path)


def _search(options: argparse.Namespace) -> int:
    query = options.words or options.query
    filters = {name: value for name in FILTERS if (value := getattr(options, name)) is not None}
    if options.cursor and not is_remote(sandbox=options.sandbox):
        return _refuse(f"--cursor {ON_A_SERVICE}")
    if not query.strip() and not (options.author or options.cursor):
        return _refuse(
            'the query is missing; for example: search "TREM2 microglia" (or make search QUERY="TREM2 microglia")'
        )
    return search(query, options.format, filters, sandbox=options.sandbox, pictures=options.pictures)


def _refuse(message: str) -> int:
    console(stderr=True).print(f"error: {message}", markup=False)
    return 2


def _lines_of_stdin() -> list[str]:
    return [] if sys.stdin.isatty() else [line.strip() for line in sys.stdin if line.strip()]


def _demo(options: argparse.Namespace) -> int:
    """Run one search through every part: API event, dispatcher, providers, merge, cache, queue, writer, graph."""
    from infra.local.worker_processes import SandboxProcess

    if options.format == "json":
        return search(options.query, "json", {}, sandbox=True)
    sandbox = SandboxProcess()  # the sources start on another processor while this process imports the functions
    from infra.local.demo import api_request, cite_in_debate, draw_graph, draw_network
    from infra.local.machine import machine

    with sandbox as urls, machine(sandbox=None, sandbox_urls=urls) as running:
        with progress(f"searching for “{options.query}” …"):
            response = running.invoke(
                "dispatcher", api_request("/v1/literature-search", query=options.query, detail="full")
            )
        answer = json.loads(response["body"])
        if response["statusCode"] != 200:
            return show_problem(answer)
        show_answer(answer, sandbox=True)
        draw_network(running, answer["results"], options.pictures / "demo-network.svg")
        written = cite_in_debate(running, options.query, answer["results"])
        draw_graph(running, options.pictures / "demo-graph.svg", written)
    return 0


def _event(path: Path | None) -> int:
    """Invoke the function that an event file is meant for, and print its result."""
    if path is None or not path.is_file():
        examples = ", ".join(sorted(map(str, Path("events").glob("*.json"))))
        advice = (
            f"use make event EVENT=… with one of {examples}" if examples else "examples are in events/ of a checkout"
        )
        problem = f"the event file {path} does not exist" if path else "the event file is missing"
        return _refuse(f"{problem}; {advice}")
    try:
        event = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        event = None
    if not isinstance(event, dict):
        return _refuse(f"{path} is not a JSON object")
    function = function_for(event)
    if function is None:
        return _refuse(
            f"no function reads the queue of {path}; its eventSourceARN must name a queue of infra/tables.py"
        )
    from infra.local.machine import machine

    with machine(sandbox=new_sandbox()) as running:
        running.save(event.get("detail", {}))
        result = running.invoke(function, event)
        running.drain_queue()
    print(readable_json(result))
    return 0 if result.get("statusCode", 200) < 400 and not result.get("batchItemFailures") else 1


if __name__ == "__main__":
    sys.exit(main())
