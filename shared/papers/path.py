"""The path of one paper: its id, and what is asked about it."""

from __future__ import annotations

import re
from urllib.parse import unquote

_WITH_ITS_PART = re.compile(r"(.+)/(references|citations|similar|fulltext)/?", re.DOTALL | re.IGNORECASE)
# The pages of The Lancet and of other journals of Elsevier: `thelancet.com/journals/lancet/article/PIIS…/fulltext`.
_PAGE_OF_A_TEXT = re.compile(r"https?://.+/article/(?:pii)?S[0-9x()-]+/fulltext/?", re.DOTALL | re.IGNORECASE)


def id_and_part(path: str) -> tuple[str, str]:
    """The id in what follows `/v1/papers/`, and the list or text asked for: `references`, `fulltext` …, or "".

    API Gateway passes the path of a REST API as it was sent, so that an encoded slash is part of the id. Where an
    address is written with its slashes, the `/fulltext` that ends the publisher's own address is part of the id, too.
    """
    found = _WITH_ITS_PART.fullmatch(path)
    if not found or ("/" in found[1] and _PAGE_OF_A_TEXT.fullmatch(unquote(path))):
        return unquote(path), ""
    return unquote(found[1]), found[2].lower()
