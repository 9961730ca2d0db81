"""PubMed's espell: suggests for each word that the index does not hold the one that is most like it.

Manual: https://www.ncbi.nlm.nih.gov/books/NBK25499/#chapter4.ESpell.
"""

from __future__ import annotations

from difflib import get_close_matches
from xml.etree.ElementTree import Element, SubElement

from rapidfuzz.distance import Indel
from rapidfuzz.process import extract
from werkzeug import Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.pubmed.index import index_of, tokens
from infra.local.sandbox.pubmed.wire import HEAD, Args, as_xml

DOCTYPE = (
    '<!DOCTYPE eSpellResult PUBLIC "-//NLM//DTD eSpell//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/eSpell.dtd">\n'
)


def spelling(args: Args, corpus: Corpus) -> Response:
    """Answer one espell; the corrected query is empty where nothing is misspelt."""
    words = tokens(args.get("term", ""))
    corrected = [suggestion(word, corpus) for word in words]
    root = Element("eSpellResult")
    SubElement(root, "Database").text = "pubmed"
    SubElement(root, "Query").text = args.get("term", "")
    SubElement(root, "CorrectedQuery").text = " ".join(corrected) if corrected != list(words) else ""
    SubElement(root, "SpelledQuery")
    SubElement(root, "ERROR")
    return as_xml(root, HEAD + DOCTYPE)


def suggestion(word: str, corpus: Corpus) -> str:
    """Return the indexed word that is most like a word; the word itself if it is indexed, or none is close."""
    known = index_of(corpus).words["All Fields"]
    if word in known:
        return word
    # No common subsequence is shorter than difflib's matching blocks: this quick look leaves out no close match.
    near = extract(word, list(known), scorer=Indel.normalized_similarity, score_cutoff=0.79, limit=None)
    return (get_close_matches(word, [found for found, _, _ in near], 1, 0.8) or [word])[0]
