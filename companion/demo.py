"""Serves the pages: reader, live table and pages composed, a production server, no file written."""

from __future__ import annotations

import errno
import ipaddress
import logging
import os
import socket
import tempfile
import threading
import webbrowser
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import click

from companion.jpegs import jpeg_of
from companion.output import note
from companion.page_past import with_sheets
from companion.readers import load_reader, read_photo
from companion.records import in_romanian
from companion.version import __version__
from engine.rules import rule_set
from engine.tiles import TILE_COLOURS
from web_ui.app import Settings, create_app
from web_ui.services import BothLanguages, PictureRefusedError, ReadPicture, Services

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from waitress.server import BaseWSGIServer, MultiSocketServer

    from companion.readers import PictureReader
    from engine.rules import RuleSet
    from vision.pictures import Pixels
    from vision.reader import Reader
    from web_ui.services import Game

SAMPLE: Final = Path(__file__).resolve().parent.parent / "models" / "sample.jpg"
SHOWN_SIDE: Final = 2000
"""Pixels of the longer side of the copy that the browser shows; the reader sees the whole picture."""
SHOWN_QUALITY: Final = 85
PORTS_TRIED: Final = 20
THREADS: Final = 8


def run_demo(  # noqa: PLR0913 -- the options of the command
    rules: str,
    port: int,
    *,
    host: str = "127.0.0.1",
    open_browser: bool = True,
    reader: PictureReader | None = None,
    table: bool = True,
    seed: int = 3,
    journal: Path | None = None,
    taught: bool = True,
) -> None:
    """Serve the pages until Ctrl-C; says the address, and the port it took where the one asked for is in use.

    `rules` is the rule set that a visitor starts with. With `table` there is a live one too, of that `seed`,
    unless a `reader` is given; its set of tiles is `taught` first. ClickException where nothing can be served
    there.
    """
    with ExitStack() as open_things:  # closed in the other order, whatever happens
        listener = open_listener(host, port)
        open_things.callback(listener.close)
        taken = int(listener.getsockname()[1])
        if port not in {0, taken}:
            click.echo(f"Port {port} is in use, taking {taken}.")
        services = page_services(reader or load_reader())
        if table and reader is None:
            services = with_table(services, rules, seed, open_things, journal=journal, taught=taught)
        if services.history is None:
            services = with_sheets(services, None, open_things)
        services = replace(services, addresses=lambda: shown_addresses(str(listener.getsockname()[0]), taken))
        server = make_server(create_app(services, Settings(default_rules=rules)), listener)
        open_things.callback(server.close)
        addresses = shown_addresses(str(listener.getsockname()[0]), taken)
        click.echo(f"Remi Companion: {', for phones on this network '.join(addresses)} (Ctrl-C ends)")
        if open_browser:
            # Some browsers run inside this terminal and only return when they are closed.
            threading.Thread(
                target=webbrowser.open, args=(addresses[0],), name="open-browser", daemon=True
            ).start()
        server.run()  # returns on Ctrl-C, after the answers under way


def with_table(
    services: Services,
    rules: str,
    seed: int,
    open_things: ExitStack,
    *,
    journal: Path | None = None,
    taught: bool = True,
) -> Services:
    """Return the services with a running table and its game, which `open_things` ends; or why there is none.

    The eyes have a reader of their own: that of the photos may be taught a set, and is not for two threads.
    Without a `journal` the games are kept in a temporary file.
    """
    from companion.demo_table import open_demo_table
    from companion.table.setup_service import SetupService

    if journal is None:
        folder = open_things.enter_context(tempfile.TemporaryDirectory(prefix="remi-demo-"))
        journal = Path(folder) / "journal.sqlite"
    reader = cast("Reader", load_reader())
    found = open_demo_table(reader, tile_rules(rules), seed=seed, journal=journal, taught=taught)
    if isinstance(found, BothLanguages):
        note(found.ro if in_romanian() else found.en)
        return replace(services, no_table=found)
    open_things.callback(found.close)
    setup = SetupService(found.config, table=found)
    services = with_sheets(services, found.config.journal, open_things)
    return replace(services, table=found.live, game=found, setup=setup)


def tile_rules(key: str) -> RuleSet:
    """Return the rules for a table of tiles: the ones named, unless they are played with cards."""
    rules = rule_set(key)
    return rules if rules.colours[0] in TILE_COLOURS else rule_set("etalat")


def page_services(reader: PictureReader, *, sample: Path = SAMPLE, game: Game | None = None) -> Services:
    """Return what the page needs; pictures are read one at a time, for the sake of memory."""
    from companion.page_tilesets import PageTileSets
    from vision.layout import rows
    from vision.reader import Reader

    one_at_a_time = threading.Lock()
    tile_sets = None
    if isinstance(reader, Reader) and reader.nets.tells_features:
        tile_sets = PageTileSets(reader, one_at_a_time)

    def read_picture(data: bytes) -> ReadPicture:
        with one_at_a_time:
            return read_for_page(reader, data)

    return Services(
        read_picture=read_picture,
        rows=rows,
        sample_picture=_sample_reader(sample),
        version=__version__,
        tile_sets=tile_sets,
        game=game,
    )


def read_for_page(reader: PictureReader, data: bytes) -> ReadPicture:
    """Return the reading of a picture file and an upright copy to show; raises `PictureRefusedError`."""
    from vision.pictures import PictureError, open_picture

    try:
        picture = open_picture(data)
    except PictureError as error:
        raise PictureRefusedError(error.code, message_ro=error.hint_ro, message_en=error.hint_en) from error
    return ReadPicture(reading=read_photo(reader, picture), jpeg=_shown_copy(picture.pixels))


def _sample_reader(sample: Path) -> Callable[[], bytes] | None:
    return sample.read_bytes if sample.is_file() else None


def _shown_copy(pixels: Pixels) -> bytes:
    """Return the picture as a JPEG no larger than a screen needs."""
    import cv2
    import numpy as np

    height, width = pixels.shape[:2]
    scale = min(1.0, SHOWN_SIDE / max(height, width))
    if scale < 1:
        size = max(1, round(width * scale)), max(1, round(height * scale))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    return jpeg_of(pixels, quality=SHOWN_QUALITY)


def open_listener(host: str, port: int) -> socket.socket:
    """Return a socket bound to the port or the next free one; ClickException where there is none."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise _no_address(host) from error
    last = None
    for number in range(port, min(port + PORTS_TRIED, 65536)) if port else (0,):
        listener = socket.socket(family, kind, protocol)
        if os.name == "posix":  # elsewhere this option would let two programs share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address[0], number, *address[2:]))
        except OSError as error:
            listener.close()
            if error.errno not in {errno.EADDRINUSE, errno.EACCES}:
                raise _no_address(host) from error
            last = error
            continue
        return listener
    why = last.strerror if last is not None else "no port in range"
    raise click.ClickException(
        f"No port from {port} to {port + PORTS_TRIED - 1} can be used ({why}). Choose another with --port."
    )


def _no_address(host: str) -> click.BadParameter:
    return click.BadParameter(
        f"{host!r} is no address of this machine; "
        "use 127.0.0.1 for this machine alone, 0.0.0.0 to let phones in"
    )


def make_server(
    app: Flask, listener: socket.socket, *, threads: int = THREADS
) -> MultiSocketServer | BaseWSGIServer:
    """Return the production server for the app on the socket; requests and answers stay in memory."""
    from waitress.server import create_server

    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a page with eight pictures is no trouble
    limit = int(app.config["MAX_CONTENT_LENGTH"])
    return create_server(
        app,
        sockets=[listener],
        threads=threads,
        ident=None,
        # A reader of the table's events holds a connection and a thread; pages come beside them.
        connection_limit=max(100, threads + 128),
        asyncore_use_poll=True,  # select() ends at 1024 descriptors
        # Twice the limit of the app, so that a file that is too big is answered with the page that says so.
        max_request_body_size=2 * limit,
        # Above these sizes waitress would write to a temporary file; photos are never written to a disk.
        inbuf_overflow=4 * limit,
        outbuf_overflow=4 * limit,
        # What was sent to a reader of the events is kept until so much was written to its connection; the
        # default of 16 MB would be kept for each of them.
        outbuf_high_watermark=2**18,
    )


def shown_addresses(bound: str, port: int) -> list[str]:
    """Return the addresses to tell: for this machine, and for its network where the server listens to it."""
    address = ipaddress.ip_address(bound.partition("%")[0])
    if not address.is_unspecified:
        return [_url(bound, port)]
    here = _url("127.0.0.1" if address.version == 4 else "::1", port)
    lan = lan_address()
    return [here, _url(lan, port)] if lan else [here]


def lan_address() -> str | None:
    """Return this machine's address in its network, None without one; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation: only the route is asked for
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if ipaddress.ip_address(found).is_unspecified else found


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
