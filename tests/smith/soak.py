#!/usr/bin/env python3
"""Random loop nests, judged by the recorder and built: analyze.py and results.py on the same programs.

usage: soak.py BIN FIRST_SEED SEEDS NESTS [--class NAME]... [--auto EVERY] [--ranks EVERY] [--others EVERY]
               [--sanitize EVERY] [--gpu EVERY] [--missed] [--keep DIR]
  Built nests run with the sizes of the recorder in which no subscript left its array, and with numbers of
  workers and grids, some at a time. --auto:
  every so many programs have no marked loop and are built with -auto. --gpu: every so many of the others run on the GPU
  that the host plays, as far as kernels can be made of them. Prints what is wrong as it is found.
"""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from analyze import print_missed, print_table
from smith import program, record, results
from smith.tools import Failure, Tools


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("first", type=int)
    parser.add_argument("seeds", type=int)
    parser.add_argument("nests", type=int)
    parser.add_argument("--class", dest="kinds", action="append")
    for often in ("--auto", "--ranks", "--others", "--sanitize", "--gpu"):
        parser.add_argument(often, type=int, default=0, metavar="EVERY")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--keep")
    return parser.parse_args()


def is_due(every, seed):
    return every > 0 and seed % every == every - 1


class Soak:
    """What was found so far: nests, those built and run, alarms."""

    def __init__(self, tools, args):
        self.tools, self.args, self.tally = tools, args, record.Tally()
        self.nests = self.built = self.wrong = self.failed = 0

    def judge(self, made, seed):
        """The recorder's verdict; the sizes with which each nest may be built, and its loops."""
        before = len(self.tally.unsound)
        output, skipped, loops = record.record(self.tools, made)
        self.tally.add(output, skipped, loops, seed)
        for _, _, line in self.tally.unsound[before:]:
            self.report(seed, line)
        return record.sizes_inside(output, made.names), loops

    def build(self, made, seed, runs, loops):
        args = self.args
        wrong, built = results.check(self.tools, made, loops, seed, runs=program.some_runs(runs, seed),
                                     settings=results.some_settings(seed), ranks=is_due(args.ranks, seed),
                                     others=is_due(args.others, seed), sanitize=is_due(args.sanitize, seed),
                                     gpu=is_due(args.gpu, seed) and not made.auto)
        self.built += len(built)
        self.wrong += len(wrong)
        for name, what in wrong:
            self.report(seed, f"WRONG {name}: {what}")

    def report(self, seed, what):
        print(f"seed {seed}: {what}", flush=True)
        if self.args.keep:
            Path(self.args.keep).mkdir(parents=True, exist_ok=True)
            for one in ("plain.c", "recorded.c", "claims.h"):
                shutil.copy(self.tools.work / one, Path(self.args.keep) / f"{seed}_{one}")

    def one(self, seed):
        made = program.program(seed, self.args.nests, self.args.kinds, auto=is_due(self.args.auto, seed))
        self.nests += len(made.names)
        try:
            runs, loops = self.judge(made, seed)
            self.build(made, seed, runs, loops)
        except Failure as failure:
            self.failed += 1
            self.report(seed, f"FAILED {failure}")


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as work:
        soak = Soak(Tools(args.bin, work), args)
        begun = time.process_time()
        for seed in range(args.first, args.first + args.seeds):
            soak.one(seed)
    print_table(soak.tally)
    if args.missed:
        print_missed(soak.tally)
    print(f"{soak.nests} nests judged, {len(soak.tally.unsound)} unsound; {soak.built} built and run, {soak.wrong} wrong; "
          f"{soak.failed} programs failed; {time.process_time() - begun:.0f} s of this script's own")
    return 1 if soak.tally.unsound or soak.wrong or soak.failed else 0


if __name__ == "__main__":
    sys.exit(main())
