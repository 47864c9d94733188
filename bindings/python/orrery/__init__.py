"""Serial C loops, run in parallel on NumPy arrays (docs/python.md).

    import orrery
    mf = orrery.load("mf.c", flags=["-O3", "-march=native"])
    loss = mf.epoch(ratings, W, H, rate=0.02)
"""
from .build import CompileError, Error, NotFound
from .library import Library, RunError, compile, load

__all__ = ["CompileError", "Error", "Library", "NotFound", "RunError", "compile", "load"]
__version__ = "0.1.0"
