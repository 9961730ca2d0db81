"""Tables as people send them: saved by a spreadsheet, cut, edited by hand, or no table of papers at all."""

from __future__ import annotations

import pytest

from shared.bibliography.paper import Author
from shared.documents.bounds import MAX_ENTRIES
from shared.documents.document import DocumentFormat, EntryFields
from shared.documents.reading import read_document
from shared.errors import Unprocessable
from tests.unit.documents.corpus_documents import read_unchanged

HEADER = "Title,Authors,Year,Journal,DOI"
ONE = "On mice,Doe J,2016,eLife,10.1000/one"
TWO = "On cells,Roe K,2017,Cell,10.1000/two"
BOTH = ["On mice", "On cells"]


def titles(text: str) -> list[str | None]:
    document = read_unchanged(text)
    assert document.format is DocumentFormat.TABLE
    return [entry.fields.title for entry in document.entries]


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER}\n{ONE}\n{TWO}",
        f"{HEADER}\r{ONE}\r{TWO}\r",
        f"\n \n{HEADER}\n\n{ONE}\n\n{TWO}\n\n",
        f"sep=,\r\n{HEADER}\r\n{ONE}\r\n{TWO}\r\n",
        f"sep=;\n{HEADER}\n{ONE}\n{TWO}\n".replace(",", ";"),
        f"About the data: exported on 1 May, all rights reserved\n{HEADER}\n{ONE}\n{TWO}\n",
        f"{HEADER.upper()}\n{ONE}\n{TWO}\n",
        f"{HEADER.lower()}\n{ONE}\n{TWO}\n",
        f'"{HEADER}"\n"{ONE}"\n"{TWO}"\n'.replace(",", '","'),
        f" {HEADER} \n {ONE}\n {TWO}\n".replace(",", " , "),
        f",{HEADER}\n0,{ONE}\n1,{TWO}\n",
        f"{HEADER},,,\n{ONE},,,\n,,,,,,,\n{TWO},,,\n",
        f"{HEADER}\n{ONE}\nOn cells,Roe K\n",
        f"{HEADER}\n{ONE}\n{HEADER}\n{TWO}\n",
        f"{HEADER},Title\n{ONE},Another\n{TWO},Another\n",
        f"{HEADER}\n{ONE}\n{TWO}\n".replace("DOI", "Full text"),
    ],
    ids=[
        "no end", "CR alone", "blank lines", "sep", "semicolons", "a line before", "capitals", "small letters",
        "quoted", "blanks", "an index", "empty columns", "a short row", "a second header",
        "a name twice", "an unknown column",
    ],
)  # fmt: skip
def test_a_table_is_read_however_it_was_saved(text: str) -> None:
    assert titles(text) == BOTH


@pytest.mark.parametrize(
    "header",
    [
        "Titel;Autor;Jahr;Zeitschrift;Band;Heft;Seiten",
        "Titre;Auteur(s);Année;Revue;Volume;Numéro;Pages",
        "Título;Autor(es);Año;Revista;Volumen;Número;Páginas",
        "Titolo;Autori;Anno;Rivista;Volume;Numero;Pagine",
        "文献标题;作者;年份;来源出版物名称;卷;期;起始页码",
        "タイトル;著者名;出版年;出版物名;巻;号;開始ページ",
        "display_name;authorships.author.display_name;publication_year;primary_location.source.display_name;"
        "biblio.volume;biblio.issue;biblio.first_page",
    ],
)
@pytest.mark.parametrize("people", ['"Doe J.; Roe K."', "J. Doe|K. Roe"])
def test_a_table_has_its_columns_in_other_languages(header: str, people: str) -> None:
    (entry,) = read_unchanged(f"{header}\nOn mice;{people};2016;eLife;5;3;12\n").entries
    stated = entry.fields
    assert (stated.title, stated.year, stated.journal) == ("On mice", 2016, "eLife")
    assert (stated.volume, stated.issue, stated.pages) == ("5", "3", "12")
    assert [it.family for it in stated.authors] == ["Doe", "Roe"]


@pytest.mark.parametrize(
    ("row", "title"),
    [
        ('"On ""mice"", and\nmen",Doe J,2016,eLife,', 'On "mice", and men'),
        ('"On, mice",Doe J,2016,eLife,', "On, mice"),
        ('"On mice,Doe J,2016,eLife,', '"On mice'),
        ('On "mice",Doe J,2016,eLife,', 'On "mice"'),
        ('"On" mice,Doe J,2016,eLife,', '"On" mice'),
        ("On <i>mice</i> &amp; men,Doe J,2016,eLife,", "On mice & men"),
        ("On mice and Größe,Doe J,2016,eLife,", "On mice and Größe"),
        (",Doe J,2016,eLife,10.1000/one", None),
        ("=1+1,Doe J,2016,eLife,", "=1+1"),
    ],
)
def test_a_quotation_mark_that_is_not_closed_costs_no_other_row(row: str, title: str | None) -> None:
    assert titles(f"{HEADER}\n{TWO}\n{row}\n{TWO}\n") == ["On cells", title, "On cells"]


def test_where_tabs_separate_a_quotation_mark_is_a_sign_of_the_title() -> None:
    text = f'{HEADER}\n"Cold fusion,Doe J,2016,eLife,\nOn cells,Roe K,2017,Cell of "life",\n'.replace(",", "\t")
    assert titles(text) == ['"Cold fusion', "On cells"]


@pytest.mark.parametrize(
    ("cell", "doi"),
    [
        ("10.1000/One", "10.1000/one"),
        ("https://doi.org/10.1000/one", "10.1000/one"),
        ("http://dx.doi.org/10.1000%2Fone", "10.1000/one"),
        ("doi:10.1000/one", "10.1000/one"),
        ("DOI 10.1000/one", "10.1000/one"),
        ("https://example.org/doi/full/10.1000/one", "10.1000/one"),
        ("none", None),
        ("NA", None),
    ],
)
def test_a_doi_is_read_in_any_of_its_forms(cell: str, doi: str | None) -> None:
    (entry,) = read_unchanged(f"{HEADER}\nOn mice,Doe J,2016,eLife,{cell}\n").entries
    assert entry.fields.doi == doi


def test_numbers_that_a_spreadsheet_wrote_as_decimals_are_whole() -> None:
    (entry,) = read_unchanged("Title,Year,Volume,PMID\nOn mice,2016.0,5.0,12345678.0\n").entries
    assert entry.fields == EntryFields(title="On mice", year=2016, volume="5", pmid="12345678")


@pytest.mark.parametrize(
    ("cell", "families"),
    [
        ('"Doe, Jane; van der Berg, Jan"', ["Doe", "van der Berg"]),
        ('"van der Berg, Jan"', ["van der Berg"]),
        ('"Doe J, Roe K."', ["Doe", "Roe"]),
        ('"J Doe, K Roe"', ["Doe", "Roe"]),
        ('"Doe, Jane and van der Berg, Jan"', ["Doe", "van der Berg"]),
        ('"Doe, J., Roe, K."', ["Doe", "Roe"]),
        ('"Doe, Jane (57190000001); Roe, Kim (5)"', ["Doe", "Roe"]),
        ("Doe J et al.", ["Doe"]),
        ("[Anonymous]", []),
        ("[No author name available]", []),
        ('""', []),
    ],
)
def test_authors_are_read_as_each_export_writes_them(cell: str, families: list[str]) -> None:
    (entry,) = read_unchanged(f"Title,Authors,Year\nOn mice,{cell},2016\n").entries
    assert [author.family for author in entry.fields.authors] == families


def test_full_names_come_before_short_ones() -> None:
    (entry,) = read_unchanged('AU,AF,TI,PY\n"Doe, J","Doe, Jane",On mice,2016\n').entries
    assert entry.fields.authors == (Author(family="Doe", given="Jane"),)


def test_a_row_with_more_cells_than_the_header_is_read_as_text() -> None:
    document = read_unchanged(f"{HEADER}\n{ONE}\n{TWO}\nOn mice, men, and all,Doe J,2016,eLife,10.1000/three\n")
    assert [entry.is_tagged for entry in document.entries] == [True, True, False]
    assert document.entries[2].fields.doi == "10.1000/three"
    assert "more cells than the header" in document.warnings[1].message


@pytest.mark.parametrize(
    "text",
    [
        "Name,Points,Year\nDoe,12,2016\nRoe,13,2017\n",
        "Title\nOn mice\nOn cells\n",
        "Title,Colour\nOn mice,red\n",
        f"{ONE}\n{TWO}\n",
        "Author, Year, Title\nVaswani, A., Shazeer, N., 2017, Attention is all you need. NeurIPS\n",
        "Otsikko,Tekijä,Vuosi\nOn mice,Doe J,2016\n",
        "| Title | Authors | Year |\n|---|---|---|\n| On mice | Doe J | 2016 |\n",
        f"{HEADER}\n",
    ],
)
def test_a_text_whose_first_line_is_no_header_of_papers_is_no_table(text: str) -> None:
    try:
        assert read_document(text).format in (DocumentFormat.TEXT, DocumentFormat.MARKDOWN)
    except Unprocessable as error:
        assert "has no list of references" in str(error)


def test_a_table_in_another_encoding_is_read() -> None:
    text = f"{HEADER}\nÜber Mäuse,Doe J,2016,eLife,\n".replace(",", ";")
    for encoding in ("cp1252", "utf-8-sig", "utf-16"):
        (entry,) = read_document(text.encode(encoding)).entries
        assert entry.fields.title == "Über Mäuse"


@pytest.mark.parametrize("format", [None, DocumentFormat.TABLE])
def test_ten_thousand_rows_are_refused_with_the_bound(format: DocumentFormat | None) -> None:
    with pytest.raises(Unprocessable, match=f"has more than {MAX_ENTRIES:,} references"):
        read_document(f"{HEADER}\n" + f"{ONE}\n" * 10_000, format)


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(Unprocessable, match="has a header and no rows below it"):
        read_document(f"{HEADER}\n,,,,\n", DocumentFormat.TABLE)


@pytest.mark.parametrize(("cell", "families"), [
    ("Ashish Vaswani, Noam Shazeer", ["Vaswani", "Shazeer"]), ("van der Berg, Jan Willem", ["van der Berg"]),
    ("Garcia, Gabriel Jose", ["Garcia"]), ("Garcia Marquez, Gabriel J.", ["Garcia Marquez"]),
    ("Garcia Marquez, Gabriel J.M.", ["Garcia Marquez"]),
    ("Wei ZHANG; Li WANG", ["ZHANG", "WANG"]),
])  # fmt: skip
def test_two_people_in_a_cell_are_two_authors(cell: str, families: list[str]) -> None:
    entry = read_document(f'Title,Authors,Year\nAttention is all you need,"{cell}",2017\n').entries[0]
    assert [it.family for it in entry.fields.authors] == families


def test_a_text_in_windows_1251_is_read_as_cyrillic() -> None:
    line = "Иванов И.И. Методы машинного обучения в медицине // Вестник науки. – 2018. – Т. 5, № 2. – С. 12–20."
    document = read_document(f"Литература\n1. {line}\n".encode("cp1251"))
    assert (document.entries[0].line, "Windows-1251" in document.warnings[0].message) == (line, True)
    western = read_document(f"References\n1. {'Müller Ä. Über äöü ÄÖÜ. ' * 3}2018;5:1-2.\n".encode("cp1252"))
    assert "Windows-1252" in western.warnings[0].message
