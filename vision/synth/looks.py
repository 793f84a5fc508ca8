"""Draws the look of a tile set at random: size, body, inks, digits, ornament, jokers, wear."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.synth.fonts import Split, installed

Rgb = tuple[float, float, float]

#: How often each family of look is drawn. The names are the "looks" of evaluation tables.
STYLES: dict[str, float] = {
    "classic": 0.26,  # dish under the digit, embossed name below
    "engraved": 0.22,  # engraved strokes filled with paint, ring with a heart or spade
    "romanian": 0.16,  # ring or circle round or below the digit
    "flat": 0.16,  # printed, nothing else, sometimes a dot
    "large_print": 0.10,
    "us": 0.10,  # bigger digit near the middle, teal for blue
}
ORNAMENTS: dict[Split, tuple[str, ...]] = {
    "train": (
        "heart_ring",
        "spade_ring",
        "ring",
        "dot",
        "small_ring",
        "star",
        "line",
        "diamond",
        "double_ring",
    ),
    "heldout": ("club_ring", "square", "flower"),
}
JOKERS: dict[Split, tuple[str, ...]] = {
    "train": ("smile", "star_rings", "half_faces", "glyph", "word", "jester", "chip", "big_star", "sun"),
    "heldout": ("crown", "spiral", "letter_j"),
}


@dataclass(frozen=True)
class Look:
    """One physical tile set. Lengths in mm; fractions are of the tile's width unless said otherwise."""

    style: str
    split: Split
    width_mm: float
    height_mm: float
    thickness_mm: float
    corner: float
    bevel: float
    body: Rgb
    wall_tint: float
    inks: dict[str, Rgb]
    font: Path
    stretch: float
    shear: float
    spacing: float
    bold: float
    digit_height: float  # fraction of the tile's height
    digit_centre: float  # fraction of the tile's height from the top
    relief: float  # depth of engraving, 0 = printed
    dish: bool
    emboss: bool
    ornament: str | None
    ornament_centre: float
    ring_around: bool
    mark_69: str | None
    joker: tuple[str, ...]
    joker_inks: tuple[str, ...]
    wear: float
    gloss: float
    gloss_power: float
    grain: float
    back: Rgb
    frame: bool
    seed: int


def _jitter(rng: np.random.Generator, rgb: Rgb, spread: float) -> Rgb:
    value = np.clip(np.asarray(rgb) + rng.normal(0, spread, 3), 2, 250)
    return (float(value[0]), float(value[1]), float(value[2]))


# fmt: off
_BODIES: tuple[Rgb, ...] = (
    (240, 233, 214), (238, 228, 205), (236, 222, 190), (243, 240, 232), (245, 244, 242), (233, 224, 200),
    (228, 208, 168), (222, 200, 150), (238, 232, 222), (230, 226, 214), (214, 196, 160),
)
_RED: tuple[Rgb, ...] = (
    (200, 30, 38), (226, 60, 70), (180, 24, 30), (220, 40, 40), (150, 30, 45), (235, 45, 60),
)
_BLUE: tuple[Rgb, ...] = (
    (20, 70, 180), (10, 56, 120), (6, 90, 170), (25, 120, 200), (30, 50, 140), (40, 80, 200),
)
_TEAL: tuple[Rgb, ...] = ((0, 140, 160), (0, 120, 120), (20, 150, 190), (0, 110, 105), (30, 160, 180))
_YELLOW: tuple[Rgb, ...] = (
    (245, 150, 40), (240, 130, 30), (235, 165, 60), (230, 110, 20), (215, 150, 20), (240, 190, 30),
    (196, 120, 40), (225, 175, 20), (250, 170, 70), (185, 130, 20),
)
_GREEN: tuple[Rgb, ...] = (
    (20, 130, 60), (40, 150, 60), (0, 110, 50), (60, 160, 70), (30, 120, 40), (90, 160, 40),
)
_BLACK: tuple[Rgb, ...] = ((22, 22, 26), (35, 36, 44), (15, 15, 15), (45, 46, 58), (30, 28, 28))
# fmt: on


def _inks(rng: np.random.Generator, style: str) -> dict[str, Rgb]:
    green = rng.random() < 0.2
    # A set never prints teal beside green: players could not tell them apart.
    teal = not green and rng.random() < (0.75 if style == "us" else 0.12)

    def pick(pool: tuple[Rgb, ...]) -> Rgb:
        return _jitter(rng, pool[rng.integers(len(pool))], 8)

    return {
        "r": pick(_RED),
        "y": pick(_GREEN if green else _YELLOW),
        "b": pick(_TEAL if teal else _BLUE),
        "k": pick(_BLACK),
    }


def draw_look(rng: np.random.Generator, split: Split = "train", style: str | None = None) -> Look:
    """A random tile set of a split; the same generator state gives the same set."""
    if style is None:
        style = str(rng.choice(list(STYLES), p=np.asarray(list(STYLES.values())) / sum(STYLES.values())))
    fonts = installed(split)
    shares = np.asarray([share for _, share in fonts])
    font = fonts[int(rng.choice(len(fonts), p=shares / shares.sum()))][0]
    ornaments, jokers = ORNAMENTS[split], JOKERS[split]
    height, centre = {
        "classic": (rng.uniform(0.28, 0.38), rng.uniform(0.28, 0.37)),
        "engraved": (rng.uniform(0.34, 0.48), rng.uniform(0.27, 0.34)),
        "romanian": (rng.uniform(0.30, 0.46), rng.uniform(0.27, 0.37)),
        "flat": (rng.uniform(0.32, 0.50), rng.uniform(0.29, 0.42)),
        "large_print": (rng.uniform(0.50, 0.64), rng.uniform(0.38, 0.45)),
        "us": (rng.uniform(0.31, 0.42), rng.uniform(0.36, 0.44)),
    }[style]
    ornament: str | None = None
    often = {"engraved": 0.85, "romanian": 0.85, "flat": 0.35, "us": 0.35}.get(style)
    if often is not None and rng.random() < often:
        ornament = str(rng.choice(ornaments))
    dish = style == "classic" or (style == "us" and rng.random() < 0.4)
    emboss = style == "classic" and rng.random() < 0.8
    # A centred digit with nothing else on the face needs a mark: a real set without one is unplayable.
    bare = ornament is None and not dish and not emboss
    marked = (bare and centre + height / 2 > 0.56) or rng.random() < 0.15
    engraved = style == "engraved" or (style in ("romanian", "us", "large_print") and rng.random() < 0.5)
    width = rng.uniform(24, 28)
    body = _jitter(rng, _BODIES[rng.integers(len(_BODIES))], 5)
    count = 1 if rng.random() < 0.6 else 2
    return Look(
        style=style,
        split=split,
        width_mm=width,
        height_mm=width / rng.uniform(0.68, 0.76),
        thickness_mm=width * rng.uniform(0.22, 0.38),
        corner=rng.uniform(0.04, 0.09),
        bevel=rng.uniform(0.06, 0.11) if style == "classic" else rng.choice([0.015, 0.03, 0.06]),
        body=body,
        wall_tint=rng.uniform(0.85, 1.12),
        inks=_inks(rng, style),
        font=font.path,
        stretch=rng.uniform(0.82, 1.18),
        shear=rng.uniform(-0.04, 0.12) if rng.random() < 0.2 else 0.0,
        spacing=rng.uniform(-0.10, 0.02),
        bold=rng.normal(0, 0.012),
        digit_height=height,
        digit_centre=centre,
        relief=rng.uniform(0.3, 1.2) if engraved else (rng.uniform(0, 0.25) if rng.random() < 0.3 else 0.0),
        dish=dish,
        emboss=emboss,
        ornament=ornament,
        ornament_centre=rng.uniform(0.66, 0.80),
        ring_around=style == "romanian" and rng.random() < 0.35,
        mark_69=str(rng.choice(["dot", "bar"])) if marked else None,
        joker=tuple(str(rng.choice(jokers)) for _ in range(count)),
        joker_inks=tuple(
            str(rng.choice(["r", "k", "b", "y", "rk"], p=[0.35, 0.35, 0.1, 0.05, 0.15])) for _ in range(2)
        ),
        wear=rng.uniform(0.15, 0.6) if rng.random() < (0.35 if engraved else 0.08) else 0.0,
        gloss=rng.uniform(0.05, 0.9) if rng.random() < 0.75 else 0.0,
        gloss_power=float(np.exp(rng.uniform(np.log(15), np.log(250)))),
        grain=rng.uniform(0, 0.02),
        back=body
        if rng.random() < 0.85
        else _jitter(rng, (rng.uniform(30, 220), rng.uniform(30, 200), rng.uniform(30, 200)), 5),
        frame=rng.random() < 0.06,
        seed=int(rng.integers(2**31)),
    )
