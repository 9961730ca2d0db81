"""`references` and `citations` of one paper: asked of everybody who keeps such lists, merged, kept, and shown by pages.

References come in the order of the paper's own bibliography, as the sources that keep that order tell it; citations
with the most cited first. Each item says who asserts it; an item that is only text is shown as text. The graph learns
what is shown, page by page.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from shared.answers.envelope import envelope, in_order
from shared.bibliography.paper_ids import read_id
from shared.canonical_json import canonical, digest
from shared.clock import Deadline
from shared.errors import Expired, FieldError, Outcome, Unprocessable
from shared.legs.leg import LegAnswer
from shared.legs.reports import as_answers, cache_state, complete, reports_of, someone_answered
from shared.papers.dependencies import PapersWorld
from shared.papers.link_legs import Head, ask_links, with_records
from shared.papers.linked import ORDERS, Item
from shared.papers.lookup import Sought, look_up
from shared.papers.papers import not_found
from shared.papers.request import LinksRequest
from shared.query.question import Relation
from shared.search.cursor import Cursor, read_cursor
from shared.search.integrity import uncertain, unheard, with_integrity
from shared.search.page import unranked
from shared.search.publishing import publish_results
from shared.search.result_sets import reused, stored
from shared.search.sizes import page_sized, sized, within_budget

# Of the time that is left, what finding the paper and asking for its lists may take; records of mere ids come last.
HEAD_PART, LISTS_PART = 0.4, 0.7
FIELDS = (
    "relation", "paper", "total_count", "totals", "returned", "results", "search_time_ms", "complete", "providers",
    "cache", "result_set_id", "next_cursor", "kg", "hints", "truncated", "request_id", "content_trust",
)  # fmt: skip
Entry = dict[str, Any]


def get_links(relation: Relation, request: LinksRequest, world: PapersWorld) -> dict[str, Any]:
    """A page of the list. Raises NotFound for an unknown paper, AllProvidersFailed, Expired, Unprocessable."""
    deadline = Deadline(world.monotonic, request.timeout_ms)
    if request.cursor:
        cursor = read_cursor(request.cursor)
        listing = _of_cursor(cursor, relation, request, world)
    else:
        key = _request_key(relation, request)
        kept = None if request.fresh else world.result_sets.of_request(key)
        listing = reused(kept, "hit") if kept else _new_listing(relation, request, world, deadline, key)
        if kept:
            world.observe(as_answers(listing["summary"]["providers"]))
        cursor = Cursor(listing["result_set_id"], 0)
    return _page(listing, request, cursor, world, deadline)


def _of_cursor(cursor: Cursor, relation: Relation, request: LinksRequest, world: PapersWorld) -> dict[str, Any]:
    kept = world.result_sets.get(cursor.result_set_id)
    if kept is None:
        raise Expired("this cursor's list is kept no longer", hint="Ask for the list again without `cursor`.")
    summary = kept["summary"]
    if summary.get("relation") != relation or read_id(request.id) not in summary["names"]:
        fault = FieldError("cursor", f"is not of the {relation} of {request.id[:100]}")
        raise Unprocessable("cursor: of another list", [fault], hint="Pass it to the path that it came from.")
    return reused(kept, "hit")


def _request_key(relation: Relation, request: LinksRequest) -> str:
    form = [relation, read_id(request.id), _sort(relation, request)]
    return digest(canonical(form, spaced=True, ensure_ascii=True))


def _sort(relation: Relation, request: LinksRequest) -> str:
    return request.sort or ("bibliography" if relation == "references" else "citations")


def _new_listing(
    relation: Relation, request: LinksRequest, world: PapersWorld, deadline: Deadline, key: str
) -> dict[str, Any]:
    name = read_id(request.id) or ""
    looked = look_up([name], world, deadline, fresh=request.fresh, part=HEAD_PART)
    if looked.answers:
        someone_answered([answer.reply for answer in looked.answers])
    (head,) = looked.sought
    if head.paper is None:
        raise _no_paper(request.id, head)
    heads = [Head(head.paper.key, head.names)]
    listings, answers = ask_links([relation], heads, world, deadline, fresh=request.fresh, part=LISTS_PART)
    if answers:
        someone_answered([answer.reply for answer in answers])
    order = ORDERS[_sort(relation, request)]
    items, more = with_records(listings, world, deadline, lambda it: (order(it), it.key or "~", it.text or ""))
    aside = [*looked.answers, *more]  # of records: they make the list no shorter, but they make it poorer
    summary = {
        "relation": relation,
        "names": sorted(head.names),
        "paper": unranked(head.paper),
        "complete": complete(reports_of([answer.reply for answer in (*aside, *answers)]), ()),
        "cache": cache_state([*aside, *answers]),
        **_told_of(answers, aside, len(items)),
    }
    fresh_s = min((answer.fresh_s for answer in (*aside, *answers)), default=0.0)
    silent = unheard((answer.reply for answer in (*aside, *answers)), world.tracking)
    return _kept(summary, [_entry(item, silent) for item in items], world, key, fresh_s)


def _told_of(answers: Sequence[LegAnswer], aside: Sequence[LegAnswer], found: int) -> dict[str, Any]:
    """What the legs say of the list."""
    reports = reports_of([answer.reply for answer in answers])
    return {
        "total_count": found,
        "totals": {name: report["total_estimate"] for name, report in reports.items()},
        "providers": reports,
        "hints": _hints(reports, reports_of([answer.reply for answer in aside]), found),
    }


def _kept(
    summary: dict[str, Any], results: list[Entry], world: PapersWorld, key: str, fresh_s: float
) -> dict[str, Any]:
    """The list under a hash of what it says; without a next page where it cannot be kept."""
    content = [summary["relation"], summary["names"], summary["paper"]["key"], results]
    name = digest(canonical(content, spaced=True), 32)
    listing = {"result_set_id": name, "summary": summary, "results": results}
    return stored(world.result_sets, listing, key, fresh_s)


def _no_paper(asked: str, head: Sought) -> Exception:
    told = {"id": asked, "name": head.name, "answered_by": head.answered_by, "unanswered": head.failed}
    if head.is_denied:
        return not_found({**told, "status": "not_found"})
    return not_found({**told, "status": "not_asked", "reason": "no provider can be asked for this kind of id"})


def _page(
    listing: Mapping[str, Any], request: LinksRequest, cursor: Cursor, world: PapersWorld, deadline: Deadline
) -> dict[str, Any]:
    summary, results = listing["summary"], listing["results"]
    wanted = results[cursor.offset : cursor.offset + request.max_results]
    papers = iter(page_sized([it["paper"] for it in wanted if it["paper"]], request)[0])
    in_size = [{**it, "paper": next(papers) if it["paper"] else None} for it in wanted]
    shown, truncated = within_budget(in_size, request.max_tokens)
    after = cursor.offset + len(shown)
    more = bool(shown) and after < len(results) and listing.get("kept", True)
    own = {
        "relation": summary["relation"],
        "paper": sized(summary["paper"], request),
        "total_count": summary["total_count"],
        "totals": summary["totals"],
        "returned": len(shown),
        "results": shown,
        "result_set_id": listing["result_set_id"],
        "next_cursor": str(Cursor(cursor.result_set_id, after)) if more else None,
        "truncated": truncated,
    }
    kg = _published(summary, wanted[: len(shown)], request, world)
    shared = envelope(summary, kg=kg, search_time_ms=deadline.elapsed_ms(), request_id=world.request_id)
    return in_order(FIELDS, own, shared)


def _entry(item: Item, silent: Collection[str]) -> Entry:
    """`{key, paper, external_ids, text, asserted_by}`; `paper` is null where only ids or a line are known."""
    paper = unranked(with_integrity(item.paper, silent)) if item.paper else None
    return {
        "key": item.key,
        "paper": paper,
        "external_ids": asdict(item.ids),
        "text": item.text,
        "asserted_by": item.asserted_by,
    }


def _published(
    summary: Mapping[str, Any], shown: Sequence[Entry], request: LinksRequest, world: PapersWorld
) -> dict[str, int]:
    """The graph learns the papers, and of each provider which of them it says are linked."""
    paper, papers = summary["paper"], [entry["paper"] for entry in shown if entry["paper"]]
    if summary["relation"] == "references":
        told: dict[str, list[str]] = {}
        for entry in shown:
            for provider in entry["asserted_by"] if entry["key"] else ():
                told.setdefault(provider, []).append(entry["key"])
        learned = [{**paper, "references": told}, *papers]
    else:
        asserted = [entry["asserted_by"] for entry in shown if entry["paper"]]
        learned = [paper] + [
            {**citing, "references": {name: [paper["key"]] for name in providers}}
            for citing, providers in zip(papers, asserted, strict=True)
        ]
    return publish_results(uncertain(learned), request, world.publish)


def _hints(
    reports: Mapping[str, Mapping[str, Any]], aside: Mapping[str, Mapping[str, Any]], found: int
) -> list[dict[str, str]]:
    hints = [
        {
            "reason": "list_is_cut",
            "message": f"{name} knows {report['total_estimate']:,}; {report['returned']:,} are here.",
        }
        for name, report in reports.items()
        if (report["total_estimate"] or 0) > report["returned"] > 0
    ]
    if failed := _failed(reports):
        hints.append({"reason": "providers_failed", "message": f"Did not answer: {failed}; ask again."})
    if failed := _failed(aside):
        hints.append({"reason": "records_missing", "message": f"Did not tell what they know of the papers: {failed}."})
    if not found:
        hints.append({"reason": "no_match", "message": "No provider that answered keeps such a list of this paper."})
    return hints


def _failed(reports: Mapping[str, Mapping[str, Any]]) -> str:
    outcomes = {name: Outcome(report["outcome"]) for name, report in reports.items()}
    return ", ".join(
        f"{name} ({how})" for name, how in outcomes.items() if not how.answered and how is not Outcome.SKIPPED_NO_KEY
    )
