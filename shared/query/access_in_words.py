"""What a query says of free copies and of citations: `TREM2 open access only`, `papers with at least 100 citations`."""

from __future__ import annotations

import re

_PAPERS = "papers|articles|studies|publications|reviews|literature|research|works"
# `TREM2 pdf`, `TREM2 free full text`; `PDF` also is a function of physics.
_FILE = re.compile(
    r"(?<! of)(?<! from)(?<! in)(?<! to) (?:(?:free|download) (?:pdf|full[ -]text)|full[ -]text pdf|pdf|free download)"
    r"(?: (?:free|download|pdf))*[.!?]?$"
)
_FREE = r"open[- ]access|free full[- ]text"
# Alone at the end of a text, `open access` may be its subject: `predatory open access`, `Elsevier open access`.
_OPEN = re.compile(
    rf"(?:,? \((?:{_FREE})\)|, ?(?:{_FREE})|,? (?:(?:that|which) are |only |{_PAPERS} )?(?:{_FREE}) only"
    rf"|,? (?:(?:{_PAPERS}) )?(?:that|which) are (?:{_FREE})|,? (?:only )?(?:{_FREE}) (?:{_PAPERS})"
    rf"|,? (?:with |only )(?:{_FREE})|,? (?:{_PAPERS}),? (?:{_FREE})| free full[- ]text)[.!?]?$",
    re.I,
)
# `the benefits of open access`, `gold open access`: the subject is how papers are published.
_BEFORE_SUBJECT = re.compile(
    r"(?:^|\s)(?:of|from|in|to|for|and|or|on|about|the|towards?|with|by|versus|vs\.?|gold|green|diamond|hybrid|bronze"
    r"|journals?|publish\w+|publications?|scholarly|scientific|librar\w+|repositor\w+|polic\w+|mandates?|science|data|fees?"
    r"|citations?|preprints?|academic)$",
    re.I,
)
_NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,6})"
_ABOVE = r"(?<!no )(?<!not )more than|over|above|greater than|>(?!=)"
_AT_LEAST = r"at least|no fewer than|not less than|(?:a )?minimum(?: of)?|min\.?|>=|≥"
_VERB = "with|having|(?:that|which) have|(?:(?:that|which) (?:are|were|have been) )?cited"
# The subject of `parking citations over 20` and `h-index above 50 citations` is citations: without a verb or a word for
# papers, only what has no other meaning is read.
_CITED = re.compile(
    rf"(?:^|,? \(|, ?| )(?:(?P<noun>{_PAPERS}),? )?(?:(?P<verb>{_VERB}) )?"
    rf"(?:(?:(?:(?P<above>{_ABOVE})|{_AT_LEAST}) ?(?P<first>{_NUMBER})|(?P<second>{_NUMBER})(?:\+| or more| and more))"
    r" (?:citations?|times)"
    rf"|(?:a )?citations?(?: counts?)? (?:of )?(?:(?P<over>{_ABOVE})|{_AT_LEAST}) ?(?P<third>{_NUMBER}))\)?"
    r"(?=[\s.,!?]|$)",
    re.I,
)
_VAGUE = re.compile(r"\b(?:over|above)\b", re.I)
_LAST_NOUN = re.compile(rf"(?<=\S) (?:{_PAPERS})$", re.I)


def open_in_words(text: str) -> str | None:
    """A text without its end that asks for free copies; None if it has none."""
    if found := _FILE.search(text):
        return text[: found.start()]
    found = _OPEN.search(text)
    if not found or is_on_publishing(text[: found.start()]):
        return None
    return text[: found.start()]


def is_on_publishing(before: str) -> bool:
    """Whether the words before `open access` make it their subject."""
    return _BEFORE_SUBJECT.search(before) is not None


def citations_in_words(text: str) -> tuple[str, int | None]:
    """A text without the fewest citations that papers must have, and that number.

    `times` says so only behind `cited`: `washed more than 3 times`.
    """
    found = _CITED.search(text)
    if not found or (not found["verb"] and not found["noun"] and _VAGUE.search(found[0])):
        return text, None
    if found[0].rstrip(")").casefold().endswith("times") and "cited" not in found[0].casefold():
        return text, None
    number = int((found["first"] or found["second"] or found["third"]).replace(",", ""))
    before, after = f"{text[: found.start()]} {found['noun'] or ''}".strip(), text[found.end() :].strip()
    if not after.strip(".!?"):
        before, after = _LAST_NOUN.sub("", before), ""
    rest = f"{before}{'' if after.startswith(',') else ' '}{after}".strip(" ,")
    fewest = number + bool(found["above"] or found["over"])
    return (rest, fewest) if any(map(str.isalpha, rest)) else (text, None)
