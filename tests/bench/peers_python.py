#!/usr/bin/env python3
"""
The loops of bindings/python/examples against the packages' own: implicit (ALS, BPR) and lda (Gibbs sampling), on the
data that ship, each on 1 and 2 threads as far as it can.

usage: PYTHONPATH=build/python peers_python.py [--passes N] [--threads N]    (pip install implicit lda)

Seconds of one pass, of the clock and of all processors: the least of N passes, ours and the package's in turns, in one
process per number of threads. Of the packages that have no pass of their own: what N + 1 passes take more than one,
divided by N. Quality is behind N + 1 passes from each one's own start.
"""
import argparse
import logging
import os
import subprocess
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bindings/python/examples"))
K = 64


def seconds(call, *given):
    """(of the clock, of all processors) that a call takes."""
    begin, work = time.perf_counter(), time.process_time()
    call(*given)
    return numpy.array((time.perf_counter() - begin, time.process_time() - work))


def least(times):
    return numpy.min(times, 0)


def matrix():
    import data
    import scipy.sparse
    (begin, item, value), items = data.names()
    return scipy.sparse.csr_matrix((value, item, begin), shape=(len(begin) - 1, items)), ((begin, item, value), items)


def objective(seen, X, Y, lam=0.01):
    """What alternating least squares minimizes, per entry."""
    begin, item, weight = seen
    row = numpy.repeat(numpy.arange(len(begin) - 1), numpy.diff(begin))
    score = numpy.einsum("ik,ik->i", X[row], Y[item], dtype="f8")
    every = numpy.sum((X.T.astype("f8") @ X) * (Y.T.astype("f8") @ Y))
    own = lam * (numpy.sum(X.astype("f8") ** 2) + numpy.sum(Y.astype("f8") ** 2))
    return (numpy.sum(weight * (1 - score) ** 2 - score ** 2) + every + own) / len(item)


def als(threads, passes):
    import als as ours
    from implicit.cpu.als import AlternatingLeastSquares
    counts, (seen, items) = matrix()
    by_item = ours.transpose(seen, items)
    X, Y = ours.start(len(seen[0]) - 1, items)
    peer = AlternatingLeastSquares(factors=K, regularization=0.01, alpha=1.0, iterations=1, num_threads=threads,
                                   random_state=1)
    times = [(seconds(ours.sweep, seen, by_item, X, Y), seconds(lambda: peer.fit(counts, show_progress=False)))
             for _ in range(passes + 1)]
    return (*map(least, zip(*times[1:])), objective(seen, X, Y), objective(seen, peer.user_factors, peer.item_factors))


def right(X, Y, seen, items):
    """Of random pairs of an item that a row has and one that it has not, how many are ranked right."""
    import bpr
    model = bpr.Model(seen, items)
    n = len(model.item)
    bpr.bpr.draw(model.begin, model.row, model.item, n, n, 12345, *model.samples)
    user, liked, other = model.samples
    score = numpy.einsum("ik,ik->i", X[user], Y[liked] - Y[other])
    return numpy.mean(score[other >= 0] > 0)


def ranking(threads, passes):
    import bpr
    from implicit.cpu.bpr import BayesianPersonalizedRanking
    counts, (seen, items) = matrix()
    model = bpr.Model(seen, items)

    def peer(iterations):
        made = BayesianPersonalizedRanking(factors=K, learning_rate=0.05, regularization=0.01, iterations=iterations,
                                           num_threads=threads, random_state=1)
        return seconds(lambda: made.fit(counts, show_progress=False)), made

    once = least([peer(1)[0] for _ in range(2)])
    mine = least([seconds(model.learn, at) for at in range(passes + 1)][1:])
    many, made = peer(passes + 1)
    X = numpy.hstack([model.X, numpy.ones((len(model.X), 1), "f4")])
    return (mine, (many - once) / passes, right(X, model.Y, seen, items),
            right(made.user_factors, made.item_factors, seen, items))


def gibbs(threads, passes):
    import data
    import lda as peers
    import scipy.sparse
    import topics as ours
    doc, word = data.words()
    model = ours.Model(doc, word)
    counts = scipy.sparse.coo_matrix((numpy.ones(len(doc), int), (doc, word))).toarray()
    logging.disable(logging.INFO)

    def peer(iterations):
        made = peers.LDA(n_topics=ours.K, n_iter=iterations, alpha=ours.ALPHA, eta=ours.BETA, random_state=1, refresh=10000)
        return seconds(made.fit, counts), made

    once = least([peer(1)[0] for _ in range(2)])
    mine = least([seconds(model.learn, at) for at in range(passes + 1)][1:])
    many, made = peer(passes + 1)
    theirs = ours.Model(doc, word)
    theirs.of_doc, theirs.of_word, theirs.total = made.ndz_, made.nzw_.T, made.nz_
    return mine, (many - once) / passes, model.surprise(), theirs.surprise()


KERNELS = {"als": (als, "implicit", "objective"), "bpr": (ranking, "implicit", "ranked right"),
           "lda": (gibbs, "lda (serial)", "surprise")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--one", nargs=2)
    asked = parser.parse_args()
    if asked.one:
        mine, theirs, *quality = KERNELS[asked.one[0]][0](int(asked.one[1]), asked.passes)
        print(*mine, *theirs, *quality)
        return
    print("kernel  threads  ours s  package s  times  ours CPU s  package CPU s  times  quality: ours, package")
    for name, (_, package, quality) in KERNELS.items():
        for threads in range(1, asked.threads + 1):
            done = subprocess.run([sys.executable, __file__, "--passes", str(asked.passes), "--one", name, str(threads)],
                                  env={**os.environ, "ORRERY_THREADS": str(threads)}, check=True, capture_output=True,
                                  text=True)
            mine, my_work, theirs, their_work, good, their_good = map(float, done.stdout.split())
            print(f"{name:6}  {threads:7}  {mine:6.3f}  {theirs:9.3f}  {theirs / mine:5.2f}  {my_work:10.3f}  "
                  f"{their_work:13.3f}  {their_work / my_work:5.2f}  {quality}: {good:.4f}, {their_good:.4f} ({package})",
                  flush=True)


if __name__ == "__main__":
    main()
