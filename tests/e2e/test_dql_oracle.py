"""Dataview's own parser (npm obsidian-dataview, parser only) says yes and no to the same texts. Needs node, npm and the registry."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import vectors
from tests.support.dql_trees import NODES, QUERIES, TEXT_SOUP
from vaultkit.dql.syntax import parse_expression, parse_query
from vaultkit.dql.writing import to_source
from vaultkit.errors import QuerySyntaxError

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(not (shutil.which("node") and shutil.which("npm")), reason="node and npm are not there")]

PACKAGE = "obsidian-dataview@0.5.68"
SCRIPT = """
const Module = require("module");
const load = Module._load;
class Stub {}
Module._load = (name, ...rest) => name === "obsidian" ? new Proxy({}, {get: (_, key) => key === "__esModule" ? true : Stub}) : load(name, ...rest);
const dataview = require(process.argv[2]);
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
const rules = {query: dataview.QUERY_LANGUAGE.query, field: dataview.EXPRESSION.field};
const answer = ([kind, text]) => rules[kind].parse(text).status;
console.log(JSON.stringify(cases.map(answer)));
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, unpacked. Its own install would need git; packing it does not."""
    folder = tmp_path_factory.mktemp("dataview")
    packed = subprocess.run(["npm", "pack", PACKAGE, "--silent"], cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    if packed.returncode:
        pytest.skip(f"{PACKAGE} cannot be had: {packed.stderr.strip()[:200]}")
    subprocess.run(["tar", "xzf", packed.stdout.split()[-1]], cwd=folder, check=True)
    (folder / "ask.js").write_text(SCRIPT, "utf-8")
    return folder


def ask(package: Path, cases: list[tuple[str, str]]) -> list[bool]:
    command = ["node", str(package / "ask.js"), str(package / "package" / "lib" / "index.js")]
    done = subprocess.run(command, input=json.dumps(cases), capture_output=True, text=True, check=True, timeout=300)
    answers: list[bool] = json.loads(done.stdout)
    return answers


def accepted(kind: str, text: str) -> bool:
    try:
        (parse_query if kind == "query" else parse_expression)(text)
    except QuerySyntaxError:
        return False
    return True


def collected(count: int) -> list[tuple[str, str]]:
    """Random queries and expressions, good ones and spoilt ones."""
    found: list[tuple[str, str]] = []
    source = random.Random(7)

    @settings(max_examples=count, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(
        st.one_of(
            QUERIES.map(lambda tree: ("query", to_source(tree))),
            NODES.map(lambda tree: ("field", to_source(tree))),
            st.tuples(st.sampled_from(["query", "field"]), TEXT_SOUP),
        )
    )
    def collect(case: tuple[str, str]) -> None:
        kind, text = case
        found.append(case)
        if text:
            at = source.randrange(len(text))
            found.append((kind, text[:at] + text[at + 1 :]))
            found.append((kind, text[:at] + source.choice(' ()[]{}.,:#!-|&"=0a') + text[at:]))

    collect()
    return found


def test_the_same_texts_are_queries(package: Path) -> None:
    cases = [("query", case["query"]) for case in vectors.load("dql_vectors")["vectors"]]
    cases += [("field", case["expr"]) for case in vectors.load("dql_expr_vectors")["vectors"]]
    cases += collected(1500)
    differing = [case for case, wanted in zip(cases, ask(package, cases), strict=True) if accepted(*case) != wanted]
    assert len(cases) > 3000
    assert differing == []
