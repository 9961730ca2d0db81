"""Ids in markup and in publishers' addresses: read whole or not at all."""

from __future__ import annotations

import pytest

from shared.bibliography.reference_text import distinct_ids, read_references
from tests.growth import MOST, growth
from tests.unit.bibliography.references_as_written import NATURE, SICI

ISSUE = "10.1002/(SICI)1097-0258(19980815/30)17:15/16"

READ = [
    # LaTeX and BibTeX
    (ISSUE + r"{\textless}1661::AID-SIM968{\textgreater}3.0.CO;2-2}", f"doi:{SICI}"),
    (r"doi = {" + ISSUE + r"\textless{}1661::AID-SIM968\textgreater{}3.0.CO;2-2},", f"doi:{SICI}"),
    (ISSUE + r"{\textless{}}1661::AID-SIM968{\textgreater{}}3.0.CO;2-2", f"doi:{SICI}"),
    (ISSUE + r"\textless 1661::AID-SIM968\textgreater 3.0.CO;2-2", f"doi:{SICI}"),
    (ISSUE + r"$<$1661::AID-SIM968$>$3.0.CO;2-2", f"doi:{SICI}"),
    (ISSUE + r"{$<$}1661::AID-SIM968{$>$}3.0.CO;2-2", f"doi:{SICI}"),
    (ISSUE + r"{\ensuremath{<}}1661::AID-SIM968{\ensuremath{>}}3.0.CO;2-2", f"doi:{SICI}"),
    (r"10.1007/978-3-319-24574-4{\textunderscore}28", "doi:10.1007/978-3-319-24574-4_28"),
    # a line break that is written out
    (r"10.1038/nature12373\n10.1000/182", f"doi:{NATURE} doi:10.1000/182"),
    (r"10.1038/nature12373\r\n10.1000/182\n", f"doi:{NATURE} doi:10.1000/182"),
    (r"10.1038/nature12373\\n10.1000/182", f"doi:{NATURE} doi:10.1000/182"),
    (r"10.1038/nature12373\nhttps://doi.org/10.1000/182", f"doi:{NATURE} doi:10.1000/182"),
    (r"see:\ndoi:10.1000/182\n\nPMID: 123", "doi:10.1000/182 pmid:123"),
    # XML and HTML
    ('<article-id pub-id-type="pmid">26374899</article-id>', "pmid:26374899"),
    ("<pub-id pub-id-type='pmid' specific-use='x'>26374899</pub-id>", "pmid:26374899"),
    ('<ArticleId IdType="pubmed">26374899</ArticleId>', "pmid:26374899"),
    ('<PMID Version="1">26374899</PMID>', "pmid:26374899"),
    ('<article-id pub-id-type="pmc">5122160</article-id>', "pmcid:PMC5122160"),
    ('<article-id pub-id-type="pmcid">PMC5122160</article-id>', "pmcid:PMC5122160"),
    ('<meta name="citation_pmid" content="26374899"/>', "pmid:26374899"),
    ("<meta content='26374899' name='citation_pmid'>", "pmid:26374899"),
    # Semantic Scholar's CorpusId
    ("CorpusId:13756489", "corpus:13756489"),
    ("CorpusID: 13756489.", "corpus:13756489"),
    ("Corpus ID: 13756489", "corpus:13756489"),
    ("**Corpus ID:** 13756489", "corpus:13756489"),
    ('{"corpusId": "13756489"}', "corpus:13756489"),
    ("{{S2CID|13756489}} |s2cid=13756489|", "corpus:13756489 corpus:13756489"),
    ("https://api.semanticscholar.org/CorpusID:13756489", "corpus:13756489"),
    ("https://www.semanticscholar.org/CorpusId:13756489)", "corpus:13756489"),
    # addresses without the DOI's prefix
    ("https://www.nature.com/articles/s41586-020-2649-2", "doi:10.1038/s41586-020-2649-2"),
    ("[x](https://www.nature.com/articles/s41467-021-25410-4.pdf)", "doi:10.1038/s41467-021-25410-4"),
    ("nature.com/articles/d41586-020-00502-w?x=1", "doi:10.1038/d41586-020-00502-w"),
    ("https://www.nature.com/articles/s41599-020-00631-y", "doi:10.1057/s41599-020-00631-y"),
    ("https://www.nature.com/articles/nature12373#Sec1", f"doi:{NATURE}"),
    ("https://www.nature.com/articles/171737a0", "doi:10.1038/171737a0"),
    ("https://www.nature.com/articles/nmeth.3317", "doi:10.1038/nmeth.3317"),
    ("http://www.nature.com/nature/journal/v500/n7463/full/nature12373.html", f"doi:{NATURE}"),
    ("https://elifesciences.org/articles/20391", "doi:10.7554/elife.20391"),
    ("https://elifesciences.org/articles/20391v2", "doi:10.7554/elife.20391"),
    ("https://elifesciences.org/content/5/e20391", "doi:10.7554/elife.20391"),
    ("https://peerj.com/articles/4375/", "doi:10.7717/peerj.4375"),
    ("https://peerj.com/articles/cs-55", "doi:10.7717/peerj-cs.55"),
    ("https://www.bmj.com/content/369/bmj.m1375.full.pdf", "doi:10.1136/bmj.m1375"),
    ("http://biorxiv.org/content/early/2016/09/16/075515", "doi:10.1101/075515"),
    ("https://www.medrxiv.org/content/medrxiv/early/2020/03/05/2020.03.03.20030643.full.pdf",
     "doi:10.1101/2020.03.03.20030643"),
    ("https://pubs.rsc.org/en/content/articlelanding/2014/cs/c3cs60348b", "doi:10.1039/c3cs60348b"),
    ("https://www.hindawi.com/journals/bmri/2018/7569283/", "doi:10.1155/2018/7569283"),
    ("https://dl.acm.org/citation.cfm?id=3292500.3330701", "doi:10.1145/3292500.3330701"),
    ("https://www.thelancet.com/journals/lancet/article/PIIS0140-6736(20)30183-5/fulltext",
     "doi:10.1016/s0140-6736(20)30183-5"),
    # addresses with it
    ("https://journals.plos.org/plosone/article?id=info%3Adoi%2F10.1371%2Fjournal.pone.0000217",
     "doi:10.1371/journal.pone.0000217"),
    ("https://www.science.org/doi/10.1126/science.aaf1098", "doi:10.1126/science.aaf1098"),
    ("https://www.pnas.org/doi/full/10.1073/pnas.1719557115", "doi:10.1073/pnas.1719557115"),
    ("https://www.medrxiv.org/content/10.1101/2020.03.03.20030643v2.full-text", "doi:10.1101/2020.03.03.20030643"),
    ("https://www.frontiersin.org/journals/neuroscience/articles/10.3389/fnins.2013.00267/full",
     "doi:10.3389/fnins.2013.00267"),
]  # fmt: skip

LOOK_ALIKES = [
    # cut in the middle: the rest would be recorded as another paper
    ISSUE, ISSUE + r"{\textquoteleft}1661", ISSUE + "<1661::AID-SIM968", ISSUE + "<1661::AID-SIM968>3.0.",
    "10.1890/0012-9658(2006)87", "10.1000/" + "x" * 450, f"https://doi.org/10.1000/{'x-' * 300}",
    "10.1000/" + "a/" * 300 + "10.1000/b", "10.1000/a(" + "b" * 500 + ")",
    # not of one rule, or no address of theirs
    "https://www.nature.com/articles/onc2010123", "https://www.nature.com/articles/sdata201618",
    "https://www.nature.com/articles/6601874", "https://www.nature.com/articles/s41586-020",
    "https://www.nature.com/articles/s41586-020-2649-22", "https://notnature.com/articles/s41586-020-2649-2",
    "https://www.nature.com/subjects/nature12373", "https://dl.acm.org/citation.cfm?id=1327492",
    "https://www.thelancet.com/journals/eclinm/article/PIIS2589-5370(20)30120-1/fulltext",
    "https://www.sciencedirect.com/science/article/pii/S0140673620301835", "https://elifesciences.org/articles",
    "https://www.hindawi.com/journals/bmri/2007/071432/", "https://www.mdpi.com/2072-6643/12/1/123",
    "https://www.bmj.com/content/369/m1375", "https://peerj.com/articles/?q=1",
    # numbers of another kind
    '<article-id pub-id-type="publisher-id">26374899</article-id>', '<meta name="citation_volume" content="263748">',
    '<article-id pub-id-type="pmcaid">5122160</article-id>', "the corpus id 12 of", "corpus: 12", "CorpusID",
    "CorpusId: abc", "CorpusId:13756489v2", "a corpus of 13756489 words",
    r"\nu and \textless x \textgreater", r"C:\new\table", "$<$ and $>$",
]  # fmt: skip


def names(text: str) -> str:
    return " ".join(f"{mention.kind}:{mention.id}" for mention in read_references(text))


@pytest.mark.parametrize(("written", "named"), READ, ids=[written[:70] for written, _ in READ])
def test_a_paper_is_found_in_markup_and_addresses(written: str, named: str) -> None:
    assert names(written) == named
    assert names(f"See {written} and\n") == named


@pytest.mark.parametrize("written", LOOK_ALIKES, ids=[written[:70] for written in LOOK_ALIKES])
def test_cut_identifiers_and_those_of_other_kinds_name_no_paper(written: str) -> None:
    assert names(written) == ""
    assert names(f"See {written} and\n") == ""


def test_a_doi_behind_an_over_long_one_is_found() -> None:
    assert names("10.1000/" + "x" * 3000 + " and 10.1000/182") == "doi:10.1000/182"


def test_a_long_list_without_blanks_is_read_whole() -> None:
    dois = [f"10.1000/{number:04}-b" for number in range(100)]
    assert names(",".join(dois)).split() == [f"doi:{doi}" for doi in dois]


def test_the_longest_doi_that_is_read_is_read_whole() -> None:
    doi = "10.1000/" + "x" * 399 + "y"
    assert names(f"{doi}.") == f"doi:{doi}"
    assert names(f"{doi} ") == f"doi:{doi}"


def test_a_corpus_id_is_no_field_of_a_papers_identifiers() -> None:
    assert distinct_ids(read_references("CorpusId:13756489, 10.1000/182")) == [("doi", "10.1000/182")]


def test_a_mention_says_what_stood_in_the_markup() -> None:
    text = r"a {\textless} b 10.1038/nature12373\nCorpusID: 7 c"
    assert [mention.text for mention in read_references(text)] == ["10.1038/nature12373", "CorpusID: 7"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["nature.com/articles/", "hindawi.com/journals/a/", r"{\textless", r"\ensuremath{", r"\n", "<pmid a",
     "content='1' ", 'pub-id-type="pmid"', "Corpus ID:", "10.1000/" + "x" * 500],
)  # fmt: skip
def test_a_hundred_kilobytes_of_beginnings_take_no_longer_than_their_length(piece: str) -> None:
    assert growth(lambda size: read_references(piece * (size // len(piece))), 100_000) < MOST
