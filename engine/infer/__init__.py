"""From settled looks at a table to what happened there: proposals, questions, differences.

`infer` compares one look with a state; `engine.infer.follow` follows a whole game, look by look.
"""

from engine.infer.look import infer
from engine.infer.settings import Chances, Settings

__all__ = ["Chances", "Settings", "infer"]
