"""Computes the nets with OpenVINO, in bfloat16 where the processor does so: about twice as fast there."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.onnx_nets import NEXT_STEP, ModelError

F32 = NDArray[np.float32]

EXACT: Final = ("inks",)
"""Nets that are tiny and judge a whole picture: nothing is gained by computing them coarsely."""


class OpenVino:
    """One compiled model for each net, on the processor."""

    def __init__(self, threads: int | None = None) -> None:
        try:
            import openvino
        except ImportError:
            raise ModelError(
                "OpenVINO is not installed: pip install 'remi-companion[openvino]', "
                "or read with the back end onnxruntime"
            ) from None
        self._core = openvino.Core()
        self._settings: dict[str, Any] = {"PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1}
        if threads:
            self._settings["INFERENCE_NUM_THREADS"] = threads
        able = self._core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        self._fast = "bf16" if "BF16" in able else "f32"
        self._requests: dict[str, Any] = {}
        self._names: dict[str, tuple[str, ...]] = {}

    def load(self, net: str, path: Path, weights: bytes) -> None:
        """See `vision.backends.Backend`."""
        precision = "f32" if net in EXACT else self._fast
        settings = {**self._settings, "INFERENCE_PRECISION_HINT": precision}
        try:
            model = self._core.compile_model(self._core.read_model(io.BytesIO(weights)), "CPU", settings)
        except RuntimeError as error:
            raise ModelError(f"{path} cannot be loaded ({str(error).strip()}). {NEXT_STEP}") from error
        self._requests[net] = model.create_infer_request()
        self._names[net] = tuple(output.get_any_name() for output in model.outputs)

    def outputs(self, net: str) -> tuple[str, ...]:
        """See `vision.backends.Backend`."""
        return self._names[net]

    def run(self, net: str, value: F32) -> list[NDArray[Any]]:
        """See `vision.backends.Backend`."""
        answer = self._requests[net].infer([np.ascontiguousarray(value)], share_inputs=True)
        return [np.asarray(answer[at]) for at in range(len(self._names[net]))]
