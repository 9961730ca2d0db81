"""How papers cite one another in their texts: as Semantic Scholar states it, merged, and in the size of an answer."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import semantic_scholar
from shared.bibliography.paper import MAX_SENTENCE_CHARS, MAX_SENTENCES, InTextCitation, Pointer
from shared.papers.links.in_text import in_text_index, merged_in_text, sized_in_text
from shared.papers.links.merging import Assertion, LinkList
from shared.providers.encoded_replies import encode_reply, read_encoded
from shared.providers.provider import reply_from_json, reply_to_json
from shared.query.question import Links
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import replay, requests_of

REFERENCES = Links("references", "doi:10.1000/x")


def page(**edge: Any) -> dict[str, Any]:
    bare = {"contexts": [], "intents": [], "isInfluential": False}
    first, second = ({"citedPaper": {"paperId": None, "title": name}} for name in ("First", "Second"))
    return {"offset": 0, "data": [{**bare, **first}, {**bare, **edge, **second}]}


def stated(**edge: Any) -> InTextCitation | None:
    reply = replay(semantic_scholar, page(**edge), query=REFERENCES)
    assert [paper.title for paper in reply.papers] == ["First", "Second"]
    assert reply_from_json(reply_to_json(reply)) == reply
    return next(iter(reply.in_text), None)


def test_the_fields_of_the_pair_are_requested_beside_those_of_the_paper() -> None:
    (request,) = requests_of(semantic_scholar, REFERENCES, [page()])
    assert {"contexts", "intents", "isInfluential", "title"} <= set(request.url.params["fields"].split(","))


def test_sentences_intents_and_influence_have_the_rank_of_their_paper() -> None:
    found = stated(
        contexts=["We follow <i>them</i> &amp; others.", "We follow <i>them</i> &amp; others.", "", "Twice."],
        intents=["methodology", "background", "a new one"],
        isInfluential=True,
    )
    assert found == InTextCitation(2, ("We follow them & others.", "Twice."), ("background", "method"), True)


@pytest.mark.parametrize(
    "edge",
    [{}, {"contexts": None, "intents": None, "isInfluential": None}, {"contexts": "text", "intents": {"a": 1}}],
)
def test_a_pair_without_text_states_nothing(edge: dict[str, Any]) -> None:
    assert stated(**edge) is None


def test_sentences_are_bounded_in_number_and_length() -> None:
    found = stated(contexts=[f"{number} " + "long " * 500 for number in range(40)])
    assert found is not None
    assert len(found.sentences) == MAX_SENTENCES
    assert {len(it) for it in found.sentences} == {MAX_SENTENCE_CHARS}


def test_it_survives_the_cache() -> None:
    reply = replay(semantic_scholar, page(contexts=["So it was."], isInfluential=True), query=REFERENCES)
    assert read_encoded(encode_reply(reply)).in_text == reply.in_text == (InTextCitation(2, ("So it was.",), (), True),)


@needs_recordings
def test_recorded_references_state_how_they_are_cited() -> None:
    reply = replay(semantic_scholar, folder("semantic_scholar") / "references-contexts-intents.json", query=REFERENCES)
    by_rank = {it.rank: it for it in reply.in_text}
    assert by_rank[1].intents == ("background",)
    assert by_rank[1].sentences[0].startswith("In addition, quantitative assays of phosphopeptide binding")
    assert sum(bool(it.influential) for it in reply.in_text) == 2
    assert {intent for it in reply.in_text for intent in it.intents} == {"background", "method"}


def test_several_sources_are_merged_and_a_sentence_is_shown_once() -> None:
    one = LinkList(
        "doi:h", "references", "a", [], [Pointer(1)], [InTextCitation(1, ("It is so.", "More."), ("result",))]
    )
    two = LinkList(
        "doi:h", "references", "b", [], [Pointer(4)], [InTextCitation(4, ("it is SO",), ("background",), False)]
    )
    index = in_text_index([one, two])
    assertions = [Assertion("doi:h", "references", "a", 1), Assertion("doi:h", "references", "b", 4)]
    merged = merged_in_text(assertions, index)
    assert merged == {
        "sentences": ["It is so.", "More."], "intents": ["background", "result"], "influential": False,
        "stated_by": ["a", "b"],
    }  # fmt: skip
    assert merged_in_text([Assertion("doi:h", "references", "c", 1)], index) is None


def test_an_answer_shows_one_short_sentence_or_some_longer_ones() -> None:
    merged = merged_in_text(
        [Assertion("h", "citations", "a", 1)],
        in_text_index([LinkList("h", "citations", "a", [], [], [InTextCitation(1, ("word " * 190, *"bcdefg"))])]),
    )
    compact, full = sized_in_text(merged, "compact"), sized_in_text(merged, "full")
    assert compact and full
    assert [len(it) <= 251 for it in compact["sentences"]] == [True]
    assert len(full["sentences"]) == 5
    assert 250 < len(full["sentences"][0]) <= 601
    assert sized_in_text(None, "full") is None
