"""The papers that a debate's text names, in the ways that people write them, and what only looks like one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.identifiers import Identifiers, citation_uri, paper_key
from shared.reference_text import Mention, distinct_ids, read_references

SICI = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"
BRACKETS = "10.1890/0012-9658(2006)87[2832:tiopma]2.0.co;2"
HASH_CHECK = "10.1002/1097-0142(196509)18:9<1145::aid-cncr2820180915>3.0.co;2-#"
LANCET = "10.1016/s0140-6736(20)30183-5"
NATURE = "10.1038/nature12373"
HEX = "649def34f8be52c8b66281af98ae884c09aef38b"

# written, then what it names: `key:id` as our own keys, one for each mention
WAYS = [
    # DOIs in prose
    ("10.1038/nature12373", f"doi:{NATURE}"),
    ("doi:10.1038/nature12373", f"doi:{NATURE}"),
    ("DOI 10.1038/NATURE12373.", f"doi:{NATURE}"),
    ("DOI: 10.1038/nature12373;", f"doi:{NATURE}"),
    ("doi10.1038/nature12373", f"doi:{NATURE}"),
    ("DOI：10.1038/nature12373。", f"doi:{NATURE}"),
    ("doi = {10.1038/nature12373},", f"doi:{NATURE}"),
    ("|doi=10.1038/nature12373|pmid=123}}", f"doi:{NATURE} pmid:123"),
    ("doi:\u00a010.1038/nature12373", f"doi:{NATURE}"),
    ("(doi: 10.1038/nature12373)", f"doi:{NATURE}"),
    ("(10.1038/nature12373).[3]", f"doi:{NATURE}"),
    ("10.1038/nature12373[1]", f"doi:{NATURE}"),
    ("10.1038/nature12373.[1][2]", f"doi:{NATURE}"),
    ("10.1038/nature12373¹", f"doi:{NATURE}"),
    ("10.1038/nature12373[^1]", f"doi:{NATURE}"),
    ("“10.1038/nature12373,” she said", f"doi:{NATURE}"),
    ("'10.1038/nature12373'", f"doi:{NATURE}"),
    ("10.1038/nature12373's data", f"doi:{NATURE}"),
    ("10.1038/nature12373—a landmark", f"doi:{NATURE}"),
    ("10.1038/nature12373--a landmark", f"doi:{NATURE}"),
    ("(see 10.1038/nature12373?!)", f"doi:{NATURE}"),
    ("10.1038/nature12373...", f"doi:{NATURE}"),
    ("10.1038/nature12373…", f"doi:{NATURE}"),
    ("10.1038/nature12373,10.1000/182", f"doi:{NATURE} doi:10.1000/182"),
    ("10.1038/nature12373;10.1000/182", f"doi:{NATURE} doi:10.1000/182"),
    ("10.1038/nature12373;PMID:123", f"doi:{NATURE} pmid:123"),
    ("10.1038/nature12373,26374899,Nature", f"doi:{NATURE}"),
    ("见10.1038/nature12373，另见", f"doi:{NATURE}"),
    ("（10.1038/nature12373）和「10.1000/182」", f"doi:{NATURE} doi:10.1000/182"),
    ("10.1038/nature12373（2013）", f"doi:{NATURE}"),
    ("１０．１０１６／Ｓ０１４０－６７３６（２０）３０１８３－５。", f"doi:{LANCET}"),
    ("𝟏𝟎.𝟏𝟎𝟑𝟖/nature12373", f"doi:{NATURE}"),
    ("10.1038/\u200bnature\u00ad12373\u200b and", f"doi:{NATURE}"),
    ("\u200f10.1038/nature12373\u200eو", f"doi:{NATURE}"),
    ("10.1016/S0140\u20116736(20)30183\u20105", f"doi:{LANCET}"),
    ("10.1016/S0140–6736(20)30183–5", f"doi:{LANCET}"),
    ("(see 10.1016/S0140-6736(20)30183-5)", f"doi:{LANCET}"),
    ("10.1038/nature12373(see there)", f"doi:{NATURE}"),
    ("10.1061/(ASCE)0733-9399(1997)123:9(897).", "doi:10.1061/(asce)0733-9399(1997)123:9(897)"),
    ("10.1890/0012-9658(2006)87[2832:TIOPMA]2.0.CO;2]", f"doi:{BRACKETS}"),
    (f"<{SICI}>; {HASH_CHECK}.", f"doi:{SICI} doi:{HASH_CHECK}"),
    (f"<b>{SICI}</b>", f"doi:{SICI}"),
    ("10.1023/A:1007154515475:", "doi:10.1023/a:1007154515475"),
    ("10.5067/terra+aqua/ceres/cldtyphist_l3.004", "doi:10.5067/terra+aqua/ceres/cldtyphist_l3.004"),
    ("10.1126/science.10.1126/science.291.5501.27f", "doi:10.1126/science.10.1126/science.291.5501.27f"),
    ("10.1371/journal.pone.0000217.s001", "doi:10.1371/journal.pone.0000217.s001"),
    ("10.21203/rs.3.rs-655491/v1", "doi:10.21203/rs.3.rs-655491/v1"),
    ("10.1101/2024.04.01.587366v2", "doi:10.1101/2024.04.01.587366"),
    ("10.1000.10/123", "doi:10.1000.10/123"),
    ("10.1000/a#b", "doi:10.1000/a#b"),
    ("[doi](10.1000/182)", "doi:10.1000/182"),
    ("doi:10.1038/\nnature12373.", f"doi:{NATURE}"),
    ("https://doi.org/10.1016/\r\n  j.cell.2015.01.049)\r\n", "doi:10.1016/j.cell.2015.01.049"),
    ("10.1038/nature12373/\nThe next line", f"doi:{NATURE}"),
    # DOIs in addresses
    ("https://doi.org/10.1038/nature12373", f"doi:{NATURE}"),
    ("http://dx.doi.org/10.1038/nature12373.", f"doi:{NATURE}"),
    ("www.doi.org/10.1038/nature12373/", f"doi:{NATURE}"),
    ("doi.org/doi:10.1038/nature12373", f"doi:{NATURE}"),
    ("doi: https://doi.org/10.1038/nature12373", f"doi:{NATURE}"),
    ("info:doi/10.1038/nature12373", f"doi:{NATURE}"),
    ('"https://doi.org/10.1038/nature12373), and"', f"doi:{NATURE}"),
    ("https://doi.org/10.1038%2Fnature12373", f"doi:{NATURE}"),
    ("https://doi.org/10.1038/nature12373?utm_source=x&utm_medium=y", f"doi:{NATURE}"),
    ("https://doi.org/10.1038/nature12373&utm_source=x", f"doi:{NATURE}"),
    ("https://doi.org/10.1038/nature12373#section", f"doi:{NATURE}"),
    ("https://doi.org/10.1000/a%23b", "doi:10.1000/a#b"),
    (citation_uri(Identifiers(doi=HASH_CHECK)), f"doi:{HASH_CHECK}"),
    (f"https://doi.org/{HASH_CHECK} is raw", f"doi:{HASH_CHECK}"),
    ("https%3A%2F%2Fdoi.org%2F10.1038%2Fnature12373%3Ffbclid%3Dx", f"doi:{NATURE}"),
    ("https://doi.org/10.1002/(SICI)1097-0258(19980815/30)17:15/16%3C1661::AID-SIM968%3E3.0.CO;2-2", f"doi:{SICI}"),
    ("https://doi.org/10.1002%252F(SICI)1097-0258(19980815%252F30)17:15/16%253C1661::AID-SIM968%253E3.0.CO%253B2-2",
     f"doi:{SICI}"),
    ("https://onlinelibrary.wiley.com/doi/full/10.1111/jhe.13000", "doi:10.1111/jhe.13000"),
    ("https://onlinelibrary.wiley.com/doi/10.1111/jhe.13000/abstract;jsessionid=A1.f02", "doi:10.1111/jhe.13000"),
    ("https://onlinelibrary.wiley.com/doi/epdf/10.1111/jhe.13000?src=x", "doi:10.1111/jhe.13000"),
    ("https://www.frontiersin.org/articles/10.3389/fpsyg.2018.01550/full", "doi:10.3389/fpsyg.2018.01550"),
    ("10.3389/fpsyg.2018.01550/full", "doi:10.3389/fpsyg.2018.01550"),
    ("https://link.springer.com/content/pdf/10.1007%2Fs11192-020-03690-4.pdf", "doi:10.1007/s11192-020-03690-4"),
    ("https://link.springer.com/article/10.1007/s11192-020-03690-4#Sec3", "doi:10.1007/s11192-020-03690-4"),
    ("https://link.springer.com/article/10.1007/s11192-020-03690-4/figures/1", "doi:10.1007/s11192-020-03690-4"),
    ("https://link.springer.com/article/10.1007/s11192-020-03690-4/fulltext.html.", "doi:10.1007/s11192-020-03690-4"),
    ("https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0000217", "doi:10.1371/journal.pone.0000217"),
    ("https://journals.plos.org/plosone/article/file?id=10.1371/journal.pone.0000217&type=printable",
     "doi:10.1371/journal.pone.0000217"),
    ("https://example.org/landing?doi=10.1037%2Fa0012345&amp;x=1", "doi:10.1037/a0012345"),
    ("https://www.biorxiv.org/content/10.1101/2024.04.01.587366v1.full.pdf+html", "doi:10.1101/2024.04.01.587366"),
    ("https://www.biorxiv.org/content/10.1101/239400v3", "doi:10.1101/239400"),
    ("https://academic.oup.com/nar/article/doi/10.1093/nar/gkv412/2414350", "doi:10.1093/nar/gkv412"),
    ("https://api.crossref.org/works/10.1038/nature12373/transform/application/x-bibtex", f"doi:{NATURE}"),
    ("https://www.hindawi.com/doi/10.1155/2018/7569283", "doi:10.1155/2018/7569283"),
    # DOIs in markup
    ("[a study](https://doi.org/10.1016/S0140-6736(20)30183-5)", f"doi:{LANCET}"),
    ("[10.1000/182](https://doi.org/10.1000/182 'title')", "doi:10.1000/182 doi:10.1000/182"),
    ("<https://doi.org/10.1038/nature12373>", f"doi:{NATURE}"),
    ("10.1038/nature12373<https://doi.org/10.1038/nature12373>", f"doi:{NATURE} doi:{NATURE}"),
    ("**10.1038/nature12373** and `10.1000/182`", f"doi:{NATURE} doi:10.1000/182"),
    ("_10.1038/nature12373_", f"doi:{NATURE}"),
    ("[url]https://doi.org/10.1038/nature12373[/url]", f"doi:{NATURE}"),
    ("[[https://doi.org/10.1038/nature12373][here]]", f"doi:{NATURE}"),
    ("**DOI:** 10.1038/nature12373", f"doi:{NATURE}"),
    ("[1]: https://doi.org/10.1038/nature12373", f"doi:{NATURE}"),
    ('<a href="https://doi.org/10.1000/182">10.1000/182</a>', "doi:10.1000/182 doi:10.1000/182"),
    ("<td>10.1038/nature12373<br/>", f"doi:{NATURE}"),
    ("10.1002/(SICI)1097-0258(19980815/30)17:15/16&lt;1661::AID-SIM968&gt;3.0.CO;2-2&nbsp;and", f"doi:{SICI}"),
    ("10.1002/(SICI)1097-0258(19980815/30)17:15/16&amp;lt;1661::AID-SIM968&amp;gt;3.0.CO;2-2", f"doi:{SICI}"),
    ("&quot;10.1038/nature12373&quot;", f"doi:{NATURE}"),
    (r"10.1007/978-3-319-24574-4\_28", "doi:10.1007/978-3-319-24574-4_28"),
    (r"doi = {10.1007/978-3-319-24574-4{\_}28}", "doi:10.1007/978-3-319-24574-4_28"),
    (r"\href{https://doi.org/10.1038/nature12373}{here} \url{http://dx.doi.org/10.1000/182} \cite{doi:10.1000/183}",
     f"doi:{NATURE} doi:10.1000/182 doi:10.1000/183"),
    (r'{"doi":"10.1038\/nature12373","pmid":"123","year":2013}', f"doi:{NATURE} pmid:123"),
    (r'"10.1038/nature12373\nNext" "10.1002/(SICI)1(1998)1:1\u003c1::AID-1\u003e3.0.CO;2-2"',
     f"doi:{NATURE} doi:10.1002/(sici)1(1998)1:1<1::aid-1>3.0.co;2-2"),
    ("| 10.1038/nature12373 |10.1000/182|", f"doi:{NATURE} doi:10.1000/182"),
    # PMIDs
    ("PMID: 26374899.", "pmid:26374899"),
    ("PMID 123", "pmid:123"),
    ("PMID:123;", "pmid:123"),
    ("pmid:0026374899", "pmid:26374899"),
    ("PMID- 26374899", "pmid:26374899"),
    ("PMID：26374899，", "pmid:26374899"),
    ("PMID #26374899", "pmid:26374899"),
    ("PMIDs: 1, 2 and 3", "pmid:1 pmid:2 pmid:3"),
    ("PMIDs 26374899, 12345678; and 23456789 (2020)", "pmid:26374899 pmid:12345678 pmid:23456789"),
    ("PMID:26374899,12345678", "pmid:26374899 pmid:12345678"),
    ("(PMID 26374899, 2020)", "pmid:26374899"),
    ("PMID (26374899)", "pmid:26374899"),
    ("<b>PMID:</b> 26374899", "pmid:26374899"),
    ("| PMID | 26374899 |", "pmid:26374899"),
    ("PubMed ID: 26374899", "pmid:26374899"),
    ("26374899[pmid]", "pmid:26374899"),
    ('{"pmids": ["26374899", "12345678"]}', "pmid:26374899 pmid:12345678"),
    ("https://pubmed.ncbi.nlm.nih.gov/26374899/", "pmid:26374899"),
    ("pubmed.ncbi.nlm.nih.gov/123/#abstract", "pmid:123"),
    ("https://pubmed.ncbi.nlm.nih.gov/?term=26374899", "pmid:26374899"),
    ("https://www.ncbi.nlm.nih.gov/pubmed/123", "pmid:123"),
    ("http://www.ncbi.nlm.nih.gov/m/pubmed/26374899.", "pmid:26374899"),
    ("https://europepmc.org/article/MED/123", "pmid:123"),
    ("europepmc.org/abstract/med/26374899", "pmid:26374899"),
    # PMCIDs
    ("PMC5122160", "pmcid:PMC5122160"),
    ("PMCID: PMC5122160; PMID: 123", "pmcid:PMC5122160 pmid:123"),
    ("PMCID: 5122160", "pmcid:PMC5122160"),
    ("pmc5122160,", "pmcid:PMC5122160"),
    ("PMC 5122160", "pmcid:PMC5122160"),
    ("https://pmc.ncbi.nlm.nih.gov/articles/PMC5122160/", "pmcid:PMC5122160"),
    ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC5122160/pdf/x.pdf", "pmcid:PMC5122160"),
    ("https://europepmc.org/article/PMC/PMC5122160", "pmcid:PMC5122160"),
    ("https://europepmc.org/articles/PMC5122160?pdf=render", "pmcid:PMC5122160"),
    # arXiv
    ("arXiv:2101.00001v2", "arxiv:2101.00001"),
    ("arXiv:hep-th/9901001", "arxiv:hep-th/9901001"),
    ("arxiv:math.GT/0309136v1.", "arxiv:math.gt/0309136"),
    ("arXiv preprint arXiv:1706.03762 (2017)", "arxiv:1706.03762"),
    ("arXiv 1706.03762 [cs.CL]", "arxiv:1706.03762"),
    ("arXiv preprint 1706.03762, 2017", "arxiv:1706.03762"),
    ("arXiv:1706.03762, 2101.00001 and 0704.0001", "arxiv:1706.03762 arxiv:2101.00001 arxiv:0704.0001"),
    ("eprint = {1706.03762}, archivePrefix = {arXiv}", "arxiv:1706.03762"),
    ("https://arxiv.org/abs/1706.03762v7", "arxiv:1706.03762"),
    ("https://arxiv.org/pdf/1706.03762v7.pdf", "arxiv:1706.03762"),
    ("http://export.arxiv.org/abs/hep-ex/0307015", "arxiv:hep-ex/0307015"),
    ("[paper](arxiv.org/pdf/1706.03762.pdf).", "arxiv:1706.03762"),
    ("10.48550/arXiv.1706.03762", "arxiv:1706.03762"),
    ("https://doi.org/10.48550/arXiv.hep-th/9901001.", "arxiv:hep-th/9901001"),
    ("see hep-th/9711200 for that", "arxiv:hep-th/9711200"),
    ("https://ar5iv.labs.arxiv.org/html/1706.03762", "arxiv:1706.03762"),
    # Semantic Scholar, OpenAlex, our own keys
    (f"https://www.semanticscholar.org/paper/A-Title-of-2-Words/{HEX}", f"s2:{HEX}"),
    (f"semanticscholar.org/paper/{HEX.upper()}?sort=x", f"s2:{HEX}"),
    (f"https://api.semanticscholar.org/graph/v1/paper/{HEX}", f"s2:{HEX}"),
    (f"s2:{HEX}", f"s2:{HEX}"),
    (f'"paper_id": "{HEX}"', f"s2:{HEX}"),
    ("https://openalex.org/W2741809807", "openalex:W2741809807"),
    ("https://openalex.org/works/w2741809807", "openalex:W2741809807"),
    ("https://api.openalex.org/works/W2741809807?select=id", "openalex:W2741809807"),
    ("openalex:W2741809807", "openalex:W2741809807"),
    ("https://api.openalex.org/works/pmid:123", "pmid:123"),
    ("{{doi|10.1000/182}} {{PMID|26374899}} {{PMC|5122160}} {{arxiv|2101.00001}}",
     "doi:10.1000/182 pmid:26374899 pmcid:PMC5122160 arxiv:2101.00001"),
    ("10.1377/hblog20200508.769108/full", "doi:10.1377/hblog20200508.769108/full"),
    ("10.1027//1016-9040.8.1.9", "doi:10.1027//1016-9040.8.1.9"),
    ("10.1109/34.865189", "doi:10.1109/34.865189"),
    ("10.1038/nature12373https://doi.org/10.1000/182", f"doi:{NATURE} doi:10.1000/182"),
    ("10.1038/nature12373.PMID:26374899", f"doi:{NATURE} pmid:26374899"),
    (r"10.1016/S0140-6736\(20\)30183-5", f"doi:{LANCET}"),
    ("https://pubs.acs.org/doi/suppl/10.1021/acs.jctc.0c00001/suppl_file/x_si_001.pdf", "doi:10.1021/acs.jctc.0c00001"),
    ("PMIDs:\n- 26374899\n- 12345678\n", "pmid:26374899 pmid:12345678"),
    ('<ArticleId IdType="pubmed">26374899</ArticleId>', "pmid:26374899"),
    ("https://www.ncbi.nlm.nih.gov/pmc/articles/pmid/26374899/", "pmid:26374899"),
    ("PMC5122160.1", "pmcid:PMC5122160"),
    ('{"ArXiv": "1706.03762", "DOI": "10.1000/182", "CorpusId": 13756489}', "arxiv:1706.03762 doi:10.1000/182"),
]  # fmt: skip

LOOK_ALIKES = [
    "10.1038", "the prefix 10.1038/ is Nature's", "10.1234/", "10.1234/...", "10.1234/{suffix}", "10.1234/<suffix>",
    "10.1038/s41586-*", "10.1234/xxxxx", "10.xxxx/abc", "https://doi.org", "https://www.doi.org/ is the home page",
    "https://doi.org/the-identifier/", "10.12/x", "10.1/abc", "10.123/x", "10.1234567890/x", "11.1038/x", "110.1038/x",
    "v10.1234/x", "version 10.1234/x", "3.10.1234/x", "192.168.10.1234", "10.10.0.0/16", "10.0.0.1:8080/path",
    "$10.1000/month", "costs 10.1000/month", "10.5000/unit", "EUR 10.1000/call", "Section 10.1234", "§ 10.1234/a",
    "from 10.2023/11.2023", "10.2023/2024", "scored 10.1234/20", "10.2500/1000", "Tel. 10.1234/567890",
    "+49 30 12345678", "555-1234", "10.1234/\nThe next line", "10.1016/S0140-\n6736(20)30183-5",
    "10.1234/\n2023 was a year", "10.1234/\n\nCOVID-19 changed much",
    "2101.00001", "paid 2101.00001 dollars", "arXiv 2020 was a good year", "arXiv: 1234", "arXiv:2113.00001",
    "arXiv has 2.4 million papers", "arXiv:2101.000012", "arxiv.org/list/cs.CL/2101", "math/0301001", "km-h/9901001",
    "ISBN 978-3-16-148410-0", "ISBN 9780306406157", "ISSN 1234-5678", "NCT01234567", "26374899", "on 20200101",
    "the PMC members", "PMC 2020", "PMC2020", "PMC7", "UKPMC", "EPMC12345678", "PMCID", "XPMC5122160", "PMC12345abc",
    "PMID", "PMID: n/a", "PMID: none", "the PMID [12] is", "PMID\n\n2020 was", "PMID 1.5 million", "PMIDs: 0",
    "PubMed 2020", "PubMed: 1234567 records", "PubMed has 36000000 papers", "xPMID 123", "PMID 12ab", "PMID 1234567890",
    "PMID 26 374 899",
    "https://pubmed.ncbi.nlm.nih.gov/?term=cancer+2020", "https://pubmed.ncbi.nlm.nih.gov/advanced/",
    "W2741809807", "part W1234", "https://openalex.org/A5023888391", "https://openalex.org/works", "openalex W",
    HEX, f"commit {HEX}", f"https://github.com/a/b/commit/{HEX}", f"https://www.semanticscholar.org/author/{HEX}",
    f"https://www.semanticscholar.org/paper/{HEX}0", "https://www.semanticscholar.org/author/A/1741101",
    "https://api.semanticscholar.org/CorpusID:13756489", "US10123456B2", "EP 1 234 567", "user10.1234@example.org",
    "https://orcid.org/0000-0002-1825-0097", "GSE12345", "NM_001301717.2", "P04637", "1,2-dichloroethane",
    "C10H15N", "#ff8800", "2020-10", "#12345", "issue #26374899", "10.1038.nature", "10,1038/nature12373",
    "11:10.1234", "1e10.1234", "s2: the second", "pmid:abc", "doi:", "doi: 10.", "DOI 10.1038", "",
]  # fmt: skip


def keys(mentions: list[Mention]) -> list[str]:
    return [{"paper_id": "s2"}.get(mention.kind, mention.kind) + ":" + mention.id for mention in mentions]


@pytest.mark.parametrize(("written", "named"), WAYS, ids=[str(written)[:70] for written, _ in WAYS])
def test_a_paper_is_found_however_it_is_written(written: str, named: str) -> None:
    assert keys(read_references(written)) == named.split()


@pytest.mark.parametrize("written", LOOK_ALIKES)
def test_a_look_alike_names_no_paper(written: str) -> None:
    assert read_references(written) == []


def test_a_long_debate_gives_every_paper_and_nothing_else() -> None:
    paragraphs = [str(written) for written, _ in WAYS]
    for place, look_alike in enumerate(LOOK_ALIKES):
        paragraphs.insert(2 * place, look_alike)
    debate = "\n\n* * *\n\n".join(f"Speaker {place} said:\n\n{text}" for place, text in enumerate(paragraphs))
    assert sorted(keys(read_references(debate))) == sorted(key for _, named in WAYS for key in named.split())


@pytest.mark.parametrize(
    ("text", "stood"),
    [
        ("🎉 see https://doi.org/10.1038/nature12373).", "https://doi.org/10.1038/nature12373"),
        ("a DOI:\u00a010.1000/182, b", "DOI:\u00a010.1000/182"),
        ("https://dl.acm.org/doi/10.1145/3292500.3330701", "10.1145/3292500.3330701"),
        ("x 10.1038/\u200bnature12373\u200b.", "10.1038/\u200bnature12373"),
        ("<td>10.1000/a(b)&lt;1:2&gt;&nbsp;</td>", "10.1000/a(b)&lt;1:2&gt;"),
        ("u=https%3A%2F%2Fdoi.org%2F10.1000%2F182%3Fx", "https%3A%2F%2Fdoi.org%2F10.1000%2F182"),
        ("10.1093/nar/\ngkv1234.\n", "10.1093/nar/\ngkv1234"),
        ("(arXiv:2101.00001v2 [cs.CL])", "arXiv:2101.00001v2"),
        ("(PMID: 0123)", "PMID: 0123"),
        ("see www.ncbi.nlm.nih.gov/pubmed/123/.", "www.ncbi.nlm.nih.gov/pubmed/123"),
    ],
)
def test_a_mention_says_what_stood_where(text: str, stood: str) -> None:
    (mention,) = read_references(text)
    assert mention.text == stood
    assert text[mention.start : mention.end] == stood


def test_mentions_come_in_order_of_place_and_repeated() -> None:
    mentions = read_references("PMID 7, arXiv:2101.00001, 10.1000/182, https://arxiv.org/abs/2101.00001v3, pmid:7")
    assert keys(mentions) == ["pmid:7", "arxiv:2101.00001", "doi:10.1000/182", "arxiv:2101.00001", "pmid:7"]
    assert distinct_ids(mentions) == [("pmid", "7"), ("arxiv", "2101.00001"), ("doi", "10.1000/182")]


KNOWN = st.one_of(
    st.builds(Identifiers, doi=st.sampled_from((NATURE, SICI, BRACKETS, HASH_CHECK, LANCET, "10.1000/a_b.c-d"))),
    st.builds(Identifiers, pmid=st.integers(1, 99_999_999).map(str)),
    st.builds(Identifiers, arxiv=st.sampled_from(("2101.00001", "0704.0001", "hep-th/9901001", "math.gt/0309136"))),
    st.builds(Identifiers, paper_id=st.text("0123456789abcdef", min_size=40, max_size=40)),
    st.builds(Identifiers, openalex=st.integers(1_000_000, 9_999_999_999).map("W{}".format)),
)
PROSE = st.text(st.characters(exclude_categories=("Cs", "Nd"), exclude_characters="\\&%<"), max_size=60)


@given(KNOWN, PROSE, PROSE)
def test_our_own_uri_and_key_are_found_in_any_prose(ids: Identifiers, before: str, after: str) -> None:
    key = paper_key(ids, None)
    assert keys(read_references(f"{before} {citation_uri(ids)} {key} {after}")) == [key, key]


PIECES = (
    "10.1000/", "10.1101/2024.01.01.123456v1", "(", ")", "[1]", "<1:", ">", "&lt;", "&amp;", "%2F", "%E2%80", "\\u00",
    "\\ud800", "\\_", "\n", "/", "#", "doi:", "https://doi.org/", "PMID: 123, ", "PMC12345", "arXiv:2101.00001",
    "１", "http://", "and ", ".", "x", "\u200b", "–1", "openalex.org/W123",
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_any_text_is_read_and_mentions_stand_apart(text: str) -> None:
    end = 0
    for mention in read_references(text):
        assert end <= mention.start < mention.end
        assert text[mention.start : mention.end] == mention.text
        end = mention.end


@pytest.mark.parametrize(
    "piece",
    ["10.1000/((((", "10.1000/-", "10.1000/a\n", "10.1000/....", "PMID ", "PMIDs: 1, ", "&amp;", "<1:",
     "semanticscholar.org/paper/", "europepmc.org/a/"],
)  # fmt: skip
def test_a_hundred_kilobytes_of_beginnings_take_no_more_than_seconds(piece: str) -> None:
    began = time.process_time()
    read_references(piece * (100_000 // len(piece)))
    assert time.process_time() - began < 10  # a pattern that looks back over the whole text takes minutes
