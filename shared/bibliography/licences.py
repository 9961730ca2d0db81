"""Licences of texts: the names and addresses that sources write, in one form, and which of them let others show a text.

    https://creativecommons.org/licenses/by-nc/4.0/   CC BY-NC 4.0   cc-by-nc      cc-by-nc-4.0, or cc-by-nc
    https://creativecommons.org/publicdomain/zero/1.0/   CC0                       cc0-1.0, or cc0
    arXiv.org perpetual non-exclusive license                                      arxiv-nonexclusive

A Creative Commons licence of any kind allows to pass on the unchanged text with its source and licence; its further
terms (nc, nd, sa) are the reader's to keep. arXiv's own licence gives readers no such right. A statement may name a
licence that is not the text's: one that it denies, or that of a figure. What is in doubt is not the text's.
Sources: https://creativecommons.org/share-your-work/cclicenses/, https://info.arxiv.org/help/license/index.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_PART = r"(?:sampling\+?|by|nc|nd|sa)"
_ADDRESS = re.compile(
    r"creativecommons\.org/(?:publicdomain/(zero|mark)"
    rf"|licen[sc]es/(publicdomain|devnations|{_PART}(?:-{_PART})*))(?:/(\d\.\d))?",
    re.I,
)
_WAIVED = {"zero": "cc0", "mark": "public-domain", "publicdomain": "public-domain"}
_NAME = re.compile(
    r"\b(?:cc|creative\s?commons(?:\s+attribution)?)[\s-]*"
    r"((?:by|attribution)?(?:(?:[\s/-]{0,3}(?:nc|nd|sa|non-?commercial|no[\s-]?deriv[a-z]{0,6}|share-?alike)){1,2}\b)?)"
    r"[\s,-]*(?:licen[sc]e)?[\s(]*(\d\.\d)?",
    re.I,
)
_ZERO = re.compile(r"\bcc[\s-]?(?:0|zero)\b[\s-]*(\d\.\d)?", re.I)
_PUBLIC = re.compile(r"\bpublic[\s-]domain\b|^pd$", re.I)
_ARXIV = re.compile(r"non-?exclusive[\s-]|nonexclusive-distrib", re.I)
_TERMS = (("nc", "nc", "noncommercial"), ("nd", "nd", "noderiv"), ("sa", "sa", "sharealike"))
_VERSION = re.compile(r"-\d\.\d$")
MAX_CHARS = 5_000  # of a statement; licences are named at its beginning
_SENTENCE_END = re.compile(r"(?<!\bfig)(?<!\bfigs)(?<!\bno)[.;!?](?=\s|$)", re.I)
_DENIED = re.compile(r"\b(?:not|neither|nor|never)\b[^.,;]{0,80}$|\bno\s+$", re.I)
_COMMERCIAL = re.compile(r"commercial", re.I)  # `may not be used commercially under CC BY-NC` denies no licence
_OF_A_PART = re.compile(
    r"\b(?:figs?|figures?|tables?|images?|photos?|photographs?|panels?|box(?:es)?|videos?|illustrations?|maps?|data"
    r"(?:sets?)?|code|software|supplement(?:s|ary|al)?)\b", re.I
)  # fmt: skip
_OF_THE_WHOLE = re.compile(
    r"\b(?:articles?|works?|papers?|manuscripts?|text|chapters?|contents?|publications?|preprints?|reviews?|journal|"
    r"open[\s-]access)\b", re.I
)  # fmt: skip


def read_licence(text: str | None) -> str | None:
    """The licence that an address, a name or a statement names for the text; None if it names none that is known."""
    if not text:
        return None
    stated = text[:MAX_CHARS]
    for found in _of_the_text(_ADDRESS, stated):
        name = (found[1] or found[2]).lower().strip("-")
        kind = _WAIVED.get(name) or f"cc-{name}"
        return f"{kind}-{found[3]}" if found[3] and kind != "public-domain" else kind
    for found in _of_the_text(_ZERO, stated):
        return f"cc0-{found[1]}" if found[1] else "cc0"
    if name := next((name for found in _of_the_text(_NAME, stated) if (name := _named(found))), None):
        return name
    if any(_of_the_text(_PUBLIC, stated)):
        return "public-domain"
    return "arxiv-nonexclusive" if _ARXIV.search(stated) else None


def _of_the_text(pattern: re.Pattern[str], stated: str) -> Iterator[re.Match[str]]:
    """Where a pattern is found in a sentence that neither denies it nor speaks only of a part, such as a figure."""
    for found in pattern.finditer(stated):
        before = _SENTENCE_END.split(stated[: found.start()])[-1]
        after = _SENTENCE_END.split(stated[found.end() :], maxsplit=1)[0]
        sentence = f"{before} {after}"
        denied = _DENIED.search(before)
        if denied and not _COMMERCIAL.search(denied[0]):
            continue
        if not _OF_A_PART.search(sentence) or _OF_THE_WHOLE.search(sentence):
            yield found


def _named(found: re.Match[str]) -> str | None:
    terms = re.sub(r"[^a-z]", "", found[1].lower())
    if not terms and "attribution" not in found[0].lower():
        return None
    rest = terms.removeprefix("by").removeprefix("attribution")
    parts = ["by", *(short for short, *names in _TERMS if any(name in rest for name in names))]
    return "-".join(["cc", *parts, *([found[2]] if found[2] else [])])


@lru_cache(maxsize=1024)
def spelled_alike(name: str) -> str:
    """A licence's name as all sources' names are compared: by `read_licence`, if it knows it; else in lower case."""
    return read_licence(name) or re.sub(r"[\s_-]+", "-", name.strip().lower())


def without_version(name: str) -> str:
    """`cc-by-4.0` -> `cc-by`: OpenAlex and Semantic Scholar name no versions, Crossref and full texts do."""
    return _VERSION.sub("", name)


def is_free(licence: str | None) -> bool:
    """Whether a licence that `read_licence` names opens a text to all readers: Creative Commons or public domain."""
    return bool(licence) and str(licence).startswith(("cc", "public-domain"))


def may_be_shown(licence: str | None) -> bool:
    """Whether the licence allows others to pass the text on."""
    return bool(licence) and str(licence).startswith(("cc-by", "cc0", "public-domain"))
