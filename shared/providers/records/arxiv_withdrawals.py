"""Whether arXiv's comment or abstract says that the paper itself is withdrawn.

A withdrawn paper stays in arXiv, and its last version says so in words of the author or of an administrator:
https://info.arxiv.org/help/withdraw.html. Comments and abstracts also speak of other works that were withdrawn, of
former versions, of a submission to a conference, and of statements that the authors no longer make.
"""

from __future__ import annotations

import re

_WORK = r"(?:article|draft|e-?print|manuscript|note|paper|preprint|report|submission|work)\b"
# Kinds of works that are often other works: only `this book` is the paper itself.
_THIS_KIND = (
    rf"this (?:\w+ )?(?:{_WORK}|(?:book|chapter|comment|contribution|document|letter|proof|reply|study|thesis)\b)"
)
# `The companion paper` and `the first version` are others.
_THE_WORK = rf"(?:the )?(?:(?:arxiv|current|entire|full|present|whole) )?{_WORK}"
_THIS_WORK = rf"(?:{_THIS_KIND}|{_THE_WORK})"
_IS = r"(?:(?:is|was|has|have|had|been|being|be|now|to|needs|hereby|therefore|temporarily|permanently) )"
# A conference, a journal; and what is about a former state of the paper, or about a reaction to it.
_ELSEWHERE = r" from (?!(?:the )?arxiv\b)"
_AN_ERROR = r"(?:an? |the )?(?:\w+ )?(?:error|flaw|gap|mistake)"
_FORMERLY = (
    rf" (?:by mistake|in v(?:ersion )?\d|(?:after|before)\b(?! {_AN_ERROR})"
    r"|and (?:is |was )?(?:restored|resubmitted|submitted|replaced by (?:an?|the)\b))"
)
_WITHDRAWN = rf"(?:withdrawn|retracted)\b(?!{_ELSEWHERE}|{_FORMERLY})"
_BY = rf" by (?:the |its )?(?:\w+ )?(?:authors?|arxiv|submitters?|administrat(?:ors?|ion))\b(?!{_ELSEWHERE})"
_WHY = (
    rf"(?:{_BY}| (?:due|because|since|in favou?r|from (?:the )?arxiv)\b| as (?:incorrect|wrong|a duplicate)\b"
    r"| at (?:the )?(?:authors?['’]?s? )?request\b"
    r"| ?[-–—/(.:;,)\]!*]|$)"
)
_WE_WITHDRAW = (
    r"(?:we|i|(?:the )?authors?) "
    r"(?:(?:hereby|have|has|had|am|are|must|now|therefore|decided to|wish to|would like to) )*"
    rf"withdr(?:aws?|ew|awn|awing) (?:{_THIS_KIND}|(?:the|our|my) (?:\w+ )?{_WORK})(?!{_ELSEWHERE})"
)
_REMOVED = rf"{_THIS_WORK} {_IS}+removed{_BY}"  # as arXiv's administrators say
# The reason may come first: `Due to an error in Lemma 2, this paper is withdrawn`.
_REASON_FIRST = rf"(?:(?:due|owing) to|because of) [^;]{{3,160}}?, {_THIS_WORK} {_IS}+{_WITHDRAWN}"
# `The paper contained an error and has been withdrawn`; `There is a mistake in Section 3, so the paper is withdrawn`.
_ERRORS = r"(?:an? |the |some |several )?(?:\w+ ){0,3}(?:errors?|flaws?|gaps?|mistakes?)\b"
_WITH_ERROR = (
    rf"(?:{_THIS_WORK} (?:contain(?:s|ed)?|ha[sd]) {_ERRORS}[^.;\[\]]{{0,80}}?,? and (?:it )?{_IS}+{_WITHDRAWN}"
    rf"|(?:there (?:is|are|was|were)|(?:we|i) (?:have )?found) {_ERRORS}[^.;\[\]]{{0,80}}?,? "
    rf"(?:and|hence|so|therefore|thus)(?: that)? {_THIS_WORK} {_IS}+{_WITHDRAWN})"
)
# How a statement of a withdrawal begins.
_STATEMENT = (
    rf"(?:{_REASON_FIRST}|{_WITH_ERROR}|{_REMOVED}|(?:{_THIS_WORK}|this) {_IS}+{_WITHDRAWN}"
    rf"|(?:withdrawn|retracted){_WHY}|{_WE_WITHDRAW})"
)
# A comment lists what there is to say: `12 pages, withdrawn`. `ICLR 2021 submission (withdrawn)` is of a conference.
_IN_COMMENT = re.compile(
    rf"(?:^\W*|^arxiv admin note: |[.;] ?|(?:pages?|figures?|tables?|pp\.?|latex), )"
    rf"(?:{_STATEMENT}|{_THIS_WORK} withdrawn{_WHY}|this version {_IS}*{_WITHDRAWN})",
    re.I,
)
_ON_ANOTHER = re.compile(r"^\W*(?:comment|reply|response)s? (?:on|to)\b", re.I)
# An abstract tells of other works too: it begins with the statement, or says `this paper`.
_IN_ABSTRACT = re.compile(rf"^\W*{_STATEMENT}|(?:^|[.;]) ?{_THIS_KIND} {_IS}+{_WITHDRAWN}", re.I)


def says_withdrawn(comment: str, abstract: str) -> bool:
    """Whether one of them says so; each is plain text on one line, empty where arXiv has none."""
    in_comment = _IN_COMMENT.search(comment) and not _ON_ANOTHER.search(comment)
    return bool(in_comment or _IN_ABSTRACT.search(abstract))
