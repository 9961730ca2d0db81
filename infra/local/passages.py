"""The command passages: the sentences of papers that bear on a question, with where each stands."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, cast

from rich.table import Table

from infra.local.service import open_service
from infra.local.show import completeness, console, plain, progress, readable_json

if TYPE_CHECKING:
    from shared.answers.passages import Passage, PassagesAnswer

PATH = "/v1/passages"


def add_passages(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Add the command."""
    command = commands.add_parser("passages", help="find the sentences of papers that bear on a question")
    command.add_argument("question", metavar="QUESTION", help="a question or a claim, in words")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--query", help="the search whose papers are read; default: the question itself")
    where.add_argument("--ids", nargs="+", metavar="ID", help="papers to read instead of those of a search")
    command.add_argument("--max-passages", type=int, metavar="N", help="default: 10")
    command.add_argument("--format", choices=("table", "json"), default="table", help="default: table")
    return command


def passages(options: argparse.Namespace) -> int:
    """Print the passages; return 0 if there are some, 1 if there are none. Raises ToolError."""
    given = {"query": options.query, "ids": options.ids, "max_passages": options.max_passages}
    fields = {name: value for name, value in given.items() if value is not None}
    with progress("reading papers …") as status_line, open_service(sandbox=options.sandbox) as service:
        answer = service.post(PATH, question=options.question, **fields)
        status_line.stop()
    found = cast("PassagesAnswer", answer.json())
    if options.format == "json":
        print(readable_json(found))
    else:
        _show(found)
    return 0 if found["passages"] else 1


def _show(answer: PassagesAnswer) -> None:
    """Print a line for each passage, then what was read and what was not."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right")
    table.add_column("Passage", ratio=3)
    table.add_column("Section", ratio=1)
    table.add_column("Paper", ratio=1)
    table.add_column("Score", justify="right")
    for number, it in enumerate(answer["passages"], start=1):
        cells = map(plain, (it["text"], _place(it), f"{it['title'] or '–'}\n{it['citation_uri'] or it['key']}"))
        table.add_row(str(number), *cells, f"{it['score']:.2f}")
    out = console()
    if answer["passages"]:
        out.print(table)
    for hint in answer["hints"]:
        out.print(hint["message"], markup=False)
    counts = [f"{count} {status.replace('_', ' ')}" for status, count in answer["papers_read"].items()]
    out.print(f"full texts: {', '.join(counts) or 'none'} · {completeness(answer)}")


def _place(passage: Passage) -> str:
    licence = f" ({passage['license']})" if passage["license"] else ""
    return f"{' / '.join(passage['path']) or passage['section']}, {passage['start']}–{passage['end']}{licence}"
