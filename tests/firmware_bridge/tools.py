"""Builds what the board's tests run: its program, the simulator that runs it, its core for this machine."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

from firmware_bridge.build import SOURCES

HERE = Path(__file__).resolve().parent
SIMAVR = Path("/usr/include/simavr")
APT = "apt-get install --no-install-recommends gcc-avr avr-libc binutils-avr libsimavr-dev avrdude g++"


def missing_tools() -> list[str]:
    """What is not installed here of what these tests need."""
    programs = ("avr-g++", "avr-objcopy", "avrdude", "gcc", "g++")
    missing = [program for program in programs if shutil.which(program) is None]
    if not (SIMAVR / "sim_avr.h").is_file():
        missing.append("simavr")
    if not any(
        Path(folder).joinpath("avr/io.h").is_file() for folder in ("/usr/lib/avr/include", "/usr/avr/include")
    ):
        missing.append("avr-libc")
    return missing


def build_simulator(folder: Path) -> Path:
    """The program `boardsim`."""
    program = folder / "boardsim"
    source = HERE / "simavr" / "boardsim.c"
    command = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{SIMAVR}", str(source), "-o", str(program)]
    _run([*command, "-lsimavr", "-lutil"])
    return program


def build_core(folder: Path) -> ctypes.CDLL:
    """The board's core as a library of this machine, with the checks for undefined behaviour that trap."""
    library = folder / "core.so"
    sources = [str(path) for path in sorted(SOURCES.glob("core/*.cpp"))]
    flags = ["-std=c++14", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    flags += ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
    wrapper = HERE / "host" / "core_library.cpp"
    _run(["g++", *flags, f"-I{SOURCES / 'core'}", str(wrapper), *sources, "-o", str(library)])
    core = ctypes.CDLL(str(library))
    for maker in ("core_decoder", "core_debounce", "core_board"):
        getattr(core, maker).restype = ctypes.c_void_p
    for answers_bool in ("core_plain_on", "core_plain", "core_may_paint"):
        getattr(core, answers_bool).restype = ctypes.c_bool
    for answers_byte in ("core_encode", "core_bad", "core_speak"):
        getattr(core, answers_byte).restype = ctypes.c_uint8
    for answers_word in ("core_sample", "core_tone"):
        getattr(core, answers_word).restype = ctypes.c_uint16
    return core


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
