"""check.py ORRERY GROUP: texts whose analysis would grow without bound (texts.py) are answered.

Each in less than 1 GB (solvers in 400 MB) and 20 times a compiler's time (.6 s for a small text:
both as user CPU time), with the codes that are named, and with `beside`, the last loop,
independent. BOUNDED=answers asks for the answers alone, of tools that are built slower.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile

import texts

# What is expected of the first loop: a strategy, a code, None for any answer; or of "all" that none
# is too much work.
GROUPS = {
    "hashes": [("crc", 8, "independent"), ("crc", 16, "independent"), ("crc", 32, "independent"),
               ("crc", 64, "independent"), ("crc", 1000, "independent"), ("crc_key", 4, None),
               ("crc_key", 32, "serial"), ("fnv", 64, "independent"), ("murmur", 32, "independent"),
               ("sha", 64, "independent"), ("xorshift", 200, "independent"),
               ("squares", 100, "independent"), ("chosen", 40, "independent"),
               ("doubled", 60, None)],
    "branches": [("arms", 9, "ORR2104"), ("arms", 12, None), ("arms", 30, "ORR2104"), ("arms", 100, "ORR2190"),
                 ("arms_data", 9, "independent"), ("arms_data", 40, None), ("cases", 40, None),
                 ("cases", 500, None), ("cases", 3000, "ORR2190"), ("continues", 100, None),
                 ("continues", 2000, "ORR2190")],
    "calls": [("calls", 8, "independent"), ("calls", 22, "ORR2230"), ("calls_that_write", 4, None),
              ("calls_that_write", 10, "ORR2190"), ("calls_that_write", 24, None),
              ("inlined", 5, "independent"), ("inlined", 100, None)],
    "bodies": [("unrolled", 100, "independent"), ("unrolled", 3000, "ORR2190"),
               ("unrolled_keys", 50, None), ("unrolled_keys", 2000, "ORR2190"),
               ("unrolled_steps", 1000, None), ("nest", 7, None), ("nest", 12, None),
               ("long_sum", 500, "independent"), ("long_sum", 50000, None),
               ("big_table", 100000, "independent")],
    "files": [("lines", 1700, None), ("loops", 400, "independent")],
    "solvers": [("solver", 10, "all")],
}


def limited():
    if os.environ.get("BOUNDED") != "answers":
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (100, 100))


def seconds_of(command, limit=None, **kinds):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, check=False)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done


def least_seconds(command, allowed):
    """A busy machine makes CPU time longer: the least of five runs counts, where one takes too long."""
    if os.environ.get("BOUNDED") == "answers":
        return 0, seconds_of(command, limited)[1]
    own, done = seconds_of(command, limited)
    for _ in range(4):
        if own <= max(allowed, .8):
            break
        own = min(own, seconds_of(command, limited)[0])
    return own, done


def answers(done):
    loops = json.loads(done.stdout)["loops"]
    return [(l["strategy"], l["reasons"][0]["code"]) for l in loops]


def complaint(orrery, folder, name, size, expected):
    path = os.path.join(folder, "%s_%d.c" % (name, size))
    with open(path, "w", encoding="utf-8") as file:
        file.write(getattr(texts, name)(size))
    clang, _ = seconds_of(["clang-19", "-fsyntax-only", "-w", path])
    own, done = least_seconds([orrery, "analyze", "--all", "--format=json", path], 20 * clang)
    if done.returncode != 0:
        return "exit %d: %s" % (done.returncode, done.stderr[-300:])
    got = answers(done)
    if got[-1][0] != "independent":
        return "the loop beside it is %s" % (got[-1],)
    if expected == "all" and any(code == "ORR2190" for _, code in got):
        return "%d loops are too much work" % sum(code == "ORR2190" for _, code in got)
    if expected and expected != "all" and expected not in got[0]:
        return "the first loop is %s, not %s" % (got[0], expected)
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    if name == "solver" and megabytes > 400 and os.environ.get("BOUNDED") != "answers":
        return "took %d MB" % megabytes
    if own > max(20 * clang, .8):
        return "took %.2f s, the compiler %.2f s" % (own, clang)
    return None


def main():
    orrery, group = sys.argv[1:]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, size, expected in GROUPS[group]:
            said = complaint(orrery, folder, name, size, expected)
            bad += said is not None
            print("%s %d: %s" % (name, size, said or "right"), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
