"""How long a whole table takes to read at 1080p and 4K: at first, and after three of its tiles changed.

    python -m benchmarks.read_tables [IMAGE...] [--rounds 7] [--threads 2 1] [--run DIR] [--models DIR]

Without IMAGE two rendered tables are read. All variants take turns in one run, so that what else the machine
does falls on all alike; medians and minima of wall time and the median of processor time are told: a table on
standard error, with --json also on standard output. Beside the reader:

- nets alone: what ONNX Runtime itself needs for the very same tensors, recorded while reading;
- OpenVINO, where it is installed: the reader with that back end;
- ultralytics, torch, where they are installed and --run names a folder written by `remi train`: the finder by
  ultralytics' own `predict` on the whole frame at its own size, the other nets as torch modules on the very
  same tensors. After a change it does the same again, for it knows of no change;
- torch, same tensors: what torch would need if it were given exactly what the reader looks at.

The change is three tiles that change places, with fresh noise over the whole frame.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from benchmarks.torch_peer import TorchPeer
    from engine.readings import PictureReading, SeenTile
    from vision.reader import Reader

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Tensors = list[tuple[str, F32]]

SIZES: Final = ((1920, 1080, 45.0), (3840, 2160, 90.0))
"""Width, height and width of a tile in pixels of the rendered tables."""
SEED: Final = 4
NOISE: Final = 1.5  # grey levels, between two frames of a still camera
MOST_OVERHEAD: Final = 1.3  # times the nets' own time
LEAST_GAIN: Final = 3.0  # times faster than torch after a change


@dataclass
class Variant:
    """One way to read, and what each turn of it took in milliseconds."""

    name: str
    task: str
    turn: Callable[[], object] = field(repr=False)
    wall: list[float] = field(default_factory=list, repr=False)
    processor: list[float] = field(default_factory=list, repr=False)

    def take(self) -> None:
        """One turn."""
        busy, start = time.process_time(), time.perf_counter()
        self.turn()
        self.wall.append(1000 * (time.perf_counter() - start))
        self.processor.append(1000 * (time.process_time() - busy))


@dataclass(frozen=True)
class Row:
    """The figures of a variant."""

    picture: str
    threads: int
    task: str
    variant: str
    median_ms: float
    least_ms: float
    processor_ms: float


class Recorder:
    """A back end that keeps what the nets are given, until `tensors` is None."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.tensors: Tensors | None = []

    def load(self, net: str, path: Path, weights: bytes) -> None:
        """Hands the net on."""
        self.inner.load(net, path, weights)

    def outputs(self, net: str) -> tuple[str, ...]:
        """As the back end says."""
        answer: tuple[str, ...] = self.inner.outputs(net)
        return answer

    def run(self, net: str, value: F32) -> list[NDArray[Any]]:
        """What the back end answers; a copy of the tensor is kept."""
        if self.tensors is not None:
            self.tensors.append((net, value.copy()))
        answer: list[NDArray[Any]] = self.inner.run(net, value)
        return answer


def three_moved(image: U8, tiles: Sequence[SeenTile], rng: np.random.Generator) -> U8:
    """The picture after three of its tiles changed places, each face drawn where the next one lay."""
    quads = np.asarray([tile.quad for tile in tiles], np.float32)
    area = np.asarray([cv2.contourArea(quad) for quad in quads])
    usual = np.flatnonzero((area > 0.7 * np.median(area)) & (area < 1.4 * np.median(area)))
    if len(usual) < 3:
        raise ValueError(f"{len(usual)} tiles of about one size were read; three are needed")
    faces = [str(tiles[int(index)].face) for index in usual]
    others: dict[str, int] = {}
    for face, index in zip(faces, usual, strict=True):
        others.setdefault(face, int(index))
    three = rng.choice(list(others.values()) if len(others) >= 3 else usual, 3, replace=False)
    after = image.copy()
    size = (image.shape[1], image.shape[0])
    for source, target in zip(three, np.roll(three, 1), strict=True):
        matrix = cv2.getPerspectiveTransform(quads[source], quads[target])
        moved = cv2.warpPerspective(image, matrix, size)
        mask = np.zeros(image.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(quads[target]).astype(np.int32), 255)
        after[mask > 0] = moved[mask > 0]
    return after


def noisy(image: U8, rng: np.random.Generator) -> U8:
    """The picture with a camera's noise over it."""
    return np.clip(image + rng.normal(0, NOISE, image.shape), 0, 255).astype(np.uint8)


def measure(
    name: str, image: U8, *, rounds: int, threads: int, models: Path | None, run: Path | None
) -> tuple[list[Row], list[str]]:
    """The figures of one picture with so many threads, and remarks."""
    from vision.watch import Watch

    rng = np.random.default_rng(SEED)
    recorder, reader = _reader("onnxruntime", threads, models)
    reading = reader.read(image)
    first, recorder.tensors = recorder.tensors or [], None
    before, after = noisy(image, rng), noisy(three_moved(image, reading.tiles, rng), rng)
    watch = Watch(reader)
    watch.read(before)
    recorder.tensors = []
    changed = watch.read(after)
    change, recorder.tensors = recorder.tensors, None
    remarks = [_remark(name, reading, changed, reader.read(after))]
    keep = recorder.inner
    variants = [
        Variant("reader", "first look", lambda: reader.read(image)),
        Variant("nets alone", "first look", lambda: _run(keep.run, first)),
        Variant("reader", "change", _alternating(watch, before, after)),
        Variant("nets alone", "change", lambda: _run(keep.run, change)),
    ]
    if find_spec("openvino") is not None:
        _, other = _reader("openvino", threads, models)
        watched = Watch(other)
        watched.read(before)
        variants += [
            Variant("OpenVINO", "first look", lambda: other.read(image)),
            Variant("OpenVINO", "change", _alternating(watched, before, after)),
        ]
    reason = _no_torch(run)
    if reason is None and run is not None:
        from benchmarks.torch_peer import TorchPeer

        peer = TorchPeer(run, threads)
        small = [(net, value) for net, value in first if net != "finder"]
        variants += [
            Variant("ultralytics, torch", "first look", lambda: _whole(peer, image, small)),
            Variant("ultralytics, torch", "change", lambda: _whole(peer, after, small)),
            Variant("torch, same tensors", "first look", lambda: _run(peer.run, first)),
            Variant("torch, same tensors", "change", lambda: _run(peer.run, change)),
        ]
    for variant in variants:
        variant.turn()  # the first one allocates
    for _ in range(rounds):
        for variant in variants:
            variant.take()
    rows = [
        Row(
            name,
            threads,
            variant.task,
            variant.name,
            round(statistics.median(variant.wall), 1),
            round(min(variant.wall), 1),
            round(statistics.median(variant.processor), 1),
        )
        for variant in variants
    ]
    return rows, remarks


def _reader(backend: str, threads: int, models: Path | None) -> tuple[Recorder, Reader]:
    from vision.backends import open_backend
    from vision.onnx_nets import Nets, default_models, load_card
    from vision.reader import Reader

    reader = Reader.load(models, threads=threads)
    folder = models or default_models()
    recorder = Recorder(open_backend(backend, threads))
    reader.nets = Nets(folder, load_card(folder), threads, recorder)
    return recorder, reader


def _run(run: Callable[[str, F32], object], tensors: Tensors) -> None:
    for net, value in tensors:
        run(net, value)


def _whole(peer: TorchPeer, image: U8, tensors: Tensors) -> None:
    peer.find(image)
    _run(peer.run, tensors)


def _alternating(watch: Any, before: U8, after: U8) -> Callable[[], object]:
    """Each turn is a change of the same three tiles, there or back."""
    frames: Iterator[U8] = _for_ever(before, after)
    return lambda: watch.read(next(frames))


def _for_ever(before: U8, after: U8) -> Iterator[U8]:
    while True:
        yield before
        yield after


def _remark(name: str, reading: PictureReading, changed: PictureReading, whole: PictureReading) -> str:
    """Whether what changed was read as a whole look reads it."""
    ours, theirs = (sorted(str(tile.face) for tile in one.tiles) for one in (changed, whole))
    return (
        f"{name}: {len(reading.tiles)} tiles; after the change {len(ours)}, "
        f"{'the same faces as' if ours == theirs else 'NOT the same faces as'} a whole look ({len(theirs)})"
    )


def _no_torch(run: Path | None) -> str | None:
    missing = [module for module in ("torch", "ultralytics") if find_spec(module) is None]
    if missing:
        return f"{' and '.join(missing)} not installed"
    return "no --run with the weights before export" if run is None else None


def judged(rows: Sequence[Row]) -> list[str]:
    """How the limits were kept, by processor time too, which other work on the machine lengthens less."""
    table = {(row.picture, row.threads, row.task, row.variant): row for row in rows}
    lines = []
    for (picture, threads, task, variant), row in table.items():
        if variant != "reader":
            continue
        what = f"{picture}, {threads} thread{'s' if threads > 1 else ''}, {task}"
        nets = table[picture, threads, task, "nets alone"]
        lines.append(f"{what}: {_times(row, nets)} the nets' own time; limit {MOST_OVERHEAD}")
        peer = table.get((picture, threads, task, "ultralytics, torch"))
        if peer is not None:
            limit = f"; limit {LEAST_GAIN}" if task == "change" else ""
            lines.append(f"{what}: ultralytics and torch need {_times(peer, row)} as long{limit}")
    return lines


def _times(one: Row, other: Row) -> str:
    pairs = (
        (one.median_ms, other.median_ms),
        (one.least_ms, other.least_ms),
        (one.processor_ms, other.processor_ms),
    )
    median, least, processor = (f"{first / max(second, 0.1):.2f}" for first, second in pairs)
    return f"{median} times (by minima {least}, by processor time {processor})"


def peak_megabytes(image: Path, models: Path | None, threads: int) -> float:
    """Most memory that a process needs that opens one picture file and reads it."""
    from benchmarks.read_speed import PEAK, megabytes

    code = (
        "import sys; from pathlib import Path; from vision.pictures import load_picture; "
        "from vision.reader import Reader; "
        "models = Path(sys.argv[2]) if sys.argv[2] else None; "
        "Reader.load(models, threads=int(sys.argv[3])).read(load_picture(Path(sys.argv[1])))"
    )
    command = [sys.executable, "-c", code, str(image.resolve()), str(models or ""), str(threads)]
    done = subprocess.run([sys.executable, "-c", PEAK, *command], capture_output=True, text=True, check=True)
    return megabytes(int(done.stdout))


def rendered(folder: Path) -> list[Path]:
    """Two rendered tables with a look that was never trained on, as PNG files in `folder`."""
    from vision.synth.scene import draw_scene

    paths = []
    for width, height, tile in SIZES:
        scene = draw_scene(
            np.random.default_rng(SEED),
            split="heldout",
            size=(width, height),
            layout="table",
            tile_px=(tile, tile),
            clean=True,
        )
        path = folder / f"rendered {width}x{height}.png"
        if not cv2.imwrite(str(path), scene.image):
            raise OSError(f"{path} cannot be written")
        paths.append(path)
    return paths


def print_table(rows: Sequence[Row], remarks: Sequence[str], memory: Mapping[str, float]) -> None:
    """The figures for people."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="milliseconds a table")
    for column in ("picture", "threads", "task", "variant", "median", "least", "processor"):
        table.add_column(column, justify="left" if column in ("picture", "task", "variant") else "right")
    for row in rows:
        values = (f"{value:.0f}" for value in (row.median_ms, row.least_ms, row.processor_ms))
        table.add_row(row.picture, str(row.threads), row.task, row.variant, *values)
    console = Console(stderr=True, width=120)
    console.print(table)
    for line in (*remarks, *(f"{name}: {peak:.0f} MB of memory at most" for name, peak in memory.items())):
        console.print(line, highlight=False)


def main() -> None:
    """Measures and prints."""
    import tempfile

    from benchmarks.read_speed import keep_to_two_cores
    from vision.pictures import load_picture

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("images", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 1])
    parser.add_argument("--models", type=Path, help="by default those that come with the program")
    parser.add_argument("--run", type=Path, help="where `remi train` wrote its weights")
    parser.add_argument("--json", action="store_true", help="JSON on standard output too")
    options = parser.parse_args()
    machine = keep_to_two_cores()
    rows: list[Row] = []
    remarks = [machine]
    memory = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in options.images or rendered(Path(folder)):
            image = load_picture(path)
            for threads in options.threads:
                found, told = measure(
                    path.stem,
                    image,
                    rounds=options.rounds,
                    threads=threads,
                    models=options.models,
                    run=options.run,
                )
                rows += found
                remarks += told
            memory[path.stem] = peak_megabytes(path, options.models, options.threads[0])
    reason = _no_torch(options.run)
    if reason is not None:
        remarks.append(f"without torch: {reason}")
    if find_spec("openvino") is None:
        remarks.append("without OpenVINO: not installed")
    print_table(rows, [*remarks, *judged(rows)], memory)
    if options.json:
        figures = [asdict(row) for row in rows]
        print(json.dumps({"machine": machine, "figures": figures, "memory_mb": memory}, indent=1))


if __name__ == "__main__":
    main()
