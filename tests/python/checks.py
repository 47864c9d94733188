"""What is passed is checked, and every refusal is an exception; the cache holds what is current."""
import glob
import os
import warnings

import numpy
import orrery
from orrery import build

from arrays import COUNT, ITEMS, K, factors, model, ratings, refuses, scale


def arguments():
    lib, r, (W, H) = factors(), ratings(), model()
    run = lib.epoch
    refuses(TypeError, ["W is `float *`", "float32, not float64", "astype"], run, r, COUNT, W.astype("f8"), H, K, 0.01)
    refuses(TypeError, ["r is", "not float32"], run, W, COUNT, W, H, K, 0.01)
    refuses(ValueError, ["W", "contiguous", "ascontiguousarray"], run, r, COUNT, W.T, H, K, 0.01)
    shifted = numpy.zeros(W.nbytes + 1, "u1")[1:].view("f4").reshape(W.shape)
    refuses(ValueError, ["W", "alignment", "copy()"], run, r, COUNT, shifted, H, K, 0.01)
    refuses(TypeError, ["H", "NumPy array, not list"], run, r, COUNT, W, [1.0], K, 0.01)
    refuses(TypeError, ["n is `long`", "not float"], run, r, 1.5, W, H, K, 0.01)
    refuses(OverflowError, ["K = 2147483648 does not fit"], run, r, COUNT, W, H, 1 << 31, 0.01)
    refuses(TypeError, ["missing a required argument: 'rate'"], run, r, COUNT, W, H, K)
    refuses(AttributeError, ["defines no function fit", "epoch"], getattr, lib, "fit")
    constant = W.copy()
    constant.flags.writeable = False
    refuses(ValueError, ["W", "read-only"], run, r, COUNT, constant, H, K, 0.01)
    r.flags.writeable = False
    before = W.copy()
    assert run(r, n=COUNT, W=W, H=H, K=K, rate=0.01) > 0 and (W != before).any()


def loops():
    lib, r, (W, H) = factors(), ratings(), model()
    before = W.copy(), H.copy()
    refuses(orrery.RunError, ["factors.c", "r[i].item", "out of range", "rows 0 to 99"], lib.epoch, r, COUNT, W,
            H[:100], K, 0.01)
    refuses(orrery.RunError, ["share memory"], lib.epoch, r, COUNT, W, W[:ITEMS], K, 0.01)
    assert (W == before[0]).all() and (H == before[1]).all()
    lib.epoch(r, COUNT, W, H, K, 0.01)
    whole = numpy.arange(10.0)
    at = numpy.array([3, 1, 2, 0], "i4")
    scale().gather(whole[:4], whole[4:], at, 4)
    assert whole[:4].tolist() == [7, 5, 6, 4]
    refuses(orrery.RunError, ["share memory"], scale().gather, whole[:4], whole[2:], at, 4)


NAMES = """
void shrink(double *x, long n, double lambda, double) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] *= 1 - lambda;
}
"""


def names():
    """Words of Python, and arguments without a name."""
    x = numpy.ones(3)
    orrery.compile(NAMES).shrink(x, n=3, lambda_=0.5, argument4=1)
    assert x.tolist() == [0.5] * 3


SHAPES = """
#include "orrery.h"
struct pair { short a; double b[2]; };
void rows(double (*x)[4], long n, int m, const float (*y)[m], struct pair *p, const char *name, unsigned char *seen) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        x[i][0] = y[i][m - 1] + p[i].b[1] + p[i].a;
        seen[i] = name[0];
    }
}
void tables(double **x, long n) { x[0][n] = 0; }
static void own(void) {}
double *leads(double *x) { own(); return x; }
int print(const char *format, ...) { return format[0]; }
"""


def shapes():
    lib = orrery.compile(SHAPES)
    x, y = numpy.zeros((3, 4)), numpy.ones((3, 2), "f4")
    pair = numpy.dtype({"names": ["a", "b"], "formats": ["i2", ("f8", 2)], "offsets": [0, 8], "itemsize": 24})
    p, seen = numpy.zeros(3, pair), numpy.zeros(3, "u1")
    p["b"][:, 1], p["a"] = 2, 3
    lib.rows(x, 3, 2, y, p, "text", seen)
    assert x[:, 0].tolist() == [6, 6, 6] and seen.tolist() == [ord("t")] * 3
    refuses(ValueError, ["x is `double (*)[4]`", "axis 1 has 3"], lib.rows, x[:, :3].copy(), 3, 2, y, p, "", seen)
    refuses(ValueError, ["y", "m = 1"], lib.rows, x, 3, 1, y, p, "", seen)
    refuses(ValueError, ["of 2 dimensions", "has 1"], lib.rows, x[0], 3, 2, y, p, "", seen)
    refuses(AttributeError, ["table of pointers"], getattr, lib, "tables")
    refuses(AttributeError, ["a value of type `double *`"], getattr, lib, "leads")
    refuses(AttributeError, ["number of arguments is open"], getattr, lib, "print")
    refuses(AttributeError, ["defines no function own"], getattr, lib, "own")


LOADS = """
#include "orrery.h"
int load(const char *path, double *to, long n) {
    struct orrery_npy array;
    if (orrery_load_npy(path, &array) || array.count < n)
        return 1;
    const double *from = array.data;
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        to[i] = 2 * from[i];
    return 0;
}
"""


def loaders():
    """Those of orrery.h are in the library."""
    numpy.save("saved.npy", numpy.arange(5.0))
    x = numpy.zeros(5)
    lib = orrery.compile(LOADS)
    assert lib.load("saved.npy", x, 5) == 0 and x.tolist() == [0, 2, 4, 6, 8]
    assert lib.load("none.npy", x, 5) == 1


SERIAL = """
void sums(double *x, long n) {
#pragma orrery parallel
    for (long i = 1; i < n; ++i)
        x[i] += x[i - 1] * x[0];
}
"""


def texts():
    refuses(orrery.CompileError, ["ORR2"], orrery.compile, SERIAL)
    refuses(orrery.CompileError, ["no loop is marked", "strict=False"], orrery.compile, "void f(void) {}")
    refuses(orrery.CompileError, ["ORR9001"], orrery.compile, "void f(void) {")
    refuses(FileNotFoundError, ["none.c"], orrery.load, "none.c")
    plain = "int f(int a) { int unused; return a + 1; }"
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert orrery.compile(plain, strict=False, flags=["-Wall"]).f(2) == 3
    assert len(said) == 1 and "unused" in str(said[0].message), said
    refuses(orrery.CompileError, ["no loop is marked"], orrery.compile, plain, flags=["-Wall"])


def entries():
    return {name for name in os.listdir(build.cache_folder()) if name != "text"}


def cache():
    with open("size.h", "w", encoding="utf-8") as file:
        file.write("enum { BY = 2 };\n")
    with open("by.c", "w", encoding="utf-8") as file:
        file.write('#include "size.h"\nvoid by(double *x, long n) {\n#pragma orrery parallel\n'
                   "    for (long i = 0; i < n; ++i)\n        x[i] *= BY;\n}\n")
    x = numpy.ones(3)
    orrery.load("by.c").by(x, 3)
    known = entries()
    make, build.make = build.make, None  # nothing is made again
    orrery.load("by.c").by(x, 3)
    build.make = make
    with open("size.h", "w", encoding="utf-8") as file:
        file.write("enum { BY = 5 };\n")
    orrery.load("by.c").by(x, 3)
    assert x.tolist() == [20, 20, 20] and entries() == known, (x, entries() - known)
    orrery.load("by.c", flags=["-O1"])
    assert len(entries()) == len(known) + 1
    # What is not whole, was made by others or did not get ready is none of it; it is nobody else's affair.
    for made in glob.glob(os.path.join(build.cache_folder(), "*", "made.json")):
        with open(made, "w", encoding="utf-8") as file:
            file.write("{")
    orrery.load("by.c").by(x, 3)
    assert x.tolist() == [100, 100, 100] and len(entries()) == len(known) + 1
    version, build.Tools.version = build.Tools.version, lambda self, flags: "another"
    with open("cc", "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\necho "$@" >>compiled\nexec cc "$@"\n')
    os.chmod("cc", 0o755)
    os.environ["ORRERY_CC"] = os.path.abspath("cc")
    orrery.load("by.c")
    del os.environ["ORRERY_CC"]
    build.Tools.version = version
    with open("compiled", encoding="utf-8") as file:
        assert "calls.c" in file.read()
    assert len(entries()) == len(known) + 2
    assert not [name for name in entries() if name.startswith("making-")], entries()
    assert os.stat(build.cache_folder()).st_mode & 0o77 == 0
    native = build.Tools().version(["-march=native"])
    assert "model name" in native and native.startswith(build.Tools().version([]))


arguments()
names()
loops()
shapes()
loaders()
texts()
cache()
