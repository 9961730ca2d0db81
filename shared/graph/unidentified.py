"""Citations in a text that name author and year but no id: the graph cannot record them, and the answer says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shared.bibliography.name_patterns import OTHERS
from shared.bibliography.reference_text import Mention

if TYPE_CHECKING:
    from shared.answers.search import Hint

# `(Guerreiro et al., NEJM 2013)`, `Jonsson et al. (2013)`, `Jonsson (2013)`, `Sims and Hill, 2017`. What may stand
# between the name and the year is bounded, so that a long text is read in linear time.
_AUTHOR_YEAR = re.compile(
    rf"(?<!\w)[A-Z][\w'’-]{{1,40}}(?:,? (?:{OTHERS}\.?|(?:and|&) [A-Z][\w'’-]{{1,40}}))?"
    r",?[ (]{1,2}(?:[\w. ]{1,30}[ (])?(?:19|20)[0-9]{2}[a-z]?(?!\w)"
)
_SHOWN_CHARS = 60


def unidentified_hints(text: str, mentions: Sequence[Mention]) -> list[Hint]:
    """A hint if more citations name an author and a year than there are ids, or if there is no id at all.

    Many of the citations with an id name an author and a year as well.
    """
    named = [match[0] for match in _AUTHOR_YEAR.finditer(text)]
    if not named and not mentions and text:
        message = (
            "No id of a paper was found in the text, and nothing is recorded. POST /v1/resolve finds the ids of "
            "references by their titles or authors."
        )
        return [{"reason": "without_ids", "message": message}]
    if len(named) <= len(mentions):
        return []
    message = (
        f"The text seems to cite {len(named)} papers by author and year, as {named[0][:_SHOWN_CHARS]!r}, and names "
        f"{len(mentions)} by an id: only those are recorded. POST /v1/resolve finds the ids of the others."
    )
    return [{"reason": "without_ids", "message": message}]
