"""Full texts of located copies: PDF files that are fetched and read where no source has the text with a structure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from infra.local.sandbox.texts.pdf import COPIES, HIDDEN, WRONG_COPIES, PdfCopy, pdf_texts
from shared.bibliography.full_text import BETWEEN
from tests.integration.empty_cache import remove_cached_legs
from tests.published_schemas import validate

NAME = "open_copy_text"
PNAS, BANKS, BRAAK, LETTER = COPIES
every_copy = pytest.mark.parametrize("copy", COPIES, ids=lambda it: it.doi)


@pytest.fixture(scope="module")
def shared_machine() -> Iterator[Machine]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CONTACT_EMAIL", "dev@university.example")
        environment.setenv("OPEN_COPY_TEXT_REQUESTS_PER_SECOND", "30")
        with machine(sandbox=Sandbox(faults={})) as running:
            yield running


@pytest.fixture
def local(shared_machine: Machine) -> Iterator[Machine]:
    assert shared_machine.sandbox
    shared_machine.sandbox.requests.clear()
    yield shared_machine
    shared_machine.sandbox.faults.clear()


def text_of(local: Machine, doi: str, **options: str) -> dict[str, Any]:
    path = f"/v1/papers/{quote(doi, safe='')}/fulltext"
    query = {key: [it] for key, it in options.items()}
    answer = local.invoke("dispatcher", rest_event("GET", path, query=query))
    assert answer["statusCode"] == 200, answer["body"]
    return dict(json.loads(answer["body"]))


def paths_requested(local: Machine) -> list[str]:
    assert local.sandbox is not None
    return [it.path for it in local.sandbox.requests if it.provider == NAME]


@every_copy
def test_a_located_copy_is_shown_with_its_licence_and_version(local: Machine, copy: PdfCopy) -> None:
    answer = text_of(local, copy.doi)
    assert (answer["status"], answer["complete"]) == ("available", True)
    licence = pdf_texts()[copy.doi].licence
    assert answer["source"] == {
        "provider": NAME, "text_of": f"url:{copy.url}", "url": copy.url, "format": "pdf", "version": copy.version,
        "language": None, "license": licence, "license_text": None,
    }  # fmt: skip
    assert answer["content_trust"] == "untrusted_external"
    assert HIDDEN not in json.dumps(answer)
    assert [it["key"] for it in answer["references"]] == [f"doi:{name}" for name in pdf_texts()[copy.doi].cited]
    validate(f"/v1/papers/{quote(copy.doi, safe='')}/fulltext", "GET", 200, answer)


@every_copy
def test_offsets_count_in_the_text_whatever_part_is_shown(local: Machine, copy: PdfCopy) -> None:
    whole = text_of(local, copy.doi)
    shown = [it for section in whole["sections"] for it in section["paragraphs"]]
    text = BETWEEN.join(it["text"] for it in shown)
    last = text_of(local, copy.doi, section=whole["sections"][-1]["section"])
    for it in (*shown, *last["sections"][0]["paragraphs"]):
        assert text[it["start"] : it["start"] + len(it["text"])] == it["text"]


def test_a_copy_that_names_another_paper_is_not_shown(local: Machine) -> None:
    answer = text_of(local, WRONG_COPIES[0].doi)
    assert (answer["status"], answer["sections"], answer["source"]) == ("mismatched", [], None)
    assert answer["reason"].startswith(f"the open copy at {WRONG_COPIES[0].url} has another title on its first pages")
    validate(f"/v1/papers/{quote(WRONG_COPIES[0].doi, safe='')}/fulltext", "GET", 200, answer)


def test_a_copy_without_a_title_that_can_be_read_is_not_shown(local: Machine) -> None:
    answer = text_of(local, WRONG_COPIES[1].doi)
    assert (answer["status"], answer["sections"], answer["source"]) == ("no_text", [], None)
    assert answer["reason"].startswith(f"no title in the open copy at {WRONG_COPIES[1].url} says whose text it is")


def test_no_passage_is_of_another_papers_text(local: Machine) -> None:
    wrong = [it.doi for it in WRONG_COPIES]
    body = {"question": "At what age did the sisters have fractures?", "ids": wrong}
    answer = local.invoke("dispatcher", rest_event("POST", "/v1/passages", body=json.dumps(body)))
    found = json.loads(answer["body"])
    assert {it["key"]: it["full_text"] for it in found["read"]} == {
        f"doi:{wrong[0]}": "mismatched", f"doi:{wrong[1]}": "no_text",
    }  # fmt: skip
    assert not [it for it in found["passages"] if it["of"] == "full_text"]


def test_a_redirect_to_another_host_is_followed(local: Machine) -> None:
    text_of(local, LETTER.doi, fresh="true")
    assert paths_requested(local) == ["/archive.example.org/pdf/825", "/files.example.net/825.pdf"]


def test_a_copy_is_fetched_once_and_then_comes_from_the_cache(local: Machine) -> None:
    text_of(local, PNAS.doi)
    text_of(local, PNAS.doi)
    assert len(paths_requested(local)) <= 1


def test_a_paper_that_another_source_has_with_its_structure_is_not_fetched(local: Machine) -> None:
    assert text_of(local, "PMC8371605")["source"]["format"] == "jats"
    assert paths_requested(local) == []


def test_an_address_is_no_id_that_a_caller_can_name(local: Machine) -> None:
    path = f"/v1/papers/{quote('url:https://host.example.org/a.pdf', safe='')}/fulltext"
    assert local.invoke("dispatcher", rest_event("GET", path))["statusCode"] == 422
    assert paths_requested(local) == []


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ({"status": 403}, "no_text"), ({"status": 429}, "unanswered"), ({"status": 500}, "unanswered"),
        ({"reset": True}, "unanswered"), ({"body": "truncated"}, "unanswered"), ({"body": "empty"}, "unanswered"),
        ({"body": "html"}, "no_text"), ({"status": 404}, "no_text"),
    ],
    ids=str,
)  # fmt: skip
def test_a_host_that_fails_is_unanswered_and_a_page_is_no_text(
    local: Machine, fault: dict[str, Any], status: str
) -> None:
    assert local.sandbox is not None
    remove_cached_legs()
    local.sandbox.faults[NAME] = fault
    answer = text_of(local, BRAAK.doi, fresh="true")
    assert (answer["status"], answer["sections"]) == (status, [])
    assert answer["providers"][NAME]["warnings"]
    assert answer["complete"] is (status == "no_text")


def test_failing_hosts_do_not_open_the_circuit(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults[NAME] = {"status": 503}
    for _ in range(3):
        for copy in (PNAS, BRAAK, LETTER):
            text_of(local, copy.doi, fresh="true")
    local.sandbox.faults.clear()
    assert text_of(local, PNAS.doi, fresh="true")["status"] == "available"


def test_passages_are_found_in_a_pdf_with_exact_offsets(local: Machine) -> None:
    body = {"question": "How stiff were constructs at low oxygen?", "ids": [PNAS.doi]}
    answer = local.invoke("dispatcher", rest_event("POST", "/v1/passages", body=json.dumps(body)))
    found = json.loads(answer["body"])
    text = text_of(local, PNAS.doi)
    whole = BETWEEN.join(it["text"] for section in text["sections"] for it in section["paragraphs"])
    passages = [it for it in found["passages"] if it["of"] == "full_text"]
    assert any("1.6 times as stiff" in it["text"] for it in passages)
    assert all(whole[it["start"] : it["end"]] == it["text"] for it in passages)
