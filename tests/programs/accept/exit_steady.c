/* expect: parallel independent */
/* a triangle is as long behind the end of the program as in front of it */
#include <stdlib.h>

struct model {
    int rank;
};

static float sum(const float *row, int m) {
    float v = 0;
    for (int j = 0; j < m; ++j)
        for (int k = 0; k <= j; ++k)
            v += row[k];
    return v;
}

void check(float *restrict out, const float *restrict in, long count,
           const struct model *restrict model) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        if (in[n] < 0)
            exit(1);
        out[n] = sum(in, model->rank);
    }
}
