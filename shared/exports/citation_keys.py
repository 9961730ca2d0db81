"""Citation keys, such as `ulland2017trem2`: first author, year and first significant word of the title.

A citation key depends on its paper alone. Papers of one export that would share a citation key get a suffix of six
digits, which depends on the paper's own key and so is the same in every export. No other citation key has a hyphen.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING

from shared.bibliography.stop_words import KEY_STOP_WORDS
from shared.canonical_json import digest
from shared.exports.fields import Results, authors_of, date_of, field_of

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper

FAMILY_CHARS = 30
WORD_CHARS = 20
_NOT_PLAIN = re.compile(r"[^a-z0-9]+")
_WORD = re.compile(r"[^\W_]+(?:[^\w\s/-]*[^\W_])*")


def citation_keys(results: Results) -> list[str]:
    """The citation key of each paper, in their order: lower-case ASCII letters and digits, all different."""
    groups: dict[str, list[int]] = defaultdict(list)
    for place in sorted(range(len(results)), key=lambda place: str(results[place].get("key"))):
        groups[citation_key(results[place])].append(place)
    keys = [""] * len(results)
    for key, places in groups.items():
        suffixes = [_suffix(results[place]) for place in places]
        for number, (place, suffix) in enumerate(zip(places, suffixes, strict=True)):
            twin = f"-{number}" if suffixes.count(suffix) > 1 else ""  # the same paper twice
            keys[place] = f"{key}-{suffix}{twin}" if len(places) > 1 else key
    return keys


def citation_key(paper: StoredPaper) -> str:
    """The citation key of one paper, without the suffix that distinguishes it from others."""
    year = date_of(paper)[:1]
    title = _significant_word(field_of(paper, "title") or "")
    return f"{_first_author(paper) or 'anon'}{year[0] if year else 'nd'}{title or 'untitled'}"


def _first_author(paper: StoredPaper) -> str:
    author = next(iter(authors_of(paper)), None)
    if author is None:
        return ""
    name = author.family or author.display
    return _plain(name)[:FAMILY_CHARS] if author.family or " " not in name else _significant_word(name)


def _significant_word(text: str) -> str:
    """The first word that is neither a stop word nor a number; the first word if all are."""
    words = [word for word in (_plain(found[0])[:WORD_CHARS] for found in _WORD.finditer(text)) if word]
    significant = (word for word in words if len(word) > 1 and word not in KEY_STOP_WORDS and not word.isdigit())
    return next(significant, words[0] if words else "")


def _plain(text: str) -> str:
    """In letters of ASCII, transliterated where the text has others."""
    if not text.isascii():
        from anyascii import anyascii

        text = anyascii(unicodedata.normalize("NFKC", text))
    return _NOT_PLAIN.sub("", text.lower())


def _suffix(paper: StoredPaper) -> str:
    """The suffix that distinguishes papers of one citation key; it depends on the paper's own key alone."""
    return digest(str(paper.get("key")), 6)
