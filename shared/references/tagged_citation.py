"""References whose fields have names, so that nothing has to be guessed: BibTeX, RIS, PubMed's and EndNote's tags,
CSL-JSON, Wikipedia's `{{cite journal}}`, and forms (`Title: …`, one field a line).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest

from shared.bibliography.words import words_of
from shared.query.question import Citation
from shared.references.journal_in_citation import ANY_YEAR, read_journal, read_place
from shared.references.names_in_citation import read_authors

_AND = re.compile(r"\sand\s", re.I)  # BibTeX takes `AND` for it as well
_FIELD = re.compile(r"\b(title|author|year|date|journal|journaltitle|booktitle|volume|pages)\s{0,4}=\s{0,4}", re.I)
_LONG_TAGS = "PMID|OWN|STAT|DCOM|CDAT|FAU|AUID|LID|AID|PMC|MHDA|CRDT|EDAT|PHST|OTO|COIS|FED"
_TAG = re.compile(rf"(?:^|\s)(?:([A-Z][A-Z0-9])\s{{1,2}}|({_LONG_TAGS})\s{{0,2}})-(?:\s|$)")
_ENDNOTE_TAG = re.compile(r"(?:^|\s)%([0-9A-Z@])\s")
_ENDNOTE_TAGS = {
    "T": "title", "A": "author", "D": "year", "J": "journal", "B": "journal", "V": "volume", "P": "pages",
}  # fmt: skip
_TAGS = {
    "TI": "title", "T1": "title", "AU": "author", "A1": "author", "PY": "year", "Y1": "year", "JO": "journal",
    "JF": "journal", "JA": "journal", "T2": "journal", "VL": "volume", "SP": "pages",
    "TA": "journal", "JT": "journal", "DP": "date", "VI": "volume", "PG": "pages",  # PubMed's
}  # fmt: skip
# `[[Journal of X|J X]]` is printed as `J X`.
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]{0,200}\|)?([^\[\]|]{0,200})\]\]")
_WIKI_FIELD = re.compile(r"\|\s{0,4}([a-z-]{1,20})(\d{0,3})\s{0,4}=\s{0,4}([^|{}]*)")
_TEMPLATE = re.compile(r"\{\{\s?(?:cite|citation)\b", re.I)
_RECORD = re.compile(r"\s{0,9}(?:@[a-zA-Z]{3,20}\s?[{(]|TY\s{1,2}-\s|%0\s)")
# Words of its syntax, which are not words of a title.
FIELD_NAMES = frozenset(words_of(
    "access article author authors cite citation date family first free given issue jour journal last misc month name "
    "number page pages publisher title type vauthors volume year"
))  # fmt: skip
_WIKI_NAMES = {
    "title": "title", "journal": "journal", "work": "journal", "magazine": "journal", "volume": "volume",
    "year": "year", "date": "year", "pages": "pages", "page": "pages", "vauthors": "author", "author": "author",
}  # fmt: skip
_JSON_FIELD = re.compile(
    r'"(title|container-title|volume|page|family|given|literal|date-parts|editor)"\s{0,4}:\s{0,4}'
    r'(?:"((?:[^"\\]|\\.)*)"|([\[\d][\[\s"]{0,9}\d{0,9}))'
)
_JSON_NAMES = {
    "title": "title",
    "container-title": "journal",
    "volume": "volume",
    "page": "pages",
    "date-parts": "year",
}
_FORM_LINE = re.compile(
    r"[ \t]*(?:>[ \t]?)?(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?[*_]{0,2}"
    r"(title|titel|titre|authors?|autor(?:en|es)?|auteurs?|journal|zeitschrift|source|year|jahr|date|"
    r"published|volume|band|pages?|seiten)[*_]{0,2}[ \t]{0,4}[:：][*_]{0,2}[ \t]*(.*)", re.I,
)  # fmt: skip
# In a form whose lines were joined.
_BEFORE_LABEL = re.compile(
    r"(?<!\s)\s+(?:>\s?|[-*+•]\s+)?"
    r"(?=[*_]{0,2}(?:Title|Authors?|Journal|Source|Year|Date|Published|Volume|Pages?)[*_]{0,2} ?[:：])"
)
_FORM_NAMES = {
    "ti": "title", "au": "author", "jo": "journal", "ze": "journal", "so": "journal", "ye": "year", "ja": "year",
    "da": "year", "pu": "year", "vo": "volume", "ba": "volume", "pa": "pages", "se": "pages",
}  # fmt: skip


def read_form(text: str) -> Citation | None:
    """The citation of a form with a field a line; None unless there are two, the title among them."""
    fields: dict[str, str] = {}
    if _FORM_LINE.match(text.strip()):
        text = _BEFORE_LABEL.sub("\n", text.strip())
    for line in text.split("\n"):
        if found := _FORM_LINE.fullmatch(line.rstrip()):
            fields.setdefault(_FORM_NAMES[found[1][:2].lower()], found[2])
    if len(fields) < 2 or not fields.get("title"):
        return None
    source = fields.get("journal", "")
    if year := ANY_YEAR.search(source):  # `Journal: Nature 541, 481-487 (2017)`
        volume, pages = read_place(source)
        place = {"journal": read_journal(source), "year": year[1], "volume": volume, "pages": pages}
        fields = {**{name: it for name, it in place.items() if it}, **fields, "journal": place["journal"] or source}
    return replace(_citation({**fields, "author": ""}), authors=read_authors(fields.get("author", "")))


def read_tagged(line: str) -> Citation | None:
    """The citation of a BibTeX entry or a tagged record; None if the line is neither."""
    fields = (
        _template_fields(line)
        or _json_fields(line)
        or dict(_bibtex_fields(line))
        or _with_tags(line, _TAG, _TAGS)
        or _with_tags(line, _ENDNOTE_TAG, _ENDNOTE_TAGS)
    )
    return _citation({"title": "", **fields}) if "title" in fields or is_record(line) else None


def is_record(text: str) -> bool:
    """Whether it is surely an entry or a record, even if it has no title."""
    return _RECORD.match(text) is not None or _TEMPLATE.search(text) is not None


def _template_fields(line: str) -> dict[str, str]:
    """The fields of a citation template of Wikipedia."""
    if not _TEMPLATE.search(line):
        return {}
    fields: dict[str, str] = {}
    people: dict[str, dict[str, str]] = {}
    for name, number, value in _WIKI_FIELD.findall(_WIKI_LINK.sub(r"\1", line)):
        if name in ("last", "first", "surname", "given"):
            part = "family" if name in ("last", "surname") else "given"
            people.setdefault(number or "1", {})[part] = value.strip()
        elif name in _WIKI_NAMES and value.strip():
            fields.setdefault(_WIKI_NAMES[name], value.strip())
    authors = [", ".join(filter(None, (it.get("family"), it.get("given")))) for it in people.values()]
    if "author" in fields:
        authors = list(read_authors(fields["author"]))
    return {**fields, "author": " and ".join(authors)}


def _json_fields(line: str) -> dict[str, str]:
    """The fields of an item of CSL-JSON, also of one that breaks off; without those of its editors."""
    if not re.match(r"\W{0,9}\{\s{0,9}\"", line):
        return {}
    fields: dict[str, str] = {}
    authors: list[str] = []
    for name, text, number in _JSON_FIELD.findall(line):
        if name == "editor":
            continue
        value = _unescaped_json(text) if text else number.lstrip('[" ')
        if name in ("family", "literal"):
            authors.append(value)
        elif name == "given" and authors:
            authors[-1] += f", {value}"
        elif name in _JSON_NAMES:
            fields.setdefault(_JSON_NAMES[name], value)
    return {**fields, "author": " and ".join(authors)}


def _unescaped_json(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def _bibtex_fields(line: str) -> Iterator[tuple[str, str]]:
    """The fields of a BibTeX entry."""
    names = list(_FIELD.finditer(line))
    for name, following in zip_longest(names, names[1:]):
        value = line[name.end() : following.start() if following else None]
        if not value.rstrip().endswith((",", "}", '"')):  # else the next field begins here, whatever is open
            value = line[name.end() :]
        depth = 0
        for position, char in enumerate(value):
            depth += (char == "{") - (char == "}")
            if depth <= 0 and (char in "},\n" if value[0] != '"' else position and char == '"'):
                value = value[:position]
                break
        yield name[1].lower(), " ".join(re.sub(r"[{}\"]|\\\W", "", value).split()).strip(" ,")


def _citation(fields: Mapping[str, str]) -> Citation:
    year = ANY_YEAR.search(fields.get("year") or fields.get("date", "")[:4])
    return Citation(
        title=fields["title"] or None,
        authors=tuple(it for name in _AND.split(fields.get("author", "")) if (it := name.strip()) and it != "others"),
        year=int(year[1]) if year else None,
        journal=fields.get("journal") or fields.get("journaltitle") or fields.get("booktitle") or None,
        volume=fields.get("volume") or None,
        pages=fields.get("pages", "").replace("--", "-") or None,
    )


def _with_tags(line: str, form: re.Pattern[str], names: Mapping[str, str]) -> dict[str, str]:
    """The fields of a record whose lines begin with tags of this form, under the names that BibTeX has for them."""
    tags = list(form.finditer(line))
    values_of: dict[str, list[str]] = {}
    for tag, following in zip_longest(tags, tags[1:]):
        value = line[tag.end() : following.start() if following else None].strip()
        if value:
            values_of.setdefault(names.get(tag[1], tag[1] or ""), []).append(value)
    if len(values_of) < 2 or ("title" not in values_of and not is_record(line)):
        return {}
    return {name: " and ".join(values) if name == "author" else values[0] for name, values in values_of.items()}
