"""Prints answers for the terminal: tables of papers, providers, citation networks and references; the graph's size."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.status import Status
from rich.table import Table

from infra.local.next_commands import next_lines
from shared.api.problems import HINTS
from shared.graph.part import Graph
from shared.graph.store import GraphStore

if TYPE_CHECKING:
    from shared.answers.papers import NetworkAnswer, NetworkNode
    from shared.answers.search import LegReport, Paper, SearchAnswer
    from shared.answers.service import Problem

WIDTH_WITHOUT_TERMINAL = 170  # columns: wide enough for every table
EXAMPLES = 3
MIN_ABBREVIATION = 3
# Exit statuses, and the statuses of HTTP that a request gets whose values are wrong: the API alone knows what is valid.
NO_ANSWER, WRONG_USAGE = 1, 2
REFUSED = (400, 413, 422)


def console(*, stderr: bool = False) -> Console:
    """Return a console for stdout or stderr; it uses colours on a terminal only. `:dna:` stays what it is."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else WIDTH_WITHOUT_TERMINAL
    return Console(file=stream, width=width, highlight=False, emoji=False)


@contextmanager
def progress(message: str) -> Iterator[Status]:
    """Show a spinner until the context ends or the status is stopped; without a terminal, print one line to stderr."""
    err = console(stderr=True)
    status = err.status(message)
    if not err.is_terminal:
        err.print(message, markup=False)
        yield status
        return
    with status:
        yield status


def readable_json(value: object) -> str:
    """JSON as a command prints it."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def completeness(answer: Mapping[str, object]) -> str:
    """Whether every source that was queried has answered, in a word."""
    return "complete" if answer["complete"] else "INCOMPLETE"


def show_answer(answer: SearchAnswer, *, sandbox: bool, remote: bool = False) -> None:
    """Print the results of a search, a line for each provider, the hints, and the commands that may help next."""
    out = console()
    out.print(_results_table(answer))
    out.print(
        f"{answer['returned']} of {answer['total_count']} papers · {answer['search_time_ms']} ms · "
        f"cache {answer['cache']} · {completeness(answer)}\n"
    )
    out.print(_legs_table(answer["providers"]))
    for hint in answer["hints"]:
        out.print(f"hint ({hint['reason']}): {hint['message']}", markup=False)
    for line in next_lines(answer["next_actions"], sandbox=sandbox, remote=remote):
        print(line)  # as it is: the console would break the command that is pasted, and lose its tabs


def abbreviations(names: Collection[str]) -> dict[str, str]:
    """Return the shortest prefix of each name, of three letters or more, that no other name starts with."""
    lengths = {
        name: next(
            length
            for length in range(min(MIN_ABBREVIATION, len(name)), len(name) + 1)
            if length == len(name) or not any(other != name and other.startswith(name[:length]) for other in names)
        )
        for name in names
    }
    return {name: name[:length] for name, length in lengths.items()}


def _results_table(answer: SearchAnswer) -> Table:
    short = abbreviations(answer["providers"])
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
        table.add_row(*(plain(cell) for cell in _row(number, result, short)))
    return table


def plain(cell: str) -> str:
    """Escape square brackets, which rich would read as markup."""
    return cell.replace("[", r"\[")


def _row(number: int, result: Paper, short: Mapping[str, str]) -> list[str]:
    authors = result["authors"]
    count = result["author_count"] or len(authors)
    first = authors[0] if authors else "–"
    access = {True: "yes", False: "no", None: "?"}[result.get("open_access", {}).get("is_oa")]
    flag = {"retracted": "RETRACTED: ", "concern": "CONCERN: "}.get(result.get("retraction", {}).get("status", ""), "")
    return [
        str(number),
        f"{first} et al. ({count})" if count > 1 else first,
        flag + result["title"],
        str(result["year"] or "–"),
        result["journal"] or "–",
        str(result["citation_count"]) if result["citation_count"] is not None else "–",
        result["doi"] or result["key"],
        access,
        " ".join(short.get(name, name) for name in sorted(result["provider_scores"])),
    ]


def _legs_table(reports: Mapping[str, LegReport]) -> Table:
    short = abbreviations(reports)
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
            f"{short[name]:<5} {name}", f"[{colour}]{report['outcome']}[/{colour}]", report["source"],
            str(report["returned"]), "–" if total is None else f"{total:,}", str(report["elapsed_ms"]), plain(notes),
        )  # fmt: skip
    return table


def _wait(seconds: float | None) -> list[str]:
    if seconds is None:
        return []
    return [f"retry in {seconds:.0f} s" if seconds < 120 else f"retry in {seconds / 3600:.1f} h"]


def show_network(answer: NetworkAnswer) -> None:
    """Print the size of a citation network, and a line for each paper with a role in it."""
    out, counts = console(), answer["counts"]
    seeds = sum(node["seed"] for node in answer["nodes"])
    out.print(
        f"\nCitation network of {seeds} of these papers: papers: {counts['nodes']} · "
        f"citations between them: {counts['edges']} · {answer['search_time_ms']} ms · "
        f"{completeness(answer)}"
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
                table.add_row(role, *(plain(cell) for cell in _node_row(node)))
    if table.row_count:
        out.print(table)
    else:
        out.print(
            "no paper has a role: none is cited twice in the network, connects parts of it, or is new and much cited"
        )


def _node_row(node: NetworkNode) -> list[str]:
    empty: Paper = {}
    paper, rate = node["paper"] or empty, node["citations_a_year"]
    first = next(iter(paper.get("authors") or ()), node["key"])
    return [
        f"{first} {paper.get('year') or ''}".rstrip(),
        str(node["cited_within"]),
        f"{node['betweenness']:.3f}",
        "–" if rate is None else f"{rate:g}",
        paper.get("title") or node["key"],
    ]


def show_graph(store: GraphStore, graph: Graph, messages: int) -> None:
    """Print the size of the graph, and one of its papers with the papers and contexts that cite it."""
    out = console()
    stats = store.stats()
    out.print(
        f"\nGraph: papers: {stats['papers']} · citations between them: {stats['cites']} · "
        f"contexts: {stats['contexts']} · cited there: {stats['cited_in']} · shown there: {stats['shown_in']} · "
        f"messages written: {messages}"
    )
    key = _most_cited(graph)
    example = store.paper(key) if key else None
    if not key or not example:
        return
    out.print(f"       for example {key}: {example['paper']['title']}", markup=False)
    citing, contexts = store.cited_by(key), store.contexts_of(key)
    for entry in citing.items[:EXAMPLES]:
        out.print(f"       cited by {entry['key']} (source: {', '.join(entry['providers'])})", markup=False)
    for mention in contexts.items[:EXAMPLES]:
        relation, context = mention["relation"].replace("_", " "), mention["context"]
        out.print(f"       {relation} {context['type']} {context['id']}, {mention['at']}", markup=False)


def _most_cited(graph: Graph) -> str | None:
    """Return the most cited paper, if possible one that a context cites; None for an empty graph."""
    contexts = Counter(mention["key"] for mention in graph.mentions if mention["relation"] == "cited_in")
    papers = Counter(edge["target"] for edge in graph.cites)
    keys = sorted(str(paper["key"]) for paper in graph.papers)
    return max(keys, key=lambda key: (contexts[key] > 0, papers[key]), default=None)


def show_problem(problem: Problem) -> int:
    """Print an error to stderr: what failed, a line for each cause, and what to do; return the exit status."""
    err = console(stderr=True)
    err.print(f"error: {problem['detail']}", markup=False)
    said = f"{problem['detail']} {problem['hint']}".casefold()
    for error in problem["errors"]:
        if error["message"].casefold() in said and not error["field"].startswith("providers."):
            continue  # the detail or the hint says it
        err.print(f"  {error['field'].removeprefix('providers.'):<17} {error['message']}", markup=False)
    failures = [error["message"] for error in problem["errors"] if not error["message"].startswith("skipped_")]
    if failures and all("could not be reached" in message for message in failures):
        err.print(
            "try: check the network connection; `make demo` runs a whole search without one, as --sandbox does",
            markup=False,
        )
    elif problem["hint"] in (HINTS[400], HINTS[422]):  # `errors` is of the API's JSON
        err.print("try: correct what is named above; --help describes what the command takes", markup=False)
    elif problem["hint"]:
        err.print(f"try: {problem['hint']}", markup=False)
    return WRONG_USAGE if problem["status"] in REFUSED else NO_ANSWER
