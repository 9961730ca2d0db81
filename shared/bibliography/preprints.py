"""What is a preprint: the servers' DOIs and names, in one table for readers, matching and merging.

DOI prefixes are those registered with Crossref and DataCite (https://doi.crossref.org, https://api.datacite.org).
Two servers share a prefix with journals of their publisher and are distinguished by what follows it: 10.1101 is also
Cold Spring Harbor's (`10.1101/gr.229102` is an article of Genome Research, `10.1101/087969384.22.1` a chapter), 10.1002
is also Wiley's.
"""

from __future__ import annotations

import re
from functools import lru_cache

from shared.bibliography.identifiers import ARXIV_DOI
from shared.bibliography.paper import Paper

# bioRxiv and medRxiv: Cold Spring Harbor's prefix, and openRxiv's since December 2025.
OPENRXIV_PREFIXES = ("10.1101/", "10.64898/")
_DOIS = {
    "arXiv": re.escape(ARXIV_DOI),
    # Either a number of six to eight digits (until 2019) or a date with a number.
    "bioRxiv, medRxiv": r"10\.1101/(?:\d{6,8}(?:v\d|$)|\d{4}\.\d\d\.\d\d\.)|10\.64898/",
    "Research Square": r"10\.21203/rs\.",
    "SSRN": r"10\.2139/ssrn",
    "Preprints.org": r"10\.20944/preprints",
    "ChemRxiv": r"10\.26434/chemrxiv",
    "ESSOAr": r"10\.1002/essoar\.|10\.22541/essoar\.",
    "Authorea": r"10\.22541/au\.",
    "TechRxiv": r"10\.36227/",
    "JMIR Preprints": r"10\.2196/preprints\.",
    "PeerJ Preprints": r"10\.7287/peerj\.preprints\.",
    "SciELO Preprints": r"10\.1590/scielopreprints\.",
    # OSF Preprints 10.31219, EarthArXiv 10.31223, PsyArXiv 10.31234, SocArXiv 10.31235 and their neighbours; 10.31237
    # is Thesis Commons.
    "servers of the Open Science Framework": r"10\.312(?:19|2\d|3[0-6])/",
    "EdArXiv": r"10\.35542/",
}
_DOI = re.compile("|".join(_DOIS.values()))
_SERVER = re.compile(
    r"r(?:x|ix)iv\b|preprint|\bres(?:earch)? sq(?:uare)?\b|\bssrn\b|\bauthorea\b|\bessoar\b|\bess open archive\b|"
    r"\bopen science (?:archive|framework)\b|\bearth and space science open archive\b|cold spring harbor laboratory$",
    re.I,
)
# What the records of a posted text hold in their addresses, and the server's name as it is shown.
SERVER_MARKS = {
    "biorxiv": "bioRxiv", "medrxiv": "medRxiv", "chemrxiv": "ChemRxiv", "psyarxiv": "PsyArXiv", "ssrn": "SSRN",
    "preprints.org": "Preprints.org", "researchsquare": "Research Square", "jmir": "JMIR Preprints",
    "preprints.scielo": "SciELO Preprints", "osf.io": "Open Science Framework",
}  # fmt: skip
# A version is part of a preprint's DOI (`…/v2`, `…_v2`, `…-v2`, `20944/preprints201612.0036.1`); OSF's ids of five
# characters may end like one (`osf.io/qm3v2`).
_VERSION = re.compile(r"[/._-]v\d{1,2}$|(?<!osf\.io/..)(?<!osf\.io/...)v\d{1,2}$|(?<=\d{8})\.\d$")
# `10.12688/f1000research.29032.2`, `10.7554/elife.90000.1`; eLife's `10.7554/elife.01567.002` is a part of an article.
_REVIEWED_PREFIXES = ("10.12688/", "10.7554/elife.")
_REVIEWED = r"^([^/]+/[a-z0-9]+\.[\d-]+)\.v?\d{1,2}$"


@lru_cache(maxsize=16384)  # of each DOI the records of several sources ask, and each of them more than once
def is_preprint_doi(doi: str) -> bool:
    """Whether a DOI in normal form (lower case) is one that a preprint server gives."""
    return _DOI.match(doi) is not None


@lru_cache(maxsize=4096)
def is_preprint_server(name: str) -> bool:
    """Whether what stands in a journal's place is a preprint server: `medRxiv`, `Res Sq`, `OSF Preprints`."""
    return _SERVER.search(name) is not None


def cites_preprint_server(citation: str) -> bool:
    """Whether a citation in MEDLINE's form begins with a server: `Res Sq. 2022 Jun 29:rs.3.rs-1800050. doi: …`."""
    return is_preprint_server(citation.partition(". ")[0])


def is_preprint(paper: Paper) -> bool:
    """Whether the record itself is of a preprint: by its type, its DOI or its server.

    A record with an article's DOI and a server as journal counts as a preprint, since its journal, volume and pages
    are the preprint's: merging must not take them for the article's.
    """
    if paper.type == "preprint" or (paper.ids.doi and is_preprint_doi(paper.ids.doi)):
        return True
    if paper.journal:
        return is_preprint_server(paper.journal)
    return bool(paper.ids.arxiv and not paper.ids.doi)


# What publishers and databases write where a paper has no volume, issue or pages, or none yet.
_NOT_PRINTED = frozenset((
    "-", "ahead of print", "ahead-of-print", "n/a", "n/a-n/a", "no", "no-no", "none", "null", "null-null",
    "publish ahead of print",
))  # fmt: skip


def printed_number(text: str | None) -> str | None:
    """The volume, issue or pages of a journal; None for `null`, `n/a-n/a` and the like, which are not printed.

    Nor is `abs/1706.03762`, which DBLP and those that took it over write as the volume of arXiv's papers.
    """
    # OpenAlex's values are not checked yet: one that is no text must cost its field alone, not the record.
    return None if not text or str(text).startswith("abs/") or str(text).casefold() in _NOT_PRINTED else text


def work_doi(doi: str | None) -> str | None:
    """The DOI by which records of one work meet: a preprint's without `/v2`, bioRxiv's two prefixes as one.

    Likewise an article's that is reviewed in public, each version of which has its DOI: F1000's journals and eLife.
    None for arXiv's DOIs, which stand for an arXiv id.
    """
    if doi is None or not is_preprint_doi(doi):
        return re.sub(_REVIEWED, r"\1", doi) if doi and doi.startswith(_REVIEWED_PREFIXES) else doi
    if doi.startswith(ARXIV_DOI):
        return None
    current, former = OPENRXIV_PREFIXES[::-1]
    return _VERSION.sub("", doi.replace(current, former, 1))
