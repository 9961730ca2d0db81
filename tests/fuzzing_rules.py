"""What the API's document says in words, for schemathesis: texts that have a format, and rules about several fields.

Loaded by it through SCHEMATHESIS_HOOKS. Its cases that must be accepted hold to these rules; all others are free.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import schemathesis
from hypothesis import strategies as st

from shared.bibliography.paper_ids import read_id, scheme_of
from shared.cursors import write_cursor
from shared.errors import Unprocessable
from shared.query.parser import parse
from shared.query.query import first_day, last_day
from shared.query.syntax import tidy
from shared.saved_searches.schedule import read_schedule
from shared.search.result_sets.cursor import Cursor, read_cursor
from shared.validation import is_blank
from tests.fuzzing import SAVED_SEARCHES

# Some that the sandbox knows, and some that no source knows.
PAPER_IDS = (
    "10.7554/eLife.20391", "https://doi.org/10.1016/j.cell.2017.05.018", "PMID:27797938", "PMC5089864",
    "arXiv:1706.03762", "CorpusId:13756489", "W2741809807", "204e3073870fae3d05bcbc2f6a8e263d9b72e776",
    "10.1000/nobody", "PMID: 999999999", "hep-ex/0307015", "doi:10.1000/a,b", "title:0123456789abcdef0123",
)  # fmt: skip
# The graph stores no CorpusIds, and a text cannot cite a paper by our hash of its title.
GRAPH_IDS = tuple(it for it in PAPER_IDS if not it.startswith(("CorpusId", "title")))
NOW = datetime(2026, 11, 22, tzinfo=UTC)
MAX_LINE = 60_000  # a server refuses a longer request line before the service sees it
_NEEDED = ("query", "queries", "cursor")
_HEX = st.text("0123456789abcdef", min_size=32, max_size=32)
_KINDS = {
    "/v1/graph/contexts/{type}/{id}": "context", "/v1/graph/export": "papers", "/v1/graph/papers/{id}": "cites",
    "/v1/saved-searches": "saved-searches",
}  # fmt: skip

schemathesis.openapi.format("paper-id", st.sampled_from(PAPER_IDS))
schemathesis.openapi.format("graph-id", st.sampled_from(GRAPH_IDS))
# Every cursor's list is gone: most of the time there is none, so that the rest of the request is tried.
schemathesis.openapi.format(
    "cursor", st.sampled_from(["", " ", "\t"]) | st.builds(Cursor, _HEX, st.integers(0, 999_999)).map(str)
)
schemathesis.openapi.format(
    "list-cursor", st.sampled_from([write_cursor(kind, "doi:10.1/a") or "" for kind in _KINDS.values()])
)
schemathesis.openapi.format(
    "literature-query",
    st.sampled_from(
        ["TREM2", "TREM2 microglia", '"attention is all you need"', "TREM2 NOT tau", "(a OR b) c", "β-Amyloid", "微胶"]
    ),
)

schemathesis.openapi.format(
    "saved-search-id", st.sampled_from(SAVED_SEARCHES) | st.text("0123456789abcdef", min_size=20, max_size=20)
)
schemathesis.openapi.format(
    "schedule-expression",
    st.sampled_from(["rate(1 day)", "Rate( 5 minutes )", "cron(0 7 ? * MON-FRI *)", "cron(15,45 */2 L * ? 2030-2040)"]),
)
schemathesis.openapi.format(
    "context-json",
    st.sampled_from(['{"type": "debate", "id": "42"}', '{"id":"\\u00e9 /","type":"report","shared":true}']),
)
schemathesis.openapi.format("timezone", st.sampled_from(["UTC", "Europe/Berlin", "asia/kolkata", " America/New_York"]))
schemathesis.openapi.format(
    "webhook-url",
    st.sampled_from(["https://hooks.example.org/new?a=b", "HTTPS://example.org:8443", "https://93.184.215.14"]),
)


@schemathesis.hook
def filter_case(context: Any, case: Any) -> bool:
    """Whether a case follows the rules that are stated in words: what should be accepted, and what should not."""
    given = {**_fields(case.query), **_fields(case.body), **_fields(_fields(case.body).get("search"))}
    if case.meta is None or not case.meta.generation.mode.is_positive:
        # An empty value breaks a schema and is accepted as a missing one.
        return not any(map(_missing, given.values())) and len(urlencode(_fields(case.query), doseq=True)) < MAX_LINE
    template = case.operation.path
    if case.method == "DELETE" and case.path_parameters["id"] == SAVED_SEARCHES[0]:
        return False
    return (
        all(map(_can_be_read, _texts(given.get("query")) + _texts(given.get("queries"))))
        and _in_order(given.get("date_from"), given.get("date_to"))
        and all(_missing(it) or any(map(str.isalpha, tidy(it))) for it in _texts(given.get("author")))
        and all(_missing(it) or any(map(str.isalnum, tidy(it))) for it in _texts(given.get("journal")))
        and (not _is_search(case) or any(map(_says, map(given.get, _NEEDED))))
        and (
            not template.endswith("/citations")
            or case.method == "GET"
            or _missing(given.get("text")) != _missing(given.get("papers"))
        )
        and (not template.startswith("/v1/saved-searches") or _fires(given.get("schedule")))
        and (f"{case.method} {template}" != "POST /v1/saved-searches" or "search" in _fields(case.body))
        and not _fields(case.body).get("watch")  # of a context that this caller may read, of which there is none
        and (not template.endswith("/new") or _is_of_feed(given.get("after"), case.path_parameters["id"]))
        and (not template.endswith("exports") or _missing(given.get("ids")) != _missing(given.get("result_set_id")))
        and (not template.endswith("resolve") or all(map(_can_be_meant, given.get("references") or [given])))
        and _is_whole(f"{case.method} {template}", given)
        and _has_enough_time(given.get("timeout_ms"))
        and _has_enough_tokens(given.get("max_tokens"))
        and _fits(given.get("seeds"), given.get("max_nodes"))
        and (_own_cursor(template, given) if template in _KINDS else _is_a_cursor(given.get("cursor"), template))
        and ("/papers/" not in template or _is_an_id((case.path_parameters or {}).get("id")))
        and (not template.endswith("fulltext") or not case.path_parameters["id"].startswith("title:"))
        and all(map(_is_an_id, _texts(given.get("seeds"))))
        and all(map(_can_be_cited, _texts(given.get("papers"))))
    )


def _is_whole(operation: str, given: Mapping[str, Any]) -> bool:
    """Whether what a body needs is there: one of some fields, or at most one of them."""
    there = {name for name, value in given.items() if not _missing(value)}
    match operation:
        case "POST /v1/exhaustive-searches":
            return bool(there & {"query", "author"})
        case "POST /v1/passages":
            claims = _texts(given.get("question")) + _texts(given.get("claim"))
            subjects = there & {"result_set_id", "ids", "query"}
            return len(there & {"question", "claim"}) == 1 and any(map(str.isalnum, claims[0])) and len(subjects) <= 1
        case "POST /v1/reference-checks":  # a text drawn at random has no list of references
            # Any text is not a list of them.
            of_lines = "format" not in there or given["format"] in ("text", "markdown")
            return of_lines and there & {"document", "document_base64", "references"} == {"references"}
        case "GET /v1/exports" | "POST /v1/exports":
            return "ids" not in there or any(text.strip() and _is_an_id(text) for text in _texts(given["ids"]))
    return True


def _is_of_feed(after: Any, search_id: str) -> bool:
    """An event's id begins with that of its saved search; a number belongs to any."""
    return not isinstance(after, str) or "-" not in after or after.startswith(search_id)


def _is_search(case: Any) -> bool:
    """Whether it searches, or holds a search to be saved."""
    return bool(case.operation.path.endswith("-search")) or "search" in _fields(case.body)


def _fields(part: Any) -> Mapping[str, Any]:
    return part if isinstance(part, Mapping) else {}


def _says(value: Any) -> bool:
    return any(map(str.strip, _texts(value)))


def _missing(value: Any) -> bool:
    """A list of one is sent as that one."""
    return is_blank(value[0] if isinstance(value, list) and len(value) == 1 else value)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [it for it in value if isinstance(it, str)] if isinstance(value, Iterable) else []


def _can_be_read(text: str) -> bool:
    try:
        parse(text)
    except Unprocessable:
        return not text.strip()
    return True


def _is_an_id(value: Any) -> bool:
    return isinstance(value, str) and (not value.strip() or read_id(value) is not None)


def _can_be_cited(text: str) -> bool:
    name = read_id(text)
    return not text.strip() or bool(name and scheme_of(name) not in ("corpus", "title"))


def _can_be_meant(reference: Any) -> bool:
    """An id that cannot be read carries no information."""
    fields = _fields(reference)
    ids = [fields.get(name) for name in ("id", "doi")]
    pmid = f"PMID:{fields['pmid']}" if fields.get("pmid") not in (None, "", [], {}) else None
    return (
        isinstance(reference, str)
        or any(_says(fields.get(name)) for name in ("reference", "title", "journal"))
        or any(isinstance(it, str) and read_id(it) for it in (*ids, pmid))
    )


def _in_order(first: Any, last: Any) -> bool:
    """Both are days that exist, and the first is not after the last."""
    try:
        days = [day(it) for day, it in ((first_day, first), (last_day, last)) if isinstance(it, str) and it.strip()]
    except ValueError:
        return False
    return days == sorted(days)


def _has_enough_time(timeout_ms: Any) -> bool:
    """A slow machine may need more than a second, and is not what is tested."""
    return _is_at_least(timeout_ms, 10_000)


def _has_enough_tokens(max_tokens: Any) -> bool:
    """What cannot be left out of an answer takes some hundreds, as many as its sources have reports."""
    return _is_at_least(max_tokens, 2_000)


def _is_at_least(value: Any, least: int) -> bool:
    """True of what is no number, too. `2008.0` is a whole number to JSON Schema, and the text of one to a query."""
    try:
        return not value or float(value) >= least
    except (TypeError, ValueError):
        return True


def _fits(seeds: Any, most: Any) -> bool:
    try:
        return len(_texts(seeds)) <= int(most or 50)
    except (TypeError, ValueError):
        return True


def _is_a_cursor(text: Any, template: str) -> bool:
    if template.endswith("/new"):  # a feed's cursor is a number, which its schema says
        return True
    try:
        return not isinstance(text, str) or not text.strip() or bool(read_cursor(text))
    except Unprocessable:
        return False


def _fires(schedule: Any) -> bool:
    fields = _fields(schedule)
    expression: Any = fields.get("expression") if fields else schedule
    zone: Any = fields.get("timezone")
    try:
        read_schedule(expression, "UTC" if is_blank(zone) else zone, now=NOW)
    except (Unprocessable, AttributeError, TypeError):
        return is_blank(schedule)
    return True


def _own_cursor(template: str, given: Mapping[str, Any]) -> bool:
    cursor = given.get("cursor")
    kind = given.get("list") or _KINDS[template]
    return not cursor or cursor == write_cursor(str(kind), "doi:10.1/a")
