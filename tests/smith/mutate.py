#!/usr/bin/env python3
"""Mutations of loops that are known: those that mean the same keep every verdict, an added conflict
makes every marked loop serial, or leaves stages that keep its order.

usage: mutate.py BIN FILE.c ...
"""

import json
import os
import re
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from smith.tools import INCLUDE, Tools, run

WORDS = set("for while do if else switch case default return break continue goto sizeof struct union enum typedef static "
            "const restrict volatile int long short char unsigned signed float double void inline extern main".split())


def renamed(text):
    """Every local name of one or two letters gets a longer one; strings and directives stay."""
    names = {one for one in re.findall(r"\b(?:int|long|float|double|unsigned|char) \*?\s*([a-zA-Z]\w?)\b", text)} - WORDS
    fields = set(re.findall(r"(?:\.|->)\s*(\w+)", text))
    for one in names - fields:
        if not re.search(rf'["%]\w*{one}\b', text):
            text = re.sub(rf"\b{one}\b", f"{one}_renamed", text)
    return text


def pointed(text):
    """`a[i]` as `*(a + i)`, where it is a whole operand and no declaration."""
    return re.sub(r"(?<=[=+(] )([A-Za-z_]\w*)\[(\w+)\](?!\s*[\[.({]|\s*->)", r"(*(\1 + (\2)))", text)


def dotted(text):
    return re.sub(r"(?<![\w\])>.])([A-Za-z_]\w*)->(\w+)", r"(*\1).\2", text)


def through_a_macro(text):
    """The sums of the text written by a macro."""
    def wrapped(match):
        left, right = match.groups()
        return match.group() if right.count("(") != right.count(")") else f"{left} += SAME_({right});"

    changed = re.sub(r"([^\n;{}()]+?) \+= ([^;\n]+);", wrapped, text)
    return "#define SAME_(...) (__VA_ARGS__)\n" + changed


def in_braces(text):
    """An empty statement and a block more after every opened function."""
    return re.sub(r"(\n\w[^\n;]*\) \{\n)", r"\1    { ; }\n", text)


# Not seen yet: facts about `*(rows + i)` (CSR and other index arrays), only about `rows[i]`.
# Nor are claims whose text is another way to write what the body has, and variables that travel from stage to stage
# and are reached by `*(x + i)`. Called functions are not handed what they name in a macro (ORR1716).
NOT_YET = {"pointed": re.compile(r"injective|monotone|rows_|range_|stream\.c|pipeline_"),
           "dotted": re.compile(r"range_of_member"),
           "through_a_macro": re.compile(r"handed_|left_for_nobody")}

KEEPS = [renamed, pointed, dotted, through_a_macro, in_braces]


def with_conflict(text):
    """Every marked loop also chains its iterations through one variable."""
    lines, made = text.split("\n"), []
    waiting = False
    for line in lines:
        made.append(line)
        waiting = waiting or bool(re.match(r"\s*(#\s*pragma orrery parallel|ORRERY_PARALLEL\()", line))
        if waiting and re.match(r"\s*for \(.*\) \{\s*$", line):
            made.append("chain_ = chain_ * 3u + 1u;")
            waiting = False
    return "static unsigned chain_;\n" + "\n".join(made) if "chain_ =" in "\n".join(made) else None


def verdicts(tools, texts, folder):
    """Of each text its loops' verdicts and strategies, or what is wrong with it; all are asked about in one process."""
    paths = [tools.work / f"{number}.c" for number in range(len(texts))]
    for path, text in zip(paths, texts):
        path.write_text(text)
    done = run([tools.orrery, "analyze", "--format=json", "-I", folder, "-I", INCLUDE, *paths], check=False)
    answers = {one["file"]: one["loops"] for one in map(json.loads, done.stdout.splitlines())}
    wrong = set(re.findall(r"^(\S+?\.c):\d+:\d+: error: ", done.stderr, re.M))
    return [[(loop["verdict"], loop["strategy"]) for loop in answers[str(path)]]
            if str(path) in answers and str(path) not in wrong else done.stderr[-300:] for path in paths]


def mutations(path, text, turn):
    """
    Name and text of each that changes something and is expected to be seen; the last may be `with_conflict`. Of those that
    keep the meaning a file has three, by its turn among the others; MUTATIONS=all: each.
    """
    some = range(len(KEEPS)) if os.environ.get("MUTATIONS") == "all" else (0, 1, 3)
    for mutation in (KEEPS[(turn + step) % len(KEEPS)] for step in some):
        mutated = mutation(text)
        not_yet = NOT_YET.get(mutation.__name__)
        if mutated != text and not (not_yet and not_yet.search(path.name)):
            yield mutation.__name__, mutated
    mutated = with_conflict(text)
    if mutated:
        yield "with_conflict", mutated


def check(tools, paths):
    """What is wrong with files of one folder, one line each; how many mutations were tried."""
    made = [(path, name, text) for turn, path in enumerate(paths) for name, text in
            [("", path.read_text(encoding="utf-8")), *mutations(path, path.read_text(encoding="utf-8"), turn + len(paths[0].parent.name))]]
    wrong, expected = [], None
    for (path, name, _), got in zip(made, verdicts(tools, [text for _, _, text in made], paths[0].parent)):
        if not name:
            expected = got
        if isinstance(got, str) or not got:
            wrong.append(f"{path}: {name or 'as it is'}: {got or 'no loops'}")
        elif name == "with_conflict":
            if all(one[0] == "parallel" and one[1] != "pipeline" for one in got):
                wrong.append(f"{path}: still parallel with a conflict added")
        elif got != expected:
            wrong.append(f"{path}: {name}: {got} instead of {expected}")
    return wrong, len(made) - len(paths)


def main():
    wrong, tried = [], 0
    with tempfile.TemporaryDirectory() as work:
        tools = Tools(sys.argv[1], work)
        for _, paths in groupby(map(Path, sys.argv[2:]), lambda path: path.parent):
            more, count = check(tools, list(paths))
            wrong, tried = wrong + more, tried + count
    print("\n".join(wrong))
    print(f"{tried} mutations of {len(sys.argv) - 2} files, {len(wrong)} wrong")
    return 1 if wrong or tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
