"""References in BibTeX, RIS or EndNote's tags: their fields have names, so that nothing has to be guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from shared.query.question import Citation
from shared.references.journal_in_citation import ANY_YEAR

_FIELD = re.compile(r"\b(title|author|year|date|journal|journaltitle|booktitle|volume|pages)\s{0,4}=\s{0,4}", re.I)
_TAG = re.compile(r"(?:^|\s)([A-Z][A-Z0-9])\s{1,2}-(?:\s|$)")
_ENDNOTE_TAG = re.compile(r"(?:^|\s)%([0-9A-Z@])\s")
_ENDNOTE_TAGS = {
    "T": "title", "A": "author", "D": "year", "J": "journal", "B": "journal", "V": "volume", "P": "pages",
}  # fmt: skip
_TAGS = {
    "TI": "title", "T1": "title", "AU": "author", "A1": "author", "PY": "year", "Y1": "year", "JO": "journal",
    "JF": "journal", "JA": "journal", "T2": "journal", "VL": "volume", "SP": "pages",
}  # fmt: skip


def read_tagged(line: str) -> Citation | None:
    """The citation of a BibTeX entry or a tagged record; None if the line is neither or has no title."""
    fields = (
        dict(_bibtex_fields(line)) or _with_tags(line, _TAG, _TAGS) or _with_tags(line, _ENDNOTE_TAG, _ENDNOTE_TAGS)
    )
    return _citation(fields) if "title" in fields else None


def _bibtex_fields(line: str) -> Iterator[tuple[str, str]]:
    """The fields of a BibTeX entry."""
    for name in _FIELD.finditer(line):
        value = line[name.end() :]
        depth = 0
        for position, char in enumerate(value):
            depth += (char == "{") - (char == "}")
            if depth <= 0 and (char in "},\n" if value[0] != '"' else position and char == '"'):
                value = value[:position]
                break
        yield name[1].lower(), " ".join(re.sub(r"[{}\"]|\\\W", "", value).split())


def _citation(fields: Mapping[str, str]) -> Citation:
    year = ANY_YEAR.search(fields.get("year") or fields.get("date", "")[:4])
    return Citation(
        title=fields["title"] or None,
        authors=tuple(name for name in re.split(r"\s+and\s+", fields.get("author", "")) if name and name != "others"),
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
            values_of.setdefault(names.get(tag[1], tag[1]), []).append(value)
    if len(values_of) < 2 or "title" not in values_of:
        return {}
    return {name: " and ".join(values) if name == "author" else values[0] for name, values in values_of.items()}
