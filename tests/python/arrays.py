"""What the tests share: data, and the loops of tests/shared."""
import os

import numpy
import orrery

TREE = os.environ["TREE"]
USERS, ITEMS, K, COUNT = 500, 300, 8, 60000


def factors(**how):
    return orrery.load(os.path.join(TREE, "tests/shared/factors.c"), **how)


def scale():
    return orrery.load(os.path.join(TREE, "tests/shared/scale.c"))


def ratings():
    random = numpy.random.default_rng(1)
    made = numpy.zeros(COUNT, [("user", "i4"), ("item", "i4"), ("value", "f4")])
    made["user"], made["item"] = random.integers(0, USERS, COUNT), random.integers(0, ITEMS, COUNT)
    made["value"] = random.random(COUNT)
    return made


def model():
    random = numpy.random.default_rng(2)
    return [random.random((n, K), dtype="f4") for n in (USERS, ITEMS)]


def refuses(kind, words, call, *given, **named):
    """The call raises this, and says these words."""
    try:
        call(*given, **named)
    except kind as error:
        text = str(error)
        assert all(word in text for word in words), f"{words} is not in: {text}"
    else:
        raise AssertionError(f"no {kind.__name__}: {words}")
