"""The stub suite and phones, shared with the tests of evaluation."""

from tests.evaluation.conftest import phones, stub_suite

__all__ = ["phones", "stub_suite"]
