"""Runs a cross-encoder: a model that reads a question and a text together and gives one score for the pair.

The model is an ONNX file as Hugging Face's exporters write it for one label: the inputs `input_ids` and, where it has
them, `attention_mask` and `token_type_ids`, each [pairs, tokens]; one output, [pairs, 1] or [pairs]. Its tokenizer is
the `tokenizer.json` beside it (https://huggingface.co/docs/tokenizers).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from shared.canonical_json import chunks_of

# Of a pair: a passage with its question, or a title with the beginning of an abstract. A small model (six layers, 384
# wide) takes 0.8 s of a processor for twenty pairs of so many, and 1.9 s for twenty of twice as many (decision 0091).
MAX_TOKENS = 128
BATCH = 10  # pairs that are read at once; the time is looked at between them
_INPUTS: dict[str, Callable[[Encoding], list[int]]] = {
    "input_ids": lambda pair: pair.ids,
    "attention_mask": lambda pair: pair.attention_mask,
    "token_type_ids": lambda pair: pair.type_ids,
}
_WHOLE_NUMBERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_NUMBERS = ("tensor(float)", "tensor(float16)", "tensor(double)")
_PAD_TOKENS = ("[PAD]", "<pad>")


class UnusableModel(ValueError):
    """The files are not a cross-encoder for ranking; the message says what is wrong and is safe to log."""


class TimeOver(Exception):
    """The time was over before every pair had its score."""


class CrossEncoder:
    """A model with its tokenizer."""

    def __init__(self, model: bytes, tokenizer: bytes) -> None:
        """Load both. Raises UnusableModel."""
        self._tokenizer = _loaded_tokenizer(tokenizer)
        self._session = _loaded_model(model)
        self._types = _input_types(self._session)
        _check_output(self._session)
        self.scores("a question", ["a text"])  # a model can declare one shape and give another

    def scores(self, question: str, texts: Sequence[str], is_over: Callable[[], bool] = lambda: False) -> list[float]:
        """A score for each text, in order, the higher the better. Raises TimeOver and UnusableModel."""
        pairs = self._tokenizer.encode_batch([(_encodable(question), _encodable(text)) for text in texts])
        found = [0.0] * len(texts)
        # Pairs of like length together: each is padded to the longest of its batch.
        order = sorted(range(len(pairs)), key=lambda number: (len(pairs[number].ids), number))
        for batch in chunks_of(order, BATCH):
            if is_over():
                raise TimeOver
            for number, score in zip(batch, self._run([pairs[it] for it in batch]), strict=True):
                found[number] = score
        return found

    def _run(self, pairs: Sequence[Encoding]) -> list[float]:
        longest = max(len(it.ids) for it in pairs)
        for it in pairs:
            it.pad(longest, pad_id=self._pad_id)
        given: dict[str, NDArray[Any]] = {
            name: np.array([_INPUTS[name](it) for it in pairs], dtype=kind) for name, kind in self._types.items()
        }
        (output,) = self._session.run(None, given)
        values = np.asarray(output, dtype=np.float64)
        if values.size != len(pairs) or values.ndim not in (1, 2):
            raise UnusableModel(f"the model gives an output of the shape {values.shape} for {len(pairs)} pairs")
        scores = [float(it) for it in values.reshape(-1)]
        if not all(map(math.isfinite, scores)):
            raise UnusableModel("the model gives a score that is not a finite number")
        return scores

    @property
    def _pad_id(self) -> int:
        known = (self._tokenizer.token_to_id(token) for token in _PAD_TOKENS)
        return next((it for it in known if it is not None), 0)  # the attention mask leaves it out anyway


def _loaded_tokenizer(content: bytes) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_str(content.decode())
    except Exception as error:  # the library raises Exception itself
        raise UnusableModel(f"tokenizer.json is none that the library tokenizers reads: {error}") from None
    declared = (tokenizer.truncation or {}).get("max_length", MAX_TOKENS)
    tokenizer.enable_truncation(max_length=min(declared, MAX_TOKENS), strategy="longest_first")
    tokenizer.no_padding()
    return tokenizer


def _loaded_model(content: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # errors; warnings are about the file, at each start
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the library's errors have no common class
        raise UnusableModel(f"model.onnx is none that ONNX Runtime reads: {type(error).__name__}") from None


def _input_types(session: onnxruntime.InferenceSession) -> dict[str, type]:
    inputs = {it.name: it for it in session.get_inputs()}
    if "input_ids" not in inputs or not inputs.keys() <= _INPUTS.keys():
        raise UnusableModel(
            f"the model has the inputs {', '.join(inputs) or 'none'}; a cross-encoder has input_ids and perhaps "
            "attention_mask and token_type_ids"
        )
    for name, it in inputs.items():
        if it.type not in _WHOLE_NUMBERS:
            raise UnusableModel(f"the input {name} is a {it.type}; it must be one of {', '.join(_WHOLE_NUMBERS)}")
        if len(it.shape) != 2 or any(isinstance(length, int) for length in it.shape):
            raise UnusableModel(f"the input {name} has the shape {it.shape}; both lengths must be free")
    return {name: _WHOLE_NUMBERS[it.type] for name, it in inputs.items()}


def _check_output(session: onnxruntime.InferenceSession) -> None:
    outputs = session.get_outputs()
    if len(outputs) != 1 or outputs[0].type not in _NUMBERS:
        named = ", ".join(f"{it.name} ({it.type})" for it in outputs)
        raise UnusableModel(f"the model has the outputs {named}; a cross-encoder has one, of floating-point numbers")
    shape = outputs[0].shape
    if len(shape) > 2 or (len(shape) == 2 and isinstance(shape[1], int) and shape[1] != 1):
        raise UnusableModel(f"the output has the shape {shape}; a cross-encoder for ranking has one score for a pair")


def _encodable(text: str) -> str:
    """The text without lone surrogates, which have no UTF-8."""
    return text.encode("utf-8", "replace").decode()
