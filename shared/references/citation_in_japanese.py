"""References in Japanese and Chinese, whose names and titles have no blanks; signs are English ones by now.

    山田太郎, 鈴木花子. 題名. 誌名. 2013, vol. 12, no. 3, p. 34-56.       SIST 02
    山田太郎・鈴木花子 (2013). 題名. 誌名, 12(3), 34-56.                   psychology
    山田太郎 “題名” “誌名” vol. 12, no. 3, 2013, pp. 34-56                 the humanities
    山田太郎, 鈴木花子: 題名. 誌名 12: 34-56, 2013                         medicine

Sources: SIST 02, and the rules for authors of the Japanese Psychological Association and of medical journals.
"""

from __future__ import annotations

import re

from shared.bibliography.name_patterns import ET_AL

_WORD = r"[\u3040-\u30ff\u3400-\u9fff々〆]"
_NAME = rf"(?!{_WORD}{{0,9}}[をはが])(?:{_WORD}{{1,5}} {_WORD}{{1,5}}|{_WORD}{{2,10}})"
_NAMES = re.compile(
    rf"({_NAME}(?:(?:, |; | ?・ ?|,){_NAME}){{0,30}}(?:,? ?{ET_AL}\.?)?)"
    r"(?: ?,? ?\(((?:19|20)\d\d)[a-z]?\)[.,:]? ?|[.:] | (?=“)|, (?=“))"
)
_QUOTED = re.compile(r"“([^“”]{2,300})” ?[,.]? ?(?:“([^“”]{2,100})”)?[ ,.]*")
_SENTENCE = re.compile(
    rf"([^“”]{{0,300}}?{_WORD}[^“”]{{0,300}}?)(?:\. ?|, (?=[^,.]{{1,60}}(?:, | )(?:vol\. ?|no\. ?)?\d))"
)
_CHARS = re.compile(_WORD)


def read_japanese(line: str) -> tuple[str, str, str] | None:
    """The names, the title and the source of such a reference; None if the line is none."""
    names = _NAMES.match(line)
    if not names:
        return None
    rest = line[names.end() :]
    title = _QUOTED.match(rest) or _SENTENCE.match(rest)
    if not title or not _CHARS.search(title[1]):
        return None
    journal = title[2] if title.re is _QUOTED and title[2] else ""
    source = f"{journal} {rest[title.end() :]}".strip(" ,.")
    if names[2] and names[2] not in source:
        source = f"{source} ({names[2]})"
    return names[1].replace("・", "; ").replace(", ", "; "), title[1].strip(" .,"), source
