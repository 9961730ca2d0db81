"""Independent clients of the E-utilities against the sandbox: Biopython's Entrez, metapub and pymed, and NLM's DTD.

The DTD is the one that Biopython ships (pubmed_250101.dtd); its reader refuses an answer without a document type.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from infra.local.sandbox.server import Sandbox

Entrez = pytest.importorskip("Bio.Entrez")
Medline = pytest.importorskip("Bio.Medline")
etree = pytest.importorskip("lxml.etree")
requests = pytest.importorskip("requests")
REAL = "https://eutils.ncbi.nlm.nih.gov"
PMID, CITED = "36107206", "29206104"  # a paper of the corpus with a DOI, and one that others cite


@pytest.fixture(autouse=True)
def to_the_sandbox(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Send what the clients send to NCBI to the sandbox instead."""
    base = sandbox.base_urls["PUBMED_BASE_URL"]

    def opened(request: Request) -> Any:
        return urlopen(Request(request.full_url.replace(REAL, base), data=request.data))

    def sent(session: Any, method: str, url: str, **rest: Any) -> Any:
        return session_request(session, method, url.replace(REAL, base), **rest)

    session_request = requests.Session.request
    monkeypatch.setattr(requests.Session, "request", sent)
    monkeypatch.setattr(Entrez, "urlopen", opened)
    monkeypatch.setattr(Entrez, "email", "someone@example.org")
    monkeypatch.setattr(Entrez, "api_key", "a-key")  # with one, the client waits less between requests
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def searched(term: str, **fields: Any) -> Any:
    return Entrez.read(Entrez.esearch(db="pubmed", term=term, **fields))


def found(term: str, **fields: Any) -> list[str]:
    return [str(pmid) for pmid in searched(term, retmax=1000, **fields)["IdList"]]


def test_a_search_has_a_count_a_translation_and_ids() -> None:
    result = searched("TREM2 microglia", retmax=3)
    assert (len(result["IdList"]), int(result["RetMax"])) == (3, 3)
    assert int(result["Count"]) > 3
    assert '"microglia"[MeSH Terms] OR "microglia"[All Fields]' in result["QueryTranslation"]
    assert result["TranslationSet"][0]["From"] == "microglia"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TREM2[ti]", "TREM2[Title]"), ("microglia[mh]", '"Microglia"[MeSH Terms]'),
        ("review[pt]", "review[Publication Type]"),
        ("Nature[ta]", '"Nature"[journal]'), ("Colonna M[au]", "Colonna M[Author]"), (f"{PMID}[uid]", f"{PMID}[pmid]"),
        ("2015:2020[dp]", '"2015"[Date - Publication] : "2020"[Date - Publication]'), (PMID, f"PMID: {PMID}"),
        ("english[la]", "eng[Language]"), ("free full text[sb]", "free full text[filter]"),
    ],
)  # fmt: skip
def test_a_tag_and_its_long_form_find_the_same(one: str, other: str) -> None:
    assert found(one) == found(other) != []


def test_dates_as_parameters_are_the_same_as_in_the_query() -> None:
    dated = found("TREM2", mindate="2015", maxdate="2018", datetype="pdat")
    assert dated == found("TREM2 AND 2015:2018[dp]") != found("TREM2")
    assert found("TREM2", reldate=1) == []


def test_words_that_are_not_found_are_in_the_lists_of_errors_and_warnings() -> None:
    result = searched("microglia xqzzv AND brain[nofield]")
    assert result["ErrorList"] == {"PhraseNotFound": ["xqzzv"], "FieldNotFound": ["nofield"]}
    nothing = searched('"xqzzv qzzx"')
    assert nothing["WarningList"]["QuotedPhraseNotFound"] == ['"xqzzv qzzx"']
    assert nothing["WarningList"]["OutputMessage"] == ["No items found."]


@pytest.mark.parametrize("sort", ["relevance", "pub_date", "Author", "JournalName", "pub+date"])
def test_each_order_has_the_same_papers(sort: str) -> None:
    assert sorted(found("TREM2", sort=sort)) == sorted(found("TREM2"))


def test_the_history_holds_a_search_for_later_calls() -> None:
    result = searched("TREM2", usehistory="y")
    history = {"webenv": result["WebEnv"], "query_key": result["QueryKey"]}
    records = Entrez.read(Entrez.efetch(db="pubmed", retmode="xml", retstart=0, retmax=2, **history))
    assert len(records["PubmedArticle"]) == 2
    assert len(Entrez.read(Entrez.esummary(db="pubmed", retmax=3, **history))) == 3


def test_posted_ids_are_fetched_from_the_history() -> None:
    posted = Entrez.read(Entrez.epost("pubmed", id=PMID))
    records = Entrez.read(Entrez.efetch("pubmed", webenv=posted["WebEnv"], query_key=posted["QueryKey"], retmode="xml"))
    assert records["PubmedArticle"][0]["MedlineCitation"]["PMID"] == PMID


def test_a_record_has_what_every_real_record_has() -> None:
    article = Entrez.read(Entrez.efetch(db="pubmed", id=PMID, retmode="xml"))["PubmedArticle"][0]
    citation = article["MedlineCitation"]
    assert citation["MedlineJournalInfo"]["MedlineTA"]
    assert citation["Article"]["Journal"]["ISSN"]
    assert citation["Article"]["PublicationTypeList"][0].attributes["UI"] == "D016428"
    assert citation["MeshHeadingList"]
    assert citation["KeywordList"]
    assert article["PubmedData"]["PublicationStatus"] == "ppublish"
    assert {date.attributes["PubStatus"] for date in article["PubmedData"]["History"]} >= {"pubmed", "entrez"}


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_summary_has_title_journal_and_authors(version: str) -> None:
    answer = Entrez.esummary(db="pubmed", id=PMID, version=version)
    if version == "2.0":  # its document type is not among those that Biopython ships
        root = etree.parse(answer).getroot()
        assert root.findtext(".//Title")
        assert root.findtext(".//Authors/Author/Name")
        return
    (summary,) = Entrez.read(answer)
    assert summary["Title"] and summary["Source"] and summary["AuthorList"]
    assert summary["ArticleIds"]["pubmed"] == [PMID]


def test_an_unknown_id_has_an_error_instead_of_a_summary() -> None:
    with pytest.raises(RuntimeError, match="cannot get document summary"):
        Entrez.read(Entrez.esummary(db="pubmed", id="99999999"))


def test_links_are_listed_for_each_id() -> None:
    sets = Entrez.read(Entrez.elink(dbfrom="pubmed", db="pubmed", id=[PMID, CITED], linkname="pubmed_pubmed_citedin"))
    assert [one["IdList"] for one in sets] == [[PMID], [CITED]]
    assert sets[1]["LinkSetDb"][0]["LinkName"] == "pubmed_pubmed_citedin"
    scored = Entrez.read(
        Entrez.elink(dbfrom="pubmed", db="pubmed", id=PMID, cmd="neighbor_score", linkname="pubmed_pubmed")
    )
    assert int(scored[0]["LinkSetDb"][0]["Link"][0]["Score"]) > 0


def test_texts_are_read_by_the_medline_reader() -> None:
    (record,) = Medline.parse(Entrez.efetch(db="pubmed", id=PMID, rettype="medline", retmode="text"))
    assert (record["PMID"], bool(record["TI"]), bool(record["AU"])) == (PMID, True, True)
    assert record["SO"].startswith(f"{record['TA']}. {record['DP']}")
    assert Entrez.efetch(db="pubmed", id=PMID, rettype="uilist", retmode="text").read().split() == [PMID]
    assert "PMID: " in Entrez.efetch(db="pubmed", id=PMID, rettype="abstract", retmode="text").read()


def test_a_citation_is_matched() -> None:
    citation = {"journal_title": "Nature", "year": "1953", "volume": "171", "first_page": "737",
                "author_name": "watson", "key": "a"}  # fmt: skip
    assert Entrez.ecitmatch(db="pubmed", bdata=[citation]).read().startswith("Nature|1953|171|737|")


def test_the_database_describes_itself_and_corrects_spelling() -> None:
    assert Entrez.read(Entrez.einfo())["DbList"] == ["pubmed"]
    (info,) = Entrez.read(Entrez.einfo(db="pubmed"))["DbInfo"]
    assert {"TIAB", "AU", "MH"} <= {field["Name"] for field in info["FieldList"]}
    assert {"pubmed_pubmed", "pubmed_pubmed_citedin"} <= {link["Name"] for link in info["LinkList"]}
    assert Entrez.read(Entrez.espell(db="pubmed", term="microglya"))["CorrectedQuery"] == "microglia"


@pytest.mark.parametrize("call", [
    lambda: searched(""), lambda: Entrez.read(Entrez.esearch(db="nothing", term="x")),
    lambda: Entrez.read(Entrez.elink(dbfrom="pubmed", db="pubmed", id=PMID, linkname="pubmed_nothing")),
])  # fmt: skip
def test_an_error_comes_as_one(call: Callable[[], Any]) -> None:
    with pytest.raises(RuntimeError):
        call()


def test_every_record_is_valid_by_nlms_document_type() -> None:
    path = Path(str(Entrez.__file__)).parent / "DTDs" / "pubmed_250101.dtd"
    document_type = etree.DTD(str(path))
    pmids = found("all[sb]")
    assert len(pmids) > 100
    tree = etree.parse(io.BytesIO(Entrez.efetch(db="pubmed", id=",".join(pmids), retmode="xml").read()))
    assert len(tree.getroot()) == len(pmids)
    assert document_type.validate(tree), document_type.error_log.filter_from_errors()[:5]
