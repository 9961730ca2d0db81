"""The form of the E-utilities' requests and answers: XML with NCBI's document types, JSON, ids, and the history server.

Manual: https://www.ncbi.nlm.nih.gov/books/NBK25499/. A WebEnv holds the ids of its searches itself: the sandbox keeps
no state.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from werkzeug import Response
from werkzeug.datastructures import MultiDict

Args = MultiDict[str, str]
DTDS = "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/"
HEAD = '<?xml version="1.0" encoding="UTF-8" ?>\n'
LONGEST_HISTORY = 1_000_000  # bytes of an unpacked WebEnv
MOST_IDS = 9_999


def doctype(root: str, name: str, version: str) -> str:
    """Return the head of an answer with NCBI's document type, without which some clients refuse it."""
    return f'{HEAD}<!DOCTYPE {root} PUBLIC "-//NLM//DTD {name} {version}//EN" "{DTDS}{version}/{name}.dtd">\n'


def as_json(result: Mapping[str, Any], kind: str = "esearch") -> Response:
    """Return an answer in JSON: esearch's and esummary's have different names for the result."""
    body = {"header": {"type": kind, "version": "0.3"}, "result" if kind == "esummary" else f"{kind}result": result}
    return Response(json.dumps(body), content_type="application/json; charset=UTF-8")


def as_xml(root: Element, head: str, status: int = 200) -> Response:
    """Return an answer in XML."""
    return Response(head + tostring(root, encoding="unicode"), status=status, content_type="text/xml; charset=UTF-8")


def error(root: str, message: str, head: str = HEAD, status: int = 200) -> Response:
    """Return an error, which comes under HTTP 200 as a rule."""
    element = Element(root)
    SubElement(element, "ERROR").text = message
    return as_xml(element, head, status)


def number(args: Mapping[str, str], name: str, default: int) -> int:
    """Return a parameter's number; anything else counts as not sent."""
    return int(args[name]) if re.fullmatch(r"[0-9]{1,9}", args.get(name, "")) else default


def requested(args: Args) -> list[str]:
    """Return the ids of a request: of `id`, which may be repeated and may hold several, or of the history server."""
    ids = [id for value in args.getlist("id") for id in re.split(r"[,\s]+", value) if id]
    if not ids and (searches := opened(args.get("webenv"))):
        ids = searches[min(max(number(args, "query_key", 1), 1), len(searches)) - 1]
        start = number(args, "retstart", 0)
        ids = ids[start : start + number(args, "retmax", MOST_IDS)]
    return ids


def saved(ids: list[str], earlier: str | None) -> tuple[str, str]:
    """Return the number of a search and the WebEnv that holds it, with the searches before it."""
    searches = [*opened(earlier), ids]
    packed = base64.urlsafe_b64encode(zlib.compress(json.dumps(searches).encode())).decode()
    return str(len(searches)), f"MCID_{packed}"


def opened(webenv: str | None) -> list[list[str]]:
    """Return the searches of a WebEnv, each a list of ids; none if it is not one of ours."""
    try:
        packed = base64.urlsafe_b64decode((webenv or "").removeprefix("MCID_"))
        return list(json.loads(zlib.decompressobj().decompress(packed, LONGEST_HISTORY)))
    except (ValueError, zlib.error):
        return []
