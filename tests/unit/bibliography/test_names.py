"""The one strict reader of ids: every form of a name, what is none, and what only looks like one."""

from __future__ import annotations

import pytest

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper_ids import best_id, id_texts, identifiers_of, read_id

S2 = "204e3073870fae3d05bcbc2f6a8e263d9b72e776"
VALID = {
    # DOI
    "10.7554/eLife.20391": "doi:10.7554/elife.20391",
    "doi:10.7554/eLife.20391": "doi:10.7554/elife.20391",
    "DOI: 10.7554/ELIFE.20391": "doi:10.7554/elife.20391",
    "https://doi.org/10.7554/eLife.20391": "doi:10.7554/elife.20391",
    "http://dx.doi.org/10.7554/eLife.20391": "doi:10.7554/elife.20391",
    "https://doi.org/10.7554%2FeLife.20391": "doi:10.7554/elife.20391",
    "10.7554%2FeLife.20391": "doi:10.7554/elife.20391",
    "(10.7554/eLife.20391).": "doi:10.7554/elife.20391",
    "“10.7554/eLife.20391”,": "doi:10.7554/elife.20391",
    "  10.7554/eLife.20391\n": "doi:10.7554/elife.20391",
    "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2":
        "doi:10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2",
    "10.1002/(SICI)1097-0258%2819980815/30%2917:15/16%3C1661::AID-SIM968%3E3.0.CO;2-2":
        "doi:10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2",
    "10.1002/(SICI)1521-3951(199911)216:1<135::AID-PSSB135>3.0.CO;2-#":
        "doi:10.1002/(sici)1521-3951(199911)216:1<135::aid-pssb135>3.0.co;2-#",
    "https://doi.org/10.7554/eLife.20391?utm=x": "doi:10.7554/elife.20391",
    "https://doi.org/10.7554/eLife.20391#abstract": "doi:10.7554/elife.20391",
    "https://doi.org/10.7554/eLife.20391/": "doi:10.7554/elife.20391",
    "10.7554/eLife.20391\u200b": "doi:10.7554/elife.20391",
    "https://pubmed.ncbi.nlm.nih.gov/27797938/?dopt=Abstract": "pmid:27797938",
    "10.1000/a/b/c;d?e=1": "doi:10.1000/a/b/c;d?e=1",
    "10.1023/a:1007154515475": "doi:10.1023/a:1007154515475",
    "10.1101/2024.04.01.587366v2": "doi:10.1101/2024.04.01.587366",
    "https://doi.org/10.1101/2024.04.01.587366v2.full": "doi:10.1101/2024.04.01.587366",
    # PMID
    "PMID:27797938": "pmid:27797938",
    "pmid 27797938": "pmid:27797938",
    "PMID: 027797938.": "pmid:27797938",
    "https://pubmed.ncbi.nlm.nih.gov/27797938/": "pmid:27797938",
    "www.ncbi.nlm.nih.gov/pubmed/27797938": "pmid:27797938",
    "https://pubmed.gov/27797938": "pmid:27797938",
    "https://www.ncbi.nlm.nih.gov/m/pubmed/27797938/": "pmid:27797938",
    "https://pubmed.ncbi.nlm.nih.gov/27797938/?from=x#ab": "pmid:27797938",
    "info:pmid/27797938": "pmid:27797938",
    "pubmed.gov/27797938": "pmid:27797938",
    "pubmed.gov/27797938/?from=x": "pmid:27797938",
    "pubmed.com/27797938/": "pmid:27797938",
    "ncbi.nlm.nih.gov/pmc/articles/PMC5122160/": "pmcid:PMC5122160",
    "nejm.org/doi/full/10.1056/NEJMoa1211851": "doi:10.1056/nejmoa1211851",
    "alphaxiv.org/abs/1706.03762": "arxiv:1706.03762",
    "api.semanticscholar.org/CorpusID:13756489": "corpus:13756489",
    "CorpusId 13756489": "corpus:13756489",
    "corpusid 013756489.": "corpus:13756489",
    "Corpus ID: 13756489": "corpus:13756489",
    "info:doi/10.1016/j.cell.2015.01.049": "doi:10.1016/j.cell.2015.01.049",
    "https://api.semanticscholar.org/CorpusID:13756489": "corpus:13756489",
    # NCT
    "NCT04232943": "nct:NCT04232943",
    "nct04232943.": "nct:NCT04232943",
    "nct:NCT04232943": "nct:NCT04232943",
    "NCT 04232943": "nct:NCT04232943",
    "https://clinicaltrials.gov/study/NCT04232943?cond=x": "nct:NCT04232943",
    "https://clinicaltrials.gov/ct2/show/NCT04232943": "nct:NCT04232943",
    "https://classic.clinicaltrials.gov/ct2/show/results/NCT04232943": "nct:NCT04232943",
    "clinicaltrials.gov/show/NCT04232943": "nct:NCT04232943",
    # PMCID
    "PMC5122160": "pmcid:PMC5122160",
    "pmc5122160": "pmcid:PMC5122160",
    "PMCID: PMC5122160": "pmcid:PMC5122160",
    "pmcid:PMC5122160": "pmcid:PMC5122160",
    "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC5122160/": "pmcid:PMC5122160",
    "PMC5122160.2": "pmcid:PMC5122160",
    # arXiv, new and old
    "1706.03762": "arxiv:1706.03762",
    "arXiv:1706.03762v7": "arxiv:1706.03762",
    "ARXIV:1706.03762": "arxiv:1706.03762",
    "https://arxiv.org/abs/1706.03762v1": "arxiv:1706.03762",
    "arxiv.org/pdf/1706.03762v7.pdf": "arxiv:1706.03762",
    "10.48550/arXiv.1706.03762": "arxiv:1706.03762",
    "https://doi.org/10.48550/ARXIV.1706.03762": "arxiv:1706.03762",
    "hep-ex/0307015": "arxiv:hep-ex/0307015",
    "arXiv:hep-ex/0307015v1": "arxiv:hep-ex/0307015",
    "arXiv:hep-ex%2F0307015": "arxiv:hep-ex/0307015",
    "math.AG/0601001": "arxiv:math/0601001",
    # Semantic Scholar
    S2: f"s2:{S2}",
    S2.upper(): f"s2:{S2}",
    f"s2:{S2}": f"s2:{S2}",
    f"https://www.semanticscholar.org/paper/Attention-Is-All-You-Need/{S2}": f"s2:{S2}",
    "CorpusId:13756489": "corpus:13756489",
    "corpusid: 13756489": "corpus:13756489",
    "corpus:13756489": "corpus:13756489",
    # OpenAlex
    "W2741809807": "openalex:W2741809807",
    "w2741809807": "openalex:W2741809807",
    "https://openalex.org/W2741809807": "openalex:W2741809807",
    "https://api.openalex.org/works/W2741809807": "openalex:W2741809807",
    "openalex:W2741809807": "openalex:W2741809807",
    # Elsevier's PII, as printed, in addresses and in the name of a file
    "S0092-8674(17)30578-0": "pii:S0092867417305780",
    "S0092867417305780": "pii:S0092867417305780",
    "pii: S0092-8674(17)30578-0": "pii:S0092867417305780",
    "pii:S0092867417305780": "pii:S0092867417305780",
    "https://www.sciencedirect.com/science/article/abs/pii/S0092867417305780?via%3Dihub": "pii:S0092867417305780",
    "https://linkinghub.elsevier.com/retrieve/pii/S0092867417305780": "pii:S0092867417305780",
    "https://www.cell.com/action/showPdf?pii=S0092-8674%2817%2930578-0": "pii:S0092867417305780",
    "https://www.sciencedirect.com/science/article/pii/0092867494904002": "pii:0092867494904002",
    "1-s2.0-S0092867417305780-main.pdf": "pii:S0092867417305780",
    # our own key of a paper without ids
    "title:0123456789abcdef0123": "title:0123456789abcdef0123",
}  # fmt: skip
INVALID = (
    "", " ", "10.7554", "10.7554/", "doi:", "https://doi.org/", "PMID:", "pmid:abc", "PMC", "arXiv:", "s2:", "W", "W1x",
    "CorpusId:", "openalex:", "title:abc", "Attention is all you need", "10.7554/eLife.20391 and 10.1000/x",
    "PMID:27797938, PMID:1", "x" * 2_000, "10.1000/" + "x" * 600, "\x00", "-", "doi:PMID:1", "pmid:10.1000/x",
)  # fmt: skip
LOOK_ALIKE = (
    "27797938",  # a PMID, or a CorpusId: ambiguous
    "13756489",
    "2024",
    "S0092867517305780",  # no ISSN
    "1713.00001",  # no thirteenth month
    "9900.12345",
    "hep-ex/0313015",
    "3.1415926",
    "192.168.10.1/24",
    "10.5/3",
    S2[:-1],  # 39 digits
    S2 + "0",
    "W1",
    "9780306406157",  # ISBN
    "0000-0002-1825-0097",  # ORCID
    "1097-0258",  # ISSN
    "NCT0423294",  # seven digits
    "NCT042329430",
    "04232943",
    "EUCTR2019-001234-10",
    "10,7554/eLife.20391",
    "https://example.org/10.7554",
    "https://arxiv.org/list/cs.CL/recent",
    "https://pubmed.ncbi.nlm.nih.gov/?term=27797938",
    "pubmed.gov/?term=27797938",
    "example.org/27797938",
    "St.Louis/MO. A title, PMID 27797938",
    "corpus 13756489",
)


@pytest.mark.parametrize(("text", "name"), VALID.items())
def test_every_form_is_read_as_one_name(text: str, name: str) -> None:
    assert read_id(text) == name


@pytest.mark.parametrize("name", sorted(set(VALID.values())))
def test_a_name_is_read_as_itself(name: str) -> None:
    assert read_id(name) == name


@pytest.mark.parametrize("text", INVALID)
def test_a_text_that_is_not_an_id_yields_none(text: str) -> None:
    assert read_id(text) is None


@pytest.mark.parametrize("text", LOOK_ALIKE)
def test_a_text_that_resembles_an_id_yields_none(text: str) -> None:
    assert read_id(text) is None


def test_a_paper_has_its_names_the_best_first() -> None:
    ids = Identifiers(doi="10.1000/x", pmid="1", pmcid="PMC2", arxiv="1706.03762", paper_id=S2, openalex="W123")
    names = id_texts(ids)
    assert names == ("doi:10.1000/x", "pmid:1", "arxiv:1706.03762", f"s2:{S2}", "openalex:W123", "pmcid:PMC2")
    assert identifiers_of(names) == ids


def test_a_provider_is_queried_by_its_preferred_id() -> None:
    names = {"doi:10.1000/x", "pmid:1", "pmid:2"}
    assert best_id(names, ("s2", "pmid", "doi")) == "pmid:1"
    assert best_id(names, ("openalex",)) is None


def test_no_trial_has_the_number_zero() -> None:
    assert read_id("NCT00000000") is None
