/* expect: serial ORR2105 12:9 `h[j]` */
/* what the loop in the body finds depends on earlier iterations */
int seen[100][500];
double w[100], h[500];

void visit(const int *user, int n) {
#pragma orrery parallel
    for (int t = 0; t < n; ++t) {
        int u = user[t], j = t % 500;
        while (seen[u][j])
            j = (j + 1) % 500;
        h[j] += w[u] + 1;
        w[u] += h[j];
        seen[u][j] = 1;
    }
}
