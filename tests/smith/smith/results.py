"""Build mode: the parallel program against the serial one, bit for bit."""

import re

from . import program
from .tools import INCLUDE, Failure, run

# Some loops are for the threads of one rank only, and say so.
NOT_FOR_RANKS = re.compile(r"plain\.c:(\d+):.*run it on one rank")


def outcomes(text):
    """Lines of a program's output by nest."""
    found = {}
    for line in text.split("\n"):
        words = line.split()
        if len(words) == 3:
            found.setdefault(words[0], []).append(line)
    return found


def build(tools, source, serial, others, parallel):
    """The plain program by two compilers and two levels, and the parallel one."""
    flags = ["-w", "-ffp-contract=off", "-I", INCLUDE, source]
    run(["cc", "-O1", *flags, "-o", serial])
    run(["cc", "-O3", *flags, "-o", others[0]])
    run(["clang-19", "-O1", *flags, "-o", others[1]])
    run([tools.orrery_cc, "-O1", "-allow-fallback", *flags, "-o", parallel], timeout=300)


def function_at(lines, number):
    """The nest that a line of the plain text belongs to."""
    text = program.plain(lines).split("\n")
    while not text[number].startswith("}"):
        number += 1
    while not re.match(r"(static )?unsigned \w+\(int n, int m, int K", text[number]):
        number -= 1
    return re.search(r"(\w+)\(int n", text[number])[1]


def result_on_ranks(tools, binary, lines):
    """As result_of, on two ranks; and the nests left out because they refuse to run there."""
    left_out = []
    while len(left_out) < 200:
        command = [tools.orrery, "run", "-n", "2", "--timeout", "100", binary, *left_out]
        done = run(command, env={"ORRERY_THREADS": "1"}, check=False, timeout=120)
        refused = NOT_FOR_RANKS.search(done.stderr)
        if done.returncode == 0:
            return outcomes(done.stdout), left_out
        if not refused:
            raise Failure(f"two ranks: status {done.returncode}: {done.stderr[-600:]}")
        left_out.append(function_at(lines, int(refused[1])))
    raise Failure("two ranks: no nest can be run")


def result_of(binary, env=None):
    done = run([binary], env=env, check=False, timeout=120)
    if done.returncode != 0:
        last = done.stdout.strip().split("\n")[-1]
        raise Failure(f"{binary.name} ended with {done.returncode} under {env or {}} after '{last}': {done.stderr[-600:]}")
    return outcomes(done.stdout)


def keeps_order(loop):
    """Whether every bit of the loop's results has to be the serial program's."""
    if loop["order"] == "ordered" or loop["verdict"] == "serial":
        return True
    return loop["strategy"] in ("independent", "reduction", "partition-1d") and not loop["private"]


def compare(names, expected, got, what):
    return [(name, f"{what}: {got.get(name)} instead of {expected.get(name)}") for name in names
            if got.get(name) != expected.get(name)]


def check(tools, lines, names, ranks=False):
    """Pairs of nest and what is wrong with it."""
    source, serial = tools.work / "plain.c", tools.work / "serial"
    others, parallel = [tools.work / "serial_o3", tools.work / "serial_clang"], tools.work / "parallel"
    source.write_text(program.plain(lines))
    loops = {one["function"]: one for one in tools.analyze(source)}
    build(tools, source, serial, others, parallel)
    expected = result_of(serial)
    wrong = []
    for other in others:
        wrong += compare(names, expected, result_of(other), other.name)
    like_serial = [name for name in names if name not in loops or keeps_order(loops[name])]
    like_replay = [name for name in names if name not in like_serial]
    replays = [result_of(parallel, {"ORRERY_REPLAY": way, "ORRERY_THREADS": "1"}) for way in ("forward", "reverse")]
    wrong += compare(like_replay, replays[0], replays[1], "replay in reverse")
    for threads in ("1", "2", "3"):
        got = result_of(parallel, {"ORRERY_THREADS": threads})
        wrong += compare(like_serial, expected, got, f"{threads} threads")
        wrong += compare(like_replay, replays[0], got, f"{threads} threads, against the replay")
    if ranks:
        got, left_out = result_on_ranks(tools, parallel, lines)
        wrong += compare([one for one in like_serial if one not in left_out], expected, got, "2 ranks")
        wrong += compare([one for one in like_replay if one not in left_out], replays[0], got, "2 ranks, against the replay")
    return wrong, loops
