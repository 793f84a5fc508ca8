"""Finds the digit fonts of rendered tiles among the installed Debian font packages."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

Split = Literal["train", "heldout"]

FONT_ROOTS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))


class FontsMissingError(RuntimeError):
    """Too few of the listed font packages are installed to render tiles."""


@dataclass(frozen=True)
class FontFamily:
    """A family of digit shapes: file pattern, Debian package, licence, split and style."""

    pattern: str
    package: str
    licence: str
    split: Split = "train"
    weight: float = 1.0


@dataclass(frozen=True)
class FontFile:
    """One installed font file of a family."""

    path: Path
    family: FontFamily


# Upright faces only; a slanted 1 comes from the renderer's own shear.
FAMILIES: tuple[FontFamily, ...] = (
    FontFamily("Lato-[BHM]*.ttf", "fonts-lato", "OFL-1.1", weight=1.5),
    FontFamily("Cabin-[BMRS]*.otf", "fonts-cabin", "OFL-1.1", weight=1.5),
    FontFamily("LeagueSpartan-[BERS]*.otf", "fonts-league-spartan", "OFL-1.1", weight=2.0),
    FontFamily("Comfortaa-*.ttf", "fonts-comfortaa", "OFL-1.1"),
    FontFamily("Quicksand*.ttf", "fonts-quicksand", "OFL-1.1"),
    FontFamily("Sora*.otf", "fonts-sora", "OFL-1.1"),
    FontFamily("Play-*.ttf", "fonts-play", "OFL-1.1"),
    FontFamily("GilliusADF-[BR]*.otf", "fonts-adf-gillius", "GPL-2+ with font exception", weight=3.0),
    FontFamily("GilliusADFNo2-[BR]*.otf", "fonts-adf-gillius", "GPL-2+ with font exception", weight=2.0),
    FontFamily("UniversalisADFStd-[BR]*.otf", "fonts-adf-universalis", "GPL-2+ with font exception"),
    FontFamily("IkariusADF*Std-[BR]*.otf", "fonts-adf-ikarius", "GPL-2+ with font exception"),
    FontFamily("NimbusSans-[BR]*.otf", "fonts-urw-base35", "AGPL-3 with font exception", weight=1.5),
    FontFamily("NimbusSansNarrow-[BR]*.otf", "fonts-urw-base35", "AGPL-3 with font exception", weight=0.7),
    FontFamily("URWGothic-[BD]*.otf", "fonts-urw-base35", "AGPL-3 with font exception", weight=2.0),
    FontFamily("URWBookman-[D]*.otf", "fonts-urw-base35", "AGPL-3 with font exception", weight=0.5),
    FontFamily("C059-[BR]*.otf", "fonts-urw-base35", "AGPL-3 with font exception", weight=0.4),
    FontFamily("NimbusRoman-[BR]*.otf", "fonts-urw-base35", "AGPL-3 with font exception", weight=0.4),
    FontFamily("Inter-[BEMRS]*.otf", "fonts-inter", "OFL-1.1", weight=1.5),
    FontFamily("Tuffy_*.ttf", "fonts-tuffy", "public domain"),
    FontFamily("Dosis-[BEMS]*.otf", "fonts-dosis", "OFL-1.1", weight=1.5),
    FontFamily("Karla-[BEMR]*.otf", "fonts-karla", "OFL-1.1"),
    FontFamily("Junction.otf", "fonts-junction", "OFL-1.1"),
    FontFamily("Mplus1-[BEMRS]*.otf", "fonts-mplus", "OFL-1.1", weight=1.5),
    FontFamily("Mplus2-[BEMRS]*.otf", "fonts-mplus", "OFL-1.1"),
    FontFamily("BetecknaGS*.ttf", "fonts-beteckna", "GPL-3", weight=1.5),
    FontFamily("Carlito-[BR]*.ttf", "fonts-crosextra-carlito", "OFL-1.1"),
    FontFamily("ComicNeue-[BR]*.otf", "fonts-comic-neue", "OFL-1.1"),
    FontFamily("euro*.ttf", "fonts-eurofurence", "OFL-1.1"),
    FontFamily("BebasNeue-[BR]*.otf", "fonts-bebas-neue", "OFL-1.1"),
    FontFamily("Jura-*.otf", "fonts-jura", "OFL-1.1"),
    FontFamily("AveriaSansGWF-*.ttf", "fonts-averia-sans-gwf", "OFL-1.1", weight=1.5),
    FontFamily("OpenSans-[BERS]*.ttf", "fonts-open-sans", "Apache-2.0"),
    FontFamily("Roboto-[BMR]*.ttf", "fonts-roboto-unhinted", "Apache-2.0"),
    FontFamily("LiberationSans-[BR]*.ttf", "fonts-liberation", "OFL-1.1", weight=1.5),
    FontFamily("LiberationSansNarrow-[BR]*.ttf", "fonts-liberation", "GPL-2 with font exception", weight=0.5),
    FontFamily("FreeSans*.ttf", "fonts-freefont-ttf", "GPL-3+ with font exception"),
    FontFamily("GFSNeohellenic*.otf", "fonts-gfs-neohellenic", "OFL-1.1"),
    FontFamily("NationalPark*.otf", "fonts-national-park", "OFL-1.1"),
    FontFamily("YanoneKaffeesatz-*.otf", "fonts-yanone-kaffeesatz", "OFL-1.1", weight=0.6),
    FontFamily("MekanusADFStd-[BR]*.otf", "fonts-adf-mekanus", "GPL-2+ with font exception", weight=0.5),
    # Never trained on: they carry the held-out synthetic sets.
    FontFamily("Cantarell-[BER]*.otf", "fonts-cantarell", "OFL-1.1", "heldout"),
    FontFamily("Manrope-[BEMRS]*.ttf", "fonts-manrope", "OFL-1.1", "heldout"),
    FontFamily("ClearSans-[BMR]*.ttf", "fonts-clear-sans", "Apache-2.0", "heldout"),
    FontFamily("routed-gothic*.ttf", "fonts-routed-gothic", "OFL-1.1", "heldout"),
    FontFamily("B612-[BR]*.otf", "fonts-b612", "OFL-1.1", "heldout"),
    FontFamily("Oxygen-Sans*.ttf", "fonts-oxygen", "OFL-1.1", "heldout"),
    FontFamily("DejaVuSans-Bold.ttf", "fonts-dejavu-core", "Bitstream Vera", "heldout"),
)

SPARE = FontFamily("VeraBd.ttf", "reportlab", "Bitstream Vera", weight=0.0)

_SLANTED = ("italic", "oblique", "boldit", "-it.", "it.otf", "tilted")


def packages() -> tuple[str, ...]:
    """The Debian packages that hold the listed fonts, for `apt-get install`."""
    return tuple(sorted({family.package for family in FAMILIES} | {"fonts-dejavu-core"}))


@cache
def installed(split: Split, roots: tuple[Path, ...] = FONT_ROOTS) -> tuple[tuple[FontFile, float], ...]:
    """Installed upright fonts of a split, each with its share of the draw (a family shares its weight)."""
    files = _font_files(roots)
    found: list[tuple[FontFile, float]] = []
    for family in FAMILIES:
        if family.split != split:
            continue
        members = {path.name: path for path in files if fnmatch.fnmatchcase(path.name, family.pattern)}
        found += [(FontFile(path, family), family.weight / len(members)) for path in members.values()]
    if len({font.family.package for font, _ in found}) < (12 if split == "train" else 3):
        raise FontsMissingError(
            f"Only {len(found)} fonts for the {split} split are installed; rendering needs a variety. "
            "On Debian: apt-get install --no-install-recommends " + " ".join(packages())
        )
    return tuple(found)


def at_hand(split: Split) -> tuple[tuple[FontFile, float], ...]:
    """The installed fonts of a split; where they are missing, the one that comes with the program.

    One font is enough to show a table, and never to train or to measure on. Raises FontsMissingError where
    that one is missing too.
    """
    try:
        return installed(split)
    except FontsMissingError:
        spare = spare_font()
        if spare is None:
            raise
        return ((spare, 1.0),)


def spare_font() -> FontFile | None:
    """The bold font that reportlab brings, which prints the sheets for calibration."""
    found = find_spec("reportlab")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / "fonts" / SPARE.pattern
    return FontFile(path, SPARE) if path.is_file() else None


def symbol_font(roots: tuple[Path, ...] = FONT_ROOTS) -> Path:
    """DejaVu Sans, whose suit and star glyphs serve for rings and jokers."""
    for path in _font_files(roots):
        if path.name == "DejaVuSans.ttf":
            return path
    raise FontsMissingError("DejaVuSans.ttf is missing. On Debian: apt-get install fonts-dejavu-core")


@cache
def _font_files(roots: tuple[Path, ...]) -> tuple[Path, ...]:
    """Upright font files in the order of their names; kept, since every scene asks and the disk is slow."""
    found = {path for root in roots if root.is_dir() for path in root.rglob("*.[ot]tf")}
    upright = [path for path in found if not any(word in path.name.lower() for word in _SLANTED)]
    return tuple(sorted(upright, key=lambda path: (path.name, path)))
