"""Prints the answer about references as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from infra.local.show import completeness, console, plain

if TYPE_CHECKING:
    from shared.answers.papers import ResolveAnswer, ResolvedReference
    from shared.answers.search import Paper


def _objections(entry: ResolvedReference) -> str:
    """What differs, with the cited and the true value; of a reference without a paper, why the nearest is not it."""
    differing = [f"{name}: {it['cited']} → {it['found']}" for name, it in entry["fields"].items()
                 if it["verdict"] == "differs"]  # fmt: skip
    nearest = [f"{it['paper'].get('title')}: {it['reason']}" for it in entry["candidates"][:1]]
    return "; ".join([*differing, *nearest]) or entry.get("reason", "–")


def show_references(answer: ResolveAnswer) -> None:
    """Print a line for each reference: its status, and the paper that it refers to."""
    empty: Paper = {}
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right")
    table.add_column("Status", no_wrap=True)
    table.add_column("Reference", ratio=1)
    table.add_column("Paper", ratio=1)
    table.add_column("Year", justify="right")
    table.add_column("Id", overflow="fold", max_width=40)
    table.add_column("Differs, or why not", ratio=1)
    for number, entry in enumerate(answer["references"], start=1):
        colour = {"matched": "green", "ambiguous": "yellow"}.get(entry["status"], "red")
        paper, reference = entry["paper"] or empty, entry["reference"]
        text = str(reference.get("text") or reference.get("reference") or reference)
        found = (paper.get("title"), str(paper.get("year") or ""), paper.get("doi") or paper.get("key"))
        cells = (*(it or "–" for it in found), _objections(entry))
        table.add_row(str(number), f"[{colour}]{entry['status']}[/{colour}]", *map(plain, (text, *cells)))
    out = console()
    out.print(table)
    counts = [f"{answer['matched']} matched", f"{answer['mismatched']} mismatched", f"{answer['ambiguous']} ambiguous"]
    counts += [f"{answer['not_found']} not found", f"{answer['unanswered']} unanswered"]
    out.print(" · ".join([*counts, completeness(answer)]))
