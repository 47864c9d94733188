#!/usr/bin/env python3
"""Random wavefronts on ranks: the bits of the serial program, whatever the blocks and bands are.

usage: wave_ranks.py BIN FIRST_SEED PROGRAMS [--nests N] [--settings N] [--keep DIR]
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[2] / "include"
ROWS, COLUMNS = 90, 100
KINDS = ("static", "malloc", "vla", "table", "field", "stack")
# Ranks, threads, grid (blocks of one iteration and position, odd ones, one block), bands per rank.
SETTINGS = ((2, 1, "0x0", 0), (3, 2, "3000x3000", 2), (4, 1, "7x11", 3), (2, 3, "5x3000", 1), (3, 1, "1x1", 0),
            (4, 2, "41x5", 0), (2, 2, "3000x13", 4), (1, 2, "9x9", 0))


class Array:
    """A table of numbers in one kind of memory."""

    def __init__(self, kind, name, type_):
        self.kind, self.name, self.type = kind, name, type_

    def parameter(self):
        return {"vla": f"{self.type} (*{self.name})[m]", "table": f"{self.type} **{self.name}",
                "malloc": f"{self.type} *restrict {self.name}", "field": f"struct cell_{self.type} *restrict {self.name}",
                "stack": f"{self.type} {self.name}[{ROWS}][{COLUMNS}]"}.get(self.kind)

    def at(self, i, j):
        if self.kind == "malloc":
            return f"{self.name}[({i}) * m + {j}]"
        if self.kind == "field":
            return f"{self.name}[({i}) * m + {j}].value"
        return f"{self.name}[{i}][{j}]"

    def globals(self):
        return [f"static {self.type} {self.name}[{ROWS}][{COLUMNS}];"] if self.kind == "static" else []

    def made(self):
        """Statements that make it in main."""
        n, t = self.name, self.type
        return {"static": [],
                "malloc": [f"{t} *{n} = malloc(sizeof *{n} * {ROWS} * {COLUMNS});"],
                "field": [f"struct cell_{t} *{n} = calloc({ROWS} * {COLUMNS}, sizeof *{n});"],
                "vla": [f"{t} (*{n})[m] = malloc(sizeof *{n} * {ROWS});"],
                "stack": [f"{t} {n}[{ROWS}][{COLUMNS}];"],
                "table": [f"{t} **{n} = malloc(sizeof *{n} * {ROWS});",
                          f"for (int i = 0; i < {ROWS}; ++i) {n}[i] = malloc(sizeof **{n} * {COLUMNS});"]}[self.kind]


def read(rng, arrays, written, skewed):
    """A value at a distance, mostly of what is written."""
    array = written if rng.random() < .7 else rng.choice(arrays)
    if array is not written:
        return array.at(f"i{rng.choice(('', ' - 1', ' + 1'))}", f"j{rng.choice(('', ' - 1', ' + 1'))}")
    back, across = rng.choice(((1, 0), (0, -1), (-1, 0), (0, 1), (1, -1), (2, 0), (1, 1 if skewed else 0), (3, -2)))
    return array.at(f"i - {back}" if back >= 0 else f"i + {-back}", f"j + {across}" if across >= 0 else f"j - {-across}")


def value(rng, arrays, written, skewed):
    terms = [f"{rng.choice(('.25', '.5', '.125', '-.5'))} * {read(rng, arrays, written, skewed)}" for _ in range(rng.randint(1, 3))]
    return " + ".join(terms + ["1"])


def sweep(rng, arrays):
    """Loops over a table, row by row."""
    written, skewed = rng.choice(arrays), rng.random() < .4
    down, step = rng.random() < .2, rng.choice((1, 1, 1, 2))
    low = rng.choice(("2", "2", "3", "2 + i % 1", "i < 40 ? 2 : 2")) if rng.random() < .1 else "3"
    high = rng.choice(("m - 3", "m - 3", f"{COLUMNS} - 4", "m - 4"))
    head = f"for (int j = {high}; j >= {low}; j -= {step})" if down else f"for (int j = {low}; j <= {high}; j += {step})"
    if not down and rng.random() < .15:
        head = "for (int j = i / 1 * 0 + 3; j < m - 3; ++j)" if rng.random() < .3 else "for (int j = 3; j <= i; ++j)"
    lines = []
    if rng.random() < .25:
        lines.append(f"{written.at('i', '2')} = {written.at('i - 1', '3' if skewed else '2')} * .5;")
    lines.append(f"{head} {{")
    store = f"{written.at('i', 'j')} = {value(rng, arrays, written, skewed)};"
    condition = rng.choice((None, None, None, f"if ({written.at('i - 1', 'j')} > 3)", "if (i > 4 && j > 5)", "if ((i + j) % 3)"))
    lines.append(f"{condition} {store}" if condition else store)
    if rng.random() < .2:
        lines.append(f"else {written.at('i', 'j')} = {written.at('i', 'j')} * .5;" if condition else
                     f"{rng.choice(arrays).at('i', 'j')} *= .5;")
    if rng.random() < .2:
        lines.append(f"along[j] += {written.at('i', 'j')};")
    if rng.random() < .1:
        lines.append(f"for (int k = 0; k < 3; ++k) deep[i][j][k] = deep[i - 1][j][k] + {written.at('i', 'j')};")
    if rng.random() < .15:
        lines.append("count += i * 3 + j;")
    lines.append("}")
    if rng.random() < .2:
        lines.append(f"{rng.choice(arrays).at('i', 'm - 2')} = {written.at('i', 'm - 4')};")
    return "for (int i = 3; i < n - 3; ++i) {", lines


def across(rng, arrays):
    """Down the columns of a table."""
    written = rng.choice(arrays)
    back = rng.choice((written.at("j", "i - 1"), written.at("j - 1", "i"), written.at("j - 1", "i - 1"), written.at("j + 1", "i")))
    return "for (int i = 3; i < m - 3; ++i) {", [
        f"for (int j = 3; j < n - 3; ++j) {written.at('j', 'i')} = .5 * {back} + .25 * {written.at('j', 'i - 1')};"]


def steps(rng, arrays):
    """Time steps over a line, in place or with a second one."""
    del arrays
    if rng.random() < .5:
        return "for (int t = 0; t < 70; ++t) {", ["for (int j = 1; j < 299; ++j) line[j] = .3 * (line[j - 1] + line[j] + line[j + 1]);"]
    a, b = ("line", "other") if rng.random() < .5 else ("other", "line")
    return "for (int t = 0; t < 70; ++t) {", [
        f"for (int j = 1; j < 299; ++j) {a}[j] = .3 * ({b}[j - 1] + {b}[j] + {b}[j + 1]);",
        f"for (int j = 1; j < 299; ++j) {b}[j] = {a}[j];"]


def knapsack(rng, arrays):
    """Two rows that change places are one table of two: each row from the one before."""
    del arrays
    weight = rng.randint(1, 9)
    return "for (int i = 1; i < 80; ++i) {", [
        f"for (int j = 0; j < 300; ++j) best[i][j] = j >= {weight} && best[i - 1][j - {weight} * (j >= {weight})] + i > best[i - 1][j]"
        f" ? best[i - 1][j - {weight} * (j >= {weight})] + i : best[i - 1][j];"]


def distances(rng, arrays):
    """Reads as far back as the data say."""
    written = rng.choice(arrays)
    back, gap = rng.choice((0, 1, 1, 2)), "few[i]" if written.kind in ("malloc", "field") else rng.choice(("gap[i]", "2 * wide[i].gap"))
    far = written.at(f"i - {back}" if back else "i", f"j - {gap}")
    store = written.at("i", "j")
    near = rng.choice((written.at("i - 1", "j"), written.at("i", "j - 1"), written.at("i - 1", "j - 1")))
    lines = ["for (int j = 3; j < m - 3; ++j) {"]
    if rng.random() < .5:
        lines += [f"{store} = .5 * {near} + 1;", f"if (j >= {gap}) {store} += .25 * {far};"]
    else:
        lines.append(f"if (j > {gap}) {store} = {far} * .5 + {near} * .25;")
    if rng.random() < .3:
        lines.append("count += i + j;")
    return "for (int i = 3; i < n - 3; ++i) {", lines + ["}"]


def nest(rng, number, far):
    arrays = [Array(rng.choice(KINDS), f"x{number}_{k}", rng.choice(("double", "float"))) for k in range(rng.randint(1, 3))]
    head, body = (distances if far else rng.choice((sweep, sweep, sweep, sweep, across, steps, knapsack)))(rng, arrays)
    parameters = ", ".join(["int n", "int m"] + [a.parameter() for a in arrays if a.parameter()])
    function = [g for a in arrays for g in a.globals()]
    function += [f"static long f{number}({parameters}) {{", "long count = 0;", "#pragma orrery parallel", head, *body, "}",
                 "return count;", "}"]
    return arrays, function


def use(rng, number, arrays):
    """main's part of a nest: some passes, with serial code that reads and writes between them."""
    lines = ["{", *[line for a in arrays for line in a.made()]]
    lines.append(f"for (int i = 0; i < {ROWS}; ++i) for (int j = 0; j < {COLUMNS}; ++j) {{")
    lines += [f"{a.at('i', 'j')} = ({a.type})((i * 31 + j * {17 + k}) % 101);" for k, a in enumerate(arrays)] + ["}"]
    call = ", ".join([str(rng.choice((ROWS, ROWS, 11))), "m"] + [a.name for a in arrays if a.parameter()])
    lines.append(f"for (int pass = 0; pass < {rng.randint(1, 4)}; ++pass) {{ count += f{number}({call});")
    if rng.random() < .5:
        a = rng.choice(arrays)
        lines.append(f"show({a.at('20', '30')}); " + (f"{a.at('40', '50')} += 1;" if rng.random() < .5 else ""))
    lines.append("}")
    lines += [f"for (int i = 0; i < {ROWS}; ++i) for (int j = 0; j < {COLUMNS}; ++j) show({a.at('i', 'j')});" for a in arrays]
    lines.append("everything();")
    lines.append(f'printf("{number} %lx %ld\\n", hash, count); }}')
    return lines


def program(seed, nests, far):
    rng = random.Random(seed)
    made = [nest(rng, number, far) for number in range(nests)]
    lines = ["#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>", "struct cell_double { int id; double value; };",
             "struct cell_float { char id; float value, other; };",
             "static double line[300], other[300], deep[90][100][3]; static float along[300]; static int best[80][300], gap[90], few[90]; static struct { char id; short gap; } wide[90];",
             "static unsigned long hash;", "static void show(double x) { unsigned long u; memcpy(&u, &x, 8); hash = (hash ^ u) * 0x9e3779b97f4a7c15ul; }",
             "static void everything(void) { for (int i = 0; i < 300; ++i) show(line[i]), show(other[i]), show(along[i]);",
             "for (int i = 0; i < 80; ++i) for (int j = 0; j < 300; ++j) show(best[i][j]);",
             "for (int i = 0; i < 90; ++i) for (int j = 0; j < 100; ++j) show(deep[i][j][1]); }"]
    lines += [line for _, function in made for line in function]
    lines += ["int main(void) {", f"long count = 0; int m = {COLUMNS};", "for (int i = 0; i < 300; ++i) line[i] = i % 11, best[0][i] = i;",
              "for (int i = 0; i < 90; ++i) gap[i] = i * 7 % 23, few[i] = i * 7 % 4, wide[i].gap = (short)(i * 5 % 11);"]
    lines += [line for number, (arrays, _) in enumerate(made) for line in use(rng, number, arrays)]
    return "\n".join(lines + ["return 0; }", ""])


def run(command, env=None):
    return subprocess.run([str(c) for c in command], env={**os.environ, **(env or {})}, capture_output=True, text=True,
                          timeout=300, check=False)


def wavefronts(bin_, source):
    """The functions whose loop is one; arrays that ranks cannot have parts of."""
    said = run([bin_ / "orrery", "analyze", "--dump=plan", source]).stdout
    plans = re.findall(r"^plan of loop \d+ in (\w+), line \d+: wavefront$((?:\n .*)*)", said, re.M)
    return {name for name, text in plans if "[ORR2475]" not in text}, said.count("[ORR2475]")


def for_gpu(bin_, source, text):
    """The text with those marks only from which kernels can be made."""
    while True:
        source.write_text(text)
        said = run([bin_ / "orrery", "emit", "-target", "gpu", source, "-o", source.with_suffix(".gpu.c")]).stderr
        refused = re.search(r"^\S*?waves\.c:(\d+):\d+: error", said, re.M)
        if not refused:
            return text
        lines = text.split("\n")
        mark = max(n for n in range(int(refused[1])) if lines[n] == "#pragma orrery parallel")
        text = "\n".join(lines[:mark] + lines[mark + 1:])


def built(bin_, work, seed, args):
    """The plain program's output, and how many of the nests are wavefronts; the others stay serial."""
    source, text = work / "waves.c", program(seed, args.nests, args.distances)
    source.write_text(text)
    waves, whole = wavefronts(bin_, source)
    for other in set(re.findall(r"long (f\d+)\(", text)) - waves:
        text = re.sub(rf"(long {other}\(.*\n.*\n)#pragma orrery parallel\n", r"\1", text)
    text = for_gpu(bin_, source, text) if args.gpu else text
    found = text.count("#pragma orrery parallel")
    target = ["-target", "gpu-shim"] if args.gpu else []
    source.write_text(text)
    for command in (["gcc", "-O1", "-w", "-ffp-contract=off", source, "-o", work / "plain", "-lm"],
                    [bin_ / "orrery-cc", "-O1", "-w", "-ffp-contract=off", "-I", INCLUDE, *target, source, "-o", work / "waves", "-lm"]):
        done = run(command)
        if done.returncode:
            raise SystemExit(f"seed {seed}: {command[0]}: {done.stderr[-2000:]}")
    return run([work / "plain"]).stdout, found, whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("first", type=int)
    parser.add_argument("programs", type=int)
    parser.add_argument("--nests", type=int, default=30)
    parser.add_argument("--settings", type=int, default=len(SETTINGS))
    parser.add_argument("--gpu", action="store_true", help="on the GPU that the host plays")
    parser.add_argument("--distances", action="store_true", help="reads as far back as the data say")
    parser.add_argument("--keep")
    args = parser.parse_args()
    bad = waves = whole = 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for seed in range(args.first, args.first + args.programs):
            expected, found, refused = built(Path(args.bin), work, seed, args)
            waves, whole = waves + found, whole + refused
            for ranks, threads, grid, bands in SETTINGS[:args.settings]:
                env = {"ORRERY_THREADS": str(threads), "ORRERY_GRID": grid,
                       "ORRERY_DEBUG": f"bands={bands},gpu_sums=serial"}
                done = run([Path(args.bin) / "orrery", "run", "-n", ranks, "--oversubscribe", "--", work / "waves"], env)
                if done.returncode == 0 and done.stdout == expected:
                    continue
                bad += 1
                pairs = zip(expected.split("\n"), done.stdout.split("\n"))
                first = next((a for a, b in pairs if a != b), "(output ends)")
                print(f"seed {seed}, {ranks} ranks, {env}: status {done.returncode}, nest {first}\n{done.stderr[:500]}")
                if args.keep:
                    Path(args.keep).mkdir(parents=True, exist_ok=True)
                    shutil.copy(work / "waves.c", Path(args.keep) / f"{seed}.c")
    print(f"{args.programs * args.nests} nests, {waves} of them wavefronts, {whole} arrays not divided, {bad} runs wrong")
    return 1 if bad or waves == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
