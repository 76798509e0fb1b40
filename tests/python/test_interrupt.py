"""Ctrl-C ends a run, keeps what was recorded, and is a KeyboardInterrupt."""

import json
import signal
import subprocess
import sys
import time

import pytest

import accelscope

# Far more than anybody waits for.
LONG = {
    "virtual": ("chain:tasks=100000", {"compute": False}),
    "threads": ("chain:tasks=100000", {}),
}

SCRIPT = """
import json, sys, threading, time
import accelscope

graph, more, platform, folder = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3], sys.argv[4]
config = accelscope.CallConfig(chip_swimlane_level=1, ring_task_window=1024)
turns = 0
def count():
    global turns
    while True:
        turns += 1
        time.sleep(0.001)
threading.Thread(target=count, daemon=True).start()
print("ready", flush=True)
try:
    accelscope.run(graph, config=config, platform=platform, output=folder, rounds=10000, **more)
    print("whole")
except KeyboardInterrupt:
    print("interrupted", turns > 20)
"""


@pytest.mark.parametrize("platform", ["virtual", "threads"])
def test_ctrl_c(tmp_path, platform):
    graph, more = LONG[platform]
    folder = tmp_path / "out"
    words = [sys.executable, "-c", SCRIPT, graph, json.dumps(more), platform, str(folder)]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    first = folder / "round-1"
    # The run has begun when its folder is there.
    while not first.exists() and child.poll() is None:
        time.sleep(0.01)
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    out, error = child.communicate(timeout=50)
    # Other threads of Python ran meanwhile.
    assert (out, error) == ("interrupted True\n", "")
    last = sorted(folder.iterdir(), key=lambda path: int(path.name.split("-")[1]))[-1]
    assert (last / "run.astrace").exists()
    assert accelscope.load(last).slices.rows >= 0


def test_what_handlers_raise_is_raised():
    class Enough(Exception):
        pass

    def handler(number, frame):
        raise Enough

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Enough):
            accelscope.run("chain:tasks=10000", compute=False, rounds=10000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
