#!/usr/bin/env python3
"""Makes a random nest smaller, statement by statement, as long as it stays what it is: unsound, or
kept serial for the same reason; or with --wrong: with other results than the serial program's.

usage: reduce.py BIN SEED NESTS NAME [--auto] [--wrong] [--class KIND]...   (as soak.py prints them: seed SEED: UNSOUND NAME)
"""

import argparse
import tempfile

from smith import program, record, results
from smith.tools import Failure, Tools


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("bin")
    parser.add_argument("seed", type=int)
    parser.add_argument("nests", type=int)
    parser.add_argument("name")
    parser.add_argument("--auto", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--class", dest="kinds", action="append")
    return parser.parse_args()


def is_wrong(tools, made, seed):
    """Whether the built nest has other results; None when it is no C text any more."""
    source = tools.work / "plain.c"
    source.write_text(program.plain(made.lines()))
    try:
        loops = tools.analyze(source, *(["--all"] if made.auto else []))
        found, _ = results.check(tools, made, record.nest_loops(loops, set(made.names)), seed, runs=made.inside)
    except Failure:
        return None
    return "wrong" if found else "right"


def outcome(tools, made):
    """What the nest is now; None when it is no C text any more."""
    try:
        output, skipped, loops = record.record(tools, made)
    except Failure:
        return None
    made.inside = record.sizes_inside(output, made.names)
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
    args = arguments()
    made = program.program(args.seed, args.nests, args.kinds, args.auto).only(args.name)
    with tempfile.TemporaryDirectory() as work:
        tools = Tools(args.bin, work)
        outcome(tools, made)

        def state(nest):
            made.texts[args.name] = nest
            return is_wrong(tools, made, args.seed) if args.wrong else outcome(tools, made)

        nest = made.texts[args.name]
        first = state(nest)
        nest = reduce(nest, lambda less: state(less) == first)
    print(f"/* {first} */\n" + program.plain(nest))


if __name__ == "__main__":
    main()
