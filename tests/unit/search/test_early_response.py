"""Answers that are sent before their last legs: what they say, what follows, and what is never said."""

from __future__ import annotations

from functools import partial
from typing import Any

from shared.outcomes import Outcome
from shared.search.early_response import ABANDONED_S, PENDING_S
from shared.search.ranking.reranker import ModelScores
from shared.search.result_sets.pending_state import state_of
from tests.results import keys
from tests.unit.search.pending_service import Service, Sets, Source
from tests.virtual_time import Task

FAST = Source(0.5, finds=(1, 2, 3))
SLOW = Source(4.0, finds=(2, 101, 103))


def service(**sources: Source) -> Service:
    return Service({"openalex": FAST, "crossref": Source(0.7, finds=(2, 4, 5)), "arxiv": SLOW} | sources)


def run(it: Service, *tasks: Task) -> list[Any]:
    return [end.result() for end in it.clock.run(tasks)]


def outcomes(answer: Any) -> dict[str, str]:
    return {name: report["outcome"] for name, report in answer["providers"].items()}


def test_an_early_response_comes_in_time_and_names_the_providers_that_are_pending() -> None:
    it = service()
    (answer,) = run(it, Task(work=lambda: it.search("first", 1000)))
    assert answer["search_time_ms"] == 1000
    assert outcomes(answer) == {"arxiv": "pending", "crossref": "ok", "openalex": "ok"}
    assert answer["complete"] is False
    assert [hint["reason"] for hint in answer["hints"]] == ["pending"]
    assert it.queue == [answer["result_set_id"]]
    assert answer["next_cursor"]


def test_without_the_field_an_answer_waits_for_all_its_legs() -> None:
    it = service()
    (answer,) = run(it, Task(work=lambda: it.search("first", None)))
    assert (answer["search_time_ms"], answer["complete"], it.queue) == (4000, True, [])


def test_with_zero_it_comes_as_soon_as_one_provider_has_found_something() -> None:
    it = service()
    (answer,) = run(it, Task(work=lambda: it.search("first", 0)))
    assert answer["search_time_ms"] == 500
    assert outcomes(answer) == {"arxiv": "pending", "crossref": "pending", "openalex": "ok"}


def test_an_answer_without_results_waits_for_more() -> None:
    it = service(openalex=Source(0.5, outcome=Outcome.EMPTY), crossref=Source(0.5, outcome=Outcome.UNAVAILABLE))
    (answer,) = run(it, Task(work=lambda: it.search("first", 0)))
    assert (answer["search_time_ms"], len(keys(answer)), it.queue) == (4000, 3, [])


def test_the_completed_set_has_the_papers_that_were_shown_first_and_all_others_behind_them() -> None:
    it = service()
    (answer,) = run(it, Task(work=lambda: it.search("first", 1000)))
    (state,) = run(it, Task(work=lambda: it.complete("completion", answer["result_set_id"]), at=1.2))
    done = Sets(it).get(answer["result_set_id"])
    assert (state, state_of(done)) == ("complete", "complete")
    assert keys(done)[: answer["total_count"]] == keys(answer)
    assert set(keys(done)[answer["total_count"] :]) == {"doi:10.5555/arxiv.101", "doi:10.5555/arxiv.103"}
    assert it.asked.count("arxiv") == 1  # its answer was not lost with the one who asked
    (again,) = run(it, Task(work=lambda: it.search("second", 1000), at=30.0))
    assert (again["result_set_id"], again["cache"], again["complete"]) == (done["completed_by"], "hit", True)
    assert sorted(keys(again)) == sorted(keys(done))


def test_a_provider_without_anything_to_find_leaves_the_completed_set_complete_for_the_next_search() -> None:
    it = service(crossref=Source(0.5, outcome=Outcome.SKIPPED_UNSUPPORTED_FILTER, admits_nothing=True))
    (answer,) = run(it, Task(work=lambda: it.search("first", 1000)))
    (state,) = run(it, Task(work=lambda: it.complete("completion", answer["result_set_id"]), at=1.2))
    done = Sets(it).get(answer["result_set_id"])
    assert (state, state_of(done), "completed_by" in done) == ("complete", "complete", True)
    (again,) = run(it, Task(work=lambda: it.search("second", 1000), at=30.0))
    assert (again["result_set_id"], again["complete"]) == (done["completed_by"], True)


def test_only_the_completed_set_is_reranked_and_papers_that_were_shown_stay_where_they_were() -> None:
    it = service()
    it.reranker = lambda _, texts, __: ModelScores([float(number) for number in range(len(texts))], "m")
    (answer,) = run(it, Task(work=lambda: it.search("first", 1000)))
    run(it, Task(work=lambda: it.complete("completion", answer["result_set_id"]), at=1.2))
    done = Sets(it).get(answer["result_set_id"])
    assert keys(done)[: answer["total_count"]] == keys(answer)
    whole = Sets(it).get(done["completed_by"])
    assert not any("rerank" in paper["score_parts"] for paper in done["results"][: answer["total_count"]])
    assert all(paper["score_parts"]["rerank"] is not None for paper in whole["results"])
    assert whole["summary"]["hints"][-1]["reason"] == "reranked"
    assert "reranked" not in [it["reason"] for it in done["summary"]["hints"]]


def test_a_completion_is_done_once_however_often_it_is_tried() -> None:
    it = service()
    (answer,) = run(it, Task(work=lambda: it.search("first", 1000)))
    twice = [Task(work=partial(it.complete, f"completion {n}", answer["result_set_id"]), at=2.0) for n in range(2)]
    assert sorted(run(it, *twice)) == ["complete", "not pending"]


def test_a_cursor_at_the_end_of_what_is_there_waits_for_what_comes() -> None:
    it = service()
    (first,) = run(it, Task(work=lambda: it.search("first", 1000)))
    cursor = first["next_cursor"]
    (early,) = run(it, Task(work=lambda: it.search("second", None, cursor=cursor), at=1.1))
    assert (early["results"], early["next_cursor"], early["complete"]) == ([], cursor, False)
    _, late = run(
        it,
        Task(work=lambda: it.complete("completion", first["result_set_id"]), at=1.2),
        Task(work=lambda: it.search("third", 10_000, cursor=cursor), at=1.2),
    )
    assert (len(keys(late)), late["next_cursor"], late["complete"]) == (2, None, True)
    assert late["search_time_ms"] < 5000


def test_equal_early_responses_share_one_result_set_and_one_completion() -> None:
    it = service()
    answers = run(it, *(Task(work=partial(it.search, f"search {n}", 1000), at=n / 100) for n in range(5)))
    assert len({answer["result_set_id"] for answer in answers}) == len(it.queue) == 1
    assert it.asked.count("arxiv") == 1


def test_a_leg_that_fails_in_the_end_is_named_and_nothing_is_called_complete() -> None:
    it = service(arxiv=Source(4.0, outcome=Outcome.RATE_LIMITED))
    (answer,) = run(it, Task(work=lambda: it.search("first", 1000)))
    (state,) = run(it, Task(work=lambda: it.complete("completion", answer["result_set_id"]), at=1.2))
    done = Sets(it).get(answer["result_set_id"])
    assert (state, done["summary"]["complete"]) == ("incomplete", False)
    assert done["summary"]["providers"]["arxiv"]["outcome"] == "rate_limited"
    assert "completed_by" not in done
    assert not it.by_request  # the next search asks again


def test_a_completion_sends_no_request_for_a_leg_that_had_failed() -> None:
    it = service(crossref=Source(0.3, outcome=Outcome.UNAVAILABLE))
    (answer,) = run(it, Task(work=lambda: it.search("first", 1000)))
    (state,) = run(it, Task(work=lambda: it.complete("completion", answer["result_set_id"]), at=10.0))
    assert (state, it.asked.count("crossref")) == ("incomplete", 1)


def test_a_leg_whose_function_dies_is_repeated_when_its_lease_has_ended() -> None:
    it = service(arxiv=Source(4.0, dies=True))
    (answer,) = run(it, Task(work=lambda: it.search("first", 1000)))
    it.sources = {**it.sources, "arxiv": SLOW}
    (state,) = run(it, Task(work=lambda: it.complete("completion", answer["result_set_id"]), at=5.0))
    assert (state, it.asked.count("arxiv")) == ("complete", 2)


def test_a_set_without_a_completion_names_the_missing_providers_in_the_end() -> None:
    it = service()
    (answer,) = run(it, Task(work=lambda: it.search("first", 1000)))
    run(it, Task(work=lambda: None, at=PENDING_S + 2.0))
    ended = Sets(it).get(answer["result_set_id"])
    assert state_of(ended) == "incomplete"
    assert ended["summary"]["providers"]["arxiv"]["outcome"] == "timeout"
    assert [hint["reason"] for hint in ended["summary"]["hints"]] == ["providers_failed"]
    assert run(it, Task(work=lambda: it.complete("completion", answer["result_set_id"]), at=PENDING_S + 3.0)) == [
        "not pending"
    ]


def test_while_the_table_is_down_an_answer_waits_for_all_its_legs() -> None:
    it = service()
    it.down = [(0.0, 100.0)]
    (answer,) = run(it, Task(work=lambda: it.search("first", 1000)))
    assert (answer["search_time_ms"], answer["complete"], it.queue) == (4000, True, [])
    assert it.asked.count("arxiv") == 1


def test_a_set_that_ended_incomplete_is_not_taken_for_that_of_a_later_search() -> None:
    it = service()
    (first,) = run(it, Task(work=lambda: it.search("first", 1000)))
    it.legs.items.clear()
    (second,) = run(it, Task(work=lambda: it.search("second", 1000), at=PENDING_S + 100.0))
    assert first["result_set_id"] != second["result_set_id"] == it.queue[-1]
    assert keys(first) == keys(second)


def test_a_set_whose_search_died_before_it_queued_the_completion_is_completed_for_the_next() -> None:
    it = service(arxiv=Source(90.0))
    it.queued = False
    (first,) = run(it, Task(work=lambda: it.search("first", 1000)))
    assert (len(it.stored), it.queue) == (2, [])  # the abandoned one, and that of all legs
    it.queued = True
    it.by_request.clear()
    it.legs.items.clear()
    asks = [Task(work=partial(it.search, f"search {at}", 1000), at=at) for at in (30.0, ABANDONED_S + 5.0)]
    early, late = run(it, *asks)
    assert early["result_set_id"] == late["result_set_id"] != first["result_set_id"]
    assert it.queue == [late["result_set_id"]]


def test_a_search_whose_write_was_made_twice_takes_the_set_for_its_own() -> None:
    it = service()
    it.writes_twice = True
    (answer,) = run(it, Task(work=lambda: it.search("first", 1000)))
    assert it.queue == [answer["result_set_id"]]
