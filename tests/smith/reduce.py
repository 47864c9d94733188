#!/usr/bin/env python3
"""Makes a random nest smaller, statement by statement, as long as it stays what it is: unsound, or
kept serial for the same reason.

usage: reduce.py BIN SEED NESTS NAME   (as analyze.py prints them: seed SEED: UNSOUND NAME)
"""

import sys
import tempfile

from smith import program, record
from smith.tools import Failure, Tools


def outcome(tools, head, nest, name, calls):
    """What the nest is now; None when it is no C text any more."""
    try:
        output, skipped, loops = record.record(tools, head + nest + [""] + program.main_text(calls), [name])
    except Failure:
        return None
    if skipped or not loops:
        return None
    unsound = any(line.startswith("UNSOUND") for line in output)
    return "unsound" if unsound else loops[0]["reasons"][0]["code"]


def block_end(lines, start):
    """Behind the statement that begins in a line, whole blocks at once; None when it is no statement."""
    depth = 0
    for at in range(start, len(lines)):
        depth += lines[at].count("{") - lines[at].count("}")
        if depth < 0:
            return None
        if depth == 0:
            return at + 1
    return None


def reduce(nest, still):
    changed = True
    while changed:
        changed = False
        for start in range(len(nest) - 1, 0, -1):
            end = block_end(nest, start) if start < len(nest) else None
            if end and "smith_" not in nest[start] and "return" not in nest[start] and "pragma" not in nest[start] and still(nest[:start] + nest[end:]):
                nest, changed = nest[:start] + nest[end:], True
    return nest


def main():
    _, binaries, seed, count, name = sys.argv
    wanted = next(one for one in program.functions(int(seed), int(count)) if one.function == name)
    nest, head = wanted.text(static=wanted.percent(60)), program.head()
    calls = [(name, [wanted.call(sizes) for sizes in program.SIZES + program.MORE_SIZES])]
    with tempfile.TemporaryDirectory() as work:
        tools = Tools(binaries, work)
        first = outcome(tools, head, nest, name, calls)
        nest = reduce(nest, lambda less: outcome(tools, head, less, name, calls) == first)
    print(f"/* {first} */\n" + program.plain(nest))


if __name__ == "__main__":
    sys.exit(main())
