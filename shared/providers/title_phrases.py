"""A cited title as phrases, at least one of which stands in the paper's title even if a word of the cited one is wrong.

Engines find phrases word by word: a whole title with one typing error, or with a subtitle that the paper lacks, finds
nothing, while one of its halves does. A half of few words would find other papers, so a short title stays whole.
"""

from __future__ import annotations

from shared.bibliography.stop_words import QUERY_STOP_WORDS
from shared.bibliography.text import fold

MIN_TELLING = 3  # words of a half that are not stop words


def title_phrases(title: str) -> tuple[str, ...]:
    """The title's halves, without stop words at the end of the first; the title if they would be too short."""
    words = title.split()
    telling = [at for at, word in enumerate(words) if (plain := fold(word)) and plain not in QUERY_STOP_WORDS]
    middle = len(telling) // 2
    if middle < MIN_TELLING:
        return (title,)
    return " ".join(words[: telling[middle - 1] + 1]), " ".join(words[telling[middle] :])
