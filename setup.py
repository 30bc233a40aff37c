"""Build of the compiled engine; all the rest is said in pyproject.toml.

The build is soft: where the engine cannot be compiled, the package installs without it and runs in pure
Python. It is hard, and fails, where wheels are made (CIBUILDWHEEL) or on request
(FASTSUDOKU_REQUIRE_EXTENSION=1). FASTSUDOKU_PURE=1 leaves the engine out.
"""

import os
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


def is_set(name):
    return os.environ.get(name, "") not in ("", "0")


# One wheel for this and all later versions of Python. Free-threaded builds have no limited API.
LIMITED_API = None if sysconfig.get_config_var("Py_GIL_DISABLED") else ("0x030B0000", "cp311")
REQUIRED = is_set("CIBUILDWHEEL") or is_set("FASTSUDOKU_REQUIRE_EXTENSION")


class BuildExtension(build_ext):
    def build_extensions(self):
        if self.compiler.compiler_type != "msvc":
            for extension in self.extensions:
                # The loops over the nine digits become vector instructions.
                extension.extra_compile_args += ["-O3"]
        super().build_extensions()


def extensions():
    from Cython.Build import cythonize

    engine = Extension(
        "fastsudoku._engine_c",
        ["src/fastsudoku/_engine_c.pyx"],
        define_macros=[("Py_LIMITED_API", LIMITED_API[0])] if LIMITED_API else [],
        py_limited_api=bool(LIMITED_API),
    )
    built = cythonize([engine], force=True)
    for extension in built:
        # cythonize() makes new extensions and loses this attribute.
        extension.optional = not REQUIRED
    return built


if is_set("FASTSUDOKU_PURE"):
    setup()
else:
    setup(ext_modules=extensions(), cmdclass={"build_ext": BuildExtension})
