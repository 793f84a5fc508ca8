"""How long one photo takes to read, how long `remi read` takes to start, and how much memory it needs.

    python -m benchmarks.read_speed [IMAGE] [--reads 50] [--starts 5] [--threads 2]

Without IMAGE the sample picture of the demo is read, brought to 1000x750. The limits are those that the
project sets itself; where the system allows it, only two cores are used. A table goes to standard error,
JSON to standard output.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vision.pictures import Pixels

CORES: Final = 2
SIZE: Final = (1000, 750)
SAMPLE: Final = Path(__file__).resolve().parent.parent / "models" / "sample.jpg"

# Runs a command and says its peak memory, in a process of its own since the figure counts the largest child.
PEAK: Final = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure with its limit; `worst` is the slowest of all runs."""

    what: str
    unit: str
    median: float
    worst: float
    limit: float

    @property
    def kept(self) -> bool:
        """Whether the median is under the limit."""
        return self.median < self.limit


def measure(image: Path, *, reads: int, starts: int, threads: int) -> list[Measured]:
    """The three figures for a picture file."""
    return [
        _reading(image, reads=reads, threads=threads),
        *_starting(image, starts=starts),
    ]


def _reading(image: Path, *, reads: int, threads: int) -> Measured:
    from companion.readers import load_reader
    from vision.pictures import load_picture

    reader = load_reader(threads=threads)
    pixels = load_picture(image)
    reader.read(pixels)  # the first one allocates
    times = []
    for _ in range(reads):
        start = time.perf_counter()
        reader.read(pixels)
        times.append(1000 * (time.perf_counter() - start))
    return Measured(
        f"read {pixels.shape[1]}x{pixels.shape[0]}", "ms", statistics.median(times), max(times), 250
    )


def _starting(image: Path, *, starts: int) -> list[Measured]:
    command = [sys.executable, "-m", "companion", "read", str(image), "--json"]
    times = []
    peaks = []
    for _ in range(starts):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
        done = subprocess.run(
            [sys.executable, "-c", PEAK, *command], capture_output=True, text=True, check=True
        )
        peaks.append(megabytes(int(done.stdout)))
    return [
        Measured("remi read, start to end", "s", statistics.median(times), max(times), 1.5),
        Measured("remi read, peak memory", "MB", statistics.median(peaks), max(peaks), 500),
    ]


def megabytes(maxrss: int) -> float:
    """The unit of ru_maxrss is a kilobyte on Linux and a byte on macOS."""
    return maxrss / 1e6 if sys.platform == "darwin" else maxrss * 1024 / 1e6


def _resized(image: Path, target: Path) -> Path:
    from PIL import Image

    from vision.pictures import load_picture

    pixels: Pixels = load_picture(image)
    Image.fromarray(pixels[..., ::-1].copy()).resize(SIZE, Image.Resampling.LANCZOS).save(target, quality=92)
    return target


def keep_to_two_cores() -> str:
    """Binds this process and its children to two cores where the system can; says what machine this is."""
    import psutil

    process = psutil.Process()
    if hasattr(process, "cpu_affinity"):
        process.cpu_affinity(process.cpu_affinity()[:CORES])
        cores = f"{len(process.cpu_affinity())} of {psutil.cpu_count()} cores"
    else:
        cores = f"{psutil.cpu_count()} cores"
    memory = psutil.virtual_memory().total / 2**30
    return f"{platform.machine()}, {cores}, {memory:.0f} GiB, Python {platform.python_version()}"


def print_table(figures: Sequence[Measured], machine: str) -> None:
    """The figures for people."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=machine)
    for column in ("what", "median", "worst", "limit", "kept"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for figure in figures:
        digits = 2 if figure.unit == "s" else 0
        values = (f"{value:.{digits}f} {figure.unit}" for value in (figure.median, figure.worst))
        limit = f"{figure.limit:g} {figure.unit}"
        table.add_row(figure.what, *values, limit, "yes" if figure.kept else "NO")
    Console(stderr=True).print(table)


def main() -> None:
    """Measures and prints; exit code 1 where a limit is not kept."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("image", nargs="?", type=Path)
    parser.add_argument("--reads", type=int, default=50)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--threads", type=int, default=CORES)
    options = parser.parse_args()
    if options.image is None and not SAMPLE.is_file():
        parser.error(f"there is no sample picture at {SAMPLE}: name a photo")
    machine = keep_to_two_cores()
    with tempfile.TemporaryDirectory() as folder:
        image = options.image or _resized(SAMPLE, Path(folder) / "sample.jpg")
        figures = measure(image, reads=options.reads, starts=options.starts, threads=options.threads)
    print_table(figures, machine)
    rows = [{**asdict(figure), "kept": figure.kept} for figure in figures]
    print(json.dumps({"machine": machine, "figures": rows}, indent=1))
    sys.exit(0 if all(figure.kept for figure in figures) else 1)


if __name__ == "__main__":
    main()
