"""Passes a picture through a video codec, as a camera that streams over the network does."""

from __future__ import annotations

import io

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]


class CodecMissingError(RuntimeError):
    """The package `av` is not installed."""


def streamed(image: U8, rng: np.random.Generator, *, crf: int, frames: int = 3) -> U8:
    """The last of `frames` frames of an H.264 stream of a still scene, (h, w, 3) BGR in and out.

    `crf` is x264's constant rate factor: 23 is fair, 38 is poor. Frames differ by noise and a hair of
    movement, as those of a real camera do. Raises CodecMissingError where PyAV is not installed, for a
    picture without the codec would be another picture for the same seed.
    """
    try:
        import av
    except ImportError as problem:
        raise CodecMissingError(
            "rendered scenes pass through H.264, for which the package av (PyAV) is missing: "
            "install the train extra, pip install 'remi-companion[train]' "
            "(lipsește pachetul av: instalează extra „train”)"
        ) from problem
    height, width = image.shape[:2]
    padded = cv2.copyMakeBorder(image, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
    even = np.asarray(padded, np.uint8)
    file = io.BytesIO()
    with av.open(file, "w", format="h264") as out:
        stream = out.add_stream("libx264", rate=25)
        stream.width, stream.height = even.shape[1], even.shape[0]
        stream.pix_fmt = "yuv420p"
        stream.thread_count = 1
        preset = str(rng.choice(["ultrafast", "superfast", "veryfast"], p=[0.4, 0.4, 0.2]))
        stream.options = {
            "crf": str(crf),
            "preset": preset,
            # One thread, and none of x264's ways that depend on the processor it runs on.
            "x264-params": "threads=1:lookahead-threads=1:sliced-threads=0:scenecut=0:bframes=0"
            ":cpu-independent=1",
        }
        for number in range(frames):
            shown = even if number == frames - 1 else _earlier(even, rng)
            for packet in stream.encode(av.VideoFrame.from_ndarray(shown, format="bgr24")):
                out.mux(packet)
        for packet in stream.encode():
            out.mux(packet)
    file.seek(0)
    last: U8 | None = None
    with av.open(file, "r", format="h264") as source:
        source.streams.video[0].thread_count = 1
        for frame in source.decode(video=0):
            last = np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
    if last is None:
        raise RuntimeError("the H.264 codec gave no picture back for a rendered scene")
    return np.asarray(last[:height, :width], np.uint8)


def _earlier(image: U8, rng: np.random.Generator) -> U8:
    """The scene a moment before: shifted by a fraction of a pixel, with other noise."""
    shift = rng.normal(0, 0.25, 2)
    matrix = np.asarray([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
    size = (image.shape[1], image.shape[0])
    moved = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    noise = rng.integers(-4, 5, (image.shape[0] // 2 + 1, image.shape[1] // 2 + 1, 1), dtype=np.int16)
    wide = noise.repeat(2, axis=0).repeat(2, axis=1)[: image.shape[0], : image.shape[1]]
    return np.asarray(np.clip(moved.astype(np.int16) + wide, 0, 255), np.uint8)
