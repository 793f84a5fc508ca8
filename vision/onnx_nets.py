"""The exported nets behind their card: finder, corner net, face net, ink net."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.backends import Backend

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

CARD = "model.toml"
NETS = ("finder", "corners", "faces", "inks")
NEXT_STEP = "Install anew, or write the models with `remi export`."


class ModelError(RuntimeError):
    """The weights are missing, broken, or not the ones that the card names."""


def default_models() -> Path:
    """The folder `models/` that comes with the program."""
    return Path(__file__).resolve().parent.parent / "models"


@dataclass(frozen=True)
class Card:
    """What `model.toml` says: each net's file, the thresholds chosen for them, SHA-256 where given, the
    weights of `vision.chance.Chance` and of `vision.confidence.Confidence`."""

    files: dict[str, str]
    thresholds: dict[str, float]
    digests: dict[str, str] = field(default_factory=dict)
    chance: dict[str, float] = field(default_factory=dict)
    confidence: dict[str, float] = field(default_factory=dict)


def load_card(folder: Path) -> Card:
    """Reads and checks the card of a model folder; raises ModelError."""
    path = folder / CARD
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(f"{path} is missing: it names the weights. {NEXT_STEP}") from None
    except OSError as error:
        raise ModelError(f"{path} cannot be read ({error.strerror}). {NEXT_STEP}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} is not valid TOML: {error}. {NEXT_STEP}") from error
    try:
        files = {name: str(part["file"]) for name, part in data["nets"].items()}
        digests = {name: str(part["sha256"]) for name, part in data["nets"].items() if "sha256" in part}
        thresholds = {name: float(value) for name, value in data["thresholds"].items()}
        chance, confidence = (
            {name: float(value) for name, value in data.get(table, {}).items()}
            for table in ("chance", "confidence")
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path} lacks or misspells an entry: {error}. {NEXT_STEP}") from error
    absent = [name for name in NETS if name not in files]
    if absent:
        raise ModelError(f"{path} lacks [nets.{absent[0]}] with its `file`. {NEXT_STEP}")
    return Card(files, thresholds, digests, chance, confidence)


class FaceAnswers(NamedTuple):
    """Logits of faces: number (b, 16), colour (b, 4), turned (b, 1); ink code (b, 24); the features (b, 96)
    that the numbers are read from, None from weights that do not tell them."""

    number: F32
    colour: F32
    turned: F32
    code: F32
    hidden: F32 | None = None


class Nets:
    """The four nets; arrays in, arrays out."""

    def __init__(
        self, folder: Path, card: Card, threads: int | None = None, backend: Backend | None = None
    ) -> None:
        if backend is None:
            from vision.backends import OnnxRuntime

            backend = OnnxRuntime(threads)
        self._backend = backend
        self._room = np.empty(0, np.float32)
        for name in NETS:
            path = folder / card.files[name]
            backend.load(name, path, _weights(path, card.digests.get(name)))

    @property
    def tells_features(self) -> bool:
        """Whether the face net tells its features (`FaceAnswers.hidden`), which adapters need."""
        return "hidden" in self._backend.outputs("faces")

    def find(self, image: F32) -> F32:
        """(1, 3, h, w) in 0..1, h and w multiples of 32, to (n, 6): centre x, y, w, h in pixels, two scores.

        The scores are of face up and of face down.
        """
        return np.asarray(self._run("finder", image)[0][0].T, np.float32)

    def corners(self, squares: U8) -> tuple[F32, F32]:
        """(b, 64, 64, 3) to heat logits (b, 4, 32, 32) and flag logits (b, 2)."""
        heat, flags = self._run("corners", self._planes(squares))
        return heat, flags

    def faces(self, faces: U8) -> FaceAnswers:
        """What is on the faces (b, 64, 48, 3)."""
        named = dict(
            zip(self._backend.outputs("faces"), self._run("faces", self._planes(faces)), strict=True)
        )
        return FaceAnswers(
            named["number"], named["colour"], named["turned"], named["code"], named.get("hidden")
        )

    def inks(self, evidence: F32) -> F32:
        """(n, 30) ink evidence of one picture to colour logits (n, 4)."""
        return np.asarray(self._run("inks", evidence[None])[0][0], np.float32)

    def _run(self, name: str, value: F32) -> list[Any]:
        return self._backend.run(name, value)

    def _planes(self, pictures: U8) -> F32:
        """(b, h, w, 3) to (b, 3, h, w) in 0..1, in memory that the next call uses again."""
        count, height, width, channels = pictures.shape
        if self._room.size < pictures.size:
            self._room = np.empty(pictures.size, np.float32)
        planes = self._room[: pictures.size].reshape(count, channels, height, width)
        return np.divide(pictures.transpose(0, 3, 1, 2), np.float32(255), out=planes)


def _weights(path: Path, digest: str | None) -> bytes:
    """The bytes of a net, as the card knows them: other weights would read with the wrong thresholds."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read ({error.strerror}). {NEXT_STEP}") from error
    if not data:
        raise ModelError(f"{path} is empty. {NEXT_STEP}")
    if digest is not None and hashlib.sha256(data).hexdigest() != digest.lower():
        raise ModelError(f"{path} is not the file that the card names (its SHA-256 differs). {NEXT_STEP}")
    return data
