"""How a search is answered. Read this first.

    request -> legs (provider x wording) -> cache or provider -> merge -> filter -> rank -> page -> answer -> graph

What each wording is (identifiers, a question, a title, keywords, an expression) is decided before, by one function:
shared/query/understanding.py. Identifiers are looked up instead of searched for.

Caches, providers, the graph's queue and the clock are arguments. A provider that fails costs only its own papers, and
the answer reports the failure. To follow one search, read these files in this order:

     1  functions/dispatcher/handler.py                 the Lambda: picks the route, turns errors into problem objects
     2  functions/dispatcher/routes/search.py           the route: input -> request -> answer, as JSON or as a file
     3  shared/search/request.py                        validates the input; one leg's query for each wording
     4  shared/search/run.py                            this file: the steps of a search
     5  shared/legs/coalescing.py                       answers the legs: cache, lease, provider, deadline
     6  shared/aws/lambda_functions/provider_fan_out.py invokes the provider Lambdas in parallel
     7  shared/aws/lambda_functions/provider_handler.py the Lambda around a provider: limits, retries, outcomes
     8  functions/providers/openalex.py                 one provider: query -> HTTP requests -> papers
     9  shared/merging/merge.py                         records of the same work -> one paper
    10  shared/search/filters.py                        filters that no provider could apply
    11  shared/search/ranking.py                        the order of the papers
    12  shared/search/page.py                           the answer's JSON
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.clock import OUT_OF_TIME, Deadline
from shared.errors import Expired, FieldError, Outcome, Unprocessable
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer, LegDependencies, LookUp
from shared.legs.reports import as_answers, cache_state, complete, raise_if_all_failed, reports_of, searched
from shared.providers.provider import ProviderReply, failed
from shared.query.question import Lookup
from shared.query.syntax import normalise
from shared.search.cursor import Cursor, read_cursor
from shared.search.disciplines import pick
from shared.search.hints import hints_for
from shared.search.integrity import unanswered_trackers, with_integrity, with_unknown_retraction
from shared.search.page import differs, page_of, request_key, request_of, result_set_of
from shared.search.publishing import Publish, publish_results
from shared.search.request import SearchRequest
from shared.search.result_sets import ResultSets, reused, stored
from shared.search.weak_match import absent_words, is_weak

if TYPE_CHECKING:
    from shared.answers.search import SearchAnswer
    from shared.bibliography.paper import MergedPaper
    from shared.search.ranking import RankedPaper
    from shared.search.result_sets import SearchResults, SearchSummary, SearchTerms


# How long an equal request finds an answer for which no provider was queried, or whose filters were not finished.
NOTHING_FRESH_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchDependencies:
    """What one search needs from outside the domain."""

    legs: LegDependencies
    result_sets: ResultSets
    publish: Publish
    observe: Callable[[Sequence[LegAnswer]], None]  # for metrics: receives every leg's answer
    disciplines: Mapping[str, Sequence[str]]  # provider -> its disciplines
    tracks_integrity: Collection[str] = ()  # providers that track retractions
    look_up: LookUp
    monotonic: Callable[[], float]
    request_id: str


def run_search(request: SearchRequest, dependencies: SearchDependencies) -> SearchAnswer:
    """Answer a search. Raises AllProvidersFailed, Expired, Unprocessable or StorageUnavailable."""
    deadline = Deadline(dependencies.monotonic, request.timeout_ms)
    asked = request
    if request.cursor:
        cursor = read_cursor(request.cursor)
        result_set, terms = _result_set_of(cursor, request, dependencies.result_sets)
        asked = request_of(terms, form=request)
    else:
        stored_set = None if request.fresh else dependencies.result_sets.find_by_request(request_key(request))
        result_set = reused(stored_set, "hit") if stored_set else _new_result_set(request, dependencies, deadline)
        if stored_set:
            dependencies.observe(as_answers(result_set["summary"]["providers"]))
        cursor = Cursor(result_set["result_set_id"], 0)
    answer = page_of(result_set, request, cursor, asked=asked)
    shown = result_set["results"][cursor.offset : cursor.offset + answer["returned"]]
    answered = {name for name, report in answer["providers"].items() if Outcome(report["outcome"]).answered}
    published = shown if answered >= set(dependencies.tracks_integrity) else with_unknown_retraction(shown)
    if is_weak(result["score"] for result in result_set["results"]):
        answer["kg"] = {"queued": 0, "skipped": len(published)}
    else:
        answer["kg"] = publish_results(published, request, dependencies.publish)
    answer["search_time_ms"] = deadline.elapsed_ms()
    answer["request_id"] = dependencies.request_id
    return answer


def _result_set_of(
    cursor: Cursor, request: SearchRequest, result_sets: ResultSets
) -> tuple[SearchResults, SearchTerms]:
    """Raises Expired, or Unprocessable if the cursor belongs to a list of references or to another search."""
    result_set = result_sets.get(cursor.result_set_id)
    if result_set is None:
        raise Expired("the cursor has expired", hint="Send the search again without `cursor`.")
    terms = result_set.get("asked")
    if terms is None:
        raise Unprocessable("cursor: of another list", [FieldError("cursor", "pass a cursor of a search's answer")])
    other_words = request.wordings and [normalise(it) for it in request.wordings] != terms["wordings"]
    other_providers = request.providers and sorted(request.providers) != terms["providers"]
    if other_words or other_providers or differs(request, terms):
        message = "belongs to another search: pass it alone, or with the same fields"
        raise Unprocessable.field("cursor", message)
    return reused(result_set, "hit"), terms


def _new_result_set(request: SearchRequest, dependencies: SearchDependencies, deadline: Deadline) -> SearchResults:
    legs = legs_of(request, dependencies.disciplines)
    looked_up = _looked_up(request, dependencies, deadline)
    answers = answer_legs(legs, dependencies.legs, until=deadline.until, fresh=request.fresh)
    dependencies.observe(answers)
    # Each lookup is a wording of its own, so that its ranks are no ranks of a search.
    legs += [
        Leg(answer.reply.provider, Lookup(request.identifiers), len(request.wordings) + number)
        for number, answer in enumerate(looked_up)
    ]
    answers = [*answers, *looked_up]
    if not answers:  # a number alone that is no identifier
        nothing = result_set_of(request, [], _summary(request, [], [], 0, Counter()))
        return stored(dependencies.result_sets, nothing, request_key(request), NOTHING_FRESH_S)
    raise_if_all_failed([answer.reply for answer in answers])
    if all(answer.coalesced for answer in answers):  # the search that queried them may have stored the result set
        stored_set = dependencies.result_sets.find_by_request(request_key(request))
        if stored_set:
            return reused(stored_set, "coalesced")
    ranked, found, undecided = _ranked(request, legs, answers, dependencies.tracks_integrity, deadline)
    summary = _summary(request, answers, ranked, found, undecided)
    result_set = result_set_of(request, ranked, summary)
    fresh_s = min(answer.fresh_s for answer in answers) if not undecided[OUT_OF_TIME] else NOTHING_FRESH_S
    return stored(dependencies.result_sets, result_set, request_key(request), fresh_s)


def _looked_up(request: SearchRequest, dependencies: SearchDependencies, deadline: Deadline) -> Sequence[LegAnswer]:
    """The answers of the providers for the identifiers of the wordings, if there are any."""
    if not request.identifiers:
        return []
    only = None if "auto" in request.providers else request.providers or None
    answers = dependencies.look_up(request.identifiers, deadline, fresh=request.fresh, only=only)
    queried = {answer.reply.provider for answer in answers}
    reason = "it cannot look up these identifiers: query other providers as well"
    skipped = (
        LegAnswer(failed(name, name, Outcome.SKIPPED_UNSUPPORTED_FILTER, reason))
        for name in sorted(set(only or ()) - queried)
    )
    return [*answers, *skipped]


def legs_of(request: SearchRequest, disciplines: Mapping[str, Sequence[str]]) -> list[Leg]:
    """One leg for each requested provider and wording that has words or an author to search for, in a fixed order."""
    if "auto" in request.providers:
        names = set(pick(request.wordings, disciplines)) | (set(request.providers) - {"auto"})
    else:
        names = set(request.providers or disciplines)
    queries = [(number, request.leg_query(wording)) for number, wording in request.searched]
    return [Leg(name, query, number) for name in sorted(names) for number, query in queries]


def merged_of(
    legs: Sequence[Leg], replies: Sequence[ProviderReply], tracks_integrity: Collection[str]
) -> tuple[list[MergedPaper], dict[str, frozenset[str]]]:
    """The merged papers of these legs, and the filters that each provider applied itself."""
    from shared.bibliography.paper import RecordId
    from shared.merging.merge import merge  # a third of a search's imports, which a cached answer does not need

    records = [
        (RecordId(paper.provider, leg.wording, paper.rank), paper)
        for leg, reply in zip(legs, replies, strict=True)
        for paper in reply.papers
    ]
    unanswered = unanswered_trackers(replies, tracks_integrity)
    applied: dict[str, frozenset[str]] = {}
    for reply in replies:
        applied[reply.provider] = applied.get(reply.provider, frozenset()) | frozenset(reply.applied_filters)
    return [with_integrity(paper, unanswered) for paper in merge(records)], applied


def _ranked(
    request: SearchRequest,
    legs: Sequence[Leg],
    answers: Sequence[LegAnswer],
    tracks_integrity: Collection[str],
    deadline: Deadline,
) -> tuple[list[RankedPaper], int, Counter[str]]:
    """The ranked papers, how many there were before the filters, and how many each filter could not decide."""
    from shared.search.filters import apply_filters
    from shared.search.ranking import rank

    replies = [answer.reply for answer in answers]
    merged, applied = merged_of(legs, replies, tracks_integrity)
    passed, undecided = apply_filters(merged, request.leg_query(request.wordings[0]), applied, lambda: deadline.over)
    families = {reply.provider: reply.family for reply in replies}
    ranked = rank(
        passed,
        request.wordings,
        families,
        ranking=request.ranking,
        sort=request.sort,
        identifiers=request.identifiers,
    )
    return ranked, len(merged), undecided


def _unknown(request: SearchRequest, answers: Sequence[LegAnswer]) -> list[str]:
    """The identifiers of the query that no provider has found, whatever the filters then left out."""
    names = {name for answer in answers for record in answer.reply.papers for name in record.asked}
    return [name for name in request.identifiers if name not in names]


def _summary(
    request: SearchRequest,
    answers: Sequence[LegAnswer],
    ranked: Sequence[RankedPaper],
    found: int,
    undecided: Counter[str],
) -> SearchSummary:
    """What the answer says about the search, and not about a paper."""
    reports = reports_of([answer.reply for answer in answers])
    return {
        "total_count": len(ranked),
        "providers_searched": searched(reports),
        "complete": bool(reports) and complete(reports, request.providers) and not undecided[OUT_OF_TIME],
        "providers": reports,
        "cache": cache_state(answers),
        "hints": hints_for(
            request,
            reports,
            shown=len(ranked),
            found=found,
            undecided=undecided,
            unknown=_unknown(request, answers),
            absent=absent_words(request.wordings, [item.paper for item in ranked]),
            weak=is_weak(item.score for item in ranked),
            texts=[f"{item.paper.title} {item.paper.abstract or ''}" for item in ranked],
            spellings=[answer.reply.spelling for answer in answers if answer.reply.spelling],
        ),
    }
