#!/usr/bin/env python3
"""Programs of generators that nobody here wrote, built with `orrery-cc -auto`, against gcc's output.

usage: generators.py BIN FIRST_SEED COUNT [--yarpgen PROGRAM] [--keep DIR]
  Csmith (Debian: csmith), or YARPGen where its binary is given. Programs that gcc's build does not end in a few seconds
  are left out. Every program runs on 1, 2 and 3 threads with ORRERY_AUTO_US=0.
"""

import argparse
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

from smith.tools import Failure, Tools, run

CSMITH_HEADERS = ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/include"]

# What Csmith is asked for, in turn: loops over arrays, and little in their way.
CSMITH = [["--no-volatiles", "--no-jumps", "--max-funcs", "3", "--max-array-len-per-dim", "40", "--max-pointer-depth", "1", "--no-bitfields", "--no-unions"],
          ["--no-volatiles", "--no-jumps", "--max-funcs", "2", "--max-array-dim", "2", "--max-array-len-per-dim", "60", "--no-pointers", "--max-expr-complexity", "4"],
          ["--no-volatiles", "--max-funcs", "6", "--max-array-len-per-dim", "20"],
          ["--no-volatiles", "--no-jumps", "--float", "--max-funcs", "3", "--max-array-len-per-dim", "40", "--no-structs", "--no-unions", "--no-embedded-assigns"],
          ["--max-funcs", "4", "--max-array-len-per-dim", "30"]]

SECONDS = 5


class Csmith:
    """One file per seed."""

    name = "csmith"

    def __init__(self):
        self.binary = shutil.which("csmith")

    def make(self, seed, folder):
        source = folder / "csmith.c"
        run([self.binary, "--seed", seed, *CSMITH[seed % len(CSMITH)], "--output", source])
        return [source], [word for header in CSMITH_HEADERS for word in ("-isystem", header)][:-2]


class Yarpgen:
    """Two files and a header per seed; without one that says so, there are more arrays and loops of depth 3 at most."""

    name = "yarpgen"

    def __init__(self, binary):
        self.binary = shutil.which(binary)

    def make(self, seed, folder):
        run([self.binary, f"--seed={seed}", "--std=c", f"--out-dir={folder}", "--loop-depth-limit=3", "--mutate=none"])
        return [folder / "driver.c", folder / "func.c"], ["-I", folder]


class Runs:
    """What was found so far."""

    def __init__(self, tools, maker, keep):
        self.tools, self.maker, self.keep = tools, maker, keep
        self.programs = self.skipped = self.loops = self.executed = self.wrong = 0

    def one(self, seed):
        folder = self.tools.work / str(seed)
        folder.mkdir()
        try:
            sources, flags = self.maker.make(seed, folder)
            expected = self.plain(sources, flags, folder)
        except Failure:
            self.skipped += 1
            return
        try:
            self.judge(seed, sources, flags, folder, expected)
        except Failure as failure:
            self.report(seed, folder, str(failure)[:400])
        shutil.rmtree(folder)

    def plain(self, sources, flags, folder):
        """What gcc's program prints."""
        run(["cc", "-O1", "-w", *flags, *sources, "-o", folder / "plain"])
        return run([folder / "plain"], timeout=SECONDS).stdout

    def judge(self, seed, sources, flags, folder, expected):
        host = random.Random(seed).choice(["-O0", "-O1", "-O2"])
        built = run([self.tools.orrery_cc, "-auto", "-Rorrery", host, "-w", *flags, *sources, "-o", folder / "tested"], timeout=300)
        loops = len(re.findall(r"remark: parallel", built.stderr))
        self.programs += 1
        self.loops += loops
        for threads in (1, 2, 3) if loops else (2,):
            done = run([folder / "tested"], timeout=12 * SECONDS, check=False,
                       env={"ORRERY_AUTO_US": "0", "ORRERY_THREADS": str(threads), "ORRERY_STATS": "1"})
            if threads == 2:
                self.executed += len(set(re.findall(r"(\S+:\d+) [\w-]+ grid \S+ passes [1-9]", done.stderr)))
            if done.returncode != 0 or done.stdout != expected:
                self.report(seed, folder, f"{host}, {threads} threads: status {done.returncode}, {done.stdout[-60:]!r} instead of {expected[-60:]!r} {done.stderr[-200:]}")
                return

    def report(self, seed, folder, what):
        self.wrong += 1
        print(f"seed {seed}: WRONG {what}", flush=True)
        if self.keep:
            shutil.copytree(folder, Path(self.keep) / f"{self.maker.name}_{seed}", dirs_exist_ok=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--yarpgen", metavar="PROGRAM")
    parser.add_argument("--keep", metavar="DIR")
    return parser.parse_args()


def main():
    args = arguments()
    maker = Yarpgen(args.yarpgen) if args.yarpgen else Csmith()
    if not maker.binary:
        print(f"{args.yarpgen or maker.name} is not installed: nothing was run")
        return 0
    with tempfile.TemporaryDirectory() as work:
        runs = Runs(Tools(args.bin, work), maker, args.keep)
        for seed in range(args.first, args.first + args.count):
            runs.one(seed)
    print(f"{runs.programs} programs of {maker.name}, {runs.skipped} left out, {runs.loops} loops planned, {runs.executed} ran in parallel, {runs.wrong} programs wrong")
    return 1 if runs.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
