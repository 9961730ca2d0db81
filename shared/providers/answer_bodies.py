"""A complete response, and its body as JSON or XML. A body that cannot be read is BadResponse and says why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from shared.errors import BadResponse
from shared.json_types import NestedTooDeeply, read_json

MAX_VALUES = 2_000_000  # of a JSON body, each of which takes some eighty bytes; 1,000 whole records have 200,000


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete HTTP response; header names are in lower case. `next_url` is set if a redirect is to be followed."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str = ""
    next_url: str | None = None


def json_body(title: str, answer: Answer) -> Any:
    """The JSON body of an answer of the provider `title`, read by `read_json`."""
    _check_type(title, answer, "json")
    if answer.body.count(b",") > MAX_VALUES:
        raise BadResponse(f"{title} sent JSON of more than {MAX_VALUES:,} values")
    try:
        return read_json(answer.body)
    except NestedTooDeeply as error:
        raise BadResponse(f"{title} sent JSON that is nested too deeply") from error
    except ValueError as error:
        raise BadResponse(f"{title} sent JSON that cannot be read") from error


def xml_body(title: str, answer: Answer) -> Element:
    """The root of the XML body. A DOCTYPE is ignored; declared entities are refused."""
    _check_type(title, answer, "xml")
    try:
        return fromstring(answer.body, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except DefusedXmlException as error:
        raise BadResponse(f"{title} sent XML that declares entities, which is refused") from error
    except LookupError as error:
        raise BadResponse(f"{title} sent XML in an unknown encoding") from error
    except (ParseError, ValueError) as error:
        raise BadResponse(f"{title} sent XML that cannot be read") from error


def text_body(title: str, answer: Answer, wanted: str) -> str:
    """The body as text, of a content type that has `wanted` in it; as UTF-8, whatever it says of itself."""
    _check_type(title, answer, wanted)
    try:
        return answer.body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadResponse(f"{title} sent a text that is not UTF-8") from error


def _check_type(title: str, answer: Answer, wanted: str) -> None:
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind and wanted not in kind:
        raise BadResponse(f"{title} sent {kind} instead of {wanted}")
    if not answer.body.strip():
        raise BadResponse(f"{title} sent an empty body")
