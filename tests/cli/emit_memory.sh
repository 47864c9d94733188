#!/bin/bash
# A solver of one file, a hundred and thirty loops, most of them in nests: what the search for better
# orders and the serial loops took is not kept until the text is written.
. "$(dirname "$0")/lib.sh"

awk -v n=12 '
BEGIN {
    print "static double u[66][66][66][5], rhs[66][66][66][5], lhs[66][66][66][3][5][5];"
    print "static double us[66][66][66], qs[66][66][66], rho[66][66][66];\nstatic int grid[3];"
    for (f = 0; f < n; ++f) {
        printf "void pass_%d(double dt) {\n    int i, j, k, m, n;\n", f
        print "    for (i = 1; i < grid[0] - 1; i++)\n        for (j = 1; j < grid[1] - 1; j++)"
        print "            for (k = 1; k < grid[2] - 1; k++) {"
        for (m = 0; m < 5; ++m)
            printf "                rhs[i][j][k][%d] += %d * dt * (u[i+1][j][k][%d] - 2 * u[i][j][k][%d] + u[i-1][j][k][%d]) * (us[i+1][j][k] - qs[i-1][j][k] * rho[i][j][k]);\n", m, f + 2, m, m, m
        print "            }"
        print "    for (i = 1; i < grid[0] - 1; i++)\n        for (j = 1; j < grid[1] - 1; j++)"
        print "            for (k = 0; k < grid[2]; k++) {"
        for (m = 0; m < 5; ++m)
            for (c = 0; c < 5; ++c)
                printf "                lhs[i][j][k][1][%d][%d] = dt * u[i][j][k][%d] * us[i][j][k] - %d * lhs[i][j][k][0][%d][%d] * qs[i][j][k];\n", m, c, m, f, m, c
        print "            }"
        print "    for (i = grid[0] - 2; i >= 0; i--)\n        for (j = 1; j < grid[1] - 1; j++)"
        print "            for (k = 1; k < grid[2] - 1; k++)\n                for (m = 0; m < 5; m++)"
        print "                    for (n = 0; n < 5; n++)"
        print "                        rhs[i][j][k][m] -= lhs[i][j][k][2][m][n] * rhs[i+1][j][k][n];\n}"
    }
}' >solver.c
[ -n "${SANITIZE-}" ] || ulimit -v 900000
expect 0 timeout 300 "$orrery" emit -auto -O3 -o solver.out.c solver.c
grep -q orrery_body_ solver.out.c || fail "no loop of it runs in parallel"
