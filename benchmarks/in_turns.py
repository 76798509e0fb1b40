#!/usr/bin/env python3
"""Runs the benchmarks of two builds in turns and says which figures became worse, compared with the floor of the same run.

    benchmarks/in_turns.py OLD NEW                  # two build folders, each with benchmarks/bench_*; twelve benchmarks, five turns
    benchmarks/in_turns.py OLD NEW --only 'isa|dram' --turns 3

A figure is a line of a benchmark with a time or a rate; its floor is the nearest line above it (else the first below) that the benchmark
calls a floor. A figure is worse when the median of its ratios to the floor is worse by more than 5 % and the spread of OLD, which is
the distance between the quartiles of its ratios. Exit code 1 then.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys

BENCHMARKS = ["etdump", "chrome_json", "perfetto", "trace_store", "astrace", "recording", "chip_convert", "critical_path", "recorder", "isa", "dram", "emulator_core"]
FLOOR = re.compile(r"^floor|^copy_in_|^write_bytes_to_file|^products and sums in registers|^rows of 64 added in a plain loop|^rows of a tile and their scales copied")
FIGURE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) (ms|us|ns|s|GFLOP/s|(?:M|[MG]i?B)\b[a-z ]*/s)(?![\w/])")
# Rates, but for these.
TIMES = ("ms", "us", "ns", "s")
IN_SECONDS = {"ms": 1e-3, "us": 1e-6, "ns": 1e-9, "s": 1.0}
WORSE = 0.05


def figures_of(output):
    """Speeds by label, each as a ratio to its floor: more is better."""
    lines = []
    for line in output.splitlines():
        found = FIGURE.search(line)
        # Google Benchmark: name, wall time, processor time. One column for both floor and figure: what the processor took.
        columns = re.match(r"(\S+)\s+\d+(?:\.\d+)? ns|(\S+)\s+(\d+(?:\.\d+)?) ms\s+(\d+(?:\.\d+)?) ms", line)
        if columns and columns.group(4):
            lines.append((columns.group(2), 1e3 / float(columns.group(3 if columns.group(2).endswith("/real_time") else 4))))
        elif found:
            value = float(found.group(1))
            speed = value if found.group(2) not in TIMES else 1 / (value * IN_SECONDS[found.group(2)]) if value else 0
            label = re.sub(r"\(sum \d+\)|\d[\d.]*(?= slices )|\s+", " ", line[: found.start()]).strip(" :")
            lines.append((label, speed))
    places = [at for at, (label, _) in enumerate(lines) if FLOOR.match(label)]
    ratios = {}
    for at, (label, speed) in enumerate(lines):
        if at in places or speed == 0:
            continue
        above = [place for place in places if place < at]
        floor = lines[above[-1] if above else places[0]][1] if places else 1
        while label in ratios:
            label += " (again)"
        ratios[label] = speed / floor
    return ratios


def run(folder, name):
    done = subprocess.run([folder / "benchmarks" / f"bench_{name}"], capture_output=True, text=True, check=True)
    return figures_of(done.stdout)


def spread_of(ratios):
    if len(ratios) < 4:
        return (max(ratios) - min(ratios)) / statistics.median(ratios)
    low, middle, high = statistics.quantiles(ratios, method="inclusive")
    return (high - low) / middle


def compare(name, old_runs, new_runs):
    """Prints a row for each figure; returns how many there are and how many are worse."""
    worse = 0
    labels = [label for label in old_runs[0] if all(label in one for one in old_runs + new_runs)]
    for label in labels:
        old, new = ([one[label] for one in runs] for runs in (old_runs, new_runs))
        change = statistics.median(new) / statistics.median(old) - 1
        spread = spread_of(old)
        is_worse = change < -(WORSE + spread)
        worse += is_worse
        print(f"| {name} | {label} | {100 * change:+.1f} % | {100 * spread:.1f} % | {'WORSE' if is_worse else ''} |", flush=True)
    missing = {label for one in old_runs + new_runs for label in one} - set(labels)
    if missing:
        print(f"in_turns: not in every run: {sorted(missing)}", file=sys.stderr)
    return len(labels), worse


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--only", metavar="REGEX", help="some of the benchmarks, by name")
    parser.add_argument("--turns", type=int, default=5)
    args = parser.parse_args()
    names = [name for name in BENCHMARKS if not args.only or re.search(args.only, name)]
    if not names or args.turns < 1:
        sys.exit("in_turns: no benchmark matches, or no turn")
    for folder in (args.old, args.new):
        for name in names:
            if not (folder / "benchmarks" / f"bench_{name}").is_file():
                sys.exit(f"in_turns: bench_{name} is not in {folder}/benchmarks: ninja -C {folder} benchmarks")
    print("| benchmark | figure | speed in floors, new against old | spread of old | |\n|---|---|---|---|---|")
    figures = worse = 0
    for name in names:
        old_runs, new_runs = [], []
        for turn in range(args.turns):
            # Every second turn begins with the new one: what comes second may find a warmer machine.
            for folder, runs in [(args.old, old_runs), (args.new, new_runs)][:: 1 if turn % 2 == 0 else -1]:
                runs.append(run(folder, name))
        found, found_worse = compare(name, old_runs, new_runs)
        figures, worse = figures + found, worse + found_worse
    print(f"{figures} figures, {worse} worse")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
