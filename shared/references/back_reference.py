"""Citations that name an earlier one and nothing else: `ibid.`, `Smith, op. cit., p. 45`, `see note 5 above`.

Sources: The Chicago Manual of Style (14.34 to 14.36), the Bluebook (rule 4), OSCOLA (1.2), and the equivalents of
German, French, Spanish, Italian, Portuguese and Russian footnotes.
"""

from __future__ import annotations

import re

_NUMBER = r"\[?\d{1,3}\]?(?!\d)"  # not a year: `Smith J, Notes 1998;5:12`
_NOTE = (
    r"(?:n(?:ote|ota)?s?|nn|fn|footnotes?|ref(?:erence|erencia)?s?|anm(?:erkung)?|fu(?:ß|ss)note|прим|сноск[аиу])\b\.?"
)
_PLACE = (
    r"(?:above|below|previous(?:ly)?|preceding|supra|infra|oben|unten|ci-dess(?:us|ous)|plus haut|arriba|sopra|acima"
    r"|выше)"
)
_SEE = r"(?:see|as|as in|same as|cf|vgl|siehe|wie|voir|ver|vea|véase|vedi|cfr|vide|см)\b\.?,? (?:also |auch |la |in )?"
_CUES = re.compile(
    r"(?<![\w.-])(?:"
    rf"{_SEE}(?:(?:the )?{_PLACE}|(?:{_NOTE} ?)?{_NUMBER}|{_NOTE})(?: {_PLACE})?"
    rf"|[sv]\. (?:{_PLACE}|{_NOTE} ?{_NUMBER})|{_PLACE},? {_NOTE} ?{_NUMBER}|{_NOTE} ?{_NUMBER}(?: {_PLACE})?"
    r"|ivi(?=[,.;]|$)"
    r"|supra|infra|ib[ií]d(?:em)?|idem|id\.(?= at\b|,|$)|ib\.|(?:op|loc|art|ob)\. ?cit|opus cit(?:atum)?|cit\."
    r"|a\. ?a\. ?o|ebd|ebenda|ebendort|s\. ?o\.(?=$|,)|там же|указ\. ?соч|同[上前]|同?前[掲揭]?[注註]|同[注註]|前掲"
    r")(?!\w)\.?",
    re.IGNORECASE,
)
_PAGES = re.compile(
    r"(?:\b(?:at|pp?|ss?|pages?|seiten?|págs?|pags?|с|стр)\b\.? ?)?\d{1,5}(?: ?[-–] ?\d{1,5})?(?: ?ff?\b\.?)?",
    re.IGNORECASE,
)


def names_an_earlier(line: str) -> str | None:
    """What a line has besides the words for an earlier citation and pages; None if it has no such words."""
    rest = _CUES.sub(" ", line)
    return None if rest == line else " ".join(_PAGES.sub(" ", rest).strip(" ,.:;()[]").split())
