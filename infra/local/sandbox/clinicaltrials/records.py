"""The registrations of trials that the corpus's papers report, made by a fixed rule from each paper's own facts.

A registration was posted two years before its paper, in the month and on the day that the paper's title gives. It has
the paper's title as its brief title (variant 0), as its official title (1) or behind `A Randomized Trial:` (2), and the
paper's first author as principal investigator, or as responsible party, so that only its number tells it from the
paper. Sponsors are invented. Its publications are the paper, which PubMed indexes with its number, and what the paper
cites of PubMed. One in five was joined with an older one, whose number is its alias.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from infra.local.sandbox.clinicaltrials.engine import Registration
from infra.local.sandbox.facts import Fact, variant

_SPONSORS = ("Example University Hospital", "Nordic Institute of Examples", "Invented Pharma Inc.")
_STATUSES = ("COMPLETED", "RECRUITING", "TERMINATED", "UNKNOWN", "ACTIVE_NOT_RECRUITING")
_PHASES: tuple[tuple[str, ...], ...] = (("PHASE2", "PHASE3"), ("NA",), (), ("EARLY_PHASE1",), ("PHASE4",))
# Piece -> its place in a study.
PIECES = {
    "NCTId": "protocolSection.identificationModule.nctId",
    "NCTIdAlias": "protocolSection.identificationModule.nctIdAliases",
    "BriefTitle": "protocolSection.identificationModule.briefTitle",
    "OfficialTitle": "protocolSection.identificationModule.officialTitle",
    "Acronym": "protocolSection.identificationModule.acronym",
    "OverallStatus": "protocolSection.statusModule.overallStatus",
    "StartDate": "protocolSection.statusModule.startDateStruct.date",
    "StudyFirstPostDate": "protocolSection.statusModule.studyFirstPostDateStruct.date",
    "LeadSponsorName": "protocolSection.sponsorCollaboratorsModule.leadSponsor.name",
    "LeadSponsorClass": "protocolSection.sponsorCollaboratorsModule.leadSponsor.class",
    "ResponsiblePartyInvestigatorFullName":
        "protocolSection.sponsorCollaboratorsModule.responsibleParty.investigatorFullName",
    "BriefSummary": "protocolSection.descriptionModule.briefSummary",
    "Condition": "protocolSection.conditionsModule.conditions",
    "Keyword": "protocolSection.conditionsModule.keywords",
    "StudyType": "protocolSection.designModule.studyType",
    "Phase": "protocolSection.designModule.phases",
    "EnrollmentCount": "protocolSection.designModule.enrollmentInfo.count",
    "InterventionName": "protocolSection.armsInterventionsModule.interventions.name",
    "OverallOfficialName": "protocolSection.contactsLocationsModule.overallOfficials.name",
    "ReferencePMID": "protocolSection.referencesModule.references.pmid",
    "ReferenceCitation": "protocolSection.referencesModule.references.citation",
    "ConditionMeshTerm": "derivedSection.conditionBrowseModule.meshes.term",
    "InterventionMeshTerm": "derivedSection.interventionBrowseModule.meshes.term",
    "HasResults": "hasResults",
}  # fmt: skip
DATES = frozenset(("StartDate", "StudyFirstPostDate"))
NUMBERS = frozenset(("EnrollmentCount",))
_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "<>~*[]"})


def registration_of(fact: Fact) -> Registration:
    """The registration of the trial that a paper with `nct` reports."""
    number = fact.nct or ""
    aliases = (f"NCT98{number[5:]}",) if variant(fact, 5) == 0 else ()
    record = _record(fact, number, aliases)
    values = {piece: [str(it) for it in _at(record, path.split("."))] for piece, path in PIECES.items()}
    return Registration(number, aliases, record, values)


def _record(fact: Fact, number: str, aliases: Sequence[str]) -> dict[str, Any]:
    kind, sponsor = variant(fact, 3), _SPONSORS[variant(fact, len(_SPONSORS))]
    titles = {
        0: {"briefTitle": fact.title},
        1: {"briefTitle": " ".join(fact.title.split()[:6]), "officialTitle": fact.title},
        2: {"briefTitle": fact.title, "officialTitle": f"A Randomized Trial: {fact.title}"},
    }[kind]
    person = " ".join(part for part in fact.authors[0][::-1] if part) if fact.authors else None
    officials = [{"name": f"{person}, MD, PhD", "affiliation": sponsor, "role": "PRINCIPAL_INVESTIGATOR"}]
    responsible: dict[str, Any] = {"type": "SPONSOR"}
    if kind == 1:
        responsible = {"type": "PRINCIPAL_INVESTIGATOR", "investigatorFullName": person}
        officials = [{"name": "Clinical Trials", "affiliation": sponsor, "role": "STUDY_DIRECTOR"}]
    phases, summary = _PHASES[variant(fact, len(_PHASES))], f"{fact.abstract}\r\n\r\nAge > 18 years."
    return {
        "protocolSection": {
            "identificationModule": {
                "nctId": number, **({"nctIdAliases": list(aliases)} if aliases else {}), **titles,
            },
            "statusModule": _status(fact),
            "sponsorCollaboratorsModule": {
                "responsibleParty": responsible, "leadSponsor": {"name": sponsor, "class": "OTHER"},
            },
            **({"descriptionModule": {"briefSummary": summary}} if variant(fact, 7) else {}),
            "conditionsModule": {"conditions": list(fact.mesh), "keywords": list(fact.keywords)},
            "designModule": {
                "studyType": "INTERVENTIONAL" if phases else "OBSERVATIONAL",
                **({"phases": list(phases)} if phases else {}), "enrollmentInfo": {"count": 20 + variant(fact, 400)},
            },
            "armsInterventionsModule": {
                "interventions": [{"type": "DRUG", "name": f"Example drug {1 + variant(fact, 9)}"}],
            },
            **({"contactsLocationsModule": {"overallOfficials": officials}} if person else {}),
            "referencesModule": {"references": list(_references(fact))},
        },
        "derivedSection": {"conditionBrowseModule": {"meshes": [{"term": term} for term in fact.mesh]}},
        "hasResults": variant(fact, 4) == 0,
    }  # fmt: skip


def _status(fact: Fact) -> dict[str, Any]:
    """A start is missing from some records, and is a month in others."""
    day = zlib.crc32(fact.title.encode())
    year = (fact.year or 2015) - 2
    start = [{}, {"startDateStruct": {"date": f"{year}-{1 + day % 12:02d}"}}][variant(fact, 2)]
    posted = f"{max(year, 1999)}-{1 + day % 12:02d}-{1 + day % 28:02d}"
    return {
        "overallStatus": _STATUSES[variant(fact, len(_STATUSES))], **start,
        "studyFirstPostDateStruct": {"date": posted, "type": "ACTUAL"},
    }  # fmt: skip


def _references(fact: Fact) -> Iterator[dict[str, Any]]:
    """The paper itself, which PubMed's index added, then background: one without a PMID."""
    yield {"pmid": fact.pmid, "type": "DERIVED", "citation": f"{fact.title}. {fact.journal}. {fact.year}."}
    for name in fact.references[:3]:
        number = name.removeprefix("PMID:")
        yield {**({"pmid": number} if number != name else {}), "type": "BACKGROUND", "citation": f"Cited as {name}."}


def _at(value: Any, path: Sequence[str]) -> list[Any]:
    """Every value at a path, through lists."""
    if isinstance(value, list):
        return [found for item in value for found in _at(item, path)]
    if not path:
        return [value]
    return _at(value[path[0]], path[1:]) if isinstance(value, Mapping) and path[0] in value else []


def projected(record: Mapping[str, Any], pieces: Sequence[str], *, markdown: bool) -> dict[str, Any]:
    """The record with these pieces alone (all without any), its texts as Markdown or as they were entered."""
    shown: dict[str, Any] = {**_only(record, [PIECES[piece].split(".") for piece in pieces] or [[]])}
    description = shown.get("protocolSection", {}).get("descriptionModule")
    if description and markdown:
        summary = description["briefSummary"].translate(_MARKDOWN).replace("\r\n", "\n")
        shown["protocolSection"] = {**shown["protocolSection"], "descriptionModule": {"briefSummary": summary}}
    return shown


def _only(value: Any, paths: Sequence[Sequence[str]]) -> Any:
    if any(not path for path in paths):
        return value
    if isinstance(value, list):
        return [_only(item, paths) for item in value]
    names = {path[0] for path in paths}
    return {
        name: _only(item, [path[1:] for path in paths if path[0] == name])
        for name, item in value.items()
        if name in names
    }
