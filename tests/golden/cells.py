"""The cells of the golden table: what is run on what. A verb is a function; inputs and forms are tables.

Inputs lie below one folder: copies of the repository's files, what the program itself makes (STEPS), and files that are wrong on
purpose. A step is a cell, too: what it makes is compared as well.
"""
import pathlib
import shlex

from result import Cell

REPOSITORY_FILES = [
    ("examples/graphs", "graphs"),
    ("examples/perfmon", "perfmon"),
    ("data/boards", "data/boards"),
    ("data/models", "data/models"),
    ("data/dram", "data/dram"),
    ("data/settings", "data/settings"),
    ("data/chips", "data/chips"),
    ("data/costs", "data/costs"),
]

# Files of expected/ that would say much of what others say already: `record` and `against` run their cells, `check` does not.
RECORD_ONLY = {
    *(f"chip/{name}" for name in ("attention-recording", "attention-raw-recording", "dump-recording", "bgemm-pipes-2", "saved-pipes", "saved-swimlane", "small-window",
                                  "demo-after", "attention-raw", "attention-objects", "random", "choices", "dump")),
    *(f"emulate/{name}{part}" for name in ("attention", "softmax") for part in ("", "-options", "-memory", "-outputs")),
    *(f"fit/{name}" for name in ("gpt-oss-20b", "mixtral-8x7b", "llama-3.1-8b", "llada-8b", "clm60m")),
    *(f"isa/{name}" for name in ("ffn", "rms_norm", "layer_norm", "add")),
    *(f"memory/{name}" for name in ("hbm3", "ddr3-1600-x16", "reference-hbm2", "reference-hbm2-patched")),
    "model/saved-trace",
    "model/timeline-csv",
}

# Folders that steps write into.
FOLDERS = ["programs", "saved"]

NOT_COVERED = [
    ("overhead", "measures this machine"),
    ("bench CONFIG", "runs programs on the wall clock; its help, its errors and --analysis-only, dates masked, are covered"),
    ("run --platform threads", "runs on the wall clock"),
    ("perfmon record --device", "needs a device or a process that plays one; its help and errors are covered"),
    ("progress, colours, widths of a terminal", "standard output and error are pipes here"),
    ("Ctrl-C, kill, full disks, closed pipes", "tests/cli has tests of their own"),
    ("recordings of examples/mini_runtime", "a clock dates them"),
]

# Not that of SOURCE_DATE_EPOCH.
DATE_OF_THE_CLOCK = (rb"20(?!23-11-14T22:13:20)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", b"(a date)")

LISTINGS = {
    "loop": b"; scales 8 rows\nS_LD_FP f1, gp0, 1\nC_LOOP_START gp3, 8\nV_MUL_VF gp2, gp2, f1\nC_LOOP_END gp3\n",
    "errors": b"M_MN 0, gp1, gp2\nC_BREAK\nC_LOOP_END gp16\nS_ADDI_INT gp1, gp0, 99999999\n",
    "warning": b"V_EXP_V gp2, gp1, 1\n",
    "empty": b"",
}


def written_files():
    """Files that are wrong, or small, on purpose."""
    files = {
        "bad/empty": b"",
        "bad/garbage": bytes(range(256)) * 8,
        "bad/text.txt": b"This is not a trace.\n",
        "bad/object.json": b'{"a": 1}\n',
        "bad/open.json": b'{"version": 2, "tasks": [\n',
        "bad/version.json": b'{"version": 99, "tasks": []}\n',
        "bad/header.csv": b"a,b,c\n1,2,3\n",
        "bad/graph.json": b'{"name": "g", "steps": [{"name": "s", "vector": "nothing", "args": ["x"]}], "oops": 1}\n',
        "bad/board.yaml": b"name: mine\nclock_mhz: -5\nnobody: knows\n",
        "bad/model.yaml": b"name: m\nlayers: 0\n",
        "bad/dram.json": b'{"name": "d"}\n',
        "bad/settings.toml": b"[CONFIG]\nMLEN = \n",
        "bad/bench.json": b'{"experiments": [], "what": 1}\n',
        "chrome/two.json": b'{"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 5, "pid": 1, "tid": 1},'
        b' {"ph": "X", "name": "b", "ts": 2, "dur": 2, "pid": 1, "tid": 1, "args": {"k": "v"}}]}\n',
        "settings/small.toml": b"[CONFIG]\nMLEN = 32\n",
        "experiments/toy.json": b'{"model": "toy.pte", "output_root": "demo/run", "experiments": ['
        b'{"name": "sme2_off", "runner_path": "off", "runs": 30, "warmup": 0}, {"name": "sme2_on", "runner_path": "on", "runs": 30, "warmup": 0}],'
        b' "analysis": {"compare_pairs": [{"baseline": {"experiment": "sme2_off"}, "candidate": {"experiment": "sme2_on"}, "label": "SME2"}]}}\n',
    }
    return {**files, **{f"listings/{name}.asm": text for name, text in LISTINGS.items()}}


# Files that are made of others, cut or changed: name, of what, and how.
CHANGED_FILES = {
    "cut/run.astrace": ("runs/attention/run.astrace", lambda text: text[: len(text) // 2]),
    "cut/toy.etdump": ("demo/run/sme2_on/toy_sme2_on_t1.etdump", lambda text: text[: len(text) // 2]),
    "cut/chip_swimlane_records.json": ("demo/chip/before/chip_swimlane_records.json", lambda text: text[: len(text) // 2]),
    "alone/chip_swimlane_records.json": ("demo/chip/before/chip_swimlane_records.json", lambda text: text),
    "cut/args.json": ("demo/chip/before/deps.json", lambda text: text[: len(text) // 2]),
}


def cell(line, *inputs, group, masks=()):
    return Cell(line=line, words=tuple(shlex.split(line)), inputs=tuple(inputs), group=group, masks=masks)


def step(line):
    return cell(line, group="inputs")


# What runs of graphs leave, by the name of their folder: they are read by report, compare, convert and validate.
RUNS = {
    "sum": "graphs/sum.json --chip-swimlane --deps",
    "choices": "graphs/choices.json --chip-swimlane --deps --scope-stats",
    "feed_forward": "graphs/feed_forward.json --chip a5 --chip-swimlane --deps --pmu",
    "attention": "attention:heads=2,queries=64,keys=64 --chip a5 --chip-swimlane --deps --pmu --scope-stats",
    "attention-level-1": "attention:heads=2,queries=64,keys=64 --chip-swimlane=1",
    "attention-level-2": "attention:heads=2,queries=64,keys=64 --chip-swimlane=2 --deps",
    "attention-objects": "attention:heads=2,queries=64,keys=64 --chip-swimlane=3 --format objects",
    "attention-raw": "attention:heads=2,queries=64,keys=64 --chip-swimlane=3 --format raw --deps",
    "bgemm": "bgemm:m=128,n=128,k=128,tile=64 --chip-swimlane --deps",
    "bgemm-pipes": "bgemm:m=128,n=128,k=128,tile=64,buffers=1 --chip a5 --core-swimlane --chip-swimlane --deps --no-compute",
    "bgemm-pipes-2": "bgemm:m=128,n=128,k=128,tile=64,buffers=2 --chip a5 --core-swimlane --chip-swimlane --deps --no-compute",
    "moe": "moe --chip a5 --chip-swimlane --deps",
    "random": "random --chip-swimlane --deps",
    "dump": "graphs/feed_forward.json --dump-tensor --chip-swimlane --deps",
    "small-window": "attention:heads=2,queries=64,keys=64 --chip-swimlane --deps --task-window 16 --dependency-pool 64",
}

PROGRAMS = {
    "linear": "linear:mlen=16,blen=4,rows=128,in=16,out=32",
    "large": "linear:rows=64,in=128,out=256",
    "ffn": "ffn",
    "attention": "attention:seq=128,dim=64",
    "decoder-layer": "decoder-layer:rows=16,hidden=64,inter=128,heads=4,kv_heads=2,dim=16,mlen=16",
    "rms_norm": "rms_norm",
    "layer_norm": "layer_norm",
    "softmax": "softmax",
    "rope": "rope",
    "add": "add",
}

# Programs with all that is needed to run them.
IMAGES = {
    "linear": PROGRAMS["linear"],
    "layer": PROGRAMS["decoder-layer"],
    "attention": "attention:seq=32,dim=16,mlen=16,blen=4",
    "softmax": "softmax:mlen=16",
}

# The converted forms of recordings, which are inputs again.
SAVED = {
    "toy.astrace": "demo/run/sme2_on/toy_sme2_on_t1.etdump",
    "toy.json": "demo/run/sme2_on/toy_sme2_on_t1.etdump",
    "toy.csv": "demo/run/sme2_on/toy_sme2_on_t1.etdump",
    "toy_ops.csv": "demo/run/sme2_on/toy_sme2_on_t1.etdump",
    "off.csv": "demo/run/sme2_off/toy_sme2_off_t1.etdump",
    "toy.json.gz": "demo/run/sme2_on/toy_sme2_on_t1.etdump",
    "chip.astrace": "demo/chip/before/chip_swimlane_records.json",
    "chip.json": "demo/chip/before/chip_swimlane_records.json",
    "chip_after.astrace": "demo/chip/after/chip_swimlane_records.json",
    "pipes.astrace": "runs/bgemm-pipes/run.astrace",
}

FINDINGS = {
    "toy": "report demo/run",
    "latency": "latency demo/run/sme2_on/toy_sme2_on_t1.etdump",
    "latency-off": "latency demo/run/sme2_off/toy_sme2_off_t1.etdump",
    "chip": "report demo/chip/before/chip_swimlane_records.json",
    "chip-after": "report demo/chip/after/chip_swimlane_records.json",
    "run": "report runs/attention",
    "emulate": "emulate images/linear",
    "emulate-overlap": "emulate images/linear --timing overlap",
    "profile": "isa profile programs/attention.asm --board v80",
    "stream": "memory stream --board nexys_video --model llama-3.2-1b",
    "fit": "fit smolvlm2 --board nexys_video",
    "measure": "memory measure hbm2 --requests 20000",
}

STEPS = [
    step("demo --out demo"),
    *[step(f"run {line} -o runs/{name}") for name, line in RUNS.items()],
    *[step(f"isa gen {what} -o programs/{name}.asm") for name, what in PROGRAMS.items()],
    *[step(f"isa gen {what} --images images/{name}") for name, what in IMAGES.items()],
    *[step(f"isa asm programs/{name}.asm -o programs/{name}.mem") for name in ("linear", "attention", "softmax")],
    *[step(f"convert {source} -o saved/{name}") for name, source in SAVED.items()],
    step("convert runs/dump/run.astrace --to tensor-dump -o saved/args_dump"),
    step("manifest smolvlm2 --board custom_a7 --context 4096 -o saved/smolvlm2.json"),
    *[Cell(line=f"{line} --json", words=tuple(shlex.split(line)) + ("--json",), group="inputs", kept_output=f"findings/{name}.json")
      for name, line in FINDINGS.items()],
]

VERBS = ["report", "compare", "latency", "operators", "kernels", "run", "emulate", "bench", "overhead", "isa", "fit", "memory",
         "manifest", "perfmon", "convert", "validate", "demo", "completion"]
ACTIONS = {"isa": ["asm", "disasm", "profile", "lint", "gen"], "memory": ["measure", "curve", "list", "show", "stream"],
           "perfmon": ["dump", "infer", "record"]}

ANY_FORMATS = ["perfetto", "chrome", "timeline-csv", "ops-csv", "folded", "speedscope", "astrace"]
CHIP_FORMATS = ["chip-swimlane", "chip-swimlane-objects", "deps", "name-map"]
ENDINGS = {"perfetto": ".pftrace", "chrome": ".json", "timeline-csv": ".csv", "ops-csv": "_ops.csv", "folded": ".folded", "speedscope": ".speedscope.json",
           "astrace": ".astrace", "chip-swimlane": "_chip_swimlane_records.json", "chip-swimlane-objects": "_chip_swimlane_records.json",
           "deps": "_deps.json", "name-map": "_name_map.json", "tensor-dump": "_dump"}

DOCUMENT_FORMS = ["", "--markdown", "--json"]


def usage_cells():
    for line in ["", "--help", "--version", "-h", "nonsense", "--nonsense", "reprot", "help"]:
        yield cell(line, group="usage/program")
    for verb in VERBS:
        for form in ("--help", "", "--nonsense", "a b --json --json"):
            if form or verb not in ("demo", "overhead"):  # which need no argument
                yield cell(f"{verb} {form}".strip(), group=f"usage/{verb}")
        for action in ACTIONS.get(verb, []):
            for form in ("--help", "", "--nonsense"):
                yield cell(f"{verb} {action} {form}".strip(), group=f"usage/{verb}")
        for action in ["nonsense"] if verb in ACTIONS else []:
            yield cell(f"{verb} {action}", group=f"usage/{verb}")
    yield cell("completion bash", group="usage/completion")
    yield cell("completion fish", group="usage/completion")
    for line in ["convert a -o b --to nothing", "report x --model nothing", "report --combined x", "compare a", "compare a b --gate x", "compare a b --strict",
                 "run attention --chip nothing", "run nothing", "run attention:nothing=1", "run attention:heads=x", "run attention --chip-swimlane=9 -o x",
                 "run attention --chip-swimlane", "run --list", "fit nothing --board v80", "fit smolvlm2 --board nothing", "fit smolvlm2",
                 "fit smolvlm2 --board v80 --context 0", "fit smolvlm2 --board v80 --bandwidth x", "fit --sweep x=1", "memory measure nothing",
                 "memory measure hbm2 --pattern x", "memory measure hbm2 --requests 0", "memory show nothing", "manifest nothing --board v80", "manifest smolvlm2",
                 "isa gen nothing", "isa gen linear:nothing=1", "perfmon dump nothing", "perfmon record --device x -o y", "emulate nothing", "overhead --seconds x",
                 "latency a --threshold x", "demo --out", "convert a b", "validate", "bench nothing.json"]:
        yield cell(line, group="usage/mistakes")


def bad_input_cells():
    files = ["bad/empty", "bad/garbage", "bad/text.txt", "bad/object.json", "bad/open.json", "bad/version.json", "bad/header.csv", "bad/none.json", "bad",
             "cut/run.astrace", "cut/toy.etdump", "cut/chip_swimlane_records.json", "cut/args.json"]
    lines = ["report {}", "compare {} {}", "latency {}", "operators {}", "kernels {}", "convert {} -o out.pftrace", "validate {}", "validate {} --json"]
    for file in files:
        for line in lines:
            yield cell(line.replace("{}", file), file.split("/")[0], group=f"bad/{file.split('/')[-1]}")
    kinds = {"bad/graph.json": "run {}", "bad/board.yaml": "fit smolvlm2 --board {}", "bad/model.yaml": "fit {} --board v80", "bad/dram.json": "memory measure {}",
             "bad/settings.toml": "fit smolvlm2 --board v80 --settings {}", "bad/bench.json": "bench {}"}
    for own, line in kinds.items():
        for file in [own, "bad/empty", "bad/garbage", "bad/none.json", "bad/object.json"]:
            yield cell(line.replace("{}", file), "bad", group="bad/other-readers")
    for line in ["emulate {}", "isa asm {}", "isa disasm {}", "isa profile {}", "isa lint {}", "manifest {} --ddr-capacity 256M", "perfmon dump {} --limit 20",
                 "perfmon infer {}"]:
        for file in ["bad/empty", "bad/garbage", "bad/text.txt", "bad/object.json", "bad/none.json"]:
            yield cell(line.replace("{}", file), "bad", group="bad/programs")


def convert_cells(name, path, inputs, formats, group):
    for to in formats:
        yield cell(f"convert {path} --to {to} -o out{ENDINGS[to]}", *inputs, group=group)
    yield cell(f"convert {path} -o out.json.gz --quiet", *inputs, group=group)
    yield cell(f"convert {path} -o out.json --no-args --stretch 1000", *inputs, group=group)
    yield cell(f"convert {path} --to folded -o -", *inputs, group=group)
    yield cell(f"convert {path} --to timeline-csv --model-id mine -o out.csv", *inputs, group=group)


def model_cells(name, paths, inputs, group=None):
    """Recordings of one model: `paths` are files or a run directory."""
    group = group or f"model/{name}"
    for form in DOCUMENT_FORMS + ["-o out.md", "--time-unit us", "--threshold 50% --operator-threshold 20%"]:
        yield cell(f"report {paths} {form}".strip(), *inputs, group=group)
    for verb in ("latency", "operators"):
        for form in DOCUMENT_FORMS + ["--compat -o kit"]:
            yield cell(f"{verb} {paths} {form}".strip(), *inputs, group=group)
    yield cell(f"operators {paths} --compat-categories", *inputs, group=group)
    for form in DOCUMENT_FORMS:
        yield cell(f"kernels {paths} {form}".strip(), *inputs, group=group)
    for form in ["", "--json"]:
        yield cell(f"validate {paths} {form}".strip(), *inputs, group=group)


def chip_cells(name, path, inputs, formats=CHIP_FORMATS, group=None, before_and_after=True):
    """A run of a chip: a swimlane, a recording or the folder of a run."""
    group = group or f"chip/{name}"
    for form in DOCUMENT_FORMS + ["-o out.md --picture out.pftrace", "--picture out.json", "--model reference"]:
        yield cell(f"report {path} {form}".strip(), *inputs, group=group)
    for form in ["", "--json"]:
        yield cell(f"validate {path} {form}".strip(), *inputs, group=group)
    yield from convert_cells(name, path, inputs, ANY_FORMATS + formats, group)
    for form in ["", "--overhead"]:
        yield cell(f"convert {path} --layout reference {form} -o merged.json".replace("  ", " "), *inputs, group=group)
    yield cell(f"compare {path} {path}", *inputs, group=group)


def compare_cells(name, before, after, inputs, more=(), group=None):
    group = group or f"compare/{name}"
    for form in [*DOCUMENT_FORMS, "--gate 3%", "--gate 3% --strict --junit gate.xml", "--gate 90% --json", *more]:
        yield cell(f"compare {before} {after} {form}".strip(), *inputs, group=group)


def recording_cells():
    on, off = "demo/run/sme2_on/toy_sme2_on_t1.etdump", "demo/run/sme2_off/toy_sme2_off_t1.etdump"
    yield from model_cells("toy-run", "demo/run", ["demo/run"])
    for form in ["--compat", "--compat --json", "--notes bad/text.txt", "--baseline sme2_on --candidate sme2_off", "--title Mine", "--baseline none"]:
        yield cell(f"report demo/run {form}", "demo/run", "bad/text.txt", group="model/toy-run-options")
    for form in ["", "--compat", "-o both.md", "--json"]:
        yield cell(f"report --combined mac=demo/run android=demo/run {form}".strip(), "demo/run", group="model/toy-combined")
    yield cell("validate demo/run --compat", "demo/run", group="model/toy-run")
    yield cell("kernels demo/run --compat -o kit", "demo/run", group="model/toy-run")
    yield cell("kernels demo/run --compat -o kit --filter gemm", "demo/run", group="model/toy-run")
    yield from model_cells("toy-on", on, ["demo/run"])
    yield from model_cells("toy-both", f"{off} {on}", ["demo/run"])
    yield from model_cells("saved-trace", "saved/toy.astrace", ["saved"])
    yield from model_cells("timeline-csv", "saved/toy.csv", ["saved"])
    yield from model_cells("ops-csv", "saved/toy_ops.csv", ["saved"])
    for unit in ("ns", "us", "ms", "s", "cycles", "cycles:1.2GHz", "nonsense"):
        yield cell(f"latency {on} --time-unit {unit}", "demo/run", group="model/toy-on")
        yield cell(f"convert {on} --time-unit {unit} -o out.json", "demo/run", group="convert/toy-on")
    for name, path in (("toy-on", on), ("toy-astrace", "saved/toy.astrace"), ("toy-chrome", "saved/toy.json"), ("toy-gzip", "saved/toy.json.gz"),
                       ("toy-timeline-csv", "saved/toy.csv"), ("chrome", "chrome/two.json")):
        yield from convert_cells(name, path, ["demo/run" if path == on else path.split("/")[0]], ANY_FORMATS, f"convert/{name}")
    yield cell(f"convert {on} {off} -o both.pftrace", "demo/run", group="convert/several")
    yield cell("convert saved/toy.astrace saved/chip.astrace -o both.json", "saved", group="convert/several")
    yield cell("convert saved/toy.astrace saved/chip.astrace -o both.csv", "saved", group="convert/several")
    yield cell(f"convert {on} -o {on}", "demo/run", group="convert/several")
    yield from compare_cells("toy", off, on, ["demo/run"])
    yield from compare_cells("toy-slower", on, off, ["demo/run"])
    yield from compare_cells("toy-same", on, on, ["demo/run"])
    yield from compare_cells("toy-run", "demo/run", "demo/run", ["demo/run"], ["--baseline sme2_off --candidate sme2_on"])
    yield from compare_cells("timeline-csv", "saved/off.csv", "saved/toy.csv", ["saved"], ["--compat -o kit", "--compat"])
    yield from compare_cells("saved-model", "findings/latency-off.json", "findings/latency.json", ["findings"])
    yield from compare_cells("saved-chip", "findings/chip.json", "findings/chip-after.json", ["findings"])
    yield from compare_cells("saved-emulate", "findings/emulate.json", "findings/emulate-overlap.json", ["findings"])
    yield from compare_cells("saved-mixed", "findings/emulate.json", "findings/latency.json", ["findings"])
    yield from compare_cells("chip", "demo/chip/before/chip_swimlane_records.json", "demo/chip/after/chip_swimlane_records.json", ["demo/chip"])
    yield from compare_cells("chip-faster", "demo/chip/after", "demo/chip/before", ["demo/chip"])
    yield from compare_cells("pipes", "runs/bgemm-pipes", "runs/bgemm-pipes-2", ["runs/bgemm-pipes", "runs/bgemm-pipes-2"])
    yield from compare_cells("chip-and-model", on, "demo/chip/before", ["demo/run", "demo/chip/before"])
    for name in FINDINGS:
        for form in DOCUMENT_FORMS:
            yield cell(f"report findings/{name}.json {form}".strip(), "findings", group=f"findings/{name}")
        yield cell(f"validate findings/{name}.json", "findings", group=f"findings/{name}")
    yield from chip_cells("demo-before", "demo/chip/before/chip_swimlane_records.json", ["demo/chip/before"])
    yield from chip_cells("alone", "alone/chip_swimlane_records.json", ["alone"])
    yield from chip_cells("demo-after", "demo/chip/after", ["demo/chip/after"])
    yield from chip_cells("demo-graph", "demo/graph", ["demo/graph"])
    yield from chip_cells("saved-swimlane", "saved/chip.astrace", ["saved"])
    yield from chip_cells("saved-pipes", "saved/pipes.astrace", ["saved"])
    for name in RUNS:
        yield from chip_cells(name, f"runs/{name}", [f"runs/{name}"])
    for name in ("attention", "attention-raw", "bgemm-pipes", "dump"):
        yield from chip_cells(f"{name}-recording", f"runs/{name}/run.astrace", [f"runs/{name}/run.astrace"])
    for what in ("saved/args_dump", "saved/args_dump/args_dump.json"):
        for form in ("", "--json"):
            yield cell(f"validate {what} {form}".strip(), "saved", group="chip/tensor-dump")
    yield cell("convert runs/dump/run.astrace --to tensor-dump -o dump", "runs/dump", group="chip/tensor-dump")
    yield cell("convert runs/sum/run.astrace --to tensor-dump -o dump", "runs/sum", group="chip/tensor-dump")
    yield cell("bench bad/bench.json --analysis-only", "bad", group="bad/other-readers")
    # No plain text: where its lines break depends on the name of the folder.
    for form in ("--json", "--markdown", "--json --compat", "--json --only sme2_on"):
        yield cell(f"bench experiments/toy.json --analysis-only --rounds 1 {form}", "experiments", "demo/run", group="model/bench", masks=(DATE_OF_THE_CLOCK,))
    swimlane = "demo/chip/before/chip_swimlane_records.json"
    for option in ("--deps demo/chip/after/deps.json", "--names demo/chip/before/name_map_decoder.json", "--deps bad/empty", "--pmu bad/header.csv",
                   "--scope-stats bad/text.txt", "--host-phases bad/text.txt", "--log bad/text.txt"):
        yield cell(f"report {swimlane} {option}", "demo/chip", "bad", group="chip/siblings")
        yield cell(f"validate {swimlane} {option}", "demo/chip", "bad", group="chip/siblings")


def run_cells():
    """Runs that are not inputs of others: other options, other forms."""
    base = "run attention:heads=2,queries=64,keys=64"
    for form in DOCUMENT_FORMS + ["--no-compute", "--rounds 3", "--chip a5", "--in-process", "--chip data/chips/a5.json", "--costs data/costs/default.json",
                                  "--task-window 8", "--heap 64K", "--dependency-pool 8", "--policy drop", "--policy overwrite", "--policy block",
                                  "--platform virtual"]:
        yield cell(f"{base} {form}".strip(), "data", group="run/attention")
    for form in ["--chip-swimlane", "--chip-swimlane --rounds 2", "--chip-swimlane=1 --format raw", "--chip-swimlane=2 --format raw", "--pmu=1", "--pmu=2", "--pmu=99",
                 "--scope-stats", "--deps", "--dump-tensor", "--core-swimlane", "--core-swimlane=0-3", "--core-swimlane --core-swimlane-words marks",
                 "--core-swimlane --core-swimlane-words states", "--core-swimlane --core-swimlane-words both", "--core-swimlane --core-swimlane-drain restart",
                 "--core-swimlane --core-swimlane-drain read-only", "--core-swimlane --core-swimlane-raw raw",
                 "--enable-profiling", "--chip-swimlane --policy drop", "--chip-swimlane --policy overwrite", "--chip-swimlane --in-process"]:
        yield cell(f"{base} --chip a5 {form} -o out", group="run/recorded")
    for graph in ("sum", "choices", "feed_forward"):
        for form in DOCUMENT_FORMS:
            yield cell(f"run graphs/{graph}.json {form}".strip(), "graphs", group=f"run/{graph}")
    for graph in ("attention", "bgemm:m=128,n=128,k=128,tile=64", "moe", "random", "chain", "fan", "vector"):
        for chip in ("a2a3", "a5"):
            yield cell(f"run {graph} --chip {chip}", group="run/generators")
    yield cell("run graphs/sum.json --chip-swimlane -o runs/sum", "graphs", "runs/sum", group="run/sum")
    yield cell("run graphs/sum.json --chip-swimlane -o runs/sum --replace", "graphs", "runs/sum", group="run/sum")


def isa_cells():
    boards = ["", "--board v80", "--board nexys_video,nexys_a7", "--board v80 --mlen 128 --blen 32"]
    for name in PROGRAMS:
        for board in boards:
            yield cell(f"isa profile programs/{name}.asm {board}".strip(), "programs", group=f"isa/{name}")
        for form in ("--markdown", "--json", "--compat", "--compat --json", "--cycles reference", "--cycles emulator", "--dialect reference", "--board custom_a7 --compat"):
            yield cell(f"isa profile programs/{name}.asm {form}", "programs", group=f"isa/{name}")
        for form in DOCUMENT_FORMS + ["--board nexys_video --werror", "--dialect reference"]:
            yield cell(f"isa lint programs/{name}.asm {form}".strip(), "programs", group=f"isa/{name}")
        yield cell(f"isa asm programs/{name}.asm", "programs", group=f"isa/{name}")
        yield cell(f"isa asm programs/{name}.asm --dialect reference -o out.mem", "programs", group=f"isa/{name}")
    yield cell("isa profile programs/ffn.asm programs/softmax.asm --board v80,nexys_a7", "programs", group="isa/several")
    yield cell("isa profile programs/ffn.asm programs/softmax.asm --board v80,nexys_a7 --compat --json", "programs", group="isa/several")
    yield cell("isa profile programs/linear.asm --settings settings/small.toml", "programs", "settings", group="isa/several")
    for name in ("linear", "attention", "softmax"):
        for form in ("", "--dialect reference"):
            yield cell(f"isa disasm programs/{name}.mem {form}".strip(), "programs", group="isa/disasm")
    yield cell("isa disasm programs/linear.mem -o out.asm", "programs", group="isa/disasm")
    for name in LISTINGS:
        for action in ("asm", "lint", "lint --werror", "profile", "lint --json", "profile --compat"):
            yield cell(f"isa {action.split()[0]} listings/{name}.asm {' '.join(action.split()[1:])}".strip(), "listings", group="isa/listings")
    yield cell("isa gen --list", group="isa/gen")
    for line in ("linear --mlen 16 --blen 4 --shape 128x16x32", "linear --rows 32", "attention", "decoder-layer --model smollm2-135m --rows 64", "decoder-layer --model nothing",
                 "linear --shape 1x2", "linear:mlen=16,blen=4,rows=128,in=16,out=32 --images out --inputs random --seed 7"):
        yield cell(f"isa gen {line}", group="isa/gen")


def emulate_cells():
    for name in IMAGES:
        group = f"emulate/{name}"
        for form in DOCUMENT_FORMS + ["--timing overlap", "--timing serial,overlap", "--costs reference,rtl", "--board v80", "--board nexys_video,custom_a7"]:
            yield cell(f"emulate images/{name} {form}".strip(), f"images/{name}", group=group)
        for form in ["--compat", "--compat --dram reference-hbm2", "--compat --dram naive",
                     *(f"--compat --log-level {level} --log-file out.log" for level in ("off", "error", "warn", "info", "debug", "trace")),
                     "--dram simple", "--dram simple-window", "--dram hbm3 --channels 4", "--recovery-cycles off --timing overlap",
                     "--expect none", "--max-instructions 10",
                     "--mlen 16", "--clock 150MHz", "--host-bandwidth 1000000000"]:
            yield cell(f"emulate images/{name} {form}", f"images/{name}", group=f"{group}-options")
        for form in ["--trace sections -o out.pftrace", "--trace instructions -o out.json", "--trace units -o out.json", "-o out.astrace", "-o out.folded",
                     "--dump-vram vram.bin --dump-fpsram fp.bin --dump-hbm hbm.bin:0+256", "--dump-vram vram.bin:0-99 --dump-mram mram.bin"]:
            yield cell(f"emulate images/{name} {form}", f"images/{name}", group=f"{group}-outputs")
        for model in ("hbm", "layer-swap", "host-stream", "resident", "kv-swap", "weight-stream", "auto", "hbm,weight-stream,layer-swap"):
            yield cell(f"emulate images/{name} --board nexys_video --memory-model {model}", f"images/{name}", group=f"{group}-memory")
        for more in ("--memory-semantics reference", "--prefetch-depth 2", "--policy lru", "--ddr3-capacity 1M"):
            yield cell(f"emulate images/{name} --board nexys_video --memory-model weight-stream,layer-swap {more}", f"images/{name}", group=f"{group}-memory")
    yield cell("emulate images/linear/program.mem --hbm images/linear/hbm.bin --settings images/linear/settings.toml", "images/linear", group="emulate/files")
    yield cell("emulate programs/softmax.asm", "programs", group="emulate/files")
    yield cell("emulate programs/softmax.asm --strict", "programs", group="emulate/files")
    for name in LISTINGS:
        for form in ("", "--compat"):
            yield cell(f"emulate listings/{name}.asm {form}".strip(), "listings", group="emulate/files")


def board_cells():
    models = ["smolvlm2", "llama-3.2-1b", "llama-3.1-8b", "gpt-oss-20b", "mixtral-8x7b", "llada-8b", "clm60m"]
    boards = ["nexys_a7", "nexys_video", "custom_a7", "v80"]
    for model in models:
        for board in boards:
            yield cell(f"fit {model} --board {board}", group=f"fit/{model}")
        for form in ("--markdown", "--json", "--context 8192 --batch 4 --weights mxfp4", "--mlen 64 --blen 16 --vlen 64", "--streaming swap", "--streaming pinned",
                     "--streaming stream", "--streaming best", "--costs rtl", "--costs reference", "--capacity 128M --bandwidth 1GB/s",
                     "--host-bandwidth 100MB/s --link-latency 5us --buffers 4", "--csv -", "--csv fit.csv"):
            yield cell(f"fit {model} --board nexys_video {form}", group=f"fit/{model}")
        for form in DOCUMENT_FORMS:
            yield cell(f"fit {model} --analytic reference {form}".strip(), group="fit/analytic")
        yield cell(f"manifest {model} --board nexys_video --context 4096", group="fit/manifest")
    for form in DOCUMENT_FORMS + ["--csv fits.csv"]:
        yield cell(f"fit smolvlm2,llama-3.2-1b --board '*' {form}".strip(), group="fit/several")
        yield cell(f'fit smolvlm2 --sweep "mlen=64,128,256 blen=4..64*2 board=*" {form}'.strip(), group="fit/sweep")
    yield cell('fit smolvlm2 --sweep "mlen=64,128 board=*" --shard 2/3', group="fit/sweep")
    yield cell("fit '*' --board v80", group="fit/several")
    for form in DOCUMENT_FORMS:
        yield cell(f"fit --list {form}".strip(), group="fit/several")
    yield cell("fit data/models/smolvlm2.yaml --board data/boards/v80.yaml --settings data/settings/plena.toml", "data", group="fit/several")
    for form in DOCUMENT_FORMS + ["--ddr-capacity 64M", "-o -"]:
        yield cell(f"manifest saved/smolvlm2.json {form} --board custom_a7".replace("  ", " "), "saved", group="fit/manifest")
    for form in ["--context 8192 -o -", "--batch 2 --kv bf16", "--total-layers 8", "--weights mxfp4 --json", "--prompt 16 --markdown"]:
        yield cell(f"manifest llama-3.2-1b --board nexys_video {form}", group="fit/manifest")


def memory_cells():
    presets = ["ddr3-1600", "ddr3-1600-x16", "ddr4-2400", "hbm2", "hbm3", "reference-hbm2", "reference-hbm2-patched"]
    for preset in presets:
        group = f"memory/{preset}"
        for form in ("--pattern stream", "--pattern random", "--pattern blk4", "--pattern str16 --hash", "--map robaracoch", "--map chrabaroco", "--refresh none",
                     "--refresh per-bank", "--page closed", "--queue 8", "--controller-latency 20ns", "--writes 33", "--gap 8 --pattern random",
                     "--channels 1 --span 16M --seed 9", "--fidelity closed-form", "--json", "--markdown"):
            yield cell(f"memory measure {preset} --requests 20000 {form}", group=group)
        for form in ["", "--file", "--json", "--markdown"]:
            yield cell(f"memory show {preset} {form}".strip(), group=group)
    for form in DOCUMENT_FORMS:
        yield cell(f"memory list {form}".strip(), group="memory/list")
    for form in ("", "--csv", "--json", "--pattern random --csv"):
        yield cell(f"memory curve hbm2 --requests 2000 {form}".strip(), group="memory/curve")
    yield cell("memory measure data/dram/hbm2.json --requests 20000", "data", group="memory/list")
    for board, model in (("nexys_video", "llama-3.2-1b"), ("custom_a7", "smolvlm2"), ("v80", "llama-3.3-70b")):
        for form in DOCUMENT_FORMS + ["--policy fifo", "--policy lru", "--policy mru", "--policy belady", "--prefetch-depth 0", "--prefetch-depth 4 --direct",
                                      "--capacity 128M --layers-pinned 4", "--host-bandwidth 100MB/s --link-latency 5us", "--weights mxfp4 --context 64 --batch 2",
                                      "-o out.pftrace --tokens 2", "-o out.astrace", "-o out.json"]:
            yield cell(f"memory stream --board {board} --model {model} {form}".strip(), group=f"memory/stream-{board}")


def perfmon_cells():
    for file in ("golden.bin", "ring.bin"):
        for form in ("", "--json", "--limit 10", "--clock-ratio 50/1650", "--layout biu_perf", "--layout nothing", "-o out.txt"):
            yield cell(f"perfmon dump perfmon/{file} {form}".strip(), "perfmon", group=f"perfmon/{file}")
        for form in DOCUMENT_FORMS:
            yield cell(f"perfmon infer perfmon/{file} {form}".strip(), "perfmon", group=f"perfmon/{file}")
    yield cell("perfmon infer perfmon/golden.bin perfmon/ring.bin", "perfmon", group="perfmon/ring.bin")


def option_cells():
    """At least one cell for each option that the tables above leave out; golden_test.py finds those that no cell has."""
    on, off = "demo/run/sme2_on/toy_sme2_on_t1.etdump", "demo/run/sme2_off/toy_sme2_off_t1.etdump"
    shared = ["--allow-thread-mismatch", "--threshold 10%", "--operator-threshold 1%", "--data-movement-threshold 1%", "--outside-threshold 1%", "--low-speedup 10",
              "--title Mine", "--baseline toy_sme2_off_t1 --candidate toy_sme2_on_t1", "--time-unit us", "--no-args"]
    siblings = [f"{option} bad/text.txt" for option in ("--etrecord", "--deps", "--names", "--pmu", "--scope-stats", "--host-phases", "--log")]
    for verb in ("report", "compare", "latency", "operators", "kernels"):
        for option in shared + siblings:
            yield cell(f"{verb} {off} {on} --json {option}", "demo/run", "bad", group=f"options/{verb}")
    swimlane = "demo/chip/before/chip_swimlane_records.json"
    for option in siblings:
        yield cell(f"convert {swimlane} -o out.json {option}", "demo/chip/before", "bad", group="options/convert")
    for option in ("--no-args", "--time-unit ms", "--etrecord bad/text.txt"):
        yield cell(f"validate {on} {option}", "demo/run", "bad", group="options/validate")
    yield cell(f"report {swimlane} --overhead bad/object.json", "demo/chip/before", "bad", group="options/report")
    for option in ("--core-swimlane-ring 8K --core-swimlane", "--give-up-after 5", "--kernels bad/garbage", "--platform nothing"):
        yield cell(f"run attention:heads=2,queries=64,keys=64 {option} -o out --chip a5 --chip-swimlane=1", "bad", group="options/run")
    files = "--hbm images/linear/hbm.bin --settings images/linear/settings.toml --fpsram images/linear/fp_sram.bin --intsram images/linear/int_sram.bin"
    for option in ("--vram images/linear/fp_sram.bin", "--weight-manifest images/linear/weight_manifest.json --board v80 --memory-model resident", "--hbm-size 1M",
                   "--clock-mhz 200", "--dump-intsram int.bin", "--expect images/linear/expected.json --tolerance 0.01", "--expect images/layer/expected.json --tolerance 1steps"):
        yield cell(f"emulate --opcode images/linear/program.mem {files} {option}", "images", group="options/emulate")
    for option in ("--vlen 32", "--hlen 8", "--blen 2 --mlen 32", "--dialect reference", "--stage-profile-asm listings/loop.asm --stage-profile-out stages.json"):
        yield cell(f"emulate listings/loop.asm --compat {option}", "listings", group="options/emulate")
    for action in ("profile", "lint"):
        for option in ("--clock-mhz 500", "--hlen 8", "--vlen 128", "--mlen 128 --blen 8", "--settings settings/small.toml"):
            yield cell(f"isa {action} programs/linear.asm {option}", "programs", "settings", group="options/isa")
    for option in ("--activations bf16", "--clock-mhz 100", "--kv mxfp4", "--prompt 64 --output-tokens 16", "--images 1"):
        yield cell(f"fit smolvlm2 --board v80 {option} --markdown", group="options/fit")
    yield cell("fit llada-8b --board v80 --diffusion-steps 8 --markdown", group="options/fit")
    for option in ("--channels 1", "--controller-latency 10ns", "--fidelity closed-form", "--hash", "--map robaracoch", "--page closed", "--queue 8", "--refresh none",
                   "--seed 3 --pattern random", "--span 16M", "--markdown"):
        yield cell(f"memory curve ddr4-2400 --requests 1000 {option}", group="options/memory")
    yield cell("memory stream --board nexys_video --model llama-3.2-1b --settings data/settings/plena.toml", "data", group="options/memory")
    # What is chosen when nothing is said.
    yield cell(f"report {swimlane} --model accelscope --json", "demo/chip/before", group="options/report")
    yield cell(f"convert {swimlane} -o out.json --layout accelscope", "demo/chip/before", group="options/convert")
    for option in ("--memory-semantics right --board nexys_video --memory-model layer-swap", "--recovery-cycles on", "--dialect strict"):
        yield cell(f"emulate images/linear {option} --json", "images/linear", group="options/emulate")
    for action in ("asm", "profile", "lint"):
        yield cell(f"isa {action} listings/loop.asm --dialect strict", "listings", group="options/isa")
    yield cell("isa disasm programs/linear.mem --dialect strict -o out.asm", "programs", group="options/isa")
    yield cell("isa gen linear:rows=16,in=64,out=64 --images out --inputs exact", group="options/isa")


# What no cell can have: it is answered by a device, another program or the clock. Options of all verbs but for those of whole verbs.
OPTIONS_NOT_COVERED = {
    "bench": "runs programs on the wall clock",
    "overhead": "measures this machine",
    "perfmon record": "needs a device",
}
CHOICES_NOT_COVERED = {("run", "--platform", "threads"): "runs on the wall clock"}


# Cells on conformance data, which is not part of the repository: they are recorded and compared, never committed.
def fixture_cells(fixtures):
    def paths(pattern):
        return ["fixtures/" + str(path.relative_to(fixtures)) for path in sorted(fixtures.glob(pattern))]

    for path in paths("real/*.etdump") + paths("etdump/*.etd*p"):
        name = path.split("/", 1)[1]
        record = str(pathlib.Path(path).with_suffix(".etrecord"))
        siblings = [path, *([record] if (fixtures / record.split("/", 1)[1]).exists() else [])]
        yield from model_cells(name, path, siblings, group=f"fixtures/{name}")
        yield from convert_cells(name, path, siblings, ANY_FORMATS, f"fixtures/{name}")
    real = paths("real/*.etdump")
    for before, after in zip(real, real[1:]):
        yield from compare_cells("real", before, after, [before, after], group="fixtures/compare")
    for path in paths("executorch/case5_latency_stats/*timeline.csv"):
        yield from model_cells(path, path, [path], group=f"fixtures/{path}")
        yield cell(f"compare {path} {path}", path, group="fixtures/compare")
    for folder in ("case1_android_flat_pipeline_output", "case1_mac_flat_pipeline_output", "case2_android_expdirs", "case2_mac_expdirs"):
        path = f"fixtures/executorch/{folder}"
        yield from model_cells(folder, path, [path], group=f"fixtures/{folder}")
        for line in (f"report {path} --compat", f"validate {path} --compat"):
            yield cell(line, path, group=f"fixtures/{folder}")
    for path in paths("executorch/case3_kernels/*.log") + paths("executorch/case3_kernels/*.csv"):
        for form in DOCUMENT_FORMS:
            yield cell(f"kernels {path} {form}".strip(), path, group="fixtures/kernels")
    kernels = "fixtures/executorch/case3_kernels"
    yield cell(f"kernels {kernels}/on_xnntrace.log {kernels}/off_xnntrace.log", kernels, group="fixtures/kernels")
    for path in paths("swimlane/*/*/*/chip_swimlane_records.json"):
        folder = str(pathlib.Path(path).parent)
        yield from chip_cells(path, path, [folder], group=f"fixtures/{folder}")
        yield cell(f"report {folder}", folder, group=f"fixtures/{folder}")
    for path in paths("swimlane/*/*/run.log"):
        yield cell(f"validate {path}", path, group="fixtures/logs")
        yield cell(f"convert {path} -o out.json", path, group="fixtures/logs")
    for path in paths("swimlane/perfmon/*"):
        for form in DOCUMENT_FORMS:
            yield cell(f"perfmon infer {path} {form}".strip(), path, group="fixtures/perfmon")
        yield cell(f"perfmon dump {path} --limit 50", path, group="fixtures/perfmon")


def all_cells(fixtures=None, committed=False):
    """All cells, or those that expected/ keeps; those on conformance data where its folder is given."""
    found = [*STEPS, *usage_cells(), *bad_input_cells(), *recording_cells(), *run_cells(), *isa_cells(), *emulate_cells(), *board_cells(), *memory_cells(),
             *perfmon_cells(), *option_cells()]
    if fixtures is not None:
        found += fixture_cells(fixtures)
    # A line that two tables make is one cell: the first. Its inputs must be the same, or it would be another one.
    unique = {}
    for one in found:
        first = unique.setdefault(one.line, one)
        if first is not one and first not in STEPS and set(first.inputs) != set(one.inputs):
            raise ValueError(f"two cells with other inputs have one line: {one.line}")
    return [one for one in unique.values() if not committed or one.group not in RECORD_ONLY]
