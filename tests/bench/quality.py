#!/usr/bin/env python3
"""What the samples reach, beside what libraries make of the same data and settings: a line per figure.
usage: quality.py PROGRAMS DATA WORK NAME ...   NAME: a sample that has a function below
PROGRAMS: a folder of built samples; DATA: build/samples/data; WORK: a folder to write to."""
import math
import os
import re
import subprocess
import sys

import numpy

SEED = 20190325
programs = data = work = ""


def say(sample, **figures):
    print("quality", sample, *(f"{name}={value}" for name, value in figures.items()), flush=True)


def path(name):
    return os.path.join(work, name)


def sample(name, *words):
    """The last line that a sample prints."""
    command = [os.path.join(programs, name), *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip().splitlines()[-1]


def number(line, before, after=""):
    return float(re.search(before + r" *([-+.0-9e]+)" + after, line).group(1))


def uniform(seed, index):
    """As in samples/common/program.h, of an array of indices."""
    z = numpy.uint64(seed) + (index.astype(numpy.uint64) + numpy.uint64(1)) * numpy.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> numpy.uint64(31))) >> numpy.uint64(11)) / 9007199254740992.0


# ---- sptrsv: scipy's conjugate gradients with the same preconditioner ----


def grid_laplacian(n):
    import scipy.sparse as sparse

    line = sparse.diags([-1., 2., -1.], [-1, 0, 1], shape=(n, n))
    return (sparse.kron(line, sparse.identity(n)) + sparse.kron(sparse.identity(n), line)).tocsr()


def run_sptrsv():
    import scipy.sparse as sparse
    import scipy.sparse.linalg as solvers

    for n in (100, 300):
        matrix = grid_laplacian(n)
        lower, diagonal = sparse.tril(matrix).tocsc(), matrix.diagonal()
        down = solvers.splu(lower, permc_spec="NATURAL", diag_pivot_thresh=0)
        right = 1. + numpy.arange(n * n) % 7
        steps = []
        before = solvers.LinearOperator(matrix.shape,
                                        lambda r: down.solve(diagonal * down.solve(r), trans="T"))
        theirs, _ = solvers.cg(matrix, right, rtol=1e-8, atol=0, M=before, callback=lambda x: steps.append(0))
        line = sample("sptrsv", "--grid", n, "--quiet", "--output", path("x"))
        ours, direct = numpy.fromfile(path("x")), solvers.spsolve(matrix.tocsc(), right)
        scale = numpy.abs(direct).max()
        say("sptrsv", grid=n, our_steps=int(number(line, "rows,")), scipy_cg_steps=len(steps),
            our_error=f"{numpy.abs(ours - direct).max() / scale:.2e}",
            scipy_cg_error=f"{numpy.abs(theirs - direct).max() / scale:.2e}")


# ---- gauss_seidel: scipy's direct solution of the same equations ----


def plate(n):
    """The loads and borders of samples/gauss_seidel."""
    places = numpy.arange(n) * (1. / (n - 1))
    y, x = numpy.meshgrid(places, places, indexing="ij")
    hot = (abs(x - .3) + abs(y - .6) < .1) | (abs(x - .7) + abs(y - .4) < .05)
    start = numpy.zeros((n, n))
    start[0] = 1
    return numpy.where(hot, 100 * (1. / (n - 1)) ** 2, 0), start


def solve_plate(n, nine):
    import scipy.sparse as sparse
    import scipy.sparse.linalg as solvers

    load, u = plate(n)
    side, corner, weight = (.2, .05, .3) if nine else (.25, 0, .25)
    right, at = weight * load[1:-1, 1:-1].copy(), n - 2
    right[0] += side * u[0, 1:-1] + corner * (u[0, :-2] + u[0, 2:])
    near = sparse.diags([1., 1.], [-1, 1], shape=(at, at))
    one = sparse.identity(at)
    matrix = sparse.kron(one, one - side * near) - sparse.kron(near, side * one + corner * near)
    u[1:-1, 1:-1] = solvers.spsolve(matrix.tocsc(), right.ravel()).reshape(at, at)
    return u


def run_gauss_seidel():
    n = 301
    for nine in (False, True):
        words = ["--grid", n, "--sweeps", 5000, "--factor", 1.98, "--tolerance", 1e-9, "--quiet", "--output",
                 path("u")] + ["--nine"] * nine
        line = sample("gauss_seidel", *words)
        apart = numpy.abs(numpy.fromfile(path("u")).reshape(n, n) - solve_plate(n, nine)).max()
        say("gauss_seidel", stencil=9 if nine else 5, grid=n, sweeps=int(number(line, "points,")),
            from_scipy_spsolve=f"{apart:.2e}")


# ---- lcs: rapidfuzz and parasail ----


def run_lcs():
    import parasail
    from rapidfuzz.distance import LCSseq, Levenshtein

    words = open(os.path.join(data, "words.txt"), encoding="utf8").read().split()
    for kind, letters in (("genes", None), ("prose", 5000)):
        texts = random_texts(4000, 1) if letters is None else prose(words, letters)
        for name, text in zip("ab", texts):
            with open(path(name), "w", encoding="utf8") as out:
                out.write(text + "\n")
        alphabet = "".join(sorted(set("".join(texts))))
        score = parasail.matrix_create(alphabet, 2, -1)
        theirs = {"": LCSseq.similarity(*texts), "--edit": Levenshtein.distance(*texts),
                  "--local": parasail.sw_striped_32(*texts, 2, 2, score).score}
        for method, expected in theirs.items():
            line = sample("lcs", *([method] if method else []), path("a"), path("b"))
            ours = int(number(line, "(?:subsequence|distance|alignment)"))
            say("lcs", texts=kind, method=method.strip("-") or "common", ours=ours, theirs=expected,
                same=ours == expected)


def random_texts(letters, seed):
    draw = numpy.random.default_rng(seed)
    first = draw.choice(list("ACGT"), letters)
    second = [x if draw.random() < .8 else draw.choice(["", "A", "CG", "T"]) for x in first]
    return "".join(first), "".join(second)


def prose(words, letters):
    return "".join(words)[:letters], "".join(words[len(words) // 2:])[:letters]


# ---- stream: numpy's statistics, scikit-learn's logistic regression on all records at once ----

INPUTS, FEATURES, NEAR = 24, 32, 4


def stream_uniform(seed, index):
    z = (numpy.uint64(seed + 1) * numpy.uint64(0x9E3779B97F4A7C15) +
         index.astype(numpy.uint64) * numpy.uint64(0xBF58476D1CE4E5B9))
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> numpy.uint64(31))) >> numpy.uint64(11)) / 9007199254740992.0


def stream_records(n, seed):
    u = 2 * stream_uniform(seed + 100, numpy.arange(n * INPUTS)).reshape(n, INPUTS) - 1
    k = numpy.arange(INPUTS)
    return (k + 1) * u + 1e-5 * numpy.arange(n)[:, None] * (k % 3), (u[:, :4] ** 2).sum(1) > 1.2


def stream_features(x, seed):
    at = numpy.arange(FEATURES * NEAR)
    project = 2 * (stream_uniform(seed, at) - stream_uniform(seed + 7, at))
    sums = numpy.tile(2 * math.pi * stream_uniform(seed ^ 0x5EED, numpy.arange(FEATURES)), (len(x), 1))
    for f in range(FEATURES):
        for k in range(NEAR):
            sums[:, f] += project[f * NEAR + k] * x[:, (f + k) % INPUTS]
    return numpy.cos(sums)


def seen_once(z, labels, rate, chunk=100):
    """How often scikit-learn's SGD is right when it sees every chunk once, and is asked before it learns."""
    from sklearn.linear_model import SGDClassifier

    theirs, right = SGDClassifier("log_loss", penalty=None, fit_intercept=False, learning_rate="constant", eta0=rate,
                                  shuffle=False), 0
    for at in range(0, len(z), chunk):
        x, y = z[at:at + chunk], labels[at:at + chunk]
        right += (theirs.predict(x) == y).sum() if at else 0
        theirs.partial_fit(x, y, classes=[False, True])
    return right / len(z)


def run_stream():
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    n, seed = 200000, 1
    records, labels = stream_records(n, seed)
    line = sample("stream", "--records", n, "--seed", seed, "--output", path("model"))
    rows = [list(map(float, text.split())) for text in open(path("model"), encoding="utf8")][:INPUTS]
    scaler = StandardScaler().fit(records)
    mean = max(abs(row[1] / m - 1) for row, m in zip(rows, scaler.mean_))
    spread = max(abs(row[2] / n / v - 1) for row, v in zip(rows, scaler.var_))
    seen = numpy.arange(1, n + 1)[:, None]
    before = (numpy.cumsum(records, 0) - records) / numpy.maximum(seen - 1, 1)
    squares = numpy.cumsum(records ** 2, 0) / seen - (numpy.cumsum(records, 0) / seen) ** 2
    z = stream_features((records - before) / numpy.sqrt(1e-9 + numpy.maximum(squares, 0)), seed)
    theirs = LogisticRegression(C=1e6, fit_intercept=False, max_iter=1000).fit(z, labels)
    say("stream", mean_apart=f"{mean:.1e}", variance_apart=f"{spread:.1e}", our_right=number(line, "right"),
        sgd_right=f"{max(seen_once(z, labels, rate) for rate in (.003, .01, .03, .1, .3)):.6f}",
        converged_right=f"{theirs.score(z, labels):.6f}", most_frequent=f"{max(labels.mean(), 1 - labels.mean()):.6f}")


# ---- embed: a graph of words; factorizations by scikit-learn, node2vec by pecanpy and gensim ----


def word_graph():
    """Words that stand next to each other somewhere in the text: edges, each once. Rare words are left out."""
    lines = [line.split() for line in open(os.path.join(data, "words.txt"), encoding="utf8")]
    names, counts = numpy.unique([word for line in lines for word in line], return_counts=True)
    node = {name: i for i, name in enumerate(names[counts >= 5])}
    pairs = {tuple(sorted((node[a], node[b]))) for line in lines for a, b in zip(line, line[1:])
             if a in node and b in node and a != b}
    return numpy.array(sorted(pairs)), len(node)


def no_edges(edges, count, draw_node):
    taken, out = {tuple(edge) for edge in edges}, []
    while len(out) < count:
        pair = tuple(sorted((int(draw_node()), int(draw_node()))))
        if pair[0] != pair[1] and pair not in taken:
            taken.add(pair)
            out.append(pair)
    return numpy.array(out)


def walks(train):
    """Vectors of node2vec with its defaults p = q = 1, 10 walks of 80 nodes from each, window 10."""
    from gensim.models import Word2Vec
    from pecanpy import pecanpy

    with open(path("edges.tsv"), "w", encoding="utf8") as out:
        out.writelines(f"{a}\t{b}\n" for a, b in train)
    graph = pecanpy.SparseOTF(p=1, q=1, workers=2, random_state=SEED)
    graph.read_edg(path("edges.tsv"), weighted=False, directed=False)
    learned = Word2Vec(graph.simulate_walks(10, 80), vector_size=32, window=10, min_count=0, sg=1, workers=2,
                       epochs=1, seed=SEED).wv
    return numpy.array([learned[str(i)] if str(i) in learned else numpy.zeros(32) for i in range(train.max() + 1)])


def edge_regression(vectors, edges, others):
    """As in node2vec's paper: logistic regression on the products of the two ends' numbers."""
    from sklearn.linear_model import LogisticRegression

    pairs = numpy.concatenate([edges, others])
    known = LogisticRegression(max_iter=1000).fit(vectors[pairs[:, 0]] * vectors[pairs[:, 1]],
                                                  numpy.arange(len(pairs)) < len(edges))
    return lambda pairs: known.decision_function(vectors[pairs[:, 0]] * vectors[pairs[:, 1]])


def edge_scores(train, nodes, draw):
    import scipy.sparse as sparse
    from sklearn.decomposition import NMF, TruncatedSVD

    ends = numpy.concatenate([train, train[:, ::-1]])
    ends = ends[draw.permutation(len(ends))]
    matrix = sparse.csr_matrix((numpy.ones(len(ends)), ends.T), shape=(nodes, nodes))
    degree = numpy.asarray(matrix.sum(1)).ravel()
    with open(path("edges"), "w", encoding="utf8") as out:
        out.writelines(f"{a + 1} {b + 1}\n" for a, b in ends)
    sample("embed", "--held-out", 0, "--output", path("embed"), "--quiet", path("edges"))
    E, bias = numpy.load(path("embed.E.npy")), numpy.load(path("embed.bias.npy")).ravel()
    yield "ours", lambda x: (E[x[:, 0]] * E[x[:, 1]]).sum(1) + bias[x[:, 0]] + bias[x[:, 1]]
    yield "degrees", lambda x: degree[x[:, 0]] * degree[x[:, 1]]
    for name, method in (("svd", TruncatedSVD(32, random_state=SEED)), ("nmf", NMF(32, random_state=SEED))):
        rows, columns = method.fit_transform(matrix), method.components_.T
        yield name, lambda x, a=rows, b=columns: (a[x[:, 0]] * b[x[:, 1]]).sum(1)
    others = no_edges(train, len(train), lambda: draw.integers(nodes))
    yield "node2vec", edge_regression(walks(train), train, others)


def run_embed():
    from sklearn.metrics import roc_auc_score

    edges, nodes = word_graph()
    draw = numpy.random.default_rng(SEED)
    edges = edges[draw.permutation(len(edges))]
    held, train = edges[:len(edges) // 10], edges[len(edges) // 10:]
    ends = train.ravel()
    negatives = {"any": no_edges(edges, len(held), lambda: draw.integers(nodes)),
                 "busy": no_edges(edges, len(held), lambda: ends[draw.integers(len(ends))])}
    for name, score in edge_scores(train, nodes, draw):
        figures = {kind: roc_auc_score(numpy.arange(2 * len(held)) < len(held), score(numpy.concatenate([held, other])))
                   for kind, other in negatives.items()}
        say("embed", nodes=nodes, edges=len(edges), by=name, **{f"auc_{k}": f"{v:.4f}" for k, v in figures.items()})


# ---- groups: scikit-learn's ridge regression for each group on the same features and entries ----

KNOTS = 13


def group_features(category, position, categories, positions):
    at = position * (KNOTS - 1) / (positions - 1)
    knot = numpy.minimum(at.astype(int), KNOTS - 2)
    x, row = numpy.zeros((len(at), categories + KNOTS)), numpy.arange(len(at))
    x[row, category] = 1
    x[row, categories + knot], x[row, categories + knot + 1] = 1 - (at - knot), at - knot
    return x


def run_groups():
    from sklearn.linear_model import Ridge

    entries = numpy.loadtxt(os.path.join(data, "names.tns"), comments=("#", "%"))
    held = uniform(1, numpy.arange(len(entries))) < .1
    group, category, position = (entries[:, :3].astype(int) - 1).T
    x, y = group_features(category, position, category.max() + 1, position.max() + 1), entries[:, 3]
    order = numpy.argsort(group, kind="stable")
    alphas, errors, learned = (.03, .1, .3, 1., 3.), {}, held.sum()
    for rows in numpy.split(order, numpy.flatnonzero(numpy.diff(group[order])) + 1):
        known, asked = rows[~held[rows]], rows[held[rows]]
        for alpha in alphas if len(asked) else ():
            guess = Ridge(alpha=alpha).fit(x[known], y[known]).predict(x[asked]) if len(known) else 0
            errors[alpha] = errors.get(alpha, 0) + ((y[asked] - guess) ** 2).sum()
    line = sample("groups", "--quiet", os.path.join(data, "names.tns"))
    say("groups", held_out=learned, ours=number(line, "held-out"),
        **{f"ridge_{alpha:g}": f"{math.sqrt(errors[alpha] / learned):.6f}" for alpha in alphas})


# ---- glove: GloVe's own program on its own counts of the same text; $PEER_GLOVE: the folder of its source, built ----


def glove_cost(cells, vectors, rank):
    """The mean of weight times half the squared error, as the sample and GloVe's program have it."""
    word, context = cells["word"] - 1, cells["context"] - 1
    a, b = vectors[word, :rank + 1], vectors[context, rank + 1:]
    apart = (a[:, :rank] * b[:, :rank]).sum(1) + a[:, rank] + b[:, rank] - numpy.log(cells["count"])
    return (.5 * numpy.minimum(cells["count"] / 10, 1) ** .75 * apart ** 2).mean()


def run_glove():
    tools, rank, text = os.path.join(os.environ["PEER_GLOVE"], "build", ""), 50, os.path.join(data, "words.txt")

    def tool(command):
        subprocess.run(command, shell=True, check=True, cwd=work, stderr=subprocess.DEVNULL)

    tool(f"{tools}vocab_count -min-count 5 -verbose 0 < {text} > vocab")
    tool(f"{tools}cooccur -vocab-file vocab -window-size 15 -memory 2 -verbose 0 < {text} > counts")
    cells = numpy.fromfile(path("counts"), [("word", "i4"), ("context", "i4"), ("count", "f8")])
    cells = cells[numpy.random.default_rng(SEED).permutation(len(cells))]
    held, train = cells[:len(cells) // 10], cells[len(cells) // 10:]
    train.tofile(path("train"))
    for rate in (.05, .025, .01):
        tool(f"{tools}glove -input-file train -vocab-file vocab -save-file vectors -model 0 -x-max 10 -alpha 0.75 -eta"
             f" {rate} -vector-size {rank} -threads 1 -iter 15 -binary 0 -seed 1 -verbose 0")
        words = len(open(path("vocab"), encoding="utf8").readlines())
        rows = [line.split()[1:] for line in open(path("vectors.txt"), encoding="utf8")][:words]
        vectors = numpy.array(rows, float)
        say("glove", counts=len(cells), by=f"GloVe_{rate}", train=f"{glove_cost(train, vectors, rank):.4f}",
            held_out=f"{glove_cost(held, vectors, rank):.4f}")
    line = sample("glove", "--quiet", text)
    say("glove", by="ours", train_met=number(line, "train"), held_out=number(line, "held-out"))


# ---- mf_adarev: LIBMF ($PEER_LIBMF: its source, built) and scikit-surprise on the same ratings ----


def surprise_error(train, test, rank, epochs, rate):
    import pandas
    import surprise

    def frame(entries):
        return surprise.Dataset.load_from_df(pandas.DataFrame(entries), surprise.Reader(rating_scale=(0, 10)))

    known = frame(train).build_full_trainset()
    asked = frame(test).build_full_trainset().build_testset()
    theirs = surprise.SVD(n_factors=rank, n_epochs=epochs, lr_all=rate, reg_all=.02, random_state=SEED).fit(known)
    return surprise.accuracy.rmse(theirs.test(asked), verbose=False)


def run_mf_adarev():
    rank, epochs, ratings = 32, 20, os.path.join(data, "names.mtx")
    entries = numpy.loadtxt(ratings, comments="%", skiprows=4)
    held = uniform(3, numpy.arange(len(entries))) < .1
    train, test = entries[~held], entries[held]
    for name, part in (("train", train), ("test", test)):
        numpy.savetxt(path(name), part - [1, 1, 0], fmt="%d %d %.4g")
    for rate in (.1, .2):
        out = subprocess.run([os.path.join(os.environ["PEER_LIBMF"], "mf-train"), "-f", "0", "-k", str(rank), "-l2", ".02",
                              "-r", str(rate), "-n", "10", "-s", "1", "-t", str(epochs), "-p", path("test"),
                              path("train"), path("model")], check=True, capture_output=True, text=True).stdout
        for line in out.splitlines():
            words = line.split()
            if words and words[0].isdigit() and int(words[0]) + 1 in (10, epochs):
                say("mf_adarev", by=f"LIBMF_{rate}", passes=int(words[0]) + 1, held_out=words[2])
    for passes in (10, epochs):
        line = sample("mf_adarev", "--epochs", passes, "--quiet", ratings)
        say("mf_adarev", by="ours", passes=passes, held_out=number(line, "held-out"))
    for rate in (.005, .01, .02):
        say("mf_adarev", by=f"surprise_SVD_{rate}", passes=epochs,
            held_out=f"{surprise_error(train, test, rank, epochs, rate):.4f}")


def main():
    global programs, data, work
    programs, data, work = map(os.path.abspath, sys.argv[1:4])
    numpy.seterr(over="ignore")
    for name in sys.argv[4:]:
        globals()["run_" + name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
