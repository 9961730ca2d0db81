"""How a search is answered. Read this first.

    request -> legs (provider x wording) -> cache or provider -> merge -> filter -> rank -> page -> answer -> graph

What each wording is (identifiers, a question, a title, keywords, an expression) is decided before, by one function:
shared/query/understanding.py. Identifiers are looked up instead of searched for.

Caches, providers, the graph's queue and the clock are arguments. A provider that fails costs only its own papers, and
the answer reports the failure. To follow one search, read these files in this order:

     1  functions/dispatcher/handler.py                 the Lambda: which module has the routes of a path
     2  functions/dispatcher/routes/search.py           the route: input -> request -> answer, as JSON or as a file
     3  shared/search/requests/search_request.py        validates the input; one leg's query for each wording
     4  functions/dispatcher/admission.py               what the caller may do: skip the cache, write to a context
     5  functions/dispatcher/wiring/searches.py         what a search depends on, as it is on AWS
     6  shared/search/run.py                            this file: the steps of a search
     7  shared/legs/coalescing.py                       answers the legs: cache, lease, provider, deadline
     8  shared/aws/lambda_functions/provider_fan_out.py invokes the provider Lambdas in parallel
     9  shared/aws/lambda_functions/provider_handler.py the Lambda around a provider: key, limits, deadline, log
    10  functions/providers/openalex.py                 one provider: query -> HTTP requests -> papers
    11  shared/search/ranked_set.py                     the answers of all legs -> a result set
    12  shared/search/page.py                           the answer's JSON

Around them, shared/aws/rest_api/application.py finds the route and turns errors into problem objects, search_legs.py
says which providers are queried with which question, shared/providers/answering.py turns a provider's errors into
outcomes and checks its records, and shared/providers/http_client.py sends one request: permit, retries, status.
`ranked_set` calls shared/merging/merge.py (records of the same work -> one paper), filtering/filters.py,
ranking/formula.py and ranking/reranking.py. Ways around most of this are result_sets/store.py (a stored result set),
result_sets/kept_pages.py (a page of one, made for an equal request), result_sets/single_flight.py (an equal search
under way) and early_response.py (an answer before the last legs).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from shared.clock import Deadline
from shared.legs.coalescing import answer_legs_of_search
from shared.legs.endings import Ending, LeaderFinished, RespondedEarly
from shared.legs.leg import Leg, LegAnswer, LegDependencies, LookUp
from shared.legs.reports import as_answers, raise_if_all_failed
from shared.outcomes import Outcome
from shared.search.cursor_pages import result_set_of_cursor
from shared.search.early_response import EarlyResponseDependencies, early_response_of
from shared.search.hints.person_hints import as_typed, person_hints
from shared.search.hints.result_hints import Chosen
from shared.search.hints.weak_match import are_weak
from shared.search.integrity import with_unknown_retraction
from shared.search.page import page_of
from shared.search.publishing import Publish, publish_results
from shared.search.ranked_set import ranked_set, summary_of
from shared.search.ranking.reranker import SEARCH_S, Reranker, scorer_of
from shared.search.requests.search_request import SearchRequest
from shared.search.result_sets.cursor import Cursor, read_cursor
from shared.search.result_sets.kept_pages import KeptPages, page_name
from shared.search.result_sets.single_flight import SingleFlight, leaders_result, may_follow
from shared.search.result_sets.store import ResultSets, reused, shows, stored
from shared.search.search_legs import answers_by_identifiers, interactive_legs, legs_of, lookup_legs
from shared.search.search_terms import request_key, request_of, result_set_of

if TYPE_CHECKING:
    from shared.answers.search import Queued, SearchAnswer
    from shared.search.result_sets.store import SearchResults


WaitForLeader: TypeAlias = "Callable[[], SearchResults | None]"  # None if its result set does not come
# How long an equal request finds an answer for which no provider was queried, whose filters were not finished, or that
# the re-ranker should have ordered.
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
    single_flight: SingleFlight | None = None  # None: every search makes its own result set
    reranker: Reranker | None = None
    pages: KeptPages | None = None  # None: every page is made anew
    early_responses: EarlyResponseDependencies | None = None  # None: every answer waits for all its legs


def run_search(request: SearchRequest, dependencies: SearchDependencies) -> SearchAnswer:
    """Answer a search. Raises AllProvidersFailed, Expired, Unprocessable or StorageUnavailable."""
    deadline = Deadline(dependencies.monotonic, request.timeout_ms)
    searched = request  # the request that the result set answers
    if request.cursor:
        cursor = read_cursor(request.cursor)
        result_set, terms = result_set_of_cursor(cursor, request, dependencies, deadline)
        searched = request_of(terms, form=request)
    else:
        result_set = _result_set(request, dependencies, deadline)
        if request.author_in_words and not result_set["results"]:
            searched = as_typed(request)
            result_set = _result_set(searched, dependencies, deadline)
        cursor = Cursor(result_set["result_set_id"], 0)
    answer = _kept_page(result_set, request, cursor, searched, dependencies.pages)
    answer["kg"] = _publish(answer, result_set, request, cursor, dependencies)
    answer["search_time_ms"] = deadline.elapsed_ms()
    answer["request_id"] = dependencies.request_id
    return answer


def _kept_page(
    result_set: SearchResults, request: SearchRequest, cursor: Cursor, searched: SearchRequest, pages: KeptPages | None
) -> SearchAnswer:
    """The page as it was made for an equal request, else a new one, which is kept for the next."""
    name = page_name(result_set, request) if pages else None
    if pages is None or name is None:
        return _page(result_set, request, cursor, searched)
    kept = pages.get(name)
    if kept is None:
        pages.keep(name, kept := _page(result_set, request, cursor, searched))
    return kept


def _page(result_set: SearchResults, request: SearchRequest, cursor: Cursor, searched: SearchRequest) -> SearchAnswer:
    """The page without what each answer has of its own."""
    by_author = searched.author is not None
    answer = page_of(result_set, request if by_author else as_typed(request), cursor, searched)
    answer["hints"] = [*person_hints(request, found=by_author), *answer["hints"]]
    return answer


def _publish(
    answer: SearchAnswer,
    result_set: SearchResults,
    request: SearchRequest,
    cursor: Cursor,
    dependencies: SearchDependencies,
) -> Queued:
    """Queue the papers of the page for the graph, but for those of a weak answer."""
    shown = result_set["results"][cursor.offset : cursor.offset + answer["returned"]]
    if are_weak(result_set["summary"]["hints"]):
        return {"queued": 0, "skipped": len(shown)}
    answered = {name for name, report in answer["providers"].items() if Outcome(report["outcome"]).answered}
    published = shown if answered >= set(dependencies.tracks_integrity) else with_unknown_retraction(shown)
    return publish_results(published, request, dependencies.publish)


def _result_set(request: SearchRequest, dependencies: SearchDependencies, deadline: Deadline) -> SearchResults:
    """The stored result set of an equal request, else a new one."""
    key = request_key(request)
    stored_set = None if request.fresh else _found(key, request, dependencies)
    if not stored_set:
        return _new_result_set(request, key, dependencies, deadline)
    result_set = reused(stored_set, "hit")
    dependencies.observe(as_answers(result_set["summary"]["providers"]))
    return result_set


def _found(key: str, request: SearchRequest, dependencies: SearchDependencies) -> SearchResults | None:
    """The stored result set of an equal request, if the results of this page can be read."""
    found = dependencies.result_sets.find_by_request(key)
    return found if found and shows(found, request.max_results) else None


def _new_result_set(
    request: SearchRequest, key: str, dependencies: SearchDependencies, deadline: Deadline
) -> SearchResults:
    """The result set merged from the legs, the one that the leader of equal searches made, or an early response's."""
    legs = (legs_of if dependencies.legs.scheduled else interactive_legs)(request, dependencies.disciplines)
    wait_for_leader = _wait_for_leader(request, key, dependencies, deadline)
    looked_up = answers_by_identifiers(request, dependencies.look_up, deadline)
    ending = _ending(request, legs, wait_for_leader if not looked_up else None, dependencies, deadline)
    if isinstance(ending, LeaderFinished):
        dependencies.observe(as_answers(ending.result["summary"]["providers"], coalesced=True))
        return reused(ending.result, "coalesced")
    dependencies.observe([it for it in ending.answers if it.reply.outcome is not Outcome.PENDING])
    if isinstance(ending, RespondedEarly):
        return ending.result
    answers = [*ending.answers, *looked_up]
    if not answers:  # a number alone that is not an identifier
        nothing = result_set_of(request, [], summary_of(request, [], [], Chosen()))
        return stored(dependencies.result_sets, nothing, key, NOTHING_FRESH_S)
    raise_if_all_failed([answer.reply for answer in answers], by_choice=True)
    if wait_for_leader and not ending.awaited_leader and may_follow(answers) and (found := wait_for_leader()):
        return reused(found, "coalesced")
    return _merged(request, key, [*legs, *lookup_legs(request, looked_up)], answers, dependencies, deadline)


def _ending(
    request: SearchRequest,
    legs: Sequence[Leg],
    wait_for_leader: WaitForLeader | None,
    dependencies: SearchDependencies,
    deadline: Deadline,
) -> Ending[SearchResults]:
    """The answers of the legs, or the result set with which the search ends before it has all of them."""
    early = early_response_of(
        request,
        legs,
        dependencies.early_responses,
        deadline,
        lambda so_far: ranked_set(request, legs, so_far, dependencies.tracks_integrity, lambda: deadline.over),
    )
    return answer_legs_of_search(
        legs,
        early.leg_dependencies if early else dependencies.legs,
        until=deadline.until,
        fresh=request.fresh,
        early_response=early.rule if early else None,
        leaders_result=wait_for_leader,
    )


def _merged(
    request: SearchRequest,
    key: str,
    legs: Sequence[Leg],
    answers: Sequence[LegAnswer],
    dependencies: SearchDependencies,
    deadline: Deadline,
) -> SearchResults:
    """The new result set of these answers, one for each leg, stored."""
    scorer = scorer_of(dependencies.reranker, lambda: min(SEARCH_S, deadline.until - dependencies.monotonic()))
    ranked = ranked_set(request, legs, answers, dependencies.tracks_integrity, lambda: deadline.over, scorer)
    fresh_s = min(answer.fresh_s for answer in answers) if ranked.is_final else NOTHING_FRESH_S
    return stored(dependencies.result_sets, ranked.result_set, key, fresh_s)


def _wait_for_leader(
    request: SearchRequest, key: str, dependencies: SearchDependencies, deadline: Deadline
) -> WaitForLeader | None:  # fmt: skip
    """A function that waits for the leader's result set; None if this search must make its own."""
    single_flight = None if request.fresh else dependencies.single_flight
    if single_flight is None:
        return None
    left_s = lambda: deadline.until - dependencies.monotonic()  # noqa: E731
    find = partial(_found, key, request, dependencies)
    return partial(leaders_result, find, single_flight.claim(key), single_flight, left_s)
