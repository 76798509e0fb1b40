#!/usr/bin/env python3
"""Says what became of the cases of all test programs of a build, from the files that their shards left behind.

    scripts/summarize_cases.py build/release

CTest counts shards. A skipped case would go unseen in one, so each is named here with its reason, and the last line counts the cases.
Nor does CTest see a single case that takes too long: it is named, too, and the exit code is then 1.
"""
import json
import pathlib
import sys

MAX_SECONDS = 60


def cases_below(build):
    """(name, case) of every case that was run, in the order of files and suites."""
    for file in sorted(pathlib.Path(build, "cases").glob("*.json")):
        for suite in json.loads(file.read_text(encoding="utf-8"))["testsuites"]:
            for case in suite["testsuite"]:
                if case["status"] == "RUN":
                    yield f"{suite['name']}.{case['name']}", case


def skip_reason(case):
    # The first line of a message is the place in the source.
    messages = [entry.get("message", "") for entry in case.get("skipped", [])]
    return " ".join(" ".join(text.splitlines()[1:]) for text in messages) or "no reason given"


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 1
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    too_long = 0
    for name, case in cases_below(sys.argv[1]):
        result = "failed" if case.get("failures") else "skipped" if case["result"] == "SKIPPED" else "passed"
        counts[result] += 1
        if result == "skipped":
            print(f"skipped: {name}: {skip_reason(case)}")
        if float(case["time"].removesuffix("s")) > MAX_SECONDS:
            too_long += 1
            print(f"too long: {name}: {case['time']}, more than {MAX_SECONDS} s")
    print("cases: " + ", ".join(f"{count} {result}" for result, count in counts.items()))
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
