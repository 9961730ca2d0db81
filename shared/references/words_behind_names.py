"""Whether the words of a short citation are more than names: `Smith J. Random Hedges`, `Quantum Supremacy`.

A title stands behind initials and a full stop, behind `et al.`, behind a colon, or in quotation marks. Without such a
mark, a part of a list of names is a person of at most two words, besides initials and particles, or a group.

A title that is all of a line, perhaps with its year, looks like the name of a journal if it has no words in small
letters: `Latent Dirichlet Allocation`. What cites a journal alone names no paper. Names and a year stay what they are:
`Smith and Jones 2013`.
"""

from __future__ import annotations

import re

from shared.bibliography.group_authors import ends_in_group, is_group
from shared.bibliography.journal_names import known_journal
from shared.bibliography.name_patterns import OTHERS, initials
from shared.bibliography.person_names import PARTICLES
from shared.references.journal_in_citation import YEAR

MOST_WORDS = 2  # of a person's name, without particles and initials
MOST_BESIDE_INITIALS = 3  # `Garcia Marquez Lopez J`
FEWEST_WORDS = 2  # of a title alone; a single one may be anything
FEWEST_SMALL_WORDS = 3  # `see above`
_YEAR_BEHIND = re.compile(rf"[\s.,;:(\[]*(?:{YEAR}[a-z]?[\s.)\]]*)?")
_OTHERS = re.compile(rf",? ?(?:{OTHERS})\.?,?", re.I)
_QUOTED = re.compile(r"[\"“”„«]([^\"“”„«»]{3,300})[\"“”»]")
_YEAR = re.compile(r"\d{4}")
_BEHIND_DOT = re.compile(r"[.:?!] (?=[^\W\d_]{2})")
_BETWEEN = re.compile(r"[,;&/]| (?:and|und|et|y) ", re.I)
_INITIALS = re.compile(initials(3))
_GROUP_OF = re.compile(r"(\S[^,]{0,80}?) (?:of|for|on) ", re.I)
# Of titles of two words; those that are family or given names as well, such as `Gene`, are left out.
_OF_TITLES = frozenset(
    ("adversarial", "ageing", "aging", "analysis", "approach", "attention", "biology", "brain", "cancer", "cell",
     "cells", "coding", "computer", "computing", "data", "deep", "design", "diabetes", "diet", "disease", "diseases",
     "dna", "drug", "drugs", "dynamics", "economics", "editing", "effect", "effects", "ethics", "evidence", "genes",
     "genetics", "genome", "graph", "graphs", "growth", "health", "image", "images", "imaging", "influence",
     "intelligence", "language", "learning", "machine", "mathematics", "mechanics", "mice", "microglia", "mind",
     "model", "modeling", "modelling", "models", "network", "networks", "neural", "physics", "politics",
     "processing", "protein", "proteins", "quantum", "random", "reasoning", "report", "resilience", "review", "rna",
     "robot", "robotics", "robots", "science", "sciences", "sequencing", "signaling", "signalling", "sleep",
     "statistics", "stress", "structure", "supremacy", "survey", "system", "systems", "theory", "therapy",
     "training", "transformer", "transformers", "trials", "vaccine", "vaccines", "virus", "viruses", "vision")
)  # fmt: skip
# Endings that family names do not have; `Fleming`, `Lawrence`, `Tracy`, `Politis` and `Markovics` have others.
_ENDS_AS_TITLES = re.compile(
    r"\w{3,20}(?:tions?|sions?|olog(?:y|ical)|ography|istry|[ibv]ility|ivity|icity|isms?|osis|a?emia|pathy|genesis"
    r"|omics|[ai]tive|ical|ural|ional|ular|ogenic|etic|iotic)"
)


def quotes_title(line: str) -> bool:
    """Whether two words or more, which are not the citation as a whole, stand in quotation marks."""
    return any(
        " " in quoted[1].strip() and not _YEAR.search(quoted[1]) and bool(_YEAR.search(line))
        for quoted in _QUOTED.finditer(line)
    )


def has_title_behind_names(text: str) -> bool:
    """Whether a text has words that are no part of a list of names."""
    others = _OTHERS.search(text)
    behind = text[others.end() :].strip(" .,:") if others else ""
    if behind and not re.match(r"[;&]|and\b", behind, re.I):
        return True
    text = _OTHERS.sub("", text)
    first, *parts = _BEHIND_DOT.split(text)
    if any(map(_is_title_behind, [first, *parts], parts)):
        return True
    return not _is_whole_group(text) and not all(map(_may_be_name, _BETWEEN.split(text)))


def is_title_alone(line: str, name: str, *, is_dated: bool) -> bool:
    """Whether a line, of which `name` was taken for its journal, is nothing but a title."""
    behind = line.removeprefix(name)
    words = len(name.split())
    if behind == line or not _YEAR_BEHIND.fullmatch(behind) or known_journal(name):
        return False
    if words < FEWEST_WORDS or (words < FEWEST_SMALL_WORDS and name.islower()):
        return False
    return has_title_behind_names(name) if is_dated else True


def _is_title_behind(before: str, part: str) -> bool:
    """Whether a part behind a full stop is a title: not the family name behind its initials, nor one name more."""
    last = _BETWEEN.split(before)[-1].strip()
    return not _INITIALS.fullmatch(last) and len(_spelled(part.split())) > 1 and not _BETWEEN.search(part)


def _is_whole_group(text: str) -> bool:
    """Whether a text as a whole is a group's name; titles begin with, or hold, such words as well."""
    beginning = _GROUP_OF.match(text)
    ends = ends_in_group(text) and not text.lower().endswith("network")
    return ends or bool(beginning and is_group(beginning[1])) or known_journal(text) is not None


def _may_be_name(text: str) -> bool:
    words = text.strip(" .()[]").split()
    spelled = _spelled(words)
    if any(map(str.isdigit, text)):
        return False
    at_edge = bool(words) and (_is_initials(words[0]) or _is_initials(words[-1]))
    if len(spelled) > (MOST_BESIDE_INITIALS if at_edge else MOST_WORDS):
        return _is_whole_group(text.strip())
    return len(spelled) < 2 or not any(map(_is_of_titles, spelled)) or _is_whole_group(text.strip())


def _spelled(words: list[str]) -> list[str]:
    """The words that are neither initials nor particles."""
    return [word for word in words if word.lower() not in PARTICLES and not _is_initials(word)]


def _is_initials(word: str) -> bool:
    return _INITIALS.fullmatch(word) is not None


def _is_of_titles(word: str) -> bool:
    plain = word.lower().strip(".")
    return plain in _OF_TITLES or _ENDS_AS_TITLES.fullmatch(plain) is not None
