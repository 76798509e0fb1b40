#!/usr/bin/env python3
"""Says what became of the cases of all test programs of a build, from the files that their shards left behind.

    scripts/summarize_cases.py build/release

CTest counts shards. A skipped case would go unseen in one, so each is named here with its reason, and the last line counts the cases.
"""
import json
import pathlib
import sys


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 1
    passed, failed, skipped = 0, 0, []
    for file in sorted(pathlib.Path(sys.argv[1], "cases").glob("*.json")):
        for suite in json.loads(file.read_text(encoding="utf-8"))["testsuites"]:
            for case in suite["testsuite"]:
                if case["status"] != "RUN":
                    continue
                if case.get("failures"):
                    failed += 1
                elif case["result"] == "SKIPPED":
                    reasons = [entry.get("message", "") for entry in case.get("skipped", [])]
                    skipped.append((f"{suite['name']}.{case['name']}", reasons))
                else:
                    passed += 1
    for name, reasons in skipped:
        # The first line of a reason is the place in the source.
        reason = " ".join(" ".join(text.splitlines()[1:]) for text in reasons)
        print(f"skipped: {name}: {reason or 'no reason given'}")
    print(f"cases: {passed} passed, {failed} failed, {len(skipped)} skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
