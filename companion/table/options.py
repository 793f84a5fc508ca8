"""Every option of a table file in words, and the complete example file that is made of them."""

from __future__ import annotations

from typing import Final

Said = tuple[str, str]

INTRO: Final[Said] = (
    (
        "A table of Remi Companion. Start it with: remi run {name}\n"
        "Every option stands here with what it is without being named."
    ),
    (
        "O masă Remi Companion. Se pornește cu: remi run {name}\n"
        "Fiecare opțiune apare aici cu valoarea pe care o are dacă nu este scrisă."
    ),
)

SECTIONS: Final[dict[str, Said]] = {
    "rules": (
        "The rules: a base, and what the house plays otherwise (docs/rule-fields.md).",
        "Regulile: o bază și ce se joacă altfel în casă (docs/rule-fields.md).",
    ),
    "players": (
        "Who plays, in order of play. With two to four names.",
        "Cine joacă, în ordinea jocului. De la doi la patru.",
    ),
    "match": (
        "How long a match is: a number of games or a target of points; without both it has no end.",
        "Cât ține un meci: un număr de jocuri sau un punctaj; fără ele nu are sfârșit.",
    ),
    "camera": (
        "The camera and what it may look at. Without a source the game is entered on the page.",
        "Camera și ce poate privi. Fără sursă jocul se introduce pe pagină.",
    ),
    "board": ("The board with lamps and buttons.", "Placa cu lămpi și butoane."),
    "turn": ("What ends a turn, and its clock.", "Ce încheie o tură și ceasul ei."),
    "journal": ("Where everything that was played is kept.", "Unde se păstrează tot ce s-a jucat."),
    "page": ("The page for phones and screens.", "Pagina pentru telefoane și ecrane."),
}

OPTIONS: Final[dict[str, Said]] = {
    "table": ("The table's name, as it is shown.", "Numele mesei, așa cum se afișează."),
    "rules.base": (
        "doizece, etalat or regulament.",
        "doizece, etalat sau regulament.",
    ),
    "rules.changes": (
        "House rules, such as { first_meld_points = 50 }.",
        "Reguli ale casei, de exemplu { first_meld_points = 50 }.",
    ),
    "players.names": (
        "Their names, in order of play; the first one sits at seat 1 of the zones.",
        "Numele lor, în ordinea jocului; primul stă la locul 1 al zonelor.",
    ),
    "players.dealer": (
        "Who deals first: one of the names, or random.",
        "Cine împarte primul: unul dintre nume sau random (la întâmplare).",
    ),
    "match.games": ("Games of a match.", "Câte jocuri are un meci."),
    "match.target": ("Points that end a match.", "Punctajul la care se încheie un meci."),
    "camera.source": (
        "usb:NAME, /dev/video0, rtsp://…, http://…, a file, a folder, or virtual: (docs/sources.md).",
        "usb:NUME, /dev/video0, rtsp://…, http://…, un fișier, un dosar sau virtual: (docs/sources.md).",
    ),
    "camera.rig": (
        "The calibration of this camera over this table, from remi calibrate; virtual: needs none.",
        "Calibrarea acestei camere deasupra acestei mese, făcută cu remi calibrate; virtual: nu are nevoie.",
    ),
    "camera.zones": (
        "Zones other than the default of so many players.",
        "Alte zone decât cele obișnuite pentru acest număr de jucători.",
    ),
    "camera.racks": (
        "read, at_end (only when the game is over), or never.",
        "read (se citesc), at_end (numai la sfârșitul jocului) sau never (niciodată).",
    ),
    "camera.tileset": (
        "A set of tiles that was taught with remi tileset learn.",
        "Un set de piese învățat cu remi tileset learn.",
    ),
    "camera.lean_deg": (
        "How far the tiles on racks lean from lying flat, in degrees.",
        "Cât de ridicate sunt piesele pe table față de masă, în grade.",
    ),
    "board.port": (
        "auto (the only one there is), a path such as /dev/serial/by-id/…, sim (made of software), none.",
        "auto (singura conectată), o cale ca /dev/serial/by-id/…, sim (simulată) sau none (fără placă).",
    ),
    "board.places": (
        "The board's place (0 to 3) of each player.",
        "Locul de pe placă (0 până la 3) al fiecărui jucător.",
    ),
    "board.brightness": ("Of the lamps, 0 to 255.", "Luminozitatea lămpilor, 0 până la 255."),
    "board.sound": ("Whether the board may be heard.", "Dacă placa poate scoate sunete."),
    "board.quiet": (
        "From when to when it is dim and silent; the same twice for never.",
        "De când până când este slabă și mută; aceeași oră de două ori pentru niciodată.",
    ),
    "turn.commit": (
        "What ends a turn: its player's button (button), or the discard as the camera sees it (discard).",
        "Ce încheie o tură: butonul jucătorului (button) sau piesa aruncată, văzută de cameră (discard).",
    ),
    "turn.clock": (
        "off, up (the time is shown), or limit.",
        "off (fără), up (se arată timpul) sau limit (cu limită).",
    ),
    "turn.limit_s": ("Seconds of a turn with clock = limit.", "Secunde de tură cu clock = limit."),
    "turn.warn_s": (
        "Seconds before its end at which a turn is warned; from the first on the lamp hurries.",
        "Cu câte secunde înainte de sfârșit se avertizează; de la prima lampa grăbește.",
    ),
    "journal.path": (
        "A file on a disk of this machine; it is made when it is not there.",
        "Un fișier pe un disc al acestui calculator; se creează dacă lipsește.",
    ),
    "page.host": (
        "127.0.0.1 for this machine alone, 0.0.0.0 to let phones in.",
        "127.0.0.1 numai pentru acest calculator, 0.0.0.0 ca să intre și telefoanele.",
    ),
    "page.port": (
        "The port; if it is in use, one of the next is taken.",
        "Portul; dacă este ocupat, se ia unul dintre următoarele.",
    ),
    "page.pin": (
        "Four to twelve digits that an arbiter enters before he may correct.",
        "Patru până la douăsprezece cifre pe care arbitrul le introduce înainte să corecteze.",
    ),
}
"""Each option, English and Romanian, in the order of the example."""

UNSET: Final[dict[str, str]] = {
    "rules.changes": "{ first_meld_points = 50 }",
    "match.games": "8",
    "match.target": "500",
    "camera.source": '"usb:c920"',
    "camera.rig": '"rig.toml"',
    "camera.zones": '"zones.toml"',
    "camera.tileset": '"Bunica"',
    "page.pin": '"2580"',
}
"""What stands, commented out, at options that are nothing unless they are named."""


def example(name: str = "table.toml", *, romanian: bool = False) -> str:
    """A complete table file, every option with its words and its default; the same each time.

    It is a table without camera and board, to be played by hand on the page.
    """
    from companion.table.config_schema import TableFile

    defaults = TableFile().model_dump(mode="json")
    lines = [f"# {line}" for line in INTRO[romanian].format(name=name).splitlines()]
    section = ""
    for key, words in OPTIONS.items():
        head, _, option = key.rpartition(".")
        if head != section:
            section = head
            lines += ["", f"# {SECTIONS[head][romanian]}", f"[{head}]"]
        elif not head:
            lines.append("")
        value = (defaults[head] if head else defaults)[option]
        lines.append(f"# {words[romanian]}")
        lines.append(f"# {option} = {UNSET[key]}" if key in UNSET else f"{option} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return (
        f'"{value}"' if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
    )
