"""`remi evaluate`, `synth`, `train`, `export` and `restore`: the model's life."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from companion.options import FOLDER, NEW_FOLDER, RULES, backend_option, json_option
from companion.output import InputError, note, print_json, progress

if TYPE_CHECKING:
    from vision.evaluate import PictureReader

PARTS: Final = ("finder", "corners", "faces", "inks")
_SIDE: Final = click.IntRange(32, 8192)
_TILE: Final = click.FloatRange(4, 2000)


@click.command()
@click.argument("data", type=FOLDER)
@json_option
@click.option(
    "--report",
    type=NEW_FOLDER,
    metavar="DIR",
    help="Write a page with reliability, confusions and worst crops.",
)
@click.option(
    "--models", type=FOLDER, metavar="DIR", help="Measure the models in DIR instead of those that come along."
)
@click.option(
    "--list",
    "only",
    default="eval",
    metavar="NAME",
    help="Which list of DATA to read: NAME.txt, if it has lists.",
)
@click.option(
    "--card",
    metavar="NAME",
    help="Write the figures into the models' card under NAME.",
)
@click.option(
    "--rules",
    "rules_key",
    type=RULES,
    default="etalat",
    help="Whose set of tiles and melds repair what was read with doubt.",
)
@click.option(
    "--worst",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many of the worst tiles to show in the report; they are drawn as one picture, worst.png, too.",
)
@click.option(
    "--tables",
    is_flag=True,
    help="Measure whole tables: zones, melds, discard row, atu and wall, with the tiles of the labels and as "
    "read.",
)
@backend_option
def evaluate(  # noqa: PLR0913 -- the options of a command
    *,
    data: Path,
    as_json: bool,
    report: Path | None,
    models: Path | None,
    only: str,
    card: str | None,
    rules_key: str,
    worst: int | None,
    tables: bool,
    backend: str,
) -> None:
    """Measure the reader on labelled pictures in DATA, raw and after repair by what the rules know."""
    from companion import readers
    from engine.rules import rule_set
    from vision.evaluate import evaluate as measure
    from vision.labelled import LabelError

    if worst is not None and report is None:
        raise click.UsageError("--worst says what the report shows: name its folder too, with --report DIR")
    if only != "eval" and not (data / f"{only}.txt").exists():
        raise InputError(f"{data} has no list {only}.txt")
    if tables and (report is not None or card is not None or only != "eval"):
        raise click.UsageError("--tables goes with --json, --models, --rules and --backend only")
    reader = readers.load_reader(models, backend=backend)
    if tables:
        _evaluate_tables(data, reader, rules_key=rules_key, as_json=as_json)
        return
    try:
        with progress("Reading") as shown:
            result = measure(data, reader, only=only, rules=rule_set(rules_key), progress=shown)
    except (FileNotFoundError, LabelError) as error:
        raise InputError(str(error)) from error
    if report is not None:
        result.write_report(report, worst=worst)
        note(f"Report: {report}")
    if card is not None:
        from vision.onnx_nets import default_models
        from vision.training.card import add_measured

        add_measured(models or default_models(), card, result.to_json())
    if as_json:
        print_json(result.to_json())
    else:
        click.echo(result.to_text())


def _evaluate_tables(data: Path, reader: PictureReader, *, rules_key: str, as_json: bool) -> None:
    from engine.rules import rule_set
    from vision.evaluate_tables import evaluate_tables
    from vision.labelled import LabelError

    try:
        with progress("Reading") as shown:
            result = evaluate_tables(data, reader, rules=rule_set(rules_key), progress=shown)
    except (FileNotFoundError, LabelError) as error:
        raise InputError(str(error)) from error
    if as_json:
        print_json(result.to_json())
    else:
        click.echo(result.to_text())


@click.command()
@click.argument("out", type=NEW_FOLDER)
@click.option("--scenes", type=click.IntRange(min=1), default=100, help="How many pictures.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="The same seed makes the same pictures.")
@click.option(
    "--looks",
    type=click.Choice(("train", "heldout")),
    default="train",
    help="Looks and fonts of training, or those kept for measuring.",
)
@click.option("--size", type=(_SIDE, _SIDE), default=(448, 448), metavar="W H", help="Pixels of a picture.")
@click.option(
    "--tile",
    type=(_TILE, _TILE),
    default=(15.0, 130.0),
    metavar="MIN MAX",
    help="Width of a flat tile in pixels.",
)
@click.option(
    "--view",
    type=click.Choice(("crops", "tables", "hard")),
    default="crops",
    help="Scenes of every layout and pieces of tables, whole tables as a camera above sees them, "
    "or what reading finds hard.",
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes; by default one a core.")
def synth(
    *,
    out: Path,
    scenes: int,
    seed: int,
    looks: Literal["train", "heldout"],
    size: tuple[int, int],
    tile: tuple[float, float],
    view: Literal["crops", "tables", "hard"],
    workers: int | None,
) -> None:
    """Render labelled pictures of tiles into OUT; a broken-off run goes on (needs the extra `train`)."""
    _require("av")
    from vision.synth.dataset import write_dataset
    from vision.synth.fonts import FontsMissingError

    if tile[0] > tile[1]:
        raise click.BadParameter("MIN is over MAX", param_hint="'--tile'")
    try:
        with progress("Rendering") as shown:
            write_dataset(
                out,
                scenes=scenes,
                seed=seed,
                looks=looks,
                size=size,
                tile_px=tile,
                view=view,
                workers=workers,
                progress=shown,
            )
    except (FontsMissingError, ValueError) as error:
        raise InputError(str(error)) from error
    note(f"{scenes} pictures in {out}")


@click.command()
@click.argument("data", type=FOLDER)
@click.argument("out", type=NEW_FOLDER)
@click.option(
    "--part", "parts", type=click.Choice(PARTS), multiple=True, default=PARTS, help="May be repeated."
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    help="For each part in all, instead of its usual time.",
)
@click.option(
    "--threads", type=click.IntRange(min=1), help="Cores to use; parts may be trained side by side."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, help="For the order and variation of the samples."
)
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint in OUT.")
@click.option(
    "--start", type=FOLDER, metavar="RUN", help="Start from the weights of an earlier run, with a new set."
)
@click.option(
    "--rate",
    type=click.FloatRange(min=0, min_open=True),
    help="Highest rate of learning, 0.002 if not given.",
)
@click.option(
    "--also",
    type=FOLDER,
    multiple=True,
    metavar="DATA",
    help="A further rendered set. May be repeated; one named twice has twice the share.",
)
@click.option(
    "--hard",
    type=FOLDER,
    metavar="MODELS",
    help="See first what these earlier models find: train against what is none, and with their corners.",
)
@click.option(
    "--blend",
    type=FOLDER,
    metavar="DATA",
    help="The rendered set of the run to start from: the faces end as the mean of both runs' weights.",
)
def train(  # noqa: PLR0913 -- the options of a command
    *,
    data: Path,
    out: Path,
    parts: tuple[str, ...],
    minutes: float | None,
    threads: int | None,
    seed: int,
    resume: bool,
    start: Path | None,
    also: tuple[Path, ...],
    rate: float | None,
    hard: Path | None,
    blend: Path | None,
) -> None:
    """Train the nets on rendered pictures in DATA, with checkpoints in OUT (needs the extra `train`)."""
    _require("torch")
    from vision.training.mining import mine
    from vision.training.run import TrainingError, check_scenes
    from vision.training.run import train as run

    each = None if minutes is None else dict.fromkeys(parts, minutes)
    try:
        if hard is not None:
            for folder in dict.fromkeys((data, *also)):
                check_scenes(folder)
                mine(folder, hard, progress=note)
        run(
            data,
            out,
            parts=parts,
            minutes=each,
            resume=resume,
            threads=threads,
            seed=seed,
            start=start,
            also=also,
            rate=rate,
            blend=blend,
            progress=note,
        )
    except TrainingError as error:
        raise InputError(str(error)) from error


@click.command()
@click.argument("run", type=FOLDER)
@click.argument("models", type=NEW_FOLDER)
@click.option(
    "--scenes",
    type=FOLDER,
    multiple=True,
    metavar="DATA",
    help="A training set: fit anew how surely a find is a tile and a face is right. May be repeated.",
)
@click.option(
    "--calibrate",
    type=FOLDER,
    multiple=True,
    metavar="DATA",
    help="A rendered set that no net was trained on, to fit on it too. May be repeated.",
)
def export(*, run: Path, models: Path, scenes: tuple[Path, ...], calibrate: tuple[Path, ...]) -> None:
    """Export the trained nets in RUN to ONNX files with their card in MODELS (needs the extra `train`)."""
    _require("torch")
    if calibrate and not scenes:
        raise click.UsageError("--calibrate adds to the training set: name that too, with --scenes DATA")
    from vision.training.export import export as write
    from vision.training.run import TrainingError

    try:
        with progress("Fitting") as shown:
            card = write(run, models, scenes=scenes, calibrate=calibrate, progress=shown)
        note(f"Models in {card.parent}")
    except TrainingError as error:
        raise InputError(str(error)) from error


@click.command()
@click.argument("models", type=FOLDER)
@click.argument("run", type=NEW_FOLDER)
@click.option(
    "--scenes",
    type=FOLDER,
    required=True,
    metavar="DATA",
    help="A rendered set, on which the layers' means and spreads are taken anew.",
)
def restore(*, models: Path, run: Path, scenes: Path) -> None:
    """Make a run to train on from out of the exported MODELS, in RUN (needs the extra `train`)."""
    _require("torch")
    from vision.training.restore import restore as write
    from vision.training.run import TrainingError

    try:
        write(models, run, scenes, progress=note)
    except TrainingError as error:
        raise InputError(str(error)) from error
    note(f"Go on from it: remi train DATA OUT --start {run}")


def _require(module: str) -> None:
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise click.UsageError("this needs the extra `train`: pip install 'remi-companion[train]'")
