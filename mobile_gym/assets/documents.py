"""How documents of tasks are read: strict models, and one-key documents such as `contact: {name: ...}`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    TypeAdapter,
    create_model,
    model_serializer,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError

Scalar = bool | int | float | str | None


def by_keys(otherwise: type[BaseModel], *choices: tuple[str, type[BaseModel]]) -> BeforeValidator:
    """Tells by a key which of several models a mapping is meant to be, so that errors speak of that one alone.

    Args:
        otherwise: the model of mappings that have none of the keys.
        choices: a key that gives a model away, and that model; the first that fits counts.
    """

    def choose(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        model = next((model for key, model in choices if key in value), otherwise)
        return model.model_validate(value)

    return BeforeValidator(choose)


ONE_KEY_MARK = "x-one-key"
"""Key of the placeholder that the JSON Schema of a task is assembled from; its value is the class's name."""


class Strict(BaseModel):
    """Base of all documents: frozen, and a key that nobody knows is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


def _as_text(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value


TextLike = Annotated[str, BeforeValidator(_as_text)]
"""Text that people may write without quotes though it looks like a number, such as a phone number."""


@cache
def _field_model(owner: type[OneKey], kind: str) -> Any:
    """A model of one field, so that errors inside a value say in which kind of document they lie."""
    return create_model(kind, __base__=Strict, value=(owner.kinds()[kind], Field(alias=kind)))


class OneKey(BaseModel):
    """A document with exactly one key that says what kind of document the value is.

    Subclasses give the table of kinds. A kind whose value may be null may be written as the bare word, `- finish`.

    Attributes:
        kind: the key, e.g. `contact`.
        spec: the value, parsed as the kind's type.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    what: ClassVar[str] = "document"

    kind: str
    spec: Any

    @classmethod
    def kinds(cls) -> Mapping[str, Any]:
        """The type of each kind's value, by key."""
        raise NotImplementedError

    @classmethod
    def of(cls, kind: str, spec: Any) -> Self:
        """A document of a kind, from plain data."""
        return cls.model_validate({kind: spec})

    def plain(self) -> dict[str, Any]:
        """The document as plain data, as it would be written in a file."""
        adapter = TypeAdapter[Any](self.kinds()[self.kind])
        return {self.kind: adapter.dump_python(self.spec, mode="json", by_alias=True, exclude_unset=True)}

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        kinds = cls.kinds()
        if isinstance(data, str) and data in kinds:
            data = {data: None}
        if not isinstance(data, Mapping):
            raise PydanticCustomError("one_key", "a {what} is a mapping with one key", {"what": cls.what})
        if len(data) != 1:
            raise PydanticCustomError(
                "one_key",
                "a {what} has exactly one key and this has {count} ({keys}); write several as a list of entries",
                {"what": cls.what, "count": len(data), "keys": ", ".join(map(str, data)) or "none"},
            )
        kind, value = next(iter(data.items()))
        if kind not in kinds:
            raise PydanticCustomError(
                "unknown_kind",
                "unknown {what} '{kind}'; there are {known}",
                {"what": cls.what, "kind": str(kind), "known": ", ".join(sorted(kinds))},
            )
        return {"kind": kind, "spec": _field_model(cls, kind).model_validate({kind: value}).value}

    @model_serializer
    def _write(self) -> dict[str, Any]:
        return self.plain()

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {ONE_KEY_MARK: cls.__name__}
