"""What the words of a query say that filters do; only what is not a title is read so."""

from __future__ import annotations

from typing import Any

import pytest

from shared.query.filters_in_words import filters_in_words
from shared.query.understanding import understand


@pytest.mark.parametrize(
    ("text", "subject", "fields"),
    [
        ("systematic review TREM2", "TREM2", {"publication_types": ["systematic-review"]}),
        ("a review on microglia", "microglia", {"publication_types": ["review"]}),
        ("TREM2 literature review", "TREM2", {"publication_types": ["review"]}),
        ("meta analysis of aspirin", "aspirin", {"publication_types": ["meta-analysis"]}),
        ("metformin RCT", "metformin", {"publication_types": ["randomized-controlled-trial"]}),
        ("TREM2 pdf free download", "TREM2", {"open_access": True}),
        ("microglia free full text", "microglia", {"open_access": True}),
        ("papers by Yann LeCun", "", {"author": "Yann LeCun"}),
        ("recent articles by Y. LeCun on vision", "vision", {"author": "Y. LeCun", "sort": "date"}),
        ("open access papers on TREM2", "TREM2", {"open_access": True}),
        ("free full text articles about TREM2", "TREM2", {"open_access": True}),
        ("TREM2 open access only", "TREM2", {"open_access": True}),
        ("TREM2 papers that are open-access", "TREM2", {"open_access": True}),
        ("open access TREM2 papers", "TREM2", {"open_access": True}),
        ("find me open access reviews on TREM2", "TREM2", {"open_access": True, "publication_types": ["review"]}),
        ("TREM2 papers with at least 100 citations", "TREM2", {"min_citations": 100}),
        ("TREM2 more than 50 citations", "TREM2", {"min_citations": 51}),
        ("papers with over 1,000 citations on TREM2", "TREM2", {"min_citations": 1001}),
        ("listeria papers with at least 100 citations", "listeria", {"min_citations": 100}),
        ("find me TREM2 papers cited at least 20 times", "TREM2", {"min_citations": 20}),
        ("TREM2 100+ citations", "TREM2", {"min_citations": 100}),
        ("TREM2 citations >= 100", "TREM2", {"min_citations": 100}),
        ("TREM2 papers with 100 or more citations, open access", "TREM2", {"min_citations": 100, "open_access": True}),
        ("TREM2 excluding preprints", "TREM2", {"exclude_preprints": True}),
        ("papers on TREM2 (no preprints)", "TREM2", {"exclude_preprints": True}),
        ("TREM2, no preprints please", "TREM2", {"exclude_preprints": True}),
        ("TREM2 sans preprints", "TREM2", {"exclude_preprints": True}),
        ("recommend any good review papers on TREM2", "TREM2", {"publication_types": ["review"]}),
        (
            "TREM2 papers since 2015, but without preprints",
            "TREM2 papers",
            {"date_from": "2015", "exclude_preprints": True},
        ),
        ("scholarly peer reviewed journal articles on TREM2 since 2015", "TREM2", {"date_from": "2015"}),
        ("find me a research article on TREM2", "TREM2", {}),
        ("highly cited papers on TREM2", "TREM2", {"sort": "citations"}),
        ("which are the most important papers on TREM2", "TREM2", {}),
        ("key references on TREM2", "TREM2", {}),
        ("five key papers related to TREM2", "TREM2", {}),
        ("TREM2: key papers", "TREM2", {}),
        ("key papers in immunology", "immunology", {}),
        ("key papers: TREM2", "TREM2", {}),
        ("Seminal works - TREM2", "TREM2", {}),
        ("must-read papers on TREM2", "TREM2", {}),
        ("landmark trials in immunology", "immunology", {"publication_types": ["clinical-trial"]}),
        ("top cited papers on TREM2", "TREM2", {"sort": "citations"}),
        ("find papers and recent reviews on TREM2", "TREM2", {"publication_types": ["review"], "sort": "date"}),
        ("retrieve articles about TREM2", "TREM2", {}),
        ("I'd like to find papers on TREM2", "TREM2", {}),
        ("get papers: TREM2", "TREM2", {}),
        ("search PubMed for TREM2", "TREM2", {}),
        ("can you search the literature for reviews on TREM2", "TREM2", {"publication_types": ["review"]}),
        ("Papers: TREM2", "Papers: TREM2", {}),
        ("find the paper titled TREM2 variants", "TREM2 variants", {}),
        ("The paper airplane called TREM2", "The paper airplane called TREM2", {}),
        ("Search for the Higgs boson", "the Higgs boson", {}),
        ("find me everything on TREM2", "TREM2", {}),
        ("please find TREM2 variants", "TREM2 variants", {}),
        ("show me the latest on TREM2", "TREM2", {"sort": "date"}),
        ("I'm looking for the paper that introduced TREM2", "the paper that introduced TREM2", {}),
        ("what does the research say about TREM2", "TREM2", {}),
        ("PMID of the paper TREM2 variants", "TREM2 variants", {}),
        ("paper by Guerreiro about TREM2", "TREM2", {"author": "Guerreiro"}),
        ("Show jumping and find dining", "Show jumping and find dining", {}),
        ("TREM2, English only", "TREM2", {"language": "en"}),
        ("TREM2 French articles only", "TREM2", {"language": "fr"}),
        ("TREM2 papers in English only", "TREM2", {"language": "en"}),
        ("TREM2 papers in Turkish only", "TREM2", {"language": "tr"}),
        ("vowel harmony in Turkish only", "vowel harmony in Turkish only", {}),
        ("find articles on TREM2 in Turkish only", "TREM2", {"language": "tr"}),
        ("TREM2 trials published in Turkish only", "TREM2 trials published", {"language": "tr"}),
        (", English only", ", English only", {}),
        ("Against English only", "Against English only", {}),
        ("Language policy: English only", "Language policy: English only", {}),
        ("learning Chinese in Chinese only", "learning Chinese in Chinese only", {}),
        ("syntax, Latin language", "syntax, Latin language", {}),
        ("help me find TREM2 papers", "TREM2", {}),
        ("Handle and DOI for data", "Handle and DOI for data", {}),
        ("give me the DOI of TREM2 variants", "TREM2 variants", {}),
        ("word stress in English", "word stress in English", {}),
        ("teaching only", "teaching only", {}),
        ("top 10 cited papers on TREM2", "TREM2", {"sort": "citations"}),
        ("Searching PubMed and Embase for trials", "Searching PubMed and Embase for trials", {}),
        ("key sources of error in MRI", "key sources of error in MRI", {}),
        ("Studies in hysteria", "Studies in hysteria", {}),
        ("key papers TREM2", "TREM2", {}),
        ("pros and cons of TREM2", "TREM2", {}),
        ("what are the advantages of TREM2", "TREM2", {}),
        ("what are the most common effects of TREM2", "effects of TREM2", {}),
        ("what is the main cause of TREM2 loss", "cause of TREM2 loss", {}),
        ("what are the main group elements", "what are the main group elements", {}),
        ("what are the main risk factors for TREM2", "risk factors for TREM2", {}),
        ("what are the best practices in TREM2", "what are the best practices in TREM2", {}),
        ("what is the main sequence of TREM2", "what is the main sequence of TREM2", {}),
        ("what is major depression", "what is major depression", {}),
        ("what are key performance indicators", "what are key performance indicators", {}),
        ("what is the potential energy of TREM2", "what is the potential energy of TREM2", {}),
        ("what is the latest research on TREM2", "TREM2", {"sort": "date"}),
        ("papers on TREM2 in German only", "TREM2", {"language": "de"}),
        ("scholarly sources on TREM2", "TREM2", {}),
        ("reliable sources of TREM2", "reliable sources of TREM2", {}),
        ("find papers similar to TREM2 in mice", "TREM2 in mice", {}),
        ("TREM2: the advantages of mice", "TREM2: the advantages of mice", {}),
        ("The advantages of being multilingual", "The advantages of being multilingual", {}),
        ("find articles TREM2 variants", "TREM2 variants", {}),
        ("latest papers TREM2", "TREM2", {"sort": "date"}),
        ("peer-reviewed articles TREM2", "TREM2", {}),
        ("Latest publications and awards", "Latest publications and awards", {}),
        ("Find articles using PubMed", "Find articles using PubMed", {}),
        ("recent papers about TREM2 please", "TREM2", {"sort": "date"}),
        ("papers on TREM2 please, thanks in advance!", "TREM2", {}),
        ("could you provide me with recent papers on TREM2?", "TREM2?", {"sort": "date"}),
        ("give me a list of papers on TREM2", "TREM2", {}),
        ("write a short summary of the literature on TREM2", "TREM2", {}),
        ("bibliometric analysis of classic papers", "bibliometric analysis of classic papers", {}),
    ],
)
def test_words_name_filters_and_a_subject(text: str, subject: str, fields: dict[str, Any]) -> None:
    found = filters_in_words(text)
    assert (found.subject, found.fields(None)) == (subject, fields)


@pytest.mark.parametrize(
    ("named", "kind"),
    [
        ("systematic reviews of", "systematic-review"), ("systematic review on", "systematic-review"),
        ("systematic-reviews of", "systematic-review"), ("recent systematic reviews of", "systematic-review"),
        ("systematic literature reviews on", "systematic-review"),
        ("meta-analyses of", "meta-analysis"), ("meta-analysis of", "meta-analysis"),
        ("meta analyses on", "meta-analysis"), ("recent meta-analyses of", "meta-analysis"),
        ("metaanalyses of", "meta-analysis"),
        ("reviews of", "review"), ("review articles on", "review"), ("literature reviews on", "review"),
        ("randomized controlled trials of", "randomized-controlled-trial"),
        ("randomised-controlled trial of", "randomized-controlled-trial"), ("RCTs on", "randomized-controlled-trial"),
        ("find me randomized clinical trials on", "randomized-controlled-trial"),
        ("clinical trials of", "clinical-trial"), ("a clinical trial on", "clinical-trial"),
        ("editorials on", "editorial"), ("an editorial about", "editorial"), ("show me editorials on", "editorial"),
        ("letters on", "letter"), ("a letter to the editor about", "letter"),
        ("preprints on", "preprint"), ("pre-prints about", "preprint"), ("a preprint on", "preprint"),
        ("books on", "book"), ("a book about", "book"), ("book chapters on", "book-chapter"),
        ("theses on", "dissertation"), ("a PhD thesis on", "dissertation"),
        ("doctoral dissertations about", "dissertation"),
        ("conference papers on", "conference-paper"), ("conference proceedings on", "conference-paper"),
        ("datasets on", "dataset"), ("data sets about", "dataset"), ("a data-set on", "dataset"),
        ("technical reports on", "report"), ("errata on", "erratum"), ("retraction notices about", "retraction-notice"),
        ("trial registrations on", "clinical-trial-registration"),
    ],
)  # fmt: skip
def test_every_type_of_papers_can_be_named_in_words(named: str, kind: str) -> None:
    found = filters_in_words(f"{named} TREM2")
    assert found.subject == "TREM2"
    assert found.fields(None)["publication_types"] == [kind]


@pytest.mark.parametrize("text", ["papers on TREM2", "articles on TREM2", "find papers for my thesis on TREM2"])
def test_papers_of_whatever_type_are_no_type(text: str) -> None:
    assert (filters_in_words(text).rest, filters_in_words(text).type) == ("TREM2", None)


@pytest.mark.parametrize(
    "text",
    [
        "reviewer bias in peer review", "sentiment analysis of product reviews", "clinical trial registration",
        "clinical trials", "systematic reviews", "meta-analysis heterogeneity",
        "table extraction from pdf", "X-ray PDF", "open access citation advantage", "the benefits of open access",
        "gold open access", "open access publishing", "predatory open access", "Elsevier open access",
        "Sci-Hub open access", "Plan S open access", "article processing charges open access",
        "understanding open access", "traffic citations over 10", "h-index above 50 citations",
        "self-citation over 50 citations", "washed more than 3 times", "at least 100 citations",
        "no more than 50 citations of TREM2", "datasets for object detection", "love letters", "books in Africa",
        "TREM2 without reviews", "preprints without peer review", "no preprints",
        "TREM2 NOT review", "papers on TREM2 but no reviews",
        "quality of systematic reviews", "case reports of TREM2", "preprints", "the null hypothesis",
        "is it time to exclude preprints?", "the effects of excluding preprints", "latest trends in review papers",
        "studies by country", "TREM2 variants in Alzheimer's disease: a systematic review",
    ],
)  # fmt: skip
def test_words_of_a_subject_or_a_title_are_no_filters(text: str) -> None:
    assert filters_in_words(text).fields(None) == {}


@pytest.mark.parametrize(("text", "telling"), [
    ("Suche nach Artikeln über Alzheimer und Mikroglia", "Alzheimer Mikroglia"),
    ("Bitte suche Studien zum Thema Diabetes", "Diabetes"),
    ("artículos sobre diabetes tipo 2", "diabetes tipo 2"),
    ("Busco estudios sobre la obesidad desde 2015", "obesidad"),
    ("articles sur la maladie d'Alzheimer", "maladie Alzheimer"),
    ("je cherche des études sur l'asthme", "asthme"),
    ("trouve-moi des articles récents sur la migraine", "migraine"),
    ("busco artículos recientes sobre asma", "asma"),
    ("quero artigos sobre dengue", "dengue"),
    ("cerco articoli sulla celiachia", "celiachia"),
    ("ich brauche Literatur zu Burnout", "Burnout"),
    ("Procuro artigos sobre dengue", "dengue"),
    ("关于阿尔茨海默病的论文", "阿尔茨海默病"),
    ("请帮我找关于糖尿病的文献", "糖尿病"),
])  # fmt: skip
def test_requests_in_other_languages_leave_their_subject(text: str, telling: str) -> None:
    assert " ".join(understand(text).telling) == telling


@pytest.mark.parametrize("text", ["Studien über Hysterie", "Estudios sobre la histeria", "关于糖尿病的研究"])
def test_titles_in_other_languages_are_no_requests(text: str) -> None:
    assert filters_in_words(text).rest == text


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("What's TREM2?", "TREM2"), ("whats TREM2", "TREM2"),
        ("why dont microglia clear amyloid", "microglia clear amyloid"),
        ("top 10 papers on TREM2", "TREM2"), ("IL-10 papers on TREM2", "IL-10 TREM2"),
        ("3. TREM2 variants in mice", "TREM2 variants mice"), ("[18] F fluoride uptake", "18 F fluoride uptake"),
        ("2. 4-D dichlorophenoxyacetic acid", "2 4-D dichlorophenoxyacetic acid"),
    ],
)  # fmt: skip
def test_short_forms_and_numbers_around_the_subject_are_not_required(text: str, telling: str) -> None:
    assert " ".join(understand(text).telling) == telling


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("PubMed ID: 36107206", "pmid:36107206"), ("PMID = 36107206", "pmid:36107206"),
        ("doi 10.1056 / nejmoa1211851", "doi:10.1056/nejmoa1211851"), ("DOI=10.1056/x1", "doi:10.1056/x1"),
        ("https: //doi.org/10.1056/ NEJMoa1211851", "doi:10.1056/nejmoa1211851"),
        ("arXiv:1706.03762v7 [cs.CL] 2 Aug 2023", "arxiv:1706.03762"),
        ("is 10.1056/NEJMoa1211851 retracted?", "doi:10.1056/nejmoa1211851"),
    ],
)  # fmt: skip
def test_an_identifier_in_any_spelling_is_looked_up(text: str, name: str) -> None:
    assert (understand(text).kind, understand(text).identifiers) == ("identifiers", (name,))


@pytest.mark.parametrize("text", ["pubmed 2020 update", "S2-2019 cells", "ratio 10.50 / 20.75", "PMID-linked data"])
def test_numbers_beside_the_names_of_schemes_are_words(text: str) -> None:
    assert understand(text).identifiers == ()
