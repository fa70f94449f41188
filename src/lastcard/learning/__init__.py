"""Learning by self-play: networks for the agent `net`.

Training needs the extra `learn`; playing with what it made does not.
"""

from lastcard.learning.config import TrainConfig
from lastcard.learning.recipes import RECIPES, Recipe
from lastcard.learning.run import Progress, train
from lastcard.learning.session import Tick

__all__ = ["RECIPES", "Progress", "Recipe", "Tick", "TrainConfig", "train"]
