#!/usr/bin/env python3
"""Loops of programs that others wrote, changed at random, built with `orrery-cc -auto`, against gcc's results and accesses.

usage: mutants.py BIN FIRST_SEED COUNT PROGRAM.c ... [--with FILE.c ...] [--flags=FLAGS] [--run=COMMAND] [--accesses] [--keep DIR]
  One loop of one PROGRAM.c is changed; with the files behind --with (less itself) it makes a program that ends by itself. FLAGS are
  for the compiler; COMMAND is what the shell runs, in an empty folder, "$PROGRAM" being the program. What is no C any more
  (sanitizers, levels of optimization that disagree, memory that nobody set) is left out. The others run on 1, 2 and 3 threads
  with ORRERY_AUTO_US=0; --accesses: `orrery verify --accesses` judges the verdicts, too.
"""

import argparse
import random
import shlex
import sys
import tempfile
from collections import Counter
from pathlib import Path

from smith import changes
from smith.tools import INCLUDE, Failure, Tools
from smith.whole import Judge, Program

SECONDS = 10

# By what a mutant has to mean the same: compilers, what malloc fills memory with, and the sanitizers first.
PLAIN = [(["cc", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"], 0), (["cc", "-O2", "-ftrivial-auto-var-init=pattern"], 170),
         (["clang-19", "-O0", "-ftrivial-auto-var-init=zero"], 85)]

# What a mutant has to survive, too, before it is called wrong: stack places that no other build has, other values in them.
OTHERS = [(["cc", "-O0"], 170), (["cc", "-O1", "-fstack-protector-all"], 85), (["cc", "-O3"], 255),
          (["cc", "-O0", "-fsanitize=thread"], 85), (["clang-19", "-O1"], 170)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--with", dest="others", nargs="+", default=[], metavar="FILE.c")
    parser.add_argument("--flags", default="")
    parser.add_argument("--run", default='"$PROGRAM"', metavar="COMMAND")
    parser.add_argument("--accesses", action="store_true")
    parser.add_argument("--keep", metavar="DIR")
    return parser.parse_args()


class Mutants:
    """What was found so far. done: changes by name; felt: mutants that print something else than their program."""

    def __init__(self, args, tools):
        self.args, self.tools = args, tools
        self.judge = Judge(tools, SECONDS, args.accesses, args.keep, ("-auto", "-DORRERY_SHORT_LOOPS", "-allow-fallback"))
        self.done, self.unchanged = Counter(), {}
        self.felt = 0

    def program(self, path, source):
        """The program of a file, with another text in its place."""
        others = [other for other in self.args.others if Path(other).resolve() != Path(path).resolve()]
        flags = ["-ffp-contract=off", "-I", Path(path).parent, "-I", INCLUDE, *shlex.split(self.args.flags)]
        return Program(self.tools, [source], flags, others, self.args.run)

    def meaning(self, program, ways, expected=None):
        """Status and output of the program, however it is built; None where it is not C, or nobody knows."""
        for compiler, filled in ways:
            found = self.outcome(program, compiler, {"MALLOC_PERTURB_": str(filled), "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1"})
            if found[0] != 0 or found != (expected or found):
                return None
            expected = found
        return expected

    def is_doubtful(self, program, expected):
        try:
            return self.meaning(program, OTHERS, expected) is None
        except Failure:
            return True

    def outcome(self, program, compiler, env):
        return program.outcome(program.build(compiler, "plain")[0], SECONDS, env)[:2]

    def one(self, seed):
        chance = random.Random(seed)
        path = chance.choice(self.args.programs)
        text, done = changes.changed(chance, Path(path).read_text(encoding="utf-8", errors="surrogateescape"))
        if not text:
            self.judge.left["nothing to change"] += 1
            return
        program = self.program(path, self.written(path, text))
        try:
            expected = self.meaning(program, PLAIN)
        except Failure:
            self.judge.left["does not build or end"] += 1
            return
        if expected is None:
            self.judge.left["has no meaning in C"] += 1
            return
        if self.judge.judge(f"seed {seed} {Path(path).name}", program, expected, lambda: self.is_doubtful(program, expected)):
            self.done.update(done)
            self.felt += expected != self.original(path)

    def written(self, path, text):
        """The mutant, under the name of its file."""
        folder = self.tools.work / "mutant"
        folder.mkdir(exist_ok=True)
        (folder / Path(path).name).write_text(text, encoding="utf-8", errors="surrogateescape")
        return folder / Path(path).name

    def original(self, path):
        """What the program prints before it is changed: for all files of one program the same."""
        key = "" if self.args.others else path
        if key not in self.unchanged:
            self.unchanged[key] = self.outcome(self.program(path, path), ["cc", "-O0"], {"MALLOC_PERTURB_": "85"})
        return self.unchanged[key]


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as work:
        mutants = Mutants(args, Tools(args.bin, work))
        for seed in range(args.first, args.first + args.count):
            mutants.one(seed)
    print(", ".join(f"{name} {count}" for name, count in mutants.done.most_common()))
    mutants.judge.summary("mutants")
    print(f"{mutants.felt} of them print something else than what they were made of")
    return 1 if mutants.judge.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
