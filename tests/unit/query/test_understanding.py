"""What people type, and as what it is understood before any provider sees it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import Unprocessable
from shared.query.greek import spellings
from shared.query.query import Query
from shared.query.syntax import Tagged, leaves, plain, tidy
from shared.query.telling_words import most_telling, telling_words
from shared.query.understanding import canonical_name, understand

IDENTIFIERS = [
    ("10.1038/s41586-021-03819-2", ["doi:10.1038/s41586-021-03819-2"]),
    ("https://doi.org/10.1038/s41586-021-03819-2", ["doi:10.1038/s41586-021-03819-2"]),
    ("arXiv preprint arXiv:1810.04805 (2018)", ["arxiv:1810.04805"]),
    ("doi:10.1084/jem.20212479 (accessed 3 March 2021)", ["doi:10.1084/jem.20212479"]),
    ("DOI10.1084/jem.20212479", ["doi:10.1084/jem.20212479"]),
    ("please download 10.1084/jem.20212479", ["doi:10.1084/jem.20212479"]),
    ("PMID: 36107206", ["pmid:36107206"]),
    ("pmid 36107206, PMC5938574", ["pmid:36107206", "pmcid:PMC5938574"]),
    ("36107206[pmid] OR 19302484[uid]", ["pmid:36107206", "pmid:19302484"]),
    ('DOI:"10.1084/jem.20212479"', ["doi:10.1084/jem.20212479"]),
    ("10.1084/jem.20212479 OR 10.1056/nejmoa1211851", ["doi:10.1084/jem.20212479", "doi:10.1056/nejmoa1211851"]),
    ("EXT_ID:36107206", ["pmid:36107206"]),
    ("id:1706.03762", ["arxiv:1706.03762"]),
    ("PMID 36107206, 19302484", ["pmid:36107206", "pmid:19302484"]),
    ("PMIDs: 36107206 19302484", ["pmid:36107206", "pmid:19302484"]),
    ("PMC 5938574", ["pmcid:PMC5938574"]),
    ("https://europepmc.org/article/MED/36107206", ["pmid:36107206"]),
    ("MED/36107206", ["pmid:36107206"]),
    ("PMC/PMC5938574", ["pmcid:PMC5938574"]),
    ("https://www.nature.com/articles/s41586-019-1769-z", ["doi:10.1038/s41586-019-1769-z"]),
    ("arXiv:1706.03762v5", ["arxiv:1706.03762"]),
    ("1706.03762", ["arxiv:1706.03762"]),
    ("https://arxiv.org/abs/1706.03762", ["arxiv:1706.03762"]),
    ("W2741809807", ["openalex:W2741809807"]),
    ("204e3073870fae3d05bcbc2f6a8e263d9b72e776", ["s2:204e3073870fae3d05bcbc2f6a8e263d9b72e776"]),
    ("10.9999/does.not.exist", ["doi:10.9999/does.not.exist"]),
]


@pytest.mark.parametrize(("text", "names"), IDENTIFIERS, ids=[text for text, _ in IDENTIFIERS])
def test_identifiers_are_no_words_to_search_for(text: str, names: list[str]) -> None:
    understood = understand(text)
    assert (understood.kind, list(understood.identifiers), understood.is_searchable) == ("identifiers", names, False)


def test_an_identifier_among_words_is_looked_up_and_the_words_are_searched_for() -> None:
    understood = understand("Guerreiro 2013 doi:10.1056/nejmoa1211851")
    assert understood.identifiers == ("doi:10.1056/nejmoa1211851",)
    assert (understood.telling, understood.is_searchable) == (("Guerreiro", "2013"), True)


def test_a_year_behind_pmc_is_no_identifier() -> None:
    assert understand("PMC 2019 author manuscripts").identifiers == ()


def test_a_versioned_arxiv_id_among_words_is_looked_up() -> None:
    assert understand("1706.03762v1 attention").identifiers == ("arxiv:1706.03762",)


@pytest.mark.parametrize("form", ["PMID:{}", "{}", "10.1000/{}"])
def test_more_identifiers_than_can_be_looked_up_are_refused(form: str) -> None:
    at_most = " ".join(form.format(36107200 + number) for number in range(20))
    assert len(understand(at_most).identifiers) == 20
    with pytest.raises(Unprocessable, match="query"):
        understand(f"{at_most} {form.format(36107220)}")


@pytest.mark.parametrize(("text", "names"), [("36107206", ("pmid:36107206",)), ("2020", ()), ("12, 7", ())])
def test_a_number_alone_is_at_most_a_pmid(text: str, names: tuple[str, ...]) -> None:
    understood = understand(text)
    assert (understood.kind, understood.identifiers, understood.is_searchable) == ("number", names, False)


KINDS = [
    ("I need a hero: superheroes in film", "sentence"),
    ("I need TREM2 and microglia", "question"),
    ("TREM2 microglia", "keywords"),
    ("How does CRISPR-Cas9 cause off-target effects in human cells?", "question"),
    ("does metformin reduce cancer risk", "question"),
    ("¿Qué efecto tiene la vitamina D en el cáncer?", "question"),
    ("Attention is all you need", "sentence"),
    ("retrieval-augmented generation (RAG)", "keywords"),
    ("What Does BERT Look at? An Analysis of BERT's Attention", "sentence"),
    ("Is TREM2 a receptor?", "question"),
    ("TREM2 AND microglia", "expression"),
    ('"innate immunity"', "expression"),
    ("TREM2[tiab]", "expression"),
    ("TITLE:TREM2", "expression"),
    ("ATTENTION IS NOT EXPLANATION", "sentence"),
    ("", "none"),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_a_query_has_a_kind(text: str, kind: str) -> None:
    assert understand(text).kind == kind


TELLING = [
    ("How does CRISPR-Cas9 cause off-target effects in human cells?", "CRISPR-Cas9 off-target human cells"),
    # PubMed's help: of this question, search for `pain, sleep disorders` alone
    ("What role does pain have in sleep disorders", "pain sleep disorders"),
    ("Reconnaissance de formes par TREM2 dans la maladie d'Alzheimer", "Reconnaissance formes TREM2 maladie Alzheimer"),
    ("does metformin reduce cancer risk?", "metformin cancer risk"),
    ("asthma in kids under 6", "asthma kids"),
    ("falls of adults older than 65 years", "falls adults older"),
    ("outcomes of children aged 2 to 5", "outcomes children"),
    ("survival below 50% of type 2 diabetes and IL 6", "survival below 50% type 2 diabetes IL 6"),
    ("will there be such a model", "model"),
    ("what does the WHO recommend", "WHO recommend"),
    ("what does the who recommend", "recommend"),
    ("placebo effect", "placebo effect"),
    ("the role of IL-6 and p53", "IL-6 p53"),
    # generic words of terms that would name something else without them
    ("social work in hospitals", "social work hospitals"),
    ("negative affect in smokers", "negative affect smokers"),
    ("obesity in New Mexico", "obesity New Mexico"),
    ("a new approach to shift work and its effects on nurses", "shift work nurses"),
    ("to be or not to be", "to be or not"),
    # words of grammar in other languages that are words or abbreviations in English
    ("er stress apoptosis", "er stress apoptosis"),
    ("gulf war syndrome", "gulf war syndrome"),
    ("na channel blockers", "na channel blockers"),
    ("non small cell lung cancer", "non small cell lung cancer"),
    # beside a word of grammar that both languages have
    ("non small cell lung cancer in women", "non small cell lung cancer women"),
    ("civil war in Syria", "civil war Syria"),
    ("Gewalt in der Schule", "Gewalt Schule"),
    ("medications I take", "medications take"),
    ("is the lipid a risk factor", "lipid risk factor"),
    ("grade 3 or above adverse events", "grade 3 above adverse events"),
    ("Depression bei Jugendlichen in Deutschland", "Depression Jugendlichen Deutschland"),
    ("poetry of World War I that I like", "poetry World War I"),
    ("bisphenol A in mice", "bisphenol A mice"),
    ("us hospitals burnout", "us hospitals burnout"),
    ("does it work for us", "work"),
    ("Depression und Angst", "Depression Angst"),
    ("obesidad en adolescentes", "obesidad adolescentes"),
]


@pytest.mark.parametrize(("text", "kind"), [
    ("ALL OR AML", "expression"), ("(WHO AND UNICEF) AND MALARIA", "expression"), ("IN VITRO AND IN VIVO", "sentence"),
])  # fmt: skip
def test_a_word_of_grammar_alone_between_operators_is_an_acronym(text: str, kind: str) -> None:
    assert understand(text).kind == kind


def test_an_accent_in_the_place_of_an_apostrophe_is_one() -> None:
    assert understand("Alzheimer\u00b4s disease").telling == ("Alzheimer's", "disease")


def test_a_term_of_an_expression_keeps_words_that_are_grammar_in_another_language() -> None:
    assert understand("tai chi AND falls").telling == ("tai", "chi", "falls")


def test_an_article_is_grammar_beside_a_word_with_an_accent() -> None:
    assert understand("la migraña").telling == ("migraña",)
    assert understand("la crosse virus").telling == ("la", "crosse", "virus")


@pytest.mark.parametrize(("text", "telling"), TELLING)
def test_function_words_are_left_out_and_symbols_stay(text: str, telling: str) -> None:
    assert " ".join(telling_words(text)) == telling


def test_the_most_telling_words_are_symbols_and_long_words_in_their_order() -> None:
    assert most_telling(telling_words("effects of IL-6 on brain neuroinflammation"), 2) == ("IL-6", "neuroinflammation")


GREEK = [
    ("Aβ42", "Abeta42"),
    ("Abeta42", "Aβ42"),
    ("TNF-alpha", "TNF-α"),
    ("β-amyloid", "beta-amyloid"),
    ("NFkappaB", "NFκB"),
    ("Beta-catenin", "β-catenin"),
]


@pytest.mark.parametrize(("word", "other"), GREEK)
def test_greek_letters_and_their_names_are_two_spellings_of_one_word(word: str, other: str) -> None:
    assert spellings(word) == (word, other)


@pytest.mark.parametrize("word", ["meta", "alphabet", "betamethasone", "deltas", "gene"])
def test_a_word_that_only_begins_like_a_letters_name_has_one_spelling(word: str) -> None:
    assert spellings(word) == (word,)


TAGS = [
    ("TREM2[tiab]", "title_abstract", "pubmed"),
    ('"Alzheimer Disease"[Mesh]', "mesh", "pubmed"),
    ("Colonna M[au]", "author", "pubmed"),
    ("2015:2020[dp]", "date", "pubmed"),
    ('"2015/01/01"[Date - Publication] : "2020/12/31"[Date - Publication]', "date", "pubmed"),
    ("review[Publication Type]", "type", "pubmed"),
    ('AUTH:"Doudna JA"', "author", "europe_pmc"),
    ("PUB_YEAR:[2015 TO 2020]", "date", "europe_pmc"),
    ("ti:attention", "title", "arxiv"),
    ("cat:cs.CL", "category", "arxiv"),
]


@pytest.mark.parametrize(("written", "field", "syntax"), TAGS)
def test_a_field_tag_names_a_field_and_the_source_that_owns_it(written: str, field: str, syntax: str) -> None:
    tagged = [leaf for leaf in leaves(understand(f"TREM2 AND {written}").node) if isinstance(leaf, Tagged)]
    assert [(leaf.field, leaf.syntax) for leaf in tagged] == [(field, syntax)]


def test_a_tag_before_a_group_belongs_to_each_of_its_terms() -> None:
    node = understand('TITLE_ABS:(trem2 AND "amyloid beta")').node
    assert [leaf.written for leaf in leaves(node) if isinstance(leaf, Tagged)] == [
        "TITLE_ABS:trem2",
        'TITLE_ABS:"amyloid beta"',
    ]


@pytest.mark.parametrize("text", ["Alzheimer: a review", "[18F]FDG PET", "COVID-19:mortality", "smile :)"])
def test_a_colon_or_a_bracket_alone_makes_no_tag(text: str) -> None:
    assert understand(text).kind in ("keywords", "sentence")


@pytest.mark.parametrize("text", ["et al", "ET AL.", 'ET"AL', "(et al)", "et al OR et al", "et al AND et al",
                                  "(et al) NOT mouse", "|[ti]au:", "如何", "aged 5"])  # fmt: skip
def test_words_that_say_nothing_are_searched_for_where_there_are_no_others(text: str) -> None:
    understood = understand(text)
    assert understood.telling
    assert all(plain(leaf) for leaf in leaves(understood.node))


@given(st.text(max_size=60))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        understood = understand(text)
    except Unprocessable:
        return
    assert understood.kind == "none" or understood.telling


COPIED = [("micro\u00adglia TREM2\u200b", "microglia TREM2"), ("<b>TREM2</b>&nbsp;microglia", "TREM2 microglia")]


@pytest.mark.parametrize(("copied", "text"), COPIED)
def test_markup_and_invisible_characters_are_no_words(copied: str, text: str) -> None:
    assert understand(copied).telling == understand(text).telling


@pytest.mark.parametrize(("copied", "text"), [
    ("TREM2\u200bmicroglia", "TREM2 microglia"), ("<b>tau\u200bmice</b> & x", "tau mice & x"),
    ("(tau\u200bOR amyloid)\u200b", "(tau OR amyloid)"), ("ភាសា\u200bខ្មែរ", "ភាសា ខ្មែរ"),
    ("10.1038/nat\u200bure12373", "10.1038/nature12373"), ("doi:10.1038/\u200bx tau", "doi:10.1038/x tau"),
    ("https://doi.org/10.10\u200b38/x", "https://doi.org/10.1038/x"), ("می\u200cخواهم", "می\u200cخواهم"),
    ("क\u200dष", "क\u200dष"), ("micro\u2060glia", "microglia"),
])  # fmt: skip
def test_a_blank_without_width_divides_words_but_no_identifiers(copied: str, text: str) -> None:
    assert tidy(copied) == text


@pytest.mark.parametrize(("typed", "sent"), [
    ("MÜLLER", "Müller"), ("DOUDNA JA", "Doudna JA"), ("DUPONT Jean", "DUPONT Jean"), ("Doudna JA", "Doudna JA"),
])  # fmt: skip
def test_a_name_in_capitals_is_written_as_names_are(typed: str, sent: str) -> None:
    assert canonical_name(typed) == sent


def test_raised_and_lowered_digits_are_sent_as_typed() -> None:
    assert tidy("10² cells, H₂O, ﬁbrosis") == "10² cells, H₂O, fibrosis"


def test_case_is_folded_in_the_key_alone() -> None:
    one, other = Query(text="TREM2 Microglia", author="Doudna JA"), Query(text="trem2 microglia", author="doudna ja")
    assert (one.text, one.author) == ("TREM2 Microglia", "Doudna JA")
    assert one.cache_key() == other.cache_key()


def test_capitals_that_change_what_is_searched_for_change_the_key() -> None:
    assert Query(text="what does the WHO say").cache_key() != Query(text="what does the who say").cache_key()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "https://doi.org/10.1002/(SICI)1097-4679(199701)53:1%3C3::AID-JCLP2%3E3.0.CO;2-A",
            "doi:10.1002/(sici)1097-4679(199701)53:1<3::aid-jclp2>3.0.co;2-a",
        ),
        ("https://pubmed.gov/36107206", "pmid:36107206"),
        ("https://europepmc.org/article/med/361072061", "pmid:361072061"),
    ],
)
def test_an_address_is_looked_up_as_the_id_that_it_names(text: str, name: str) -> None:
    assert understand(text).identifiers == (name,)
    assert understand(text).kind == "identifiers"
