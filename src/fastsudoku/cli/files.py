"""Files that the command line reads and writes."""

from __future__ import annotations

import _thread
import contextlib
import errno
import os
import stat
import sys
from itertools import count
from time import perf_counter

from fastsudoku.cli.chunks import Buffer

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import IO, Any

# Names of what is open already, to which is added.
_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/")

# Bytes to read at a time: so many at first, more and more as long as they are dealt with in these seconds, and
# less if that takes longer.
_FIRST_STEP = 1 << 16
_LARGEST_STEP = 1 << 20
_SHORT, _LONG = 0.05, 0.25
# Bytes that a pipe holds, if the system can be asked for that many: the usual 64 kB are few boards.
_PIPE_SIZE = 1 << 20


class OutputError(Exception):
    """The output cannot be written to; the message says why."""


# --- in --------------------------------------------------------------------------------------------------


class InputFile:
    """A file, or standard input for "-", that is read in steps: what there is, without waiting for more.

    One whose name ends in .gz or .zst is unpacked. Whatever fails raises OSError.
    """

    def __init__(self, path: str) -> None:
        self._raw = _open(path)
        self._file: Any = self._raw
        self._failures: tuple[type[Exception], ...] = ()
        try:
            if module := _packing(path):
                self._file = module.open(self._raw, "rb")
                self._failures = module.failures
        except BaseException:
            self._raw.close()
            raise
        self._back = b""
        self._step = _FIRST_STEP
        self._returned = perf_counter()
        self._mapped = memoryview(b"")
        mode = os.fstat(self._raw.fileno()).st_mode
        self._is_regular = stat.S_ISREG(mode)
        self._is_pipe = stat.S_ISFIFO(mode)
        if self._is_pipe:
            _enlarge(self._raw)

    def map(self) -> None:
        """Have the rest of a file on a disk read without a copy of it, where that can be done."""
        import mmap

        if self._is_regular and self._file is self._raw:
            # What was given back is still in the file.
            start = self._raw.tell() - len(self._back)
            with contextlib.suppress(OSError, ValueError):
                whole = mmap.mmap(self._raw.fileno(), 0, access=mmap.ACCESS_READ)
                self._mapped = memoryview(whole)[start:]
                self._raw.seek(start)
                self._back = b""

    def read_rows(self, size: int) -> Buffer:
        """Return the next bytes, none at the end: of a file that is mapped, whole rows of a size."""
        if not self._mapped:
            return self.read()
        data = self._mapped[: max(_LARGEST_STEP // size, 1) * size]
        self._mapped = self._mapped[len(data) :]
        self._raw.seek(len(data), os.SEEK_CUR)
        return data

    def read(self) -> bytes:
        """Return the next bytes, none at the end."""
        if self._back:
            data, self._back = self._back, b""
            return data
        seconds = perf_counter() - self._returned
        if seconds > _LONG:
            self._step = max(self._step // 2, _FIRST_STEP)
        elif seconds < _SHORT:
            self._step = min(self._step * 2, _LARGEST_STEP)
        try:
            if self._is_pipe and self._file is not self._raw:
                data = self._file.read1(self._step)
            else:
                while (data := self._file.read(self._step)) is None:
                    # Somebody made it not wait for more.
                    self._has_more(None)
            if self._is_pipe and self._file is self._raw:
                data += self._more(len(data))
        except self._failures as error:
            raise OSError(f"it is damaged: {error}") from None
        self._returned = perf_counter()
        return bytes(data)

    def _has_more(self, seconds: float | None) -> bool:
        """Wait for more, so long or until there is some; return whether there is."""
        return _is_ready(self._raw, "read", seconds)

    def _more(self, size: int) -> bytes:
        """Return what has come through a pipe besides."""
        parts = []
        while os.name != "nt" and 0 < size < self._step and self._has_more(0):
            part = self._raw.read(self._step - size)
            if not part:
                break
            parts.append(part)
            size += len(part)
        return b"".join(parts)

    def give_back(self, data: bytes) -> None:
        """Have bytes read again."""
        self._back = data + self._back

    def is_same(self, stream: Any) -> bool:
        """Tell whether this is the regular file that a stream writes to."""
        try:
            status = os.fstat(stream.fileno())
        except (AttributeError, OSError, ValueError):
            return False
        return self._is_regular and os.path.samestat(status, os.fstat(self._raw.fileno()))

    @property
    def position(self) -> int:
        """How many bytes of the file are read, as it is stored."""
        return self._raw.tell() if self._raw.seekable() else 0

    def __enter__(self) -> InputFile:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
        self._raw.close()


def file_size(path: str) -> int | None:
    """Return how many bytes a file has, None if there is no knowing."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        status = os.fstat(sys.stdin.fileno()) if path == "-" else os.stat(path)
        if stat.S_ISREG(status.st_mode):
            return status.st_size
    return None


def _open(path: str) -> IO[bytes]:
    if path != "-":
        return open(path, "rb", buffering=0)
    if sys.stdin is None:
        raise OSError("it is closed")
    return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)


def _enlarge(pipe: IO[bytes]) -> None:
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_SIZE)  # type: ignore[attr-defined,unused-ignore]


# --- packed ----------------------------------------------------------------------------------------------


class _Gzip:
    def __init__(self) -> None:
        import gzip
        import zlib

        self._gzip = gzip
        self.failures = EOFError, zlib.error

    def open(self, file: IO[bytes], mode: str) -> Any:
        # Always the same bytes for the same boards: neither a name nor the time of day goes in. (Level 6 makes
        # files a sixth smaller, and takes five times as long: many times longer than to solve the boards.)
        return self._gzip.GzipFile("", mode, 1, file, mtime=0)


class _Zstandard:
    def __init__(self) -> None:
        from importlib import import_module

        for name in ("compression.zstd", "backports.zstd"):
            with contextlib.suppress(ImportError):
                self._zstd = import_module(name)
                self.failures = EOFError, self._zstd.ZstdError
                return
        raise OSError(
            "for .zst files there has to be Python 3.14 or the package backports.zstd "
            "(pip install backports.zstd)"
        )

    def open(self, file: IO[bytes], mode: str) -> Any:
        return self._zstd.ZstdFile(file, mode)


def _packing(path: str) -> _Gzip | _Zstandard | None:
    """Return how a file is packed, by its name; raise OSError if that is not known here."""
    if path.endswith(".gz"):
        return _Gzip()
    if path.endswith(".zst"):
        return _Zstandard()
    return None


# --- out -------------------------------------------------------------------------------------------------


class StandardOutput:
    """Standard output, which has everything as soon as it is written."""

    def write(self, text: Buffer) -> None:
        if sys.stdout is None:
            raise OutputError("cannot write: standard output is closed")
        try:
            if hasattr(sys.stdout, "buffer"):
                _write_all(sys.stdout.buffer, text)
                sys.stdout.buffer.flush()
            else:
                # Something in memory that a program put there before it called main().
                sys.stdout.write(bytes(text).decode(errors="surrogateescape"))
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(f"cannot write: {error.strerror or error}") from None

    def finish(self) -> None:
        """Nothing is left to do."""

    def __enter__(self) -> StandardOutput:
        return self

    def __exit__(self, *error: object) -> None:
        """What is written stays."""


def _write_all(file: IO[bytes], text: Buffer) -> None:
    """Write to a stream that may take a part of it only, or nothing for a while."""
    rest = memoryview(text)
    while len(rest):
        try:
            written = file.write(rest)
        except BlockingIOError as error:
            written = error.characters_written
        if not written:
            _is_ready(file, "write", None)
        rest = rest[written or 0 :]


def _is_ready(file: IO[bytes], way: str, seconds: float | None) -> bool:
    """Wait until a stream can be read from or written to, or for some time; return whether it can."""
    import select

    if hasattr(select, "poll"):
        # (Unlike select(), it knows no most number of open files.)
        waiting = select.poll()
        waiting.register(file, select.POLLIN if way == "read" else select.POLLOUT)
        return bool(waiting.poll(None if seconds is None else seconds * 1000))
    files = [file.fileno()]
    found = select.select(files if way == "read" else [], files if way == "write" else [], [], seconds)
    return bool(found[0] or found[1])


def abandon(stream: Any) -> None:
    """Have a standard stream go nowhere, so that Python does not complain about what it cannot write there."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        descriptor = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)


class _Background:
    """Writes to a file while the next boards are solved, one piece at a time."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._piece: Buffer | None = None
        self._failure: BaseException | None = None
        # Held while there is nothing to write, while there is something, and until the thread has ended.
        self._nothing, self._something, self._working = (_thread.allocate_lock() for _ in range(3))
        self._nothing.acquire()
        self._working.acquire()
        _thread.start_new_thread(self._run, ())

    def _run(self) -> None:
        try:
            while self._nothing.acquire() and self._piece is not None:
                self._file.write(self._piece)
                self._something.release()
        except BaseException as error:
            self._failure = error
            self._something.release()
        finally:
            self._working.release()

    def write(self, piece: Buffer) -> None:
        """Have a piece written when the one before is; raise what failed before."""
        self._something.acquire()
        if self._failure is not None:
            self._something.release()
            raise self._failure
        self._piece = piece
        self._nothing.release()

    def finish(self) -> None:
        """Wait until all is written; raise what failed."""
        self._something.acquire()
        self.end()
        if self._failure is not None:
            raise self._failure

    def end(self) -> None:
        """End the thread, which may leave what it has not begun to write."""
        self._piece = None
        # It is released already if an interrupt came at the right moment.
        with contextlib.suppress(RuntimeError):
            self._nothing.release()
        with self._working:
            pass


class OutputFile:
    """A file that appears under its name, or replaces what is there, when all is written.

    Until then it has another name, in the same directory. A file whose name ends in .gz or .zst is packed.
    What is no regular file, such as a device or a pipe, is written to where it is.
    """

    def __init__(self, path: str) -> None:
        if not path:
            raise OutputError("cannot write to a file without a name")
        self._name = path
        self._path = ""
        self._temporary = ""
        self._background: _Background | None = None
        try:
            packing = _packing(path)
            self._raw = self._open(path)
            self._file: Any = packing.open(self._raw, "wb") if packing else self._raw
        except OSError as error:
            self._remove()
            raise self._error(error) from None
        except BaseException:
            self._remove()
            raise

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
        self._path = os.path.realpath(path)
        directory, name = os.path.split(self._path)
        if path.endswith(("/", os.sep)):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        # (The module tempfile takes longer to load than a thousand boards to solve.)
        for number in count():
            temporary = os.path.join(directory, f".{name[:40]}.{os.getpid()}-{number}.part")
            with contextlib.suppress(FileExistsError):
                descriptor = os.open(
                    temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600
                )
                break
        self._temporary = temporary
        if hasattr(os, "fchmod"):
            # Some file systems have no modes.
            with contextlib.suppress(OSError):
                os.fchmod(descriptor, mode)
        return os.fdopen(descriptor, "wb")

    def _error(self, error: OSError) -> OutputError:
        return OutputError(f"cannot write {self._name}: {error.strerror or error}")

    def write(self, text: Buffer) -> None:
        try:
            if self._background is None:
                self._file.write(text)
                if self._temporary:
                    # There may be much more. (To a pipe, which may take its time, nothing is written behind.)
                    with contextlib.suppress(RuntimeError):  # there are no more threads
                        self._background = _Background(self._file)
            else:
                self._background.write(text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._error(error) from None

    def _wait(self) -> None:
        """Wait until all is written."""
        if self._background is not None:
            self._background.finish()
            self._background = None

    @property
    def is_regular(self) -> bool:
        """Whether it is a file that can be written in any order."""
        return bool(self._temporary) and self._file is self._raw

    def begin_again(self) -> None:
        """Write to the beginning of a regular file again."""
        try:
            self._wait()
            self._raw.seek(0)
        except OSError as error:
            raise self._error(error) from None

    def finish(self) -> None:
        """Give the file its name."""
        try:
            self._wait()
            self._file.close()
            self._raw.close()
            if self._temporary:
                os.replace(self._temporary, self._path)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._error(error) from None
        self._temporary = ""

    def __enter__(self) -> OutputFile:
        return self

    def __exit__(self, *error: object) -> None:
        """Remove what was written, if it was not finished."""
        if self._background is not None:
            self._background.end()
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
