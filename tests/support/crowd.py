"""Many clients at once: each appends numbered lines to shared notes while others read; at the end every line must be there."""

from __future__ import annotations

import threading
import time
from collections import Counter
from pathlib import Path

import httpx

from tests.support.rest import KEY


def crowd(url: str, vault: Path, *, clients: int, seconds: float) -> Counter[int]:
    """Run *clients* for *seconds*; how often each status was answered. Raises AssertionError on a lost update."""
    statuses: Counter[int] = Counter()
    written: dict[int, int] = {}
    guard = threading.Lock()
    end = time.monotonic() + seconds
    wrong: list[BaseException] = []

    def work(number: int) -> None:
        try:
            _work(number)
        except BaseException as error:
            wrong.append(error)
            raise

    def _work(number: int) -> None:
        own: Counter[int] = Counter()
        line = 0
        with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {KEY}"}, timeout=60) as client:
            while not line or time.monotonic() < end:
                shared = f"/vault/shared-{line % 4}.md"
                done = client.post(shared, content=f"{number}:{line}\n", headers={"Content-Type": "text/markdown"})
                own[done.status_code] += 1
                line += done.status_code == 204
                own[client.get(shared, headers={"Accept": "application/vnd.olrapi.note+json"}).status_code] += 1
                own[client.put(f"/vault/own/{number}.md", content=f"{line}\n", headers={"Content-Type": "text/markdown"}).status_code] += 1
                patch = {"Operation": "replace", "Target-Type": "frontmatter", "Target": f"k{number}", "Create-Target-If-Missing": "true"}
                done = client.patch("/vault/props.md", content=f"{line}", headers={**patch, "Content-Type": "application/json"})
                own[done.status_code] += 1
                if number % 8 == 0:
                    own[client.post("/search/simple/", params={"query": "shared"}).status_code] += 1
        with guard:
            statuses.update(own)
            written[number] = line

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 120)
    assert not wrong, wrong
    lines = [line for at in range(4) for line in (vault / f"shared-{at}.md").read_text().split()]
    assert sorted(lines) == sorted(f"{number}:{line}" for number, count in written.items() for line in range(count))
    properties = (vault / "props.md").read_text()
    for number, count in written.items():
        assert (vault / f"own/{number}.md").read_text() == f"{count}\n"
        assert f"k{number}: {count}\n" in properties
    return statuses
