"""PubMed: one field of a record at a time, in every form in which it comes."""

from __future__ import annotations

import pytest

from functions.providers import pubmed
from shared.bibliography.paper import Author, Retraction, RetractionStatus
from shared.outcomes import Outcome
from tests.replay import replay
from tests.unit.providers.pubmed_replay import article, article_set, found, paper_of


def issue(date: str) -> str:
    return f"<Journal><JournalIssue><PubDate>{date}</PubDate></JournalIssue></Journal>"


ONLINE = "<ArticleDate><Year>2019</Year><Month>12</Month><Day>30</Day></ArticleDate>"
ENTERED = '<History><PubMedPubDate PubStatus="pubmed"><Year>2001</Year><Month>2</Month></PubMedPubDate></History>'


@pytest.mark.parametrize(
    ("inner", "data", "date"),
    [
        (issue("<Year>2020</Year><Month>Feb</Month><Day>3</Day>"), "", "2020-02-03"),
        (issue("<Year>2020</Year><Month>02</Month>"), "", "2020-02"),
        (issue("<Year>2020</Year><Month>September</Month>"), "", "2020-09"),
        (issue("<Year>2020</Year><Month>Feb</Month><Day>31</Day>"), "", "2020-02"),
        (issue("<Year>2020</Year><Month>13</Month>"), "", "2020"),
        (issue("<MedlineDate>Winter 1999-2000</MedlineDate>"), "", "1999"),
        (issue("<MedlineDate>no date</MedlineDate>"), "", None),
        (issue("<Year>2019</Year>") + ONLINE, "", "2019-12-30"),
        (issue("<Year>2020</Year><Month>Jan</Month>") + ONLINE, "", "2020-01"),
        (ONLINE, ENTERED, "2019-12-30"),
        ("", ENTERED, "2001-02"),
        ("", "", None),
    ],
    ids=[
        "month-by-name", "month-as-number", "month-in-full", "no-such-day", "no-such-month", "season-before-year",
        "no-year-at-all", "made-exact-by-the-electronic-date", "electronic-date-of-another-year",
        "electronic-date-only", "day-of-entry-only", "none",
    ],
)  # fmt: skip
def test_the_publication_date_is_as_exact_as_known(inner: str, data: str, date: str | None) -> None:
    paper = paper_of(article(inner=inner, data=data))
    assert paper.publication_date == date
    assert paper.year == (int(date[:4]) if date else None)


@pytest.mark.parametrize(
    ("given", "pages"),
    [
        ("<Pagination><MedlinePgn>26043-50</MedlinePgn></Pagination>", "26043-26050"),
        ("<Pagination><MedlinePgn>1825-34, 1839-40</MedlinePgn></Pagination>", "1825-1834, 1839-1840"),
        ("<Pagination><MedlinePgn>99-104</MedlinePgn></Pagination>", "99-104"),
        ("<Pagination><MedlinePgn>S12-4</MedlinePgn></Pagination>", "S12-S14"),
        ("<Pagination><StartPage>e12</StartPage></Pagination>", "e12"),
        ("<Pagination><MedlinePgn>[34457 words; 185 paragraphs]</MedlinePgn></Pagination>", None),
        ('<ELocationID EIdType="pii">e42692</ELocationID>', "e42692"),
        ('<ELocationID EIdType="pii">S0022-0302(15)00395-1</ELocationID>', None),
    ],
    ids=["shortened", "two-ranges", "longer-end", "letters", "start-only", "word-count", "article-number", "pii"],
)
def test_pages_are_written_out(given: str, pages: str | None) -> None:
    assert paper_of(article(inner=given)).pages == pages


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("Wait...", "Wait..."),
        ("What is life?", "What is life?"),
        ("Falls among adults in the U.S.", "Falls among adults in the U.S."),
        ("[18F]FDG in [11C] times.", "[18F]FDG in [11C] times"),
        ("[Use of [18F]FDG].", "Use of [18F]FDG"),
        ("p &lt; 0.05 &amp;amp; more.", "p < 0.05 & more"),
        ("Cells &amp;lt;i&amp;gt;in vitro&amp;lt;/i&amp;gt;.", "Cells in vitro"),
    ],
    ids=[
        "dots",
        "question",
        "abbreviation",
        "brackets-of-its-own",
        "brackets-within",
        "entities",
        "markup-escaped-twice",
    ],
)
def test_a_title_loses_its_full_stop_and_the_brackets_of_a_translation(given: str, title: str) -> None:
    assert paper_of(article(title=given)).title == title


@pytest.mark.parametrize("given", ["", "[Not Available]."], ids=["empty", "not-available"])
def test_the_vernacular_title_replaces_a_missing_one(given: str) -> None:
    paper = paper_of(article(title=given, inner="<VernacularTitle>Om hjärtat.</VernacularTitle>"))
    assert paper.title == "Om hjärtat"
    assert paper.alternative_titles == ()


LISTED = '<ArticleIdList><ArticleId IdType="doi">10.1000/Listed</ArticleId></ArticleIdList>'
LOCATED = '<ELocationID EIdType="doi" ValidYN="Y">10.1000/located</ELocationID>'
INVALID = '<ELocationID EIdType="doi" ValidYN="N">10.1000/wrong</ELocationID>'


@pytest.mark.parametrize(
    ("inner", "data", "doi"),
    [
        (LOCATED, LISTED, "10.1000/listed"),
        (LOCATED, "", "10.1000/located"),
        (INVALID, "", None),
        (INVALID + LOCATED, "", "10.1000/located"),
        (LOCATED, '<ArticleIdList><ArticleId IdType="doi">S1-2</ArticleId></ArticleIdList>', "10.1000/located"),
        ("", "", None),
    ],
    ids=["two-values", "located-only", "invalid-only", "invalid-and-valid", "malformed-and-valid", "none"],
)
def test_the_doi_is_the_listed_one_else_the_valid_located_one(inner: str, data: str, doi: str | None) -> None:
    assert paper_of(article(inner=inner, data=data)).ids.doi == doi


@pytest.mark.parametrize(
    ("inner", "arxiv"),
    [
        ('<ELocationID EIdType="doi">10.48550/arXiv.2306.15006</ELocationID>', "2306.15006"),
        (
            "<Journal><ISOAbbreviation>ArXiv</ISOAbbreviation></Journal>"
            '<ELocationID EIdType="pii">arXiv:2306.15006v2</ELocationID>',
            "2306.15006",
        ),
        ('<ELocationID EIdType="pii">2306.15006</ELocationID>', None),
    ],
    ids=["by-its-doi", "without-a-doi-of-its-own", "a-pii-of-another-journal"],
)
def test_the_arxiv_id_of_a_preprint_is_found(inner: str, arxiv: str | None) -> None:
    assert paper_of(article(inner=inner)).ids.arxiv == arxiv


@pytest.mark.parametrize(
    ("codes", "language"),
    [(["ENG"], "en"), (["chi"], "zh"), (["und"], None), (["mul"], None), (["nav"], "nav"), (["rus", "eng"], "ru")],
    ids=["upper-case", "two-letters", "undetermined", "several", "no-shorter-code", "repeated"],
)
def test_languages_are_iso_639(codes: list[str], language: str | None) -> None:
    inner = "".join(f"<Language>{code}</Language>" for code in codes)
    assert paper_of(article(inner=inner)).language == language


@pytest.mark.parametrize(
    ("kinds", "kind"),
    [
        (["Journal Article", "Review"], "review"),
        (["Journal Article", "Systematic Review"], "systematic-review"),
        (["Journal Article", "Systematic Review", "Network Meta-Analysis"], "meta-analysis"),
        (["Clinical Trial, Phase II", "Journal Article"], "clinical-trial"),
        (["Journal Article", "Randomized Controlled Trial"], "randomized-controlled-trial"),
        (["Retraction Notice"], "retraction-notice"),
        (["Journal Article", "Retracted Publication"], "journal-article"),
        (["Newspaper Article"], "other"),
        (["Portrait"], None),
        ([], None),
    ],
    ids=["review", "systematic", "network", "phase", "trial", "notice", "retracted", "newspaper", "unknown", "none"],
)
def test_the_most_specific_publication_type_wins(kinds: list[str], kind: str | None) -> None:
    given = "".join(f"<PublicationType>{name}</PublicationType>" for name in kinds)
    assert paper_of(article(inner=f"<PublicationTypeList>{given}</PublicationTypeList>")).type == kind


@pytest.mark.parametrize(
    ("relations", "status"),
    [
        (["CommentIn"], RetractionStatus.NONE),
        (["ErratumFor", "RetractionOf"], RetractionStatus.NONE),
        (["ErratumIn"], RetractionStatus.CORRECTED),
        (["ErratumIn", "ExpressionOfConcernIn"], RetractionStatus.CONCERN),
        (["ErratumIn", "RetractionIn"], RetractionStatus.RETRACTED),
    ],
    ids=["comment", "a-notice-itself", "erratum", "concern", "retraction"],
)
def test_the_gravest_notice_decides_the_standing(relations: list[str], status: RetractionStatus) -> None:
    notes = "".join(f'<CommentsCorrections RefType="{relation}"/>' for relation in relations)
    around = f"<CommentsCorrectionsList>{notes}</CommentsCorrectionsList>"
    assert paper_of(article(around=around)).retraction.status is status


@pytest.mark.parametrize(
    ("notes", "doi", "pmid"),
    [
        ([("J Ex. 2001;1:1", "5")], None, "5"),
        ([("J Ex. 2001;1:1. doi: 10.9999/Notice.", "5")], "10.9999/notice", "5"),
        ([("J Ex. 2001;1:1", "5"), ("J Ex. 2002;2:2. doi: 10.9999/second.", "6")], "10.9999/second", "6"),
        ([("J Ex. 2001;1:1", "5"), ("J Ex. 2002;2:2. doi: 10.9999/second.", "")], "10.9999/second", None),
        ([("J Ex. 2001;1:1", ""), ("J Ex. 2002;2:2", "6")], None, "6"),
        ([("J Ex. 2001;1:1", "")], None, None),
        ([], None, None),
    ],
    ids=["pmid", "both", "the-one-with-a-doi", "never-of-two", "the-one-with-a-pmid", "none", "no-notice"],
)
def test_the_ids_of_a_notice_are_those_of_one_notice(
    notes: list[tuple[str, str]], doi: str | None, pmid: str | None
) -> None:
    given = "".join(
        f'<CommentsCorrections RefType="RetractionIn"><RefSource>{source}</RefSource>'
        f"{f'<PMID>{number}</PMID>' if number else ''}</CommentsCorrections>"
        for source, number in notes
    )
    kinds = "<PublicationTypeList><PublicationType>Retracted Publication</PublicationType></PublicationTypeList>"
    paper = paper_of(article(inner=kinds, around=f"<CommentsCorrectionsList>{given}</CommentsCorrectionsList>"))
    assert paper.retraction == Retraction(RetractionStatus.RETRACTED, notice_doi=doi, notice_pmid=pmid)


@pytest.mark.parametrize(("suffix", "family"), [("Jr", "Roe Jr"), ("3rd", "Roe III"), ("PhD", "Roe")])
def test_the_suffix_of_a_name_stands_behind_the_family_name(suffix: str, family: str) -> None:
    people = f"<Author><LastName>Roe</LastName><ForeName>Ada</ForeName><Suffix>{suffix}</Suffix></Author>"
    assert paper_of(article(inner=f"<AuthorList>{people}</AuthorList>")).authors == (Author(family, "Ada"),)


def test_hundreds_of_authors_are_all_included() -> None:
    people = "".join(f"<Author><LastName>Name{n}</LastName></Author>" for n in range(300))
    paper = paper_of(article(inner=f"<AuthorList>{people}</AuthorList>"))
    assert paper.author_count == len(paper.authors) == 300


def test_a_whole_book_has_its_own_title_date_and_authors() -> None:
    book = (
        "<PubmedBookArticle><BookDocument><PMID>7</PMID><Book><BookTitle>Cells</BookTitle>"
        "<PubDate><Year>2002</Year></PubDate><AuthorList Type='editors'><Author><LastName>Ed</LastName></Author>"
        "</AuthorList><AuthorList Type='authors'><Author><LastName>Au</LastName></Author></AuthorList></Book>"
        "<ContributionDate><Year>2009</Year></ContributionDate></BookDocument></PubmedBookArticle>"
    )
    paper = paper_of(book)
    assert (paper.title, paper.type, paper.journal, paper.year) == ("Cells", "book", None, 2002)
    assert paper.authors == (Author("Au"),)


def test_the_numbers_of_trials_are_registrations_and_those_of_sequences_are_not() -> None:
    """Also of a bank that NLM names otherwise; one paper may report several trials."""
    bank = "<DataBank><DataBankName>{}</DataBankName><AccessionNumberList>{}</AccessionNumberList></DataBank>"
    numbers = "".join(
        f"<AccessionNumber>{it}</AccessionNumber>" for it in ("NCT00000419", " NCT00000420 ", "NCT00000419")
    )
    banks = bank.format("ClinicalTrials.gov", numbers) + "".join(
        bank.format(name, f"<AccessionNumber>{number}</AccessionNumber>")
        for name, number in (("GENBANK", "AF123456"), ("ISRCTN", "ISRCTN12345678"), ("NCT", ""))
    )
    paper = paper_of(article(inner=f'<DataBankList CompleteYN="Y">{banks}</DataBankList>'))
    assert paper.registrations == ("nct:NCT00000419", "nct:NCT00000420")
    assert paper.ids.nct is None
    assert paper_of(article()).registrations == ()


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (article(pmid="3", title=""), "record 2 skipped: PubMed 3 has no title"),
        ("<PubmedArticle><MedlineCitation><PMID>3</PMID></MedlineCitation></PubmedArticle>",
         "record 2 skipped: a record of PubMed without MedlineCitation/Article"),
    ],
    ids=["no-title", "no-article"],
)  # fmt: skip
def test_a_broken_record_is_skipped_and_named(record: str, reason: str) -> None:
    reply = replay(pubmed, found("2", "3"), article_set(article(pmid="2"), record))
    assert reply.outcome is Outcome.OK
    assert [paper.ids.pmid for paper in reply.papers] == ["2"]
    assert reason in reply.warnings
