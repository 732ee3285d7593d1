"""The chat endpoint and the stub suite, shared with other rooms' tests."""

from tests.evaluation.conftest import phones, stub_suite
from tests.models.conftest import endpoint

__all__ = ["endpoint", "phones", "stub_suite"]
