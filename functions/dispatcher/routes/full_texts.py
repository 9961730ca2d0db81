"""`/v1/papers/{id}/fulltext`: the text of a paper, as JSON or as Markdown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from functions.dispatcher.admission import within_fresh_budget
from functions.dispatcher.wiring.papers import paper_dependencies
from shared.answers.content_trust import UNTRUSTED
from shared.aws.rest_api.request_body import query_object, request_id, tenant_of
from shared.clock import Deadline
from shared.exports.full_text_markdown import full_text_markdown
from shared.papers.texts.answer import full_text_answer
from shared.papers.texts.full_text import find_full_text
from shared.papers.texts.request import FullTextRequest
from shared.validation import validated

if TYPE_CHECKING:
    from shared.answers.full_texts import FullTextAnswer

MARKDOWN = "text/markdown"


def full_text(event: APIGatewayProxyEvent, paper_id: str) -> Response[str] | FullTextAnswer:
    """The text, or the status that says why there is none; a file's `Text-Status` and `Complete` say it as well."""
    request = validated(FullTextRequest, query_object(event), in_path={"id": paper_id})
    request = within_fresh_budget(request, tenant_of(event))
    dependencies = paper_dependencies(request_id(event))
    deadline = Deadline(dependencies.monotonic, request.timeout_ms)
    found = find_full_text(request, dependencies)
    answer = full_text_answer(found, request, request_id(event), deadline.elapsed_ms())
    if request.format == "json":
        return answer
    headers = {
        "Complete": json.dumps(answer["complete"]),
        "Content-Trust": UNTRUSTED,
        "Text-Status": answer["status"],
    }
    return Response(200, f"{MARKDOWN}; charset=utf-8", full_text_markdown(answer), headers=headers)
