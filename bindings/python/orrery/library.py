"""A loaded library, and calls of its functions."""
import ctypes
import inspect
import keyword
import os
import threading

import numpy

from . import build as builder
from .ranks import Ranks, RunError, check_apart, same_on_all, server
from .types import Array, Unsupported, parameter, scalar


# include/orrery.h
class Memory(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("bytes", ctypes.c_ulong)]


class Try(ctypes.Structure):
    _fields_ = [("memory", ctypes.POINTER(Memory)), ("count", ctypes.c_int), ("signals", ctypes.c_int),
                ("message", ctypes.c_char * 1024)]


RAN, REFUSED, INTERRUPTED = 0, 1, 2


def python_name(name, at):
    """`lambda` and its like get an underscore; parameters without a name one by their place."""
    return f"argument{at}" if not name else f"{name}_" if keyword.iskeyword(name) else name


class Signature:
    """How a function is called. Unsupported where a type has no place in Python."""

    def __init__(self, function):
        if function["variadic"]:
            raise Unsupported("its number of arguments is open; write a function with a fixed one around it")
        self.name = function["name"]
        self.params = [parameter(python_name(param["name"], at), param["type"])
                       for at, param in enumerate(function["params"], 1)]
        self.result = None if function["result"]["kind"] == "void" else scalar(function["result"])

    def call(self):
        """C that unpacks the arguments."""
        fields = [f"    {p.c} a{i};\n" for i, p in enumerate(self.params)]
        types = ", ".join(p.c for p in self.params) or "void"
        values = ", ".join(f"c->a{i}" for i in range(len(self.params)))
        result = self.result[0] if self.result else "void"
        store = "c->result = " if self.result else ""
        last = f"    {result} result;\n" if self.result else "    char result;\n"
        return (f"extern {result} {self.name}({types});\n"
                f"struct orrery_args_{self.name} {{\n{''.join(fields)}{last}}};\n"
                f"static void orrery_work_{self.name}(void *data) {{\n"
                f"    struct orrery_args_{self.name} *c = data;\n    (void)c;\n    {store}{self.name}({values});\n}}\n")

    def shim(self):
        """The same inside of orrery_try."""
        return (f"{self.call()}int orrery_call_{self.name}(struct orrery_try *trying, void *data) {{\n"
                f"    if (orrery_try)\n        return orrery_try(trying, orrery_work_{self.name}, data);\n"
                f"    orrery_work_{self.name}(data);\n    return 0;\n}}\n")

    def arguments(self):
        """The struct of the shim."""
        fields = [(f"a{i}", p.ctype) for i, p in enumerate(self.params)]
        fields.append(("result", self.result[1] if self.result else ctypes.c_char))
        return type(f"Arguments_{self.name}", (ctypes.Structure,), {"_fields_": fields})


def signatures(functions):
    """Of all calls that there can be."""
    found = []
    for function in functions:
        try:
            found.append(Signature(function))
        except Unsupported:
            pass
    return found


def shim(functions):
    """The text of the calls."""
    parts = ['#include "orrery.h"\n#pragma weak orrery_try\n']
    return "\n".join(parts + [signature.shim() for signature in signatures(functions)])


def program(functions):
    """The text of the program that makes the calls for ranks."""
    return server(signatures(functions))


class Function:
    """A function of the C text. Arguments by place or by the names of the text."""

    def __init__(self, entry, signature):
        self._entry = entry
        self._params = signature.params
        self._result = signature.result
        self._arguments = signature.arguments()
        self._arrays = [i for i, p in enumerate(self._params) if isinstance(p, Array) and p.trailing]
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__name__ = signature.name
        self.__signature__ = inspect.Signature([inspect.Parameter(p.name, kind) for p in self._params])
        self.__doc__ = ", ".join(f"{p.name}: {p.spelling}" for p in self._params)
        if entry:
            entry.restype = ctypes.c_int
            entry.argtypes = [ctypes.POINTER(Try), ctypes.c_void_p]

    def __repr__(self):
        return f"<C function {self.__name__}({self.__doc__})>"

    def _values(self, given):
        """The values of the struct's fields, and what is lent for the call."""
        lent, values = [], []
        for param, value in zip(self._params, given):
            values.append(param.value(value, lent))
        if self._arrays:
            numbers = {p.name: v for p, v in zip(self._params, values)}
            for i in self._arrays:
                self._params[i].check_shape(given[i], numbers)
        return values, lent

    def _bound(self, given, named):
        if named or len(given) != len(self._params):
            given = self.__signature__.bind(*given, **named).args
        return given

    def __call__(self, *given, **named):
        values, lent = self._values(self._bound(given, named))
        call = self._arguments(*values)
        memory = (Memory * len(lent))(*[(address, bytes) for address, bytes, _ in lent])
        is_main = threading.get_ident() == threading.main_thread().ident
        trying = Try(memory, len(lent), is_main)
        status = self._entry(ctypes.byref(trying), ctypes.addressof(call))
        if status == INTERRUPTED:
            raise KeyboardInterrupt
        if status != RAN:
            raise RunError(trying.message.decode(errors="replace"))
        return call.result if self._result else None


class SharedFunction(Function):
    """The same, called by all ranks of a communicator together: its loops are divided among them."""

    def __init__(self, signature, ranks, number):
        super().__init__(None, signature)
        self._ranks = ranks
        self._number = number

    def __call__(self, *given, **named):
        values, said, problem = None, self.__name__, None
        try:
            given = self._bound(given, named)
            values, _ = self._values(given)
            check_apart(self._params, given)
            said += str(tuple(f"{getattr(value, 'dtype', type(value).__name__)}{list(numpy.shape(value))}"
                              if isinstance(param, Array) else value for param, value in zip(self._params, given)))
        except Exception as why:
            problem = why
        self._ranks.agree(said, problem)
        empty = [None if isinstance(param, Array) else value for param, value in zip(self._params, values)]
        call = self._ranks.call(self._number, self._arguments(*empty), given, self._params)
        return call.result if self._result else None


class Library:
    """The functions of a C text as attributes. `loops`: what `orrery analyze` says of its loops."""

    def __init__(self, source, built, ranks=None):
        self._source = source
        self._refused = {}
        self.loops = built.loops
        self.functions = {}
        library = None if ranks else ctypes.CDLL(built.library)
        for function in built.functions:
            self._add(library, function, ranks)

    def _add(self, library, function, ranks):
        name = function["name"]
        try:
            signature = Signature(function)
            if ranks:
                self.functions[name] = SharedFunction(signature, ranks, len(self.functions))
            else:
                self.functions[name] = Function(getattr(library, f"orrery_call_{name}"), signature)
        except Unsupported as why:
            self._refused[name] = str(why)

    def __getattr__(self, name):
        functions = self.__dict__.get("functions", {})
        if name in functions:
            return functions[name]
        if name in self.__dict__.get("_refused", {}):
            raise AttributeError(f"{name} cannot be called from Python: {self._refused[name]}")
        raise AttributeError(f"{self._source} defines no function {name} that others can call; it has: "
                             f"{', '.join(functions) or 'none'} (static ones are its own)")

    def __dir__(self):
        return [*super().__dir__(), *self.functions]

    def __repr__(self):
        return f"<{self._source}: {', '.join(self.functions)}>"


def load(source, flags=("-O3",), strict=True, comm=None):
    """
    The functions of the C file `source`, built by orrery-cc with `flags` where the cache has it not.
    strict: a marked loop that stays serial is an error (CompileError), else a warning.
    comm: of mpi4py; all of its ranks load and call together, and loops are divided among them.
    """
    source = os.fspath(source)
    if comm is None or comm.size == 1:
        return Library(os.path.basename(source), builder.build(source, list(flags), strict, shim))
    ranks = Ranks(comm)
    built = same_on_all(ranks.comm, lambda: builder.build(source, list(flags), strict, program, ranks=True))
    ranks.program = built.library
    return Library(os.path.basename(source), built, ranks)


def compile(text, flags=("-O3",), strict=True, comm=None):
    """The same of C text."""
    folder = os.path.join(builder.cache_folder(), "text")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    source = os.path.join(folder, builder.digest(text)[:16] + ".c")
    if not os.path.exists(source):
        making = f"{source}.{os.getpid()}.{threading.get_ident()}"
        with open(making, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(making, source)
    return load(source, flags, strict, comm)
