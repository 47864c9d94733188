"""Builds programs of the poison adversary and runs them."""

import os
import re

from .poison_program import RUNS, renamed
from .tools import HERE, Failure, run

COPIES = ["the traced copy", "the serial copy", "the tested copy"]
LATE = 98

# What a device says that it does not run: what was asked for and not obtained is an error there.
REFUSED = re.compile(r"which the device needs a copy of, is not known")
# What a run rightly refuses without a serial loop to fall back to: nests share a pool of memory, and some of their keys wrap.
RIGHTLY = re.compile(r"share memory, as far as their sizes are known|the size of .*, which every row of the grid needs a copy of, is not known|"
                     r"<= 4294967296UL is false")
BROKEN = "BROKEN"


class Way:
    """How a program is built and run. ranks: by `orrery run`; threads: how many in turn."""

    def __init__(self, name, options, threads=(1, 2, 3), ranks=0):
        self.name, self.options, self.threads, self.ranks = name, options, threads, ranks


AUTO = Way("auto", ["-auto", "-DORRERY_SHORT_LOOPS", "-allow-fallback"])
MARKED = Way("marked", ["-allow-fallback"])
STRICT = Way("strict", [])
RANKS = Way("ranks", ["-auto", "-DORRERY_SHORT_LOOPS", "-allow-fallback"], threads=(1,), ranks=2)
MARKED_RANKS = Way("ranks", ["-allow-fallback"], threads=(1,), ranks=2)
GPU = Way("gpu", ["-target", "gpu-shim", "-allow-fallback"], threads=(2,))


class Outcome:
    """
    What came of a program. wrong: (nest, what) pairs; poisoned: by nest the set of "AREA.CELL" that were poisoned
    in a run that came to its end; empty: nests of which a run without iterations had wild pointers; planned,
    executed: nests that a plan was made of, and that ran by it.
    """

    def __init__(self):
        self.wrong, self.broken = [], []
        self.poisoned, self.empty = {}, set()
        self.planned, self.executed = set(), set()


def where(text):
    """Nests by the first line that has their name: that of their function, or of what they bring along."""
    found = {}
    for number, line in enumerate(text.split("\n"), 1):
        for name in re.findall(r"\b(n\d+)[_(]", line):
            found.setdefault(name, number)
    return sorted((number, name) for name, number in found.items())


def nest_at(begins, number):
    before = [name for at, name in begins if at <= number]
    return before[-1] if before else None


class Build:
    """One program in the folder of the tools."""

    def __init__(self, tools, made, way, host="-O1"):
        self.tools, self.made, self.way, self.host = tools, made, way, host
        self.outcome = Outcome()
        self.source, self.binary = tools.work / "nests.c", tools.work / "poisoned"
        self.begins = []

    def object(self, name):
        return self.tools.work / f"{name}.o"

    # ---- building ----

    def write(self, names):
        text = self.made.source(names)
        self.source.write_text(text)
        self.begins = where(text)
        (self.tools.work / "main.c").write_text(self.made.main(names))
        for prefix in ("traced_", "serial_"):
            (self.tools.work / f"{prefix}names.h").write_text(renamed(names, prefix))

    def harness(self):
        made = self.object("harness")
        if not made.exists():
            run(["cc", "-O2", "-I", HERE, "-c", HERE / "poison.c", "-o", made])
        return made

    def copies(self):
        work = self.tools.work
        for prefix, options in (("traced_", ["-O0", "-fsanitize=thread"]), ("serial_", ["-O1"])):
            run(["cc", "-w", "-ffp-contract=off", *options, "-include", work / f"{prefix}names.h", "-c", self.source, "-o", self.object(prefix)])
        run(["cc", "-w", "-O0", "-I", HERE, "-c", work / "main.c", "-o", self.object("main")])

    def tested(self):
        return run([self.tools.orrery_cc, self.host, "-w", "-Rorrery", *self.way.options, "-c", self.source, "-o", self.object("tested")],
                   timeout=600, check=False)

    def link(self):
        objects = [self.object(one) for one in ("main", "traced_", "serial_", "tested")]
        run([self.tools.orrery_cc, *self.way.options, *objects, self.harness(), "-lm", "-o", self.binary])

    def build(self, names):
        """The nests that are in the program: those that do not build are wrong, those that a GPU refuses left out."""
        while names:
            self.write(names)
            done = self.tested()
            if done.returncode == 0:
                self.outcome.planned = {nest_at(self.begins, int(at)) for at in re.findall(r"nests\.c:(\d+):\d+: remark: parallel", done.stderr)}
                self.copies()
                self.link()
                return names
            names = self.without(names, done.stderr)
        return names

    def without(self, names, errors):
        """The nests but those that the compiler's words are about."""
        blamed = {nest_at(self.begins, int(at)) for at in re.findall(r"nests\.c:(\d+):\d+: (?:fatal )?error", errors)} & set(names)
        if not blamed:
            raise Failure(f"the nests do not build: {errors[:1500]}")
        if self.way is not GPU:
            self.outcome.wrong += [(name, f"does not build: {errors[:400]}") for name in sorted(blamed)]
        return [name for name in names if name not in blamed]

    # ---- running ----

    def command(self, first, only):
        words = [self.binary, str(first)] + (["only"] if only else [])
        if self.way.ranks:
            words = [self.tools.orrery, "run", "-n", str(self.way.ranks), "--timeout", "200"] + words
        return words

    def environment(self, threads):
        given = {"ORRERY_THREADS": str(threads), "ORRERY_AUTO_US": "0", "ORRERY_STATS": "1"}
        if self.way.ranks:
            given["ORRERY_DEBUG"] = f"{os.environ.get('ORRERY_DEBUG', '')},serve=always"
        if self.way.ranks or self.way is GPU:
            given["POISON_HEAP"] = "1"
        return given

    def run(self, names, threads):
        """All nests, beginning anew behind one that ends the program."""
        first = 0
        while first < len(names):
            done = run(self.command(first, False), env=self.environment(threads), check=False, timeout=300)
            last = self.read(done.stdout, threads)
            self.read_statistics(done.stderr)
            if done.returncode == 0:
                return
            if last is None:
                raise Failure(f"the program ended with {done.returncode}: {done.stderr[-800:]}")
            name, number, copy = last
            first = names.index(name) + 1
            if REFUSED.search(done.stderr) or (self.way is STRICT and RIGHTLY.search(done.stderr)):
                continue
            what = "does not end" if done.returncode == LATE else f"ended with {done.returncode}: {words_of(done.stderr)}"
            self.complain(name, f"{self.way.name}, {threads} threads, run {number}: {COPIES[copy]} {what}", copy != 2)

    def complain(self, name, what, broken):
        (self.outcome.broken if broken else self.outcome.wrong).append((name, what))

    def read(self, text, threads):
        """What the program printed; (nest, run, copy) that it came to last."""
        last, poisoned = None, []
        for line in text.split("\n"):
            words = line.split()
            if line.startswith("> ") and len(words) == 4:
                last = words[1], int(words[2]), int(words[3])
            elif line.startswith("#"):
                poisoned = words[0:] if words[0] != "#" else words[1:]
            elif line.startswith("= ") and len(words) == 4:
                self.judge(words[1], int(words[2]), words[3], poisoned, threads)
        return last

    def judge(self, name, number, verdict, poisoned, threads):
        if verdict != "right":
            self.complain(name, f"{self.way.name}, {threads} threads, run {number}: other results than the serial copy"
                          if verdict == "WRONG" else f"run {number}: the serial copy differs from the traced one", verdict == BROKEN)
        names = {one.lstrip("#").split(":")[0] for one in poisoned}
        if number == RUNS - 1:
            if any(one.endswith(".*") for one in names):
                self.outcome.empty.add(name)
        else:
            self.outcome.poisoned.setdefault(name, set()).update(names)

    def read_statistics(self, text):
        for at, passes in re.findall(r"nests\.c:(\d+) [\w-]+ grid \S+ passes (\d+)", text):
            if int(passes) > 0:
                self.outcome.executed.add(nest_at(self.begins, int(at)))


def words_of(text):
    """What a program said when it ended."""
    lines = [line for line in text.split("\n") if "orrery: rank 0: " in line or "error" in line.lower() and "ORTE_ERROR" not in line]
    return " ".join(lines)[-400:]


def check(tools, made, way, names=None):
    one = Build(tools, made, way, "-O2" if made.seed // 2 % 2 else "-O1")
    names = one.build(list(made.nests) if names is None else names)
    for threads in way.threads if names else ():
        one.run(names, threads)
    return one.outcome
