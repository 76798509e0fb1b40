"""load(): tables as arrays, equal to what the program says, and not to be written."""

import gc
import json
import re
import weakref
from collections.abc import Mapping

import numpy as np
import pytest

import accelscope
from accelscope import CallConfig


@pytest.fixture
def trace(recording):
    return accelscope.load(recording)


def test_the_counts_are_the_programs(trace, recording, program):
    contents = json.loads(program("validate", recording, "--json"))["contents"]
    assert trace.slices.rows == contents["slices"] > 0
    assert trace.tracks.rows == contents["tracks"] > 0
    assert trace.tasks.rows == contents["tasks"] > 0
    assert trace.task_edges.rows == contents["task_edges"] > 0
    assert trace.counters.rows == contents["counter_samples"] > 0
    assert trace.args.rows == contents["args"] > 0
    assert trace.clocks.rows == contents["clocks"] > 0
    assert len(trace.quality) == len(json.loads(program("validate", recording, "--json"))["quality"])


def test_slices_are_what_the_swimlane_says(trace, recording):
    tasks = json.loads((recording / "chip_swimlane_records.json").read_text())["tasks"]
    slices = trace.slices
    is_task = trace.categories[slices["category"]] == "task"
    assert is_task.sum() == len(tasks)
    lengths = trace.microseconds(slices["duration"][is_task], slices["track"][is_task])
    assert np.allclose(sorted(lengths), sorted(task["duration_us"] for task in tasks), atol=0.02)
    engines = trace.names[trace.resources["engine"][trace.tracks["resource"][slices["track"][is_task]]]]
    kinds, counts = np.unique(engines, return_counts=True)
    expected = [task["core_type"].upper() for task in tasks]
    assert dict(zip(kinds, counts)) == {kind: expected.count(kind) for kind in set(expected)}


def test_tables_are_those_of_the_model(trace, source):
    """docs/trace-model.md is made from the schema; the module has the same tables, columns, types and units."""
    page = (source / "docs" / "trace-model.md").read_text().split("## Tables")[1]
    documented = {}
    for part in re.split(r"^### ", page, flags=re.MULTILINE)[1:]:
        name = part.split("\n", 1)[0]
        documented[name] = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) \| (.*) \|$", part, flags=re.MULTILINE)
    assert list(trace.tables) == list(documented)
    for name, table in trace.tables.items():
        assert getattr(trace, name) is table
        columns = [
            (column.name, column.type, column.unit, column.meaning)
            for column in table.columns
            if column.name != "relation"
        ]
        assert columns == documented[name]
        assert table.name == name and table.meaning in page


DTYPES = {
    "int64": "int64", "uint64": "uint64", "int32": "int32", "uint32": "uint32", "uint16": "uint16",
    "uint8": "uint8", "double": "float64", "bool": "bool", "string": "uint32", "slice": "uint32",
    "track": "uint32", "clock": "uint32", "task": "uint32", "run": "uint32", "arg": "uint32",
    "resource": "uint32", "category": "uint16", "value": "object", "text": "object",
}  # fmt: skip


def test_every_column_is_an_array_that_cannot_be_written(trace):
    for table in trace.tables.values():
        for column in table.columns:
            array = table[column.name]
            assert array.shape == (table.rows,)
            if column.type == "frequency":
                assert array.dtype.names == ("ticks", "seconds")
            else:
                assert array.dtype == np.dtype(DTYPES[column.type]), (table.name, column.name)
            assert table[column.name] is array
            if table.rows == 0:
                continue
            with pytest.raises(ValueError, match="read-only"):
                array[0] = array[0]
            if array.dtype != object:
                with pytest.raises(ValueError):
                    array.flags.writeable = True
    with pytest.raises(AttributeError):
        trace.slices = None


def test_tables_are_mappings(trace):
    slices = trace.slices
    assert isinstance(slices, Mapping)
    assert list(slices) == list(slices.keys()) == [column.name for column in slices.columns]
    assert len(slices) == len(slices.columns)
    assert "start" in slices and "end" not in slices and 3 not in slices
    assert dict(slices).keys() == slices.to_dict().keys()
    assert all(array is slices[name] for name, array in slices.items())
    assert len(list(slices.values())) == len(slices)
    with pytest.raises(KeyError, match="did you mean `start`"):
        slices["strat"]
    assert repr(slices) == f"<accelscope.Table slices: {slices.rows} rows of 11 columns>"


def test_ids_lead_from_table_to_table(trace):
    slices, tracks = trace.slices, trace.tracks
    assert slices["track"].max() < tracks.rows
    # Ordered by track and start; an end is where the next one of a core may begin.
    order = np.lexsort((slices["start"], slices["track"]))
    assert (order == np.arange(slices.rows)).all()
    with_parent = slices["parent"] != accelscope.NONE
    parents = slices["parent"][with_parent]
    assert (slices["start"][parents] <= slices["start"][with_parent]).all()
    assert set(trace.names[trace.tasks["kind"]]) <= {"AIC", "AIV", "MIX", "dummy", "allocation", "unknown", "skipped"}
    assert trace.names[0] == "" and trace.names.dtype == object


def test_facts_and_arguments(trace):
    assert trace.fact("device") == "a2a3"
    assert trace.fact("no such fact") is None
    assert trace.fact("no such fact", 7) == 7
    keys = list(trace.names[trace.facts["key"]])
    assert trace.facts["value"][keys.index("device")] == "a2a3"
    is_task = trace.categories[trace.slices["category"]] == "task"
    arguments = trace.arguments(np.flatnonzero(is_task)[0])
    assert arguments["pmu_total_cycles"] > 0
    with pytest.raises(IndexError, match="there is no slice"):
        trace.arguments(trace.slices.rows)


def test_times(trace):
    frequency = trace.clocks["frequency"]
    assert frequency["ticks"][0] // frequency["seconds"][0] == 50_000_000
    assert trace.microseconds(50, 0) == 1.0
    assert trace.microseconds([0, 100], [0, 0]).tolist() == [0.0, 2.0]
    with pytest.raises(IndexError, match="there is no track"):
        trace.microseconds(1, trace.tracks.rows)


def test_arrays_outlive_their_trace(recording):
    trace = accelscope.load(recording)
    starts = trace.slices["start"]
    names = trace.tracks["name"]
    before = starts.tolist(), names.tolist()
    assert not starts.flags.owndata and not names.flags.owndata
    gone = weakref.ref(trace) if hasattr(trace, "__weakref__") else None
    del trace
    gc.collect()
    assert gone is None or gone() is None
    again = accelscope.load(recording)
    assert (starts.tolist(), names.tolist()) == before
    assert (again.slices["start"] == starts).all()


def test_columns_of_several_pieces(tmp_path):
    """More rows than a piece of a column holds, so that arrays are copies."""
    folder = tmp_path / "out"
    accelscope.run(
        "chain:tasks=70000", config=CallConfig(chip_swimlane_level=1), compute=False, output=folder
    )
    trace = accelscope.load(folder)
    slices = trace.slices
    is_task = trace.categories[slices["category"]] == "task"
    assert is_task.sum() == 70000
    ends = slices["start"] + slices["duration"]
    tasks = slices["task"][is_task]
    order = np.argsort(trace.tasks["external_id"][tasks])
    # A chain: each task begins when the one before it has ended.
    assert (slices["start"][is_task][order][1:] >= ends[is_task][order][:-1]).all()
    with pytest.raises(ValueError, match="read-only"):
        slices["start"][0] = 1
    assert slices["start"] is slices["start"]


def test_several_files_and_single_ones(recording, tmp_path):
    config = CallConfig(chip_swimlane_level=1, deps=True)
    accelscope.run("chain:tasks=5", config=config, output=tmp_path / "other")
    both = accelscope.load([recording, tmp_path / "other"])
    one = accelscope.load(recording)
    other = accelscope.load(str(tmp_path / "other" / "run.astrace"))
    assert both.slices.rows == one.slices.rows + other.slices.rows
    assert both.inputs == [str(recording), str(tmp_path / "other")]
    # By itself, a swimlane knows less than with the files beside it.
    swimlane = tmp_path / "other" / "chip_swimlane_records.json"
    assert accelscope.load(swimlane).task_edges.rows == 4
    assert accelscope.load(swimlane, siblings=False).task_edges.rows == 0
    assert accelscope.load([swimlane, tmp_path / "other" / "deps.json"], siblings=False).task_edges.rows == 4


def test_a_table_becomes_a_frame_as_it_is(trace):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(trace.slices.to_dict())
    assert len(frame) == trace.slices.rows and list(frame.columns) == list(trace.slices)
