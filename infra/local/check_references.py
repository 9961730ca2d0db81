"""The command check-references: a document's references checked with progress, a table, and the corrected document."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rich.table import Table

from infra.local.service import Answer, LocalService, Service, open_service
from infra.local.show import completeness, console, plain, progress, readable_json

if TYPE_CHECKING:
    from shared.answers.reference_checks import CheckedReference, ReferenceCheckAnswer

PATH = "/v1/reference-checks"
POLL_S = 2.0
PAGE = 200
COLOURS = {"matched": "green", "ambiguous": "yellow"}


def check_references(path: Path, form: str, *, sandbox: bool, output: Path | None) -> int:
    """Check the references of a file; return 0 if each is matched and nothing is wrong, else 1. Raises ToolError."""
    content = path.read_bytes()
    with progress(f"checking the references of {path.name} …") as status_line, open_service(sandbox=sandbox) as service:
        answer = service.post(PATH, **_document(content))
        if output:
            output.open("a").close()  # fails now, not after the check
        while (check := _check(answer))["state"] == "running":
            status_line.update(f"checking the references of {path.name}: {_progress(check)}")
            answer = _next_state(service, check["check_id"])
        status_line.stop()
        references = list(_all_references(service, check["check_id"]))
        if output:
            output.write_text(service.get(f"{PATH}/{check['check_id']}/document").body, encoding="utf-8")
    if form == "json":
        # All are here.
        print(readable_json({**check, "references": references, "returned": len(references), "next_cursor": None}))
    else:
        _show(check, references)
    return 0 if check["complete"] and not any(it["comment"] for it in references) else 1


def _document(content: bytes) -> dict[str, str]:
    """The text of a file, or its bytes if it is not text."""
    try:
        return {"document": content.decode()}
    except UnicodeDecodeError:
        return {"document_base64": base64.b64encode(content).decode()}


def _next_state(service: Service, check_id: str) -> Answer:
    """The check a moment later; a service in this process works on it meanwhile."""
    if isinstance(service, LocalService):
        service.machine.check_references()
    else:
        time.sleep(POLL_S)
    return service.get(f"{PATH}/{check_id}", max_results=1)


def _check(answer: Answer) -> ReferenceCheckAnswer:
    return cast("ReferenceCheckAnswer", answer.json())


def _progress(check: ReferenceCheckAnswer) -> str:
    left = check["seconds_left"]
    return f"{check['done']} of {check['of']}" + (f", about {left} s left" if left else "")


def _all_references(service: Service, check_id: str) -> Iterator[CheckedReference]:
    cursor: str | None = "0"
    while cursor is not None:
        page = _check(service.get(f"{PATH}/{check_id}", cursor=cursor, max_results=PAGE))
        yield from page["references"]
        cursor = page["next_cursor"]


def _show(check: ReferenceCheckAnswer, references: list[CheckedReference]) -> None:
    """Print a line for each reference, and what is wrong with the list as a whole."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right")
    table.add_column("Status", no_wrap=True)
    table.add_column("Reference", ratio=1)
    table.add_column("What is wrong", ratio=1)
    table.add_column("Id", overflow="fold", max_width=40)
    for it in references:
        colour, paper = COLOURS.get(it["status"], "red"), it["paper"]
        found = (paper.get("doi") or paper.get("key") or "–") if paper else "–"
        cells = (it["text"], it["comment"] or "–", found)
        table.add_row(it["label"] or str(it["number"]), f"[{colour}]{it['status']}[/{colour}]", *map(plain, cells))
    out = console()
    out.print(table)
    counts = [f"{count} {status.replace('_', ' ')}" for status, count in check["counts"].items()]
    out.print(" · ".join([*counts, completeness(check)]))
    if check["uncited"]:
        out.print(f"never cited in the text: {', '.join(map(str, check['uncited']))}", markup=False)
    for missing in check["without_entry"]:
        out.print(f"cited as {missing['marker']}, but not in the list: {', '.join(missing['missing'])}", markup=False)
    for warning in check["warnings"]:
        out.print(f"warning: {warning['message']}", markup=False)
