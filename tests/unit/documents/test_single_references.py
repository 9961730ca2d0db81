"""A text that was sent as one reference: a list of several, or one that is printed on several lines."""

from __future__ import annotations

import pytest

from shared.documents import single_reference
from shared.documents.single_reference import record_in, references_in

FIRST = "Guerreiro R, Wojtas A. TREM2 variants in Alzheimer's disease. N Engl J Med. 2013;368:117-127."
SECOND = (
    "Jonsson T, Stefansson H. Variant of TREM2 associated with the risk of disease. N Engl J Med. 2013;368:107-116."
)


@pytest.mark.parametrize(
    "text",
    [
        f"1. {FIRST}\n2. {SECOND}",
        f"References\n\n1. {FIRST}\n2. {SECOND}\n",
        f"[1] {FIRST} [2] {SECOND}",
        f"{FIRST}\n{SECOND}",
        f"- {FIRST}\n- {SECOND}",
        "@article{a, title={A title of one}, year=2013}\n@article{b, title={A title of two}, year=2014}",
        "TY  - JOUR\nTI  - A title of one\nER  - \nTY  - JOUR\nTI  - A title of two\nER  - ",
    ],
)
def test_a_list_has_several_references(text: str) -> None:
    assert references_in(text) == 2


@pytest.mark.parametrize(
    "text",
    [
        FIRST,
        f"1. {FIRST}",
        f"{FIRST}\nhttps://doi.org/10.1056/nejmoa1211851",
        "TREM2 variants in Alzheimer's disease\nGuerreiro R, Wojtas A, et al.\nN Engl J Med 2013; 368:117-127\n"
        "DOI: 10.1056/NEJMoa1211851",
        f"{FIRST}\nReceived 11 May 2012\nAccepted 12 July 2012",
        "@article{a, title={A title of one}, year=2013}",
        "10.1056/nejmoa1211851",
        "Иванов И. И., Петров П. П. Микроглия при болезни // Журнал неврологии. 2019. Т. 4. № 2. С. 12-19.\n"
        "Ivanov I. I., Petrov P. P. Microglia in disease. Zhurnal nevrologii. 2019;4(2):12-19. doi:10.9999/1",
        "",
    ],
)
def test_one_reference_stays_one_on_however_many_lines(text: str) -> None:
    assert references_in(text) == 1


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("PT J\nTI On mice\nPY 2016\nER", "On mice"),
        ("Title,Year\nOn mice,2016", "On mice"),
        ("PMID- 1\nTI  - On mice\n", "On mice"),
        ("Title,Year\nOn mice,2016\nOn cells,2017", None),
        ("Title,Year\n,2016", None),
        ("<xml><records><record>", None),
        ("TY  - JOUR\nTI  - On mice\nER  - ", None),
        (FIRST, None),
    ],
)
def test_one_record_of_an_export_is_an_entry_with_its_fields(text: str, title: str | None) -> None:
    entry = record_in(text)
    assert (entry.fields.title if entry else None) == title


def test_a_reference_on_one_line_is_not_read_as_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_reference, "read_document", lambda _: pytest.fail("read as a document"))
    assert references_in("Doe J, Roe K. A title of plain words. J Mice. 2015;5:1-2. doi:10.1000/x") == 1
