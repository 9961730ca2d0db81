"""A printed line that is a title and perhaps its year: `Latent Dirichlet Allocation`, `Point Transformer (2021)`.

Without words in small letters a title looks like the name of a journal, and what cites a journal alone names no paper.
Names and a year stay what they are: `Smith and Jones 2013`.
"""

from __future__ import annotations

import re

from shared.bibliography.journal_names import known_journal
from shared.references.journal_in_citation import YEAR
from shared.references.words_behind_names import has_title_behind_names

FEWEST_WORDS = 2  # a single one may be anything
FEWEST_SMALL_WORDS = 3  # `see above`
_YEAR_BEHIND = re.compile(rf"[\s.,;:(\[]*(?:{YEAR}[a-z]?[\s.)\]]*)?")


def is_title_alone(line: str, name: str, *, is_dated: bool) -> bool:
    """Whether a line, of which `name` was taken for its journal, is nothing but a title."""
    behind = line.removeprefix(name)
    words = len(name.split())
    if behind == line or not _YEAR_BEHIND.fullmatch(behind) or known_journal(name):
        return False
    if words < FEWEST_WORDS or (words < FEWEST_SMALL_WORDS and name.islower()):
        return False
    return has_title_behind_names(name) if is_dated else True
