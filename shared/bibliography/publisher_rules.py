r"""DOIs that a publisher's address names without their prefix: `nature.com/articles/s41586-020-2649-2`.

Only addresses from which the publisher forms the DOI by one rule without exception are read; where an address leaves
out signs of the DOI (`onc2010123` of `10.1038/onc.2010.123`), or another number stands in it (ScienceDirect's PII, the
Lancet's younger journals), it names none. Each rule holds for the DOIs that Crossref has under the prefix:

    nature.com/articles/             10.1038/ and the id; `s41599-…` is 10.1057/
    elifesciences.org/articles/      10.7554/elife. and the number
    peerj.com/articles/              10.7717/peerj. and the number; `cs-5` is 10.7717/peerj-cs.5
    bmj.com/content/369/bmj.m1375    10.1136/bmj.m1375
    biorxiv.org/content/early/…/     10.1101/ and the number; since 2025 there is another prefix
    pubs.rsc.org/…/articlelanding/   10.1039/ and the manuscript's code
    hindawi.com/journals/x/2018/     10.1155/2018/ and the number
    dl.acm.org/citation.cfm?id=      10.1145/ and the id, where it has two parts
    thelancet.com/journals/lancet/   10.1016/ and the PII, of the four oldest titles
    aclanthology.org/                10.18653/v1/ and the id, of ACL, EMNLP, NAACL, EACL and Findings since 2016

Other servers form the DOI from the address as well, but not every paper there has such a DOI. Theirs is worth a lookup
where somebody names a paper by its address, and proves nothing beside a reference unless a source knows it:

    ssrn.com/abstract=3548411        10.2139/ssrn.3548411; only papers with a full text have a DOI
                                     (https://www.elsevier.support/ssrn, `What is a DOI`)
    zenodo.org/records/3509134       10.5281/zenodo.3509134; what had a DOI before keeps that
                                     (https://help.zenodo.org/docs/deposit/about-records)
    osf.io/preprints/psyarxiv/abcde  10.31234/osf.io/abcde; the prefixes are those that PREreview reads
                                     (github.com/PREreview/prereview.org, src/preprint-id.ts) and BioHackrXiv's. Since
                                     2025 each version has a DOI (https://blog.psyarxiv.com, `DOI Versioning`):
                                     10.31234/osf.io/abcde_v2. The address of an older paper's first version has `_v1`
                                     as well, and its DOI has none: either may be it
    jstor.org/stable/2346178         10.2307/2346178, where the publisher has registered none of its own
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_WEB = r"(?<![a-z0-9-])(?:https?://)?(?:(?:www|m)\.)?"
_END = r"(?![0-9a-z-])"
_SPRINGER = r"[sd]4[0-9]{4}-[0-9]{3}-[0-9]{4,5}-[0-9a-z]"
# Ids that the address leaves as they are: by journal and number without dots, with their dots, or by volume and page.
_NATURE = rf"{_SPRINGER}|nature[0-9]{{5}}|ncomms[0-9]{{4,5}}|srep[0-9]{{5}}|[1-9][0-9]{{2}}[0-9]{{3}}[ab][0-9]"
_RULES: tuple[tuple[str, str], ...] = (  # an address, and the DOI's part before the id
    (rf"nature\.com/articles/(?=s41599-)(?P<id>{_SPRINGER})", "10.1057/"),
    (rf"nature\.com/articles/(?!s41599-)(?P<id>{_NATURE}|n[a-z]{{1,6}}\.[0-9]{{1,4}}(?:\.[0-9]{{1,4}})?)", "10.1038/"),
    (r"nature\.com/[a-z]{2,12}/journal/v[0-9]{1,4}/n[0-9]{1,5}/(?:full|abs|pdf)/(?P<id>nature[0-9]{5})", "10.1038/"),
    (r"elifesciences\.org/(?:articles/|reviewed-preprints/|content/[0-9]{1,2}/e)(?P<id>[0-9]{5,6})(?:v[0-9])?",
     "10.7554/elife."),
    (r"peerj\.com/articles/(?P<id>[1-9][0-9]{0,5})", "10.7717/peerj."),
    (r"peerj\.com/articles/cs-(?P<id>[1-9][0-9]{0,5})", "10.7717/peerj-cs."),
    (r"bmj\.com/content/[0-9]{3}/(?P<id>bmj\.[a-z][0-9]{1,6})", "10.1136/"),
    (r"(?:biorxiv|medrxiv)\.org/content/(?:biorxiv/|medrxiv/)?early/20[0-9]{2}/[0-9]{2}/[0-9]{2}/"
     r"(?P<id>[0-9]{6}|20(?:19|2[0-4])(?:\.[0-9]{2}){2}\.[0-9]{6,8})", "10.1101/"),
    (r"pubs\.rsc\.org/[a-z-]{2,5}/content/article(?:landing|html|pdf)/20[0-9]{2}/[a-z]{2}/"
     r"(?P<id>[a-d][0-9][a-z]{2}[0-9]{5}[a-z])", "10.1039/"),
    (r"hindawi\.com/journals/[a-z]{2,12}/(?P<id>20(?:0[89]|1[0-9]|2[0-3])/[1-9][0-9]{5,6})", "10.1155/"),
    (r"dl\.acm\.org/citation\.cfm\?id=(?P<id>[0-9]{5,7}\.[0-9]{5,7})", "10.1145/"),
    (r"thelancet\.com/(?:journals|pdfs/journals)/(?:lancet|laninf|lanonc|laneur)/article/pii"
     r"(?P<id>s[0-9]{4}-[0-9]{3}[0-9x]\([0-9]{2}\)[0-9]{5}-[0-9x])", "10.1016/"),
    (r"(?:aclanthology\.org|aclweb\.org/anthology)/(?P<id>[pnd]1[6-9]-[1-6][0-9]{3}"
     r"|202[0-9]\.(?:(?:acl|emnlp|naacl|eacl)-(?:main|long|short)|findings-(?:acl|emnlp|naacl|eacl))\.[1-9][0-9]{0,3})",
     "10.18653/v1/"),
)  # fmt: skip
_OSF = {"africarxiv": "31730", "biohackrxiv": "37044", "edarxiv": "35542", "metaarxiv": "31222", "osf": "31219",
        "psyarxiv": "31234", "socarxiv": "31235"}  # fmt: skip
_ASSUMED_RULES: tuple[tuple[str, str], ...] = (
    (r"(?:(?:papers[0-9]?|hq)\.)?ssrn\.com/(?:sol3/)?(?:abstract=|(?:papers\.cfm|delivery\.cfm(?:/[a-z0-9_.-]{1,80})?)"
     r"\?(?:[a-z0-9_]{1,20}=[^\s&#=]{0,40}&){0,5}abstract_?id=)(?P<id>[1-9][0-9]{3,8})", "10.2139/ssrn."),
    (r"(?<!sandbox\.)zenodo\.org/records?/(?P<id>[1-9][0-9]{3,9})", "10.5281/zenodo."),
    *((rf"osf\.io/preprints/{server}/{form}", f"10.{prefix}/osf.io/")
      for form in (r"(?P<id>[a-z0-9]{5}(?:_v[1-9][0-9]?)?)(?!_)", r"(?P<id>[a-z0-9]{5})_v1")
      for server, prefix in _OSF.items()),
    (r"jstor\.org/stable/(?:pdf/|info/)?(?P<id>[1-9][0-9]{3,8})", "10.2307/"),
)  # fmt: skip


def _compiled(rules: Iterable[tuple[str, str]]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(_WEB + form + _END, re.IGNORECASE | re.ASCII), prefix) for form, prefix in rules]


KNOWN, ASSUMED = _compiled(_RULES), _compiled(_ASSUMED_RULES)
