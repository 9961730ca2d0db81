from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from citeproc.source.json import CiteProcJSON

from shared.documents.document import DocumentFormat, EntryFields
from shared.documents.reading import read_document
from shared.errors import Unprocessable
from tests.unit.documents.corpus_documents import NEW, cited, corrected, names, read_unchanged

SCHEMA = json.loads((Path(__file__).parents[1] / "exports" / "csl_input_schema.json").read_text("utf-8"))


def items() -> list[dict[str, object]]:
    return [
        {
            "id": f"key{number}",
            "type": "article-journal",
            "title": fact.title,
            "author": [{"family": family, "given": given} for family, given in names(fact)],
            "issued": {"date-parts": [[fact.year, 3, 1]]},
            "container-title": fact.journal,
            "volume": fact.volume,
            "page": fact.pages,
            "DOI": fact.doi,
        }
        for number, fact in enumerate(cited())
    ]


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_citeproc_reads_the_same_items_before_and_after_a_correction(indent: int | None) -> None:
    document = read_unchanged(json.dumps(items(), indent=indent))
    assert document.format is DocumentFormat.CSL_JSON
    for entry, item in zip(document.entries, items(), strict=True):
        assert (entry.label, entry.fields.title, entry.fields.journal) == (
            item["id"],
            item["title"],
            item["container-title"],
        )
        assert entry.fields.doi == str(item["DOI"]).lower()
    written = json.loads(corrected(document, fields=NEW).text)
    jsonschema.validate(written, SCHEMA)
    theirs = CiteProcJSON(written)
    assert list(theirs) == [item["id"] for item in items()]
    for reference in theirs.values():
        assert str(reference.title) == NEW.title
        assert reference.author[0].family == "Müller"
        assert reference.issued.year == 2001
        assert str(reference.issue) == "3"
        assert str(reference.note) == "checked: the year was wrong"


def test_a_correction_changes_its_members_alone() -> None:
    text = (
        '{"items": [\n  {"title": "\\u00c9tude",\n   "issued": {"raw": "1999"}, "note": "mine", '
        '"extra": [1.50, {}]}\n]}'
    )
    document = read_unchanged(text)
    assert (document.entries[0].fields.title, document.entries[0].fields.year) == ("Étude", 1999)
    expected = text.replace('{"raw": "1999"}', '{"date-parts": [[2001]]}').replace(
        '"mine"', '"mine; checked: the year was wrong"'
    )
    assert corrected(document).text == expected


def test_members_are_added_as_the_item_is_formatted() -> None:
    text = '[\n  {\n    "id": 7,\n    "title": "One"\n  },\n  {}\n]\n'
    written = corrected(read_unchanged(text), fields=EntryFields(volume="5"), comment="x")
    assert written.text == (
        '[\n  {\n    "id": 7,\n    "title": "One",\n    "volume": "5",\n    "note": "checked: x"\n  },\n'
        '  {"volume": "5", "note": "checked: x"}\n]\n'
    )


@pytest.mark.parametrize("text", ["[{", '[{"a": }]', "[]", '{"items": []}', '[{"a": "' + "\\" * 9])
def test_json_without_items_is_refused(text: str) -> None:
    with pytest.raises(Unprocessable, match=r"^document: (is not JSON|has no CSL-JSON items)"):
        read_unchanged(text)


@pytest.mark.parametrize("text", ["0", "12", "true", "null", '"a"'])
def test_a_json_value_alone_is_no_document(text: str) -> None:
    with pytest.raises(Unprocessable, match=r"^document: has no CSL-JSON items"):
        read_document(text, DocumentFormat.CSL_JSON)
