"""What shards of test programs leave behind is counted, skipped cases are named, and one that takes too long is an error."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/summarize_cases.py"


def case(name, **fields):
    return {"name": name, "status": "RUN", "result": "COMPLETED", "time": "0.01s", **fields}


def summarize(*shards):
    """Each shard is the list of its cases."""
    with tempfile.TemporaryDirectory() as build:
        folder = pathlib.Path(build, "cases")
        folder.mkdir()
        for number, cases in enumerate(shards):
            document = {"testsuites": [{"name": "Suite", "testsuite": cases}]}
            (folder / f"test-{number}.json").write_text(json.dumps(document), encoding="utf-8")
        return subprocess.run([sys.executable, "-B", SCRIPT, build], capture_output=True, text=True, check=False)


class SummarizeCases(unittest.TestCase):
    def test_counts_the_cases_of_all_shards(self):
        done = summarize([case("a"), case("b")], [case("c", failures=[{"failure": "x"}])])
        self.assertEqual(done.stdout, "cases: 2 passed, 1 failed, 0 skipped\n")
        self.assertEqual(done.returncode, 0)  # CTest reports failures

    def test_names_what_is_skipped_with_its_reason(self):
        done = summarize([case("a", result="SKIPPED", skipped=[{"message": "test.cpp:1\nthere is no fixture"}])])
        self.assertEqual(done.stdout, "skipped: Suite.a: there is no fixture\ncases: 0 passed, 0 failed, 1 skipped\n")

    def test_does_not_count_what_other_shards_run(self):
        done = summarize([case("a"), case("b", status="NOTRUN", result="SUPPRESSED")])
        self.assertEqual(done.stdout, "cases: 1 passed, 0 failed, 0 skipped\n")

    def test_fails_for_a_case_that_takes_too_long(self):
        done = summarize([case("a", time="60.5s"), case("b", time="59s")])
        self.assertEqual(done.stdout, "too long: Suite.a: 60.5s, more than 60 s\ncases: 2 passed, 0 failed, 0 skipped\n")
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
