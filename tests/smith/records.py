#!/usr/bin/env python3
"""Random loops over records behind pointers, on memory that the data may lay over itself: the bits of gcc's program.

usage: records.py BIN FIRST_SEED PROGRAMS [--ranks EVERY] [--keep DIR]
  A program has a few marked loops over pointers to structures with rows inside, rows of records, tables of rows and
  arrays of counts. Argument 1 of a program: which rows are laid over others before the loops run. orrery-cc
  builds it with -allow-fallback, so a check that fails lets the loop run serially; whatever it does, the memory is that
  of the serial program, on one to three threads, and for every so many programs on two ranks.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 60, M = 24, K = 4, L = 4 };
typedef unsigned long word;
struct example { int n; int *idx; word *val; word label; };
struct entry { int item; word rating; };
struct row { int count; struct entry *entries; };
struct group { int first; word *sum; long count; struct { word total; int *seen; } side; };
static void *take(size_t bytes) { return calloc(1, bytes + 64); }
"""

MAIN = """
static struct example **E;
static struct row *R;
static word **T, *w;
static int **C, *z, *u;
static struct group *G;

static word all(void) {
    word s = 0;
    for (int i = 0; i < N; i++) {
        s = s * 31 + E[i]->label + (word)z[i];
        for (int k = 0; k < L; k++) s = (s * 31 + E[i]->val[k]) * 31 + (word)E[i]->idx[k];
        for (int k = 0; k < L; k++) s = (s * 31 + R[i].entries[k].rating) * 31 + (word)R[i].entries[k].item;
    }
    for (int m = 0; m < M; m++) {
        s = ((s * 31 + w[m]) * 31 + (word)G[m].count) * 31 + G[m].side.total + (word)G[m].first;
        for (int k = 0; k < K; k++) s = (s * 31 + G[m].sum[k]) * 31 + (word)G[m].side.seen[k];
        for (int k = 0; k < K; k++) s = (s * 31 + T[m][k]) * 31 + (word)C[m][k];
    }
    return s;
}

static void lay(int how) {
    int a = 3, b = 11;
    switch (how) {
    case 1: E[a] = E[b]; break;
    case 2: E[a]->val = w + 2; break;
    case 3: E[a]->idx = E[b]->idx; break;
    case 4: E[a]->val = E[b]->val + 1; break;
    case 5: R[a].entries = R[b].entries; break;
    case 6: T[a] = T[b]; break;
    case 7: C[a] = C[b]; break;
    case 8: E[a]->idx = u + 5; break;
    case 9: T[a] = w + 7; break;
    case 10: T[a] = E[b]->val; break;
    case 11: u = z; break;
    case 12: G[a].sum = G[b].sum; break;
    case 13: G[a].sum = w + 3; break;
    case 14: G[a].sum = E[b]->val; break;
    case 15: G[a].side.seen = C[b]; break;
    case 16: G[a].sum = G[b].sum + 1; break;
    }
}

int main(int argc, char **argv) {
    int how = argc > 1 ? atoi(argv[1]) : 0;
    unsigned r = 7;
    E = take(N * sizeof *E), R = take(N * sizeof *R), T = take(M * sizeof *T), C = take(M * sizeof *C);
    w = take(M * sizeof *w), z = take(N * sizeof *z), u = take(N * sizeof *u), G = take(M * sizeof *G);
    for (int i = 0; i < N; i++) {
        E[i] = take(sizeof **E);
        *E[i] = (struct example){1 + i % L, take(L * sizeof(int) + i % 3 * 16), take(L * sizeof(word) + i % 5 / 4 * 8), (word)i};
        R[i] = (struct row){1 + i * 3 % L, take((L + i % 4 / 3) * sizeof(struct entry))};
        z[i] = i * 7 % K, u[i] = i * 5 % M;
        for (int k = 0; k < L; k++) {
            r = r * 1103515245u + 12345u;
            E[i]->idx[k] = (int)(r >> 16) % M, E[i]->val[k] = r;
            R[i].entries[k] = (struct entry){(int)(r >> 8) % M, r >> 3};
        }
    }
    for (int m = 0; m < M; m++) T[m] = take(K * sizeof **T), C[m] = take(K * sizeof **C);
    for (int m = 0; m < M; m++)
        G[m] = (struct group){m, take((K + m % 3) * sizeof(word)), m, {m * 5, take(K * sizeof(int))}};
    lay(how);
"""

FORMS = "struct example **E, struct row *R, word **T, word *w, int **C, int *z, int *u, struct group *G"


class Body:
    """The statements of one loop; `j`: the inner loop's variable and the number of its rounds, or nothing."""

    def __init__(self, rng):
        self.rng = rng
        self.example = rng.choice(["E[i]", "E[i]", "x"])
        self.inner = rng.choice([None, "E[i]->n", "R[i].count", "K"])
        self.grouped = rng.random() < 0.4

    def place(self):
        return self.rng.choice(["j", "j", "0"]) if self.inner else self.rng.choice(["0", "z[i]"])

    def column(self):
        return self.rng.choice([self.place(), "z[i]", "1"])

    def key(self):
        keys = ["u[i]", f"{self.example}->idx[{self.place()}]", f"R[i].entries[{self.place()}].item"]
        return self.rng.choice(keys if self.rng.random() < 0.9 else ["i % M", f"E[u[i]]->idx[{self.place()}]"])

    def element(self):
        return self.rng.choice([
            f"w[{self.key()}]", f"T[{self.key()}][{self.column()}]", f"{self.example}->val[{self.place()}]",
            f"R[i].entries[{self.place()}].rating", f"{self.example}->label", f"E[u[i]]->val[{self.place()}]",
        ])

    def value(self):
        return self.rng.choice(["i", "z[i]", self.element(), self.element(), f"{self.element()} + i"])

    def fold(self):
        """Into a structure that the body chooses, or what a pointer in it leads to."""
        return self.rng.choice([
            f"G[g].sum[{self.column()}] += (word)({self.value()});", f"G[g].sum[{self.column()}] += {self.rng.choice('37')};",
            "G[g].count += 1;", f"G[g].side.total += (word)({self.value()});", f"G[g].side.seen[{self.column()}] += i;",
            f"{self.element()} += G[(g + 1) % M].sum[{self.column()}];" if self.rng.random() < 0.2 else "G[g].count += i;",
        ])

    def choose(self):
        return self.rng.choice([
            "g = (int)(E[i]->label % M);", "for (int c = 0; c < E[i]->n; ++c) if (E[i]->val[c] > E[i]->val[0]) g = c + i % 7;",
            f"g = (int)((word)({self.value()}) % M);", "for (int c = 0; c < M; ++c) if ((c * 7 + i) % 5 == 0) g = c;",
        ])

    def statement(self):
        chance = self.rng.random()
        if self.grouped and self.rng.random() < 0.7:
            return self.fold()
        if chance < 0.74:
            place = self.element()
            return f"{place} = {place} * {self.rng.choice([3, 5])} + (word)({self.value()});"
        if chance < 0.86:
            return f"C[{self.key()}][{self.column()}] {self.rng.choice(['+= 1', '^= i'])};"
        if chance < 0.92:
            return f"z[i] = (int)((word)({self.value()}) % K);"
        return self.rng.choice([
            f"E[i]->idx[{self.place()}] = (int)((word)({self.value()}) % M);", "E[i]->idx = E[u[i]]->idx;",
            f"R[i].entries[{self.place()}].item = (int)((word)({self.value()}) % M);", "T[u[i]] = T[(u[i] + 1) % M];",
        ])

    def text(self):
        lines = ["        struct example *x = E[i];", "        (void)x;"]
        if self.grouped:
            inner, self.inner = self.inner, None
            lines += ["        int g = 0;", f"        {self.choose()}"]
            self.inner = inner
        lines += [f"        {self.outside()}" for _ in range(self.rng.choice([0, 0, 1]))]
        if self.inner:
            lines.append(f"        for (int j = 0; j < {self.inner}; ++j) {{")
        lines += [f"            {self.statement()}" for _ in range(self.rng.choice([1, 1, 2, 3]))]
        return "\n".join([*lines, "        }"] if self.inner else lines)

    def outside(self):
        inner, self.inner = self.inner, None
        line = self.statement()
        self.inner = inner
        return line


def make(seed, loops=4):
    rng, text, calls = random.Random(seed), HEAD, ""
    for n in range(loops):
        text += (f"__attribute__((noinline)) static void loop{n}({FORMS}) {{\n#pragma orrery parallel\n"
                 f"    for (int i = 0; i < N; ++i) {{\n{Body(rng).text()}\n    }}\n}}\n")
        calls += f'    loop{n}(E, R, T, w, C, z, u, G);\n    printf("{n} %lx\\n", all());\n'
    return text + MAIN + calls * 2 + "    return 0;\n}\n"


def run(command, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False,
                          env={"PATH": "/usr/bin:/bin", "ORRERY_AUTO_US": "0", "ORRERY_GRID": "3x3", **environment})
    return done.returncode, done.stdout, done.stderr


def on_ranks(tools, built, how, expected):
    """What differs on two ranks: what these cannot do runs serially."""
    allowed = {name: value for name, value in os.environ.items() if name.startswith("OMPI_")}
    found = run([tools / "orrery", "run", "-n", 2, "--threads", 1, built, how], **allowed)
    return [] if found[:2] == expected else [f"laid {how}, 2 ranks: {found[0]} {found[2][-300:]}"]


def check(tools, folder, seed, ranks):
    """What is wrong of one program, and how many of its loops are parallel."""
    source, serial, built = folder / f"{seed}.c", folder / "serial", folder / "built"
    source.write_text(make(seed))
    level = "-O2" if seed % 2 else "-O1"
    for command in (["gcc", "-O1", "-w", source, "-o", serial],
                    [tools / "orrery-cc", "-allow-fallback", level, "-w", source, "-o", built]):
        status, _, said = run(command)
        if status:
            return [f"{command[0]}: {said[-500:]}"], 0
    wrong = []
    for how in range(17):
        expected = run([serial, how])[:2]
        for threads in (1, 3):
            found = run([built, how], ORRERY_THREADS=str(threads))
            if found[:2] != expected:
                wrong.append(f"{level}, laid {how}, {threads} threads: {found[0]} {found[2][-300:]}")
        if ranks and how in (0, 1 + seed % 16):
            wrong += on_ranks(tools, built, how, expected)
    status, said, _ = run([tools / "orrery", "analyze", "--format=json", level, source])
    parallel = sum(loop["verdict"] == "parallel" for loop in json.loads(said)["loops"]) if status == 0 else 0
    return wrong, parallel


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin", type=Path)
    parser.add_argument("first", type=int)
    parser.add_argument("programs", type=int)
    parser.add_argument("--ranks", type=int, default=0, metavar="EVERY")
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    bad = parallel = 0
    with tempfile.TemporaryDirectory() as made:
        folder = args.keep or Path(made)
        for seed in range(args.first, args.first + args.programs):
            wrong, loops = check(args.bin, folder, seed, args.ranks and seed % args.ranks == 0)
            parallel += loops
            bad += bool(wrong)
            for line in wrong:
                print(f"{seed}: {line}", flush=True)
    print(f"{args.programs} programs, {4 * args.programs} loops, {parallel} parallel, {bad} programs are wrong")
    if args.programs >= 8 and parallel < args.programs:
        print("too few loops are parallel to say anything")
        bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
