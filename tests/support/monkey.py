"""A monkey: random but seeded touches, keys and texts on an embedded phone.

Run as a program it prints the phone's digests after a number of actions: python -m tests.support.monkey SEED COUNT
"""

from __future__ import annotations

import random
import sys

from mobile_gym.phone.phone import Phone

KEYS = ("BACK", "BACK", "BACK", "HOME", "APP_SWITCH", "ENTER", "DEL", "VOLUME_UP", "VOLUME_DOWN", "TAB", "ESCAPE")
TEXTS = ("a", "hello world", "你好", "13800138000", "😀", "08:30", "'; --", "10086", " ", "x" * 60, "\n", "<&>\"'")


class Monkey:
    """Acts on a phone at random.

    Args:
        phone: the phone.
        seed: seed of the choices.
        events: whether messages and calls arrive as well.
    """

    def __init__(self, phone: Phone, seed: int, events: bool = True) -> None:
        self.phone = phone
        self.chance = random.Random(seed)
        self.events = events
        self.trail: list[str] = []

    def act(self) -> None:
        """One action, and the settling after it."""
        chance, phone = self.chance, self.phone
        width, height, _ = phone.screen
        roll = chance.random()
        if roll < 0.55:
            self._touch_something()
        elif roll < 0.65:
            self._do("tap", chance.randrange(width), chance.randrange(height))
        elif roll < 0.70:
            self._touch_something("long_press")
        elif roll < 0.82:
            points = [
                chance.randrange(width),
                chance.randrange(height),
                chance.randrange(width),
                chance.randrange(height),
            ]
            self._do(chance.choice(("swipe", "drag")), *points, chance.choice((60, 300, 900)))
        elif roll < 0.90:
            self._do("text", chance.choice(TEXTS))
        elif roll < 0.995 or not self.events:
            self._do("key", chance.choice(KEYS))
        elif roll < 0.9985:
            phone.receive_sms(chance.choice(("10086", "13900001111", "+86 139 0000 1111")), chance.choice(TEXTS))
        else:
            phone.incoming_call("13900001111")
        phone.settle()

    def _do(self, verb: str, *arguments: int | str) -> None:
        self.trail.append(f"{verb}{arguments}")
        del self.trail[:-12]
        getattr(self.phone.input, verb)(*arguments)

    def _touch_something(self, verb: str = "tap") -> None:
        windows = [window for window in self.phone.windows.windows if window.name != "keyboard"]
        nodes = [
            node
            for window in (self.phone.windows.focused(), self.chance.choice(windows))
            for node in window.root.walk()
            if node.visible is not None
            and (
                node.on_tap is not None
                or node.on_position is not None
                or node.on_drag is not None
                or node.kind == "field"
            )
        ]
        if nodes:
            left, top, right, bottom = self.chance.choice(nodes).visible or (0, 0, 1, 1)
            self._do(verb, self.chance.randrange(left, right), self.chance.randrange(top, bottom))


def main() -> None:
    """Prints digest and screen digest."""
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    phone = Phone(snapshot="lived_in", seed=seed)
    monkey = Monkey(phone, seed)
    for _ in range(count):
        monkey.act()
    print(phone.digest(), phone.screen_digest())


if __name__ == "__main__":
    main()
