"""`remi evaluate`, `synth`, `train` and `export`: the model's life."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import click

from companion.options import FOLDER, NEW_FOLDER, json_option
from companion.output import InputError, note, print_json, progress

PARTS: Final = ("finder", "corners", "faces")


@click.command()
@click.argument("data", type=FOLDER)
@json_option
@click.option("--report", type=NEW_FOLDER, metavar="DIR", help="Write a page with the worst crops.")
def evaluate(*, data: Path, as_json: bool, report: Path | None) -> None:
    """Measure the reader on labelled pictures in DATA."""
    from vision.evaluate import evaluate as measure

    from companion import readers

    try:
        result = measure(data, readers.load_reader())
    except FileNotFoundError as error:
        raise InputError(f"{data} does not hold labelled pictures: {error}") from error
    if report is not None:
        result.write_report(report)
        note(f"Report: {report}")
    if as_json:
        print_json(result.to_json())
    else:
        click.echo(result.to_text())


@click.command()
@click.argument("out", type=NEW_FOLDER)
@click.option("--scenes", type=click.IntRange(min=1), default=100, help="How many pictures.")
@click.option("--seed", type=int, default=0, help="The same seed makes the same pictures.")
@click.option(
    "--looks",
    type=click.Choice(("train", "heldout")),
    default="train",
    help="Looks and fonts of training, or those kept for measuring.",
)
def synth(*, out: Path, scenes: int, seed: int, looks: Literal["train", "heldout"]) -> None:
    """Render labelled pictures of tiles on tables into OUT."""
    from vision.synth.dataset import write_dataset

    with progress("Rendering") as report:
        write_dataset(out, scenes=scenes, seed=seed, looks=looks, progress=report)
    note(f"{scenes} pictures in {out}")


@click.command()
@click.argument("data", type=FOLDER)
@click.argument("out", type=NEW_FOLDER)
@click.option(
    "--part", "parts", type=click.Choice(PARTS), multiple=True, default=PARTS, help="May be repeated."
)
@click.option("--minutes", type=click.FloatRange(min=1), default=60, help="For each part.")
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint in OUT.")
@click.option("--real", type=FOLDER, help="Labelled real photos to mix in; only those of train.txt are used.")
def train(
    *, data: Path, out: Path, parts: tuple[str, ...], minutes: float, resume: bool, real: Path | None
) -> None:
    """Train the models on rendered pictures in DATA, with checkpoints in OUT (needs the extra `train`)."""
    _require_torch()
    from vision.training.run import train as run

    run(data, out, parts=parts, minutes=minutes, resume=resume, real=real)


@click.command()
@click.argument("run", type=FOLDER)
@click.argument("models", type=NEW_FOLDER)
def export(*, run: Path, models: Path) -> None:
    """Export the trained models in RUN to ONNX files with cards in MODELS (needs the extra `train`)."""
    _require_torch()
    from vision.training.export import export as write

    write(run, models)
    note(f"Models in {models}")


def _require_torch() -> None:
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise click.UsageError("training needs the extra `train`: pip install 'remi-companion[train]'")
