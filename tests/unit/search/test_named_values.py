"""Values that are names of a fixed list, as people write them."""

from __future__ import annotations

from typing import Any

import pytest

from shared.bibliography.fields_of_study import FIELDS_OF_STUDY, read_field_of_study
from shared.bibliography.languages import NAMES, language_code, read_language, three_letter_code
from shared.errors import Unprocessable
from shared.query.query import Query
from shared.search.request import SearchRequest, read_request

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
    ("field", "typed", "valid"),
    [("language", "klingon", ("de", "en")), ("language", "und", ("de",)), ("field_of_study", "magic", FIELDS_OF_STUDY)],
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
