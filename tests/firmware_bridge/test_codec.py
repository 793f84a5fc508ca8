"""Frames and messages: they come back as they went, in pieces of any size, and no flipped bit passes."""

from __future__ import annotations

import ctypes
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.codec import (
    Decoder,
    MessageError,
    cobs,
    frame,
    hello_version,
    pack,
    uncobs,
    unframe,
    unpack,
)
from firmware_bridge.messages import Ask, Beat, Hello, Lamps, Status, Welcome, read, write
from firmware_bridge.protocol import protocol

LONGEST = protocol().max_body - 1
some_message = st.binary(min_size=1, max_size=LONGEST)


@pytest.mark.parametrize(
    ("plain", "coded"),
    [
        ("00", "0101"),
        ("0000", "010101"),
        ("112200", "03112201"),
        ("11220033", "0311220233"),
        ("11223344", "0511223344"),
        ("11000000", "0211010101"),
    ],
)
def test_cobs_is_that_of_its_paper(plain: str, coded: str) -> None:
    """The examples of Cheshire and Baker as they are told everywhere."""
    assert cobs(bytes.fromhex(plain)).hex() == coded
    assert uncobs(bytes.fromhex(coded)) == bytes.fromhex(plain)


def test_the_checksum_is_crc_16_ibm_3740() -> None:
    """Its check value over `123456789` is 29B1."""
    from firmware_bridge.codec import _checksum

    crc = 0x29B1
    assert _checksum(b"123456789") == bytes([0x80 | crc & 127, 0x80 | crc >> 7 & 127, 0x80 | crc >> 14])


@given(some_message)
def test_a_message_comes_back_as_it_went(message: bytes) -> None:
    wire = frame(message)
    assert wire[0] == wire[-1] == 0
    assert 0 not in wire[1:-1]
    assert unframe(wire[1:-1]) == message


@given(st.lists(some_message, min_size=1, max_size=5), st.data())
def test_pieces_of_any_size_give_the_same_messages(messages: list[bytes], data: st.DataObject) -> None:
    line = b"".join(map(frame, messages)) + b"\x05tail"
    assert Decoder().take(line) == messages
    byte_by_byte = Decoder()
    assert [found for byte in line for found in byte_by_byte.take(bytes([byte]))] == messages
    cut = data.draw(st.integers(0, len(line)))
    in_two = Decoder()
    assert in_two.take(line[:cut]) + in_two.take(line[cut:]) == messages
    assert byte_by_byte.bad == in_two.bad == 0


@given(st.binary(max_size=300), some_message)
def test_a_frame_after_garbage_is_found(garbage: bytes, message: bytes) -> None:
    assert Decoder().take(garbage + frame(message))[-1] == message


@given(some_message)
def test_every_flipped_bit_is_noticed(message: bytes) -> None:
    wire = frame(message)
    for bit in range(8 * len(wire)):
        flipped = bytearray(wire)
        flipped[bit // 8] ^= 1 << bit % 8
        assert Decoder().take(bytes(flipped) + b"\0") == []


def test_what_is_no_frame_is_counted_and_held_in_little_memory() -> None:
    decoder = Decoder()
    assert decoder.take(b"\xff" * 100_000) == []
    assert len(decoder._held) <= protocol().max_body + 4
    assert decoder.take(b"\0\0\0abc\0") == []
    assert decoder.bad == 2


@pytest.mark.parametrize("size", [0, LONGEST + 1])
def test_a_message_that_fits_no_frame_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"1 to {LONGEST} bytes, not {size}"):
        frame(bytes(size))


def test_cobs_refuses_what_needs_more_than_one_code_byte() -> None:
    with pytest.raises(ValueError, match="253"):
        cobs(bytes(254))


def test_uncobs_refuses_what_is_no_cobs() -> None:
    assert [uncobs(bytes.fromhex(text)) for text in ("", "00", "0311", "0111ff")] == [None] * 4


MESSAGES = [
    Hello(7, 1, 1, 3, 4, 3, 8, 0xDEADBEEF, 2, tuple(range(12)), tuple(range(244, 256))),
    Status(255, 0, 3, 9, (0,) * 12),
    Welcome(0, 1),
    Lamps(1, 255, 64, 2, 3, ((1, 1, 0), (2, 4, 128), (0, 0, 0), (7, 6, 255))),
    Beat(0),
    Ask(),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_every_kind_of_message_comes_back(message: Hello) -> None:
    (data,) = Decoder().take(write(message))
    assert read(data) == message


def test_a_message_of_no_kind_or_length_is_none() -> None:
    with pytest.raises(MessageError, match="begins with 99"):
        unpack(b"\x63")
    with pytest.raises(MessageError, match="BEAT has 2 bytes, not 3"):
        unpack(b"\x13\x00\x00")


def test_values_that_fit_no_message_are_refused() -> None:
    with pytest.raises(ValueError, match="has the fields ack, not nack"):
        pack("BEAT", {"nack": 1})
    with pytest.raises(ValueError, match=r"LAMPS\.lamps has 4 values, not 1"):
        pack("LAMPS", {"ack": 0, "seq": 0, "brightness": 0, "sound": 0, "sound_seq": 0, "lamps": 3})
    lamps: Any = ((1, 2, 3), (1, 2, 3), (1, 2, 3), (1, 2))
    fields = {"ack": 0, "seq": 0, "brightness": 0, "sound": 0, "sound_seq": 0}
    with pytest.raises(ValueError, match="has not 3 parts"):
        pack("LAMPS", {**fields, "lamps": lamps})


def test_the_version_of_a_later_board_is_read_though_its_message_is_not() -> None:
    assert hello_version(bytes([1, 0, 9]) + bytes(99)) == 9
    assert hello_version(bytes([2, 0, 9])) is None
    assert hello_version(b"\x01") is None


# ---- the same in C++

FRAMES = 10_000


def random_messages(count: int, seed: int) -> list[bytes]:
    """Messages with many zeros and powers of two, where COBS and flipped bits are weakest."""
    source = random.Random(seed)
    likely = bytes([0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 255])
    return [
        bytes(
            source.choice(likely) if source.random() < 0.5 else source.randrange(256)
            for _ in range(source.randint(1, LONGEST))
        )
        for _ in range(count)
    ]


def core_frame(core: ctypes.CDLL, message: bytes) -> bytes:
    wire = ctypes.create_string_buffer(LONGEST + 10)
    size = core.core_encode(message, len(message), wire)
    return wire.raw[:size]


class CoreDecoder:
    """The decoder of the firmware, built for this machine."""

    def __init__(self, core: ctypes.CDLL) -> None:
        self._core = core
        self._decoder = ctypes.c_void_p(core.core_decoder())

    def take(self, data: bytes) -> list[bytes]:
        out = ctypes.create_string_buffer(len(data) + 64)
        size = self._core.core_decode(self._decoder, data, len(data), out)
        messages, place = [], 0
        while place < size:
            length = out.raw[place]
            messages.append(out.raw[place + 1 : place + 1 + length])
            place += 1 + length
        return messages

    @property
    def bad(self) -> int:
        return int(self._core.core_bad(self._decoder))

    def free(self) -> None:
        self._core.core_free_decoder(self._decoder)


@pytest.mark.board
def test_ten_thousand_frames_agree_byte_for_byte(core: ctypes.CDLL) -> None:
    messages = random_messages(FRAMES, seed=1)
    wires = [frame(message) for message in messages]
    assert [core_frame(core, message) for message in messages] == wires
    decoder = CoreDecoder(core)
    assert decoder.take(b"".join(wires)) == messages
    assert [found for byte in b"".join(wires[:500]) for found in decoder.take(bytes([byte]))] == messages[
        :500
    ]
    assert Decoder().take(b"".join(wires)) == messages
    assert decoder.bad == 0
    decoder.free()


@pytest.mark.board
def test_no_flipped_bit_of_ten_thousand_frames_passes(core: ctypes.CDLL) -> None:
    messages = random_messages(FRAMES, seed=2)
    bits = sum(8 * len(frame(message)) for message in messages)
    assert bits > 1_000_000
    assert sum(core.core_flips(message, len(message)) for message in messages) == 0


@pytest.mark.board
def test_both_decoders_make_the_same_of_a_line_full_of_faults(core: ctypes.CDLL) -> None:
    source = random.Random(3)
    line = bytearray()
    for message in random_messages(3000, seed=4):
        piece = bytearray(frame(message))
        if source.random() < 0.5:
            place = source.randrange(len(piece))
            if source.random() < 0.5:
                piece[place] = source.randrange(256)
            else:
                del piece[place]
        line += piece
        if source.random() < 0.05:
            line += source.randbytes(source.randrange(200))
    decoder, ours = CoreDecoder(core), Decoder()
    theirs = []
    mine = []
    for place in range(0, len(line), 97):
        piece97 = bytes(line[place : place + 97])
        theirs += decoder.take(piece97)
        mine += ours.take(piece97)
    assert mine == theirs
    assert len(mine) > 1000
    assert ours.bad % 256 == decoder.bad
    decoder.free()
