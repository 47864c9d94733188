"""C types, as `orrery analyze --dump=functions` says them, and what Python passes for them."""
import ctypes
import operator

import numpy


class Unsupported(Exception):
    """No Python value stands for the type. Says why."""


INTS = {(1, True): ("signed char", ctypes.c_int8), (1, False): ("unsigned char", ctypes.c_uint8),
        (2, True): ("short", ctypes.c_int16), (2, False): ("unsigned short", ctypes.c_uint16),
        (4, True): ("int", ctypes.c_int32), (4, False): ("unsigned int", ctypes.c_uint32),
        (8, True): ("long", ctypes.c_int64), (8, False): ("unsigned long", ctypes.c_uint64)}
FLOATS = {4: ("float", ctypes.c_float), 8: ("double", ctypes.c_double)}


def scalar(type):
    """(a C type of the same calling convention, its ctypes type) of a number."""
    if type["kind"] == "bool":
        return "_Bool", ctypes.c_bool
    if type["kind"] == "int" and (type["size"], type["signed"]) in INTS:
        return INTS[type["size"], type["signed"]]
    if type["kind"] == "float" and type["size"] in FLOATS:
        return FLOATS[type["size"]]
    raise Unsupported(f"a value of type `{type['spelling']}` cannot be passed; pass a pointer to it")


def dtype_of(type):
    """The dtype of elements in memory."""
    kind, size = type["kind"], type["size"]
    if kind == "bool":
        return numpy.dtype(numpy.bool_)
    if kind == "int":
        return numpy.dtype(f"{'i' if type['signed'] else 'u'}{size}")
    if kind == "float":
        return numpy.dtype(f"f{size}")
    if kind == "array" and isinstance(type["count"], int):
        return numpy.dtype((dtype_of(type["element"]), type["count"]))
    if kind == "struct":
        return record_of(type)
    raise Unsupported(f"memory of type `{type['spelling']}` is no array of numbers or of structs of numbers")


def record_of(type):
    fields = type["fields"]
    if not fields or any(field["bits"] or not field["name"] for field in fields):
        raise Unsupported(f"`{type['spelling']}` is incomplete, or has bit-fields or fields without a name")
    return numpy.dtype({"names": [field["name"] for field in fields],
                        "formats": [dtype_of(field["type"]) for field in fields],
                        "offsets": [field["offset"] for field in fields], "itemsize": type["size"]})


class Number:
    """A parameter by value."""

    def __init__(self, name, type):
        self.name = name
        self.spelling = type["spelling"]
        self.c, self.ctype = scalar(type)
        self.whole = type["kind"] != "float"
        self.low, self.high = None, None
        if type["kind"] == "int":
            bits = 8 * type["size"]
            self.low = -(1 << (bits - 1)) if type["signed"] else 0
            self.high = (1 << (bits - 1 if type["signed"] else bits)) - 1

    def value(self, given, lent):
        if not self.whole:
            return float(given)
        try:
            number = operator.index(given)
        except TypeError:
            raise TypeError(f"{self.name} is `{self.spelling}`, a whole number, not {type(given).__name__}: "
                            f"pass int(...)") from None
        if self.low is not None and not self.low <= number <= self.high:
            raise OverflowError(f"{self.name} = {number} does not fit into `{self.spelling}`")
        return number


class Array:
    """A pointer to elements: a NumPy array, as it is, or None."""

    def __init__(self, name, type):
        self.name = name
        self.spelling = type["spelling"]
        self.c, self.ctype = "void *", ctypes.c_void_p
        element, self.trailing = type["element"], []
        while element["kind"] == "array":
            self.trailing.append(element["count"])
            element = element["element"]
        self.constant = element["const"]
        self.any = element["kind"] == "void"
        self.dtype = None if self.any else dtype_of(element)
        self.text = self.constant and element["kind"] == "int" and element["size"] == 1

    def value(self, given, lent):
        if given is None:
            return None
        if self.text and isinstance(given, (bytes, str)):
            given = numpy.frombuffer((given.encode() if isinstance(given, str) else given) + b"\0", self.dtype)
        self.check(given)
        address = given.__array_interface__["data"][0]
        lent.append((address, given.nbytes, given))
        return address

    def check(self, given):
        if not isinstance(given, numpy.ndarray):
            raise TypeError(f"{self.name} is `{self.spelling}`: pass a NumPy array, not {type(given).__name__} "
                            f"(numpy.asarray makes one, which is then what changes)")
        if not self.any and given.dtype != self.dtype:
            raise TypeError(f"{self.name} is `{self.spelling}`: its elements are {self.dtype}, not {given.dtype}; "
                            f"make the array so, or convert it once: {self.name}.astype({self.name_of_dtype()})")
        if not given.flags.aligned:
            raise ValueError(f"{self.name}: the elements are not at multiples of their alignment, and nothing is copied; "
                             f"{self.name}.copy() makes an array that is")
        if not given.flags.c_contiguous:
            raise ValueError(f"{self.name}: the array is not contiguous in C's order, and nothing is copied; "
                             f"numpy.ascontiguousarray makes one that is")
        if not self.constant and not given.flags.writeable:
            raise ValueError(f"{self.name}: the array is read-only, and `{self.spelling}` may be written; pass a "
                             f"copy, or say const in the text if the function only reads it")
        if self.trailing and given.ndim != len(self.trailing) + 1:
            raise ValueError(f"{self.name} is `{self.spelling}`, of {len(self.trailing) + 1} dimensions; the array "
                             f"has {given.ndim}")

    def name_of_dtype(self):
        return f"'{self.dtype}'" if not self.dtype.fields else "..."

    def check_shape(self, given, numbers):
        """Lengths of rows that the text says: `float (*W)[K]`, `double A[n][m]`."""
        if given is None:
            return
        for at, count in enumerate(self.trailing, 1):
            wanted = numbers.get(count) if isinstance(count, str) else count
            if wanted is not None and given.shape[at] != wanted:
                said = f"{count} = {wanted}" if isinstance(count, str) else wanted
                raise ValueError(f"{self.name} is `{self.spelling}`: axis {at} has {given.shape[at]} elements, "
                                 f"not {said}")


def parameter(name, type):
    if type["kind"] == "pointer":
        if "element" not in type or type["element"]["kind"] == "pointer":
            raise Unsupported(f"`{type['spelling']}` is a table of pointers; take one array and the length of "
                              f"its rows instead")
        return Array(name, type)
    return Number(name, type)
