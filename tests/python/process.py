"""Other threads, children of fork, Ctrl-C, two libraries, ranks: what else goes on in a process."""
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy
import orrery

from arrays import COUNT, K, factors, model, ratings, refuses, scale


def threads_now():
    return len(os.listdir("/proc/self/task"))


def pass_of(W, H):
    factors().epoch(ratings(), COUNT, W, H, K, 0.01)
    return W.tobytes() + H.tobytes()


def in_child(queue):
    before = threads_now()
    queue.put((before, pass_of(*model()), threads_now()))


def forks():
    before = threads_now()
    factors(), scale()
    assert threads_now() == before, "a library has started threads when it was loaded"
    wanted = pass_of(*model())
    assert threads_now() > before
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    alone, bytes, at_work = queue.get()
    child.join()
    assert alone < at_work and bytes == wanted and child.exitcode == 0
    assert pass_of(*model()) == wanted


def many_threads():
    """Each with arrays of its own; an exception in one is no other's affair."""
    lib, kept = scale(), {}

    def work(name):
        x = numpy.full(1000, float(name))
        for _ in range(50):
            lib.scale(x, 1000, 0.5)
        kept[name] = x
        refuses(orrery.RunError, ["share memory"], lib.gather, x[:4], x[2:], numpy.zeros(4, "i4"), 4)

    workers = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for name, x in kept.items():
        alone = numpy.full(1000, float(name))
        for _ in range(50):
            lib.scale(alone, 1000, 0.5)
        assert (alone == x).all()


WAITS = """
#include "orrery.h"
#include <sched.h>
void until(volatile int *flag, double *x, long n) {
    while (!*flag)
        sched_yield();
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        x[i] += 1;
}
"""


def lock_is_released():
    """The call ends only when another thread of Python has run."""
    lib, flag, x = orrery.compile(WAITS), numpy.zeros(1, "i4"), numpy.zeros(10)
    threading.Timer(0.05, lambda: flag.fill(1)).start()
    lib.until(flag, x, 10)
    assert x[0] == 1


def interrupts():
    """A SIGINT before the loop: it does not begin, and Python has its KeyboardInterrupt."""
    lib, flag, x = orrery.compile(WAITS), numpy.zeros(1, "i4"), numpy.zeros(10)

    def other():
        os.kill(os.getpid(), signal.SIGINT)
        flag.fill(1)

    threading.Timer(0.05, other).start()
    try:
        lib.until(flag, x, 10)
    except KeyboardInterrupt:
        pass
    else:
        raise AssertionError("no KeyboardInterrupt")
    assert x[0] == 0
    lib.until(flag, x, 10)
    assert x[0] == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def interrupts_the_main_thread():
    """A SIGINT is the main thread's: a call in another one ends as it would."""
    lib, flag, x = orrery.compile(WAITS), numpy.zeros(1, "i4"), numpy.zeros(10)
    failed = []

    def work():
        try:
            lib.until(flag, x, 10)
        except BaseException as error:
            failed.append(error)

    worker = threading.Thread(target=work)
    worker.start()
    time.sleep(0.05)
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)
    except KeyboardInterrupt:
        pass
    flag.fill(1)
    worker.join()
    assert not failed and x[0] == 1, failed


def another(**variables):
    """One loop in a process with these variables. What it prints."""
    code = "from arrays import *; x = numpy.ones(4); scale().scale(x, 4, 3.0); print(x[3])"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **variables}, capture_output=True, text=True)
    return done.stdout + done.stderr


def environment():
    assert another() == "6.0\n"
    ranks = another(OMPI_COMM_WORLD_SIZE="4")
    assert "RunError" in ranks and "ORRERY_TRANSPORT=self" in ranks, ranks
    assert another(OMPI_COMM_WORLD_SIZE="4", ORRERY_TRANSPORT="self") == "6.0\n"
    assert "RunError" in another(ORRERY_THREADS="many")
    assert "independent grid" in another(ORRERY_STATS="1")


forks()
many_threads()
lock_is_released()
interrupts()
interrupts_the_main_thread()
environment()
