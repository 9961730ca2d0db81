"""The fields of Scopus, the Web of Science, Ovid, Google and others, and this service's own for each."""

from __future__ import annotations

import re

from shared.bibliography.languages import read_language

SCOPUS = {
    "TITLE-ABS-KEY-AUTH": "TITLE_ABS", "TITLE-ABS-KEY": "TITLE_ABS", "TITLE-ABS": "TITLE_ABS", "TITLE": "TITLE",
    "ABS": "ABSTRACT", "KEY": "KW", "AUTHKEY": "KW", "INDEXTERMS": "KW", "AUTH": "AUTH", "AUTHOR-NAME": "AUTH",
    "FIRSTAUTH": "AUTH", "AUTHLASTNAME": "AUTH", "SRCTITLE": "JOURNAL", "EXACTSRCTITLE": "JOURNAL", "AFFIL": "AFF",
    "DOI": "DOI", "LANGUAGE": "LANG", "ALL": "TITLE_ABS",
}  # fmt: skip
WEB_OF_SCIENCE = {
    "TS": "TITLE_ABS", "TI": "TITLE", "AB": "ABSTRACT", "AU": "AUTH", "SO": "JOURNAL", "AK": "KW", "KP": "KW",
    "ALL": "TITLE_ABS", "DO": "DOI", "AD": "AFF", "OG": "AFF", "LA": "LANG",
}  # fmt: skip
# Ovid's fields behind a term; a list of fields with `ti` and any other is a search of titles and abstracts.
OVID = {
    "ti": "TITLE", "ab": "ABSTRACT", "kw": "KW", "kf": "KW", "sh": "MESH", "hw": "MESH", "au": "AUTH", "jn": "JOURNAL",
    "jw": "JOURNAL", "pt": "PUB_TYPE", "la": "LANG", "lg": "LANG", "in": "AFF", "tw": "TITLE_ABS", "mp": "TITLE_ABS",
    "af": "TITLE_ABS", "ot": "KW", "id": "KW", "nm": "TITLE_ABS", "fs": "MESH", "m_titl": "TITLE",
}  # fmt: skip
# Before a colon: Google's, and those of catalogues, ERIC and the Virtual Health Library, in which people write the tags
# of others, too.
GOOGLE = {
    "intitle": "TITLE", "inauthor": "AUTH", "source": "JOURNAL", "intext": "TITLE_ABS",
    "tiab": "TITLE_ABS", "tw": "TITLE_ABS", "mh": "MESH", "la": "LANG",
    "ab": "ABSTRACT", "keywords": "KW", "subject": "KW", "descriptor": "KW",
}  # fmt: skip


def of_catalogue(found: re.Match[str]) -> str:
    """A field before a colon as this service's; one of languages only before a language: `LA:Ao ratio` is of hearts."""
    name = GOOGLE[found[1].lower()]
    value = re.compile(r"\w+").match(found.string, found.end()) if name == "LANG" else None
    return found[0] if value and not read_language(value[0]) else f"{name}:"
