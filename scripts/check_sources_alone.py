#!/usr/bin/env python3
"""Checks that every source of src/ and tests/ compiles by itself, as in the preset debug: unity builds let one source use what another
declares or includes.

    scripts/check_sources_alone.py          # all of them: 1 100 sources, seven to ten minutes of two cores
    scripts/check_sources_alone.py stats    # those whose path has this in it

Configures the preset `single`, only looks, makes no objects. What nearly all tests include is compiled once. Prints what does not
compile; exit code 1 then.
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
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if len(sys.argv) > 2:
        print(__doc__, file=sys.stderr)
        return 1
    wanted = sys.argv[1] if len(sys.argv) == 2 else ""
    source = pathlib.Path(__file__).resolve().parent.parent
    build = source / "build/single"
    for words in (["--preset", "single"], ["--build", str(build), "--target", "generated_headers"]):
        subprocess.run(["cmake", *words], cwd=source, stdout=subprocess.DEVNULL, check=True)
    entries = [
        entry
        for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        if entry["file"].startswith((f"{source}/src/", f"{source}/tests/")) and entry["file"].endswith(".cpp")
        and wanted in entry["file"].removeprefix(str(source))
    ]
    of_tests = [entry for entry in entries if entry["file"].startswith(f"{source}/tests/")]
    if not entries:
        print(f"check_sources_alone: no source has '{wanted}' in its path", file=sys.stderr)
        return 1
    header, compiled = build / "sources_alone.h", build / "sources_alone.pch"
    if of_tests:
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
