/* expect: serial ORR3131 10:9 `w[u[i]].weight` */
/* says: its elements have other members, too */
struct unit {
    double weight;
    int uses;
};
void f(struct unit *w, const int *u, const int *v, const double *x, long n) {
#pragma orrery parallel unordered relax(w)
    for (long i = 0; i < n; ++i)
        w[u[i]].weight += x[i] * w[v[i]].weight;
}
