"""What can go wrong, as exceptions."""

import errno
from typing import Any, Optional


class Error(Exception):
    """Something that was asked for cannot be done. `str()` says what, where and what to do.

    `code` is its kind in words ("usage", "not found", "malformed", ...), `location` the place for people, and
    `path`, `line` and `byte` the same for programs, as far as they are known.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "internal",
        location: str = "",
        path: Optional[str] = None,
        line: Optional[int] = None,
        byte: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.location = location
        self.path = path
        self.line = line
        self.byte = byte

    def __str__(self) -> str:
        return f"{self.location}: {self.message}" if self.location else self.message

    def __reduce__(self) -> Any:
        # BaseException would make it again from the message alone.
        return _make_again, (type(self), self.message, dict(self.__dict__))


class UsageError(Error, ValueError):
    """The call itself is wrong: a value, or a combination of them. Also a ValueError."""


class NotFoundError(Error, FileNotFoundError):
    """There is no such file. Also a FileNotFoundError, and with that an OSError."""

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message, **facts)
        self.errno = errno.ENOENT
        self.filename = self.path


class RunError(Error):
    """A run went wrong, or its outputs are not what the graph expects. `result` is what there is of it."""

    result: Any = None


def _make_again(kind: Any, message: str, attributes: Any) -> Any:
    error = kind(message, path=attributes["path"])
    error.__dict__.update(attributes)
    return error
