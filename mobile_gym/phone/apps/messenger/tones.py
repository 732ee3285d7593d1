"""The app's colours in the light and the dark theme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context


@dataclass(frozen=True, slots=True)
class Tone:
    """The app's colours in one theme.

    Attributes:
        page: behind lists and chats.
        bar: the bar at the bottom.
        card: rows.
        press: search fields, chosen cells.
        ink: text.
        faint: times, second lines.
        line: hairlines.
        out: the owner's bubbles.
        out_ink: text in them.
        incoming: others' bubbles.
        green: buttons, switches, the chosen tab.
        on_green: text on green.
        blue: names in moments, links.
        red: badges, deletions.
        pop: the dark menu over a message.
    """

    page: str
    bar: str
    card: str
    press: str
    ink: str
    faint: str
    line: str
    out: str
    out_ink: str
    incoming: str
    green: str
    on_green: str
    blue: str
    red: str
    pop: str


LIGHT = Tone(
    page="#EDEDED",
    bar="#F7F7F7",
    card="#FFFFFF",
    press="#E3E3E5",
    ink="#191919",
    faint="#8C8C8C",
    line="#DEDEE0",
    out="#95EC69",
    out_ink="#16210F",
    incoming="#FFFFFF",
    green="#07C160",
    on_green="#FFFFFF",
    blue="#576B95",
    red="#FA5151",
    pop="#4C4C4E",
)
DARK = Tone(
    page="#121314",
    bar="#1D1E20",
    card="#1D1E20",
    press="#303234",
    ink="#D9DADC",
    faint="#84868A",
    line="#2E3033",
    out="#3EB575",
    out_ink="#0B1D12",
    incoming="#2C2E30",
    green="#07C160",
    on_green="#FFFFFF",
    blue="#8EA4CC",
    red="#FA5151",
    pop="#4A4C4F",
)


def tone(ctx: Context) -> Tone:
    """The colours of the theme in use."""
    return DARK if ctx.phone.dark else LIGHT
