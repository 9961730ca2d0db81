"""The commands that ask one question: search, resolve, export. Answers go to stdout, everything else to stderr."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from infra.local.service import Answer, LocalService, opened
from infra.local.show import console, progress, show_answer, show_problem, show_references

# Written by the API itself; `table` and `json` are written here.
FILE_FORMATS = ("bibtex", "ris", "csl-json", "csv", "markdown")


def search(query: str, form: str, filters: dict[str, Any], *, sandbox: bool, pictures: Path | None = None) -> int:
    """One search, shown as a table, as the API's JSON, or in a citation format."""
    fields = {"query": query, **filters}
    if form == "table":
        fields["detail"] = "full"  # the table names every provider that found a paper
    elif form in FILE_FORMATS:
        fields["format"] = form
    with progress(f"searching for “{query}” …") as shown, opened(sandbox=sandbox) as service:
        answer = service.post("/v1/literature-search", **fields)
        shown.stop()
        status = _print(answer, form, show_answer)
        if status == 0 and pictures and form == "table" and isinstance(service, LocalService):
            from infra.local.demo import draw_graph

            draw_graph(service.machine, pictures / "search-graph.svg")
    return status


def resolve(references: Sequence[str], form: str, *, sandbox: bool) -> int:
    """Which paper each reference means."""
    noun = "reference" if len(references) == 1 else "references"
    with progress(f"resolving {len(references)} {noun} …") as shown, opened(sandbox=sandbox) as service:
        answer = service.post("/v1/resolve", references=list(references))
        shown.stop()
        return _print(answer, form, show_references)


def export(ids: Sequence[str], form: str, *, sandbox: bool) -> int:
    """Known papers in a citation format."""
    noun = "paper" if len(ids) == 1 else "papers"
    with progress(f"looking up {len(ids)} {noun} …") as shown, opened(sandbox=sandbox) as service:
        answer = service.post("/v1/exports", ids=list(ids), format=form)
        shown.stop()
        return _print(answer, form, None)


def _print(answer: Answer, form: str, show_table: Callable[[dict[str, Any]], None] | None) -> int:
    """The answer on stdout, warnings and problems on stderr; the exit status."""
    if not answer.ok:
        show_problem(answer.json())
        return 1
    if form in FILE_FORMATS:
        print(answer.body, end="" if answer.body.endswith("\n") else "\n")
        _warn_about(answer)
    elif show_table and form == "table":
        show_table(answer.json())
    else:
        print(json.dumps(answer.json(), ensure_ascii=False, indent=2))
    return 0


def _warn_about(answer: Answer) -> None:
    """What a file cannot say of itself."""
    err = console(stderr=True)
    if answer.headers.get("complete") == "false":
        err.print("warning: not every source answered; --format json names them", markup=False)
    missing = int(answer.headers.get("not-found") or 0)
    if missing:
        err.print(f"warning: {missing} of the requested papers were not found", markup=False)
