"""Writes AND, OR and NOT in small letters where the words beside them show that they are words.

noise in the OR during surgery, handoff from OR to ICU      the operating room
lung cancer (OR 2.5, 95% CI 1.2-3.4), a pooled OR of 0.75   the odds ratio; `odds ratio (OR)`
what is NOT known, patients who are NOT on dialysis         emphasis
OR gates and AND gates in genetic circuits                  logic gates
results of the UND study                                    another abbreviation
"""

from __future__ import annotations

import re

# Behind an article, a preposition or an auxiliary verb, none of which ends a term. `In OR Ga` is about indium, and
# `may OR june`, `can OR jar`, `must OR wine` are nouns.
_BEHIND_GRAMMAR = (
    r"(?:(?<= )|(?<=^)|(?<=\())(?P<before>(?:the|an|in|from|of|to|per|with|for|by|on|at|is|are|was|were|be|has|have|had"
    r"|do|does|did|should|could|would|(?:can|may|must)(?= NOT)|The|Do|Does|Did|Should) )"
    r"(?:AND|OR|NOT|UND|ODER)(?![^\s)])"
)
# Not before what is measured: `OR 1.5 degrees`.
_ODDS_RATIO = (
    r"(?<![^\s(])(?<![0-9] )OR(?= [=≈] ?[0-9]| \(?95 ?%| of [0-9]| was "
    r"| [0-9]{1,3}\.[0-9]{1,3}(?![\w(-])(?! (?!(?:AND|OR|NOT|and|for|in|of|with) )[^\W\d_]))"
)
_NAMED = r"(?<=\b[Oo])(?P<name>[\w-]+ [Rr][\w-]+ \()OR(?=\))"  # `odds ratio (OR)`, `olfactory receptor (OR)`
_GATES = r"(?<!\S)(?:AND|OR|NOT)(?= (?:logic )?gates\b)|^(?:OR|NOT)(?= (?:logic )?gate\b)"
_WORD = re.compile(f"{_BEHIND_GRAMMAR}|{_ODDS_RATIO}|{_NAMED}|{_GATES}")


def with_operators_as_words(text: str) -> str:
    """A text in tidy form with these in small letters.

    Beside groups, a term may end with a preposition: `(run in OR washout) AND trial`.
    """
    has_groups = " AND (" in text or any(f") {it} " in text for it in ("AND", "OR", "NOT"))

    def as_word(it: re.Match[str]) -> str:
        kept = it["before"] or it["name"] or ""
        operator = it[0].removeprefix(kept)
        is_one = has_groups and it["before"] and operator != "NOT" and kept.lower() not in ("the ", "an ")
        return it[0] if is_one else kept + operator.lower()

    return _WORD.sub(as_word, text)
