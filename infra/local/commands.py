"""The commands search, resolve and export. Results go to stdout, everything else to stderr."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from infra.local.service import Answer, LocalService, is_remote, open_service
from infra.local.show import console, progress, readable_json, show_answer
from infra.local.show_references import show_references
from shared.bibliography.paper_ids import ids_of
from shared.bibliography.text import number_of

# The API writes these formats; `table` and `json` are written here.
FILE_FORMATS = ("bibtex", "ris", "csl-json", "csv", "markdown")
# Prints an answer; its argument is the parsed JSON of that answer.
ShowTable: TypeAlias = Callable[[Any], None]


def search(
    query: str, form: str, filters: Mapping[str, str | int], *, sandbox: bool, pictures: Path | None = None
) -> int:
    """Search, and print a table, the API's JSON, or a citation format. `pictures`: a folder for an SVG of the graph."""
    fields: dict[str, str | int] = {**({"query": query} if query else {}), **filters}
    if form == "table":
        fields["detail"] = "full"  # the table lists the providers that found each paper
    elif form in FILE_FORMATS:
        fields["format"] = form
    with (
        progress(f"searching for “{query or filters.get('author', 'the next page')}” …") as status_line,
        open_service(sandbox=sandbox) as service,
    ):
        answer = service.post("/v1/literature-search", **fields)
        status_line.stop()
        remote = is_remote(sandbox=sandbox)
        exit_status = _print(answer, form, lambda it: show_answer(it, sandbox=sandbox, remote=remote))
        if exit_status == 0 and pictures and form == "table" and isinstance(service, LocalService):
            from infra.local.demo import draw_graph

            draw_graph(service.machine, pictures / "search-graph.svg")
    return exit_status


def resolve(references: Sequence[str], form: str, *, sandbox: bool) -> int:
    """Print which paper each reference refers to."""
    noun = "reference" if len(references) == 1 else "references"
    with progress(f"resolving {len(references)} {noun} …") as status_line, open_service(sandbox=sandbox) as service:
        answer = service.post("/v1/resolve", references=list(references))
        status_line.stop()
        return _print(answer, form, show_references)


def export(ids: Sequence[str], form: str, *, sandbox: bool) -> int:
    """Print papers, given by id, in a citation format."""
    ids = [name for text in ids for name in ids_of(text)]
    noun = "paper" if len(ids) == 1 else "papers"
    with progress(f"looking up {len(ids)} {noun} …") as status_line, open_service(sandbox=sandbox) as service:
        answer = service.post("/v1/exports", ids=ids, format=form)
        status_line.stop()
        return _print(answer, form, None)


def _print(answer: Answer, form: str, show_table: ShowTable | None) -> int:
    """Print the answer to stdout, warnings to stderr; return the exit status."""
    if form in FILE_FORMATS:
        print(answer.body, end="" if answer.body.endswith("\n") else "\n")
        _warn_about(answer)
    elif show_table and form == "table":
        show_table(answer.json())
    else:
        print(readable_json(answer.json()))
    return 0


def _warn_about(answer: Answer) -> None:
    """Print warnings that a file in a citation format cannot contain; the API sends them as headers."""
    err = console(stderr=True)
    if answer.headers.get("complete") == "false":
        err.print("warning: not every source answered; --format json names them", markup=False)
    missing = int(answer.headers.get("not-found") or 0)
    ids = [it for name in ("not-found-ids", "unanswered-ids") if (it := answer.headers.get(name))]
    if missing:
        named = f": {', '.join(ids)}" if ids else ""
        err.print(f"warning: {number_of(missing, 'requested paper')} not found{named}", markup=False)
    if malformed := answer.headers.get("malformed-ids"):
        err.print(f"warning: not ids of papers: {malformed}", markup=False)
    if repeated := answer.headers.get("repeated-ids"):
        err.print(f"warning: ids of papers that are there already: {repeated}", markup=False)
