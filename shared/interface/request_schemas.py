"""What requests may hold, as JSON Schema: the models of the validation, and every further form that it reads.

Numbers and flags may be texts, lists may be comma texts, and an empty value is an absent one; an unknown name is
refused whatever its value. What JSON Schema cannot say (a query that can be read, a day that exists) stands in the
field's description.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from shared.citation_request import CitationRequest
from shared.interface.accepted_forms import FROM_PUBMED, OWN, REF, SHARED_FORMS, SPECIAL, Schema, ref
from shared.interface.meanings import MEANINGS, OF_CONTEXT, OF_LINKS, OF_MODELS
from shared.interface.number_texts import number_text
from shared.interface.saved_schemas import saved_schemas
from shared.paper import PAPER_TYPES
from shared.papers.request import ExportRequest, LinksRequest, NetworkRequest, PapersRequest, Reference, ResolveRequest
from shared.request import Context, SearchRequest
from shared.saved.asked import AskedDelivery, AskedSchedule, AskedWebhook, SavedSearchRequest
from shared.sizes import RESULT_FIELDS

SAVED = (SavedSearchRequest, AskedSchedule, AskedDelivery, AskedWebhook)
MODELS = (SearchRequest, PapersRequest, LinksRequest, NetworkRequest, ResolveRequest, CitationRequest, ExportRequest)
_TELLING = ("reference", "title", "journal", "id", "doi", "pmid")


class RequestSchemas:
    """The requests of a deployment whose searches may name `providers`."""

    def __init__(self, providers: Collection[str]) -> None:
        _, whole = models_json_schema(
            [(model, "validation") for model in (*MODELS, *SAVED, Reference)], ref_template=REF
        )
        self._models: Mapping[str, Schema] = whole["$defs"]
        for (model, field), schema in OWN.items():
            self._models[model]["properties"][field] = schema
        self._names = {
            "providers": sorted({"auto", *providers}),
            "fields": list(RESULT_FIELDS),
            "publication_types": list(PAPER_TYPES),
        }

    def components(self) -> dict[str, Schema]:
        """The schemas of the bodies, by name."""
        links_are_asked_by_get = {LinksRequest.__name__, ResolveRequest.__name__}
        bodies = {model.__name__: self._body(model) for model in MODELS if model.__name__ not in links_are_asked_by_get}
        bodies["SearchRequest"]["anyOf"] = [_with("query"), _WITH_QUERIES, _with("cursor")]
        bodies["CitationRequest"]["oneOf"] = [
            {"required": ["text"], "properties": {"text": _not_absent(), "papers": ref("Absent")}},
            {"required": ["papers"], "properties": {"papers": _not_absent(), "text": ref("Absent")}},
        ]
        bodies["ExportRequest"]["oneOf"] = [_with("ids"), _with("result_set_id")]
        searched = bodies["SearchRequest"]
        from_pubmed = {"description": "PubMed alone.", "anyOf": [*FROM_PUBMED["anyOf"], ref("Absent")]}
        bodies["PubmedSearchRequest"] = {
            **searched,
            "properties": {**searched["properties"], "providers": from_pubmed},
        }
        reference = self._body(Reference)
        reference["anyOf"] = [_with(name) for name in _TELLING]
        names = {_component(name): self._named(name) for name in self._names}
        return {
            **SHARED_FORMS,
            **names,
            "Context": self._context(),
            **bodies,
            "Reference": reference,
            **self._resolve(reference),
            **saved_schemas(self._body, searched),
        }

    def query(self, model: type[BaseModel], without: Collection[str] = ()) -> list[Schema]:
        """The fields of a model as parameters of a URL."""
        fields = self._models[model.__name__]["properties"]
        return [
            self._parameter(model, name, field) for name, field in fields.items() if name not in {"context", *without}
        ]

    def _parameter(self, model: type[BaseModel], name: str, field: Schema) -> Schema:
        schema = self._field(name, field, in_url=True)
        default = schema.pop("default", None)
        schema = {"anyOf": [*schema.pop("anyOf", [schema]), ref("Blank")]}
        if default is not None:
            schema["default"] = default
        return {
            "name": name,
            "in": "query",
            "description": _meaning(model.__name__, name),
            "required": False,
            "schema": schema,
        }

    def _body(self, model: type[BaseModel], *, partial: bool = False) -> Schema:
        """A model's fields as a body; where it is partial, what is left out stays as it is."""
        whole = self._models[model.__name__]
        required = [] if partial else whole.get("required", [])
        properties = {}
        for name, field in whole["properties"].items():
            schema = self._field(name, field)
            if partial:
                schema.pop("default", None)
            if name not in required:
                schema = {**_kept(schema), "anyOf": [*_options(schema), ref("Absent")]}
            properties[name] = {"description": _meaning(model.__name__, name), **schema}
        told = {"required": required} if required else {}
        return {
            "type": "object", "description": OF_MODELS[model.__name__], "properties": properties,
            "additionalProperties": False, **told,
        }  # fmt: skip

    def _context(self) -> Schema:
        schema = self._models[Context.__name__]
        fields = {
            name: {"description": OF_CONTEXT[name], **_plain(field)} for name, field in schema["properties"].items()
        }
        return {**_plain(schema), "description": OF_MODELS[Context.__name__], "properties": fields}

    def _resolve(self, reference: Schema) -> dict[str, Schema]:
        many = self._body(ResolveRequest)
        aside = {name: it for name, it in many["properties"].items() if name != "references"}
        none = {"description": "Not with a reference's own fields.", **ref("Absent")}
        one = {
            **reference,
            "description": "One reference, by its own fields.",
            "properties": {**reference["properties"], **aside, "references": none},
        }
        return {
            "ResolveMany": many,
            "ResolveOne": one,
            "ResolveRequest": {
                "description": "Many references, or one by its own fields.",
                "anyOf": [ref("ResolveMany"), ref("ResolveOne")],
            },
        }

    def _field(self, name: str, field: Schema, *, in_url: bool = False) -> Schema:
        """A field with every form in which it is read."""
        schema = _plain(field)
        if name in self._names:
            return ref(_component(name))
        if name in SPECIAL:
            return {**_kept(schema), **SPECIAL[name]}
        kind = schema.get("type")
        if kind == "integer" and not in_url:
            low, high = schema["minimum"], schema["maximum"]
            bare = {key: it for key, it in schema.items() if key != "default"}
            return {**_kept(schema), "anyOf": [bare, {"type": "string", "pattern": number_text(low, high)}]}
        if kind == "boolean":
            return {**_kept(schema), "anyOf": [{"type": "boolean"}, ref("FlagText")]}
        return schema

    def _named(self, name: str) -> Schema:
        names = self._names[name]
        one = rf"\s*({'|'.join(names)})?\s*"
        items = {"anyOf": [{"enum": names}, ref("Blank")]}
        text = {"type": "string", "pattern": f"^{one}(,{one})*$"}
        return {"description": "A list of names, or a comma text.", "anyOf": [{"type": "array", "items": items}, text]}


# Beside a null, pydantic names the limits of a number by its own names.
_LIMITS = {"ge": "minimum", "le": "maximum"}


def _component(name: str) -> str:
    """`publication_types` -> `PublicationTypes`: the component that lists the names."""
    return "".join(part.capitalize() for part in name.split("_"))


def _not_absent() -> Schema:
    return {"not": ref("Absent")}


def _with(name: str) -> Schema:
    return {"required": [name], "properties": {name: _not_absent()}}


# Of the wordings in a list, one must say something.
_SAYS = {"type": "string", "pattern": r"\S"}
_WITH_QUERIES: Schema = {
    "required": ["queries"], "properties": {"queries": {"anyOf": [_SAYS, {"type": "array", "contains": _SAYS}]}},
}  # fmt: skip


def _options(schema: Schema) -> list[Schema]:
    bare = {name: it for name, it in schema.items() if name != "default"}
    return list(schema["anyOf"]) if "anyOf" in schema else [bare]


def _kept(schema: Schema) -> Schema:
    return {"default": schema["default"]} if "default" in schema else {}


def _plain(field: Schema) -> Schema:
    """Without titles, and without the null that stands for a default."""
    schema = {name: it for name, it in field.items() if name != "title"}
    for option in schema.pop("anyOf", ()):
        if option != {"type": "null"}:
            schema |= {_LIMITS.get(key, key): it for key, it in option.items()}
    if schema.get("default", ()) in (None, [], ()):
        schema.pop("default", None)
    return schema


def _meaning(model: str, name: str) -> str:
    return OF_LINKS[name] if model == LinksRequest.__name__ and name in OF_LINKS else MEANINGS[name]
