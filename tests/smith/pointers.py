#!/usr/bin/env python3
"""Random loops over pointers and tables of rows that may be equal, or overlap: gcc's bits."""

import sys

import nests

SIZE, ROWS, COLUMNS = 5000, 60, 70

HEAD = """#include <stdio.h>
enum { S = %d, R = %d, C = %d };
static double M[3][S];
static double rows[4][R][C], *tables[4][R];
static void fill(unsigned long r) {
    for (int i = 0; i < 3 * S; i++) r = r * 6364136223846793005UL + 1442695040888963407UL, M[i / S][i %% S] = (double)(r >> 40) / 4096;
    for (int i = 0; i < 4 * R; i++) {
        tables[i / R][i %% R] = rows[i / R][i %% R];
        for (int j = 0; j < C; j++) r = r * 6364136223846793005UL + 1, rows[i / R][i %% R][j] = (double)(r >> 44) / 64 - 9;
    }
}
static unsigned long bits(void) {
    unsigned long sum = 1469598103934665603UL;
    for (const unsigned char *at = (void *)M; at < (const unsigned char *)M + sizeof M; at++) sum = (sum ^ *at) * 1099511628211UL;
    for (const unsigned char *at = (void *)rows; at < (const unsigned char *)rows + sizeof rows; at++) sum = (sum ^ *at) * 1099511628211UL;
    return sum;
}
""" % (SIZE, ROWS, COLUMNS)


class Loop:
    """A loop that writes one or two of its pointers' arrays, mostly where it reads the others."""

    def __init__(self, rng):
        self.rng = rng
        self.table = rng.random() < 0.4
        self.names = rng.sample("abcv", rng.choice([2, 3, 3, 4]))
        self.written = self.names[:rng.choice([1, 1, 1, 2])]
        self.const = [n for n in self.names if n not in self.written and not self.table and rng.random() < 0.4]

    def place(self, name, write):
        shifts = [0] * 12 + [1, -1] if not write else [0] * 30 + [1]
        i = self.rng.choice(shifts)
        own = f"[i + {i}]" if i > 0 else f"[i - {-i}]" if i < 0 else "[i]"
        return name + own + ("[j]" if self.table else "")

    def value(self):
        parts = [self.rng.choice([self.place(self.rng.choice(self.names), False)] * 4 + ["x.v", "i", "t"]) for _ in range(self.rng.choice([1, 2, 3]))]
        return " + ".join(f"{part} * {self.rng.choice(['.5', '.25', '1.5'])}" for part in parts)

    def statement(self):
        to = self.place(self.rng.choice(self.written), True)
        text = f"{to} {self.rng.choice(['=', '=', '+='])} {self.value()};"
        return f"if ({self.value()} > 3) {{ {text} }}" if self.rng.random() < 0.15 else text

    def text(self, number):
        kind = "double **" if self.table else "double *"
        params = ", ".join(("const " if n in self.const else "") + kind + n for n in sorted(self.names))
        hidden = self.rng.choice(self.names)
        inner = "for (int j = 0; j < C; j++) " if self.table else ""
        body = " ".join(self.statement() for _ in range(self.rng.choice([1, 1, 2])))
        if self.rng.random() < 0.1:
            body += f" {{ double {hidden} = i; t += {hidden} * 0; }}"
        return (f"static int f{number}(int n, struct x x, {params}) {{\n    for (int i = 1; i < n; i++) {{ "
                f"double t = i * .125; {inner}{{ {body} }} (void)t; (void)x; }}\n    return n;\n}}\n")

    def call(self, number):
        def pointer():
            return f"tables[{self.rng.randrange(4)}]" if self.table else self.rng.choice(["M[0]", "M[1]", "M[2]", "M[0] + 1", "M[1] + 9"])
        chosen = [pointer() for _ in self.names]
        if self.rng.random() < 0.6:
            chosen[self.rng.randrange(len(chosen))] = chosen[self.rng.randrange(len(chosen))]
        count = ROWS - 1 if self.table else self.rng.choice([SIZE - 30, SIZE // 2, 40])
        return f"    {{ const struct x x = {{.v = 2}}; (void)f{number}({count}, x, {', '.join(chosen)}); }}\n"


def program(rng, count):
    loops = [Loop(rng) for _ in range(count)]
    text = HEAD + "struct x { double v; };\n" + "".join(loop.text(q) for q, loop in enumerate(loops)) + "int main(void) {\n"
    for q, loop in enumerate(loops):
        text += f"    fill({rng.randrange(1 << 30)}UL);\n" + "".join(loop.call(q) for _ in range(5)) + f'    printf("f{q} %lx\\n", bits());\n'
    return text + "}\n"


if __name__ == "__main__":
    sys.exit(nests.soak(__doc__, "loops", "with a text for equal pointers", "pointers.c", "(const void *)", program))
