"""In-text citations in messages and in the table: within bounds, joined to the same in any order."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.answers.in_text import InText
from shared.bibliography.paper import MAX_SENTENCE_CHARS, MAX_SENTENCES
from shared.graph.exports import csv, graph_ml
from shared.graph.in_text import SENTENCE_BYTES, SENTENCES, joined_in_text
from shared.graph.items import Item, in_text_item_key
from shared.graph.messages import MESSAGE_BYTES, PapersMessage, messages
from shared.graph.part import Graph, joined
from shared.graph.received import read_message
from shared.graph.store import GraphStore
from shared.graph.writes import write_message
from tests.unit.exported import IN_TEXT, A, B, C, edge, rows
from tests.unit.graph.examples import NOON, papers_body, result
from tests.unit.graph.memory_table import MemoryTable

CITED = "doi:10.1/b"
WRITE_UNIT = 1_024  # https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html


def stating(*texts: str, **changes: Any) -> Any:
    return {"sentences": list(texts), "intents": [], "influential": None, "stated_by": ["semantic_scholar"], **changes}


def body(in_text: Any, **changes: Any) -> str:
    """A message for a paper that cites two others; `in_text` is written as it is, whatever it is."""
    references = {"openalex": [CITED, "pmid:1"]}
    message = json.loads(papers_body(result(doi="10.1/a", references=references, **changes)))
    message["papers"][0] |= {"in_text": in_text}
    return json.dumps(message)


def written(*bodies: str) -> MemoryTable:
    table = MemoryTable()
    for text in (papers_body(result(doi="10.1/b")), papers_body(result(doi=None, pmid="1")), *bodies):
        write_message(read_message(text), table)
    return table


def shown(table: MemoryTable) -> dict[str, InText]:
    cites = GraphStore(table).cites("doi:10.1/a").items
    return {it["key"]: it["in_text"] for it in cites if "in_text" in it}


def stored_bytes(item: Item) -> int:
    """The size of an item of texts alone: names and values in UTF-8.

    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
    """
    return sum(len(name.encode()) + len(str(value).encode()) for name, value in item.items())


SENTENCE = st.text(alphabet="ab .é\ud800\x00細", max_size=200)
STATED = st.builds(
    stating,
    SENTENCE,
    SENTENCE,
    intents=st.lists(st.sampled_from(("background", "method", "result")), max_size=2),
    influential=st.sampled_from((None, False, True)),
    stated_by=st.lists(st.sampled_from(("a", "b", "c", "d", "e", "f")), max_size=3),
)


@settings(deadline=None)
@given(st.lists(STATED, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_a_join_is_the_same_in_any_order_grouping_and_repetition(stated: list[InText], chance: Any) -> None:
    valid = [it for one in stated if (it := joined_in_text([one]))]
    one_by_one: InText | None = None
    for it in chance.sample([*valid, *valid], k=2 * len(valid)):
        one_by_one = joined_in_text([*([one_by_one] if one_by_one else []), it])
    assert one_by_one == joined_in_text(valid)


@pytest.mark.parametrize("text", ["word " * 200_000, "x" * 1_000_000, "é" * 500, "細" * 500, "🧬" * 500])
def test_a_sentence_is_cut_to_its_bytes(text: str) -> None:
    it = joined_in_text([stating(text)])
    assert it is not None
    (cut,) = it["sentences"]
    assert SENTENCE_BYTES - 10 < len(cut.encode()) <= SENTENCE_BYTES and cut.endswith("…")
    assert joined_in_text([it]) == it


def test_an_item_of_usual_ids_takes_one_write_unit() -> None:
    texts = [f"{number} " + "word " * 200 for number in range(MAX_SENTENCES)]
    full = stating(*texts, intents=["background", "method", "result"], influential=True)
    full["stated_by"] = ["europe_pmc_text", "semantic_scholar"]
    references = {"semantic_scholar": ["doi:10.1016/j.jalz.2018.02.001"]}
    paper = result(pmid="29618526", references=references, in_text={"doi:10.1016/j.jalz.2018.02.001": full})
    item = written(papers_body(paper)).items[in_text_item_key("pmid:29618526", "doi:10.1016/j.jalz.2018.02.001")]
    assert 800 < stored_bytes(item) <= WRITE_UNIT
    assert "source" not in item  # not in the index, whose every item costs a write unit more


def test_a_message_of_results_without_in_text_citations_is_as_before() -> None:
    (message,) = messages([result(references={"openalex": [CITED]}, in_text={})], None, NOON)
    assert "in_text" not in message["papers"][0]
    (old,) = read_papers(json.dumps(message)).papers
    assert (old.in_text, old.invalid_in_text) == ({}, 0)


def read_papers(text: str) -> PapersMessage:
    message = read_message(text)
    assert isinstance(message, PapersMessage)
    return message


def test_in_text_citations_of_papers_that_are_not_cited_are_not_sent() -> None:
    (message,) = messages([result(references={"openalex": [CITED]}, in_text={"doi:10.1/x": IN_TEXT})], None, NOON)
    assert "in_text" not in message["papers"][0]


def test_very_many_in_text_citations_are_divided_over_messages_and_none_is_lost() -> None:
    worst = ["é" * MAX_SENTENCE_CHARS + str(number) for number in range(MAX_SENTENCES)]
    ids = [f"doi:10.1000/{'é' * 100}{number}" for number in range(700)]
    paper = result(references={"openalex": ids}, in_text={name: stating(*worst, *"ab") for name in ids})
    sent = list(messages([paper], None, NOON))
    assert max(len(json.dumps(message)) for message in sent) <= MESSAGE_BYTES
    found = [name for message in sent for it in read_papers(json.dumps(message)).papers for name in it.in_text]
    assert sorted(found) == sorted(ids)


MERGED = [
    body({CITED: stating("A first sentence.", intents=["method"])}),
    body({CITED: stating("A second, longer sentence.", "a FIRST sentence", influential=True)}),
    body({CITED: stating(intents=["background"], influential=False, stated_by=["europe_pmc_text"])}),
    body({}),
]


@pytest.mark.parametrize("order", [*permutations(MERGED)])
def test_later_messages_join_what_earlier_ones_state(order: tuple[str, ...]) -> None:
    table = written(*order)
    assert shown(table) == {
        CITED: {
            "sentences": ["A second, longer sentence.", "A first sentence."],
            "intents": ["background", "method"],
            "influential": True,
            "stated_by": ["europe_pmc_text", "semantic_scholar"],
        }
    }
    assert [write_message(read_message(text), table) for text in order] == [0] * len(order)
    assert GraphStore(table).stats()["cites"] == 2
    assert len(GraphStore(table).cited_by(CITED).items) == 1


def test_no_more_than_the_longest_sentences_are_stored() -> None:
    texts = [f"Sentence {'x' * number}." for number in range(MAX_SENTENCES)]
    (it,) = shown(written(*(body({CITED: stating(text)}) for text in texts))).values()
    assert it["sentences"] == texts[: -SENTENCES - 1 : -1]


def test_a_writer_that_comes_between_loses_nothing() -> None:
    rivals = [MERGED[1]]

    def rival() -> None:
        if rivals:
            write_message(read_message(rivals.pop()), table)

    table = MemoryTable(between=rival)
    write_message(read_message(MERGED[0]), table)
    alone = MemoryTable()
    for text in MERGED[:2]:
        write_message(read_message(text), alone)
    assert rivals == [] and table.items == alone.items


HOSTILE: dict[str, Any] = {
    "no object": [1],
    "a text": "x",
    "a number for sentences": {CITED: stating() | {"sentences": 7}},
    "numbers as sentences": {CITED: stating() | {"sentences": [1, None, {}]}},
    "an unknown intent": {CITED: stating("x", intents=["praise"])},
    "a text as truth value": {CITED: stating("x", influential="yes")},
    "an odd source": {CITED: stating("x", stated_by=["<b>"])},
    "a further field": {CITED: stating("x", html="<script>")},
    "no id": {"not an id": stating("x")},
    "control characters alone": {CITED: stating("\x00\x1b \n")},
    "nothing stated": {CITED: stating()},
}


@pytest.mark.parametrize("in_text", HOSTILE.values(), ids=HOSTILE.keys())
def test_an_invalid_in_text_citation_costs_neither_the_paper_nor_its_edges(in_text: Any) -> None:
    message = read_papers(body(in_text))
    assert (message.refused, [it.invalid_in_text for it in message.papers]) == ((), [1])
    table = written(body(in_text))
    assert len(GraphStore(table).cites("doi:10.1/a").items) == 2
    assert shown(table) == {}


def test_an_invalid_one_costs_no_valid_one_and_odd_characters_only_themselves() -> None:
    odd = stating("A\ud800 sen\x00tence\x1b\nin two lines.", "word " * 200_000)
    found = shown(written(body({CITED: odd, "pmid:1": stating(influential="yes")})))
    (it,) = found.values()
    assert [text for text in it["sentences"] if len(text) < 100] == ["A sentence in two lines."]


def test_exports_have_the_in_text_citations_of_edges_joined() -> None:
    further = stating("Another sentence, which is longer.")
    graph = joined([Graph([], [edge(A, B, in_text=IN_TEXT), edge(B, C)]), Graph([], [edge(A, B, in_text=further)])])
    first, second = rows(csv(graph, "edges"))
    assert (first["intents"], first["influential"]) == ("method", "yes")
    assert first["sentences"] == "Another sentence, which is longer. | As A shows, it holds."
    assert (second["intents"], second["influential"], second["sentences"]) == ("", "", "")
    assert "As A shows, it holds." in graph_ml(graph)
