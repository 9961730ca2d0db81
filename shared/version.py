"""The name and version of this product: the package, the OpenAPI document and the user agent all read them here."""

VERSION = "0.1.0"
TITLE = "Literature search"
SUMMARY = "One call asks every literature source, merges and ranks the answers, and says which source did not answer."
