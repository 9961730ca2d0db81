"""Europe PMC's three formats of one answer: JSON, XML (the default) and Dublin Core in RDF."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement, register_namespace, tostring

from werkzeug import Response

_RDF, _DC = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://purl.org/dc/elements/1.1/"
register_namespace("rdf", _RDF)
register_namespace("dc", _DC)


def response(body: Mapping[str, Any], name: str) -> Response:
    """Return an answer in the format of a request."""
    if name.lower() == "json":
        return Response(json.dumps(body), content_type="application/json;charset=UTF-8")
    root = _dublin_core(body) if name.lower() == "dc" else _element("responseWrapper", body)
    return Response(tostring(root, encoding="UTF-8", xml_declaration=True), content_type="text/xml;charset=UTF-8")


def _element(name: str, value: object) -> Element:
    """Return the element of a value; a list is one element for each of its items."""
    element = Element(name)
    if not isinstance(value, Mapping):
        element.text = str(value).lower() if isinstance(value, bool) else str(value)
        return element
    for key, part in value.items():
        items = part if isinstance(part, Sequence) and not isinstance(part, str) else [part]
        element.extend(_element(key, item) for item in items)
    return element


def _dublin_core(body: Mapping[str, Any]) -> Element:
    root = Element(f"{{{_RDF}}}RDF")
    for record in body.get("resultList", {}).get("result", []):
        about = f"http://europepmc.org/abstract/{record['source']}/{record['id']}"
        description = SubElement(root, f"{{{_RDF}}}Description", {f"{{{_RDF}}}about": about})
        names = record.get("authorString", "").rstrip(".").split(", ")
        texts = [
            ("title", record.get("title")),
            *(("creator", ", ".join(name.rsplit(" ", 1))) for name in names if name),
            ("source", record.get("journalTitle")),
            ("date", record.get("firstPublicationDate") or record.get("pubYear")),
            ("identifier", record.get("doi") and f"doi:{record['doi']}"),
            ("description", record.get("pubType")),
        ]
        for tag, text in texts:
            if text:
                SubElement(description, f"{{{_DC}}}{tag}").text = str(text)
    return root
