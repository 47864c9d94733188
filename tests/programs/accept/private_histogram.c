/* expect: parallel independent ordered
 * private: count
 * carried: none
 */
#include <stdlib.h>
#include <string.h>

void modes(const int *word, const long *ptr, int *mode, long texts, int V) {
    int *count = malloc(V * sizeof *count);
#pragma orrery parallel
    for (long d = 0; d < texts; ++d) {
        memset(count, 0, V * sizeof *count);
        for (long p = ptr[d]; p < ptr[d + 1]; ++p)
            ++count[word[p]];
        int best = 0;
        for (int v = 0; v < V; ++v)
            if (count[v] > count[best])
                best = v;
        mode[d] = best;
    }
    free(count);
}
