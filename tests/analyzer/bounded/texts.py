"""C texts whose analysis would grow without bound: one function per class, `n` says how large.

Every text ends with the loop `beside`, which keeps its verdict whatever becomes of the others.
"""

BESIDE = """void beside(float *restrict y, const float *restrict x, int n) {
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}
"""


def loop(params, body, before=""):
    return "%svoid f(%s, int n) {\n    for (int i = 0; i < n; i++) {\n%s    }\n}\n%s" % (
        before, params, body, BESIDE)


def rounds(kind, start, line, n, store="out[i] = c;", before=""):
    return loop("%s *restrict out, const %s *restrict x" % (kind, kind),
                "        %s c = %s;\n" % (kind, start) + ("        %s\n" % line) * n +
                "        %s\n" % store, before)


def crc(n):
    return rounds("unsigned", "x[i]", "c = (c >> 8) ^ t[(c ^ x[i]) & 255];", n,
                  before="static unsigned t[256];\n")


def crc_key(n):
    return rounds("unsigned", "x[i]", "c = (c >> 8) ^ t[(c ^ x[i]) & 255];", n,
                  "out[c & 7] = out[c & 7] * 3 + i;", "static unsigned t[256];\n")


def fnv(n):
    return rounds("unsigned long", "14695981039346656037ul",
                  "c ^= x[i] & 255; c *= 1099511628211ul; c ^= c >> 29;", n)


def murmur(n):
    return rounds("unsigned", "x[i]",
                  "c ^= c >> 16; c *= 0x85ebca6bu; c ^= c >> 13; c *= 0xc2b2ae35u; c ^= c >> 16;", n)


def xorshift(n):
    return rounds("unsigned", "x[i]", "c ^= c << 13; c ^= c >> 17; c ^= c << 5;", n)


def doubled(n):
    return rounds("long", "x[i]", "c = c + c;", n, "out[i] = c; out[i + n] = x[c & 1];")


def squares(n):
    return rounds("double", "x[i]", "c = c * c + c;", n)


def chosen(n):
    return rounds("int", "x[i]", "c = c > i ? c - i : i - c; if (c & 1) c ^= i; else c += 3 * c;", n)


def sha(n):
    line = ("t1 = h + (R(e, 6) ^ R(e, 11) ^ R(e, 25)) + ((e & f) ^ (~e & g)) + x[16 * i + %d]; "
            "t2 = (R(a, 2) ^ R(a, 13)) + ((a & b) ^ (a & d)); "
            "h = g; g = f; f = e; e = d + t1; d = b; b = a; a = t1 + t2;")
    names = "a = 1, b = 2, d = 4, e = 5, f = 6, g = 7, h = 8, t1, t2"
    return loop("unsigned *restrict out, const unsigned *restrict x",
                "        unsigned %s;\n" % names +
                "".join("        %s\n" % (line % (k % 16)) for k in range(n)) +
                "        out[i] = a ^ e;\n",
                "#define R(x, k) (((x) >> (k)) | ((x) << (32 - (k))))\n")


def arms(n):
    text = ""
    for k in range(n):
        text += ("        %sif (i < %d) { for (int j = (i < %d ? 0 : i - %d); "
                 "j < (i + %d > n ? n : i + %d); j++) out[j + %d] = x[j]; }\n" %
                 ("else " if k else "", (k + 1) * 10, k, k, k, k, k))
    return loop("int *restrict out, const int *restrict x", text)


def arms_data(n):
    text = ""
    for k in range(n):
        text += ("        %sif (x[i] == %d) { for (int j = (x[i + 1] < %d ? x[i] : %d); j < n; j++) "
                 "out[i * n + j] += j; }\n" % ("else " if k else "", k, k, k))
    return loop("int *restrict out, const int *restrict x", text)


def calls(n):
    text = "static double g0(const double *x, int i) { return x[i] * 2; }\n"
    for k in range(1, n):
        text += ("static double g%d(const double *x, int i) { return g%d(x, i) + g%d(x, i + 1); }\n"
                 % (k, k - 1, k - 1))
    return loop("double *restrict out, const double *restrict x",
                "        out[i] = g%d(x, i);\n" % (n - 1), text)


def calls_that_write(n):
    text = "static void g0(double *x, int i) { x[i] += 2; }\n"
    for k in range(1, n):
        text += ("static void g%d(double *x, int i) { if (i & %d) g%d(x, i); else g%d(x, i + 1); }\n"
                 % (k, k, k - 1, k - 1))
    return loop("double *out", "        g%d(out, i);\n" % (n - 1), text)


def unrolled(n):
    return loop("float *restrict out, const float *restrict x",
                "".join("        out[%d * i + %d] = x[%d * i + %d] * 2;\n" % (n, k, n, k)
                        for k in range(n)))


def unrolled_keys(n):
    return loop("float *restrict out, const int *restrict k",
                "".join("        out[k[i + %d]] += k[i + %d];\n" % (k, k) for k in range(n)))


def unrolled_steps(n):
    return loop("float *restrict out, const float *restrict x",
                "        int k = 0;\n" + "        out[i] += x[k]; k = k + 1;\n" * n)


def cases(n):
    return loop("int *restrict out, const int *restrict x",
                "        int v = 0;\n        switch (x[i]) {\n" +
                "".join("        case %d: v = out[i] + %d; out[i] = v; break;\n" % (k, k)
                        for k in range(n)) + "        }\n        out[i] = v;\n")


def continues(n):
    return loop("int *restrict out, const int *restrict x",
                "".join("        if (x[i] == %d) continue;\n" % k for k in range(n)) +
                "        out[i] = 1;\n")


def nest(n):
    return loop("float *out", "".join("        for (int j%d = %s; j%d < n - %d; j%d++)\n" %
                                      (k, "j%d" % (k - 1) if k else "i", k, k, k)
                                      for k in range(n)) +
                "            out[i + " + " + ".join("j%d * %d" % (k, k + 1) for k in range(n)) +
                "] += 1;\n")


def long_sum(n):
    return loop("int *restrict out, const int *restrict x",
                "        out[i] = " + " + ".join("x[i] * %d" % (k % 99) for k in range(n)) + ";\n")


def big_table(n):
    return loop("int *restrict out", "        out[i] = t[i];\n",
                "static const int t[] = {" + ", ".join(str(k * 7) for k in range(n)) + "};\n")


def loops(n):
    return ("void f(int *restrict y, const int *restrict x, int n) {\n" +
            "".join("    for (int i = 0; i < n; i++)\n        y[i] = x[i] + %d;\n" % k
                    for k in range(n)) + "}\n" + BESIDE)


def inlined(n):
    """Many loops over a function with many loops, as a header brings them."""
    text = "static void big(int *restrict y, const int *restrict x, int m, int k) {\n"
    for a in range(20):
        text += ("    for (int j = 0; j < m; j++) { y[k * m + j] += x[j + %d]; "
                 "if (x[j] > %d) y[k * m + j] = %d; }\n" % (a, a, a))
    text += "}\n"
    for k in range(n):
        text += ("void f%d(int *restrict y, const int *restrict x, int m, int n) {\n"
                 "    for (int i = 0; i < n; i++)\n        big(y, x, m, i);\n}\n" % k)
    return text + BESIDE


def lines(n):
    """`n` functions of 30 lines."""
    text = ""
    for k in range(n):
        text += """static double w%d[100];
int f%d(double *restrict y, const double *restrict x, const int *restrict idx, int n, int m) {
    int count = 0;
    double best = 0;
    if (n < 1)
        return -1;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++) {
            s += x[i * m + j] * w%d[j %% 100];
        }
        if (s > best) {
            best = s;
            count++;
        }
        y[i] = s;
    }
    for (int i = 0; i < n; i++)
        y[idx[i]] += x[i];
    while (n > 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        count += n;
    }
    for (int i = 1; i < m; i++)
        y[i] = y[i - 1] * 0.5 + x[i];
    return count + (int)best;
}

""" % (k, k, k)
    return text + BESIDE


def solver(n):
    """Block matrices are set up and eliminated, in n sweeps with counters of the whole function."""
    text = ("enum { N = 24 };\nstatic double lhs[N][N][N][3][5][5], rhs[N][N][N][5], "
            "u[N][N][N][5], f[N][N][N][5][5];\n")
    for k in range(n):
        text += "static void sweep%d(int nx, int ny, int nz) {\n    int i, j, k, m, l;\n" % k
        text += ("    for (i = 1; i < nx - 1; i++)\n      for (j = 1; j < ny - 1; j++) {\n"
                 "        for (k = 0; k < nz; k++) {\n          double t = 1 / u[i][j][k][0];\n")
        for a in range(5):
            for b in range(5):
                text += ("          f[i][j][k][%d][%d] = u[i][j][k][%d] * u[i][j][k][%d] * t + %d;\n"
                         % (a, b, a, b, k))
        text += "        }\n        for (k = 1; k < nz - 1; k++) {\n"
        for c in range(3):
            for a in range(5):
                for b in range(5):
                    text += ("          lhs[i][j][k][%d][%d][%d] = .5 * f[i][j][k + %d][%d][%d];\n"
                             % (c, a, b, c - 1, a, b))
        text += ("        }\n      }\n    for (i = 1; i < nx - 1; i++)\n"
                 "      for (j = 1; j < ny - 1; j++)\n        for (k = 1; k < nz - 1; k++)\n"
                 "          for (m = 0; m < 5; m++) {\n            for (l = 0; l < 5; l++)\n"
                 "              rhs[i][j][k][m] -= lhs[i][j][k][0][m][l] * rhs[i][j][k - 1][l];\n"
                 "          }\n}\n")
    text += "void solve(int nx, int ny, int nz) {\n"
    text += "".join("    sweep%d(nx, ny, nz);\n" % k for k in range(n)) + "}\n"
    return text + BESIDE
