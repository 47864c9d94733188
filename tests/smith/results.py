#!/usr/bin/env python3
"""Random loop nests built in parallel: the serial program's results, bit for bit.

usage: results.py BIN FIRST_SEED SEEDS NESTS [--class NAME]... [--ranks EVERY] [--keep DIR]
  BIN: folder of orrery and orrery-cc. --ranks: every so many programs also on two ranks.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from smith import program, results
from smith.tools import Failure, Tools


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("first", type=int)
    parser.add_argument("seeds", type=int)
    parser.add_argument("nests", type=int)
    parser.add_argument("--class", dest="kinds", action="append")
    parser.add_argument("--ranks", type=int, default=0)
    parser.add_argument("--keep")
    return parser.parse_args()


def main():
    args = arguments()
    nests = parallel = bad = 0
    with tempfile.TemporaryDirectory() as work:
        tools = Tools(args.bin, work)
        for seed in range(args.first, args.first + args.seeds):
            lines, names = program.program(seed, args.nests, args.kinds)
            ranks = args.ranks > 0 and (seed - args.first) % args.ranks == args.ranks - 1
            try:
                wrong, loops = results.check(tools, lines, names, ranks)
            except Failure as failure:
                wrong, loops = [("program", str(failure))], {}
            for name, what in wrong:
                print(f"seed {seed}: {name}: {what}")
            if wrong and args.keep:
                Path(args.keep).mkdir(parents=True, exist_ok=True)
                shutil.copy(Path(work) / "plain.c", Path(args.keep) / f"{seed}_plain.c")
            nests += len(names)
            parallel += sum(one["verdict"] == "parallel" for one in loops.values())
            bad += len(wrong)
    print(f"{nests} nests built, {parallel} of them parallel, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
