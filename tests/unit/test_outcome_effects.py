"""What follows from an outcome, at each place that depends on it: one row for each outcome, one column for each place.

paper        a paper is "not found" only when the registry that may hold it has answered; `unanswered` names it
reference    the same of a reference
list         the hint of a list of references or citations names the source
text         a text in passages is not called closed
window       a saved search searches the same days for the source again
page         an exhaustive search queries the source for the page again
watch        a watched paper is looked up again at the next run
passing      a leg with little time does not share it with other searches: more time might have helped
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.legs.leg import is_shared_failure
from shared.legs.reports import reports_of
from shared.outcomes import Outcome
from shared.papers.links.hints import link_hints
from shared.papers.paper_request import PaperRequest
from shared.passages.papers import _failed
from shared.providers.provider import ProviderReply, failed
from shared.query.query import Query
from shared.query.question import Citation
from shared.references.reference_state import ReferenceState
from shared.saved_searches.watch import _is_unanswered
from shared.saved_searches.windows import Window, after_search
from tests.unit.exhaustive_searches.rounds import ended, only, round_of, search_of

SILENT = "paper reference list text window page watch"
TABLE = {
    "ok": "",
    "empty": "",
    "rate_limited": SILENT,
    "timeout": f"{SILENT} passing",
    "unavailable": SILENT,
    "bad_response": SILENT,
    "circuit_open": SILENT,
    "skipped_budget": f"{SILENT} passing",
    "skipped_overload": f"{SILENT} passing",
    "pending": SILENT,
    "skipped_disabled": "paper reference list text window watch",
    "skipped_unsupported_filter": "paper reference list watch",
    "skipped_no_key": "",
}


def reply(outcome: Outcome) -> ProviderReply:
    return failed("pubmed", "pubmed", outcome, "as the test wants it")


def paper(outcome: Outcome) -> bool:
    request = PaperRequest("pmid:1", {"pmid:1"}, {"openalex": Outcome.EMPTY, "pubmed": outcome},
                           indexes=frozenset({"openalex"}), registries=frozenset({"pubmed"}))  # fmt: skip
    assert request.not_found == ("pubmed" not in request.unanswered)
    return not request.not_found


def reference(outcome: Outcome) -> bool:
    names: Any = ()
    state = ReferenceState(Citation(title="T"), names, outcomes={"openalex": Outcome.OK, "pubmed": outcome})
    assert state.is_answered == (not state.unanswered)
    return not state.is_answered


def listed(outcome: Outcome) -> bool:
    return "providers_failed" in {hint["reason"] for hint in link_hints(reports_of([reply(outcome)]), {}, 1)}


def text(outcome: Outcome) -> bool:
    return _failed([{"complete": False, "providers": reports_of([reply(outcome)]), "cache": "miss"}]) == ["pubmed"]


def window(outcome: Outcome) -> bool:
    (after,) = after_search(
        Window(), [(reply(outcome), Query(text="a"))], date_from=None, date_to=None, now="2026-11-22T06:00:00Z"
    )
    return after.pending == {"pubmed"}


def page(outcome: Outcome) -> bool:
    if outcome.answered:  # how its pages go on is another matter
        return False
    return only(round_of(search_of("pubmed"), ended(outcome))).stopped is None


def watch(outcome: Outcome) -> bool:
    silent = [] if outcome.answered else ["pubmed"]
    found: Any = object()
    return _is_unanswered(PaperRequest("pmid:1", {"pmid:1"}, {"pubmed": outcome}, found, may_know=silent), ["pubmed"])


def passing(outcome: Outcome) -> bool:
    assert is_shared_failure(reply(outcome), limited=False)
    return not is_shared_failure(reply(outcome), limited=True)


PLACES: dict[str, Callable[[Outcome], bool]] = {
    "paper": paper, "reference": reference, "list": listed, "text": text, "window": window, "page": page,
    "watch": watch, "passing": passing,
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("outcome", Outcome)
def test_each_place_takes_an_outcome_as_its_row_says(outcome: Outcome, place: str) -> None:
    assert PLACES[place](outcome) == (place in TABLE[outcome.value].split())
