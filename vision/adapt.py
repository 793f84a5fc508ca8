"""Teaches the reader a tile set from its census: a correction of its last layers, fitted in seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import TILE_COLOURS, Face
from vision.classes import BACK
from vision.crops import FACE_SIZE
from vision.ink_scene import judge_inks, learn_inks
from vision.joker_looks import JokerLooks
from vision.judging import Faces
from vision.known_inks import KnownInks, know_inks
from vision.odds import log_softmax, softmax
from vision.sightings import Listener, Sighting

if TYPE_CHECKING:
    from vision.census import Census
    from vision.reader import Reader

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

ROUNDS: Final = 16
"""Pictures that the census is made into: itself, and others smaller, darker, blurred, noisy, askew."""

_NUMBERS = 14  # joker and 1 to 13
_FEATURES = 0.1  # scale of features beside the constant one, so that one ridge fits all
_RIDGE = 1e-4
_STEPS = 100
_FLOOR = 1e-6
_BACKS = 0.3  # jokers that look so much like a back on average set the class of backs free


@dataclass(frozen=True)
class Lesson:
    """What the reader learnt of a set.

    `number` (14, d + 1) weighs the face net's features (d,), divided by `scale`, and a constant; it is added
    to the log chances of the numbers. Chances of "no tile" stay as they are, those of a back too unless
    `backs`: then a joker may be told from a back. `inks` (4, 3) and `spread` (3, 3) are those of
    vision.ink_scene, `known` those of each tile; None where too little was seen of a colour. `here` says that
    what is read now is seen by the camera that saw them: then tiles are judged among these. `jokers` is how
    those of the set look; None where there are none.
    """

    number: F32
    scale: float
    backs: bool
    inks: F32 | None = None
    spread: F32 | None = None
    known: KnownInks | None = None
    here: bool = False
    jokers: JokerLooks | None = None

    @property
    def context(self) -> F32 | None:
        """Evidence (m, 30) on the set's inks, where what is read is seen by the camera that saw them."""
        return self.known.rows if self.here and self.known is not None else None

    def adjust(self, faces: Faces, features: F32, inks: F32) -> Faces:
        """The faces of a picture as someone reads them who knows the set; see `vision.reader.Adapter`."""
        if len(faces.number) == 0:
            return faces
        known = _NUMBERS + self.backs
        likely = faces.number[:, :known]
        shift = _columns(features, self.scale) @ self.number.T
        if self.backs:
            shift = np.pad(shift, ((0, 0), (0, 1)))
        number = faces.number.copy()
        number[:, :known] = softmax(np.log(likely + _FLOOR) + shift) * likely.sum(axis=1, keepdims=True)
        if self.jokers is not None:
            number = self.jokers.judge(number, features, inks[:, -6:-3])
        colour = faces.colour.copy()
        inked = np.flatnonzero(number[:, 1:_NUMBERS].sum(axis=1) > 0.5)
        if self.here and self.known is not None:
            colour[inked] = self.known.judge(colour[inked], inks[inked])
        elif self.inks is not None and self.spread is not None:
            colour[inked] = judge_inks(colour[inked], inks[inked, -6:], self.inks, self.spread)
        return replace(faces, number=number, colour=colour, agree=_agree(faces, number))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The lesson as arrays to store."""
        arrays: dict[str, NDArray[np.generic]] = {
            "number": self.number,
            "scale": np.asarray(self.scale, np.float32),
            "backs": np.asarray(self.backs),
        }
        if self.inks is not None and self.spread is not None:
            arrays |= {"inks": self.inks, "spread": self.spread}
        if self.known is not None:
            arrays |= {"rows": self.known.rows, "colours": self.known.colours}
        if self.jokers is not None:
            arrays |= self.jokers.arrays()
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Lesson:
        """The lesson that `arrays` gave; ValueError where they are none."""
        try:
            number = np.asarray(arrays["number"], np.float32)
            scale, backs = float(np.asarray(arrays["scale"])), bool(np.asarray(arrays["backs"]))
        except KeyError as error:
            raise ValueError(f"a lesson lacks {error}") from None
        inks, spread, rows = (
            np.asarray(arrays[key], np.float32) if key in arrays else None
            for key in ("inks", "spread", "rows")
        )
        shapes = [None if part is None else part.shape for part in (inks, spread)]
        if number.ndim != 2 or len(number) != _NUMBERS or shapes not in ([None, None], [(4, 3), (3, 3)]):
            raise ValueError("a lesson's arrays have other shapes")
        known = None
        if rows is not None and "colours" in arrays:
            known = KnownInks(rows, np.asarray(arrays["colours"], np.int64))
        return cls(number, scale, backs, inks, spread, known, jokers=_jokers(arrays, number.shape[1] - 1))


def _jokers(arrays: Mapping[str, NDArray[np.generic]], width: int) -> JokerLooks | None:
    """How the jokers look, as `arrays` say it; None where a lesson of before does not."""
    if "joker_looks" not in arrays:
        return None
    try:
        parts = [
            np.asarray(arrays[f"joker_{name}"], np.float32) for name in ("looks", "middle", "spread", "inks")
        ]
    except KeyError as error:
        raise ValueError(f"a lesson lacks {error}") from None
    if parts[0].ndim != 2 or [part.shape[-1] for part in parts] != [*[width] * 3, 3]:
        raise ValueError("a lesson's arrays have other shapes")
    return JokerLooks(*parts)


def learn(reader: Reader, sighting: Sighting, census: Census, *, seed: int = 0) -> Lesson:
    """What the reader learns from the tiles of a census that are named; those still asked teach nothing.

    The same seed gives the same lesson. ValueError where no tile is named.
    """
    chosen = [
        index for index, tile in enumerate(census.tiles) if isinstance(tile.face, Face) and not tile.asked
    ]
    if not chosen:
        raise ValueError("no tile of the census is named: settle the tiles that are asked first")
    faces = [face for index in chosen if isinstance(face := census.tiles[index].face, Face)]
    numbers = np.asarray([face.number for face in faces], np.int64)
    colours = np.asarray([TILE_COLOURS.index(face.colour) if face.colour else -1 for face in faces], np.int64)
    looks = [_seen(reader, list(crops)) for crops in _varied(sighting.crops[chosen], seed)]
    number, hidden = (np.concatenate(part) for part in zip(*looks, strict=True))
    lesson = _fitted(number, hidden, np.tile(numbers, len(looks)))
    of_set = np.tile(numbers == 0, len(looks))
    jokers = JokerLooks.of(hidden, of_set, hidden[: len(chosen)], sighting.measured[chosen][:, :3])
    lesson = replace(lesson, jokers=jokers)
    lesson = replace(lesson, known=know_inks(sighting.inks[chosen], colours))
    learnt = learn_inks(sighting.measured[chosen], colours)
    return lesson if learnt is None else replace(lesson, inks=learnt[0], spread=learnt[1])


def _fitted(number: F32, hidden: F32, numbers: I64) -> Lesson:
    jokers = numbers == 0
    backs = bool(jokers.any() and number[jokers, BACK].mean() > _BACKS)
    scale = float(hidden.std()) or 1.0
    known = _NUMBERS + backs
    base = np.log(number[:, :known].astype(np.float64) + _FLOOR)
    weights = _ridge(_columns(hidden, scale).astype(np.float64), base, numbers, free=_NUMBERS)
    return Lesson(weights.astype(np.float32), scale, backs)


def _agree(faces: Faces, number: F32) -> F32 | None:
    """How likely the number is in the look that says less: where the set teaches another one, as taught."""
    if faces.agree is None:
        return None
    best = number.argmax(axis=1)
    taught = number[np.arange(len(number)), best]
    same = best == faces.number.argmax(axis=1)
    return np.asarray(np.where(same, np.maximum(faces.agree, np.minimum(taught, 0.9)), taught), np.float32)


def _columns(features: F32, scale: float) -> F32:
    """(n, d + 1): features and a constant."""
    ones = np.full((len(features), 1), _FEATURES)
    return np.concatenate([features * (_FEATURES / scale), ones], axis=1).astype(np.float32)


def _ridge(columns: F64, base: F64, classes: I64, *, free: int) -> F64:
    """Weights (free, d) that, added to the log chances `base` (n, k), make the classes likeliest.

    Multinomial logistic regression with a ridge, by accelerated gradient; only the first `free` classes have
    weights.
    """
    count, width = columns.shape
    target = np.eye(base.shape[1])[classes]
    step = 1 / (0.5 * float(np.linalg.eigvalsh(columns.T @ columns / count)[-1]) + _RIDGE)
    weights = np.zeros((base.shape[1], width))
    ahead, pace = weights.copy(), 1.0
    for _ in range(_STEPS):
        # Not by BLAS: its threads wait for each other at every step where other programs keep the cores busy.
        chance = np.exp(
            log_softmax((base + np.einsum("nd,kd->nk", columns, ahead)).astype(np.float32)).astype(np.float64)
        )
        slope = np.einsum("nk,nd->kd", chance - target, columns) / count + _RIDGE * ahead
        slope[free:] = 0
        fresh = ahead - step * slope
        faster = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
        ahead = fresh + (pace - 1) / faster * (fresh - weights)
        weights, pace = fresh, faster
    return np.asarray(weights[:free], np.float64)


def _seen(reader: Reader, crops: Sequence[U8]) -> tuple[F32, F32]:
    """What the untaught reader sees of the faces of one picture: chances of numbers, features."""
    before, listener = reader.adapter, Listener()
    reader.adapter = listener
    try:
        faces = reader.read_faces(crops)
    finally:
        reader.adapter = before
    return faces.number, listener.hidden


def _varied(crops: U8, seed: int) -> list[U8]:
    """The crops (n, 64, 48, 3) as they are, and as other pictures may show them, one light to a picture."""
    rng = np.random.default_rng(seed)
    return [crops, *(_picture(crops, rng) for _ in range(ROUNDS - 1))]


def _picture(crops: U8, rng: np.random.Generator) -> U8:
    width = float(np.exp(rng.uniform(np.log(14), np.log(FACE_SIZE[0]))))  # pixels of a tile
    warm = rng.normal(0, 0.08)
    light = np.asarray([1 - warm * 1.2, 1 + rng.normal(0, 0.02), 1 + warm]) * np.exp(rng.normal(0, 0.25))
    gamma = float(np.exp(rng.normal(0, 0.15)))
    blur = float(rng.uniform(0, 0.9)) * min(1.2, width / 20)
    veil = float(rng.uniform(0, 0.1)) if rng.random() < 0.3 else 0.0
    grain = float(np.exp(rng.uniform(np.log(0.002), np.log(0.035))))
    quality = int(rng.integers(45, 95))
    turned = rng.random() < 0.3
    shown = []
    for crop in crops:
        face = _reduced(_askew(crop, rng), width, blur)
        lit = np.clip(face.astype(np.float32) / 255 * light, 0, 1) ** gamma * (1 - veil) + veil
        lit += rng.normal(0, grain, lit.shape)
        face = _compressed((np.clip(lit, 0, 1) * 255).astype(np.uint8), quality)
        face = np.asarray(cv2.resize(face, FACE_SIZE, interpolation=cv2.INTER_LINEAR), np.uint8)
        shown.append(face[::-1, ::-1] if turned else face)
    return np.stack(shown)


def _askew(crop: U8, rng: np.random.Generator) -> U8:
    """A face cut with corners as wrong as the corner net's."""
    width, height = FACE_SIZE
    corners = np.asarray([(3, 4), (width - 3, 4), (width - 3, height - 4), (3, height - 4)], np.float32)
    moved = corners + rng.normal(0, 1.3, (4, 2)) + rng.normal(0, 0.7, (1, 2))
    matrix = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    return np.asarray(cv2.warpPerspective(crop, matrix, FACE_SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _reduced(crop: U8, width: float, blur: float) -> U8:
    size = (max(8, round(width)), max(10, round(width * FACE_SIZE[1] / FACE_SIZE[0])))
    small = cv2.resize(crop, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), blur) if blur > 0.2 else small, np.uint8)


def _compressed(face: U8, quality: int) -> U8:
    done, data = cv2.imencode(".jpg", face, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("the JPEG encoder refused the crop of a tile")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
