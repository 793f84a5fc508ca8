"""A table that a program plays on, seen by a camera that is rendered: a source of frames without a camera."""

from vision.virtual.capture import VirtualCapture
from vision.virtual.pieces import Lie, Piece, Piled, Put, Remove, Stand, Switches, TurnOver
from vision.virtual.setting import Setting, draw_setting
from vision.virtual.table import Truth, VirtualTable

__all__ = [
    "Lie",
    "Piece",
    "Piled",
    "Put",
    "Remove",
    "Setting",
    "Stand",
    "Switches",
    "Truth",
    "TurnOver",
    "VirtualCapture",
    "VirtualTable",
    "draw_setting",
]
