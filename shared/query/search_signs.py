"""The signs `-` and `|` as search engines read them: `microglia -mouse` excludes, `TREM2 | CD33` are alternatives.

They are signs of chemistry, typography and mathematics as well (`TNF -alpha`, `-80`, `P(A|B)`), so that only clear ones
are read, always with a note; for the others `suggested` gives the query in capitals, as `with_not` does for `but not`.
"""

from __future__ import annotations

import re

from shared.bibliography.stop_words import FUNCTION_WORDS
from shared.query.greek import spellings
from shared.query.syntax import OPERATORS

# A sign with a blank or nothing before it, and a letter, a phrase or a group of alternatives behind it.
_MINUS = re.compile(
    r"(?:(?<=\S )|(?<=^))-(?:(?=[^\W\d_\s]|\ue000)[^\s()]{2,}[^\s(),;]"
    r"|\((?:[^\W\d_]{3,}|\ue000[0-9]+\ue001|[^()]{2,100} (?:OR|or|\|) [^()]{2,100})\)(?![^\s)]))"
)
_BAR = re.compile(r"(?<!\S)\|{1,2}(?!\S)")
_DOUBLED = re.compile(r" (?:&&|\|\|) (?=\S)")
_GROUP = re.compile(r"\(([^()]*)\)")
# What stands before a hyphen that belongs to a word: a part of a compound word, or a short symbol (`T -cell`).
_BEFORE_HYPHENS = frozenset(("anti", "non", "pre", "post", "sub", "multi", "meta", "inter", "intra", "self", "pro"))
_LAST_OPERATOR = re.compile(r" (?:AND|OR) $")
# What stands behind such a hyphen, also where a line of print or a slip has parted it: `health -related`.
_BEHIND_HYPHENS = frozenset(
    ("based", "related", "term", "induced", "dependent", "mediated", "specific", "associated", "derived", "like",
     "free", "blind", "ray", "rays", "analysis", "analyses", "resistant", "positive", "negative", "type", "wide",
     "scale", "level", "order", "line", "cell", "cells", "linked", "driven", "targeted", "treated", "deficient", "up",
     "making", "taking", "being", "solving", "reported", "centred", "centered", "oriented", "eluting", "risk", "income",
     "stage", "effectiveness")
)  # fmt: skip
_DASHES = str.maketrans("\u2013\u2212", "--")
_MIDDLES = ("of-", "to-", "by-", "and-")  # of compound words: `quality -of-life`; `-in-vitro` is excluded
# Only short texts: longer ones are sentences, and often titles.
_EXCEPT = re.compile(
    r"([^\W\d_][^,;:.?!\"()|]{1,60}?),? (?:(?:but|and) not|excluding|except)(?: (?:in|for|with|on|the))* "
    r"([^\W\d_][\w-]{2,30}(?: [^\W\d_][\w-]{2,30})?)"
)
_SMALL = ("and", "or", "not")
_SHORTEST = 3  # letters of a word before a minus that excludes


def read_signs(text: str) -> tuple[str, list[str]]:
    """The text with clear signs as operators, and a note on each; beside operators, a minus alone."""
    if "&&" in text or "||" in text:
        doubled = _DOUBLED.sub(lambda it: " AND " if it[0][1] == "&" else " OR ", text)
        return (" ".join(doubled.split()), ["&& and || as AND and OR"]) if doubled != text else (text, [])
    if not ("-" in text or "|" in text):
        return text, []
    if any(word in OPERATORS for word in text.split()):
        return _beside_operators(text)
    notes: list[str] = []
    if _BAR.search(text):
        read = _GROUP.sub(lambda it: f"({_alternatives(it[1])})", text) if "(" in text else _alternatives(text)
        if not _BAR.search(read):
            notes.append("| as OR")
            text = read
    excluded = [found for found in _MINUS.finditer(text) if _excludes(text[: found.start()], found[0][1:])]
    if excluded and not _BAR.search(text):
        text = _without(text, excluded)
        notes.append(_as_not([it[0] for it in excluded]))
    return text, notes


def _beside_operators(text: str) -> tuple[str, list[str]]:
    """A minus as NOT where it stands: `(TREM2 OR CD33) -mouse`, `TREM2 AND -mouse`.

    Behind OR, where NOT would have nothing to exclude from, it excludes from all of its group: `TREM2 OR -mouse`.
    """
    found = [
        it
        for it in _MINUS.finditer(text)
        if _excludes(_LAST_OPERATOR.sub("", text[: it.start()]), it[0][1:])
        or (not it.start() and text[it.end() :].startswith(" AND "))
    ]
    for it in reversed(found):
        before, behind = text[: it.start()], text[it.end() :]
        if before.endswith(" OR ") and not behind.startswith(" AND "):
            start, end = _group_around(before, behind)
            rest = f"{before[start:].removesuffix(' OR ')}{behind[:end]}"
            text = f"{before[:start]}({rest}) NOT {_excluded(it)}{behind[end:]}"
        else:
            text = before + _in_place(it) + behind
    return text, [_as_not([it[0] for it in found])] if found else []


def _in_place(found: re.Match[str]) -> str:
    """An exclusion where its minus stands; in parentheses if a word follows, which is not excluded."""
    term, behind = _excluded(found), found.string[found.end() :].split()[:1]
    is_apart = term[0] == "(" or not behind or found.string[found.end()] == ")" or behind[0] in OPERATORS
    return f"NOT {term}" if is_apart else f"NOT ({term})"


def _excluded(found: re.Match[str]) -> str:
    """What a minus excludes: of a group each alternative, whatever the letters of its operators."""
    return found[0][1:].replace(" or ", " OR ") if found[0][1] == "(" else found[0][1:]


def _group_around(before: str, behind: str) -> tuple[int, int]:
    """Where the group begins in the text before a place, and where it ends in the text behind it."""
    start, depth = len(before), 0
    while start and depth >= 0:
        start -= 1
        depth += {")": 1, "(": -1}.get(before[start], 0)
    end, closed = 0, 0
    while end < len(behind) and closed >= 0:
        closed += {"(": 1, ")": -1}.get(behind[end], 0)
        end += 1
    return start + (depth < 0), end - (closed < 0)


def _as_not(words: list[str]) -> str:
    return f"{', '.join(words)} as NOT: write a word with its hyphen and no blank if it belongs to the one before"


def in_capitals(text: str) -> str | None:
    """`TREM2 or CD33` with its operators in capitals; None for a text without a small `or` or `not`, or a sentence.

    Words side by side between operators are put in parentheses.
    """
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    if not {"or", "not"} & {*words} or any(word in OPERATORS for word in words):
        return None
    if words[0] in _SMALL or words[-1] in _SMALL or words.count("(") != words.count(")"):
        return None
    parts, ends = [], [*(place for place, word in enumerate(words) if word in _SMALL or word in "()"), len(words)]
    start = 0
    for end in ends:
        part = words[start:end]
        grouped = len(part) > 1 and not ("(" in words[start - 1 : start] and ")" in words[end : end + 1])
        parts += [f"({' '.join(part)})"] if grouped else part
        parts += [word.upper() for word in words[end : end + 1]]
        start = end + 1
    return " ".join(parts).replace("( ", "(").replace(" )", ")")


def with_not(text: str) -> str | None:
    """`TREM2 but not in mice`, `TREM2 excluding mice` with NOT; None for any other text, and for a sentence."""
    found = _EXCEPT.fullmatch(text)
    if not found or not FUNCTION_WORDS["en"].isdisjoint(found[1].casefold().split()):
        return None
    return " NOT ".join(f"({it})" if " " in it else it for it in found.groups())


def suggested(text: str) -> str | None:
    """The query in this service's operators, as search engines would read its signs; None if it has none.

    Dashes are taken for a minus here: editors write them in its place, and prose has them between words.
    """
    text = text.translate(_DASHES)
    minus = [found[0] for found in _MINUS.finditer(text)]
    if not minus and not _BAR.search(text):
        return None
    parts = [part.strip() for part in _BAR.split(_without_words(text, minus)) if part.strip()]
    if not parts:  # an exclusion alone would be refused
        return None
    either = " OR ".join(f"({part})" if " " in part and len(parts) > 1 else part for part in parts)
    return " NOT ".join([f"({either})" if minus and len(parts) > 1 else either, *(word[1:] for word in minus)])


def _alternatives(text: str) -> str:
    """Single words or phrases with `|` between them as alternatives; any other text stays as it is."""
    parts = [part.strip() for part in _BAR.split(text)]
    clear = len(parts) > 1 and all(part and " " not in part for part in parts)
    return " OR ".join(parts) if clear else text


def _excludes(before: str, word: str) -> bool:
    """Whether a minus excludes: not in front of a Greek letter's name, nor behind what a hyphen follows."""
    if not (words := before.split()):
        return False
    last = words[-1].strip("()").rpartition(":")[2].lstrip("+").casefold()
    if last.startswith("-"):  # excluded as well: `-mice, -rats`
        last = last.strip("-,;")
    if not (last.replace("-", "").isalnum() or last.endswith(("\ue001", "]"))):  # `x^2 -rays`
        return False
    if last in FUNCTION_WORDS["en"]:  # a formula is lost before it: `the -nearest neighbour rule`
        return False
    is_name = word.isupper()  # `leukemia -ALL`, `global health -WHO`
    word = word.casefold().strip(".,;:")
    is_compound = last in _BEFORE_HYPHENS or word in _BEHIND_HYPHENS or word.startswith(_MIDDLES)
    if word in FUNCTION_WORDS["en"] and not is_name:  # a dash: `drug abuse -what has experience taught us`
        return False
    return len(last) >= _SHORTEST and not is_compound and len(spellings(word)) == 1


def _without(text: str, excluded: list[re.Match[str]]) -> str:
    """The text with these exclusions at its end; those within parentheses where they stand."""
    outer = list[str]()
    for it in reversed(excluded):
        before, behind = text[: it.start()], text[it.end() :]
        if before.count("(") > before.count(")"):
            text = before + _in_place(it) + behind
        else:
            text, outer = f"{before.rstrip()}{behind}", [_excluded(it), *outer]
    return " NOT ".join([f"({text})" if outer and " OR " in text else text, *outer])


def _without_words(text: str, words: list[str]) -> str:
    return " ".join(word for word in text.split() if word not in words)
