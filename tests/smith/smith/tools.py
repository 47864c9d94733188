"""The commands the tests start, and where they are."""

import json
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
INCLUDE = HERE.parent.parent / "include"


class Failure(Exception):
    """Something that must not happen; the text says what."""


def run(command, timeout=300, env=None, check=True):
    full = dict(os.environ, **(env or {}))
    try:
        done = subprocess.run([str(one) for one in command], capture_output=True, text=True, timeout=timeout, env=full,
                              errors="replace", check=False)
    except subprocess.TimeoutExpired as late:
        raise Failure(f"{command[0]} did not end within {timeout} s") from late
    if check and done.returncode != 0:
        raise Failure(f"{' '.join(str(one) for one in command)}: status {done.returncode}\n{done.stderr[-2000:]}{done.stdout[-500:]}")
    return done


class Tools:
    """bin: where orrery and orrery-cc are; work: a folder for what is made."""

    def __init__(self, binaries, work):
        self.orrery, self.orrery_cc = Path(binaries) / "orrery", Path(binaries) / "orrery-cc"
        self.work = Path(work)
        self.recorder = self.work / "recorder.o"

    def analyze(self, source, *options):
        done = run([self.orrery, "analyze", "--format=json", *options, "-I", INCLUDE, source])
        return json.loads(done.stdout)["loops"]

    def build_recorder(self):
        objects = []
        for name in ("recorder", "recorder_cells"):
            objects.append(self.work / f"{name}.o")
            run(["cc", "-O2", "-I", HERE, "-c", HERE / f"{name}.c", "-o", objects[-1]])
        run(["ld", "-r", *objects, "-o", self.work / "recorder_all.o"])
        return self.work / "recorder_all.o"

    def compile_recorded(self, source, program):
        """Builds with every access reported; the compiler's words when it objects."""
        made = self.work / (Path(program).name + ".o")
        done = run(["clang-19", "-O0", "-w", "-ferror-limit=0", "-fsanitize=thread", "-mllvm", "-tsan-instrument-read-before-write=1", "-I", HERE,
                    "-I", self.work, "-I", INCLUDE, "-c", source, "-o", made], check=False)
        if done.returncode != 0:
            return done.stderr
        recorder = self.work / "recorder_all.o"
        if not recorder.exists():
            self.build_recorder()
        run(["cc", "-no-pie", made, recorder, "-o", program])
        return ""
