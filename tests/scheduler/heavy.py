"""heavy.py: prints a program whose nests are much work to analyze: blocks of 5 x 5 numbers, all elements by name, in
three directions, and functions that work on such blocks (a block-tridiagonal solver). `marked`: with pragmas."""
import sys

N, M = 9, 5
MARK = "#pragma orrery parallel\n" if "marked" in sys.argv[1:] else ""
BLOCK = [(m, n) for m in range(M) for n in range(M)]

print(f"""#include <stdio.h>
enum {{ N = {N}, M = {M} }};
static double fjac[N][N][N][M][M], njac[N][N][N][M][M], u[N][N][N][M], lhs[N][N][N][3][M][M], rhs[N][N][N][M];
static int size = N;
static double tmp1, tmp2;

static void multiply(double a[M][M], double b[M][M], double c[M][M]) {{
    for (int j = 0; j < M; ++j) {{""")
for m in range(M):
    print(f"        c[{m}][j] = c[{m}][j]" + "".join(f" - a[{m}][{k}] * b[{k}][j]" for k in range(M)) + ";")
print("    }\n}\n\nstatic void eliminate(double a[M][M], double c[M][M], double r[M]) {\n    double pivot, coeff;")
for p in range(M):
    later = range(p + 1, M)
    print(f"    pivot = 1. / a[{p}][{p}];")
    print("".join(f"    a[{p}][{k}] = a[{p}][{k}] * pivot;\n" for k in later), end="")
    print("".join(f"    c[{p}][{k}] = c[{p}][{k}] * pivot;\n" for k in range(M)), end="")
    print(f"    r[{p}] = r[{p}] * pivot;")
    for q in (q for q in range(M) if q != p):
        print(f"    coeff = a[{q}][{p}];")
        print("".join(f"    a[{q}][{k}] = a[{q}][{k}] - coeff * a[{p}][{k}];\n" for k in later), end="")
        print("".join(f"    c[{q}][{k}] = c[{q}][{k}] - coeff * c[{p}][{k}];\n" for k in range(M)), end="")
        print(f"    r[{q}] = r[{q}] - coeff * r[{p}];")
print("}")

for v in "ijk":
    a, b = (c for c in "ijk" if c != v)
    here = "[i][j][k]"
    before, behind = here.replace(v, v + " - 1"), here.replace(v, v + " + 1")
    print(f"""
static void fill_{v}(void) {{
{MARK}    for (int {a} = 1; {a} < size - 1; ++{a})
        for (int {b} = 1; {b} < size - 1; ++{b}) {{
            for (int {v} = 0; {v} < size; ++{v}) {{
                tmp1 = 1. / u{here}[0];
                tmp2 = tmp1 * tmp1;""")
    for m, n in BLOCK:
        print(f"                fjac{here}[{m}][{n}] = u{here}[{m}] * tmp2 * u{here}[{n}] + {m} * tmp1;")
        print(f"                njac{here}[{m}][{n}] = u{here}[{n}] * tmp1 - {n} * tmp2 * u{here}[{m}];")
    print(f"""            }}
            for (int {v} = 1; {v} < size - 1; ++{v}) {{
                tmp1 = .05;
                tmp2 = .025;""")
    for m, n in BLOCK:
        one = "3. + " if m == n else ""
        print(f"                lhs{here}[0][{m}][{n}] = -tmp2 * fjac{before}[{m}][{n}] - tmp1 * njac{before}[{m}][{n}];")
        print(f"                lhs{here}[1][{m}][{n}] = {one}tmp1 * 2. * njac{here}[{m}][{n}];")
        print(f"                lhs{here}[2][{m}][{n}] = tmp2 * fjac{behind}[{m}][{n}] - tmp1 * njac{behind}[{m}][{n}];")
    print(f"""            }}
        }}
}}

static void solve_{v}(void) {{
    for (int {v} = 1; {v} < size - 1; ++{v})
{MARK}        for (int {a} = 1; {a} < size - 1; ++{a})
            for (int {b} = 1; {b} < size - 1; ++{b}) {{
                multiply(lhs{here}[0], lhs{before}[2], lhs{here}[1]);
                eliminate(lhs{here}[1], lhs{here}[2], rhs{here});
            }}
}}""")

print("""
int main(void) {
    double sum = 0;
    for (int i = 0; i < N * N * N * M; ++i) {
        ((double *)u)[i] = 1 + i % 7 * .125;
        ((double *)rhs)[i] = i % 11 * .25;
    }
    for (int pass = 0; pass < 3; ++pass) {
        fill_i(), solve_i();
        fill_j(), solve_j();
        fill_k(), solve_k();
    }
    for (int i = 0; i < N * N * N * M; ++i)
        sum = sum * .99 + ((double *)rhs)[i];
    printf("%.17g %.17g %.17g %a\\n", rhs[1][2][3][4], lhs[3][2][1][2][0][1], tmp1, sum);
}""")
