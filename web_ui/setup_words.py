"""Every rule that a house may change, in the words of players: groups, names, explanations, choices."""

from __future__ import annotations

from typing import Final

Said = tuple[str, str]
"""English, Romanian."""

GROUPS: Final[tuple[tuple[Said, tuple[str, ...]], ...]] = (
    (
        ("Runs, groups and jokers", "Suite, grupuri și jokeri"),
        (
            "run_max_length", "one_after_13", "meld_jokers_max", "meld_real_tiles_min",
            "meld_real_tiles_per_joker",
        ),
    ),
    (
        ("What tiles are worth", "Cât valorează piesele"),
        (
            "number_points", "one_low_points", "one_high_points", "one_group_points", "one_final_points",
            "one_rack_points", "joker_final_points", "joker_rack_points", "melds_score", "joker_credit_first",
        ),
    ),
    (
        ("The deal", "Împărțirea"),
        (
            "next_dealer", "order_of_play", "first_player_extra", "joker_atu_taken", "atu_face_up",
            "swap_doubles", "key_doubles", "spoil_doubles", "atu_bonus", "other_joker_is_atu",
        ),
    ),
    (
        ("Opening", "Etalarea"),
        ("open_in_first_round", "first_meld_points", "first_meld_shape"),
    ),
    (
        ("Taking from the row", "Luatul din șir"),
        (
            "first_discard_dead", "take_before_opening", "take_in_first_round", "break_before_opening",
            "table_game_takes", "taken_last_is_used", "break_row", "break_rack_min", "take_rack_min",
        ),
    ),
    (
        ("Laying off, reclaiming jokers", "Lipitul și luarea jokerului"),
        (
            "meld_rack_min", "lay_off_inside", "joker_run_opens", "lay_off_in_opening_turn", "joker_lay_off",
            "reclaim_in_opening_turn", "reclaim_melds_at_once", "reclaims_max", "group_reclaim_needs_all",
        ),
    ),
    (
        ("Closing and the end", "Închiderea și sfârșitul"),
        (
            "rack_max", "announce_few_at", "few_fine", "atu_closes", "wall_end", "closing_bonus",
            "closing_takes_hands", "one_turn_bonus", "never_opened_points", "atu_doubles",
            "closing_tile_doubles",
        ),
    ),
    (
        ("Games on the rack", "Jocurile pe tablă"),
        (
            "table_game_turns", "table_simple_points", "table_mozaic_points", "table_bicolor_points",
            "table_monocolor_points", "table_game_failed_points", "closed_game",
        ),
    ),
)  # fmt: skip
"""Each group of rules with its fields, in the order of the form."""

FIELDS: Final[dict[str, tuple[Said, Said]]] = {
    "run_max_length": (
        ("Longest run", "Cea mai lungă suită"),
        (
            "14 allows a 1 at each end of 1-2-…-13-1; 13 does not.",
            "14 permite un 1 la ambele capete: 1-2-…-13-1; 13 nu.",
        ),
    ),
    "one_after_13": (
        ("12-13-1 is a run", "12-13-1 este suită"),
        ("1-2-3 always is, 13-1-2 never.", "1-2-3 este întotdeauna, 13-1-2 niciodată."),
    ),
    "meld_jokers_max": (
        ("Jokers in a meld, at most", "Jokeri într-o formație, cel mult"),
        ("How many jokers may stand in one meld.", "Câți jokeri pot sta într-o formație."),
    ),
    "meld_real_tiles_min": (
        ("Real tiles in a meld, at least", "Piese adevărate într-o formație, cel puțin"),
        ("Tiles that are no jokers.", "Piese care nu sunt jokeri."),
    ),
    "meld_real_tiles_per_joker": (
        ("Real tiles for each joker", "Piese adevărate pentru fiecare joker"),
        (
            "At least so many beside each joker; 0 sets no such limit.",
            "Cel puțin atâtea pe lângă fiecare joker; 0: fără limită.",
        ),
    ),
    "number_points": (
        ("Values of 2 to 13", "Valorile de la 2 la 13"),
        (
            "Twelve numbers, those of 2, 3, … 13 in this order.",
            "Douăsprezece numere: pentru 2, 3, … 13, în această ordine.",
        ),
    ),
    "one_low_points": (
        ("A 1 in 1-2-3", "Un 1 în 1-2-3"),
        ("Its value when opening.", "Valoarea lui la etalare."),
    ),
    "one_high_points": (
        ("A 1 in 12-13-1", "Un 1 în 12-13-1"),
        ("Its value when opening.", "Valoarea lui la etalare."),
    ),
    "one_group_points": (
        ("A 1 in a group", "Un 1 în grup"),
        ("Of each 1, when opening.", "A fiecărui 1, la etalare."),
    ),
    "one_final_points": (
        ("A 1 in a meld at the end", "Un 1 dintr-o formație, la sfârșit"),
        ("Empty: as when opening.", "Gol: ca la etalare."),
    ),
    "one_rack_points": (
        ("A 1 left on the rack", "Un 1 rămas pe tablă"),
        ("Taken off for each one that is left.", "Se scade pentru fiecare rămas."),
    ),
    "joker_final_points": (
        ("A joker in a meld at the end", "Un joker dintr-o formație, la sfârșit"),
        ("Empty: what the tile it stands for is worth.", "Gol: cât piesa pe care o înlocuiește."),
    ),
    "joker_rack_points": (
        ("A joker left on the rack", "Un joker rămas pe tablă"),
        ("Taken off for each one that is left.", "Se scade pentru fiecare rămas."),
    ),
    "melds_score": (
        ("Melds count at the end", "Formațiile se punctează la sfârșit"),
        (
            "Else only what is left over counts, against its player.",
            "Altfel contează numai ce rămâne, împotriva jucătorului.",
        ),
    ),
    "joker_credit_first": (
        ("A joker counts for who melded it first", "Jokerul contează pentru cine l-a etalat primul"),
        ("Whoever reclaims it later.", "Oricine îl ia mai târziu."),
    ),
    "next_dealer": (
        ("Who deals next", "Cine împarte apoi"),
        ("Of the games after the first.", "La jocurile de după primul."),
    ),
    "order_of_play": (
        ("Order of play", "Sensul jocului"),
        ("On which side of a player the next one sits.", "De care parte a unui jucător stă următorul."),
    ),
    "first_player_extra": (
        ("First player's extra tile", "Piesa în plus a primului jucător"),
        ("With 1 he begins with a discard, without drawing.", "Cu 1 începe aruncând o piesă, fără să tragă."),
    ),
    "joker_atu_taken": (
        ("A joker atu goes to the first player", "Jokerul atu merge la primul jucător"),
        ("He gets one tile less, and draws.", "Primește o piesă mai puțin și trage."),
    ),
    "atu_face_up": (
        ("Atu face up", "Atu cu fața în sus"),
        (
            "The left-over tile lies face up on its stack.",
            "Piesa rămasă stă cu fața în sus pe turnulețul ei.",
        ),
    ),
    "swap_doubles": (
        ("Doubles may be swapped", "Dublele se pot schimba"),
        ("Before play, between players.", "Înainte de joc, între jucători."),
    ),
    "key_doubles": (
        ("The key", "Cheia"),
        ("A double of 1s is announced as a kind of its own.", "O dublă de 1 se anunță ca un fel aparte."),
    ),
    "spoil_doubles": (
        ("Doubles that spoil the deal", "Duble care strică împărțirea"),
        (
            "Who holds so many may ask for a new deal; 0: nobody may.",
            "Cine are atâtea poate cere altă împărțire; 0: nimeni.",
        ),
    ),
    "atu_bonus": (
        ("Atu bonus", "Bonus de atu"),
        (
            "To who holds the same face and announces it before the first turn; 0: none.",
            "Cui are aceeași piesă și o anunță înainte de prima tură; 0: fără.",
        ),
    ),
    "other_joker_is_atu": (
        ("The other joker counts as atu", "Celălalt joker contează ca atu"),
        ("Where the atu is a joker.", "Dacă atu este joker."),
    ),
    "rack_max": (
        ("Tiles on the rack after a turn, at most", "Piese pe tablă după o tură, cel mult"),
        ("Empty: as many as you like.", "Gol: oricâte."),
    ),
    "first_discard_dead": (
        ("The first discard is dead", "Prima piesă aruncată este moartă"),
        ("It can never be used.", "Nu poate fi folosită niciodată."),
    ),
    "open_in_first_round": (
        ("Opening in the first round", "Etalare în primul tur"),
        ("Whether anyone may.", "Dacă are cineva voie."),
    ),
    "first_meld_points": (
        ("Points to open", "Puncte pentru etalare"),
        ("The first melds are worth at least so much.", "Primele formații valorează cel puțin atât."),
    ),
    "first_meld_shape": (
        ("What must be there to open", "Ce trebuie la etalare"),
        ("Which melds, beside the points.", "Ce formații, pe lângă puncte."),
    ),
    "take_before_opening": (
        ("The last discard before opening", "Ultima piesă aruncată, înainte de etalare"),
        ("When somebody who has not opened may take it.", "Când o poate lua cine nu s-a etalat."),
    ),
    "take_in_first_round": (
        ("Taking it in the first round", "Luată și în primul tur"),
        ("By who has not opened.", "De cine nu s-a etalat."),
    ),
    "break_before_opening": (
        ("Breaking the row before opening", "Ruperea șirului înainte de etalare"),
        ("Further back than its last tile.", "Mai în urmă decât ultima piesă."),
    ),
    "table_game_takes": (
        ("A game on the rack may take", "Jocul pe tablă poate lua"),
        (
            "Who announced one may take the last discard freely.",
            "Cine a anunțat unul ia liber ultima piesă aruncată.",
        ),
    ),
    "taken_last_is_used": (
        ("A tile taken is used", "Piesa luată se folosește"),
        ("It must be melded or laid off in that turn.", "Trebuie etalată sau lipită în tura aceea."),
    ),
    "break_row": (
        ("Breaking the row", "Ruperea șirului"),
        ("What is taken from further back.", "Ce se ia de mai în urmă."),
    ),
    "break_rack_min": (
        ("Tiles needed to break the row", "Piese necesare pentru ruperea șirului"),
        ("At least so many on the rack.", "Cel puțin atâtea pe tablă."),
    ),
    "take_rack_min": (
        ("Tiles needed to take", "Piese necesare pentru a lua"),
        ("With fewer on the rack one must draw from the wall.", "Cu mai puține pe tablă se trage din zid."),
    ),
    "meld_rack_min": (
        ("Tiles needed to meld", "Piese necesare pentru a etala"),
        (
            "Who began the turn with fewer may only lay off.",
            "Cine a început tura cu mai puține poate numai lipi.",
        ),
    ),
    "lay_off_inside": (
        ("Laying off inside a run", "Lipirea în interiorul suitei"),
        ("It becomes two runs; else at its ends only.", "Devin două suite; altfel numai la capete."),
    ),
    "joker_run_opens": (
        ("A run with a joker may be opened inside", "Suita cu joker se poate desface"),
        ("For a tile that is laid off inside it.", "Pentru o piesă lipită în interior."),
    ),
    "lay_off_in_opening_turn": (
        ("Laying off when opening", "Lipire în tura etalării"),
        ("Already in the turn in which one opens.", "Chiar în tura în care se etalează."),
    ),
    "joker_lay_off": (
        ("Where a joker may be laid off", "Unde se poate lipi un joker"),
        ("Onto which melds.", "La ce formații."),
    ),
    "reclaim_in_opening_turn": (
        ("Reclaiming when opening", "Luarea jokerului în tura etalării"),
        ("Already in the turn in which one opens.", "Chiar în tura în care se etalează."),
    ),
    "reclaim_melds_at_once": (
        ("A reclaimed joker is melded at once", "Jokerul luat se etalează imediat"),
        ("With at least two tiles of the rack.", "Cu cel puțin două piese de pe tablă."),
    ),
    "reclaims_max": (
        ("Reclaims of the same joker, at most", "De câte ori se poate lua același joker"),
        ("Empty: as often as you like.", "Gol: oricât."),
    ),
    "group_reclaim_needs_all": (
        ("A joker of a group needs both colours", "Jokerul din grup cere ambele culori"),
        (
            "Of a group of 2 tiles and a joker both missing colours are laid down.",
            "La un grup din 2 piese și joker se pun ambele culori care lipsesc.",
        ),
    ),
    "announce_few_at": (
        ("Announcing few tiles", "Anunțul puținelor piese"),
        ("At so many or fewer on the rack; 0: never.", "La atâtea sau mai puține pe tablă; 0: niciodată."),
    ),
    "few_fine": (
        ("Fine for not announcing", "Penalizare pentru neanunțare"),
        (
            "The result, below nothing, that an arbiter may set.",
            "Rezultatul, sub zero, pe care îl poate da arbitrul.",
        ),
    ),
    "atu_closes": (
        ("Closing with the atu", "Închidere cu atu"),
        (
            "The atu may be the drawn tile of the turn that closes.",
            "Atu poate fi piesa trasă în tura închiderii.",
        ),
    ),
    "wall_end": (
        ("When the wall is empty", "Când se termină zidul"),
        ("What happens then.", "Ce se întâmplă atunci."),
    ),
    "closing_bonus": (("Bonus for closing", "Bonus de închidere"), ("To who closes.", "Cui închide.")),
    "closing_takes_hands": (
        ("The closer gets the others' hands", "Cine închide ia mâinile celorlalți"),
        ("The sum of what they hold.", "Suma a ce le-a rămas."),
    ),
    "one_turn_bonus": (
        ("Bonus for closing in one turn", "Bonus pentru închidere dintr-o tură"),
        ("All 14 tiles at once: so much more.", "Toate cele 14 piese deodată: atât în plus."),
    ),
    "never_opened_points": (
        ("Never opened", "Neetalat"),
        (
            "Taken off, and the rack is not counted; empty: the rack counts.",
            "Se scade atât, iar tabla nu se numără; gol: se numără tabla.",
        ),
    ),
    "atu_doubles": (
        ("A 1 or joker as atu doubles", "Atu 1 sau joker dublează"),
        ("The whole game counts twice.", "Tot jocul contează dublu."),
    ),
    "closing_tile_doubles": (
        ("Closing with a 1 or joker doubles", "Închiderea cu 1 sau joker dublează"),
        ("The closer's result.", "Rezultatul celui care închide."),
    ),
    "table_game_turns": (
        ("Announced within", "Se anunță în primele"),
        ("So many first turns of one's own.", "Atâtea ture proprii de la început."),
    ),
    "table_simple_points": (
        ("Simple", "Simplu"),
        ("Its points; empty: not played.", "Punctele; gol: nu se joacă."),
    ),
    "table_mozaic_points": (
        ("Mozaic", "Mozaic"),
        ("Its points; empty: not played.", "Punctele; gol: nu se joacă."),
    ),
    "table_bicolor_points": (
        ("Bicolor", "Bicolor"),
        ("Its points; empty: not played.", "Punctele; gol: nu se joacă."),
    ),
    "table_monocolor_points": (
        ("Monocolor", "Monocolor"),
        ("Its points; empty: not played.", "Punctele; gol: nu se joacă."),
    ),
    "table_game_failed_points": (
        ("A game on the rack not finished", "Joc pe tablă neterminat"),
        ("Taken off where nobody closed.", "Se scade dacă nu a închis nimeni."),
    ),
    "closed_game": (
        ("The closed game", "Jocul închis"),
        (
            "All 14 tiles in melds on the rack close, for the bonus and their value.",
            "Toate cele 14 piese în formații pe tablă închid, pentru bonus și valoarea lor.",
        ),
    ),
}  # fmt: skip

CHOICES: Final[dict[str, Said]] = {
    "random": ("by chance", "la întâmplare"),
    "right": ("the player to the right", "jucătorul din dreapta"),
    "counter-clockwise": ("counter-clockwise (to the right)", "invers acelor de ceas (spre dreapta)"),
    "clockwise": ("clockwise (to the left)", "în sensul acelor de ceas (spre stânga)"),
    "first_meld_shape.any": ("any melds", "orice formații"),
    "run": ("at least a run", "cel puțin o suită"),
    "run_or_ones": ("a run, or a group of 1s alone", "o suită, sau numai un grup de 1"),
    "run_and_group": ("a run and a group", "o suită și un grup"),
    "to_open": ("to open in that turn", "pentru etalare în acea tură"),
    "always": ("freely", "liber"),
    "no": ("never", "niciodată"),
    "one": ("that tile alone", "numai acea piesă"),
    "rest": ("it and all later ones", "ea și toate de după"),
    "joker_lay_off.any": ("any meld", "orice formație"),
    "own": ("only one's own", "numai ale proprii"),
    "rebuild": ("the row becomes a new wall", "șirul devine zid nou"),
    "end": ("the game ends", "jocul se termină"),
}
"""Of each choice, by its word, or by field and word where a word means two things."""
