#!/usr/bin/env python3
"""The golden table: what the program prints and writes, cell by cell, compared byte by byte with what is committed.

    golden.py check   --program P        run the cells on the repository's own inputs, compare with expected/
    golden.py bless   --program P        rewrite expected/ and show the difference
    golden.py against --program P OTHER  run each cell with both programs; show differences, inside JSON and binary files, too
    golden.py record  --program P DIR    every cell, those on conformance data included, kept whole in DIR
    golden.py compare DIR DIR            two records: how many cells are equal, and which are not
    golden.py list                       the cells, and what is not covered and why

A cell is one command line, run in a fresh folder that holds copies of its inputs; README.md says more. `--only TEXT` takes the
cells whose line matches a regular expression.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import cells as table  # noqa: E402  (the folder of this file is not a package)
from result import Result, parse_group, render_group, run_cell, stored_form  # noqa: E402

EXPECTED = HERE / "expected"
MAX_FILE = 200_000
MAX_ALL = 5_000_000


def make_inputs(program, folder, fixtures):
    """Makes what cells read: copies of the repository's files, and what the program itself makes. Returns the steps' results."""
    folder.mkdir(parents=True)
    repository = HERE.parent.parent
    for source, target in table.REPOSITORY_FILES:
        copy(repository / source, folder / target)
    for name, text in table.written_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
    if fixtures is not None:
        shutil.copytree(fixtures, folder / "fixtures", symlinks=False, copy_function=shutil.copyfile)
    for name in table.FOLDERS:
        (folder / name).mkdir()
    made = {step: run_cell(program, step, folder, keep=folder) for step in table.STEPS}
    for name, change in table.CHANGED_FILES.items():
        source, function = change
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (folder / source).exists():
            (folder / name).write_bytes(function((folder / source).read_bytes()))
    return made


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, copy_function=shutil.copyfile)
    else:
        shutil.copyfile(source, target)


def run_all(program, args, keep, cells, fixtures=None, inputs=None):
    """What `keep` makes of each chosen cell and its result: of the steps that make inputs first, then of the cells that use them."""
    with tempfile.TemporaryDirectory(prefix="golden-", ignore_cleanup_errors=True) as temporary:
        folder = pathlib.Path(temporary, "inputs") if inputs is None else pathlib.Path(inputs)
        chosen = chosen_cells(args, cells)
        needed = any(cell.inputs or cell in table.STEPS for cell in chosen)
        # Where there are inputs already, those of another program, the steps of this one are only compared with its.
        made = make_inputs(program, pathlib.Path(temporary, "own") if folder.exists() else folder, fixtures) if needed else {}
        missing = {name for cell in chosen for name in cell.inputs if not (folder / name).exists()}
        missing |= {step.line for step, result in made.items() if result.exit_code != 0}
        if missing:
            print(f"golden: inputs that are not there, and steps that failed to make them: {sorted(missing)}")
            if args.action in ("bless", "record"):
                sys.exit(f"golden: nothing was kept: {args.action} needs a program that makes every input")
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            return list(pool.map(lambda cell: keep(cell, made.pop(cell, None) or run_cell(program, cell, folder)), chosen))


def chosen_cells(args, cells):
    """Those of the files that have a cell which --only names: cells of one file refer to each other."""
    groups = {cell.group for cell in cells if not args.only or re.search(args.only, cell.line)}
    if not groups:
        sys.exit("golden: no cell matches")
    return [cell for cell in cells if cell.group in groups]


def found_groups(args):
    """The text of every file of expected/ by its name, which says verb and input."""
    stored = {}
    for cell, parts in run_all(args.program, args, lambda cell, result: (cell, stored_form(result)), table.all_cells(committed=True)):
        stored.setdefault(cell.group, []).append((cell, parts))
    return {group: render_group(cells) for group, cells in stored.items()}


def read_expected():
    return {
        str(path.relative_to(EXPECTED).with_suffix("")): path.read_text(encoding="utf-8")
        for path in sorted(EXPECTED.rglob("*.txt"))
    }


def difference(name, before, after, before_name="expected", after_name="found"):
    return "".join(
        line if line.endswith("\n") else line + "\n"
        for line in difflib.unified_diff(
            before.splitlines(keepends=True),
            after.splitlines(keepends=True),
            f"{name} ({before_name})",
            f"{name} ({after_name})",
        )
    )


def check(args):
    expected, found = read_expected(), found_groups(args)
    cells = wrong = 0
    for group in sorted(set(expected) | set(found) if not args.only else found):
        before, after = parse_group(expected.get(group, "")), parse_group(found.get(group, ""))
        cells += len(after)
        for line in [*after, *(line for line in before if line not in after)]:
            if before.get(line) != after.get(line):
                wrong += 1
                print(difference(line, before.get(line, ""), after.get(line, "")), end="")
    print(f"golden: {cells} cells, {wrong} not as expected")
    if wrong:
        print("If the change is meant: tests/golden/golden.py bless, and review the difference")
    return 1 if wrong else 0


def bless(args):
    if args.only:
        sys.exit("golden: bless takes all cells, so that no file of expected/ keeps what is gone")
    before = read_expected()
    after = found_groups(args)
    for name in sorted(set(before) | set(after)):
        if before.get(name, "") != after.get(name, ""):
            print(difference(name, before.get(name, ""), after.get(name, ""), "before", "now"), end="")
    sizes = {name: len(text.encode()) for name, text in after.items()}
    large = [name for name, size in sizes.items() if size > MAX_FILE]
    if large or sum(sizes.values()) > MAX_ALL:
        sys.exit(f"golden: {sum(sizes.values())} bytes in all (at most {MAX_ALL}); above {MAX_FILE}: {large}; nothing was written")
    shutil.rmtree(EXPECTED, ignore_errors=True)
    for name, text in after.items():
        path = EXPECTED / (name + ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"golden: {len(after)} files, {sum(sizes.values())} bytes, the largest of {max(sizes.values())}")
    return 0


def against(args):
    fixtures = args.fixtures if args.fixtures and args.fixtures.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="golden-", ignore_cleanup_errors=True) as temporary:
        # Both read what the other program made: what differs then is what this program makes of it.
        inputs = pathlib.Path(temporary, "inputs")
        cells = table.all_cells(fixtures)
        theirs = dict(run_all(args.other, args, line_and_result, cells, fixtures, inputs))
        ours = dict(run_all(args.program, args, line_and_result, cells, fixtures, inputs))
    return show_comparison(theirs, ours, "other", "program")


def line_and_result(cell, result):
    return cell.line, result


def show_comparison(before, after, before_name, after_name):
    different = 0
    for line in list(before) + [line for line in after if line not in before]:
        if line not in before or line not in after:
            different += 1
            print(f"golden: only in {before_name if line in before else after_name}: {line}")
        elif before[line] != after[line]:
            different += 1
            print(before[line].difference(after[line], line, before_name, after_name), end="")
    print(f"golden: {len(set(before) | set(after))} cells, {different} different")
    return 1 if different else 0


def record(args):
    fixtures = args.fixtures if args.fixtures and args.fixtures.is_dir() else None
    if fixtures is None:
        print("golden: no conformance data beside the checkout: its cells are left out")
    folder = pathlib.Path(args.folder)
    if folder.exists():
        sys.exit(f"golden: {folder} is there already; a record needs a folder of its own")
    folder.mkdir(parents=True)
    cells = table.all_cells(fixtures)
    numbers = {cell: number for number, cell in enumerate(chosen_cells(args, cells))}
    run_all(args.program, args, lambda cell, result: result.save(folder / f"{numbers[cell]:05}", cell.line), cells, fixtures)
    print(f"golden: {len(numbers)} cells in {folder}")
    return 0


def compare(args):
    before, after = (read_record(folder) for folder in (args.before, args.after))
    return show_comparison(before, after, str(args.before), str(args.after))


def read_record(folder):
    cells = [path.parent for path in sorted(folder.glob("*/cell.json"))]
    if not cells:
        sys.exit(f"golden: {folder} is not a record: `golden.py record` makes one")
    return dict(Result.load(cell) for cell in cells)


def show_list(args):
    for cell in table.all_cells():
        print(cell.line + (" (record only)" if cell.group in table.RECORD_ONLY else ""))
    print("\nnot covered:")
    for what, why in table.NOT_COVERED:
        print(f"- {what}: {why}")
    return 0


def regular_expression(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a regular expression: {error}") from error


def positive(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    repository = HERE.parent.parent
    for name, function in (("check", check), ("bless", bless), ("against", against), ("record", record), ("compare", compare), ("list", show_list)):
        action = actions.add_parser(name)
        action.set_defaults(function=function)
        if name in ("check", "bless", "against", "record"):
            action.add_argument("--program", type=pathlib.Path, default=repository / "build/release/src/cli/accelscope")
            action.add_argument("--only", metavar="REGEX", type=regular_expression)
            action.add_argument("--jobs", type=positive, default=os.cpu_count())
        if name in ("against", "record"):
            action.add_argument("--fixtures", type=pathlib.Path, default=repository.parent / "shared/fixtures")
        if name == "against":
            action.add_argument("other", type=pathlib.Path)
        if name == "record":
            action.add_argument("folder", type=pathlib.Path)
        if name == "compare":
            action.add_argument("before", type=pathlib.Path)
            action.add_argument("after", type=pathlib.Path)
    args = parser.parse_args()
    for name in ("program", "other"):
        path = getattr(args, name, None)
        if path is not None and not (path.is_file() and os.access(path, os.X_OK)):
            sys.exit(f"golden: {path} is not a program: build it (scripts/build.sh release accelscope) or name another with --program")
        if path is not None:
            setattr(args, name, path.resolve())
    return args.function(args)


if __name__ == "__main__":
    sys.exit(main())
