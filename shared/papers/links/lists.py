"""`references` and `citations` of one paper: the lists of all providers, merged, stored, and shown page by page.

References have the order of the paper's own bibliography, as far as the providers preserve it; citations begin with the
most cited. Each item names the providers that assert it; an item that is only a printed reference is shown as text.
Every page that is shown is also published to the graph.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, cast

from shared.answers.content_trust import marks
from shared.bibliography.paper import InTextCitation
from shared.bibliography.paper_ids import read_id
from shared.canonical_json import canonical, digest
from shared.clock import Deadline
from shared.errors import FieldError, NotFound, Unanswered, Unprocessable
from shared.legs.reports import as_answers, raise_if_all_failed, reports_of
from shared.papers.dependencies import PaperDependencies
from shared.papers.external_ids import external_ids
from shared.papers.leg_summary import summary_of
from shared.papers.links.dates import of_dates
from shared.papers.links.hints import link_hints
from shared.papers.links.in_text import in_text_index, merged_in_text, sized_in_text
from shared.papers.links.kept_texts import kept_in_text
from shared.papers.links.legs import Head, query_lists, with_records
from shared.papers.links.merging import Assertion, LinkedItem
from shared.papers.links.order import ORDERS
from shared.papers.links.publishing import published_links
from shared.papers.lookup import look_up
from shared.papers.paper_request import PaperRequest
from shared.papers.papers import NO_PROVIDER_FOR_ID, no_paper_error
from shared.papers.request import LinksRequest
from shared.papers.texts.sources import copies_of
from shared.query.question import Relation
from shared.search.integrity import unanswered_trackers, with_integrity
from shared.search.result_sets.cursor import Cursor, read_cursor
from shared.search.result_sets.store import existing, result_set_id, reused, stored
from shared.search.results import unranked
from shared.search.sizes.details import cut_fields, page_sized, sized
from shared.search.sizes.report_sizes import sized_reports
from shared.search.sizes.token_budget import fit_entries, kept_within, least_paper, truncated_by

if TYPE_CHECKING:
    from shared.answers.papers import LinkedPaper, LinksAnswer
    from shared.answers.search import ExternalIds
    from shared.papers.links.stored_list import ListSummary, StoredLink, StoredList

# The shares of the remaining time for finding the paper and for its lists; the rest is for records of listed ids.
HEAD_SHARE, LISTS_SHARE = 0.4, 0.7


def get_links(relation: Relation, request: LinksRequest, dependencies: PaperDependencies) -> LinksAnswer:
    """A page of the list. Raises NotFound for an unknown paper, AllProvidersFailed, Expired, Unprocessable."""
    deadline = Deadline(dependencies.monotonic, request.timeout_ms)
    if request.cursor:
        cursor = read_cursor(request.cursor)
        listing = _list_of_cursor(cursor, relation, request, dependencies)
    else:
        key = _request_key(relation, request)
        previous = None if request.fresh else dependencies.result_sets.find_by_request(key)
        if previous:
            listing = cast("StoredList", reused(previous, "hit"))
            dependencies.observe(as_answers(listing["summary"]["providers"]))
        else:
            listing = _new_list(relation, request, dependencies, deadline, key)
        cursor = Cursor(listing["result_set_id"], 0)
    return _page(listing, request, cursor, dependencies, deadline)


def _list_of_cursor(
    cursor: Cursor, relation: Relation, request: LinksRequest, dependencies: PaperDependencies
) -> StoredList:
    hint = "Ask for the list again without `cursor`."
    result_set = existing(dependencies.result_sets, cursor.result_set_id, hint, by_cursor=True)
    summary = result_set["summary"]
    if summary.get("relation") != relation or read_id(request.id) not in summary["names"]:
        error = FieldError("cursor", f"is not of the {relation} of {request.id[:100]}")
        raise Unprocessable("cursor: of another list", [error], hint="Pass it to the path that it came from.")
    return cast("StoredList", reused(result_set, "hit"))


def _request_key(relation: Relation, request: LinksRequest) -> str:
    form = [relation, read_id(request.id), _sort(relation, request), *_dates(request)]
    return digest(canonical(form, spaced=True, ensure_ascii=True))


def _dates(request: LinksRequest) -> list[str]:
    """The range of dates in a fixed form; empty without one."""
    return [request.date_from or "", request.date_to or ""] if request.date_from or request.date_to else []


def _sort(relation: Relation, request: LinksRequest) -> str:
    return request.sort or ("bibliography" if relation == "references" else "citations")


def _new_list(
    relation: Relation, request: LinksRequest, dependencies: PaperDependencies, deadline: Deadline, key: str
) -> StoredList:
    """Query the providers for the list, and store it under a hash of its content."""
    name = read_id(request.id) or ""
    found = look_up([name], dependencies, deadline, fresh=request.fresh, part=HEAD_SHARE)
    if found.answers:
        raise_if_all_failed([answer.reply for answer in found.answers])
    (head,) = found.requests
    if head.paper is None:
        raise _no_paper(request.id, head)
    heads = [Head(head.paper.key, head.names)]
    listings, answers = query_lists([relation], heads, dependencies, deadline, fresh=request.fresh, part=LISTS_SHARE)
    if answers:
        raise_if_all_failed([answer.reply for answer in answers])
    order = ORDERS[_sort(relation, request)]
    listed, more, is_cut = with_records(
        listings, dependencies, deadline, lambda item: (order(item), item.key or "~", item.text or "")
    )
    items, undated, outside = of_dates(listed, request)
    all_answers = [*(record_answers := [*found.answers, *more]), *answers]
    failed_trackers = unanswered_trackers((answer.reply for answer in all_answers), dependencies.tracking)
    in_text = in_text_index(listings)
    kept = {} if deadline.over else kept_in_text(relation, copies_of(head), items, dependencies)
    results = [_stored_link(item, failed_trackers, in_text, kept.get(at)) for at, item in enumerate(items)]
    legs, reports = summary_of(all_answers, is_cut=is_cut), reports_of([answer.reply for answer in answers])
    of_records = reports_of([answer.reply for answer in record_answers])
    summary: ListSummary = {
        "relation": relation,
        "names": sorted(head.names),
        "paper": unranked(head.paper),
        "complete": legs["complete"],
        "cache": legs["cache"],
        "total_count": len(items),
        "totals": {name: report["total_estimate"] for name, report in reports.items()},
        "providers": reports,
        "hints": link_hints(reports, of_records, len(items), undated=undated, outside=outside, is_cut=is_cut),
    }
    fresh_s = 0.0 if is_cut else min((answer.fresh_s for answer in all_answers), default=0.0)
    return _stored(summary, results, dependencies, key, fresh_s)


def _stored(
    summary: ListSummary, results: list[StoredLink], dependencies: PaperDependencies, key: str, fresh_s: float
) -> StoredList:
    content = [summary["names"], summary["paper"]["key"], results]
    listing: StoredList = {
        "result_set_id": result_set_id(key, content, summary),
        "summary": summary,
        "results": results,
    }
    return cast("StoredList", stored(dependencies.result_sets, listing, key, fresh_s))


def _no_paper(requested: str, head: PaperRequest) -> NotFound | Unanswered:
    reason = None if head.has_answer_of_index else NO_PROVIDER_FOR_ID
    return no_paper_error(
        requested, head.name, head.answered_by, head.unanswered, is_certain=head.not_found, not_queried=reason
    )


def _page(
    listing: StoredList, request: LinksRequest, cursor: Cursor, dependencies: PaperDependencies, deadline: Deadline
) -> LinksAnswer:
    summary, results = listing["summary"], listing["results"]
    wanted = results[cursor.offset : cursor.offset + request.max_results]
    papers = iter(page_sized([entry["paper"] for entry in wanted if entry["paper"]], request))
    in_size: list[LinkedPaper] = [
        {
            **entry,
            "paper": next(papers) if entry["paper"] else None,
            "external_ids": _ids_shown(entry, request.detail),
            "in_text": sized_in_text(entry.get("in_text"), request.detail),
        }
        for entry in wanted
    ]
    around = _around(listing, request, cursor, dependencies)
    draft, shown, cuts = fit_entries(around, in_size, request.max_tokens, _least)
    end = cursor.offset + len(shown)
    has_more = bool(shown) and end < len(results) and listing.get("kept", True)
    listed = [(entry["paper"], small["paper"]) for entry, small in zip(wanted, shown, strict=False)]
    cut = cut_fields([one for one, _ in listed if one], [small for _, small in listed if small], request)
    page: LinksAnswer = {
        **draft,
        "returned": len(shown),
        "results": shown,
        "search_time_ms": deadline.elapsed_ms(),
        "next_cursor": str(Cursor(cursor.result_set_id, end)) if has_more else None,
        "kg": published_links(summary, wanted[: len(shown)], request, dependencies),
        "truncated": truncated_by(len(wanted) - len(shown), cut, request.max_tokens, cuts),
    }
    return kept_within(page, request.max_tokens)


def _ids_shown(entry: StoredLink, detail: str) -> ExternalIds:
    """All ids, null where unknown; with detail=compact the known ones alone."""
    ids = entry["external_ids"]
    return cast("ExternalIds", {name: it for name, it in ids.items() if it}) if detail == "compact" else ids


def _least(entry: LinkedPaper) -> LinkedPaper:
    return {**entry, "paper": least_paper(entry["paper"]) if entry["paper"] else None, "in_text": None}


def _around(listing: StoredList, request: LinksRequest, cursor: Cursor, dependencies: PaperDependencies) -> LinksAnswer:
    """The answer without entries."""
    summary = listing["summary"]
    return {
        "relation": summary["relation"],
        "paper": sized(summary["paper"], request),
        "total_count": summary["total_count"],
        "totals": summary["totals"],
        "returned": 0,
        "results": [],
        "search_time_ms": 0,
        "complete": summary["complete"],
        "providers": sized_reports(summary["providers"], request.detail),
        "cache": summary["cache"],
        "result_set_id": listing["result_set_id"],
        "next_cursor": str(Cursor(cursor.result_set_id, len(listing["results"]))),
        "kg": {"queued": 0, "skipped": 0},
        "hints": summary["hints"],
        "truncated": None,
        **marks(dependencies.request_id),
    }


def _stored_link(
    item: LinkedItem,
    failed_trackers: Collection[str],
    in_text: Mapping[Assertion, InTextCitation],
    kept: tuple[str, InTextCitation] | None,
) -> StoredLink:
    """The entry of the list, with its paper in full."""
    return {
        "key": item.key,
        "paper": unranked(with_integrity(item.paper, failed_trackers)) if item.paper else None,
        "external_ids": external_ids(item.ids),
        "text": item.text,
        "asserted_by": item.asserted_by,
        "in_text": merged_in_text(item.assertions, in_text, kept),
    }
