#!/usr/bin/env python3
"""Files that Orrery reads, changed at random: checkpoints, plans, profiles, traces, cluster files, data, numbers of ranks.

    mutations.py BIN [--count N] [--seed S] [KIND ...]

Each changed file is read by what reads it, in a process of its own. That must not end by a signal, nor take
longer than a minute; and where the program runs on (a checkpoint, a plan) it prints what it always prints.
The first line of a failure says how to see it again; the file is kept.
"""
import argparse
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
SECONDS = 60

KEYS = """#include <stdio.h>
enum { N = 60, M = 20000 };
static long rows[N], columns[N];
static double grid[N][N];
static int at[M], to[M];
int main(void) {
    for (int i = 0; i < M; ++i) {
        at[i] = i * 7919 % N;
        to[i] = i / 3 * 104729 % N;
    }
    for (int pass = 0; pass < 3; ++pass) {
#pragma orrery parallel unordered
        for (int i = 0; i < M; ++i) {
            rows[at[i]] += to[i] + i;
            columns[to[i]] += at[i] * i;
        }
#pragma orrery parallel
        for (int i = 1; i < N; ++i)
            for (int j = 1; j < N; ++j)
                grid[i][j] = grid[i - 1][j] * .3 + grid[i][j - 1] * .5 + i;
    }
    long sum = 0;
    for (int i = 0; i < N; ++i)
        sum = sum * 31 + rows[i] - columns[i];
    printf("result %ld %.17g\\n", sum, grid[N - 1][N - 1]);
    return 0;
}
"""

ARRAY = """#include <orrery.h>
#include <stdio.h>
#include <string.h>
static double sums[600];
int main(int argc, char **argv) {
    struct orrery_npy got;
#pragma orrery parallel
    for (int i = 0; i < 600; ++i)
        sums[i] = i * .5;
    struct orrery_model_array model = {"group/sums", {sums, ORRERY_NPY_DOUBLE, 2, {20, 30}, 600}};
    int failed = strcmp(argv[1], "save") == 0 ? orrery_save(argv[2], 1, &model)
                                              : orrery_load_hdf5(argv[2], "group/sums", &got);
    if (failed)
        fprintf(stderr, "%s\\n", orrery_load_error());
    return failed ? 1 : argc != 3;
}
"""

GROWS = """#include <stdio.h>
#include <unistd.h>
static double w[500];
static int at[6000];
int main(void) {
    for (int i = 0; i < 6000; ++i)
        at[i] = (int)(i * 7919L % 500);
    for (int pass = 0; pass < 10000000 && access("stop", F_OK) != 0; ++pass) {
        double sum = 0;
#pragma orrery parallel unordered
        for (int i = 0; i < 6000; ++i) {
            w[at[i]] = w[at[i]] * .5 + .001 * i;
            sum += w[at[i]];
        }
        usleep(1000);
        if (pass % 10 == 0) {
            printf("%.17g\\n", pass < 200 ? 0 : sum);
            fflush(stdout);
        }
    }
    return 0;
}
"""

# ---- changes ---------------------------------------------------------------------------------------------------

EXTREMES = [b"0", b"-1", b"1e308", b"-0.0", b"nan", b"99999999999999999999", b"2147483648", b"1e-320", b"null", b"[]", b'""',
            b"true", b"{}", b"4294967296", b"-9223372036854775808"]


def change_bit(data, dice):
    at = dice.randrange(len(data))
    data[at] ^= 1 << dice.randrange(8)


def change_byte(data, dice):
    data[dice.randrange(len(data))] = dice.choice([0, 0xff, 0x80, dice.randrange(256)])


def span(data, dice, most):
    at = dice.randrange(len(data))
    return at, min(len(data), at + dice.randint(1, most))


def leave_out(data, dice):
    low, high = span(data, dice, 200)
    del data[low:high]


def repeat(data, dice):
    low, high = span(data, dice, 200)
    data[low:low] = data[low:high] * dice.choice([1, 1, 1, 50])


def cut(data, dice):
    del data[dice.randrange(len(data)):]


def zero(data, dice):
    low, high = span(data, dice, 600)
    data[low:high] = bytes(high - low)


def another_number(data, dice):
    found = list(re.finditer(rb"-?[0-9][0-9.eE+]*", bytes(data[:200000])))
    if found:
        one = dice.choice(found)
        data[one.start():one.end()] = dice.choice(EXTREMES)


def another_word(data, dice):
    found = list(re.finditer(rb'"[^"\n]*"', bytes(data[:200000])))
    if found:
        one, two = dice.choice(found), dice.choice(found)
        data[one.start():one.end()] = two.group()


def another_line(data, dice):
    lines = bytes(data).split(b"\n")
    one, two = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    data[:] = b"\n".join(lines)


CHANGES = [change_bit, change_byte, leave_out, repeat, cut, zero, another_number, another_word, another_line]


def changed(original, dice):
    data = bytearray(original)
    for _ in range(dice.choice([1, 1, 1, 2, 4])):
        if data:
            dice.choice(CHANGES)(data, dice)
    return bytes(data)


# ---- what reads them -------------------------------------------------------------------------------------------


class Bench:
    """The commands, a folder, and what has failed."""

    def __init__(self, binaries, folder):
        self.bin, self.folder = binaries, folder
        self.failures = self.accepted = self.refused = 0
        self.environment = dict(os.environ, ORRERY_THREADS="2", OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "w" if isinstance(data, str) else "wb") as out:
            out.write(data)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def run(self, *words):
        """Status (128 + signal; None: it took too long), what it printed, its errors."""
        tool = os.path.join(self.bin, words[0])
        words = [tool if os.path.exists(tool) else words[0], *words[1:]]
        try:
            done = subprocess.run(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return None, b"", b""
        status = done.returncode if done.returncode >= 0 else 128 - done.returncode
        return status, done.stdout, done.stderr

    def good(self, *words):
        status, out, errors = self.run(*words)
        if status != 0:
            sys.exit(f"{' '.join(words)}: status {status}\n{errors.decode(errors='replace')}")
        return out

    def judge(self, result, expected=None):
        """What is wrong about it, None: nothing."""
        status, out, errors = result
        if status is None:
            return "it hangs"
        if 129 <= status < 128 + 65:
            return f"signal {status - 128}: {errors[-300:].decode(errors='replace')}"
        if status == 0 and expected is not None and out != expected:
            return f"other results: {out!r}, not {expected!r}"
        self.accepted += status == 0
        self.refused += status != 0
        return None


class Kind:
    """`files`: originals, by the name that a changed one gets."""

    def __init__(self, bench):
        self.bench, self.files = bench, {}
        self.prepare()

    def check(self, name):
        raise NotImplementedError

    def end(self):
        """What is wrong after all of them, None: nothing."""


class Plan(Kind):
    def prepare(self):
        self.bench.write("keys.c", KEYS)
        self.bench.good("orrery", "plan", "keys.c", "-o", "keys.plan")
        self.bench.good("orrery-cc", "-O1", "keys.c", "-o", "keys")
        self.expected = self.bench.good("./keys")
        self.files = {"keys.plan": self.bench.read("keys.plan")}

    def check(self, name):
        built = self.bench.run("orrery-cc", "-O1", "-plan", name, "keys.c", "-o", "planned")
        wrong = self.bench.judge(built)
        return wrong if wrong or built[0] else self.bench.judge(self.bench.run("./planned"), self.expected)


class Profile(Kind):
    variable, file = "ORRERY_PROFILE", "keys.profile"

    def prepare(self):
        self.bench.write("keys.c", KEYS)
        self.bench.good("orrery-cc", "-O1", "keys.c", "-o", "keys")
        self.bench.good("env", f"{self.variable}={self.file}", "./keys")
        self.files = {self.file: self.bench.read(self.file)}

    def check(self, name):
        return self.bench.judge(self.bench.run("orrery", "simulate", "--ranks", "1..8", name)) or self.bench.judge(
            self.bench.run("orrery", "plan", f"--profile={name}", "keys.c"))


class Trace(Profile):
    variable, file = "ORRERY_TRACE", "keys.trace"

    def check(self, name):
        return self.bench.judge(self.bench.run("orrery", "report", "keys.c", f"--trace={name}"))


class Cluster(Profile):
    def prepare(self):
        super().prepare()
        with open(os.path.join(TREE, "docs", "simulate.md"), encoding="utf-8") as text:
            example = re.search(r"```json\n(.*?)```", text.read(), re.S).group(1)
        self.files = {"cluster.json": example.encode()}

    def check(self, name):
        return self.bench.judge(
            self.bench.run("orrery", "simulate", "--ranks", "1..8", f"--cluster={name}", "keys.profile"))


class Checkpoint(Kind):
    program = ["./features", "20", "3", "name"]

    def prepare(self):
        shutil.copy(os.path.join(TREE, "tests/programs/checkpoint/features.c"), self.bench.folder)
        self.bench.good("orrery-cc", "-O1", "features.c", "-o", "features")
        self.expected = self.results(self.bench.good(*self.program))
        self.bench.good("orrery", "run", "--checkpoint", "saved", *self.program)
        self.saved = {os.path.basename(one): self.bench.read(one) for one in glob.glob(self.bench.path("saved/*.h5"))}
        self.files = {f"saved/{name}": data for name, data in self.saved.items()}

    def results(self, text):
        return b"\n".join(line for line in text.split(b"\n") if line.startswith((b"result", b"end")))

    def check(self, name):
        """Alone, or as the newest or the oldest of two."""
        damaged = self.bench.read(name)
        shutil.rmtree(self.bench.path("saved"))
        os.mkdir(self.bench.path("saved"))
        for one, data in self.saved.items():
            if len(damaged) % 2:
                self.bench.write(f"saved/{one}", data)
        self.bench.write(name, damaged)
        status, out, errors = self.bench.run("orrery", "run", "--checkpoint", "saved", *self.program)
        return self.bench.judge((status, self.results(out), errors), self.expected)


class Data(Kind):
    """The corpus of the loaders, each file with the byte that chooses the loader."""

    def prepare(self):
        for path in glob.glob(os.path.join(HERE, "corpus/load/*")):
            with open(path, "rb") as file:
                self.files[os.path.join("data", os.path.basename(path))] = file.read()
        os.makedirs(self.bench.path("data"), exist_ok=True)

    def check(self, name):
        for other in os.listdir(self.bench.path("data")):
            if os.path.join("data", other) != name:
                os.remove(self.bench.path(os.path.join("data", other)))
        first = self.files[name][:1]
        changed_data = self.bench.read(name)
        self.bench.write(name, first + changed_data[1:])
        return self.bench.judge(self.bench.run("replay_load", "data"))


class Hdf5(Kind):
    def prepare(self):
        self.bench.write("array.c", ARRAY)
        self.bench.good("orrery-cc", "-O1", "array.c", "-o", "array")
        self.bench.good("./array", "save", "array.h5")
        self.bench.good("./array", "load", "array.h5")
        self.files = {"array.h5": self.bench.read("array.h5")}

    def check(self, name):
        return self.bench.judge(self.bench.run("./array", "load", name))


class Resize(Kind):
    """One job reads them all: it goes on, and what it prints stays one number."""

    def prepare(self):
        self.bench.write("grows.c", GROWS)
        self.bench.good("orrery-cc", "-O1", "grows.c", "-o", "grows")
        self.files = {"ranks": b"2\n"}
        self.bench.write("ranks", "2\n")
        words = [os.path.join(self.bench.bin, "orrery"), "run", "-n", "2", "--most", "3", "--resize", "ranks", "--oversubscribe",
                 "--threads", "1", "./grows"]
        self.errors = open(self.bench.path("err"), "wb")
        self.out = open(self.bench.path("out"), "wb")
        self.job = subprocess.Popen(words, cwd=self.bench.folder, env=self.bench.environment, stdin=subprocess.DEVNULL,
                                    stdout=self.out, stderr=self.errors)

    def check(self, name):
        """The launcher looks ten times a second."""
        before = len(self.bench.read("err"))
        time.sleep(.15)
        said = len(self.bench.read("err")) > before
        self.bench.refused += not said
        self.bench.accepted += said
        return f"the job has ended: {self.bench.read('err')[-300:]!r}" if self.job.poll() is not None else None

    def sums(self):
        """It prints nothing but 0 while its rows still change."""
        return set(self.bench.read("out").split()) - {b"0"}

    def end(self):
        until = time.monotonic() + SECONDS
        while not self.sums() and self.job.poll() is None and time.monotonic() < until:
            time.sleep(.05)
        self.bench.write("stop", "")
        try:
            status = self.job.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.job.terminate()
            return "the job does not end"
        sums = self.sums()
        if status != 0 or len(sums) != 1:
            return f"status {status}, sums {sorted(sums)[:3]}: {self.bench.read('err')[-300:]!r}"
        return None


KINDS = {"resize": Resize, "checkpoint": Checkpoint, "plan": Plan, "profile": Profile, "trace": Trace, "cluster": Cluster, "data": Data,
         "hdf5": Hdf5}


def keep(bench, kind, seed, number, name):
    path = os.path.join(tempfile.gettempdir(), f"mutation-{kind}-{seed}-{number}")
    shutil.copy(bench.path(name), path)
    return path


def mutate(bench, kind, count, seed, first):
    reader = KINDS[kind](bench)
    names = sorted(reader.files)
    for number in range(first, first + count):
        dice = random.Random(f"{kind} {seed} {number}")
        name = names[dice.randrange(len(names))]
        bench.write(name, changed(reader.files[name], dice))
        wrong = reader.check(name)
        if wrong:
            bench.failures += 1
            print(f"mutations.py --seed {seed} --first {number} --count 1 {kind}: {keep(bench, kind, seed, number, name)}"
                  f" ({os.path.basename(name)}): {wrong}", flush=True)
    wrong = reader.end()
    if wrong:
        bench.failures += 1
        print(f"mutations.py --seed {seed} --first {first} --count {count} {kind}: {wrong}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("kinds", nargs="*", help=", ".join(KINDS))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_intermixed_args()
    failures = 0
    for kind in options.kinds or list(KINDS):
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(os.path.abspath(options.bin), folder)
            mutate(bench, kind, options.count, options.seed, options.first)
            print(f"{kind}: {options.count} changed files, {bench.refused} times refused, {bench.accepted} times taken,"
                  f" {bench.failures} failures", flush=True)
            failures += bench.failures
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
