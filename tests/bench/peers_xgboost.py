#!/usr/bin/env python3
"""XGBoost's histogram method on the rows that samples/gbt learns from, with the sample's settings: a line `seconds
held-out-loss` per tree. usage: peers_xgboost.py FILE TREES THREADS [KIND]"""
import sys
import time

import numpy
import xgboost

BITS = 2**64 - 1


def uniform(seed, index):
    """As in samples/common/program.h."""
    z = (seed + (index + 1) * 0x9E3779B97F4A7C15) & BITS
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & BITS
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & BITS
    return ((z ^ (z >> 31)) >> 11) / 9007199254740992.0


def main():
    rows = numpy.loadtxt(sys.argv[1], delimiter=",", dtype=numpy.float32)
    held = numpy.array([uniform(1, i) < .1 for i in range(len(rows))])
    label = (rows[:, -1] == float(sys.argv[4] if len(sys.argv) > 4 else 2)).astype(numpy.float32)
    settings = {"objective": "binary:logistic", "eval_metric": "logloss", "tree_method": "hist", "max_depth": 6,
                "eta": .3, "lambda": 1, "min_child_weight": 1, "max_bin": 64, "nthread": int(sys.argv[3]),
                "base_score": .5}
    train = xgboost.DMatrix(rows[~held, :-1], label[~held])
    test = xgboost.DMatrix(rows[held, :-1], label[held])
    trees = int(sys.argv[2])
    figures = {}
    xgboost.train(settings, train, trees, evals=[(test, "test")], evals_result=figures, verbose_eval=False)
    began = time.perf_counter()
    xgboost.train(settings, train, trees)
    took = time.perf_counter() - began
    for tree, loss in enumerate(figures["test"]["logloss"]):
        print(f"{took * (tree + 1) / trees:.6f} {loss:.6f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
