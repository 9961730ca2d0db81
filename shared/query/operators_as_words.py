"""Writes AND, OR and NOT in small letters where the words beside them show that they are words.

noise in the OR during surgery, handoff from OR to ICU      the operating room
lung cancer (OR 2.5, 95% CI 1.2-3.4), a pooled OR of 0.75   the odds ratio; `odds ratio (OR)`
what is NOT known, patients who are NOT on dialysis         emphasis
OR gates and AND gates in genetic circuits                  logic gates
results of the UND study                                    another abbreviation
"""

from __future__ import annotations

import re

# Behind an article, a preposition or an auxiliary verb, none of which ends a term. `In OR Ga` is about indium.
_BEHIND_GRAMMAR = (
    r"(?:(?<= )|(?<=^)|(?<=\())(?P<before>(?:the|an|in|from|of|to|per|with|for|by|on|at|is|are|was|were|be|has|have|had"
    r"|do|does|did|should|could|would|can|may|must|The|Do|Does|Did|Should) )(?:AND|OR|NOT|UND|ODER)(?![^\s)])"
)
_ODDS_RATIO = r"(?<![^\s(])(?<![0-9] )OR(?= [=≈] ?[0-9]| \(?95 ?%| [0-9]{1,3}\.[0-9]{1,3}(?![\w(-])| of [0-9]| was )"
_NAMED = r"(?<=\b[Oo])(?P<name>[\w-]+ [Rr][\w-]+ \()OR(?=\))"  # `odds ratio (OR)`, `olfactory receptor (OR)`
_GATES = r"(?<!\S)(?:AND|OR|NOT)(?= (?:logic )?gates\b)|^(?:OR|NOT)(?= (?:logic )?gate\b)"
_WORD = re.compile(f"{_BEHIND_GRAMMAR}|{_ODDS_RATIO}|{_NAMED}|{_GATES}")


def with_operators_as_words(text: str) -> str:
    """A text in tidy form with these in small letters."""
    return _WORD.sub(lambda it: (kept := it["before"] or it["name"] or "") + it[0].removeprefix(kept).lower(), text)
