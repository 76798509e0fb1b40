"""What shards of test programs leave behind is counted, skipped cases are named, and what CTest does not see is an error."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/summarize_cases.py"


def case(name, inside="", status="run", time="0.01"):
    """As GoogleTest 1.12 writes it."""
    return f'<testcase name="{name}" classname="Suite" status="{status}" time="{time}">{inside}</testcase>'


def shard(*cases):
    return f'<?xml version="1.0"?><testsuites><testsuite name="Suite">{"".join(cases)}</testsuite></testsuites>'


class SummarizeCases(unittest.TestCase):
    def summarize(self, *shards, failed=""):
        with tempfile.TemporaryDirectory() as build:
            for folder in ("cases", "Testing/Temporary"):
                pathlib.Path(build, folder).mkdir(parents=True)
            for number, text in enumerate(shards, 1):
                pathlib.Path(build, "cases", f"test_x-{number}.xml").write_text(text, encoding="utf-8")
            pathlib.Path(build, "Testing/Temporary/LastTestsFailed.log").write_text(failed, encoding="utf-8")
            done = subprocess.run([sys.executable, "-B", SCRIPT, build], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout

    def test_counts_the_cases_of_all_shards(self):
        # CTest reports failures, so they are no objection.
        failing = shard(case("c", '<failure message="x"/>'))
        self.assertEqual(self.summarize(shard(case("a"), case("b")), failing, failed="2:x: test_x 2/2\n"),
                         (0, "cases: 2 passed, 1 failed, 0 skipped\n"))

    def test_names_what_is_skipped_with_its_reason(self):
        skipped = shard(case("a", '<skipped message="test.cpp:1&#x0A;there is no fixture"/>'))
        self.assertEqual(self.summarize(skipped), (0, "skipped: Suite.a: there is no fixture\ncases: 0 passed, 0 failed, 1 skipped\n"))

    def test_does_not_count_what_other_shards_run(self):
        self.assertEqual(self.summarize(shard(case("a"), case("b", status="notrun"))), (0, "cases: 1 passed, 0 failed, 0 skipped\n"))

    def test_fails_for_a_case_that_takes_too_long(self):
        self.assertEqual(self.summarize(shard(case("a", time="60.5"), case("b", time="59"))),
                         (1, "too long: Suite.a: 60.5 s, more than 60 s\ncases: 2 passed, 0 failed, 0 skipped\n"))

    def test_fails_for_a_shard_that_crashed(self):
        self.assertEqual(self.summarize(shard(case("a")), failed="7:x: test_x 2/2\n8:scripts: other\n"),
                         (1, "no result, and its cases are not counted: x: test_x 2/2\ncases: 1 passed, 0 failed, 0 skipped\n"))

    def test_fails_for_a_file_that_was_not_finished(self):
        code, printed = self.summarize(shard(case("a"))[:-20])
        self.assertEqual(code, 1)
        self.assertIn("cannot be read, and its cases are not counted: ", printed)

    def test_fails_when_there_is_nothing_to_count(self):
        self.assertEqual(self.summarize(), (1, ""))


if __name__ == "__main__":
    unittest.main()
