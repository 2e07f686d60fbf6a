"""What an expression is evaluated in: time, zone, settings, links, and how much may be spent on it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from vaultkit.dql.dates import Zone, local_zone
from vaultkit.dql.patterns import Compile, Compiled, compile_plain, translate
from vaultkit.dql.values import DqlError, Record, Settings, Value
from vaultkit.errors import UnavailableError

LONGEST_TEXT: Final = 5_000_000  # characters that one operation may make
LONGEST_LIST: Final = 1_000_000
MOST_MADE: Final = 100_000_000  # characters and elements that all operations of a query may make together
_SECONDS: Final = 5.0
_SMALL: Final = 1_000  # what is shorter is not counted


class QueryTimeoutError(UnavailableError):
    """The query took longer than it may."""

    code = "query-timeout"

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the query took longer than {seconds:g} s", hint="narrow FROM, or LIMIT before FLATTEN and regular expressions")


class Links(Protocol):
    """How links lead to pages, seen from the note that the query stands in."""

    def normalise(self, path: str) -> str:
        """The vault path that a link's path means; itself when it leads nowhere."""
        ...

    def resolve(self, path: str) -> Record | None:
        """The page that it leads to."""
        ...


class NoLinks:
    """Every link leads nowhere."""

    def normalise(self, path: str) -> str:
        """*path* itself."""
        return path

    def resolve(self, path: str) -> Record | None:  # noqa: ARG002 - the protocol's signature
        """Nothing."""
        return None


@dataclass
class Budget:
    """A time limit, asked now and then: *clock* gives seconds."""

    seconds: float = _SECONDS
    clock: Callable[[], float] = time.monotonic
    started: float = -1.0
    _steps: int = 0
    _made: int = 0

    def start(self) -> None:
        """The time runs from now."""
        self.started = self.clock()

    def made(self, size: int) -> None:
        """So many characters or elements were made. Raises DqlError when the query made too many, QueryTimeoutError when it is late."""
        if size < _SMALL:
            return
        self._made += size
        if self._made > MOST_MADE:
            raise DqlError("the query makes too much text")
        self.check()

    def weigh(self, value: Value) -> None:
        """Count what a value would be written out: a list in itself twice, again and again, is small in memory and endless on paper."""
        kind = type(value)
        if kind is str:
            self.made(len(value))
        elif kind is list or kind is dict:
            self.made(_weight(value))

    def step(self) -> None:
        """Some work was done. Raises QueryTimeoutError when there was too much of it."""
        self._steps += 1
        if not self._steps & 0xFF:
            self.check()

    def check(self) -> None:
        """Look at the clock now."""
        if self.started < 0:
            self.start()
        elif self.clock() - self.started > self.seconds:
            raise QueryTimeoutError(self.seconds)

    def left(self) -> float:
        """Seconds."""
        return self.seconds - (self.clock() - self.started if self.started >= 0 else 0)


@dataclass
class Environment:
    """Time is an argument: *now* in milliseconds since 1970, *zone* the one of dates that name none."""

    now: float
    zone: Zone = field(default_factory=lambda: local_zone("UTC"))
    settings: Settings = field(default_factory=Settings)
    links: Links = field(default_factory=NoLinks)
    names: dict[str, Value] = field(default_factory=dict)  # what every row sees: `this`
    compile: Compile = compile_plain
    budget: Budget = field(default_factory=Budget)
    _patterns: dict[tuple[str, bool], Any] = field(default_factory=dict)

    def pattern(self, pattern: str, *, ignore_case: bool = False, translated: bool = False) -> Compiled:
        """A JavaScript pattern, compiled once. Raises DqlError for a bad one."""
        key = (pattern, ignore_case)
        found = self._patterns.get(key)
        if found is None:
            try:
                found = self.compile(pattern if translated else translate(pattern), ignore_case)
            except DqlError as error:
                found = error
            except (ValueError, OverflowError, RecursionError, LookupError, TypeError) as error:
                found = DqlError(f"Invalid regular expression: /{pattern}/: {error}")
            except Exception as error:  # re.error and regex.error are plain Exceptions
                if type(error).__name__ not in {"error", "PatternError"}:
                    raise
                found = DqlError(f"Invalid regular expression: /{pattern}/: {error}")
            self._patterns[key] = found
        if isinstance(found, DqlError):
            raise DqlError(*found.args)
        self.budget.step()
        compiled: Compiled = found
        return compiled


def _weight(value: Value) -> int:
    """Elements and characters of a list or object, with all that is inside. Raises DqlError when they are too many."""
    elements = characters = 0
    waiting = [value]
    while waiting:
        items = waiting.pop()
        if type(items) is dict:
            items = items.values()
        elements += len(items)
        check_list(elements)
        for item in items:
            kind = type(item)
            if kind is str:
                characters += len(item)
            elif kind is list or kind is dict:
                waiting.append(item)
        check_text(characters)
    return elements + characters


def check_text(length: float) -> None:
    """Raises DqlError when a text of that many characters is too long to make."""
    if length > LONGEST_TEXT:
        raise DqlError("Invalid string length")


def check_list(length: float) -> None:
    """The same for lists."""
    if length > LONGEST_LIST:
        raise DqlError("Invalid array length")
