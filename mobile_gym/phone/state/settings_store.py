"""Android's settings: three namespaces of text keys and text values."""

from __future__ import annotations

from collections.abc import Mapping

NAMESPACES = ("system", "secure", "global")


class SettingsStore:
    """Settings of the namespaces `system`, `secure` and `global`.

    Every value is text, as on Android; the typed getters read it. `version` grows with every change.
    """

    __slots__ = ("_values", "version")

    def __init__(self, values: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self._values: dict[str, dict[str, str]] = {name: dict((values or {}).get(name, {})) for name in NAMESPACES}
        self.version = 0

    def _namespace(self, namespace: str) -> dict[str, str]:
        if namespace not in self._values:
            raise ValueError(f"unknown settings namespace {namespace!r}; it is one of {', '.join(NAMESPACES)}")
        return self._values[namespace]

    def get(self, namespace: str, key: str) -> str | None:
        """The value of a key, or None where it was never put."""
        return self._namespace(namespace).get(key)

    def get_int(self, namespace: str, key: str, default: int = 0) -> int:
        """The value as an integer; `default` where it is missing or not a number."""
        text = self._namespace(namespace).get(key)
        try:
            return default if text is None else int(float(text))
        except ValueError:
            return default

    def get_float(self, namespace: str, key: str, default: float = 0.0) -> float:
        """The value as a float; `default` where it is missing or not a number."""
        text = self._namespace(namespace).get(key)
        try:
            return default if text is None else float(text)
        except ValueError:
            return default

    def put(self, namespace: str, key: str, value: str | int | float | bool) -> None:
        """Puts a value; booleans become 1 and 0."""
        text = str(int(value)) if isinstance(value, bool) else str(value)
        values = self._namespace(namespace)
        if values.get(key) != text:
            values[key] = text
            self.version += 1

    def delete(self, namespace: str, key: str) -> bool:
        """Deletes a key; tells whether it was there."""
        found = self._namespace(namespace).pop(key, None) is not None
        self.version += found
        return found

    def all(self, namespace: str) -> dict[str, str]:
        """A copy of one namespace, sorted by key."""
        return dict(sorted(self._namespace(namespace).items()))

    def dump(self) -> dict[str, dict[str, str]]:
        """A copy of everything."""
        return {name: dict(values) for name, values in self._values.items()}

    def restore(self, values: Mapping[str, Mapping[str, str]]) -> None:
        """Replaces everything."""
        self._values = {name: dict(values.get(name, {})) for name in NAMESPACES}
        self.version += 1
