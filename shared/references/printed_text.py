r"""What a pasted reference prints, without what belongs to no field: ids, addresses, `RETRACTED:`.

It may have been pasted from the lines of a PDF, from LaTeX or from a row of a table:

    \bibitem[Doe(2015)]{key} J.~Doe. \newblock Title. \newblock \emph{Journal}, 12:34--56, 2015.
    | 7 | Doe et al. | Title | Journal | 2015 |

Everything is bounded by the length of a reference, and linear in it.
"""

from __future__ import annotations

import re

from shared.bibliography.characters import ZERO_WIDTH, pattern_of
from shared.bibliography.dates import MONTHS
from shared.bibliography.identifiers import DOI_START
from shared.bibliography.printed_source import WORD_GOES_ON
from shared.bibliography.reference_text import read_references
from shared.bibliography.tex_text import tex_to_text
from shared.bibliography.words import words_of

FEWEST_CELLS = 4
_BROKEN_WORD = re.compile(
    rf"(?<=[^\W\d_])[-\u2010{pattern_of(ZERO_WIDTH)}][ \t]?\r?\n[ \t]{{0,20}}{WORD_GOES_ON}(?=[^\W\d_])"
)
_LATEX = re.compile(r"\\(?:bibitem|newblock|emph|text(?:it|bf|sc|sl|rm)|(?:it|em|bf|sc|penalty)\b)")
_LABEL = re.compile(r"\\bibitem\s{0,3}(?:\[[^\]]{0,200}\]\s{0,3})?\{[^{}]{0,200}\}")
_PENALTY = re.compile(r"\\penalty\s?\d{1,5}\s?")
_NUMBER = re.compile(r"[\s#.()\[\]]{0,10}\d{0,4}[\s.()\[\]]{0,10}")
_ADDED = re.compile(  # the first letter is looked at before the words, for speed
    rf"(?=[\[1acdehilprvz])(?:(?:\b(?:doi|pmid|pmcid|issn|isbn)\s?[:：=]\s?|https?://|\b(?:dx\.)?doi\.org/|\b{DOI_START})\S{{1,300}}"
    r"|\[\s?(?:cited|accessed|updated|zitiert|abgerufen|cit(?:ad[oa]|ato|ée?)|consult(?:ad[oa]|ée?)|acess?o)\b[^\[\]]{0,60}\]"
    rf"|\b(?:epub|(?:last )?accessed|viewed (?=\d{{1,2}} (?:{'|'.join(MONTHS)}))|retrieved|available (?:from|at|online)"
    r"|abgerufen am|(?:letzter )?zugriff am|verfügbar unter"
    r"|consultée? le|disponible (?:en|sur)|consultado e[ln]|recuperado de|disponível em|acesso em)\b"
    r"[^;]{0,80}(?:(?<=\S)\S{0,300})?)",
    re.I,
)
_RETRACTED = re.compile(
    r"(?:\A|(?<=[\s(\[“\"‘*]))\[?(?:RETRACTED|Retracted|WITHDRAWN|Withdrawn)(?: (?:ARTICLE|article|PAPER|paper))?"
    r"(?:\]|\)|\s?[:：])[\s.:]{0,3}"
)
# What congresses, PubMed, Vancouver and APA write beside a title: `Abstract 123: X`, `X [Data set]`, `X (2nd ed.)`.
_BESIDE_TITLE = re.compile(
    r"(?:\A|(?<=[.)] ))Abstract (?:[Nn]o\.? ?)?[A-Z]{0,3}[-.]?\d{1,5}[:.] "
    r"|\s?\[(?:[a-z'’ ]{1,30} )?(?:abstract|dissertation|thesis|letter|editorial|preprint|internet|poster|paper|session"
    r"|presentation|data ?set|software|manuscript|video|report)"
    r"(?:, [^\[\]]{2,80})?\]"
    r"|(?<=[\w)?!”’\"]) \[(?:[a-z ]{1,30} )?(?:map|film|podcast|web ?page|post|press release)\](?=\.|\Z)"
    r"|\s\((?![^()]{1,60}\bpp?\. ?\d)"
    r"(?:(?:[^()\d]{3,60}, trans\.; )?(?:\d{1,2}(?:st|nd|rd|th)\.?|rev\.?|revised) ed(?:\.|n\.?|ition)"
    r"(?:, vol[^()]{1,20})?"
    r"|(?:[^();]{3,30}; )?(?:version|vols?\.|publication no\.|report no\.) [^()]{1,60}"
    r"|[^()\d]{3,80}, (?:ed\. & )?trans\.)\)",
    re.I,
)
_WEAK_LINK = r"(?:Article|Abstract|CAS|ADS|DOI|MATH|Full Text(?: PDF)?|Free Full Text)"
_LINK = (
    r"(?:Google Scholar|Pub[Mm]ed(?: Central)?|Cross[Rr]ef|MathSciNet|zbMATH|Scopus|Web of Science"
    r"|PMC free article|View (?:Article|article|PDF|in Scopus|at publisher)|Digital Library|OpenUrl)"
)
_NEXT_LINK = r"[\s\[\](),|\xae]{0,6}"
_LINKS = (
    rf"\[?(?:{_WEAK_LINK}{_NEXT_LINK}){{0,6}}{_LINK}(?:{_NEXT_LINK}(?:{_LINK}|{_WEAK_LINK})){{0,9}}[\])\xae]{{0,2}}"
)
# The links that publishers, PubMed Central and MDPI show behind a reference, and that are copied with it.
ONLY_LINKS = re.compile(rf"{_LINKS}|{_WEAK_LINK}")
_LINKS_BEHIND = re.compile(rf"(?:(?<=[\d.)])|(?<=\d[A-Za-z]))\s{{1,9}}{_LINKS}\s{{0,9}}\Z")
_LABELS = frozenset(words_of(
    "a article arxiv at available doi dx eprint from http https id in link paper pdf pmc pmcid pmid preprint pubmed r "
    "ref reference see url version www"
))  # fmt: skip


def as_printed(text: str) -> str:
    """The text as a reader of the paper, web page or table would see it; most texts are returned as they are."""
    text = _LINKS_BEHIND.sub("", _BROKEN_WORD.sub("", text))
    if _LATEX.search(text):
        return tex_to_text(_PENALTY.sub("", _LABEL.sub("", text)))
    return _row(text, "\t") or _row(text, "|") or text


def _row(text: str, between: str) -> str | None:
    """The cells of a row of a table as sentences, without its number; None if it is no such row."""
    line = text.strip()
    if line.count(between) < FEWEST_CELLS - 1 or "\n" in line or "=" in line:
        return None
    cells = [cell.strip(" .") for cell in line.strip(between).split(between)]
    return ". ".join(cell for place, cell in enumerate(cells) if cell and (place or not _NUMBER.fullmatch(cell)))


def without_ids(text: str) -> str:
    """The text with a blank in place of each id, address and note of a database."""
    return _ADDED.sub(" ", text)


def without_marks_of_title(text: str) -> str:
    """The text without `RETRACTED:`, `Abstract 123:` or `[abstract]` beside a title; `Retraction: …` keeps its name."""
    return _BESIDE_TITLE.sub("", _RETRACTED.sub("", text))


def is_label(text: str) -> bool:
    """Whether a text is nothing but what may stand before an id."""
    words = words_of(text)
    return all(word in _LABELS for word in words) and words != ["arxiv"] and "&" not in text  # `A&A`


def is_only_ids(text: str) -> bool:
    """Whether a text has ids or an address and nothing that a paper can be compared with."""
    mentions = read_references(text)
    rest = list(text)
    for mention in mentions:
        rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    words = words_of(without_ids("".join(rest)))
    return bool(mentions) and all(word in _LABELS or (word.isdigit() and len(word) < 4) for word in words)
