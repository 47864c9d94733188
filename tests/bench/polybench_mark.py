#!/usr/bin/env python3
"""Marks, in a PolyBench kernel, every loop that Orrery runs in parallel when it is asked: the outermost
ones first, and what is inside of those that stay serial. Prints the strategies, one word per marked loop.
usage: polybench_mark.py ORRERY INCLUDE FILE OUTPUT"""
import json
import subprocess
import sys

orrery, include, path, output = sys.argv[1:]


def analyze(file, *more):
    done = subprocess.run([orrery, "analyze", *more, "--format=json", "-I", include, file],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120)
    return json.loads(done.stdout)["loops"] if done.stdout else []


with open(path) as f:
    text = f.read().splitlines()
loops = [loop for loop in analyze(path, "--all") if loop["function"].startswith("kernel_")]
loops.sort(key=lambda loop: (loop["line"], loop["column"]))
marked, strategies, skip = [], [], 0


def write(lines):
    with open(output, "w") as f:
        for number, line in enumerate(text, 1):
            if number in lines:
                f.write("#pragma orrery parallel\n")
            f.write(("" if line.strip() in ("#pragma scop", "#pragma endscop") else line) + "\n")


for loop in loops:
    if skip and loop["depth"] > skip:
        continue
    skip = 0
    write(marked + [loop["line"]])
    found = [l for l in analyze(output) if l["line"] == loop["line"] + len(marked) + 1]
    if found and found[0]["verdict"] == "parallel":
        marked.append(loop["line"])
        strategies.append(found[0]["strategy"])
        skip = loop["depth"]
write(marked)
print(" ".join(strategies) or "-")
