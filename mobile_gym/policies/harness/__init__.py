"""What stands around a model: prompts, history, captions, state tracking (GMA, section 5)."""

from mobile_gym.policies.harness.captions import Captioner
from mobile_gym.policies.harness.chat import Harness
from mobile_gym.policies.harness.pictures import Look, look_of
from mobile_gym.policies.harness.prompts import Prompts
from mobile_gym.policies.harness.state import FreeState, NoState, StateTracking, StructuredState, state_tracking

__all__ = [
    "Captioner",
    "FreeState",
    "Harness",
    "Look",
    "NoState",
    "Prompts",
    "StateTracking",
    "StructuredState",
    "look_of",
    "state_tracking",
]
