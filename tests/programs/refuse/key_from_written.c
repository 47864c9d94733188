/* expect: serial ORR2204 6:9 `W[(int)G[u[n]]]` */
/* the key is made of a number that the loop trains */
void walk(float *W, float *G, const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        W[(int)G[u[n]]] = W[(int)G[u[n]]] * .5f + v[n];
        G[u[n]] = G[u[n]] * .5f + v[n];
    }
}
