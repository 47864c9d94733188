#!/usr/bin/env python3
"""Loops of programs that others wrote, changed at random and built with `orrery-cc -auto`, against gcc's results.

usage: mutants.py BIN FIRST_SEED COUNT [--flags FLAGS] [--args ARGS] [--keep DIR] PROGRAM.c ...
  Each program is one file that ends by itself; FLAGS are for the compiler, ARGS for the program. What is no C any more
  (sanitizers, levels of optimization that disagree, memory that nobody set) is left out. On 1, 2 and 3 threads, ORRERY_AUTO_US=0.
"""

import argparse
import random
import re
import shlex
import sys
import tempfile
from collections import Counter
from pathlib import Path

from smith import changes
from smith.tools import INCLUDE, Failure, Tools, run

SECONDS = 10


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--flags", default="")
    parser.add_argument("--args", default="")
    parser.add_argument("--keep", metavar="DIR")
    return parser.parse_args()


class Mutants:
    """What was found so far. left: what became of those that were not judged."""

    def __init__(self, args, tools):
        self.args, self.tools = args, tools
        self.left, self.done = Counter(), Counter()
        self.judged = self.loops = self.executed = self.wrong = 0

    def flags(self, path):
        return ["-w", "-ffp-contract=off", "-I", Path(path).parent, "-I", INCLUDE, *shlex.split(self.args.flags), "-lm"]

    def outcome(self, binary, env=None):
        done = run([binary, *shlex.split(self.args.args)], check=False, timeout=SECONDS, env=env)
        return done.returncode, done.stdout, done.stderr

    def built(self, compiler, source, path, name):
        binary = self.tools.work / name
        run([*compiler, source, *self.flags(path), "-o", binary])
        return binary

    def meaning(self, source, path):
        """What the program prints; None where it is not C, or nobody knows."""
        checked = self.built(["cc", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"], source, path, "checked")
        if self.outcome(checked, {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1"})[0] != 0:
            return None
        found = [self.outcome(self.built(["cc", level], source, path, "plain"), {"MALLOC_PERTURB_": str(byte)})
                 for level, byte in (("-O0", 85), ("-O1", 85), ("-O2", 170))]
        found.append(self.outcome(self.built(["clang-19", "-O0"], source, path, "plain")))
        same = all(one[:2] == found[0][:2] for one in found)
        return found[0][:2] if same and found[0][0] == 0 else None

    def one(self, seed):
        chance = random.Random(seed)
        path = chance.choice(self.args.programs)
        text, done = changes.changed(chance, Path(path).read_text(encoding="utf-8"))
        if not text:
            self.left["nothing to change"] += 1
            return
        source = self.tools.work / "mutant.c"
        source.write_text(text)
        try:
            expected = self.meaning(source, path)
        except Failure:
            self.left["does not build or end"] += 1
            return
        if expected is None:
            self.left["has no meaning in C"] += 1
            return
        self.judged += 1
        self.done.update(done)
        self.judge(seed, source, path, expected, chance)

    def judge(self, seed, source, path, expected, chance):
        built = run([self.tools.orrery_cc, "-auto", "-Rorrery", "-allow-fallback", chance.choice(["-O0", "-O1", "-O2"]), source, *self.flags(path),
                     "-o", self.tools.work / "tested"], check=False, timeout=300)
        if built.returncode != 0:
            self.report(seed, path, f"does not build: {built.stderr[-400:]}")
            return
        self.loops += len(re.findall(r"remark: parallel", built.stderr))
        for threads in (1, 2, 3):
            try:
                status, output, errors = self.outcome(self.tools.work / "tested", {"ORRERY_AUTO_US": "0", "ORRERY_THREADS": str(threads), "ORRERY_STATS": "1"})
            except Failure as late:
                status, output, errors = "late", "", str(late)
            if threads == 2:
                self.executed += len(set(re.findall(r"(\S+:\d+) [\w-]+ grid \S+ passes [1-9]", errors)))
            if (status, output) != expected:
                self.report(seed, path, f"{threads} threads: status {status}, other output than gcc's; {errors[-200:]}")
                return

    def report(self, seed, path, what):
        self.wrong += 1
        print(f"seed {seed}: WRONG {path}: {what}", flush=True)
        if self.args.keep:
            Path(self.args.keep).mkdir(parents=True, exist_ok=True)
            (Path(self.args.keep) / f"{seed}.c").write_text((self.tools.work / "mutant.c").read_text())


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as work:
        mutants = Mutants(args, Tools(args.bin, work))
        for seed in range(args.first, args.first + args.count):
            mutants.one(seed)
    print(", ".join(f"{name} {count}" for name, count in mutants.done.most_common()))
    print(f"{mutants.judged} mutants judged ({', '.join(f'{name}: {count}' for name, count in mutants.left.items())}), {mutants.loops} loops planned, "
          f"{mutants.executed} ran in parallel, {mutants.wrong} wrong")
    return 1 if mutants.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
