#!/usr/bin/env python3
"""Random nests of affine loops, in the orders that transformations give them: the bits of the host compiler's program."""

import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# Two loops of the one, three of the other are beyond the least number of iterations that is tiled.
WIDE, SIZE = 340, 60

HEAD = """#include <stdio.h>
#include <string.h>
enum { S = %d, P = S + 8, Q = %d + 8 };
static unsigned long A[Q][Q], B[Q][Q], C[Q][Q], T[P][P][P], V[4 * Q], W[4 * Q];
static unsigned long bits(const unsigned long *at, size_t n) {
    unsigned long sum = 1469598103934665603UL;
    for (size_t i = 0; i < n; i++) sum = (sum ^ at[i] ^ sum >> 29) * 1099511628211UL;
    return sum;
}
static void fill(unsigned long *x, size_t n, unsigned long r) {
    for (size_t i = 0; i < n; i++) { r = r * 6364136223846793005UL + 1442695040888963407UL; x[i] = r >> 20; }
}
"""

ARRAYS = {"A": 2, "B": 2, "C": 2, "T": 3, "V": 1, "W": 1}


class Style:
    """How the loops of a nest count. Wild ones have bounds that wrap around, or compare numbers with and without a sign,
    and headers that do more than count. With a sign these go down to -3, and every element is there all the same."""

    def __init__(self, rng):
        self.wild = rng.random() < 0.3
        self.type = rng.choice(["int", "long", "size_t", "unsigned long", "unsigned"]) if self.wild else "int"
        self.signed = self.wild and self.type in ("int", "long")
        self.shifts = [2, 2, 2, 2, 3, 3, 4] if self.wild else [0, 0, 0, 0, 1, -1, 2]
        if self.signed:
            self.shifts = [4, 4, 4, 4, 5, 5, 6]


def subscript(rng, style, loops, flat):
    name = rng.choice(loops)
    if rng.random() < 0.08:
        return str(rng.randrange(4, SIZE - 8))
    text = name
    if flat and rng.random() < 0.4:
        text = f"{name} + {rng.choice(loops)}" if rng.random() < 0.5 else f"2 * {name}"
    shift = rng.choice(style.shifts) + (4 if flat and style.signed else 0)
    return text + (f" + {shift}" if shift > 0 else f" - {-shift}" if shift < 0 else "")


def element(rng, style, loops):
    array = rng.choice([a for a in ARRAYS if a != "T" or loops[0] != "y"])
    return array + "".join(f"[{subscript(rng, style, loops, ARRAYS[array] == 1)}]" for _ in range(ARRAYS[array]))


def near(rng, target):
    """The element, or one that is not further away than one in each direction."""
    array, *subs = target.replace("]", "").split("[")
    return array + "".join(f"[{sub}{rng.choice(['', ' + 1', ' - 1'])}]" for sub in subs)


def value(rng, style, loops, counts, target):
    parts = [near(rng, target) if rng.random() < 0.4 else element(rng, style, loops) for _ in range(rng.randrange(1, 4))]
    if rng.random() < 0.3:
        parts.append(f"(unsigned long){rng.choice(loops)}")
    if rng.random() < 0.2:
        parts.append(f"x{rng.randrange(counts)}")
    text = parts[0]
    for part in parts[1:]:
        text = f"({text} {rng.choice(['+', '*', '-', '^'])} {part})"
    return text


def statement(rng, style, loops):
    target = element(rng, style, loops)
    return f"{target} {rng.choice(['=', '+=', '=', '*=', '^='])} {value(rng, style, loops, 2, target)};"


def loop(rng, style, name, around, depth):
    lower, upper = str(rng.choice([2, 2, 3])), rng.choice(["n", "n", "m", str(WIDE if depth == 2 else SIZE)])
    if around and rng.random() < 0.2:
        lower = rng.choice(around)
    elif around and rng.random() < 0.15:
        upper = rng.choice(around) + " + 1"
    if style.wild and rng.random() < 0.4:
        least = 1 if style.signed else rng.randrange(1, 4)
        lower = f"{rng.choice(around)} - {least}" if around and rng.random() < 0.7 else "z - 1"
    if style.wild and rng.random() < 0.3:
        upper = f"({rng.choice(['unsigned', 'unsigned long', 'long'])}){rng.choice('nm')}"
    more, beside = "", ""
    declared = rng.choice([style.type + " ", style.type + " ", ""])
    if style.wild and not declared and rng.random() < 0.3:
        more, beside = rng.choice([(", x1 = 7", ""), (", x0 = 3", ", x0 += 2")])
    return f"for ({declared}{name} = {lower}{more}; {name} < {upper}; {name}++{beside})"


def body(rng, style, loops, depth):
    if len(loops) == depth:
        return " ".join(statement(rng, style, loops) for _ in range(rng.choice([1, 1, 1, 2])))
    name = "yx"[len(loops)] if depth == 2 else "ijk"[len(loops)]
    inside = body(rng, style, loops + [name], depth)
    text = f"{loop(rng, style, name, loops, depth)} {{ {inside} }}"
    if loops and rng.random() < 0.3:
        extra = statement(rng, style, loops)
        text = f"{extra} {text}" if rng.random() < 0.6 else f"{text} {extra}"
    return text


def function(rng, number, depth):
    style = Style(rng)
    around = "for (int t = 0; t < 2; t++) " if rng.random() < 0.15 else ""
    return (f"static int f{number}(int n, int m, int z, unsigned long x0, unsigned long x1) {{\n"
            f"    {style.type} i = 0, j = 0, k = 0, x = 0, y = 0;\n    (void)j, (void)k, (void)x, (void)z, (void)x0, (void)x1;\n"
            f"    {around}{body(rng, style, [], depth)}\n    return (int)(i + y);\n}}\n")


def functions(rng, nests):
    """(their text, how many loops each has around its innermost statements)"""
    depths = [rng.choice([2, 3, 3]) for _ in range(nests)]
    return HEAD % (SIZE, WIDE) + "".join(function(rng, q, d) for q, d in enumerate(depths)) + '#include "main.h"\n', depths


def calls(rng, depths, chosen):
    """The part of the program that runs the chosen functions."""
    text = "int main(void) {\n"
    for q in chosen:
        fills = " ".join(f"fill((unsigned long *){a}, sizeof {a} / 8, {rng.randrange(1 << 30)});" for a in ARRAYS)
        sums = " ^ ".join(f"bits((unsigned long *){a}, sizeof {a} / 8) * {2 * i + 1}" for i, a in enumerate(ARRAYS))
        sizes = "S, S - 5" if depths[q] == 3 else "Q - 8, Q - 14"
        text += f'    {fills}\n    {{ int r = f{q}({sizes}, 0, 3, 5); printf("f{q} %d %lx\\n", r, {sums}); }}\n'
    return text + "    return 0;\n}\n"


def kinds(text):
    """What was done to a nest, by the text of its function: distribution, interchange, tiling."""
    new = text[:text.rindex("_Pragma(\"GCC diagnostic pop\")")]
    found = set()
    if len(re.findall(r"for \(\w+ tile_loop0 = ", new)) > 1:
        found.add("distributed")
    if re.search(r"tile_loop\d+ \+= (?!1\))", new):
        found.add("tiled")
    for copies in re.findall(r"\{ ((?:const \w+ \w = \(\w+\)[^;]*; )+)", new):
        order = [re.search(r"tile_loop(\d+)", copy) for copy in copies.split(";")[:-1]]
        numbers = [int(number.group(1)) for number in order if number]
        if numbers != sorted(numbers):
            found.add("interchanged")
    return found


def run(command, where, **env):
    return subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=300, env={**os.environ, **env})


def differences(outs, name):
    """Lines of a build that neither the plain -O1 nor the plain -O3 program prints: gcc 12 -O3 has errors of its own."""
    lines = {key: out.split("\n") for key, out in outs.items()}
    plain = lines.get("plain", lines["serial"])
    if len(lines[name]) != len(lines["serial"]):
        return [outs[name][-300:] or "no output"]
    return [one for one, serial, other in zip(lines[name], lines["serial"], plain) if one not in (serial, other)]


def judge(bin, room, source, new, threads):
    """Builds a program, its transformed text and (`threads`) what orrery-cc makes of it. Returns what is wrong or None."""
    (pathlib.Path(room) / "blocks.c").write_text(
        "int orrery_blocks_begin(void) { return 1; }\nvoid orrery_blocks_end(void) { }\n")
    builds = {"serial": ["cc", "-O1", "-w", source], "new": ["cc", "-O1", "-w", new, "blocks.c"]}
    if threads:
        builds["plain"] = ["cc", "-O3", "-w", source]
        builds["tiled"] = [f"{bin}/orrery-cc", "-auto", "-DORRERY_SHORT_LOOPS", "-O3", "-w", source]
    outs = {}
    for name, command in builds.items():
        built = run(command + ["-o", name], room)
        if built.returncode:
            return f"{name} does not compile: {built.stderr[-2000:]}"
        got = run([f"./{name}"], room, ORRERY_AUTO_US="0", ORRERY_THREADS="2")
        if got.returncode:
            return f"{name}: status {got.returncode} {got.stderr[-300:]}"
        outs[name] = got.stdout
    for name in ("new", "tiled"):
        lines = differences(outs, name) if name in outs else []
        if lines:
            return f"{name} differs: {lines[:3]}"
    return None


def save(keep, seed, room, names):
    folder = pathlib.Path(keep) / str(seed)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text((pathlib.Path(room) / name).read_text())


def transformed_text(bin, room, source, head, sign):
    """(the new text, its functions, the numbers of those that contain `sign`)"""
    new = run([f"{bin}/orrery", "emit", "-auto", "-O3", "--dump=transform", source], room).stdout
    parts = new.split(head)[1:]
    return new, parts, [q for q, part in enumerate(parts) if sign in part]


def check(bin, seed, nests, keep, threads):
    """Returns (functions that were transformed, in which ways, what is wrong or None)."""
    rng = random.Random(seed)
    ways = collections.Counter()
    with tempfile.TemporaryDirectory() as room:
        folder = pathlib.Path(room)
        text, depths = functions(rng, nests)
        (folder / "nests.c").write_text(text)
        (folder / "main.h").write_text("")
        new, parts, chosen = transformed_text(bin, room, "nests.c", "static int f", "tile_loop")
        for q in chosen:
            ways.update(kinds(parts[q]))
        (folder / "new.c").write_text(new)
        (folder / "main.h").write_text(calls(rng, depths, chosen))
        problem = judge(bin, room, "nests.c", "new.c", threads)
        if problem and keep:
            save(keep, seed, room, ("nests.c", "new.c", "main.h"))
    return len(chosen), ways, problem


def soak(description, unit, found, name, mark, program):
    """The command of a generator whose loops stand in functions `static int f...`; those with another text have `mark` in
    it. `unit`, `found`: what it counts, and of these says. Returns the exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("bin", help="folder of orrery")
    parser.add_argument("first", type=int, help="first seed")
    parser.add_argument("seeds", type=int, help="how many programs")
    parser.add_argument("count", type=int, help=f"{unit} of each")
    parser.add_argument("--keep", help="folder for programs that differ")
    asked = parser.parse_args()
    bin = str(pathlib.Path(asked.bin).resolve())
    changed = wrong = 0
    for seed in range(asked.first, asked.first + asked.seeds):
        with tempfile.TemporaryDirectory() as room:
            folder = pathlib.Path(room)
            (folder / name).write_text(program(random.Random(seed), asked.count))
            new, _, chosen = transformed_text(bin, room, name, "static int f", mark)
            (folder / "new.c").write_text(new)
            problem = judge(bin, room, name, "new.c", True)
            if problem and asked.keep:
                save(asked.keep, seed, room, (name, "new.c"))
        changed += len(chosen)
        if problem:
            wrong += 1
            print(f"seed {seed}: {problem}", flush=True)
    print(f"{asked.seeds * asked.count} {unit}, {changed} {found}, {wrong} programs wrong")
    return 1 if wrong or not changed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bin", help="folder of orrery")
    parser.add_argument("first", type=int, help="first seed")
    parser.add_argument("seeds", type=int, help="how many programs")
    parser.add_argument("nests", type=int, help="nests of each")
    parser.add_argument("--keep", help="folder for programs that differ")
    parser.add_argument("--threads-every", type=int, default=1, metavar="N",
                        help="every N-th program is built by orrery-cc and run by two threads, too (default 1)")
    asked = parser.parse_args()
    asked.bin = str(pathlib.Path(asked.bin).resolve())
    transformed = wrong = 0
    ways = collections.Counter()
    for seed in range(asked.first, asked.first + asked.seeds):
        count, new_ways, problem = check(asked.bin, seed, asked.nests, asked.keep, seed % asked.threads_every == 0)
        transformed += count
        ways.update(new_ways)
        if problem:
            wrong += 1
            print(f"seed {seed}: {problem}", flush=True)
        if seed % 20 == 0:
            print(f"up to seed {seed}: {transformed} transformed, {wrong} wrong", file=sys.stderr, flush=True)
    told = ", ".join(f"{ways[way]} {way}" for way in ("distributed", "interchanged", "tiled"))
    print(f"{asked.seeds * asked.nests} nests, {transformed} transformed ({told}), {wrong} programs wrong")
    if wrong or not transformed:
        sys.exit(1)


if __name__ == "__main__":
    main()
