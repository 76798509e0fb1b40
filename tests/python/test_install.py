"""What `cmake --install` puts somewhere can be imported from there."""

import os
import pathlib
import subprocess
import sys


def test_installed(tmp_path):
    subprocess.run(
        [os.environ["ACCELSCOPE_CMAKE"], "--install", os.environ["ACCELSCOPE_BUILD"], "--prefix", tmp_path,
         "--component", "python"],
        check=True, capture_output=True,
    )  # fmt: skip
    folder = tmp_path / os.environ["ACCELSCOPE_PYTHON_INSTALL_DIR"]
    assert {path.name.split(".cpython")[0] for path in (folder / "accelscope").iterdir()} == {
        "__init__.py", "__init__.pyi", "_errors.py", "py.typed", "_accelscope"
    }  # fmt: skip
    text = "import accelscope; print(accelscope.__file__, accelscope.run('chain:tasks=3').ok)"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-B", "-c", text], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.split() == [str(folder / "accelscope" / "__init__.py"), "True"], done.stderr


def test_nothing_of_the_folders_is_exported():
    (extension,) = pathlib.Path(os.environ["ACCELSCOPE_BUILD"], "python", "accelscope").glob("_accelscope*.so")
    names = subprocess.run(
        ["nm", "--dynamic", "--defined-only", "--demangle", extension], check=True, capture_output=True, text=True
    ).stdout
    assert "PyInit__accelscope" in names
    assert "accelscope::" not in names
