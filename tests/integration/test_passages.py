"""`POST /v1/passages` over the sandbox: passages of abstracts and full texts, their offsets, and what was not read."""

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
from tests.published_schemas import validate

FOLDING, ATLAS, TRIALS, CLOSED = "PMC8371605", "PMC5762154", "PMC4772787", "1706.03762"
QUESTION = "What happened to the median error when templates were removed?"
ANSWER = "Removing templates changed the median error by less than 0.1 angstrom"


@pytest.fixture(scope="module")
def local() -> Iterator[Machine]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONTACT_EMAIL", "dev@university.example")
        for name in ("ARXIV_TEXT", "PMC_TEXT"):
            patch.setenv(f"{name}_REQUESTS_PER_SECOND", "50")
        with machine(sandbox=Sandbox(faults={})) as running:
            yield running


@pytest.fixture(autouse=True)
def _no_faults(local: Machine) -> Iterator[None]:
    yield
    assert local.sandbox
    local.sandbox.faults.clear()


def send(local: Machine, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
    event = rest_event(method, path, body=None if body is None else json.dumps(body))
    answer = local.invoke("dispatcher", event)
    return answer["statusCode"], json.loads(answer["body"])


def passages(local: Machine, **body: Any) -> dict[str, Any]:
    status, answer = send(local, "POST", "/v1/passages", body)
    assert status == 200, answer
    validate("/v1/passages", "POST", 200, answer)
    return answer


def test_the_sentence_that_answers_is_first_with_its_neighbours_and_licence(local: Machine) -> None:
    answer = passages(local, question=QUESTION, ids=[FOLDING, ATLAS, TRIALS])
    best = answer["passages"][0]
    assert (answer["status"], answer["complete"], answer["content_trust"]) == ("found", True, "untrusted_external")
    assert best["text"].startswith(ANSWER)
    assert (best["of"], best["text_of"], best["license"]) == ("full_text", f"pmcid:{FOLDING}", "cc-by-4.0")
    assert best["path"] == ["Results", "What each part contributes", "Without templates"]
    assert best["citation_uri"] == "https://doi.org/10.1038/s41586-021-03819-2"


def test_every_passage_is_what_the_shown_text_has_between_its_offsets(local: Machine) -> None:
    answer = passages(
        local,
        question="How large are effects on mortality in data, and the median error?",
        ids=[FOLDING, ATLAS, TRIALS, CLOSED],
    )
    assert {it["of"] for it in answer["passages"]} == {"abstract", "full_text"}
    for it in answer["passages"]:
        assert text_behind(local, it)[it["start"] : it["end"]] == it["text"]


def text_behind(local: Machine, passage: dict[str, Any]) -> str:
    """The text of a passage, as its own route shows it."""
    path = f"/v1/papers/{quote(passage['text_of'], safe='')}"
    if passage["of"] == "abstract":
        return str(send(local, "GET", path)[1]["paper"]["abstract"])
    sections = send(local, "GET", f"{path}/fulltext")[1]["sections"]
    return BETWEEN.join(it["text"] for section in sections for it in section["paragraphs"])
