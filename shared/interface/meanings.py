"""What each field of a request means, in one line: for the document and its page."""

from __future__ import annotations

_ID = "A DOI, PMID:…, PMC…, arXiv:…, a Semantic Scholar id, CorpusId:…, an OpenAlex W…, one of our keys, or an address."
_IDS = f"Ids, each in any form. {_ID}"

MEANINGS = {
    "query": 'Words, "phrases", AND OR NOT, parentheses: translated to each provider\'s own syntax. It must hold a '
    "letter or digit, close what it opens, and give every operator its terms.",
    "queries": "Up to five wordings of one question (synonyms, broader, narrower, English), fused into one answer.",
    "max_results": "Results a page.",
    "providers": "Which to ask; `auto` picks by discipline. Without it, all.",
    "date_from": "YYYY, YYYY-MM or YYYY-MM-DD, inclusive; a day that exists, and not after `date_to`.",
    "date_to": "YYYY, YYYY-MM or YYYY-MM-DD, inclusive; a day that exists.",
    "journal": "The journal's name.",
    "author": "An author's name.",
    "open_access": "True: only papers of which a free copy exists.",
    "min_citations": "Only papers cited at least so often.",
    "publication_types": "Only these types.",
    "exclude_preprints": "True: no preprints.",
    "include_retracted": "False: no retracted papers. They are flagged in any case.",
    "cite_in_kg": "Whether the papers shown go to the knowledge graph.",
    "context": "What cites the papers; by POST only.",
    "sort": "The order of the results.",
    "ranking": "balanced; relevance: without citations; impact: relevance × log(citations + 1).",
    "detail": "How much of each paper: compact, standard, or full (all authors).",
    "fields": "Only these fields of each paper.",
    "include_abstract": "False: `abstract` is null.",
    "abstract_chars": "Cuts abstracts to so many characters, at a word.",
    "max_tokens": "A budget in tokens: whole results are left out beyond it, which `truncated` tells.",
    "cursor": "`next_cursor` of an earlier answer, unchanged.",
    "fresh": "True: asks the providers even where a kept answer would do.",
    "timeout_ms": "The deadline of the whole request, in milliseconds.",
    "ids": f"{_IDS} Up to 100.",
    "id": _ID,
    "seeds": f"{_IDS} Up to 10, and no more than `max_nodes`.",
    "direction": "Which way to follow citations.",
    "depth": "1: the papers linked to the seeds. 2: also those linked to the most linked of these.",
    "max_nodes": "Papers in the network; the most linked are kept.",
    "format": "The form of the answer; the header `Accept` may say it as well where a file of citations is wanted.",
    "result_set_id": "Of an earlier answer: all its papers.",
    "references": "Up to fifty: each a whole line, or an object of its fields.",
    "reference": "The whole line, as it is printed.",
    "title": "The cited title.",
    "authors": "A list, or one text with semicolons or `and` between the names.",
    "year": "The cited year.",
    "volume": "The cited volume.",
    "pages": "The cited pages, or the first of them.",
    "doi": "The cited DOI.",
    "pmid": "The cited PMID.",
    "text": "A text that names papers, up to 100,000 bytes and 500 papers; or give `papers`.",
    "papers": "The ids of the papers, instead of a text. " + _ID,
    "by": "Who cites.",
    "type": "What kind of work it is.",
    "limit": "Entries a page.",
    "list": "Only this list, by pages.",
    "kind": "For CSV: the table of papers, or that of edges.",
    "name": "For people, in one line without control or bidirectional characters. Without it, the query.",
    "search": "The fields of a search. Every word of a query must be there, small ones apart; what shapes a page "
    "(`max_results`, `detail`, `sort` and the like) changes nothing. Another search begins anew, and what was told "
    "before is not told again.",
    "schedule": "When it runs: an object, or its `expression` alone.",
    "delivery": "Where the news goes beside the feed.",
    "enabled": "False: it does not run.",
    "expression": "`rate(1 day)`, from a minute on, or `cron(minutes hours day-of-month month day-of-week year)`, of "
    "which one of the days is `?`: `cron(0 7 ? * MON-FRI *)`. It must fire at least once more.",
    "timezone": "Of cron: a name of the IANA time zones, such as Europe/Berlin.",
    "flexible_minutes": "Within how many minutes after its time a run begins; 0 is on the minute. Without it, as long "
    "as the interval of a rate, up to a day, so that two runs may be two intervals apart; of cron up to an hour. A "
    "change of the expression keeps it, unless it is longer than the new interval or was not chosen.",
    "webhook": "Where news is sent by POST, signed as Standard Webhooks says.",
    "sns": "True: to the service's SNS topic too.",
    "baseline": "True: also what was there already when the search was saved.",
    "url": "https, in plain ASCII, with a host of the public internet. A new one has a new secret, which only that "
    "answer tells; the same one again enables a webhook that was disabled, and sends what it lacks.",
}
OF_CONTEXT = {"type": "What kind of context it is.", "id": "Your name for it."}
OF_LINKS = {"sort": "bibliography: as the citing paper prints them; or the most cited, or the newest, first."}
OF_MODELS = {
    "SearchRequest": "A search.",
    "PapersRequest": "Papers by id.",
    "NetworkRequest": "The papers around some seeds, and who cites whom among them.",
    "ResolveRequest": "References to be checked.",
    "Reference": "A reference: its whole line, or fields of it, or both.",
    "CitationRequest": "A text or a list of papers, and the context that cites them.",
    "ExportRequest": "Papers to be written as a file.",
    "Context": "What cites the papers: a debate, an analysis, a report.",
    "SavedSearchRequest": "A search to be saved.",
    "AskedSchedule": "When a saved search runs.",
    "AskedDelivery": "Where its news goes, beside the feed.",
    "AskedWebhook": "A receiver of news.",
}
