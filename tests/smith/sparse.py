"""Random nests of rows (docs/transform.md) and their neighbours, judged against the serial program.

sparse.py BIN FIRST COUNT [KIND]: programs FIRST to FIRST + COUNT - 1, ten nests each (of one kind). Every nest is
marked and ordered, so that its results are the serial loop's in every bit. Prints how many became records.
"""
import os
import random
import subprocess
import sys
import tempfile

NESTS = 10
KINDS = ["ptr", "ptr", "ptr", "length", "backward", "jagged", "jagged", "linked", "nodes", "mark", "number", "while"]
MARKED = {"mark", "number", "while"}  # rows that end with a key below 0

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { int key; unsigned value; };
struct row { int count; struct entry *entries; };
static unsigned rest;
static int head[201], following[3600];
static struct node { int key; unsigned value; struct node *next; } nodes[3600], *lists[201];
static unsigned next(unsigned below) { rest = rest * 1103515245u + 12345u; return (rest >> 8) % below; }
static unsigned digest(const unsigned *a, int n) {
    unsigned h = 7;
    for (int i = 0; i < n; ++i) h = h * 31u + a[i];
    return h;
}
"""


class Header:
    """The inner loop's header `text`, what a row declares in front of it and its last statement, and the texts of the
    record's key and value. `outside`: its counter is declared in front of the nest."""
    def __init__(self, text, key, value, outside=False, declares="", step=""):
        self.text, self.key, self.value, self.outside, self.declares, self.step = text, key, value, outside, declares, step


def pointers(r, kind, low, high):
    """Through the row by a pointer."""
    name, first, end = ("const int *q", f"col + {low}", f"col + {high}") if kind != "jagged" else \
        (r.choice(["struct entry *q", "const struct entry *q"]), "rows[u].entries", "rows[u].entries + rows[u].count")
    key, value = ("q->key", "q->value") if kind == "jagged" else ("*q", "val[q - col]")
    relation = r.choice(["<", "!="]) if kind != "backward" else "<"
    shape = r.randrange(4)
    if kind == "jagged" and r.random() < .3:
        return Header(f"for ({name} = {end} - 1; q >= {first}; --q)", key, value)
    if shape == 0:
        return Header(f"for ({name} = {first}; q {relation} {end}; {r.choice(['++q', 'q++'])})", key, value)
    if shape == 1:
        last = r.choice([end, "q + rows[u].count"]) if kind == "jagged" else end
        return Header(f"for ({name} = {first}, *end = {last}; q {relation} end; q++)", key, value)
    if shape == 2:
        return Header("for (; q < end; ++q)", key, value, declares=f"{name} = {first}, *end = {end};")
    return Header(f"while (q {relation} {end})", key, value, declares=f"{name} = {first};", step=r.choice(["q++;", "++q;"]))


def along(r, kind, low, high, counter):
    """Two variables go through the row, or three."""
    if kind == "jagged":
        first, step = "const struct entry *e = rows[u].entries", r.choice(["e++;", "++e;"])
        text, declares = r.choice([("while (left-- > 0)", f"{first}; {counter} left = rows[u].count;"),
                                   ("while (p < rows[u].count)", f"{first}; {counter} p = 0;")])
        return Header(text, "e->key", "e->value", declares=declares, step=step + (" p++;" if "p" in text else ""))
    if r.random() < .4:
        return Header("while (c < end)", "j", "v", declares=f"const int *c = col + {low}, *end = col + {high}; "
                      f"const unsigned *w = val + {low}; int j; unsigned v;")
    if r.random() < .5:
        return Header(f"for ({counter} k = {high} - 1, p = {low}; k >= {low}; --k, ++p)", "col[p]", "(val[p] + (unsigned)k)")
    return Header(f"for ({counter} k = 0; k < {high} - {low}; ++k, ++p)", "col[p]", "val[p]", declares=f"{counter} p = {low};")


def header(r, kind, counter, index):
    if kind == "mark":
        declared = r.choice(["struct entry *q", "const struct entry *q", "q"])
        return Header(f"for ({declared} = rows[u].entries; q->key >= 0; ++q)", "q->key", "q->value")
    if kind == "while":
        return Header("while (q->key >= 0)", "q->key", "q->value", declares="struct entry *q = rows[u].entries;",
                      step=r.choice(["++q;", "q++;", "q += 1;"]))
    outside = r.random() < .25
    declare = "" if outside else f"{counter} "
    if kind == "number":
        return Header(f"for ({declare}p = 0; rows[u].entries[p].key >= 0; p++)", "rows[u].entries[p].key",
                      "rows[u].entries[p].value", outside)
    if kind == "linked":
        ends = r.choice(["p >= 0", "p != -1", "p > -1"])
        if r.random() < .4:
            return Header(f"while ({ends})", "col[p]", "val[p]", declares="int p = head[u];", step="p = following[p];")
        return Header(f"for ({declare}p = head[u]; {ends}; p = following[p])", "col[p]", "val[p]", outside)
    if kind == "nodes":
        name, ends = r.choice(["struct node *q", "const struct node *q"]), r.choice(["q", "q != NULL", "q != 0"])
        if r.random() < .4:
            return Header(f"while ({ends})", "q->key", "q->value", declares=f"{name} = lists[u];", step="q = q->next;")
        return Header(f"for ({name} = lists[u]; {ends}; q = q->next)", "q->key", "q->value")
    low, high = {"ptr": ("ptr[u]", "ptr[u + 1]"), "length": ("ptr[u]", "ptr[u] + len[u]"),
                 "backward": ("ptr[u + 1]", "ptr[u]"), "jagged": ("0", "rows[u].count")}[kind]
    form = r.choice(["up"] * 4 + ["pointer", "pointer", "!=", "<=", "down", "while", "taken", "behind", "moves", "stride", "along", "along"])
    if form == "pointer":
        return pointers(r, kind, low, high)
    key, value = ("rows[u].entries[p].key", "rows[u].entries[p].value") if kind == "jagged" else ("col[p]", "val[p]")
    step = r.choice(["++p", "p++", "p += 1"])
    signed = kind == "jagged" or not index.startswith("unsigned")  # else the end minus 1 may be the greatest number
    text, declares, last = f"for ({declare}p = {low}; p < {high}; {step})", "", ""
    if form == "!=" and kind != "backward":
        text = f"for ({declare}p = {low}; p != {high}; {step})"
    elif form == "<=" and signed:
        text = f"for ({declare}p = {low}; {r.choice([f'p <= {high} - 1', f'{high} > p', f'p + 1 <= {high}'])}; {step})"
    elif form == "down" and signed:
        text = f"for ({declare}p = {high} - 1; {r.choice([f'p >= {low}', f'p > {low} - 1'])}; {r.choice(['--p', 'p--', 'p -= 1'])})"
    elif form == "stride":
        text = text.replace(step + ")", r.choice(["p += 2)", "p = p + 3)", "p += 1 + (p & 1))"]))
    elif form == "along" and signed:
        return along(r, kind, low, high, counter)
    elif form == "moves" and kind == "jagged":
        text = f"for ({declare}p = {high}; {r.choice(['p-- > 0', '--p >= 0', 'p--'])};)"
    elif form in ("while", "taken"):
        outside, declares = False, f"{counter} p = {low};"
        text, last = f"while (p < {high})", f"{step};"
        if form == "taken" and kind != "jagged":
            declares, last = f"{counter} p = {low}; int j; unsigned v;", ""
            key, value = "j", "v"
    elif form == "behind":
        outside, declares, text = False, f"{counter} p = {low};", f"for (; p < {high}; {step})"
    return Header(text, key, value, outside, declares, last)


def body(r, h, kind):
    key, value = h.key, h.value
    lines = [] if key != "j" else ["j = *c++;", "v = *w++;"] if "*c" in h.declares else ["j = col[p];", "v = val[p++];"]
    if r.random() < .2:
        lines.append(f"if ({value} % 5u == 0) {'x0 = 1;' if h.step else 'continue;'}")
    if r.random() < .07:
        lines.append(f"if ({value} % 97u == 0) break;")
    lines.append(f"unsigned x = X[u] * 3u + Y[{key}] + {value};")
    lines.append(r.choice(["X[u] = x;", "X[u] += x ^ (x >> 3);", "if (x & 1) X[u] = x;"]))
    lines.append(r.choice([f"Y[{key}] = Y[{key}] * 5u + x;", f"Y[{key}] ^= x + 1u;"]))
    if r.random() < .3:
        lines.append("sum += x;")
    if r.random() < .4:
        lines.append(r.choice(["E[u] += x;", "E[u] ^= x; x += E[u];", "x += N[u];", "x ^= t;"]))
    if r.random() < .1 and "!=" not in h.text:  # which would go on behind its end
        lines.append(r.choice(["if (u < 40 && x % 7u == 0) ptr[u + 1] = ptr[u];", "len[u] = 0;",
                               "rows[u].count = 1;"]))
    if kind == "linked" and r.random() < .1:
        lines.append(r.choice(["if (x % 5u == 0) following[p] = -1;", "head[u] = -1;", "if (u + 1 < n) head[u + 1] = p;"]))
    if kind == "nodes" and r.random() < .2:
        lines.append(r.choice(["lists[u]->value += 3u;", "nodes[u].value ^= x;", "nodes[u].next = NULL;", "lists[u / 2] = NULL;"]))
    if kind in MARKED and r.random() < .08:
        lines.append(r.choice(["rows[u].entries[1].key = -1;", "if (rows[u / 2].count > 0) rows[u / 2].entries->key = 7;",
                               "if (u + 1 < n) rows[u + 1].entries = rows[u].entries;"]))
    return lines


def twice(r, inner, key, value, index):
    """A product over the row, and a change of it under a condition that the product decides."""
    first = [f"x0 += Y[{key}] * {value};"]
    if r.random() < .3:
        first.insert(r.randrange(2), r.choice(["if (x0 % 5u == 1) continue;", "if (x0 % 9u == 1) break;", "++x0;"]))
    if r.random() < .15:
        first = [f"if ({value} & 1) {first[-1]}"]
    shorter = inner if "unsigned" in index else inner.replace("p < ptr[u + 1]", "p < ptr[u + 1] - 1")  # not 0u - 1
    inner = r.choice([inner] * 3 + [shorter])
    return first + ["}", f"if (x0 % {r.choice([2, 3])}u) {inner} {{", f"Y[{key}] = Y[{key}] * 5u + x0;"]


FRONT = ["E[u] = 0;", "E[u] = B[u] + X[u];", "X[u] += 1u;", "for (int k = 0; k < 3; ++k) E[u] += (unsigned)k ^ B[u];",
         "if (B[u] & 1) E[u] = N[u]; else N[u] = 3u;", "total += B[u];", "E[n - 1 - u] += 2u;", "t = B[u];",
         "E[u] = Y[u % 50];", "Y[u % 50] ^= 1u;", "if (B[u] & 1) continue;", "len[u] += 1;", "X[u + 1] ^= X[u];"]
BEHIND = ["N[u] = E[u] ^ X[u];", "X[u] += 5u;", "N[u] = N[u] * N[u] + 1u;", "total = total * 3u + X[u];", "{ unsigned k = E[u]; E[u] = k ^ 9u; }",
          "N[u] = Y[u % 50];", "Y[u % 50] += 1u;", "if (X[u] % 91u == 0) break;", "B[u] ^= X[u];", "E[u / 2] += X[u];", "t ^= E[u];",
          "for (int k = 0; k < 2; ++k) N[u] += E[u];"]


SKIPS = ["if (u % 5 == 1) continue;", "if (ptr[u] == ptr[u + 1]) continue;", "if (B[u] % 4u == 1) { continue; }",
         "if (X[u] % 7u == 3) continue;", "if (E[u] & 1) continue;"]
SETS = ["s += x;", "s = s * 3u + x; x ^= s;", "s++, X[u] += s;", "if (x & 2) s ^= x;", "B[u] += s++;", "s = x;"]
NUMBERS = ["unsigned s = 0;", "unsigned s = B[u];", "unsigned s = X[u] + 1u, was = s; X[u] ^= was;", "unsigned s; s = N[u];"]


def numbers(r, lines):
    """A number that the row sets while it runs, and a skip: the declarations, and what stands behind."""
    declared = [r.choice(NUMBERS)]
    lines.extend(r.choice(SETS) for _ in range(r.randrange(1, 3)))
    declared.extend(r.choice(SKIPS) for _ in range(r.randrange(2)))
    return declared, r.choice(["", "N[u] ^= s;", "if (s % 3u) N[u] += s;", "total += s;", "X[u] += s;"])


def around(r, statements):
    """Statements of the row: mostly none, else one or two, those at the head more often."""
    count = r.choice([0, 0, 1, 1, 2])
    return " ".join(statements[min(r.randrange(len(statements)), r.randrange(len(statements)))] for _ in range(count))


def nest(r, number, kinds):
    kind = r.choice(kinds)
    index = r.choice(["int", "int", "long", "unsigned", "unsigned long"])
    counter = r.choice(["int", "int", "long"])
    h = header(r, kind, counter, index)
    outside, inner, key, value = h.outside, h.text, h.key, h.value
    outer_out = r.random() < .25
    alias = r.choice(["B"] * 12 + ["X", "Y"])
    values = []
    if r.random() < .4:
        values.append(r.choice(["unsigned b = B[u];", "const unsigned b = X[u];",
                                "unsigned b = 3u * B[u], d = b; (void)d;", "unsigned *b = B + u;"]))
    lines = body(r, h, kind)
    if values:
        lines.insert(0, "X[u] += " + ("*b;" if "*b" in values[0] else "b;"))
    behind_number = ""
    if kind in ("ptr", "length", "jagged") and r.random() < .4:
        declared, behind_number = numbers(r, lines)
        values += declared
    if "= ptr[u];" in inner and "p < ptr[u + 1]" in inner and not outside and r.random() < .3:
        inner = inner.replace("= ptr[u];", "= ptr[u], end = ptr[u + 1];").replace("< ptr[u + 1]", "< end")
    row = r.random() < .6
    front, behind = (around(r, FRONT), around(r, BEHIND)) if row else ("", "")
    apart = "restrict " if r.random() < (.8 if row else .2) else ""
    if apart:
        alias = "B"
    text = f"static void nest{number}({index} *{apart}ptr, {index} *{apart}len, int *{apart}col, unsigned *{apart}val, " \
           f"struct row *{apart}rows, unsigned *{apart}X, unsigned *{apart}Y, unsigned *{apart}B, unsigned *{apart}E, " \
           f"unsigned *{apart}N, int n) {{\n" \
           f"    unsigned sum = 0, total = 1, t = 2;\n"
    text += f"    {counter} p = -1;\n" if outside else ""
    text += "    const struct entry *q;\n" if inner.startswith("for (q") else ""
    text += "    unsigned x0 = 0; (void)x0;\n" if h.step else ""
    text += "    int u = -1;\n" if outer_out else ""
    text += "#pragma orrery parallel\n"
    outer = r.choice(["u = 0; u < n; ++u"] * 5 + ["u = n - 1; u >= 0; --u", "u = 0; u <= n - 1; u++", "u = 0; u != n; u++"])
    text += f"    for ({'' if outer_out else 'int '}{outer}) {{{' /* around */' if front + behind else ''}\n        {front}\n"
    again = inner.replace("for (q", "for (const struct entry *q").replace("for (struct", "for (const struct")
    text += f"        {h.declares}\n" if h.declares else ""
    text += "".join(f"        {v}\n" for v in values)
    if kind == "mark" and r.random() < .3:
        text += f"        {again} N[u] ^= q->value;\n"
    if not h.declares and r.random() < .2:
        text += "        unsigned x0 = X[u];\n"
        lines = twice(r, inner, key, value, index)
    guard = r.choice(["if (ptr[u] < ptr[u + 1])", "if (rows[u].count > 0)", "if (B[u] % 3u)", "if (E[u] % 7u)"]) if r.random() < .15 else ""
    braces = guard and r.random() < .5
    text += f"        {guard} {'{' if braces else ''}{inner} {{\n"
    text += "".join(f"            {line}\n" for line in lines + [h.step]) + f"        }} {'}' if braces else ''}\n        {behind_number} {behind}\n    }}\n"
    text += f'    printf("{number} sum %u %u %u", sum, total, t);\n'
    text += '    printf(" p %ld", (long)p);\n' if outside else ""
    text += '    printf(" u %d", u);\n' if outer_out else ""
    text += '    printf(" %u %u %u %u %u\\n", digest(X, n), digest(Y, 50), digest(E, n), digest(N, n), digest(B, n));\n}\n'
    return text, index, alias, any(f" != {end}" in text for end in ("ptr", "col", "end"))


def call(r, number, index, alias, rises):
    shape = r.choice(["rising", "rising", "empty", "rising" if rises else "any"])
    step = {"rising": "next(9)", "empty": "(next(3) ? 0 : next(30))", "any": "next(9)"}[shape]
    jump = "ptr[i] = next(300);" if shape == "any" else ""
    return f"""    if (only < 0 || only == {number}) {{
        int n = {r.choice([0, 1, 60, 200])}, all = 9 * 400;
        rest = {r.randrange(1 << 30)}u;
        {index} *ptr = malloc((n + 1) * sizeof *ptr), *len = malloc((n + 1) * sizeof *len);
        int *col = malloc(all * sizeof *col);
        unsigned *val = malloc(all * sizeof *val), *X = malloc((n + 1) * sizeof *X);
        unsigned *Y = malloc((n + 50) * sizeof *Y), *B = malloc((n + 1) * sizeof *B);
        unsigned *E = calloc(n + 1, sizeof *E), *N = calloc(n + 1, sizeof *N);
        struct row *rows = malloc((n + 1) * sizeof *rows);
        struct entry *entries = malloc(all * sizeof *entries);
        for (int i = 0; i < all; ++i) {{
            col[i] = (int)next(50); val[i] = next(1000);
            entries[i].key = (int)next(50); entries[i].value = next(1000);
        }}
        ptr[0] = 0;
        for (int i = 0; i <= n; ++i) {{
            if (i) ptr[i] = ptr[i - 1] + {step};
            if (i && ptr[i] > 3500) ptr[i] = 3500;
            {jump}
            len[i] = next(5); rows[i].count = (int)next(6); rows[i].entries = entries + 9 * i;
            entries[9 * i + rows[i].count].key = -1;
            X[i] = next(100); B[i] = next(100);
        }}
        for (int i = 0; i < n + 50; ++i) Y[i] = next(100);
        for (int i = 0; i < n; ++i) {{ head[i] = -1; lists[i] = NULL; }}
        for (int i = 0; i < (n ? {r.choice([300, 1200])} : 0); ++i) {{
            int u = (int)next({r.choice(["n", "n", "(n + 3) / 4"])});
            following[i] = head[u];
            head[u] = i;
            nodes[i] = (struct node){{(int)next(50), next(1000), lists[u]}};
            lists[u] = nodes + i;
        }}
        for (int pass = 0; pass < 2; ++pass)
            nest{number}(ptr, len, col, val, rows, X, Y, {alias}, E, N, n);
    }}
"""


def program(seed, kinds):
    r = random.Random(seed)
    nests = [nest(r, i, kinds) for i in range(NESTS)]
    text = HEAD + "".join(n[0] for n in nests) + "int main(int argc, char **argv) {\n"
    text += "    int only = argc > 1 ? atoi(argv[1]) : -1;\n"
    text += "".join(call(r, i, *n[1:]) for i, n in enumerate(nests))
    return text + "    return 0;\n}\n"


def run(*command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment},
                          timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


def judge(build, folder, seed, kinds):
    """How many nests became records, how many of them with statements around; ends with a message where the results differ. Where a guard that
    fails ends the program, the nests are compared one by one."""
    source, ours, theirs = (os.path.join(folder, n) for n in ("rows.c", "ours", "theirs"))
    with open(source, "w", encoding="utf-8") as out:
        out.write(program(seed, kinds))
    for command in (("gcc", "-O1", "-w", source, "-o", theirs),
                    (f"{build}/orrery-cc", "-O1", "-w", "-Rorrery", source, "-o", ours)):
        status, _, said = run(*command)
        if status:
            sys.exit(f"sparse.py: program {seed}: {command[0]} fails:\n{said}")
    def compare(*only):
        """True: a guard ended it."""
        expected = run(theirs, *only)[1]
        for threads in ("1", "2", "4"):
            status, printed, errors = run(ours, *only, ORRERY_THREADS=threads)
            if status != 0 and "overlap" in errors and expected.startswith(printed):
                return True
            if status != 0 or printed != expected:
                sys.exit(f"sparse.py: program {seed}, {threads} threads: status {status}, {errors}\n"
                         f"expected\n{expected}got\n{printed}")
        return False

    stopped = compare() and sum(compare(str(i)) for i in range(NESTS))
    remarks = said.split("[ORR1703]")[1:]
    return len(remarks), sum("/* around */" in remark.split("\n")[1] for remark in remarks), stopped


def main():
    build, first, count, kinds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:] or KINDS
    records = splits = stops = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            found, split, stopped = judge(build, folder, seed, kinds)
            records += found
            splits += split
            stops += stopped
    print(f"{count * NESTS} nests, {records} of them records, {splits} with statements around the inner loop; {stops} ended by a guard")
    if records == 0:
        sys.exit("sparse.py: no nest became records")


main()
