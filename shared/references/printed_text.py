"""The text of a printed reference without what belongs to no field: ids, addresses, numbering, `RETRACTED:`."""

from __future__ import annotations

import re

from shared.bibliography.identifiers import DOI_START
from shared.bibliography.reference_text import read_references
from shared.bibliography.words import words_of

_ADDED = re.compile(  # the first letter is looked at before the words, for speed
    rf"(?=[\[1acdehilprvz])(?:(?:\b(?:doi|pmid|pmcid|issn|isbn)\s?[:：=]\s?|https?://|\b(?:dx\.)?doi\.org/|\b{DOI_START})\S{{1,300}}"
    r"|\[\s?(?:cited|accessed|updated|zitiert|abgerufen|cit(?:ad[oa]|ato|ée?)|consult(?:ad[oa]|ée?)|acess?o)\b[^\[\]]{0,60}\]"
    r"|\b(?:epub|accessed|retrieved|available (?:from|at|online)|abgerufen am|(?:letzter )?zugriff am|verfügbar unter"
    r"|consultée? le|disponible (?:en|sur)|consultado e[ln]|recuperado de|disponível em|acesso em)\b[^;]{0,80})",
    re.I,
)
_RETRACTED = re.compile(
    r"(?:\A|(?<=[\s(\[“\"‘*]))\[?(?:RETRACTED|Retracted|WITHDRAWN|Withdrawn)(?: (?:ARTICLE|article|PAPER|paper))?"
    r"(?:\]|\)|\s?[:：])[\s.:]{0,3}"
)
# What congresses, PubMed and Vancouver lists write beside a title: `Abstract 123: X`, `X [abstract]`.
_BESIDE_TITLE = re.compile(
    r"(?:\A|(?<=[.)] ))Abstract (?:[Nn]o\.? ?)?[A-Z]{0,3}[-.]?\d{1,5}[:.] "
    r"|\s?\[(?:abstract|dissertation|thesis|letter|editorial|preprint|internet|poster|conference paper)\]",
    re.I,
)
_LABELS = frozenset(words_of(
    "a article arxiv at available doi dx eprint from http https id in link paper pdf pmc pmcid pmid preprint pubmed r "
    "ref reference see url version www"
))  # fmt: skip


def without_ids(text: str) -> str:
    """The text with a blank in place of each id, address and note of a database."""
    return _ADDED.sub(" ", text)


def without_marks_of_title(text: str) -> str:
    """The text without `RETRACTED:`, `Abstract 123:` or `[abstract]` beside a title; `Retraction: …` keeps its name."""
    return _BESIDE_TITLE.sub("", _RETRACTED.sub("", text))


def is_label(text: str) -> bool:
    """Whether a text is nothing but what may stand before an id."""
    words = words_of(text)
    return all(word in _LABELS for word in words) and words != ["arxiv"]


def is_only_ids(text: str) -> bool:
    """Whether a text has ids or an address and nothing that a paper can be compared with."""
    mentions = read_references(text)
    rest = list(text)
    for mention in mentions:
        rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    words = words_of(without_ids("".join(rest)))
    return bool(mentions) and all(word in _LABELS or (word.isdigit() and len(word) < 4) for word in words)
