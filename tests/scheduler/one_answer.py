#!/usr/bin/env python3
"""All commands give one answer for one loop: analyze, plan and what is emitted, for every C program of this tree.

usage: one_answer.py BIN [FILE...]
  Programs without a mark, and those that all three commands find errors in, are not counted.
  A loop that analyze calls parallel has that strategy in the plan file and is replaced in the emitted text; every other
  one is serial in the plan file and stays in the text. Prints each loop of which two commands say different things.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LEAST = 700  # of the tree's programs have to be judged


def flags_of(text):
    """The compiler flags that a program's first lines ask for."""
    found = re.search(r"^/\* flags: (.*) \*/$", text, re.M)
    return found.group(1).split() if found else []


class Many:
    """Commands of `orrery`, in one process that has loaded its libraries once (many.c)."""

    def __init__(self, tool, folder):
        self.process = subprocess.Popen([tool], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=TOP)
        self.out, self.err = os.path.join(folder, "out"), os.path.join(folder, "err")

    def ask(self, command):
        """What it prints, None: the input has errors."""
        print(self.out, self.err, *command, sep="\t", file=self.process.stdin, flush=True)
        status = self.process.stdout.readline().strip() or self.close()
        if status not in ("0", "1"):
            sys.exit(f"{' '.join(command)}: status {status}: {Path(self.err).read_text(errors='replace')}")
        return Path(self.out).read_text(errors="replace") if status == "0" else None

    def close(self):
        """Its status: not 0 where a sanitizer has found leaks."""
        self.process.stdin.close()
        return self.process.wait()


def loops_of(text):
    """Line and strategy of each loop."""
    return {loop["line"]: loop["strategy"] for loop in json.loads(text)["loops"]}


def emitted_of(text):
    """The lines of the loops that were replaced."""
    return {int(line) for line in re.findall(r"^    \.line = (\d+),$", text, re.M)}


def judge(many, path):
    """What the commands disagree about."""
    flags = flags_of((TOP / path).read_text(errors="replace"))
    texts = [many.ask([*command, path, "--", *flags])
             for command in (("analyze", "--format=json"), ("plan",), ("emit", "--kernels", os.devnull))]
    if texts == [None] * 3:
        return None
    if None in texts:
        return [f"{path}: not all of analyze, plan and emit say that it has errors"]
    analyzed, planned, emitted = loops_of(texts[0]), loops_of(texts[1]), emitted_of(texts[2])
    wrong = [f"{path}:{line}: analyze says {strategy}, plan says {planned.get(line)}"
             for line, strategy in analyzed.items() if planned.get(line) != strategy]
    parallel = {line for line, strategy in analyzed.items() if strategy != "serial"}
    wrong += [f"{path}:{line}: analyze says {analyzed.get(line)}, the emitted text "
              f"{'replaces' if line in emitted else 'keeps'} the loop" for line in sorted(parallel ^ emitted)]
    return wrong


def is_marked(path):
    text = (TOP / path).read_text(errors="replace")
    return "#pragma orrery parallel" in text or "ORRERY_PARALLEL" in text


def judge_each(tool, paths):
    with tempfile.TemporaryDirectory() as folder:
        many = Many(tool, folder)
        answers = [judge(many, path) for path in paths]
        if many.close():
            sys.exit(f"orrery-many ends with {many.process.returncode}: {Path(many.err).read_text(errors='replace')}")
    return answers


def main():
    tool = os.path.join(os.path.abspath(sys.argv[1]), "orrery")
    files = sys.argv[2:] or subprocess.run(
        ["find", "samples", "tests", "-name", "*.c"], cwd=TOP, capture_output=True, text=True, check=True).stdout.split()
    marked = sorted(filter(is_marked, files))
    cores = os.cpu_count()
    with ThreadPoolExecutor(cores) as pool:
        parts = pool.map(lambda core: judge_each(f"{tool}-many", marked[core::cores]), range(cores))
        answers = [answer for part in parts for answer in part]
    wrong = [line for answer in answers for line in answer or []]
    judged = sum(answer is not None for answer in answers)
    print("\n".join(wrong + [f"{judged} of {len(files)} programs judged, {len(wrong)} contradictions"]))
    return 1 if wrong or judged < (1 if sys.argv[2:] else LEAST) else 0


if __name__ == "__main__":
    sys.exit(main())
