"""Wrappers for training: small pictures, encoded texts, flat actions, actions on elements, masks, drawn seeds.

Each takes JSON-able arguments, changes one thing and can be put over the others. An order that works:

    env = gym.make("MoBench/train-launcher", observation_size=(90, 200), language="en")
    env = FlatActions(env, grid=(12, 24), kinds=("tap", "press_home", "finish"))
    env = EncodeTexts(env)

`ArrayEnv` alone is enough to feed a library that only wants arrays.
"""

from mobile_gym.envs.wrappers.arrays import ArrayEnv
from mobile_gym.envs.wrappers.elements import ElementActions
from mobile_gym.envs.wrappers.flat_actions import FlatActions
from mobile_gym.envs.wrappers.pictures import GreyScreenshot, ResizeScreenshot, StackScreenshots
from mobile_gym.envs.wrappers.seeds import DrawnSeeds
from mobile_gym.envs.wrappers.texts import MAX_BYTES, EncodeTexts, character_codes, ngram_vector, text_bytes

__all__ = [
    "MAX_BYTES",
    "ArrayEnv",
    "DrawnSeeds",
    "ElementActions",
    "EncodeTexts",
    "FlatActions",
    "GreyScreenshot",
    "ResizeScreenshot",
    "StackScreenshots",
    "character_codes",
    "ngram_vector",
    "text_bytes",
]
