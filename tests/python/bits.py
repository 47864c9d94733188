"""Factorization, ranking and topics: the bytes of the C program that orrery-cc links, on 1 to 8 threads."""
import os
import subprocess
import sys

import numpy
import orrery

from arrays import COUNT, ITEMS, TREE, USERS, factors, model, ratings

EXAMPLES = os.path.join(TREE, "bindings/python/examples")
FLAGS = ["-O3", "-DK=16"]


def inputs():
    random = numpy.random.default_rng(3)
    made = ratings()
    W, H = model()
    user, item = made["user"].copy(), made["item"].copy()
    topic = random.integers(0, 16, COUNT, "i4")
    of_doc, of_word = numpy.zeros((USERS, 16), "i4"), numpy.zeros((ITEMS, 16), "i4")
    numpy.add.at(of_doc, (user, topic), 1)
    numpy.add.at(of_word, (item, topic), 1)
    return {"ratings": made, "W": W, "H": H, "user": user, "item": item,
            "other": random.integers(-1, ITEMS, COUNT, "i4"), "X": random.random((USERS, 16), "f4"),
            "Y": random.random((ITEMS, 17), "f4"), "topic": topic, "of_doc": of_doc, "of_word": of_word,
            "total": numpy.bincount(topic, minlength=16).astype("i4")}


def learn(a):
    mf = factors()
    bpr, topics = (orrery.load(os.path.join(EXAMPLES, name), flags=FLAGS) for name in ("bpr.c", "topics.c"))
    losses = []
    for seed in range(2):
        losses.append(mf.epoch(a["ratings"], COUNT, a["W"], a["H"], 8, 0.01))
        bpr.rank(a["user"], a["item"], a["other"], COUNT, a["X"], a["Y"], 0.05, 0.01)
        topics.sample(a["user"], a["item"], a["topic"], COUNT, a["of_doc"], a["of_word"], a["total"], 0.1, 0.01, 3, seed)
    arrays = [numpy.array(losses)] + [a[name] for name in ("W", "H", "X", "Y", "topic", "of_doc")]
    return b"".join(array.tobytes() for array in arrays)


def program():
    for name, array in inputs().items():
        array.tofile(name)
    cc = os.path.join(os.environ["BUILD"], "bin/orrery-cc")
    sources = [os.path.join(EXAMPLES, name) for name in ("bpr.c", "topics.c")]
    here = os.path.dirname(os.path.abspath(__file__))
    for source in sources:
        subprocess.run([cc, *FLAGS, "-c", source], check=True)
    subprocess.run([cc, "-O3", os.path.join(here, "bits.c"), os.path.join(TREE, "tests/shared/factors.c"), "bpr.o",
                    "topics.o", "-o", "bits", "-lm"], check=True)
    subprocess.run(["./bits"], check=True, env={**os.environ, "ORRERY_THREADS": "2"})
    with open("program", "rb") as file:
        return file.read()


def main():
    if len(sys.argv) > 1:
        with open(sys.argv[1], "wb") as file:
            file.write(learn(inputs()))
        return
    wanted = program()
    for threads in ("1", "2", "3", "8"):
        subprocess.run([sys.executable, __file__, "python"], check=True, env={**os.environ, "ORRERY_THREADS": threads})
        with open("python", "rb") as file:
            assert file.read() == wanted, f"{threads} threads: other bytes than the program's"


main()
