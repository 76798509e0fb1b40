#!/usr/bin/env python3
"""Checks that every source of src/ and tests/ compiles by itself, as in the preset debug: unity builds let one source use what another
declares or includes.

    scripts/check_sources_alone.py build/single

Only looks, makes no objects. What nearly all tests include is compiled once. Prints what does not compile; exit code 1 then.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

COMMON = """#include <fmt/core.h>
#include <gtest/gtest.h>

#include <tl/expected.hpp>
"""


def command_of(entry):
    """The compiler and its options, without ccache, what is written, and the source itself."""
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if re.search(r"clang\+\+[^/]*$", word)):]
    words = words[: words.index("-o")] + words[words.index("-o") + 2:]
    return [word for word in words if word not in ("-c", entry["file"])]


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 1
    build = pathlib.Path(sys.argv[1]).resolve()
    source = build.parent.parent
    entries = [
        entry
        for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        if entry["file"].startswith((f"{source}/src/", f"{source}/tests/")) and entry["file"].endswith(".cpp")
    ]
    of_tests = [entry for entry in entries if entry["file"].startswith(f"{source}/tests/")]
    if not of_tests:
        print(f"check_sources_alone: {build} has no compile command of a test", file=sys.stderr)
        return 1
    header, compiled = build / "sources_alone.h", build / "sources_alone.pch"
    header.write_text(COMMON, encoding="utf-8")
    # Macros that libraries ask for must be the same in both; the project's own are strings that headers do not use.
    options = [word for word in command_of(of_tests[0]) if not word.startswith("-DACCELSCOPE_")]
    subprocess.run([*options, "-x", "c++-header", str(header), "-o", str(compiled)], check=True)

    def check(entry):
        common = ["-include-pch", str(compiled)] if entry in of_tests else []
        words = [*command_of(entry), *common, "-fsyntax-only", entry["file"]]
        done = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, entries))
    failed = [text for code, text in results if code != 0]
    print("".join(failed), end="")
    print(f"{len(entries)} sources, {len(failed)} do not compile by themselves")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
