"""Analysis mode: claims of `orrery analyze` against recorded accesses, many nests at a time."""

import re
from collections import Counter

from . import claims, program
from .tools import Failure, run


def broken_lines(errors, lines):
    """Functions in which the compiler objects to a dim or guard that is no C there."""
    found = set()
    for match in re.finditer(r"recorded\.c:(\d+):\d+: (?:error|note: expanded)", errors):
        at = int(match.group(1)) - 1
        while at >= 0 and "_claim claim_ =" not in lines[at]:
            at -= 1
        if at >= 0:
            found.add(re.search(r"CLAIM_(\w+)", lines[at]).group(1))
    return found


def record(tools, made, options=()):
    """Output lines of the recording run, and the names of loops that could not be judged."""
    return record_lines(tools, made.lines(), made.names, ["--all", *options] if made.auto else options)


def sizes_inside(output, names):
    """By nest: the numbers of the sizes with which no subscript left its array."""
    inside, seen = {name: [] for name in names}, Counter()
    for line in output:
        if line.startswith("LOOP"):
            _, name, way, _, _ = line.split()
            if way != "left":
                inside[name].append(seen[name])
            seen[name] += 1
    return inside


def nest_loops(loops, names):
    """Of all loops that were analyzed those that nests are made of."""
    return [one for one in loops if one["function"] in names and one["depth"] == 1]


def record_lines(tools, lines, names, options=()):
    plain, recorded, binary = tools.work / "plain.c", tools.work / "recorded.c", tools.work / "recorded"
    plain.write_text(program.plain(lines))
    text = program.recorded(lines)
    recorded.write_text(text)
    loops = nest_loops(tools.analyze(plain, *options), set(names))
    skipped = set()
    for _ in range(8):
        (tools.work / "claims.h").write_text(claims.header(loops, names, skipped))
        errors = tools.compile_recorded(recorded, binary)
        if not errors:
            break
        more = broken_lines(errors, text.split("\n"))
        if not more - skipped or len(skipped) > len(names) // 2:
            raise Failure("the recording program does not compile:\n" + errors[:1500])
        skipped |= more
    else:
        raise Failure("the recording program does not compile")
    done = run([binary], check=False, timeout=300)
    if done.returncode not in (0, 1):
        raise Failure(f"the recording program ended with {done.returncode}")
    return done.stdout.split("\n"), skipped, loops


class Tally:
    """
    What was found, by class. could: of the nests that met nothing in the way of running in parallel with any of
    the sizes and data sets; met: the same of the first two only, as it was measured at first.
    """

    def __init__(self):
        self.could, self.found, self.total = Counter(), Counter(), Counter()
        self.met_could, self.met_found = Counter(), Counter()
        self.unsound, self.skipped, self.stopped = [], Counter(), 0
        self.missed = Counter()
        self.missed_names = {}
        self.strategies = Counter()

    def add(self, output, skipped, loops, seed):
        reasons = {one["function"]: one["reasons"][0]["code"] for one in loops}
        could = {}
        for line in output:
            words = line.split()
            if line.startswith("UNSOUND"):
                self.unsound.append((seed, words[1].rstrip(":"), line))
            if not line.startswith("LOOP"):
                continue
            _, name, way, strategy, ran = words
            could.setdefault(name, []).append((way, strategy, ran))
        for name, runs in could.items():
            self.judge(name, runs, reasons.get(name, "none"), name in skipped, seed)

    def judge(self, name, runs, code, skipped, seed):
        kind = name.rsplit("_", 1)[0]
        self.total[kind] += 1
        strategy = runs[0][1]
        if skipped:
            self.skipped[kind] += 1
            return
        self.strategies[strategy] += 1
        first = runs[:len(program.SIZES)]
        if any(way == "left" for way, _, _ in first):
            raise Failure(f"{name} leaves an array")
        self.stopped += any(ran == "stopped" for _, _, ran in first) and strategy != "serial"
        if any(way == "serial" for way, _, _ in first):
            return
        self.met_could[kind] += 1
        self.met_found[kind] += strategy != "serial"
        if any(way == "serial" for way, _, _ in runs):
            return
        self.could[kind] += 1
        if strategy != "serial":
            self.found[kind] += 1
        else:
            self.missed[(kind, code, runs[0][0])] += 1
            self.missed_names.setdefault((kind, code, runs[0][0]), []).append(f"{seed}:{name}")
