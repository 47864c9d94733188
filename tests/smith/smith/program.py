"""A program of many nests: C text with the recorder's lines marked, and its two forms.

`@` begins a line that only the recording form has, `!` one that only the plain form has. The marks of
expr.py stand around subscripts.
"""

import random
import re

from . import pool
from .classes import CLASSES
from .expr import CHECK, CHECK_END, CHECK_SIZE
from .function import Function

# What the nests are called with, n, m, K: subscripts are in bounds because these are in the ranges of nest.py.
SIZES = ["24, 10, 4", "17, 7, 3"]

# What only the recording form is called with: more in the same ranges, and larger ones, which tell of nothing
# where they take a nest out of bounds.
MORE_SIZES = ["23, 9, 3", "20, 8, 4", "19, 10, 3", "45, 10, 4", "60, 14, 2", "38, 6, 3", "61, 5, 5", "47, 12, 6"]


def functions(seed, count, kinds=None):
    chance = random.Random(seed)
    names = kinds or list(CLASSES)
    shares = [CLASSES[one]["share"] for one in names]
    for index in range(count):
        kind = chance.choices(names, shares)[0]
        yield Function(seed * 1000003 + index, index, kind)


def head():
    return ["/* Made by tests/smith: do not edit. */", '@#include "recorder.h"', '@#include "claims.h"',
            *pool.text().split("\n")]


def program(seed, count, kinds=None):
    """(lines, names of the functions)."""
    nests = list(functions(seed, count, kinds))
    lines = head()
    calls = []
    for nest in nests:
        lines += nest.text(static=nest.percent(60)) + [""]
        calls.append((nest.function, [nest.call(sizes) for sizes in SIZES + MORE_SIZES]))
    return lines + main_text(calls), [name for name, _ in calls]


def main_text(calls):
    """Arguments of the program: names of nests to leave out."""
    lines = ["static int left_out(const char *name, int argc, char **argv) {",
             "    for (int i = 1; i < argc; ++i)",
             "        if (strcmp(argv[i], name) == 0) return 1;",
             "    return 0;", "}", "", "int main(int argc, char **argv) {"]
    lines += ["@    for (unsigned long i = 0; i < sizeof pool_table / sizeof *pool_table; ++i)",
              "@        smith_name(pool_table[i].name, pool_table[i].at, pool_table[i].size);",
              *[f'@    smith_name("{one}", &{one}, sizeof {one});' for one in ("tab", "tab2", "tabi", "model")],
              "@    smith_names_keep();"]
    for name, runs in calls:
        lines.append(f'    if (!left_out("{name}", argc, argv)) {{')
        for seed, run in enumerate(runs):
            rows = (SIZES + MORE_SIZES)[seed].split(",")[0]
            only = "" if seed < len(SIZES) else "@"
            lines.append(f"{only}        fill({seed + 1}u, {rows});")
            lines.append(f'{only}        printf("{name} %08x", {run});')
            lines.append(f'{only}        printf(" %08x\\n", digest());')
        lines.append("        fflush(stdout);")
        lines.append("    }")
    return lines + ["@    return smith_totals();", "    return 0;", "}"]


def plain(lines):
    text = "\n".join(line.removeprefix("!") for line in lines if not line.startswith("@")) + "\n"
    return re.sub(f"{CHECK}|{CHECK_SIZE}[0-9]+{CHECK_END}", "", text)


def recorded(lines):
    text = "\n".join(line.removeprefix("@") for line in lines if not line.startswith("!")) + "\n"
    return text.replace(CHECK, "smith_inside((").replace(CHECK_SIZE, "), ").replace(CHECK_END, ")")
