"""Build of the compiled engine; all the rest is said in pyproject.toml.

The build is soft: where the engine cannot be compiled, the package installs without it and runs in pure
Python. It is hard, and fails, where wheels are made (CIBUILDWHEEL) or on request
(FASTSUDOKU_REQUIRE_EXTENSION=1). FASTSUDOKU_PURE=1 leaves the engine out.
"""

import os
import sysconfig
from glob import glob
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext


def is_set(name):
    return os.environ.get(name, "") not in ("", "0")


# One wheel for this and all later versions of Python. Free-threaded builds have no limited API.
LIMITED_API = None if sysconfig.get_config_var("Py_GIL_DISABLED") else ("0x030B0000", "cp311")
REQUIRED = is_set("CIBUILDWHEEL") or is_set("FASTSUDOKU_REQUIRE_EXTENSION")


class BuildExtension(build_ext):
    def build_extensions(self):
        for path in self.get_outputs():
            # What an earlier build left behind would hide that this one failed.
            Path(path).unlink(missing_ok=True)
        super().build_extensions()
        self.distribution.ext_modules = [
            extension for extension in self.extensions if Path(self.get_ext_fullpath(extension.name)).exists()
        ]

    def build_extension(self, extension):
        # Not earlier: other commands, such as sdist, are to see the .pyx file, not the .c file made from it.
        from Cython.Build import cythonize

        extension.sources = cythonize([extension], force=True)[0].sources
        # Under the limited API Cython imports `inspect` for seven constants, which takes longer than all else.
        source = Path(extension.sources[0])  # made from the .pyx file
        # (And it does not look whether that failed, as it does where Ctrl-C comes meanwhile.)
        ours = 'Module("fastsudoku._code_flags");\n    if (!inspect) return -1;'
        source.write_text(source.read_text().replace('Module("inspect");', ours))
        if self.compiler.compiler_type != "msvc":
            # The loops over the nine digits become vector instructions.
            extension.extra_compile_args += ["-O3"]
        super().build_extension(extension)


class BuildWheel(bdist_wheel):
    def run_command(self, command):
        super().run_command(command)
        if command == "build":
            # A wheel without the engine is for every Python and every machine.
            self.root_is_pure = not self.distribution.has_ext_modules()


if is_set("FASTSUDOKU_PURE") and not REQUIRED:
    setup()
else:
    engine = Extension(
        "fastsudoku._engine_c",
        ["src/fastsudoku/_engine_c.pyx", *sorted(glob("src/fastsudoku/lanes/*.c"))],
        depends=[*glob("src/fastsudoku/*.pxi"), *glob("src/fastsudoku/lanes/*.h")],
        define_macros=[("Py_LIMITED_API", LIMITED_API[0])] if LIMITED_API else [],
        py_limited_api=bool(LIMITED_API),
        optional=not REQUIRED,
    )
    setup(
        ext_modules=[engine],
        cmdclass={"build_ext": BuildExtension, "bdist_wheel": BuildWheel},
        options={"bdist_wheel": {"py_limited_api": LIMITED_API[1]}} if LIMITED_API else {},
    )
