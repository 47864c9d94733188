#!/usr/bin/env python3
"""Training programs of others, from public repositories: what `orrery analyze` says of their loops.

usage: trainers.py BIN FOLDER [NAME...]
  BIN: folder of orrery. FOLDER: where the repositories are, OWNER+NAME each, with or without a work tree; what is
  missing is cloned there. trainers.txt lists the loops and what is expected of them; what differs is printed, and then
  a table. Nothing of these programs enters our tree.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LIST = Path(__file__).resolve().parent / "trainers.txt"
GCC = subprocess.run(["gcc", "-print-file-name=include"], capture_output=True, text=True, check=True).stdout.strip()


class Source:
    """A file of a program. loops: (line, clauses, form) as it stands; then: the same behind the edits."""

    def __init__(self, words):
        self.name, self.arguments = words[0], words[1:]
        self.loops, self.edits, self.then = [], [], []


class Program:
    def __init__(self, words):
        self.repository, self.commit = words
        self.what, self.sources = "", []


def loop_of(text):
    place, form = text.rsplit(": ", 1)
    line, _, clauses = place.strip().partition(" ")
    return int(line or 0), clauses, form


def spelled(text):
    """`\\n` is the end of a line, and two backslashes are one."""
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)


def read_list():
    programs = []
    for line in LIST.read_text().splitlines():
        key, _, rest = line.partition(" ")
        if key == "program":
            programs.append(Program(rest.split()))
        elif key == "what":
            programs[-1].what = rest
        elif key == "file":
            programs[-1].sources.append(Source(rest.replace("GCC", GCC).split()))
        elif key == "edit":
            old, _, new = rest.partition(" =>")
            programs[-1].sources[-1].edits.append([spelled(old), spelled(new[1:])])
        elif key in ("loop", "then"):
            source = programs[-1].sources[-1]
            (source.loops if key == "loop" else source.then).append(loop_of(rest))
    return programs


def git(folder, *words, **more):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, check=True, **more).stdout


def fetched(program, folder):
    """The git directory; None where it cannot be had."""
    place = Path(folder, program.repository.replace("/", "+"))
    for git_folder in (place / "repo" / ".git", place / "repo", place / ".git"):
        if (git_folder / "HEAD").exists():
            return git_folder
    done = subprocess.run(["git", "clone", "-q", f"https://github.com/{program.repository}", place], check=False)
    return place / ".git" if done.returncode == 0 else None


def unpack(git_folder, commit, to):
    """The program's C files as of that commit."""
    for name in git(git_folder, "ls-tree", "-r", "--name-only", commit, text=True).splitlines():
        if name.endswith((".c", ".h")):
            out = Path(to, name)
            out.parent.mkdir(parents=True, exist_ok=True)
            blob = subprocess.run(["git", "-C", git_folder, "show", f"{commit}:{name}"], capture_output=True, check=False)
            out.write_bytes(blob.stdout)


def marked(text, loops, edits):
    """The text with pragmas in front of these lines and the edits made; the lines where the loops then are."""
    lines = text.split("\n")
    for line, clauses, _ in sorted((loop for loop in loops if loop[0]), reverse=True):
        if not re.match(r"\s*(for|while)\b", lines[line - 1]):
            sys.exit(f"line {line} is no loop: {lines[line - 1]}")
        lines[line - 1] = f"#pragma orrery parallel {clauses}\n" + lines[line - 1]
    text = "\n".join(lines)
    for old, new in edits:
        if text.count(old) != 1:
            sys.exit(f"{text.count(old)} places have `{old}`")
        text = text.replace(old, new)
    return text


def verdict(loop):
    code = next((reason["code"] for reason in loop["reasons"] if reason.get("code")), "")
    return loop["strategy"] if loop["verdict"] == "parallel" else f"serial {code}"


def analyze(binary, folder, source, loops, edits):
    """The verdicts of the loops, in the order of the list."""
    name = Path(folder, source.name)
    as_it_was = name.read_text(errors="replace")
    name.write_text(marked(as_it_was, loops, edits))
    done = subprocess.run([Path(binary, "orrery").resolve(), "analyze", "--format=json", source.name, *source.arguments], cwd=folder,
                          capture_output=True, text=True, check=False)
    name.write_text(as_it_was)
    for text in done.stdout.splitlines() if "\n{" in done.stdout else [done.stdout]:
        try:
            unit = json.loads(text)
        except json.JSONDecodeError:
            continue
        found = [loop for loop in unit["loops"] if loop["marked"]]
        if os.path.basename(unit["file"]) == os.path.basename(source.name) and len(found) == len(loops):
            order = sorted(range(len(loops)), key=lambda i: loops[i][0])
            verdicts = [""] * len(loops)
            for place, loop in zip(order, sorted(found, key=lambda one: one["line"])):
                verdicts[place] = verdict(loop)
            return verdicts
    return ["error " + done.stderr.strip().splitlines()[0][:200] if done.stderr.strip() else "error"] * len(loops)


def looked_at(binary, folder, program):
    """Parallel loops as they stand, and with edits; how many there are; what differs from the list."""
    differs, counts, edits = [], [0, 0, 0], 0
    for source in program.sources:
        for loops, made, count in ((source.loops, [], 0), (source.then, source.edits, 1)):
            for (line, _, form), found in zip(loops, analyze(binary, folder, source, loops, made) if loops else []):
                counts[count] += not found.startswith(("serial", "error"))
                differs += [] if found == form else [f"{program.repository} {source.name}:{line}: expected {form}; found {found}"]
        counts[2] += len(source.loops)
        edits += len(source.edits) + sum(bool(clauses) for _, clauses, _ in source.then)
    return counts, edits, differs


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    binary, folder, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    wrong, rows = 0, []
    for program in read_list():
        if names and not any(name in program.repository for name in names):
            continue
        git_folder = fetched(program, folder)
        if not git_folder:
            print(f"{program.repository}: cannot be fetched", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as copy:
            unpack(git_folder, program.commit, copy)
            counts, edits, differs = looked_at(binary, copy, program)
        for line in differs:
            print(line)
        wrong += len(differs)
        rows.append(f"| `{program.repository}` | {program.what} | {counts[2]} | {counts[0]} | {edits or ''} | {counts[1] or ''} |")
    print("| repository | trains | loops | parallel as they are | edits | then |\n|---|---|---|---|---|---|")
    print("\n".join(rows))
    sys.exit(wrong > 0)


main()
