"""A cross-encoder that the deployer brings: its scores, what it refuses, and texts that nobody would write."""

from __future__ import annotations

import pytest
from onnx import TensorProto, helper
from onnx.onnx_ml_pb2 import ModelProto

from functions.reranker.cross_encoder import BATCH, MAX_TOKENS, CrossEncoder, TimeOver, UnusableModel
from tests.tiny_reranker import INPUTS, tiny_model, tiny_tokenizer

WORDS = ("do", "microglia", "eat", "plaques", "grow", "cells")
SIZE = tiny_tokenizer(WORDS).get_vocab_size()
QUESTION = "Do microglia eat plaques?"


def encoder(model: ModelProto | None = None, tokenizer: str | None = None) -> CrossEncoder:
    made = (model or tiny_model(SIZE)).SerializeToString()
    return CrossEncoder(made, (tokenizer or tiny_tokenizer(WORDS).to_str()).encode())


def test_the_score_of_each_text_is_the_models_in_the_order_of_the_texts() -> None:
    texts = ["Plaques grow.", "Microglia eat plaques.", "Cells grow.", "", "microglia microglia microglia"]
    assert encoder().scores(QUESTION, texts) == [1.0, 3.0, 0.0, 0.0, 1.0]


def test_more_texts_than_a_batch_of_all_lengths_keep_their_own_scores() -> None:
    texts = ["cells " * (50 - number) + "microglia eat" * (number % 2) for number in range(3 * BATCH + 1)]
    assert encoder().scores(QUESTION, texts) == [2.0 * (number % 2) for number in range(len(texts))]


@pytest.mark.parametrize("text", [
    "\x00microglia\x00", "microglia " + "x" * 100_000, "microglia 🧠👩‍🔬", "microglia \ud800", "microglia\u202e \ufeff",
    "[SEP] microglia [CLS]",
])  # fmt: skip
def test_hostile_text_gets_a_score_like_any_other(text: str) -> None:
    (score,) = encoder().scores(QUESTION, [text])
    assert score in (0.0, 1.0)
    assert encoder().scores(text, ["plaques"])[0] in (0.0, 1.0)


def test_a_pair_is_cut_at_the_length_that_the_tokenizer_states_and_at_our_own() -> None:
    late = "cells " * 20 + "microglia"
    whole, short = encoder(), encoder(tokenizer=tiny_tokenizer(WORDS, max_length=16).to_str())
    assert (whole.scores(QUESTION, [late]), short.scores(QUESTION, [late])) == ([1.0], [0.0])
    assert whole.scores(QUESTION, ["cells " * MAX_TOKENS + "microglia"]) == [0.0]


def test_a_model_without_optional_inputs_is_given_none() -> None:
    ids, size = helper.make_node("Shape", ["input_ids"], ["shape"], start=0, end=1), helper.make_tensor
    ones = [
        ids,
        helper.make_node("ConstantOfShape", ["shape"], ["flat"], value=size("v", TensorProto.FLOAT, [1], [7.0])),
    ]
    graph = helper.make_graph(
        [*ones, helper.make_node("Identity", ["flat"], ["logits"])], "flat",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n", "t"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n"])],
    )  # fmt: skip
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    assert encoder(made).scores(QUESTION, ["a", "b"]) == [7.0, 7.0]


def two_labels() -> ModelProto:
    end = [helper.make_node("Concat", ["common", "common"], ["logits"], axis=1)]
    return tiny_model(SIZE, end=end, output=("n", 2))


def one_for_each_token() -> ModelProto:
    end = [helper.make_node("Cast", ["attention_mask"], ["logits"], to=TensorProto.FLOAT)]
    return tiny_model(SIZE, end=end, output=("n", "k"))


def not_a_number() -> ModelProto:
    zero = helper.make_node("Sub", ["common", "common"], ["zero"])
    return tiny_model(SIZE, end=[zero, helper.make_node("Div", ["zero", "zero"], ["logits"])])


def an_embedding() -> ModelProto:
    return tiny_model(SIZE, end=[helper.make_node("Identity", ["words"], ["logits"])], output=("n", "t", SIZE))


def other_inputs() -> ModelProto:
    return tiny_model(SIZE, inputs=(*INPUTS, "pixel_values"))


@pytest.mark.parametrize(("model", "reason"), [
    (two_labels(), "one score for a pair"), (one_for_each_token(), r"shape \(1, \d+\) for 1 pairs"),
    (not_a_number(), "not a finite number"), (an_embedding(), "one score for a pair"),
    (other_inputs(), "pixel_values; a cross-encoder has input_ids"), (tiny_model(SIZE, tokens=64), "must be free"),
])  # fmt: skip
def test_a_model_that_is_no_cross_encoder_is_refused_with_the_reason(model: ModelProto, reason: str) -> None:
    with pytest.raises(UnusableModel, match=reason):
        encoder(model)


def test_files_that_are_none_are_refused() -> None:
    with pytest.raises(UnusableModel, match=r"model\.onnx is none"):
        CrossEncoder(b"<html>", tiny_tokenizer(WORDS).to_str().encode())
    for content in (b"{}", b"\xff", b""):
        with pytest.raises(UnusableModel, match=r"tokenizer\.json is none"):
            CrossEncoder(tiny_model(SIZE).SerializeToString(), content)


def test_when_the_time_is_over_no_further_batch_is_read() -> None:
    calls = iter([False, True])
    with pytest.raises(TimeOver):
        encoder().scores(QUESTION, ["microglia"] * (BATCH + 1), lambda: next(calls))
