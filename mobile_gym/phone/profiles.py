"""Profiles: the phones that the embedded phone can be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """The hardware and build of a phone.

    Attributes:
        name: what `connect("embedded:<name>")` takes.
        width: portrait width of the screen, pixels.
        height: portrait height of the screen, pixels.
        dpi: pixels an inch; one dp is `dpi / 160` pixels.
        release: Android's version, as `ro.build.version.release` gives it.
        sdk: Android's API level.
        model: `ro.product.model`.
        device: `ro.product.device`.
        manufacturer: `ro.product.manufacturer`.
        cores: processor cores that the phone reports.
        memory_mb: RAM that the phone reports, MiB.
        storage_mb: size of the data partition that the phone reports, MiB.
    """

    name: str
    width: int
    height: int
    dpi: int
    release: str
    sdk: int
    model: str
    device: str
    manufacturer: str
    cores: int
    memory_mb: int
    storage_mb: int

    @property
    def density(self) -> float:
        """Pixels of one dp."""
        return self.dpi / 160


PROFILES = {
    profile.name: profile
    for profile in (
        # ElderBench, appendix G.1, table 8.
        Profile("pixel_6a", 1080, 2400, 420, "17", 37, "Pixel 6a", "bluejay", "Google", 4, 6144, 16384),
        Profile("small", 720, 1280, 320, "17", 37, "MoBench Small", "small", "MoBench", 2, 2048, 8192),
    )
}


def get_profile(name: str) -> Profile:
    """The profile called `name`.

    Raises:
        ValueError: there is none; the message lists those that exist.
    """
    if name not in PROFILES:
        raise ValueError(f"unknown phone profile {name!r}; there are {', '.join(sorted(PROFILES))}")
    return PROFILES[name]
