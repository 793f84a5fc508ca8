"""Draws the look of a tile set at random: size, body, inks, digits, ornament, jokers, wear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.synth.fonts import FontFile, Split, installed

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
    "train": (
        "smile", "jester", "jester_body", "half_faces", "half_figures", "hat_man", "clown", "devil",
        "cat", "dog", "bird", "fish", "butterfly", "robot", "skull", "theatre_mask", "eye_mask",
        "stick_man", "glyph", "word", "word_angle", "word_ring", "letter_ring", "star_rings", "big_star",
        "chip", "sun", "moon", "flower", "dice", "bell", "hearts", "tree", "emblem", "mandala",
        "polygons", "blobs", "scribble", "sectors", "pinwheel", "landscape", "lattice", "bolt", "bottle",
    ),
    "heldout": ("crown", "spiral", "letter_j", "owl", "ship_wheel", "guitar"),
}  # fmt: skip
#: Like numbers at a glance: letters, and round or jagged things on stems. Only hard scenes have them, so that
#: all other scenes of a seed stay what they were.
HARD_JOKERS = (
    "letter", "letter", "letter", "letter_sign", "print_word", "key", "spoon", "cherries", "hammer",
    "umbrella", "balloon", "mushroom", "castle", "tulip", "comb", "anchor", "lens", "apple",
)  # fmt: skip
#: Kinds drawn more often than the others: what real sets have most, and what is like nothing.
_OFTEN = {
    "scribble": 3.0,
    "smile": 2.0,
    "jester": 2.0,
    "word": 1.5,
    "glyph": 2.0,
    "mandala": 1.5,
}
_JOKER_INKS = {
    "r": 0.24, "k": 0.26, "b": 0.06, "y": 0.04, "rk": 0.12, "kr": 0.08, "by": 0.04, "rb": 0.04, "ky": 0.03,
    "rkb": 0.03, "rkyb": 0.04, "kryb": 0.02,
}  # fmt: skip
#: How backs are made, and the patterns of the patterned ones.
BACKS = {"blank": 0.75, "two_tone": 0.06, "logo": 0.08, "pattern": 0.06, "text": 0.05}
BACK_PATTERNS: dict[Split, tuple[str, ...]] = {
    "train": ("chequer", "stripes", "lattice", "dots"),
    "heldout": ("waves", "rings"),
}
HARD_PATTERNS = (*BACK_PATTERNS["train"], "bricks", "crosses", "triangles")


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
    back_style: str  # one of BACKS, the pattern's name for a patterned one
    back_second: Rgb
    frame: bool
    rounding: float  # of the strokes' ends and corners, in hundredths of the digit's height
    outline: str | None  # hollow: only the digit's edge is inked; rim: a darker edge
    missing: float  # share of the paint that has come off in parts
    yellowing: float  # 0..1, uneven
    stains: float  # expected number on a face
    scratches: float  # expected number on a face
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
    (200, 30, 38), (226, 60, 70), (180, 24, 30), (220, 40, 40), (150, 30, 45), (235, 45, 60), (128, 20, 40),
    (149, 33, 27), (226, 88, 93),
)
_BLUE: tuple[Rgb, ...] = (
    (20, 70, 180), (10, 56, 120), (6, 90, 170), (25, 120, 200), (30, 50, 140), (40, 80, 200),
    (6, 56, 107), (22, 38, 92), (28, 48, 112), (14, 34, 84),
)
_TEAL: tuple[Rgb, ...] = (
    (0, 140, 160), (0, 120, 120), (20, 150, 190), (0, 110, 105), (30, 160, 180), (0, 160, 215),
)
_YELLOW: tuple[Rgb, ...] = (
    (228, 178, 14), (236, 190, 26), (240, 196, 44), (216, 168, 20), (232, 184, 60),
)
_ORANGE: tuple[Rgb, ...] = (
    (245, 150, 40), (240, 130, 30), (235, 155, 50), (230, 116, 18), (238, 120, 40), (250, 160, 60),
    (226, 138, 24),
)
_OCHRE: tuple[Rgb, ...] = ((196, 120, 40), (178, 101, 33), (185, 130, 20), (170, 112, 40), (205, 140, 60))
_GREEN: tuple[Rgb, ...] = (
    (20, 130, 60), (40, 150, 60), (0, 110, 50), (60, 160, 70), (30, 120, 40), (90, 160, 40),
)
_BLACK: tuple[Rgb, ...] = (
    (22, 22, 26), (35, 36, 44), (15, 15, 15), (45, 46, 58), (30, 28, 28), (60, 66, 78), (12, 12, 14),
    (52, 56, 66), (38, 42, 54),
)
_WASHED: tuple[Rgb, ...] = ((84, 86, 92), (74, 76, 84), (92, 92, 96), (80, 74, 72))
# fmt: on


def _fourth(rng: np.random.Generator) -> tuple[Rgb, ...]:
    draw = rng.random()
    if draw < 0.2:
        return _GREEN
    if draw < 0.45:
        return _YELLOW
    return _ORANGE if draw < 0.9 else _OCHRE


def _inks(rng: np.random.Generator, style: str) -> dict[str, Rgb]:
    fourth = _fourth(rng)
    # A set never prints teal beside green: players could not tell them apart.
    teal = fourth is not _GREEN and rng.random() < (0.75 if style == "us" else 0.12)

    def pick(pool: tuple[Rgb, ...]) -> Rgb:
        return _jitter(rng, pool[rng.integers(len(pool))], 6)

    red, blue, last = pick(_RED), pick(_TEAL if teal else _BLUE), pick(fourth)
    black = pick(_WASHED if rng.random() < 0.08 else _BLACK)
    # Within one set black and blue differ, and so do red and the fourth colour, or nobody could play with it.
    while _chroma(blue) - _chroma(black) < 55 or float(np.abs(np.subtract(blue, black)).max()) < 55:
        black = _jitter(rng, (30, 30, 32), 5)
        blue = pick(_TEAL if teal else _BLUE)
    while fourth is not _GREEN and (last[1] - red[1]) - 0.5 * abs(last[0] - red[0]) < 40:
        red = pick(_RED)
    return {"r": red, "y": last, "b": blue, "k": black}


def _chroma(rgb: Rgb) -> float:
    """How much bluer than red or brown a colour is."""
    return rgb[2] - rgb[0]


@dataclass(frozen=True)
class _Back:
    first: Rgb
    style: str
    second: Rgb


def _back(rng: np.random.Generator, split: Split, body: Rgb) -> _Back:
    """Blank backs of the body's colour are the commonest by far."""
    style = str(rng.choice(list(BACKS), p=list(BACKS.values())))
    second = _jitter(rng, (rng.uniform(20, 230), rng.uniform(20, 210), rng.uniform(20, 210)), 5)
    if style == "pattern":
        style = str(rng.choice(BACK_PATTERNS[split]))
    own = rng.random() < (0.87 if style == "blank" else 0.6)
    if own:
        return _Back(body, style, second)
    shade = rng.uniform(0.45, 0.8) if rng.random() < 0.3 else None
    first = second if shade is None else (body[0] * shade, body[1] * shade, body[2] * shade)
    return _Back(first, style, body if rng.random() < 0.5 else _jitter(rng, (200, 190, 170), 20))


def draw_look(
    rng: np.random.Generator,
    split: Split = "train",
    style: str | None = None,
    *,
    fonts: Sequence[tuple[FontFile, float]] | None = None,
) -> Look:
    """A random tile set of a split; the same generator state gives the same set.

    `fonts` with their shares of the draw are those installed of the split where not given.
    """
    if style is None:
        style = str(rng.choice(list(STYLES), p=np.asarray(list(STYLES.values())) / sum(STYLES.values())))
    fonts = fonts or installed(split)
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
    count = 1 if rng.random() < 0.5 else 2
    odds = np.asarray([_OFTEN.get(kind, 1.0) for kind in jokers])
    thin = style == "engraved" and rng.random() < 0.4
    back = _back(rng, split, body)
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
        spacing=rng.uniform(-0.12, 0.02),
        bold=rng.uniform(-0.035, -0.012) if thin else rng.normal(0, 0.014),
        digit_height=height,
        digit_centre=centre,
        relief=rng.uniform(0.3, 1.2) if engraved else (rng.uniform(0, 0.25) if rng.random() < 0.3 else 0.0),
        dish=dish,
        emboss=emboss,
        ornament=ornament,
        ornament_centre=rng.uniform(0.66, 0.80),
        ring_around=style == "romanian" and rng.random() < 0.35,
        mark_69=str(rng.choice(["dot", "bar", "dotted_bar"])) if marked else None,
        joker=tuple(str(kind) for kind in rng.choice(jokers, count, p=odds / odds.sum())),
        joker_inks=tuple(
            str(inks) for inks in rng.choice(list(_JOKER_INKS), 2, p=list(_JOKER_INKS.values()))
        ),
        wear=rng.uniform(0.15, 0.6) if rng.random() < (0.35 if engraved else 0.08) else 0.0,
        gloss=rng.uniform(0.05, 0.9) if rng.random() < 0.75 else 0.0,
        gloss_power=float(np.exp(rng.uniform(np.log(15), np.log(250)))),
        grain=rng.uniform(0, 0.02),
        back=back.first,
        back_style=back.style,
        back_second=back.second,
        frame=rng.random() < 0.06,
        rounding=rng.uniform(1.5, 3.5) if engraved and rng.random() < 0.6 else 0.0,
        outline=str(rng.choice(["hollow", "rim"], p=[0.35, 0.65])) if rng.random() < 0.06 else None,
        missing=rng.uniform(0.05, 0.3) if rng.random() < (0.18 if engraved else 0.05) else 0.0,
        yellowing=rng.uniform(0.1, 0.8) if rng.random() < 0.2 else 0.0,
        stains=rng.uniform(0.3, 3) if rng.random() < 0.12 else 0.0,
        scratches=rng.uniform(0.5, 6) if rng.random() < 0.2 else 0.0,
        seed=int(rng.integers(2**31)),
    )
