"""Requests in many forms, and what the API and its document say to each: the same as ever."""

from __future__ import annotations

from typing import Any

CONTEXT = {"type": "debate", "id": "42"}
# What the published schema allows, and the API accepts.
CANONICAL: dict[str, list[dict[str, Any]]] = {
    "SearchRequest": [
        {"query": "a"}, {"queries": ["a", "b"]}, {"query": "a", "max_results": 1}, {"query": "a", "max_results": 100},
        {"query": "a", "max_results": 5.0}, {"query": "a", "fresh": True}, {"query": "a", "fresh": False},
        {"query": "a", "providers": ["pubmed"]}, {"query": "a", "date_from": "2020"},
        {"query": "a", "date_from": "2020-02"}, {"query": "a", "date_from": "2020-02-29"},
        {"query": "a", "context": CONTEXT},
    ],
    "PapersRequest": [
        {"ids": ["x"]}, {"ids": [""]}, {"ids": ["x"] * 100},
    ],
    "NetworkRequest": [
        {"seeds": ["10.1000/a"]},
    ],
    "ResolveRequest": [
        {"references": ["a"]}, {"references": [{"title": "a"}]},
    ],
    "CitationRequest": [
        {"context": CONTEXT, "text": "a"}, {"context": CONTEXT, "papers": ["10.1000/a"]},
        {"context": CONTEXT, "text": "a", "papers": []},
    ],
}  # fmt: skip
# Accepted besides: text forms, comma lists, empty values.
OTHER_FORMS: dict[str, list[dict[str, Any]]] = {
    "SearchRequest": [
        {"query": "a", "date_from": 2020}, {"query": "a", "date_to": 2020},
        {"queries": "a"}, {"query": "a", "max_results": "1"}, {"query": "a", "max_results": "100"},
        {"query": "a", "max_results": "007"}, {"query": "a", "max_results": None}, {"query": "a", "max_results": ""},
        {"query": "a", "max_results": []}, {"query": "a", "max_results": {}}, {"query": "a", "fresh": 0},
        {"query": "a", "fresh": 1}, {"query": "a", "fresh": 1.0}, {"query": "a", "fresh": "true"},
        {"query": "a", "fresh": "TRUE"}, {"query": "a", "fresh": "tRuE"}, {"query": "a", "fresh": "yes"},
        {"query": "a", "fresh": "n"}, {"query": "a", "fresh": "off"}, {"query": "a", "fresh": None},
        {"query": "a", "fresh": ""}, {"query": "a", "providers": "pubmed"},
        {"query": "a", "providers": "pubmed,arxiv"}, {"query": "a", "providers": " pubmed , arxiv "},
        {"query": "a", "providers": "pubmed,,"}, {"query": "a", "providers": ","},
        {"query": "a", "providers": "auto"}, {"query": "a", "providers": ["", " "]},
        {"query": "a", "providers": [" "]}, {"query": "a", "providers": {}}, {"query": "a", "date_from": ""},
        {"query": "a", "context": None}, {"query": "a", "context": {}},
        {"query": "a", "publication_types": "review,letter"}, {"query": "a", "fields": "title,key"},
        {"query": "a", "providers": "Pubmed"}, {"query": "a", "providers": ["Pub Med"]},
        {"query": "a", "publication_types": ["RCT"]}, {"query": "a", "language": "German"},
        {"query": "a", "field_of_study": "Computer Science"},
    ],
    "PapersRequest": [
        {"ids": "a b"}, {"ids": "x"},
    ],
    "NetworkRequest": [
        {"seeds": "10.1000/a"}, {"seeds": "10.1000/a", "depth": 1}, {"seeds": "10.1000/a", "depth": 2},
        {"seeds": "10.1000/a", "depth": "2"},
    ],
    "ResolveRequest": [
        {"references": [{"title": "a", "pages": 5}]}, {"references": [{"title": "a", "pages": 5.0}]}, {"title": "a"},
        {"title": "a", "references": []}, {"title": "a", "year": "1999"}, {"title": "a", "authors": "A B; C D"},
        {"title": "a", "authors": ["A B"]}, {"reference": "a", "detail": "full"},
    ],
    "CitationRequest": [
        {"context": CONTEXT, "papers": "10.1000/a"}, {"context": CONTEXT, "text": None, "papers": ["10.1000/a"]},
    ],
}  # fmt: skip
# Refused for a rule over several fields, which the document states in words.
AGAINST_A_RULE: dict[str, list[dict[str, Any]]] = {
    "SearchRequest": [
        {}, {"query": ""}, {"query": " "}, {"queries": [""]},
    ],
    "ResolveRequest": [
        {"references": [{}]}, {"references": [{"title": ""}]}, {"references": [{"year": 2000}]},
    ],
    "CitationRequest": [
        {"context": CONTEXT, "text": " "}, {"context": CONTEXT, "text": ""}, {"context": CONTEXT, "papers": []},
        {"context": CONTEXT, "text": "a", "papers": ["10.1000/a"]}, {"context": CONTEXT},
    ],
}  # fmt: skip
# Neither published nor accepted.
REFUSED: dict[str, list[dict[str, Any]]] = {
    "SearchRequest": [
        {"queries": ["a", "b", "c", "d", "e", "f"]}, {"cursor": None}, {"query": "a", "max_results": 0},
        {"query": "a", "max_results": 101}, {"query": "a", "max_results": "0"}, {"query": "a", "max_results": "101"},
        {"query": "a", "max_results": "+5"}, {"query": "a", "max_results": " 5"},
        {"query": "a", "max_results": "5.0"}, {"query": "a", "max_results": 5.5}, {"query": "a", "max_results": True},
        {"query": "a", "max_results": [5]}, {"query": "a", "max_results": "٥"}, {"query": "a", "fresh": 2},
        {"query": "a", "fresh": "maybe"}, {"query": "a", "fresh": "truee"}, {"query": "a", "fresh": [True]},
        {"query": "a", "providers": "scopus"}, {"query": "a", "language": "klingon"},
        {"query": "a", "providers": ["scopus"]}, {"query": "a", "providers": [1]}, {"query": "a", "providers": [{}]},
        {"query": "a", "providers": {"a": 1}}, {"query": "a", "providers": 5},
        {"query": "a", "providers": "pubmed arxiv"}, {"query": "a", "date_from": "2020-13"},
        {"query": "a", "date_from": "2020-00"}, {"query": "a", "date_from": "2020-02-32"},
        {"query": "a", "date_from": "20"}, {"query": "a", "date_from": "0000"}, {"query": "a", "date_from": "2020-1"},
        {"query": "a", "date_from": 16}, {"query": "a", "date_from": "2020-02-"},
        {"query": "a", "context": {"type": "debate", "id": "42", "more": 1}},
        {"query": "a", "context": {"type": "debate"}}, {"query": "a", "context": {"type": "talk", "id": "1"}},
        {"query": "a", "context": {"type": "debate", "id": ""}},
        {"query": "a", "context": {"type": "debate", "id": 5}}, {"query": "a", "context": "debate:42"},
        {"query": "a", "nonsense": 1}, {"query": "a", "nonsense": None}, {"query": "a", "nonsense": ""},
        {"query": "a", "nonsense": []}, {"query": "a", "nonsense": {}}, {"query": "a", "sort": "oldest"},
        {"query": "a", "journal": "x" * 301}, {"query": "a", "publication_types": ["poem"]},
        {"query": "a", "fields": ["title", "Key"]},
    ],
    "PapersRequest": [
        {"ids": []}, {"ids": ""}, {"ids": ","}, {"ids": [True]}, {"ids": ["x"] * 101}, {"ids": None},
        {"ids": {"a": "x"}}, {},
    ],
    "NetworkRequest": [
        {"seeds": []},
        {"seeds": ["10.1000/a"] * 11},
        {"seeds": True}, {"seeds": "10.1000/a", "depth": 3}, {"seeds": "10.1000/a", "depth": "3"},
        {"seeds": "10.1000/a", "depth": 0},
    ],
    "ResolveRequest": [
        {"references": "a"}, {"references": [""]}, {"references": []}, {"references": [5]},
        {"references": ["x" * 2001]}, {"references": [{"title": "a", "pages": True}]},
        {"references": [{"title": "a", "pages": 10000000000000000000000000000000000000000}]},
        {"references": [{"title": "a", "volume": -1}]}, {"title": "a", "references": ["b"]}, {"year": 1999},
        {"title": "a", "year": "1399"}, {"title": "a", "authors": [5]}, {"title": "a", "more": 1}, {},
        {"references": ["a"], "more": None},
    ],
    "CitationRequest": [
        {"context": CONTEXT, "text": "a", "by": "x" * 257}, {"context": CONTEXT, "text": 5},
        {"context": CONTEXT, "papers": [{}]}, {"context": CONTEXT, "papers": [5]}, {"text": "a"},
        {"text": "a", "context": {}},
    ],
}  # fmt: skip
