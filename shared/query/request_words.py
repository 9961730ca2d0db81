"""The words with which people ask an assistant for papers, as parts of regular expressions."""

from __future__ import annotations

VERBS = (
    "(?:(?:please|pls|plz) )?(?:(?:can|could) you )?(?:(?:please|pls|plz) )?"
    "(?:(?:find|show|give|get|list|suggest|recommend|summari[sz]e|write|provide|collect)(?: me| us)?|search for"
    "|(?:i am |i'm )?looking for|i (?:need|want))"
)
ADJECTIVES = (
    "(?:the|some|a few|most recent|most cited|highly cited|recent|latest|newest|new|current|key|important|best|top"
    "|systematic|literature|review|seminal|classic|landmark|foundational|influential|relevant|reliable|credible"
    "|any|good|peer[- ]reviewed|scientific|academic|scholarly|original|open[- ]access|free full[- ]text|free"
    "|freely (?:available|accessible)|[0-9]{1,3}) "
)
ONE = "(?:journal|research) article|review|paper|article|study"
MANY = (
    "(?:journal|research) (?:articles|papers)|reviews|papers|articles|studies|publications|pre-?prints|literature"
    "|research|meta-analyses"
)
SOURCES = "sources|references|citations|evidence"  # only of what is asked for: `sources of error` is a subject
FOR_WHAT = "(?: for (?:my|our|an?) (?:essay|thesis|paper|project|review|dissertation|homework|assignment|report))?"
GREETING = "(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| all| everyone)?[,.!]* )?"
ABOUT = "on|about|abt|of|regarding|concerning|into|for"
