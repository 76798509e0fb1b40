"""What a cell leaves behind: running it, comparing it, and how it is kept in expected/ and in records."""
import dataclasses
import difflib
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile

# Text longer than this is kept as hash and size, so that expected/ stays small.
MAX_TEXT = 40_000
# A text longer than this that a group has already is only named.
MAX_REPEATED = 200
# Files of these endings are kept whole, others as hash and size.
TEXT_ENDINGS = (".md", ".txt", ".xml")
TIMEOUT_SECONDS = 120


@dataclasses.dataclass(frozen=True)
class Cell:
    """One command line. `inputs` are copied into the folder it runs in; `group` is the file of expected/ that keeps it."""

    line: str
    words: tuple
    inputs: tuple = ()
    group: str = ""
    kept_output: str = ""  # of a step: the file that its standard output becomes
    masks: tuple = ()  # (regular expression, what stands for it): what a clock dates


@dataclasses.dataclass
class Result:
    exit_code: int
    standard_output: bytes
    standard_error: bytes
    files: dict  # what was written, by name: bytes; and "NAME (what is odd about it)"

    def save(self, folder, line):
        folder.mkdir()
        names = sorted(self.files)
        about = {"line": line, "exit_code": self.exit_code, "files": names}
        (folder / "cell.json").write_text(json.dumps(about), encoding="utf-8")
        (folder / "stdout").write_bytes(self.standard_output)
        (folder / "stderr").write_bytes(self.standard_error)
        for number, name in enumerate(names):
            (folder / f"file-{number}").write_bytes(self.files[name])

    @staticmethod
    def load(folder):
        about = json.loads((folder / "cell.json").read_text(encoding="utf-8"))
        files = {name: (folder / f"file-{number}").read_bytes() for number, name in enumerate(about["files"])}
        return about["line"], Result(about["exit_code"], (folder / "stdout").read_bytes(), (folder / "stderr").read_bytes(), files)

    def parts(self):
        return {"exit code": str(self.exit_code).encode(), "stdout": self.standard_output, "stderr": self.standard_error,
                **{"file " + name: content for name, content in self.files.items()}}

    def difference(self, other, line, name, other_name):
        """What differs, inside JSON and packed files as well."""
        text = f"===== {line}\n"
        mine, theirs = self.parts(), other.parts()
        for part in sorted(set(mine) | set(theirs)):
            if mine.get(part) == theirs.get(part):
                continue
            lines = [readable(side[part]) if part in side else ["(not there)\n"] for side in (mine, theirs)]
            shown = list(difflib.unified_diff(*lines, f"{part} ({name})", f"{part} ({other_name})", n=1))
            text += "".join(shown[:60]) + (f"... {len(shown) - 60} more lines\n" if len(shown) > 60 else "")
        return text


def readable(content):
    """The lines of a text, a JSON document or a binary file, as a difference can show them."""
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    if is_json(content):
        try:
            content = json.dumps(json.loads(content), indent=1).encode()
        except ValueError:
            pass
    if is_text(content):
        return [line + "\n" for line in content.decode().split("\n")]
    return [f"{at:08x} {content[at:at + 32].hex(' ', 4)}\n" for at in range(0, min(len(content), 1 << 20), 32)]


def is_text(content):
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in content


def is_json(content):
    return content.lstrip()[:1] in (b"{", b"[") and is_text(content)


def run_cell(program, cell, inputs, keep=None):
    """Runs a cell in a fresh folder; with `keep`, in that folder, where its files stay."""
    if keep is not None:
        before = files_below(keep)
        result = run_in(program, cell, keep)
        result.files.update(changes(before, files_below(keep)))
        if cell.kept_output:
            (keep / cell.kept_output).parent.mkdir(parents=True, exist_ok=True)
            (keep / cell.kept_output).write_bytes(result.standard_output)
        return result
    with tempfile.TemporaryDirectory(prefix="golden-cell-", ignore_cleanup_errors=True) as temporary:
        folder = pathlib.Path(temporary, "here")
        folder.mkdir()
        for name in cell.inputs:
            source, target = inputs / name, folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True, copy_function=shutil.copyfile)
            elif source.exists():  # a program that fails to make an input must be shown, not stop the table
                shutil.copyfile(source, target)
        before = files_below(folder)
        result = run_in(program, cell, folder)
        for name, content in changes(before, files_below(folder)).items():
            result.files[name] = masked(content, cell, folder)
        result.files.update(prefixed("(above the folder)", files_below(folder.parent, leave_out=folder.name)))
        return result


def run_in(program, cell, folder):
    """The files of the result are those that the program left in its home and among temporary files."""
    with tempfile.TemporaryDirectory(prefix="golden-home-", ignore_cleanup_errors=True) as home:
        environment = {"PATH": os.defpath, "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8", "TZ": "UTC", "SOURCE_DATE_EPOCH": "1700000000"}
        # The whole environment of the program, so that nothing of the caller's changes what it prints.
        try:
            done = subprocess.run([program, *cell.words], cwd=folder, env=environment, input=b"",
                                  capture_output=True, timeout=TIMEOUT_SECONDS, umask=0o022, check=False)
        except subprocess.TimeoutExpired:
            return Result("none", b"", f"golden: ended after {TIMEOUT_SECONDS} s\n".encode(), {})
        left = prefixed("(home)", files_below(pathlib.Path(home)))
    return Result(done.returncode, masked(done.stdout, cell, folder), masked(done.stderr, cell, folder), left)


def masked(content, cell, folder):
    """A few outputs name the folder as the system does, and it is another one every time. Markdown may escape what is in its name."""
    name = "".join(c if c.isalnum() or c == "/" else r"\\?" + re.escape(c) for c in str(folder.resolve()))
    content = re.sub(name.encode(), b"(the folder)", content)
    for expression, stand_in in cell.masks:
        content = re.sub(expression, stand_in, content)
    return content


def files_below(folder, leave_out=None):
    """Content by name. What is not a file with the usual permissions has that in its name."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if leave_out is not None and name.split("/")[0] == leave_out:
            continue
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            found[f"{name} (link)"] = os.readlink(path).encode()
        elif stat.S_ISDIR(mode):
            if not os.listdir(path):
                found[f"{name} (empty folder)"] = b""
        elif not stat.S_ISREG(mode):
            found[f"{name} (no file)"] = b""
        else:
            odd = "" if stat.S_IMODE(mode) == 0o644 else f" (mode {stat.S_IMODE(mode):o})"
            found[name + odd] = path.read_bytes()
    return found


def changes(before, after):
    gone = {f"{name} (deleted)": b"" for name in before if name not in after and not name.endswith("(empty folder)")}
    return {**{name: content for name, content in after.items() if before.get(name) != content}, **gone}


def prefixed(place, files):
    return {f"{place}/{name}": content for name, content in files.items()}


def stored_form(result):
    """What expected/ keeps, as (title, text) in order: text whole, JSON and binary content as size and hash in the title."""
    parts = [(f"exit code {result.exit_code}", None)]
    for title, content, whole in (("stdout", result.standard_output, True), ("stderr", result.standard_error, True),
                                  *((f"file {name}", result.files[name], name.endswith(TEXT_ENDINGS)) for name in sorted(result.files))):
        if not content and not title.startswith("file"):
            continue
        if whole and is_text(content) and not is_json(content) and len(content) <= MAX_TEXT:
            parts.append((title, content.decode()))
        else:
            parts.append((f"{title}: {len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()[:24]}", None))
    return parts


def render_group(stored):
    """The file of expected/ for a group: `stored` has the stored form of each cell. A longer text stands there once."""
    places = {}
    text = ""
    for cell, parts in stored:
        text += f"===== {cell.line}\n"
        for title, content in parts:
            place = places.setdefault(content, f"{title} of: {cell.line}") if content and len(content) > MAX_REPEATED else ""
            if content is None:
                text += f"--- {title}\n"
            elif place and place != f"{title} of: {cell.line}":
                text += f"--- {title}: as {place}\n"
            else:
                text += f"--- {title}\n" + indented(content)
        text += "\n"
    return text


def indented(content):
    """Content as expected/ has it: no line of it can look like a heading, what cannot be seen is shown, and nothing else looks so."""
    shown = "".join(c if c == "\n" or c.isprintable() else f"\\x{ord(c):02x}" for c in content.replace("\\x", "\\x5cx"))
    text = ""
    for line in shown.splitlines():
        seen = line.rstrip(" ")
        text += f"  {seen}".rstrip(" ") + "\\x20" * (len(line) - len(seen)) + "\n"
    if not shown.endswith("\n"):
        text += "(no newline at the end)\n"
    return text


def parse_group(text):
    """The cells of a file of expected/ by their lines."""
    return {part.split("\n", 1)[0]: part for part in re.split(r"(?m)^===== ", text)[1:]}
