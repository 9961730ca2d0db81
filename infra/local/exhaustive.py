"""The command exhaustive: every source read to its end with progress, and the record and the papers as files."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rich.table import Table

from infra.local.next_commands import FILTERS
from infra.local.service import Answer, LocalService, Service, open_service
from infra.local.show import completeness, console, plain, progress, readable_json

if TYPE_CHECKING:
    from shared.answers.exhaustive_searches import ExhaustiveSearchAnswer

PATH = "/v1/exhaustive-searches"
POLL_S = 2.0
ENDED = ("done", "failed")
# Fields of the request that are options of the command, with their help texts.
FIELDS = {
    "max_records": "records to read at most of each source: 1,000 by default, 5,000 at most",
    "providers": "read only these sources, separated by commas",
    "date_from": FILTERS["date_from"],
    "date_to": FILTERS["date_to"],
    "language": "only papers in this language",
    "publication_types": FILTERS["publication_types"],
}


def add_exhaustive(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Add the command."""
    command = commands.add_parser("exhaustive", help="read every source to its end; a record for a systematic review")
    command.add_argument("query", metavar="QUERY", help='words, "phrases", AND OR NOT, parentheses')
    for name, text in FIELDS.items():
        command.add_argument(f"--{name.replace('_', '-')}", metavar=name.upper(), help=text)
    command.add_argument("--format", choices=("table", "json"), default="table", help="default: table")
    command.add_argument("--output", type=Path, metavar="FOLDER", help="write the record, report, picture and RIS here")
    return command


def exhaustive(options: argparse.Namespace) -> int:
    """Run the search; return 0 if every source was read to its end, else 1. Raises ToolError."""
    fields = {name: value for name in FIELDS if (value := getattr(options, name)) is not None}
    with progress("searching every source …") as status_line, open_service(sandbox=options.sandbox) as service:
        answer = service.post(PATH, query=options.query, **fields)
        if options.output:
            options.output.mkdir(parents=True, exist_ok=True)  # fails now, not after hours
        while (search := _search(answer))["state"] not in ENDED:
            status_line.update(f"searching every source: {_progress(search)}")
            answer = _next_state(service, search["search_id"])
        status_line.stop()
        if options.output and search["state"] == "done":
            _write(service, search, options.output)
    if options.format == "json":
        print(readable_json(search))
    else:
        _show(search)
    return 0 if search["complete"] else 1


def _next_state(service: Service, search_id: str) -> Answer:
    """The search a moment later; a service in this process works on it meanwhile."""
    if not isinstance(service, LocalService) or not service.machine.search_exhaustively():
        time.sleep(POLL_S)
    return service.get(f"{PATH}/{search_id}")


def _search(answer: Answer) -> ExhaustiveSearchAnswer:
    return cast("ExhaustiveSearchAnswer", answer.json())


def _progress(search: ExhaustiveSearchAnswer) -> str:
    of, left = search["of"], search["seconds_left"]
    return f"{search['done']} of {'?' if of is None else of} records" + (f", about {left} s left" if left else "")


def _write(service: Service, search: ExhaustiveSearchAnswer, folder: Path) -> None:
    address = f"{PATH}/{search['search_id']}"
    record = {name: value for name, value in search.items() if name not in ("papers", "returned", "next_cursor")}
    files = {
        "record.json": readable_json(record) + "\n",
        "report.md": service.get(f"{address}/report").body,
        "flow.svg": service.get(f"{address}/report", format="svg").body,
        "papers.ris": "\r\n".join(_files(service, address)),
    }
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())


def _files(service: Service, address: str) -> Iterator[str]:
    """The papers in RIS, file by file."""
    cursor: str | None = "0"
    while cursor is not None:
        answer = service.get(f"{address}/papers", format="ris", cursor=cursor)
        yield answer.body
        cursor = answer.headers.get("next-cursor")


def _show(search: ExhaustiveSearchAnswer) -> None:
    """Print a line for each source, and the counts."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("Source", "Wording", "Counts", "Read", "Stopped", "Outcome"):
        table.add_column(name, justify="right" if name in ("Counts", "Read") else "left")
    for it in search["sources"]:
        counts = "–" if it["total"] is None else str(it["total"])
        cells = (it["provider"], it["wording"], counts, str(it["records"]), it["stopped"] or "–", it["outcome"] or "–")
        table.add_row(*map(plain, cells))
    out, flow = console(), search["flow"]
    out.print(table)
    if flow:
        out.print(
            f"{flow['identified']} records · {flow['duplicates_removed']} duplicates · "
            f"{flow['after_duplicates']} papers · {flow['to_screen']} to screen · " + completeness(search)
        )
    for hint in search["hints"]:
        out.print(hint["message"], markup=False)
