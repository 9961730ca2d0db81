"""Languages by their shortest standard code: ISO 639-1 for what the services write in two or three letters."""

from __future__ import annotations

# ISO 639-2/B, as libraries and MEDLINE write it, and where it differs 639-2/T.
_BIBLIOGRAPHIC = {
    "afr": "af", "alb": "sq", "ara": "ar", "arm": "hy", "aze": "az", "baq": "eu", "bos": "bs", "bul": "bg", "cat": "ca",
    "chi": "zh", "cze": "cs", "dan": "da", "dut": "nl", "eng": "en", "est": "et", "fin": "fi", "fre": "fr", "geo": "ka",
    "ger": "de", "glg": "gl", "gre": "el", "heb": "he", "hin": "hi", "hrv": "hr", "hun": "hu", "ice": "is", "ind": "id",
    "ita": "it", "jpn": "ja", "kor": "ko", "lat": "la", "lav": "lv", "lit": "lt", "mac": "mk", "may": "ms", "nor": "no",
    "per": "fa", "pol": "pl", "por": "pt", "rum": "ro", "rus": "ru", "slo": "sk", "slv": "sl", "spa": "es", "srp": "sr",
    "swe": "sv", "tha": "th", "tur": "tr", "ukr": "uk", "vie": "vi", "wel": "cy",
}  # fmt: skip
_TERMINOLOGY = {
    "ces": "cs", "cym": "cy", "deu": "de", "ell": "el", "eus": "eu", "fas": "fa", "fra": "fr", "hye": "hy",
    "isl": "is", "kat": "ka", "mkd": "mk", "msa": "ms", "nld": "nl", "ron": "ro", "slk": "sk", "sqi": "sq", "zho": "zh",
}  # fmt: skip
_UNKNOWN = ("", "und", "mul", "zxx", "mis")


def language_code(code: str | None) -> str | None:
    """`ENG` -> `en`; a code without a two-letter form stays; none for `und` (unknown) and `mul` (several)."""
    code = (code or "").strip().lower()
    if code in _UNKNOWN:
        return None
    return _BIBLIOGRAPHIC.get(code) or _TERMINOLOGY.get(code) or code
