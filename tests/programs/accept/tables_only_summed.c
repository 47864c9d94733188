/* expect: parallel reduction ordered
 * reductions: + degree
 */
/* one array of sums, whatever lies behind the first */
void count(int *degree, const int *from, const int *to, long n, int nodes) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        degree[from[i]] += 1;
        degree[nodes + to[i]] += 1;
    }
}
