"""Set-up of the whole suite."""

import pytest

pytest.register_assert_rewrite("tests.support.events", "tests.support.wire")
