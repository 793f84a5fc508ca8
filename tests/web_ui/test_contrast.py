"""Text can be read: WCAG AA contrast of the colours of the style sheet, in light and in dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web_ui

STYLE = (Path(web_ui.__file__).parent / "static" / "page.css").read_text("utf-8")
AA_TEXT, AA_PARTS = 4.5, 3.0

PAIRS = [
    ("ink", "ground", AA_TEXT),
    ("ink", "card", AA_TEXT),
    ("soft", "ground", AA_TEXT),
    ("soft", "card", AA_TEXT),
    ("accent", "ground", AA_TEXT),
    ("accent", "card", AA_TEXT),
    ("on-accent", "accent", AA_TEXT),
    ("ink", "accent-soft", AA_TEXT),
    ("accent", "accent-soft", AA_TEXT),
    ("warn-ink", "warn-ground", AA_TEXT),
    ("bad-ink", "bad-ground", AA_TEXT),
    ("danger", "card", AA_TEXT),
    ("focus", "card", AA_PARTS),
    ("focus", "ground", AA_PARTS),
    *((f"ink-{slot}", "tile-body", AA_TEXT) for slot in "rybk"),
]


def colours(scheme: str) -> dict[str, str]:
    light, _, dark = STYLE.partition("@media (prefers-color-scheme: dark)")
    found = dict(re.findall(r"--([\w-]+): (#\w{6});", light))
    if scheme == "dark":
        found |= dict(re.findall(r"--([\w-]+): (#\w{6});", dark.partition("\n}")[0]))
    return found


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_contrast(scheme: str, ink: str, ground: str, least: float) -> None:
    found = colours(scheme)
    lighter, darker = sorted((luminance(found[ink]), luminance(found[ground])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= least


def test_dark_is_the_same_whether_chosen_or_the_systems() -> None:
    system, chosen = (
        re.findall(r"--[\w-]+: #\w{6};", STYLE.partition(start)[2].partition("}")[0])
        for start in ("@media (prefers-color-scheme: dark)", ':root[data-theme="dark"]')
    )
    assert system == chosen
    assert len(system) > 10
