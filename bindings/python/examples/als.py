#!/usr/bin/env python3
"""Alternating least squares on the names that ship: als.py [SWEEPS]"""
import os
import sys
import time

import numpy
import orrery

import data

K = 64
here = os.path.dirname(os.path.abspath(__file__))
als = orrery.load(os.path.join(here, "als.c"), flags=["-O3", "-march=native", "-ffast-math", f"-DK={K}"])


def start(rows, items, seed=1):
    random = numpy.random.default_rng(seed)
    return [random.random((n, K), dtype="f4") * 0.01 for n in (rows, items)]


def transpose(by_row, items):
    begin, item, value = by_row
    row = numpy.repeat(numpy.arange(len(begin) - 1, dtype="i4"), numpy.diff(begin))
    return data.compress(item, row, value, items)


def half(seen, Y, X, lam=0.01, steps=3):
    G = numpy.empty((K, K), "f4")
    als.gram(Y, len(Y), lam, G)
    als.solve(*seen, len(X), G, Y, X, steps)


def sweep(by_row, by_item, X, Y):
    half(by_row, Y, X)
    half(by_item, X, Y)


if __name__ == "__main__":
    by_row, items = data.names()
    by_item = transpose(by_row, items)
    X, Y = start(len(by_row[0]) - 1, items)
    for at in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5):
        begin = time.perf_counter()
        sweep(by_row, by_item, X, Y)
        seconds = time.perf_counter() - begin
        row = numpy.repeat(numpy.arange(len(X)), numpy.diff(by_row[0]))
        print(f"sweep {at + 1}: {seconds:.3f} s, score of what was seen {numpy.mean(numpy.sum(X[row] * Y[by_row[1]], 1)):.4f}")
