"""Whole programs of one file or several, that end by themselves: built by gcc and by orrery-cc, run and compared."""

import hashlib
import json
import random
import re
import shutil
import signal
import tempfile
from collections import Counter
from pathlib import Path

from .tools import Failure, run

MOST_BYTES = 4000000
LATE, NO_PROCESSOR = 124, 128 + signal.SIGXCPU

RAN = re.compile(r"(\S+):(\d+) [\w-]+ grid \S+ passes [1-9]")


class Program:
    """
    changing: the files that are this program's own; fixed: those that come with others like it, whose objects are kept;
    flags: for the compiler; command: what the shell runs, in an empty folder, "$PROGRAM" being the program.
    """

    def __init__(self, tools, changing, flags, fixed=(), command='"$PROGRAM"'):
        self.tools, self.changing, self.fixed = tools, list(changing), list(fixed)
        self.flags, self.command = list(flags), command

    def build(self, compiler, name):
        """The program, and what the compiler says of the changing files."""
        found = [self.compiled(compiler, source, self.tools.work / f"{name}.{at}.o") for at, source in enumerate(self.changing)]
        objects = [made for made, _ in found] + [self.kept(compiler, source) for source in self.fixed]
        binary = self.tools.work / name
        run([*compiler, *objects, "-lm", "-o", binary], timeout=300)
        return binary, "".join(words for _, words in found)

    def compiled(self, compiler, source, made):
        return made, run([*compiler, "-w", *self.flags, "-c", source, "-o", made], timeout=300).stderr

    def kept(self, compiler, source):
        """The object of a file that stays, made once for a compiler and its flags."""
        words = [str(word) for word in [*compiler, *self.flags, Path(source).resolve()]]
        made = self.tools.work / f"{hashlib.sha1(' '.join(words).encode()).hexdigest()}.o"
        if not made.exists():
            self.compiled(compiler, source, made)
        return made

    def outcome(self, binary, seconds, env=None):
        """(status, what is printed, what is printed of errors); fails where the program does not end in seconds of the
        processor (others use the machine), or, waiting, in ten times as many."""
        folder = self.tools.work / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        text = f"ulimit -S -t {seconds}; cd {folder}; exec </dev/null; {{ {self.command}\n}} | head -c {MOST_BYTES}"
        done = run(["timeout", "-k", "1", str(10 * seconds), "bash", "-o", "pipefail", "-c", text], check=False, timeout=11 * seconds,
                   env={"PROGRAM": str(binary), **(env or {})})
        if done.returncode in (LATE, NO_PROCESSOR):
            raise Failure(f"did not end within {seconds} s")
        return done.returncode, done.stdout, done.stderr


class Judge:
    """What was found so far. left: what became of programs that were not judged; answers: what `verify --accesses` says of loops."""

    def __init__(self, tools, seconds, watch, keep, options=("-auto", "-DORRERY_SHORT_LOOPS")):
        self.tools, self.seconds, self.watches, self.keep, self.options = tools, seconds, watch, keep, options
        self.left, self.answers = Counter(), Counter()
        self.judged = self.loops = self.executed = self.wrong = 0

    def judge(self, name, program, expected, is_doubtful=None):
        """
        expected: status and output of the plain program. is_doubtful: asked of what seems wrong, whether it is C at all.
        Prints what is wrong, and keeps it. False: not judged.
        """
        try:
            what = self.parallel(name, program, expected) or (self.watched(program, expected) if self.watches else None)
        except Failure as failure:
            what = str(failure)[:600]
        if what and is_doubtful and is_doubtful():
            self.left["has no meaning in C"] += 1
            return False
        self.judged += 1
        if what:
            self.wrong += 1
            print(f"{name}: WRONG {what}", flush=True)
            self.save(name, program)
        return True

    def save(self, name, program):
        if not self.keep:
            return
        folder = Path(self.keep) / re.sub(r"\W+", "_", name)
        folder.mkdir(parents=True, exist_ok=True)
        for source in program.changing:
            for file in [source, *source.parent.glob("*.h")]:
                shutil.copy(file, folder)

    # ---- built with -auto ----

    def parallel(self, name, program, expected):
        """What is wrong with the program on 1, 2 and 3 threads where every loop is a region."""
        host = random.Random(name).choice(["-O0", "-O1", "-O2"])
        binary, words = program.build([self.tools.orrery_cc, *self.options, "-Rorrery", host], "tested")
        planned = len(re.findall(r"remark: parallel", words))
        self.loops += planned
        ran = set()
        for threads in (1, 2, 3) if planned else (2,):
            status, output, errors = program.outcome(binary, 12 * self.seconds, {"ORRERY_AUTO_US": "0", "ORRERY_THREADS": str(threads), "ORRERY_STATS": "1"})
            ran |= places(errors, program.changing)
            if (status, output) != expected:
                return f"{host}, {threads} threads: status {status}, {output[-60:]!r} instead of {expected[0]}, {expected[1][-60:]!r}; {errors[-200:]}"
        self.executed += len(ran)
        return None

    # ---- built with -accesses ----

    def watched(self, program, expected):
        """What is wrong with the verdicts, by the accesses of a run."""
        binary, _ = program.build([self.tools.orrery_cc, "-accesses"], "watched")
        with tempfile.TemporaryDirectory(dir=self.tools.work) as folder:
            try:
                status, output, _ = program.outcome(binary, 12 * self.seconds, {"ORRERY_ACCESSES": folder})
            except Failure:
                self.answers["too slow to watch"] += 1
                return None
            if (status, output) != expected:
                return f"watched: status {status}, {output[-60:]!r} instead of {expected[1][-60:]!r}"
            return self.contradicted(program, folder)

    def contradicted(self, program, folder):
        done = run([self.tools.orrery, "verify", "--accesses", "--from", folder, "--format=json"], check=False)
        loops = [loop for loop in json.loads(done.stdout)["loops"] if is_of(loop["file"], program.changing)]
        self.answers.update(loop["answer"] for loop in loops)
        bad = [f"{loop['file']}:{loop['line']} contradicted: {loop['conflicts'][:1]}" for loop in loops if loop["answer"] == "contradicted"]
        return "; ".join(bad) or (f"verify ends with {done.returncode}: {done.stderr[-300:]}" if done.returncode else None)

    def summary(self, kind):
        left = ", ".join(f"{name}: {count}" for name, count in self.left.items()) or "none"
        if self.watches:
            print("loops by the accesses of their runs: " + ", ".join(f"{name} {count}" for name, count in self.answers.most_common()))
        print(f"{self.judged} {kind} judged (left out: {left}), {self.loops} loops planned, {self.executed} ran in parallel, {self.wrong} wrong")


def is_of(file, sources):
    return Path(file).name in {Path(source).name for source in sources}


def places(errors, sources):
    """The loops of these files that ran by their plan."""
    return {(file, line) for file, line in RAN.findall(errors) if is_of(file, sources)}
