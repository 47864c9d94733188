/* expect: serial ORR2107 9:57 `net[0].w[1]` */
/* the row that has a name of its own is one of those that the key chooses */
#include <stddef.h>
struct layer { int n; float *w; };
void spread(struct layer *net, const float *x, const int *k, long count) {
#pragma orrery parallel unordered
    for (long i = 0; i < count; ++i) {
        struct layer *p = &net[k[i]];
        for (int j = 0; j < p->n; ++j) p->w[j] = x[i] + net[0].w[1];
    }
}
