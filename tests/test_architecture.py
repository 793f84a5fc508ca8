"""What the import contract cannot say: a pure engine, late heavy imports, short modules."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("calibration", "companion", "engine", "firmware_bridge", "vision", "web_ui")
HEAVY = (
    *("cv2", "onnxruntime", "flask", "torch", "numpy", "PIL", "rich", "scipy", "ultralytics", "pi_heif"),
    "waitress",
    "serial",
    "sqlalchemy",
    "pydantic",
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def modules(folder: str) -> Iterator[Path]:
    yield from sorted((ROOT / folder).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """The top-level name of everything that a module imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield (node.module or "").partition(".")[0]


def packages_with_code() -> set[str]:
    return {package for package in PACKAGES if any(modules(package))}


def test_the_engine_imports_only_itself_and_the_standard_library() -> None:
    assert any(modules("engine"))
    for path in modules("engine"):
        foreign = set(imported(path)) - sys.stdlib_module_names - {"engine"}
        assert not foreign, f"{path.relative_to(ROOT)} imports {foreign}"


@pytest.mark.parametrize("module", ["time", "logging", "os", "pathlib", "datetime", "threading", "sqlite3"])
def test_the_engine_has_no_clock_files_or_logs(module: str) -> None:
    users = [path.name for path in modules("engine") if module in set(imported(path))]
    assert not users


def test_training_libraries_are_imported_under_training_only() -> None:
    trainers = {"torch", "torchvision", "ultralytics", "onnx", "onnxslim"}
    for package in packages_with_code():
        for path in modules(package):
            if (ROOT / "vision" / "training") not in path.parents:
                assert not trainers & set(imported(path)), path.relative_to(ROOT)


PURE = ("codec", "messages", "protocol", "header", "patterns", "lamps", "link", "software_board")
"""Modules of the bridge without a port, a clock or a thread."""


@pytest.mark.parametrize("module", PURE)
def test_the_bridge_but_for_the_port_has_no_clock_port_or_thread(module: str) -> None:
    users = set(imported(ROOT / "firmware_bridge" / f"{module}.py"))
    assert not users & {
        "time",
        "threading",
        "serial",
        "os",
        "socket",
        "select",
        "subprocess",
        "logging",
        "random",
    }


def test_the_bridge_knows_of_the_engine_its_lamps_and_buttons_only() -> None:
    for path in modules("firmware_bridge"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "engine":
                assert node.module == "engine.lamps", path.relative_to(ROOT)
            if isinstance(node, ast.Import):
                assert not any(name.name.startswith("engine") for name in node.names), path.name


def test_pyserial_is_known_to_the_port_alone() -> None:
    users = [
        path.name
        for package in packages_with_code()
        for path in modules(package)
        if "serial" in set(imported(path))
    ]
    assert users == ["port.py"]


def test_every_package_is_under_the_import_contract() -> None:
    assert set(PROJECT["tool"]["importlinter"]["root_packages"]) == packages_with_code()


def test_every_package_is_in_the_wheel() -> None:
    shipped = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages_with_code() | {"models"} <= set(shipped)


@pytest.mark.parametrize(
    "module",
    ["companion.cli", "companion.readers", "engine.grouping", "engine.rules", "firmware_bridge.port"],
)
def test_heavy_libraries_are_imported_late(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_checking_a_meld_loads_no_numbers_library() -> None:
    code = (
        "import sys; from companion.cli import main; "
        "main(['check', 'r5 r6 r7', '--rules', 'etalat', '--json'], standalone_mode=False); "
        f"print(*sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == []


def test_nothing_asks_which_rule_set_it_is() -> None:
    """A difference between rule sets is a field or a function, never a comparison with a key."""
    from engine.rules import RULE_KEYS

    for path in modules("engine"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare | ast.match_case):
                words = {leaf.value for leaf in ast.walk(node) if isinstance(leaf, ast.Constant)}
                assert not words & set(RULE_KEYS), (
                    f"{path.relative_to(ROOT)} compares with the name of a rule set"
                )


@pytest.mark.parametrize("package", sorted(packages_with_code()))
def test_modules_are_short_and_say_what_they_are_for(package: str) -> None:
    for path in modules(package):
        text = path.read_text()
        assert ast.get_docstring(ast.parse(text)), f"{path.relative_to(ROOT)} has no docstring"
        assert len(text.splitlines()) <= 400, f"{path.relative_to(ROOT)} is longer than 400 lines"


def test_a_rack_is_called_in_romanian_as_the_games_rules_call_it() -> None:
    files = [path for package in PACKAGES for kind in ("py", "po", "html", "js", "toml")
             for path in (ROOT / package).rglob(f"*.{kind}")]  # fmt: skip
    said = (ROOT / "web_ui" / "translations" / "ro" / "LC_MESSAGES" / "messages.po").read_text(
        encoding="utf-8"
    )
    assert 'msgid "Table game"\nmsgstr "Joc pe tablă"' in said
    other = re.compile(r"\b[Ss]uport(ul|uri|urile|ului|urilor)?\b")
    assert [path.name for path in files if other.search(path.read_text(encoding="utf-8"))] == []
