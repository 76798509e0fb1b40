#!/usr/bin/env python3
"""Says what became of the cases of all test programs of a build, from the files that their shards left behind.

    scripts/summarize_cases.py build/release

CTest counts shards. A skipped case would go unseen in one, so each is named here with its reason, and the last line counts the cases.
Nor does CTest see a single case that takes too long, and a shard that crashed leaves nothing to count: both are named, and the exit
code is then 1.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree

MAX_SECONDS = 60


def result_of(case):
    return "failed" if case.find("failure") is not None else "skipped" if case.find("skipped") is not None else "passed"


def skip_reason(case):
    # The first line of a message is the place in the source.
    messages = [entry.get("message", "") for entry in case.findall("skipped")]
    return " ".join(" ".join(text.splitlines()[1:]) for text in messages) or "no reason given"


def shards_without_result(build):
    """Those that CTest calls failed and that left no file: their program ended before it wrote one."""
    log = build / "Testing/Temporary/LastTestsFailed.log"
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else []:
        shard = re.search(r": (\S+) (\d+)/\d+$", line)
        if shard and not (build / "cases" / f"{shard[1]}-{shard[2]}.xml").exists():
            yield line.split(":", 1)[1]


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 1
    build = pathlib.Path(sys.argv[1])
    files = sorted((build / "cases").glob("*.xml"))
    if not files:
        print(f"summarize_cases: no shard left its cases in {build}/cases", file=sys.stderr)
        return 1
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    objections = [f"no result, and its cases are not counted: {shard}" for shard in shards_without_result(build)]
    for file in files:
        try:
            cases = list(xml.etree.ElementTree.parse(file).iter("testcase"))
        except xml.etree.ElementTree.ParseError as error:
            objections.append(f"cannot be read, and its cases are not counted: {file}: {error}")
            continue
        for case in cases:
            if case.get("status") != "run":
                continue
            name = f"{case.get('classname')}.{case.get('name')}"
            result = result_of(case)
            counts[result] += 1
            if result == "skipped":
                print(f"skipped: {name}: {skip_reason(case)}")
            if float(case.get("time")) > MAX_SECONDS:
                objections.append(f"too long: {name}: {case.get('time')} s, more than {MAX_SECONDS} s")
    print("".join(f"{objection}\n" for objection in objections), end="")
    print("cases: " + ", ".join(f"{count} {result}" for result, count in counts.items()))
    return 1 if objections else 0


if __name__ == "__main__":
    sys.exit(main())
