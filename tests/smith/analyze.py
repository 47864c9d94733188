#!/usr/bin/env python3
"""Random loop nests against a recorder of accesses: none may be parallel where two iterations met.

usage: analyze.py BIN FIRST_SEED SEEDS NESTS [--class NAME]... [--missed] [--seconds N] [--keep DIR]
  BIN: folder of orrery; each seed is one program of NESTS nests. --missed: list nests that could
  have run in parallel, by the code that kept them serial. --keep: where failing programs are left.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from smith import program, record
from smith.tools import Failure, Tools


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("first", type=int)
    parser.add_argument("seeds", type=int)
    parser.add_argument("nests", type=int)
    parser.add_argument("--class", dest="kinds", action="append")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--seconds", type=float, default=0, help="begin no program after so many")
    parser.add_argument("--keep")
    return parser.parse_args()


def share_of(found, could):
    return f"{100 * found / could:.1f}" if could else "-"


def print_table(tally):
    print(f"{'class':12}{'nests':>8}{'could':>8}{'found':>8}{'share':>8}{'in two sets':>13}{'share':>8}{'not judged':>12}")
    for kind in [*sorted(tally.total), "all"]:
        rows = [tally.total, tally.could, tally.found, tally.met_could, tally.met_found, tally.skipped]
        total, could, found, met, met_found, skipped = (sum(row.values()) if kind == "all" else row[kind] for row in rows)
        print(f"{kind:12}{total:8}{could:8}{found:8}{share_of(found, could):>8}{met:13}{share_of(met_found, met):>8}{skipped:12}")
    print("strategies: " + ", ".join(f"{name} {count}" for name, count in tally.strategies.most_common()))
    print(f"stopped by a check in one of two data sets: {tally.stopped}")


def print_missed(tally):
    by_code = Counter()
    for (kind, code, way), count in tally.missed.most_common():
        by_code[code] += count
    print("missed by code: " + ", ".join(f"{code} {count}" for code, count in by_code.most_common()))
    for key, count in tally.missed.most_common(60):
        print(f"  {count:5} {' '.join(key)}: {' '.join(tally.missed_names[key][:4])}")


def main():
    args = arguments()
    tally, bad = record.Tally(), 0
    with tempfile.TemporaryDirectory() as work:
        tools = Tools(args.bin, work)
        begun = time.monotonic()
        for seed in range(args.first, args.first + args.seeds):
            if args.seconds and time.monotonic() - begun > args.seconds:
                break
            made = program.program(seed, args.nests, args.kinds)
            before = len(tally.unsound)
            try:
                output, skipped, loops = record.record(tools, made)
                tally.add(output, skipped, loops, seed)
            except Failure as failure:
                print(f"seed {seed}: {failure}")
                bad += 1
            if args.keep and (bad or len(tally.unsound) > before):
                Path(args.keep).mkdir(parents=True, exist_ok=True)
                for name in ("plain.c", "recorded.c", "claims.h"):
                    shutil.copy(Path(work) / name, Path(args.keep) / f"{seed}_{name}")
    print_table(tally)
    if args.missed:
        print_missed(tally)
    for seed, _, line in tally.unsound:
        print(f"seed {seed}: {line}")
    print(f"{sum(tally.total.values())} nests, {len(tally.unsound)} unsound, {bad} programs failed")
    return 1 if tally.unsound or bad else 0


if __name__ == "__main__":
    sys.exit(main())
