"""Values that are names of a fixed list, as people write them."""

from __future__ import annotations

from typing import Any

import pytest

from shared.bibliography.fields_of_study import FIELDS_OF_STUDY, read_field_of_study
from shared.bibliography.languages import NAMES, language_code, read_language, three_letter_code
from shared.bibliography.paper import PAPER_TYPES
from shared.bibliography.paper_types import is_of_type, read_paper_type, with_kinds
from shared.errors import Unprocessable
from shared.query.query import Query
from shared.search.requests.search_request import SearchRequest, read_request

PROVIDERS = ("arxiv", "europe_pmc", "openalex", "pubmed", "semantic_scholar")


def query_of(**fields: Any) -> Query:
    return read_request({"query": "TREM2", **fields}, PROVIDERS).leg_query("TREM2")


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("English", "en"), ("en", "en"), ("eng", "en"), ("EN-gb", "en"), ("German", "de"), ("de", "de"), ("ger", "de"),
        ("deu", "de"), ("Deutsch", "de"), ("español", "es"), (" chinese ", "zh"), ("中文", "zh"),
    ],
)  # fmt: skip
def test_a_language_is_read_as_people_write_it(typed: str, code: str) -> None:
    assert query_of(language=typed).language == code


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Computer Science", "computer-science"), ("computer_science", "computer-science"), ("CS", "computer-science"),
        ("Agricultural and Food Sciences", "agriculture"), ("MEDICINE", "medicine"), ("maths", "mathematics"),
    ],
)  # fmt: skip
def test_a_field_of_study_is_read_as_people_write_it(typed: str, name: str) -> None:
    assert query_of(field_of_study=typed).field_of_study == name


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ("Clinical Trial", "clinical-trial"), ("clinical trials", "clinical-trial"),
        ("RCT", "randomized-controlled-trial"),
        ("RCTs", "randomized-controlled-trial"), ("randomized controlled trial", "randomized-controlled-trial"),
        ("Randomised Controlled Trials", "randomized-controlled-trial"), ("meta-analysis", "meta-analysis"),
        ("Meta-Analyses", "meta-analysis"), ("metaanalysis", "meta-analysis"), ("meta analysis", "meta-analysis"),
        ("systematic review", "systematic-review"), ("Systematic Reviews", "systematic-review"), ("Review", "review"),
        ("reviews", "review"), ("review article", "review"), ("Preprints", "preprint"), ("Thesis", "dissertation"),
        ("theses", "dissertation"), ("Journal Article", "journal-article"), ("journal_articles", "journal-article"),
        ("Letter to the Editor", "letter"), ("Books", "book"),
    ],
)  # fmt: skip
def test_a_publication_type_is_read_as_people_write_it(typed: str, kind: str) -> None:
    assert query_of(publication_types=typed).publication_types == (kind,)


def test_types_of_one_meaning_count_once() -> None:
    assert query_of(publication_types="RCT, randomised trial,Reviews").publication_types == (
        "randomized-controlled-trial", "review",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("PubMed", ("pubmed",)), ("Europe PMC", ("europe_pmc",)), ("europepmc", ("europe_pmc",)),
        ("Europe-PMC", ("europe_pmc",)), ("s2", ("semantic_scholar",)), ("S2,Semantic Scholar", ("semantic_scholar",)),
        ("SemanticScholar", ("semantic_scholar",)), ("OpenAlex", ("openalex",)), ("Open Alex", ("openalex",)),
        ("arXiv, MEDLINE", ("arxiv", "pubmed")), ("all", ()), ("All, pubmed", ()), ("Auto", ("auto",)),
    ],
)  # fmt: skip
def test_a_provider_is_read_as_people_write_it(typed: str, names: tuple[str, ...]) -> None:
    assert read_request({"query": "a", "providers": typed}, PROVIDERS).providers == names
    assert read_request({"query": "a", "providers": typed.split(",")}, PROVIDERS).providers == names


@pytest.mark.parametrize(
    ("kind", "wanted", "passes"),
    [
        ("systematic-review", "review", True), ("meta-analysis", "review", True), ("review", "review", True),
        ("randomized-controlled-trial", "clinical-trial", True), ("review", "systematic-review", None),
        ("meta-analysis", "systematic-review", None), ("clinical-trial", "randomized-controlled-trial", None),
        ("journal-article", "review", False), ("review", "journal-article", False), ("meta-analysis", "letter", False),
        ("clinical-trial", "review", False), ("systematic-review", "randomized-controlled-trial", False),
    ],
)  # fmt: skip
def test_a_type_passes_for_the_wider_type(kind: str, wanted: str, passes: bool | None) -> None:
    assert is_of_type(kind, (wanted,)) is passes


def test_the_wider_type_is_followed_by_its_kinds() -> None:
    assert with_kinds(("review", "letter")) == ["review", "letter", "systematic-review", "meta-analysis"]


def test_every_type_is_read_as_itself() -> None:
    assert [read_paper_type(kind) for kind in PAPER_TYPES] == list(PAPER_TYPES)


@pytest.mark.parametrize(
    ("field", "typed", "valid"),
    [
        ("language", "klingon", ("de", "en")),
        ("language", "und", ("de",)),
        ("field_of_study", "magic", FIELDS_OF_STUDY),
        ("publication_types", "poem", PAPER_TYPES),
        ("publication_types", "-", PAPER_TYPES),
        ("providers", "scopus", PROVIDERS),
    ],
)
def test_an_unknown_name_is_an_error_that_names_the_valid_ones(field: str, typed: str, valid: tuple[str, ...]) -> None:
    with pytest.raises(Unprocessable) as caught:
        query_of(**{field: typed})
    (fault,) = caught.value.errors
    assert fault.field == field
    assert all(name in fault.message for name in valid)


def test_the_schema_lists_the_names() -> None:
    properties = SearchRequest.model_json_schema()["properties"]
    assert properties["language"]["anyOf"][0]["enum"] == list(NAMES)
    assert properties["field_of_study"]["anyOf"][0]["enum"] == list(FIELDS_OF_STUDY)


def test_every_name_in_the_schema_is_read_as_itself() -> None:
    assert all(read_language(code) == read_language(name) == code for code, name in NAMES.items())
    assert all(language_code(three_letter_code(code)) == code for code in NAMES)
    assert all(read_field_of_study(name) == name for name in FIELDS_OF_STUDY)
    assert all(read_field_of_study(it.semantic_scholar) == name for name, it in FIELDS_OF_STUDY.items())
