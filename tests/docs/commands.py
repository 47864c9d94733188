#!/usr/bin/env python3
"""Every command line of the pages is run by a test, or is one of the exceptions.

usage: commands.py BUILD TREE

* In a fenced block a line that is a command begins with `$ `, and console.py runs it; or the block has the
  remark <!-- not run: WHY -->, and its commands stand in not_run.txt with the page. What stands there and in
  no page is wrong as well.
* Commands of ours within the text, and options in cli.md, name options and subcommands that there are; folders and scripts that
  there are; tests that there are, by name or by `ctest -R`.
"""
import glob
import os
import re
import subprocess
import sys

from console import read_blocks, read_commands

OURS = ("orrery", "orrery-cc")
WORDS = OURS + ("cmake", "ctest", "cpack", "make", "gcc", "cc", "mpirun", "srun", "python3", "apt-get", "docker", "podman",
                "ln", "cd", "gzip", "meson", "valgrind")
COMMAND = re.compile(r"^(?:[A-Z_]+=\S* +)*(?:(?:%s)(?= |$)|\.\.?/[\w./-]+|(?:scripts|tests|\.ci)/[\w./-]+)" %
                     "|".join(re.escape(word) for word in WORDS))


def bare(line):
    """A command without its prompt, its continuation and the words behind it."""
    return re.sub(r"\s{2,}#.*$", "", line).strip()


def pages(tree):
    return sorted(glob.glob(os.path.join(tree, "*.md"))) + sorted(glob.glob(os.path.join(tree, "docs", "*.md"))) + [
        os.path.join(tree, "samples", "README.md")] + sorted(glob.glob(os.path.join(tree, "docs", "messages", "*.md")))


def commands_of(lines, block):
    """(line, command, is it run) of a block that is a console's, in any form."""
    prompted = {first - 1: command for command, first, _ in read_commands(lines, block)}
    if prompted:
        return [(number, bare(command.split("\n")[0]), not block.has("not run:")) for number, command in prompted.items()]
    info = lines[block.begin - 1][3:].strip()
    if info not in ("", "sh", "bash", "console") or block.has("file"):
        return []
    return [(number, bare(lines[number]), False) for number in range(block.begin, block.end) if COMMAND.match(lines[number])]


def check_blocks(tree, exceptions):
    wrong, met, count = [], set(), 0
    for page in pages(tree):
        name = os.path.relpath(page, tree)
        with open(page, encoding="utf-8") as file:
            lines = file.read().split("\n")
        for block in read_blocks(lines):
            for number, command, runs in commands_of(lines, block):
                count += runs
                if runs:
                    continue
                key = (name, command)
                met.add(key)
                if key not in exceptions:
                    wrong.append(f"{name}:{number + 1}: no test runs this, and not_run.txt does not say why: {command}")
                elif not block.has("not run:"):
                    wrong.append(f"{name}:{number + 1}: not run, without a remark that says so: {command}")
    wrong += [f"not_run.txt: not in {page}: {command}" for page, command in exceptions if (page, command) not in met]
    return wrong, count


def read_exceptions(path):
    """{(page, command): why}, lines `page | command | why`."""
    with open(path, encoding="utf-8") as file:
        rows = [[word.strip() for word in line.split(" | ")] for line in file if line.strip() and line[0] != "#"]
    bad = [row for row in rows if len(row) != 3 or not row[2]]
    if bad:
        sys.exit(f"not_run.txt: not `page | command | why`: {bad[0]}")
    return {(page, command): why for page, command, why in rows}


class Helps:
    """The --help texts, asked for once."""

    def __init__(self, build):
        self.build, self.texts = build, {}

    def text(self, *words):
        if words not in self.texts:
            done = subprocess.run([os.path.join(self.build, "bin", words[0]), *words[1:], "--help"], text=True, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.texts[words] = done.stdout if done.returncode == 0 else ""
        return self.texts[words]


    def all(self):
        """Those of all commands."""
        listed = self.text("orrery").partition("\ncommands:\n")[2].partition("\n\n")[0]
        return "\n".join([self.text("orrery-cc")] + [self.text("orrery", name) for name in re.findall(r"^  ([a-z]+) ", listed, re.M)])


def unknown_in(helps, words):
    """What a command of ours in a page names that there is not."""
    command, rest = words[0], words[1:]
    helped = (command,)
    if command == "orrery" and rest and re.fullmatch(r"[a-z]+", rest[0]):
        helped = (command, rest[0])
        if not helps.text(*helped):
            return f"no command '{rest[0]}'"
    if command == "orrery-cc" or helped == ("orrery", "launch"):
        return None
    for word in rest:
        if word in ("--", "./mf") or word.startswith(("./", "PROGRAM")):
            return None
        option = re.match(r"\[?(--[a-z-]+)", word)
        if option and option.group(1) not in ("--help", "--version") and \
                not re.search(re.escape(option.group(1)) + r"\b", helps.text(*helped)):
            return f"no option '{option.group(1)}' of {' '.join(helped)}"
    return None


def tests_of(build):
    done = subprocess.run(["ctest", "--test-dir", build, "-N", "-C", "network"], text=True, check=True, stdout=subprocess.PIPE)
    return re.findall(r"Test +#\d+: (\S+)", done.stdout)


def check_text(tree, build, names):
    """Commands within `...` of the text."""
    wrong, count, helps = [], 0, Helps(build)
    for page in pages(tree):
        if page.endswith(("decisions.md", "design.md")):
            continue
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for match in re.finditer(r"`([^`\n]+)`", re.sub(r"^```.*?^```", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S | re.M)):
            words = match.group(1).split()
            where = os.path.relpath(page, tree)
            problem = None
            if words and words[0] in OURS:
                problem = unknown_in(helps, words)
                count += 1
            elif page.endswith("docs/cli.md") and re.match(r"--[a-z]", match.group(1)):
                count += 1
                option = re.match(r"--[a-z-]+", match.group(1)).group(0)
                problem = None if re.search(re.escape(option) + r"\b", helps.all()) else "no command has this option"
            elif words and re.match(r"(scripts|tests)/[\w/.-]+$", words[0]):
                count += 1
                problem = None if os.path.exists(os.path.join(tree, words[0])) else f"no file {words[0]}"
            elif re.fullmatch(r"(%s)\.[\w*-]+" % "|".join(sorted({name.split(".")[0] for name in names})), match.group(1)) and \
                    not os.path.exists(os.path.join(tree, "tests", "bench", match.group(1))):
                count += 1
                pattern = re.escape(match.group(1)).replace(r"\*", ".*")
                if not any(re.match(pattern, name) for name in names) and not match.group(1).endswith((".c", ".h", ".py", ".sh")):
                    problem = "no test of that name"
            elif words and words[0] == "ctest" and "-R" in words:
                count += 1
                pattern = words[words.index("-R") + 1].strip("'")
                if pattern != "NAME" and not any(re.search(pattern, name) for name in names):
                    problem = f"no test is called {pattern}"
            if problem:
                wrong.append(f"{where}: {problem}: {match.group(1)}")
    return wrong, count


def main():
    build, tree = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    exceptions = read_exceptions(os.path.join(tree, "tests", "docs", "not_run.txt"))
    in_blocks, run = check_blocks(tree, exceptions)
    names = tests_of(build)
    in_text, named = check_text(tree, build, names)
    wrong = in_blocks + in_text + [
        f"not_run.txt: no test {test}" for why in exceptions.values() for test in re.findall(r"\b[a-z]+\.[\w-]+", why)
        if test not in names]
    for line in wrong:
        print(line)
    print(f"{run} commands are run, {len(exceptions)} are not; {named} more are named in the text")
    return 1 if wrong else 0


sys.exit(main())
