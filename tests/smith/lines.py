#!/usr/bin/env python3
"""Random loops in blocks, in parts, as several, with ends looked for first, numbers that count, or packing: gcc's bits."""

import argparse
import collections
import pathlib
import random
import sys
import tempfile

import nests

LENGTH = 71000

HEAD = """#include <stdio.h>
#include <string.h>
enum { S = %d };
struct two { float x; short y; };
static float F[S], G[S], H[S];
static double D[S], E[S];
static int I[S], J[S];
static short K[S];
static struct two P[S];
static unsigned long bits(const void *memory, size_t bytes) {
    const unsigned char *at = memory;
    unsigned long sum = 1469598103934665603UL;
    for (size_t i = 0; i < bytes; i++) sum = (sum ^ at[i]) * 1099511628211UL;
    return sum;
}
static void fill(unsigned long r) {
    for (int i = 0; i < S; i++) {
        r = r * 6364136223846793005UL + 1442695040888963407UL;
        F[i] = (float)(r >> 50) / 4096 - 1, G[i] = (float)(r >> 40 & 8191) / 4096 - 1, H[i] = (float)(r >> 30 & 8191) / 64;
        D[i] = (double)(r >> 20 & 65535) / 4096 - 7, E[i] = (double)(r >> 9 & 65535) / 512;
        I[i] = (int)(r >> 44) - 300000, J[i] = (int)(r >> 36 & 1023), K[i] = (short)(r >> 33);
        P[i].x = F[i] * 3, P[i].y = (short)(r >> 35);
    }
}
""" % LENGTH

FLOATS, WHOLE = ["F", "G", "H", "D", "E", "p", "q"], ["I", "J", "K"]
# What one element in about 10,000 is beyond.
LARGE = {"F": "2.9995", "G": ".9997", "H": "127.98", "D": "8.9985", "E": "127.98", "I": "747000", "J": "1022", "K": "32764"}
WAYS = {"packing": "tile_start", "blocks": "tile_block", "ends": "tile_hit", "numbers": "const float tile_s", "several": "tile_next",
        "parts": "tile_"}


class Loop:
    """One function: a loop with statements over a few arrays, so that they meet often."""

    def __init__(self, rng, several=False):
        self.rng = rng
        self.whole = rng.random() < 0.35
        arrays = WHOLE if self.whole else FLOATS
        self.arrays = rng.sample(arrays, min(len(arrays), rng.choice([2, 3, 3, 4])))
        self.step = rng.choice([1, 1, 1, 1, 2, 3, -1, -1, -2])
        self.scalars = [f"s{i}" for i in range(rng.choice([0, 0, 1, 1, 2]))]
        self.members = not self.whole and rng.random() < 0.2
        self.known = ["x"]
        self.far = rng.random() < 0.2
        self.counts = not self.whole and rng.random() < 0.3
        self.ends = not self.far and rng.random() < 0.25
        self.packs = self.whole and not self.far and not self.ends and rng.random() < 0.4
        self.place = rng.choice(["n - i", "n - i - 1", "n / 2", "k", "3 * k", f"{LENGTH} - i"])
        if several:
            self.packs = self.ends = self.counts = self.far = False
        self.splits = several or (not (self.packs or self.ends or self.counts or self.far) and rng.random() < 0.35)
        if self.packs:
            self.scalars, self.step = ["s0"], 1
        if self.splits:
            self.step = 1
        if self.counts or self.far:
            self.scalars = self.scalars[:1] or ["s0"] if self.counts else []
        if self.far or self.ends or self.counts:
            self.arrays = rng.sample(WHOLE if self.whole else "FGHDE", 2)
            self.members = False
            self.step = 1

    def subscript(self, written):
        if (self.far or self.counts) and (written or self.rng.random() < 0.6):
            return "[i]"
        if self.far:
            return f"[{self.place}]"
        shift = self.rng.choice([0, 0, 0, 1, 1, -1, -1, 2, -2, 3, -3, 5, self.step, -self.step])
        return f"[i + {shift}]" if shift > 0 else f"[i - {-shift}]" if shift < 0 else "[i]"

    def element(self, written=False):
        if self.members and self.rng.random() < 0.3:
            return f"P{self.subscript(written)}.{self.rng.choice('xxy')}"
        array = self.arrays[0] if written and self.counts else self.rng.choice(self.arrays)
        return array + self.subscript(written)

    def value(self):
        parts = []
        for _ in range(self.rng.choice([1, 2, 2, 3])):
            draw = self.rng.random()
            parts.append(self.rng.choice(self.known) if draw < 0.25 else "i" if draw < 0.3 else self.element())
        text = parts[0]
        for part in parts[1:]:
            text = f"({text} {self.rng.choice('^+-' if self.whole else '*+-')} {part})"
        return text

    def statement(self):
        draw = self.rng.random()
        if self.scalars and draw < 0.1 and not self.counts:
            known, self.known = self.known, self.rng.choice([self.known, ["x", "i"]])
            text = f"if ({self.value()} {self.rng.choice('<>')} {self.value()}) {self.rng.choice(self.scalars)} = {self.value()};"
            self.known = known
            return text
        if self.scalars and draw < 0.35 and not self.counts:
            name = self.rng.choice(self.scalars)
            return f"{name} {self.rng.choice(['=', '=', '=', '+='])} {self.value()};"
        if draw < 0.42:
            name = f"t{len(self.known)}"
            text = f"{'int' if self.whole else self.rng.choice(['float', 'double'])} {name} = {self.value()};"
            self.known.append(name)
            return text
        if draw < 0.5:
            return f"if ({self.value()} > {self.value()}) {{ {self.element(True)} = {self.value()}; }}"
        if draw < 0.54 and self.whole:
            return f"{self.element(True)}++;"
        operators = ["=", "=", "=", "+="] + (["^=", "|="] if self.whole else ["*="])
        if self.members and operators:
            operators = ["=", "="]
        return f"{self.element(True)} {self.rng.choice(operators)} {self.value()};"

    def branch(self, depth=0):
        """A statement, or a choice between a few."""
        if depth == 2 or self.rng.random() < 0.7:
            return self.statement()
        known = list(self.known)
        then = " ".join(self.branch(depth + 1) for _ in range(self.rng.choice([1, 2, 3])))
        self.known = list(known)
        text = f"if ({self.value()} {self.rng.choice(['<', '>', '>='])} {self.value()}) {{ {then} }}"
        if self.rng.random() < 0.5:
            text += f" else {{ {self.branch(depth + 1)} }}"
        self.known = known
        return text

    def jumped(self, number):
        """Statements that are jumped over."""
        names = self.rng.sample([f"near{number}", f"far{number}"], 2)
        once = lambda: f"{self.element(True)} {self.rng.choice(['=', '+='])} {self.value()};"
        test = lambda: f"if ({self.value()} {self.rng.choice('<>')} {self.value()})"
        first, second = f"{test()} goto {names[0]};", self.rng.choice([f"{test()} goto {names[1]};", f"goto {names[1]};"])
        between = " ".join(once() for _ in range(self.rng.choice([0, 1, 2])))
        labels = [f"{names[0]}: {once()}", f"{names[1]}: {once()}"]
        self.rng.shuffle(labels)
        return f"{first} {between} {second} {once()} " + f" {once()} ".join(labels)

    def end(self):
        """What leaves the loop: seldom, never, or at once."""
        array = self.rng.choice([a for a in LARGE if (a in WHOLE) == self.whole and a not in self.arrays])
        sets = f"{self.scalars[0]} = {self.value()}; " if self.scalars else ""
        leave = self.rng.choice(["break;", f"{{ {sets}break; }}", f"{{ {sets}goto out; }}", "return i;"])
        condition = f"{array}{self.rng.choice(['[i]', '[i]', '[i + 1]', '[i - 2]', '[9]'])} > {LARGE[array]}"
        more = self.rng.choice(["", "", " && x < 2", " || i > n - 7", " || i == k + 3"])
        return f"if ({condition}{more}) {leave}"

    def packing(self):
        """One array gets the next element, or an iteration's own gets it, where a condition holds."""
        to, of, more = self.rng.sample(WHOLE, 3)
        read = self.rng.choice([of, of, more, to]) + self.rng.choice(["[i]", "[i]", "[i + 1]", "[i - 3]"])
        value = self.rng.choice([f"{of}[i]", f"{of}[i] ^ {more}[i - 1]", f"x - {of}[i + 2]", "i"])
        store = self.rng.choice([f"s0++; {to}[s0] = {value};", f"{to}[s0++] = {value};", f"s0 += 1; {to}[i] = {of}[s0] ^ {value};",
                                 f"{to}[s0] = {value}; s0++;", f"s0++; {to}[s0] = {value}; {self.rng.choice([more, of, to])}[i] = {value};"])
        return f"if (({read} & {self.rng.choice([1, 7, 1023, 1 << 20])}) {self.rng.choice(['==', '!='])} 0) {{ {store} }}"

    def text(self, number):
        self.known += self.scalars
        count = self.rng.choice([3, 4, 5, 6, 7] if self.splits else [1, 2, 2, 3, 3, 4])
        at = self.rng.randrange(count + 1) if self.ends else -1
        more = self.branch if self.splits else self.statement
        body = [self.end() if i == at else more() for i in range(count + self.ends)]
        if self.splits and not self.scalars and self.rng.random() < 0.4:
            self.known = ["x"]
            body = [self.jumped(number) if at == 0 else self.element(True) + f" = {self.value()};" for at in range(count)]
        if self.counts:
            step = self.rng.choice(["s0 += 2;", "s0 -= 3.;", "s0 += (float)5.;", "s0++;", "s0 += .5;"])
            body.insert(self.rng.randrange(len(body) + 1), step)
        if self.packs:
            body = [self.packing()]
        body = " ".join(body)
        inside = self.rng.random() < 0.5
        first = self.rng.choice(["5", "6", "k", "k + 1"])
        more, beside = self.rng.choice([(", x = 4", ""), ("", ", x += 1")]) if not inside and self.rng.random() < 0.15 else ("", "")
        if self.step < 0:
            head = f"i = n - 1{more}; i >= {first}; " + ("i--" if self.step == -1 else f"i -= {-self.step}") + beside
        else:
            head = f"i = {first}{more}; i {self.rng.choice(['< n', '<= n - 2'])}; " + ("i++" if self.step == 1 else f"i += {self.step}") + beside
        kind = "int" if self.whole else "float"
        declared = "".join(f"    {kind} {s} = {i + 2};\n" for i, s in enumerate(self.scalars))
        results = " + ".join(["0"] + [f"{i + 3} * {s}" for i, s in enumerate(self.scalars)] + ([] if inside else ["i"]))
        return (f"static double f{number}(int n, int k, {kind} x, float *p, double *q) {{\n{declared}"
                f"{'' if inside else '    int i;' + chr(10)}    (void)k, (void)x, (void)p, (void)q;\n"
                f"    for ({'int ' if inside else ''}{head}) {{ {body} }}\n    goto out;\nout:\n    return {results};\n}}\n")


def program(rng, count, several):
    text = HEAD + "".join(Loop(rng, several).text(q) for q in range(count)) + "int main(void) {\n"
    for q in range(count):
        n = rng.choice([LENGTH - 10, LENGTH - 11, rng.randrange(20000, LENGTH - 10), rng.randrange(10, 3000)])
        p, d = rng.choice(["F", "G + 1", "H", "F + 2"]), rng.choice(["D", "E", "E + 1"])
        sums = " ^ ".join(f"bits({a}, sizeof {a}) * {2 * i + 1}" for i, a in enumerate("FGHDEIJKP"))
        text += f"    fill({rng.randrange(1 << 30)}UL);\n    {{ double r = f{q}({n}, {rng.choice([5, 7])}, 3, {p}, {d}); " \
                f"printf(\"f{q} %a %lx\\n\", r, {sums}); }}\n"
    return text + "}\n"


def check(bin, seed, count, keep, threads, several):
    """Returns (functions that were transformed, in which ways, what is wrong or None)."""
    with tempfile.TemporaryDirectory() as room:
        folder = pathlib.Path(room)
        (folder / "lines.c").write_text(program(random.Random(seed), count, several))
        new, parts, chosen = nests.transformed_text(bin, room, "lines.c", "static double f", "tile_")
        ways = collections.Counter(next(w for w in WAYS if WAYS[w] in parts[q]) for q in chosen)
        (folder / "new.c").write_text(new)
        problem = nests.judge(bin, room, "lines.c", "new.c", threads)
        if problem and keep:
            nests.save(keep, seed, room, ("lines.c", "new.c"))
    return len(chosen), ways, problem


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bin", help="folder of orrery")
    parser.add_argument("first", type=int, help="first seed")
    parser.add_argument("seeds", type=int, help="how many programs")
    parser.add_argument("loops", type=int, help="loops of each")
    parser.add_argument("--keep", help="folder for programs that differ")
    parser.add_argument("--threads-every", type=int, default=1, help="one program of so many is built with threads, too")
    parser.add_argument("--several", action="store_true", help="only loops that may run as several")
    asked = parser.parse_args()
    bin = str(pathlib.Path(asked.bin).resolve())
    transformed = wrong = 0
    all_ways = collections.Counter()
    for seed in range(asked.first, asked.first + asked.seeds):
        changed, ways, problem = check(bin, seed, asked.loops, asked.keep, seed % asked.threads_every == 0, asked.several)
        transformed += changed
        all_ways.update(ways)
        if problem:
            wrong += 1
            print(f"seed {seed}: {problem}", flush=True)
    said = "".join(f", {all_ways[way]} in {way}" for way in WAYS)
    print(f"{asked.seeds * asked.loops} loops, {transformed} transformed{said}, {wrong} programs wrong")
    return 1 if wrong or not transformed else 0


if __name__ == "__main__":
    sys.exit(main())
