#!/usr/bin/env python3
"""The recipe of docs/editors.md: what it runs is run, and its patterns read every message of it.

usage: editors.py BIN TREE
"""
import os
import re
import subprocess
import sys
import tempfile

from console import read_blocks

PLACES = {"%f": r"(?P<file>[^:]+)", "%l": r"(?P<line>\d+)", "%c": r"(?P<column>\d+)", "%m": r"(?P<text>.*)"}
SEVERITIES = {"error", "warning", "remark", "note"}


def from_errorformat(pattern):
    """Vim's errorformat, as far as the recipe uses it: %t is one character."""
    parts = re.split(r"(%[flcmt])", pattern)
    return re.compile("^" + "".join("." if part == "%t" else PLACES.get(part, re.escape(part)) for part in parts) + "$")


def block_of(lines, info):
    return "\n".join(next(lines[b.begin:b.end] for b in read_blocks(lines) if lines[b.begin - 1] == "```" + info))


def messages(command, folder):
    """(the lines of the messages, exit status); what belongs to a message is indented or bare source."""
    done = subprocess.run(command, shell=True, cwd=folder, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return [line for line in done.stdout.split("\n") if re.match(r"[^ :]+:\d+:\d+: ", line)], done.returncode


def main():
    bin_folder, tree = os.path.abspath(sys.argv[1]), sys.argv[2]
    with open(os.path.join(tree, "docs", "editors.md"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    os.environ["PATH"] = bin_folder + ":" + os.environ["PATH"]
    yaml = block_of(lines, "yaml")
    formats = [from_errorformat(text) for text in re.findall(r"^ +- '(%f.*)'$", yaml, re.M)]
    command = re.search(r"lint-command: '(.*)'", yaml).group(1)
    with tempfile.TemporaryDirectory() as folder:
        texts = {"serial.c": "void f(double *a, long n) {\n#pragma orrery parallel\n    for (long i = 1; i < n; ++i)\n"
                             "        a[i] = a[i - 1] * a[i - 1];\n}\n",
                 "good.c": "void g(double *a, long n) {\n#pragma orrery parallel\n    for (long i = 1; i < n; ++i)\n        a[i] = 1;\n}\n",
                 "wrong.c": "void h(double *a, long n) {\n#pragma orrery paralel\n    for (long i = 1; i < n; ++i)\n        a[i] = 1;\n}\n",
                 "broken.c": "int f( {\n"}
        seen, wrong = set(), 0
        for name, text in texts.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
            found, status = messages(command.replace("${INPUT}", name), folder)
            wrong += not found or status > 1
            for line in found:
                severity = line.split(": ")[1]
                seen.add(severity)
                if not any(f.match(line) for f in formats) or severity not in SEVERITIES:
                    print(f"no recipe reads this: {line}")
                    wrong += 1
    print(f"severities met: {', '.join(sorted(seen))}")
    return 1 if wrong or not {"error", "remark", "note"} <= seen else 0


if __name__ == "__main__":
    sys.exit(main())
