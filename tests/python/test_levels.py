"""The level of a recording arrives unchanged through every entrance, and every round has it."""

import json
import pathlib

import pytest
from conftest import small_graph

import accelscope
from accelscope import CallConfig

GIVEN = [(0, 0), (1, 1), (2, 2), (3, 3), (True, 3), (False, 0)]


def recorded_level(folder):
    """By what the files hold: the version of the swimlane, the records behind it, and what the recording says."""
    if not (folder / "run.astrace").exists():
        assert not folder.exists() or not any(folder.iterdir())
        return 0
    swimlane = json.loads((folder / "chip_swimlane_records.json").read_text())
    level = swimlane["version"] + 1
    trace = accelscope.load(folder)
    categories = set(trace.categories[trace.slices["category"]])
    stages = set(trace.names[trace.stages["stage"]])
    assert "task" in categories
    assert ("dispatch" in stages) == (level >= 2)
    assert ("scheduler phase" in categories) == (level >= 3)
    return level


def said_level(result):
    options = result.findings.to_dict()["provenance"]["options"]
    return [option["value"] for option in options if option["key"] == "chip swimlane level"]


@pytest.mark.parametrize("given, level", GIVEN)
def test_from_a_configuration(tmp_path, given, level):
    result = accelscope.run("chain:tasks=5", config=CallConfig(chip_swimlane_level=given), output=tmp_path / "out")
    assert recorded_level(tmp_path / "out") == level
    assert said_level(result) == [str(level)]


@pytest.mark.parametrize("given, level", GIVEN)
def test_from_a_graph(tmp_path, given, level):
    graph = small_graph(chip_swimlane=given)
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(graph))
    for number, source in enumerate((graph, file, str(file))):
        folder = tmp_path / f"out{number}"
        result = accelscope.run(source, output=folder)
        assert recorded_level(folder) == level
        assert said_level(result) == [str(level)]


@pytest.mark.parametrize("given, level", GIVEN)
def test_a_configuration_comes_before_the_graph(tmp_path, given, level):
    graph = small_graph(chip_swimlane=2, deps=True)
    accelscope.run(graph, config=CallConfig(chip_swimlane_level=given), output=tmp_path / "out")
    if level == 0:
        # Dependencies are recorded all the same, but no core.
        assert not (tmp_path / "out" / "chip_swimlane_records.json").exists()
    else:
        assert recorded_level(tmp_path / "out") == level
    assert (tmp_path / "out" / "deps.json").exists()


def test_what_a_configuration_leaves_open_the_graph_says(tmp_path):
    graph = small_graph(chip_swimlane=2)
    for number, config in enumerate((None, CallConfig(), CallConfig(deps=True), CallConfig(ring_heap=4096))):
        folder = tmp_path / f"out{number}"
        accelscope.run(graph, config=config, output=folder)
        assert recorded_level(folder) == 2


@pytest.mark.parametrize("platform", ["virtual", "threads"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_round_is_recorded(tmp_path, platform, level):
    result = accelscope.run(
        "chain:tasks=5",
        config=CallConfig(chip_swimlane_level=level),
        platform=platform,
        rounds=3,
        output=tmp_path / "out",
    )
    assert len(result.rounds) == 3
    for number, one in enumerate(result.rounds, start=1):
        assert pathlib.Path(one.folder) == tmp_path / "out" / f"round-{number}"
        assert one.produced == one.collected > 0
        assert recorded_level(pathlib.Path(one.folder)) == level


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_program_writes_the_same(tmp_path, program, level):
    accelscope.run(
        "moe", chip="a5", config=CallConfig(chip_swimlane_level=level, deps=True), output=tmp_path / "module"
    )
    program("run", "moe", "--chip", "a5", f"--chip-swimlane={level}", "--deps", "-o", tmp_path / "program")
    files = sorted(path.name for path in (tmp_path / "module").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "program").iterdir())
    for name in files:
        assert (tmp_path / "module" / name).read_bytes() == (tmp_path / "program" / name).read_bytes(), name


def test_a_level_that_is_none_in_a_graph(tmp_path):
    for wrong in (4, -1, 2.5, "3"):
        with pytest.raises(accelscope.Error, match="chip_swimlane"):
            accelscope.run(small_graph(chip_swimlane=wrong), output=tmp_path / "out")
    assert not (tmp_path / "out").exists()
