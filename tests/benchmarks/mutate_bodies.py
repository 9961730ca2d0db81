"""Changes one answer of a source: types, ranges, lengths, encodings and nesting of any node, in JSON, XML or text.

A change is reported by the records that it stays within, so that losing any other record is counted as a defect.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

from tests.benchmarks.mutate_values import HALF, NESTED_XML, TEXTS, odd_value

Path: TypeAlias = "tuple[str | int, ...]"
MAX_MUTATIONS = 3
SAME_IN_ALL = 0.15  # the share of changes within a record that all records of the answer get
BROKEN_BODIES = 0.03  # the share of cases whose body is changed as bytes
# Keys of the lists whose items are the records of an answer, in the formats of all sources.
_RECORD_LISTS = {"items", "data", "results", "result", "reference", "citation", "papers", "idlist"}
_RECORD_TAGS = {"PubmedArticle", "PubmedBookArticle", "entry", "Link"}
_RAW = re.compile(r'"raw:([^"]*)"')  # stands in the text of the JSON for what `json.dumps` cannot write
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Mutated:
    """A changed body. `touched`: the numbers of the records it was changed within; None if it was changed elsewhere."""

    body: bytes
    touched: frozenset[int] | None
    changes: tuple[str, ...]


def mutate(body: bytes, chance: random.Random) -> Mutated:
    """The body with one to three changes."""
    if chance.random() < BROKEN_BODIES:
        return _broken(body, chance)
    start = body.lstrip()[:1]
    if start in (b"{", b"["):
        return _mutate_json(body, chance)
    is_xml = start == b"<" and not body.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html"))
    return _mutate_xml(body, chance) if is_xml else _mutate_text(body, chance)


def _broken(body: bytes, chance: random.Random) -> Mutated:
    text = body.decode("utf-8", "replace")
    at = chance.randrange(len(body) or 1)
    ways: dict[str, bytes] = {
        "cut": body[:at],
        "byte": body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :],
        "nul": body[:at] + b"\0" + body[at:],
        "utf-16": text.encode("utf-16"),
        "latin-1": text.encode("latin-1", "replace"),
        "mark": b"\xef\xbb\xbf" + body,
        "nested": b"[" * 100_000,
        "unknown encoding": b'<?xml version="1.0" encoding="x-none"?>' + body,
        "twice": body + body,
        "number": b"9" * 5_000,
        "null": b"null",
    }
    way = chance.choice(sorted(ways))
    return Mutated(ways[way], None, (f"body: {way}",))


def _mutate_text(body: bytes, chance: random.Random) -> Mutated:
    lines = body.decode("utf-8", "replace").splitlines() or [""]
    number = chance.randrange(len(lines))
    parts = lines[number].split("|")
    parts[chance.randrange(len(parts))] = chance.choice(TEXTS)
    lines[number] = "|".join(parts)
    return Mutated("\n".join(lines).encode("utf-8", "surrogatepass"), None, (f"line {number}",))


# --- JSON


def _mutate_json(body: bytes, chance: random.Random) -> Mutated:
    holder: dict[str, Any] = {"": json.loads(body)}
    records = _record_list(holder)
    touched: set[int] | None = set()
    changes = []
    for _ in range(chance.randint(1, MAX_MUTATIONS)):
        path = chance.choice(list(_paths(holder)))
        changes.append(f"{'.'.join(map(str, path[1:]))}: {_change(holder, path, chance)}")
        inside = records is not None and len(path) > len(records) and path[: len(records)] == records
        number = path[len(records)] if records is not None and inside else None
        touched = {*touched, number} if touched is not None and isinstance(number, int) else None
        if records is not None and isinstance(number, int) and chance.random() < SAME_IN_ALL:
            _repeat(holder, records, path)
            changes.append("the same in all records")
            touched = None
    text = json.dumps(holder[""])
    text = _RAW.sub(lambda found: found[1], text)
    return Mutated(text.encode(), None if touched is None else frozenset(touched), tuple(changes))


def _repeat(holder: Any, records: Path, path: Path) -> None:
    """Give all records the value that the changed one has at this path."""
    *_, listed = _values(holder, records)
    inner = path[len(records) + 1 :]
    try:
        *_, value = _values(listed, path[len(records) :])
        for record in listed:
            *_, parent = record, *_values(record, inner[:-1])
            if isinstance(parent, dict) and inner:
                parent[inner[-1]] = copy.deepcopy(value)
    except (LookupError, TypeError):  # the value was removed, or another record has no such place
        pass


def _values(value: Any, path: Path) -> Iterator[Any]:
    """The values along a path."""
    for key in path:
        value = value[key]
        yield value


def _record_list(holder: dict[str, Any]) -> Path | None:
    """The path of the list of records: the least deep list under one of the known names, or the whole body."""
    waiting: deque[tuple[Path, Any]] = deque([(("",), holder[""])])
    while waiting:
        path, value = waiting.popleft()
        # An answer of a single record is lost with it.
        if isinstance(value, list) and len(value) > 1 and (path[-1] in _RECORD_LISTS or len(path) == 1):
            return path
        if isinstance(value, dict):
            waiting.extend(((*path, key), item) for key, item in value.items())
    return None


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all nodes."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from _paths(item, (*path, key))


def _change(holder: Any, path: Path, chance: random.Random) -> str:
    """Change the node, in place; returns what was done."""
    parent = holder
    for key in path[:-1]:
        parent = parent[key]
    key = path[-1]
    value = parent[key]
    if len(path) > 1 and isinstance(parent, dict) and chance.random() < 0.12:
        del parent[key]
        return "removed"
    way, new = _another(value, chance)
    parent[key] = new
    return way


def _another(value: Any, chance: random.Random) -> tuple[str, Any]:
    """Another value in place of this one, and what was done."""
    if chance.random() < 0.45:
        new = odd_value(chance)
        return f"odd {str(new)[:20]!r:.40}", new
    if isinstance(value, list) and value:
        return _another_list(value, chance)
    if isinstance(value, dict) and value:
        key = chance.choice(sorted(value))
        ways: list[tuple[str, Any]] = [
            ("a list of it", [value]),
            ("emptied", {}),
            ("only one key", {key: value[key]}),
            ("its value", value[key]),
            ("all null", dict.fromkeys(value)),
            ("in itself", {**value, key: copy.deepcopy(value)}),
        ]
        return chance.choice(ways)
    if isinstance(value, str) and value.startswith("raw:"):  # an earlier change, which must stay as it is
        return "null", None
    if isinstance(value, str):
        ways = [
            ("half a sign", value[: len(value) // 2] + HALF + value[len(value) // 2 :]),
            ("doubled", value[:50_000] * 2), ("long", (value[:50] or "x") * 2_000), ("in a list", [value]),
            ("in an object", {"x": value}), ("upper case", value.upper()), ("reversed", value[::-1]),
            ("number", len(value)), ("blank", " "), ("cut", value[:1]),
        ]  # fmt: skip
        return chance.choice(ways)
    ways = [
        ("text", str(value)),
        ("in a list", [value]),
        ("negative", -value if isinstance(value, (int, float)) else -1),
        ("null", None),
    ]
    return chance.choice(ways)


def _another_list(value: list[Any], chance: random.Random) -> tuple[str, Any]:
    item = chance.choice(value)
    ways: list[tuple[str, Any]] = [
        ("item twice", [*value, copy.deepcopy(item)]),
        ("with null", [None, *value]),
        ("one item", item),
        ("reversed", value[::-1]),
        ("emptied", []),
        ("in a list", [value]),
        ("object", dict(enumerate(map(str, range(2))))),
        ("many", [copy.deepcopy(item) for _ in range(400)] if len(json.dumps(item)) < 300 else [item, item]),
        ("mixed", [*value, 5, None, "x", {}, []]),
    ]
    return chance.choice(ways)


# --- XML


def _mutate_xml(body: bytes, chance: random.Random) -> Mutated:
    root = fromstring(body)
    records = [found for found in root.iter() if found.tag.rpartition("}")[2] in _RECORD_TAGS]
    touched: set[int] | None = set()
    changes = []
    for _ in range(chance.randint(1, MAX_MUTATIONS)):
        owners = list(_owners(root).items())
        if not owners:
            break
        element, parent = chance.choice(owners)
        own = [number for number, record in enumerate(records) if any(element is inner for inner in record.iter())]
        way, well_formed = _change_element(element, parent, chance)
        changes.append(f"<{element.tag.rpartition('}')[2]}>: {way}")
        touched = {*touched, own[0]} if touched is not None and own and well_formed else None
    text = ElementTree.tostring(root, encoding="unicode")
    text = text.replace("raw:entity", "&nbsp;").replace("raw:zero", "&#0;")
    text = text.replace("raw:nested", f"{'<i>' * NESTED_XML}{'</i>' * NESTED_XML}")
    return Mutated(
        text.encode("utf-8", "surrogatepass"), None if touched is None else frozenset(touched), tuple(changes)
    )


def _owners(root: Element) -> dict[Element, Element]:
    """The parent of each element but the root."""
    return {child: parent for parent in root.iter() for child in parent}


def _change_element(element: Element, parent: Element, chance: random.Random) -> tuple[str, bool]:
    """Change the element, in place; returns what was done, and whether the document is still well-formed."""

    def text(set_text: Callable[[str], None]) -> bool:
        new = chance.choice((*TEXTS, "raw:entity", "raw:zero", "raw:nested"))
        set_text(new)
        return not _NOT_XML.search(new) and new not in ("raw:entity", "raw:zero")

    place = list(parent).index(element)
    way = chance.choice(
        ("text", "text", "attribute", "removed", "twice", "emptied", "nested", "renamed", "tail", "no text")
    )
    if way == "text":
        return way, text(lambda new: setattr(element, "text", new))
    if way == "tail":
        return way, text(lambda new: setattr(element, "tail", new))
    if way == "attribute":
        name = chance.choice(sorted(element.keys()) or ["odd"])
        return way, text(lambda new: element.set(name, new)) and element.get(name) != "raw:nested"
    if way == "removed":
        parent.remove(element)
    elif way == "twice":
        with suppress(RecursionError):  # an element that another change nested
            parent.insert(place, copy.deepcopy(element))
    elif way == "emptied":
        element.clear()
    elif way == "renamed":
        element.tag = "Odd"
    elif way == "no text":
        element.text = None
    else:
        for _ in range(chance.choice((3, 400))):
            inner = Element(element.tag)
            inner.text = element.text
            inner.extend(list(element))
            for child in list(element):
                element.remove(child)
            element.append(inner)
    return way, True
