"""Finds the lists of references in a text: by their headings, else at its end, else the whole text is the list."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.documents.entry_groups import NUMBER, Group, groups_of, number_in, share_of_references
from shared.documents.fields_read import YEAR
from shared.documents.lines import Line, without_table_heads

MAX_HEADING_CHARS = 80
_NAMES = (
    "references?(?: and notes| cited| list)?|notes and references|(?:cited |supplementa(?:ry|l) )references"
    "|list of references|(?:selected |annotated )?bibliography|works cited|literature(?: cited)?|sources(?: cited)?"
    "|citations|endnotes|footnotes"
    "|literatur(?:verzeichnis|nachweise?|angaben|liste)?|quellen(?:verzeichnis|angaben)?|referenzen|einzelnachweise"
    "|références(?: bibliographiques)?|references bibliographiques|bibliographie|ouvrages cités|sources citées"
    "|referencias(?: bibliográficas| citadas)?|bibliograf[ií]a|literatura(?: citada)?|obras citadas"
    "|referências(?: bibliográficas)?|riferimenti(?: bibliografici)?|opere citate"
    "|literatuur(?:lijst)?|referenties|bronnen|referenser|källor|källförteckning|litteraturliste|litteratur|referanser|kilder"
    "|piśmiennictwo|bibliografi[ae]?|spis literatury|lähteet|kirjallisuus|irodalom|reference|kaynak(?:ça|lar)"
    "|список (?:использованной )?литературы|литература|библиография|список літератури|βιβλιογραφία"
    "|参考文献|參考文獻|引用文献|引用・参考文献|文献|参考資料|参考资料|참고\\s?문헌|المراجع|مراجع|מקורות|संदर्भ"
)
_NUMBERING = r"(?:(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-Z])[.)]?\s{1,5})?"
_MARKS = r"[*_#=:：.\s【】\[\]<>■◆-]{0,12}"
_HEADING = re.compile(rf"{_MARKS}{_NUMBERING}{_MARKS}(?:{_NAMES}){_MARKS}(?:\(\d{{1,4}}\))?{_MARKS}", re.I)
_SPACED = re.compile(r"(?:\w ){5,20}\w")
_MARKDOWN_HEADING = re.compile(r" {0,3}#{1,6}\s")
_BREAK = re.compile(r"-{3,80}|\*{3,80}|_{3,80}|(?:[*_-] ){2,40}[*_-]")  # a rule between parts of a text
_FOLLOWING = re.compile(
    rf"{_MARKS}{_NUMBERING}{_MARKS}(?:appendi(?:x|ces)\b|acknowledge?ments?|supplement(?:ary|al)?\b"
    r"|supporting information|authors?['’]? contributions?|funding|(?:conflicts?|declarations?|competing|statement)\b"
    r"|data availability|fig(?:ure)?s?\.?(?: legends?| captions?)"
    r"|tables?\b|abbreviations|about the authors?|biograph|correspondence"
    r"|anhang|danksagung|annexes?\b|remerciements|agradecimientos|apéndice|付録|謝辞|附录|致谢|著者紹介).{0,40}",
    re.I,
)


_CAPTION = re.compile(r"(?i:(?:supplementary )?(?:fig(?:ure)?|table|box|scheme)\.? ?S?\d{1,3})(?:[.:|]| [^\W\d_a-z])")
MAX_CAPTION_LINES = 40  # that are looked at for another reference


def is_heading(line: Line) -> bool:
    """Whether a line is the heading of a reference list, in one of some twenty languages."""
    text = line.text.strip()
    if not text or len(text) > MAX_HEADING_CHARS:
        return False
    return bool(_HEADING.fullmatch(text.replace(" ", "") if _SPACED.fullmatch(text) else text))


def reference_groups(lines: Sequence[Line], *, may_be_whole: bool = True) -> list[Group]:
    """The entries of all lists of references; `may_be_whole`: a text without such a heading may be a list itself."""
    lines = without_table_heads(lines)
    inside = _under_headings(lines)
    divided = _divided([[lines[at] for at in section] for section in inside])
    if not divided and may_be_whole:
        inside = _without_heading(lines)
        divided = _divided([[lines[at] for at in section] for section in inside])
    return [group for groups in divided for group in groups]


def _divided(sections: Sequence[Sequence[Line]]) -> list[list[Group]]:
    """The entries of each section that is a list of references: at least half of them look like one."""
    found = map(groups_of, sections)
    return [groups for groups in found if groups and share_of_references(groups) >= 0.5]


def _under_headings(lines: Sequence[Line]) -> list[list[int]]:
    """The positions of the lines from each heading to the next one of any kind."""
    sections: list[list[int]] = []
    is_open = False
    for at, line in enumerate(lines):
        if is_heading(line):
            sections.append([])
            is_open = True
        elif is_open and _ends_list(lines, at):
            is_open = False
        elif is_open:
            sections[-1].append(at)
    return sections


def _ends_list(lines: Sequence[Line], at: int) -> bool:
    text = lines[at].text.strip()
    if _MARKDOWN_HEADING.match(lines[at].text) or (_BREAK.fullmatch(text) and lines[at - 1].is_blank):
        return True
    if _CAPTION.match(text) and not any(YEAR.search(line.text) for line in lines[at : at + MAX_CAPTION_LINES]):
        return True  # behind a caption within the list, references follow
    return len(text) <= MAX_HEADING_CHARS and bool(_FOLLOWING.fullmatch(text))


def _without_heading(lines: Sequence[Line]) -> list[list[int]]:
    """The whole text if it is a list; else what begins with the last line that has the number 1."""
    whole = groups_of(lines)
    if whole and share_of_references(whole) >= 0.5:
        return [list(range(len(lines)))]
    for at in range(len(lines) - 1, -1, -1):
        found = NUMBER.match(lines[at].text)
        if found and found.lastgroup and found.lastgroup != "bare" and number_in(found) == 1:
            return [list(range(at, len(lines)))]
    return []
