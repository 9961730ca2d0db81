"""What a trial by agents found wrong with checked references, by its numbers: D4, D17 and D28, over HTTP and MCP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import called
from tests.integration.papers_calls import fetch
from tests.integration.references.test_resolve_forms import LANCET, LANCET_TITLE, REFERENCES, RISK, RISK_TITLE, VARIANTS

Resolve = Callable[[Machine, list[Any]], list[dict[str, Any]]]


def over_http(running: Machine, references: list[Any]) -> list[dict[str, Any]]:
    return list(fetch(running, "POST", "/v1/resolve", {"references": references, "timeout_ms": 25_000})["references"])


def over_mcp(running: Machine, references: list[Any]) -> list[dict[str, Any]]:
    return list(called(running, "resolve_reference", references=references)["references"])


BOTH = pytest.mark.parametrize("resolve", [over_http, over_mcp], ids=["HTTP", "MCP"])


def dois(entry: dict[str, Any]) -> list[str]:
    return [it["doi"].lower() for it in (entry["paper"], *entry["paper"].get("versions", ())) if it.get("doi")]


@pytest.mark.slow  # fifteen references, most of them with searches
@BOTH
def test_d4_real_references_are_matched(running: Machine, resolve: Resolve) -> None:
    """Ids alone, ids in a line, a retracted title, a possessive, titles cut short, no marks, one wrong word."""
    entries = resolve(running, [reference for reference, _ in REFERENCES])
    assert [entry["status"] for entry in entries] == ["matched"] * len(REFERENCES)
    found = [doi in dois(entry) for entry, (_, doi) in zip(entries, REFERENCES, strict=True)]
    assert found == [True] * len(REFERENCES)


@BOTH
def test_d4_the_retracted_paper_is_found_with_and_without_its_doi(running: Machine, resolve: Resolve) -> None:
    line = f"Mehra MR, Desai SS, Ruschitzka F, Patel AN. {LANCET_TITLE}. Lancet. 2020"
    entries = resolve(running, [f"{line} doi:{LANCET}", line])
    assert [entry["paper"]["retraction"]["status"] for entry in entries] == ["retracted"] * 2


@BOTH
def test_d4_what_is_not_found_has_candidates_with_reasons(running: Machine, resolve: Resolve) -> None:
    (entry,) = resolve(
        running, [{"title": "TREM2 variants in Parkinson's disease", "authors": ["Guerreiro R"], "year": 2013}]
    )
    assert (entry["status"], entry["unanswered"]) == ("not_found", {})
    assert entry["candidates"][0]["paper"]["doi"] == VARIANTS
    assert "parkinson" in entry["candidates"][0]["reason"]


@BOTH
@pytest.mark.parametrize(("year", "differs"), [(2012, ["year"]), (2013, []), (2014, ["year"])])
def test_d17_a_year_off_by_one_differs(running: Machine, resolve: Resolve, year: int, differs: list[str]) -> None:
    (entry,) = resolve(running, [{"title": RISK_TITLE, "year": year, "authors": ["Jonsson T"]}])
    assert (entry["status"], entry["differs"], RISK in dois(entry)) == ("matched", differs, True)
    assert ("year" in entry["agrees"]) is not bool(differs)


@BOTH
def test_d28_a_blank_line_costs_no_other_reference(running: Machine, resolve: Resolve) -> None:
    entries = resolve(running, [VARIANTS, "", "  ", RISK])
    assert [entry["status"] for entry in entries] == ["matched", "matched"]


@BOTH
def test_d28_a_document_with_blank_lines_is_checked(running: Machine, resolve: Resolve) -> None:
    document = f"References\n\n\n1. https://doi.org/{VARIANTS}\n\n \n2. https://doi.org/{RISK}\n\n"
    if resolve is over_mcp:
        answer = called(running, "resolve_reference", document=document)
    else:
        answer = fetch(running, "POST", "/v1/reference-checks", {"document": document})
    assert [it["status"] for it in answer["references"]] == ["matched", "matched"]


CUT = "Neurodegenerative disease mutations in TREM2"  # five words of sixteen
WHOLE = (
    "Neurodegenerative disease mutations in TREM2 reveal a functional surface and distinct loss-of-function mechanisms"
)


@BOTH
def test_a_title_cut_before_its_half_has_its_paper_as_a_candidate(running: Machine, resolve: Resolve) -> None:
    line = f"Kober DL, Alexander-Brett JM, Karch CM. {CUT}. eLife. 2011;19:e1"
    for entry in resolve(running, [line, {"title": CUT, "authors": ["Kober DL"], "year": 2011, "volume": "19"}]):
        assert (entry["status"], entry["paper"]) == ("ambiguous", None)
        candidate, *others = entry["candidates"]
        assert (candidate["paper"]["title"], others) == (WHOLE, [])
        assert candidate["fields"]["title"]["note"] == "only its first words"
        assert {"title", "year"} <= set(candidate["differs"])


@BOTH
def test_invented_titles_that_begin_as_real_ones_are_not_found(running: Machine, resolve: Resolve) -> None:
    title = f"{CUT} alter the metabolism of lipids in the retina"
    line = f"Kober DL, Alexander-Brett JM, Karch CM. {title}. eLife. 2016;5:e20391"
    entries = resolve(running, [line, {"title": title, "authors": ["Kober DL"], "year": 2016, "journal": "eLife"}])
    assert [entry["status"] for entry in entries] == ["not_found"] * 2
