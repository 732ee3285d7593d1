"""Models behind OpenAI-compatible endpoints: chat completions with pictures, retries, tokens, latency and caps."""

from mobile_gym.models.client import ChatClient
from mobile_gym.models.completion import Completion
from mobile_gym.models.cost import CostCap, PriceTable, load_prices
from mobile_gym.models.errors import BudgetSpent, EmptyAnswer, ModelError
from mobile_gym.models.messages import Message, Picture, jpeg, png

__all__ = [
    "BudgetSpent",
    "ChatClient",
    "Completion",
    "CostCap",
    "EmptyAnswer",
    "Message",
    "ModelError",
    "Picture",
    "PriceTable",
    "jpeg",
    "load_prices",
    "png",
]
