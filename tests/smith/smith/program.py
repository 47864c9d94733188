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

# More in the same ranges, and larger ones, which tell of nothing where they take a nest out of bounds.
MORE_SIZES = ["23, 9, 3", "20, 8, 4", "19, 10, 3", "45, 10, 4", "60, 14, 2", "38, 6, 3", "61, 5, 5", "47, 12, 6"]

# Those of both that are in the ranges of nest.py, by number.
IN_RANGE = [0, 1, 2, 3, 4]

# And with a larger n only: a larger m or K has parts of scratch arrays read that nothing has set.
MAY_RUN = [*IN_RANGE, 5, 7]


def functions(seed, count, kinds=None):
    chance = random.Random(seed)
    names = kinds or list(CLASSES)
    shares = [CLASSES[one]["share"] for one in names]
    for index in range(count):
        kind = chance.choices(names, shares)[0]
        yield Function(seed * 1000003 + index, index, kind)


def head():
    return ["/* Made by tests/smith: do not edit. */", '@#include "recorder.h"', '@#include "claims.h"',
            "#include <assert.h>", *pool.text().split("\n")]


class Program:
    """
    Nests of one seed. texts: lines of each nest by its name; calls: what main calls it with, one per size of
    SIZES and MORE_SIZES; auto: no loop is marked.
    """

    def __init__(self, nests, auto=False):
        self.auto = auto
        self.texts = {nest.function: unmarked(nest.text(static=nest.percent(60)), auto) for nest in nests}
        self.calls = {nest.function: [nest.call(sizes) for sizes in SIZES + MORE_SIZES] for nest in nests}
        self.names = list(self.texts)

    def only(self, name):
        """The same with one nest."""
        self.texts, self.calls, self.names = {name: self.texts[name]}, {name: self.calls[name]}, [name]
        return self

    def lines(self, names=None, runs=None):
        """The text; `names`: of these nests only; `runs`: which sizes the plain form has, by name."""
        names = self.names if names is None else names
        lines = head()
        for name in names:
            lines += self.texts[name] + [""]
        plain_runs = {name: IN_RANGE if runs is None else runs[name] for name in names}
        return lines + main_text({name: self.calls[name] for name in names}, plain_runs)


def unmarked(lines, auto):
    return [line for line in lines if not (auto and line.startswith("#pragma orrery"))]


def program(seed, count, kinds=None, auto=False):
    return Program(list(functions(seed, count, kinds)), auto)


def some_runs(inside, seed):
    """Of the sizes that a nest may run with: the first two and the large ones, and one of the others."""
    other = random.Random(seed).choice(IN_RANGE[2:])
    return {name: [one for one in which if one in MAY_RUN and (one not in IN_RANGE[2:] or one == other)] for name, which in inside.items()}


def main_text(calls, runs):
    """Arguments of the program: names of nests to leave out. `runs`: sizes of the plain form, by nest."""
    lines = ["static int left_out(const char *name, int argc, char **argv) {",
             "    for (int i = 1; i < argc; ++i)",
             "        if (strcmp(argv[i], name) == 0) return 1;",
             "    return 0;", "}", "",
             "!static void show(const char *name, int run, unsigned result) {",
             '!    printf("%s %d.%08x %08x\\n", name, run, result, digest());',
             "!    fflush(stdout);",
             "!}", "", "int main(int argc, char **argv) {"]
    lines += ["@    for (unsigned long i = 0; i < sizeof pool_table / sizeof *pool_table; ++i)",
              "@        smith_name(pool_table[i].name, pool_table[i].at, pool_table[i].size);",
              *[f'@    smith_name("{one}", &{one}, sizeof {one});' for one in ("tab", "tab2", "tabi", "model")],
              "@    smith_names_keep();"]
    for name, texts in calls.items():
        lines.append(f'    if (!left_out("{name}", argc, argv)) {{')
        for which, text in enumerate(texts):
            fill = f"fill({which + 1}u, {(SIZES + MORE_SIZES)[which].split(',')[0]});"
            lines.append(f"@        {fill} smith_run({text});")
            if which in runs[name]:
                lines.append(f'!        {fill} show("{name}", {which}, {text});')
        lines.append("    }")
    return lines + ["@    return smith_totals();", "    return 0;", "}"]


def plain(lines):
    text = "\n".join(line.removeprefix("!") for line in lines if not line.startswith("@")) + "\n"
    return re.sub(f"{CHECK}|{CHECK_SIZE}[0-9]+{CHECK_END}", "", text)


def recorded(lines):
    text = "\n".join(line.removeprefix("@") for line in lines if not line.startswith("!")) + "\n"
    return text.replace(CHECK, "smith_inside((").replace(CHECK_SIZE, "), ").replace(CHECK_END, ")")
