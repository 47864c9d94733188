#!/usr/bin/env python3
"""Runs the commands of a page and holds what they print against what the page says.

usage: console.py BUILD PAGE [--update] [--shell COMMAND]

Commands are lines `$ command` in a fenced block, with `> ` in front of further lines; what follows
is their output. All of a page run in one shell, in an empty folder where `build` and `samples` are
those of the tree. In the output a line `...` stands for any lines. Remarks, invisible in the page,
speak of the next block:

  <!-- file NAME -->        the block is this file
  <!-- run: COMMAND -->     done first, what it prints is not looked at
  <!-- varies -->           numbers of the output are not compared
  <!-- unchecked -->        the output is not compared at all
  <!-- fails -->            the last command of the block ends with a status that is not 0
  <!-- not run: WHY -->     it needs what is not there

--update writes what the commands print into the page; lines `...` are kept where they fit.
--shell: COMMAND reads the commands in bash's place, on another machine say; `build` and `samples`
are its business there.
"""
import os
import re
import subprocess
import sys
import tempfile

REMARK = re.compile(r"<!-- (file|run:|varies|unchecked|fails|not run:) ?(.*?) ?-->$")
MARK = "@@@@"


class Block:
    """A fenced block: lines [begin, end) of the page, without the fences; remarks in front of it."""

    def __init__(self, begin, remarks):
        self.begin, self.end, self.remarks = begin, begin, remarks

    def has(self, kind):
        return any(name == kind for name, _ in self.remarks)


def read_blocks(lines):
    """All fenced blocks; remarks belong to the next one."""
    blocks, remarks, block = [], [], None
    for number, line in enumerate(lines):
        match = REMARK.match(line)
        if block is None and match:
            remarks.append((match.group(1), match.group(2)))
        elif line.startswith("```") and block is None:
            block, remarks = Block(number + 1, remarks), []
        elif line.startswith("```"):
            block.end = number
            blocks.append(block)
            block = None
    return blocks


def read_commands(lines, block):
    """[(command, first line of its output, line behind it)] of a block."""
    commands, number = [], block.begin
    while number < block.end:
        if not lines[number].startswith("$ "):
            number += 1
            continue
        command = lines[number][2:]
        number += 1
        while number < block.end and lines[number].startswith("> "):
            command += "\n" + lines[number][2:]
            number += 1
        first = number
        while number < block.end and not lines[number].startswith("$ "):
            number += 1
        commands.append((command, first, number))
    return commands


def script(lines, blocks):
    """The shell's text, and which output of it belongs to which (block, command)."""
    text, parts = [], []
    for block in blocks:
        for kind, value in block.remarks:
            if kind == "run:":
                text.append(f"{{ {value}\n}} >/dev/null 2>&1 </dev/null")
            if kind == "file":
                body = "\n".join(lines[block.begin:block.end])
                text.append(f"mkdir -p \"$(dirname '{value}')\"\ncat >'{value}' <<'{MARK}'\n{body}\n{MARK}")
        if block.has("not run:") or block.has("file"):
            continue
        for command in read_commands(lines, block):
            parts.append((block, command))
            text.append(f"echo '{MARK}'\n{{ {command[0]}\n}} </dev/null\necho \"{MARK}$?\"")
    return "\n".join(text) + "\n", parts


def run_here(build, tree, text):
    """What bash prints, in a new folder."""
    environment = dict(os.environ, LC_ALL="C.UTF-8", OMPI_ALLOW_RUN_AS_ROOT="1", PATH=f"{build}/bin:{os.environ['PATH']}",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
    for name in [n for n in environment if n.startswith("ORRERY_")]:
        del environment[name]
    with tempfile.TemporaryDirectory() as home:
        folder = os.path.join(home, "page")
        os.mkdir(folder)
        os.symlink(build, os.path.join(folder, "build"))
        os.symlink(os.path.join(tree, "samples"), os.path.join(folder, "samples"))
        environment["HOME"] = home
        done = subprocess.run(["bash"], input=text, cwd=folder, env=environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=400)
    return done.stdout.replace(home, "$HOME")


def run_there(shell, text):
    """What the command `shell` prints when it is given the text."""
    done = subprocess.run(shell, shell=True, input=text, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
    return done.stdout


def results_of(printed):
    """Pairs (output, status) of the commands, in their order."""
    results = []
    for part in printed.split(MARK + "\n")[1:]:
        output, _, status = part.rpartition(MARK)
        results.append((output.rstrip("\n").split("\n") if output.strip() else [], int(status.strip() or 0)))
    return results


def mask(line, block):
    """Numbers out of a line, when they vary."""
    if not block.has("varies"):
        return line.rstrip()
    return re.sub(r" +", " ", re.sub(r"[-+]?\d[\d.,]*(e[-+]?\d+)?", "0", line.rstrip()))


def fits(wanted, got, block):
    """Does `got` fit the lines `wanted`, where `...` stands for any lines?"""
    if not wanted:
        return not got
    if wanted[0].strip() == "...":
        return any(fits(wanted[1:], got[skip:], block) for skip in range(len(got) + 1))
    return bool(got) and mask(wanted[0], block) == mask(got[0], block) and fits(wanted[1:], got[1:], block)


def main():
    build, page = os.path.abspath(sys.argv[1]), sys.argv[2]
    tree = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    with open(page, encoding="utf-8") as file:
        lines = file.read().split("\n")
    text, parts = script(lines, read_blocks(lines))
    shell = sys.argv[sys.argv.index("--shell") + 1] if "--shell" in sys.argv else None
    results = results_of(run_there(shell, text) if shell else run_here(build, tree, text))
    wrong = len(results) != len(parts)
    if wrong:
        print(f"{page}: {len(parts)} commands, {len(results)} of them ended")
    for (block, (command, first, behind)), (got, status) in reversed(list(zip(parts, results))):
        wanted = lines[first:behind]
        while wanted and not wanted[-1].strip():
            wanted.pop()
        last = read_commands(lines, block)[-1][1] == first
        if (status != 0) != (block.has("fails") and last):
            print(f"{page}:{first}: status {status}: {command}\n" + "\n".join(got))
            wrong = True
        elif ("--update" in sys.argv if block.has("unchecked") else not fits(wanted, got, block)):
            wrong = True
            print(f"{page}:{first}: another output: {command}\n-- the page\n" + "\n".join(wanted) +
                  "\n-- now\n" + "\n".join(got))
            lines[first:behind] = got
    if "--update" in sys.argv:
        with open(page, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        return 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
