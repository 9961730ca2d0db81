"""PubMed: what a paper cites and who cites it, from elink and from the record itself."""

from __future__ import annotations

from typing import Any, Literal
from urllib.parse import parse_qs

import pytest
from defusedxml.ElementTree import fromstring

from functions.providers import pubmed
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Pointer
from shared.errors import BadResponse
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.providers.records.medline import read_records
from shared.providers.records.medline_links import read_links, read_references, unite
from shared.query.question import Links
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import replay, requests_of
from tests.unit.providers.pubmed_replay import OWN, article, article_set

LINKS, NO_LINKS = OWN / "elink-links.xml", OWN / "elink-no-links.xml"
EMPTY = OWN / "efetch-empty-set.xml"
REFS, CITED_IN = "pubmed_pubmed_refs", "pubmed_pubmed_citedin"


def ask(operation: Literal["references", "citations"], *bodies: Any, limit: int = 1000) -> ProviderReply:
    return replay(pubmed, *bodies, query=Links(operation, "pmid:500", limit))


def listed(reply: ProviderReply) -> dict[int, str | None]:
    """Each place of the list: a paper's title, or a pointer's PMID or text."""
    papers = {paper.rank: paper.title for paper in reply.papers}
    return papers | {it.rank: it.ids.pmid or it.text for it in reply.pointers}


def linked(*pmids: int) -> str:
    """An answer of elink that names these as citing."""
    links = "".join(f"<Link><Id>{pmid}</Id></Link>" for pmid in pmids)
    name = f"<LinkName>{CITED_IN}</LinkName>"
    return (
        "<eLinkResult><LinkSet><IdList><Id>500</Id></IdList>"
        f"<LinkSetDb>{name}{links}</LinkSetDb></LinkSet></eLinkResult>"
    )


def test_references_are_two_forms_links_first() -> None:
    sent = requests_of(pubmed, Links("references", "pmid:500"), [LINKS.read_bytes(), EMPTY.read_bytes()])
    forms = [{name: values[0] for name, values in parse_qs(request.content.decode()).items()} for request in sent]
    sender = {"db": "pubmed", "tool": "literature-search", "email": "dev@example.org", "api_key": "secret-key"}
    assert [request.url.path.rpartition("/")[2] for request in sent] == ["elink.fcgi", "efetch.fcgi"]
    assert forms[0] == {
        **sender, "dbfrom": "pubmed", "id": "500", "cmd": "neighbor", "linkname": REFS, "retmode": "xml",
    }  # fmt: skip
    assert forms[1] == {**sender, "id": "500,103,102,101", "retmode": "xml"}


def test_references_are_those_of_the_record_and_then_those_of_the_links_each_once() -> None:
    reply = ask("references", LINKS, OWN / "efetch-reference-list.xml")
    assert listed(reply) == {
        1: "102",  # listed and linked, but its own record was not sent
        2: "Able A. Play, part two. Behav Ex. 1985;99(2):133-44",  # under the PMID of its neighbour
        3: "Kin among macaques",  # listed by its DOI, linked by its PMID
        4: "Cole C. A thesis, 1970.",
        5: None,  # by a PMCID only
        6: "Sleep of apes",  # linked only
    }
    assert (reply.total_estimate, reply.outcome, reply.warnings) == (6, Outcome.OK, ())
    assert reply.pointers[0] == Pointer(
        1, Identifiers(pmid="102"), "Able A. Play in Macaca. Behav Ex. 1984;98(1):35-44"
    )
    assert [it.ids for it in reply.pointers if it.rank == 5] == [Identifiers(pmcid="PMC42")]
    assert reply.effective_query == f"/entrez/eutils/elink.fcgi?db=pubmed&id=500&linkname={REFS}"


def test_of_references_no_more_than_the_limit_are_brought_and_all_are_counted() -> None:
    reply = ask("references", LINKS, OWN / "efetch-reference-list.xml", limit=2)
    assert (sorted(listed(reply)), reply.total_estimate) == ([1, 2], 6)


def test_without_links_the_record_still_lists_its_references() -> None:
    reply = ask("references", NO_LINKS, OWN / "efetch-reference-list.xml")
    assert len(reply.pointers) == 5
    assert reply.papers == ()
    merged = (OWN / "efetch-reference-list.xml").read_text(encoding="utf-8").replace(">500<", ">499<")
    assert len(ask("references", NO_LINKS, merged).pointers) == 5


def test_a_paper_without_a_list_of_references_is_empty_and_says_so() -> None:
    reply = ask("references", NO_LINKS, article_set(article("500")))
    assert (reply.outcome, reply.total_estimate) == (Outcome.EMPTY, 0)
    assert reply.warnings == ("PubMed sent no list of references of PMID 500",)


def test_a_paper_that_pubmed_does_not_hold_is_empty_and_says_so() -> None:
    reply = ask("references", NO_LINKS, EMPTY)
    assert (reply.outcome, reply.total_estimate) == (Outcome.EMPTY, None)
    assert reply.warnings == ("PubMed does not hold PMID 500",)


def test_citing_papers_come_in_pubmeds_order_and_stay_pointers_without_a_record() -> None:
    reply = ask("citations", LINKS, article_set(article("901", title="Old."), article("903", title="New.")))
    assert listed(reply) == {1: "New", 2: "902", 3: "Old"}
    assert (reply.total_estimate, reply.warnings) == (3, ())
    assert reply.effective_query == f"/entrez/eutils/elink.fcgi?db=pubmed&id=500&linkname={CITED_IN}"


def test_a_broken_record_leaves_its_pointer_and_is_reported() -> None:
    reply = ask("citations", linked(7), article_set(article("7", title="")))
    assert listed(reply) == {1: "7"}
    assert "PubMed 7 has no title" in reply.warnings[0]


def test_only_the_citing_papers_within_the_limit_are_fetched() -> None:
    bodies: list[str | bytes | dict[str, Any]] = [LINKS.read_bytes(), article_set(article("903"))]
    sent = requests_of(pubmed, Links("citations", "pmid:500", 2), bodies)
    assert parse_qs(sent[1].content.decode())["id"] == ["903,902"]
    reply = ask("citations", *bodies, limit=2)
    assert (sorted(listed(reply)), reply.total_estimate) == ([1, 2], 3)


@pytest.mark.parametrize(("count", "requests"), [(200, 2), (201, 1)], ids=["fetched", "too-many"])
def test_a_long_list_of_citing_papers_stays_pointers_without_a_second_request(count: int, requests: int) -> None:
    bodies = [linked(*range(1, count + 1)), article_set(article("1"))]
    assert len(requests_of(pubmed, Links("citations", "pmid:500"), bodies)) == requests
    reply = ask("citations", *bodies)
    assert (len(reply.papers) + len(reply.pointers), reply.total_estimate) == (count, count)
    assert len(reply.papers) == requests - 1


def test_a_long_list_of_references_stays_pointers_and_only_the_record_itself_is_fetched() -> None:
    bodies = [linked(*range(1, 301)).replace(CITED_IN, REFS), article_set(article("500"))]
    sent = requests_of(pubmed, Links("references", "pmid:500"), bodies)
    assert parse_qs(sent[1].content.decode())["id"] == ["500"]
    assert len(ask("references", *bodies).pointers) == 300


def test_a_paper_without_citations_is_empty_after_one_request() -> None:
    assert len(requests_of(pubmed, Links("citations", "pmid:500"), [NO_LINKS.read_bytes()])) == 1
    reply = ask("citations", NO_LINKS)
    assert (reply.outcome, reply.total_estimate) == (Outcome.EMPTY, 0)
    assert reply.warnings == (
        "PubMed names no paper that cites PMID 500, or does not hold that PMID; its answer is the same",
    )


@pytest.mark.parametrize("operation", ["references", "citations"])
@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (OWN / "elink-error-inside.xml", Outcome.UNAVAILABLE),
        ("<eLinkResult><ERROR>Couldn't resolve #exLinkSrv2</ERROR></eLinkResult>", Outcome.UNAVAILABLE),
        ("<eLinkResult><LinkSet><IdList/><ERROR>BLOB ID IS NOT IMPLEMENTED</ERROR></LinkSet></eLinkResult>",
         Outcome.BAD_RESPONSE),
        ("<eLinkResult><LinkSet><DbFrom>pubmed</DbFrom><IdList/></LinkSet></eLinkResult>", Outcome.BAD_RESPONSE),
        ("<eLinkResult/>", Outcome.BAD_RESPONSE),
        (EMPTY, Outcome.BAD_RESPONSE),
        (OWN / "error-rate-limit.json", Outcome.RATE_LIMITED),
        ("<eLinkResult><LinkSet>", Outcome.BAD_RESPONSE),
        ("<html><body>Sorry</body></html>", Outcome.BAD_RESPONSE),
    ],
    ids=["inside", "resolve", "rejected", "about-no-paper", "no-set", "records", "rate-limit", "cut-off", "html"],
)  # fmt: skip
def test_failing_links_are_never_an_empty_list(
    operation: Literal["references", "citations"], body: Any, outcome: Outcome
) -> None:
    reply = ask(operation, body)
    assert reply.outcome is outcome
    assert "secret-key" not in repr(reply)


@pytest.mark.parametrize("operation", ["references", "citations"])
def test_a_failing_second_step_is_not_an_empty_list(operation: Literal["references", "citations"]) -> None:
    outage = "<eFetchResult><ERROR>proxy_stream() failed</ERROR></eFetchResult>"
    assert ask(operation, LINKS, outage).outcome is Outcome.UNAVAILABLE


@pytest.mark.parametrize(
    ("one", "other", "united"),
    [
        ({"pmid": "1"}, {"pmid": "1", "doi": "10.1/a"}, [{"pmid": "1", "doi": "10.1/a"}]),
        ({"doi": "10.1/a"}, {"pmid": "1", "doi": "10.1/a"}, [{"pmid": "1", "doi": "10.1/a"}]),
        ({"pmid": "1", "doi": "10.1/a"}, {"pmid": "2", "doi": "10.1/a"},
         [{"pmid": "1", "doi": "10.1/a"}, {"pmid": "2", "doi": "10.1/a"}]),
        ({"pmid": "1"}, {"doi": "10.1/a"}, [{"pmid": "1"}, {"doi": "10.1/a"}]),
        ({}, {"pmid": "1"}, [{"pmid": "1"}]),
    ],
    ids=["by-pmid", "by-doi", "another-pmid", "nothing-shared", "nothing-said"],
)  # fmt: skip
def test_pointers_with_the_same_id_are_one(one: dict[str, str], other: dict[str, str], united: list[Any]) -> None:
    found = unite([Pointer(7, Identifiers(**one)), Pointer(8, Identifiers(**other))])
    assert found == [Pointer(rank, Identifiers(**ids)) for rank, ids in enumerate(united, start=1)]


def test_the_same_line_twice_is_one_reference() -> None:
    assert unite([Pointer(1, text="A. B."), Pointer(2, text="A. B.")]) == [Pointer(1, text="A. B.")]


@needs_recordings
@pytest.mark.parametrize(
    ("file", "pmid", "name", "count", "first", "last"),
    [
        ("elink-neighbor-all-linknames.xml", "9298984", CITED_IN, 39, "38830800", "9700164"),
        ("elink-neighbor-all-linknames.xml", "9298984", REFS, 56, "14732139", "1339459"),
        ("elink-neighbor-pubmed.xml", "12242737", CITED_IN, 6, "40900773", "15278705"),
        ("elink-neighbor-pubmed.xml", "12242737", REFS, 0, None, None),
        ("elink-two-ids.xml", "11774222", CITED_IN, 3, "18508935", "15024419"),
        ("elink-two-ids.xml", "11812492", REFS, 0, None, None),
    ],
    ids=["citing", "cited", "few-citing", "no-cited", "two-ids-citing", "two-ids-no-cited"],
)
def test_recorded_links_are_read(
    file: str, pmid: str, name: str, count: int, first: str | None, last: str | None
) -> None:
    links = read_links(fromstring((folder("pubmed") / file).read_bytes()), pmid, name)
    assert (len(links), next(iter(links), None), next(reversed(links), None)) == (count, first, last)


@needs_recordings
@pytest.mark.parametrize("file", ["elink-ncheck.xml", "elink-prlinks.xml", "elink-prlinks-2013.xml"])
def test_recorded_answers_of_other_commands_are_no_empty_links(file: str) -> None:
    root = fromstring((folder("pubmed") / file).read_bytes())
    pmid = root.findtext(".//Id") or ""
    with pytest.raises(BadResponse):
        read_links(root, pmid, CITED_IN)


@needs_recordings
@pytest.mark.parametrize(
    ("file", "count", "with_pmid", "with_doi", "first", "last"),
    [
        ("efetch-30714901-pmc-refs.xml", 60, 60, 0, "Annu Rev Cell Dev Biol. 2015;31:669-98", "Elife. 2015 Mar 31;4:"),
        ("efetch-30386702.xml", 62, 20, 41, "Ahern A, Gómezgutiérrez J", "Zhang J, Li M, Xu M, Takita T, Wei F."),
        ("efetch-31967741.xml", 28, 0, 0, "van Rappard DF", "van der Knaap MS"),
        ("efetch-36176722.xml", 79, 39, 2, "Alberts SC, Sapolsky RM & Altmann J (1992).", "Young C, Majolo B"),
    ],
    ids=["pmids", "dois", "text-only", "one-pmid-for-two"],
)
def test_recorded_lists_of_references_are_read(
    file: str, count: int, with_pmid: int, with_doi: int, first: str, last: str
) -> None:
    record = read_records(fromstring((folder("pubmed") / file).read_bytes()))[0]
    found = unite(read_references(record))
    assert [it.rank for it in found] == list(range(1, count + 1))
    assert len([it for it in found if it.ids.pmid]) == with_pmid
    assert len([it for it in found if it.ids.doi]) == with_doi
    assert (found[0].text or "").startswith(first)
    assert (found[-1].text or "").startswith(last)
