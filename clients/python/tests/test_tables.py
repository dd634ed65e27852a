import datetime
import json
import unittest

from fieldbell import _values
from fieldbell._codebook import Codebook
from fieldbell._tables import Answers, has_pandas, table

from .book import BOOK, DIARY, ROWS


def columns(labels=True, choices="lists", survey=DIARY):
    return {column.name: column for column in Answers(Codebook(BOOK), survey, labels, choices).columns(ROWS)}


def values(name, **options):
    return columns(**options)[name].values


class AnswersTest(unittest.TestCase):
    def test_types_are_those_of_the_codebook(self):
        self.assertEqual(values("items.hours"), [7.5, -2.0, None, None])
        self.assertEqual(values("items.rested"), [5, None, None, None])
        self.assertEqual(values("items.better"), [False, None, None, None])
        self.assertEqual(values("items.bedtime"), [datetime.time(23, 10), None, None, None])
        self.assertEqual(values("items.day"), [datetime.date(2026, 2, 3), None, None, None])

    def test_text_stays_text_and_an_empty_one_is_not_missing(self):
        self.assertEqual(values("items.notes"), ["", "0012", None, None])

    def test_labels_are_those_of_the_wording_that_was_answered(self):
        self.assertEqual(values("items.sleep"), ["Badly", "Not well", "Same [x]", None])
        self.assertEqual(
            columns()["items.sleep"].categories, ["Not well", "Well", "Same [x]", "Same [y]", "Badly"]
        )

    def test_values_are_in_the_order_of_the_codebook(self):
        self.assertEqual(values("items.sleep", labels=False), ["badly", "badly", "x", None])
        self.assertEqual(columns(labels=False)["items.sleep"].categories, ["badly", "well", "x", "y"])

    def test_several_choices_are_a_list_also_where_a_label_has_a_semicolon(self):
        self.assertEqual(values("items.kept"), [["Noise", "Light; sun"], None, None, None])
        self.assertEqual(values("items.kept", labels=False), [["noise", "light"], None, None, None])

    def test_several_choices_are_columns_that_are_missing_without_an_answer(self):
        self.assertEqual(values("items.kept/light", choices="columns"), [1, None, None, None])
        self.assertEqual(values("items.kept/worries", choices="columns"), [0, None, None, None])
        self.assertNotIn("items.kept", columns(choices="columns"))

    def test_answers_without_a_column_are_kept(self):
        other = values("other")
        self.assertEqual(json.loads(other[2]), {"gone": "z", "hours": "many"})
        self.assertEqual([other[0], other[1], other[3]], [None, None, None])

    def test_present_items_come_before_former_ones_and_surveys_in_their_order(self):
        names = list(columns(survey=None))
        self.assertEqual(names[:2], ["items.sleep", "items.hours"])
        self.assertEqual(names[-3:], ["items.tired", "items.old", "other"])

    def test_an_item_whose_kind_changed_is_text(self):
        book = [{**row, "kind": "text"} if row["item"] == "sleep" and row["to"] else row for row in BOOK]
        found = {column.name: column for column in Answers(Codebook(book), DIARY, True, "lists").columns(ROWS)}
        self.assertEqual(found["items.sleep"].values, ["badly", "badly", "x", None])

    def test_questions_and_labels_of_scales_are_at_hand(self):
        attrs = Answers(Codebook(BOOK), DIARY, True, "lists").attrs()
        self.assertEqual(attrs["labels"], {"items.rested": {1: "Not at all", 5: "Completely"}})
        self.assertEqual(attrs["questions"]["items.hours"], "hours?")

    def test_surveys_are_found_by_their_name(self):
        book = Codebook(BOOK)
        self.assertEqual(book.survey("Diary"), DIARY)
        with self.assertRaisesRegex(ValueError, "the surveys are: Diary, Moments"):
            book.survey("Dairy")


class ValuesTest(unittest.TestCase):
    def test_numbers_are_numbers_as_json_writes_them(self):
        self.assertEqual(_values.answer("number", "1E5"), 100000.0)
        for text in ["1_000", " 1", "nan", "inf", "1,5"]:
            with self.assertRaises(ValueError):
                _values.answer("number", text)

    def test_instants_are_in_utc_and_wall_clocks_in_the_zone_of_the_row(self):
        at = _values.instant("2026-03-29T01:30:00.123Z")
        self.assertEqual(at, datetime.datetime(2026, 3, 29, 1, 30, 0, 123000, tzinfo=datetime.timezone.utc))
        # Clocks in Paris went from 2 to 3 half an hour earlier.
        self.assertEqual(
            _values.wall_clock(at, "Europe/Paris"), datetime.datetime(2026, 3, 29, 3, 30, 0, 123000)
        )
        self.assertEqual(_values.wall_clock(at, "Asia/Tokyo").hour, 10)


@unittest.skipUnless(has_pandas(), "pandas is not installed")
class FrameTest(unittest.TestCase):
    def frame(self, rows=ROWS, **options):
        answers = Answers(Codebook(BOOK), DIARY, options.get("labels", True), options.get("choices", "lists"))
        return table(answers.columns(rows), answers.attrs(), True)

    def test_columns_have_their_types_with_and_without_rows(self):
        for rows in (ROWS, []):
            types = self.frame(rows, choices="columns").dtypes.astype(str).to_dict()
            self.assertEqual(types["items.sleep"], "category")
            self.assertEqual(types["items.hours"], "float64")
            self.assertEqual(types["items.rested"], "Int64")
            self.assertEqual(types["items.kept/light"], "Int64")
            self.assertEqual(types["items.better"], "boolean")

    def test_categories_are_in_the_order_of_the_codebook(self):
        self.assertEqual(
            list(self.frame()["items.sleep"].cat.categories), ["Not well", "Well", "Same [x]", "Same [y]", "Badly"]
        )

    def test_an_empty_text_is_not_missing(self):
        notes = self.frame()["items.notes"]
        self.assertEqual(list(notes.isna()), [False, False, True, True])
        self.assertEqual(list(notes[:2]), ["", "0012"])


if __name__ == "__main__":
    unittest.main()
