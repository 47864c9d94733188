#!/bin/bash
# Sixty passes of a Fourier transform over strided data, as numeric libraries write them, take neither
# minutes nor gigabytes.
. "$(dirname "$0")/lib.sh"

awk -v n=60 '
function leg(z) {
    printf "            double r%d = in[2 * si * (i + %d * m)], g%d = in[2 * si * (i + %d * m) + 1];\n", z, z, z, z
}
function write(z, a, b) {
    printf "            out[2 * so * (j + %d * p1)] = w * (r%d - g%d);\n", z, z, a
    printf "            out[2 * so * (j + %d * p1) + 1] = w * (r%d + g%d);\n", z, z, b
}
BEGIN {
    print "#include <stddef.h>"
    for (f = 0; f < n; ++f) {
        printf "void pass_%d(const double *in, size_t si, double *out, size_t so, size_t product, size_t total,\n", f
        print "            const double *tw) {"
        print "    size_t q = total / product, m = total / 5, p1 = product / 5, i = 0, j = 0, jump = 4 * p1;"
        print "    for (size_t k = 0; k < q; k++) {\n        double w = k ? tw[k - 1] : 1;"
        print "        for (size_t k1 = 0; k1 < p1; k1++) {"
        for (z = 0; z < 5; ++z)
            leg(z)
        for (z = 0; z < 5; ++z)
            write(z, (z + 1) % 5, (z + 2) % 5)
        print "            i++;\n            j++;\n        }\n        j += jump;\n    }\n}"
    }
}' >passes.c
[ -n "${SANITIZE-}" ] || ulimit -v 2000000
expect 0 timeout 300 "$orrery" analyze --all passes.c
says out '120 loops considered'
