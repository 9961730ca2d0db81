"""The verdict on each field of a reference speaks of the paper that is shown, over HTTP, MCP and for a document."""

from __future__ import annotations

import pytest

from infra.local.machine import Machine
from tests.benchmarks.reference_set import papers, printed
from tests.benchmarks.reference_styles import vancouver
from tests.integration.papers_calls import fetch
from tests.integration.references.test_trial_findings_on_references import BOTH, Resolve

# Semantic Scholar calls their journal ArXiv; of the first, others know the proceedings. Of so many references at once,
# not each is sent to all.
TITLES = (
    "Attention is All you Need", "Sequence to Sequence Learning with Neural Networks",
    "Neural Machine Translation by Jointly Learning to Align and Translate",
    "Efficient Estimation of Word Representations in Vector Space", "Distilling the Knowledge in a Neural Network",
    "Improving language models by retrieving from trillions of tokens",
)  # fmt: skip
PROCEEDINGS = "Neural Information Processing Systems"


@BOTH
def test_a_field_that_is_found_is_that_of_the_paper(running: Machine, resolve: Resolve) -> None:
    entries = resolve(running, [{"title": title} for title in TITLES])
    assert [entry["status"] for entry in entries] == ["matched"] * len(TITLES)
    for entry in entries:
        assert entry["fields"]["journal"]["found"] == entry["paper"]["journal"]
    assert entries[0]["paper"]["journal"] == PROCEEDINGS


@BOTH
@pytest.mark.parametrize("journal", [PROCEEDINGS, f"Advances in {PROCEEDINGS}"])
def test_a_journal_that_the_whole_paper_has_agrees(running: Machine, resolve: Resolve, journal: str) -> None:
    others = [{"title": title} for title in TITLES[1:]]
    entry, *_ = resolve(running, [{"title": TITLES[0], "authors": ["Vaswani A"], "journal": journal}, *others])
    assert entry["status"] == "matched"
    assert entry["fields"]["journal"] == {"verdict": "agrees", "cited": journal, "found": PROCEEDINGS}
    assert ("journal" in entry["agrees"], "journal" in entry["differs"]) == (True, False)


@BOTH
def test_the_journal_of_another_version_agrees_with_a_note(running: Machine, resolve: Resolve) -> None:
    (entry,) = resolve(running, ["Vaswani A, et al. Attention is all you need. arXiv:1706.03762 (2017)."])
    verdict = entry["fields"]["journal"]
    assert (verdict["verdict"], verdict["cited"], verdict["found"]) == ("agrees", "arXiv", PROCEEDINGS)
    assert "a version" in verdict["note"]


def test_a_checked_document_says_the_same(running: Machine) -> None:
    lines = [vancouver(printed(fact, with_doi=False)) for fact in papers() if fact.title in TITLES]
    found = fetch(running, "POST", "/v1/reference-checks", {"document": "\n".join(["# References", *lines])})
    matched = [it for it in found["references"] if it["paper"] and it["fields"].get("journal", {}).get("found")]
    assert len(matched) == len(lines) > 4
    assert [it["fields"]["journal"]["found"] for it in matched] == [it["paper"]["journal"] for it in matched]
