"""The flags of code objects that the compiled engine asks for when it is loaded.

They are those of `inspect`, which takes longer to import than the rest of the package; see setup.py.
"""

CO_OPTIMIZED = 0x1
CO_NEWLOCALS = 0x2
CO_VARARGS = 0x4
CO_VARKEYWORDS = 0x8
CO_GENERATOR = 0x20
CO_COROUTINE = 0x80
CO_ASYNC_GENERATOR = 0x200


def __getattr__(name: str) -> object:
    """Return a flag that is not listed above, which a later Cython may ask for."""
    import inspect

    value: object = getattr(inspect, name)
    return value
