#!/usr/bin/env python3
"""Topics of the documents that ship, by collapsed Gibbs sampling: topics.py [PASSES]"""
import os
import sys
import time

import numpy
import orrery

import data

K, ALPHA, BETA = 100, 0.1, 0.01
here = os.path.dirname(os.path.abspath(__file__))
topics = orrery.load(os.path.join(here, "topics.c"), flags=["-O3", "-march=native", "-ffast-math", f"-DK={K}"])


class Model:
    def __init__(self, doc, word, seed=1):
        self.doc, self.word, self.topic = doc, word, numpy.random.default_rng(seed).integers(0, K, len(doc), "i4")
        self.of_doc, self.of_word = (numpy.zeros((each.max() + 1, K), "i4") for each in (doc, word))
        numpy.add.at(self.of_doc, (doc, self.topic), 1)
        numpy.add.at(self.of_word, (word, self.topic), 1)
        self.total = numpy.bincount(self.topic, minlength=K).astype("i4")

    def learn(self, number):
        topics.sample(self.doc, self.word, self.topic, len(self.doc), self.of_doc, self.of_word, self.total, ALPHA, BETA,
                   BETA * len(self.of_word), number)

    def surprise(self):
        """Minus the mean logarithm of a token's probability."""
        doc = (self.of_doc + ALPHA) / (self.of_doc.sum(1, keepdims=True) + ALPHA * K)
        word = (self.of_word + BETA) / (self.total + BETA * len(self.of_word))
        return -numpy.mean(numpy.log(numpy.einsum("ik,ik->i", doc[self.doc], word[self.word])))


if __name__ == "__main__":
    model = Model(*data.words())
    for at in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5):
        begin = time.perf_counter()
        model.learn(at)
        print(f"pass {at + 1}: {time.perf_counter() - begin:.3f} s, {model.surprise():.4f}")
