"""ClinicalTrials.gov's studies as papers: each is the registration of a trial, never the paper that reports it.

Format: https://clinicaltrials.gov/data-api/about-api/study-data-structure
Dates are `YYYY-MM` or `YYYY-MM-DD`. A study's day is that on which it was first posted, when readers could first see
it: the start of a trial is often missing, in the future, or a made-up day (1900, 2099). Its authors are the
investigators, with the lead sponsor behind them, as reference managers cite a registration. Status, phase, conditions
and interventions are fields of the registration's form; they stand behind the summary, each with its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.bibliography.dates import is_partial_date
from shared.bibliography.group_authors import is_group
from shared.bibliography.identifiers import Identifiers, citation_uri, read_nct, read_pmid
from shared.bibliography.paper import Author, OpenAccess, Paper, Pointer
from shared.bibliography.person_names import read_name
from shared.bibliography.text import fold, plain_text
from shared.errors import BadResponse, BrokenRecord

REFERENCE_FIELDS = ("ReferencePMID", "ReferenceCitation")
FIELDS = (
    "NCTId", "NCTIdAlias", "BriefTitle", "OfficialTitle", "Acronym", "BriefSummary", "OverallStatus", "Phase",
    "StudyFirstPostDate", "LeadSponsorName", "OverallOfficialName", "ResponsiblePartyInvestigatorFullName",
    "Condition", "InterventionName", "ReferencePMID",
)  # fmt: skip
_PHASES = {"EARLY_PHASE1": "early 1", "PHASE1": "1", "PHASE2": "2", "PHASE3": "3", "PHASE4": "4"}
_MAX_LISTED = 30  # conditions or interventions
# `Jane A. Smith, MD, PhD`: what stands behind the name.
_DEGREES = re.compile(r",.*$", re.DOTALL)
# Who to call, in place of an investigator: `Clinical Trials`, `Study Director`, `GSK Clinical Trials`.
_NO_PERSON = re.compile(
    r"\b(?:trials?|director|disclosure|information|transparency|call center|medical (?:monitor|lead))\b", re.I
)


def read_paper(study: Mapping[str, Any], rank: int) -> Paper:
    """The paper of a study. Raises BrokenRecord without an NCT number or a title."""
    protocol = study["protocolSection"]
    identification, status = protocol["identificationModule"], protocol.get("statusModule") or {}
    nct = read_nct(identification.get("nctId"))
    titles = [plain_text(identification.get(name)) for name in ("officialTitle", "briefTitle", "acronym")]
    found = list(dict.fromkeys(title for title in titles[:2] if title))
    if not nct or not found:
        raise BrokenRecord(f"{nct or 'a study'} has no {'title' if nct else 'NCT number'}")
    authors = tuple(_authors(protocol))
    day = (status.get("studyFirstPostDateStruct") or {}).get("date")
    posted = day if isinstance(day, str) and is_partial_date(day) else None
    ids = Identifiers(nct=nct)
    return Paper(
        provider="clinicaltrials",
        rank=rank,
        title=found[0],
        alternative_titles=tuple(dict.fromkeys([*found[1:], *filter(None, titles[2:])])),
        ids=ids,
        authors=authors,
        author_count=len(authors) or None,
        year=int(posted[:4]) if posted else None,
        publication_date=posted,
        journal="ClinicalTrials.gov",
        type="clinical-trial-registration",
        language="en",
        abstract=_abstract(protocol, status),
        open_access=OpenAccess(is_oa=True, url=citation_uri(ids)),
        references=tuple(
            f"pmid:{pmid}" for it in _mappings(_references(protocol)) if (pmid := read_pmid(it.get("pmid")))
        ),
        landing_page=citation_uri(ids),
    )


def numbers_of(study: Mapping[str, Any]) -> set[str]:
    """The NCT numbers that a study has or had: the older ones of registrations that were joined."""
    identification = study["protocolSection"]["identificationModule"]
    return set(filter(None, map(read_nct, [identification.get("nctId"), *(identification.get("nctIdAliases") or ())])))


def _authors(protocol: Mapping[str, Any]) -> Iterator[Author]:
    """The investigators, or else the one who is responsible; then the lead sponsor, if that is another."""
    sponsors = protocol.get("sponsorCollaboratorsModule") or {}
    officials = (protocol.get("contactsLocationsModule") or {}).get("overallOfficials") or ()
    responsible = (sponsors.get("responsibleParty") or {}).get("investigatorFullName")
    people = [*_people(official.get("name") for official in officials)] or [*_people([responsible])]
    yield from dict.fromkeys(people)
    sponsor = plain_text((sponsors.get("leadSponsor") or {}).get("name"))
    person = read_name(_DEGREES.sub("", sponsor)) if sponsor else None
    if sponsor and (person is None or fold(person.display) not in {fold(author.display) for author in people}):
        yield Author(name=sponsor)


def _people(names: Iterable[str | None]) -> Iterator[Author]:
    for text in names:
        name = _DEGREES.sub("", plain_text(text) or "").strip()
        if name and not is_group(name) and not _NO_PERSON.search(name) and (author := read_name(name)):
            yield author


def _abstract(protocol: Mapping[str, Any], status: Mapping[str, Any]) -> str | None:
    """The brief summary, and what the form says of the trial: `Status: completed. Phase: 2, 3. Conditions: …`."""
    summary = plain_text((protocol.get("descriptionModule") or {}).get("briefSummary"))
    interventions = (protocol.get("armsInterventionsModule") or {}).get("interventions") or ()
    phases = (protocol.get("designModule") or {}).get("phases") or ()
    state = status.get("overallStatus")
    form = {
        "Status": str(state).replace("_", " ").lower() if state else "",
        "Phase": ", ".join(_PHASES[phase] for phase in phases if phase in _PHASES),
        "Conditions": _listed((protocol.get("conditionsModule") or {}).get("conditions") or ()),
        "Interventions": _listed(it.get("name") for it in interventions),
    }
    parts = [summary, *(f"{name}: {value}." for name, value in form.items() if value)]
    return " ".join(part for part in parts if part) or None


def _listed(texts: Iterable[str | None]) -> str:
    found = list(dict.fromkeys(text.rstrip(".") for it in texts if (text := plain_text(it))))
    return "; ".join([*found[:_MAX_LISTED], *(["…"] if len(found) > _MAX_LISTED else [])])


def listed_references(study: Mapping[str, Any]) -> list[Any]:
    """The publications that a registration lists, also those that PubMed indexes with its number.

    Raises BadResponse if they are not a list.
    """
    found = _references(study["protocolSection"])
    if not isinstance(found, list):
        raise BadResponse("ClinicalTrials.gov answered without a list of references")
    return found


def read_reference(reference: Mapping[str, Any], rank: int) -> Pointer:
    """One of them. Raises BrokenRecord without a text and a PMID."""
    text, pmid = plain_text(reference.get("citation")), read_pmid(reference.get("pmid"))
    if not (text or pmid):
        raise BrokenRecord("a reference without a text")
    return Pointer(rank=rank, ids=Identifiers(pmid=pmid), text=text)


def _references(protocol: Mapping[str, Any]) -> object:
    module = protocol.get("referencesModule") or {}
    return (module.get("references") or []) if isinstance(module, Mapping) else None


def _mappings(listed: object) -> list[Mapping[str, Any]]:
    return [it for it in listed if isinstance(it, Mapping)] if isinstance(listed, list) else []
