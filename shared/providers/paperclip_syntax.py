"""Paperclip's command line: `-s papers 'a whole sentence' -n 100 --all`.

Manual: https://paperclip.gxl.ai/docs, and `paperclip search --help`. The search compares by meaning and by words, so a
question is sent whole. Its documents disagree on `--all` (missing in the help of 0.7.15) and on what `--since` takes:
each is left out when the shell refuses it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from shared.errors import RequestRejected, UnsupportedFilter
from shared.query.field_tags import FILTER_FIELDS
from shared.query.query import Query
from shared.query.syntax import Node, Phrase, Tagged, has_operators, leaves, plain
from shared.query.wildcards import truncated_words

_NOT_IN_TEXT = FILTER_FIELDS | {"author", "journal", "affiliation"}
# The options that a release may refuse, with what a search without them lacks.
OPTIONAL = {
    "--all": "this release of Paperclip has no option for all years: older papers may be missing",
    "--since": "this release of Paperclip takes no date: the dates are checked afterwards",
}


class OptionRefused(RequestRejected):
    """The shell refuses an option that a search can do without."""

    def __init__(self, option: str) -> None:
        super().__init__(f"Paperclip's shell does not take {option}")
        self.option = option


@dataclass(frozen=True, slots=True)
class Command:
    """The arguments of `search`, each an option with its value; the filters that are not among them, and warnings."""

    parts: tuple[tuple[str, ...], ...]
    unsupported: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def arguments(self) -> str:
        """The line after `search`."""
        return " ".join(word for part in self.parts for word in part)

    def without(self, refusal: OptionRefused) -> Command:
        """The command without the refused option. Raises the refusal if the command does not have it."""
        parts = tuple(part for part in self.parts if part[0] != refusal.option)
        if parts == self.parts:
            raise refusal
        unsupported = (*self.unsupported, "date") if refusal.option == "--since" else self.unsupported
        warnings = (*self.warnings, OPTIONAL[refusal.option])
        return replace(self, parts=parts, unsupported=unsupported, warnings=warnings)


def read_command(query: Query, most: int) -> Command:
    """The command for a query, with at most `most` hits. Raises UnsupportedFilter for an author without a text."""
    if not query.text:
        raise UnsupportedFilter("Paperclip searches in texts: an author alone is nothing to search for")
    unsupported, warnings = [], []
    parts: list[tuple[str, ...]] = [
        ("-s", "pmc" if query.exclude_preprints else "papers"),
        (quoted(_text(query.node)),),
    ]
    if isinstance(query.node, Phrase) and "*" not in query.text:
        parts.append(("-e",))
    elif has_operators(query.node):
        warnings.append("Paperclip was sent the wanted words only, without phrases, AND, OR, NOT")
    if wildcards := truncated_words(query.node):
        warnings.append(f"Paperclip documents no wildcards: {' '.join(wildcards)[:60]} sent as written")
    parts.append(("-n", str(min(query.limit, most))))
    parts += _years(query)
    if query.last_day and not _one_year(query):
        unsupported.append("date")
        warnings.append("Paperclip has no upper limit of dates: the dates are checked afterwards")
    # A given name or initials are not part of the names that it compares, and a second option would replace the first.
    parts += [("--author", quoted(query.people[0][0].family))] if query.people else []
    parts += [("--journal", quoted(query.journal))] if query.journal else []
    parts += [("--sort", "date")] if query.sort == "date" else []
    return Command(tuple(parts), tuple(unsupported), tuple(warnings))


def _text(node: Node) -> str:
    """The sentence, or the wanted terms of an expression that are about texts."""
    terms = [leaf.text for leaf in leaves(node) if not (isinstance(leaf, Tagged) and leaf.field in _NOT_IN_TEXT)]
    return " ".join(terms) or plain(node)


def _one_year(query: Query) -> bool:
    first, last = query.first_day, query.last_day
    return bool(first and last and first.year == last.year)


def _years(query: Query) -> list[tuple[str, ...]]:
    """One year, or all of them from a year on. A paper of which the year alone is known counts as of its first day."""
    if _one_year(query):
        return [("--year", str(query.first_day.year))] if query.first_day else []
    return [("--all",), *([("--since", str(query.first_day.replace(month=1, day=1)))] if query.first_day else [])]


def quoted(text: str) -> str:
    """One argument for the server's shell: never an option (`-n 9`), a corpus path (`/fda`) or a second word."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split()).lstrip("-/ ")
    return "'" + line.replace("'", "'\\''") + "'"
