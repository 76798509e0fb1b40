"""The golden table must fail when the program prints something else, and name what; and keep what it compares readable."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import cells  # noqa: E402  (the folder of this file is not a package)
from result import Cell, Result, masked, parse_group, render_group, run_cell, stored_form  # noqa: E402


def golden(*words):
    return subprocess.run([sys.executable, "-B", HERE / "golden.py", *words], capture_output=True, text=True, check=False)


class Check(unittest.TestCase):
    def check(self, change):
        """Checks one cell of a program that is the real one, but for a change of what it prints."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program")
            program.write_text(f'#!/bin/sh\n"{os.environ["ACCELSCOPE_PROGRAM"]}" "$@"\n{change}\n', encoding="utf-8")
            program.chmod(0o755)
            return golden("check", "--program", program, "--only", "^--version$")

    def test_passes_for_the_program_as_it_is(self):
        done = self.check("")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(" cells, 0 not as expected", done.stdout)

    def test_shows_a_line_that_is_new(self):
        done = self.check("echo more")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\n+  more\n", done.stdout)

    def test_shows_another_exit_code(self):
        done = self.check("exit 3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\n+--- exit code 3\n", done.stdout)

    def test_shows_a_file_that_is_new(self):
        done = self.check("echo more >new.bin")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\n+--- file new.bin: 5 bytes", done.stdout)

    def test_refuses_a_filter_that_matches_nothing(self):
        done = golden("check", "--program", os.environ["ACCELSCOPE_PROGRAM"], "--only", "no such cell")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no cell matches", done.stderr)


class Cells(unittest.TestCase):
    def options_of(self, words):
        done = subprocess.run([os.environ["ACCELSCOPE_PROGRAM"], *words, "--help"], capture_output=True, text=True, check=True)
        # As help lists them: "  -o, --output FILE", "  --chip-swimlane[=LEVEL]".
        return {(short, name) for short, name in re.findall(r"^  (?:(-\w), )?(--[a-z][a-z0-9-]+)", done.stdout, re.MULTILINE) if name != "--help"}

    def test_every_option_of_every_verb_is_in_one(self):
        lines = [cell.line + " " for cell in cells.all_cells()]
        verbs = [f"{verb} {action}".strip() for verb in cells.VERBS for action in cells.ACTIONS.get(verb, [""])]
        for verb in verbs:
            of_verb = [line for line in lines if line.startswith(verb + " ")]
            self.assertTrue(of_verb, verb)
            for short, name in sorted(self.options_of(verb.split())):
                found = any(re.search(rf"(?:{name}|{short or name})[ =]", line) for line in of_verb)
                self.assertTrue(found or verb in cells.OPTIONS_NOT_COVERED, f"{verb} {name}: no cell has it")

    def choices_of(self, words):
        """What options take one of, as help ends with it: "(trace, debug, info)"."""
        done = subprocess.run([os.environ["ACCELSCOPE_PROGRAM"], *words, "--help"], capture_output=True, text=True, check=True)
        for block in re.split(r"\n  (?=-)", done.stdout):
            text = " ".join(block.split("\n\n")[0].split())
            named = re.match(r"(?:-\w, )?(--[a-z][a-z0-9-]+)", text)
            listed = re.search(r"\(([a-z0-9-]+(?:, [a-z0-9-]+)+)\)$", text)
            if named and listed:
                yield named.group(1), listed.group(1).split(", ")

    def test_every_choice_of_every_option_is_in_one(self):
        lines = [cell.line + " " for cell in cells.all_cells()]
        found = 0
        for verb in (f"{verb} {action}".strip() for verb in cells.VERBS for action in cells.ACTIONS.get(verb, [""])):
            of_verb = [line for line in lines if line.startswith(verb + " ")]
            for name, values in self.choices_of(verb.split()):
                for value in values:
                    if verb in cells.OPTIONS_NOT_COVERED or (verb, name, value) in cells.CHOICES_NOT_COVERED:
                        continue
                    found += 1
                    self.assertTrue(any(re.search(rf"{name}[ =](?:\S*,)?{value}[ ,]", line) for line in of_verb), f"{verb} {name} {value}: no cell has it")
        self.assertGreater(found, 50)

    def test_every_generator_is_in_one(self):
        for verb in ("run", "isa gen"):
            done = subprocess.run([os.environ["ACCELSCOPE_PROGRAM"], *verb.split(), "--list"], capture_output=True, text=True, check=True)
            for name in re.findall(r"^([a-z][a-z0-9_-]*):", done.stdout, re.MULTILINE):
                self.assertTrue(any(re.match(rf"{verb} {name}[ :]", cell.line + " ") for cell in cells.all_cells()), f"{verb} {name}: no cell has it")


class Files(unittest.TestCase):
    def left_by(self, change, inputs=("in.txt",)):
        """What a cell keeps of a program that does this."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program")
            program.write_text(f"#!/bin/sh\n{change}\n", encoding="utf-8")
            program.chmod(0o755)
            for name in inputs:
                pathlib.Path(folder, name).write_text("input", encoding="utf-8")
            return run_cell(program, Cell(line="x", words=(), inputs=inputs), pathlib.Path(folder)).files

    def test_everything_that_is_left_behind_is_kept(self):
        self.assertEqual(self.left_by("echo more >new"), {"new": b"more\n"})
        self.assertEqual(self.left_by("mkdir -p a/b"), {"a/b (empty folder)": b""})
        self.assertEqual(self.left_by("ln -s nowhere link"), {"link (link)": b"nowhere"})
        self.assertEqual(self.left_by("mkfifo pipe"), {"pipe (no file)": b""})
        self.assertEqual(self.left_by("echo >new; chmod 600 new"), {"new (mode 600)": b"\n"})
        self.assertEqual(self.left_by("rm in.txt"), {"in.txt (deleted)": b""})
        self.assertEqual(self.left_by("printf x >in.txt"), {"in.txt": b"x"})
        self.assertEqual(self.left_by('echo >"$TMPDIR/forgotten"'), {"(home)/forgotten": b"\n"})
        self.assertEqual(self.left_by("echo >../left"), {"(above the folder)/left": b"\n"})
        self.assertEqual(self.left_by("true"), {})

    def test_the_folder_is_masked_as_markdown_writes_it_too(self):
        printed = rb"/tmp/_x-y/a and /tmp/\_x-y/b, not /tmp/x-y"
        self.assertEqual(masked(printed, Cell(line="x", words=()), pathlib.Path("/tmp/_x-y")), b"(the folder)/a and (the folder)/b, not /tmp/x-y")


    def test_a_program_that_hangs_is_a_result(self):
        with unittest.mock.patch("result.TIMEOUT_SECONDS", 0.2), tempfile.TemporaryDirectory() as folder:
            result = run_cell("/bin/sleep", Cell(line="x", words=("60",)), pathlib.Path(folder))
        self.assertEqual((result.exit_code, result.standard_error), ("none", b"golden: ended after 0.2 s\n"))


class Stored(unittest.TestCase):
    def stored(self, output):
        return render_group([(Cell(line="verb input", words=()), stored_form(Result(0, output, b"", {})))])

    def test_content_cannot_look_like_a_heading(self):
        text = self.stored(b"===== other\n--- stderr\n") + self.stored(b"")
        self.assertEqual(list(parse_group(text)), ["verb input"])

    def test_everything_that_differs_shows(self):
        outputs = [b"a", b"a\n", b"a \n", b"a  \n", b"a$\n", b"a\\x20\n", b"a \\x20\n", b" a\n", b"a\n\n", b" \n", b"   \n", b"\n", b"a\t\n", b"a\\x09\n",
                   b"a\x1b[1m\n", b"a\\x1b[1m\n", b"a\\x5cx1b[1m\n", b"", b"{}", b"\xff"]
        self.assertEqual(len({self.stored(output) for output in outputs}), len(outputs))

    def test_a_document_of_json_is_size_and_hash(self):
        self.assertIn("--- stdout: 9 bytes, sha256 ", self.stored(b'{"a": 1}\n'))

    def test_a_long_text_stands_in_a_group_once(self):
        form = stored_form(Result(0, b"line\n" * 100, b"", {}))
        text = render_group([(Cell(line=line, words=()), form) for line in ("one", "other")])
        self.assertEqual(text.count("  line\n"), 100)
        self.assertIn("===== other\n--- exit code 0\n--- stdout: as stdout of: one\n", text)


class Record(unittest.TestCase):
    def test_needs_a_program_that_makes_the_inputs_and_a_new_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            words = ("record", "--program", "/bin/false", "--only", "^report demo/run$", "--fixtures", folder + "/none")
            failed = golden(*words, folder + "/new")
            there = golden(*words, folder)
        self.assertEqual((failed.returncode, there.returncode), (1, 1))
        self.assertIn("nothing was kept", failed.stderr)
        self.assertIn("is there already", there.stderr)

    def test_wrong_arguments_get_a_sentence(self):
        for words, sentence in ((("--only", "["), "is not a regular expression"), (("--jobs", "0"), "is not a number above 0"),
                                (("--program", str(HERE / "README.md")), "is not a program")):
            done = golden("check", *words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(sentence, done.stderr)

    def test_folders_that_are_no_records_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            done = golden("compare", folder, folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not a record", done.stderr)

    def test_is_read_back(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "00000")
            result = Result(2, b"out", b"err", {"a/b.bin": b"\0\1", "c": b""})
            result.save(path, "verb input")
            self.assertEqual(Result.load(path), ("verb input", result))

    def test_difference_looks_into_documents(self):
        one, other = Result(0, b'{"a": [1, 2]}', b"", {}), Result(0, b'{"a": [1, 3]}', b"", {})
        shown = one.difference(other, "verb input", "before", "after")
        self.assertIn("-  2\n+  3\n", shown)


if __name__ == "__main__":
    unittest.main()
