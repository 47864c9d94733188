"""Random independent loops over arrays that no subscript cuts into rows, on several ranks, against the serial program.

planes.py BIN FIRST COUNT: programs FIRST to FIRST + COUNT - 1, five loops each: planes in turn, rows of other planes,
structures, columns that the run knows, conditions, steps; what serial code changes in between. Ordered, so that every
result has the serial program's bits. Prints how many were divided by what they touch (docs/runtime.md).
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

LOOPS = 5

MAIN = """int main(void) {
    long out = 0;
    double s = 0;
    for (int p = 0; p < P; p++) {
        for (int i = 0; i < 4 * N; i++) {
            A[p][i] = i % 7 + p;
            C[p][i] = (struct cell){i % 5, i % 3, p};
            K[p][i] = i % 11;
            F[p * 4 * N + i] = i % 13;
        }
        for (int i = 0; i < 3 * N; i++)
            for (int j = 0; j < 4 * N + 2; j++) B[p][i][j] = (i * j + p) % 9;
    }
    for (int t = 0; t < 7; t++) {
CALLS
        for (int p = 0; p < P; p++) {
            for (int i = 0; i < 4 * N; i++)
                s = s * .995 + A[p][i] + C[p][i].v + C[p][i].w + C[p][i].a + K[p][i] + F[p * 4 * N + i];
            for (int i = 0; i < 3 * N; i++)
                for (int j = 0; j < 4 * N + 2; j++) s = s * .999 + B[p][i][j];
        }
        printf("%d %a %ld\\n", t, s, out);
    }
    return 0;
}
"""


class Loop:
    """What the pieces of one loop's text are drawn from."""

    def __init__(self, r):
        self.r = r
        self.to = r.choice(["t % P", "(t + 1) % P", "q", "P - 1 - t % P"])
        self.of = r.choice(["(t + P - 1) % P", "t % P", "0", "q"])
        step, behind = r.choice([1, 1, 2, 3]), r.choice([0, 0, 1, 2])
        self.at = f"{step} * i + {behind}" if r.random() < .8 else f"N + {behind} - i"
        self.read = r.choice(["i", "i + 1", "N - 1 - i", "3 * N - 1 - i", "2 * i", "5", "t"])
        self.when = r.choice(["", "", "if (i % 3 == 1) ", "if (i > t) ", "if (K[0][i] > 3) "])

    def sums(self):
        low, high = self.r.choice(["0", "i", "t"]), self.r.choice(["N", "i", "t + 3"])
        return (f"double z = 0; for (int j = {low}; j < {high}; j++) z += A[{self.of}][j] * .25 + F[{self.read}]; "
                f"{self.when}A[{self.to}][{self.at}] = z + i;")

    def plain(self):
        return f"{self.when}A[{self.to}][{self.at}] = A[{self.of}][{self.read}] * .5 + i;"

    def nest(self):
        r = self.r
        column, low = r.choice(["j", "j + 1", "2 * j", "N - j"]), r.choice(["0", "1", "i"])
        high = r.choice(["N", "i + 1", "N - t % 4"])
        written = f"[{column}][{self.at}]" if r.random() < .3 else f"[{self.at}][{column}]"
        row, other = r.choice(["t", "i", "i + 1", "N - 1 - i", "j"]), r.choice(["j", "j + 1", "t", "i"])
        return (f"for (int j = {low}; j < {high}; j++) {self.when}B[{self.to}]{written} {r.choice(['=', '+='])} "
                f"B[{self.of}][{row}][{other}] * .5 + j;")

    def known_late(self):
        r = self.r
        low, high = r.choice(["(i + t) % 2", "K[0][i] % 3", "0"]), r.choice(["N", "K[0][i] + 2", "N - 1"])
        return (f"for (int j = {low}; j < {high}; j += 2) {self.when}B[{self.to}][{self.at}]"
                f"[{r.choice(['j', 'j + 1', 'K[0][j]'])}] += B[{self.of}][{r.choice(['i', 't', 'N - 1 - i'])}]"
                f"[{r.choice(['j', 'K[0][i]', 't'])}] * .5;")

    def members(self):
        r = self.r
        counts = f" C[{self.to}][{self.at}].a++;" if r.random() < .5 else ""
        return (f"{self.when}C[{self.to}][{self.at}].{r.choice('vw')} = C[{self.of}][{self.read}].{r.choice('vw')} * .5 + "
                f"C[{self.of}][{self.read}].a;{counts}")

    def integers(self):
        return f"{self.when}K[{self.to}][{self.at}] = (K[{self.of}][{self.read}] * 7 + i + t) % 23;"

    def flat(self):
        read = self.r.choice(["i", "i + 1", "N - 1 - i"])
        return f"{self.when}F[N * ({self.to}) + {self.at}] = F[N * ({self.of}) + {read}] * .5f + i;"

    def text(self, number):
        r = self.r
        body = r.choice([self.sums, self.plain, self.nest, self.nest, self.known_late, self.members, self.integers,
                         self.flat])()
        low, high = r.choice(["0", "1", "2", "lo"]), r.choice(["N", "N - 1", "hi"])
        header = f"for (int i = {low}; i < {high}; {r.choice(['i++', 'i++', 'i += 2'])})"
        if r.random() < .15:
            header = f"for (int i = {high} - 1; i >= {low}; i--)"
        more = r.choice(["", "", " count += i;", " last = i * 2 + t;"])
        return (f"static void f{number}(int t, int q, int lo, int hi, long *out) {{\n    long count = 0;\n    int last = 0;\n"
                f"#pragma orrery parallel\n    {header} {{ {body}{more} }}\n    *out = *out * 3 + count + last;\n}}\n")


def program(seed):
    r = random.Random(seed)
    head = (f"#include <stdio.h>\nenum {{ N = {r.choice([13, 24, 40])}, P = {r.choice([2, 3, 5])} }};\n"
            "struct cell { double v; int a; float w; };\n"
            "static double A[P][4 * N], B[P][3 * N][4 * N + 2];\nstatic struct cell C[P][4 * N];\n"
            "static int K[P][4 * N];\nstatic float F[4 * N * P + 8];\n")
    calls = ""
    for f in range(LOOPS):
        head += Loop(r).text(f)
        calls += (f"        f{f}(t, (t * {r.randint(1, 3)} + {r.randint(0, 2)}) % P, {r.randint(0, 4)}, "
                  f"N - {r.randint(0, 3)} - t % {r.randint(1, 3)}, &out);\n")
        if r.random() < .3:
            calls += (f"        if (t == {r.randint(0, 6)}) {{ A[0][3] = -t; B[P - 1][2][5] += 3; C[1][4].a = 9; "
                      "K[0][2] = 5; F[7] += 1; }\n")
    return head + MAIN.replace("CALLS", calls.rstrip())


def run(*command, cwd=None):
    return subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True, timeout=600)


def judge(build, folder, seed):
    """How many of the program's loops are divided by what they touch, and whether a run of it was refused."""
    (folder / "planes.c").write_text(program(seed))
    flags = ["-O1", "-w", "-ffp-contract=off", "planes.c"]
    if run("gcc", *flags, "-o", "serial", cwd=folder).returncode:
        sys.exit(f"planes.py: program {seed} does not build")
    if run(f"{build}/orrery-cc", "-allow-fallback", *flags, "-o", "parallel", cwd=folder).returncode:
        sys.exit(f"planes.py: orrery-cc does not build program {seed}")
    divided = run(f"{build}/orrery", "emit", "planes.c", cwd=folder).stdout.count("    .sections = ")
    wanted, refused = run("./serial", cwd=folder).stdout, False
    for ranks in ("2", "3"):
        got = run(f"{build}/orrery", "run", "-n", ranks, "--oversubscribe", "--threads", "1", "--", "./parallel", cwd=folder)
        if got.returncode == 1 and "run it on one rank" in got.stderr:
            refused = True
        elif got.returncode or got.stdout != wanted:
            sys.exit(f"planes.py: program {seed} differs on {ranks} ranks\n{got.stdout}{got.stderr}")
    return divided, refused


def main():
    build, first, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    divided = refused = 0
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            loops, some = judge(build, pathlib.Path(folder), seed)
            divided += loops
            refused += some
    print(f"{count * LOOPS} loops, {divided} of them divided by what they touch; {refused} programs refused")
    if divided == 0:
        sys.exit("planes.py: no loop was divided by what it touches")


main()
