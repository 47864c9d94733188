"""Calls that all ranks of an mpi4py communicator make together, and the job that runs them (docs/python.md)."""
import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import numpy

from . import build as builder
from .types import Array

CHUNK = 1 << 28


class RunError(builder.Error):
    """A loop cannot run on these data. Nothing that it would write has changed."""


# What the launcher of this process has told it would lead the job's launcher astray.
LAUNCHERS = ("OMPI_", "PMIX_", "PMI_", "PRTE_", "ORTE_", "MPIR_", "HYDI_", "HYDRA_", "MPIEXEC_")

SERVER = """
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <stdio.h>
#include <stdlib.h>
static int orrery_line;
static char orrery_room[1 << 20];
static int orrery_get(void *to, long bytes) {
    char *at = to;
    while (bytes > 0) {
        long n = read(orrery_line, orrery_room, bytes < (long)sizeof orrery_room ? bytes : (long)sizeof orrery_room);
        if (n <= 0)
            return 0;
        memcpy(at, orrery_room, n);
        at += n, bytes -= n;
    }
    return 1;
}
static void orrery_put(const void *from, long bytes) {
    const char *at = from;
    while (bytes > 0) {
        long n = bytes < (long)sizeof orrery_room ? bytes : (long)sizeof orrery_room;
        memcpy(orrery_room, at, n);
        for (long done = 0, m; done < n; done += m)
            if ((m = write(orrery_line, orrery_room + done, n - done)) <= 0)
                exit(1);
        at += n, bytes -= n;
    }
}
static void *orrery_take(long bytes) {
    void *memory = bytes < 0 ? 0 : malloc(bytes ? bytes : 1);
    if (bytes >= 0 && (!memory || !orrery_get(memory, bytes)))
        fprintf(stderr, "no memory for an array of %ld bytes\\n", bytes), exit(1);
    return memory;
}
int main(int argc, char **argv) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int number;
    if (argc < 2)
        return 2;
    strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
    orrery_line = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(orrery_line, (struct sockaddr *)&address, sizeof address)) {
        perror(argv[1]);
        return 1;
    }
    while (orrery_get(&number, sizeof number)) {
        orrery_serve[number]();
        fflush(0);
    }
    return 0;
}
"""


def serving(signature):
    """C that takes the arguments of a call from the line, and answers with its result and what it may have written."""
    name, params = signature.name, signature.params
    arrays = [(i, p) for i, p in enumerate(params) if isinstance(p, Array)]
    takes = "".join(f"    c.a{i} = orrery_take(bytes[{i}]);\n" for i, _ in arrays)
    gives = "".join(f"    if (bytes[{i}] > 0)\n        orrery_put(c.a{i}, bytes[{i}]);\n"
                    for i, p in arrays if not p.constant)
    frees = "".join(f"    free(c.a{i});\n" for i, _ in arrays)
    return (f"static void orrery_serve_{name}(void) {{\n    struct orrery_args_{name} c;\n"
            f"    long bytes[{len(params) + 1}];\n"
            f"    if (!orrery_get(&c, sizeof c) || !orrery_get(bytes, sizeof bytes))\n        exit(1);\n{takes}"
            f"    orrery_work_{name}(&c);\n    orrery_put(&c.result, sizeof c.result);\n{gives}{frees}}}\n")


def server(signatures):
    """The text of a program that makes the calls that it is told."""
    parts = [SERVER.split("int main")[0]]
    parts += [signature.call() + serving(signature) for signature in signatures]
    names = ", ".join(f"orrery_serve_{signature.name}" for signature in signatures)
    parts.append(f"static void (*const orrery_serve[])(void) = {{{names or '0'}}};\n")
    return "\n".join(parts) + "int main" + SERVER.split("int main")[1]


class Job:
    """Rank 0's: a program with as many ranks as the communicator has, which waits for calls."""

    def __init__(self, program, size, cores):
        self.folder = tempfile.mkdtemp(prefix="orrery-")
        self.said = open(os.path.join(self.folder, "said"), "w+", encoding="utf-8", errors="replace")
        self.line, self.told = None, 0
        tools, path = builder.Tools(), os.path.join(self.folder, "line")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(1)
        listener.settimeout(0.05)
        environment = {name: value for name, value in os.environ.items()
                       if name != "ORRERY_TRANSPORT" and not name.startswith(LAUNCHERS) or name.startswith("OMPI_ALLOW_")}
        crowded = ["--oversubscribe"] if size > len(cores) else []
        self.process = subprocess.Popen(
            [tools.orrery, "run", "--quiet", "-n", str(size), *crowded, "--", program, path], env=environment,
            stdin=subprocess.DEVNULL, stderr=self.said, start_new_session=True,
            preexec_fn=lambda: os.sched_setaffinity(0, cores))
        atexit.register(self.end)
        while self.line is None:
            try:
                self.line, _ = listener.accept()
            except TimeoutError:
                if self.process.poll() is not None:
                    raise RunError(self.why()) from None
        listener.close()

    def why(self):
        """What the job has said before it ended."""
        status = self.process.wait()
        self.said.seek(0)
        lines = [line for line in self.said.read().splitlines() if line.strip()]
        self.told = self.said.tell()
        lines = [line.removeprefix("orrery: ") for line in lines if line.startswith("orrery: ")] or lines
        return "\n".join(lines) or f"the ranks that run the loops ended with status {status}"

    def send(self, data):
        self.line.sendall(data)

    def receive(self, view):
        while view:
            got = self.line.recv_into(view)
            if not got:
                raise ConnectionResetError
            view = view[got:]

    def call(self, number, call, given, params):
        """The call's result is in `call`, and what it wrote in the arrays. RunError: the job has ended."""
        arrays = [(param, array) for param, array in zip(params, given) if isinstance(param, Array)]
        sizes = [-1 if value is None or not isinstance(param, Array) else value.nbytes
                 for param, value in zip(params, given)]
        try:
            self.send(numpy.int32(number).tobytes() + bytes(call) + numpy.array([*sizes, -1], "i8").tobytes())
            for _, array in arrays:
                if array is not None and array.nbytes:
                    self.send(octets(array))
            result = type(call).result
            self.receive(memoryview(call).cast("B")[result.offset:result.offset + result.size])
            for param, array in arrays:
                if array is not None and array.nbytes and not param.constant:
                    self.receive(memoryview(octets(array)))
        except (BrokenPipeError, ConnectionResetError):
            raise RunError(self.why()) from None

    def end(self):
        """The program ends when nobody is left who could call."""
        if self.line:
            self.line.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait()
        self.said.seek(self.told)
        sys.stderr.write(self.said.read())
        self.said.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        atexit.unregister(self.end)


def octets(array):
    return array.reshape(-1).view("u1")


def wait_for_all(comm):
    """Who waits leaves its core to the job."""
    request = comm.Ibarrier()
    while not request.Test():
        time.sleep(0.0005)


def same_on_all(comm, make):
    """What `make` gives on rank 0, on all ranks; its exceptions, too."""
    made = failure = None
    if comm.rank == 0:
        try:
            made = make()
        except BaseException as why:
            failure = why
    wait_for_all(comm)
    told = comm.bcast((made, failure if isinstance(failure, Exception) or not failure
                       else RunError(f"rank 0 was interrupted: {failure!r}")))
    if comm.rank == 0 and failure:
        raise failure
    if told[1]:
        raise told[1]
    return told[0]


class Ranks:
    """A communicator whose ranks make calls together."""

    def __init__(self, comm):
        self.comm = comm.Dup()
        self.program = self.job = None
        self.cores = set().union(*self.comm.allgather(os.sched_getaffinity(0)))
        hosts = sorted(set(self.comm.allgather(os.uname().nodename)))
        if len(hosts) > 1:
            raise RunError(f"the ranks are on {len(hosts)} hosts ({', '.join(hosts)}): loops of Python are divided among "
                           f"the ranks of one host; link the loop into a program for more (docs/running.md)")

    def agree(self, said, problem):
        """Every rank makes the same call, and none has a problem."""
        all_said = self.comm.allgather((said, problem and f"{type(problem).__name__}: {problem}"))
        if problem:
            raise problem
        for rank, (_, text) in enumerate(all_said):
            if text:
                raise RunError(f"rank {rank}: {text}")
        for rank, (other, _) in enumerate(all_said):
            if other != all_said[0][0]:
                raise RunError(f"ranks have to make the same calls, with the same numbers and arrays of the same shapes: "
                               f"rank 0 calls {all_said[0][0]}, rank {rank} {other}")

    def call(self, number, call, given, params):
        """Rank 0's arrays go in; all ranks get the result."""
        def run():
            self.job = self.job or Job(self.program, self.comm.size, self.cores)
            try:
                self.job.call(number, call, given, params)
            except BaseException:
                self.job.end()
                self.job = None
                raise
            return bytes(call)

        answer = same_on_all(self.comm, run)
        for param, array in zip(params, given):
            if isinstance(param, Array) and array is not None and not param.constant:
                flat = octets(array)
                for begin in range(0, flat.size, CHUNK):
                    self.comm.Bcast(flat[begin:begin + CHUNK])
        return type(call).from_buffer_copy(answer)


def check_apart(params, given):
    """Arrays travel one by one: of two that overlap only one could be written to."""
    arrays = [(param, array) for param, array in zip(params, given) if isinstance(param, Array) and array is not None]
    for at, (param, array) in enumerate(arrays):
        for other, besides in arrays[at + 1:]:
            if not (param.constant and other.constant) and numpy.may_share_memory(array, besides):
                raise ValueError(f"{param.name} and {other.name} share memory: among ranks each array stands for itself")
