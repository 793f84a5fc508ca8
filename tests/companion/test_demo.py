"""`remi demo`: composing, choosing a port, serving from memory, ending cleanly."""

from __future__ import annotations

import http.client
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, cast

import click
import numpy as np
import pytest
from PIL import Image
from waitress import wasyncore

from companion import demo
from companion.demo_players.live import demo_config
from engine.readings import PictureReading, SeenTile
from engine.tiles import Face
from vision.pictures import Pixels
from web_ui.app import create_app
from web_ui.services import BothLanguages, PictureRefusedError

ROOT = Path(demo.__file__).resolve().parent.parent


class FixedReader:
    """Sees three tiles in a row in every picture."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, ...]] = []

    def read(self, image: Pixels) -> PictureReading:
        self.sizes.append(image.shape)
        height, width = image.shape[:2]
        tiles = []
        for place in range(3):
            x = 20.0 + 40 * place
            quad = ((x, 20.0), (x + 39, 20.0), (x + 39, 75.0), (x, 75.0))
            tiles.append(SeenTile(Face("r", 5 + place), quad, 0.99))
        return PictureReading(width, height, tuple(tiles), {"read": 12.0})


def jpeg(width: int = 300, height: int = 200, *, quality: int = 90, noise: bool = False) -> bytes:
    if noise:
        pixels = np.random.default_rng(7).integers(0, 256, (height, width, 3), np.uint8)
    else:
        pixels = np.full((height, width, 3), 120, np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=quality)
    return out.getvalue()


def test_a_picture_is_read_whole_and_shown_no_larger_than_a_screen() -> None:
    reader = FixedReader()
    read = demo.read_for_page(reader, jpeg(4000, 3000))
    assert reader.sizes == [(3000, 4000, 3)]
    assert (read.reading.width, read.reading.height) == (4000, 3000)
    with Image.open(io.BytesIO(read.jpeg)) as shown:
        assert (shown.format, shown.size) == ("JPEG", (2000, 1500))


def test_what_cannot_be_read_is_refused_in_both_languages() -> None:
    for data, code in ((b"hello", "not_a_picture"), (jpeg()[:200], "truncated")):
        with pytest.raises(PictureRefusedError) as refused:
            demo.read_for_page(FixedReader(), data)
        assert refused.value.code == code
        assert refused.value.message_ro != refused.value.message_en


def test_a_single_pixel_is_an_empty_table() -> None:
    out = io.BytesIO()
    Image.new("RGB", (1, 1)).save(out, "PNG")
    read = demo.read_for_page(FixedReader(), out.getvalue())
    assert read.reading.tiles == ()
    with Image.open(io.BytesIO(read.jpeg)) as shown:
        assert shown.size == (1, 1)


def test_the_sample_is_offered_where_it_is_there(tmp_path: Path) -> None:
    sample = tmp_path / "sample.jpg"
    assert demo.page_services(FixedReader(), sample=sample).sample_picture is None
    sample.write_bytes(jpeg())
    offered = demo.page_services(FixedReader(), sample=sample).sample_picture
    assert offered is not None
    assert offered() == jpeg()


def test_a_live_table_is_shown_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    class Table:
        open = True
        live = None

        def __init__(self, journal: Path) -> None:
            self.config = demo_config(demo.tile_rules("doizece"), 4, journal)

        def close(self) -> None:
            self.open = False

    tables: list[Table] = []
    asked: list[object] = []

    def open_demo_table(reader: object, rules: Any, *, seed: int, journal: Path, taught: bool) -> Table:
        assert taught
        asked.extend((reader, rules.key, seed))
        assert journal.parent.is_dir()
        tables.append(Table(journal))
        return tables[0]

    eyes = FixedReader()
    monkeypatch.setattr(demo, "load_reader", lambda: eyes)
    monkeypatch.setattr("companion.demo_table.open_demo_table", open_demo_table)
    with ExitStack() as open_things:
        services = demo.with_table(demo.page_services(FixedReader()), "doizece", 5, open_things)
        assert services.game is cast("object", tables[0])
        assert services.setup is not None
        assert services.history is not None
        assert asked == [eyes, "doizece", 5]
        assert tables[0].open
    assert not tables[0].open


def test_where_no_table_can_be_drawn_the_photos_are_served_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = BothLanguages(ro="Instalați fonturi.", en="Install fonts.")
    monkeypatch.setattr(demo, "load_reader", FixedReader)
    monkeypatch.setattr("companion.demo_table.open_demo_table", lambda *_, **__: missing)
    monkeypatch.setenv("LC_ALL", "ro_RO.UTF-8")
    with ExitStack() as open_things:
        services = demo.with_table(demo.page_services(FixedReader()), "etalat", 0, open_things)
    assert (services.table, services.no_table) == (None, missing)
    assert capsys.readouterr().err == "Instalați fonturi.\n"
    client = create_app(services).test_client()
    assert client.get("/photo", headers={"Accept-Language": "ro"}).status_code == 200
    assert "Instalați fonturi." in client.get("/table", headers={"Accept-Language": "ro"}).text


def test_a_busy_port_leads_to_the_next_free_one() -> None:
    with demo.open_listener("127.0.0.1", 0) as first:
        first.listen()
        busy = first.getsockname()[1]
        with demo.open_listener("127.0.0.1", busy) as second:
            taken = second.getsockname()[1]
            assert busy < taken < busy + demo.PORTS_TRIED


def test_no_free_port_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "PORTS_TRIED", 1)
    with demo.open_listener("127.0.0.1", 0) as first:
        first.listen()
        with pytest.raises(click.ClickException, match="--port"):
            demo.open_listener("127.0.0.1", first.getsockname()[1])


def test_an_address_of_another_machine_is_wrong_usage() -> None:
    for host in ("192.0.2.1", "no such host."):
        with pytest.raises(click.BadParameter, match=r"127\.0\.0\.1"):
            demo.open_listener(host, 0)


def test_the_addresses_that_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "lan_address", lambda: "192.168.1.7")
    assert demo.shown_addresses("127.0.0.1", 80) == ["http://127.0.0.1:80/"]
    assert demo.shown_addresses("::1", 80) == ["http://[::1]:80/"]
    assert demo.shown_addresses("10.1.2.3", 80) == ["http://10.1.2.3:80/"]
    assert demo.shown_addresses("0.0.0.0", 80) == ["http://127.0.0.1:80/", "http://192.168.1.7:80/"]  # noqa: S104
    monkeypatch.setattr(demo, "lan_address", lambda: None)
    assert demo.shown_addresses("::", 80) == ["http://[::1]:80/"]


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a real server with a real app in this process."""
    listener = demo.open_listener("127.0.0.1", 0)
    server: Any = demo.make_server(create_app(demo.page_services(FixedReader())), listener)
    ending = threading.Event()

    def serve() -> None:
        while not ending.is_set():
            wasyncore.loop(timeout=0.05, map=server._map, count=1)

    thread = threading.Thread(target=serve, name="test-server", daemon=True)
    thread.start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        # The loop first, then the workers, who may still wake it through its pipe; the pipe and sockets last.
        ending.set()
        thread.join(10)
        server.task_dispatcher.shutdown()
        wasyncore.close_all(server._map)
    assert not thread.is_alive()


def post(port: int, path: str, body: bytes) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("POST", path, body)
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_a_photo_over_the_wire_is_counted_and_never_on_a_disk(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> object:
        raise AssertionError("a temporary file was opened")

    for name in ("TemporaryFile", "NamedTemporaryFile", "SpooledTemporaryFile", "mkstemp"):
        monkeypatch.setattr(tempfile, name, refuse)
    picture = jpeg(1600, 1200, quality=98, noise=True)
    assert len(picture) > 2 * 2**20
    status, body = post(port, "/api/v1/photos?rules=etalat", picture)
    counted = json.loads(body)
    assert (status, counted["total"], counted["size"]) == (201, 15, [1600, 1200])
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", counted["picture"])
        shown = connection.getresponse().read()
    assert len(shown) > 2**20


def test_a_file_that_is_too_big_is_answered_in_words(port: int) -> None:
    status, body = post(port, "/api/v1/photos", b"\xff\xd8\xff" + bytes(41 * 2**20))
    assert (status, json.loads(body)["error"]["code"]) == (413, "too_big")


SCRIPT = """
import signal, sys
# A shell that starts tests in the background has them ignore Ctrl-C; children inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path[:0] = [{root!r}, {tests!r}]
from test_demo import FixedReader
from companion.demo import run_demo
run_demo("doizece", {port}, open_browser=False, reader=FixedReader())
print("ended")
"""


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
def test_it_says_its_address_serves_and_ends_on_ctrl_c() -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        script = SCRIPT.format(root=str(ROOT), tests=str(Path(__file__).parent), port=taken)
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            assert re.fullmatch(rf"Port {taken} is in use, taking \d+\.\n", process.stdout.readline())
            line = process.stdout.readline()
            found = re.fullmatch(r"Remi Companion: http://127\.0\.0\.1:(\d+)/ \(Ctrl-C ends\)\n", line)
            assert found is not None, line
            with closing(http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=30)) as connection:
                connection.request("GET", "/photo", headers={"Accept-Language": "en"})
                assert b'value="doizece" checked' in connection.getresponse().read()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
            process.communicate()
    assert (process.returncode, out, err) == (0, "ended\n", "")
