#!/usr/bin/env python3
"""Random loop nests built in parallel: the serial program's results, bit for bit.

usage: results.py BIN FIRST_SEED SEEDS NESTS [--class NAME]... [--ranks EVERY] [--others EVERY] [--keep DIR]
  BIN: folder of orrery and orrery-cc. Every so many programs: --ranks: also on two ranks; --others: the
  plain program by other compilers, too; --sanitize: and under sanitizers.
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
    for often in ("--ranks", "--others", "--sanitize"):
        parser.add_argument(often, type=int, default=0, metavar="EVERY")
    parser.add_argument("--keep")
    return parser.parse_args()


def checked(tools, made, seed, args):
    """What is wrong, and the nests that were built."""
    turn = seed - args.first + 1
    due = {name: every > 0 and turn % every == 0 for name, every in
           (("ranks", args.ranks), ("others", args.others), ("sanitize", args.sanitize))}
    source = tools.work / "plain.c"
    source.write_text(program.plain(made.lines()))
    try:
        return results.check(tools, made, tools.analyze(source), seed, **due)
    except Failure as failure:
        return [("program", str(failure))], []


def main():
    args = arguments()
    nests = parallel = bad = 0
    with tempfile.TemporaryDirectory() as work:
        tools = Tools(args.bin, work)
        for seed in range(args.first, args.first + args.seeds):
            made = program.program(seed, args.nests, args.kinds)
            wrong, built = checked(tools, made, seed, args)
            for name, what in wrong:
                print(f"seed {seed}: {name}: {what}")
            if wrong and args.keep:
                Path(args.keep).mkdir(parents=True, exist_ok=True)
                shutil.copy(Path(work) / "plain.c", Path(args.keep) / f"{seed}_plain.c")
            nests += len(made.names)
            parallel += len(built)
            bad += len(wrong)
    print(f"{nests} nests, {parallel} of them parallel, built and run, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
