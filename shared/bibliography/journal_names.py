"""The names of one journal or conference: in full, abbreviated, and the acronym by which people call it.

The table `journal_names.txt` holds those whose acronym or abbreviation nobody can derive from the name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.words import words_of

_TABLE = Path(__file__).with_name("journal_names.txt")
# `Lancet (London, England)`, `bioRxiv : the preprint server for biology`, `Sheng li = Progress in physiology` and the
# end of `arXiv.org`.
_ADDED = re.compile(r"\([^()]{0,100}\)|\s[:=]\s.*|\.org\b")
_COUNTRY = frozenset(("u", "s", "a", "us", "usa", "united", "states", "america"))
_SKIPPED = STOP_WORDS - {"a"}  # the `A` of `Proc Natl Acad Sci U S A` is not an article
# Of the proceedings of a conference: which ones they are.
_EDITION = re.compile(r"[0-9]{1,4}(?:st|nd|rd|th)?")
_MEETING = re.compile(r"\b(?:proceedings|conference|meeting|symposium)\b", re.I)
_ACRONYM_BEHIND = re.compile(r"\(([A-Za-z]{3,8})(?: ?'?[0-9]{2,4})?\)$")


@dataclass(frozen=True, slots=True)
class JournalNames:
    """The names of a journal that somebody typed; of one that the table lacks, `full` is what was typed."""

    full: str
    abbreviation: str | None = None  # of the NLM Catalog, without dots
    acronym: str | None = None
    others: tuple[str, ...] = ()  # former names and those of other catalogues
    typed: str = ""

    @property
    def forms(self) -> tuple[str, ...]:
        """All its names, what was typed last; names that differ in case alone count once."""
        names = (self.full, self.abbreviation, self.acronym, *self.others, self.typed)
        unique: dict[str, str] = {}
        for name in filter(None, names):
            unique.setdefault(name.casefold(), name)
        return tuple(unique.values())


@lru_cache(maxsize=4096)
def bare_words(name: str) -> tuple[str, ...]:
    """The words by which journals are compared: without articles, place and country."""
    words = [word for word in words_of(_ADDED.sub("", name) or name) if word not in _SKIPPED]
    while len(words) > 3 and words[-1] in _COUNTRY:  # Proc Natl Acad Sci U S A
        words.pop()
    return tuple([word for word in words[:-1] if word != "a"] + words[-1:])  # Physical Review A


def journal_names(text: str) -> JournalNames:
    """All names of the journal that a text names."""
    known = known_journal(text)
    return replace(known, typed=text) if known else JournalNames(full=text, typed=text)


@lru_cache(maxsize=4096)
def known_journal(text: str) -> JournalNames | None:
    """The entry of the table that a name belongs to, in any of its forms, also as the title of its proceedings."""
    table = _table()
    found = table.get(_key(text))
    if found is None and _MEETING.search(text):
        behind = _ACRONYM_BEHIND.search(text.strip())
        found = table.get((behind[1].lower(),)) if behind else table.get(_key(text.partition(":")[0]))
    return found


def _key(name: str) -> tuple[str, ...]:
    words = bare_words(name)
    kept = tuple(word for word in words if not _EDITION.fullmatch(word))
    return kept[1:] if len(kept) > 2 and kept[0] in ("proceedings", "proc") else kept or words


@cache
def _table() -> dict[tuple[str, ...], JournalNames]:
    entries: dict[tuple[str, ...], JournalNames] = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        full, abbreviation, acronym, others = ([part.strip() for part in line.split(";")] + ["", "", ""])[:4]
        more = tuple(name for name in others.split(" / ") if name)
        entry = JournalNames(full, abbreviation or None, acronym or None, more)
        for name in filter(None, (full, abbreviation, acronym, *more)):
            entries.setdefault(_key(name), entry)
    return entries
