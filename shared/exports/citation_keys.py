"""Names of papers for use in a text: `ulland2017trem2`, first author, year and first telling word of the title.

A name depends on its paper alone. Papers of one export that would share a name get six digits more, which depend on
their own keys and so are the same in every export; no name has a hyphen of its own, so that none can make another's.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict

from shared.bibliography.stop_words import KEY_STOP_WORDS
from shared.canonical_json import digest
from shared.exports.fields import Result, Results, authors_of, date_of, field_of

FAMILY_CHARS = 30
WORD_CHARS = 20
_NOT_PLAIN = re.compile(r"[^a-z0-9]+")
_WORD = re.compile(r"[^\W_]+(?:[^\w\s/-]*[^\W_])*")


def citation_keys(results: Results) -> list[str]:
    """The name of each result, in their order: lower-case ASCII letters and digits, all different."""
    groups: dict[str, list[int]] = defaultdict(list)
    for place in sorted(range(len(results)), key=lambda place: str(results[place].get("key"))):
        groups[citation_key(results[place])].append(place)
    keys = [""] * len(results)
    for key, places in groups.items():
        marks = [_mark(results[place]) for place in places]
        for number, (place, mark) in enumerate(zip(places, marks, strict=True)):
            twin = f"-{number}" if marks.count(mark) > 1 else ""  # the same paper twice
            keys[place] = f"{key}-{mark}{twin}" if len(places) > 1 else key
    return keys


def citation_key(result: Result) -> str:
    """The name of one paper, before it is told from others."""
    year = date_of(result)[:1]
    title = _telling_word(field_of(result, "title") or "")
    return f"{_first_author(result) or 'anon'}{year[0] if year else 'nd'}{title or 'untitled'}"


def _first_author(result: Result) -> str:
    author = next(iter(authors_of(result)), None)
    if author is None:
        return ""
    name = author.family or author.display
    return _plain(name)[:FAMILY_CHARS] if author.family or " " not in name else _telling_word(name)


def _telling_word(text: str) -> str:
    """The first word that is neither small nor a number; the first word where all are."""
    words = [word for word in (_plain(found[0])[:WORD_CHARS] for found in _WORD.finditer(text)) if word]
    telling = (word for word in words if len(word) > 1 and word not in KEY_STOP_WORDS and not word.isdigit())
    return next(telling, words[0] if words else "")


def _plain(text: str) -> str:
    """In letters of ASCII, transliterated where the text has others."""
    if not text.isascii():
        from anyascii import anyascii

        text = anyascii(unicodedata.normalize("NFKC", text))
    return _NOT_PLAIN.sub("", text.lower())


def _mark(result: Result) -> str:
    """Tells papers of one name apart, in every export alike: from the paper's own key."""
    return digest(str(result.get("key")), 6)
