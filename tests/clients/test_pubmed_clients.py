"""Further calls of the manuals of Biopython's Entrez, metapub and pymed, as they write them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from infra.local.sandbox.server import Sandbox

Entrez = pytest.importorskip("Bio.Entrez")
Medline = pytest.importorskip("Bio.Medline")
metapub = pytest.importorskip("metapub")
convert = pytest.importorskip("metapub.convert")
pymed = pytest.importorskip("pymed")
requests = pytest.importorskip("requests")
PMID, CITED = "36107206", "29206104"
NCBI = "https://eutils.ncbi.nlm.nih.gov"


@pytest.fixture(autouse=True)
def to_the_sandbox(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Send what the clients send to NCBI to the sandbox instead."""
    base, session_request = sandbox.base_urls["PUBMED_BASE_URL"], requests.Session.request

    def opened(request: Request) -> Any:
        return urlopen(Request(request.full_url.replace(NCBI, base), data=request.data))

    def sent(session: Any, method: str, url: str, **rest: Any) -> Any:
        return session_request(session, method, url.replace(NCBI, base), **rest)

    monkeypatch.setattr(requests.Session, "request", sent)
    monkeypatch.setattr(Entrez, "urlopen", opened)
    monkeypatch.setattr(Entrez, "email", "someone@example.org")
    monkeypatch.setattr(Entrez, "api_key", "a-key")
    monkeypatch.setattr(Entrez, "max_tries", 1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def read(call: str, **fields: Any) -> Any:
    return Entrez.read(getattr(Entrez, call)(**({"db": "pubmed"} | fields)))


def combined() -> set[int]:
    """The counts of an earlier search joined with words: by its number in the term, and as `query_key`."""
    first = read("esearch", term="TREM2", usehistory="y")
    key, joined = first["QueryKey"], {"webenv": first["WebEnv"], "usehistory": "y"}
    asked = ({"term": f"#{key} AND microglia"}, {"term": "microglia", "query_key": key})
    return {int(read("esearch", **fields, **joined)["Count"]) for fields in asked}


ENTREZ: dict[str, Callable[[], Any]] = {
    "count alone": lambda: int(read("esearch", term="TREM2", rettype="count")["Count"]) > 5,
    "one field": lambda: read("esearch", term="TREM2", field="title")["IdList"],
    "later page": lambda: read("esearch", term="microglia", retstart=3, retmax=2)["RetStart"] == "3",
    "JSON": lambda: b'"idlist"' in Entrez.esearch(db="pubmed", term="TREM2", retmode="json").read(),
    "with an abstract": lambda: 0 < int(read("esearch", term="TREM2 AND hasabstract")["Count"])
    < int(read("esearch", term="TREM2")["Count"]),
    "combined": lambda: combined() == {int(read("esearch", term="TREM2 AND microglia")["Count"])},
    "several summaries": lambda: len(read("esummary", id=f"{PMID},{CITED}")) == 2,
    "summary as JSON": lambda: PMID.encode() in Entrez.esummary(db="pubmed", id=PMID, retmode="json").read(),
    "list of ids": lambda: len(read("efetch", id=[PMID, CITED], retmode="xml")["PubmedArticle"]) == 2,
    "several texts": lambda: len(list(Medline.parse(
        Entrez.efetch(db="pubmed", id=[PMID, CITED], rettype="medline", retmode="text")))) == 2,
    "similar papers": lambda: read("elink", dbfrom="pubmed", id=PMID, cmd="neighbor")[0]["LinkSetDb"],
    "references": lambda: read("elink", dbfrom="pubmed", id=PMID, linkname="pubmed_pubmed_refs")[0]["IdList"] == [PMID],
    "right spelling": lambda: read("espell", term="microglia")["CorrectedQuery"] == "",
}  # fmt: skip


@pytest.mark.parametrize("call", ENTREZ)
def test_a_call_of_entrez(call: str) -> None:
    assert ENTREZ[call]()


@pytest.mark.parametrize("fields", [
    {"db": "nlmcatalog", "term": "computational[Journal]"}, {"db": "nucleotide", "term": "matK[Gene]"},
])  # fmt: skip
def test_other_databases_of_entrez_are_refused(fields: dict[str, str]) -> None:
    with pytest.raises(RuntimeError, match="Invalid db name"):
        read("esearch", **fields)


@pytest.mark.parametrize("command", ["acheck", "ncheck", "lcheck", "llinks", "prlinks", "neighbor_history"])
def test_other_commands_of_elink_are_refused(command: str) -> None:
    with pytest.raises(RuntimeError, match="Unknown command"):
        read("elink", dbfrom="pubmed", id=PMID, cmd=command)


METAPUB: dict[str, Callable[[Any], Any]] = {
    "query": lambda on: len(on.pmids_for_query("TREM2", retmax=5)) == 5,
    "dates": lambda on: on.pmids_for_query("TREM2", since="2015/01/01", until="2020"),
    "journal": lambda on: on.pmids_for_query(journal="Nature", since="2010", until="2020"),
    "fields": lambda on: on.pmids_for_query(TA="Nature", dp="2010:2022"),
    "heading": lambda on: on.pmids_for_query(mesh="Microglia"),
    "clinical": lambda on: isinstance(on.pmids_for_clinical_query("TREM2", "etiology", "broad"), list),
    "narrow": lambda on: isinstance(on.pmids_for_clinical_query("TREM2", "therapy", "narrow"), list),
    "medical genetics": lambda on: isinstance(on.pmids_for_medical_genetics_query("TREM2", "diagnosis"), list),
    "article": lambda on: (it := on.article_by_pmid(PMID)).title and it.journal and it.authors and it.year and it.doi,
    "printed": lambda on: (it := on.article_by_pmid(PMID)).citation and it.citation_html and it.citation_bibtex,
    "headings": lambda on: on.article_by_pmid(PMID).mesh and on.article_by_pmid(PMID).history,
    "citation": lambda on: on.pmids_for_citation(
        journal=(it := on.article_by_pmid(PMID)).journal, year=it.year, volume=it.volume, spage=it.first_page,
        aulast=it.author1_last_fm) == [PMID],
    "related": lambda on: on.related_pmids(PMID)["pubmed"],
    "DOI": lambda on: convert.pmid2doi(PMID) == on.article_by_pmid(PMID).doi,
}  # fmt: skip


@pytest.mark.parametrize("call", METAPUB)
def test_a_call_of_metapub(call: str) -> None:
    assert METAPUB[call](metapub.PubMedFetcher())


RANGE = '(("2015/01/01"[Date - Create] : "3000"[Date - Create]) AND Nature[Journal])'
PYMED: dict[str, Callable[[Any], Any]] = {
    "query": lambda on: all(it.title and it.publication_date for it in on.query("TREM2 microglia", max_results=5)),
    "advanced": lambda on: {it.journal for it in on.query(RANGE, max_results=50)} == {"Nature"},
    "many": lambda on: len(list(on.query("all[sb]", max_results=120))) == 120,
    "every one": lambda on: len(list(on.query("TREM2", max_results=-1))) == on.getTotalResultsCount("TREM2") > 5,
    "JSON": lambda on: PMID in next(iter(on.query(f"{PMID}[uid]"))).toJSON(),
    "fields": lambda on: all(next(iter(on.query(f"{PMID}[uid]"))).toDict()[name]
                             for name in ("journal", "authors", "doi", "keywords", "abstract")),
    "books": lambda on: all(it.toDict()["title"] for it in on.query("pubmed books[filter]", max_results=5)),
}  # fmt: skip


@pytest.mark.parametrize("call", PYMED)
def test_a_call_of_pymed(call: str) -> None:
    assert PYMED[call](pymed.PubMed(tool="tests", email="someone@example.org"))
