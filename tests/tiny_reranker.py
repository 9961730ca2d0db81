"""A tiny cross-encoder that tests make: its score is how many different words question and text have in common.

It has the inputs and the output of a real one, and says nothing about the quality of any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnx.onnx_ml_pb2 import ModelProto, NodeProto
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OPSET = 18  # ReduceMax and ReduceSum take their axes as an input


def tiny_tokenizer(words: Iterable[str], max_length: int | None = None) -> Tokenizer:
    """A tokenizer of these words, in lower case; all others are unknown."""
    names = [*SPECIAL, *sorted({it.lower() for it in words})]
    tokenizer = Tokenizer(models.WordLevel({name: number for number, name in enumerate(names)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    if max_length:
        tokenizer.enable_truncation(max_length=max_length)
    return tokenizer


def tiny_model(vocabulary: int, *, end: Sequence[NodeProto] = (), output: Sequence[str | int | None] = ("n", 1),
               inputs: Sequence[str] = INPUTS, tokens: str | int = "t") -> ModelProto:  # fmt: skip
    """The model; `end` are nodes that make `logits` of `common`, [pairs, 1], where the score is to be another."""
    constants: dict[str, NDArray[Any]] = {
        "depth": np.array(vocabulary, np.int64),
        "off_on": np.array([0, 1], np.float32),
        "over_tokens": np.array([1], np.int64),
        "last": np.array([-1], np.int64),
        "telling": np.array([0.0] * len(SPECIAL) + [1.0] * (vocabulary - len(SPECIAL)), np.float32),
        "one": np.array(1.0, np.float32),
    }
    nodes = [
        helper.make_node("OneHot", ["input_ids", "depth", "off_on"], ["words"], axis=-1),
        helper.make_node("Mul", ["words", "telling"], ["telling_words"]),
        helper.make_node("Cast", ["token_type_ids"], ["types"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["one", "types"], ["is_question"]),
        *_words_where("is_question", "of_question"),
        *_words_where("types", "of_text"),
        helper.make_node("Mul", ["of_question", "of_text"], ["in_both"]),
        helper.make_node("ReduceSum", ["in_both", "last"], ["common"], keepdims=1),
        *(end or [helper.make_node("Identity", ["common"], ["logits"])]),
    ]
    graph = helper.make_graph(
        nodes,
        "shared_words",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", tokens]) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, output)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


def _words_where(flag: str, name: str) -> list[NodeProto]:
    """Which words the tokens with this flag have: [pairs, vocabulary] of 0 and 1."""
    return [
        helper.make_node("Mul", [flag, "mask"], [f"{name}_flag"]),
        helper.make_node("Unsqueeze", [f"{name}_flag", "last"], [f"{name}_column"]),
        helper.make_node("Mul", ["telling_words", f"{name}_column"], [f"{name}_words"]),
        helper.make_node("ReduceMax", [f"{name}_words", "over_tokens"], [name], keepdims=0),
    ]


def write_tiny_reranker(folder: Path, words: Iterable[str], model: ModelProto | None = None) -> Path:
    """Write both files into a folder, whose name is that of the model; returns the folder."""
    tokenizer = tiny_tokenizer(words)
    folder.mkdir(parents=True, exist_ok=True)
    made = model or tiny_model(tokenizer.get_vocab_size())
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    (folder / "tokenizer.json").write_text(tokenizer.to_str(), encoding="utf-8")
    return folder
