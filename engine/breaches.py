"""The texts of what breaks a rule and can happen all the same: by code the clause, English and Romanian."""

from __future__ import annotations

from typing import Final

BREACHES: Final[dict[str, tuple[str, str, str]]] = {
    "dealt_again": (
        "deal",
        "the tiles were dealt already, and nobody spoiled the deal",
        "piesele erau deja împărțite și nimeni nu a stricat jocul",
    ),
    "hand_size": (
        "hand",
        "seat {seat} has {given} tiles; it gets {right}",
        "locul {seat} are {given} piese; primește {right}",
    ),
    "not_your_turn": (
        "order of play",
        "it is the turn of seat {turn}, not of seat {seat}",
        "este rândul locului {turn}, nu al locului {seat}",
    ),
    "draw_first": (
        "first discard",
        "a turn begins with a draw or a tile of the row",
        "tura începe prin a trage o piesă sau a lua una din șir",
    ),
    "drew_already": (
        "tiles on the rack after a turn",
        "this turn has its tile already; end it with a discard",
        "în această tură s-a luat deja o piesă; terminați-o aruncând una",
    ),
    "too_late": ("{clause}", "this is announced before the first turn", "se anunță înainte de prima tură"),
    "no_atu_bonus": (
        "atu bonus",
        "these rules know no bonus for the atu",
        "aceste reguli nu au puncte pentru atu",
    ),
    "atu_not_held": (
        "atu bonus",
        "the same tile as the atu is not on this rack",
        "pe această tablă nu este piesa identică cu atuul",
    ),
    "no_doubles": (
        "doubles",
        "these rules know no swapping of doubles",
        "aceste reguli nu au schimb de duble",
    ),
    "no_key_double": (
        "doubles",
        "a double is announced as small or big only",
        "dubla se anunță doar mică sau mare",
    ),
    "double_not_held": (
        "doubles",
        "there is no such double on this rack",
        "pe această tablă nu este o astfel de dublă",
    ),
    "no_spoiling": (
        "doubles",
        "these rules know no spoiling of the deal",
        "aceste reguli nu permit stricarea jocului",
    ),
    "spoil_needs_doubles": (
        "doubles",
        "only {needed} doubles allow spoiling; here are {held}",
        "jocul se strică doar cu {needed} duble; aici sunt {held}",
    ),
    "no_table_games": (
        "table games",
        "these rules know no table game to announce",
        "aceste reguli nu au jocuri pe tablă de anunțat",
    ),
    "table_game_late": (
        "table games",
        "a table game is announced within the first {turns} turns",
        "jocul pe tablă se anunță în primele {turns} ture",
    ),
    "table_game_after_opening": (
        "table games",
        "who has opened cannot play a table game",
        "cine a etalat nu mai poate juca pe tablă",
    ),
    "atu_not_drawn": ("drawing order", "the atu cannot be drawn", "atuul nu se poate trage"),
    "atu_must_close": (
        "close",
        "who takes the atu must close in that turn",
        "cine ia atuul trebuie să închidă în acea tură",
    ),
    "wall_ended": (
        "wall empty",
        "the wall is empty, so the game is over",
        "zidul s-a terminat, deci și jocul",
    ),
    "first_discard_dead": (
        "first discard",
        "the first discard can never be used",
        "prima piesă aruncată nu se poate folosi",
    ),
    "take_in_first_round": (
        "taking the last discard before having opened",
        "not in the first round; draw from the wall",
        "nu în prima tură; trageți din zid",
    ),
    "take_only_last": (
        "taking the last discard before having opened",
        "before opening only the last tile of the row may be taken",
        "înainte de etalare se poate lua doar ultima piesă din șir",
    ),
    "take_few_tiles": (
        "tiles left restrict taking",
        "with {left} tiles left one draws from the wall",
        "cu {left} piese rămase se trage din zid",
    ),
    "no_breaking": ("break the row", "only the last tile may be taken", "se poate lua doar ultima piesă"),
    "break_few_tiles": (
        "break the row",
        "breaking the row needs {needed} tiles on the rack; here are {left}",
        "pentru a rupe șirul trebuie {needed} piese pe tablă; aici sunt {left}",
    ),
    "break_takes_one": ("break the row", "only the tile {first} itself is taken", "se ia doar piesa {first}"),
    "break_takes_rest": (
        "break the row",
        "all later tiles of the row are taken too: {row}",
        "se iau și toate piesele următoare din șir: {row}",
    ),
    "owed_opening": (
        "taking the last discard before having opened",
        "{tiles} was taken, so it has to be among the opening melds of this turn",
        "{tiles} a fost luată, deci trebuie folosită la etalarea din această tură",
    ),
    "owed_meld": (
        "break the row",
        "{tiles} was broken out of the row, so it has to be melded this turn",
        "{tiles} a fost ruptă din șir, deci trebuie pusă într-o formație în această tură",
    ),
    "owed_table": (
        "after opening: last discard",
        "{tiles} was taken, so it has to be melded or laid off this turn",
        "{tiles} a fost luată, deci trebuie etalată sau lipită în această tură",
    ),
    "first_round": (
        "may open in the first round",
        "nobody opens in the first round",
        "în prima tură nu se etalează",
    ),
    "first_meld_points": (
        "first meld, points",
        "{points} points; the first meld needs {needed}",
        "{points} puncte; prima etalare cere {needed}",
    ),
    "first_meld_run": ("first meld, shape", "the first meld needs a run", "prima etalare cere o suită"),
    "first_meld_run_or_ones": (
        "first meld, shape",
        "the first meld needs a run, or is a group of 1s alone",
        "prima etalare cere o suită sau este doar o terță de 1",
    ),
    "first_meld_both": (
        "first meld, shape",
        "the first meld needs a run and a group",
        "prima etalare cere o suită și o terță",
    ),
    "other_groups_wait": (
        "first meld, shape",
        "after opening with a group of 1s other groups wait for the next turn",
        "după etalarea cu o terță de 1 celelalte terțe așteaptă tura următoare",
    ),
    "table_game_stays": (
        "table games",
        "who announced a table game never opens on the table",
        "cine a anunțat joc pe tablă nu etalează pe masă",
    ),
    "only_lay_offs": (
        "tiles left restrict taking",
        "with {left} tiles left there is no new meld, only lay-offs",
        "cu {left} piese rămase nu se mai fac formații, doar se lipește",
    ),
    "no_tile_to_discard": (
        "close",
        "one tile has to stay for the discard",
        "o piesă trebuie să rămână de aruncat",
    ),
    "not_opened": ("lay off", "only who has opened may do this", "doar cine a etalat poate face asta"),
    "next_turn": ("lay off", "only from the turn after opening on", "doar din tura de după etalare"),
    "joker_own_melds": (
        "joker laid off",
        "a joker is laid only onto one's own melds",
        "joly se lipește doar la formațiile proprii",
    ),
    "does_not_fit": ("lay off", "{tiles} does not fit onto {meld}", "{tiles} nu se potrivește la {meld}"),
    "only_ends": (
        "lay off inside a run",
        "a run is extended at its ends only",
        "o suită se continuă doar la capete",
    ),
    "joker_run_closed": (
        "run with a joker",
        "a run with a joker is extended at its ends only",
        "o suită cu joly se continuă doar la capete",
    ),
    "joker_needs_exact_tile": (
        "reclaim a joker",
        "the joker stands for {means}; only that tile frees it",
        "joly ține locul lui {means}; doar acea piesă îl eliberează",
    ),
    "joker_needs_both_colours": (
        "reclaim a joker from a group",
        "both missing colours free this joker",
        "acest joly se eliberează cu ambele culori lipsă",
    ),
    "joker_too_often": (
        "reclaim a joker",
        "this joker was reclaimed {most} times already",
        "acest joly a fost deja folosit de {most} ori",
    ),
    "joker_not_melded": (
        "reclaim a joker",
        "the joker has to be melded at once with two tiles of the rack",
        "joly trebuie pus îndată într-o formație cu două piese de pe tablă",
    ),
    "rack_too_full": (
        "tiles on the rack after a turn",
        "{left} tiles stay on the rack; {most} at most",
        "rămân {left} piese pe tablă; cel mult {most}",
    ),
    "rack_not_empty": (
        "close",
        "{left} tiles are still on the rack, so this closes nothing",
        "mai sunt {left} piese pe tablă, deci nu se închide",
    ),
    "no_such_table_game": (
        "table games",
        "these rules know no such table game: {kind}",
        "aceste reguli nu au acest joc pe tablă: {kind}",
    ),
    "table_game_not_announced": (
        "table games",
        "this table game was not announced",
        "jocul pe tablă nu a fost anunțat",
    ),
    "not_this_table_game": (
        "table games",
        "these tiles are no {kind}; play goes on",
        "piesele nu sunt {kind}; jocul continuă",
    ),
    "rack_count": (
        "close",
        "seat {seat} shows {given} tiles; {right} were expected",
        "locul {seat} arată {given} piese; se așteptau {right}",
    ),
    "rack_differs": (
        "close",
        "seat {seat} should still have {tiles}",
        "locul {seat} ar trebui să mai aibă {tiles}",
    ),
    "atu_was_not_held": (
        "atu bonus",
        "seat {seat} announced the atu and never had it",
        "locul {seat} a anunțat atuul, dar nu l-a avut",
    ),
}
