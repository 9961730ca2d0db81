"""The report of an exhaustive search in Markdown, by the items of PRISMA-S that concern what this service did.

Items: https://doi.org/10.1186/s13643-020-01542-z (PRISMA-S), https://doi.org/10.1136/bmj.n71 (PRISMA 2020). What only
the reviewers know (registries, contacts, prior work, peer review) is left for them, by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from shared.clock import timestamp_of
from shared.exhaustive_searches.record import bound_of, flow_of, is_complete, source_records
from shared.exhaustive_searches.request import MAX_ALL_RECORDS, request_of, terms_of
from shared.exports.markdown import escaped
from shared.version import VERSION

if TYPE_CHECKING:
    from shared.answers.exhaustive_searches import Flow, SourceRecord
    from shared.exhaustive_searches.progress import ExhaustiveSearch
    from shared.json_types import JsonObject

STOPPED = {
    "end": "to its end",
    "max_records": "to the bound of the search",
    "source_limit": "to the most that it lists",
    "not_paged": "one page, the only one that it sends",
    "failed": "in part: it failed",
    "skipped": "not searched",
    None: "not ended",
}
_WORDS = ("query", "queries", "providers", "max_records")
_FENCE = re.compile("`{3,}")
_LEFT = (
    "Study registries (3), online resources and browsing (4), citation searching (5), contacts (6), other methods (7), "
    "published search filters (10), prior work (11), updates (12) and peer review (14) are for the authors to report."
)


def search_report(search: ExhaustiveSearch) -> str:
    """The report; item numbers of PRISMA-S stand in parentheses."""
    return "\n".join(_lines(search)) + "\n"


def _lines(search: ExhaustiveSearch) -> Iterator[str]:
    request, progress = request_of(search.request), search.progress
    records, flow, terms = source_records(progress, request), flow_of(progress), terms_of(request)
    yield "# Report of the literature search"
    yield ""
    yield f"Searched on {timestamp_of(search.created_at)} with literature-search {VERSION}; id `{search.id}`."
    if not is_complete(search):
        yield ""
        yield "**Not all sources were read to their end**; the table says which, and why."
    yield ""
    yield "## Sources, dates and records (1, 2, 13, 15)"
    yield ""
    yield from _table(records)
    yield ""
    yield "## Search strategies as sent (8)"
    for number, record in enumerate(records, start=1):
        yield ""
        yield f"{number}. {escaped(record['provider'])}, {escaped(record['wording']) or 'an author alone'}"
        yield ""
        yield from _fenced(record["request"] or "no request was sent")
        yield from (f"- {escaped(' '.join(warning.split()))}" for warning in record["warnings"])
    yield ""
    yield "## Limits and restrictions (9)"
    yield ""
    yield _bound(bound_of(progress), request.max_records)
    yield from _limits(terms)
    if flow:
        yield ""
        yield "## Deduplication (16) and selection"
        yield ""
        yield from _selection(flow)
    yield ""
    yield "## Not known to this service"
    yield ""
    yield _LEFT


def _table(records: list[SourceRecord]) -> Iterator[str]:
    yield "| # | Source | First page (UTC) | Last page (UTC) | Source counts | Records read | Read |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for number, record in enumerate(records, start=1):
        total = "unknown" if record["total"] is None else str(record["total"])
        times = (record["searched_from"] or "", record["searched_to"] or "")
        cells = (str(number), escaped(record["provider"]), *times, total, str(record["records"]))
        yield f"| {' | '.join(cells)} | {_read_so_far(record)} |"


def _read_so_far(record: SourceRecord) -> str:
    if record["stopped"] == "end" and not record["complete"]:
        return "to the end of its list, which lacks records"
    return STOPPED[record["stopped"]]


def _fenced(text: str) -> Iterator[str]:
    """A text to the letter; the fence is longer than any run of backquotes in it."""
    fence = "`" * max(3, 1 + max(map(len, _FENCE.findall(text)), default=2))
    yield fence
    yield text
    yield fence


def _bound(bound: int, requested: int) -> str:
    reason = f", since all together may be {MAX_ALL_RECORDS}; {requested} were requested" if bound < requested else ""
    return f"- at most {bound} records of each source and wording{reason}"


def _limits(terms: JsonObject) -> Iterator[str]:
    limits = {name: value for name, value in terms.items() if name not in _WORDS}
    yield from (f"- {name}: {escaped(str(value))}" for name, value in sorted(limits.items()))
    if not limits:
        yield "- no other limits were used"


def _selection(flow: Flow) -> Iterator[str]:
    yield (
        "Records of one paper were merged: by identifiers that they share, else by title, authors, year and pages; "
        "preprints and their articles are one paper. Filters that a source cannot apply were applied afterwards."
    )
    yield ""
    yield f"- records identified: {flow['identified']}"
    yield f"- duplicates removed: {flow['duplicates_removed']}"
    yield f"- papers after the removal of duplicates: {flow['after_duplicates']}"
    yield from _by_filter("excluded by the filter", flow["excluded"])
    yield from _by_filter("left out for lack of data for the filter", flow["undecided"])
    yield f"- papers to screen: {flow['to_screen']}"


def _by_filter(said: str, counts: Mapping[str, int]) -> Iterator[str]:
    yield from (f"- {said} {name}: {count}" for name, count in counts.items())
