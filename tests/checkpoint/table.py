#!/usr/bin/env python3
"""What orrery run makes of faults: every fault in every phase of samples on several ranks, as a table.

    table.py BIN TOOLS [--repeat N] [--programs mf,lda] [--faults killed,stopped] [--phases pass,end]

A cell says how many seconds after the fault the job started again, naming who was struck, and has gone on to the end
with the bits of an undisturbed run; or with which status it ended; or what went wrong, and then the status is 1. `-`:
it was not disturbed: the phase is over before anything can be done to it, or it needs nothing more of what is full.
tests/cluster/table.sh runs it on emulated hosts, whose links it cuts. A disk is filled as root alone.
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

# What checkpoint-strike does. On a full disk the run goes on; without memory it does, or ends and says so.
STRIKES = {"killed": "9", "stopped": "19", "hung": "hang", "memory full": "memory"}
FAULTS = [*STRIKES, "disk full"]
UNPROTECTED = "the run goes on, and is not protected"

# Rank 0 may wait there for anything.
LEGAL = {("hung", "serial"), ("hung", "checkpoint"), ("hung", "start"), ("memory full", "start")}

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
        self.saved = "saved"

    def mount_disk(self):
        """Checkpoints go to a disk of their own, which is filled. False: it cannot be had."""
        os.mkdir(self.path("disk"))
        self.saved = "disk/saved"
        return subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", self.path("disk")], check=False,
                              stderr=subprocess.DEVNULL).returncode == 0

    def unmount_disk(self):
        subprocess.run(["umount", "-l", self.path("disk")], check=False, stderr=subprocess.DEVNULL)
        os.rmdir(self.path("disk"))
        self.saved = "saved"

    def fill_disk(self):
        """What other files leave later is filled, too."""
        with open(self.path("disk/other"), "ab", buffering=0) as out:
            for size in 1 << 20, 4096:
                try:
                    while out.write(bytes(size)) > 0:
                        pass
                except OSError:
                    pass
        return True

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
        for old in glob.glob(self.path("result*")) + [self.path("saved"), self.path("disk/saved"), self.path("disk/other")]:
            shutil.rmtree(old, ignore_errors=True) if os.path.isdir(old) else os.path.exists(old) and os.remove(old)
        run = [os.path.join(self.bin, "orrery"), "run", "-n", "2", "--oversubscribe", "--threads", "1", "--checkpoint",
               self.saved, "--max-restarts", "3", "--patience", "20"]
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
            if len(ranks) > 1 and fault not in STRIKES:
                return self.do(fault)
            if len(ranks) > 1:
                os.kill(ranks[1], int(STRIKES[fault]))
                return True
            time.sleep(.005)
        return False

    def do(self, fault):
        """What checkpoint-strike does not do."""
        return self.fill_disk() if fault == "disk full" else self.cut(fault)

    def cut(self, fault):
        return subprocess.run(["ip", "-n", "orrery-sw", "link", "set", LINKS[fault], "down"], check=False).returncode == 0

    def mend(self):
        for port in LINKS.values() if self.hosts else ():
            subprocess.run(["ip", "-n", "orrery-sw", "link", "set", port, "up"], check=False)

    def strike(self, fault, phase, program, job):
        if PHASES[phase] is None:
            return self.strike_at_start(fault, program, job)
        number, rank, least = PHASES[phase]
        how = STRIKES.get(fault, "0")
        words = [os.path.join(self.tools, "checkpoint-strike"), self.saved, str(rank), str(number), str(least), how]
        if subprocess.run(words, cwd=self.folder, check=False).returncode != 0:
            return False
        return fault in STRIKES or self.do(fault)

    def same(self):
        whole = glob.glob(self.path("undisturbed*"))
        return all(os.path.exists(one.replace("undisturbed", "result")) and
                   filecmp.cmp(one, one.replace("undisturbed", "result"), shallow=False) for one in whole)

    def wrong(self, what):
        self.failures += 1
        return "**" + what + "**"

    def follow(self, job, fault, phase):
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
        if fault == "memory full" and 0 < job.returncode < 126 and "memory" in self.said() and again is None:
            return f"status {job.returncode}, {took:.1f}"
        if job.returncode != 0:
            return self.wrong(f"status {job.returncode}: {self.said().strip().splitlines()[-1:]}")
        if not self.same():
            return self.wrong("other bits")
        return self.recovered(fault, phase, again)

    def recovered(self, fault, phase, again):
        """It has gone on with the same bits: who was blamed?"""
        blamed = [line for line in self.said().splitlines() if "starting again" in line]
        if fault in ("disk full", "memory full"):
            goes_on = "goes on" if UNPROTECTED in self.said() else "-"
            return self.wrong(f"{fault}: {blamed[0]}") if blamed else goes_on
        if again is None:
            return "-"
        struck = PHASES[phase] and fault not in LINKS and f"rank {PHASES[phase][1]} "
        if len(blamed) > 1 or (struck and struck not in blamed[0]):
            return self.wrong(f"it blames {blamed}")
        return f"{again:.1f}"

    def cell(self, fault, phase, program, words):
        job = self.start(words)
        struck = self.strike(fault, phase, program, job)
        if not struck:
            job.wait()
        cell = self.follow(job, fault, phase) if struck else "-"
        self.mend()
        self.errors.close()
        return cell

    def row(self, fault, phases, program, words, repeat):
        if fault == "disk full" and not self.mount_disk():
            print(" no disk can be mounted |", end="")
            return
        for phase in phases:
            cells = ["legal"] if (fault, phase) in LEGAL else [
                self.cell(fault, phase, program, words) for _ in range(repeat)]
            print(f" {worst(cells)} |", end="", flush=True)
        if fault == "disk full":
            self.unmount_disk()


def seconds_of(cell):
    """-1: it was not disturbed."""
    last = cell.split()[-1]
    return float(last) if last.replace(".", "").isdigit() else -1.0


def worst(cells):
    """Of several tries the slowest, or the one that failed."""
    failed = [cell for cell in cells if cell.startswith("**")]
    return failed[0] if failed else max(cells, key=seconds_of)


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
                table.row(fault, phases, program, words, options.repeat)
                print(flush=True)
            failures += table.failures
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
