#!/usr/bin/env python3
"""Random nests of affine loops, in the orders that transformations give them: the bits of the host compiler's program."""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

# Two loops of the one, three of the other are beyond the least number of iterations that is tiled.
WIDE, SIZE = 340, 60

HEAD = """#include <stdio.h>
#include <string.h>
enum { S = %d, P = S + 8, Q = %d + 8 };
static unsigned long A[Q][Q], B[Q][Q], C[Q][Q], T[P][P][P], V[4 * Q], W[4 * Q];
static unsigned long bits(const void *memory, size_t bytes) {
    const unsigned char *at = memory;
    unsigned long sum = 1469598103934665603UL;
    for (size_t i = 0; i < bytes; i++) sum = (sum ^ at[i]) * 1099511628211UL;
    return sum;
}
static void fill(unsigned long *x, size_t n, unsigned long r) {
    for (size_t i = 0; i < n; i++) { r = r * 6364136223846793005UL + 1442695040888963407UL; x[i] = r >> 20; }
}
"""

ARRAYS = {"A": 2, "B": 2, "C": 2, "T": 3, "V": 1, "W": 1}


def subscript(rng, loops, flat):
    name = rng.choice(loops)
    if rng.random() < 0.08:
        return str(rng.randrange(4, SIZE - 8))
    text = name
    if flat and rng.random() < 0.4:
        text = f"{name} + {rng.choice(loops)}" if rng.random() < 0.5 else f"2 * {name}"
    shift = rng.choice([0, 0, 0, 0, 1, -1, 2])
    return text + (f" + {shift}" if shift > 0 else f" - {-shift}" if shift < 0 else "")


def element(rng, loops):
    array = rng.choice([a for a in ARRAYS if a != "T" or loops[0] != "y"])
    return array + "".join(f"[{subscript(rng, loops, ARRAYS[array] == 1)}]" for _ in range(ARRAYS[array]))


def near(rng, target):
    """The element, or one that is not further away than one in each direction."""
    array, *subs = target.replace("]", "").split("[")
    return array + "".join(f"[{sub}{rng.choice(['', ' + 1', ' - 1'])}]" for sub in subs)


def value(rng, loops, counts, target):
    parts = [near(rng, target) if rng.random() < 0.4 else element(rng, loops) for _ in range(rng.randrange(1, 4))]
    if rng.random() < 0.3:
        parts.append(f"(unsigned long){rng.choice(loops)}")
    if rng.random() < 0.2:
        parts.append(f"x{rng.randrange(counts)}")
    text = parts[0]
    for part in parts[1:]:
        text = f"({text} {rng.choice(['+', '*', '-', '^'])} {part})"
    return text


def statement(rng, loops):
    target = element(rng, loops)
    return f"{target} {rng.choice(['=', '+=', '=', '*=', '^='])} {value(rng, loops, 2, target)};"


def loop(rng, name, around, depth):
    lower, upper = str(rng.choice([2, 2, 3])), rng.choice(["n", "n", "m", str(WIDE if depth == 2 else SIZE)])
    if around and rng.random() < 0.2:
        lower = rng.choice(around)
    elif around and rng.random() < 0.15:
        upper = rng.choice(around) + " + 1"
    return f"for ({rng.choice(['int ', 'int ', ''])}{name} = {lower}; {name} < {upper}; {name}++)"


def body(rng, loops, depth):
    if len(loops) == depth:
        return " ".join(statement(rng, loops) for _ in range(rng.choice([1, 1, 1, 2])))
    name = "yx"[len(loops)] if depth == 2 else "ijk"[len(loops)]
    inside = body(rng, loops + [name], depth)
    text = f"{loop(rng, name, loops, depth)} {{ {inside} }}"
    if loops and rng.random() < 0.3:
        extra = statement(rng, loops)
        text = f"{extra} {text}" if rng.random() < 0.6 else f"{text} {extra}"
    return text


def function(rng, number, depth):
    return (f"static int f{number}(int n, int m, unsigned long x0, unsigned long x1) {{\n"
            f"    int i = 0, j = 0, k = 0, x = 0, y = 0;\n    (void)j, (void)k, (void)x, (void)x0, (void)x1;\n"
            f"    {body(rng, [], depth)}\n    return i + y;\n}}\n")


def program(rng, nests):
    depths = [rng.choice([2, 3, 3]) for _ in range(nests)]
    text = HEAD % (SIZE, WIDE) + "".join(function(rng, q, d) for q, d in enumerate(depths)) + "int main(void) {\n"
    for q in range(nests):
        fills = " ".join(f"fill((unsigned long *){a}, sizeof {a} / 8, {rng.randrange(1 << 30)});" for a in ARRAYS)
        sums = " ^ ".join(f"bits({a}, sizeof {a}) * {2 * i + 1}" for i, a in enumerate(ARRAYS))
        text += f"    {fills}\n    {{ int r = f{q}({'S, S - 5' if depths[q] == 3 else 'Q - 8, Q - 14'}, 3, 5); printf(\"f{q} %d %lx\\n\", r, {sums}); }}\n"
    return text + "}\n"


def run(command, where, **env):
    return subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=300, env={**os.environ, **env})


def check(bin, seed, text, sign, head, keep):
    """Returns (functions that were transformed, what is wrong or None)."""
    with tempfile.TemporaryDirectory() as room:
        path = pathlib.Path(room) / "nests.c"
        path.write_text(text)
        new = run([f"{bin}/orrery", "emit", "-auto", "-O3", "--dump=transform", "nests.c"], room).stdout
        count = sum(sign in part for part in new.split(head)[1:])
        (pathlib.Path(room) / "new.c").write_text(new)
        builds = {"serial": ["cc", "-O1", "-w", "nests.c"], "plain": ["cc", "-O3", "-w", "nests.c"], "new": ["cc", "-O1", "-w", "new.c"],
                  "tiled": [f"{bin}/orrery-cc", "-auto", "-O3", "-w", "nests.c"]}
        outs = {}
        for name, command in builds.items():
            built = run(command + ["-o", name], room)
            if built.returncode:
                return count, f"{name} does not compile: {built.stderr[-2000:]}"
            got = run([f"./{name}"], room, ORRERY_AUTO_US="0", ORRERY_THREADS="2")
            outs[name] = got.stdout if got.returncode == 0 else f"status {got.returncode} {got.stderr}"
        lines = {name: out.strip().split("\n") for name, out in outs.items()}
        sound = [a == b for a, b in zip(lines["serial"], lines["plain"])]  # gcc 12 -O3 has errors of its own
        for name in ("new", "tiled"):
            wrong = [a for a, b, c in zip(lines["serial"], lines[name], sound) if c and a != b]
            if wrong or len(lines[name]) != len(lines["serial"]):
                if keep:
                    pathlib.Path(keep).mkdir(exist_ok=True)
                    (pathlib.Path(keep) / f"{seed}.c").write_text(path.read_text())
                return count, f"{name} differs: {wrong[:3] or outs[name][-300:]}"
    return count, None


def main(make=program, sign="tile_loop", head="static int f", words=__doc__):
    """`make` makes a program of so many functions that begin with `head`; transformed ones contain `sign`."""
    parser = argparse.ArgumentParser(description=words)
    parser.add_argument("bin", help="folder of orrery")
    parser.add_argument("first", type=int, help="first seed")
    parser.add_argument("seeds", type=int, help="how many programs")
    parser.add_argument("nests", type=int, help="nests of each")
    parser.add_argument("--keep", help="folder for programs that differ")
    asked = parser.parse_args()
    asked.bin = str(pathlib.Path(asked.bin).resolve())
    transformed = wrong = 0
    for seed in range(asked.first, asked.first + asked.seeds):
        text = make(random.Random(seed), asked.nests)
        count, problem = check(asked.bin, seed, text, sign, head, asked.keep)
        transformed += count
        if problem:
            wrong += 1
            print(f"seed {seed}: {problem}", flush=True)
    print(f"{asked.seeds * asked.nests} nests, {transformed} transformed, {wrong} programs wrong")
    if wrong or not transformed:
        sys.exit(1)


if __name__ == "__main__":
    main()
