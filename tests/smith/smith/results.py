"""Build mode: the parallel program against the serial one, bit for bit, nest by nest."""

import os
import re

from . import program
from .tools import INCLUDE, Failure, run

# Some loops are for the threads of one rank only, and say so.
NOT_FOR_RANKS = re.compile(r"plain\.c:(\d+):.*run it on one rank")
SERIALLY = re.compile(r":(\d+): runs serially: ")

# How the parallel program is run: threads, the grid of loops whose plan leaves it open, the seed of the keys' order.
SETTINGS = [(1, None, None), (2, None, None), (3, None, None), (4, None, None), (2, "3x5", None), (4, "5x2", None),
            (3, "7x7", "12")]

# gcc 12 from -O3 on, in plain programs, too: copies 16 bytes to `a + i * k` with an instruction for aligned addresses;
# exchanges two loops although `z[i + k]` of one is `z[i + j]` of the other (right with clang and with gcc -O2).
SOUND = {"cc": ["-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-loop-interchange"]}

# What builds the parallel program, by the seed: vector code believes what it is told of loops inside.
WAYS = [("clang-19", "-O0"), ("clang-19", "-O0"), ("cc", "-O1"), ("clang-19", "-O0"), ("clang-19", "-O0"), ("cc", "-O3"), ("clang-19", "-O0"),
        ("clang-19", "-O0"), ("cc", "-O1"), ("clang-19", "-O0"), ("clang-19", "-O0"), ("clang-19", "-O1")]

MOST_DEATHS = 20

# What is left of equal ones, and of the last, is a matter of the order that an unordered loop may choose.
FIRST_COME = ("argmin", "argmax", "last")


class Died(Failure):
    """A program that ended in the middle of a nest."""

    def __init__(self, nest, why):
        super().__init__(why)
        self.nest = nest


def outcomes(text):
    """Lines of a program's output by nest."""
    found = {}
    for line in text.split("\n"):
        words = line.split()
        if len(words) == 3:
            found.setdefault(words[0], []).append(line)
    return found


def flags():
    return ["-w", "-ffp-contract=off", "-I", INCLUDE]


def environment(threads, grid, seed, replay=None):
    given = {"ORRERY_THREADS": str(threads), "ORRERY_GRID": grid, "ORRERY_SEED": seed, "ORRERY_REPLAY": replay,
             "ORRERY_AUTO_US": "0", "ORRERY_DEBUG": f"{os.environ.get('ORRERY_DEBUG', '')},gpu_sums=serial"}
    return {name: value for name, value in given.items() if value}


def function_at(source, number):
    """The nest that a line of the plain text belongs to; None when it is of none."""
    lines = source.split("\n")
    for line in reversed(lines[:number]):
        found = re.match(r"(?:static )?unsigned (\w+)\(int n, int m, int K", line)
        if found or line.startswith("}"):
            return found and found[1]
    return None


def nest_under_way(names, output, left_out):
    """The nest in which a program ended, going by what it had printed."""
    done = set(outcomes(output))
    waiting = [name for name in names if name not in left_out]
    finished = [name for name in waiting if name in done]
    last = finished[-1] if finished else None
    after = waiting.index(last) + 1 if last else 0
    return [name for name in (last, waiting[after] if after < len(waiting) else None) if name]


class Build:
    """
    One program in its forms, in the folder of the tools. wrong: pairs of nest and what is wrong with it; alone:
    nests that ended the program or did not build, which the rest goes on without.
    """

    def __init__(self, tools, made, loops, runs=None, settings=None, gpu=False):
        self.tools, self.made, self.runs, self.gpu = tools, made, runs, gpu
        self.settings = settings or SETTINGS
        self.loops = {one["function"]: one for one in loops}
        self.wrong, self.alone = [], []
        self.source, self.serial = tools.work / "plain.c", tools.work / "serial"
        self.parallel = tools.work / "parallel"

    # ---- building ----

    def write(self, names):
        self.source.write_text(program.plain(self.made.lines(names, self.runs)))

    def build_parallel(self, way):
        host, level = way
        auto = ["-auto", "-DORRERY_SHORT_LOOPS"] if self.made.auto else ["-target", "gpu-shim"] if self.gpu else []
        return run([self.tools.orrery_cc, level, *SOUND.get(host, []), *auto, "-allow-fallback", *flags(), self.source, "-o", self.parallel], timeout=600,
                   env={"ORRERY_CC": host}, check=False)

    def fit_for_gpu(self, names):
        """Those that a kernel is made of; the others say that none is."""
        while names:
            self.write(names)
            done = run([self.tools.orrery, "emit", "-target", "gpu", "-allow-fallback", *flags()[2:], self.source, "-o", self.tools.work / "gpu.c"],
                       timeout=600, check=False)
            source = self.source.read_text()
            refused = {function_at(source, int(line)) for line in re.findall(r"plain\.c:(\d+):\d+: error: .*\[ORR", done.stderr)}
            if not refused & set(names):
                return names
            names = [name for name in names if name not in refused]
        return names

    def build(self, names, way):
        """Both programs; the nests that are in them."""
        names = self.fit_for_gpu(names) if self.gpu else names
        while names:
            self.write(names)
            done = self.build_parallel(way)
            if done.returncode == 0:
                run(["clang-19", "-O0", *flags(), self.source, "-o", self.serial])
                return names
            blamed = self.blamed(done.stderr, names)
            self.wrong += [(name, f"does not build: {done.stderr[:600]}") for name in blamed]
            self.alone += blamed
            names = [name for name in names if name not in blamed]
        return names

    def blamed(self, errors, names):
        """The nests that errors of the compiler speak of, else the first that does not build without the others."""
        source = self.source.read_text()
        found = {function_at(source, int(line)) for line in re.findall(r"plain\.c:(\d+):\d+: (?:fatal )?error", errors)}
        found |= set(re.findall(r"In function .orrery_\w+_of_(\w+)", errors))
        found &= set(names)
        if found:
            return sorted(found)
        while len(names) > 1:
            half = names[:len(names) // 2]
            self.write(half)
            names = half if self.build_parallel(WAYS[0]).returncode else names[len(half):]
        return names

    # ---- running ----

    def once(self, binary, names, env):
        try:
            done = run([binary, *self.alone], env=env, check=False, timeout=300 + len(names))
        except Failure as late:
            raise Died(None, str(late)) from late
        if done.returncode == 0:
            return outcomes(done.stdout)
        candidates = nest_under_way(names, done.stdout, self.alone)
        raise Died(candidates, f"{binary.name} ended with {done.returncode}: {done.stderr[-600:]}")

    def result(self, binary, names, env):
        """What each nest printed; nests that ended the program are reported, and the others run without them."""
        for _ in range(MOST_DEATHS):
            try:
                return self.once(binary, names, env)
            except Died as death:
                guilty = self.guilty(binary, names, env, death)
                self.wrong.append((guilty, f"under {env}: {death}"))
                self.alone.append(guilty)
        raise Failure(f"{binary.name}: too many nests end it")

    def guilty(self, binary, names, env, death):
        """Which nest ends the program: that of the candidates that does so alone, else the last."""
        candidates = death.nest or [name for name in names if name not in self.alone]
        for name in candidates:
            others = [one for one in names if one != name]
            if run_quietly([binary, *others], env):
                return name
        return candidates[-1]

    def compare(self, names, expected, got, what):
        self.wrong += [(name, f"{what}: {got.get(name)} instead of {expected.get(name)}") for name in names
                       if name not in self.alone and got.get(name) != expected.get(name)]

    def others(self, names, expected):
        """The plain program by other compilers and levels."""
        for compiler, level in (("cc", "-O1"), ("cc", "-O3"), ("clang-19", "-O1")):
            binary = self.tools.work / "serial_other"
            run([compiler, level, *SOUND.get(compiler, []), *flags(), self.source, "-o", binary])
            self.compare(names, expected, self.result(binary, names, {}), f"{compiler} {level}")

    def sanitized(self, names):
        """That the nests are C: the plain program under sanitizers; of bounds gcc 12 objects to `a[k[i]] ^= i > 8 ? a[k[i]] : b`."""
        binary = self.tools.work / "serial_sanitized"
        run(["cc", "-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize=bounds", "-fno-sanitize-recover=all", *flags(), self.source, "-o", binary])
        self.result(binary, names, {"ASAN_OPTIONS": "detect_leaks=0"})

    def threads(self, names, expected):
        like_serial = [name for name in names if name not in self.loops or keeps_order(self.loops[name])]
        like_replay = [name for name in names if name not in like_serial]
        replays = {}
        for threads, grid, seed in self.settings:
            if like_replay and (grid, seed) not in replays:
                replays[grid, seed] = self.replay(names, like_replay, grid, seed)
            got = self.result(self.parallel, names, environment(threads, grid, seed))
            what = f"{threads} threads, grid {grid or 'its own'}"
            self.compare(like_serial, expected, got, what)
            if like_replay:
                self.compare(like_replay, replays[grid, seed], got, f"{what}, against the replay")
        return like_serial, like_replay, replays

    def replay(self, names, like_replay, grid, seed):
        forward = self.result(self.parallel, names, environment(1, grid, seed, "forward"))
        if not grid and self.settings is SETTINGS:
            reverse = self.result(self.parallel, names, environment(1, grid, seed, "reverse"))
            self.compare(like_replay, forward, reverse, "replay in reverse")
        return forward

    def ranks(self, names, like_serial, like_replay, expected, replays):
        got, left_out = self.result_on_ranks()
        self.compare([one for one in like_serial if one not in left_out], expected, got, "2 ranks")
        if like_replay:
            forward = replays.get((None, None)) or self.replay(names, like_replay, None, None)
            self.compare([one for one in like_replay if one not in left_out], forward, got, "2 ranks, against the replay")

    def result_on_ranks(self):
        """As result, on two ranks; and the nests left out because they refuse to run there, or run serially on one."""
        left_out = list(self.alone)
        while len(left_out) < 200:
            command = [self.tools.orrery, "run", "-n", "2", "--timeout", "280", self.parallel, *left_out]
            done = run(command, env={"ORRERY_THREADS": "1", "ORRERY_AUTO_US": "0"}, check=False, timeout=300)
            refused = NOT_FOR_RANKS.search(done.stderr)
            if done.returncode == 0:
                text = self.source.read_text()
                serial = {function_at(text, int(line)) for line in SERIALLY.findall(done.stderr)}
                return outcomes(done.stdout), [*left_out, *serial]
            if not refused:
                raise Failure(f"two ranks: status {done.returncode}: {done.stderr[-600:]}")
            left_out.append(function_at(self.source.read_text(), int(refused[1])))
        raise Failure("two ranks: no nest can be run")


def run_quietly(command, env):
    """Whether a command fails."""
    try:
        return run(command, env=env, check=False, timeout=300).returncode != 0
    except Failure:
        return True


def keeps_order(loop):
    """Whether every bit of the loop's results has to be the serial program's."""
    if loop["order"] == "ordered" or loop["verdict"] == "serial":
        return True
    if any(one["op"] in FIRST_COME for one in loop["reductions"]):
        return False
    return loop["strategy"] in ("independent", "reduction", "partition-1d") and not loop["private"]


def some_settings(seed):
    """Three of them, all in turn."""
    return [SETTINGS[(3 * seed + one) % len(SETTINGS)] for one in range(3)]


def check(tools, made, loops, seed, *, runs=None, settings=None, ranks=False, others=False, sanitize=False, gpu=False):
    """
    (wrong, built): pairs of nest and what is wrong with it, and the nests that were built and run. What stays
    serial is the serial program's text, and is left out.
    """
    one = Build(tools, made, loops, runs, settings, gpu)
    parallel = {loop["function"] for loop in loops if loop["verdict"] == "parallel"}
    names = one.build([name for name in made.names if name in parallel], WAYS[seed % len(WAYS)])
    if not names:
        return one.wrong, []
    expected = one.result(one.serial, names, {})
    if sanitize:
        one.sanitized(names)
    if others:
        one.others(names, expected)
    like_serial, like_replay, replays = one.threads(names, expected)
    if ranks:
        one.ranks(names, like_serial, like_replay, expected, replays)
    return one.wrong, names
