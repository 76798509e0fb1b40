"""The stub says what the module is: mypy's stubtest compares names, and here the arguments of what is compiled."""

import ast
import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import accelscope

STUB = pathlib.Path(accelscope.__file__).with_name("__init__.pyi")


def test_stubtest(tmp_path):
    # Compiled classes have a metaclass of pybind11's, and a constructor that refuses, which no stub can say.
    # Their real constructors are looked at below.
    allowed = tmp_path / "allowed"
    allowed.write_text("accelscope\\.[A-Z]\\w+\naccelscope\\.[A-Z]\\w+\\.__init__\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "accelscope", "--concise", "--allowlist", allowed],
        capture_output=True, text=True, cwd=tmp_path, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def arguments_in_stub(function):
    """Name, whether by keyword only, and default of each argument."""
    given = function.args
    assert not given.posonlyargs and not given.vararg and not given.kwarg
    places = [None] * (len(given.args) - len(given.defaults)) + given.defaults
    pairs = [(argument.arg, False, default) for argument, default in zip(given.args, places)]
    pairs += [(argument.arg, True, default) for argument, default in zip(given.kwonlyargs, given.kw_defaults)]
    return [
        (name, by_keyword, None if default is None else ast.unparse(default))
        for name, by_keyword, default in pairs
        if name != "self"
    ]


def arguments_in_module(function):
    """The same from the line that pybind11 puts before the documentation."""
    line = inspect.getdoc(function).split("\n", 1)[0]
    # Types are classes of the module, which are no Python.
    line = re.sub(r": [\w.\[\], ]+?(?=( = |, |\)))", "", line)
    line = re.sub(r" -> .*", "", line)
    parsed = ast.parse(f"def {line}: ...".replace("Ellipsis", "...")).body[0]
    return arguments_in_stub(parsed)


def compiled_functions():
    tree = ast.parse(STUB.read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield pytest.param(node, getattr(accelscope, node.name), id=node.name)
        if not isinstance(node, ast.ClassDef):
            continue
        for member in node.body:
            if isinstance(member, ast.FunctionDef) and not member.decorator_list:
                if member.name in ("__eq__", "__iter__", "__len__", "__fspath__"):
                    continue  # fixed by the language
                function = inspect.getattr_static(getattr(accelscope, node.name), member.name)
                yield pytest.param(member, function, id=f"{node.name}.{member.name}")


@pytest.mark.parametrize("written, function", compiled_functions())
def test_arguments(written, function):
    assert arguments_in_stub(written) == arguments_in_module(function)


def test_properties_have_setters_where_the_stub_says_so():
    for node in ast.parse(STUB.read_text()).body:
        if not isinstance(node, ast.ClassDef):
            continue
        kind = getattr(accelscope, node.name)
        plain = {member.target.id for member in node.body if isinstance(member, ast.AnnAssign)} - {"__hash__"}
        set_by_stub = plain | {
            member.name
            for member in node.body
            if isinstance(member, ast.FunctionDef)
            and any(isinstance(part, ast.Attribute) and part.attr == "setter" for part in member.decorator_list)
        }
        properties = {name: value for name, value in vars(kind).items() if isinstance(value, property)}
        assert {name for name, value in properties.items() if value.fset} == set_by_stub, node.name


def test_everything_is_public_and_documented():
    assert sorted(accelscope.__all__) == accelscope.__all__
    for name in set(accelscope.__all__) - {"NONE", "__version__"}:
        value = getattr(accelscope, name)
        assert inspect.getdoc(value) and value.__module__ == "accelscope"
