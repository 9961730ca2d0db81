"""Queries that read like a printed reference: a search looks for their words, `resolve` reads them field by field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.answers.search import Action, Hint

_REFERENCE = re.compile(
    r"""^\s*@[A-Za-z]{3,30}\s?\{          # a record of BibTeX
      | ^\s*TY[ ]{2}-[ ]                  # a record of RIS
      | \bet\s?al\b                       # authors
      | \b(?:1[5-9]|20)\d\d\s?;\s?\d      # year;volume
      | \b\d{1,4}\s?\(\d{1,4}\)\s?:\s?e?\d  # volume(issue):page
    """,
    re.VERBOSE,
)


def pasted_references(wordings: Sequence[str]) -> list[str]:
    """Those of the wordings that read like a printed reference, or like a record of BibTeX or RIS."""
    return [wording for wording in wordings if _REFERENCE.search(wording)]


def reference_hints(wordings: Sequence[str]) -> list[Hint]:
    """A hint if some wording reads like a reference."""
    message = "This reads like a printed reference: POST /v1/resolve finds the paper that one means, by its fields."
    return [{"reason": "reference", "message": message}] if pasted_references(wordings) else []


def reference_actions(wordings: Sequence[str]) -> list[Action]:
    """The call that finds the papers that the references mean."""
    found = pasted_references(wordings)
    why = "finds the paper that the reference means"
    return [{"tool": "resolve_reference", "arguments": {"references": [*found]}, "why": why}] if found else []
