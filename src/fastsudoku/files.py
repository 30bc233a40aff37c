"""Files that the command line reads and writes."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from typing import IO, Any

# Names of what is open already, to which is added.
_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/")


class OutputError(Exception):
    """The output cannot be written to; the message says why."""


def open_input(path: str) -> IO[bytes]:
    """Open a file to read from; one whose name ends in .gz is unpacked.

    Reading returns what there is instead of waiting for more, and what is damaged raises OSError.
    """
    if path.endswith(".gz"):
        return _Unpacked(path)  # type: ignore[return-value]
    return open(path, "rb", buffering=0)


class _Unpacked:
    """A packed file."""

    def __init__(self, path: str) -> None:
        import gzip  # most files are not packed

        self._file = gzip.GzipFile(path)

    def read(self, size: int) -> bytes:
        import zlib

        try:
            return self._file.read1(size)
        except (EOFError, zlib.error) as error:
            raise OSError(f"it is damaged: {error}") from None

    def __enter__(self) -> _Unpacked:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


class StandardOutput:
    """Standard output, which has everything as soon as it is written."""

    def write(self, text: bytes) -> None:
        if sys.stdout is None:
            raise OutputError("cannot write: standard output is closed")
        try:
            if hasattr(sys.stdout, "buffer"):
                sys.stdout.buffer.write(text)
                sys.stdout.buffer.flush()
            else:
                # Something in memory that a program put there before it called main().
                sys.stdout.write(text.decode(errors="surrogateescape"))
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(f"cannot write: {error.strerror or error}") from None

    def finish(self) -> None:
        """Nothing is left to do."""

    def discard(self) -> None:
        """What is written stays."""


class OutputFile:
    """A file that appears under its name, or replaces what is there, when all is written.

    Until then it has another name, in the same directory. A file whose name ends in .gz is packed. What is no
    regular file, such as a device or a pipe, is written to where it is.
    """

    def __init__(self, path: str) -> None:
        self._name = path
        self._path = ""
        self._temporary = ""
        try:
            self._raw = self._open(path)
        except OSError as error:
            self._remove()
            raise self._error(error) from None
        except BaseException:
            self._remove()
            raise
        self._file: Any = self._raw
        if path.endswith(".gz"):
            import gzip

            # Always the same bytes for the same boards: no time of day goes in.
            self._file = gzip.GzipFile("", "wb", 6, self._raw, mtime=0)

    def _open(self, path: str) -> IO[bytes]:
        if path.startswith(_STREAMS):
            return open(path, "ab")
        mode = 0o666 & ~_umask()
        with contextlib.suppress(FileNotFoundError):
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode):
                return open(path, "wb")
            mode = stat.S_IMODE(status.st_mode)
            # A file that may not be written to is not to be replaced either.
            open(path, "ab").close()
        import tempfile  # takes longer to load than all else here

        self._path = os.path.realpath(path)
        directory, name = os.path.split(self._path)
        if path.endswith(("/", os.sep)):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        descriptor, self._temporary = tempfile.mkstemp(".part", f".{name[:40]}.", directory)
        if hasattr(os, "fchmod"):
            # Some file systems have no modes.
            with contextlib.suppress(OSError):
                os.fchmod(descriptor, mode)
        return os.fdopen(descriptor, "wb")

    def _error(self, error: OSError) -> OutputError:
        return OutputError(f"cannot write {self._name}: {error.strerror or error}")

    def write(self, text: bytes) -> None:
        try:
            self._file.write(text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._error(error) from None

    def finish(self) -> None:
        """Give the file its name."""
        try:
            self._file.close()
            self._raw.close()
            if self._temporary:
                os.replace(self._temporary, self._path)
        except BrokenPipeError:
            raise
        except OSError as error:
            self.discard()
            raise self._error(error) from None
        self._temporary = ""

    def discard(self) -> None:
        """Remove what was written, as far as it has no name yet."""
        for file in (self._file, self._raw):
            with contextlib.suppress(OSError, ValueError):
                file.close()
        self._remove()

    def _remove(self) -> None:
        if self._temporary:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)


def _umask() -> int:
    # There is no other way to ask for it.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
