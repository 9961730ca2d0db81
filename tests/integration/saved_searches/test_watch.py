"""A debate is watched: what becomes of the papers that it cites is reported to its owner, once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from infra.local.sandbox.facts import Fact
from tests.integration.saved_searches.watching import (
    ARTICLE,
    CITED,
    CONCERN,
    CORRECTED,
    DEBATE,
    EARLIER,
    NONE,
    PREPRINT,
    RETRACTED,
    SOUND,
    Watching,
    marked,
)

AT_START = ("retracted", str(EARLIER.doi), True)
LINKED = replace(PREPRINT, versions=(str(ARTICLE.doi),))


def test_a_paper_that_was_retracted_before_is_reported_by_the_first_run(debate: Watching) -> None:
    saved = debate.watch()
    assert (saved["search"], saved["watch"], saved["name"]) == (None, DEBATE, "debate 42")
    report = debate.run(saved)
    assert report["events"] == {**NONE, "retracted": 1}
    assert (report["first_run"], report["complete"]) == (True, True)
    assert report["papers"] == {
        "cited": 6, "looked_up": 6, "not_found": 0, "unanswered": 0, "left": 0, "left_out": 0,
    }  # fmt: skip
    (event,) = debate.feed(saved)
    assert (event["type"], event["key"], event["at_start"]) == ("retracted", f"doi:{EARLIER.doi}", True)
    assert event["paper"]["title"] == EARLIER.title
    assert event["paper"]["retraction"]["notice_doi"] == "10.5555/notice.7"


def test_each_change_of_a_cited_paper_is_reported_once(debate: Watching) -> None:
    saved = debate.watch()
    debate.run(saved)
    debate.on(1, marked(RETRACTED, "retracted"), marked(CORRECTED, "corrected"), marked(CONCERN, "concern"))
    assert debate.run(saved)["events"] == {**NONE, "retracted": 1, "corrected": 1, "expression_of_concern": 1}
    for day in (2, 3):
        debate.on(day)
        assert debate.run(saved)["events"] == NONE
    expected = [
        AT_START,
        ("retracted", str(RETRACTED.doi), False),
        ("corrected", str(CORRECTED.doi), False),
        ("expression_of_concern", str(CONCERN.doi), False),
    ]
    assert debate.reported(saved) == sorted(expected)


@pytest.mark.slow
def test_a_corrected_paper_that_is_retracted_later_is_reported_for_both(debate: Watching) -> None:
    saved = debate.watch()
    debate.run(saved)
    for day, status in enumerate(("corrected", "retracted", "corrected"), start=1):
        debate.on(day, marked(CORRECTED, status))
        debate.run(saved)
    own = [it for it in debate.reported(saved) if it[1] == CORRECTED.doi]
    assert own == [("corrected", str(CORRECTED.doi), False), ("retracted", str(CORRECTED.doi), False)]


def test_a_cited_preprint_that_is_published_is_reported_once(debate: Watching) -> None:
    saved = debate.watch()
    debate.run(saved)
    debate.on(1, LINKED, ARTICLE)
    assert debate.run(saved)["events"] == {**NONE, "now_published": 1}
    debate.running.drain_queue()  # the graph knows the article now, and the context's key of the paper may change
    debate.on(2)
    assert debate.run(saved)["events"] == NONE
    event = debate.feed(saved)[-1]
    assert (event["type"], event["at_start"]) == ("now_published", False)
    assert event["preprint_key"] == f"doi:{PREPRINT.doi}"
    assert ARTICLE.doi in [event["paper"]["doi"], *(it["doi"] for it in event["paper"].get("versions", ()))]


def test_a_preprint_that_is_already_published_is_reported_as_found_at_the_start(debate: Watching) -> None:
    debate.on(1, LINKED, ARTICLE)
    saved = debate.watch()
    assert debate.run(saved)["events"] == {**NONE, "retracted": 1, "now_published": 1}
    (event,) = debate.feed(saved, types="now_published")
    assert (event["at_start"], event["preprint_key"]) == (True, f"doi:{PREPRINT.doi}")


def test_an_article_that_is_linked_to_its_preprint_is_no_news(debate: Watching) -> None:
    debate.on(1, LINKED, ARTICLE)
    context = {"type": "report", "id": "7"}
    assert debate.cite(ARTICLE, context=context) == 200
    saved = debate.watch(watch=context)
    assert debate.run(saved)["events"] == NONE


@pytest.mark.slow
@pytest.mark.parametrize(
    "before", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["retracted before", "retracted afterwards"]
)
def test_the_baseline_of_a_paper_that_is_cited_later_is_its_first_look(debate: Watching, before: bool) -> None:
    saved = debate.watch()
    debate.run(saved)
    late = replace(
        SOUND, title="A late addition about glia", doi="10.5555/late", pmid="39000099", s2_paper_id="f" * 40,
        openalex_id="W9800000099",
    )  # fmt: skip
    debate.on(1, marked(late, "retracted") if before else late)
    assert debate.cite(late) == 200
    debate.run(saved)
    debate.on(2, marked(late, "retracted"))
    debate.run(saved)
    assert debate.reported(saved) == sorted([AT_START, ("retracted", "10.5555/late", before)])


@pytest.mark.slow
def test_papers_that_a_context_was_only_shown_are_not_watched(debate: Watching) -> None:
    search = {"query": SOUND.title, "context": {"type": "analysis", "id": "9"}, "providers": ["crossref"]}
    assert debate.call("POST", "/v1/literature-search", search)[0] == 200
    debate.running.drain_queue()
    saved = debate.watch(watch={"type": "analysis", "id": "9"})
    report = debate.run(saved)
    assert (report["papers"]["cited"], report["complete"]) == (0, True)


def test_two_cited_ids_of_one_paper_are_reported_once(debate: Watching) -> None:
    body = {"context": DEBATE, "papers": [f"PMID:{EARLIER.pmid}"]}
    assert debate.call("POST", "/v1/citations", body)[0] == 200
    debate.running.drain_queue()
    saved = debate.watch()
    debate.run(saved)
    assert debate.reported(saved) == [AT_START]


@pytest.mark.slow
def test_beyond_the_limit_the_papers_cited_first_are_watched(debate: Watching, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.saved_searches.watch.MAX_PAPERS", 5)
    saved = debate.watch()
    report = debate.run(saved)
    assert (report["papers"]["cited"], report["papers"]["left_out"], report["complete"]) == (6, 1, False)
    assert report["papers"]["looked_up"] == 5
    assert report["events"] == NONE  # CITED ends with the retracted one


@pytest.mark.slow
def test_a_paper_that_no_source_has_is_counted_and_followed(debate: Watching) -> None:
    unknown: Fact = replace(SOUND, title="Unknown", doi="10.5555/unknown", pmid="39000098", s2_paper_id="e" * 40,
                            openalex_id="W9800000098")  # fmt: skip
    debate.cite(unknown)
    saved = debate.watch()
    report = debate.run(saved)
    assert (report["papers"]["cited"], report["papers"]["not_found"], report["complete"]) == (len(CITED) + 1, 1, True)
    debate.on(1, marked(unknown, "retracted"))
    debate.run(saved)
    assert ("retracted", "10.5555/unknown") in {it[:2] for it in debate.reported(saved)}
