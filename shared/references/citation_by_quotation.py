"""Printed references whose title stands in quotation marks: MLA, Chicago, IEEE, and sentences that name a paper."""

from __future__ import annotations

import re

from shared.references.title_words import ends_quotation, reads_like_names

_QUOTED = re.compile(r"[“\"«„]\s?([^“”\"«»]{8,500})[”\"»“]|(?<!\w)[‘']((?:[^‘’']|(?<=\w)[’'](?=\w)){12,500})[’'](?!\w)")
_BY = re.compile(r"[ ,.]{0,3}by ([^()\d]{2,200}?)(?:, | ?\()(?=[^()]{0,100}\d)")


def read_quoted(line: str) -> tuple[str, str, str] | None:
    """The same of a reference with its title in quotation marks, after names and a year and before the source."""
    found = _QUOTED.search(line)
    if not found:
        return None
    title, before, behind = found[1] or found[2], line[: found.start()], line[found.end() :]
    begun = not before.strip() or re.search(r"(?:[.,)]|\):|\d|\bal|[^\W\d_][^\W\d_]:)\s*$", before)
    ended = re.search(r"[.,?!;]\s*$", title) or re.match(r"\s*[.,;:(]", behind) or ends_quotation(behind)
    if not begun or not ended or not reads_like_names(before):
        return None
    if not before.strip() and (names := _BY.match(behind)) and reads_like_names(names[1]):
        return names[1], title.strip(" .,"), behind[names.end() :]
    return before, title.strip(" .,"), behind.lstrip(" .,")
