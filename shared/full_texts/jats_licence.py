"""The licence of a JATS article. An address within a statement is read in its sentence: it may be that of a figure.

Source: JATS 1.3 (jats.nlm.nih.gov), <permissions>, <license>, <ali:license_ref>.
"""

from __future__ import annotations

from shared.bibliography.licences import read_licence
from shared.documents.xml_source import Element
from shared.full_texts.outline import one_line


def licence_of_article(front: Element) -> tuple[str | None, str | None]:
    """The licence, in the form of `read_licence`, and its statement as printed; None for what is not stated."""
    for permissions in front.all("permissions"):
        stated = list(permissions.all("license"))
        addresses = [address for it in permissions.all("license", "license_ref") for address in _own_addresses(it)]
        words = [it for licence in stated for it in licence.all("license-p", "p")] or stated
        printed = one_line(" ".join(_all_text(it) for it in words))
        names = (read_licence(text) for text in (*addresses, _with_addresses(permissions)))
        return next((name for name in names if name), None), printed[:500] or None
    return None, None


def _own_addresses(element: Element) -> tuple[str, ...]:
    own = [part for part in element.parts if isinstance(part, str)] if element.name == "license_ref" else []
    return element.attributes.get("href", ""), "".join(own)


def _with_addresses(element: Element) -> str:
    """The text, with the address of each link behind its words."""
    inside = " ".join(part if isinstance(part, str) else _with_addresses(part) for part in element.parts)
    address = element.attributes.get("href") if element.name in ("ext-link", "uri") else None
    return f"{inside} ({address})" if address else inside


def _all_text(element: Element) -> str:
    return " ".join(part if isinstance(part, str) else _all_text(part) for part in element.parts)
