"""run(): what it gives back, what it writes, what goes wrong."""

import os
import pathlib
import pickle
import threading

import pytest
from conftest import small_graph

import accelscope
from accelscope import CallConfig, RunError


def test_nothing_is_recorded_unless_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = accelscope.run("bgemm:m=64,n=64,k=64,tile=32")
    assert result.ok and result.fault is None
    assert [(one.produced, one.collected, one.folder, one.files) for one in result.rounds] == [(0, 0, None, [])]
    assert result.rounds[0].makespan_us > 0
    assert [(output.buffer, output.differing, output.text) for output in result.outputs] == [("c", 0, "")]
    assert result.outputs[0].compared == 64 * 64
    assert not list(tmp_path.iterdir())


def test_the_files_of_a_round(tmp_path):
    config = CallConfig(chip_swimlane_level=3, deps=True, dump_tensor=True, scope_stats=True, pmu=True)
    result = accelscope.run("bgemm:m=64,n=64,k=64,tile=32", config=config, output=tmp_path / "out")
    (one,) = result.rounds
    assert one.folder == str(tmp_path / "out")
    written = {pathlib.Path(file) for file in one.files}
    assert {path.name for path in written} >= {"run.astrace", "chip_swimlane_records.json", "deps.json"}
    assert all(path.exists() for path in written)
    assert all(file.what for file in one.files)
    assert result.findings.kind == "run"
    assert "makespan" in str(result.findings).lower()


def test_pipes_of_cores(tmp_path):
    pipes = {}
    for is_on in (True, False):
        config = CallConfig(chip_swimlane_level=2, core_swimlane=is_on)
        result = accelscope.run("bgemm:m=256,n=256,k=256,tile=128", config=config, output=tmp_path / str(is_on))
        trace = accelscope.load(pathlib.Path(result.rounds[0].folder) / "run.astrace")
        pipes[is_on] = {trace.names[name] for name in trace.tracks["name"]} & {"MTE2", "CUBE", "FIXP"}
    assert pipes == {True: {"MTE2", "CUBE", "FIXP"}, False: set()}


def test_the_prefix_is_where_output_goes_by_itself(tmp_path):
    config = CallConfig(chip_swimlane_level=1, output_prefix=tmp_path / "prefix")
    accelscope.run("chain:tasks=3", config=config)
    assert (tmp_path / "prefix" / "run.astrace").exists()
    accelscope.run("chain:tasks=3", config=config, output=os.fsencode(tmp_path / "output"))
    assert (tmp_path / "output" / "run.astrace").exists()


def test_the_same_bytes_every_time(tmp_path):
    config = CallConfig(chip_swimlane_level=3, deps=True, pmu=2)
    for name in ("one", "two"):
        accelscope.run("attention", config=config, output=tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_a_recording_is_not_replaced_unless_asked_for(tmp_path):
    config = CallConfig(chip_swimlane_level=1, output_prefix=tmp_path)
    accelscope.run("chain:tasks=3", config=config)
    with pytest.raises(accelscope.Error, match="exists"):
        accelscope.run("chain:tasks=3", config=config)
    accelscope.run("chain:tasks=4", config=config, replace=True)


def test_outputs_that_differ():
    wrong = accelscope.run(small_graph(last=3))
    assert not wrong.ok and wrong.fault is None
    assert wrong.outputs[0].differing == 1
    with pytest.raises(RunError, match="not as expected: b: 1 of 4") as caught:
        wrong.check()
    assert caught.value.result.outputs[0].buffer == "b"
    with pytest.raises(RunError):
        accelscope.run(small_graph(last=3), check=True)
    right = accelscope.run(small_graph(), check=True)
    assert right.check() is right
    assert accelscope.run(small_graph(last=3), compute=False).outputs == []


def test_a_run_that_fails_keeps_what_was_recorded(tmp_path):
    # Two buffers of 4 KiB at once do not fit into a heap of that size.
    graph = {
        "name": "too large",
        "buffers": {name: {"type": "f32", "shape": [1024]} for name in "abcd"},
        "steps": [
            {"scope": "all", "steps": [
                {"name": f"make {name}", "vector": "fill", "scalars": [1], "args": [{"make": name}]}
                for name in "abcd"
            ]}
        ],
    }
    config = CallConfig(chip_swimlane_level=3, ring_heap=8192)
    result = accelscope.run(graph, config=config, output=tmp_path / "out")
    assert result.fault.kind == "deadlock"
    assert "heap" in result.fault.text and result.fault.tasks
    assert not result.ok
    trace = accelscope.load(tmp_path / "out")
    assert 0 < trace.slices.rows
    with pytest.raises(RunError, match="heap") as caught:
        result.check()
    assert caught.value.code == "run"


@pytest.mark.parametrize("platform", ["virtual", "threads"])
@pytest.mark.parametrize("kernel, kind", [("crash", "kernel"), ("hang", "no progress")])
def test_python_outlives_its_kernels(tmp_path, platform, kernel, kind):
    graph = {
        "buffers": {"x": {"type": "f32", "shape": [4]}},
        "steps": [
            {"name": "good", "vector": "fill", "scalars": [1], "args": [{"out": "x"}]},
            {"name": "the bad one", "vector": kernel, "args": [{"inout": "x"}]},
        ],
    }
    result = accelscope.run(
        graph,
        kernels=os.environ["ACCELSCOPE_BAD_KERNELS"],
        platform=platform,
        config=CallConfig(chip_swimlane_level=3),
        give_up_after=1,
        output=tmp_path / "out",
    )
    assert result.fault.kind == kind
    assert result.fault.tasks == [1] and "`the bad one` r" in result.fault.text
    [row] = [row for row in accelscope.load(tmp_path / "out").quality if row.id == "run.ended_early"]
    assert "`the bad one` r" in row.sentence


def test_in_one_process_or_two_the_recording_is_the_same(tmp_path):
    for name, in_process in (("one", True), ("two", False)):
        accelscope.run(
            "moe", config=CallConfig(chip_swimlane_level=3), output=tmp_path / name, in_process=in_process, check=True
        )
    one, two = ((tmp_path / name / "run.astrace").read_bytes() for name in ("one", "two"))
    assert one == two


@pytest.mark.parametrize(
    "arguments, kind, words",
    [
        (dict(graph="bgem"), ValueError, "did you mean `bgemm`"),
        (dict(graph="bgemm:tilez=4"), ValueError, "tilez"),
        (dict(graph=pathlib.Path("nowhere.json")), FileNotFoundError, "nowhere.json"),
        (dict(graph="chain", chip="a9"), accelscope.Error, "a9"),
        (dict(graph="chain", platform="cloud"), ValueError, "'virtual' or 'threads', not 'cloud'"),
        (dict(graph="chain", policy="hope"), ValueError, "'block', 'drop' or 'overwrite'"),
        (dict(graph="chain", format="xml"), ValueError, "'objects' or 'raw'"),
        (dict(graph="chain", give_up_after=-1), ValueError, "give_up_after is a whole number from 0"),
        (dict(graph="chain", rounds=0), ValueError, "rounds is a whole number from 1"),
        (dict(graph="chain", rounds=2.0), TypeError, "rounds is a whole number from 1"),
        (dict(graph="chain", rounds=True), TypeError, "rounds is a whole number from 1"),
        (dict(graph="chain", kernels="none.so"), accelscope.Error, "none.so"),
        (dict(graph="chain", kernels=["none.so"]), accelscope.Error, "none.so"),
        (dict(graph="chain", costs="none.json"), accelscope.Error, "none.json"),
        (dict(graph="chain", config=3), TypeError, "config is a CallConfig"),
        (dict(graph="chain", config=CallConfig(chip_swimlane_level=1)), ValueError, "no folder for it"),
        (dict(graph="chain", config=CallConfig(pmu=9), output="o"), ValueError, "has no group 9"),
        (dict(graph={"name": 3}), accelscope.Error, "line 2: name: a text is expected"),
        (dict(graph={"steps": [{"vektor": 1}]}), accelscope.Error, "vektor"),
        (dict(graph={"steps": {1, 2}}), TypeError, "JSON"),
        (dict(graph=7), TypeError, "int"),
        (dict(graph="chain\0"), ValueError, "null"),
    ],
)
def test_mistakes_are_explained(tmp_path, monkeypatch, arguments, kind, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=words):
        accelscope.run(**arguments)
    assert not list(tmp_path.iterdir())


def test_threads_run_at_the_same_time(tmp_path):
    results = {}

    def run_one(name):
        results[name] = accelscope.run(
            "chain:tasks=200", config=CallConfig(chip_swimlane_level=1), output=tmp_path / name
        )

    threads = [threading.Thread(target=run_one, args=(str(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({result.rounds[0].makespan_us for result in results.values()}) == 1


def test_errors_can_be_pickled():
    for raised in ("nowhere/graph.json", "bgem"):
        with pytest.raises(accelscope.Error) as caught:
            accelscope.run(raised)
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is type(caught.value) and str(again) == str(caught.value)
        assert again.code == caught.value.code
