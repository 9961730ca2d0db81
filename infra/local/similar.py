"""The command similar: papers like others, with who says so."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, cast

from rich.table import Table

from infra.local.service import open_service
from infra.local.show import completeness, console, plain, progress, readable_json

if TYPE_CHECKING:
    from shared.answers.similar import SimilarAnswer

ID_HELP = "a DOI, PMID:…, PMC…, arXiv:… or another id"


def add_similar(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Add the command."""
    command = commands.add_parser("similar", help="papers like others, and which source says so")
    command.add_argument("ids", nargs="+", metavar="ID", help=ID_HELP)
    command.add_argument(
        "--unlike", action="append", default=[], metavar="ID", help="a paper that they are not to be like"
    )
    command.add_argument("--max-results", type=int, default=20, metavar="NUMBER", help="default: 20")
    command.add_argument("--format", choices=("table", "json"), default="table", help="default: table")
    return command


def similar(options: argparse.Namespace) -> int:
    """Print the papers; return 0. Raises ToolError."""
    fields = {"seeds": options.ids, "unlike": options.unlike, "max_results": options.max_results}
    with progress("comparing papers …") as status_line, open_service(sandbox=options.sandbox) as service:
        answer = service.post("/v1/similar", **fields)
        status_line.stop()
    if options.format == "json":
        print(readable_json(answer.json()))
    else:
        _show(cast("SimilarAnswer", answer.json()))
    return 0


def _show(answer: SimilarAnswer) -> None:
    table = Table(title=None, box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right")
    table.add_column("Title", max_width=70, overflow="ellipsis", no_wrap=True)
    table.add_column("Year", justify="right")
    table.add_column("Key", overflow="fold", max_width=40)
    table.add_column("Place in each list")
    for number, it in enumerate(answer["results"], start=1):
        votes = ", ".join(f"{name} {vote['rank']}" for name, vote in it["votes"].items())
        paper = it["paper"]
        cells = (str(number), paper["title"], str(paper["year"] or "–"), it["key"], votes)
        table.add_row(*map(plain, cells))
    out = console()
    out.print(table)
    state = completeness(answer)
    out.print(f"{answer['returned']} of {answer['total_count']} papers · {answer['search_time_ms']} ms · {state}")
    for hint in answer["hints"]:
        out.print(f"hint ({hint['reason']}): {hint['message']}", markup=False)
