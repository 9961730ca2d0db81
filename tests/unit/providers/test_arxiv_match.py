"""arXiv's matches: the titles of several references in one request, and those that are not sent."""

from __future__ import annotations

from functions.providers import arxiv
from shared.query.question import Citation, Match
from tests.replay import OWN_RECORDINGS, replay, requests_of

NONE = (OWN_RECORDINGS / "arxiv" / "zero-hits.xml").read_text(encoding="utf-8")
LONG = Citation(title="An interpretable predictive model: for healthcare using reverse time")


def test_titles_are_one_request_with_their_halves_as_phrases() -> None:
    (request,) = requests_of(arxiv, Match((LONG, Citation(title="Deep learning"))), [NONE])
    assert request.url.params["search_query"] == (
        '(ti:"An interpretable predictive model" OR ti:"healthcare using reverse time" OR ti:"Deep learning")'
    )
    assert request.url.params["max_results"] == "9"


def test_a_reference_with_a_volume_is_not_sent() -> None:
    published = Citation(title="Deep learning", volume="521")
    assert requests_of(arxiv, Match((published,)), [NONE]) == []
    preprint = Citation(title="Deep learning", volume="abs/1706.03762")
    leg = replay(arxiv, NONE, query=Match((published, preprint, Citation(title="The of"), Citation())))
    assert leg.not_queried == (0, 3)


def test_a_wildcard_in_a_title_is_none() -> None:
    (request,) = requests_of(arxiv, Match((Citation(title="A* search and AND"),)), [NONE])
    assert request.url.params["search_query"] == 'ti:"A search and AND"'
