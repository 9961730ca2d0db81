"""The legs of a search: which provider is queried with which wording, and which for the identifiers in the wordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared.clock import Deadline
from shared.legs.leg import Leg, LegAnswer, LookUp
from shared.outcomes import Outcome
from shared.providers.provider import failed
from shared.query.question import Lookup
from shared.rate_limits.permit_queue import search_queue_s
from shared.search.disciplines import default_providers, pick, unrelated
from shared.search.requests.search_request import SearchRequest


def legs_of(request: SearchRequest, disciplines: Mapping[str, Sequence[str]]) -> list[Leg]:
    """One leg for each requested provider and wording that has words or an author to search for, in a fixed order."""
    if "auto" in request.providers:
        names = set(pick(request.wordings, disciplines)) | (set(request.providers) - {"auto"})
    else:
        names = set(request.providers) or default_providers(disciplines)
    queries = [(number, request.leg_query(wording)) for number, wording in request.searched]
    return [Leg(name, query, number) for name in sorted(names) for number, query in queries]


def interactive_legs(request: SearchRequest, disciplines: Mapping[str, Sequence[str]]) -> list[Leg]:
    """The same for a search that somebody waits for: a leg does not wait long in the queue of its provider."""
    others, patience_ms = unrelated(request.wordings, disciplines), request.patience_ms

    def queue_s(name: str) -> float:
        return search_queue_s(unrelated=name in others, patience_ms=patience_ms)

    return [replace(leg, queue_s=queue_s(leg.provider)) for leg in legs_of(request, disciplines)]


def answers_by_identifiers(request: SearchRequest, look_up: LookUp, deadline: Deadline) -> Sequence[LegAnswer]:
    """The answers of the providers for the identifiers of the wordings, if there are any."""
    if not request.identifiers:
        return []
    only = None if "auto" in request.providers else request.providers or None
    answers = look_up(request.identifiers, deadline, fresh=request.fresh, only=only)
    queried = {answer.reply.provider for answer in answers}
    reason = "it cannot look up these identifiers: query other providers as well"
    skipped = (
        LegAnswer(failed(name, name, Outcome.SKIPPED_UNSUPPORTED_FILTER, reason))
        for name in sorted(set(only or ()) - queried)
    )
    return [*answers, *skipped]


def lookup_legs(request: SearchRequest, looked_up: Sequence[LegAnswer]) -> list[Leg]:
    """The legs of these answers. Each is a wording of its own, so that its ranks are not ranks of a search."""
    return [
        Leg(answer.reply.provider, Lookup(request.identifiers), len(request.wordings) + number)
        for number, answer in enumerate(looked_up)
    ]
