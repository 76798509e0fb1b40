"""What the tests share: the program beside the module, and a small recording."""

import os
import pathlib
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]

# The module prints nothing, whatever it does: every test looks.
@pytest.fixture(autouse=True)
def nothing_is_printed(capfd):
    yield
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")


@pytest.fixture(scope="session")
def program():
    """Runs the program; what it prints, as text."""

    def run_program(*words, exit_code=0):
        line = [os.environ["ACCELSCOPE_PROGRAM"], *map(str, words)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=60)
        assert done.returncode == exit_code, done.stderr
        return done.stdout

    return run_program


@pytest.fixture(scope="session")
def source():
    return SOURCE


@pytest.fixture
def script():
    """Runs a text as a program of its own; what it prints, and its exit code."""

    def run_script(text, *words):
        done = subprocess.run(
            [sys.executable, "-c", text, *map(str, words)], capture_output=True, text=True, timeout=60
        )
        return done

    return run_script


@pytest.fixture(scope="session")
def recording(tmp_path_factory):
    """The folder of a run with everything recorded."""
    import accelscope

    folder = tmp_path_factory.mktemp("recording") / "out"
    config = accelscope.CallConfig(chip_swimlane_level=3, deps=True, pmu=True, scope_stats=True)
    accelscope.run("bgemm:m=128,n=128,k=128,tile=64", config=config, output=folder).check()
    return folder


def small_graph(last=2, **defaults):
    """A task that doubles four numbers; `last` is what the last of them is expected to be."""
    return {
        "name": "small",
        "run": defaults,
        "buffers": {
            "a": {"type": "f32", "shape": [4], "init": 1},
            "b": {"type": "f32", "shape": [4]},
        },
        "steps": [{"name": "twice", "vector": "scale", "scalars": [2, 0], "args": ["a", {"out": "b"}]}],
        "expect": [{"buffer": "b", "values": [2, 2, 2, last]}],
    }
