"""What people name as a source is understood, and what is none is answered with what there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.sources.addresses import Address, open_source, parse_address, pictures_in, without_secrets
from vision.sources.frames import SourceError


@pytest.fixture
def cameras(tmp_path: Path) -> Path:
    folder = tmp_path / "by-id"
    folder.mkdir()
    for name in (
        "usb-Logi_C920_AB12-video-index0",
        "usb-Logi_C920_AB12-video-index1",
        "usb-Other_X-video-index0",
    ):
        (folder / name).touch()
    return folder


def test_addresses_by_kind(tmp_path: Path, cameras: Path) -> None:
    (tmp_path / "table.mp4").touch()
    (tmp_path / "table.JPG").touch()
    kinds = {
        "rtsp://10.0.0.5/live": "rtsp",
        "http://10.0.0.5:8080/video": "mjpeg",
        "/dev/video3": "usb",
        "2": "usb",
        str(tmp_path): "folder",
        str(tmp_path / "table.JPG"): "folder",
        str(tmp_path / "table.mp4"): "video",
    }
    for text, kind in kinds.items():
        assert parse_address(text, cameras=cameras).kind == kind, text
    assert parse_address("2").target == "/dev/video2"


def test_a_camera_is_named_by_a_part_of_its_id(cameras: Path) -> None:
    found = parse_address("usb:c920", cameras=cameras)
    assert found == Address("usb", str(cameras / "usb-Logi_C920_AB12-video-index0"))
    with pytest.raises(SourceError, match="Several cameras") as error:
        parse_address("usb:video", cameras=cameras)
    assert error.value.code == "several_cameras"


@pytest.mark.parametrize("text", ["usb:brio", "no-such-file.mp4", "ftp://x"])
def test_what_is_no_source_is_answered_with_the_cameras_there_are(text: str, cameras: Path) -> None:
    with pytest.raises(SourceError, match="usb:usb-Logi_C920_AB12-video-index0") as error:
        parse_address(text, cameras=cameras)
    assert error.value.code == "no_source"
    assert "Camere conectate" in error.value.hint_ro
    with pytest.raises(SourceError, match="No USB camera is plugged in"):
        parse_address(text, cameras=cameras / "none")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://admin:secret@10.0.0.5/live", "rtsp://***@10.0.0.5/live"),
        ("rtsp://admin:p@ss@10.0.0.5/live", "rtsp://***@10.0.0.5/live"),
        ("http://10.0.0.5/video?token=secret", "http://10.0.0.5/video?***"),
        ("/home/ana/video.mp4", "/home/ana/video.mp4"),
    ],
)
def test_passwords_are_never_shown(address: str, shown: str) -> None:
    assert without_secrets(address) == shown


def test_pictures_come_in_their_natural_order(tmp_path: Path) -> None:
    for name in ("look10.png", "look2.png", "Look1.jpg", "notes.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in pictures_in(tmp_path)] == ["Look1.jpg", "look2.png", "look10.png"]


def test_an_empty_folder_and_a_file_that_is_no_video_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no pictures") as error:
        open_source(parse_address(str(tmp_path)))
    assert error.value.code == "no_pictures"
    (tmp_path / "table.mp4").write_text("no video")
    with pytest.raises(SourceError, match="is not a video") as error:
        open_source(parse_address(str(tmp_path / "table.mp4")))
    assert error.value.code == "no_video"
