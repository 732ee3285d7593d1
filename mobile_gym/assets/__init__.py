"""Typed pieces of a device's state: injected before an episode and looked for after it, by the same document."""
