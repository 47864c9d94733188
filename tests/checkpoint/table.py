#!/usr/bin/env python3
"""What orrery run makes of faults: every fault in every phase of samples on several ranks, as a table.

    table.py BIN TOOLS [--repeat N] [--programs mf,lda] [--faults killed,stopped] [--phases pass,end]

A cell says how many seconds after the fault the job started again, and has gone on to the end with the bits of an
undisturbed run; or with which status it ended; or what went wrong, and then the status is 1. `-`: the phase is over
before anything can be done to it. tests/cluster/table.sh runs it on emulated hosts, whose links it cuts.
"""
import argparse
import filecmp
import glob
import gzip
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(TREE, "samples", "data")
MOST = 300

# Lines of the data, and the arguments.
PROGRAMS = {
    "mf": ("names.mtx", 200000, ["--rank", "8", "--epochs", "6"]),
    "lda": ("specs.ldac", 300, ["--epochs", "4"]),
    "slr": ("a9a", 5000, ["--epochs", "60"]),
    "kmeans": ("covtype20k.csv", 5000, ["--iterations", "8", "--clusters", "8"]),
    "cp": ("names.tns", 100000, ["--epochs", "4"]),
    "gauss_seidel": (None, 0, ["--grid", "1500", "--sweeps", "30"]),
    "sptrsv": (None, 0, ["--grid", "300", "--steps", "20"]),
}

# Number in runtime/base/heartbeat_format.h, the rank that is struck, and from which pass on.
PHASES = {
    "start": None,
    "serial": (0, 0, 0),
    "inspection": (1, 0, 0),
    "pass": (2, 1, 2),
    "checkpoint": (4, 0, 2),
    "between": (5, 1, 2),
    "end": (6, 1, 0),
}

# What checkpoint-strike does.
FAULTS = {"killed": "9", "stopped": "19", "hung": "hang"}

# Rank 0 may wait there for anything.
LEGAL = {("hung", "serial"), ("hung", "checkpoint"), ("hung", "start")}

LINKS = {"host cut off": "p1", "own host cut off": "p0"}


def descendants(process):
    """Processes that this one has started, and they, with their names."""
    children = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                before, _, after = file.read().rpartition(")")
        except OSError:
            continue
        number, name = before.split(" (", 1)
        children.setdefault(int(after.split()[1]), []).append((int(number), name))
    found, left = [], [process]
    while left:
        for child in children.get(left.pop(), []):
            found.append(child)
            left.append(child[0])
    return sorted(found)


class Table:
    def __init__(self, options, folder):
        self.bin, self.tools, self.folder = os.path.abspath(options.bin), os.path.abspath(options.tools), folder
        self.hosts = os.environ.get("hostfile")
        self.failures = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def prepare(self, program):
        """The command line, and what it computes undisturbed."""
        data, lines, words = PROGRAMS[program]
        source = os.path.join(TREE, "samples", program, program + ".c")
        subprocess.run([os.path.join(self.bin, "orrery-cc"), "-O2", source, "-o", program, "-lm"], cwd=self.folder, check=True,
                       capture_output=True)
        words = ["./" + program, *words]
        if data:
            self.cut_data(data, lines)
            words.append(data)
        undisturbed = subprocess.run([*words, "--output", "undisturbed"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, check=False)
        if undisturbed.returncode:
            sys.exit(f"{' '.join(words)}: {undisturbed.stderr.decode()}")
        return words

    def cut_data(self, name, lines):
        with gzip.open(os.path.join(DATA, name + ".gz"), "rt") as source:
            text = source.readlines()[:lines]
        if name.endswith(".mtx"):
            sizes = next(i for i, line in enumerate(text) if not line.startswith("%"))
            rows, columns, _ = text[sizes].split()
            text[sizes] = f"{rows} {columns} {len(text) - sizes - 1}\n"
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.writelines(text)

    def start(self, words):
        for old in glob.glob(self.path("result*")) + [self.path("saved")]:
            shutil.rmtree(old, ignore_errors=True) if os.path.isdir(old) else os.path.exists(old) and os.remove(old)
        run = [os.path.join(self.bin, "orrery"), "run", "-n", "2", "--oversubscribe", "--threads", "1", "--checkpoint",
               "saved", "--max-restarts", "3", "--patience", "20"]
        if self.hosts:
            run = ["ip", "netns", "exec", "orrery-h0", "unshare", "--uts", "/bin/sh", "-c",
                   'hostname orrery-h0; exec "$@"', "sh", *run, "--hostfile", self.hosts]
        self.errors = open(self.path("err"), "w+", encoding="utf-8", errors="replace")
        return subprocess.Popen([*run, "--", *words, "--output", "result"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=self.errors, start_new_session=True)

    def said(self):
        with open(self.path("err"), encoding="utf-8", errors="replace") as text:
            return text.read()

    def strike_at_start(self, fault, program, job):
        """As soon as a second process of the program is there, before it says anything."""
        while job.poll() is None:
            ranks = [process for process, name in descendants(job.pid) if name == program[:15]]
            if len(ranks) > 1 and fault in LINKS:
                return self.cut(fault)
            if len(ranks) > 1:
                os.kill(ranks[1], int(FAULTS[fault]))
                return True
            time.sleep(.005)
        return False

    def cut(self, fault):
        return subprocess.run(["ip", "-n", "orrery-sw", "link", "set", LINKS[fault], "down"], check=False).returncode == 0

    def mend(self):
        for port in LINKS.values() if self.hosts else ():
            subprocess.run(["ip", "-n", "orrery-sw", "link", "set", port, "up"], check=False)

    def strike(self, fault, phase, program, job):
        if PHASES[phase] is None:
            return self.strike_at_start(fault, program, job)
        number, rank, least = PHASES[phase]
        how = "0" if fault in LINKS else FAULTS[fault]
        words = [os.path.join(self.tools, "checkpoint-strike"), "saved", str(rank), str(number), str(least), how]
        if subprocess.run(words, cwd=self.folder, check=False).returncode != 0:
            return False
        return fault not in LINKS or self.cut(fault)

    def same(self):
        whole = glob.glob(self.path("undisturbed*"))
        return all(os.path.exists(one.replace("undisturbed", "result")) and
                   filecmp.cmp(one, one.replace("undisturbed", "result"), shallow=False) for one in whole)

    def wrong(self, what):
        self.failures += 1
        return "**" + what + "**"

    def follow(self, job, fault):
        """What becomes of it from now on."""
        begun, again = time.monotonic(), None
        while job.poll() is None and time.monotonic() - begun < MOST:
            if again is None and "starting again" in self.said():
                again = time.monotonic() - begun
                self.mend()
            time.sleep(.01)
        took = time.monotonic() - begun
        if job.poll() is None:
            os.killpg(job.pid, signal.SIGTERM)
            job.wait()
            return self.wrong("hangs")
        if fault == "own host cut off" and job.returncode == 205 and took < 60:
            return f"205, {took:.1f}"
        if job.returncode != 0:
            return self.wrong(f"status {job.returncode}: {self.said().strip().splitlines()[-1:]}")
        if not self.same():
            return self.wrong("other bits")
        return f"{again:.1f}" if again is not None else "-"

    def cell(self, fault, phase, program, words):
        job = self.start(words)
        struck = self.strike(fault, phase, program, job)
        if not struck:
            job.wait()
        cell = self.follow(job, fault) if struck else "-"
        self.mend()
        self.errors.close()
        return cell


def worst(cells):
    """Of several tries the slowest, or the one that failed."""
    failed = [cell for cell in cells if cell.startswith("**")]
    return failed[0] if failed else max(cells)


def listed(text, all_of):
    return text.split(",") if text else list(all_of)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("tools")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--programs")
    parser.add_argument("--faults")
    parser.add_argument("--phases")
    options = parser.parse_args()
    phases = listed(options.phases, PHASES)
    faults = listed(options.faults, LINKS if os.environ.get("hostfile") else FAULTS)
    print("| program | fault |", " | ".join(phases), "|\n|---|---|" + "---|" * len(phases), flush=True)
    failures = 0
    for program in listed(options.programs, PROGRAMS):
        with tempfile.TemporaryDirectory() as folder:
            table = Table(options, folder)
            words = table.prepare(program)
            for fault in faults:
                print(f"| {program} | {fault} |", end="", flush=True)
                for phase in phases:
                    cells = ["legal"] if (fault, phase) in LEGAL else [
                        table.cell(fault, phase, program, words) for _ in range(options.repeat)]
                    print(f" {worst(cells)} |", end="", flush=True)
                print(flush=True)
            failures += table.failures
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
