"""Schemathesis against our own OpenAPI document, on a real socket."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, ignored_auth, response_schema_conformance, status_code_conformance

from tests.support.rest import KEY, listening, write

_CHECKS: list[Any] = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance, ignored_auth]


def hold_against_document(vault: Path, api: str, *, examples: int) -> int:
    """Ask every operation of the document in *examples* ways; the number of operations. No answer may be a 500 or one it does not name."""
    write(vault, {"A.md": "---\ntags: [x]\n---\n# A\n\n[[B]] text ^b1\n", "B.md": "# B\n", "Sub/C.md": "c\n"})
    asking = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    count = 0
    with listening(vault, api=api) as url:
        for found in schemathesis.openapi.from_url(f"{url}/openapi.yaml").get_all_operations():

            def ask(case: Any) -> None:
                case.call_and_validate(base_url=url, headers={"Authorization": f"Bearer {KEY}"}, checks=_CHECKS)

            operation: Any = found.ok()  # type: ignore[union-attr]  # else the document is broken, and that shows
            asking(given(case=operation.as_strategy())(ask))()
            count += 1
    return count
