/* A linear model per group, trained in the data's own order: the group is the only thing that is shared.
 * loop: parallel partition-1d
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

struct params { double slope, intercept; long seen; };

typedef struct sample {
    long long group_id;
    double x;
    double y;
} sample_t;

static void fit(sample_t *s, size_t count, struct params *models) {
    #pragma orrery parallel
    for (size_t i = 0; i < count; ++i) {
        struct params *m = models + s[i].group_id;
        double e = s[i].y - (m->slope * s[i].x + m->intercept);
        double rate = 0.1 / (1.0 + m->seen);
        m->slope += rate * e * s[i].x;
        m->intercept += rate * e;
        m->seen++;
    }
}

int main(void) {
    size_t count = 800;
    int groups = 37;
    sample_t *s = malloc(count * sizeof(sample_t));
    struct params *models = calloc(groups, sizeof(struct params));
    for (size_t i = 0; i < count; ++i) {
        s[i].group_id = (i * i + 3 * i) % groups;
        s[i].x = (i % 21) / 10.0 - 1;
        s[i].y = s[i].group_id * 0.5 * s[i].x + 1;
    }
    for (int e = 0; e < 3; ++e)
        fit(s, count, models);
    for (int g = 0; g < groups; g += 5)
        printf("%d %.17g %.17g %ld\n", g, models[g].slope, models[g].intercept, models[g].seen);
    free(s);
    free(models);
    return 0;
}
