"""Words without meaning for a comparison, in the lists that differ for a reason, each built on the ones before it.

The words that PubMed does not index are PubMed's own fact and stand with its syntax.
"""

from __future__ import annotations

ARTICLES = frozenset(("a", "an", "the"))
_ENGLISH = ARTICLES | frozenset(
    ("and", "are", "as", "at", "by", "for", "from", "in", "is", "its", "of", "on", "to", "with")
)
# Articles, prepositions and conjunctions of the languages that most titles are in.
_GERMAN = frozenset(("das", "der", "des", "die", "und", "von"))
_FRENCH = frozenset(("de", "des", "du", "en", "et", "la", "le", "les"))
_SPANISH = frozenset(("de", "del", "el", "en", "la", "las", "los", "y"))

# For comparing titles and journals: only what databases leave out, add or translate. Not `or`, `not` and `un`: with
# them titles are alike that differ.
STOP_WORDS = _ENGLISH | _GERMAN | _FRENCH | _SPANISH

# For free queries, where each word must occur in the paper: also what a question is put with.
QUERY_STOP_WORDS = _ENGLISH | frozenset(
    ("be", "do", "does", "how", "into", "it", "or", "that", "their", "was", "were", "what", "which")
)

# For naming a paper by one word of its title: all of these, and what titles begin with.
KEY_STOP_WORDS = (
    STOP_WORDS
    | QUERY_STOP_WORDS
    | frozenset(("about", "after", "against", "among", "can", "has", "have", "not", "our", "should", "this", "toward"))
    | frozenset(("towards", "un", "una", "under", "une", "using", "via", "when", "where", "whether", "who", "why"))
    | frozenset(("will", "without"))
)
