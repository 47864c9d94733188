#!/usr/bin/env python3
"""Random nests of which all inputs that the serial loop does not read are poison: what is built in parallel must not notice.

usage: poison.py BIN FIRST_SEED PROGRAMS NESTS [--class NAME]... [--strict EVERY] [--auto EVERY] [--ranks EVERY] [--gpu EVERY] [--only NEST [--reduce]] [--keep DIR]
  Every nest runs as a traced copy first; NULL and wild pointers, zero divisors, subscripts far outside, chains without end then
  stand wherever it read nothing, and the tested copy has to do what gcc's does. Of every so many programs: --strict: a check of the
  run that fails ends the program, so that one which no iteration needs is noticed; --auto: no loop is marked;
  --ranks: on two ranks; --gpu: on the GPU that the host plays. Prints what is wrong, how to repeat it, and how many nests that ran
  in parallel had poison in the operands of each class.
"""

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import reduce
from smith import poison_program, poison_run
from smith.tools import Failure, Tools


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("first", type=int)
    parser.add_argument("programs", type=int)
    parser.add_argument("nests", type=int)
    parser.add_argument("--class", dest="kinds", action="append", choices=list(poison_program.KINDS))
    for often, default in (("--strict", 3), ("--auto", 2), ("--ranks", 0), ("--gpu", 0)):
        parser.add_argument(often, type=int, default=default, metavar="EVERY")
    parser.add_argument("--only", metavar="NEST")
    parser.add_argument("--reduce", action="store_true")
    parser.add_argument("--keep", metavar="DIR")
    return parser.parse_args()


def is_due(every, seed):
    return every > 0 and seed % every == every - 1


def way_of(args, seed):
    """How the program of a seed is built; whether its loops are marked."""
    if is_due(args.gpu, seed):
        return poison_run.GPU, True
    if is_due(args.strict, seed) and args.kinds != [poison_program.UNDECIDED]:
        return poison_run.STRICT, True
    auto = is_due(args.auto, seed)
    if is_due(args.ranks, seed):
        return (poison_run.RANKS if auto else poison_run.MARKED_RANKS), not auto
    return (poison_run.AUTO if auto else poison_run.MARKED), not auto


class Poison:
    """What was found so far. hits: nests by class; ways: nests that ran in parallel with poison, by way."""

    def __init__(self, args, tools):
        self.args, self.tools = args, tools
        self.hits, self.ways = Counter(), Counter()
        self.nests = self.planned = self.executed = self.wrong = self.broken = self.failed = 0

    def one(self, seed):
        way, marked = way_of(self.args, seed)
        made = poison_program.Made(seed, self.args.nests, self.args.kinds, marked, way is poison_run.STRICT)
        try:
            found = poison_run.check(self.tools, made, way, [self.args.only] if self.args.only else None)
        except Failure as failure:
            self.failed += 1
            print(f"seed {seed}: FAILED {failure}", flush=True)
            return
        self.count(made, way, found)
        for name, what in found.broken:
            print(f"seed {seed}: BROKEN NEST {name}: {what}", flush=True)
        for name in dict.fromkeys(name for name, _ in found.wrong):
            self.report(seed, made, name, [what for one, what in found.wrong if one == name])

    def count(self, made, way, found):
        self.nests += len(made.nests)
        self.planned += len(found.planned)
        self.executed += len(found.executed)
        self.wrong += len({name for name, _ in found.wrong})
        self.broken += len(found.broken)
        for name in found.executed:
            if found.poisoned.get(name):
                self.ways[way.name] += 1
            self.hits["no iterations"] += name in found.empty
            for kind, operands in made.nests[name].hits.items():
                self.hits[kind] += any(one.startswith(operand) for operand in operands for one in found.poisoned.get(name, ()))

    def report(self, seed, made, name, what):
        kinds = ", ".join(sorted(made.nests[name].hits))
        print(f"seed {seed}: WRONG {name} ({kinds}): {what[0]}" + (f" (and {len(what) - 1} more)" if len(what) > 1 else ""), flush=True)
        if self.args.keep:
            folder = Path(self.args.keep)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{seed}_{name}.c").write_text(f"/* {what[0]} */\n" + made.source([name]))

    def print_table(self):
        print("poison in the operands of nests that ran in parallel:")
        for kind, count in sorted(self.hits.items(), key=lambda one: -one[1]):
            print(f"  {kind:24} {count:6}")
        print("  " + ", ".join(f"{way}: {count}" for way, count in self.ways.items()))


def reduced(args, tools):
    """The text of a nest, with as little left as is wrong in the same way."""
    way, marked = way_of(args, args.first)
    made = poison_program.Made(args.first, args.nests, args.kinds, marked, way is poison_run.STRICT)

    def state(lines):
        made.texts[args.only] = lines
        try:
            found = poison_run.check(tools, made, way, [args.only])
        except Failure:
            return "fails"
        return "broken" if found.broken else re.sub(r"run \d+|[^:]*nests.c.*", "", found.wrong[0][1]) if found.wrong else "right"

    first = state(made.texts[args.only])
    lines = reduce.reduce(made.texts[args.only], lambda less: state(less) == first)
    return "\n".join([f"/* {first} */", *lines])


def main():
    args = arguments()
    begun = time.time()
    with tempfile.TemporaryDirectory() as work:
        if args.reduce:
            print(reduced(args, Tools(args.bin, work)))
            return 0
    with tempfile.TemporaryDirectory() as work:
        poison = Poison(args, Tools(args.bin, work))
        for seed in range(args.first, args.first + args.programs):
            poison.one(seed)
        poison.print_table()
    print(f"{poison.nests} nests, {poison.planned} planned, {poison.executed} ran in parallel, {poison.wrong} wrong; {poison.broken} broken, "
          f"{poison.failed} programs failed; {time.time() - begun:.0f} s")
    return 1 if poison.wrong or poison.broken or poison.failed else 0


if __name__ == "__main__":
    sys.exit(main())
