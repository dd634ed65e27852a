import unittest

from fieldbell._copy import _is_of_another_part
from fieldbell._service import ProblemError
from fieldbell._study import _pairs, _properties


class PropertiesTest(unittest.TestCase):
    def test_the_filter_has_a_pair_for_each_value(self):
        self.assertEqual(_pairs({"site": ["Lyon", "Paris"], "arm": "b"}), ["site:Lyon", "site:Paris", "arm:b"])
        self.assertIsNone(_pairs(None))
        self.assertIsNone(_pairs({}))

    def test_each_property_of_a_row_is_a_column(self):
        rows = [{"properties": {"site": "Lyon"}}, {}, {"properties": {"arm": "b", "site": "Paris"}}]
        columns = [(column.name, column.values) for column in _properties(rows)]
        self.assertEqual(
            columns, [("property.arm", [None, None, "b"]), ("property.site", ["Lyon", None, "Paris"])]
        )

    def test_a_copy_begins_again_for_another_part_and_not_for_other_data(self):
        detail = "The part of the study that you see has changed, and your copy is of the former one: begin again with 0."
        other = "Expected at most 7, the latest sequence of the study. Your copy is of other data: begin again with 0."

        def problem(detail):
            errors = [{"parameter": "after", "detail": detail}]
            return ProblemError(400, {"code": "request.invalid", "detail": detail, "errors": errors})

        self.assertTrue(_is_of_another_part(problem(detail)))
        self.assertFalse(_is_of_another_part(problem(other)))


if __name__ == "__main__":
    unittest.main()
