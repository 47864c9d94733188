#!/usr/bin/env python3
"""Random nests in which one row or column is read everywhere, and written in one iteration: gcc's bits."""

import sys

import nests


def place(rng, loops, fixed):
    """A row's or column's number: mostly the loop's own, else one of the fixed ones."""
    return [rng.choice([name] * 3 + fixed) for name in loops]


def element(rng, array, subs):
    return array + "".join(f"[{sub}]" for sub in subs)


def statement(rng, loops, arrays, fixed):
    target = rng.choice(arrays)
    own = [rng.choice([name] * 12 + fixed) for name in loops]
    parts = [element(rng, target, own)]
    for _ in range(rng.randrange(1, 4)):
        parts.append(element(rng, rng.choice(arrays), place(rng, loops, fixed)))
    text = parts[0]
    for part in parts[1:]:
        text = f"({text} {rng.choice(['+', '-', '^', '*'])} {part})"
    if rng.random() < 0.3:
        text = f"{text} > 99 ? {text} : {rng.choice(parts)}"
    return f"{element(rng, target, own)} {rng.choice(['=', '=', '+='])} {text};"


def function(rng, number):
    loops = ["y", "x"]
    arrays = rng.sample("ABC", rng.choice([1, 1, 2]))
    fixed = rng.choice([["k"], ["k"], ["k + 1"], ["k - 2"], ["17"], ["k", "k + 1"], ["m"]])
    declared = rng.random() < 0.7
    heads = []
    for name in loops:
        lower = rng.choice(["0", "0", "2", "k"] + (["y"] if name == "x" else []))
        upper = rng.choice(["n", "n", "m", "n - 3"])
        relation = rng.choice(["<", "<", "<="]) if upper == "n - 3" else "<"
        heads.append(f"for ({'int ' if declared else ''}{name} = {lower}; {name} {relation} {upper}; {name}++)")
    inner = " ".join(statement(rng, loops, arrays, fixed) for _ in range(rng.choice([1, 1, 1, 2])))
    braces = rng.random() < 0.5 or inner.count(";") > 1
    inside = f"{heads[1]} {{ {inner} }}" if braces else f"{heads[1]} {inner}"
    if rng.random() < 0.2:
        inside = f"{{ {inside} {element(rng, arrays[0], [loops[0], '3'])} += 1; }}"
    around = rng.choice(["for (int t = 0; t < 2; t++) ", ""])
    return (f"static int f{number}(int n, int m, int k) {{\n    int y = 0, x = 0;\n    (void)m, (void)k, (void)x;\n"
            f"    {around}{heads[0]} {inside}\n    return y;\n}}\n")


def program(rng, count):
    text = nests.HEAD % (nests.SIZE, nests.WIDE) + "".join(function(rng, q) for q in range(count)) + "int main(void) {\n"
    for q in range(count):
        for k in rng.sample([2, 3, 5, 100, 333, 340], 3):
            fills = " ".join(f"fill((unsigned long *){a}, sizeof {a} / 8, {rng.randrange(1 << 30)});" for a in "ABC")
            sums = " ^ ".join(f"bits((unsigned long *){a}, sizeof {a} / 8) * {2 * i + 1}" for i, a in enumerate("ABC"))
            text += f'    {fills}\n    {{ int r = f{q}(Q - 8, Q - 14, {k}); printf("f{q} %d %lx\\n", r, {sums}); }}\n'
    return text + "}\n"


if __name__ == "__main__":
    sys.exit(nests.soak(__doc__, "nests", "in parts", "cuts.c", "; y += 1) {", program))
