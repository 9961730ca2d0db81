"""`/docs`: the API's document as one page for people, without a script and without anything from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from shared.interface.docs_style import STYLE

Schema = Mapping[str, Any]
# What the page says once for all fields, and not with each.
_EVERYWHERE = ("Absent", "Blank", "FlagText")
_MOST_NAMES = 40


def docs_page(document: Mapping[str, Any]) -> str:
    """The whole page, from the document alone."""
    page = _Page(document["components"]["schemas"])
    info = document["info"]
    body = "\n".join(
        [
            f"<header><h1>{_e(info['title'])}</h1>{_paragraphs(info['description'])}"
            f"<p>Address: <code>{_e(document['servers'][0]['url'])}</code>. Key: header <code>x-api-key</code>. "
            'For programs: <a href="openapi.json">openapi.json</a>, <a href="llms.txt">llms.txt</a>.</p></header>',
            f"<nav>{_contents(document)}</nav>",
            "<main>",
            *page.operations(document),
            *page.webhooks(document),
            *page.models(),
            _refusals(document["components"]["responses"]),
            "</main>",
        ]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{_e(info["title"])}</title>'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _e(value: Any) -> str:
    return escape(str(value))


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_marked(part)}</p>" for part in text.split("\n\n"))


def _marked(text: str) -> str:
    """Escaped, with what stands between backquotes as code."""
    parts = _e(text).split("`")
    if len(parts) % 2 == 0:
        return "`".join(parts)
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))


def _tagged(document: Mapping[str, Any], tag: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, operations in document["paths"].items():
        for method, told in operations.items():
            if tag in told["tags"]:
                yield method.upper(), path, told


def _contents(document: Mapping[str, Any]) -> str:
    lists = []
    for tag in document["tags"]:
        entries = "".join(
            f'<li><a href="#{_e(told["operationId"])}"><b>{method}</b> {_e(path)}</a></li>'
            for method, path, told in _tagged(document, tag["name"])
        )
        lists.append(f"<h2>{_e(tag['name'].capitalize())}</h2><ul>{entries}</ul>")
    return "".join(lists) + '<h2>More</h2><ul><li><a href="#refusals">Refusals</a></li></ul>'


class _Page:
    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._schemas = schemas
        self._shown: dict[str, None] = {}  # models that the page has led to, in order

    def operations(self, document: Mapping[str, Any]) -> Iterator[str]:
        """Every operation, under its tag."""
        for tag in document["tags"]:
            yield f"<h2>{_e(tag['name'].capitalize())}</h2><p>{_e(tag['description'])}</p>"
            for method, path, told in _tagged(document, tag["name"]):
                yield self._operation(method, path, told)

    def webhooks(self, document: Mapping[str, Any]) -> Iterator[str]:
        """The requests that the API itself makes."""
        yield "<h2>Webhooks</h2>"
        for told in (it for methods in document["webhooks"].values() for it in methods.values()):
            headers = "".join(
                self._row(it["name"], it["schema"], it["description"], True, "header") for it in told["parameters"]
            )
            content = told["requestBody"]["content"]["application/json"]
            answers = "".join(
                f"<tr><th>{_e(status)}</th><td>{_marked(it['description'])}</td></tr>"
                for status, it in told["responses"].items()
            )
            yield (
                f'<section id="{_e(told["operationId"])}"><h3>{_e(told["summary"])}</h3>'
                f"{_paragraphs(told['description'])}{_table('Headers', headers)}"
                f"<h4>Body: {self._type(content['schema'])}</h4>{_example('Example', content.get('example'))}"
                f"<h4>Your answer</h4><div><table><tbody>{answers}</tbody></table></div></section>"
            )

    def _operation(self, method: str, path: str, told: Mapping[str, Any]) -> str:
        parts = [
            f'<section id="{_e(told["operationId"])}"><h3><b class="{method.lower()}">{method}</b> '
            f"<code>{_e(path)}</code></h3><p><strong>{_e(told['summary'])}.</strong></p>",
            _paragraphs(told["description"]),
        ]
        if told.get("parameters"):
            rows = "".join(
                self._row(it["name"], it["schema"], it.get("description", ""), it.get("required", False), it["in"])
                for it in told["parameters"]
            )
            parts.append(_table("Parameters", rows))
        for content in told.get("requestBody", {}).get("content", {}).values():
            parts += [f"<h4>Body: {self._type(content['schema'])}</h4>", _example("Example", content.get("example"))]
        parts.append(self._answers(told["responses"]))
        return "".join(parts) + "</section>"

    def _answers(self, responses: Mapping[str, Any]) -> str:
        good = {status: it for status, it in responses.items() if int(status) < 400}
        parts = []
        for status, told in good.items():
            if len(good) > 1 or not told.get("content"):
                parts.append(f"<p><b>{_e(status)}</b>: {_marked(told['description'])}</p>")
            for media_type, content in told.get("content", {}).items():
                parts.append(f"<h4>Answer: <code>{_e(media_type)}</code> {self._type(content['schema'])}</h4>")
                parts.append(_example("Example", content.get("example")))
            for name, header in told.get("headers", {}).items():
                parts.append(f"<p>Header <code>{_e(name)}</code>: {_marked(header['description'])}</p>")
        statuses = ", ".join(_e(status) for status in responses if status not in good)
        return "".join(parts) + f'<p>May be refused with <a href="#refusals">{statuses}</a>.</p>'

    def models(self) -> Iterator[str]:
        """Every model that something shown leads to; showing one may lead to more."""
        yield "<h2>Models</h2>"
        done: set[str] = set()
        while waiting := [name for name in self._shown if name not in done]:
            for name in waiting:
                done.add(name)
                yield self._model(name, self._schemas[name])

    def _model(self, name: str, schema: Schema) -> str:
        required = set(schema.get("required", ()))
        rows = "".join(
            self._row(field, told, told.get("description", ""), field in required, None)
            for field, told in schema.get("properties", {}).items()
        )
        shown = _table("Fields", rows) if rows else f"<p>{self._type({**schema, 'description': ''})}</p>"
        text = _paragraphs(schema.get("description", ""))
        return f'<section id="model-{_e(name)}"><h3>{_e(name)}</h3>{text}{shown}</section>'

    def _row(self, name: str, schema: Schema, meaning: str, required: bool, place: str | None) -> str:
        notes = [note for note in (place if place != "query" else None, "required" if required else None) if note]
        default = f" Default: <code>{_e(json.dumps(schema['default']))}</code>." if "default" in schema else ""
        told = f" <small>{', '.join(notes)}</small>" if notes else ""
        return (
            f"<tr><th><code>{_e(name)}</code>{told}</th><td>{self._type(schema)}</td>"
            f"<td>{_marked(meaning)}{default}</td></tr>"
        )

    def _type(self, schema: Schema) -> str:
        """What a value may be, in words and links."""
        if "$ref" in schema:
            name = str(schema["$ref"]).rpartition("/")[2]
            self._shown[name] = None
            return f'<a href="#model-{_e(name)}">{_e(name)}</a>'
        options = [it for key in ("anyOf", "oneOf") for it in schema.get(key, ())]
        if options and "properties" not in schema:
            numbers = any(it.get("type") == "integer" for it in options)
            told = [
                it for it in options if not (numbers and "pattern" in it)
            ]  # that numbers may be texts is said above
            shown = [self._type(it) for it in told if not str(it.get("$ref", "")).endswith(_EVERYWHERE)]
            plain = [it for it in dict.fromkeys(shown) if it]
            return " or ".join(plain)
        if "enum" in schema:
            names = [f"<code>{_e(json.dumps(it))}</code>" for it in schema["enum"]]
            return " ".join(names[:_MOST_NAMES])
        if schema.get("type") == "array":
            return f"list of {self._type(schema.get('items', {}))}{_limits(schema)}"
        if isinstance(schema.get("additionalProperties"), Mapping):
            return f"object, each value {self._type(schema['additionalProperties'])}"
        return _e(schema.get("format") or schema.get("const") or schema.get("type", "anything")) + _limits(schema)


def _limits(schema: Schema) -> str:
    low = next((schema[name] for name in ("minimum", "minLength", "minItems") if name in schema), None)
    high = next((schema[name] for name in ("maximum", "maxLength", "maxItems") if name in schema), None)
    unit = " characters" if "maxLength" in schema else ""
    if high is None:
        return "" if low is None else f", from {low:,}{unit}"
    return f", up to {high:,}{unit}" if low is None else f", {low:,}–{high:,}{unit}"


def _table(title: str, rows: str) -> str:
    head = "<tr><th>Name</th><th>Type</th><th>Meaning</th></tr>"
    return f"<h4>{title}</h4><div><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>"


def _example(title: str, value: Any) -> str:
    if value is None:
        return ""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return f"<details><summary>{title}</summary><pre>{_e(text)}</pre></details>"


def _refusals(responses: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<tr><th>{_e(status)}</th><td><code>{_e(next(iter(told['content'])))}</code></td>"
        f"<td>{_marked(told['description'])}</td></tr>"
        for status, told in responses.items()
    )
    return f'<section id="refusals"><h2>Refusals</h2><div><table><tbody>{rows}</tbody></table></div></section>'
