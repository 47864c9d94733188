#!/usr/bin/env python3
"""Counts loops, each place once.

usage: loops.py ANALYSIS               of `orrery analyze --all --format=json`: seen, parallel with -auto, files with errors
       loops.py --accesses REPORT      of `orrery verify --accesses --format=json`: executed (two iterations and more),
                                       contradicted, missed with more than 5 % of the time; a line for each of the latter two
"""
import json
import sys

LEAST_SHARE = 0.05


def place(loop):
    return loop["file"], loop["line"], loop["column"]


def analysis(path):
    seen, parallel, wrong = set(), set(), set()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            unit = json.loads(line)
            if unit["errors"]:
                wrong.add(unit["file"])
            for loop in unit["loops"]:
                seen.add(place(loop))
                if loop.get("auto"):
                    parallel.add(place(loop))
    print(len(seen), len(parallel), len(wrong))


def accesses(path):
    with open(path, encoding="utf-8") as text:
        report = json.load(text)
    executed = [loop for loop in report["loops"] if loop["answer"] not in ("not run", "not seen")]
    contradicted = [loop for loop in executed if loop["answer"] == "contradicted"]
    missed = [loop for loop in executed if loop["answer"] == "missed" and loop["share"] > LEAST_SHARE]
    print(len({place(loop) for loop in executed}), len(contradicted), len(missed))
    for loop in contradicted:
        print("CONTRADICTED %s:%d:%d" % place(loop), loop.get("verdict"), loop["conflicts"][:1])
    for loop in sorted(missed, key=lambda loop: -loop["share"]):
        print("missed %s:%d:%d" % place(loop), "%.0f %%" % (100 * loop["share"]), loop.get("code"))


if sys.argv[1] == "--accesses":
    accesses(sys.argv[2])
else:
    analysis(sys.argv[1])
