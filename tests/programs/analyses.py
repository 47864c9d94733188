#!/usr/bin/env python3
"""What `orrery analyze` says of the programs beside this file is what their first lines expect.

usage: analyses.py BUILD refuse|accept|shapes [FILE...]
  refuse: `/* expect: serial CODE LINE:COLUMN `WORDS` */`, in this folder's refuse and bugs: the marked loop stays serial
    with this code at this place, in JSON and in text, with a caret below the words and an edit that would help;
    -Werror=serial makes it an error, and the code has a page. A second line `says: WORDS` is looked for in the remark.
  accept: `expect: parallel ...` (expect.c has the forms): so says JSON, and -Werror=serial lets it pass.
  shapes: ` * loop: parallel STRATEGY[|STRATEGY]` or ` * loop: serial CODE` for each marked loop, in the order of the text.
    ` * waits: WORDS`: not built yet: the loops are not found so, and when they are this line has to go.
Names every program that is not as expected.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
JSON, STRICT = ("--format=json",), ("-Werror=serial",)


class Tool:
    """The analyzer of a build, asked about many files at once."""

    def __init__(self, build):
        self.orrery = os.path.join(build, "bin", "orrery")
        self.expect = os.path.join(build, "tests", "expect")

    def each(self, commands):
        """Status and output of each command, of one process that loads its libraries once (../scheduler/many.c)."""
        with tempfile.TemporaryDirectory() as folder:
            outputs = [os.path.join(folder, str(number)) for number in range(len(commands))]
            lines = ("\t".join([output, f"{output}.err", *command]) for output, command in zip(outputs, commands))
            done = subprocess.run([f"{self.orrery}-many"], input="\n".join([*lines, ""]), capture_output=True, text=True,
                                  check=False)
            said = [read(output) + read(f"{output}.err") for output in outputs]
        statuses = done.stdout.split()
        if done.returncode or len(statuses) != len(commands):
            last = " ".join(commands[min(len(statuses), len(commands) - 1)])
            sys.exit(f"orrery-many: status {done.returncode} behind {len(statuses)} of {len(commands)} commands, at {last}\n"
                     + done.stderr + said[-1])
        return list(zip(map(int, statuses), said))

    def analyze(self, files, *ways):
        """For each way, the answers of all files; of a file all ways are asked for together, it is parsed once."""
        answers = self.each([("analyze", *way, name) for name in files for way in ways])
        return [answers[number::len(ways)] for number in range(len(ways))]

    def differs(self, name, line):
        """What of a file's first comment is not as in its line of JSON."""
        if line is None:
            return ["analyze failed"]
        done = subprocess.run([self.expect, name], input=line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        return [] if done.returncode == 0 else done.stdout.splitlines() or [f"status {done.returncode}"]


def json_of(files, answers):
    """The line of each file that has no errors."""
    for name, (status, said) in zip(files, answers):
        if status:
            print(f"{name}: status {status}\n{said}", end="")
    return {name: said.splitlines()[0] for name, (status, said) in zip(files, answers) if status == 0}


def text_in(files, answers):
    """The highest status of all, and each file's lines."""
    return max(status for status, _ in answers), {name: said.splitlines() for name, (_, said) in zip(files, answers)}


def read(name):
    return Path(name).read_text(errors="replace") if os.path.exists(name) else ""


def text_of(name):
    return Path(name).read_text(errors="replace").splitlines()


def caret(name, place, lines):
    """Is there a warning at this place with the code, the line of the file and a caret below the column?"""
    code, line, column = place
    source = text_of(name)[line - 1]
    for at, said in enumerate(lines[:-2]):
        if said.startswith(f"{name}:{line}:{column}: warning: ") and f"[{code}]" in said:
            begin = lines[at + 1].find(source)
            return begin >= 0 and lines[at + 2].find("^") == begin + column - 1
    return False


def strict(answer, name, place):
    status, said = answer
    wrong = [] if status == 1 else [f"-Werror=serial gave status {status}"]
    if f"{name}:{place[1]}:{place[2]}: error: " not in said:
        wrong.append("-Werror=serial shows no error")
    return wrong


def refused(tool, name, line, lines, answer):
    first, *rest = text_of(name)
    found = re.search(r"serial (ORR\d+) (\d+):(\d+) ", first)
    if not found:
        return ["the first line is no expectation"]
    place = found.group(1), int(found.group(2)), int(found.group(3))
    wrong = tool.differs(name, line) + strict(answer, name, place)
    if not caret(name, place, lines):
        wrong.append(f"the text shows no caret at {place[1]}:{place[2]}")
    if not any(re.match("  fix: .", said) for said in lines):
        wrong.append("the text shows no edit that would help")
    says = re.fullmatch(r"/\* says: (.*) \*/", rest[0]) if rest else None
    begin = f"{name}:{place[1]}:{place[2]}: warning: "
    if says and not any(said.startswith(begin) and says.group(1) in said for said in lines):
        wrong.append(f"the warning does not say: {says.group(1)}")
    return wrong + ([*lines, ""] if wrong else [])


def refuse(tool, files):
    texts, found, answers = tool.analyze(files, (), JSON, STRICT)
    status, lines = text_in(files, texts)
    found = json_of(files, found)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = dict(zip(files, pool.map(lambda name, answer: refused(tool, name, found.get(name), lines[name], answer),
                                         files, answers)))
    codes = sorted({code for name in files for code in re.findall(r"ORR\d+", text_of(name)[0])})
    for code, said in zip(codes, tool.each([("explain", code) for code in codes])):
        if said[0] != 0 or code not in said[1]:
            wrong[f"explain {code}"] = [f"status {said[0]}, or it does not name the code"]
    return {**wrong, **({"analyze": [f"status {status}"]} if status else {})}


def accept(tool, files):
    answers, found = tool.analyze(files, STRICT, JSON)
    status, lines = text_in(files, answers)
    found = json_of(files, found)
    wrong = {name: tool.differs(name, found.get(name)) for name in files}
    for name, answer in zip(files, answers):
        if not any(re.search("ORR1[0-9]*", said) for said in lines[name]):
            wrong[name].append("no remark says that it is parallel")
        if answer[0]:
            wrong[name] += ["-Werror=serial stops it", *lines[name]]
    return {**wrong, **({"analyze -Werror=serial": [f"status {status}"]} if status else {})}


def verdict(loop):
    if loop["verdict"] == "parallel":
        return f"parallel {loop['strategy']}"
    return f"{loop['verdict']} {(loop['reasons'] or [{'code': '?'}])[0]['code']}"


def shape(name, line):
    """What is not found of a program of shapes."""
    if line is None:
        return ["analyze failed"]
    comment = []
    for text in text_of(name):
        comment.append(text)
        if "*/" in text:
            break
    wanted, waits = ([text.split(": ", 1)[1] for text in comment if re.match(rf"[ /]*\* {key}: ", text)]
                     for key in ("loop", "waits"))
    found = [verdict(loop) for loop in json.loads(line)["loops"] if loop["marked"]]
    if not wanted or len(wanted) != len(found):
        return [f"{len(wanted)} loop: lines, {len(found)} marked loops"]
    wrong = [f"loop {number}: expected {want}, found {is_}" for number, (want, is_) in enumerate(zip(wanted, found), 1)
             if want.split()[0] != is_.split()[0] or is_.split()[1] not in want.split(" ", 1)[1].split("|")]
    if waits:
        return [] if wrong else [f"all is found: the line 'waits: {waits[0]}' has to go"]
    return wrong


def shapes(tool, files):
    found = json_of(files, tool.analyze(files, JSON)[0])
    return {name: shape(name, found.get(name)) for name in files}


def programs(kind):
    files = sorted(HERE.glob(f"{kind}/*.c"))
    if kind == "refuse":
        files += [file for file in sorted(HERE.glob("bugs/*.c")) if "expect: serial" in text_of(file)[0]]
    return [str(file) for file in files]


def main():
    kinds = {"refuse": refuse, "accept": accept, "shapes": shapes}
    if len(sys.argv) < 3 or sys.argv[2] not in kinds:
        sys.exit(__doc__)
    kind, files = sys.argv[2], sys.argv[3:] or programs(sys.argv[2])
    answers = kinds[kind](Tool(sys.argv[1]), files)
    wrong = {name: lines for name, lines in answers.items() if lines}
    for name, lines in wrong.items():
        print("\n    ".join([f"{name}:", *lines]))
    print(f"{len(files)} programs, {len(wrong)} not as expected: {' '.join(Path(name).stem for name in wrong)}")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
