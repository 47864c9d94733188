# C texts for `tests/bench/run analyze`: about `lines` lines, every `every`-th function with a marked loop over ratings
# (with `differing` no two of them ask the same of isl);
# or, with `accesses`, one loop of so many accesses to a quarter as many arrays.
# usage: awk -v lines=N -v every=M -f analyze_text.awk /dev/null      awk -v accesses=N -f analyze_text.awk /dev/null
function body(arrays, i) {
    arrays = int(accesses / 4)
    printf "void f(double *a0"
    for (i = 1; i < arrays; ++i)
        printf ", double *a%d", i
    print ", long n) {\n#pragma orrery parallel\n    for (long i = 0; i < n; ++i) {"
    for (i = 0; i < accesses / 2; ++i)
        printf "        a%d[i] += a%d[i] * %d;\n", i % arrays, (i * 7 + 1) % arrays, i
    print "    }\n}"
}
function unit(i) {
    printf "static float dot_%d(const float *a, const float *b, int k) {\n    float sum = 0;\n", i
    print "    for (int j = 0; j < k; ++j)\n        sum += a[j] * b[j];\n    return sum;\n}\n"
    printf "void train_%d(const struct rating *r, long n, float *W, float *H, int K, double *loss) {\n", i
    print "    double total = 0;"
    if (i % every == 0)
        print "#pragma orrery parallel unordered"
    print "    for (long x = 0; x < n; ++x) {"
    print "        float *w = W + (size_t)r[x].user * K, *h = H + (size_t)r[x].item * K;"
    printf "        float e = r[x].value - dot_%d(w, h, K);\n", i
    print "        total += e * e;\n        for (int k = 0; k < K; ++k) {\n            float wk = w[k];"
    print "            w[k] += 0.01f * (e * h[k] - 0.02f * wk);\n            h[k] += 0.01f * (e * wk - 0.02f * h[k]);"
    print "        }"
    if (differing) {
        printf "        for (int k = %d; k < K; ++k)\n", i % 5
        printf "            loss[%d * x + %d * k + %d] = loss[%d * x + %d] * 2 + x;\n", i + 40, i % 7 + 1, i % 31, i + 40, i % 11
        printf "        if (x > %d)\n            total += r[x + %d].value;\n", i % 300, i % 3
    }
    print "    }\n    *loss = total;\n    if (total < 0)\n        printf(\"%g\\n\", total);"
    printf "    for (int step = 0; step < %d; ++step) {\n", i % 9 + 2
    print "        long count = n / (step + 1);\n        switch ((int)(count & 1)) {\n        case 0:"
    printf "            W[count] = H[step] + %d;\n            break;\n        default:\n            W[count] = H[step];\n", i
    print "        }\n    }\n}\n"
}
BEGIN {
    if (accesses) {
        body()
        exit
    }
    print "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>"
    print "struct rating {\n    int user, item;\n    float value;\n};\n"
    for (i = 0; i * 36 < lines - 8; ++i)
        unit(i)
}
