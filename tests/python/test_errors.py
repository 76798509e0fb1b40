"""What is wrong with an input is an exception with its place, whatever is opened."""

import os
import pickle

import pytest

import accelscope

OPENERS = [accelscope.load, accelscope.report]


@pytest.mark.parametrize("opener", OPENERS)
def test_a_file_that_is_not_there(opener, tmp_path):
    path = tmp_path / "nowhere.json"
    with pytest.raises(accelscope.NotFoundError) as caught:
        opener(path)
    error = caught.value
    assert isinstance(error, accelscope.Error) and isinstance(error, FileNotFoundError)
    assert error.code == "not found"
    assert error.path == error.filename == str(path)
    assert str(error).startswith(f"{path}: ")


@pytest.mark.parametrize("opener", OPENERS)
def test_files_that_are_no_traces(opener, tmp_path):
    for name, content in {"empty": b"", "noise": os.urandom(1000), "text": b"hello", "json": b'{"a": 1}'}.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(accelscope.Error) as caught:
            opener(path)
        assert caught.value.path == str(path), name
        assert str(path) in str(caught.value)
        assert not isinstance(caught.value, OSError)


@pytest.mark.parametrize("opener", OPENERS)
def test_folders_without_a_run(opener, tmp_path):
    with pytest.raises(accelscope.Error, match=str(tmp_path)):
        opener(tmp_path)


@pytest.mark.parametrize("opener", OPENERS)
def test_folders_of_rounds_name_one(opener, tmp_path):
    config = accelscope.CallConfig(chip_swimlane_level=1)
    accelscope.run("chain:tasks=3", config=config, rounds=2, output=tmp_path)
    with pytest.raises(accelscope.UsageError, match="round-1"):
        opener(tmp_path)
    opener(tmp_path / "round-2")


@pytest.mark.parametrize("opener", OPENERS)
def test_what_is_no_path(opener):
    for wrong in (None, 7, 2.0, [7], [None]):
        with pytest.raises(TypeError):
            opener(wrong)
    with pytest.raises(ValueError, match="there is no path"):
        opener([])
    with pytest.raises(ValueError):
        opener("a\0b")


def test_a_truncated_recording(recording, tmp_path):
    whole = (recording / "run.astrace").read_bytes()
    path = tmp_path / "run.astrace"
    for size in (1, 10, 100, len(whole) // 2):
        path.write_bytes(whole[:size])
        try:
            trace = accelscope.load(path)
        except accelscope.Error as error:
            assert str(path) in str(error)
        else:
            assert any(row.severity == "error" or row.severity == "warning" for row in trace.quality)


def test_lines_of_a_graph(tmp_path):
    path = tmp_path / "graph.json"
    path.write_text('{"name":\n "x"')
    with pytest.raises(accelscope.Error) as caught:
        accelscope.run(path)
    error = caught.value
    assert (error.path, error.line, error.byte) == (str(path), 2, None)
    assert error.location == f"{path}:2"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line) == (str(error), 2)


def test_names_that_are_not_text(tmp_path):
    odd = os.fsencode(tmp_path) + b"/odd-\xff"
    with pytest.raises(accelscope.NotFoundError) as caught:
        accelscope.load(odd)
    assert os.fsencode(caught.value.path) == odd
    accelscope.run("chain:tasks=3", config=accelscope.CallConfig(chip_swimlane_level=1), output=odd)
    trace = accelscope.load(odd)
    assert [os.fsencode(path) for path in trace.inputs] == [odd]
    assert "odd-" in repr(trace)


def test_options_that_are_wrong(recording):
    with pytest.raises(ValueError, match="fortnight"):
        accelscope.load(recording, time_unit="fortnight")
    with pytest.raises(TypeError):
        accelscope.load(recording, "another")
    with pytest.raises(TypeError):
        accelscope.report(recording, no_such_option=1)
