"""How much of the leg reports an answer has. Outcomes and warnings matter most; timings and queries least."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from shared.canonical_json import compact_json
from shared.search.sizes.abstract_cuts import cut_at_word

if TYPE_CHECKING:
    from shared.answers.search import LegReport
    from shared.legs.reports import Reports

# The characters of an effective query that a standard answer has where there is room, and where there is less.
QUERY_CHARS = (100, 60, 30)
WARNINGS, WARNING_CHARS = 3, 160
# What an answer's envelope may take in bytes, 490 tokens, and what of it the reports may take in any case.
ENVELOPE_BYTES, LEAST_BYTES = 1_520, 600
# What differs between a search and its repetition, at the length that it is measured with.
_MEASURED: Mapping[str, Any] = {"elapsed_ms": 9_999, "source": "cache"}
_STANDARD = (
    "outcome", "source", "returned", "relaxed", "partial", "total_estimate", "elapsed_ms", "effective_query",
    "warnings", "unsupported_filters", "retry_after_s", "retrieved_at",
)  # fmt: skip
# Left out first where the reports are too long; all that is not needed to judge the answer.
_LEAST = ("effective_query", "elapsed_ms", "total_estimate")


def light_report(report: LegReport) -> LegReport:
    """A leg report for a compact answer: a successful leg's without details, any other's whole."""
    whole = report["source"] != "stale" and not report.get("partial")
    if report["outcome"] in ("ok", "empty") and whole and not report["warnings"]:
        return {"outcome": report["outcome"], "source": report["source"], "returned": report["returned"]}
    return report


def sized_reports(reports: Reports, detail: str, other_bytes: int = 0) -> Reports:
    """The reports of an answer of this detail, whose envelope has `other_bytes` besides them."""
    if detail == "full":
        return reports
    room = max(LEAST_BYTES, ENVELOPE_BYTES - other_bytes)
    forms = _compact_forms(reports) if detail == "compact" else _standard_forms(reports)
    shown = next(forms)
    for smaller in forms:
        if len(compact_json(_as_measured(shown)).encode("utf-8", "replace")) <= room:
            break
        shown = smaller
    return shown


def _as_measured(reports: Reports) -> Reports:
    """The reports as their size is measured: a search and its repetition from the cache are cut equally."""
    return {
        name: cast("LegReport", {**report, **{field: _MEASURED[field] for field in _MEASURED.keys() & report.keys()}})
        for name, report in reports.items()
    }


def least_reports(reports: Reports) -> Reports:
    """The outcome and the number of records of each leg, for an answer with a very small budget."""
    return {name: {"outcome": report["outcome"], "returned": report["returned"]} for name, report in reports.items()}


def _compact_forms(reports: Reports) -> Iterator[Reports]:
    """Reports without details: with a warning of each leg, and with their number alone."""
    light = {
        name: _without_empty(it, 1, 0, _LEAST if it["source"] == "stale" else (*_LEAST, "source"))
        for name, it in ((name, light_report(report)) for name, report in reports.items())
    }
    yield light
    yield {name: _with_number_of_warnings(it, len(reports[name]["warnings"])) for name, it in light.items()}


def _with_number_of_warnings(report: LegReport, count: int) -> LegReport:
    """The report with the number of its warnings in their place: `detail=standard` has their texts."""
    if not count or report["outcome"] not in ("ok", "empty"):  # a failure's warning says what failed
        return report
    return {**report, "warnings": [f"{count} not shown"]}


def _standard_forms(reports: Mapping[str, LegReport]) -> Iterator[Reports]:
    """Ever shorter forms of the same reports."""
    for chars in QUERY_CHARS:
        yield {name: _without_empty(report, WARNINGS, chars) for name, report in reports.items()}
    for number in range(len(_LEAST)):
        gone = _LEAST[: number + 1]
        yield {name: _without_empty(report, 1, QUERY_CHARS[-1], gone) for name, report in reports.items()}


def _without_empty(report: LegReport, warnings: int, query_chars: int, gone: tuple[str, ...] = ()) -> LegReport:
    """The report without what is unknown, empty or false, with bounded texts."""
    given: dict[str, Any] = {**report}
    if report["source"] != "stale":
        given["retrieved_at"] = None  # a day ago at most
    queries = str(given.get("effective_query") or "").split("\n")  # one of each wording
    each = max(QUERY_CHARS[-1], query_chars // len(queries))
    given["effective_query"] = "\n".join(cut_at_word(query, each) or "" for query in queries)
    given["warnings"] = _first(given.get("warnings", []), warnings)
    shown = {name: given[name] for name in _STANDARD if name not in gone and not _is_empty(given.get(name))}
    return cast("LegReport", shown)


def _is_empty(value: object) -> bool:
    return value is None or value is False or value in ("", [])


def _first(warnings: list[str], count: int) -> list[str]:
    more = len(warnings) - count
    shown = [cut_at_word(warning, WARNING_CHARS) or "" for warning in warnings[:count]]
    return [*shown, *([f"and {more} more"] if more > 0 else [])]
