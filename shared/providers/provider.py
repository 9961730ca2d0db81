"""The declaration of a provider, and its reply to one leg.

A provider file declares a `ProviderSpec`, defines a function `(question, client) -> Page` for each operation that it
offers, and converts each record by a pure function. `shared.providers.answering` calls the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from shared.bibliography.full_text import FullText
from shared.bibliography.identifiers import AnyName
from shared.bibliography.paper import InTextCitation, Paper, Pointer
from shared.bibliography.text import number_of
from shared.clock import bounded_wait_s
from shared.errors import BadResponse, BrokenRecord, UnsupportedFilter
from shared.field_checks import checked
from shared.field_ranges import AtMost, Between, Text, Token
from shared.json_types import JsonObject, to_json
from shared.outcomes import Outcome
from shared.providers.capabilities import ProviderCapabilities

if TYPE_CHECKING:
    from shared.providers.http_client import Client

LEG_TIMEOUT_S = 15.0
ANY_HOST = "https://*"  # the base URL of a provider that fetches what others name: from public hosts only
MAX_WARNINGS = 50  # of one leg
# Unreadable records of a list that do not make it partial: odd records occur everywhere.
FEW_UNREADABLE, FEW_UNREADABLE_SHARE = 2, 0.1
Record = TypeVar("Record")
Converted = TypeVar("Converted")


class NothingAdmitted(UnsupportedFilter):
    """The provider was not queried: the filters admit nothing of what it holds, so that its answer is known to be 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSpec(ProviderCapabilities):
    """A provider's declaration: its operations and capabilities, and the limits that it sets to clients."""

    name: str  # = the file's name; gives <NAME>_BASE_URL and <NAME>_API_KEY
    title: str
    manual: str  # URL of the API's documentation
    base_url: str
    family: str  # indexes that hold one another share a family and one vote
    filters: frozenset[str] = frozenset()  # those of query.FILTERS that the API itself applies
    sorts: frozenset[str] = frozenset({"relevance"})
    compares_years: bool = False  # its filter by date has no months and days
    disciplines: frozenset[str] = frozenset({"any"})
    needs_key: bool = False
    operations: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"search": ()})
    knows_orcids: bool = False  # finds the papers of an ORCID iD, exactly
    page_limit: int = 100  # records in one call
    requests_per_second_with_key: float | None = None
    search_requests: int = 1  # that a search needs at least
    requests_per_day: int | None = None
    free_paths: tuple[str, ...] = ()  # requests to paths that begin so are answered when the day's allowance is spent
    light_paths: tuple[str, ...] = ()  # of requests to paths that begin so, `light_requests` count as one
    light_requests: int = 1
    concurrency: int | None = None  # requests in flight, over all callers
    memory_mb: int = 256
    timeout_s: float = LEG_TIMEOUT_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The result of an operation: papers in the provider's order, and its remarks on the query."""

    papers: Sequence[Paper]
    total: int | None  # as the provider states it
    effective_query: str  # the query that was sent, in the API's syntax, without key
    pointers: Sequence[Pointer] = ()  # references and citations without a record
    warnings: Sequence[str] = ()
    unsupported_filters: Sequence[str] = ()  # those of the declaration that the API did not apply, or only in part
    # of a match or a lookup, the positions (from 0) of the citations or names that got no answer
    not_queried: Sequence[int] = ()
    partial: bool = False  # the list lacks records that the provider has (`is_partial`)
    spelling: str | None = None  # of the query's words, as the provider suggests it
    unread: int = 0  # of a lookup, the records that were sent unreadable, or announced and not sent
    next_position: str | None = None  # of a listing: where the next page begins; None on the last page
    limit_reached: bool = False  # of a listing's last page: the provider has more papers, and lists none of them
    full_text: FullText | None = None
    scores: Sequence[float] = ()  # of similar papers, the provider's own measure, by rank
    in_text: Sequence[InTextCitation] = ()  # of references and citations


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderReply:
    """The reply to one leg: its outcome, its papers and its report."""

    provider: Annotated[str, AnyName]
    family: Annotated[str, AnyName]
    outcome: Outcome
    papers: Annotated[tuple[Paper, ...], AtMost(2_000)] = ()
    pointers: Annotated[tuple[Pointer, ...], AtMost(3_000)] = ()
    total_estimate: Annotated[int | None, Between(0, 1_000_000_000_000)] = None
    elapsed_ms: Annotated[int, Between(0, 1_000_000_000)] = 0
    effective_query: Annotated[str | None, Text(10_000)] = None
    warnings: Annotated[tuple[Annotated[str, Text(500)], ...], AtMost(MAX_WARNINGS)] = ()
    # the filters in use: those that the API did not apply, or only in part, and those that it applied
    unsupported_filters: Annotated[tuple[Annotated[str, AnyName], ...], AtMost(50)] = ()
    applied_filters: Annotated[tuple[Annotated[str, AnyName], ...], AtMost(50)] = ()
    # of a match or a lookup, the positions of the citations or names that got no answer
    not_queried: Annotated[tuple[Annotated[int, Between(0, 10_000)], ...], AtMost(1_000)] = ()
    partial: bool = False  # the list lacks records that the provider has
    spelling: Annotated[str | None, Text(500)] = None  # of the query's words, as the provider suggests it
    retry_after_s: Annotated[float | None, Between(0, 86_400)] = None
    retrieved_at: Annotated[str | None, AnyName] = None  # ISO 8601, UTC
    source: Literal["live", "cache", "stale"] = "live"
    next_position: Annotated[str | None, Token("a position", bool, 4_000)] = None  # of a listing
    limit_reached: bool = False  # of a listing's last page: the provider has more papers, and lists none of them
    full_text: FullText | None = None
    # of similar papers, the provider's own measure of the first, the second …
    scores: Annotated[tuple[Annotated[float, Between(0, 1e15)], ...], AtMost(2_000)] = ()
    in_text: Annotated[tuple[InTextCitation, ...], AtMost(3_000)] = ()  # of references and citations


Work = Callable[[Any, "Client"], Page]  # the function of an operation; the operation fixes the type of its question


def translate(
    records: Iterable[Record], convert: Callable[[Record, int], Converted]
) -> tuple[list[Converted], list[str]]:
    """Convert each record by `convert(record, rank)`; an unreadable one is skipped and named in the warnings.

    Every list of records from a provider is read by this function, so that an odd record costs only itself.
    Raises BadResponse if there are records and none can be read, which is not an empty result.
    """
    converted: list[Converted] = []
    warnings: list[str] = []
    for rank, record in enumerate(records, start=1):
        try:
            converted.append(convert(record, rank))
        except BrokenRecord as error:
            warnings.append(f"record {rank} skipped: {error.message}")
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
            warnings.append(f"record {rank} skipped: unexpected form ({type(error).__name__})")
    if warnings and not converted:
        raise BadResponse(f"none of {number_of(len(warnings), 'record')} could be read; first: {warnings[0]}")
    return converted, warnings


def is_partial(sent: int, unreadable: int, expected: int = 0) -> bool:
    """Whether a list lacks records: fewer came than were both asked for and announced, or many cannot be read."""
    return sent < expected or unreadable > max(FEW_UNREADABLE, sent * FEW_UNREADABLE_SHARE)


def failed(
    provider: str, family: str, outcome: Outcome, reason: str, *, retry_after_s: float | None = None
) -> ProviderReply:
    """The reply to a leg that did not reach its provider, with the reason as a warning."""
    return ProviderReply(
        provider=provider, family=family, outcome=outcome, warnings=(reason,), retry_after_s=retry_after_s
    )


def reply_to_json(reply: ProviderReply) -> dict[str, Any]:
    """The reply as JSON-ready data: what the provider's Lambda returns and the cache stores."""
    return {
        "provider": reply.provider,
        "family": reply.family,
        "outcome": reply.outcome.value,
        "papers": to_json(reply.papers),
        "pointers": to_json(reply.pointers),
        "applied_filters": list(reply.applied_filters),
        "unasked": list(reply.not_queried),
        **({"spelling": reply.spelling} if reply.spelling else {}),
        **({"next_position": reply.next_position} if reply.next_position else {}),
        **({"limit_reached": True} if reply.limit_reached else {}),
        **({"full_text": to_json(reply.full_text)} if reply.full_text else {}),
        **({"scores": list(reply.scores)} if reply.scores else {}),
        **({"in_text": to_json(reply.in_text)} if reply.in_text else {}),
        **report_to_json(reply),
    }


def report_to_json(reply: ProviderReply) -> dict[str, Any]:
    """The leg report, without the papers: the entry of `providers` in an answer."""
    return {
        "outcome": reply.outcome,
        "source": reply.source,
        "returned": len(reply.papers) + len(reply.pointers) + (reply.full_text is not None),
        "partial": reply.partial,
        **({"relaxed": relaxed} if (relaxed := sum(paper.relaxed for paper in reply.papers)) else {}),
        "total_estimate": reply.total_estimate,
        "elapsed_ms": reply.elapsed_ms,
        "effective_query": reply.effective_query,
        "warnings": list(reply.warnings),
        "unsupported_filters": list(reply.unsupported_filters),
        "retry_after_s": bounded_wait_s(reply.retry_after_s),
        "retrieved_at": reply.retrieved_at,
    }


def reply_from_json(data: JsonObject) -> ProviderReply:
    """The reply that `reply_to_json` wrote, checked again. Raises Unfit, a ValueError, on anything else."""
    return checked(ProviderReply, {**data, "not_queried": data.get("unasked", [])})[0]
