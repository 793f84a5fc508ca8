"""What the page asks for: corrections, entries by hand, answers, pauses, names, the next deal; pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from companion.table import moves
from companion.table.history import last_batch
from companion.table.inputs import POSTS, Answer, Post
from companion.table.published import with_racks
from companion.table.retile import InMeld, InRow, face_at, retiled
from engine.decide import decide
from engine.entries import FieldError, melds_named, read_command
from engine.notation import NotationError, parse_face
from engine.records import CORRECTIONS, RecordError, reader
from engine.refusals import Refusal
from engine.replay import upset_by
from vision.sources.health import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from companion.table.core import Work
    from companion.table.history import Game

LONGEST_NAME: Final = 40


class _WrongError(ValueError):
    def __init__(self, en: str, ro: str) -> None:
        self.words = Words(en, ro)
        super().__init__(en)


@dataclass(frozen=True)
class _Job:
    work: Work
    fields: Mapping[str, Any]
    anyway: bool
    random: Random

    def whole(self, name: str, *, optional: bool = False) -> int | None:
        value = self.fields.get(name)
        if value is None and optional:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            raise _WrongError(
                f"{name} must be a whole number, not {value!r}",
                f"{name} trebuie să fie un număr întreg, nu {value!r}",
            )
        return value

    def seat(self, name: str = "seat") -> int:
        value = self.whole(name)
        seats = self.work.core.state.seats
        if value is None or not 0 <= value < seats:
            raise _WrongError(
                f"{name}: there is no seat {value}; seats are 0 to {seats - 1}",
                f"{name}: nu există locul {value}; locurile sunt 0 până la {seats - 1}",
            )
        return value

    def game(self) -> Game:
        """The game that a correction is about: by its number in the match, else the one that is on."""
        number = self.whole("game", optional=True)
        games = self.work.core.history.games
        if number is None:
            return games[-1]
        found = next((game for game in games if game.number == number), None)
        if found is None:
            raise _WrongError(
                f"game: this match has no game {number}", f"game: acest meci nu are jocul {number}"
            )
        return found


Result = Answer | None


def posted(work: Work, post: Post, random: Random) -> Answer:
    """The answer to a post, whose rows are then to be written; one that is stale or wrong changes nothing."""
    version = work.core.version
    if post.what not in POSTS:
        known = ", ".join(POSTS)
        return Answer("wrong", version, Words(f"{post.what!r} is none of {known}", f"se poate: {known}"))
    if post.version is not None and post.version != version:
        return Answer(
            "stale",
            version,
            Words(
                "The game has moved on since this page was loaded. Look at it as it is now, and try again.",
                "Jocul a continuat de când s-a încărcat pagina. Priviți starea de acum și încercați din nou.",
            ),
        )
    before, rows = work.core, len(work.rows)
    try:
        answer = _DOES[post.what](_Job(work, post.fields, post.anyway, random))
    except _WrongError as wrong:
        answer = Answer("wrong", version, wrong.words)
    except (FieldError, RecordError) as wrong:
        answer = Answer("wrong", version, Words(str(wrong.hint_en), str(wrong.hint_ro)))
    if answer is not None and answer.status != "done":
        work.core = before
        del work.rows[rows:]
    return answer or Answer("done", version)


def _command(job: _Job) -> Result:
    """An entry by hand; what the rules refuse is not done, unless it is entered all the same."""
    work = job.work
    fields = dict(job.fields)
    event = str(fields.pop("event", ""))
    if event in CORRECTIONS:
        raise _WrongError(
            f"{event} is a correction; post it as such", f"{event} este o corecție; trimiteți-o ca atare"
        )
    header, state = work.core.game.record.header, work.core.state
    named = [f"m{state.next_meld + at}" for at in range(melds_named(event, fields))]
    command = read_command(event, reader(fields, header), named)
    refusal = decide(state, command)
    if isinstance(refusal, Refusal) and not job.anyway:
        return Answer("refused", work.core.version, reasons=refusal.reasons)
    work.play([command], actor="arbiter")
    follower = work.core.follower.adopt([command])
    work.core = replace(work.core, follower=follower, announcing=None)
    if follower.state != work.core.state:
        work.refold()
    return None


def _rule(job: _Job) -> Result:
    game = job.game()
    if game is job.work.core.history.games[-1]:
        fields = {key: value for key, value in job.fields.items() if key != "game"}
        return _command(replace(job, fields={"event": "rule", **fields}))
    fields = {key: value for key, value in job.fields.items() if key != "game"}
    job.work.entry("rule", fields, actor="arbiter", game=game)
    job.work.reckon_results()
    return None


def _void(job: _Job) -> Result:
    return _correction(job, "void", {"target": job.whole("target"), "reason": _reason(job)})


def _amend(job: _Job) -> Result:
    target, entry = job.whole("target"), job.fields.get("entry")
    if job.fields.get("keep_racks") is True and isinstance(entry, dict):
        entry = with_racks(job.game().record, target, entry)
    return _correction(job, "amend", {"target": target, "entry": entry, "reason": _reason(job)})


def _retile(job: _Job) -> Result:
    """A tile on the table is another one: the entry that laid it is amended."""
    text = job.fields.get("face")
    try:
        face = parse_face(text if isinstance(text, str) else "")
    except NotationError as wrong:
        raise _WrongError(wrong.hint_en, wrong.hint_ro) from wrong
    at = job.whole("at") or 0
    meld = job.fields.get("meld")
    place = InMeld(meld, at) if isinstance(meld, str) else InRow(at)
    now = face_at(job.work.core.state, place)
    if now is None:
        raise _WrongError("no tile of the game lies there", "acolo nu este nicio piesă a jocului")
    if now == face:
        raise _WrongError(f"the game has {face} there already", f"jocul are deja {face} acolo")
    found = retiled(job.work.core.game.record, place, face)
    if found is None:
        raise _WrongError(
            f"no entry can have laid {face} there: the set has no more of it, or the game would differ "
            "elsewhere too; correct the entries one by one",
            f"nicio intrare nu putea pune {face} acolo: setul nu mai are una, sau jocul ar diferi și în alt "
            "loc; corectați intrările una câte una",
        )
    target, entry = found
    return _correction(job, "amend", {"target": target, "entry": entry, "reason": _reason(job)})


def _reason(job: _Job) -> str:
    return str(job.fields.get("reason") or "")


def _correction(job: _Job, event: str, fields: Mapping[str, Any]) -> Result:
    work, game = job.work, job.game()
    after = game.record.plus(event, fields, actor="arbiter")
    upset = upset_by(game.record, after)
    useless = any(refused.seq == len(after.entries) for refused in upset)
    if upset and (useless or not job.anyway):
        return Answer("conflict", work.core.version, upset=upset)
    work.entry(event, fields, actor="arbiter", game=game)
    if game.id == work.core.game.id:
        work.refold()
    else:
        work.reckon_results()
    return None


def _undo(job: _Job) -> Result:
    """The last entries that were written together did not happen."""
    work = job.work
    seqs = last_batch(work.core.game)
    if not seqs:
        raise _WrongError("there is nothing to undo in this game", "nu este nimic de anulat în acest joc")
    for seq in reversed(seqs):
        work.entry("void", {"target": seq, "reason": _reason(job) or "undone"}, actor="arbiter")
    work.refold()
    return None


def _answer(job: _Job) -> Result:
    work = job.work
    number, choice = job.whole("number"), job.whole("choice", optional=True)
    question = work.core.question
    if question is None or number != question.number:
        return Answer(
            "stale",
            work.core.version,
            Words("This question is open no more.", "Această întrebare nu mai este deschisă."),
        )
    if choice is not None and not 0 <= choice < len(question.options):
        raise _WrongError(
            f"choice is 0 to {len(question.options) - 1}, or null for none of them",
            f"choice este 0 până la {len(question.options) - 1} sau null pentru niciuna",
        )
    work.core = replace(work.core, question=None)
    follower, outcomes = work.core.follower.answer(question.number, choice)
    moves.take(work, follower, outcomes, random=job.random, actor="arbiter")
    return None


def _ignore(job: _Job) -> Result:
    keys = job.fields.get("keys")
    if not isinstance(keys, list) or not all(isinstance(key, int) for key in keys):
        raise _WrongError("keys must be a list of whole numbers", "keys trebuie să fie o listă de numere")
    work = job.work
    # What was asked about them is answered; the next look says what is left.
    left = tuple(one for one in work.core.differs if one.key is None or one.key not in keys)
    work.core = replace(work.core, follower=work.core.follower.ignore(keys), differs=left)
    return None


def _press(job: _Job) -> Result:
    moves.end_turn(job.work, job.seat(), job.random)
    return None


def _count(job: _Job) -> Result:
    """The game is put down: the racks are counted as soon as they are seen."""
    job.work.core = replace(job.work.core, follower=job.work.core.follower.count())
    return None


def _calls_done(job: _Job) -> Result:
    job.work.core = replace(job.work.core, calls=frozenset(), announcing=None)
    return None


def _next_deal(job: _Job) -> Result:
    core, match = job.work.core, job.work.core.match
    if not job.anyway:
        if core.state.phase != "over":
            raise _WrongError(
                "the game is not over; say that the next one begins all the same, and it counts for nothing",
                "jocul nu s-a terminat; confirmați că începe totuși următorul, iar acesta nu se punctează",
            )
        if not core.complete:
            raise _WrongError(
                "a rack has not been counted; enter it, or begin the next game all the same",
                "o tablă nu a fost numărată; introduceți-o sau confirmați că începe totuși jocul următor",
            )
        if match is not None and match.over:
            raise _WrongError("the match is over; begin a new one", "meciul s-a terminat; începeți unul nou")
    if core.history.match_over:
        raise _WrongError("the match was ended; begin a new one", "meciul a fost încheiat; începeți unul nou")
    named = job.fields.get("dealer") is not None
    dealer = job.seat("dealer") if named else moves.dealer_after(core, job.work.setup, job.random)
    job.work.new_game(dealer)
    return None


def _end_match(job: _Job) -> Result:
    if job.work.core.history.match_over:
        raise _WrongError("the match was ended already", "meciul a fost deja încheiat")
    job.work.table_row("match_end", {}, actor="arbiter")
    return None


def _new_match(job: _Job) -> Result:
    from companion.table.core import first_dealer

    core = job.work.core
    ended = core.history.match_over or (core.match is not None and core.match.over and core.complete)
    if not ended and not job.anyway:
        raise _WrongError(
            "the match is not over; end it first, or say that a new one begins all the same",
            "meciul nu s-a terminat; încheiați-l întâi sau confirmați că începe totuși unul nou",
        )
    if not core.history.match_over:
        job.work.table_row("match_end", {}, actor="arbiter")
    job.work.new_match()
    job.work.new_game(first_dealer(job.work.setup, job.random))
    return None


def _pause(job: _Job) -> Result:
    if not job.work.core.history.paused:
        job.work.table_row("pause", {}, actor="arbiter")
    return None


def _resume(job: _Job) -> Result:
    if job.work.core.history.paused:
        job.work.table_row("resume", {}, actor="arbiter")
    return None


def _rename(job: _Job) -> Result:
    name = job.fields.get("name")
    name = name.strip() if isinstance(name, str) else ""
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise _WrongError(
            f"name must be 1 to {LONGEST_NAME} signs", f"name trebuie să aibă 1 până la {LONGEST_NAME} semne"
        )
    job.work.table_row("rename", {"seat": job.seat(), "name": name}, actor="arbiter")
    return None


_DOES: Final[Mapping[str, Callable[[_Job], Result]]] = {
    "command": _command,
    "void": _void,
    "amend": _amend,
    "retile": _retile,
    "rule": _rule,
    "undo": _undo,
    "answer": _answer,
    "ignore": _ignore,
    "press": _press,
    "count": _count,
    "calls_done": _calls_done,
    "next_deal": _next_deal,
    "end_match": _end_match,
    "new_match": _new_match,
    "pause": _pause,
    "resume": _resume,
    "rename": _rename,
}
