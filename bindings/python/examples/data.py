"""The data that ship with Orrery (samples/data), as arrays."""
import gzip
import os

import numpy


def folder():
    """samples/data of the tree, or of an installation."""
    at = os.path.dirname(os.path.abspath(__file__))
    for up in range(1, 6):
        for name in ("samples/data", "share/orrery/samples/data"):
            found = os.path.join(at, *[".."] * up, name)
            if os.path.exists(os.path.join(found, "names.mtx.gz")):
                return found
    raise FileNotFoundError("samples/data is not above this file")


def names():
    """Who likes what: names by (state, year), as rows in compressed form (begin, item, value) and columns' number."""
    with gzip.open(os.path.join(folder(), "names.mtx.gz"), "rt") as file:
        table = numpy.loadtxt(file, comments="%", skiprows=2)
    row, column = table[:, 0].astype("i4") - 1, table[:, 1].astype("i4") - 1
    return compress(row, column, table[:, 2].astype("f4"), row.max() + 1), column.max() + 1


def compress(row, column, value, rows):
    """Sorted by row, then by column."""
    order = numpy.lexsort((column, row))
    begin = numpy.zeros(rows + 1, "i4")
    numpy.cumsum(numpy.bincount(row, minlength=rows), out=begin[1:])
    return begin, numpy.ascontiguousarray(column[order]), numpy.ascontiguousarray(value[order])


def words():
    """Documents' words: an entry per token (document, word), and the words' number."""
    doc, word = [], []
    with gzip.open(os.path.join(folder(), "specs.ldac.gz"), "rt") as file:
        for at, line in enumerate(file):
            for pair in line.split()[1:]:
                name, count = map(int, pair.split(":"))
                doc += [at] * count
                word += [name] * count
    return numpy.array(doc, "i4"), numpy.array(word, "i4")
