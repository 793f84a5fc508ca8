"""Sources end to end: a stream that stalls and comes back, RTSP, a video file, a folder, a scripted
capture.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.waiting import until
from vision.pictures import Pixels
from vision.sources import captures, health
from vision.sources.addresses import Address, open_source, parse_address
from vision.sources.frames import Capture, FrameSource, Setting, SourceError
from vision.sources.live import LiveSource

PATIENCE = 20.0


def picture(number: int) -> Pixels:
    """A small picture that tells its number: each has another shade and its own noise."""
    chance = np.random.default_rng(number)
    return chance.integers(0, 40, (96, 128, 3), dtype=np.uint8) + np.uint8(10 * (number % 20))


def threads_named(name: str) -> list[str]:
    return [thread.name for thread in threading.enumerate() if name in thread.name]


# ---- a scripted capture


class Script:
    """A capture that plays a list: pictures, None for the end, and calls, which may wait."""

    settings: tuple[Setting, ...] = (Setting("focus", None, 3.0, True),)

    def __init__(self, steps: list[Pixels | Callable[[], Pixels | None] | None]) -> None:
        self.steps = steps
        self.closed = False

    def read(self) -> Pixels | None:
        if not self.steps:
            return None
        step = self.steps.pop(0)
        return step() if callable(step) else step

    def close(self) -> None:
        self.closed = True


def test_frames_are_numbered_and_read_only() -> None:
    go = threading.Event()

    def third() -> Pixels | None:
        go.wait(PATIENCE)
        return picture(3)

    script = Script([picture(1), picture(2), third])
    with LiveSource(lambda: script, "scripted", live=False) as source:
        assert until(lambda: (frame := source.latest()) is not None and frame.number == 2)
        frame = source.latest()
        assert frame is not None
        assert frame.size == (128, 96)
        assert not frame.pixels.flags.writeable
        assert source.wait(after=2, timeout=0.01) is None
        go.set()
        newer = source.wait(after=2, timeout=PATIENCE)
        assert newer is not None
        assert newer.number == 3
        assert newer.time >= frame.time
        assert until(lambda: source.status().health.state == "ended")
        assert source.status().size == (128, 96)
        assert source.status().settings[0].locked
        assert source.wait(after=3, timeout=PATIENCE) is None
    assert script.closed
    assert threads_named("source scripted") == []


def waits(event: threading.Event) -> Callable[[], Pixels | None]:
    """A step of a script that gives nothing until the event is set."""

    def step() -> Pixels | None:
        event.wait(PATIENCE)
        return None

    return step


def test_a_lost_source_is_opened_again_and_its_numbers_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FIRST_PAUSE_S", 0.01)
    begin, rest = threading.Event(), threading.Event()
    unplugged = SourceError("no_camera", hint_en="unplugged", hint_ro="deconectată")
    openings: list[Script | SourceError] = [
        Script([picture(1), picture(2), None]),
        unplugged,
        unplugged,
        Script([picture(3), waits(rest)]),
    ]
    reasons: list[str] = []

    def connect() -> Capture:
        begin.wait(PATIENCE)
        reasons.append(source.status().health.reason.en)
        opened = openings.pop(0) if openings else unplugged
        if isinstance(opened, SourceError):
            raise opened
        return opened

    source = LiveSource(connect, "scripted", live=True)
    try:
        begin.set()
        frame = source.wait(after=2, timeout=PATIENCE)
        assert frame is not None
        assert frame.number == 3
        assert reasons == ["", "the stream broke off", "unplugged", "unplugged"]
        assert source.status().health.failures == 3
    finally:
        rest.set()
        source.close()


def test_a_hanging_driver_is_noticed_by_time_alone() -> None:
    now = [0.0]
    go = threading.Event()
    script = Script([picture(1), waits(go)])
    with LiveSource(lambda: script, "scripted", live=True, clock=lambda: now[0]) as source:
        assert source.wait(after=0, timeout=PATIENCE) is not None
        assert source.status().health.state == "live"
        now[0] = 2.0
        assert source.status().health.state == "stalled"
        assert source.status().rate == 0.0
        go.set()


def test_a_frozen_picture_is_noticed_and_the_camera_opened_again() -> None:
    now = [0.0]

    def frozen() -> Pixels | None:
        now[0] += 0.5
        return picture(7)

    opened: list[Script] = []

    def connect() -> Capture:
        opened.append(Script([frozen] * 200))
        if len(opened) > 1:
            raise SourceError("no_camera", hint_en="gone", hint_ro="dispărută")
        return opened[0]

    with LiveSource(connect, "scripted", live=True, clock=lambda: now[0]) as source:
        assert until(lambda: source.status().health.reason.ro == "dispărută")
    assert opened[0].closed
    # 15 s at two frames a second, and no more.
    assert 29 <= 200 - len(opened[0].steps) <= 33


# ---- a real MJPEG stream


class Stream:
    """What the test server sends now: `live` frames, one `frozen` frame, or nothing."""

    def __init__(self) -> None:
        self.mode = "live"
        self.ends = threading.Event()
        self.connections = 0


@pytest.fixture
def mjpeg() -> Iterator[tuple[str, Stream]]:
    """An MJPEG server on this machine, and the switch for what it sends."""
    stream = Stream()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            stream.connections += 1
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            number = 0
            while not stream.ends.is_set() and stream.mode != "broken":
                if stream.mode != "silent":
                    number += stream.mode == "live"
                    data = cv2.imencode(".jpg", picture(number))[1].tobytes()
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + data + b"\r\n")
                    except OSError:
                        return
                stream.ends.wait(0.05)

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="test stream")
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/video", stream
    stream.ends.set()
    server.shutdown()
    thread.join()
    server.server_close()


def state(source: FrameSource) -> str:
    return source.status().health.state


def test_a_stream_that_stalls_freezes_and_breaks_off_comes_back(mjpeg: tuple[str, Stream]) -> None:
    url, stream = mjpeg
    with open_source(parse_address(url)) as source:
        assert until(lambda: state(source) == "live")
        assert until(lambda: source.status().rate > 2)
        assert source.status().size == (128, 96)

        stream.mode = "frozen"
        assert until(lambda: state(source) == "repeating")
        stream.mode = "live"
        assert until(lambda: state(source) == "live")

        stream.mode = "silent"
        assert until(lambda: state(source) in ("stalled", "lost"))
        assert until(lambda: source.status().health.reason.en == "no frame for 1.5 s")
        stream.mode = "live"
        assert until(lambda: state(source) == "live")
        assert stream.connections >= 2

        before = source.latest()
        assert before is not None
        stream.mode = "broken"
        assert until(lambda: state(source) == "lost")
        stream.mode = "live"
        assert source.wait(after=before.number + 3, timeout=PATIENCE) is not None
    assert threads_named("source http") == []


def test_a_stream_that_is_not_there_is_a_state_and_no_crash() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open_source(parse_address(f"http://ana:secret@127.0.0.1:{port}/video")) as source:
        assert until(lambda: state(source) == "lost")
        status = source.status()
        assert "does not answer" in status.health.reason.en
        assert "nu răspunde" in status.health.reason.ro
        assert "secret" not in "".join(status.health.reason) + status.address + source.thread_name
        assert source.latest() is None


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg: apt-get install ffmpeg")
def test_rtsp_from_ffmpeg(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenCV listens and ffmpeg pushes, so that no RTSP server is needed; the rest is as with a camera."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv(
        "OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_flags;listen|rtsp_transport;tcp|listen_timeout;15|timeout;15"
    )
    url = f"rtsp://127.0.0.1:{port}/live"
    command = ["ffmpeg", "-loglevel", "error", "-re", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=10"]
    command += ["-t", "60", "-c:v", "mpeg4", "-g", "5", "-f", "rtsp", "-rtsp_transport", "tcp", url]

    def connect() -> Capture:
        return captures.open_stream(url, open_timeout_ms=None)

    with LiveSource(connect, url, live=True) as source:
        pushes: list[subprocess.Popen[bytes]] = []
        try:
            # The listener needs a moment; a push that comes too early ends, and another is started.
            assert until(lambda: _pushing(pushes, command) and state(source) == "live")
            frame = source.wait(after=5, timeout=PATIENCE)
            assert frame is not None
            assert frame.size == (320, 240)
            assert frame.pixels.std() > 20
            pushes[-1].kill()
            assert until(lambda: state(source) in ("stalled", "lost"))
        finally:
            for push in pushes:
                push.kill()
                push.wait()


def _pushing(pushes: list[subprocess.Popen[bytes]], command: list[str]) -> bool:
    if not pushes or pushes[-1].poll() is not None:
        pushes.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        time.sleep(0.3)
    return True


# ---- files


def test_a_video_file_is_played_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50.0, (128, 96))
    for number in range(8):
        writer.write(picture(number))
    writer.release()
    with open_source(parse_address(str(path))) as source:
        assert until(lambda: state(source) == "ended")
        frame = source.latest()
        assert frame is not None
        assert (frame.number, frame.size) == (8, (128, 96))
        assert abs(float(frame.pixels.mean()) - float(picture(7).mean())) < 5


def test_a_folder_gives_its_pictures_in_order_and_passes_over_what_is_none(tmp_path: Path) -> None:
    for number in (2, 10, 1):
        cv2.imwrite(str(tmp_path / f"look{number}.png"), picture(number))
    (tmp_path / "look3.png").write_text("no picture")
    means = []
    with open_source(Address("folder", str(tmp_path)), every=0.05) as source:
        after = 0
        while (frame := source.wait(after=after, timeout=PATIENCE)) is not None:
            means.append(float(frame.pixels.mean()))
            after = frame.number
        assert state(source) == "ended"
    assert means == [pytest.approx(float(picture(number).mean())) for number in (1, 2, 10)]


def test_a_single_picture_is_a_source_too(tmp_path: Path) -> None:
    path = tmp_path / "look.png"
    cv2.imwrite(str(path), picture(4))
    with open_source(parse_address(str(path))) as source:
        frame = source.wait(after=0, timeout=PATIENCE)
        assert frame is not None
        assert np.array_equal(frame.pixels, picture(4))
