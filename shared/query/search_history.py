"""Reads a search strategy of numbered lines, as databases show it and reviews print it, as one expression.

    1. exp Asthma/   2. (child* or infant*).tw.   3. 1 and 2   4. limit 3 to english language     Ovid
    #1 'asthma'/exp   #2 child*:ti,ab   #3 #1 AND #2   #4 #3 AND [english]/lim                    Embase, Cochrane
    S1 TI tau   S2 AB mice   S3 S1 AND S2                                                         EBSCOhost
    asthma.mp. and limit 1 to yr="2015 -Current"     a line and its limit

The last line is what was searched for; in it and in the lines that it names, numbers are replaced by their lines.
"""

from __future__ import annotations

import re

from shared.errors import Unprocessable
from shared.query.field_tags import pubmed_field
from shared.query.limits import FIRST_YEAR, LAST_YEAR, either, language_term, type_term

_LINE = re.compile(r"(?<!\S)(?:[#S]([0-9]{1,3})[.:]?|([0-9]{1,3})[.)]) (?=\S)")
# A line that is made of others: `1 and 2`, `#1 OR (#2 AND #3)`, `or/1-3,5`, `{or #1-#3}`, `limit 4 to humans`.
_COMBINED = re.compile(r"(?:[#S]?[0-9]{1,3}(?![0-9])|and|or|not|[()]|\s)+", re.I)
# The same with further terms: `#3 AND [english]/lim`, `3 not (letter or comment).pt.`; a number without a sign may be
# any number, unless the line begins with it and others: `1 and 2 not (phase 1 or 2).tw.`
_AT_FIRST = re.compile(r"(?:\(*[0-9]{1,3}\)* (?:(?:and|or|not) ){1,2})+", re.I)
_AMONG_TERMS = re.compile(
    r"(?:(?<=^)|(?<=\()|(?<=\band )|(?<=\bor )|(?<=\bnot ))([#S]?)([0-9]{1,3})"
    r"(?=$|\)| (?:and|or|not|with|limiters|expanders|search modes)\b)",
    re.I,
)
_PLACES = r"[#S]?[0-9]{1,3}(?: ?- ?[#S]?[0-9]{1,3})?(?:, ?[#S]?[0-9]{1,3}(?: ?- ?[#S]?[0-9]{1,3})?){0,20}"
_OVER = re.compile(rf"(and|or)/ ?({_PLACES})", re.I)
_PLACE = re.compile(r"([0-9]+)(?: ?- ?[#S]?([0-9]+))?")
_IN_BRACES = re.compile(rf"\{{ ?(and|or) ({_PLACES}) ?\}}", re.I)  # Cochrane's: `{or #1-#3, #5} and #6`
_LIMITED = re.compile(r"limit [#S]?([0-9]{1,3}) to (.+)", re.I)
# The papers of another line: without what two databases have both, or those of one database.
_SAME = re.compile(r"remove duplicates from [#S]?([0-9]{1,3})|[#S]?([0-9]{1,3}) use \w{3,8}", re.I)
_REFERENCE = re.compile(r"(?<!\w)[#S]?([0-9]{1,3})\b")
_OPERATOR = re.compile(r"\b(?:and|or|not)\b", re.I)
# Within them `and` belongs to a name.
_NAME = re.compile(r"(\"[^\"]*\"|\[[^\[\]]*\]|(?<![\w'])'[^']*'(?=[/:\s)]|$))")
# What Ovid's searchers write behind a line: `1 or 2 [all asthma terms]`.
_COMMENT = re.compile(r"(?<=[/.)0-9]) \[([^\[\]]*)\]$")
_HITS = re.compile(r" ?[(\[][0-9][0-9,. ]*[)\]]$")
# A limit behind the line that it is meant for, which may have no number.
_LIMIT_BEHIND = re.compile(r"(?:,? and|,? ([0-9]{1,3})[.)]?)? limit #?[0-9]{1,3} to (.+)", re.I)
_NUMBER = re.compile(r"^#?[0-9]{1,3}[.:)]? (?=\S)")
_BETWEEN_LIMITS = re.compile(r"\"[^\"]*\"|[(),]|\band\b", re.I)
_EITHER = re.compile(r" or ", re.I)
_OF_YEARS = re.compile(r"yr ?= ?[\"']?(?:([12][0-9]{3}) ?(-?) ?|- ?)([12][0-9]{3}|current)?[\"']?", re.I)
_ONLY_NUMBERS = re.compile(r"(?=.*#[0-9])(?:#[0-9]{1,3}|and|or|not|[()]|\s)+", re.I)
_WITH_A_NUMBER = re.compile(r"#[0-9]{1,3} (?:AND|OR|NOT) ")
_DEEPEST = 20  # lines that name one another
_TOO_LONG = "the search history is too long: send its parts one by one"
LONGEST = 20_000  # characters: lines that name one another often become long


def read_history(text: str) -> tuple[str, list[str]]:
    """The expression of a strategy's last line, and a note; any other text as it is.

    Raises Unprocessable for lines that are named and missing: `#1 AND #2` alone.
    """
    if "{" in text and len(text := _IN_BRACES.sub(lambda it: f"({_spread(it, '#')})", text)) > LONGEST:
        raise Unprocessable.field("query", _TOO_LONG)
    limited = _LIMITED.fullmatch(_NUMBER.sub("", text, count=1))
    if ("#" in text and _ONLY_NUMBERS.fullmatch(text)) or (limited and _limits(limited[2])[0]):
        raise Unprocessable.field("query", f"{text[:40]} are lines of another service's history: send their text, too")
    if _WITH_A_NUMBER.match(text):
        raise Unprocessable.field(
            "query", f"{text.split()[0]} is a line of another service's history: send its text, too"
        )
    lines = _lines(text)
    if len(lines) > 1 and any(_is_combined(line, number) for number, line in enumerate(lines, start=1)):
        expression = _expanded(len(lines), lines, ())
        limits = [it for line in lines if (found := _LIMITED.fullmatch(line)) for it in _limits(found[2])[1]]
        return expression, [f"{len(lines)} numbered lines as one expression: {expression[:80]}", *_left_out(limits)]
    return _with_limit_behind(text)


def _with_limit_behind(text: str) -> tuple[str, list[str]]:
    """A line with its limit behind it as one expression: `asthma.mp. and limit 1 to yr="2015 -Current"`."""
    found = _LIMIT_BEHIND.search(text)
    if not found or found[1] not in (None, "2"):
        return text, []
    read, unread = _limits(found[2])
    line = text[: found.start()].strip()
    line = _NUMBER.sub("", line, count=1) if found[1] and _NUMBER.match(line) else line
    if not line or not read:
        return text, []
    limits = " AND ".join(read)
    return f"({_HITS.sub('', line)}) AND {limits}", [f"limit to {found[2]} as {limits}"[:120], *_left_out(unread)]


def _left_out(limits: list[str]) -> list[str]:
    return [f"limit to {limit} left out"[:120] for limit in limits]


def _lines(text: str) -> list[str]:
    """The lines, if they are numbered from one without a gap."""
    starts: list[tuple[int, int]] = []
    for found in _LINE.finditer(text):
        number = int(found[1] or found[2])
        if number == len(starts) + 1 and (starts or found.start() == 0):
            starts.append((found.start(), found.end()))
    ends = [*(start for start, _ in starts[1:]), len(text)][: len(starts)]
    lines = (_HITS.sub("", text[begin:end].strip()) for (_, begin), end in zip(starts, ends, strict=True))
    return [_COMMENT.sub(lambda it: it[0] if pubmed_field(it[1]) else "", line) for line in lines]


def _is_combined(line: str, number: int) -> bool:
    forms = (_OVER, _LIMITED, _SAME)
    return any(form.fullmatch(line) for form in forms) or bool(_named(line, number))


def _named(line: str, number: int) -> list[tuple[int, int, int]]:
    """The lines that one with this number names: where each is named, from and to, and its number."""
    if _COMBINED.fullmatch(line) and _OPERATOR.search(line):
        return [(found.start(), found.end(), int(found[1])) for found in _REFERENCE.finditer(line)]
    first = _AT_FIRST.match(line)
    at_first = first.end() if first and all(int(it) < number for it in re.findall("[0-9]+", first[0])) else 0
    bare = _NAME.sub(lambda it: "x" * len(it[0]), line)
    found = [it for it in _AMONG_TERMS.finditer(bare) if it[1] or it.end() <= at_first]
    return [(it.start(), it.end(), int(it[2])) for it in found if int(it[2]) < number]


def _expanded(number: int, lines: list[str], above: tuple[int, ...]) -> str:
    """A line with those that it names in parentheses; `above` are the lines that lead to it.

    Raises Unprocessable for a line that is missing, names itself, or is too deep.
    """
    if not 0 < number <= len(lines):
        raise Unprocessable.field("query", f"line {number} of the search history is missing: it has {len(lines)} lines")
    if number in above:
        raise Unprocessable.field("query", f"line {number} of the search history names itself")
    if len(above) > _DEEPEST:
        raise Unprocessable.field("query", f"line {above[0]} of the search history nests more than {_DEEPEST} lines")
    line = lines[number - 1]

    def named(name: int) -> str:
        return f"({_expanded(name, lines, (*above, number))})"

    if over := _OVER.fullmatch(line):
        line = _spread(over)
    if same := _SAME.fullmatch(line):
        return named(int(same[1] or same[2]))
    if limited := _LIMITED.fullmatch(line):
        text = " AND ".join([named(int(limited[1])), *_limits(limited[2])[0]])
    else:
        text = _with_capitals(line)
        for start, end, name in reversed(_named(line, number)):
            text = f"{text[:start]}{named(name)}{text[end:]}"
    if len(text) > LONGEST:
        raise Unprocessable.field("query", _TOO_LONG)
    return text


def _spread(over: re.Match[str], sign: str = "") -> str:
    """The numbers that are named together, with their operator between them: `1 or 2 or 3` of `or/1-3`."""
    spans = [(int(it[1]), int(it[2] or it[1])) for it in _PLACE.finditer(over[2])]
    return f" {over[1]} ".join(f"{sign}{it}" for first, last in spans for it in range(first, last + 1))


def _with_capitals(line: str) -> str:
    """A line with its operators in capitals, as no database of this kind distinguishes them."""
    parts = _NAME.split(line)
    parts[::2] = [_OPERATOR.sub(lambda it: it[0].upper(), part) for part in parts[::2]]
    return "".join(parts)


def _limits(text: str) -> tuple[list[str], list[str]]:
    """What a line is limited to, as terms, and the limits that have no equal."""
    read, unread = list[str](), list[str]()
    parts = _BETWEEN_LIMITS.sub(lambda it: it[0] if it[0][0] == '"' else "\n", text).split("\n")
    for part in filter(None, (it.strip(' "') for it in parts)):
        terms = [_limit(one.strip()) for one in _EITHER.split(part)]
        if term := either(terms):
            read.append(term)
        else:
            unread.append(part)
    return read, unread


def _limit(text: str) -> str | None:
    if years := _OF_YEARS.fullmatch(text):
        first, last = years[1] or str(FIRST_YEAR), years[3] or (str(LAST_YEAR) if years[2] else years[1])
        return f"PUB_YEAR:[{first} TO {last if last and last.isdigit() else LAST_YEAR}]"
    return "humans[Filter]" if text.lower() in ("human", "humans") else language_term(text) or type_term(text)
