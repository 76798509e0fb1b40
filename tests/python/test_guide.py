"""The examples of docs/python.md and of the module's documentation are run as they are written."""

import re
import textwrap

import accelscope


def test_the_guide(source, tmp_path, script):
    page = (source / "docs" / "python.md").read_text()
    examples = re.findall(r"^```python\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    assert len(examples) >= 5
    # One after the other, as a reader would type them; what is printed is for the reader.
    done = script("import os, sys; os.chdir(sys.argv[1])\n" + "\n".join(examples), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    shown = re.findall(r"^```text\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    for lines in shown:
        for line in lines.splitlines():
            assert line in done.stdout, line


def test_the_example_of_the_module(tmp_path, script):
    example = textwrap.dedent(accelscope.__doc__.split("\n\n", 1)[1].rsplit("docs/python.md", 1)[0])
    done = script("import os, sys; os.chdir(sys.argv[1])\n" + example, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "bottleneck" in done.stdout


def test_every_public_name_is_in_the_guide(source):
    page = (source / "docs" / "python.md").read_text()
    for name in accelscope.__all__:
        assert f"`{name}" in page or f".{name}" in page, name
