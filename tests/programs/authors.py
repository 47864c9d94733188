#!/usr/bin/env python3
"""Training programs as their authors would write them: what becomes of each, and that its results stay.

usage: authors.py BUILD [FILE.c...]
The first comment of a file in authors/ says what is expected of its marked loops, in their order:
   * loop: parallel STRATEGY[|STRATEGY], or serial CODE
   * says: WORDS            a line of the text of `orrery analyze` has them
   * edit: OLD => NEW       what the message leads to, in the text below the comment; may come several times
   * then: parallel STRATEGY   of the edited program
   * also: MACRO            with it defined the file is a library that the program is linked with
   * ranks: 2               it prints the same on so many ranks
   * order: another one     of iterations than the serial loop's, as `unordered` allows
The program that has parallel loops in the end is built without and with Orrery, and run with one and two threads: all
print the same; where something is relaxed, or the order is another one, the two with Orrery do.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from analyses import HERE, JSON, Tool, json_of, text_in, verdict

TREE = HERE.parent.parent


def split(name):
    """The lines of the first comment, and what is below it."""
    comment, body = Path(name).read_text().split(" */\n", 1)
    return comment.splitlines(), body


def said(comment, key):
    return [line.split(": ", 1)[1] for line in comment if line.startswith(f" * {key}: ")]


def edited(name, folder):
    """The program with its edits, as a file of its own; without any, the program itself."""
    comment, body = split(name)
    edits = [line.split(" => ") for line in said(comment, "edit")]
    if not edits:
        return name
    for old, new in edits:
        if old not in body:
            sys.exit(f"{name}: there is no `{old}`")
        body = body.replace(old, new)
    out = Path(folder, Path(name).name)
    out.write_text("#include <orrery.h>\n" + body)
    return str(out)


def found_by(tool, files):
    found = json_of(files, tool.analyze(files, JSON)[0])
    return {name: [verdict(loop) for loop in json.loads(found[name])["loops"] if loop["marked"]] if name in found else []
            for name in files}


def differs(wanted, found):
    fits = len(wanted) == len(found) and all(re.fullmatch(want.replace("|", "|parallel "), is_)
                                             for want, is_ in zip(wanted, found))
    return [] if fits else [f"expected {', '.join(wanted)}; found {', '.join(found) or 'nothing'}"]


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="backslashreplace", check=False, timeout=100,
                          **more)


def on_ranks(build, binary, count):
    """What the program prints on several ranks, or what went wrong."""
    done = run(os.path.join(build, "bin", "orrery"), "run", "-n", count, binary)
    return done.stderr if done.returncode else done.stdout


def results(build, name, also, ranks, folder):
    """What differs between a program and its parallel self."""
    output, objects = {}, []
    for macro in also:
        objects.append(str(Path(folder, Path(name).stem + ".o")))
        made = run("gcc", "-O0", "-w", f"-D{macro}", "-c", name, "-o", objects[-1])
        if made.returncode:
            return [f"-D{macro}: {made.stderr}"]
    for compiler in "gcc", os.path.join(build, "bin", "orrery-cc"):
        binary = Path(folder, Path(name).stem + "." + Path(compiler).name)
        made = run(compiler, "-O0", "-w", "-ffp-contract=off", "-I", str(TREE / "include"), name, *objects,
                   "-o", str(binary), "-lm")
        if made.returncode:
            return [f"{compiler}: {made.stderr}"]
        for threads in ("1",) if compiler == "gcc" else ("1", "2"):
            done = run(str(binary), env={**os.environ, "ORRERY_THREADS": threads})
            if done.returncode:
                return [f"{binary}: status {done.returncode}", done.stderr]
            output[compiler, threads] = done.stdout
    for count in ranks:
        output["ranks", count] = on_ranks(build, str(binary), count)
    text = Path(name).read_text()
    if re.search(r"orrery parallel.* relax\(", text) or " * order: another one" in text:
        del output["gcc", "1"]
    return [] if len(set(output.values())) == 1 else ["results differ", *output.values()]


def main():
    build = sys.argv[1]
    files = sys.argv[2:] or [str(file) for file in sorted(HERE.glob("authors/*.c"))]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        mended = {name: edited(name, folder) for name in files}
        lines = text_in(files, Tool(build).analyze(files, ())[0])[1]
        found = found_by(Tool(build), sorted({*files, *mended.values()}))
        wrong = {}
        for name in files:
            comment = split(name)[0]
            wrong[name] = differs(said(comment, "loop"), found[name])
            wrong[name] += [f"is not said: {words}" for words in said(comment, "says")
                            if not any(words in line for line in lines[name])]
            if mended[name] != name:
                wrong[name] += differs(said(comment, "then"), found[mended[name]])
        parallel = [name for name in files if any("parallel" in one for one in found[mended[name]])]
        for name, lines in zip(parallel, pool.map(
                lambda name: results(build, mended[name], said(split(name)[0], "also"), said(split(name)[0], "ranks"),
                                     folder), parallel)):
            wrong[name] += lines
    wrong = {name: lines for name, lines in wrong.items() if lines}
    for name, lines in wrong.items():
        print("\n    ".join([f"{name}:", *lines]))
    print(f"{len(files)} programs, {len(parallel)} of them in parallel, {len(wrong)} not as expected")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
