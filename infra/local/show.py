"""Answers for people: a table of papers, a line a provider, the papers of a network, and what went into the graph."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.status import Status
from rich.table import Table

from shared.graph.exports import Graph
from shared.graph.store import GraphStore

# Wide enough for every column where there is no terminal to ask.
WIDTH_WITHOUT_TERMINAL = 170
EXAMPLES = 3
SHORT = {
    "arxiv": "arX", "crossref": "CR", "europe_pmc": "EPMC", "openalex": "OA", "paperclip": "PC", "pubmed": "PM",
    "semantic_scholar": "S2",
}  # fmt: skip


def console(*, stderr: bool = False) -> Console:
    """Colours on a terminal only."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else WIDTH_WITHOUT_TERMINAL, highlight=False)


@contextmanager
def progress(message: str) -> Iterator[Status]:
    """A spinner on a terminal, until it is stopped or left; one line on any other stderr."""
    err = console(stderr=True)
    status = err.status(message)
    if not err.is_terminal:
        err.print(message, markup=False)
        yield status
        return
    with status:
        yield status


def show_answer(answer: Mapping[str, Any]) -> None:
    """The results as a table, the legs, the hints."""
    out = console()
    out.print(_results_table(answer))
    out.print(
        f"{answer['returned']} of {answer['total_count']} papers · {answer['search_time_ms']} ms · "
        f"cache {answer['cache']} · {'complete' if answer['complete'] else 'INCOMPLETE'}\n"
    )
    out.print(_legs_table(answer["providers"]))
    for hint in answer["hints"]:
        out.print(f"hint ({hint['reason']}): {hint['message']}", markup=False)
    for action in answer["next_actions"]:
        out.print(f"next: {action['tool']}({action['arguments']}): {action['why']}", markup=False)


def _results_table(answer: Mapping[str, Any]) -> Table:
    table = Table(title=None, box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right")
    table.add_column("Authors", max_width=24, overflow="ellipsis", no_wrap=True)
    table.add_column("Title", ratio=1)
    table.add_column("Year", justify="right")
    table.add_column("Venue", max_width=26, overflow="ellipsis", no_wrap=True)
    table.add_column("Cites", justify="right")
    table.add_column("DOI", overflow="fold", max_width=34)
    table.add_column("OA")
    table.add_column("Found by")
    for number, result in enumerate(answer["results"], start=1):
        table.add_row(*(_plain(cell) for cell in _row(number, result)))
    return table


def _plain(cell: str) -> str:
    """Titles may hold square brackets, which are no markup."""
    return cell.replace("[", r"\[")


def _row(number: int, result: Mapping[str, Any]) -> list[str]:
    authors = result["authors"]
    count = result["author_count"] or len(authors)
    first = authors[0] if authors else "–"
    access = {True: "yes", False: "no", None: "?"}[result["open_access"]["is_oa"]]
    flag = {"retracted": "RETRACTED: ", "concern": "CONCERN: "}.get(result["retraction"]["status"], "")
    return [
        str(number),
        f"{first} et al. ({count})" if count > 1 else first,
        flag + result["title"],
        str(result["year"] or "–"),
        result["journal"] or "–",
        str(result["citation_count"]) if result["citation_count"] is not None else "–",
        result["doi"] or result["key"],
        access,
        " ".join(SHORT.get(name, name) for name in sorted(result["provider_scores"])),
    ]


def _legs_table(reports: Mapping[str, Mapping[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("Provider", "Outcome", "Source"):
        table.add_column(name)
    table.add_column("Papers", justify="right")
    table.add_column("of", justify="right")
    table.add_column("ms", justify="right")
    table.add_column("Note", ratio=1)
    for name, report in reports.items():
        colour = {"ok": "green", "empty": "yellow"}.get(report["outcome"], "red")
        total = report["total_estimate"]
        notes = "; ".join([*report["warnings"], *_wait(report["retry_after_s"])])
        table.add_row(
            f"{SHORT.get(name, name):<4} {name}", f"[{colour}]{report['outcome']}[/{colour}]", report["source"],
            str(report["returned"]), "–" if total is None else f"{total:,}", str(report["elapsed_ms"]), _plain(notes),
        )  # fmt: skip
    return table


def _wait(seconds: float | None) -> list[str]:
    if seconds is None:
        return []
    return [f"ask again in {seconds:.0f} s" if seconds < 120 else f"ask again in {seconds / 3600:.1f} h"]


def show_network(answer: Mapping[str, Any]) -> None:
    """How large a citation network is, and a line for each paper that stands out in it."""
    out, counts = console(), answer["counts"]
    seeds = sum(node["seed"] for node in answer["nodes"])
    out.print(
        f"\nNetwork around {seeds} of them: papers: {counts['nodes']} · citations between them: {counts['edges']} · "
        f"{answer['search_time_ms']} ms · {'complete' if answer['complete'] else 'INCOMPLETE'}"
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("Role", "Paper"):
        table.add_column(name, no_wrap=True)
    for name in ("Cited within", "Betweenness", "Cites a year"):
        table.add_column(name, justify="right")
    table.add_column("Title", ratio=1)
    nodes = sorted(answer["nodes"], key=lambda node: (-node["cited_within"], -node["betweenness"], node["key"]))
    for role in answer["roles"]:
        for node in nodes:
            if role in node["roles"]:
                table.add_row(role, *(_plain(cell) for cell in _node_row(node)))
    if table.row_count:
        out.print(table)
    else:
        out.print("no paper of it stands out: none is cited twice in it, joins parts of it, or is new and much cited")


def _node_row(node: Mapping[str, Any]) -> list[str]:
    paper, rate = node["paper"] or {}, node["citations_a_year"]
    first = next(iter(paper.get("authors") or ()), node["key"])
    return [
        f"{first} {paper.get('year') or ''}".rstrip(),
        str(node["cited_within"]),
        f"{node['betweenness']:.3f}",
        "–" if rate is None else f"{rate:g}",
        paper.get("title") or node["key"],
    ]


def show_references(answer: Mapping[str, Any]) -> None:
    """A line for each reference: whether it exists, and which paper it means."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right")
    table.add_column("Status", no_wrap=True)
    table.add_column("Reference", ratio=1)
    table.add_column("Paper", ratio=1)
    table.add_column("Year", justify="right")
    table.add_column("Id", overflow="fold", max_width=40)
    for number, entry in enumerate(answer["references"], start=1):
        colour = {"matched": "green", "ambiguous": "yellow"}.get(entry["status"], "red")
        paper, asked = entry["paper"] or {}, entry["reference"]
        text = asked if isinstance(asked, str) else asked.get("text") or asked.get("reference") or str(asked)
        cells = (paper.get("title") or "–", str(paper.get("year") or "–"), paper.get("doi") or paper.get("key") or "–")
        table.add_row(str(number), f"[{colour}]{entry['status']}[/{colour}]", *map(_plain, (text, *cells)))
    out = console()
    out.print(table)
    out.print(
        f"{answer['matched']} matched · {answer['ambiguous']} ambiguous · {answer['not_found']} not found · "
        f"{answer['unanswered']} unanswered · {'complete' if answer['complete'] else 'INCOMPLETE'}"
    )


def show_graph(store: GraphStore, graph: Graph, messages: int) -> None:
    """How much the graph holds, and one paper of it: who cites it, where it is cited."""
    out = console()
    held = store.stats()
    out.print(
        f"\nGraph: papers: {held['papers']} · citations between them: {held['cites']} · contexts: {held['contexts']} · "
        f"cited there: {held['cited_in']} · shown there: {held['shown_in']} · messages written: {messages}"
    )
    key = _most_cited(graph)
    found = store.paper(key) if key else None
    if not key or not found:
        return
    out.print(f"       for example {key}: {found['paper']['title']}", markup=False)
    citing, contexts = store.cited_by(key), store.contexts_of(key)
    for entry in citing.items[:EXAMPLES]:
        out.print(f"       cited by {entry['key']}, as {', '.join(entry['providers'])} told", markup=False)
    for mention in contexts.items[:EXAMPLES]:
        relation, context = mention["relation"].replace("_", " "), mention["context"]
        out.print(f"       {relation} {context['type']} {context['id']}, {mention['at']}", markup=False)


def _most_cited(graph: Graph) -> str | None:
    """In contexts first, then by papers; without any, the first paper."""
    contexts = Counter(mention["key"] for mention in graph.mentions if mention["relation"] == "cited_in")
    papers = Counter(edge["target"] for edge in graph.cites)
    keys = sorted(paper["key"] for paper in graph.papers)
    return max(keys, key=lambda key: (contexts[key] > 0, papers[key]), default=None)


def show_problem(problem: Mapping[str, Any]) -> None:
    """An error on stderr: what failed, a line a cause, what to do."""
    err = console(stderr=True)
    err.print(f"error: {problem['detail']}", markup=False)
    for fault in problem["errors"]:
        err.print(f"  {fault['field'].removeprefix('providers.'):<17} {fault['message']}", markup=False)
    asked = [fault["message"] for fault in problem["errors"] if not fault["message"].startswith("skipped_")]
    if asked and all("could not be reached" in message for message in asked):
        err.print(
            "try: check the network connection; `make demo` runs a whole search without one, and so does --sandbox",
            markup=False,
        )
    elif problem["hint"]:
        err.print(f"try: {problem['hint']}", markup=False)
