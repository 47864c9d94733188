"""Random training programs of many marked loops, on threads and ranks, against the serial program.

sequences.py BIN FIRST COUNT [FOLDER]: programs FIRST to FIRST + COUNT - 1. Each has matrices, tables of rows, structures
and records, through globals, arguments or one structure; ten marked loops that cut the same arrays in different ways; and
serial code between them that swaps, copies, grows, sorts, saves and prints. All are ordered, so that every result has
the serial program's bits. What differs is kept in FOLDER, and refusals are printed.
"""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

LOOPS = 10
HEAD = r"""#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = %d, M = %d, K = %d, E = %d };
typedef %s real;
struct rec { int u, i; float v; };
struct item { real v[K]; real bias; int seen; };
struct model {
    real *W, *H, *G, **T;
    struct item *it;
    real *bu, *bi, *x, *y;
    int *cnt, *perm, *ptr, *col;
    struct rec *r;
    long n;
};
static struct model m;
static unsigned long long seed = 12345;
static unsigned draw(void) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33);
}
static int by_item(const void *a, const void *b) {
    const struct rec *p = a, *q = b;
    return p->i != q->i ? p->i - q->i : p->u != q->u ? p->u - q->u : (p->v > q->v) - (p->v < q->v);
}
static void fill(real *p, long n) { for (long k = 0; k < n; k++) p[k] = (real)(draw() %% 1000) / 512; }
static void setup(void) {
    m.W = malloc(N * K * sizeof(real)); m.H = malloc(M * K * sizeof(real)); m.G = calloc(N * K, sizeof(real));
    m.T = malloc(N * sizeof(real *));
    for (int u = 0; u < N; u++) m.T[u] = malloc(K * sizeof(real));
    m.it = calloc(M, sizeof *m.it);
    m.bu = calloc(N, sizeof(real)); m.bi = calloc(M, sizeof(real));
    m.x = malloc(E * sizeof(real)); m.y = malloc(E * sizeof(real));
    m.cnt = calloc(M, sizeof(int)); m.perm = malloc(E * sizeof(int)); m.ptr = malloc((N + 1) * sizeof(int));
    m.col = malloc(E * sizeof(int)); m.r = malloc(E * sizeof *m.r); m.n = E;
    fill(m.W, N * K); fill(m.H, M * K); fill(m.x, E); fill(m.y, E);
    for (int u = 0; u < N; u++) fill(m.T[u], K);
    for (int i = 0; i < M; i++) fill(m.it[i].v, K);
    for (int e = 0; e < E; e++) m.r[e] = (struct rec){draw() %% N, draw() %% M, (float)(draw() %% 50) / 8};
    for (int e = 0; e < E; e++) { m.perm[e] = e; m.col[e] = draw() %% M; }
    for (int e = E - 1; e > 0; e--) { int o = draw() %% (e + 1), t = m.perm[e]; m.perm[e] = m.perm[o]; m.perm[o] = t; }
    for (int u = 0; u <= N; u++) m.ptr[u] = (int)((long)E * u / N);
}
static unsigned long long digest(const void *p, size_t bytes) {
    const unsigned char *b = p;
    unsigned long long h = 1469598103934665603ULL;
    for (size_t k = 0; k < bytes; k++) h = (h ^ b[k]) * 1099511628211ULL;
    return h;
}
static void show(int t, long total) {
    unsigned long long h = digest(m.W, N * K * sizeof(real)) ^ 3 * digest(m.H, M * K * sizeof(real));
    h ^= 5 * digest(m.G, N * K * sizeof(real));
    for (int u = 0; u < N; u++) h = h * 31 + digest(m.T[u], K * sizeof(real));
    for (int i = 0; i < M; i++) {
        h = h * 31 + digest(m.it[i].v, K * sizeof(real)) + digest(&m.it[i].bias, sizeof(real)) + m.it[i].seen;
    }
    h ^= 7 * digest(m.bu, N * sizeof(real)) ^ 11 * digest(m.bi, M * sizeof(real)) ^ 13 * digest(m.x, E * sizeof(real));
    h ^= 17 * digest(m.y, E * sizeof(real)) ^ 19 * digest(m.cnt, M * sizeof(int));
    printf("%%d %%llx %%ld\n", t, h, total);
}
"""


class Program:
    """Draws the text of one program."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        r = self.r
        self.head = HEAD % (r.choice([17, 40, 96, 1500]), r.choice([11, 32, 70, 900]), r.choice([1, 3, 8, 16]),
                            r.choice([200, 900, 3000, 20000]), r.choice(["double", "float"]))
        self.how = r.choice(["global", "pointer", "arguments", "locals"])

    def pick(self, *options):
        return self.r.choice(options)

    def row(self, side):
        """An element of a row of one side: users 'u' or items 'i'; {k} is the column."""
        if side == "u":
            return self.pick("W[u * K + {k}]", "W[K * u + {k}]", "T[u][{k}]", "G[u * K + {k}]")
        return self.pick("H[i * K + {k}]", "H[i * K + {k}]", "it[i].v[{k}]")

    def one(self, side):
        return self.pick("bu[u]", "bu[u]", "T[u][0]", "G[u * K]") if side == "u" else \
            self.pick("bi[i]", "it[i].bias", "H[i * K]")

    def records(self):
        """A loop over records with two keys."""
        a, b = self.row("u"), self.row("i")
        bu, bi = self.one("u"), self.one("i")
        body = "int u = r[e].u, i = r[e].i; "
        if self.r.random() < .3:
            body += self.pick("if (r[e].v > 3) continue; ", "if (u == i) continue; ")
        body += (f"real s = r[e].v - {self.pick('0', bu, bu + ' - ' + bi)}; for (int k = 0; k < K; k++) "
                 f"s -= {a.format(k='k')} * {b.format(k='k')} * (real).125; ")
        body += "if (s > 1) s = 1; if (s < -1) s = -1; "
        if self.r.random() < .8:
            body += (f"for (int k = 0; k < K; k++) {{ real o = {a.format(k='k')}; {a.format(k='k')} += (real).01 * s * "
                     f"{b.format(k='k')} - (real).02 * o; {b.format(k='k')} += (real).01 * s * o - (real).03 * "
                     f"{b.format(k='k')}; }} ")
        else:
            body += f"for (int k = 0; k < K; k++) {a.format(k='k')} -= (real).01 * s; "
        body += self.pick("", f"{bu} += (real).01 * s; ", f"{bi} = {bi} * (real).9 + s * (real).01; ",
                          "it[i].seen++; ", "cnt[i] += u; ", "total += u * 3 + i; ")
        return f"for ({self.pick('long', 'int')} e = 0; e < n; {self.pick('e++', '++e')}) {{ {body}}}"

    def users(self):
        """A loop over users that reads items."""
        a, b = self.row("u"), self.row("i")
        inner = (f"real s = 0; for (int p = ptr[u]; p < ptr[u + 1]; p++) {{ int i = {self.pick('col[p]', 'r[p].i')}; "
                 f"s += {b.format(k=self.pick('0', 'K - 1', 'p % K'))} * (real).25; }} ")
        inner += f"for (int k = 0; k < K; k++) {a.format(k='k')} = {a.format(k='k')} * (real).5 + s * (real).01; "
        inner += self.pick("", "bu[u] += s * (real).001; ", "total += ptr[u]; ")
        return f"for (int u = {self.pick('0', '0', 't % 3')}; u < {self.pick('N', 'N', 'N - t % 2')}; u++) {{ {inner}}}"

    def items(self):
        b = self.row("i")
        body = self.pick(
            f"for (int k = 0; k < K; k++) {b.format(k='k')} = {b.format(k='k')} * (real).75 + (real).125 * k;",
            f"real s = 0; for (int k = 0; k < K; k++) s += {b.format(k='k')}; {self.one('i')} = s * (real).125;",
            "it[i].seen += cnt[i] & 3; cnt[i]++;",
            f"{self.one('i')} = {self.one('i')} * (real).5 + i;",
            "for (int k = 0; k < K; k++) it[i].v[k] = H[i * K + k] * (real).5 + it[i].bias * (real).001;",
            "for (int k = 0; k < K; k++) H[i * K + k] += G[(i % N) * K + k] * (real).125;")
        head = self.pick("for (int i = 0; i < M; i++)", "for (int i = M - 1; i >= 0; i--)",
                         "for (int i = t % 2; i < M; i += 2)")
        return f"{head} {{ {body} }}"

    def lines(self):
        """A loop over plain arrays."""
        return "for (int e = 0; e < E; e++) { " + self.pick(
            "x[e] = x[e] * (real).5 + y[e];", "x[perm[e]] = y[e] * (real).75 + e;", "y[e] = x[perm[e]] * (real).5;",
            "if (e > 0) x[e] = x[e - 1] * (real).5 + y[e];", "cnt[col[e]]++;", "cnt[r[e].i] += r[e].u;",
            "x[e] = W[r[e].u * K] * (real).5 + H[r[e].i * K];", "total += (long)(x[e] * 8);",
            "r[e].v = r[e].v * .5f + (float)x[e] * .001f;", "if (e + 1 < E) y[e] = x[e + 1] * (real).25 + x[e];",
            "x[e] = T[r[e].u][e % K] + it[col[e]].bias;", "if (x[e] > y[e]) total++; else y[e] = x[e];") + " }"

    def serial(self):
        return self.pick(
            "{ real *o = m.x; m.x = m.y; m.y = o; }", "{ real *o = m.W; m.W = m.G; m.G = o; }",
            "{ real *o = m.T[t % N]; m.T[t % N] = m.T[N - 1 - t % N]; m.T[N - 1 - t % N] = o; }",
            "memcpy(m.G + K, m.W, (N - 1) * K * sizeof(real));", "memset(m.cnt + 2, 0, 5 * sizeof(int));",
            "memmove(m.x, m.x + 3, (E - 3) * sizeof(real));", "m.W[K + t % K] += 1;", "m.it[t % M].bias -= (real).5;",
            "m.H[t % M * K] = -m.H[t % M * K];", "qsort(m.r, m.n, sizeof *m.r, by_item);",
            "m.n = m.n > 50 ? m.n - 7 : m.n; total += m.n;", "m.r[t].u = (m.r[t].u + 1) % N;",
            "{ real *o = malloc(N * K * sizeof(real)); memcpy(o, m.W, N * K * sizeof(real)); free(m.W); m.W = o; }",
            "{ struct rec *o = realloc(m.r, (E + 10 * t + 10) * sizeof *m.r); if (o) m.r = o; }",
            "{ FILE *f = tmpfile(); fwrite(m.H, sizeof(real), M * K, f); rewind(f); "
            "if (fread(m.H + K, sizeof(real), (M - 1) * K, f) == 0) exit(9); fclose(f); }",
            'printf("%a %d\\n", (double)m.W[(t + 3) % N * K], m.cnt[t % M]);',
            "for (int u = 0; u < N; u += 3) m.T[u][t % K] *= (real).5;",
            "for (int e = 1; e < E; e++) m.x[e] += m.x[e - 1] * (real).01;",
            "{ int o = m.perm[t]; m.perm[t] = m.perm[t + 20]; m.perm[t + 20] = o; }",
            "m.col[t * 3] = (m.col[t * 3] + 5) % M;",
            "for (int u = 1; u < N; u++) m.ptr[u] = (m.ptr[u - 1] + m.ptr[u + 1]) / 2;",
            "{ free(m.T[t]); m.T[t] = calloc(K, sizeof(real)); }",
            "{ struct item o = m.it[0]; m.it[0] = m.it[t % M]; m.it[t % M] = o; }",
            "total += (long)(m.bu[t % N] * 100);")

    def function(self, number):
        loop = self.pick(self.records, self.records, self.users, self.items, self.lines)()
        names = {"W": "real *", "H": "real *", "G": "real *", "T": "real **", "it": "struct item *", "bu": "real *",
                 "bi": "real *", "x": "real *", "y": "real *", "cnt": "int *", "perm": "int *", "ptr": "int *",
                 "col": "int *", "r": "struct rec *", "n": "long "}
        words = set("".join(c if c.isalnum() or c == "_" else " " for c in loop).split())
        used = [n for n in names if n in words]
        start = "    long total = 0;\n"
        parameters = arguments = ""
        if self.how == "arguments":
            parameters = "".join(f", {names[n]}{n}" for n in used)
            arguments = "".join(f", m.{n}" for n in used)
        elif self.how == "locals":
            start += "".join(f"    {names[n]}{n} = m.{n};\n" for n in used)
        else:
            for n in used:
                loop = replace_word(loop, n, "m." if self.how == "global" else "q->")
            if self.how == "pointer":
                parameters, arguments = ", struct model *q", ", &m"
        return (f"static long f{number}(int t{parameters}) {{\n    (void)t;\n{start}#pragma orrery parallel\n    {loop}\n"
                f"    return total;\n}}\n", f"f{number}(t{arguments})")

    def text(self):
        out, calls = self.head, ""
        for number in range(LOOPS):
            function, call = self.function(number)
            out += function
            calls += f"        {self.pick('', '', 'if (t % 2) ', 'if (t > 1) ')}total += {call};\n"
            while self.r.random() < .4:
                calls += f"        {self.pick('', 'if (t == 2) ', 'if (t % 3 == 1) ')}{self.serial()}\n"
        return out + ("int main(void) {\n    long total = 0;\n    setup();\n    for (int t = 0; t < 6; t++) {\n"
                      f"{calls}        show(t, total);\n    }}\n    return 0;\n}}\n")


def replace_word(text, name, to):
    """The text with each free use of the name behind `to`."""
    out, k = "", 0
    while k < len(text):
        if text[k].isalpha() or text[k] == "_":
            end = k
            while end < len(text) and (text[end].isalnum() or text[end] == "_"):
                end += 1
            word = text[k:end]
            member = k > 0 and text[k - 1] == "."
            out += to + word if word == name and not member else word
            k = end
        else:
            out += text[k]
            k += 1
    return out


def run(*command, cwd=None, **more):
    return subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True, timeout=600, **more)


def judge(build, folder, seed, keep):
    """How many of the program's loops run in parallel, and how many runs were refused."""
    (folder / "sequence.c").write_text(Program(seed).text())
    flags = ["-O1", "-w", "-ffp-contract=off", "sequence.c"]
    if run("gcc", *flags, "-o", "serial", cwd=folder).returncode:
        sys.exit(f"sequences.py: program {seed} does not build: {run('gcc', *flags, cwd=folder).stderr}")
    built = run(f"{build}/orrery-cc", "-allow-fallback", *flags, "-Rorrery", "-o", "parallel", cwd=folder)
    if built.returncode:
        sys.exit(f"sequences.py: orrery-cc does not build program {seed}\n{built.stderr}")
    parallel = built.stderr.count("remark: parallel")
    wanted, refused, bad = run("./serial", cwd=folder), 0, []
    runs = [("threads", "2"), ("threads", "3"), ("ranks", "2"), ("ranks", "3"), ("ranks", "4")]
    draw = random.Random(seed)
    for kind, count in runs:
        words = ",".join(w for w in (f"torture={draw.randint(1, 99)}", "evict=1", "serve=always", "rotate=touched",
                                     "shared=0", "rotate=whole", "load=ranks") if draw.random() < .4)
        command, more = ["./parallel"], {"ORRERY_THREADS": count}
        if kind == "ranks":
            command = [f"{build}/orrery", "run", "-n", count, "--oversubscribe", "--threads", "1", "--", "./parallel"]
            more = {"ORRERY_DEBUG": words}
        got = run(*command, cwd=folder, env=dict(os.environ, **more))
        if got.returncode == 1 and "error" in got.stderr and got.stdout == wanted.stdout[:len(got.stdout)]:
            refused += 1
            if keep:
                why = next(line for line in got.stderr.splitlines() if "error" in line)
                print(f"  {seed} {kind} {count}: {why[:260]}")
        elif got.returncode != wanted.returncode or got.stdout != wanted.stdout:
            bad.append(f"program {seed} differs on {count} {kind} ({words}): status {got.returncode}\n{got.stderr[:600]}")
    return parallel, refused, bad


def main():
    build, first, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    keep = len(sys.argv) > 4
    parallel = refused = 0
    bad = []
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            loops, some, wrong = judge(build, pathlib.Path(folder), seed, keep)
            parallel += loops
            refused += some
            bad += wrong
            for what in wrong:
                print(what, flush=True)
            if wrong and keep:
                shutil.copy(f"{folder}/sequence.c", f"{sys.argv[4]}/bad{seed}.c")
    print(f"{count * LOOPS} loops, {parallel} of them parallel; {refused} runs refused")
    if bad or parallel == 0:
        sys.exit("sequences.py: " + (f"{len(bad)} runs differ" if bad else "no loop is parallel"))


main()
