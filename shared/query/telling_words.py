"""The telling words of a sentence: those without which it would be about something else.

Engines that require every word find nothing for `How does CRISPR-Cas9 cause off-target effects in human cells?`, and
much for `CRISPR-Cas9 off-target human cells`. PubMed's help advises the same: search for the subjects alone
(https://pubmed.ncbi.nlm.nih.gov/help/).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from shared.bibliography.name_patterns import ET_AL
from shared.bibliography.stop_words import (
    ALSO_ENGLISH,
    BEHIND_I,
    FUNCTION_WORDS,
    GENERIC_WORDS,
    NAMED_BY_CAPITALS,
    NAMED_BY_LETTERS,
    QUESTION_WORDS,
    TELL_A_LANGUAGE,
    TERMS_OF_GENERIC_WORDS,
)
from shared.bibliography.text import fold
from shared.query.filters_in_words import filters_in_words

_EDGES = "\"'.,;:!?¿¡()[]{}<>…“”„«»‘’、。？！；：؟،؛।"
# `l'Alzheimer`, `d'Alzheimer`: an article that is written with its noun.
_ELIDED = re.compile(r"(?i)^(?:[cdjlmnst]|qu|dell|nell|sull|all|un)['’](?=\w{2})")
_ET_AL = re.compile(rf"{ET_AL}|\band al\b", re.I)
_POSSESSIVE = re.compile(r"['’]s$")

# `kids under 6`, `women aged 18 to 45 years`, `adults 65 and older`: a limit that texts write in other ways, and that
# no engine compares; to PubMed, `aged` is a heading for the old. So is the time in which a question expects an answer.
_RANGE = r"[0-9]{1,3}(?:(?: ?[-–] ?| to | and )[0-9]{1,3})?"
_UNIT = r"[ -](?:years?|yrs?|months?|weeks?|days?)"
_OR_MORE = r" (?:and|or) (older|above|over|younger|under|below)\b"
_LIMIT = re.compile(
    r"\b(?:(under|over|below|above|(?:older|younger|less|more|fewer|greater) than|at (?:least|most)) (?:the age of )?"
    r"|(?:between |from )?(?:the )?(?:aged?|ages)(?: of| between| from| over| under| above| below)? )"
    rf"{_RANGE}(?:{_UNIT}(?:[ -]old| of age)?)?(?:{_OR_MORE}|\+)?(?![\w%-])"
    # without a unit, what is above a number may be a grade of tumours; what is 100 years old is no patient
    rf"|\b[0-9]{{1,3}}(?:{_UNIT}(?: old| of age)?{_OR_MORE}| (?:and|or) (older|younger)\b)"
    rf"|\b(?:[0-9]{{1,2}}(?: ?[-–] ?| to | and ))?[0-9]{{1,2}}{_UNIT}(?: old| of age)\b"
    rf"|\([<>≤≥]?=? ?{_RANGE}{_UNIT}(?:{_OR_MORE})?\)"
    r"|\b(?:within|over|during|in) (?:an? |the )?(?:first |next )?(?:[0-9]{1,3}|one|two|three|six|twelve)"
    rf"{_UNIT}(?: period)?\?$",
    re.IGNORECASE,
)

# Chinese and Japanese have no blanks around what asks, and around `of` in a question.
_ASKING = re.compile(
    "有哪些|是什么|什么是|如何|怎么样?|怎样|为什么|为何|哪些|吗|呢"
    "|(?:と?は|って)(?:何|なん|どのような(?:もの)?)(?:ですか|でしょうか)?|(?:です|ます|でしょう)か|について(?:教えて.*)?"
)
_OF = re.compile("(?<!目)的(?!确)|の|を")
_ACCENTED = re.compile("[à-öø-ÿœ]")
_IN_GERMAN = frozenset(("in", article) for article in ("das", "dem", "den", "der", "die"))
_BESIDE_IN = frozenset(("bei", "una", "vor", "wie"))  # `Depression bei Kindern in Wien`; alone, `bei` may be a name
_SUBJECTS = frozenset(("it", "us"))  # without any other word of grammar: `it security`, `us hospitals`


def bare_words(text: str) -> list[str]:
    """The words of a text as they are written, without the punctuation around them and without brackets."""
    words = (_ELIDED.sub("", word.strip(_EDGES).lstrip("+-|")) for word in text.translate(_BRACKETS).split())
    return [word for word in words if fold(word)]


_BRACKETS = str.maketrans("()[]{}", "      ")


def is_question(text: str) -> bool:
    """Whether a text asks: it ends with a question mark, or begins as questions of the large languages do.

    What goes on behind a question mark is a title with a subtitle.
    """
    words = text.split()
    if re.search(r"[?？] ?\w+\W+\w", text):
        return False
    return text.rstrip("\"' )").endswith(
        ("?", "？", "؟", "ですか", "ますか", "でしょうか", "吗", "有哪些", "是什么")
    ) or (len(words) > 3 and words[0].strip(_EDGES).casefold() in QUESTION_WORDS)


def content_words(text: str) -> tuple[str, ...]:
    """The words of a text without those of its grammar. Words with a digit, a hyphen or in capitals alone stay.

    Never empty if the text has a word.
    """
    words = bare_words(text)
    capitals = _mostly_capitals(words)
    grammar = _grammar_of(words)
    telling = [
        word
        for before, word, behind in zip(["", *words], words, [*words[1:], ""], strict=False)
        if _is_marked(word, capitals)
        or _bare(word) not in grammar
        or (len(word) == 1 and before.casefold() in NAMED_BY_LETTERS)
        or (len(word) == 1 and word.isupper() and before.casefold() in NAMED_BY_CAPITALS)
        or (word == "I" and _is_noun(before, grammar) and behind.casefold() not in BEHIND_I)
    ]
    first: dict[str, str] = {}
    for word in telling or words:
        first.setdefault(word.casefold(), word)
    return tuple(first.values())


@lru_cache(maxsize=1024)
def telling_words(text: str) -> tuple[str, ...]:
    """The content words without those that filters do; of a sentence without generic ones (`role`) if others remain."""
    text = _LIMIT.sub(_direction, _ET_AL.sub(" ", filters_in_words(text).rest))
    if _ASKING.search(text):
        text = _OF.sub(" ", _ASKING.sub(" ", text))
    words, content = bare_words(text), content_words(text)
    if len(content) == len(set(words)):  # keywords: each of them was chosen
        return content
    capitals = _mostly_capitals(words)
    pairs = pairwise(word.casefold() for word in words)
    named = {word for pair in pairs if " ".join(pair) in TERMS_OF_GENERIC_WORDS for word in pair}
    subjects = [
        word
        for word in content
        if _is_marked(word, capitals) or word.casefold() not in GENERIC_WORDS or word.casefold() in named
    ]
    return tuple(subjects) or content


def _direction(limit: re.Match[str]) -> str:
    """The words of a limit that are not a number: `65 and older` is about older people."""
    return " ".join(filter(None, limit.groups()))


def _is_noun(word: str, grammar: frozenset[str]) -> bool:
    """Whether a number may stand behind a word: neither grammar nor generic, nor several things (`books I read`)."""
    is_plural = word.islower() and word.endswith("s") and not word.endswith(("ss", "is", "us"))
    return bool(word) and not is_plural and _bare(word) not in grammar and word.casefold() not in GENERIC_WORDS


def _bare(word: str) -> str:
    """A word as lists have it: `What's` -> `whats`."""
    return word.casefold().replace("'", "").replace("’", "")


def _mostly_capitals(words: Sequence[str]) -> bool:
    """Whether most words are written in capitals, so that capitals distinguish nothing."""
    return sum(word.isupper() for word in words) * 2 > len(words)


def _is_marked(word: str, capitals: bool) -> bool:
    """Whether a word is a symbol or name by its form: `IL-6`, `p53`, `off-target`, `WHO`; not `24%` or `P=0.04`."""
    return is_name_like(word) and (
        (any(sign.isdigit() for sign in word) and not word.isdigit())
        or "-" in word.strip("-")
        or (not capitals and len(word) > 1 and word.isupper())
    )


def is_name_like(word: str) -> bool:
    """Whether a word may be a name: it has a letter, and no sign of a comparison."""
    return any(map(str.isalpha, word)) and not set(word) & set("=<>≤≥")


def _grammar_of(words: Sequence[str]) -> frozenset[str]:
    """The function words of English, and of the language to which most of these words belong."""
    in_order = [word.casefold() for word in words]
    folded = set(in_order)
    is_foreign = any(map(_ACCENTED.search, folded)) or not _IN_GERMAN.isdisjoint(pairwise(in_order))
    hits = {
        language: _weight(folded & known, language, is_foreign=is_foreign) for language, known in FUNCTION_WORDS.items()
    }
    language = max(hits, key=lambda name: (hits[name], name == "en"))
    if language == "en":
        found = folded & FUNCTION_WORDS["en"]
        return FUNCTION_WORDS["en"] - found if found <= _SUBJECTS else FUNCTION_WORDS["en"]
    # A French sentence also has `a` or `on`, which are French as well; an English word in it is rarely grammar.
    return FUNCTION_WORDS[language] | FUNCTION_WORDS["en"] if hits["en"] > 1 else FUNCTION_WORDS[language]


def _weight(words: set[str], language: str, *, is_foreign: bool) -> int:
    """How many function words tell that a text is in this language; one that English has as well does not alone.

    It does not beside function words of English either: `war in Ukraine`, `non small cell lung cancer in women`.
    `is_foreign`: other words have accents, as in `la migraña`, or articles stand as only German has them.
    """
    whole = {word for word in words if len(word) > 1}  # a letter may be a symbol: `vitamin D`, `hepatitis E`
    own = words - FUNCTION_WORDS["en"]
    is_foreign = is_foreign or len(own) > 1 or ("in" in words and not own.isdisjoint(_BESIDE_IN))
    is_known = language == "en" or is_foreign or any(map(_is_foreign_alone, whole))
    return len(whole) if is_known else 0


def _is_foreign_alone(word: str) -> bool:
    return word not in ALSO_ENGLISH and (len(word) > 2 or not word.isascii() or word in TELL_A_LANGUAGE)


def most_telling(words: Sequence[str], count: int) -> tuple[str, ...]:
    """The `count` words that are probably the rarest, in their order: symbols and names first, then long words.

    Single letters come late: initials, and the `S` of `S. aureus`; figures (`24%`, `P=0.04`) come last.
    """
    capitals = _mostly_capitals(words)

    def rarity(word: str) -> tuple[bool, bool, bool, bool, int]:
        plain = _POSSESSIVE.sub("", word)
        generic = word.casefold() in GENERIC_WORDS or (len(plain) == 1 and plain.isascii())
        return (
            is_name_like(word),
            not generic,
            _is_marked(word, capitals),
            plain[:1].isupper() and not capitals,
            len(plain),
        )

    best = sorted(dict.fromkeys(words), key=rarity, reverse=True)[:count]
    return tuple(sorted(best, key=list(words).index))
