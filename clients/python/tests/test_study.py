"""
Against a running service: FIELDBELL_URL, FIELDBELL_STUDY and FIELDBELL_TOKEN name a study, and FIELDBELL_EXPECTED a JSON file
with facts about it that were read from the API's documents. FIELDBELL_TOKEN_OF_LYON sees one site; GET /move at FIELDBELL_FAULTY_URL
moves one of its cases to another one, and the next time back.
"""

import contextlib
import datetime
import json
import os
import sqlite3
import tempfile
import unittest
import urllib.request

import fieldbell
from fieldbell._tables import has_pandas

URL = os.environ.get("FIELDBELL_URL")


@unittest.skipUnless(URL, "FIELDBELL_URL names no service")
class StudyTest(unittest.TestCase):
    def setUp(self):
        with open(os.environ["FIELDBELL_EXPECTED"], encoding="utf-8") as file:
            self.expected = json.load(file)
        self.study = self.open(frames=False)

    def open(self, **options):
        return fieldbell.Study(URL, os.environ["FIELDBELL_STUDY"], **options)

    def test_occurrences_are_those_of_the_service(self):
        rows = self.study.occurrences()
        self.assertEqual([row["identifier"] for row in rows], self.expected["occurrences"])
        self.assertTrue(all(row["dueAt"].utcoffset() == datetime.timedelta(0) for row in rows))
        on = self.expected["on"]
        day = self.study.occurrences(from_=on, to=datetime.date.fromisoformat(on))
        self.assertEqual({row["on"].isoformat() for row in day}, {on})
        self.assertEqual(len(day), sum(row["on"].isoformat() == on for row in rows))

    def test_missed_prompts_by_person_and_hour(self):
        missed = {}
        for row in self.study.occurrences():
            if row["state"] == "sent" and row["answeredAt"] is None:
                key = f"{row['user']} {row['dueLocal'].hour}"
                missed[key] = missed.get(key, 0) + 1
        self.assertEqual(missed, self.expected["missed"])

    def test_answers_have_the_labels_that_were_answered(self):
        rows = self.study.responses(survey=self.expected["surveyName"])
        self.assertEqual({row["identifier"]: row["items.sleep"] for row in rows}, self.expected["labels"])
        values = self.study.responses(survey=self.expected["survey"], labels=False)
        self.assertEqual({row["identifier"]: row["items.sleep"] for row in values}, self.expected["values"])
        first = rows[0]
        self.assertEqual(first["items.hours"], 7.5)
        self.assertIs(first["items.better"], True)
        self.assertEqual(first["items.day"], datetime.date(2026, 3, 4))
        self.assertEqual(first["items.bedtime"], datetime.time(23, 10))
        self.assertEqual(first["items.notes"], "0012")
        self.assertEqual(first["items.kept"], ["Noise", "Light; sun"])
        self.assertIsNone(rows[1]["items.hours"])
        self.assertEqual(rows[1]["items.notes"], "")
        wide = self.study.responses(survey=self.expected["survey"], choices="columns")
        self.assertEqual([row["items.kept/light"] for row in wide], [1, None])

    def test_all_responses_have_a_row_and_each_answer_a_place(self):
        rows = self.study.responses()
        self.assertEqual([row["identifier"] for row in rows], self.expected["responses"])
        self.assertEqual({row["other"] for row in rows}, {None})

    def test_the_codebook_has_each_item_and_its_wording(self):
        rows = [row for row in self.study.codebook() if row["survey"] == self.expected["survey"]]
        spans = [(row["label"], row["options"], row["to"] is None) for row in rows if row["item"] == "sleep"]
        self.assertEqual([now for _, _, now in spans], [False, True])
        self.assertEqual([options[1]["label"] for _, options, _ in spans], ["Badly", "Not well"])

    def test_a_copy_has_the_things_of_the_lists_and_goes_on_where_it_ended(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "study.db")
            self.assertGreater(self.study.sync(path), len(self.expected["responses"]))
            self.assertEqual(self.study.sync(path), 0)
            with contextlib.closing(sqlite3.connect(path)) as copy:
                found = copy.execute("select identifier from thing where kind = 'response'").fetchall()
            self.assertEqual({identifier for (identifier,) in found}, set(self.expected["responses"]))

    def test_a_filter_gives_the_people_and_cases_with_a_property(self):
        lyon = {"site": "Lyon"}
        for name in ("occurrences", "responses"):
            rows = getattr(self.study, name)(properties=lyon)
            self.assertEqual([row["identifier"] for row in rows], self.expected["lyon"][name])
            self.assertEqual({row["property.site"] for row in rows}, {"Lyon"})
        self.assertEqual(self.study.responses(properties={"site": ["Lyon", "Paris"]}), self.study.responses())

    def test_a_copy_of_a_site_has_its_things_alone_wherever_cases_move(self):
        part = self.open(frames=False, token=os.environ["FIELDBELL_TOKEN_OF_LYON"])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lyon.db")
            copied = []
            for _ in range(3):
                part.sync(path)
                with contextlib.closing(sqlite3.connect(path)) as copy:
                    found = copy.execute("select identifier from thing where kind = 'response'").fetchall()
                copied.append({identifier for (identifier,) in found})
                self.assertEqual(copied[-1], {row["identifier"] for row in part.responses()})
                urllib.request.urlopen(os.environ["FIELDBELL_FAULTY_URL"] + "/move").close()
        urllib.request.urlopen(os.environ["FIELDBELL_FAULTY_URL"] + "/move").close()
        self.assertEqual(copied[0], set(self.expected["lyon"]["responses"]))
        self.assertLess(copied[1], copied[0])
        self.assertEqual(copied[2], copied[0])

    def test_a_program_may_not_see_other_studies(self):
        with self.assertRaises(fieldbell.ProblemError) as raised:
            fieldbell.Study(URL, "0" * 31 + "1").codebook()
        self.assertEqual(raised.exception.status, 404)
        self.assertRegex(str(raised.exception), r"^Not found: .")

    @unittest.skipUnless(has_pandas(), "pandas is not installed")
    def test_frames_have_typed_columns(self):
        frame = self.open().occurrences(survey=self.expected["diary"])
        types = frame.dtypes.astype(str).to_dict()
        self.assertEqual(types["dueAt"], "datetime64[ns, UTC]")
        self.assertEqual(types["dueLocal"], "datetime64[ns]")
        self.assertEqual(types["late"], "boolean")
        self.assertEqual(types["items.rested"], "Int64")
        self.assertEqual(types["items.asleep"], "float64")
        missed = frame[frame.answeredAt.isna()]
        self.assertTrue(missed["items.rested"].isna().all())


if __name__ == "__main__":
    unittest.main()
