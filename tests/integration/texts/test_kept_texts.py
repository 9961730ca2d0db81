"""The sentences with which full texts that the service keeps cite papers, in lists of references and citations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest

from infra.local.machine import Machine, machine
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.server import Sandbox
from infra.local.sandbox.texts.pdf import COPIES, pdf_texts
from infra.local.sandbox.texts.written_texts import written_texts
from tests.integration.papers_calls import fetch, upstream
from tests.published_schemas import validate

FOLDING, CONTACTS = "PMC8371605", "10.1073/pnas.0805923106"
SENTENCE = "Later work inferred contacts between residues from pairs of positions that change together [2],[3]"
TEXTS = ("europe_pmc_text", "pmc_text", "arxiv_text", "open_copy_text")


def with_references() -> Corpus:
    """The corpus with the references that the written texts cite, which the indexes then list as well."""
    cited = {it.id: it.cited for it in written_texts().values()} | {doi: it.cited for doi, it in pdf_texts().items()}

    def listed_by(fact: Fact) -> Fact:
        text = cited.get(fact.pmcid or "") or cited.get((fact.doi or "").lower())
        return replace(fact, references=tuple(text)) if text else fact

    return Corpus(tuple(map(listed_by, default_corpus().facts)))


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    monkeypatch.setenv("CONTACT_EMAIL", "dev@university.example")
    with machine(sandbox=Sandbox(with_references(), faults={})) as running:
        yield running


def listed(local: Machine, name: str, relation: str, **query: Any) -> list[dict[str, Any]]:
    path = f"/v1/papers/{quote(name, safe='')}/{relation}"
    answer = fetch(local, "GET", path, max_results=100, detail="standard", **query)
    validate(path, "GET", 200, answer)
    return list(answer["results"])


def from_texts(entries: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The entries that a kept text cites, by their keys."""
    stated = ((it["key"], it["in_text"]) for it in entries if it["in_text"])
    return {key: in_text for key, in_text in stated if set(in_text["stated_by"]) & set(TEXTS)}


def read(local: Machine, name: str) -> None:
    assert fetch(local, "GET", f"/v1/papers/{quote(name, safe='')}/fulltext")["status"] == "available"


def test_no_text_is_fetched_for_a_list(local: Machine) -> None:
    assert from_texts(listed(local, FOLDING, "references")) == {}
    assert not set(TEXTS) & set(upstream(local))


def test_references_have_the_sentences_that_cite_them_in_a_text_that_was_read(local: Machine) -> None:
    read(local, FOLDING)
    found = from_texts(listed(local, FOLDING, "references"))
    in_text = found[f"doi:{CONTACTS}"]
    assert any(it.startswith(SENTENCE) for it in in_text["sentences"])
    assert set(in_text["stated_by"]) & {"europe_pmc_text", "pmc_text"}
    first = found["doi:10.1006/jmbi.1999.3091"]["sentences"]
    assert "Predicting secondary structure from sequence profiles was an early success of small networks [1]." in first
    assert not [it for it in first if it.startswith("Later work")]


def test_citations_have_the_sentences_of_citing_papers_whose_texts_were_read(local: Machine) -> None:
    read(local, FOLDING)
    found = from_texts(listed(local, CONTACTS, "citations"))
    assert list(found) == ["doi:10.1038/s41586-021-03819-2"]
    (in_text,) = found.values()
    assert any(it.startswith(SENTENCE) for it in in_text["sentences"])


def test_a_text_from_a_pdf_counts_as_well(local: Machine) -> None:
    read(local, COPIES[0].doi)
    found = from_texts(listed(local, COPIES[0].doi, "references"))
    assert [key for key, it in found.items() if "open_copy_text" in it["stated_by"]]
    assert "[1]" in json.dumps(found["doi:10.1006/jmbi.1999.3091"]["sentences"])
