"""`GET /v1/papers/{id}/fulltext` over the sandbox: sections, sizes, licences, and failures of sources."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.bibliography.full_text import BETWEEN
from shared.search.sizes.token_budget import VARIATION
from tests.integration.empty_cache import remove_cached_legs
from tests.published_schemas import validate
from tests.unit.full_texts.written import texts_in

FOLDING, ATLAS = "PMC8371605", "PMC5762154"
OPEN = [*texts_in("jats"), "2303.18223", "2301.06627", "2305.02329", "1409.0473", "1409.3215"]


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    monkeypatch.setenv("CONTACT_EMAIL", "dev@university.example")
    for name in ("ARXIV_TEXT", "PMC_TEXT"):
        monkeypatch.setenv(f"{name}_REQUESTS_PER_SECOND", "50")
    with machine(sandbox=Sandbox(faults={})) as running:
        yield running


def ask(local: Machine, paper: str, **options: str) -> tuple[int, dict[str, list[str]], str]:
    path = f"/v1/papers/{quote(paper, safe='')}/fulltext"
    answer = local.invoke("dispatcher", rest_event("GET", path, query={key: [it] for key, it in options.items()}))
    return answer["statusCode"], answer["multiValueHeaders"], answer["body"]


def text_of(local: Machine, paper: str, **options: str) -> dict[str, Any]:
    status, _, body = ask(local, paper, **options)
    assert status == 200, body
    return dict(json.loads(body))


def paragraphs(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return [it for section in answer["sections"] for it in section["paragraphs"]]


def requests_to(local: Machine, *names: str) -> int:
    assert local.sandbox is not None
    return sum(it.provider in names for it in local.sandbox.requests)


@pytest.mark.parametrize("paper", OPEN)
def test_every_open_text_is_shown_with_its_source_and_licence(local: Machine, paper: str) -> None:
    answer = text_of(local, paper)
    assert (answer["status"], answer["complete"], answer["reason"]) == ("available", True, None)
    assert answer["source"]["license"].startswith("cc-by")
    assert answer["source"]["text_of"].endswith(paper)
    assert answer["content_trust"] == "untrusted_external"
    assert [it["section"] for it in answer["sections"]] == [it["section"] for it in answer["outline"] if it["chars"]]
    keys = [it["key"] for it in answer["references"]]
    assert keys and all(key.startswith("doi:") for key in keys)


def test_offsets_count_in_one_text_whatever_part_is_shown(local: Machine) -> None:
    whole = text_of(local, FOLDING)
    text = BETWEEN.join(it["text"] for it in paragraphs(whole))
    part = text_of(local, FOLDING, section="2.1")
    assert paragraphs(part) == [it for it in paragraphs(whole) if it in paragraphs(part)]
    for it in paragraphs(part):
        assert text[it["start"] : it["start"] + len(it["text"])] == it["text"]


def test_a_section_has_all_below_it_and_is_named_by_number_or_heading(local: Machine) -> None:
    by_number, by_heading = text_of(local, FOLDING, section="2"), text_of(local, FOLDING, section="results")
    assert [it["section"] for it in by_number["sections"]] == ["2.1", "2.2.1", "2.2.2"]
    assert by_number["sections"] == by_heading["sections"]
    assert [it["number"] for it in by_number["references"]] == [1, 5]
    assert by_number["outline"] == []


def test_an_unknown_section_is_an_error_that_names_those_there_are(local: Machine) -> None:
    status, _, body = ask(local, FOLDING, section="9")
    assert status == 422
    assert "2.1 Accuracy on unseen chains" in json.loads(body)["errors"][0]["message"]


def test_the_outline_has_headings_and_no_text(local: Machine) -> None:
    answer = text_of(local, FOLDING, outline="true")
    assert (answer["sections"], answer["references"]) == ([], [])
    assert [it["section"] for it in answer["outline"]][:4] == ["abstract", "abstract-2", "1", "2"]


def test_the_outline_of_a_section_has_what_is_below_it(local: Machine) -> None:
    assert [it["section"] for it in text_of(local, FOLDING, outline="true", section="2.2")["outline"]] == [
        "2.2",
        "2.2.1",
        "2.2.2",
    ]
    assert ask(local, FOLDING, outline="true", section="9")[0] == 422


@pytest.mark.parametrize("part", [{"start": "5000"}, {"start": "1400", "section": "1"}])
def test_a_start_behind_all_text_is_an_error_and_no_empty_text(local: Machine, part: dict[str, str]) -> None:
    status, _, body = ask(local, FOLDING, **part)
    assert (status, json.loads(body)["errors"][0]["field"]) == (422, "start")
    assert "the last paragraph" in json.loads(body)["detail"]


def test_an_answer_is_within_its_budget_and_the_next_goes_on_where_it_ended(local: Machine) -> None:
    whole = paragraphs(text_of(local, FOLDING))
    seen: list[dict[str, Any]] = []
    start = "0"
    for _ in range(30):
        status, _, body = ask(local, FOLDING, max_tokens="900", start=start)
        assert (status, len(body) / 3.1 <= 925) == (200, True)
        answer = json.loads(body)
        seen += paragraphs(answer)
        if answer["next_start"] is None:
            break
        assert answer["truncated"]["results"] == len(whole) - len(seen)
        start = str(answer["next_start"])
    assert seen == whole


def test_a_budget_without_room_for_a_paragraph_is_refused(local: Machine) -> None:
    status, _, body = ask(local, FOLDING, max_tokens="300")
    assert (status, json.loads(body)["errors"][0]["field"]) == (422, "max_tokens")
    enough = int(json.loads(body)["detail"].rpartition(" ")[2])
    for most in (enough, enough - VARIATION):  # the same answer may be longer next time
        assert ask(local, FOLDING, max_tokens=str(most))[0] == 200


def test_more_tokens_never_show_less(local: Machine) -> None:
    """The reports of the sources give way to the text before a paragraph is left out."""
    shown: list[int] = []
    for most in range(500, 2_600, 100):
        status, _, body = ask(local, FOLDING, max_tokens=str(most))
        assert (status, len(body) / 3.1 <= most + 25) == (200, True), most
        shown.append(len(paragraphs(json.loads(body))))
    assert shown == sorted(shown)
    assert shown[0] > 0


def test_markdown_has_headings_licence_and_no_markup_of_others(local: Machine) -> None:
    status, headers, body = ask(local, FOLDING, format="markdown")
    assert (status, headers["Text-Status"], headers["Complete"]) == (200, ["available"], ["true"])
    assert headers["Content-Type"] == ["text/markdown; charset=utf-8"]
    assert "Licence: cc-by-4.0." in body
    assert "\n## Results\n\n### Accuracy on unseen chains\n" in body
    assert "\nMethod | Median error | Chains\n" in body


def test_a_text_whose_licence_does_not_allow_it_is_not_shown_and_the_licence_is_stated(local: Machine) -> None:
    for paper, licence in (("1706.03762", "arxiv-nonexclusive"), ("1502.03044", "arxiv-nonexclusive")):
        answer = text_of(local, paper)
        assert (answer["status"], answer["sections"], answer["outline"]) == ("not_open", [], [])
        assert answer["source"]["license"] == licence
        assert answer["source"]["url"].startswith("https://arxiv.org/")


def test_a_paper_that_no_source_has_open_is_not_open_only_when_all_have_answered(local: Machine) -> None:
    assert local.sandbox is not None
    assert text_of(local, "10.1016/s0140-6736(24)02716-8")["status"] == "not_open"
    remove_cached_legs()
    local.sandbox.faults["unpaywall"] = {"status": 503}
    assert text_of(local, "10.1016/s0140-6736(24)02716-8")["status"] == "unanswered"


FAILURES: dict[str, dict[str, Any]] = {
    "status 500": {"status": 500}, "status 429": {"status": 429}, "reset": {"reset": True},
    "truncated": {"body": "truncated"}, "another page": {"body": "html"}, "empty": {"body": "empty"},
}  # fmt: skip


@pytest.mark.parametrize("fault", FAILURES.values(), ids=FAILURES)
def test_a_source_that_fails_is_unanswered_and_never_a_closed_paper(local: Machine, fault: dict[str, Any]) -> None:
    assert local.sandbox is not None
    local.sandbox.faults |= {"europe_pmc_text": fault, "pmc_text": fault}
    answer = text_of(local, FOLDING)
    assert (answer["status"], answer["complete"], answer["sections"]) == ("unanswered", False, [])
    assert "europe_pmc_text" in answer["reason"]


def test_another_source_answers_where_the_first_fails(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["europe_pmc_text"] = {"status": 503}
    answer = text_of(local, FOLDING)
    assert (answer["status"], answer["source"]["provider"], answer["complete"]) == ("available", "pmc_text", False)


def test_a_text_is_fetched_once_and_then_comes_from_the_cache(local: Machine) -> None:
    text_of(local, ATLAS)
    first = requests_to(local, "europe_pmc_text")
    assert text_of(local, ATLAS, section="1")["cache"] == "hit"
    assert (first, requests_to(local, "europe_pmc_text")) == (1, 1)


def test_a_paper_that_does_not_exist_and_a_text_that_is_no_id_are_errors(local: Machine) -> None:
    assert ask(local, "PMC999999999")[0] == 404
    assert ask(local, "no id at all")[0] == 422
    assert ask(local, FOLDING, colour="red")[0] == 400


def test_the_requested_version_is_the_one_that_is_shown(local: Machine) -> None:
    assert text_of(local, "10.1038/s41586-021-03819-2")["source"]["text_of"] == f"pmcid:{FOLDING}"


def test_answers_have_the_published_form(local: Machine) -> None:
    for options in ({}, {"outline": "true"}, {"max_tokens": "900"}):
        validate(f"/v1/papers/{FOLDING}/fulltext", "GET", 200, text_of(local, FOLDING, **options))
