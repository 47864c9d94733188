"""Programs of the poison adversary: the nests, and main with their tables."""

from .poison_kinds import KINDS, plain
from .poison_nest import MOST, Nest

HEADS = ["for (int i = 0; i < n; i++) {"] * 8 + ["for (int i = n - 1; i >= 0; i--) {", "for (long i = 0; i < n; ++i) {", "for (int i = 0; i < n; i += 2) {", "for (int i = 1; i < n; i++) {"]

RUNS = 6

# The kind that is the only one in its nests.
ALONE = "key pairs"

# The kind whose keys a strict run may refuse: nobody knows ahead which iterations use them.
UNDECIDED = "written keys"


class Made:
    """Nests of one seed; marked: their loops carry the directive; strict: a check that fails ends the program. texts: the lines of each."""

    def __init__(self, seed, count, kinds=None, marked=False, strict=False):
        self.seed, self.marked = seed, marked
        self.nests, self.texts = {}, {}
        for number in range(count):
            one = nest(seed * 1000003 + number, number, kinds, marked, strict)
            self.nests[one.name], self.texts[one.name] = one, one.lines(marked)

    def source(self, names):
        """The text with the nests."""
        lines = []
        for name in names:
            lines += self.texts[name] + [""]
        return "\n".join(lines)

    def main(self, names):
        lines = ["#include <stddef.h>", '#include "poison.h"', ""]
        for name in names:
            lines += tables(self.nests[name])
        lines += ["static const struct poison_nest nests[] = {"]
        for name in names:
            one = self.nests[name]
            lines.append(f'    {{"{name}", areas_{name}, {len(one.areas)}, runs_{name}, {RUNS}, call_{name}}},')
        lines += ["};", "", "int main(int argc, char **argv) {", f"    return poison_main(argc, argv, nests, {len(names)});", "}", ""]
        return "\n".join(lines)


def nest(seed, number, kinds, marked, strict):
    """One nest; those that may run in any order have nothing else in them, and are marked."""
    one = Nest(seed, number)
    names = [name for name in kinds or KINDS if name != ALONE and not (strict and name == UNDECIDED)]
    if marked and (not names or kinds is None and one.percent(KINDS[ALONE][1])):
        KINDS[ALONE][0](one)
    else:
        for _ in range(one.pick(1, 1, 1, 2, 2, 3)):
            kind = one.chance.choices(names, [KINDS[name][1] for name in names])[0]
            KINDS[kind][0](one)
        if one.percent(25):
            plain(one)
    sizes(one)
    one.head, one.seed = one.chance.choice(HEADS), seed
    return one


def sizes(one):
    """What the runs of a nest are called with; the last one has no iteration."""
    one.params.insert(one.chance.randrange(len(one.params) + 1), ("int n", f"(int)numbers[{len(one.numbers)}]", "int"))
    one.numbers["n"] = [one.chance.randrange(40, MOST) for _ in range(RUNS - 1)] + [one.pick(0, 0, -3)]
    one.cuts = [one.pick(0, 0, 1, 2) for _ in range(RUNS)]
    one.wild = [one.pick(0, 0, 0, 1) for _ in range(RUNS - 1)] + [one.pick(1, 2)]


def tables(one):
    """What poison.h asks to know of one nest."""
    lines = [line for line in one.types]
    for text, area in one.globals:
        lines.append(f"{text};")
    for area in one.areas:
        cells = ", ".join(cell.table(area.struct, one.areas) for cell in area.cells)
        lines.append(f"static const struct poison_cell cells_{one.name}_{area.name}[] = {{{cells}}};")
    declared = {text.split()[-1].split("[")[0]: text for text, area in one.globals if area is None}
    lines.append(f"static const struct poison_area areas_{one.name}[] = {{")
    for area in one.areas:
        name = f"{one.name}_{area.name}"
        where = f"&{name}" if area.kind == "DECLARED" and name in declared else "NULL"
        lines.append(f'    {{"{area.name}", sizeof({area.ctype}), {area.count}, POISON_{area.kind}, {where}, cells_{name}, {len(area.cells)}, {area.tested}}},')
    lines += ["};", f"static const struct poison_run runs_{one.name}[] = {{"]
    for run in range(RUNS):
        numbers = ", ".join(str(values[run]) for values in one.numbers.values())
        lines.append(f"    {{{(one.seed * 7 + run) % 4294967291}u, {one.cuts[run]}, {one.wild[run]}, {{{numbers}}}}},")
    return lines + ["};", *call(one)]


def call(one):
    """The function that calls a copy of the nest."""
    name = one.name
    lines = [f"extern {one.prototype(copy + name)};" for copy in ("traced_", "serial_", "")]
    lines += [f"static void call_{name}(enum poison_copy copy, void **at, const long *numbers) {{"]
    lines += [f"    {text.split()[-1].lstrip('*')} = at[{area}];" for text, area in one.globals if area is not None]
    lines += [f"    {one.cast().replace('(*)', '(*const copies[])', 1)} = {{traced_{name}, serial_{name}, {name}}};"]
    lines += [f"    copies[copy]({', '.join(what for _, what, _ in one.params)});", "}", ""]
    return lines


def renamed(names, prefix):
    """What a copy of the nests is compiled behind."""
    return "".join(f"#define {name} {prefix}{name}\n" for name in names)
