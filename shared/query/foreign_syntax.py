"""Reads the query languages of Ovid, Scopus, Web of Science and Google as this service's own.

    Ovid             exp Dementia/   (tau or amyloid).ti,ab.   TREM2 adj3 microglia   neurodegenerat$
    Scopus           TITLE-ABS-KEY(TREM2)   AUTH(Colonna)   PUBYEAR > 2019   TREM2 W/3 microglia
    Web of Science   TS=(TREM2 AND tau)   TI="innate immunity"   PY=2019-2021   TREM2 NEAR/3 microglia
    Google           intitle:TREM2   allintitle: a title   2019..2021   site:nature.com   TREM2 AROUND(3) tau

What has an equal becomes a field tag or an operator; what has none is left out. Each reading is noted for the caller.
https://ospguides.ovid.com/OSPguides/medline.htm, https://dev.elsevier.com/sc_search_tips.html, and Clarivate's help
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from shared.query import limits
from shared.query.distances import ADJACENT, FAR, NEAR, NEAR_OR_SAME, read_distances
from shared.query.field_tags import pubmed_field
from shared.query.foreign_fields import GOOGLE, OVID, SCOPUS, WEB_OF_SCIENCE, of_catalogue
from shared.query.search_signs import read_signs
from shared.query.sides import start_of_group
from shared.query.syntax import without_gaps

# A phrase in quotation marks while the text around it is read: its number between characters for private use.
_PHRASE = re.compile(r'"[^"]*"')
_QUOTED_YEAR = re.compile(r'"([12][0-9]{2,3}[*$]?)"')  # `("2020" or "2021").yr.`
_HELD = re.compile("\ue000([0-9]+)\ue001")
# Of Scopus' names: with a blank behind them they are words, if nothing else is Scopus' (`ABS (styrene)`); ALL always.
_WORDS_TOO = ("TITLE", "ABS", "KEY", "DOI", "LANGUAGE", "ALL")
# `AU=(Smith J OR Jones K)`, `(clinical trial or letter).pt.`: words between operators are one name.
_WHOLE_PHRASES = ("AUTH", "JOURNAL", "PUB_TYPE")
_MOST_FIELDS = 50  # of one text; each is looked for from the beginning

_IN_OVID = "|".join(OVID)
_IN_LISTS = rf"(?:[a-z]{{2}},){{0,20}}(?:{_IN_OVID})(?:,[a-z]{{2}}){{0,20}}"  # with fields that have no equal
_SUFFIX = re.compile(
    rf"\.({_IN_LISTS})\.(?=[\s)]|$)|(?:(?<=[*$)])|(?<=\w)(?=\.[a-z]{{2}},))\.({_IN_LISTS})(?=[\s)]|$)", re.I
)
_SUBHEADINGS = re.compile(r"(?:(?!or\b)[a-z]{2}(?:, ?[a-z]{2}){0,9}(?: \[[^\[\]]*\])?)?")  # `dt [Drug Therapy]`
_EXPLODED = re.compile(r"exp(?:lode)? +", re.I)
# Beside one of these, a heading with a subheading is one: `pet/ct` and `(Ca/mg)` alone are words.
_OF_OVID = re.compile(rf"\bexp(?:lode)? |/(?=[\s)]|$)|/[a-z]{{2}},|/[a-z]{{2}} \[|{_SUFFIX.pattern}", re.I)
_SHORT_SYMBOL = 2  # letters
_BETWEEN = re.compile(r"([()]|(?<!\S)(?:and|or|not)(?!\S))", re.I)
_OPERATOR = re.compile(r"(?<!\S)(?:and|or|not)(?!\S)")
_TRUNCATED = re.compile(r"(?<=[^\W\d_]{3})\$[0-9]{0,2}(?!\w)")
_CALLED = re.compile(rf"(?<![\w-])({'|'.join(SCOPUS)})( ?)\(")
_EQUALS = re.compile(
    rf"(?<![\w-])(?:({'|'.join(WEB_OF_SCIENCE)}) ?==? ?(?=[(\ue000]|[^\W\d_]|10\.)|(ts|ti|ab|au) ?= ?(?=[(\ue000]))"
)
_YEARS = re.compile(
    r"(?<![\w&?-])(PUBYEAR|PY|[Yy]ear) ?(=|>=|<=|>|<|AFT|BEF|IS) ?([12][0-9]{3})(?:-([12][0-9]{3}))?(?!\w)"
)
_SPAN = re.compile(
    r"(?<![^\s(])(?:([12][0-9]{3})\.{2,3}([12][0-9]{3})|(after|before|since|until|from|to):([12][0-9]{3})[0-9/-]{0,6})"
    r"(?![^\s)])"
)
_PREFIXED = re.compile(rf"(?:(?<![\w\[-])|(?<= -))({'|'.join(GOOGLE)}):(?=[^\s:])", re.I)
_ALL_IN_TITLE = re.compile(r"^allintitle: ?(?=\S)", re.I)
# An address or the end of one: `site:specific` and `a site: nature of …` are words.
_WEB = re.compile(
    r"(?<!\S)-?(?:site:(?=\S*\.[a-z]|(?:com|edu|gov|net|org)(?!\S))|(?:filetype|inurl|allinurl|ext):)\S+", re.I
)
_EXACT = re.compile(r"\{([^{}\ue000]{2,100})\}")  # Scopus' exact phrase
_UNKNOWN_TAG = re.compile(r"(?<=[\w*\"\ue001])\[([A-Za-z](?:[A-Za-z /]| - ){1,34})\](?![\w-])")
KNOWN_TAGS = "[ti] [tiab] [mh] [majr] [au] [ta] [dp] [pt] [la] [ad] [pmid] [aid]"


@dataclass(frozen=True, slots=True)
class Reading:
    """A text in this service's own language, and a note on each part that was written in another."""

    text: str
    notes: tuple[str, ...] = ()


def read_foreign(text: str) -> Reading:
    """The text with what Ovid, Scopus, Web of Science and Google write as this service writes it."""
    reader = _Reader()
    text = _PHRASE.sub(reader.hold, _QUOTED_YEAR.sub(r"\1", text) if ".yr." in text or "sa_year" in text else text)
    text = reader.of_databases(reader.of_google(reader.without_unknown_tags(text)))
    text, notes = read_signs(text)
    reader.notes += map(reader.restored, notes)
    return Reading(reader.restored(text), tuple(dict.fromkeys(reader.notes)))


class _Reader:
    def __init__(self) -> None:
        self.notes: list[str] = []
        self._phrases: list[str] = []

    def hold(self, found: re.Match[str]) -> str:
        return self._phrase(found[0].strip('"'))

    def restored(self, text: str) -> str:
        return _HELD.sub(lambda found: self._phrases[int(found[1])], text)

    def without_unknown_tags(self, text: str) -> str:
        """`TREM2[foo]` -> `TREM2`; `[18F]FDG` and `benzo[a]pyrene` are words."""

        def read(found: re.Match[str]) -> str:
            if pubmed_field(found[1]):
                return found[0]
            self.notes.append(f"[{found[1]}] is not a field tag and was left out; tags are {KNOWN_TAGS}")
            return ""

        return _UNKNOWN_TAG.sub(read, text)

    def of_google(self, text: str) -> str:
        text = self._sub(FAR, lambda it: f"({self._phrases[int(it[1])][1:-1]})", text)
        text = self._sub(_WEB, lambda _: "", text)
        text = self._sub(
            _SPAN, lambda it: limits.span_term(it[1], it[2]) if it[1] else limits.since_term(it[3], int(it[4])), text
        )
        text = self._sub(_PREFIXED, of_catalogue, text)
        if found := _ALL_IN_TITLE.match(text):
            self._note(text, text := f"TITLE:({text[found.end() :]})")
        return text

    def of_databases(self, text: str) -> str:
        before = len(self.notes)
        text = self._sub(
            limits.SCOPUS_LIMITS, lambda it: limits.scopus_term(self.restored(it[0]), it.string[: it.start()]), text
        )
        text = self._sub(
            limits.WEB_OF_SCIENCE_LIMITS, lambda it: limits.web_of_science_term(it, self.restored(it[2])), text
        )
        text = self._sub(limits.LEFT_OUT, lambda _: "", text)
        text = self._sub(limits.OVID_YEARS, lambda it: limits.years_of(it[1] or it[0]), text)
        text = self._sub(limits.YEAR_FIELDS, limits.year_field_term, text)
        text = self._sub(
            _YEARS, lambda it: limits.span_term(it[3], it[4]) if it[4] else limits.since_term(it[2], int(it[3])), text
        )
        is_scopus = len(self.notes) > before or any(it[1] not in _WORDS_TOO for it in _CALLED.finditer(text))
        text = self._sub(_CALLED, lambda it: _called(it, is_scopus=is_scopus), text)
        distances = NEAR_OR_SAME if _EQUALS.search(text) else NEAR
        text = self._values(text)
        if _SUFFIX.search(text):
            text = ADJACENT.sub("ADJ", text)
        if len(self.notes) > before:
            text = _EXACT.sub(lambda it: self._phrase(it[1]), text)
        text = self._sub(_TRUNCATED, lambda _: "*", text)
        text = self._headings(text)
        text = self._suffixes(text)
        text, notes = read_distances(text, distances)
        self.notes += notes
        if len(self.notes) > before:
            text = _OPERATOR.sub(lambda it: it[0].upper(), text)
            text = _names_as_phrases(text)
        return without_gaps(text) if self.notes else text

    def _sub(self, pattern: re.Pattern[str], read: Callable[[re.Match[str]], str], text: str) -> str:
        def noted(found: re.Match[str]) -> str:
            new = read(found)
            return new if new == found[0] else self._note(found[0].strip(), new)

        return pattern.sub(noted, text)

    def _note(self, written: str, read: str) -> str:
        self.notes.append(f"{self.restored(written)} {f'as {self.restored(read)}' if read else 'left out'}"[:120])
        return read

    def _phrase(self, words: str) -> str:
        """These words as a phrase, which is held until the text is restored."""
        self._phrases.append(f'"{words}"')
        return f"\ue000{len(self._phrases) - 1}\ue001"

    def _values(self, text: str) -> str:
        """`TS=tau amyloid AND …` -> `TITLE_ABS:(tau amyloid) AND …`."""
        for _ in range(_MOST_FIELDS):
            if not (found := _EQUALS.search(text)):
                break
            name, rest = WEB_OF_SCIENCE[(found[1] or found[2]).upper()], text[found.end() :]
            self._note(found[0].strip(), f"{name}:")
            if rest.startswith(("(", "\ue000")):
                text = f"{text[: found.start()]}{name}:{rest}"
                continue
            end = next((it.start() for it in _BETWEEN.finditer(rest)), len(rest))
            text = f"{text[: found.start()]}{name}:({rest[:end].strip()}) {rest[end:]}"
        return text

    def _headings(self, text: str) -> str:
        """`exp Dementia/` -> `"Dementia"[mh]`: each term between operators and parentheses that ends with a slash."""
        parts = _BETWEEN.split(text)
        is_ovid = _OF_OVID.search(text) is not None
        for place, part in enumerate(parts):
            term, slash, subheadings = part.strip().rpartition("/")
            exploded = _EXPLODED.match(term)
            name = term[exploded.end() if exploded else 0 :].removeprefix("*")
            is_sure = is_ovid or not subheadings or (name[:1].isupper() and len(name) > _SHORT_SYMBOL)
            # `alternatives and implications /` is how catalogues print titles, `w/` means `with`
            is_title = exploded is None and (term != term.rstrip() or term.split()[-1:] == ["w"])
            is_title = is_title and not _SUFFIX.search(text)  # `Stroke / and falls.ti,ab.`
            if slash and is_sure and not is_title and _SUBHEADINGS.fullmatch(subheadings) and _names_heading(name):
                tag = "majr" if "*" in term else "mh" if exploded else "mh:noexp"
                heading = name if name.startswith("\ue000") else self._phrase(name)
                parts[place] = part.replace(part.strip(), self._note(part.strip(), f"{heading}[{tag}]"))
        return "".join(parts)

    def _suffixes(self, text: str) -> str:
        """`(a or b).ti,ab.` -> `TITLE_ABS:(a or b)`; of words, all since the last operator."""
        for _ in range(_MOST_FIELDS):
            if not (found := _SUFFIX.search(text)):
                break
            fields = (found[1] or found[2]).lower().split(",")
            names = {OVID[field] for field in fields if field in OVID}
            name = names.pop() if len(names) == 1 else "TITLE_ABS"
            before, after = text[: found.start()], text[found.end() :]
            start = start_of_group(before) if before.endswith(")") else _start_of_words(before)
            term = before[start:].strip()
            self._note(found[0], f"{name}:" if fields != ["fs"] else "a subheading")
            if " " in term and not term.startswith("("):  # words side by side are a phrase there
                term = f"({term})" if "*" in term or NEAR.search(term) else self._phrase(term)
            term = f"{term}[sh]" if fields == ["fs"] and "(" not in term else f"{name}:{term}" if term else ""
            text = f"{before[:start]}{term}{after}" if term else f"{before} {after}"
        return text


def _names_heading(text: str) -> bool:
    return (text[:1].isalpha() or text[:1] == "\ue000") and all(it.isalnum() or it in " ',-\ue000\ue001" for it in text)


def _called(found: re.Match[str], *, is_scopus: bool) -> str:
    is_word = found[1] in _WORDS_TOO and (found[2] or found[1] == "ALL")
    is_group = found.string[found.end() :][:1] in (" ", "\ue000")
    return f"{SCOPUS[found[1]]}:(" if is_scopus or not is_word or is_group else found[0]


def _start_of_words(text: str) -> int:
    """Where the words begin that follow the last operator or parenthesis."""
    end = max((it.end() for it in _BETWEEN.finditer(text)), default=0)
    return end + len(text[end:]) - len(text[end:].lstrip())


def _names_as_phrases(text: str) -> str:
    """`AUTH:(Smith J OR Jones K)` -> `AUTH:("Smith J" OR "Jones K")`; a name's wildcard means nothing."""
    for name in _WHOLE_PHRASES:
        pieces = text.split(f"{name}:(")
        for place, piece in enumerate(pieces[1:], start=1):
            inside, closing, rest = piece.partition(")")
            parts = [part.strip(" *") for part in _BETWEEN.split(inside)]
            names = [limits.type_name(part) if name == "PUB_TYPE" else part for part in parts if part]
            quoted = (part if _BETWEEN.fullmatch(part) or "\ue000" in part else f'"{part}"' for part in names)
            pieces[place] = f"{' '.join(quoted)}{closing}{rest}"
        text = f"{name}:(".join(pieces)
    return text
