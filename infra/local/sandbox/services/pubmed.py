"""PubMed's API, the E-utilities: esearch returns ids, efetch and esummary return records, with NCBI's quirks.

Manual: https://www.ncbi.nlm.nih.gov/books/NBK25499/. How a query is read is in `engine`, its answer in
`search`; records are in `records` and `summaries`, elink and ecitmatch in `links`. A
parameter that NCBI does not know is ignored, as NCBI does.
"""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element, SubElement

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.pubmed.links import LINK_NAMES, links, matches
from infra.local.sandbox.pubmed.records import record
from infra.local.sandbox.pubmed.search import search
from infra.local.sandbox.pubmed.spelling import spelling
from infra.local.sandbox.pubmed.summaries import medline, summaries
from infra.local.sandbox.pubmed.vocabulary import FIELDS
from infra.local.sandbox.pubmed.wire import Args, as_json, as_xml, doctype, error, requested, saved

NAME = "pubmed"
TOOLS = "/entrez/eutils/"
SET_HEAD = (
    '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)
TEXTS: dict[str, Callable[[Fact], str]] = {
    "uilist": lambda fact: fact.pmid or "",
    "medline": medline,
    "abstract": lambda fact: f"{fact.title}.\n\n{fact.abstract or ''}\n\nPMID: {fact.pmid}\n",
}


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer one request; parameters may be in the URL or in a form, and their names in small or capital letters."""
    tools: dict[str, Callable[[Args, Corpus], Response]] = {
        "esearch.fcgi": search, "efetch.fcgi": _fetch, "esummary.fcgi": summaries,
        "epost.fcgi": lambda args, _: _post(args),
        "einfo.fcgi": _info, "espell.fcgi": spelling, "elink.fcgi": links, "ecitmatch.cgi": _match,
    }  # fmt: skip
    args: Args = Args((name.lower(), value) for name, values in request.values.lists() for value in values)
    tool = request.path.removeprefix(TOOLS)
    if tool in tools and request.path.startswith(TOOLS):
        return tools[tool](args, corpus)
    return Response("<html><body><h1>404 Not Found</h1></body></html>", status=404, content_type="text/html")


def error_envelope() -> Response:
    """Return an outage, which the API reports under HTTP 200."""
    return as_json({"ERROR": "Search Backend failed: Unable to open connection to #PMQuerySrv?dbaf=pubmed"})


def _fetch(args: Args, corpus: Corpus) -> Response:
    """Return the records in descending order of PMID, whatever the order of the request; unknown ids are missing."""
    ids = requested(args)
    if args.get("db", NAME) != NAME:
        return error("eFetchResult", f"Invalid db name specified: {args['db']}", status=400)
    if not ids:
        return error("eFetchResult", "Supplied id parameter is empty.")
    if not any(pmid.isdigit() and int(pmid) for pmid in ids):
        return error("eFetchResult", "ID list is empty! Possibly it has no correct IDs.", status=400)
    found = {fact.pmid: fact for fact in (corpus.find(NAME, pmid=pmid) for pmid in ids) if fact}
    facts = [found[pmid] for pmid in sorted(found, key=lambda pmid: -int(pmid or 0))]
    if args.get("retmode") == "text" and args.get("rettype") in TEXTS:
        text = "\n".join(TEXTS[args["rettype"]](fact) for fact in facts)
        return Response(f"{text}\n", content_type="text/plain; charset=UTF-8")
    root = Element("PubmedArticleSet")
    root.extend(map(record, facts))
    return as_xml(root, SET_HEAD)


def _match(args: Args, corpus: Corpus) -> Response:
    return Response(matches(args.get("bdata", ""), corpus), content_type="text/plain")


def _post(args: Args) -> Response:
    head = doctype("ePostResult", "epost", "20090526")
    if not args.getlist("id"):
        return error("ePostResult", "Wrong parameters or empty id list", head)
    root = Element("ePostResult")
    SubElement(root, "QueryKey").text, SubElement(root, "WebEnv").text = saved(requested(args), args.get("webenv"))
    return as_xml(root, head)


def _info(args: Args, corpus: Corpus) -> Response:
    """Return the names of the databases, or what PubMed says about itself: its search fields."""
    head, root = doctype("eInfoResult", "einfo", "20190110"), Element("eInfoResult")
    if "db" not in args:
        SubElement(SubElement(root, "DbList"), "DbName").text = NAME
        return as_xml(root, head)
    if args["db"] != NAME:
        return error("eInfoResult", f"Can not retrieve DbInfo for db={args['db']}", head)
    info = SubElement(root, "DbInfo")
    texts = {"DbName": NAME, "MenuName": "PubMed", "Description": "PubMed bibliographic record", "DbBuild": "Build-1",
             "Count": str(len(corpus.covered(NAME))), "LastUpdate": "2026/01/15 06:00"}  # fmt: skip
    for name, text in texts.items():
        SubElement(info, name).text = text
    fields = SubElement(info, "FieldList")
    for name in dict.fromkeys(FIELDS.values()):
        field = SubElement(fields, "Field")
        short = next(tag for tag, label in FIELDS.items() if label == name).upper()
        is_date = "Y" if name.startswith("Date") else "N"
        for tag, text in (("Name", short), ("FullName", name), ("Description", name), ("TermCount", ""),
                          ("IsDate", is_date), ("IsNumerical", "N"), ("SingleToken", "N"), ("Hierarchy", "N"),
                          ("IsHidden", "N")):  # fmt: skip
            SubElement(field, tag).text = text
    listed = SubElement(info, "LinkList")
    for name, menu in LINK_NAMES.items():
        link = SubElement(listed, "Link")
        for tag, text in (("Name", name), ("Menu", menu), ("Description", menu), ("DbTo", NAME)):
            SubElement(link, tag).text = text
    return as_xml(root, head)
