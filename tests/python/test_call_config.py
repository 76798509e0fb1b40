"""CallConfig: what it takes, what it refuses and with which words, and that it is a plain value."""

import copy
import enum
import pathlib
import pickle

import numpy as np
import pytest

from accelscope import CallConfig


class Level(enum.IntEnum):
    PHASES = 3


@pytest.mark.parametrize(
    "given, level",
    [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 3),
        (True, 3),
        (False, 0),
        (np.int32(2), 2),
        (np.uint8(1), 1),
        (np.int64(3), 3),
        (Level.PHASES, 3),
    ],
)
def test_levels(given, level):
    for config in (CallConfig(chip_swimlane_level=given), CallConfig()):
        config.chip_swimlane_level = given
        assert config.chip_swimlane_level == level
        assert type(config.chip_swimlane_level) is int
        assert repr(config) == f"CallConfig(chip_swimlane_level={level})"


@pytest.mark.parametrize(
    "given, kind",
    [
        (4, ValueError),
        (-1, ValueError),
        (2**40, ValueError),
        (2**80, ValueError),
        (-(2**80), ValueError),
        (np.int8(-1), ValueError),
        (2.0, TypeError),
        (np.float64(2), TypeError),
        (float("nan"), TypeError),
        ("3", TypeError),
        (b"3", TypeError),
        (None, TypeError),
        ([3], TypeError),
        (np.True_, TypeError),
        (np.False_, TypeError),
        (np.array([3]), TypeError),
        (np.array([True]), TypeError),
    ],
)
def test_what_is_no_level_raises(given, kind):
    config = CallConfig(chip_swimlane_level=2)
    with pytest.raises(kind, match="chip_swimlane_level is a whole number from 0 to 3"):
        config.chip_swimlane_level = given
    assert config.chip_swimlane_level == 2
    with pytest.raises(kind):
        CallConfig(chip_swimlane_level=given)


def test_a_level_lowered_is_lower():
    config = CallConfig(chip_swimlane_level=3, deps=True)
    flags = {}
    for level in (3, 1, 2, 0):
        config.chip_swimlane_level = level
        flags[level] = config.dfx_flags
        assert config.deps is True
    # One bit for each step of the level, and the one of dependencies.
    assert flags == {0: 16, 1: 17, 2: 19, 3: 23}


def test_flags_are_true_or_false():
    for name in ("dump_tensor", "deps", "scope_stats", "core_swimlane"):
        config = CallConfig(**{name: True})
        assert getattr(config, name) is True
        setattr(config, name, False)
        assert getattr(config, name) is False
        for wrong in (1, 0, None, "yes"):
            with pytest.raises(TypeError, match=f"{name} is True or False"):
                setattr(config, name, wrong)


def test_groups_of_counters():
    assert CallConfig().pmu is None
    assert CallConfig(pmu=True).pmu == 2
    assert CallConfig(pmu=np.int64(4)).pmu == 4
    assert CallConfig(pmu=1).pmu == 1
    assert CallConfig(pmu=False).pmu is None
    for wrong, kind in ((0, ValueError), (256, ValueError), ("2", TypeError), (2.0, TypeError)):
        with pytest.raises(kind, match="pmu is a whole number"):
            CallConfig(pmu=wrong)


def test_sizes_of_rings_follow_the_rules_of_the_struct():
    config = CallConfig(ring_task_window=1024, ring_heap=(2048, 4096, 8192, 16384))
    assert config.ring_task_window == (1024,) * 4
    assert config.ring_heap == (2048, 4096, 8192, 16384)
    assert config.ring_dep_pool == (0,) * 4
    for name, wrong, words in (
        ("ring_task_window", 5, "power of two"),
        ("ring_heap", 100, "below 1024 bytes"),
        ("ring_dep_pool", 3, "between 4 and"),
        ("ring_heap", (1024, 1024), "one for each of the 4 rings"),
        ("ring_heap", -1, "whole number"),
    ):
        with pytest.raises(ValueError, match=words):
            setattr(config, name, wrong)
    for wrong in ("1024", 2.0, True, None):
        with pytest.raises((TypeError, ValueError)):
            config.ring_heap = wrong
    assert config.ring_heap == (2048, 4096, 8192, 16384)


def test_the_prefix_is_a_path():
    config = CallConfig(output_prefix=pathlib.Path("out") / "run")
    assert config.output_prefix == "out/run"
    config.output_prefix = "elsewhere"
    assert config.output_prefix == "elsewhere"
    with pytest.raises(ValueError, match="longer than 1023 bytes"):
        config.output_prefix = "x" * 1024
    with pytest.raises(TypeError):
        config.output_prefix = 7
    assert config.output_prefix == "elsewhere"


def test_it_is_a_value():
    config = CallConfig(
        chip_swimlane_level=2, deps=True, pmu=4, scope_stats=False, ring_heap=4096, output_prefix="out"
    )
    for other in (copy.copy(config), copy.deepcopy(config), pickle.loads(pickle.dumps(config)), eval(repr(config))):
        assert other == config and other is not config
        other.chip_swimlane_level = 1
        assert other != config
    assert config != "something else"
    # What was said is not what happens to be so.
    assert CallConfig(chip_swimlane_level=0) != CallConfig()
    assert repr(CallConfig()) == "CallConfig()"
    with pytest.raises(TypeError):
        hash(config)


def test_names_that_are_not_there():
    config = CallConfig()
    with pytest.raises(AttributeError):
        config.chip_swimlane = 3
    with pytest.raises(AttributeError):
        config.dfx_flags = 3
    with pytest.raises(TypeError):
        CallConfig(3)
    with pytest.raises(TypeError):
        CallConfig(enable_profiling=True)
