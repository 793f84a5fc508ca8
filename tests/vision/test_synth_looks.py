"""Looks obey what real sets do, and nothing that measures was trained on."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.synth import joker_look_alikes, joker_signs
from vision.synth.faces import FaceFactory
from vision.synth.fonts import FAMILIES, FontsMissingError, Split, installed, packages, symbol_font
from vision.synth.joker_parts import BARE, Drawing, oval, poly
from vision.synth.jokers import KINDS, draw_joker
from vision.synth.looks import (
    BACK_PATTERNS,
    BACKS,
    HARD_JOKERS,
    JOKERS,
    ORNAMENTS,
    STYLES,
    Look,
    draw_look,
)
from vision.synth.masks import glyph_mask

SPLITS: tuple[Split, ...] = ("train", "heldout")


#: A set that came out of its box today.
NEW: dict[str, Any] = {
    "wear": 0.0,
    "grain": 0.0,
    "missing": 0.0,
    "stains": 0.0,
    "scratches": 0.0,
    "yellowing": 0.0,
}


def many(split: Split, count: int, style: str | None = None) -> list[Look]:
    return [draw_look(np.random.default_rng([11, seed]), split, style) for seed in range(count)]


def test_the_same_generator_state_gives_the_same_look(fonts: None) -> None:
    assert many("train", 5) == many("train", 5)
    assert len({look.seed for look in many("train", 30)}) == 30


@pytest.mark.parametrize("split", SPLITS)
def test_a_bare_centred_digit_has_a_mark(fonts: None, split: Split) -> None:
    bare = [look for look in many(split, 600) if look.ornament is None and not look.dish and not look.emboss]
    low = [look for look in bare if look.digit_centre + look.digit_height / 2 > 0.56]
    assert len(low) > 20
    assert all(look.mark_69 for look in low)
    # The others carry the digit in the upper half, which says which way is up.
    assert all(look.mark_69 or look.digit_centre < 0.43 for look in bare)


@pytest.mark.parametrize("style", list(STYLES))
def test_a_six_upside_down_is_no_nine(fonts: None, style: str) -> None:
    for look in many("train", 6, style):
        factory = FaceFactory(replace(look, **NEW))
        six, nine = (factory.texture(face, 100).colour for face in ("k6", "k9"))
        apart = np.abs(six[::-1, ::-1] - nine).max(axis=2) > 0.2
        inked = np.abs(nine - np.median(nine, axis=(0, 1))).max(axis=2) > 0.2
        assert apart.sum() > 0.15 * inked.sum(), look


@pytest.mark.parametrize("split", SPLITS)
def test_teal_and_green_are_never_in_one_set(fonts: None, split: Split) -> None:
    seen = set()
    for look in many(split, 400):
        (_, green, blue), (red, leaf, _) = look.inks["b"], look.inks["y"]
        seen.add((green > 0.7 * blue, leaf > red))
    assert seen == {(False, False), (True, False), (False, True)}


@pytest.mark.parametrize("split", SPLITS)
def test_tiles_have_the_measures_of_real_ones(fonts: None, split: Split) -> None:
    for look in many(split, 200):
        assert 0.67 < look.width_mm / look.height_mm < 0.77
        assert 0.2 < look.thickness_mm / look.width_mm < 0.4
        assert look.digit_centre - look.digit_height / 2 > 0.02
        assert look.digit_centre + look.digit_height / 2 < 0.8
        assert set(look.inks) == set("rybk")


def test_every_style_is_drawn(fonts: None) -> None:
    assert {look.style for look in many("train", 100)} == set(STYLES)


def test_an_unknown_style_is_refused(fonts: None) -> None:
    with pytest.raises(KeyError):
        draw_look(np.random.default_rng(0), "train", "art deco")


def test_what_measures_was_never_trained_on(fonts: None) -> None:
    assert not set(ORNAMENTS["train"]) & set(ORNAMENTS["heldout"])
    assert not set(JOKERS["train"]) & set(JOKERS["heldout"])
    trained, held = ({font.path.name for font, _ in installed(split)} for split in SPLITS)
    assert len(trained) > 20
    assert len(held) > 5
    assert not trained & held
    by_split = {split: {family.package for family in FAMILIES if family.split == split} for split in SPLITS}
    assert not by_split["train"] & by_split["heldout"]
    for split in SPLITS:
        looks = many(split, 220)
        names = {look.font.name for look in looks}
        assert names <= {font.path.name for font, _ in installed(split)}
        assert {look.ornament for look in looks} - {None} == set(ORNAMENTS[split])
        assert {kind for look in looks for kind in look.joker} == set(JOKERS[split])


def test_every_face_of_a_set_is_drawn_in_every_style(fonts: None) -> None:
    for style in STYLES:
        look = replace(many("heldout", 1, style)[0], back_style="blank", **NEW)
        factory = FaceFactory(look)
        sizes = set()
        for face in ("r1", "y10", "b13", "k11", "*0", "*1", "#"):
            texture = factory.texture(face, 40)
            sizes.add(texture.colour.shape)
            assert np.isfinite(texture.colour).all()
            assert texture.colour.dtype == texture.normal.dtype == texture.cover.dtype == np.float32
            assert np.linalg.norm(texture.normal, axis=2) == pytest.approx(
                np.ones(texture.cover.shape), abs=1e-3
            )
            inked = np.abs(texture.colour - np.median(texture.colour, axis=(0, 1))).max(axis=2) > 0.15
            assert inked.any() == (face != "#")
        assert sizes == {(round(40 * look.height_mm / look.width_mm), 40, 3)}


def inked(look: Look, face: str) -> float:
    """The share of a face that differs from its commonest colour."""
    colour = FaceFactory(look).texture(face, 80).colour
    return float((np.abs(colour - np.median(colour, axis=(0, 1))).max(axis=2) > 0.2).mean())


@pytest.mark.parametrize("kind", sorted({*JOKERS["train"], *JOKERS["heldout"], *HARD_JOKERS}))
def test_every_joker_shows_and_no_two_sets_have_the_same(fonts: None, kind: str) -> None:
    faces = []
    for look in many("train", 4, "flat"):
        own = replace(look, joker=(kind,), joker_inks=("rk", "kryb"), **NEW)
        for face in ("*0", "*1"):
            assert 0.003 < inked(own, face) < 0.5, (kind, inked(own, face))
        layers = draw_joker(own, kind, "k", (80, 112), np.random.default_rng(own.seed))
        assert [slot for _, slot in layers] == ["k"]
        faces.append(layers[0][0])
    assert all(np.abs(one - other).max() > 0.3 for one, other in pairwise(faces))


def test_jokers_keep_off_the_edge(fonts: None) -> None:
    cut: dict[str, float] = {}
    for kind in KINDS:
        for seed, look in enumerate(many("train", 8)):
            layers = draw_joker(look, kind, "rkyb", (80, 112), np.random.default_rng([seed, 3]))
            whole = np.max([mask for mask, _ in layers], axis=0)
            assert whole.shape == (112, 80)
            edge = np.concatenate([whole[0], whole[-1], whole[:, 0], whole[:, -1]])
            cut[kind] = max(cut.get(kind, 0.0), float((edge > 0.5).mean()))
    assert {kind for kind, share in cut.items() if share > 0.06} == set()


def test_the_kinds_of_jokers_are_those_that_can_be_drawn(fonts: None) -> None:
    assert set(JOKERS["train"]) | set(JOKERS["heldout"]) | set(HARD_JOKERS) == set(KINDS)
    assert not set(HARD_JOKERS) & set(JOKERS["heldout"])
    assert len(JOKERS["train"]) >= 30
    assert set(JOKERS["heldout"]) == {"crown", "spiral", "letter_j", "owl", "ship_wheel", "guitar"}
    with pytest.raises(KeyError):
        draw_joker(many("train", 1)[0], "no such kind", "r", (80, 112), np.random.default_rng(0))


def test_every_sign_of_a_joker_is_in_the_font(fonts: None) -> None:
    missing = glyph_mask("\U0010fffd")
    assert "j" not in joker_look_alikes.LETTERS.lower(), "the held-out letter"
    for char in joker_signs.GLYPHS + joker_signs.LETTERS:
        mask = glyph_mask(char)
        assert mask.shape != missing.shape or (mask != missing).any(), char


def test_later_paint_covers_earlier() -> None:
    drawing = Drawing((40, 40), "rk", "solid", 2.0, np.asarray([[20.0, 0, 20], [0, 20, 20], [0, 0, 1]]))
    drawing.fill(poly((-1, -1), (1, -1), (1, 1), (-1, 1)), 0)
    drawing.fill(oval(0, 0, 0.5), 1)
    drawing.fill(oval(0, 0, 0.2), BARE)
    at = {slot: [int(layer[20, x]) for x in (20, 26, 37)] for slot, layer in drawing.layers.items()}
    assert at == {"r": [0, 0, 255], "k": [0, 255, 0]}


@pytest.mark.parametrize("split", SPLITS)
def test_backs_are_mostly_blank_and_of_the_bodys_colour(fonts: None, split: Split) -> None:
    looks = many(split, 600)
    plain = [look for look in looks if look.back_style == "blank" and look.back == look.body]
    assert 0.58 < len(plain) / len(looks) < 0.73
    kinds = {look.back_style for look in looks}
    assert kinds == (set(BACKS) - {"pattern"}) | set(BACK_PATTERNS[split])
    assert not set(BACK_PATTERNS["train"]) & set(BACK_PATTERNS["heldout"])
    for style in kinds:
        for look in [look for look in looks if look.back_style == style][:4]:
            texture = FaceFactory(replace(look, bevel=0.0, **NEW)).texture("#", 80)
            shown = np.ptp(texture.colour, axis=(0, 1)).max() > 0.02 or np.ptp(texture.normal[..., 2]) > 0.002
            assert shown == (style != "blank"), look


@pytest.mark.parametrize("split", SPLITS)
def test_the_four_colours_of_a_set_differ(fonts: None, split: Split) -> None:
    green = yellow = 0
    for look in many(split, 500):
        inks = {slot: np.asarray(rgb) for slot, rgb in look.inks.items()}
        for one, other in ("rb", "rk", "by", "bk", "ky"):
            assert np.abs(inks[one] - inks[other]).max() > 40, look.inks
        # Black and blue lie close in dim light: blue must be the bluer one.
        assert (inks["b"] - inks["k"]) @ (-1, 0, 1) > 38, look.inks
        # Red and the fourth colour, too: orange has clearly more green in it, or it is green.
        leaf = inks["y"][1] > inks["y"][0]
        assert leaf or inks["y"][1] - inks["r"][1] > 25, look.inks
        green += inks["y"][1] > inks["y"][0]
        yellow += inks["y"][0] > inks["y"][1] > 0.7 * inks["y"][0]
    assert 0.14 < green / 500 < 0.27
    assert 0.17 < yellow / 500 < 0.36


def test_worn_digits_can_still_be_read(fonts: None) -> None:
    for look in many("train", 60):
        fresh, worn = (
            inked(replace(look, **NEW), "k8"),
            inked(replace(look, **(NEW | {"missing": 0.3})), "k8"),
        )
        assert worn > 0.4 * fresh > 0, look


def test_textures_come_in_levels_and_are_kept(fonts: None) -> None:
    factory = FaceFactory(many("train", 1)[0])
    assert factory.texture("r7", 21).cover.shape[1] == 28
    assert factory.texture("r7", 28).cover.shape[1] == 28
    assert factory.texture("r7", 9999).cover.shape[1] == 160
    assert factory.texture("r7", 25) is factory.texture("r7", 21)


def test_missing_fonts_are_said_with_what_to_install(tmp_path: Path) -> None:
    for split in SPLITS:
        with pytest.raises(FontsMissingError, match="apt-get install") as error:
            installed(split, (tmp_path, tmp_path / "not there"))
        assert all(package in str(error.value) for package in packages())
    with pytest.raises(FontsMissingError, match="fonts-dejavu-core"):
        symbol_font((tmp_path,))


def test_slanted_fonts_are_left_out(tmp_path: Path, fonts: None) -> None:
    for font, _ in installed("train"):
        for name in (font.path.name, f"{font.path.stem}-Italic{font.path.suffix}"):
            (tmp_path / name).touch()
    kept = {font.path.name for font, _ in installed("train", (tmp_path,))}
    assert kept == {font.path.name for font, _ in installed("train")}


def test_a_family_shares_its_weight(fonts: None) -> None:
    shares: dict[str, float] = {}
    for font, share in installed("train"):
        shares[font.family.pattern] = shares.get(font.family.pattern, 0.0) + share
    weights = {family.pattern: family.weight for family in FAMILIES}
    assert shares == pytest.approx({pattern: weights[pattern] for pattern in shares})
