"""The live page: a phone in a local browser page, to watch and to touch."""

from mobile_gym.envs.live_page.server import LivePage

__all__ = ["LivePage"]
