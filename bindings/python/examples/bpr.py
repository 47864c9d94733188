#!/usr/bin/env python3
"""Bayesian personalized ranking on the names that ship: bpr.py [PASSES]"""
import os
import sys
import time

import numpy
import orrery

import data

K = 64
here = os.path.dirname(os.path.abspath(__file__))
bpr = orrery.load(os.path.join(here, "bpr.c"), flags=["-O3", "-march=native", "-ffast-math", f"-DK={K}"])


class Model:
    def __init__(self, by_row, items, seed=1):
        self.begin, self.item, _ = by_row
        self.row = numpy.repeat(numpy.arange(len(self.begin) - 1, dtype="i4"), numpy.diff(self.begin))
        random = numpy.random.default_rng(seed)
        self.X = (random.random((len(self.begin) - 1, K), dtype="f4") - 0.5) / K
        self.Y = (random.random((items, K + 1), dtype="f4") - 0.5) / K
        self.samples = [numpy.empty(len(self.item), "i4") for _ in range(3)]

    def learn(self, number, rate=0.05, lam=0.01):
        """One pass: as many samples as entries."""
        n = len(self.item)
        bpr.draw(self.begin, self.row, self.item, n, n, number, *self.samples)
        bpr.rank(*self.samples, n, self.X, self.Y, rate, lam)

    def correct(self):
        """Of samples that were drawn, how many are ranked right."""
        user, liked, other = self.samples
        score = numpy.sum(self.X[user] * (self.Y[liked, :K] - self.Y[other, :K]), 1)
        score += self.Y[liked, K] - self.Y[other, K]
        return numpy.mean(score[other >= 0] > 0)


if __name__ == "__main__":
    model = Model(*data.names())
    for at in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5):
        begin = time.perf_counter()
        model.learn(at)
        print(f"pass {at + 1}: {time.perf_counter() - begin:.3f} s, {100 * model.correct():.2f} % ranked right")
