"""report(): what the program says, as an object."""

import json
import re

import pytest

import accelscope
from accelscope import CallConfig


@pytest.fixture
def demo(program, tmp_path):
    """The run directory of the demonstration's model."""
    program("demo", "--out", tmp_path / "demo")
    return tmp_path / "demo" / "run"


def without_date(text):
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z", "DATE", text)


def test_it_is_the_programs_report(recording, program):
    found = accelscope.report(recording)
    assert found.kind == "chip report"
    assert without_date(found.text()) == without_date(program("report", recording))
    assert without_date(found.markdown()) == without_date(program("report", recording, "--markdown"))
    assert without_date(found.to_json()) == without_date(program("report", recording, "--json"))
    assert found.to_dict() == json.loads(found.to_json())
    assert str(found) == found.text() and found._repr_markdown_() == found.markdown()
    assert max(map(len, found.text(width=70).splitlines())) <= 70
    assert found.files == []


def test_a_trace_is_reported_on_like_its_files(recording):
    trace = accelscope.load(recording)
    assert without_date(accelscope.report(trace).text()) == without_date(accelscope.report(recording).text())


def test_metrics(recording):
    found = accelscope.report(recording)
    written = {
        metric["id"]: metric for section in found.to_dict()["sections"] for metric in section.get("metrics", [])
    }
    assert written and {metric.id for metric in found.metrics} == set(written)
    for id, metric in written.items():
        assert found.metric(id).value == metric["value"]
        assert found.metric(id).unit == metric.get("unit", "")
    some = found.metrics[0]
    assert str(some.value) in repr(some)
    with pytest.raises(KeyError, match="there is no metric"):
        found.metric("no.such")


def test_files_are_written_only_where_asked_for(recording, tmp_path):
    before = sorted(path.name for path in recording.iterdir())
    found = accelscope.report(recording, out=tmp_path / "report.md", picture=tmp_path / "run.pftrace")
    assert [file.path for file in found.files] == [str(tmp_path / "report.md"), str(tmp_path / "run.pftrace")]
    assert (tmp_path / "report.md").read_text() == found.markdown()
    assert (tmp_path / "run.pftrace").stat().st_size > 0
    assert sorted(path.name for path in recording.iterdir()) == before


def test_a_run_directory_of_a_model(demo, tmp_path):
    for name in ("report.md", "findings.json", "operator_analysis.json", "kernel_view.md"):
        (demo / name).unlink(missing_ok=True)
    before = sorted(path.name for path in demo.iterdir())
    found = accelscope.report(demo, title="Mine")
    assert found.kind == "report" and found.title == "Mine"
    assert sorted(path.name for path in demo.iterdir()) == before
    (tmp_path / "elsewhere").mkdir()
    found = accelscope.report(demo, out=tmp_path / "elsewhere" / "report.md")
    assert len(found.files) == 4
    saved = accelscope.report(tmp_path / "elsewhere" / "findings.json")
    assert saved.to_json() == found.to_json()


def test_options_arrive(demo):
    usual = accelscope.report(demo)
    other = accelscope.report(
        demo, baseline="sme2_on", candidate="sme2_off", threshold=50, operator_threshold=99, low_speedup=1.5
    )
    assert usual.text() != other.text()
    options = {option["key"]: option["value"] for option in other.to_dict()["provenance"]["options"]}
    assert any("50" in value for value in options.values()), options
    for wrong in (-1, float("nan")):
        with pytest.raises(ValueError, match="threshold is a number from zero up"):
            accelscope.report(demo, threshold=wrong)
    with pytest.raises(accelscope.UsageError, match="nobody"):
        accelscope.report(demo, baseline="nobody", candidate="sme2_on")


def test_quality_is_the_trust_box(tmp_path):
    accelscope.run("chain:tasks=5", config=CallConfig(chip_swimlane_level=1), output=tmp_path / "out")
    found = accelscope.report(tmp_path / "out")
    rows = [(row.id, row.severity, row.sentence, row.count) for row in found.quality]
    written = [(row["id"], row["severity"], row["sentence"], row["count"]) for row in found.to_dict()["quality"]]
    assert sorted(rows) == sorted(written) and rows
    order = ["error", "warning", "info"]
    assert [row.severity for row in found.quality] == sorted((row.severity for row in found.quality), key=order.index)
