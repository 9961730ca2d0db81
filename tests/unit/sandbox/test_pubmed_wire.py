"""The form of the E-utilities' answers, by https://www.ncbi.nlm.nih.gov/books/NBK25499/ and recorded answers."""

from __future__ import annotations

import json
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from werkzeug import Request, Response
from werkzeug.datastructures import MultiDict
from werkzeug.test import EnvironBuilder

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import pubmed

CORPUS = Corpus((
    Fact(title="Sleep of mice", pmid="11", year=2010, authors=(("Zeta", "Ann"),), journal="Cell", doi="10.9999/11",
         abstract="Mice sleep."),
    Fact(title="Sleep of men", pmid="12", year=2005, authors=(("Alpha", "Bo"),), journal="Sleep"),
    Fact(title="Pain, sleep and sleep again", pmid="13", year=2020, journal="Brain", references=("PMID:11",)),
))  # fmt: skip


def get(tool: str, *fields: tuple[str, str]) -> Response:
    builder = EnvironBuilder(f"/entrez/eutils/{tool}", query_string=MultiDict([("db", "pubmed"), *fields]))
    return pubmed.answer(Request(builder.get_environ()), CORPUS)


def xml(tool: str, *fields: tuple[str, str]) -> Element:
    return fromstring(get(tool, *fields).get_data(), forbid_dtd=False)


def search(term: str, **fields: str) -> dict[str, Any]:
    answer = get("esearch.fcgi", ("term", term), ("retmode", "json"), *fields.items())
    found: dict[str, Any] = json.loads(answer.get_data())["esearchresult"]
    return found


@pytest.mark.parametrize(
    ("tool", "fields", "document_type"),
    [
        ("esearch.fcgi", [("term", "sleep")], "-//NLM//DTD esearch 20060628//EN"),
        ("elink.fcgi", [("dbfrom", "pubmed"), ("id", "11")], "-//NLM//DTD elink 20101123//EN"),
        ("efetch.fcgi", [("id", "11")], "-//NLM//DTD PubMedArticle, 1st January 2025//EN"),
        ("esummary.fcgi", [("id", "11")], "-//NLM//DTD esummary v1 20041029//EN"),
    ],
)
def test_each_answer_in_xml_names_its_document_type(
    tool: str, fields: list[tuple[str, str]], document_type: str
) -> None:
    assert document_type in get(tool, *fields).get_data(as_text=True).partition("\n<")[2][:200]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [("", "13,12,11"), ("pub_date", "13,11,12"), ("Author", "13,12,11"), ("JournalName", "13,11,12"),
     ("relevance", "12,11,13")],
)  # fmt: skip
def test_papers_come_in_the_order_of_the_request_and_else_the_highest_pmid_first(sort: str, expected: str) -> None:
    found = search("sleep", sort=sort)
    assert ",".join(found["idlist"]) == expected
    assert "warninglist" not in found


def test_an_unknown_order_is_ignored_with_a_message() -> None:
    assert search("sleep", sort="foo")["warninglist"]["outputmessages"] == ["Unknown sort schema 'foo' ignored"]


def test_dates_are_parameters_too() -> None:
    assert search("sleep", mindate="2006", maxdate="2015", datetype="pdat")["idlist"] == ["11"]
    assert search("sleep", mindate="2006")["count"] == "3"  # one bound alone is ignored
    assert search("sleep", reldate="30", datetype="pdat")["count"] == "0"


def test_a_query_of_unknown_words_finds_nothing_by_a_phrase() -> None:
    """Recorded by a client in 2026: the words come as a quoted phrase, without a list of errors."""
    found = search("qzxwvunonsenseterm")
    assert (found["count"], found["querytranslation"], "errorlist" in found) == ("0", "qzxwvunonsenseterm", False)
    assert found["warninglist"] == {
        "phrasesignored": [], "quotedphrasesnotfound": ['"qzxwvunonsenseterm"'], "outputmessages": ["No items found."],
    }  # fmt: skip


@pytest.mark.parametrize("fields", [[("id", "11,12")], [("id", "11"), ("id", "12")], [("id", "12 11")]])
def test_ids_may_be_repeated_or_separated(fields: list[tuple[str, str]]) -> None:
    records = xml("efetch.fcgi", *fields).findall("PubmedArticle/MedlineCitation/PMID")
    assert [record.text for record in records] == ["12", "11"]


def test_links_are_one_set_for_each_id_parameter() -> None:
    name = ("linkname", "pubmed_pubmed_citedin")
    one = xml("elink.fcgi", ("dbfrom", "pubmed"), ("id", "11,12"), name)
    two = xml("elink.fcgi", ("dbfrom", "pubmed"), ("id", "11"), ("id", "12"), name)
    assert [len(root.findall("LinkSet")) for root in (one, two)] == [1, 2]
    assert [link.findtext("Id") for link in two.findall("LinkSet/LinkSetDb/Link")] == ["13"]


def test_summaries_come_by_uid_and_an_unknown_one_has_an_error() -> None:
    answer = json.loads(get("esummary.fcgi", ("id", "11,99"), ("retmode", "json")).get_data())["result"]
    assert (answer["uids"], answer["11"]["authors"][0]["name"]) == (["11", "99"], "Zeta A")
    assert answer["99"] == {"uid": "99", "error": "cannot get document summary"}


@pytest.mark.parametrize(
    ("tool", "fields", "message"),
    [
        ("esearch.fcgi", [("term", " ")], "Empty term and query_key - nothing todo"),
        ("esearch.fcgi", [("term", "x"), ("retstart", "9999")], "'retstart' cannot be larger than 9998"),
        ("efetch.fcgi", [], "Supplied id parameter is empty."),
        ("efetch.fcgi", [("id", "0")], "ID list is empty!"),
        ("elink.fcgi", [("dbfrom", "pubmed"), ("id", "x")], "Empty id list; nothing todo"),
    ],
)  # fmt: skip
def test_errors_are_in_the_body(tool: str, fields: list[tuple[str, str]], message: str) -> None:
    assert message in (xml(tool, *fields).findtext("ERROR") or "")


def test_an_unknown_parameter_is_ignored() -> None:
    assert search("sleep", foo="bar")["count"] == "3"


def test_the_history_keeps_the_ids_of_a_search() -> None:
    found = search("sleep", usehistory="y")
    records = xml("efetch.fcgi", ("WebEnv", found["webenv"]), ("query_key", found["querykey"]), ("retmax", "2"))
    assert len(records) == 2
    assert xml("efetch.fcgi", ("WebEnv", "MCID_unknown"), ("query_key", "1")).findtext("ERROR")
