"""A program of many nests: C text with the recorder's lines marked, and its two forms.

`@` begins a line that only the recording form has, `!` one that only the plain form has.
"""

import random

from . import pool
from .classes import CLASSES
from .function import Function

SIZES = ["24, 10, 4", "17, 7, 3"]


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
        calls.append((nest.function, [nest.call(sizes) for sizes in SIZES]))
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
            rows = SIZES[seed].split(",")[0]
            lines.append(f"        fill({seed + 1}u, {rows});")
            lines.append(f'        printf("{name} %08x", {run});')
            lines.append('        printf(" %08x\\n", digest());')
        lines.append("        fflush(stdout);")
        lines.append("    }")
    return lines + ["@    return smith_totals();", "    return 0;", "}"]


def plain(lines):
    return "\n".join(line.removeprefix("!") for line in lines if not line.startswith("@")) + "\n"


def recorded(lines):
    return "\n".join(line.removeprefix("@") for line in lines if not line.startswith("!")) + "\n"
