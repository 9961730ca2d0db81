from tests.ways_of_asking.row_tests import (  # noqa: F401
    test_each_source_gets_what_its_documentation_calls_for,
    test_the_answer_has_the_right_papers_and_hints,
    test_the_document_has_all_ways_in_order,
    test_the_document_shows_the_requests_of_today,
)
from tests.ways_of_asking.ways.strangers import KIND  # noqa: F401
