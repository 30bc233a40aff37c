"""The package as others get it: the sdist, the wheels built from it, and what they install.

Everything is built for real and outside of the source tree, in the environment that runs the tests: nothing is
downloaded. Compiling takes most of the time, so that it is done once.
"""

from __future__ import annotations

import email
import email.message
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest

pytest.importorskip("setuptools", minversion="77", reason="the package is built with setuptools >= 77")
pytest.importorskip("Cython", minversion="3.1", reason="the package is built with Cython >= 3.1")
pytest.importorskip("pip", reason="the package is built and installed by pip")

ROOT = Path(__file__).resolve().parents[1]
FILES = ("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "MANIFEST.in", "README.md", "pyproject.toml", "setup.py")
FOLDERS = ("bench", "docs", "examples", "src", "tests")
# What tools leave in a source tree; none of it belongs in an sdist.
LEFTOVERS = (
    ".hypothesis/unicode_data/table.gz",
    "build/lib/fastsudoku/__init__.py",
    "docs/.DS_Store",
    "examples/.ipynb_checkpoints/copy.txt",
    "src/fastsudoku/__pycache__/cli.cpython-311.pyc",
    "src/fastsudoku/_engine_c.abi3.so",
    "src/fastsudoku/_engine_c.c",
    "src/fastsudoku/_engine_c.html",
    "src/fastsudoku/_engine_c.pyd",
    "tests/.pytest_cache/v/cache/lastfailed",
    "tests/__pycache__/conftest.cpython-311.pyc",
)
NOT_SOURCES = (".*", "__pycache__", "*.egg-info", "*.py[cod]", "*.so", "_engine_c.c", "_engine_c.html")
# What the package has besides modules.
DATA = ("fastsudoku/py.typed", "fastsudoku/cli/bench_boards.txt")
# Files that setuptools adds to an sdist.
ADDED = ("PKG-INFO", "setup.cfg", "src/fastsudoku.egg-info/*")

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ANSWER = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
NO_COMPILER = "/nonexistent/cc"
# What a compiled package picks.
COMPILED = ("dfs",) if os.name == "nt" else ("avx512", "avx2", "base")
# The names with an underscore in the stable ABI of Python 3.11, without those of debug builds; see
# Misc/stable_abi.toml in the source of CPython.
STABLE_PRIVATE_NAMES = re.findall(
    r"\w+",
    """
    _PyArg_ParseTupleAndKeywords_SizeT _PyArg_ParseTuple_SizeT _PyArg_Parse_SizeT
    _PyArg_VaParseTupleAndKeywords_SizeT _PyArg_VaParse_SizeT _PyErr_BadInternalCall
    _PyObject_CallFunction_SizeT _PyObject_CallMethod_SizeT _PyObject_GC_New _PyObject_GC_NewVar
    _PyObject_GC_Resize _PyObject_New _PyObject_NewVar _PyState_AddModule _PyThreadState_Init
    _PyThreadState_Prealloc _PyWeakref_CallableProxyType _PyWeakref_ProxyType _PyWeakref_RefType
    _Py_BuildValue_SizeT _Py_CheckRecursiveCall _Py_Dealloc _Py_DecRef _Py_EllipsisObject _Py_FalseStruct
    _Py_IncRef _Py_NoneStruct _Py_NotImplementedStruct _Py_SwappedOp _Py_TrueStruct _Py_VaBuildValue_SizeT
    """,
)

with_limited_api = pytest.mark.skipif(FREE_THREADED, reason="free-threaded builds have no limited API")
without_msvc = pytest.mark.skipif(os.name == "nt", reason="CC does not choose the compiler on Windows")


# --- helpers ---------------------------------------------------------------------------------------------


def run(*command: str | Path, cwd: Path, **variables: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command in an environment where only the given variables steer Python, pip or our build."""
    ours = ("CIBUILDWHEEL", "FASTSUDOKU_", "PIP_", "PYTHON")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environment |= {name: str(value) for name, value in variables.items()}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, errors="replace")


def output(*command: str | Path, cwd: Path, **variables: str | Path) -> str:
    """Run a command that has to succeed, and return what it wrote."""
    done = run(*command, cwd=cwd, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pip(*arguments: str | Path, cwd: Path, **variables: str | Path) -> subprocess.CompletedProcess[str]:
    """Run pip without its settings, caches and network."""
    options = ("--no-cache-dir", "--no-index", "--no-deps", "--disable-pip-version-check")
    variables["PIP_CONFIG_FILE"] = os.devnull
    return run(sys.executable, "-m", "pip", *arguments, *options, cwd=cwd, **variables)


class Build(NamedTuple):
    """What building a wheel came to."""

    returncode: int
    log: str
    wheels: list[Path]


def build(source: Path, folder: Path, **variables: str) -> Build:
    """Build the wheel of an sdist or a source tree, in a new folder."""
    folder.mkdir()
    options = ("--verbose", "--no-build-isolation", "--wheel-dir", "wheels")
    done = pip("wheel", *options, source, cwd=folder, **variables)
    return Build(done.returncode, done.stdout + done.stderr, sorted(folder.glob("wheels/*")))


class Wheel(NamedTuple):
    """A wheel that was built, and how."""

    path: Path
    log: str

    @property
    def tag(self) -> str:
        return "-".join(self.path.stem.split("-")[2:])

    @property
    def version(self) -> str:
        return self.path.stem.split("-")[1]

    def names(self) -> set[str]:
        with ZipFile(self.path) as archive:
            return set(archive.namelist())

    def extensions(self) -> list[str]:
        return [name for name in self.names() if name.endswith((".so", ".pyd"))]

    def info(self, name: str) -> email.message.Message:
        """Return a file of the dist-info folder that looks like the head of an e-mail."""
        with ZipFile(self.path) as archive:
            return email.message_from_bytes(archive.read(f"fastsudoku-{self.version}.dist-info/{name}"))

    def unpack(self, folder: Path) -> Path:
        with ZipFile(self.path) as archive:
            archive.extractall(folder)
        return folder

    def install(self, folder: Path) -> Path:
        done = pip("install", "--target", folder, self.path, cwd=folder.parent)
        assert done.returncode == 0, done.stdout + done.stderr
        return folder


def built(source: Path, folder: Path, **variables: str) -> Wheel:
    """Build a wheel, which has to succeed."""
    done = build(source, folder, **variables)
    assert done.returncode == 0, done.log
    assert len(done.wheels) == 1
    return Wheel(done.wheels[0], done.log)


def files_below(folder: Path) -> set[str]:
    """Return the names of all files below a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


class Use(NamedTuple):
    """What a program finds that uses the package."""

    origin: Path
    implementation: str
    answer: str


def use(package: Path, cwd: Path, python: str = sys.executable) -> Use:
    """Use a package that lies in a folder from a program in another one."""
    program = (
        "import fastsudoku, json\n"
        f"found = [fastsudoku.__file__, fastsudoku.implementation(), fastsudoku.solve({BOARD!r})]\n"
        "print(json.dumps(found))\n"
    )
    origin, implementation, answer = json.loads(output(python, "-c", program, cwd=cwd, PYTHONPATH=package))
    return Use(Path(origin).resolve(), implementation, answer)


def other_pythons() -> dict[str, str]:
    """Find one CPython of each other version that can use the same wheel, on the PATH and in pyenv."""
    identify = (
        "import sys, sysconfig\n"
        "print('%d.%d' % sys.version_info[:2])\n"
        "sys.exit(sys.implementation.name != 'cpython' or sys.version_info < (3, 11)"
        " or bool(sysconfig.get_config_var('Py_GIL_DISABLED')))\n"
    )
    pyenv = shutil.which("pyenv")
    versions = Path(run(pyenv, "root", cwd=ROOT).stdout.strip(), "versions") if pyenv else Path("nowhere")
    on_path = filter(None, (shutil.which(f"python3.{minor}") for minor in range(11, 20)))
    found: dict[str, str] = {}
    for path in [*on_path, *map(str, sorted(versions.glob("3.1[1-9]*/bin/python")))]:
        done = run(path, "-c", identify, cwd=ROOT)
        if done.returncode == 0:
            found.setdefault(done.stdout.strip(), path)
    found.pop("{}.{}".format(*sys.version_info), None)
    return found


OTHER_PYTHONS = other_pythons()


# --- what is built ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clean copy of the source tree."""
    copy = tmp_path_factory.mktemp("tree")
    for name in FILES:
        shutil.copy(ROOT / name, copy)
    for name in FOLDERS:
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns(*NOT_SOURCES))
    return copy


@pytest.fixture(scope="module")
def sdist(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an sdist, made in a source tree that has been worked in."""
    used = tmp_path_factory.mktemp("sdist") / "used"
    shutil.copytree(tree, used)
    for name in LEFTOVERS:
        path = used / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    # An earlier list of sources, which setuptools reads.
    egg_info = used / "src" / "fastsudoku.egg-info"
    egg_info.mkdir()
    (egg_info / "SOURCES.txt").write_text("\n".join(LEFTOVERS))
    make = "import setuptools.build_meta; setuptools.build_meta.build_sdist('dist')"
    output(sys.executable, "-c", make, cwd=used)
    (path,) = used.glob("dist/*")
    return path


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the content of the sdist, unpacked in an empty folder."""
    folder = tmp_path_factory.mktemp("unpacked")
    output(sys.executable, "-m", "tarfile", "--extract", sdist, cwd=folder)
    (content,) = folder.iterdir()
    return content


@pytest.fixture(scope="module")
def compiled(pytestconfig: pytest.Config, unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Wheel:
    """Return the wheel with the compiled engine; the source tree keeps what its build left in it."""
    if pytestconfig.getoption("--only-python"):
        pytest.skip("needs a C compiler; --only-python was given")
    return built(unpacked, tmp_path_factory.mktemp("compiled") / "build")


@pytest.fixture(scope="module")
def compiled_package(compiled: Wheel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled.install(tmp_path_factory.mktemp("compiled_package") / "site")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param({"CC": NO_COMPILER}, id="no compiler", marks=without_msvc),
        pytest.param({"FASTSUDOKU_PURE": "1"}, id="FASTSUDOKU_PURE"),
    ],
)
def pure(request: pytest.FixtureRequest, sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Wheel:
    """Return a wheel without the compiled engine."""
    return built(sdist, tmp_path_factory.mktemp("pure") / "build", **request.param)


@pytest.fixture(scope="module")
def pure_package(pure: Wheel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pure.install(tmp_path_factory.mktemp("pure_package") / "site")


# --- the sdist -------------------------------------------------------------------------------------------


def test_sdist_holds_every_source_and_nothing_else(tree, sdist):
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    added = {name for name in names if any(fnmatch(name, pattern) for pattern in ADDED)}
    assert names - added == files_below(tree)
    assert {"setup.py", "src/fastsudoku/_engine_c.pyx", "src/fastsudoku/py.typed"} <= names
    assert f"tests/{Path(__file__).name}" in names


# --- the wheel with the compiled engine ------------------------------------------------------------------


def test_compiled_wheel_is_tagged_for_every_python_from_3_11_on(compiled):
    own = "cp{0}{1}-cp{0}{1}t".format(*sys.version_info)
    python_and_abi, _, platform = compiled.tag.rpartition("-")
    assert python_and_abi == (own if FREE_THREADED else "cp311-abi3")
    assert platform != "any"
    assert compiled.info("WHEEL").get_all("Tag") == [compiled.tag]
    assert compiled.info("WHEEL")["Root-Is-Purelib"] == "false"


def test_compiled_wheel_holds_the_package_and_the_extension_only(compiled, tree):
    modules = {path.relative_to(tree / "src").as_posix() for path in tree.glob("src/fastsudoku/**/*.py")}
    (extension,) = compiled.extensions()
    held = {name for name in compiled.names() if ".dist-info/" not in name}
    assert held == {*modules, *DATA, extension}
    assert f"fastsudoku-{compiled.version}.dist-info/licenses/LICENSE" in compiled.names()


@with_limited_api
def test_extension_is_named_for_the_stable_abi(compiled):
    (extension,) = compiled.extensions()
    name = r"_engine_c\.pyd" if os.name == "nt" else r"_engine_c\.abi3(-[\w-]+)?\.so"
    assert re.fullmatch(f"fastsudoku/{name}", extension)


@with_limited_api
@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("nm"), reason="needs the nm of Linux")
def test_extension_uses_no_private_symbol_of_python(compiled, tmp_path):
    (extension,) = compiled.extensions()
    lines = output("nm", "--dynamic", "--undefined-only", compiled.unpack(tmp_path) / extension, cwd=tmp_path)
    symbols = {line.split()[-1].partition("@")[0] for line in lines.splitlines()}
    assert "PyModuleDef_Init" in symbols
    assert {name for name in symbols if name.startswith("_Py")} <= set(STABLE_PRIVATE_NAMES)


@with_limited_api
def test_extension_keeps_to_the_stable_abi_of_its_tag(compiled, tmp_path):
    pytest.importorskip("abi3audit", reason="abi3audit is not installed")
    report = output(sys.executable, "-m", "abi3audit", "--strict", "--report", compiled.path, cwd=tmp_path)
    (found,) = json.loads(report)["specs"][str(compiled.path)]["wheel"]
    assert found["result"]["is_abi3"]
    assert found["result"]["is_abi3_baseline_compatible"]
    assert found["result"]["baseline"] == "3.11"


def test_metadata(compiled):
    metadata = compiled.info("METADATA")
    assert metadata["Name"] == "fastsudoku"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    assert [need for need in metadata.get_all("Requires-Dist", []) if "extra ==" not in need] == []


def test_compiled_package_works_outside_of_the_source_tree(compiled_package, tmp_path):
    file, implementation, answer = use(compiled_package, tmp_path)
    assert file == compiled_package.resolve() / "fastsudoku" / "__init__.py"
    assert (implementation in COMPILED, answer) == (True, ANSWER)


def test_info_of_the_compiled_package(compiled, compiled_package, tmp_path):
    text = output(sys.executable, "-m", "fastsudoku", "info", cwd=tmp_path, PYTHONPATH=compiled_package)
    assert text.startswith(f"fastsudoku {compiled.version}, ")
    assert any(f"implementation: {name}\n" in text for name in COMPILED)
    assert "not compiled" not in text


def test_console_script_solves_a_file(compiled_package, tmp_path):
    script = shutil.which("fastsudoku", path=compiled_package / "bin")
    assert script, "pip installed no command"
    (tmp_path / "boards.txt").write_text(f"{BOARD}\n")
    assert output(script, "solve", "boards.txt", cwd=tmp_path, PYTHONPATH=compiled_package) == f"{ANSWER}\n"


@with_limited_api
@pytest.mark.skipif(not OTHER_PYTHONS, reason="there is no other CPython that can use the wheel")
@pytest.mark.parametrize("python", OTHER_PYTHONS.values(), ids=OTHER_PYTHONS)
def test_the_same_wheel_works_in_other_versions_of_python(compiled, python, tmp_path):
    package = compiled.unpack(tmp_path / "site")
    _, implementation, answer = use(package, tmp_path, python)
    assert (implementation in COMPILED, answer) == (True, ANSWER)


# --- the wheel without it --------------------------------------------------------------------------------


def test_pure_wheel_is_tagged_for_every_python_and_machine(pure):
    assert pure.tag == "py3-none-any"
    assert pure.info("WHEEL").get_all("Tag") == ["py3-none-any"]
    assert pure.info("WHEEL")["Root-Is-Purelib"] == "true"


def test_pure_wheel_differs_by_the_extension_only(pure, compiled):
    assert pure.extensions() == []
    assert pure.names() == compiled.names() - set(compiled.extensions())
    assert pure.info("METADATA").items() == compiled.info("METADATA").items()


def test_pure_package_works_outside_of_the_source_tree(pure_package, tmp_path):
    found = use(pure_package, tmp_path)
    assert found == (pure_package.resolve() / "fastsudoku" / "__init__.py", "python", ANSWER)


def test_info_of_the_pure_package_says_why(pure_package, tmp_path):
    text = output(sys.executable, "-m", "fastsudoku", "info", cwd=tmp_path, PYTHONPATH=pure_package)
    assert "implementation: python\n" in text
    assert "not available: dfs (it was not compiled when the package was installed)\n" in text


@without_msvc
def test_failed_build_does_not_pack_what_an_earlier_one_left(compiled, unpacked, tmp_path):
    tree = shutil.copytree(unpacked, tmp_path / "tree")
    (extension,) = tree.glob("build/lib*/fastsudoku/_engine_c*")
    shutil.copy(extension, tree / "src" / "fastsudoku")
    wheel = built(tree, tmp_path / "build", CC=NO_COMPILER)
    assert re.search(f"building extension .* failed: .*{NO_COMPILER}", wheel.log)
    assert (wheel.tag, wheel.extensions()) == ("py3-none-any", [])


# --- where the engine is required ------------------------------------------------------------------------


@without_msvc
@pytest.mark.parametrize("variable", ["FASTSUDOKU_REQUIRE_EXTENSION", "CIBUILDWHEEL"])
def test_build_fails_without_a_compiler_where_the_engine_is_required(sdist, variable, tmp_path):
    done = build(sdist, tmp_path / "build", CC=NO_COMPILER, **{variable: "1"})
    assert done.returncode != 0
    assert done.wheels == []
    assert re.search(f"error: .*{NO_COMPILER}", done.log)
