"""What computes the nets: ONNX Runtime, which comes along, or OpenVINO where it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.onnx_nets import NEXT_STEP, ModelError

if TYPE_CHECKING:
    import onnxruntime

F32 = NDArray[np.float32]

BACKENDS: Final = ("onnxruntime", "openvino")


class Backend(Protocol):
    """Holds nets by their names and computes them; arrays in, arrays out."""

    def load(self, net: str, path: Path, weights: bytes) -> None:
        """Takes a net, the bytes of an ONNX file; ModelError with its path where that is none."""

    def outputs(self, net: str) -> tuple[str, ...]:
        """The names of what a net answers, in their order."""

    def run(self, net: str, value: F32) -> list[NDArray[Any]]:
        """What a net answers to its only input."""


def open_backend(name: str, threads: int | None = None) -> Backend:
    """The back end of that name; `threads` for one net, by default as many as there are cores.

    Raises ModelError where the name is unknown or what computes is not installed.
    """
    if name == "onnxruntime":
        return OnnxRuntime(threads)
    if name == "openvino":
        from vision.backend_openvino import OpenVino

        return OpenVino(threads)
    raise ModelError(f"there is no back end {name!r}; there are {' and '.join(BACKENDS)}")


class OnnxRuntime:
    """One session for each net, on the processor."""

    def __init__(self, threads: int | None = None) -> None:
        import onnxruntime as ort

        self._options = ort.SessionOptions()
        self._options.log_severity_level = 3
        # Each net has threads of its own: those that spin while they wait would take the others' cores.
        self._options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if threads:
            self._options.intra_op_num_threads = threads
        self._sessions: dict[str, onnxruntime.InferenceSession] = {}

    def load(self, net: str, path: Path, weights: bytes) -> None:
        """See `Backend`."""
        import onnxruntime as ort

        try:
            self._sessions[net] = ort.InferenceSession(
                weights, self._options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            # ONNX Runtime's own exception types live in a private module: told apart by their home.
            if not type(error).__module__.startswith("onnxruntime"):
                raise
            raise ModelError(f"{path} cannot be loaded ({error}). {NEXT_STEP}") from error

    def outputs(self, net: str) -> tuple[str, ...]:
        """See `Backend`."""
        return tuple(output.name for output in self._sessions[net].get_outputs())

    def run(self, net: str, value: F32) -> list[NDArray[Any]]:
        """See `Backend`."""
        session = self._sessions[net]
        return list(session.run(None, {session.get_inputs()[0].name: value}))
