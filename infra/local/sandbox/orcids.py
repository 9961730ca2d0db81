"""ORCID iDs of authors, as their publishers deposited them: facts of https://orcid.org; most authors have none here."""

from __future__ import annotations

from infra.local.sandbox.facts import Fact

_ORCIDS = {("Colonna", "M"): "0000-0001-5222-4987", ("Jumper", "J"): "0000-0001-6169-6580"}


def orcid_of(family: str | None, given: str | None) -> str | None:
    """Return the ORCID iD of an author, whom the corpus names by family name and given name or initials."""
    return _ORCIDS.get((family or "", (given or "")[:1]))


def orcids_of(fact: Fact) -> list[str]:
    """Return the ORCID iDs of a paper's authors."""
    return [orcid for author in fact.authors if (orcid := orcid_of(*author))]
