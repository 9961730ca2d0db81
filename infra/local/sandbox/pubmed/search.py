"""PubMed's esearch: the ids of the papers that a query finds, with its translation and remarks.

Manual: https://www.ncbi.nlm.nih.gov/books/NBK25499/#chapter4.ESearch. How a query is read is in `engine`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from werkzeug import Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.pubmed.engine import Reading, read
from infra.local.sandbox.pubmed.index import FOREVER, Index, day, index_of, paper_day
from infra.local.sandbox.pubmed.vocabulary import FIELDS
from infra.local.sandbox.pubmed.wire import Args, as_json, as_xml, doctype, error, number, opened, saved

NAME = "pubmed"
DEFAULT_RETMAX, MAX_RESULTS = 20, 9_999
HEAD = doctype("eSearchResult", "esearch", "20060628")
DATE_FIELDS = {
    "pdat": "Date - Publication",
    "edat": "Date - Entry",
    "crdt": "Date - Create",
    "mdat": "Date - Modification",
}
SORTS = {"relevance", "pub_date", "pub date", "author", "journalname", "journal", "most recent", ""}


def search(args: Args, corpus: Corpus) -> Response:
    """Answer one esearch, in XML or JSON."""
    in_json = args.get("retmode") == "json"
    message = _search_error(args)
    if message:
        return as_json({"ERROR": message}) if in_json else error("eSearchResult", message, HEAD)
    index = index_of(corpus)
    today = datetime.now(UTC).date()
    tag = f"[{args['field']}]" if args.get("field", "").lower() in FIELDS else ""
    reading = _dated(args, read(_with_history(args, args["term"] + tag), index, today), index, today)
    order = _ordered(reading, index, _sort(args))
    start, wanted = number(args, "retstart", 0), number(args, "retmax", DEFAULT_RETMAX)
    ids = [str(index.papers[n].pmid) for n in order]
    shown = ids[start : start + min(wanted, MAX_RESULTS)]
    result: dict[str, Any] = {"count": str(len(ids)), "retmax": str(len(shown)), "retstart": str(start)}
    if args.get("usehistory") == "y":
        result["querykey"], result["webenv"] = saved(ids, args.get("webenv"))
    result |= {
        "idlist": shown,
        "translationset": [{"from": words, "to": to} for words, to in reading.translations],
        "querytranslation": reading.translation if ids or reading.translation else args["term"],
    }
    result |= _remarks(reading, args, found=bool(ids))
    if args.get("rettype") == "count":
        result = {"count": result["count"]}
    return as_json(result) if in_json else as_xml(_element(result), HEAD)


def _with_history(args: Args, term: str) -> str:
    """Write the ids of an earlier search for its number: in the term, `#1 AND asthma`, or given as `query_key`."""
    searches = opened(args.get("webenv"))
    if searches and number(args, "query_key", 0):
        term = f"({term}) AND #{args['query_key']}"

    def ids(found: re.Match[str]) -> str:
        place = int(found[1])
        known = searches[place - 1] if 0 < place <= len(searches) else []
        return f"({' OR '.join(f'{pmid}[uid]' for pmid in known)})" if known else found[0]

    return re.sub(r"#([0-9]{1,3})\b", ids, term) if searches else term


def _search_error(args: Args) -> str | None:
    if args.get("db", NAME) != NAME:
        return f"Invalid db name specified: {args['db']}"
    if not args.get("term", "").strip():
        return "Empty term and query_key - nothing todo"
    if number(args, "retstart", 0) >= MAX_RESULTS:
        return f"Search Backend failed: Exception: 'retstart' cannot be larger than {MAX_RESULTS - 1}"
    return None


def _dated(args: Args, reading: Reading, index: Index, today: date) -> Reading:
    """Apply `reldate`, or `mindate` with `maxdate`: one of the two alone is ignored."""
    label = DATE_FIELDS.get(args.get("datetype", "edat"), "Date - Entry")
    first, last = day(args.get("mindate", "")), day(args.get("maxdate", ""), last=True)
    if args.get("reldate", "").isdigit():
        first, last = today - timedelta(days=min(number(args, "reldate", 0), 300_000)), FOREVER
    if first and last:
        reading.papers &= index.dated(label, first, last)
        bounds = f"{first:%Y/%m/%d}:{last:%Y/%m/%d}[{label}]"
        reading.translation = f"{reading.translation} AND {bounds}" if reading.translation else bounds
    return reading


def _ordered(reading: Reading, index: Index, sort: str) -> list[int]:
    """The papers by relevance, date, first author or journal; without a sort the highest PMID is first."""

    def relevance(n: int) -> float:
        score = 0.0
        for name, weight in (("Title", 3.0), ("Title/Abstract", 1.0)):
            length = math.sqrt(sum(map(len, index.texts[n][name])) + 5)
            holders = [index.words[name].get(word, ()) for word in set(reading.words)]
            score += sum(weight * math.log(1 + len(index.papers) / len(it)) / length for it in holders if n in it)
        return score

    def key(n: int) -> tuple[Any, ...]:
        fact = index.papers[n]
        first = {
            "relevance": -relevance(n) if sort == "relevance" else 0,
            "pub_date": -(paper_day(fact) or date.min).toordinal(),
            "author": " ".join(filter(None, fact.authors[0])).lower() if fact.authors else "",
            "journal": (fact.journal or "").lower(),
        }
        return first.get({"pub date": "pub_date", "journalname": "journal"}.get(sort, sort), 0), -int(fact.pmid or 0)

    return sorted(reading.papers, key=key)


def _remarks(reading: Reading, args: Args, *, found: bool) -> dict[str, Any]:
    """What was left out. If nothing at all was understood, the words count as a phrase that was not found."""
    unknown, quoted = reading.unknown, reading.unknown_quoted
    if not reading.translation:
        unknown, quoted = [], [*quoted, *(f'"{word}"' for word in unknown)]
    messages = [*reading.messages, *([] if found else ["No items found."])]
    if _sort(args) not in SORTS:
        messages.append(f"Unknown sort schema '{args['sort']}' ignored")
    if number(args, "retmax", 0) > MAX_RESULTS:
        messages.append(
            f"Restrictions achieved. start and count adjusted to {number(args, 'retstart', 0)}, {MAX_RESULTS}"
        )
    remarks: dict[str, Any] = {}
    if unknown or reading.unknown_fields:
        remarks["errorlist"] = {"phrasesnotfound": unknown, "fieldsnotfound": reading.unknown_fields}
    if quoted or messages:
        remarks["warninglist"] = {"phrasesignored": [], "quotedphrasesnotfound": quoted, "outputmessages": messages}
    return remarks


def _sort(args: Args) -> str:
    return args.get("sort", "").replace("+", " ").lower()


def _element(result: Mapping[str, Any]) -> Element:
    root = Element("eSearchResult")
    names = ("Count", "RetMax", "RetStart", "QueryKey", "WebEnv")
    for name in names:
        if name.lower() in result:
            SubElement(root, name).text = result[name.lower()]
    if "idlist" not in result:
        return root
    _listed(root, "IdList", "Id", result["idlist"])
    translations = SubElement(root, "TranslationSet")
    for translation in result["translationset"]:
        one = SubElement(translations, "Translation")
        SubElement(one, "From").text, SubElement(one, "To").text = translation["from"], translation["to"]
    SubElement(root, "QueryTranslation").text = result["querytranslation"]
    if errors := result.get("errorlist"):
        group = _listed(root, "ErrorList", "PhraseNotFound", errors["phrasesnotfound"])
        _listed(group, None, "FieldNotFound", errors["fieldsnotfound"])
    if warnings := result.get("warninglist"):
        group = _listed(root, "WarningList", "QuotedPhraseNotFound", warnings["quotedphrasesnotfound"])
        _listed(group, None, "OutputMessage", warnings["outputmessages"])
    return root


def _listed(parent: Element, group: str | None, name: str, texts: list[str]) -> Element:
    holder = SubElement(parent, group) if group else parent
    for text in texts:
        SubElement(holder, name).text = text
    return holder
