#!/usr/bin/env python3
"""Runs the programs of the message pages: one gives the message, the mended one does not.

usage: messages.py BUILD TREE CODES      CODES: a pattern for the codes, such as 21 or 9[01], or `lists`

Remarks, invisible in a page, speak of the block that begins in the next line (remarks may be stacked):

  <!-- gives: COMMAND -->    the block is x.c; the command, run where it lies, prints the code, and the page's message
  <!-- mended: COMMAND -->   the block takes its place: the command ends with 0 and prints the code no longer;
                             without a block: that command on the first text
  <!-- file: NAME -->        the block is this file; one in front of `mended` is there for both
  <!-- not C -->             no compiler takes this text

The message is the first block without a language behind `gives`, each message and `fix:` a line, `...` for what
differs from run to run. A page on a parallel loop (ORR1), or that says "Nothing is to be done", needs no mended program.

messages_not_run.txt names the pages whose programs need what is not there, messages_still.txt those that have no
programs yet. Neither may name a page that passes.
"""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

REMARK = re.compile(r"<!-- (gives|mended|file|not C)(?:: (.*?))? -->$")
COMPILE = ["gcc", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unknown-pragmas"]
LIMIT = 100
# Codes without a line `fix:`: what the user asked for. Messages of a run are one line.
NO_FIX = {"ORR2100", "ORR2198"}


class Program:
    """What a command is run on."""

    def __init__(self, kind, command, files):
        self.kind, self.command, self.files = kind, command, dict(files)
        self.not_c = set()


class Page:
    """A page of docs/messages: its programs (at most one of each kind), its message, and what is wrong with its form."""

    def __init__(self, path):
        self.code = os.path.basename(path)[:-3]
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.gives, self.mended, self.message, self.wrong = None, None, None, []
        self.files, self.not_c = {}, set()
        self.read(self.text.split("\n"))

    def read(self, lines):
        remarks, number = [], 0
        while number < len(lines):
            match = REMARK.match(lines[number])
            if match:
                remarks.append(match.groups())
            elif lines[number].startswith("<!--"):
                self.wrong.append(f"no such remark: {lines[number]}")
            elif lines[number].startswith("```"):
                end = lines.index("```", number + 1)
                self.take(remarks, lines[number][3:], "\n".join(lines[number + 1:end]) + "\n")
                remarks, number = [], end
            elif remarks:
                self.take(remarks, None, None)
                remarks = []
            number += 1
        self.take(remarks, None, None)

    def take(self, remarks, language, text):
        """A block (None: there is none) with the remarks in front of it."""
        kinds = dict(remarks)
        if text is not None and not remarks and not language and self.gives and not self.message and not self.mended:
            self.message = text
        if not remarks:
            return
        name = kinds.get("file", "x.c")
        if text is None and set(kinds) != {"mended"}:
            self.wrong.append(f"a remark without a block: {', '.join(kinds)}")
            return
        if text is not None:
            self.files[name] = text
            (self.not_c.add if "not C" in kinds else self.not_c.discard)(name)
        if "gives" in kinds:
            self.put("gives", kinds["gives"])
        elif "mended" in kinds:
            self.put("mended", kinds["mended"])
        elif "file" in kinds and self.mended:
            self.mended.files[name] = text
        elif "file" in kinds and self.gives and not self.mended:
            self.gives.files[name] = text

    def put(self, kind, command):
        if getattr(self, kind):
            self.wrong.append(f"two programs: {kind}")
        program = Program(kind, command, self.files)
        program.not_c = set(self.not_c)
        setattr(self, kind, program)

    def needs_mended(self):
        return not self.code.startswith("ORR1") and "Nothing is to be done" not in self.text

    def whole(self):
        return bool(self.gives and self.message and (self.mended or not self.needs_mended()))

    def form(self):
        """What is missing, or cannot be right."""
        wrong = list(self.wrong)
        if not self.gives:
            wrong.append("no program that gives the message")
        if self.gives and not self.message:
            wrong.append("no message")
        if self.message and f"[{self.code}]" not in self.message:
            wrong.append(f"the message does not end with [{self.code}]")
        if self.needs_mended() and not self.mended:
            wrong.append("no mended program")
        if not self.needs_mended() or self.mended and self.gives and self.mended.command != self.gives.command or not self.mended:
            return wrong
        if self.mended.files == self.gives.files:
            wrong.append("the mended program is the first one, with the same command")
        return wrong


def environment_of(build, tree):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ORRERY_", "OMPI_"))}
    environment.update(LC_ALL="C.UTF-8", PATH=f"{build}/bin:{environment['PATH']}", OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                       C_INCLUDE_PATH=os.path.join(tree, "include"))
    return environment


def run(command, folder, environment):
    """(status, what it printed) of a shell command; all that it started is ended with it."""
    with subprocess.Popen(["bash", "-c", command], cwd=folder, env=environment, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True) as child:
        try:
            printed, _ = child.communicate(timeout=LIMIT)
            return child.returncode, printed
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return 127, child.communicate()[0] + f"\nnot over after {LIMIT} s"


def plain(text):
    return " ".join(text.split())


def says(printed, message):
    """The lines of the page's message that the command did not print."""
    missing, printed = [], plain(printed)
    for line in message.strip().split("\n"):
        pattern = ".*?".join(re.escape(part) for part in plain(line).split("..."))
        if not re.search(pattern, printed):
            missing.append(line)
    return missing


def check_text(program, folder, environment):
    """A compiler takes the program's files, with no warning."""
    wrong = []
    for name, text in program.files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    for name, text in program.files.items():
        if not name.endswith(".c") or name in program.not_c:
            continue
        done = subprocess.run(COMPILE + [name], cwd=folder, env=environment, text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode:
            wrong.append(f"{program.kind}: gcc does not take {name}:\n{done.stdout}")
        if re.search(r"(?<!, )\.\.\.", text):
            wrong.append(f"{program.kind}: something is left out of {name} (...)")
    return wrong


def check_gives(page, status, printed):
    if status in (126, 127) or f"[{page.code}]" not in printed:
        return [f"status {status}, and not [{page.code}]:\n{printed}"]
    one_line = page.code.startswith("ORR1") or page.code in NO_FIX or page.message.startswith("orrery: rank")
    if not one_line and "\n  fix: " not in printed:
        return [f"the message names no way out:\n{printed}"]
    return [f"the message is another one now: {line}\n{printed}" for line in says(printed, page.message)[:1]]


def check_mended(page, status, printed):
    if status or f"[{page.code}]" in printed:
        return [f"mended: status {status}:\n{printed}"]
    of_loop = re.match(r"ORR(2[1-5]|3)", page.code) and "orrery analyze" in page.mended.command
    if of_loop and (not re.search(r"\[ORR1\d\d\d\]", printed) or re.search(r"\[ORR2[1-4]\d\d\]", printed)):
        return [f"mended: a loop is not parallel:\n{printed}"]
    return []


def check(page, environment):
    wrong = page.form()
    for program, judge in ((page.gives, check_gives), (page.mended, check_mended)):
        if program and not wrong:
            with tempfile.TemporaryDirectory() as home:
                folder = os.path.join(home, "page")
                os.mkdir(folder)
                wrong += check_text(program, folder, environment)
                wrong += judge(page, *run(program.command, folder, dict(environment, HOME=home)))
    return wrong


def read_list(tree, name):
    """{code: what stands behind it}"""
    with open(os.path.join(tree, "tests", "docs", name), encoding="utf-8") as file:
        rows = [line.strip().split(" | ") for line in file if line.strip() and line[0] != "#"]
    return {row[0]: " | ".join(row[1:]) for row in rows}


def check_lists(pages, not_run, still):
    wrong = [f"{code}: no such page" for code in list(not_run) + list(still) if code not in pages]
    wrong += [f"{code}: in both lists" for code in not_run if code in still]
    wrong += [f"{code}: has its programs: take it out of messages_still.txt" for code in still
              if code in pages and pages[code].whole()]
    for code, why in not_run.items():
        if code in pages and (not why or plain(why) not in plain(pages[code].text)):
            wrong.append(f"{code}: the page does not say: {why}")
    return wrong


def has_gpu():
    return bool(shutil.which("nvidia-smi")) and subprocess.run(["nvidia-smi"], capture_output=True, check=False).returncode == 0


def main():
    build, tree, codes = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
    pages = {page.code: page for page in map(Page, sorted(glob.glob(os.path.join(tree, "docs", "messages", "ORR*.md"))))}
    not_run, still = read_list(tree, "messages_not_run.txt"), read_list(tree, "messages_still.txt")
    wrong, count, environment = [], 0, environment_of(build, tree)
    if codes == "lists":
        wrong = check_lists(pages, not_run, still)
    for code, page in pages.items():
        if not re.match("ORR" + codes, code) or code in still:
            continue
        count += 1
        if code not in not_run:
            wrong += [f"docs/messages/{code}.md: {text}" for text in check(page, environment)]
        elif page.form() and "No program is known" not in not_run[code]:
            wrong += [f"docs/messages/{code}.md: {text}" for text in page.form()]
        elif not has_gpu() and not check(page, environment):
            wrong.append(f"{code}: it passes: take it out of messages_not_run.txt")
    for line in wrong:
        print(line)
    print(f"{count} pages, {len(wrong)} faults")
    return 1 if wrong else 0


sys.exit(main())
