#!/usr/bin/env python3
"""Programs of generators that nobody here wrote, built with `orrery-cc -auto`, against gcc's output.

usage: generators.py BIN FIRST_SEED COUNT [--yarpgen PROGRAM] [--accesses] [--keep DIR]
  Csmith (Debian: csmith), or YARPGen 2 where its binary is given. Programs that gcc does not build, or that do not end in a few
  seconds, are left out. Every program runs on 1, 2 and 3 threads with ORRERY_AUTO_US=0; --accesses: `orrery verify --accesses`, too.
"""

import argparse
import re
import shutil
import sys
import tempfile

from smith.tools import Failure, Tools, run
from smith.whole import Judge, Program

CSMITH_HEADERS = ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/include"]

# What Csmith is asked for, in turn: loops over arrays, and little in their way.
CSMITH = [["--no-volatiles", "--no-jumps", "--max-funcs", "3", "--max-array-len-per-dim", "40", "--max-pointer-depth", "1", "--no-bitfields", "--no-unions"],
          ["--no-volatiles", "--no-jumps", "--max-funcs", "2", "--max-array-dim", "2", "--max-array-len-per-dim", "60", "--no-pointers", "--max-expr-complexity", "4"],
          ["--no-volatiles", "--max-funcs", "6", "--max-array-len-per-dim", "20"],
          ["--no-volatiles", "--no-jumps", "--float", "--max-funcs", "3", "--max-array-len-per-dim", "40", "--no-structs", "--no-unions", "--no-embedded-assigns"],
          ["--max-funcs", "4", "--max-array-len-per-dim", "30"]]

# What YARPGen is asked for, in turn.
YARPGEN = [["--inp-as-args=all"],
           ["--inp-as-args=none", "--emit-align-attr=none"],
           ["--expl-loop-param=true", "--emit-pragmas=none"],
           ["--allow-dead-data=true", "--mutate=none", "--emit-pragmas=all"],
           ["--allow-ub-in-dc=all", "--inp-as-args=some"]]

SECONDS = 5


class Csmith:
    """One file per seed."""

    name = "csmith"

    def __init__(self):
        self.binary = shutil.which("csmith")

    def make(self, seed, folder):
        source = folder / "csmith.c"
        run(["env", "-C", folder, self.binary, "--seed", seed, *CSMITH[seed % len(CSMITH)], "--output", source])
        return [source], [word for header in CSMITH_HEADERS for word in ("-isystem", header)][:-2]


class Yarpgen:
    """
    Two files and a header per seed. It has no options for depths: how large its programs are is compiled into it
    (src/gen_policy.cpp), and its own choice makes arrays of six dimensions, which gcc does not link.
    """

    name = "yarpgen"

    def __init__(self, binary):
        self.binary = shutil.which(binary)

    def make(self, seed, folder):
        run([self.binary, f"--seed={seed}", "--std=c", f"--out-dir={folder}", *YARPGEN[seed % len(YARPGEN)]], timeout=20)
        return [folder / "driver.c", folder / "func.c"], ["-I", folder]


class Runs:
    """What was found so far. with_loops: of the judged programs those whose generated part has a loop."""

    def __init__(self, tools, maker, args):
        self.tools, self.maker = tools, maker
        self.judge = Judge(tools, SECONDS, args.accesses, args.keep)
        self.with_loops = 0

    def one(self, seed):
        folder = self.tools.work / str(seed)
        folder.mkdir()
        try:
            sources, flags = self.maker.make(seed, folder)
            program = Program(self.tools, sources, flags)
            expected = program.outcome(program.build(["cc", "-O1"], "plain")[0], SECONDS)[:2]
        except Failure:
            self.judge.left["not built, or without end"] += 1
            return
        self.with_loops += bool(re.search(r"\bfor \(", sources[-1].read_text()))
        self.judge.judge(f"{self.maker.name} seed {seed}", program, expected)
        shutil.rmtree(folder)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--yarpgen", metavar="PROGRAM")
    parser.add_argument("--accesses", action="store_true")
    parser.add_argument("--keep", metavar="DIR")
    return parser.parse_args()


def main():
    args = arguments()
    maker = Yarpgen(args.yarpgen) if args.yarpgen else Csmith()
    if not maker.binary:
        print(f"{args.yarpgen or maker.name} is not installed: nothing was run")
        return 77
    with tempfile.TemporaryDirectory() as work:
        runs = Runs(Tools(args.bin, work), maker, args)
        for seed in range(args.first, args.first + args.count):
            runs.one(seed)
    runs.judge.summary(f"programs of {maker.name}")
    print(f"{runs.with_loops} of them with loops of the generator's own")
    return 1 if runs.judge.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
