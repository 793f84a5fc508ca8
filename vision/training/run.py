"""Trains the four nets one after another in one folder, resumable, and writes down what was done."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from vision.synth.dataset import LABELS, META

PARTS = ("finder", "corners", "faces", "inks")
#: Minutes on one core that gave the weights of the first round; the card says what came after.
MINUTES: Mapping[str, float] = {"finder": 75, "corners": 44, "faces": 45, "inks": 30}
NOTES = "train.json"
FEWEST_SCENES = 300  # the last 150 of a set are kept for validation


class TrainingError(ValueError):
    """What a part is to be trained on, or a net that is to be exported, is not there."""


def train(  # noqa: PLR0913 -- one run's settings, by name
    data: Path,
    out: Path,
    *,
    parts: Sequence[str] = PARTS,
    minutes: Mapping[str, float] | None = None,
    resume: bool = False,
    threads: int | None = None,
    seed: int = 0,
    start: Path | None = None,
    also: Sequence[Path] = (),
    rate: float | None = None,
    blend: Path | None = None,
    progress: Callable[[str], None] = print,
) -> None:
    """Trains `parts` on the rendered sets `data` and `also`; checkpoints and weights go to `out`.

    A part without a checkpoint starts from the weights of the earlier run in `start`, where that is given;
    with `blend`, the rendered set of that run, the faces end as the mean of both runs' weights.

    `rate` is the highest rate of learning, where it is to be another than `vision.training.loop.RATE`.

    Each part has its own `minutes` of wall time in all (default `MINUTES`). With `resume` a part goes on from
    its checkpoint; one that has had its minutes is not begun again. `threads` limits torch, for parts trained
    side by side. Raises TrainingError for a part that does not exist, and where `data` is no rendered set.
    """
    import cv2
    import torch

    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        raise TrainingError(f"no part {', '.join(unknown)} to train; the parts are {', '.join(PARTS)}")
    for folder in (data, *also):
        check_scenes(folder)
    out.mkdir(parents=True, exist_ok=True)
    if threads:
        torch.set_num_threads(threads)
    cv2.setNumThreads(1)
    if blend is not None:
        if start is None:
            raise TrainingError(
                "weights can only be blended with those of an earlier run: name it as the start"
            )
        check_scenes(blend)
    budget = {**MINUTES, **(minutes or {})}
    for part in parts:
        weights = None if start is None else start / f"{part}.pt"
        if weights is not None and not weights.exists():
            raise TrainingError(f"{weights} is not there to start from")
        rounds = _rounds(out, part) if resume else []
        spent = sum(entry["minutes"] for entry in rounds)
        if rounds and spent >= budget[part]:
            progress(f"{part}: has had its {spent:g} minutes")
            continue
        _train_part(
            part,
            data,
            out,
            # The finder counts from now on; the others know from their checkpoint what they have had.
            minutes=budget[part] - spent if part == "finder" else budget[part],
            resume=resume,
            start=weights,
            also=also,
            rate=rate,
            threads=threads or torch.get_num_threads(),
            seed=seed,
            progress=progress,
        )
        entry = {"minutes": budget[part] - spent, "seed": seed, **_about(data)}
        if rate is not None:
            entry["rate"] = rate
        if also:
            entry["also"] = [_about(folder) for folder in also]
        _note(out, part, [*rounds, entry], earlier=[] if start is None else _history(start, part))
        if part == "faces" and blend is not None and start is not None:
            from vision.training.blend import SHARE, blend_faces

            blend_faces(start, out, [blend, data, *also], progress=progress)
            notes = _notes(out)
            notes[part]["blend"] = {"share_of_earlier": 1 - SHARE}
            _write_notes(out, notes)


def check_scenes(data: Path) -> None:
    """Raises TrainingError where `data` is no rendered set, or too small a one."""
    for name in (META, LABELS):
        if not (data / name).exists():
            raise TrainingError(f"{data} is no rendered set, it has no {name}: make one with `remi synth`")
    scenes = _about(data)["scenes"]
    if scenes < FEWEST_SCENES:
        raise TrainingError(
            f"{data} has {scenes} scenes; it takes {FEWEST_SCENES} at least, and thousands to be of use"
        )


def _train_part(  # noqa: PLR0913 -- one run's settings, by name
    part: str,
    data: Path,
    out: Path,
    *,
    minutes: float,
    resume: bool,
    start: Path | None,
    also: Sequence[Path],
    rate: float | None,
    threads: int,
    seed: int,
    progress: Callable[[str], None],
) -> None:
    given: dict[str, Any] = {"minutes": minutes, "resume": resume, "start": start, "also": also}
    given |= {"progress": progress, "seed": seed} | ({} if rate is None else {"lr": rate})
    if part == "finder":
        from vision.training.finder import train_finder

        train_finder(data, out, threads=threads, **given)
    elif part == "corners":
        from vision.training.parts import train_corners

        train_corners(data, out, **given)
    elif part == "faces":
        from vision.training.parts import train_faces

        train_faces(data, out, **given)
    else:
        from vision.training.inks import train_inks

        train_inks(data, out, **given)


def _about(data: Path) -> dict[str, Any]:
    """How many scenes the set has, from which seed, and of which view if not the usual one."""
    meta = json.loads((data / META).read_text(encoding="utf-8"))
    with (data / LABELS).open(encoding="utf-8") as lines:
        about = {"scenes": sum(1 for _ in lines), "scenes_seed": meta["seed"]}
    return about if meta.get("view", "crops") == "crops" else {**about, "view": meta["view"]}


def _notes(out: Path) -> dict[str, Any]:
    path = out / NOTES
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def _rounds(out: Path, part: str) -> list[dict[str, Any]]:
    return list(_notes(out).get(part, {}).get("rounds", []))


def _history(run: Path, part: str) -> list[dict[str, Any]]:
    """The rounds of training behind the weights of an earlier run, its own beginnings included."""
    entry = _notes(run).get(part, {})
    return [*entry.get("earlier", []), *entry.get("rounds", [])]


def _note(
    out: Path, part: str, rounds: Sequence[Mapping[str, Any]], *, earlier: Sequence[Mapping[str, Any]]
) -> None:
    """Keeps what the card will say: set, seed, minutes, versions, and what went before."""
    notes = _notes(out)
    before = list(earlier) or notes.get(part, {}).get("earlier", [])
    notes[part] = {"rounds": list(rounds)} | ({"earlier": before} if before else {})
    notes["versions"] = {
        name: version(name)
        for name in ("torch", "ultralytics-opencv-headless", "numpy", "opencv-python-headless")
    }
    notes["python"] = platform.python_version()
    _write_notes(out, notes)


def _write_notes(out: Path, notes: Mapping[str, Any]) -> None:
    (out / NOTES).write_text(json.dumps(notes, indent=1) + "\n", encoding="utf-8")
