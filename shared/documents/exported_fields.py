"""Fields of a reference under the names that databases and reference managers export them: columns, tags, elements.

Sources: the exports of PubMed, Scopus (in Chinese and Japanese too), Web of Science (columns and field tags), Zotero,
OpenAlex, Rayyan, Covidence, Lens and Publish or Perish, and this service's own CSV. Tables that people make have the
words of their language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from shared.bibliography.name_patterns import initials
from shared.bibliography.paper import MAX_AUTHORS, Author
from shared.bibliography.person_names import PARTICLES
from shared.bibliography.text import plain_text
from shared.documents.bounds import MAX_VALUE_CHARS
from shared.documents.document import Entry, EntryFields
from shared.documents.fields_read import one_line, read_ids, read_pages, read_year
from shared.references.names_in_citation import read_author, read_authors

# Field -> the names under which it is written, in small letters with single blanks; of several, the first one counts.
NAMES = {
    "label": ("citation key", "key", "citekey"),
    "title": (
        "title", "ti", "article title", "document title", "paper title", "display name", "titel", "titre", "título",
        "titulo", "titolo", "文献标题", "标题", "题名", "タイトル", "論文名",
    ),
    "full_names": ("author full names", "af"),
    "authors": (
        "authors", "author", "au", "author s", "author names", "authorships author display name", "autoren", "autor",
        "autor in", "auteurs", "auteur", "auteur s", "autores", "autor es", "autori", "autore", "作者", "著者名",
        "著者",
    ),
    "year": (
        "year", "publication year", "py", "published year", "year of publication", "pubyear", "jahr",
        "erscheinungsjahr", "année", "annee", "año", "ano", "anno", "年份", "出版年", "発行年",
    ),
    "date": ("date", "publication date", "date published", "pd"),
    "journal": (
        "journal", "source title", "publication title", "so", "journal book", "journal title", "publication",
        "publication name", "venue", "primary location source display name", "source", "zeitschrift", "revue",
        "revista", "rivista", "来源出版物名称", "期刊", "出版物名", "雑誌名",
    ),
    "volume": ("volume", "vl", "vol", "biblio volume", "band", "jahrgang", "volumen", "卷", "巻"),
    "issue": (
        "issue", "is", "issue number", "number", "biblio issue", "heft", "numéro", "número", "numero", "期", "号",
    ),
    "pages": ("pages", "page", "page range", "pagination", "seiten", "páginas", "paginas", "pagine", "页码", "ページ"),
    "first_page": ("page start", "start page", "bp", "first page", "biblio first page", "起始页码", "開始ページ"),
    "last_page": ("page end", "end page", "ep", "last page", "biblio last page", "结束页码", "終了ページ"),
    "article": ("article number", "art no", "ar", "论文编号", "論文番号"),
    "doi": ("doi", "di"),
    "pmid": ("pmid", "pubmed id", "pm", "ids pmid"),
    "arxiv": ("arxiv", "arxiv id"),
    "citation": ("citation",),
    "url": ("url", "link", "doi link", "article url", "articleurl"),
    "extra": ("extra",),
}  # fmt: skip
_MARKS = re.compile(r"[\W_]+")
_NUMBERS_OF_AUTHORS = re.compile(r"\s?\(\d{1,20}\)")  # Scopus writes its own behind each name
_WITH_INITIALS = re.compile(rf".*\w {initials(3)}|{initials(3)} .*", re.S)
_AND = re.compile(r"\s(?:and|&)\s")
_NO_NAME = re.compile(r"\[.*\]", re.S)  # `[Anonymous]`, `[No author name available]`
_DECIMAL = re.compile(r"(\d{1,12})\.0")  # a whole number as spreadsheets and pandas write it
# `J Exp Med. 2022 Dec 5;219(12):e20212479. doi: …`, as PubMed and MEDLINE cite.
_CITED_PLACE = re.compile(
    r"(?P<journal>[^\n]{1,300}?)\. (?P<year>(?:1[5-9]|20)\d\d)\b[^;:]{0,40}"
    r"(?:;(?P<volume>[^;:()\s]{0,20})(?: [^;:()]{0,40})?(?:\((?P<issue>[^()]{0,40})\))?(?::(?P<pages>[^.;\s]{1,40}))?)?"
)


def name_of(header: str) -> str:
    """The name of a column as NAMES has it: `Art. No.` -> `art no`."""
    return _MARKS.sub(" ", header[:100]).strip().lower()


def read_cited_place(citation: str) -> dict[str, str]:
    """Journal, year, volume, issue and pages of a citation as PubMed writes it; {} for any other."""
    found = _CITED_PLACE.match(citation)
    return {name: value.strip() for name, value in found.groupdict().items() if value} if found else {}


def exported_entry(number: int, start: int, raw: str, values: Mapping[str, str]) -> Entry:
    """An entry of these values, by the fields of NAMES; it is tagged if it has a title."""
    values = {**read_cited_place(values.get("citation", "")), **{name: it for name, it in values.items() if it.strip()}}
    stated = _fields(values)
    shown = [values.get(name) for name in ("authors", "title", "journal", "year", "volume", "pages", "doi")]
    others = [it for name, it in values.items() if name != "label"]
    line = one_line(" ".join(filter(None, shown)) or " ".join(others)) or "?"
    return Entry(
        number=number, start=start, end=start + len(raw), raw=raw, line=line, label=one_line(values.get("label")),
        fields=stated, is_tagged=bool(stated.title),
    )  # fmt: skip


def _fields(values: Mapping[str, str]) -> EntryFields:
    plain = {name: _DECIMAL.sub(r"\1", it) for name, it in values.items() if _DECIMAL.fullmatch(it)}
    values = {**values, **plain}
    pages, last = values.get("pages") or values.get("first_page"), values.get("last_page")
    if pages and last and not values.get("pages") and last != pages:
        pages = f"{pages}-{last}"
    ids = read_ids(
        values.get("doi"), values.get("pmid"), values.get("arxiv"), values.get("url"), values.get("citation"),
        values.get("extra"),
    )  # fmt: skip
    return EntryFields(
        title=plain_text(one_line(values.get("title"))),
        authors=tuple(_authors(values.get("full_names") or values.get("authors") or "")),
        year=read_year(values.get("year")) or read_year(values.get("date")),
        journal=plain_text(one_line(values.get("journal"))),
        volume=one_line(values.get("volume")),
        issue=one_line(values.get("issue")),
        pages=read_pages(pages or values.get("article")),
        **ids,
    )


def _authors(text: str) -> Iterator[Author]:
    """`Family, Given; Family, Given`, or `Family AB, Family C`, or `Given Family|Given Family`."""
    names = _NUMBERS_OF_AUTHORS.sub("", text[:MAX_VALUE_CHARS]).strip(" .,;")
    parts, joined = [part.strip() for part in names.split(",")], _AND.split(names)
    if separator := next((sign for sign in ";|" if sign in names), ""):
        found = names.split(separator)
    elif len(joined) > 1 and all(name.count(",") == 1 for name in joined):  # `Family, Given and Family, Given`
        found = joined
    elif len(parts) == 2 and not _WITH_INITIALS.fullmatch(parts[0]) and not _are_two_people(*parts):
        found = [names]  # `van der Berg, Jan`
    else:
        found = list(read_authors(names))
    for name in found[:MAX_AUTHORS]:
        if (author := read_author(name)) and not _NO_NAME.fullmatch(name.strip()):
            yield author


def _are_two_people(first: str, second: str) -> bool:
    """`Ashish Vaswani, Noam Shazeer`; not `van der Berg, Jan Willem` or `García Márquez, Gabriel J.`."""
    last = second.rpartition(" ")[2]
    is_name = " " in second and len(last) > 1 and "." not in last
    return is_name and " " in first and first.partition(" ")[0].lower() not in PARTICLES
